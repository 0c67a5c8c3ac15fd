(* The axioms that the theorems of README.md rest on; `make axioms` compares them with axioms.txt. All at once, so that each
   proof is looked at once. *)
From Optmech Require Import Sums Matrix Lines Bound Levels Cases Claims Words Ties Asked Steps Chain Spends Thresholds Decayed
  Tails TailsBound Prices RowClaims.
Definition theorems :=
  (encloses_sound, pairs_kept_right, recalled_right, matrix_sound, loss_exact, bound_sound, certificate_sound,
   levels_bound_sound, largest_tries, levels_certificate_sound, total_by_steps, lines_sound, row_bound_sound, below_grows,
   below_range, tail_before, tail_behind, spends_gained, set_spent, loss_sound, noise_sound, row_sound, in_a_row_spec,
   row_loss_in_words,
   row_in_words, row_certificate_in_words, tails_certificate_in_words, decayed_sum_sound, tails_attained, tails_bounded,
   prices_bounded, tails_sound, column_monotone_spec, column_honest_spec, row_monotone_spec, row_honest_spec, unbiased_spec,
   bounded_at_spec, bounded_spec, within_reach_spec, is_range_spec, difference_spec, residue_spec, are_vectors_spec,
   is_listed_spec, are_all_pairs_spec, names_spec, within_limits_spec, properties_spec, bound_in_words_spec, home_between,
   question_in_words_spec, is_sound_spec, copied_right, asked_right, certificate_in_words, levels_certificate_in_words,
   sets_spec, pure_spec, sets_entail_outcomes, outcomes_entail_sets, outcomes_pure, mass_entails_sets, mass_pure, home_spec,
   rise_spec, fall_spec, loss_in_words_spec, cost_in_words_spec, levels_fit, cut_sound, least_sum_sound, image_fits,
   value_sound, loss_by_noise).
Print Assumptions theorems.
