# Range-constrained mechanism of least expected loss, honest or unbiased, within limits and further bounds.
# Source:   Cormode, Kulkarni, Srivastava 2018, section 3 (CH, RH, WH); Sadeghi, Asoodeh, du Pin Calmon 2020,
#           P1 to P3; of the matrices of Croft, Sack, Shi 2020, section 3.2.
# Symbols:  M[r,f] = Pr[response r | truth f];  l loss;  p weight of a truth;  A ordered pairs of adjacent
#           truths;  E = e^epsilon;  home[f] the response that holds truth f;  value[f] truth, mid[r] response,
#           as numbers;  CH, RH, WH, UB = 1 where asked for;  eta, eta_most least and largest probability
#           of the truth;  reach largest error;  Never responses that are not released;  Mean, Worst bounds on
#           averaged losses and on losses at every truth;  k[i,r,f] loss of bound i, b[i] the most it may be.
# Differs from the paper in: Cormode et al. count from 0 to n with responses 0 to n; here any response may hold a
#           truth. Entries that may be anything from 0 to 1 have no row `limit`; where limits contradict each
#           other the second row says so, and no mechanism has both.

param E > 1;
set R; set F; set A within F cross F; set Never within R; set Mean; set Worst;
param p{F} >= 0; param l{R, F} >= 0; param home{F} in R; param value{F}; param mid{R};
param CH binary; param RH binary; param WH binary; param UB binary;
param eta >= 0; param eta_most >= eta; param reach >= 0;
param k{Mean union Worst, R, F} >= 0; param b{Mean union Worst} >= 0;
param least{r in R, f in F} := if r = home[f] then max(eta, WH / card(R));
param most{r in R, f in F} :=
     if r in Never or abs(mid[r] - value[f]) > reach then 0 else if r = home[f] then eta_most else 1;

var M{R, F} >= 0, <= 1;                                                     # Croft (8)

minimize expected_loss: sum{r in R, f in F} p[f] * l[r,f] * M[r,f];
s.t. total{f in F}: sum{r in R} M[r,f] = 1;                                 # Croft (9)
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E * M[r,g] <= 0;                 # Croft (4)
s.t. column_honest{r in R, f in F: CH and r != home[f]}: M[r,f] - M[home[f],f] <= 0;
s.t. row_honest{f in F, g in F: RH and home[f] != home[g]}: M[home[g],f] - M[home[g],g] <= 0;
s.t. unbiased{f in F: UB}: sum{r in R} (mid[r] - value[f]) * M[r,f] = 0;  # P3
s.t. limit{r in R, f in F: least[r,f] > 0 or most[r,f] < 1}:
     least[r,f] <= M[r,f] <= max(least[r,f], most[r,f]);                    # WH, P1, P2
s.t. limit_most{r in R, f in F: least[r,f] > most[r,f]}: 0 <= M[r,f] <= most[r,f];
s.t. bound{i in Mean}: sum{r in R, f in F} p[f] * k[i,r,f] * M[r,f] <= b[i];
s.t. bound_case{i in Worst, f in F}: sum{r in R} k[i,r,f] * M[r,f] <= b[i];
end;
