(* Prices of truths: a bound where the best thresholds cross, and each alone proves too little.

   prices_bound p x n w loss unit whole times plus left right answers extras (on, od) : bool
     no mechanism of the question has an objective below on/od. p, x, n, w, loss, unit, whole, on and od are as in Tails.v.
   Hints. Nothing false is accepted, whatever they say:
   - times, plus: weights w f * times + plus take the place of w, plus being 0 or more: 1 and 0 without smoothing, 2^s and
     1 with smoothing s;
   - left, right: sums of these weights, and of them mirrored, with the decay decay_of x whole (as left_sums, right_sums);
   - answers j: the response to draw j, rho(j), 0 <= j < n; it does not decrease;
   - extras j, 0 or more: the price of truth j is that of its answer and extras j, over fine a whole.

   Why it is a bound. Let c[i,f] be the costs and u_f = c[rho(f),f] + e_f. Each column of a mechanism M sums to one, so
   that its loss is sum u and, for each row i, the sum of all g_f M[i,f], g_f = c[i,f] - u_f. Each row x has
   b x_f <= x_(f+1) and b x_(f+1) <= x_f. Let L_i(m) be the sum over k < m of b^(m-1-k) g_k. As long as no L_i(m), m < j, is
   negative, the sum over k < j of g_k x_k is at least L_i(j) x_(j-1), by induction: x_(m-1) >= b x_m. The truths on the
   right are the mirror image. Both sides meet at the first truth whose answer is i or more, and at the first one whose
   answer is more. There one side is brought across.

   No L_i(m) with rho(m) <= i is negative, by induction over i:
   - If rho(m) = i, it is seen when m is passed.
   - Otherwise L_(i-1)(m) is not negative. If m <= i, no truth before m is nearer to i than to i - 1: L_i(m) >= L_(i-1)(m).
   - If m > i, then c[i,k] <= c[rho(k),k] and g_k <= 0 for all k >= m with rho(k) <= i, and b L_i(k) = L_i(k+1) - g_k. The
     last of these L_i(k) is seen not to be negative, and so none is. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings Tails TailsBound TailsBounded.
Import ListNotations.
Open Scope R_scope.

Section Margins.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (one err a whole : Z) (s : decayed) (answers : nat ->
  nat) (extras : nat -> Z).
(* Where no draw is answered by i, L_i at the last truth but one whose answer is below i *)
Definition left_over (i j : nat) (total : Z) : bool :=
  if (if (j <? n)%nat then (i <? answers j)%nat else true) && (S i <? j)%nat
  then (w (j - 1)%nat * (loss (apart i (j - 1)) - loss (apart (answers (j - 1)%nat) (j - 1))) * one - extras (j - 1)%nat
    <=? total)%Z
  else true.
(* For each response, the last one first, at most L_i before its first draw and after its last one. *)
Inductive stage := At (i j : nat) (before total : Z) (found : list (Z * Z)) | Done (found : option (list (Z * Z))).
Definition next (x : stage) : stage :=
  match x with
  | Done _ => x
  | At i j before total found =>
      if (j <? n)%nat && (answers j =? i)%nat
      then if (0 <=? total)%Z then At i (S j) before (total * a / whole - extras j)%Z found else Done None
      else if (S i <? n)%nat
      then let t := if (j =? 0)%nat then 0%Z else (total + decayed_sum q one s i j - err)%Z in
           if left_over (S i) j t then At (S i) j t t ((before, total) :: found) else Done None
      else Done (if (j =? n)%nat then Some ((before, total) :: found) else None)
  end.
(* As often as there is fuel. One value changes, so that OCaml needs no stack. *)
Fixpoint finished (f : stage -> stage) (fuel : nat) (x : stage) : option (list (Z * Z)) :=
  match x with
  | Done r => r
  | _ => match fuel with O => None | S fuel' => finished f fuel' (f x) end
  end.
Definition margins (fuel i j : nat) (before total : Z) (found : list (Z * Z)) : option (list (Z * Z)) :=
  finished next fuel (At i j before total found).
Lemma margins_next : forall fuel i j before total found, margins (S fuel) i j before total found =
  if (j <? n)%nat && (answers j =? i)%nat
  then if (0 <=? total)%Z then margins fuel i (S j) before (total * a / whole - extras j)%Z found else None
  else if (S i <? n)%nat
  then let t := if (j =? 0)%nat then 0%Z else (total + decayed_sum q one s i j - err)%Z in
       if left_over (S i) j t then margins fuel (S i) j t t ((before, total) :: found) else None
  else if (j =? n)%nat then Some ((before, total) :: found) else None.
Proof.
  intros. unfold margins. cbn [finished next]. cbv zeta. destruct (_ && _).
  - destruct (0 <=? total)%Z; destruct fuel; reflexivity.
  - destruct (S i <? n)%nat; [destruct (left_over _ _ _)|]; destruct fuel; reflexivity.
Qed.
(* A number brought across to the next truth *)
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
Definition prices_bound (p : privacy) (x : factors) (n : nat) (w loss : nat ->
  Z) (unit whole times plus : Z) (left right : decayed)
    (answers : nat -> nat) (extras : nat -> Z) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let v f := (w f * times + plus)%Z in
  let q := shape_of n loss in let heavy := heaviest n v 0 in let a := decay_of x whole in let one := fine a whole in
  let err := error n q heavy a whole in
  is_pure p x && question_ok n v loss unit heavy && (0 <=? on)%Z && (0 <? od)%Z && (0 <? whole)%Z && (0 <? a)%Z && (a <=?
    whole)%Z &&
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

Section Side.
Variables (n : nat) (w loss : nat -> Z) (one err a whole heavy : Z) (s : decayed) (answers : nat -> nat) (extras : nat -> Z).
Let q := shape_of n loss.
Let d := IZR a / IZR whole.
Hypothesis Hone : one = fine a whole.
Hypothesis Herr : err = error n q heavy a whole.
Hypothesis Hwhole : (0 < whole)%Z.
Hypothesis Ha : (0 < a <= whole)%Z.
Hypothesis Hheavy : (1 <= heavy)%Z.
Hypothesis Hw : forall f, (f < n)%nat -> (0 <= w f <= heavy)%Z.
Hypothesis Hloss : forall i, (i < n)%nat -> (loss i <= loss (S i))%Z.
Hypothesis Hok : decayed_ok n w (squared q) a whole one s = true.
Hypothesis Hbelow : forall j, (j < n)%nat -> (answers j < n)%nat.
Hypothesis Hgrow : forall j k, (j <= k)%nat -> (k < n)%nat -> (answers j <= answers k)%nat.
Hypothesis Hextras : forall j, (j < n)%nat -> (0 <= extras j)%Z.
Hypothesis Hn : (1 <= n)%nat.

Let cost i f := IZR (w f * loss (apart i f)).
Definition price (f : nat) : R := IZR (w f * loss (apart (answers f) f)) + IZR (extras f) / IZR one.
Definition gain (i f : nat) : R := IZR (w f * loss (apart i f)) - price f.
Definition side (i m : nat) : R := decaying d (gain i) m.

Lemma d_between : 0 < d <= 1.
Proof.
  destruct Ha as [A B]. apply IZR_lt in A, Hwhole. apply IZR_le in B. split. apply Rdiv_lt_0_compat; auto. apply div_le_l; lra.
Qed.
Lemma one_above : 0 < IZR one.
Proof. rewrite Hone. apply (one_pos a whole Hwhole). Qed.
Lemma side_up : forall i m, side (S i) m - side i m = decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) i f)) m.
Proof.
  intros i m. unfold side. assert (E : decaying d (gain (S i)) m = decaying d (fun f => gain i f +
    IZR (change (cost_of (ByDistance w loss)) i f)) m).
  { apply decaying_ext. intros f _. unfold gain, change, cost_of. rewrite minus_IZR. ring. }
  rewrite E, decaying_add. ring.
