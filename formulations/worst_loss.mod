# Range-constrained mechanism whose expected loss at the worst truth is least.
# Source:   the matrices and the privacy of Croft, Sack, Shi 2020, section 3.2; the objective is von Neumann's.
# Symbols:  M[r,f] = Pr[response r | truth f];  l loss;  A ordered pairs of adjacent truths;  E = e^epsilon;
#           worst = the largest expected loss of a truth.
# Differs from the paper in: the paper averages the loss over a prior; this is the prior that fares worst, the
#           duals of worst_case. `worst` has no upper bound: a loss has none.

param E > 1;
set R; set F; set A within F cross F;
param l{R, F} >= 0;

var M{R, F} >= 0, <= 1;                                                     # (8)
var worst >= 0;

minimize worst_loss: worst;
s.t. total{f in F}: sum{r in R} M[r,f] = 1;                                 # (9)
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E * M[r,g] <= 0;                 # (4)
s.t. worst_case{f in F}: sum{r in R} l[r,f] * M[r,f] - worst <= 0;
end;
