"""``optmech compose``: what several uses of certified mechanisms spend together."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from optmech.analysis.composition import Composition, PrivacyCurve, Queries, compose, privacy_curve
from optmech.analysis.composition.curve import checked_epsilon, rounded_down, rounded_up
from optmech.analysis.composition.theorems import basic_composition
from optmech.base.notes import TextLine
from optmech.base.numbers import as_text, exact_delta
from optmech.cli.compose_joint import compose_tables, has_table
from optmech.cli.output import answer, check_out, warn
from optmech.cli.parsers import Arguments, Command, either, option, out
from optmech.cli.progress import waiting
from optmech.mechanisms.certificates.certificate_file import read_certificate
from optmech.question.caution import caution_at
from optmech.question.protection import gaps_of

if TYPE_CHECKING:
    from fractions import Fraction

    from optmech.base.logarithm import Logarithm
    from optmech.proofs.certificate import Certificate

_POINTS = 100
_SIX_DIGITS = 6


def _run(arguments: Arguments) -> int:
    epsilon = None if arguments.epsilon is None else checked_epsilon(arguments.epsilon)
    delta = None if arguments.delta is None else exact_delta(arguments.delta)
    check_out(arguments.out, ".csv", reads=arguments.certificates)
    if has_table(arguments.certificates):
        return compose_tables(arguments, epsilon, delta)
    with waiting(f"composing {arguments.uses} uses"):
        certificates = [read_certificate(path) for path in arguments.certificates]
        composition = compose(certificates, arguments.uses, queries=arguments.queries)
        numbers = _numbers(composition, epsilon, delta)
        at = epsilon if epsilon is not None else numbers["epsilon"]
        caution = caution_at(at, delta if delta is not None else numbers["delta"])
        content = {
            "caution": caution,
            "certificates": arguments.certificates,
            "uses": composition.uses,
            "queries": str(composition.queries),
            "provenance": composition.provenance,
            "exact": composition.is_exact,
            **numbers,
            "simple_composition": _simple(certificates, arguments.uses, epsilon, delta),
            "out": arguments.out,
        }
    if arguments.out is not None:
        composition.to_csv(arguments.out, _grid(composition.curve))
    lines = _lines(certificates, composition, content)
    answer(arguments, lambda: content, lambda: lines, arguments.out, caution=caution)
    from optmech.release.plugs.promise import flaw_of  # noqa: PLC0415 - as `export` says it

    for certificate, path in zip(certificates, arguments.certificates, strict=True):
        flaw = flaw_of(certificate)
        if flaw is not None:
            warn(f"{path} is not differential privacy: {flaw}")
        for gap in gaps_of(certificate.problem.query):
            warn(f"{path}: {gap}")
    return 0


def _numbers(
    composition: Composition, epsilon: Fraction | Logarithm | None, delta: Fraction | None
) -> dict[str, Any]:
    """Return epsilon and delta, the sought one rounded up, and what of it is attained, rounded down."""
    if epsilon is not None:
        ((_, low, high),) = composition.rows([epsilon])
        return {"epsilon": as_text(epsilon), "delta": high, "attained": low}
    assert delta is not None  # noqa: S101 - one of the two is given
    least = rounded_down(composition.attained.exact_epsilon(delta))
    return {"epsilon": composition.epsilon(delta), "delta": as_text(delta), "attained": least}


def _simple(
    certificates: list[Certificate], uses: int, epsilon: Fraction | Logarithm | None, delta: Fraction | None
) -> float:
    """Return the sums of epsilons and of deltas, with the given delta shared out equally."""
    number = uses * len(certificates)
    curves = [privacy_curve(certificate) for certificate in certificates]
    if epsilon is not None:
        share = epsilon / number  # exact where epsilon is rational, and may be too large for a double
        each = [(0, rounded_up(curve.delta(share))) for curve in curves]
        return basic_composition(each * uses).delta if all(one < 1 for _, one in each) else 1.0
    assert delta is not None  # noqa: S101 - one of the two is given
    epsilons = [curve.epsilon(delta / number) for curve in curves]
    if math.inf in epsilons:
        return math.inf
    return basic_composition([(one, 0) for one in epsilons] * uses).epsilon


def _lines(certificates: list[Certificate], composition: Composition, content: dict[str, Any]) -> list[str]:
    kind = f"{composition.queries} queries"
    lines: list[str] = [f"uses               {composition.uses}, {kind}"]
    free, fixed = ("epsilon", "delta") if isinstance(content["delta"], str) else ("delta", "epsilon")
    spent = f"{free:19}{content[free]!r}   at {fixed} = {content[fixed]}   "
    lines.append(TextLine(spent, composition.provenance))
    whose = _whose(composition)
    if composition.is_exact:
        lines.append(f"{'':19}exact, rounded up: {whose} spend it")
    else:
        least = f"{'':19}{whose} spend {content['attained']!r} at least   "
        lines.append(TextLine(least, composition.provenance))
    if content[free] == math.inf:
        mass = rounded_up(composition.curve.infinite)
        never = f"answers that a neighbour never gets have probability {mass!r}"
        lines.append(f"{'':19}{never}: delta cannot fall below it")
    lines.append(
        f"simple composition {content['simple_composition']!r}   recomputed: the sum, in equal shares"
    )
    return [*lines, "", *(str(certificate.problem) for certificate in certificates)]


def _whose(composition: Composition) -> str:
    """Return the words for those that spend what is attained: queries are chosen where none is given."""
    is_given = composition.queries is Queries.REPEATED or composition.uses == 1
    return "some data" if is_given else "some data and queries"


def _grid(curve: PrivacyCurve) -> list[str]:
    """Return epsilons from 0 to where delta ends to fall."""
    last = curve.last
    step = last / _POINTS
    decimals = max(0, _SIX_DIGITS - 1 - math.floor(math.log10(step))) if step > 0 else 0
    return [f"{number * step:.{decimals}f}" for number in range(_POINTS)] + [f"{last!r}"]


COMMAND = Command(
    name="compose",
    about="""\
Say what several uses of one or several certified mechanisms spend together, exactly or with proved bounds.
Queries may be repeated (the same one each time), fixed (any of the kind, chosen beforehand) or adaptive (each
chosen after the earlier answers were seen), which covers the others. Of whole tables rho of zCDP adds up, and
epsilon is its conversion.""",
    examples=(
        "optmech compose mechanism.certificate.json --uses 10 --epsilon 2",
        (
            "optmech compose first.certificate.json second.certificate.json --uses 5 --delta 1e-6 "
            "--out curve.csv"
        ),
    ),
    options=(
        option("certificates", "CERTIFICATE.json", "what `design --out` wrote", nargs="+"),
        option("--uses", "K", "how often each is used; default: 1", type=int, default=1),
        either(
            option("--epsilon", "EPS", "of all uses together: say which delta it takes"),
            option("--delta", "DELTA", "of all uses together: say which epsilon it takes"),
            required=True,
        ),
        option(
            "--queries", None, "default: adaptive", choices=tuple(Queries), default=Queries.ADAPTIVE.value
        ),
        out("FILE.csv", "write the curve there, whole or not at all"),
    ),
    run=_run,
)
