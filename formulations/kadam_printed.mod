# Modular noise of least expected cost under probabilistic (epsilon, delta)-privacy, as printed.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, MILP (13).
# Symbols:  f[eta] = Pr[noise eta] modulo n+1;  rho cost;  Mu distances between neighbours;  E = e^epsilon;
#           u[eta] = 1 where outcome eta leaks;  y[eta] = u[eta] f[eta] its mass.
# Differs from the paper in: nothing; it has the 3(n+1) variables that the paper counts. With several
#           distances it asks more than Definition 2: one u for all, by (13g) a leak at each or at none.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param delta >= 0; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (13h)
var y{0..n} >= 0, <= 1;                                                     # (13h)
var u{0..n} binary;                                                         # (13h)

minimize expected_cost: sum{eta in 0..n} rho[eta] * f[eta];                 # (13a)
s.t. total: sum{eta in 0..n} f[eta] = 1;                                    # (13b)
s.t. budget: sum{eta in 0..n} y[eta] <= delta;                              # (13c), first
s.t. below{eta in 0..n}: y[eta] - u[eta] <= 0;                              # (13c), second
s.t. keep{eta in 0..n}: u[eta] + f[eta] - y[eta] <= 1;                      # (13d)
s.t. cap{eta in 0..n}: u[eta] - f[eta] + y[eta] <= 1;                       # (13e)
s.t. ratio{mu in Mu, eta in 0..n}:
     f[eta] - E * f[(eta + mu) mod (n+1)] - u[eta] <= 0;                    # (13f)
s.t. converse{mu in Mu, eta in 0..n}:
     E * f[(eta + mu) mod (n+1)] - f[eta] + E * u[eta] <= E;                # (13g)
end;
