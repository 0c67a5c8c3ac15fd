(* Noise with thresholds, for truths in a row: no matrix, but the law of a sum and the places between its responses.
   Claims only, as in Spec.v. *)
From Coq Require Import List ZArith.
From Optmech Require Import Spec.
Import ListNotations.
Open Scope R_scope.

(* ---- A question on truths in a row: each is the neighbour of the next, both ways, and of no other. Any matrix is
   allowed; where zero stays zero response 0 is certain at truth 0. The least total loss is asked for. *)
Definition in_a_row (n : nat) : list (nat * nat * nat) :=
  flat_map (fun f => [(f, S f, 1%nat); (S f, f, 1%nat)]) (seq 0 (n - 1)).
Definition certain_zero : rule := {| terms := [(O, O, 1%Z)]; equation := true; right := 1%Z |}.
Definition row (m n : nat) (ps : list privacy) (zero : bool) (c : nat -> nat -> Z) (unit : Z) : question :=
  {| responses := m; truths := n; neighbours := in_a_row n; privacies := ps;
     name := fun r f => Pos.of_succ_nat (r * n + f); limits := []; limit_unit := 1%Z;
     rules := if zero then [certain_zero] else []; cost := c; cost_unit := unit; aim := TotalLoss |}.

(* ---- Noise Z on whole numbers. P(Z <= l) is cumulative (l - first) over `whole` at the `size` places from `first` on.
   A period further out, on either side, what is left is tail / whole times as much. *)
Record noise := { period : Z; first : Z; size : nat; whole : Z; tail : Z; cumulative : nat -> Z }.
Definition last (z : noise) : Z := (first z + Z.of_nat (size z) - 1)%Z.
Definition listed (z : noise) (l : Z) : R := IZR (cumulative z (Z.to_nat (l - first z))) / IZR (whole z).
(* The number of periods that a place lies outside, d places away: d / period, rounded up. *)
Definition periods (z : noise) (d : Z) : Z := (- ((- d) / period z))%Z.
Definition decay (z : noise) (k : Z) : R := (IZR (tail z) / IZR (whole z)) ^ Z.to_nat k.
Definition below (z : noise) (l : Z) : R :=
  if (l <? first z)%Z then let k := periods z (first z - l) in decay z k * listed z (l + k * period z)
  else if (l <=? last z)%Z then listed z l
  else let k := periods z (l - last z) in 1 - decay z k * (1 - listed z (l - k * period z)).

(* ---- Thresholds: response r is released where period f + Z is above the threshold before r and at most that of r.
   Nothing is below `never`, and everything is below `always`. *)
Definition never (z : noise) : Z := (first z - 1)%Z.
Definition always (z : noise) (n : nat) : Z := (last z + period z * (Z.of_nat n - 1) + 1)%Z.
Definition below_threshold (z : noise) (n : nat) (t : Z) (f : nat) : R :=
  if (t =? never z)%Z then 0 else if (t =? always z n)%Z then 1 else below z (t - period z * Z.of_nat f).
Definition up_to (z : noise) (m n : nat) (threshold : nat -> Z) (r f : nat) : R :=
  if (S r <? m)%nat then below_threshold z n (threshold r) f else 1.
Definition with_noise (z : noise) (m n : nat) (threshold : nat -> Z) : mechanism :=
  fun r f => up_to z m n threshold r f - match r with O => 0 | S k => up_to z m n threshold k f end.
