# Noise of least expected cost on pairs of answers, each modulo its own size, under pure epsilon-privacy.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, LP (14) for vectors, section "Optimal noise
#           mechanism for vector queries".
# Symbols:  f[eta1,eta2] = Pr[noise (eta1,eta2)] modulo n[1]+1 and n[2]+1;  rho cost;  E = e^epsilon;
#           Mu distances between neighbours, as pairs.
# Differs from the paper in: the two coordinates may have different sizes.

param n{1..2} integer >= 1;
set Mu within {0..n[1], 0..n[2]};
param E >= 1; param rho{0..n[1], 0..n[2]} >= 0;

var f{0..n[1], 0..n[2]} >= 0, <= 1;                                         # (14d)

minimize expected_cost: sum{eta1 in 0..n[1], eta2 in 0..n[2]} rho[eta1,eta2] * f[eta1,eta2];  # (14a)
s.t. total: sum{eta1 in 0..n[1], eta2 in 0..n[2]} f[eta1,eta2] = 1;         # (14b)
s.t. ratio{(mu1,mu2) in Mu, eta1 in 0..n[1], eta2 in 0..n[2]}:              # (14c)
     f[eta1,eta2] - E * f[(eta1 + mu1) mod (n[1]+1), (eta2 + mu2) mod (n[2]+1)] <= 0;
end;
