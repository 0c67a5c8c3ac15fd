"""Questions of every kind: what is designed is proved, read back, checked apart, and a plain optimum."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import optmech as om
from optmech.base.numbers import as_text
from optmech.designs.choice import choose
from optmech.mechanisms.certificates.certificate_text import certificate_text, read_certificate_text
from optmech.question.properties import PROPERTIES
from optmech.question.vectors import vector
from tests.each import each
from tests.proofs.by_definition import why_false
from tests.proofs.plain_program import plain_optimum
from tests.readers import checker

# Proved on both sides this near, relatively; and beside a program solved in doubles within its tolerances.
NARROW, ROUNDING = 1e-6, 2e-7
# The plain program knows no more; where 0 stays 0 chains are held to it in tests/designs/chain.
PROPERTIES = sorted({*PROPERTIES} - {"zero-stays-zero"})
LIMITS = ("accuracy >= 0.3", "accuracy = 1/3", "within 2", "without 1")


@st.composite
def queries(draw, kind):
    if kind == "count":
        return om.count(draw(st.integers(1, 5)))
    if kind == "mean":
        return om.mean(2, draw(st.integers(1, 2)))
    if kind == "wider":
        return om.Query(range(draw(st.integers(2, 4))), range(-3, 8))
    if kind == "cells":
        return om.Query(range(5), [(0, 2), (2, "7/2"), ("7/2", 4)], draw(st.sampled_from([1, 2, "all"])))
    size = draw(st.integers(2, 5))
    ends = st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)).filter(
        lambda pair: pair[0] != pair[1]
    )
    pairs = draw(st.lists(ends, min_size=1, max_size=6))
    weighted = [(*pair, draw(st.integers(1, 3))) for pair in pairs]
    return om.Query(range(size), neighbours=weighted, symmetric=draw(st.booleans()))


@st.composite
def questions(draw):
    """Return a question of any kind, or nothing where its parts do not go together."""
    epsilon = draw(st.sampled_from(["0.1", "1/2", "1", "ln 3/2", "2", "5"]))
    structure = draw(st.sampled_from(["free", "free", "modular", "vectors", "symmetric", "zero-bias"]))
    match structure:
        case "free":
            query = draw(queries(draw(st.sampled_from(["count", "mean", "wider", "cells", "graph"]))))
            shape = om.FreeMatrix()
        case "modular":
            query, shape = (
                om.residues(draw(st.integers(3, 6)), [1, 2][: draw(st.integers(1, 2))]),
                om.ModularNoise(),
            )
        case "vectors":
            query, shape = vector((2, 3), [(0, 1), (1, 0)]), om.ModularNoise((2, 3))
        case "symmetric":
            query, shape = om.sadeghi_symmetric(1, "0.5", 3).query, om.SymmetricNoise(3, draw(ACCURACIES))
        case _:
            query, shape = om.sadeghi(1, "0.5", 2, counts=(1, 3)).query, om.ZeroBiasNoise(2, draw(ACCURACIES))
    more = {"definition": draw(st.sampled_from(["approximate", "approximate", "per-outcome"]))}
    if draw(st.booleans()) and draw(st.booleans()):
        more["least"] = "delta"
    elif structure not in {"symmetric", "zero-bias"} or draw(st.booleans()):
        more["delta"] = draw(st.sampled_from(["0", "1e-6", "1e-2", "1/3"]))
    else:
        more["delta"] = "0.6"
    numbers = structure != "vectors"
    losses = ["absolute", "squared", "zero-one", "beyond 1"] if numbers else ["zero-one"]
    more["loss"], more["worst_case"] = draw(st.sampled_from(losses)), draw(st.booleans())
    expected = draw(st.lists(st.sampled_from(PROPERTIES), max_size=2, unique=True))
    expected += draw(st.lists(st.sampled_from(LIMITS if numbers else LIMITS[:2]), max_size=2, unique=True))
    bound = f"{draw(st.sampled_from(['mean', 'worst']))} {draw(st.sampled_from(losses))} <= "
    bounds = [bound + draw(st.sampled_from(["0.4", "1", "2"]))] if draw(st.booleans()) else []
    try:
        return om.question(query, epsilon, structure=shape, properties=expected, bounds=bounds, **more)
    except om.ProblemError:
        return assume(condition=False)


ACCURACIES = st.sampled_from(["1/3", "0.5", "0.8"])


def table_of(certificate):
    content = json.loads(certificate_text(certificate))
    query, whole = content["question"]["query"], int(content["mechanism"]["denominator"])
    rows = [[int(m) for m in row.split(" ")] for row in content["mechanism"]["rows"]]
    lines = [["response", *query["truths"]]]
    names = [as_text(part.midpoint) for part in certificate.problem.query.responses]
    lines += [[name, *(repr(m / whole) for m in row)] for name, row in zip(names, rows, strict=True)]
    return "\n".join(",".join(line) for line in lines) + "\n"


def hold(certificate):
    """Hold a certificate against the library's reader, the checker and the definition."""
    text, table = certificate_text(certificate), table_of(certificate)
    again = read_certificate_text(text)
    assert certificate_text(again) == text
    assert (again.objective, again.bound) == (certificate.objective, certificate.bound)
    assert checker.check(text, table).startswith("proved: ")
    assert why_false(json.loads(text), table) is None


