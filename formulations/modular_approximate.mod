# Modular noise of least expected cost under (epsilon, delta)-differential privacy.
# Source:   Dwork, Kenthapadi, McSherry, Mironov, Naor 2006, of the noise of Kadam et al. 2024, (4)-(8).
# Symbols:  f[eta] = Pr[noise eta] modulo n+1;  rho cost;  Mu distances between neighbours;  E = e^epsilon;
#           h[mu,eta] = by how much outcome eta exceeds E times its neighbour's at distance mu, or more.
# Differs from the paper in: Kadam's Definition 2 counts the whole mass of an outcome that leaks, here only its
#           excess counts, so nothing is a choice of outcomes and no variable is binary.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param delta >= 0, <= 1; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (13h)
var h{Mu, 0..n} >= 0, <= 1;

minimize expected_cost: sum{eta in 0..n} rho[eta] * f[eta];                 # (13a)
s.t. total: sum{eta in 0..n} f[eta] = 1;                                    # (13b)
s.t. ratio{mu in Mu, eta in 0..n}: f[eta] - E * f[(eta + mu) mod (n+1)] - h[mu,eta] <= 0;
s.t. budget{mu in Mu}: sum{eta in 0..n} h[mu,eta] <= delta;
end;
