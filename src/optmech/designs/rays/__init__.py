"""Mechanisms from the rays of the cone of private rows: private by construction, with a bound at every step.

Law: rows x >= 0 with ``x[f] <= E x[g]`` between neighbours, ``E = e^epsilon``, form a cone. On one of its
extreme rays the rules that hold with equality connect all truths, so that the entries are powers of E: a ray
is ``E ** levels`` with whole levels that differ by at most one between neighbours. Every private matrix has
non-negative mixtures of rays for rows, and every such mixture is private.

Master
------
    min   sum_j cost_j w_j                            cost_j = least over r of sum_f c[r,f] x_j[f]
    s.t.  sum_j x_j[f] w_j = 1      total             for each truth f
          w_j >= 0                                    for each ray j found so far

Pricing: with prices u of the truths, the least of ``sum_f (c[r,f] - u[f]) x[f]`` over all rays x, for each
response r. Where none is negative, no ray is missing, and no mechanism costs less than ``sum u``.

Fairness and column monotony, which couple rows, are further rows of the master (`coupling`); symmetry makes a
question its own mirror image (`private_rows`).

Source: Croft, Sack, Shi 2020, section 3.4, for the program; extreme rays after Gilmore and Gomory 1961,
column generation.
"""
