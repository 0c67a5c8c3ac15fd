"""``optmech implicit``: the optimal mechanism of a count too large for a matrix, and its file."""

from __future__ import annotations

import re
import shlex
import time
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from optmech.base.errors import FileFormatError, ProblemError
from optmech.base.numbers import as_text
from optmech.base.whole_files import check_writable, read_text
from optmech.cli.output import say, say_next, say_written, tell, warn_unsaid
from optmech.cli.parsers import command_parser
from optmech.cli.progress import waiting
from optmech.cli.show import json_text
from optmech.designs.implicit import implicit_count
from optmech.designs.implicit.decimals import decimal_text
from optmech.designs.implicit.text import read_implicit_text, says_implicit, write_implicit
from optmech.question.epsilon import one_epsilon
from optmech.question.loss import LOSSES

if TYPE_CHECKING:
    import argparse

    from optmech.designs.implicit.mechanism import ImplicitMechanism

__all__ = ["add_implicit", "implicit_of", "run_implicit", "verify_implicit"]

_NUMBERS = re.compile(r"[\d.eE+\-\s/]*(,[\d.eE+\-\s/]*)+")
# Rounding keeps the objective above an optimum of zero; the gap is all of it then.
_DUST = Fraction(1, 10**30)

_ABOUT = """\
Find the optimal mechanism of a count 0..N for N too large for a matrix, from thousands to millions.
It is geometric noise, clamped, then a remap; a bound on every private mechanism is proved with it.
The file is read by `optmech verify` and `optmech apply`."""
_EXAMPLES = (
    "optmech implicit --largest 100000 --epsilon 1 --out count.json",
    "optmech verify count.json",
    "optmech apply count.json table.csv --column count --out released.csv",
)


def add_implicit(subcommands: Any) -> None:  # noqa: ANN401 - argparse has no public type for it
    """Add the command to the parser of the whole command line."""
    parser = command_parser(
        subcommands.add_parser,
        _ABOUT,
        _EXAMPLES,
        name="implicit",
        summary="the optimal mechanism of a count too large for a matrix",
    )
    parser.add_argument("--largest", type=int, required=True, metavar="N", help="required: the largest count")
    parser.add_argument(
        "--epsilon", metavar="EPS", help="privacy, kept exactly as typed: 0.5, 1e-2, 1/3 or 'ln 2'"
    )
    parser.add_argument("--exp-epsilon", metavar="E", help="e^epsilon, such as 2, in place of --epsilon")
    parser.add_argument(
        "--loss",
        default="absolute",
        metavar="LOSS",
        help=f"{', '.join(LOSSES)}, or losses at distance 0, 1, ... with commas; default: absolute",
    )
    parser.add_argument(
        "--prior",
        metavar="PRIOR",
        help="uniform, or a probability for each truth with commas, or a file with a line for each; "
        "default: plain sum over truths",
    )
    parser.add_argument(
        "--out", metavar="FILE.json", help="write mechanism and proof there, whole or not at all"
    )


def run_implicit(arguments: argparse.Namespace) -> int:
    """Find the mechanism, print its numbers and write its file."""
    epsilon = one_epsilon(arguments.epsilon, arguments.exp_epsilon)
    if arguments.out is not None:
        if not arguments.out.lower().endswith(".json"):
            message = f"`--out` must end in .json, by which verify and apply know it; got {arguments.out}."
            raise ProblemError(message)
        check_writable(arguments.out)
    loss = arguments.loss if arguments.loss[:1].isalpha() else arguments.loss.split(",")
    start = time.perf_counter()
    prior = _prior(arguments.prior)
    with waiting(f"designing count 0..{arguments.largest}"):
        mechanism = implicit_count(arguments.largest, epsilon, loss, prior)
    seconds = time.perf_counter() - start
    warn_unsaid(mechanism.caution, json=arguments.json)
    if arguments.out is not None:
        write_implicit(mechanism, arguments.out)
    if arguments.json:
        tell(json_text({**_content(mechanism), "seconds": seconds, "out": arguments.out}))
        return 0
    say("\n".join([*_lines(mechanism), f"made in            {seconds:.2f} s, without a solver"]))
    if arguments.out is None:
        tell("--out writes mechanism and proof down")
        return 0
    say_written(arguments.out)
    path = shlex.quote(arguments.out)
    say_next([f"optmech verify {path}", f"optmech apply {path} TABLE.csv --column NAME --out released.csv"])
    return 0


def implicit_of(path: str) -> ImplicitMechanism | None:
    """Return the implicit mechanism of a file, proved again, or ``None`` if it holds something else."""
    text = read_text(path)
    return read_implicit_text(text, path) if says_implicit(text) else None


def verify_implicit(mechanism: ImplicitMechanism, arguments: argparse.Namespace) -> int:
    """Print what was proved again."""
    if arguments.matrix is not None:
        message = "`MECHANISM.csv` must be left out: an implicit mechanism has no matrix beside it."
        raise ProblemError(message)
    warn_unsaid(mechanism.caution, json=arguments.json)
    if arguments.json:
        tell(json_text({"verified": True, **_content(mechanism)}))
    else:
        say("\n".join([*_lines(mechanism), "", "all of it proved again"]))
    return 0


def _prior(typed: str | None) -> str | list[str] | None:
    if typed is None or typed == "uniform":
        return typed
    if _NUMBERS.fullmatch(typed):
        return [part.strip() for part in typed.split(",")]
    try:
        return read_text(typed).split()
    except FileFormatError:
        message = (
            "`prior` must be uniform, a probability for each truth with commas, or a file that can be read, "
            f"with a line for each truth; got {typed[:60]!r}."
        )
        raise ProblemError(message) from None


def _lines(mechanism: ImplicitMechanism) -> list[str]:
    question = mechanism.question
    protected = question.protected
    unused = question.largest + 1 - len(set(mechanism.remap.tolist()))
    total = "sum over truths of expected losses" if question.prior == "sum" else "expected loss"
    gap = mechanism.objective - mechanism.bound
    dust = mechanism.objective < _DUST * question.largest_cost
    told = f"gap {decimal_text(gap)} in units of the loss" if dust else f"gap {mechanism.relative_gap:.1e}"
    return [
        *([mechanism.caution] if mechanism.caution else []),
        str(mechanism),
        "",
        f"objective          {decimal_text(mechanism.objective)}   proved: {total}",
        f"lower bound        {decimal_text(mechanism.bound)}   proved by prices, {told}",
        f"private            epsilon = {as_text(question.epsilon)}   proved",
        f"protected          {protected['title']}: {protected['neighbours']}",
        f"responses          {mechanism.remap[0]}..{mechanism.remap[-1]}, {unused} counts are never released",
    ]


def _content(mechanism: ImplicitMechanism) -> dict[str, Any]:
    question = mechanism.question
    return {
        "caution": mechanism.caution,
        "problem": str(question),
        "largest": question.largest,
        "epsilon": as_text(question.epsilon),
        "objective": str(mechanism.objective),
        "bound": str(mechanism.bound),
        "gap": str(mechanism.objective - mechanism.bound),
        "relative_gap": mechanism.relative_gap,
        "protected": question.protected,
    }
