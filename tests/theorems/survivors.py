"""Mistakes in closed forms that no optimum shows, each with the reason.

Most are no mistakes: the mutant computes the same. A mutant of a theorem that is a bound may also survive
because it is a weaker bound, which is true as well: those reasons name the theorem.
"""
# ruff: noqa: E501 - places are named by their source, however long

from __future__ import annotations

EQUAL = {
    "Equal: a few digits more or fewer, far beyond what a solver has.": """
        powers.enclosure | 2 -> 3
        powers.enclosure | math.ceil(digits * math.log2(10)) + 4 -> 4
        powers.enclosure | math.ceil(digits * math.log2(10)) + 4 -> math.ceil(digits * math.log2(10))
        powers.enclosure | math.ceil(digits * math.log2(10)) + 4 -> math.ceil(digits * math.log2(10)) + 5
        powers.enclosure | math.ceil(digits * math.log2(10)) + 4 -> math.ceil(digits * math.log2(10)) - 4
        powers.enclosure | math.log2(10) -> math.log2(11)
        powers.enclosure | digits_needed + _SPARE_BITS -> _SPARE_BITS
        powers.enclosure | digits_needed + _SPARE_BITS -> digits_needed
        powers.enclosure | digits_needed + _SPARE_BITS -> digits_needed - _SPARE_BITS
    """,
    "Equal, or only beyond e^300, where the error rate is far below what a solver has.": """
        powers.Doubles.grow | exponent += math.log(value.numerator) - math.log(value.denominator) -> exponent -= math.log(value.numerator) - math.log(value.denominator)
        powers.Doubles.grow | exponent += math.log(value.numerator) - math.log(value.denominator) -> pass
        powers.Doubles.grow | math.exp(-_SAFE_EXPONENT) -> math.exp(_SAFE_EXPONENT)
        powers.Doubles.grow | math.log(value.numerator) - math.log(value.denominator) -> math.log(value.numerator)
        powers.Doubles.grow | math.log(value.numerator) - math.log(value.denominator) -> math.log(value.numerator) + math.log(value.denominator)
    """,
    "Equal: a short cut; without delta the loop changes nothing.": """
        kadam_single._pieces | delta == 0 -> delta == 1
    """,
    "Equal: what is yielded is better than the best so far.": """
        kadam_sets.best_noise | smaller(best, value) -> value
        kadam_sets.set_required_delta | smaller(best, reduce(larger, finite)) -> reduce(larger, finite)
    """,
    "Equal: a cut behind the end of a column adds a mass to no end.": """
        kadam_columns._column_cuts | b + 1 -> b + 1 + 1
        kadam_columns._column_cuts | b + 1 -> b + 2
    """,
    "Equal: any negative number ends a path.": """
        extremum_least._shortest | [-1] -> [-2]
    """,
    "Equal: another start, from which the search goes on until nothing improves.": """
        extremum_least._best_set | len(cost).bit_length() - 1 -> len(cost).bit_length()
        extremum_least._best_set | len(cost).bit_length() - 1 -> len(cost).bit_length() - 1 + 1
        extremum_least._best_set | len(cost).bit_length() - 1 -> len(cost).bit_length() - 2
        extremum_least._best_set | range(1, len(cost).bit_length() - 1) -> range(2, len(cost).bit_length() - 1)
        extremum_least._best_set | stride // 2 -> stride // 2 + 1
        extremum_least._best_set | stride // 2 -> stride // 3
    """,
    "Equal: it names the kind of number, which is known already.": """
        sadeghi.theorem_2_index | law.E * 0 + (k + 1) -> k + 1
        sadeghi_delta.least_true_shape | law.E * 0 + 1 -> 1
        sadeghi_delta.least_true_shape | law.E * 0 + 1 -> 1 #1
        sadeghi_delta.least_true_shape | law.E * 0 + 1 -> 1 #2
        sadeghi_letters.Law.__post_init__ | zero + 1 -> 1
    """,
    "Equal: one bound more is asked about, and k = D + 2 says what k = D + 1 does.": """
        sadeghi.theorem_2_index | law.D + 1 -> law.D + 1 + 1
        sadeghi.theorem_2_index | law.D + 1 -> law.D + 2
    """,
    "Equal: one m more is asked about, at which half the weights rise already.": """
        sadeghi_delta.least_true_shape | half + 1 -> half + 1 + 1
        sadeghi_delta.least_true_shape | half + 1 -> half + 2
    """,
    "Equal: past the knee no order is read.": """
        sadeghi_delta.least_true_shape | Shape('knee', 0) -> Shape('knee', 1)
    """,
    "Equal: the objection has seen to it that errors cost alike.": """
        approximate_question._error_cost | Fraction(0) -> Fraction(1)
        approximate_question._error_cost | Fraction(0) -> Fraction(1) #1
    """,
    "Equal: the cost is divided by the weight, and multiplied again.": """
        approximate_question._error_cost | Fraction(1) -> Fraction(2) #1
    """,
    "Equal: sums, lists or starting values that nothing reads.": """
        sadeghi_letters.Law.__post_init__ | self.D + 2 -> self.D + 2 + 1
        sadeghi_letters.Law.__post_init__ | self.D + 2 -> self.D + 3
        extremum_fair._ratios | 0 * loss[0] -> 1 * loss[0]
        extremum_fair._ratios | loss[0] -> loss[1]
        kadam_any._others | max(counts) + 1 -> max(counts) + 1 + 1
        kadam_any._others | max(counts) + 1 -> max(counts) + 2
        kadam_columns._column_staircase | b + 2 -> b + 3
        kadam_columns._column_staircase | b + 2 -> b + 3 #1
    """,
    "Equal: all truths have one weight there.": """
        croft_question.losses_of | objective.weights[0] -> objective.weights[1]
    """,
    "Equal: one noise more is tried, whose masses are those without leak; all together were too many before.": """
        kadam_bounded.shorten | range(1, n) -> range(1, n + 1)
        kadam_single._leaking_steps | cycle - 1 -> cycle
        kadam_single._leaking_steps | cycle - 1 -> cycle + 1
        kadam_single._leaking_steps | cycle // 2 if symmetric else cycle - 1 -> (cycle // 2 if symmetric else cycle - 1) + 1
    """,
    "Equal: the mass at 0 counts as one, whatever is listed.": """
        kadam_bounded.shorten | (1,) -> (2,) #2
        kadam_bounded.shorten | (1,) -> (2,) #3
    """,
    "Equal: the first level is never shortened, so that with two levels no mass is alone.": """
        kadam_bounded._continue | len(masses) > 1 -> len(masses) > 2 #1
    """,
    "Equal: the search finds something at least as good as what it starts from.": """
        kadam_staircase.least_error_rate | powers.number(1) -> powers.number(2)
        kadam_staircase.least_required_delta | powers.number(1) -> powers.number(2)
        kadam_sets.best_noise | 1 - delta -> 1 + delta
        kadam_sets.best_noise | 1 - delta -> 1
        kadam_sets.best_noise | 1 - delta -> 2 - delta
        kadam_sets.set_required_delta | powers.number(0) -> powers.number(1)
        kadam_sets.best_noise | smaller(rate, alone) -> alone
        kadam_sets.best_noise | smaller(rate, alone) -> rate
    """,
    "Equal in the search over steps, which has cut off such noise before; for columns a lower bound, smaller.": """
        kadam_staircase._reaches | powers.number(1) -> powers.number(2)
    """,
    "Equal: a lone mass reaches any accuracy up to one by either rule.": """
        kadam_staircase._reaches | sum(stairs.masses) == 1 -> sum(stairs.masses) == 2
        kadam_staircase._reaches | accuracy <= 1 -> accuracy <= 2
    """,
    "Equal: the mirror image of the noise.": """
        kadam_any.cayley_levels | place + step -> place - step
        kadam_sets._Walk.outward | place + distance -> place - distance
    """,
    "Equal: of the levels only whether there is one counts for the value.": """
        kadam_sets._Walk.__init__ | [0] -> [1]
        kadam_sets._Walk._decide | level + 1 -> level - 1 #1
        kadam_sets._Walk._decide | level + 1 -> level #1
        kadam_sets._Walk._decide | level + 1 -> 1 #1
        kadam_sets._Walk._decide | level + 1 -> level + 2 #1
    """,
    "Equal: it concerns the noise, not its error rate.": """
        kadam_sets.best_noise | (0, *[None] * (modulus - 1)) -> (1, *[None] * (modulus - 1))
        kadam_sets.best_noise | modulus - 1 -> modulus + 1
        kadam_sets.best_noise | modulus - 1 -> modulus
        kadam_sets.best_noise | modulus - 1 -> modulus - 2
        kadam_sets.best_noise | (1,) -> (2,)
        kadam_single._pieces | cycle - 1 -> cycle
        kadam_single._pieces | cycle - 1 -> cycle + 1
        kadam_single._pieces | cycle - 1 -> cycle - 2
    """,
    "Equal: less is cut off, and falls away at the end.": """
        kadam_sets.set_required_delta | powers.number(1) -> powers.number(2)
    """,
}

