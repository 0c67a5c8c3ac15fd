# Range-constrained mechanism of least expected loss.
# Source:   Croft, Sack, Shi 2020, section 3.4, LP Mechanism Variant 1.
# Symbols:  M[r,f] = Pr[response r | truth f];  l loss;  p weight of a truth;
#           A ordered pairs of adjacent truths;  E = e^epsilon.
# Differs from the paper in: truths and responses are numbered from 0; the loss l and the weights p
#           are data (the paper: |(r^u + r^l)/2 - F| and 1); M <= 1 is stated, (8) and (9) imply it.

param E >= 1;
set R; set F; set A within F cross F;
param p{F} >= 0; param l{R, F} >= 0;

var M{R, F} >= 0, <= 1;                                                     # (8)

minimize expected_loss: sum{r in R, f in F} p[f] * l[r,f] * M[r,f];
s.t. total{f in F}: sum{r in R} M[r,f] = 1;                                 # (9)
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E * M[r,g] <= 0;                 # (4)
end;