Qed.
Lemma loss_grows : forall k i, (i <= k)%nat -> (k <= n)%nat -> (loss i <= loss k)%Z.
Proof.
  induction k; intros i H Hk. replace i with O by lia. lia. destruct (Nat.eq_dec i (S k)) as [->|]; [lia|].
  specialize (IHk i ltac:(lia) ltac:(lia)). specialize (Hloss k ltac:(lia)). lia.
Qed.

(* The walk finds this of response i: draws from j0 on and before j1 are answered by it. *)
Definition entry (i : nat) (e : Z * Z) : Prop := exists j0 j1, (j0 <= j1 <= n)%nat /\
  (forall k, (k < j0)%nat -> (answers k < i)%nat) /\ (forall k, (j0 <= k < j1)%nat -> answers k = i /\ 0 <= side i k) /\
  (forall k, (j1 <= k < n)%nat -> (i < answers k)%nat) /\
  IZR (fst e) <= IZR one * side i j0 /\ IZR (snd e) <= IZR one * side i j1 /\
  (j0 = j1 -> (S i < j1)%nat -> 0 <= side i (j1 - 1)).
Inductive entries : nat -> list (Z * Z) -> Prop :=
  | no_entries : entries O [] | more_entries i e l : entry i e -> entries i l -> entries (S i) (e :: l).
