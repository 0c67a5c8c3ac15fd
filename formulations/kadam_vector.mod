# Noise of least expected cost on pairs of answers under probabilistic (epsilon, delta)-privacy.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, Definition 2 and MILP (13) for vectors,
#           section "Optimal noise mechanism for vector queries".
# Symbols:  f[eta1,eta2] = Pr[noise (eta1,eta2)] modulo n[1]+1 and n[2]+1;  rho cost;  E = e^epsilon;
#           Mu distances between neighbours, as pairs;  u[mu1,mu2,eta1,eta2] = 1 where that outcome may leak at
#           that distance;  y its mass there.
# Differs from the paper in: the two coordinates may have different sizes; u, y and the budget belong to one
#           distance, as in kadam.mod.

param n{1..2} integer >= 1;
set Mu within {0..n[1], 0..n[2]};
param E >= 1; param delta >= 0; param rho{0..n[1], 0..n[2]} >= 0;

var f{0..n[1], 0..n[2]} >= 0, <= 1;                                         # (13h)
var y{Mu, 0..n[1], 0..n[2]} >= 0, <= 1;                                     # (13h)
var u{Mu, 0..n[1], 0..n[2]} binary;                                         # (13h)

minimize expected_cost: sum{eta1 in 0..n[1], eta2 in 0..n[2]} rho[eta1,eta2] * f[eta1,eta2];  # (13a)
s.t. total: sum{eta1 in 0..n[1], eta2 in 0..n[2]} f[eta1,eta2] = 1;         # (13b)
s.t. ratio{(mu1,mu2) in Mu, eta1 in 0..n[1], eta2 in 0..n[2]}:              # (13f)
     f[eta1,eta2] - y[mu1,mu2,eta1,eta2]
     - E * f[(eta1 + mu1) mod (n[1]+1), (eta2 + mu2) mod (n[2]+1)] <= 0;
s.t. remainder{(mu1,mu2) in Mu, eta1 in 0..n[1], eta2 in 0..n[2]}:          # (13d)
     f[eta1,eta2] - y[mu1,mu2,eta1,eta2] + u[mu1,mu2,eta1,eta2] <= 1;
s.t. violation{(mu1,mu2) in Mu, eta1 in 0..n[1], eta2 in 0..n[2]}:
     y[mu1,mu2,eta1,eta2] - min(1, delta) * u[mu1,mu2,eta1,eta2] <= 0;      # (13c), second
s.t. budget{(mu1,mu2) in Mu}:                                               # (13c), first
     sum{eta1 in 0..n[1], eta2 in 0..n[2]} y[mu1,mu2,eta1,eta2] <= delta;
end;
