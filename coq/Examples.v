(* Certificates by hand, and some that are refused. Bounds of noise with thresholds: numbers of check_noise.py, for files of
   docs/certificate.md and of tests/vectors. *)
From Coq Require Import List ZArith.
From Optmech Require Import Spec Sums Noise Steps Spends Thresholds Decayed Tails TailsBound Prices Chain RowClaims.
From Optmech Require Levels.
Import ListNotations.
Open Scope nat_scope.

Definition number (l : list nat) (d : nat) : nat := nth (d - 1) l 99.
Definition prepare (slot : nat) (ups acrosses : list nat) : task :=
  Prepare slot {| up := number ups; across := number acrosses; up_to := length ups; across_to := length acrosses |}.
Definition one_step (j b f i : nat) (sure : option (nat -> nat)) : task :=
  Step {| at_step := j; alike := 1; before := b; behind := f; for_place := i; for_next := S i; certain := sure |}.
Definition absolute : losses := ByDistance (fun _ => 1%Z) Z.of_nat.

(* noise-by-hand.json: a count 0..1 at epsilon = ln 2 and delta = 1/4 has the bound 1/2. *)
Definition approximate (e : epsilon) (n d : Z) : privacy := {| kind := OfSets; eps := e; delta := Some (n, d) |}.
Definition two : factors := {| e_num := 2; e_den := 1; f_num := 2; f_den := 1; squarings := 0; fraction_bits := 0 |}.
Example count_of_two :
  bound_of_row 2 2 [approximate (Log 2 1) 1 4] false absolute 1 [two] (2 ^ 192) (- 2 ^ 194)
    [prepare 0 [0] []; prepare 1 [1] []; one_step 0 1 1 0 None] = Some (2 ^ 191)%Z.
Proof. vm_compute. reflexivity. Qed.
(* No hint is believed: others make the bound weaker. *)
Example count_of_two_by_other_lines :
  bound_of_row 2 2 [approximate (Log 2 1) 1 4] false absolute 1 [two] (2 ^ 192) (- 2 ^ 194)
    [prepare 0 [1] []; prepare 1 [1] []; one_step 0 1 1 0 None] = Some (3 * 2 ^ 189)%Z.
Proof. vm_compute. reflexivity. Qed.
(* A step counts once. *)
Example step_twice :
  bound_of_row 2 2 [approximate (Log 2 1) 1 4] false absolute 1 [two] (2 ^ 192) (- 2 ^ 194)
    [prepare 0 [0] []; prepare 1 [1] []; one_step 0 1 1 0 None; one_step 0 1 1 0 None] = None.
Proof. vm_compute. reflexivity. Qed.

(* noise-zero-stays-zero.json: a count 0..3 at delta = 1/20 and epsilon = 1, here the logarithm of its upper factor *)
Definition e_top : Z := 8945890273625559540471186726013295574399508310517368275028229159.
Definition e_bottom : Z := 3291009114642412084309938365114701009965471731267159726697218048.
Definition euler : factors :=
  {| e_num := e_top; e_den := e_bottom; f_num := e_top; f_den := e_bottom; squarings := 0; fraction_bits := 0 |}.
Definition all_of (l : list nat) : option (nat -> nat) := Some (fun f => nth f l 99).
Definition zero_stays_zero : list task :=
  [prepare 0 [1] [1; 1]; prepare 1 [99] [1; 1]; one_step 0 1 3 0 (all_of [1]);
   prepare 0 [1; 1] [1]; prepare 1 [1; 99] [1]; one_step 1 2 2 0 (all_of [1; 1]);
   prepare 0 [1; 1; 1] []; prepare 1 [1; 1; 99] []; one_step 2 3 1 0 (all_of [1; 1; 1])].
Example zero_of_four :
  bound_of_row 4 4 [approximate (Log e_top e_bottom) 1 20] true absolute 4 [euler] (2 ^ 192) (- 2 ^ 328) zero_stays_zero
  = Some 26351180306253943658666821967008734779008118232153848660261%Z.
Proof. vm_compute. reflexivity. Qed.
(* Truth 0 is certain in no other question. *)
Example zero_does_not_stay :
  bound_of_row 4 4 [approximate (Log e_top e_bottom) 1 20] false absolute 4 [euler] (2 ^ 192) (- 2 ^ 328) zero_stays_zero = None.
Proof. vm_compute. reflexivity. Qed.

(* noise-coarse-responses.json: truths 0..3 of weights 1/10 .. 4/10, responses 0, 2 and 4, costs over 5 *)
Definition coarse_costs (r f : nat) : Z := nth f (nth r [[0; 1; 3; 6]; [1; 1; 0; 2]; [2; 3; 3; 2]]%Z []) 0%Z.
Example coarse_responses :
  bound_of_row 3 4 [approximate (Log e_top e_bottom) 1 20] false (Listed coarse_costs (fun j => nth j [1; 3] 0)) 5
    [euler] (2 ^ 192) (- 2 ^ 328)
    [prepare 0 [0] [0; 0]; prepare 1 [1] [0; 0]; one_step 0 1 3 0 None;
     prepare 0 [99; 99; 99] []; prepare 1 [99; 99; 99] []; one_step 1 3 1 0 None]
  = Some 22095099611859536814194156115819043905836324213880255280379%Z.
