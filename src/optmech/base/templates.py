"""Texts written from templates that lie beside the code that fills them."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined


def plain_text(package: str, template: str, content: dict[str, object]) -> str:
    """Return a template of a package with its content, of no language in which anything must be escaped."""
    return _templates(package).get_template(template).render(content)


@cache
def _templates(package: str) -> Environment:
    environment = Environment(  # noqa: S701 - what is written is C, Rust or Markdown, and no HTML
        loader=PackageLoader(package),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["hexadecimal"] = "0x{:016x}".format
    return environment
