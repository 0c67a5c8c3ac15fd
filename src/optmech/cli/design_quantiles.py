"""``optmech design quantiles``: quantiles of people's records, and what is printed of them."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from optmech.base.numbers import as_text
from optmech.base.whole_files import write_whole
from optmech.cli.output import answer, check_out
from optmech.cli.parsers import Arguments, Command, group, option, out
from optmech.designs.design import design
from optmech.mechanisms.certificates.quantile_text import quantiles_text
from optmech.question.quantiles.quantile_problem import MOST_QUANTILES, Neighbours
from optmech.question.quantiles.quantiles import PARTS, quantiles
from optmech.release.quantiles.quantile_words import TIME, method_sentence, rank_sentences

if TYPE_CHECKING:
    from optmech.mechanisms.quantiles.quantile_certificate import QuantileCertificate


def _run(arguments: Arguments) -> int:
    check_out(arguments.out, ".json")
    certificate = design(
        quantiles(
            arguments.range,
            of=arguments.of,
            step=arguments.step,
            epsilon=arguments.epsilon,
            zcdp=arguments.zcdp,
            at_most=arguments.at_most,
            adjacency=arguments.adjacency,
        )
    )
    if arguments.out is not None:
        write_whole(arguments.out, quantiles_text(certificate))
    files = [] if arguments.out is None else [arguments.out]
    whose = "--each-row-a-person" if arguments.at_most == 1 else "--person ID"
    answer(
        arguments,
        lambda: {**quantile_json(certificate), "out": arguments.out},
        lambda: quantile_lines(certificate),
        *files,
        follow=[
            command
            for file in map(shlex.quote, files)
            for command in (
                f"optmech apply {file} RECORDS.csv --column NAME {whose} --out released.csv",
                f"optmech verify {file}",
            )
        ],
    )
    return 0


def quantile_json(certificate: QuantileCertificate) -> dict[str, Any]:
    """Return what a certificate proves as JSON values."""
    problem, bound = certificate.problem, certificate.rank_bound
    return {
        "question": problem.title,
        "quantiles": [*map(as_text, problem.quantiles)],
        "range": [problem.value(0), problem.value(problem.num_values - 1)],
        "step": as_text(problem.step),
        "values": problem.num_values,
        "neighbours": problem.protected,
        "method": certificate.method.value,
        "zcdp": None if certificate.rho is None else as_text(certificate.rho),
        "epsilon": as_text(certificate.epsilon),
        "delta": "0",
        "rank_bound": None if bound is None else as_text(bound),
    }


def quantile_lines(certificate: QuantileCertificate) -> list[str]:
    """Return what a certificate proves, for a screen."""
    problem = certificate.problem
    rho = "" if certificate.rho is None else f"rho = {as_text(certificate.rho)} of zCDP, and "
    return [
        problem.title,
        f"{rho}epsilon = {as_text(certificate.epsilon)}, proved: {problem.protected}",
        *rank_sentences(certificate),
        method_sentence(certificate),
        "limits for values: none; distance to the best mechanism: not proved",
        TIME,
    ]


COMMAND = Command(
    name="quantiles",
    about="Design the release of medians, quartiles or other quantiles of people's records. Choose range\n"
    "and step before you see the records: values beyond the range count as its ends.",
    summary="medians and other quantiles of people's records",
    examples=(
        "optmech design quantiles --range 0:100 --of median --epsilon 1 --out median.json",
        "optmech design quantiles --range 0:200000 --step 100 --of .1,.5,.9 --zcdp 0.1",
    ),
    options=(
        group(
            "quantiles",
            option("--range", "LOW:HIGH", "the smallest and the largest value, public", required=True),
            option(
                "--of",
                "QUANTILES",
                f"{', '.join([*PARTS][:3])}, or up to {MOST_QUANTILES} such as .5,.9; default: median",
                default="median",
            ),
            option("--step", "STEP", "from one value to the next, such as 0.01; default: 1", default="1"),
        ),
        group(
            "privacy of one person",
            option("--epsilon", "EPS", "epsilon: pure privacy"),
            option("--zcdp", "RHO", "rho of zCDP, in place of --epsilon"),
            option("--at-most", "N", "rows of one person that count; default: 1", type=int, default=1),
            option(
                "--adjacency",
                "HOW",
                "add-remove, or change: numbers of people are public; default: add-remove",
                default=Neighbours.ADD_REMOVE.value,
            ),
        ),
        out("FILE.json", "write the certificate there, whole or not at all"),
    ),
    run=_run,
)
