"""Make a table of clinic visits of invented people: seeded, skewed as such tables are, of any size.

    python examples/visits.py visits.parquet --visits 2000000 --people 300000

Most people come a few times and some more than forty times; most visits are in the district where a person
lives. Beside the table, ``groups.csv`` lists the groups of district and age that are to be counted: they are
known beforehand, and nobody is in the last district.
"""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

DISTRICTS = (
    "Aller",
    "Beck",
    "Cole",
    "Dorn",
    "Esk",
    "Fenn",
    "Gade",
    "Holm",
    "Innis",
    "Jarrow",
    "Kell",
    "New Quay",
)
AGES = ("0-17", "18-39", "40-64", "65-79", "80+")
SHARES = (0.2, 0.27, 0.33, 0.14, 0.06)
AT_HOME, STEP = 0.85, 1 << 18


def main() -> None:
    """Write the table and the list of its groups."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--visits", type=int, default=2_000_000)
    parser.add_argument("--people", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=7)
    typed = parser.parse_args()
    dice = np.random.default_rng(typed.seed)
    # Everybody comes once; who comes again is drawn by weights of an exponential distribution.
    weights = dice.exponential(size=typed.people)
    again = dice.multinomial(typed.visits - typed.people, weights / weights.sum())
    people = dice.permutation(np.repeat(np.arange(typed.people), 1 + again))
    sizes = 1 / np.arange(1, len(DISTRICTS))  # some districts are large; nobody lives in the last one
    home = dice.choice(len(sizes), typed.people, p=sizes / sizes.sum())
    age = dice.choice(len(AGES), typed.people, p=SHARES)
    schema = pa.schema(
        [("patient", pa.string()), ("day", pa.int32()), ("district", pa.string()), ("age", pa.string())]
    )
    with pyarrow.parquet.ParquetWriter(typed.out, schema) as file:
        for start in range(0, typed.visits, STEP):
            who = people[start : start + STEP]
            elsewhere = dice.integers(0, len(sizes), who.size)
            where = np.where(dice.random(who.size) < AT_HOME, home[who], elsewhere)
            names = pa.array(np.char.mod("P%06d", who))
            days = pa.array(dice.integers(1, 366, who.size), pa.int32())
            columns = [names, days, pa.array(DISTRICTS).take(where), pa.array(AGES).take(age[who])]
            file.write_batch(pa.record_batch(columns, schema=schema))
    with typed.out.with_name("groups.csv").open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["district", "age"])
        rows.writerows([district, years] for district in DISTRICTS for years in AGES)


if __name__ == "__main__":
    main()
