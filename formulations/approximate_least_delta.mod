# Range-constrained mechanism of least delta of (epsilon, delta)-differential privacy, its losses bounded.
# Source:   Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, of the matrices of Croft, Sack, Shi 2020, (8)-(9);
#           the other way round as in Kadam et al. 2024, (15).
# Symbols:  M[r,f] = Pr[response r | truth f];  A ordered pairs of adjacent truths;  E = e^epsilon;
#           h[r,f,g] = by how much M[r,f] exceeds E M[r,g], or more;  p weight of a truth;
#           Mean, Worst bounds on averaged losses and on losses at every truth;  k[i,r,f] loss of bound i,
#           b[i] the most it may be.
# Differs from the paper in: as approximate.mod. Kadam (15) has one bound, on the mean, and other privacy.

param E >= 1;
set R; set F; set A within F cross F;
set Mean; set Worst;
param p{F} >= 0; param k{Mean union Worst, R, F} >= 0; param b{Mean union Worst} >= 0;

var M{R, F} >= 0, <= 1;
var h{R, A} >= 0, <= 1;
var delta >= 0, <= 1;

minimize least_delta: delta;
s.t. total{f in F}: sum{r in R} M[r,f] = 1;
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E * M[r,g] - h[r,f,g] <= 0;
s.t. budget{(f,g) in A}: sum{r in R} h[r,f,g] - delta <= 0;
s.t. bound{i in Mean}: sum{r in R, f in F} p[f] * k[i,r,f] * M[r,f] <= b[i];
s.t. bound_case{i in Worst, f in F}: sum{r in R} k[i,r,f] * M[r,f] <= b[i];
end;
