"""Write certificates as reproducible JSON text, and read them. `docs/certificate.md` is the schema."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from optmech.base.arguments import need_text
from optmech.base.errors import (
    FileFormatError,
    NotAcceptedError,
    OptmechError,
    ProblemError,
    VerificationError,
    broken_rule,
)
from optmech.base.numbers import brief, exact
from optmech.base.strict_json import parse_json
from optmech.mechanisms.certificates.level_text import levels_content, read_levels
from optmech.mechanisms.certificates.matrix_work import is_too_much
from optmech.mechanisms.certificates.noise_text import noise_content, read_noise_certificate
from optmech.mechanisms.certificates.quantile_text import is_of_quantiles
from optmech.mechanisms.certificates.ray_text import ray_content, read_rays
from optmech.mechanisms.certificates.sizes import part_too_large
from optmech.mechanisms.certificates.table_text import is_table
from optmech.mechanisms.certificates.tree_text import TreeText, denominator_of
from optmech.mechanisms.certificates.two_number_text import (
    is_of_two_numbers,
    mechanism_content,
    problem_of_two_costs,
    proof_content,
    read_two_multipliers,
    read_two_numbers,
    short_question,
)
from optmech.proofs.chain.certificate import NoiseCertificate
from optmech.proofs.enclosure import Enclosure
from optmech.proofs.file_limits import MOST_CHARACTERS, MOST_CHARACTERS_OF_NOISE
from optmech.proofs.levels.tree import LevelProof
from optmech.proofs.matrix import ExactMatrix
from optmech.proofs.matrix_certificate import MatrixCertificate
from optmech.proofs.multipliers import TwoMultipliers
from optmech.proofs.two_numbers import TwoNumberCertificate, TwoNumbers
from optmech.question.content import problem_of, question_of
from optmech.rules import compile_rules

if TYPE_CHECKING:
    from optmech.proofs.certificate import Certificate
    from optmech.proofs.multipliers import Tree
    from optmech.question.problem import Problem

_FORMAT, _VERSION = "optmech certificate", 2
_PRIVACY = ("kind", "epsilon", "delta")
_REPORTS = ("claimed_bounds", "repair", "raw", "made_by")


def certificate_text(certificate: Certificate) -> str:
    """Return the certificate as JSON, a line for each field, without times, so that bytes are comparable."""
    content: dict[str, Any] = {"format": _FORMAT, "version": _VERSION}
    content |= (
        noise_content(certificate) if isinstance(certificate, NoiseCertificate) else content_of(certificate)
    )
    lines = [f"{json.dumps(key)}: {json.dumps(value, allow_nan=False)}" for key, value in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def certificate_sha256(certificate: Certificate) -> str:
    """Return the SHA-256 of the text of a certificate, its name in logs and cards."""
    return sha256(certificate_text(certificate).encode()).hexdigest()


def content_of(certificate: Certificate) -> dict[str, Any]:
    """Return a certificate with a matrix as JSON values, without the format and its version."""
    return {
        "question": _question(certificate),
        "mechanism": _mechanism(certificate.matrix),
        **{name: _number(certificate, name) for name in ("delta", "objective", "bound", "gap")},
        "proof": _proof_content(certificate),
        "reported": {name: told for name in _REPORTS if (told := getattr(certificate, name))},
    }


def _proof_content(certificate: Certificate) -> dict[str, Any] | None:
    match certificate.proof:
        case None:
            return None
        case TwoMultipliers() as proof:
            return proof_content(proof)
        case LevelProof() as proof:
            return {"levels": levels_content(proof)}
        case tree:
            content = TreeText(certificate.rules).content(tree)
            return {"denominator": str(denominator_of(tree)), "tree": content}


def _mechanism(matrix: ExactMatrix) -> dict[str, Any]:
    if isinstance(matrix, TwoNumbers):
        return mechanism_content(matrix)
    if matrix.rays is not None:
        return ray_content(matrix.rays)
    numbers: dict[str, Any] = {"rows": matrix.rows()}
    if matrix.by_column:
        numbers = {"column": " ".join(map(str, matrix.numerators[:, 0].tolist()))}
    return {"denominator": str(matrix.denominator), **numbers}


def _number(certificate: Certificate, name: str) -> str | None:
    value = getattr(certificate, name)
    return None if value is None else str(value)


def read_certificate_text(text: str, path: str = "certificate") -> Certificate:
    """Return the certificate, after proving everything in it again.

    FileFormatError: the text is no certificate of this version. VerificationError: a claim is false or does
    not follow from the rest.
    """
    _need_length(text, MOST_CHARACTERS, path)
    content = _read_json(text, path)
    of_noise = _is_noise(content)
    if of_noise:
        _need_length(text, MOST_CHARACTERS_OF_NOISE, path)
    if (rule := part_too_large(content)) is not None:
        raise _refusal(path, rule)
    try:
        certificate: Certificate
        if not of_noise and not is_of_two_numbers(content) and is_too_much(content, len(text)):
            rule = "must not have too much to compute"
            raise ValueError(rule)  # noqa: TRY301 - it is told below
        certificate = read_noise_certificate(content) if of_noise else _certificate(content)
        text_again = certificate_text(certificate)
        content_again = json.loads(text_again)
    except VerificationError as error:
        raise _not_so(path, f"does not hold: {str(error).removesuffix('.')}") from None
    except (
        NotAcceptedError,
        ProblemError,
        KeyError,
        TypeError,
        ValueError,
        AttributeError,
        IndexError,
        ArithmeticError,
        RecursionError,
    ) as error:
        rule = rule or f"must have all its parts, each as described; {_part_of(error)}"
        raise _refusal(path, rule) from None
    strange = sorted(content.keys() ^ content_again.keys())
    if strange:
        raise _refusal(
            path, f"must have the fields of its version and no others; got an error: {strange[0]!r:.60}"
        )
    _check_statements(path, content, certificate)
    if of_noise and text != text_again:
        raise _refusal(path, "must be written as described and as short as can be")
    for name in content_again:
        # Texts are compared, so that 1, 1.0 and true differ.
        if json.dumps(content[name], sort_keys=True) != json.dumps(content_again[name], sort_keys=True):
            raise _refusal(path, f"must have {name!r} as described and as short as can be")
    return certificate


def _is_noise(content: dict[str, Any]) -> bool:
    mechanism = content.get("mechanism")
    return isinstance(mechanism, dict) and "noise" in mechanism


def _need_length(text: str, most: int, path: str) -> None:
    if len(text) > most:
        raise _refusal(path, f"must have at most {most:,} characters; got {len(text):,}")


def _read_json(text: str, path: str) -> dict[str, Any]:
    try:
        content = parse_json(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(path, f"must be JSON; got: {error}") from None
    if not isinstance(content, dict) or content.get("format") != _FORMAT:
        raise _refusal(path, f"must have the format {_FORMAT!r}")
    if content.get("version") != _VERSION:
        raise _refusal(path, f"must have version {_VERSION}; got {brief(content.get('version'))}")
    if is_table(content):
        raise _refusal(path, "must be of one number, not of a table, which `read_table` reads")
    if is_of_quantiles(content):
        raise _refusal(path, "must be of one number, not of quantiles, which `read_quantiles` reads")
    return content


def _certificate(content: dict[str, Any]) -> Certificate:
    question, factors = _without_factors(content["question"])
    mechanism, proof, reported = content["mechanism"], content["proof"], content["reported"]
    if is_of_two_numbers(content):
        problem = problem_of_two_costs(question)
        return TwoNumberCertificate(
            problem=problem,
            factor=replace(factors[0], further=tuple(factors[1:])),
            matrix=read_two_numbers(mechanism, problem.query.num_truths),
            proof=read_two_multipliers(proof),
            **{name: _report(reported[name], name) for name in _REPORTS if name in reported},
        )
    problem = problem_of(question)
    tree = None
    if proof is not None:
        tree = _proof(problem, proof)
    return MatrixCertificate(
        problem=problem,
        factor=replace(factors[0], further=tuple(factors[1:])),
        matrix=_matrix(mechanism, problem),
        proof=tree,
        **{name: _report(reported[name], name) for name in _REPORTS if name in reported},
    )


def _matrix(mechanism: dict[str, Any], problem: Problem) -> ExactMatrix:
    if "rays" in mechanism:
        return ExactMatrix.of_rays(read_rays(mechanism, problem.query.num_truths))
    if "column" in mechanism:
        return _of_column([int(cell) for cell in mechanism["column"].split(" ")], mechanism, problem)
    rows = [[int(cell) for cell in row.split(" ")] for row in mechanism["rows"]]
    if len({len(row) for row in rows}) != 1:
        message = "rows of the matrix differ in length"
        raise ValueError(message)
    return ExactMatrix(numerators=np.array(rows, dtype=object), denominator=int(mechanism["denominator"]))


def _of_column(column: list[int], mechanism: dict[str, Any], problem: Problem) -> ExactMatrix:
    noise = problem.structure.noise_table(problem.query.num_truths)
    if noise is None or len(column) != len(noise):
        message = "one column is a matrix of modular noise, and has a number for each response"
        raise ValueError(message)
    entries = np.array(column, dtype=object)[noise]
    return ExactMatrix(numerators=entries, denominator=int(mechanism["denominator"])).in_a_column()


def _question(certificate: Certificate) -> dict[str, Any]:
    """Return the question with the factors of each privacy, and without the mark of printed programs."""
    problem, has_two = certificate.problem, isinstance(certificate, TwoNumberCertificate)
    question = short_question(problem) if has_two else question_of(problem)
    question["privacy"] = [
        {name: privacy[name] for name in _PRIVACY} | {"lower": str(factor.lower), "upper": str(factor.upper)}
        for privacy, factor in zip(question["privacy"], certificate.factor.each, strict=True)
    ]
    return question


def _without_factors(question: dict[str, Any]) -> tuple[dict[str, Any], list[Enclosure]]:
    """Return the question as `question_of` writes it, by definition, and the factors."""
    privacies = question["privacy"]
    bare = [{name: each[name] for name in _PRIVACY} | {"printed": False} for each in privacies]
    return {**question, "privacy": bare}, list(map(_enclosure, privacies))


def _enclosure(content: dict[str, Any]) -> Enclosure:
    return Enclosure(exact(content["lower"], "factor"), exact(content["upper"], "factor"))


def _check_statements(path: str, content: dict[str, Any], certificate: Certificate) -> None:
    """Compare the statements of the file with the recomputed values."""
    for name in ("delta", "objective", "gap"):
        if content[name] != _number(certificate, name):
            raise _not_so(path, f"says another {name} than its mechanism and multipliers give")
    if content["bound"] != _number(certificate, "bound"):
        raise _not_so(path, "says another bound than its multipliers prove")


def _report(content: object, name: str) -> dict[str, str]:
    """Return the unconfirmed texts of a file; they are only checked to be texts."""
    if not isinstance(content, dict):
        raise broken_rule(name, "be an object of texts", brief(content))
    for key, text in content.items():
        need_text(key, name)
        need_text(text, f"{name}.{key}")
    return dict(content)


def _proof(problem: Problem, content: dict[str, Any]) -> Tree | LevelProof:
    if "levels" in content:
        return read_levels(content["levels"], problem.query)
    return TreeText(compile_rules(problem)).read(content["tree"], _positive(content["denominator"]))


def _positive(text: str) -> int:
    number = int(text)
    if number <= 0:
        message = f"the denominator of the proof must be positive; got {text:.40}"
        raise ValueError(message)
    return number


def _not_so(path: str, what: str) -> VerificationError:
    """Return the error for a certificate with a false claim."""
    return VerificationError(f"`{path}` {what}. Do not use its mechanism.")


def _part_of(error: Exception) -> str:
    """Return the part of a certificate that caused an error, as far as it is known."""
    if isinstance(error, KeyError):
        return f"`{error.args[0]}` is missing"
    if isinstance(error, OptmechError):
        return f"got an error: {str(error).removesuffix('.'):.300}"
    return "one has another type, or another length, than described"


def _refusal(path: str, rule: str) -> FileFormatError:
    """Return the error for a text that is no certificate."""
    return FileFormatError(f"`{path}` {rule}. Nothing in it is proved.")
