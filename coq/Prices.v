(* Prices of truths: a bound where the best thresholds cross, and each alone proves too little.

   prices_bound p x n w loss unit whole times plus left right answers extras (on, od) : bool
     no mechanism of the question has an objective below on/od. p, x, n, w, loss, unit, whole, on and od are as in Tails.v.
   Hints, which need not be true:
   - times, plus: weights w f * times + plus take the place of w, plus being 0 or more: 1 and 0 without smoothing, 2^s and 1 with
     smoothing s;
   - left, right: sums of these weights, and of them mirrored, with the decay decay_of x whole (as left_sums, right_sums);
   - answers j: the response to draw j, rho(j), 0 <= j < n; it does not decrease;
   - extras j, 0 or more: the price of truth j is that of its answer and extras j, over fine a whole.

   Why it is a bound. Let c[i,f] be the costs and u_f = c[rho(f),f] + e_f. Each column of a mechanism M sums to one, so that its loss
   is sum u and, for each row i, the sum of all g_f M[i,f], g_f = c[i,f] - u_f. Each row x is b x_f <= x_(f+1), b x_(f+1) <= x_f.
   Let L_i(m) be the sum over k < m of b^(m-1-k) g_k. As long as no L_i(m), m < j, is negative, the sum over k < j of g_k x_k is at
   least L_i(j) x_(j-1), by induction: x_(m-1) >= b x_m. The truths on the right are the mirror image. Where both sides meet, at the
   first truth whose answer is i or more, or at the first one whose answer is more, one side is brought across.

   No L_i(m) with rho(m) <= i is negative, by induction over i:
   - if rho(m) = i it is seen when m is passed;
   - otherwise L_(i-1)(m) is not negative, and if m <= i no truth before m is nearer to i than to i - 1: L_i(m) >= L_(i-1)(m);
   - if m > i, then c[i,k] <= c[rho(k),k] and g_k <= 0 for all k >= m with rho(k) <= i, and b L_i(k) = L_i(k+1) - g_k: that the last
     of these is not negative is seen, and so none is. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings Tails TailsBound TailsBounded.
Import ListNotations.
Open Scope R_scope.

Section Margins.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (one err a whole : Z) (s : decayed) (answers : nat -> nat) (extras : nat -> Z).
(* Where no draw is answered by i, L_i at the last truth but one whose answer is below i *)
Definition left_over (i j : nat) (total : Z) : bool :=
  if (if (j <? n)%nat then (i <? answers j)%nat else true) && (S i <? j)%nat
  then (w (j - 1)%nat * (loss (apart i (j - 1)) - loss (apart (answers (j - 1)%nat) (j - 1))) * one - extras (j - 1)%nat <=? total)%Z
  else true.
(* For each response, the last one first, at most L_i before its first draw and after its last one. *)
Fixpoint margins (fuel i j : nat) (before total : Z) (found : list (Z * Z)) : option (list (Z * Z)) :=
  match fuel with
  | O => None
  | S fuel' =>
      if (j <? n)%nat && (if (j <? n)%nat then (answers j =? i)%nat else false)
      then if (0 <=? total)%Z then margins fuel' i (S j) before (total * a / whole - extras j)%Z found else None
      else if (S i <? n)%nat
      then let t := if (j =? 0)%nat then 0%Z else (total + decayed_sum q one s i j - err)%Z in
           if left_over (S i) j t then margins fuel' (S i) j t t ((before, total) :: found) else None
      else if (j =? n)%nat then Some ((before, total) :: found) else None
  end.
(* What is brought across to the next truth *)
Definition across (t : Z) : Z := if (0 <=? t)%Z then (t * a / whole)%Z else (t * whole / a)%Z.
Definition lacks (l r : Z * Z) : Z :=
  let '(before, after) := l in let '(below, above) := r in
  Z.max 0 (- Z.max (after + across below) (across before + above)).
Fixpoint lacking (ls rs : list (Z * Z)) (sum : Z) : Z :=
  match ls, rs with l :: ls', r :: rs' => lacking ls' rs' (sum + lacks l r)%Z | _, _ => sum end.
End Margins.

Definition opposite (n : nat) (answers : nat -> nat) (j : nat) : nat := (n - 1 - answers (n - 1 - j))%nat.
Definition answers_ok (n : nat) (answers : nat -> nat) : bool :=
  all n (fun j => answers j <? n)%nat && all (n - 1) (fun j => answers j <=? answers (S j))%nat.
Definition prices_bound (p : privacy) (x : factors) (n : nat) (w loss : nat -> Z) (unit whole times plus : Z) (left right : decayed)
    (answers : nat -> nat) (extras : nat -> Z) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let v f := (w f * times + plus)%Z in
  let q := shape_of n loss in let heavy := heaviest n v 0 in let a := decay_of x whole in let one := fine a whole in
  let err := error n q heavy a whole in
  is_pure p x && question_ok n v loss unit heavy && (0 <=? on)%Z && (0 <? od)%Z && (0 <? whole)%Z && (0 <? a)%Z && (a <=? whole)%Z &&
  (0 <? times)%Z && (0 <=? plus)%Z && all n (fun f => 0 <=? w f)%Z && answers_ok n answers && all n (fun f => 0 <=? extras f)%Z &&
  decayed_ok n v (squared q) a whole one left && decayed_ok n (mirrored n v) (squared q) a whole one right &&
  match margins n v loss q one err a whole left answers extras (2 * n) 0 0 0 0 [],
        margins n (mirrored n v) loss q one err a whole right (opposite n answers) (mirrored n extras) (2 * n) 0 0 0 0 [] with
  | Some ls, Some rs =>
      let costs := total_onto n (fun f => v f * loss (apart (answers f) f))%Z 0 in
      (on * (unit * times * one) <=? od * Z.max 0 (costs * one + total_onto n extras 0 - lacking a whole (rev' ls) rs 0
        - plus * Z.of_nat n * loss (n - 1)%nat * one))%Z
  | _, _ => false
  end.
