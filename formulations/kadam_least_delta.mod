# Modular noise of least delta whose expected cost stays within a bound.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, Definition 2 and MILP (15).
# Symbols:  f[eta] = Pr[noise eta] modulo n+1;  rho cost, at_most its bound (the paper: rho with a bar);
#           Mu distances between neighbours;  E = e^epsilon;
#           u[mu,eta] = 1 where outcome eta may leak at distance mu;  y[mu,eta] its mass there.
# Differs from the paper in: as kadam.mod, but y <= u, delta being a variable; 0 <= delta <= 1 is stated.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param at_most >= 0; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (13h)
var y{Mu, 0..n} >= 0, <= 1;                                                 # (13h)
var u{Mu, 0..n} binary;                                                     # (13h)
var delta >= 0, <= 1;

minimize least_delta: delta;                                                # (15a)
s.t. cost: sum{eta in 0..n} rho[eta] * f[eta] <= at_most;                   # (15b)
s.t. total: sum{eta in 0..n} f[eta] = 1;                                    # (13b)
s.t. ratio{mu in Mu, eta in 0..n}:
     f[eta] - y[mu,eta] - E * f[(eta + mu) mod (n+1)] <= 0;                 # (13f)
s.t. remainder{mu in Mu, eta in 0..n}: f[eta] - y[mu,eta] + u[mu,eta] <= 1; # (13d)
s.t. violation{mu in Mu, eta in 0..n}: y[mu,eta] - u[mu,eta] <= 0;          # (13c), second
s.t. budget{mu in Mu}: sum{eta in 0..n} y[mu,eta] - delta <= 0;             # (13c), first
end;
