(* Bounds of noise with thresholds by hand: numbers of check_noise.py, for files of docs/certificate.md and of tests/vectors. *)
From Coq Require Import List ZArith.
From Optmech Require Import Spec Enclosure Losses Minorant Chain.
Import ListNotations.

Definition number (l : list nat) (d : nat) : nat := nth (d - 1) l 99.
Definition prepare (slot : nat) (ups acrosses : list nat) : task :=
  Prepare slot {| up := number ups; across := number acrosses; up_to := length ups; across_to := length acrosses |}.
Definition one_step (j b f i : nat) (sure : option (nat -> nat)) : task :=
  Step {| at_step := j; alike := 1; before := b; behind := f; for_place := i; for_next := S i; certain := sure |}.
Definition absolute : losses := ByDistance (fun _ => 1%Z) Z.of_nat.

(* noise-by-hand.json: a count 0..1 at epsilon = ln 2 and delta = 1/4 has the bound 1/2. *)
Definition approximate (e : epsilon) (n d : Z) : privacy := {| kind := OfSets; eps := e; delta := Some (n, d) |}.
Definition two : factors := {| e_num := 2; e_den := 1; f_num := 2; f_den := 1; squarings := 0; scale := 1 |}.
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
  {| e_num := e_top; e_den := e_bottom; f_num := e_top; f_den := e_bottom; squarings := 0; scale := 1 |}.
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