Proof. vm_compute. reflexivity. Qed.
(* A home that the signs contradict is refused. *)
Example wrong_home :
  bound_of_row 3 4 [approximate (Log e_top e_bottom) 1 20] false (Listed coarse_costs (fun j => nth j [3; 3] 0)) 5
    [euler] (2 ^ 192) (- 2 ^ 328) [] = None.
Proof. vm_compute. reflexivity. Qed.

(* ==== Noise with thresholds by hand: numbers of check_noise.py, and what is refused. *)
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
Example fallen_tails : law_ok (noise_of 2 7 5 3 [1; 3; 4; 7]) = false.
Proof. vm_compute. reflexivity. Qed.

(* ==== The certificate that docs/certificate.md, "All tails", follows by hand: a count 0..1 at epsilon = ln 2, in 2^64ths. *)

Definition pure_ln_2 : privacy := {| kind := OfSets; eps := Log 2 1; delta := Some (0, 1) |}.
Definition two_once : factors := {| e_num := 2; e_den := 1; f_num := 2; f_den := 1; squarings := 1; fraction_bits := 0 |}.
Definition all_tails (tail : Z) : noise := {| period := 1; first := -1; size := 2; whole := 2^64; tail := tail;
  cumulative := fun i => nth i [6148914691236517206; 12297829382473034410] 0 |}.
Definition each (_ : nat) : Z := 1.
(* Half of 1 is what decays from a truth to the next. *)
Definition halves : decayed := {| listed_mass := fun h => nth h [2^88; 2^88 + 2^87] 0; listed_arm := fun _ => 0; resting := 2;
  listed_fade := fun k => nth k [2^88; 2^87] 0; fades := 2 |}.
Definition beside_it : walk := {| left_sums := halves; right_sums := halves; plain_sums := halves |}.
Definition by_lines : tails_proof := Lines beside_it [(1, 0)]%nat true.
Definition by_prices (extra : Z) : tails_proof := Prices 1 0 halves halves (fun j => j) (fun _ => extra).
Definition checked (tail : Z) (proof : tails_proof) (objective bound : Z * Z) : bool :=
  check_tails pure_ln_2 two_once (all_tails tail) 2 each Z.of_nat 1 (fun _ => 0) (fun _ => 2%nat) beside_it [1%nat] proof
    objective bound.

Definition stated : Z * Z := (7089215977519551332145624028087844865, 10633823966279326983230456482242756608).
Definition proved : Z * Z := (1537228672809129297, 2305843009213693952).
Example by_hand_accepted : checked (2^63) by_lines stated proved = true.
Proof. vm_compute. reflexivity. Qed.
(* Rounding leaves the objective a hair above 2/3, and the bound a hair below. *)
Example objective_too_small : checked (2^63) by_lines (2, 3) proved = false.
Proof. vm_compute. reflexivity. Qed.
Example bound_too_large : checked (2^63) by_lines stated (2, 3) = false.
Proof. vm_compute. reflexivity. Qed.
(* With a longer tail one shift of the noise spends no more, but the objective is larger. With a shorter one it spends more. *)
Example tail_moved : checked (2^63 + 1) by_lines stated proved = false.
Proof. vm_compute. reflexivity. Qed.
Example tail_too_short : checked (2^63 - 1) by_lines (1, 1) proved = false.
Proof. vm_compute. reflexivity. Qed.
(* Prices of 1/3 for each truth prove 2/3, too, but for what rounding may lose. Prices of 1/2 prove no more than 1/2. *)
Example prices_accepted : checked (2^63) (by_prices (2^88 / 3)) stated (2 * (2^88 / 3) - 2^8, 2^88) = true.
Proof. vm_compute. reflexivity. Qed.
Example price_bound_too_large : checked (2^63) (by_prices (2^88 / 3)) stated (2 * (2^88 / 3), 2^88) = false.
Proof. vm_compute. reflexivity. Qed.
Example prices_too_large : checked (2^63) (by_prices (2^87)) stated (1, 2) = false.
Proof. vm_compute. reflexivity. Qed.

(* ==== Counts on two levels that weigh as much: a cut that tries 2^17 whole counts holds, and one that tries more is refused. *)
Definition two_levels (room : Z) : bool :=
  Levels.cut_holds (fun _ => 1) 1 room {| Levels.counted := [(1%nat, 1); (2%nat, 1)]; Levels.cut_limit := room |}.
Example cut_of_most : two_levels (2^17 - 1) = true.
Proof. vm_compute. reflexivity. Qed.
Example cut_of_more : two_levels (2^17) = false.
Proof. vm_compute. reflexivity. Qed.
