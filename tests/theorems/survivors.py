"""Mistakes in closed forms that no optimum shows, each with the reason.

Most are no mistakes: the mutant computes the same. Of a theorem that is a bound a mutant may also survive because
it is a weaker bound, which is true as well: those reasons name the theorem.
"""
# ruff: noqa: E501 - places are named by their source, however long

from __future__ import annotations

EQUAL = {
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
        extremum_search._least_of_each | np.zeros(0) -> np.zeros(1)
        kadam_columns.column_staircase | b + 2 -> b + 3
        kadam_columns.column_staircase | b + 2 -> b + 3 #1
        kadam_any.level_counts | max(counts) + 1 -> max(counts) + 1 + 1
        kadam_any.level_counts | max(counts) + 1 -> max(counts) + 2
    """,
    "Equal: a few digits more or fewer, far beyond what a solver has.": """
        sadeghi_letters.Verdict._settled | math.ceil(digits * math.log2(10)) + 2 -> math.ceil(digits * math.log2(10)) - 2
        sadeghi_letters.Verdict._settled | math.ceil(digits * math.log2(10)) + 2 -> math.ceil(digits * math.log2(10))
        sadeghi_letters.Verdict._settled | math.ceil(digits * math.log2(10)) + 2 -> 2
        sadeghi_letters.Verdict._settled | math.log2(10) -> math.log2(11)
        sadeghi_letters.Verdict._settled | math.ceil(digits * math.log2(10)) + 2 -> math.ceil(digits * math.log2(10)) + 3
        sadeghi_letters.Verdict._settled | bits + _GUARD_BITS -> bits
        sadeghi_letters.Verdict._settled | bits + _GUARD_BITS -> _GUARD_BITS
        sadeghi_letters.Verdict._settled | 2 -> 3
    """,
    "Equal: only the weights of the lower half of the draws are read, all alike but the first.": """
        counting.geometric_weights | largest + 1 -> largest + 2
        counting.least_loss | np.size(losses) - 1 -> np.size(losses) + 1
    """,
    "Equal: all truths have one weight there.": """
        croft_question.losses_of | objective.weights[0] -> objective.weights[1]
        extremum._least_loss | objective.weights[0] -> objective.weights[1]
    """,
    "Equal: another coarse selection, from which the search goes on until nothing improves.": """
        extremum_search.best_set | 2 * _FINER -> 3 * _FINER
        extremum_search.best_set | stride // 2 -> stride // 3
    """,
    "Equal: of two representatives none is the other, so that no gap is 0.": """
        extremum_search._StepSums.__init__ | np.maximum(gaps - 1, 0) -> gaps - 1
        extremum_search._StepSums.__init__ | np.maximum(gaps - 1, 0) -> np.maximum(gaps - 1, 1)
    """,
    "Equal: costs that depend on steps alone go unrecognised, and the table of sums serves them as well.": """
        extremum_search._by_steps | cost.shape[0] -> cost.shape[1]
        extremum_search._by_steps | cost[0] -> cost[1]
        extremum_search._by_steps | np.diff(cost[0]) >= 0 -> np.diff(cost[0]) >= 1
        extremum_search._by_steps | cost[0] -> cost[1] #1
        extremum_search._by_steps | (:, 0) -> (:, 1)
        extremum_search._by_steps | 1: -> 2:
        extremum_search._by_steps | 1: -> 2: #1
        extremum_search._by_steps | :-1 -> :-1 + 1
        extremum_search._by_steps | :-1 -> :-1 + 1 #1
        extremum_search._by_steps | :-1 -> :1
        extremum_search._by_steps | :-1 -> :-2
        extremum_search._by_steps | :-1 -> :1 #1
        extremum_search._by_steps | :-1 -> :-2 #1
    """,
    "Equal: predecessors are sought in more places than need be; the response itself, at no step, never helps.": """
        extremum_search._predecessors | before[lower] -> before[lower + 1]
        extremum_search._predecessors | np.minimum(last, rows - 1) -> rows - 1
        extremum_search._predecessors | rows - 1 -> rows
        extremum_search._least_of_each | last - first + 1 -> last - first + 2
    """,
    "Equal but for rounding: predecessors never move back.": """
        extremum_search._predecessors | np.maximum(np.minimum(last, rows - 1), first) -> np.minimum(last, rows - 1)
    """,
    "Equal: the window is the same on both sides.": """
        extremum_search._shortest | before[1:, None] + _WINDOW -> before[1:, None] - _WINDOW
    """,
    "Equal: any negative number ends a path.": """
        extremum_search._swept | [-1] -> [-2]
        extremum_search._swept | (-1, start) -> (-2, start)
    """,
    "Equal: a short cut; without delta the loop changes nothing.": """
        kadam_single.single_error_rate | delta == 0 -> delta == 1
        kadam_single.symmetric_error_rate | delta == 0 -> delta == 1
    """,
    "Equal: one noise more is tried, whose masses are those without leak.": """
        kadam_single.single_error_rate | cycle - 1 -> cycle - 1 + 1
        kadam_single.single_error_rate | cycle - 1 -> cycle + 1 #1
        kadam_single.single_error_rate | cycle - 1 -> cycle #1
        kadam_single.symmetric_error_rate | cycle // 2 -> cycle // 2 + 1
        kadam_bounded.shortened | range(1, n) -> range(1, n + 1)
    """,
    "Equal, or only beyond e^300, where the error rate is far below what a solver has.": """
        kadam_powers.Doubles.grown | math.exp(-_SAFE_EXPONENT) -> math.exp(_SAFE_EXPONENT)
        kadam_powers.Doubles.grown | exponent += math.log(value.numerator) - math.log(value.denominator) -> exponent -= math.log(value.numerator) - math.log(value.denominator)
        kadam_powers.Doubles.grown | exponent += math.log(value.numerator) - math.log(value.denominator) -> pass
        kadam_powers.Doubles.grown | math.log(value.numerator) - math.log(value.denominator) -> math.log(value.numerator) + math.log(value.denominator)
        kadam_powers.Doubles.grown | math.log(value.numerator) - math.log(value.denominator) -> math.log(value.numerator)
    """,
    "Equal: the loop ends in time by itself, since all masses together were found too many before it.": """
        kadam_single.single_required_delta | kept + 1 -> kept - 1
        kadam_single.single_required_delta | kept + 1 -> kept
        kadam_single.single_required_delta | kept + 1 -> 1
        kadam_single.single_required_delta | cycle - 2 -> cycle + 2
        kadam_single.single_required_delta | cycle - 2 -> cycle
        kadam_single.symmetric_required_delta | 2 * (kept + 1) + 1 -> 2 * (kept + 1) - 1
        kadam_single.symmetric_required_delta | 2 * (kept + 1) + 1 -> 2 * (kept + 1)
        kadam_single.symmetric_required_delta | 2 * (kept + 1) + 1 -> 1
        kadam_single.symmetric_required_delta | kept + 1 -> kept - 1
        kadam_single.symmetric_required_delta | kept + 1 -> kept
        kadam_single.symmetric_required_delta | kept + 1 -> 1
    """,
    "Equal: the objection has seen to it that there is a largest distance.": """
        kadam_question.bounded_size | largest_distance(problem) or 0 -> largest_distance(problem) or 1
    """,
    "Equal: the mass at 0 counts as one, whatever is listed.": """
        kadam_bounded.shortened | (1,) -> (2,) #2
        kadam_bounded.shortened | (1,) -> (2,) #3
    """,
    "Equal: the first level is never shortened, so that with two levels no mass is alone.": """
        kadam_bounded._continued | len(masses) > 1 -> len(masses) > 2 #1
    """,
    "Equal: the search finds something at least as good as what it starts from.": """
        kadam_staircase.least_error_rate | powers.number(1) -> powers.number(2)
        kadam_staircase.least_required_delta | powers.number(1) -> powers.number(2)
        kadam_sets._best | 1 - delta -> 1 + delta
        kadam_sets._best | 1 - delta -> 1
        kadam_sets._best | 1 - delta -> 2 - delta
        kadam_sets._best | powers.smaller(rate, alone) -> rate
        kadam_sets._best | powers.smaller(rate, alone) -> alone
        kadam_sets.set_required_delta | powers.number(0) -> powers.number(1)
    """,
    "Equal: a cut behind the end of a column adds a mass to no end.": """
        kadam_columns.column_cuts | b + 1 -> b + 1 + 1
        kadam_columns.column_cuts | b + 1 -> b + 2
    """,
    "Equal in the search over steps, which has cut off such noise before; for columns a lower bound, smaller.": """
        kadam_staircase.required_delta | accuracy <= 0 -> accuracy <= 1 #1
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
        kadam_sets._best | (0, *[None] * (modulus - 1)) -> (1, *[None] * (modulus - 1))
        kadam_sets._best | modulus - 1 -> modulus + 1
        kadam_sets._best | modulus - 1 -> modulus
        kadam_sets._best | modulus - 1 -> modulus - 2
        kadam_sets._best | (1,) -> (2,)
    """,
    "Equal: what is yielded is better than the best so far.": """
        kadam_sets._best | powers.smaller(best, value) -> value
        kadam_sets.set_required_delta | powers.smaller(best, _largest(powers, reached)) -> _largest(powers, reached)
    """,
    "Equal: less is cut off, and falls away at the end.": """
        kadam_sets.set_required_delta | powers.number(1) -> powers.number(2)
    """,
}

UNSEEN = {
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
        sadeghi_general.count_one_floor | law.C * forced - 2 -> law.C * forced - 3
        sadeghi_general.count_one_floor | forced + power * (z + 1) -> forced - power * (z + 1)
        sadeghi_general.count_one_floor | forced + power * (z + 1) -> forced
        sadeghi_general.count_one_floor | forced + power * (z + 1) -> power * (z + 1)
        sadeghi_general.count_one_floor | z + 1 -> z - 1
        sadeghi_general.count_one_floor | z + 1 -> z
        sadeghi_general.count_one_floor | z + 1 -> 1
        sadeghi_general.count_one_floor | law.S[z] -> law.S[z + 1] #1
        sadeghi_general.count_one_floor | z + 1 -> z + 2 #1
        sadeghi_general.count_one_floor | law.C * forced - 2 -> law.C * forced - 3 #1
        sadeghi_letters.positive_part | max(value, value * 0) -> value
        sadeghi_letters.positive_part | max(value, value * 0) -> value * 0
        sadeghi_letters.positive_part | value * 0 -> value * 1
    """,
    "The chain of counts from 1, a lower bound: that of a wider noise, which is smaller.": """
        sadeghi_general.count_one_chain | law.D -> law.D + 1
    """,
    "Multiples of the delta for single outcomes, upper bounds: larger.": """
        sadeghi_delta.true_delta_bound | law.D + 1 -> law.D + 2
        sadeghi_delta.claimed_true_delta | 2 * law.D + 1 -> 2 * law.D + 2
    """,
    "Shows from 128 truths on, whose pairs make two million rows.": """
        extremum_search.best_set | strides[-1] -> strides[-1 + 1] #1
    """,
    "Remark 3 of Kadam, false as printed: wrong before and after.": """
        kadam_single_theorems._remark_3 | _cycle(problem) + 1 -> _cycle(problem) + 2
    """,
    "Limits of the error rate, upper bounds: larger.": """
        kadam_limits.single_limit_printed | powers.smaller(powers.number(Fraction(1, 2)), single_limit(powers)) -> powers.number(Fraction(1, 2))
        kadam_limits.bounded_limit | near + powers.complement() -> near
        kadam_limits.bounded_limit | near + powers.complement() -> powers.complement()
        kadam_limits.bounded_limit_printed | powers.smaller(powers.number(Fraction(1, 2)), bounded_limit(powers, largest)) -> powers.number(Fraction(1, 2))
    """,
    "Lemma 1 of Kadam, an upper bound: that of more answers, which is larger.": """
        kadam_any_theorems._lemma_1 | ask.modulus(problem) - 1 -> ask.modulus(problem) + 1
        kadam_any_theorems._lemma_1 | ask.modulus(problem) - 1 -> ask.modulus(problem)
    """,
    "The mixture at a wanted error rate, a lower bound: smaller.": """
        kadam_any.hockey_stick_required_delta | 1 - accuracy -> 1
        kadam_any.hockey_stick_required_delta | 1 - accuracy -> 2 - accuracy
        kadam_any.hockey_stick_required_delta | powers.larger(powers.number(0), 1 - allowed / pure_error_rate(powers, levels)) -> powers.number(0)
        kadam_any.hockey_stick_required_delta | powers.larger(powers.number(0), 1 - allowed / pure_error_rate(powers, levels)) -> 1 - allowed / pure_error_rate(powers, levels)
    """,
}


def places(listed: dict[str, str]) -> set[str]:
    """Return the mutants of a list, without their reasons."""
    return {line.strip() for text in listed.values() for line in text.splitlines() if line.strip()}
