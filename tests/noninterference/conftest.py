"""Mechanisms in which zero stays zero, and the commands' files of them."""

from __future__ import annotations

import pytest

import optmech as om
from optmech.release.tables.column_of_source import column_mechanism


def kept_zero(largest):
    """Certify a count up to `largest` at e^epsilon = 2, of which 0 is released as 0 for certain."""
    problem = om.question(om.count(largest), exp_epsilon="2", delta="1/20", properties=["zero-stays-zero"])
    return om.design(problem).certificate


@pytest.fixture(scope="session")
def proofs():
    """Certify counts 0..5, 0..3, 0..2."""
    return {"a": kept_zero(5), "b": kept_zero(3), "c": kept_zero(2)}


@pytest.fixture(scope="session")
def certificates(proofs):
    """Make the mechanisms of groups a and b ready for columns."""
    return {name: column_mechanism(proofs[name]) for name in ("a", "b")}


@pytest.fixture(scope="session")
def certified(proofs, tmp_path_factory):
    """Write the certificates into a folder, with lists of them; no row is ever of group c."""
    folder = tmp_path_factory.mktemp("certified")
    for name, proof in proofs.items():
        om.write_certificate(proof, folder / f"{name}.certificate.json")
    files = {name: f"{name}.certificate.json" for name in proofs}
    lines = [f'{name} = "{file}"' for name, file in files.items()]
    (folder / "groups.toml").write_text("\n".join([f'default = "{files["b"]}"', "[groups]", *lines]))
    (folder / "groups.csv").write_text(
        "\n".join(["group,certificate", *(f"{name},{file}" for name, file in files.items())])
    )
    return folder
