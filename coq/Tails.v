(* Noise that is all tails: two places are listed, and each place further out is less likely by one factor. The loss of
   each threshold, and what no private mechanism gets below, follow from a few sums over the truths on either side.

   tails_attain p x z n w loss unit threshold place walk counts (on, od) : bool
     the noise z with these thresholds is a mechanism of the question, of an objective on/od or less.
   tails_bound p x n w loss unit whole walk runs twofold (on, od) : bool
     no mechanism of the question has an objective below on/od.
   Of the file and the question:
   - p, x: the privacy, OfSets with delta Some (0, 1), and factors around its e^epsilon;
   - n truths, which are the responses, w their weights, loss d the loss at distance d, 0 <= d <= n, both over `unit`;
   - z: the noise, of period 1 and size 2; cumulative is F itself; whole = 2^bits; tail;
   - threshold j, j < n - 1, is the threshold itself;
   - on/od: the stated objective, or the stated bound.
   Hints, which need not be true; if they are not, the answer is false:
   - place j = threshold j - never z, from 0 to n + 2: the draw of j is place j - 2;
   - walk: sums of weights that decay (Decayed.v) by a / whole in units of 1 / fine a whole; a is tail z for tails_attain,
     and decay_of x whole for tails_bound. `left` is of the weights w, `right` of the weights mirrored, fun f =>
     w (n - 1 - f). mass h, h < resting, is Decayed.masses[h], arm h is Decayed.arms[h] (where the loss is squared),
     fade k, k < fades, is Decayed.powers[k] (where it is not). `plain` is Decayed of w with decay 1: a = whole = fine = 1,
     resting = n, fade 0 = 1, ..., fade (n - 1) = 1, fades = n; where weights are all equal it is not looked at;
   - counts: how many steps in a row look the same, from step 0 on, n - 1 steps in all;
   - runs: the same, each with the truth g of its first step: its draw, moved to a truth from the first one that
     weighs anything to the one before the last such; n - 1 steps in all, or where twofold n / 2;
   - twofold: weights are their own mirror image, and runs list the first half of the steps. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings.
Import ListNotations.
Open Scope R_scope.

Record walk := { left : decayed; right : decayed; plain : decayed }.
Definition mirrored (n : nat) (w : nat -> Z) (f : nat) : Z := w (n - 1 - f)%nat.

(* ---- Sums beside a threshold: of truths before x, and from x on; and the changes of truths between x and j + 1. *)
Section Walk.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one : Z) (k : walk).
Definition beside (j x : nat) : Z := decayed_sum q one (left k) j x.
Definition beyond (j x : nat) : Z := decayed_sum q one (right k) (n - 2 - j) (n - x).
Definition between (j x : nat) : Z :=
  if even then (w O * (loss (apart (S j) x) - loss O))%Z
  else (decayed_sum q 1 (plain k) j (S j) - decayed_sum q 1 (plain k) j x)%Z.
(* From step j and x to j' and x', as many further, all of these stay. *)
Definition steady (bend_most j x j' x' : nat) : bool :=
  (resting (left k) + bend_most <=? S j)%nat && (resting (left k) + bend_most <=? x)%nat &&
  (resting (right k) + bend_most <=? S (n - 2 - j'))%nat && (resting (right k) + bend_most <=? n - x')%nat.
End Walk.
Fixpoint furthest (bs : list (nat * Z)) (most : nat) : nat :=
  match bs with [] => most | (t, _) :: rest => furthest rest (Nat.max most t) end.

Definition question_ok (n : nat) (w loss : nat -> Z) (unit heavy : Z) : bool :=
  (2 <=? n)%nat && (0 <? unit)%Z && signs n n (ByDistance w loss) && (0 <=? loss O)%Z && (1 <=? heavy)%Z.
Definition walk_ok (n : nat) (w : nat -> Z) (q : shape) (even : bool) (a whole : Z) (k : walk) : bool :=
  (0 <? whole)%Z && (0 <=? a)%Z && (a <=? whole)%Z &&
  decayed_ok n w (squared q) a whole (fine a whole) (left k) &&
  decayed_ok n (mirrored n w) (squared q) a whole (fine a whole) (right k) &&
  (even || decayed_ok n w (squared q) 1 1 1 (plain k)).
