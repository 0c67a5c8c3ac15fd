# Modular noise of least expected cost under pure epsilon-privacy.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, LP (14).
# Symbols:  f[eta] = Pr[noise eta] modulo n+1;  rho cost;  Mu distances between neighbours;  E = e^epsilon.
# Differs from the paper in: nothing.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (14d)

minimize expected_cost: sum{eta in 0..n} rho[eta] * f[eta];                 # (14a)
s.t. total: sum{eta in 0..n} f[eta] = 1;                                    # (14b)
s.t. ratio{mu in Mu, eta in 0..n}: f[eta] - E * f[(eta + mu) mod (n+1)] <= 0;        # (14c)
end;
