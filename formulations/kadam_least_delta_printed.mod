# Modular noise of least delta whose expected cost stays within a bound, as printed.
# Source:   Kadam, Scaglione, Ravi, Peisert, Lunghino, Shumavon 2024, MILP (15).
# Symbols:  f[eta] = Pr[noise eta] modulo n+1;  rho cost, at_most its bound (the paper: rho with a bar);
#           Mu distances between neighbours;  E = e^epsilon;
#           u[eta] = 1 where outcome eta leaks;  y[eta] = u[eta] f[eta] its mass.
# Differs from the paper in: nothing but the stated 0 <= delta <= 1. It asks more than Definition 2, as
#           kadam_printed.mod does.

param n integer >= 1;
set Mu within 1..n;
param E >= 1; param at_most >= 0; param rho{0..n} >= 0;

var f{0..n} >= 0, <= 1;                                                     # (13h)
var y{0..n} >= 0, <= 1;                                                     # (13h)
var u{0..n} binary;                                                         # (13h)
var delta >= 0, <= 1;

minimize least_delta: delta;                                                # (15a)
s.t. cost: sum{eta in 0..n} rho[eta] * f[eta] <= at_most;                   # (15b)
s.t. total: sum{eta in 0..n} f[eta] = 1;                                    # (13b)
s.t. budget: sum{eta in 0..n} y[eta] - delta <= 0;                          # (13c), first
s.t. below{eta in 0..n}: y[eta] - u[eta] <= 0;                              # (13c), second
s.t. keep{eta in 0..n}: u[eta] + f[eta] - y[eta] <= 1;                      # (13d)
s.t. cap{eta in 0..n}: u[eta] - f[eta] + y[eta] <= 1;                       # (13e)
s.t. ratio{mu in Mu, eta in 0..n}:
     f[eta] - E * f[(eta + mu) mod (n+1)] - u[eta] <= 0;                    # (13f)
s.t. converse{mu in Mu, eta in 0..n}:
     E * f[(eta + mu) mod (n+1)] - f[eta] + E * u[eta] <= E;                # (13g)
end;
