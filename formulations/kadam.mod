# Modular noise of least expected cost under probabilistic (epsilon, delta)-privacy.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, Definition 2 and MILP (13).
# Symbols:  f[eta] = Pr[noise eta] modulo n+1;  rho cost;  Mu distances between neighbours;  E = e^epsilon;
#           u[mu,eta] = 1 where outcome eta may leak at distance mu;  y[mu,eta] its mass there.
# Differs from the paper in: u, y and the budget belong to one distance mu, as Definition 2 says; the printed
#           (13), in kadam_printed.mod, has one u and y for all. The rows state {u = 0, y = 0, f <= E f'} or
#           {u = 1, y >= f} in tight form, f' = f[eta+mu]; (13e) and (13g) bound u and y from the other
#           side only, so no optimum needs them.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param delta >= 0; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (13h)
var y{Mu, 0..n} >= 0, <= 1;                                                 # (13h)
var u{Mu, 0..n} binary;                                                     # (13h)

minimize expected_cost: sum{eta in 0..n} rho[eta] * f[eta];                 # (13a)
s.t. total: sum{eta in 0..n} f[eta] = 1;                                    # (13b)
s.t. ratio{mu in Mu, eta in 0..n}:
     f[eta] - y[mu,eta] - E * f[(eta + mu) mod (n+1)] <= 0;                 # (13f)
s.t. remainder{mu in Mu, eta in 0..n}: f[eta] - y[mu,eta] + u[mu,eta] <= 1; # (13d)
s.t. violation{mu in Mu, eta in 0..n}:
     y[mu,eta] - min(1, delta) * u[mu,eta] <= 0;                            # (13c), second
s.t. budget{mu in Mu}: sum{eta in 0..n} y[mu,eta] <= delta;                 # (13c), first
end;
