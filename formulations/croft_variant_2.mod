# Range-constrained mechanism of least expected loss, monotone, symmetric and fair.
# Source:   Croft, Sack, Shi 2020, section 3.4, LP Mechanism Variant 2.
# Symbols:  M[r,f] = Pr[response r | truth f];  l loss;  p weight of a truth;
#           A ordered pairs of adjacent truths;  E = e^epsilon;  home[f] = i_j, the response that holds
#           truth f;  value[f] = F_j;  lower[r], upper[r] = r^l, r^u, the ends of a response.
# Differs from the paper in: as Variant 1; (14) is stated once for each mirrored pair and not for the
#           centre; (15) is stated for consecutive truths, which implies it for all pairs; in (12) a
#           truth on the common end of two responses belongs to the upper one, as (5) makes it.

param E >= 1;
set R; set F; set A within F cross F;
param p{F} >= 0; param l{R, F} >= 0;
param home{F} in R; param value{F}; param lower{R}; param upper{r in R} >= lower[r];

var M{R, F} >= 0, <= 1;                                                     # (8)

minimize expected_loss: sum{r in R, f in F} p[f] * l[r,f] * M[r,f];
s.t. total{f in F}: sum{r in R} M[r,f] = 1;                                 # (9)
s.t. privacy{r in R, (f,g) in A}: M[r,f] - E * M[r,g] <= 0;                 # (4)
s.t. column_rising{r in R, f in F: r < home[f]}:
     M[r,f] - M[r+1,f] <= 0;                                                # (10)
s.t. column_falling{r in R, f in F: r >= home[f] and r+1 in R}:
     M[r+1,f] - M[r,f] <= 0;                                                # (11)
s.t. row_rising{r in R, f in F: f+1 in F and value[f+1] <= upper[r] and home[f+1] <= r}:
     M[r,f] - M[r,f+1] <= 0;                                                # (12)
s.t. row_falling{r in R, f in F: f+1 in F and value[f] >= lower[r]}:
     M[r,f+1] - M[r,f] <= 0;                                                # (13)
s.t. symmetric{r in R, f in F: 2 * (r * card(F) + f) < card(R) * card(F) - 1}:
     M[r,f] - M[card(R)-1-r, card(F)-1-f] = 0;                              # (14)
s.t. fair{f in F: f+1 in F}: M[home[f],f] - M[home[f+1],f+1] = 0;           # (15)
end;