UNHURRIED = [HealthCheck.filter_too_much, HealthCheck.too_slow]


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=UNHURRIED)
@given(questions())
def test_any_question_is_certified_on_both_sides_at_the_plain_programs_optimum(problem):
    certified_at_the_optimum(problem)


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=UNHURRIED)
@given(questions())
def test_many_more_questions_are_certified_so(problem):
    certified_at_the_optimum(problem)


def with_multipliers(problem):
    """Return a certificate with a matrix; that of a chain, which has none in it, is held to its own laws."""
    engine = "auto" if choose(problem).order[0] != "chain" else "program"
    return om.design(problem, engine=engine).certificate


def certified_at_the_optimum(problem):
    """Design, and hold certificate and objective to the optimum of the plain program."""
    try:
        certificate = with_multipliers(problem)
    except om.NotAcceptedError:
        return
    except om.ProblemError:
        return
    except om.NoSolutionError:
        assert plain_optimum(problem) is None
        return
    except om.VerificationError as trouble:
        assert "room" in str(trouble) or "at once" in str(trouble)  # noqa: PT017 - one of several outcomes
        return
    optimum = plain_optimum(problem)
    hold(certificate)
    scale = max(abs(float(certificate.objective)), 1.0)
    assert float(certificate.objective) == pytest.approx(optimum, abs=ROUNDING * scale)
    assert certificate.objective - certificate.bound <= NARROW * max(certificate.objective, Fraction(1, 1000))


CERTIFIED = {
    "approximate": om.question(om.count(4), 1, delta="1e-3"),
    "worst": om.question(om.count(4), 1, worst_case=True),
    "bounds": om.question(om.count(4), 1, bounds=["worst beyond 1 <= 0.3", "mean squared <= 2"]),
    "accuracy": om.question(om.count(3), 1, properties=["accuracy >= 0.4"]),
    "unbiased": om.question(om.Query([0, 1], range(-2, 4)), 1, properties=["unbiased"]),
    "weights": om.question(om.Query(range(3), neighbours=[(0, 1, 2), (1, 2, 1)]), "0.5"),
    "vectors": om.question(
        vector((2, 3), [(0, 1)]), 1, delta="0.01", structure=om.ModularNoise(), loss="zero-one"
    ),
}


@pytest.fixture(scope="module")
def certificates():
    return {name: with_multipliers(problem) for name, problem in CERTIFIED.items()}


def refused(content, certificate):
    """Whether the library and the checker both refuse a changed certificate; both or neither must."""
    text, table = json.dumps(content), table_of(certificate)
    try:
        read_certificate_text(text)
    except om.OptmechError:
        with pytest.raises(Exception, match=r"."):
            checker.check(text, table)
        return True
    checker.check(text, table)
    return False


def changes(content):
    """Yield names and changes, each of one part, which makes something false."""
    question, tree = content["question"], content["proof"]["tree"]
    unit = int(content["proof"]["denominator"])
    has_budget = question["privacy"][0]["kind"] in ("approximate", "probabilistic")
    (texts,) = tree["privacy"]
    for place, text in enumerate(texts[:3]):
        first, *others = text.split(" ") if text else ["0"]
        if text and has_budget:
            yield f"budget below {place}", (texts, place, " ".join(["0", *others]))
            yield f"budget above {place}", (texts, place, " ".join([str(int(first) + unit), *others]))
        if text:
            last = int(text.split(" ")[-1]) + 2 * unit
            yield f"multiplier of pair {place}", (texts, place, " ".join([*text.split(" ")[:-1], str(last)]))
    if tree["prior"]:
        first, *others = tree["prior"].split(" ")
        yield "prior", (tree, "prior", " ".join([str(int(first.partition("*")[0]) + 1), *others]))
    for name, text in tree["rules"].items():
        number = text.split(" ")[0].partition("*")[0]
        yield f"rule {name}", (tree["rules"], name, text.replace(number, str(int(number) + unit), 1))
        yield f"no rule {name}", (tree["rules"], name, "")
    for bound in question["bounds"]:
        yield "bound", (bound, "at_most", "1/1000")
    if question["query"]["weights"]:
        yield "weights dropped", (question["query"], "weights", [])
        yield "weights smaller", (question["query"], "weights", [1] * len(question["query"]["weights"]))
    if question["structure"]["moduli"]:
        for moduli in ([3, 2], [6], [2, 2], []):
            yield f"moduli {moduli}", (question["structure"], "moduli", moduli)
    if question["limits"]:
        yield "least value", (question, "limits", ["accuracy >= 0.9"])


