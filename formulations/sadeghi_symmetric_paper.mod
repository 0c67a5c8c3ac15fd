# Symmetric noise on a count, of least delta in the rows that the paper prints.
# Source:   Sadeghi, Asoodeh, du Pin Calmon 2020, Propositions 3 and 4; Theorem 3 solves it.
# Symbols:  n, m = D, D+1 the first two columns of (16);  y outcome;  alpha[i] share of noise +-i;
#           D half-width of the noise;  eta = Pr[y = n];  eta_bar = 1 - eta;  E = e^epsilon.
# Differs from the paper in: nothing but the stated alpha <= 1 and 0 <= delta <= 1, which cut off no
#           optimum. Rows y > D are missing, so for small eta delta is too small: sadeghi_symmetric.mod.

param D integer >= 1; param eta > 0, < 1; param E >= 1;
param eta_bar := 1 - eta;

var alpha{1..D} >= 0, <= 1;
var delta >= 0, <= 1;

minimize least_delta: delta;
s.t. total: sum{i in 1..D} alpha[i] = 1;                                    # Proposition 3
s.t. privacy{y in 0..D, (n,m) in {(D,D+1)}}:       # y = 0 (17);  y = 1..D-1 (18), i = D-y;  y = D (19)
     (if y < D then eta_bar/2 * alpha[D-y] else eta)
     - E * (if y > 0 then eta_bar/2 * alpha[D-y+1])
     - delta <= 0;
end;
