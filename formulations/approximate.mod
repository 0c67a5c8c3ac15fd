# Range-constrained mechanism of least expected loss under (epsilon, delta)-differential privacy.
# Source:   Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, of the matrices of Croft, Sack, Shi 2020, (8)-(9).
# Symbols:  M[r,f] = Pr[response r | truth f];  l loss;  p weight of a truth;  E = e^epsilon;
#           A ordered pairs of adjacent truths;  h[r,f,g] = by how much M[r,f] exceeds E M[r,g], or more.
# Differs from the paper in: Pr[S|f] <= E Pr[S|g] + delta is asked of every set S of responses, which are
#           2^R rows; the worst set is {r: M[r,f] > E M[r,g]}, and its excess is the least sum of the h.
#           h <= 1 is stated, it cuts off no optimum.

param E >= 1; param delta >= 0, <= 1;
set R; set F; set A within F cross F;
param p{F} >= 0; param l{R, F} >= 0;

var M{R, F} >= 0, <= 1;
var h{R, A} >= 0, <= 1;

minimize expected_loss: sum{r in R, f in F} p[f] * l[r,f] * M[r,f];
s.t. total{f in F}: sum{r in R} M[r,f] = 1;
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E * M[r,g] - h[r,f,g] <= 0;
s.t. budget{(f,g) in A}: sum{r in R} h[r,f,g] <= delta;
end;
