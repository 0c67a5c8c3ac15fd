(* Noise with thresholds by hand: numbers of check_noise.py, and what is refused. *)
From Coq Require Import List ZArith.
From Optmech Require Import Spec Enclosure Noise Losses Minorant Chain Examples Spends NoiseLoss Attained RowClaims.
Import ListNotations.
Open Scope Z_scope.

Definition noise_of (p a t b : Z) (l : list Z) : noise :=
  {| period := p; first := a; size := length l; whole := 2 ^ b; tail := t; cumulative := fun i => nth i l 0 |}.

(* noise-by-hand.json: a count 0..1 at epsilon = ln 2 and delta = 1/4 has objective and bound 1/2. *)
Definition by_hand (delta : Z * Z) (z : noise) (t : Z) (claim : Z * Z) : option Z :=
  check_row 2 2 [approximate (Log 2 1) (fst delta) (snd delta)] false absolute 1 [two] z (fun _ => t) claim (2 ^ 192) (- 2 ^ 194)
    [prepare 0 [0%nat] []; prepare 1 [1%nat] []; one_step 0 1 1 0 None].
Definition quarters : noise := noise_of 1 (-1) 0 2 [0; 1; 3; 4].
Example count_of_two_whole : by_hand (1, 4) quarters 1 (1, 2) = Some (2 ^ 191).
Proof. vm_compute. reflexivity. Qed.
Example spent_more : by_hand (1, 5) quarters 1 (1, 2) = None.
Proof. vm_compute. reflexivity. Qed.
Example another_objective : by_hand (1, 4) quarters 1 (1, 3) = None.
Proof. vm_compute. reflexivity. Qed.
Example another_threshold : by_hand (1, 4) quarters 2 (1, 2) = None.
Proof. vm_compute. reflexivity. Qed.
Example beyond_always : by_hand (1, 4) quarters 5 (1, 2) = None.
Proof. vm_compute. reflexivity. Qed.
Example fallen_noise : by_hand (1, 4) (noise_of 1 (-1) 0 2 [0; 3; 1; 4]) 1 (1, 2) = None.
Proof. vm_compute. reflexivity. Qed.
Example unended_noise : by_hand (1, 4) (noise_of 1 (-1) 0 2 [0; 1; 3; 3]) 1 (1, 2) = None.
Proof. vm_compute. reflexivity. Qed.

(* Tails of a factor 1/8; the last threshold is the one that everything is below. *)
Definition with_tails : noise := noise_of 1 7 1 3 [4; 5; 5; 8].
Example spends_of_tails : map (fun e => spends with_tails (fst e) (snd e)) [(2, 1); (3, 2); (8, 1)] = [48; 100; 32].
Proof. vm_compute. reflexivity. Qed.
Example loss_of_tails : noise_loss with_tails 6 6 absolute (fun j => nth j [9; 10; 11; 14; 16] 0) = 177.
Proof. vm_compute. reflexivity. Qed.
(* F at 6 is 5/8 of F at 8, more than F at 7. *)
Example fallen_tails : Law.law_ok (noise_of 2 7 5 3 [1; 3; 4; 7]) = false.
Proof. vm_compute. reflexivity. Qed.
