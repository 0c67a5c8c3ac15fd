# Symmetric noise on a count, one law for all counts n >= D, of least expected error at a given delta for
# single outcomes.
# Source:   Sadeghi, Asoodeh, du Pin Calmon 2020, Proposition 3 put into (7) and (8).
# Symbols:  n, m = D, D+1 the first two columns of (16);  y outcome;  alpha[i] share of noise +-i;
#           D half-width of the noise;  eta = Pr[y = n];  eta_bar = 1 - eta;  E = e^epsilon;
#           delta what an outcome may exceed by.
# Differs from the paper in: Proposition 4 seeks the least delta; here it is given, and the mean size of the
#           noise, sum_i i (1 - eta) alpha[i], is least.

param D integer >= 1; param eta > 0, < 1; param E >= 1; param delta >= 0, < 1;
param eta_bar := 1 - eta;

var alpha{1..D} >= 0, <= 1;

minimize expected_error: sum{i in 1..D} i * eta_bar * alpha[i];
s.t. total: sum{i in 1..D} alpha[i] = 1;                                    # Proposition 3
s.t. privacy{y in 0..2*D, (n,m) in {(D,D+1)}}:                              # (7) with (15)
     (if y = n then eta else eta_bar/2 * alpha[abs(y-n)])
     - E * (if y = m then eta else if abs(y-m) <= D then eta_bar/2 * alpha[abs(y-m)])
     <= delta;
end;
