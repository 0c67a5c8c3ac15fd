(* No mechanism on truths in a row under pure privacy loses less than two lines for each step prove, one for each of two
   truths in a row: Theorem tails_bounded. Any two such truths serve. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings Tails.
Import ListNotations.
Open Scope R_scope.

(* The least of the larger of A + B x and A' + B' x, x from 0 on, up to 1 if it ends there. If it does not, and both fall,
   there is none but 0. *)
Definition least_from_zero (l l' : Z * Z) (ends : bool) : Z :=
  let '((a, b), (c, d)) := if (snd l <=? snd l')%Z then (l, l') else (l', l) in
  (if (0 <=? d) && ((0 <=? b) || (a <=? c)) then Z.max a c
   else if ends && ((d <? 0) || (c + d <=? a + b)) then Z.max (a + b) (c + d)
   else if 0 <=? d then (a * d - c * b) / (d - b) else 0)%Z.

Section Bound.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one error a whole : Z) (k : walk).
(* The line of truth h, for step j; g is the first of the two truths. *)
Definition line_of (j g h : nat) : Z * Z :=
  let base := (between w loss q even k j (S h) * one)%Z in
  let own := beside q one k j (S h) in let other := beyond n q one k j (S h) in
  let less := ((other - error) * a / whole)%Z in
  let scaled (further : bool) b := if further then (b * whole / a)%Z else b in
  if (g <=? j)%nat then (base + (own - error), scaled (h =? g)%nat (less - (own + error)))%Z
  else (base + less, scaled (negb (h =? g)%nat) (own - error - - (- ((other + error) * a) / whole)))%Z.
Definition step_bound (j g : nat) : Z :=
  Z.max 0 (least_from_zero (line_of j g g) (line_of j g (S g)) ((g =? j)%nat || (g =? S j)%nat)).
Fixpoint bound_runs (bend_most half twice : nat) (runs : list (nat * nat)) (j : nat) (s : Z) : option Z :=
  match runs with
  | [] => if (j =? half)%nat then Some s else None
  | (count, g) :: rest =>
      if (1 <=? count)%nat && (j + count <=? half)%nat && (g + count <? n)%nat &&
         ((count =? 1)%nat || steady n k bend_most j (S g) (j + (count - 1)) (S (S g) + (count - 1)))
      then bound_runs bend_most half twice rest (j + count)%nat
             (s + Z.of_nat (count + (Nat.min (j + count) twice - j)) * step_bound j g)%Z
      else None
  end.
End Bound.

Definition decay_of (x : factors) (whole : Z) : Z := (whole * f_den x / f_num x)%Z.
Definition is_pure (p : privacy) (x : factors) : bool :=
  encloses (eps p) x && match kind p, delta p with OfSets, Some (d, b) => (d =? 0)%Z && (0 <? b)%Z | _, _ => false end.
Definition tails_bound (p : privacy) (x : factors) (n : nat) (w loss : nat -> Z) (unit whole : Z) (k : walk) (runs : list (nat * nat))
    (twofold : bool) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let q := shape_of n loss in let heavy := heaviest n w 0 in let even := is_even n w in
  let a := decay_of x whole in let one := fine a whole in
  is_pure p x && question_ok n w loss unit heavy && (0 <=? on)%Z && (0 <? od)%Z &&
  if (a <=? 0)%Z then (on * unit <=? od * loss_constant n n (ByDistance w loss))%Z
  else
    walk_ok n w q even a whole k && (negb twofold || all n (fun f => mirrored n w f =? w f)%Z) &&
    let half := if twofold then Nat.div2 n else (n - 1)%nat in
    match bound_runs n w loss q even one (error n q heavy a whole) a whole k (furthest (bends q) 0) half
            (n - 1 - half) runs 0 0 with
    | Some s => (on * (unit * one) <=? od * (loss_constant n n (ByDistance w loss) * one + s))%Z
    | None => false
    end.
