(* What the theorems rest on; `make axioms` compares it with axioms.txt. *)
From Optmech Require Import Enclosure Matrix Bound Claims Words Losses Homes Kinds Ties Limits.
Print Assumptions encloses_sound.
Print Assumptions matrix_sound.
Print Assumptions loss_exact.
Print Assumptions bound_sound.
Print Assumptions certificate_sound.
Print Assumptions column_monotone_spec.
Print Assumptions column_honest_spec.
Print Assumptions row_monotone_spec.
Print Assumptions row_honest_spec.
Print Assumptions unbiased_spec.
Print Assumptions bounded_at_spec.
Print Assumptions bounded_spec.
Print Assumptions within_reach_spec.
Print Assumptions loss_in_words_spec.
Print Assumptions cost_in_words_spec.
Print Assumptions home_spec.
Print Assumptions rise_spec.
Print Assumptions fall_spec.
Print Assumptions is_range_spec.
Print Assumptions difference_spec.
Print Assumptions residue_spec.
Print Assumptions is_listed_spec.
Print Assumptions vector_neighbours_spec.
Print Assumptions names_spec.
Print Assumptions within_limits_spec.
