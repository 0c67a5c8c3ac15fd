"""``optmech improve``: the best function of a noisy answer, as a table for any pipeline."""

from __future__ import annotations

from optmech.cli.output import answer, check_out
from optmech.cli.parsers import Arguments, Command, option, out
from optmech.cli.progress import waiting
from optmech.cli.questions import add_choices, choices_of
from optmech.question.problems.named_query import choices_among, named_query


def _run(arguments: Arguments) -> int:
    # Designs load in half a second, which no other command should wait for.
    from optmech.analysis.improvement import improve  # noqa: PLC0415
    from optmech.mechanisms.certificates.certificate_file import write_certificate  # noqa: PLC0415

    check_out(arguments.out, ".csv", ".json")
    check_out(arguments.certificate, ".json", reads=[arguments.out])
    choices = choices_of(arguments)
    prior = choices.get("prior", "uniform")
    with waiting(f"improving {arguments.noise}", None):
        improvement = improve(
            arguments.noise,
            named_query({"query": "count", **choices_among(choices, "range")}),
            loss=choices.get("loss", "absolute"),
            prior=None if prior == "sum" else prior,
        )
    caution = improvement.design.caution
    if arguments.out is not None:
        improvement.write(arguments.out)
    if arguments.certificate is not None:
        assert improvement.design.certificate is not None  # noqa: S101 - it is proved
        write_certificate(improvement.design.certificate, arguments.certificate)
    table = [f"{row['response']:>19} up to {row['up_to']}" for row in improvement.content["table"]]
    lines = [str(improvement.design.problem), "", *improvement.lines]
    lines += ["", "release            for noisy answers", *table] if len(table) <= _MOST_ROWS else []
    answer(
        arguments,
        lambda: {"caution": caution, **improvement.content, "out": arguments.out},
        lambda: lines,
        arguments.out,
        arguments.certificate,
        caution=caution,
    )
    return 0


_MOST_ROWS = 101

COMMAND = Command(
    name="improve",
    about="""\
Say what to release for each noisy count, where the noise is given: a table that any pipeline can apply after
its own noise, and that sees nothing else. Of all mechanisms that are as private as the noise none loses less,
whatever the prior; how much clamping loses beside it is told.""",
    examples=("optmech improve --noise discrete-gaussian:2 --range 0:10 --loss squared --out table.csv",),
    options=(
        option(
            "--noise",
            "NOISE",
            "discrete-gaussian:SIGMA, skellam:RATE, binomial:TRIALS or weights:1,4,6,4,1",
            required=True,
        ),
        lambda parser: add_choices(parser, ("range", "loss", "prior"), ("range",)),
        out("FILE.csv|FILE.json", "write the table there, whole or not at all"),
        option("--certificate", "FILE.json", "write the mechanism and its proof there"),
    ),
    run=_run,
)