Definition state (i j : nat) (before total : Z) : Prop := exists j0, (j0 <= j <= n)%nat /\
  (forall k, (k < j0)%nat -> (answers k < i)%nat) /\ (forall k, (j0 <= k < j)%nat -> answers k = i /\ 0 <= side i k) /\
  (forall k, (j <= k < n)%nat -> (i <= answers k)%nat) /\
  IZR before <= IZR one * side i j0 /\ IZR total <= IZR one * side i j /\
  (j0 = j -> ((j < n)%nat -> (i < answers j)%nat) -> (S i < j)%nat -> 0 <= side i (j - 1)).

Lemma left_over_sound : forall i j total, (j <= n)%nat -> (i < n)%nat -> IZR total <= IZR one * side i j ->
  left_over n w loss one answers extras i j total = true ->
  ((j < n)%nat -> (i < answers j)%nat) -> (S i < j)%nat -> 0 <= side i (j - 1).
Proof.
  intros i j total Hj Hi Ht H Ha' Hij. unfold left_over in H.
  replace ((if (j <? n)%nat then (i <? answers j)%nat else true) && (S i <? j)%nat) with true in H.
  2:{ symmetry. apply andb_true_iff. split; [|apply Nat.ltb_lt; auto]. destruct (Nat.ltb_spec j n); auto. apply Nat.ltb_lt.
    auto. }
  facts. apply IZR_le in H. destruct j as [|j]; [lia|]. replace (S j - 1)%nat with j in * by lia.
  unfold side in *. cbn [decaying] in Ht. assert (Ho := one_above). assert (Hd := d_between).
  rewrite minus_IZR, mult_IZR in H. rewrite Z.mul_sub_distr_l, minus_IZR in H.
  assert (G : IZR one * gain i j = (IZR (w j * loss (apart i j)) - IZR (w j * loss (apart (answers j) j))) * IZR one - IZR
    (extras j)).
  { unfold gain, price. field. lra. }
  assert (P : 0 <= IZR one * (d * decaying d (gain i) j)) by lra.
  apply Rmult_le_reg_l with (IZR one * d). apply Rmult_lt_0_compat; lra. lra.
Qed.

Lemma margins_sound : forall fuel i j before total found l, (i < n)%nat -> state i j before total -> entries i found ->
  margins n w loss q one err a whole s answers extras fuel i j before total found = Some l -> entries n l.
