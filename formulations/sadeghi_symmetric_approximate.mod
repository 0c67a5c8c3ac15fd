# Symmetric noise on a count, one law for all counts n >= D, of least delta over all sets of outcomes.
# Source:   Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, of the noise of Sadeghi, Asoodeh,
#           du Pin Calmon 2020, Proposition 3.
# Symbols:  n, m = D, D+1 the first two columns of (16);  y outcome;  alpha[i] share of noise +-i;
#           D half-width of the noise;  eta = Pr[y = n];  eta_bar = 1 - eta;  E = e^epsilon;
#           h[y,n,m] = by how much outcome y of count n exceeds E times that of count m, or more.
# Differs from the paper in: Proposition 4 bounds one outcome at a time; here the excesses of all outcomes are
#           summed. Shifts and mirror images of these rows are the other columns and the other direction.

param D integer >= 1; param eta > 0, < 1; param E >= 1;
param eta_bar := 1 - eta;

var alpha{1..D} >= 0, <= 1;
var h{0..2*D, {(D,D+1)}} >= 0, <= 1;
var delta >= 0, <= 1;

minimize least_delta: delta;
s.t. total: sum{i in 1..D} alpha[i] = 1;                                    # Proposition 3
s.t. privacy{y in 0..2*D, (n,m) in {(D,D+1)}}:                              # (15)
     (if y = n then eta else eta_bar/2 * alpha[abs(y-n)])
     - E * (if y = m then eta else if abs(y-m) <= D then eta_bar/2 * alpha[abs(y-m)])
     - h[y,n,m] <= 0;
s.t. budget{(n,m) in {(D,D+1)}}: sum{y in 0..2*D} h[y,n,m] - delta <= 0;
end;
