(* What the theorems rest on; `make axioms` compares it with axioms.txt. *)
From Optmech Require Import Enclosure Matrix Bound Claims.
Print Assumptions encloses_sound.
Print Assumptions matrix_sound.
Print Assumptions loss_exact.
Print Assumptions bound_sound.
Print Assumptions certificate_sound.
