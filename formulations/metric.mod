# Range-constrained mechanism of least expected loss, its truths as private as they are near.
# Source:   Chatzikokolakis, Andres, Bordenabe, Palamidessi 2013, Definition 2 (d-privacy), of the matrices of
#           Croft, Sack, Shi 2020, section 3.2.
# Symbols:  M[r,f] = Pr[response r | truth f];  l loss;  p weight of a truth;  E = e^epsilon;
#           A ordered pairs of truths;  d[f,g] = distance of two truths, in steps of epsilon.
# Differs from the paper in: only the pairs in A have rows; the others follow where d is the length of a shortest
#           way in A.

param E > 1;
set R; set F; set A within F cross F;
param d{A} integer >= 1; param p{F} >= 0; param l{R, F} >= 0;

var M{R, F} >= 0, <= 1;                                                     # Croft (8)

minimize expected_loss: sum{r in R, f in F} p[f] * l[r,f] * M[r,f];
s.t. total{f in F}: sum{r in R} M[r,f] = 1;                                 # Croft (9)
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E ^ d[f,g] * M[r,g] <= 0;
end;
