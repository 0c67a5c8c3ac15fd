# Modular noise of least delta of (epsilon, delta)-differential privacy, its expected cost bounded.
# Source:   Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, in the place of privacy in Kadam et al. 2024, (15).
# Symbols:  as modular_approximate.mod;  at_most = rho-bar, the bound on the expected cost.
# Differs from the paper in: as modular_approximate.mod; the bound has the number 0, as the first of a list.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param at_most >= 0; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (15)
var h{Mu, 0..n} >= 0, <= 1;
var delta >= 0, <= 1;

minimize least_delta: delta;                                                # (15a)
s.t. total: sum{eta in 0..n} f[eta] = 1;
s.t. ratio{mu in Mu, eta in 0..n}: f[eta] - E * f[(eta + mu) mod (n+1)] - h[mu,eta] <= 0;
s.t. budget{mu in Mu}: sum{eta in 0..n} h[mu,eta] - delta <= 0;
s.t. bound{i in 0..0}: sum{eta in 0..n} rho[eta] * f[eta] <= at_most;       # (15b)
end;