Proof.
  induction fuel as [|fuel IH]; intros i j before total found l Hi Hs Hf H; [discriminate|]. rewrite margins_next in H. cbv zeta in H.
  assert (Ho := one_above). assert (Hd := d_between). destruct Hs as (j0 & Hj & S1 & S2 & S3 & S4 & S5 & S6).
  destruct ((j <? n)%nat && (answers j =? i)%nat) eqn:C.
  - facts. destruct (Z.leb_spec 0 total) as [Ht|Ht]; [|discriminate]. apply (IH i (S j) before _ found l) in H; auto.
    exists j0. split; [lia|]. split; [auto|]. split.
    { intros k Hk. destruct (Nat.eq_dec k j) as [->|]; [|apply S2; lia]. split; auto. apply IZR_le in Ht.
      apply Rmult_le_reg_l with (IZR one); lra. }
    split. { intros k Hk. apply S3. lia. }
    split; [auto|]. split; [|intros; lia]. rewrite minus_IZR. unfold side. cbn [decaying]. fold (side i j).
    assert (F := floor_below (total * a) whole Hwhole). rewrite mult_IZR in F.
    replace (IZR total * IZR a / IZR whole) with (d * IZR total) in F by (unfold d, Rdiv; ring).
    assert (G : IZR one * gain i j = - IZR (extras j)). { unfold gain, price. replace (answers j) with i by auto. field. lra. }
    assert (M : d * IZR total <= d * (IZR one * side i j)) by (apply Rmult_le_compat_l; lra). lra.
  - assert (S3' : forall k, (j <= k < n)%nat -> (i < answers k)%nat).
    { intros k Hk. apply andb_false_iff in C. assert (A := S3 j ltac:(lia)). assert (B := Hgrow j k ltac:(lia) ltac:(lia)).
      destruct C as [C|C]; [apply Nat.ltb_ge in C; lia|apply Nat.eqb_neq in C; lia]. }
    assert (E : entry i (before, total)).
    { exists j0, j. split; [lia|]. repeat (split; [assumption|]). intros E1 E2. apply S6; auto; intros; apply S3'; lia. }
    destruct (Nat.ltb_spec (S i) n) as [L|L].
    + set (t := if (j =? 0)%nat then 0%Z else (total + decayed_sum q one s i j - err)%Z) in *.
      destruct (left_over n w loss one answers extras (S i) j t) eqn:Left; [|discriminate].
      assert (T : IZR t <= IZR one * side (S i) j).
      { unfold t. destruct (Nat.eqb_spec j 0) as [->|]. unfold side. simpl. lra.
        assert (D := side_up i j). assert (B := decayed_sum_sound n w loss a whole heavy s Hwhole ltac:(lia) Hheavy Hw
          (Hloss O ltac:(lia))).
        fold q in B. rewrite <- Hone, <- Herr in B. specialize (B Hok i j Hi ltac:(lia)). fold d in B. rewrite <- D in B.
          apply Rabs_both in B.
        rewrite minus_IZR, plus_IZR. fold q in B. lra. }
      apply (IH (S i) j t t ((before, total) :: found) l) in H; auto; [|constructor; auto].
      exists j. split; [lia|]. split. { intros k Hk.
        destruct (le_lt_dec j0 k); [rewrite (proj1 (S2 k ltac:(lia))); lia|specialize (S1 k ltac:(lia)); lia]. }
      split; [intros; lia|]. split. { intros k Hk. specialize (S3' k Hk). lia. }
      split; [exact T|]. split; [exact T|]. intros _ Q1 Q2. apply (left_over_sound (S i) j t); auto. lia.
    + destruct (Nat.eqb_spec j n) as [->|]; [|discriminate]. injection H as <-. replace n with (S i) by lia. constructor; auto.
Qed.
Lemma margins_all : forall l, margins n w loss q one err a whole s answers extras (2 * n) 0 0 0 0 [] = Some l -> entries n l.
Proof.
  intros l. apply margins_sound; [lia| |constructor]. exists O. unfold side. simpl. repeat split; try lia; try lra; intros; lia.
Qed.
Lemma entries_in : forall m l i, entries m l -> (i < m)%nat -> exists e, nth_error l (m - 1 - i) = Some e /\ entry i e.
Proof.
  induction 1 as [|m e l He Hl IH]; intros Hi; [lia|]. destruct (Nat.eq_dec i m) as [->|].
  - replace (S m - 1 - m)%nat with O by lia. exists e. auto.
  - destruct (IH ltac:(lia)) as (e' & E & E'). exists e'. replace (S m - 1 - i)%nat with (S (m - 1 - i)) by lia. auto.
Qed.

(* No sum before a draw that i or a smaller response answers is negative. *)
Lemma side_nonneg : forall i, (i < n)%nat -> (forall i', (i' <= i)%nat -> exists e, entry i' e) ->
  forall m, (m < n)%nat -> (answers m <= i)%nat -> 0 <= side i m.
Proof.
  assert (Hd := d_between). assert (Ho := one_above). induction i as [|i IH]; intros Hi HE m Hm Hr.
  - destruct (HE O ltac:(lia)) as (e & j0 & j1 & H0 & S1 & S2 & S3 & _).
    destruct (le_lt_dec j1 m). specialize (S3 m ltac:(lia)); lia. destruct (le_lt_dec j0 m). apply S2; lia.
      specialize (S1 m ltac:(lia)). lia.
  - destruct (HE (S i) ltac:(lia)) as (e & j0 & j1 & H0 & S1 & S2 & S3 & _ & _ & S6).
    destruct (le_lt_dec j1 m) as [L|L]. { specialize (S3 m ltac:(lia)); lia. } destruct (le_lt_dec j0 m). { apply S2; lia. }
    assert (A := S1 m ltac:(lia)). assert (B := IH ltac:(lia) ltac:(intros; apply HE; lia) m Hm ltac:(lia)).
    destruct (le_lt_dec m (S i)) as [L'|L'].
    + eapply Rle_trans; [exact B|]. assert (D := side_up i m). enough (0 <= side (S i) m - side i m) by lra. rewrite D.
      apply decaying_nonneg; [lra|]. intros f Hf. apply IZR_le. rewrite change_near by lia. assert (X := Hw f ltac:(lia)).
      assert (Y := Hloss (i - f) ltac:(lia)). apply Z.mul_nonneg_nonneg; lia.
    + assert (Top : 0 <= side (S i) (j1 - 1)). { destruct (Nat.eq_dec j0 j1) as [E|E]; [apply S6; auto; lia|apply S2; lia]. }
      assert (Down : forall k, (m <= j1 - 1 - k)%nat -> 0 <= side (S i) (j1 - 1 - k)).
      { induction k as [|k IHk]; intros Hk; [rewrite Nat.sub_0_r; auto|]. specialize (IHk ltac:(lia)).
        set (t := (j1 - 1 - S k)%nat) in *. replace (j1 - 1 - k)%nat with (S t) in IHk by lia. unfold side in IHk.
          cbn [decaying] in IHk. fold (side (S i) t) in IHk.
        assert (G : gain (S i) t <= 0).
        { assert (R : (answers t <= S i)%nat). { destruct (le_lt_dec j0 t); [rewrite (proj1 (S2 t ltac:(lia)));
          lia|specialize (S1 t ltac:(lia)); lia]. }
          assert (X := Hw t ltac:(lia)). assert (Y : (loss (apart (S i) t) <= loss (apart (answers t) t))%Z).
          { apply loss_grows; unfold apart; destruct (Nat.leb_spec (S i) t), (Nat.leb_spec (answers t) t); lia. }
          assert (Z0 : 0 <= IZR (extras t) / IZR one). { apply div_nonneg; auto. apply IZR_le. apply Hextras. lia. }
          assert (U : IZR (w t * loss (apart (S i) t)) <= IZR (w t * loss (apart (answers t) t))). { apply IZR_le.
            apply Z.mul_le_mono_nonneg_l; lia. }
          unfold gain, price. lra. }
        apply Rmult_le_reg_l with d; lra. }
      specialize (Down (j1 - 1 - m)%nat). replace (j1 - 1 - (j1 - 1 - m))%nat with m in Down by lia. apply Down. lia.
Qed.
(* The sum of the truths before j *)
Lemma side_sum : forall i y, (forall f, (S f < n)%nat -> d * y (S f) <= y f) -> forall j, (S j <= n)%nat ->
  (forall m, (m <= j)%nat -> 0 <= side i m) -> side i (S j) * y j <= Sum (S j) (fun f => gain i f * y f).
Proof.
  intros i y Hy. induction j as [|j IH]; intros Hj Hs.
  - unfold side. simpl. lra.
  - cbn [Sum] in *. specialize (IH ltac:(lia) ltac:(intros; apply Hs; lia)).
    change (side i (S (S j))) with (d * side i (S j) + gain i (S j)).
    assert (A := Hs (S j) ltac:(lia)). assert (B := Hy j ltac:(lia)).
      assert (C : side i (S j) * (d * y (S j)) <= side i (S j) * y j) by (apply Rmult_le_compat_l; auto).
    lra.
Qed.
End Side.