@each("name", CERTIFIED, every=3)
def test_each_part_that_is_changed_is_refused(certificates, name):
    text = certificate_text(certificates[name])
    assert not refused(json.loads(text), certificates[name])
    tried = [what for what, _ in changes(json.loads(text))]
    for number, what in enumerate(tried):
        content = json.loads(text)
        _, (part, place, new) = list(changes(content))[number]
        assert part[place] != new
        part[place] = new
        assert refused(content, certificates[name]), what
    assert tried


def test_a_bound_on_a_loss_that_is_missed_by_one_unit_is_refused(certificates):
    certificate = certificates["bounds"]
    content = json.loads(certificate_text(certificate))
    whole = certificate.matrix.denominator
    loss = certificate.rules.bounds[0].of(certificate.matrix.numerators, whole)
    content["question"]["bounds"][0]["at_most"] = as_text(loss - Fraction(1, whole))
    with pytest.raises(om.VerificationError, match=r"the loss exceeds"):
        read_certificate_text(json.dumps(content))
    with pytest.raises(ValueError, match="a loss must keep to its bound"):
        checker.check(json.dumps(content), table_of(certificate))


@pytest.mark.parametrize(
    ("epsilon", "accuracy"), [("ln 2", "2/3"), ("ln 2", "0.6666"), ("ln 3", "3/4"), ("ln 3", "0.7499")]
)
def test_where_no_mechanism_has_room_the_error_says_so(epsilon, accuracy):
    """Randomised response alone tells the truth so often; just below there is room, and 3/4 is binary."""
    problem = om.question(om.count(1), epsilon, properties=[f"accuracy >= {accuracy}"])
    if accuracy == "2/3":
        with pytest.raises(om.VerificationError, match=r"to keep its privacy strictly"):
            om.design(problem)
    else:
        hold(om.design(problem).certificate)


def test_what_may_be_violated_has_a_bound_above_that_of_approximate_privacy():
    problem = om.question(om.count(2), 1, delta="0.05", definition="probabilistic", worst_case=True)
    certificate = om.design(problem).certificate
    weaker = om.design(om.question(om.count(2), 1, delta="0.05", worst_case=True)).certificate
    hold(certificate)
    assert weaker.objective < certificate.bound
    assert certificate.bound == pytest.approx(float(certificate.objective))


def test_a_loss_that_does_not_wrap_around_with_the_noise_is_read_back():
    query = om.vector((3, 2), [1], "apart")
    problem = om.question(query, 1, delta="0.01", structure=om.ModularNoise())  # absolute, over the range
    certificate = om.design(problem).certificate
    assert certificate_text(read_certificate_text(certificate_text(certificate))) == certificate_text(
        certificate
    )


COUNTS = om.Query(range(5, 8), range(13), 1)


@pytest.mark.parametrize(
    ("problem", "within"),
    [
        # Violated ratios stay so: a private mechanism mixed in would fill them, and cost all their gain.
        (om.question(om.count(4), "ln 2", delta="0.05", definition="probabilistic"), 1e-9),
        (om.question(om.count(3), 1, delta="0.1", definition="probabilistic", worst_case=True), 1e-9),
        (
            om.question(
                om.Query(range(5, 11), range(16), 1),
                1,
                structure=om.SymmetricNoise(5, "0.4"),
                least="delta",
                definition="probabilistic",
            ),
            1e-9,
        ),
        # Pure privacy of noise with bounded width: only what every count can release is released.
        (om.question(om.Query(range(5, 7), range(2, 10), 1), 5, structure=om.ZeroBiasNoise(3, "0.4")), 1e-9),
    ],
    ids=str,
)
def test_repair_costs_next_to_nothing(problem, within):
    design = om.design(problem)
    assert design.objective <= design.solution.objective * (1 + within) + within


def test_zero_bias_noise_with_equal_entries_is_proved_optimal():
    noise = om.ZeroBiasNoise(5, "0.4")
    design = om.design(om.question(COUNTS, "0.1", structure=noise, least="delta", properties=["symmetric"]))
    assert design.certificate.relative_gap < 1e-6


@pytest.mark.slow
def test_probabilistic_privacy_never_costs_more_than_pure_privacy():
    query = om.count(12)
    pure = om.design(om.question(query, 1))
    problem = om.question(query, 1, delta="0.001", definition="probabilistic")
    design = om.design(problem, time_limit=0.05)  # no time for the indicators
    assert design.objective <= pure.objective * (1 + 1e-9)
