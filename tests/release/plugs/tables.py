"""Programs around a table in C or in Rust, which draw by words that a test gives them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

C_FLAGS = [
    "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1",
    "-fsanitize=undefined", "-fno-sanitize-recover",
]  # fmt: skip
# Each line: the routine, a truth, and bytes in hexadecimal; when these run out there is no randomness.
C_DRIVER = """
#include <stdio.h>
#include <string.h>
#include "mechanism.h"

struct source { const char *left; };

static int given(void *state, unsigned char *bytes, size_t count)
{
    struct source *source = state;
    static const char digits[] = "0123456789abcdef";
    size_t place;
    for (place = 0; place < count; place++) {
        const char *const high = source->left[0] ? strchr(digits, source->left[0]) : NULL;
        const char *const low = high && source->left[1] ? strchr(digits, source->left[1]) : NULL;
        if (!low)
            return 1;
        bytes[place] = (unsigned char)(16 * (high - digits) + (low - digits));
        source->left += 2;
    }
    return 0;
}

static unsigned long long seed = 88172645463325252ULL;

static int xorshift(void *state, unsigned char *bytes, size_t count)
{
    (void)state;
    while (count-- > 0) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        *bytes++ = (unsigned char)(seed >> 32);
    }
    return 0;
}

int main(int argc, char **argv)
{
    static char line[1 << 20], words[1 << 20];
    unsigned long routine, truth;
    if (argc > 1 && strcmp(argv[1], "table") == 0) {
        size_t t, r;
        int l;
#ifndef MECHANISM_PLACES
        for (t = 0; t < MECHANISM_TRUTHS; t++)
            for (r = 0; r < MECHANISM_RESPONSES; r++) {
                for (l = MECHANISM_LIMBS - 1; l >= 0; l--)
                    printf("%016llx", (unsigned long long)mechanism_cumulative[t][r][l]);
                printf(" ");
            }
#else
        (void)l;
#endif
        printf("\\n");
        for (t = 0; t < MECHANISM_TRUTHS; t++)
            printf("%lld ", (long long)mechanism_truths[t]);
        printf("\\n");
        for (r = 0; r < MECHANISM_RESPONSES; r++)
            printf("%lld ", (long long)mechanism_responses[r]);
        printf("\\n%lld\\n", (long long)mechanism_scale);
#ifdef LABELS
        for (t = 0; t < MECHANISM_TRUTHS; t++)
            printf("%s\\n", mechanism_labels[t]);
#endif
        return 0;
    }
    while (fgets(line, sizeof line, stdin)
           && sscanf(line, "%lu %lu %1000000s", &routine, &truth, words) == 3) {
        struct source source;
        size_t response = 999999;
        int code;
        int many = strcmp(words, "many") == 0;
        long draw;
        source.left = words;
        for (draw = 0; draw < (many ? 100000 : 1); draw++) {
            code = (routine ? mechanism_sample_constant_time : mechanism_sample)(
                (size_t)truth, many ? xorshift : given, &source, &response);
            printf("%d %lu\\n", code, (unsigned long)response);
        }
    }
    return 0;
}
"""
RUST_DRIVER = """
#![deny(warnings)]
mod mechanism;
use mechanism::*;
use std::io::{BufRead, BufWriter, Write};

fn main() {
    if std::env::args().any(|word| word == "table") {
        CUMULATIVE_OF
        println!();
        for value in TRUTHS_SCALED {
            print!("{value} ");
        }
        println!();
        for value in RESPONSES_SCALED {
            print!("{value} ");
        }
        println!("\\n{SCALE}");
        LABELS_OF
        return;
    }
    let mut seed: u64 = 88172645463325252;
    let mut out = BufWriter::new(std::io::stdout().lock()); // println! writes each line by itself
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let parts: Vec<&str> = line.split(' ').collect();
        let truth: usize = parts[1].parse().unwrap();
        let many = parts[2] == "many";
        let mut left = parts[2];
        for _ in 0..if many { 100000 } else { 1 } {
            let random = |bytes: &mut [u8]| -> Result<(), ()> {
                for byte in bytes {
                    if many {
                        seed ^= seed << 13;
                        seed ^= seed >> 7;
                        seed ^= seed << 17;
                        *byte = (seed >> 32) as u8;
                    } else if left.len() < 2 {
                        return Err(());
                    } else {
                        *byte = u8::from_str_radix(&left[..2], 16).unwrap();
                        left = &left[2..];
                    }
                }
                Ok(())
            };
            let drawn = match parts[0] {
                "1" => sample_constant_time(truth, random),
                _ => sample(truth, random),
            };
            match drawn {
                Ok(response) => writeln!(out, "0 {response}"),
                Err(Refusal::NoSuchTruth) => writeln!(out, "1 999999"),
                Err(_) => writeln!(out, "2 999999"),
            }
            .unwrap();
        }
    }
}
"""
# Noise has one list for all truths, and not a column for each.
RUST_COLUMNS = """for column in CUMULATIVE.iter() {
            for bound in column {
                for limb in bound.iter().rev() {
                    print!("{limb:016x}");
                }
                print!(" ");
            }
        }"""


def built(language, text, folder, labels=()):
    """Return the program around a table, compiled with every warning an error."""
    compiler = shutil.which({"c": "gcc", "rust": "rustc"}[language])
    if compiler is None:
        pytest.skip(f"no compiler of {language} on this machine")
    program = folder / "program"
    if language == "c":
        (folder / "mechanism.h").write_text(text, encoding="ascii")
        (folder / "main.c").write_text(C_DRIVER)
        flags = [*C_FLAGS, *(["-DLABELS"] if labels else [])]
        command = [compiler, *flags, str(folder / "main.c"), "-o", str(program)]
    else:
        statement = 'for label in LABELS { println!("{label}"); }' if labels else ""
        (folder / "mechanism.rs").write_text(text, encoding="ascii")
        columns = "" if "PERIOD" in text else RUST_COLUMNS
        driver = RUST_DRIVER.replace("LABELS_OF", statement).replace("CUMULATIVE_OF", columns)
        (folder / "main.rs").write_text(driver)
        command = [
            compiler,
            "--edition",
            "2021",
            "-C",
            "overflow-checks=on",
            "-o",
            str(program),
            str(folder / "main.rs"),
        ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return program


def answers(program, lines):
    """Return what the program answers to its lines, as pairs of code and response."""
    done = subprocess.run(
        [str(program)], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    )
    return [tuple(map(int, line.split())) for line in done.stdout.splitlines()]


def bytes_of(number, limbs):
    return number.to_bytes(8 * limbs, "little").hex()
