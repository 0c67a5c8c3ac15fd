"""Wrong command lines of questions by their words, of searches, and of questions in files."""

from __future__ import annotations

WRONG_FRONT = """\
design question
design question --query count --range 0:3 --epsilon 1
design counts --range 0:3 --epsilon 1
design count
design count --epsilon 1
design count --range 0:3
design count --range 3:0 --epsilon 1
design count --range 3 --epsilon 1
design count --range -1:3 --epsilon 1
design count --range 0:3 --epsilon 1 --records 5
design count --range 0:3 --epsilon 1 --of a,b
design count --range 0:3 --epsilon 1 --adjacency change
design count --range 0:3 --epsilon 1 --variant 2
design count --range 0:3 --epsilon 1 --query count
design count --range 0:3 --epsilon 1 --structure modular
design count --range 0:3 --epsilon 1 --structure symmetric
design count --range 0:3 --epsilon 1 --half-width 2
design count --range 0:3 --epsilon 1 --records-per-person none
design count --range 0:3 --epsilon 1 --privacy 1,1e-6
design count --range 0:3 --exp-epsilon 2 --privacy 1,1e-6
design count --range 0:3 --privacy ''
design count --range 0:3 --privacy 1
design count --range 0:3 --privacy 1,2
design count --range 0:3 --privacy 1,1e-6,3
design count --range 0:3 --privacy '1,1e-6;'
design count --range 0:3 --privacy '1,1e-6;;2,1e-7'
design count --range 0:3 --privacy x,1e-6
design count --range 0:3 --privacy -1,1e-6
design count --range 0:3 --privacy 1,
design count --range 0:3 --privacy ',1e-6'
design count --range 0:3 --privacy 1,1e-6 --delta 0.1
design count --range 0:3 --privacy 1,1e-6 --definition per-outcome
design count --range 0:3 --privacy 1,1e-6 --least delta
design count --range 0:3 --privacy
design count --range 0:3 --epsilon 1 --least delta --delta 0.1
design count --range 0:3 --epsilon 1 --out m.csv --out x.txt
design count extra --range 0:3 --epsilon 1
design count --range 0:5000 --privacy 1,1e-6 --raw --out x.json
design mean
design mean --range 1:5 --epsilon 1
design mean --records 28 --epsilon 1
design mean --records 0 --range 1:5 --epsilon 1
design mean --records -3 --range 1:5 --epsilon 1
design mean --records many --range 1:5 --epsilon 1
design mean --records 2.5 --range 1:5 --epsilon 1
design mean --records 3 --range 5:1 --epsilon 1
design mean --records 3 --range 5:5 --epsilon 1
design mean --records 3 --range 1:5 --epsilon 1 --records-per-person 4
design mean --records 3 --range 1:5 --epsilon 1 --structure symmetric
design mean --records 999999999 --range 1:5 --epsilon 1
design total
design total --records 3 --epsilon 1
design total --range 0:3 --epsilon 1
design total --records 3 --range 0:3
design total --records 0 --range 0:3 --epsilon 1
design total --records 3 --range 3:3 --epsilon 1
design total --records 3 --range 3:0 --epsilon 1
design total --records 3 --range 0:3 --epsilon 1 --adjacency swap
design total --records 3 --range 0:3 --epsilon 1 --adjacency ''
design total --records 3 --range 0:3 --epsilon 1 --adjacency
design total --records 3 --range 0:3 --epsilon 1 --records-per-person 4
design total --records 3 --range 0:3 --epsilon 1 --records-per-person 0
design total --records 99999999999999999999 --range 0:3 --epsilon 1
design total --records 3 --range 0:999999999999 --epsilon 1
design total --records 3 --range 0:3 --epsilon 1 --neighbours change
design extremum
design extremum --range 7:1 --epsilon 1
design extremum --range 1:7 --epsilon 1 --records 3
design extremum --range 1:7 --epsilon 1 --records-per-person 2
design extremum --range 1:7 --epsilon zero
design categories
design categories --epsilon 1
design categories --of red --epsilon 1
design categories --of '' --epsilon 1
design categories --of red,red --epsilon 1
design categories --of red,green
design categories --of red,green --epsilon 1 --loss absolute
design categories --of red,green --epsilon 1 --loss distance
design categories --of red,green --epsilon 1 --distance 0,1
design categories --of red,green --epsilon 1 --distance 'a,b;c,d'
design categories --of red,green --epsilon 1 --range 0:1
design categories --categories red,green --epsilon 1
design categories red,green --epsilon 1
design histogram
design histogram --range 0:9
design histogram --epsilon 1
design histogram --range 0:9 --epsilon 0
design histogram --range 0:9 --epsilon -1
design histogram --range 0:9 --epsilon 'ln 2' --adjacency change
design histogram --range 0:9 --exp-epsilon 2 --records-per-person 2
design histogram --range 0:9 --epsilon 1 --exp-epsilon 2
design histogram --range 0:9 --epsilon 1 --adjacency replace
design histogram --range 0:9 --epsilon 1 --records-per-person 0
design histogram --range 0:9 --epsilon 1 --records-per-person 2 --delta 0.001
design histogram --range 0:9 --epsilon 1 --delta 2
design histogram --range 0:9 --epsilon 1 --privacy 1,1e-6
design histogram --range 0:9 --epsilon 1 --least delta
design histogram --range 9:0 --epsilon 1
design histogram --range 0:9 --epsilon 1 --cells 5
design residues --modulus 5 --epsilon 1
design residues --modulus 5 --distances 7 --epsilon 1
design residues --modulus 5 --distances 1 --epsilon 1 --structure symmetric
design vector --moduli 3,3 --epsilon 1
design vector --moduli 3,3 --distances 1 --changes sideways --epsilon 1
design graph --epsilon 1
design graph --edges a,b --epsilon 1 --of a,b
find
find delta
find epsilon
find epsilon question --query count
find epsilon histogram --range 0:3 --target 1
find epsilon count --range 0:3
find epsilon count --range 0:3 --target 1 --epsilon 1
find epsilon count --range 0:3 --target 1 --privacy 1,1e-6
find accuracy count --range 0:3 --epsilon 1 --accuracy 0.5
find accuracy count --epsilon 1
find half-width mean --records 3 --range 0:3 --epsilon 1
find half-width count --range 0:3 --epsilon 1 --half-width 1
find half-width count --range 0:3 --epsilon 1 --highest 2.5
find epsilon missing.toml --target 1
find epsilon text.toml --target 1
least-epsilon count --range 0:3 --target 1
largest-accuracy count --range 0:3 --epsilon 1
least-half-width count --range 0:3 --epsilon 1
solvers
doctor solvers
frontier histogram --range 0:3 --at 1
frontier count --range 0:3 --at 1 --privacy 1,1e-6
compare histogram --range 0:3 --epsilon 1
prices count --range 0:3
export-model count --range 0:3 --epsilon 1 --format xml
verify mechanism.csv missing.toml
verify mechanism.csv text.toml
verify mechanism.csv empty.toml
verify mechanism.csv folder.json.toml
verify mechanism.csv table.csv
verify mechanism.csv question.toml --instance other
verify mechanism.csv --instance other
verify mechanism.certificate.json question.toml
verify mechanism.csv --query count --range 0:3 --epsilon 1
verify table.csv
verify table.csv question.toml
card mechanism.certificate.json question.toml
card table.csv
card mechanism.csv question.toml --out question.toml
card mechanism.csv --formulation croft
report mechanism.certificate.json question.toml
report mechanism.csv missing.toml
report mechanism.csv wrong-rule.toml
report mechanism.csv --epsilon 1
crosscheck missing.toml
crosscheck question.toml --quick
crosscheck question.toml --family croft
crosscheck --query count --range 0:3 --epsilon 1
crosscheck --instance a
design wrong-rule.toml
design no-rule.toml
design far-rule.toml
design rule-text.toml
design pairs.toml
design unknown.toml
design both.toml
""".splitlines()

PRIVACY = 'privacy = {kind = "pure", epsilon = "1"}\n'
QUESTION = f'[question]\nquery = {{kind = "count", smallest = 0, largest = 3}}\n{PRIVACY}'
RULE = '[[question.rules]]\nname = "a"\nentries = [{}]\nsense = "<="\nright = "0.1"\n'
ASKED = {
    "question.toml": QUESTION,
    "wrong-rule.toml": QUESTION + RULE.format("[0, 1]"),
    "far-rule.toml": QUESTION + RULE.format("[9, 9, 1]"),
    "no-rule.toml": QUESTION + "[[question.rules]]\n",
    "rule-text.toml": QUESTION + 'rules = "x"\n',
    "pairs.toml": QUESTION.replace(PRIVACY, "privacy = [[1]]\n"),
    "unknown.toml": QUESTION + 'colour = "red"\n',
    "both.toml": QUESTION.replace(PRIVACY, 'privacy = "1,0.1"\n'),
}
