"""A certified mechanism as a Rust module: its law in words of 64 bits, and two functions that draw from it.

The same table, the same draws for the same bytes and the same rules as in `c_header`; it needs
``core`` alone, so that crates with ``#![no_std]`` have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from optmech.release.plugs.words import about, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from optmech.proofs.certificate import Certificate

__all__ = ["to_rust"]

_PRINTABLE = range(0x20, 0x7F)

_ROUTINES = """\
/// Why there is no draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal<E> {
    /// The position is not below `TRUTHS`.
    NoSuchTruth,
    /// The random bytes gave an error.
    Random(E),
    /// The random bytes are not random: 256 numbers in a row were not below the total.
    NotRandom,
}

/// 1 if number < bound, else 0. No branch and no address depends on either.
fn below(number: &[u64; LIMBS], bound: &[u64; LIMBS]) -> u64 {
    let mut below = 0;
    for limb in 0..LIMBS {
        let (n, b) = (number[limb], bound[limb]);
        let differ = n ^ b;
        let less = (n ^ (differ | (n.wrapping_sub(b) ^ b))) >> 63;
        let equal = 1 ^ ((differ | differ.wrapping_neg()) >> 63);
        below = less | (equal & below);
    }
    below
}

/// Draws a whole number below the total. How often it must be drawn again tells nothing of the one kept.
fn uniform<E>(random: &mut impl FnMut(&mut [u8]) -> Result<(), E>) -> Result<[u64; LIMBS], Refusal<E>> {
    let mut bytes = [0u8; 8 * LIMBS];
    for _ in 0..256 {
        random(&mut bytes).map_err(Refusal::Random)?;
        let mut number = [0u64; LIMBS];
        for limb in 0..LIMBS {
            for byte in 0..8 {
                number[limb] |= u64::from(bytes[8 * limb + byte]) << (8 * byte);
            }
        }
        number[LIMBS - 1] &= TOP_MASK;
        if below(&number, &TOTAL) == 1 {
            return Ok(number);
        }
    }
    Err(Refusal::NotRandom)
}

/// Draws the position of a response to the truth at a position. Fast: its time tells of both.
///
/// `random` fills bytes, and must be a cryptographic generator.
pub fn sample<E>(
    truth: usize,
    mut random: impl FnMut(&mut [u8]) -> Result<(), E>,
) -> Result<usize, Refusal<E>> {
    let column = CUMULATIVE.get(truth).ok_or(Refusal::NoSuchTruth)?;
    let number = uniform(&mut random)?;
    Ok(column.partition_point(|bound| below(&number, bound) == 0))
}

/// Draws the same, and reads the whole table each time.
///
/// Neither branches nor addresses tell of the truth or of the response.
/// Look at what your compiler makes of it.
pub fn sample_constant_time<E>(
    truth: usize,
    mut random: impl FnMut(&mut [u8]) -> Result<(), E>,
) -> Result<usize, Refusal<E>> {
    if truth >= TRUTHS {
        return Err(Refusal::NoSuchTruth);
    }
    let number = uniform(&mut random)?;
    let mut drawn = 0u64;
    for (place, column) in CUMULATIVE.iter().enumerate() {
        let differ = (place ^ truth) as u64;
        let mask = ((differ | differ.wrapping_neg()) >> 63).wrapping_sub(1);
        for bound in column {
            drawn += mask & (1 ^ below(&number, bound));
        }
    }
    Ok(drawn as usize)
}
"""


def to_rust(certificate: Certificate) -> str:
    """Return a Rust module with the law of a certified mechanism and functions that draw from it, exactly.

    ``sample(truth, random)`` takes and gives positions; `random` fills bytes and must be a cryptographic
    generator. ``sample_constant_time`` draws the same and reads the whole table each time. ``TRUTHS_SCALED``,
    ``RESPONSES_SCALED``, ``SCALE`` and, where there are any, ``LABELS`` say what positions stand for. A
    mechanism that is not differentially private says so in its first lines.

    Parameters
    ----------
    certificate : Certificate
        Of any query.

    Raises
    ------
    ProblemError
        If `certificate` is none.
    NotAcceptedError
        If the table would be too large, or numbers do not fit into 64 bits.

    Examples
    --------
    >>> import optmech as om
    >>> text = to_rust(om.design(om.croft(om.count(2), "ln 2")).certificate)
    >>> "pub fn sample_constant_time<E>(" in text
    True
    """
    words = words_of(certificate, "`to_rust`")
    query = words.certificate.problem.query
    columns = (
        "    [\n" + "".join(f"        {_listed(map(_hex, row))},\n" for row in column) + "    ],\n"
        for column in words.thresholds()
    )
    lines = [
        *(f"// {line}" for line in about(words)),
        "",
        "#![allow(dead_code, clippy::all)]",
        "",
        f"pub const TRUTHS: usize = {query.num_truths};",
        f"pub const RESPONSES: usize = {query.num_responses};",
        f"const LIMBS: usize = {words.limbs};",
        f"const TOP_MASK: u64 = {_hex(words.top_mask)};",
        "/// Numerators of all responses up to each, for each truth, in words, the lowest first.",
        "pub static CUMULATIVE: [[[u64; LIMBS]; RESPONSES]; TRUTHS] = [",
        "".join(columns) + "];",
        f"pub const TOTAL: [u64; LIMBS] = {_listed(map(_hex, words.total))};",
        f"pub const TRUTHS_SCALED: [i64; TRUTHS] = {_listed(map(str, words.truths()))};",
        f"pub const RESPONSES_SCALED: [i64; RESPONSES] = {_listed(map(str, words.responses()))};",
        f"pub const SCALE: i64 = {words.scale};",
    ]
    if query.labels:
        shown = ",\n    ".join(map(_text, query.labels))
        lines.append(f"pub const LABELS: [&str; TRUTHS] = [\n    {shown}\n];")
    return "\n".join([*lines, "", _ROUTINES])


def _hex(number: int) -> str:
    return f"0x{number:016x}"


def _listed(values: Iterable[str]) -> str:
    return f"[{', '.join(values)}]"


def _text(label: str) -> str:
    shown = (
        letter if ord(letter) in _PRINTABLE and letter not in '"\\' else f"\\u{{{ord(letter):x}}}"
        for letter in label
    )
    return f'"{"".join(shown)}"'
