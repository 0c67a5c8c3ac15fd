(* What the theorems rest on; `make axioms` compares it with axioms.txt. *)
From Optmech Require Import Enclosure Matrix Bound Claims Words Chain Law Spends Attained RowClaims Roundings TailsLoss TailsBounded PricesBounded TailsClaims.
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
Print Assumptions row_bound_sound.
Print Assumptions spends_gained.
Print Assumptions loss_sound.
Print Assumptions noise_sound.
Print Assumptions row_sound.
Print Assumptions decayed_sum_sound.
Print Assumptions tails_attained.
Print Assumptions tails_bounded.
Print Assumptions prices_bounded.
Print Assumptions tails_sound.
