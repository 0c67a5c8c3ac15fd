(* Noise that is all tails is a mechanism of its question, with the stated objective or less: Theorem tails_attained. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Law Spends Thresholds Decayed Roundings Tails.
Import ListNotations.
Open Scope R_scope.

(* The draw of a threshold at place p is x - 1, x this number of truths. *)
Definition draw (n p : nat) : nat := Nat.min n (p - 1).
Section Loss.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one error whole low high : Z) (k : walk) (place : nat -> nat).
(* What a step adds at most, over one * whole: low and high are F at the two places. *)
Definition step_loss (j : nat) : Z :=
  let p := place j in let x := draw n p in
  (between w loss q even k j x * (one * whole) +
   if (p =? 0)%nat || (p =? n + 2)%nat then 0
   else (whole - high) * (beside q one k j x + error) + low * (beyond n q one k j x + error))%Z.
Definition same_places (count j : nat) : bool :=
  (1 <=? place j)%nat && (place j + count <=? n + 2)%nat && all count (fun i => place (j + i) =? place j + i)%nat.
Fixpoint loss_runs (bend_most : nat) (counts : list nat) (j : nat) (s : Z) : option Z :=
  match counts with
  | [] => if (j =? n - 1)%nat then Some s else None
  | count :: rest =>
      if (1 <=? count)%nat && (j + count <=? n - 1)%nat && ((count =? 1)%nat || (same_places count j &&
           steady n k bend_most j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1))))
      then loss_runs bend_most rest (j + count)%nat (s + Z.of_nat count * step_loss j)%Z else None
  end.
End Loss.

Definition tails_attain (p : privacy) (x : factors) (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z)
    (threshold : nat -> Z) (place : nat -> nat) (k : walk) (counts : list nat) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let q := shape_of n loss in let heavy := heaviest n w 0 in let even := is_even n w in
  let whole := whole z in let one := fine (tail z) whole in
  law_ok z && (size z =? 2)%nat && (period z =? 1)%Z && thresholds_ok z n n threshold && spent_within z (p, x) &&
  question_ok n w loss unit heavy && walk_ok n w q even (tail z) whole k && (0 <? od)%Z &&
  all (n - 1) (fun j => threshold j =? never z + Z.of_nat (place j))%Z &&
  match loss_runs n w loss q even one (error n q heavy (tail z) whole) whole (cumulative z 0) (cumulative z 1) k place
          (furthest (bends q) 0) counts 0 0 with
  | Some s => ((loss_constant n n (ByDistance w loss) * (one * whole) + s) * od <=? on * (unit * (one * whole)))%Z
  | None => false
  end.