UNSEEN = {
    "Remark 3 of Kadam, false as printed: wrong before and after.": """
        kadam_single | of.cycle + 1 -> of.cycle + 2
    """,
    "Least delta without bias, a lower bound: smaller.": """
        unbiased.least_share | step ** 2 -> step ** 3 #1
    """,
    "Limits of the error rate, upper bounds: larger.": """
        kadam_bounded.bounded_limit | near + powers.complement() -> near
        kadam_bounded.bounded_limit | near + powers.complement() -> powers.complement()
        kadam_bounded.bounded_limit_printed | smaller(powers.number(Fraction(1, 2)), bounded_limit(powers, largest)) -> powers.number(Fraction(1, 2))
        kadam_single.single_limit_printed | smaller(powers.number(Fraction(1, 2)), single_limit(powers)) -> powers.number(Fraction(1, 2))
    """,
    "Lemma 1, a lower bound: another k gives another of the bounds, which holds and is smaller.": """
        sadeghi.type_one_bound | min(theorem_2_index.formula(law), law.D) -> theorem_2_index.formula(law)
        sadeghi.type_one_bound | min(theorem_2_index.formula(law), law.D) -> law.D
    """,
    "Lemma 2, a lower bound: that of a wider noise, which is smaller.": """
        sadeghi.type_two_bound | law.D -> law.D + 1
    """,
    "The floor of counts from 1, a lower bound: smaller, or that of another number of steps, which holds as well.": """
        sadeghi_general.count_one_floor | largest <= 1 -> largest <= 2
        sadeghi_general.count_one_floor | law.S[z] -> law.S[z + 1]
        sadeghi_general.count_one_floor | law.C * floor - 2 -> law.C * floor - 3
        sadeghi_general.count_one_floor | floor + power * (z + 1) -> floor - power * (z + 1)
        sadeghi_general.count_one_floor | floor + power * (z + 1) -> floor
        sadeghi_general.count_one_floor | floor + power * (z + 1) -> power * (z + 1)
        sadeghi_general.count_one_floor | z + 1 -> z - 1
        sadeghi_general.count_one_floor | z + 1 -> z
        sadeghi_general.count_one_floor | z + 1 -> 1
        sadeghi_general.count_one_floor | law.S[z] -> law.S[z + 1] #1
        sadeghi_general.count_one_floor | z + 1 -> z + 2 #1
        sadeghi_general.count_one_floor | law.C * floor - 2 -> law.C * floor - 3 #1
        sadeghi_general.count_one_floor | larger((law.C * floor - 2) / price, law.E * 0) -> (law.C * floor - 2) / price
        sadeghi_general.count_one_floor | larger((law.C * floor - 2) / price, law.E * 0) -> law.E * 0
    """,
    "The chain of counts from 1, a lower bound: that of a wider noise, which is smaller.": """
        sadeghi_general.count_one_chain | law.D -> law.D + 1
    """,
    "Multiples of the delta for single outcomes, upper bounds: larger.": """
        sadeghi_delta.true_delta_bound | law.D + 1 -> law.D + 2
        sadeghi_delta.claimed_true_delta | 2 * law.D + 1 -> 2 * law.D + 2
    """,
}


def places(listed: dict[str, str]) -> set[str]:
    """Return the mutants of a list, without their reasons."""
    return {line.strip() for text in listed.values() for line in text.splitlines() if line.strip()}
