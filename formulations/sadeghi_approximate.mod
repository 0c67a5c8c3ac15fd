# Zero-bias noise on a count, its law depending on the count, of least delta over all sets of outcomes.
# Source:   Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, of the noise of Sadeghi, Asoodeh,
#           du Pin Calmon 2020, Proposition 2.
# Symbols:  n count;  y = n + z outcome;  p[i1,i2,z] two-sided atom (2);  alpha[i1,i2,n] its weight;
#           D half-width of the noise;  A[n] its reach to the left;  eta = Pr[y = n];  E = e^epsilon;
#           h[y,n,m] = by how much outcome y of count n exceeds E times that of count m, or more.
# Differs from the paper in: (10) and (11) bound one outcome at a time; here their excesses are summed for each
#           pair of neighbours, which is the privacy that (7) and (8) of all sets of outcomes define. Counts run
#           from `first`, and outcomes that p(.|n) cannot reach have no rows, as in sadeghi.mod.

param N integer >= 1; param first integer >= 1, <= N, default 1;
param D integer >= 1; param eta > 0, < 1; param E >= 1;

set Counts := first..N;
set Neighbours := setof{n in Counts, m in {n-1, n+1}: m in Counts} (n,m);
param A{n in Counts} := min(n, D);                                          # P1
set Outcomes := setof{(n,m) in Neighbours, y in n-A[n]..n+D} (y,n,m);

param p{i1 in -D..-1, i2 in 1..D, z in -D-1..D+1} :=                        # (2), P2 and P3
     if z = i1 then (1 - eta) * i2 / (i2 + abs(i1))
     else if z = 0 then eta
     else if z = i2 then (1 - eta) * abs(i1) / (i2 + abs(i1))
     else 0;

var alpha{i1 in -D..-1, i2 in 1..D, n in Counts: i1 >= -A[n]} >= 0, <= 1;   # (12)
var h{Outcomes} >= 0, <= 1;
var delta >= 0, <= 1;

minimize least_delta: delta;                                                # (9)
s.t. total{n in Counts}: sum{i1 in -A[n]..-1, i2 in 1..D} alpha[i1,i2,n] = 1;        # (13)
s.t. privacy{(y,n,m) in Outcomes}:
     sum{i1 in -A[n]..-1, i2 in 1..D} p[i1,i2,y-n] * alpha[i1,i2,n]
     - E * sum{i1 in -A[m]..-1, i2 in 1..D} p[i1,i2,y-m] * alpha[i1,i2,m]
     - h[y,n,m] <= 0;
s.t. budget{(n,m) in Neighbours}: sum{y in n-A[n]..n+D} h[y,n,m] - delta <= 0;
end;
