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
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Decayed Tails TailsBound.
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
  induction fuel as [|fuel IH]; intros i j before total found l Hi Hs Hf H; [discriminate|]. rewrite margins_next in H.
  cbv zeta in H.
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
          { assert (St : (S i <= t < n)%nat) by (clear - Hk L' Hm L H0 t; lia). clearbody t.
            apply loss_grows; clear - R St; unfold apart;
              destruct (Nat.leb_spec (S i) t), (Nat.leb_spec (answers t) t); lia. }
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

(* ==== A row of a private mechanism loses no less than prices of truths say, but for the number that it `lacks`. *)
(* ---- A number brought across, and two sides that meet *)
Section Across.
Variables (a whole : Z).
Hypothesis Ha : (0 < a <= whole)%Z.
Let d := IZR a / IZR whole.
Lemma d_of : 0 < d <= 1.
Proof. apply (d_between a whole); lia. Qed.
Lemma across_below : forall t, IZR (across a whole t) <= if (0 <=? t)%Z then d * IZR t else IZR t / d.
Proof.
  intros t. assert (H1 : (0 < whole)%Z) by lia. assert (H2 : (0 < a)%Z) by lia. unfold across. destruct (0 <=? t)%Z.
  - eapply Rle_trans; [apply floor_below; lia|]. rewrite mult_IZR. unfold d, Rdiv. lra.
  - eapply Rle_trans; [apply floor_below; lia|]. rewrite mult_IZR. apply IZR_lt in H1, H2. right. unfold d. field. lra.
Qed.
Lemma across_times : forall t x y, 0 <= x -> 0 <= y -> d * x <= y -> d * y <= x -> IZR (across a whole t) * x <= IZR t * y.
Proof.
  intros t x y Hx Hy H1 H2. assert (Hd := d_of). assert (A := across_below t). apply Rmult_le_compat_r with (r := x) in A; auto.
  destruct (Z.leb_spec 0 t) as [T|T].
  - apply IZR_le in T. assert (IZR t * (d * x) <= IZR t * y) by (apply Rmult_le_compat_l; auto). lra.
  - apply IZR_lt in T. assert (B : y <= x / d) by (apply le_div_r; lra).
    assert (C : - IZR t * y <= - IZR t * (x / d)) by (apply Rmult_le_compat_l; lra).
    unfold Rdiv in *. lra.
Qed.
Lemma across_negative : forall t, IZR t <= 0 -> IZR (across a whole t) <= IZR t.
Proof.
  intros t T. assert (Hd := d_of). assert (A := across_below t). destruct (Z.leb_spec 0 t) as [L|L].
  - apply IZR_le in L. replace (IZR t) with 0 in * by lra. lra.
  - assert (B : - IZR t <= - IZR t / d). { apply le_div_r; [lra|].
    assert (0 <= - IZR t * (1 - d)) by (apply Rmult_le_pos; lra). lra. }
    unfold Rdiv in *. lra.
Qed.
(* Sums X of truths before m and Y of truths from m on; x and y are the probabilities at m - 1 and m. *)
Lemma meet : forall n m p r X Y x y, (m <= n)%nat -> (1 <= n)%nat -> 0 <= x <= 1 -> 0 <= y <= 1 ->
  (if (m =? 0)%nat then X = 0 /\ IZR p <= 0 else IZR p * x <= X) -> (if (m =? n)%nat then Y = 0 /\
    IZR r <= 0 else IZR r * y <= Y) ->
  ((0 < m < n)%nat -> d * x <= y /\ d * y <= x) ->
  Rmin 0 (IZR (p + across a whole r)) <= X + Y /\ Rmin 0 (IZR (across a whole p + r)) <= X + Y.
Proof.
  intros n m p r X Y x y Hm Hn Hx Hy HX HY Hxy. rewrite !plus_IZR. assert (Np := across_negative p).
    assert (Nr := across_negative r).
  assert (Hb : forall u z, 0 <= z <= 1 -> Rmin 0 u <= u * z).
  { intros u z Hz. unfold Rmin. destruct (Rle_dec 0 u); [apply Rmult_le_pos; lra|].
    assert (0 <= - u * (1 - z)) by (apply Rmult_le_pos; lra). lra. }
  destruct (Nat.eqb_spec m 0) as [E|E]; [|destruct (Nat.eqb_spec m n) as [E'|E']].
  - destruct (Nat.eqb_spec m n); [lia|]. destruct HX as [-> Hp]. specialize (Np Hp). assert (B := Hb (IZR r) y Hy).
    unfold Rmin in *. destruct (Rle_dec 0 (IZR r)) as [R0|R0]; [|specialize (Nr ltac:(lra))]; split; destruct (Rle_dec 0 _); lra.
  - destruct HY as [-> Hr]. specialize (Nr Hr). assert (B := Hb (IZR p) x Hx).
    unfold Rmin in *. destruct (Rle_dec 0 (IZR p)) as [R0|R0]; [|specialize (Np ltac:(lra))]; split; destruct (Rle_dec 0 _); lra.
  - destruct (Hxy ltac:(lia)) as [H1 H2]. assert (A1 := across_times r x y). assert (A2 := across_times p y x).
    split; [eapply Rle_trans; [apply (Hb _ x Hx)|]|eapply Rle_trans; [apply (Hb _ y Hy)|]]; lra.
Qed.
End Across.

Lemma apart_mirrored : forall n r f, (r < n)%nat -> (f < n)%nat -> apart (n - 1 - r) f = apart r (n - 1 - f).
Proof.
  intros n r f Hr Hf. destruct (Nat.le_exists_sub (S r) n Hr) as (u & Eu & _), (Nat.le_exists_sub (S f) n Hf) as (v & Ev & _).
  replace (n - 1 - r)%nat with u by lia. replace (n - 1 - f)%nat with v by lia. clear Hr Hf. rewrite Eu in Ev. clear n Eu.
  unfold apart. destruct (Nat.leb_spec u f), (Nat.leb_spec r v); lia.
Qed.
Lemma gain_mirrored : forall n v loss one answers extras i f, (i < n)%nat -> (f < n)%nat -> (forall j, (j < n)%nat ->
  (answers j < n)%nat) ->
  gain (mirrored n v) loss one (opposite n answers) (mirrored n extras) (n - 1 - i) f = gain v loss one answers extras i (n
    - 1 - f).
Proof.
  intros n v loss one answers extras i f Hi Hf H. unfold gain, price, mirrored, opposite.
    rewrite !apart_mirrored by (try apply H; lia). reflexivity.
Qed.

(* ---- A row *)
Section Row.
Variables (n : nat) (v loss : nat -> Z) (one a whole : Z) (answers : nat -> nat) (extras : nat -> Z) (y : nat -> R) (i : nat).
Let d := IZR a / IZR whole.
Let g := gain v loss one answers extras i.
Hypothesis Ha : (0 < a <= whole)%Z.
Hypothesis Hone : 0 < IZR one.
Hypothesis Hy : forall f, (f < n)%nat -> 0 <= y f <= 1.
Hypothesis Hp : decent n d y.
(* A side of a row: the sum of the truths before j *)
Lemma prefix : forall n v answers extras y i j p, (j <= n)%nat -> (forall f, (f < n)%nat -> 0 <= y f) ->
  (forall f, (S f < n)%nat -> d * y (S f) <= y f) ->
  (forall m, (m < j)%nat -> 0 <= side v loss one a whole answers extras i m) ->
    IZR p <= IZR one * side v loss one a whole answers extras i j ->
  if (j =? 0)%nat then IZR one * Sum j (fun f => gain v loss one answers extras i f * y f) = 0 /\ IZR p <= 0
  else IZR p * y (j - 1)%nat <= IZR one * Sum j (fun f => gain v loss one answers extras i f * y f).
Proof.
  clear - Hone. intros n v answers extras y i j p Hj H0 H1 Hs Hp. destruct j as [|j].
  - simpl. unfold side in Hp. simpl in Hp. lra.
  - simpl Nat.eqb. cbv iota. replace (S j - 1)%nat with j by lia.
    assert (A := side_sum n v loss one a whole answers extras ltac:(lia) i y H1 j Hj ltac:(intros; apply Hs; lia)).
    apply Rle_trans with (IZR one * side v loss one a whole answers extras i (S j) * y j).
    + apply Rmult_le_compat_r; [apply H0; lia|exact Hp].
    + rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.
Hypothesis Hi : (i < n)%nat.
Hypothesis Hbelow : forall j, (j < n)%nat -> (answers j < n)%nat.
Let v' := mirrored n v.
Let answers' := opposite n answers.
Let extras' := mirrored n extras.
Let i' := (n - 1 - i)%nat.
Hypothesis Hs : forall m, (m < n)%nat -> (answers m <= i)%nat -> 0 <= side v loss one a whole answers extras i m.
Hypothesis Hs' : forall m, (m < n)%nat -> (answers' m <= i')%nat -> 0 <= side v' loss one a whole answers' extras' i' m.
Lemma behind : forall j r, (j <= n)%nat -> (forall m, (m < n - j)%nat -> (answers' m <= i')%nat) ->
  IZR r <= IZR one * side v' loss one a whole answers' extras' i' (n - j) ->
  if (j =? n)%nat then IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat) = 0 /\ IZR r <= 0
  else IZR r * y j <= IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat).
Proof.
  intros j r Hj Hm Hr.
  assert (P := prefix n v' answers' extras' (fun f => y (n - 1 - f)%nat) i' (n - j) r ltac:(lia)).
  specialize (P ltac:(intros; apply Hy; lia)).
  assert (Q : forall f, (S f < n)%nat -> d * y (n - 1 - S f)%nat <= y (n - 1 - f)%nat).
  { intros f Hf. destruct (Hp (n - 1 - S f)%nat ltac:(lia)) as [A _].
    replace (S (n - 1 - S f)) with (n - 1 - f)%nat in A by lia. exact A. }
  specialize (P Q ltac:(intros m Hm'; apply Hs'; auto; lia) Hr).
  assert (E : Sum (n - j) (fun f => gain v' loss one answers' extras' i' f * y (n - 1 - f)%nat) = Sum (n - j) (fun f => g
    (j + f)%nat * y (j + f)%nat)).
  { rewrite Sum_back. apply Sum_ext. intros f Hf. unfold v', answers', extras', i'. rewrite gain_mirrored by (auto; lia).
    replace (n - 1 - (n - j - 1 - f))%nat with (j + f)%nat by lia. reflexivity. }
  cbv beta in P. rewrite E in P. destruct (Nat.eqb_spec j n), (Nat.eqb_spec (n - j) 0); try lia; auto.
  replace (n - 1 - (n - j - 1))%nat with j in P by lia. exact P.
Qed.
Lemma row_sound : forall l r, entry n v loss one a whole answers extras i l ->
  entry n v' loss one a whole answers' extras' i' r ->
  - IZR (lacks a whole l r) <= IZR one * Sum n (fun f => g f * y f).
Proof.
  intros [before after] [below above] (j0 & j1 & HJ & S1 & S2 & S3 & S4 & S5 & _) (k0 & k1 & HK & T1 & T2 & T3 & T4 & T5 &
    _). cbn [fst snd] in *.
  assert (K0 : k0 = (n - j1)%nat).
  { destruct (lt_eq_lt_dec k0 (n - j1)) as [[L|L]|L]; auto; exfalso.
    - assert (B : (i' <= answers' k0)%nat).
      { destruct (le_lt_dec k1 k0); [specialize (T3 k0 ltac:(lia)); lia|rewrite (proj1 (T2 k0 ltac:(lia))); lia]. }
      assert (A := S3 (n - 1 - k0)%nat ltac:(lia)). unfold answers', opposite, i' in B.
      assert (C := Hbelow (n - 1 - k0) ltac:(lia)). lia.
    - assert (J1 : (0 < j1)%nat) by (clear - L HK; lia). assert (B : (answers (j1 - 1)%nat <= i)%nat).
      { destruct (le_lt_dec j0 (j1 - 1)); [rewrite (proj1 (S2 (j1 - 1)%nat ltac:(lia)));
        lia|specialize (S1 (j1 - 1)%nat ltac:(lia)); lia]. }
      assert (A := T1 (n - j1)%nat L). unfold answers', opposite, i' in A.
      replace (n - 1 - (n - j1))%nat with (j1 - 1)%nat in A by (clear - J1 HJ; lia).
      assert (C := Hbelow (j1 - 1)%nat ltac:(lia)). clear - A B C Hi. lia. }
  assert (K1 : k1 = (n - j0)%nat).
  { destruct (lt_eq_lt_dec k1 (n - j0)) as [[L|L]|L]; auto; exfalso.
    - assert (K : (k1 < n)%nat /\ (j0 <= n - 1 - k1 < n)%nat) by (clear - L HJ; lia). destruct K as [K K'].
      assert (B : (i <= answers (n - 1 - k1)%nat)%nat).
      { set (j := (n - 1 - k1)%nat) in *. clearbody j. destruct (le_lt_dec j1 j); [specialize (S3 j ltac:(lia));
        lia|rewrite (proj1 (S2 j ltac:(lia))); lia]. }
      assert (A := T3 k1 ltac:(lia)). unfold answers', opposite, i' in A. assert (C := Hbelow (n - 1 - k1)%nat ltac:(lia)).
      clear - A B C Hi. lia.
    - assert (A := S1 (n - 1 - (n - j0))%nat ltac:(lia)). assert (B : (answers' (n - j0)%nat <= i')%nat).
      { destruct (le_lt_dec k0 (n - j0)); [rewrite (proj1 (T2 (n - j0)%nat ltac:(lia)));
        lia|specialize (T1 (n - j0)%nat ltac:(lia)); lia]. }
      unfold answers', opposite, i' in B. lia. }
  subst k0 k1.
  assert (U : forall m, (m < j1)%nat -> (answers m <= i)%nat).
  { intros m Hm. destruct (le_lt_dec j0 m); [rewrite (proj1 (S2 m ltac:(lia))); lia|specialize (S1 m ltac:(lia)); lia]. }
  assert (U' : forall m, (m < n - j0)%nat -> (answers' m <= i')%nat).
  { intros m Hm. destruct (le_lt_dec (n - j1) m); [rewrite (proj1 (T2 m ltac:(lia))); lia|specialize (T1 m ltac:(lia)); lia]. }
  assert (H1 : forall f, (f < n)%nat -> 0 <= y f) by (intros; apply Hy; auto).
    assert (H2 : forall f, (S f < n)%nat -> d * y (S f) <= y f) by (intros; apply Hp; auto).
  assert (A0 := prefix n v answers extras y i j0 before ltac:(lia) H1 H2 ltac:(intros; apply Hs; [lia|apply U; lia]) S4).
  assert (A1 := prefix n v answers extras y i j1 after ltac:(lia) H1 H2 ltac:(intros; apply Hs; [lia|apply U; lia]) S5).
  assert (B0 := behind j0 above ltac:(lia) U' T5).
  assert (B1 := behind j1 below ltac:(lia) ltac:(intros; apply U'; lia) T4).
  fold g in A0, A1.
  assert (Y : forall m, 0 <= (if (m <? n)%nat then y m else 0) <= 1) by (intros m; destruct (Nat.ltb_spec m n); [auto|lra]).
  assert (M : forall j p q, (j <= n)%nat ->
    (if (j =? 0)%nat then IZR one * Sum j (fun f => g f * y f) = 0 /\
      IZR p <= 0 else IZR p * y (j - 1)%nat <= IZR one * Sum j (fun f => g f * y f)) ->
    (if (j =? n)%nat then IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat) = 0 /\ IZR q <= 0
     else IZR q * y j <= IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat)) ->
    Rmin 0 (IZR (p + across a whole q)) <= IZR one * Sum n (fun f => g f * y f) /\
      Rmin 0 (IZR (across a whole p + q)) <= IZR one * Sum n (fun f => g f * y f)).
  { intros j p q0 Hj P Q. rewrite (Sum_split j n) by auto. rewrite Rmult_plus_distr_l.
    apply (meet a whole Ha n j p q0 _ _ (if (j - 1 <? n)%nat then y (j - 1)%nat else 0) (if (j <? n)%nat then y j else 0));
      auto; try lia.
    - destruct (Nat.eqb_spec j 0); auto. destruct (Nat.ltb_spec (j - 1) n); [auto|lia].
    - destruct (Nat.eqb_spec j n); auto. destruct (Nat.ltb_spec j n); [auto|lia].
    - intros Hj'. rewrite (proj2 (Nat.ltb_lt (j - 1) n)), (proj2 (Nat.ltb_lt j n)) by (clear - Hj'; lia).
      assert (Ej : S (j - 1) = j) by (clear - Hj'; lia). destruct (Hp (j - 1)%nat ltac:(rewrite Ej; apply Hj')) as [C D].
      rewrite Ej in C, D. auto. }
  destruct (M j1 after below ltac:(lia) A1 B1) as [M1 _]. destruct (M j0 before above ltac:(lia) A0 B0) as [_ M2].
  unfold lacks. set (X := IZR one * Sum n (fun f => g f * y f)) in *.
    assert (X0 : forall u, Rmin 0 (IZR u) <= X -> - IZR (Z.max 0 (- u)) <= X).
  { intros u Hu. unfold Rmin in Hu. destruct (Z.max_spec 0 (- u)) as [[L ->]|[L ->]].
    - rewrite opp_IZR. destruct (Rle_dec 0 (IZR u)) as [R0|R0]; [apply le_IZR in R0; lia|lra].
    - destruct (Rle_dec 0 (IZR u)) as [R0|R0]; [lra|]. exfalso. apply R0. apply IZR_le. lia. }
  apply X0. destruct (Z.max_spec (after + across a whole below) (across a whole before + above)) as [[_ ->]|[_ ->]]; auto.
Qed.
End Row.

(* ==== The bound by prices of truths holds for every mechanism: Theorem prices_bounded. *)
(* ---- All rows *)
Lemma entries_length : forall n v loss one a whole answers extras m l, entries n v loss one a whole answers extras m l ->
  length l = m.
Proof. induction 1; simpl; auto. Qed.
Lemma entries_rev : forall n v loss one a whole answers extras m l, entries n v loss one a whole answers extras m l ->
  forall i e, nth_error (rev l) i = Some e -> entry n v loss one a whole answers extras i e.
Proof.
  induction 1 as [|m e l He Hl IH]; intros i e' H; simpl in H. { destruct i; discriminate. }
  assert (L := entries_length _ _ _ _ _ _ _ _ _ _ Hl). destruct (le_lt_dec m i) as [G|G].
  - rewrite nth_error_app2 in H by (rewrite rev_length; lia). rewrite rev_length, L in H.
    destruct (i - m)%nat eqn:D; [|destruct n0; discriminate]. injection H as <-. replace i with m by lia. auto.
  - rewrite nth_error_app1 in H by (rewrite rev_length; lia). auto.
Qed.
Lemma lacking_sound : forall a whole X ls rs k sum, length ls = length rs ->
  (forall i l r, nth_error ls i = Some l -> nth_error rs i = Some r -> - IZR (lacks a whole l r) <= X (k + i)%nat) ->
  IZR sum - IZR (lacking a whole ls rs sum) <= Sum (length ls) (fun i => X (k + i)%nat).
Proof.
  induction ls as [|l ls IH]; intros [|r rs] k sum HL H; try discriminate; cbn [lacking length]; [simpl; lra|].
  rewrite Sum_first, Nat.add_0_r. assert (A := H O l r eq_refl eq_refl). rewrite Nat.add_0_r in A.
  assert (B := IH rs (S k) (sum + lacks a whole l r)%Z ltac:(injection HL; auto)).
  rewrite (Sum_ext (length ls) (fun i => X (k + S i)%nat) (fun i => X (S k + i)%nat)) by (intros; f_equal; lia).
  rewrite plus_IZR in B. enough (IZR sum + IZR (lacks a whole l r) - IZR (lacking a whole ls rs (sum +
    lacks a whole l r)) <= Sum (length ls) (fun i => X (S k + i)%nat)) by lra.
  apply B. intros i l' r' H1 H2. specialize (H (S i) l' r' H1 H2). replace (S k + i)%nat with (k + S i)%nat by lia. exact H.
Qed.
Lemma prob_one : forall n M r f, (r < n)%nat -> prob n M (fun r' => (r' =? r)%nat) f = M r f.
Proof.
  intros n M r f H. unfold prob. rewrite (Sum_split r n) by lia. rewrite (Sum_ext r _ (fun _ => 0)), Sum_zero.
  2:{ intros i Hi. destruct (Nat.eqb_spec i r); [lia|reflexivity]. }
  replace (n - r)%nat with (S (n - r - 1)) by lia. rewrite Sum_first, (Sum_ext (n - r - 1) _ (fun _ => 0)), Sum_zero.
  2:{ intros i Hi. destruct (Nat.eqb_spec (r + S i) r); [lia|reflexivity]. }
  rewrite Nat.add_0_r, Nat.eqb_refl. ring.
Qed.

Theorem prices_bounded : forall p x n w loss unit whole times plus left right answers extras on od,
  prices_bound p x n w loss unit whole times plus left right answers extras (on, od) = true ->
  forall ps zero M v, In p ps -> (0 < unit)%Z -> achieves (row n n ps zero (cost_of (ByDistance w loss)) unit) M v ->
    IZR on / IZR od <= v.
Proof.
  intros p x n w loss unit whole times plus left right answers extras on od H ps zero M val Hp Hu HM. unfold prices_bound in H.
  set (v := fun f => (w f * times + plus)%Z) in *. set (a := decay_of x whole) in *. set (one := fine a whole) in *.
  apply andb_true_iff in H as [H1 H]. facts.
  match goal with A : question_ok _ _ _ _ _ = true |- _ => rename A into Hq end.
    match goal with A : is_pure _ _ = true |- _ => rename A into Hx end.
  match goal with A : answers_ok _ _ = true |- _ => rename A into Han end.
  match goal with A : decayed_ok _ v _ _ _ _ left = true |- _ => rename A into HL end.
  match goal with A : decayed_ok _ _ _ _ _ _ right = true |- _ => rename A into HR end.
  match goal with A : all n (fun f => (0 <=? extras f)%Z) = true |- _ => rename A into He0 end.
  match goal with A : all n (fun f => (0 <=? w f)%Z) = true |- _ => rename A into Hw0 end.
  destruct (question_facts n v loss unit Hq) as (Hn & _ & _ & Hl0 & Hh & Hv & Hl).
  assert (Hwhole : (0 < whole)%Z) by auto. assert (Ha : (0 < a <= whole)%Z) by auto.
  assert (Ho : 0 < IZR one) by apply (one_pos a whole Hwhole).
  assert (He : forall f, (f < n)%nat -> (0 <= extras f)%Z) by (intros f Hf;
    apply Z.leb_le, (all_spec n (fun f => 0 <=? extras f)%Z); auto).
  assert (Hw : forall f, (f < n)%nat -> (0 <= w f)%Z) by (intros f Hf; apply Z.leb_le, (all_spec n (fun f => 0 <=? w f)%Z); auto).
  unfold answers_ok in Han. apply andb_true_iff in Han as [Hb Hg].
  assert (Hb' : forall j, (j < n)%nat -> (answers j < n)%nat) by (intros j Hj;
    apply Nat.ltb_lt, (all_spec n (fun j => answers j <? n)%nat); auto).
  assert (Hg' : forall j k, (j <= k)%nat -> (k < n)%nat -> (answers j <= answers k)%nat).
  { intros j k Hjk. induction Hjk as [|k Hjk IH]; intros Hk; [lia|]. eapply Nat.le_trans; [apply IH; lia|].
    apply Nat.leb_le, (all_spec (n - 1) (fun j => answers j <=? answers (S j))%nat); auto. lia. }
  set (err := error n (shape_of n loss) (heaviest n v 0) a whole) in *.
  destruct (margins n v _ _ _ _ _ _ left _ _ _ _ _ _ _ _) as [ls|] eqn:EL in H; [|discriminate].
  destruct (margins n (mirrored n v) _ _ _ _ _ _ right _ _ _ _ _ _ _ _) as [rs|] eqn:ER in H; [|discriminate].
  assert (Hv' : forall f, (f < n)%nat -> (0 <= mirrored n v f <= heaviest n v 0)%Z) by (intros; apply Hv; lia).
  assert (Hbm : forall j, (j < n)%nat -> (opposite n answers j < n)%nat) by (intros; unfold opposite; lia).
  assert (Hgm : forall j k, (j <= k)%nat -> (k < n)%nat -> (opposite n answers j <= opposite n answers k)%nat).
  { intros j k Hjk Hk. unfold opposite. assert (A := Hg' (n - 1 - k)%nat (n - 1 - j)%nat ltac:(lia) ltac:(lia)). lia. }
  assert (Hem : forall f, (f < n)%nat -> (0 <= mirrored n extras f)%Z) by (intros; apply He; lia).
  assert (GL := margins_all n v loss one err a whole _ left answers extras eq_refl eq_refl Hwhole Ha Hh Hv Hl HL Hg'
    ltac:(lia) ls EL).
  assert (GR := margins_all n (mirrored n v) loss one err a whole _ right _ _ eq_refl eq_refl Hwhole Ha Hh Hv' Hl HR Hgm
    ltac:(lia) rs ER).
  destruct HM as (HS & HM'). assert (HM : achieves (row n n ps zero (cost_of (ByDistance w loss)) unit) M val) by (split; auto).
  cbn [responses truths row] in HS. destruct HM' as (_ & _ & _ & _ & HT). cbn [aim row] in HT.
  set (total := total_loss _ M) in HT. destruct HS as [HS0 HS1]. apply IZR_lt in Hu as HuR.
  set (g := gain v loss one answers extras) in *. set (price := price v loss one answers extras).
  (* Each row loses no less than what it lacks. *)
  assert (LR : - IZR (lacking a whole (rev' ls) rs 0) <= Sum n (fun r => IZR one * Sum n (fun f => g r f * M r f))).
  { assert (K := lacking_sound a whole (fun r => IZR one * Sum n (fun f => g r f * M r f)) (rev' ls) rs 0 0).
    unfold rev' in *. rewrite <- rev_alt in *.
      rewrite rev_length, (entries_length _ _ _ _ _ _ _ _ _ _ GL), (entries_length _ _ _ _ _ _ _ _ _ _ GR) in K.
    cbn [Nat.add] in K. enough (0 - IZR (lacking a whole (rev ls) rs 0) <= Sum n (fun r => IZR one * Sum n (fun f => g r f
      * M r f))) by lra.
    apply K; auto. intros i l r E1 E2. apply (entries_rev _ _ _ _ _ _ _ _ _ _ GL) in E1 as E1'.
    assert (Hi : (i < n)%nat). { rewrite <- (entries_length _ _ _ _ _ _ _ _ _ _ GR). apply nth_error_Some. rewrite E2.
      discriminate. }
    destruct (entries_in n (mirrored n v) loss one a whole _ _ ltac:(lia) n rs (n - 1 - i) GR ltac:(lia)) as (e & E3 & E4).
      replace (n - 1 - (n - 1 - i))%nat with i in E3 by lia.
    rewrite E2 in E3. injection E3 as <-.
    assert (P := private_prob n ps zero _ unit M val p x whole (fun r' => (r' =? i)%nat) HM Hp Hx Hwhole).
    assert (PE : forall f, prob n M (fun r' => (r' =? i)%nat) f = M i f) by (intros; apply prob_one; auto).
    destruct P as (P1 & P2 & _). fold a in P2.
    apply (row_sound n v loss one a whole answers extras (M i) i Ha Ho); auto.
    - intros f Hf. specialize (P1 f Hf). rewrite PE in P1. exact P1.
    - intros f Hf. specialize (P2 f Hf). rewrite !PE in P2. exact P2.
    - apply (side_nonneg n v loss one a whole (heaviest n v 0) answers extras); auto; try lia.
      intros i1 Hi1. destruct (entries_in n v loss one a whole _ _ ltac:(lia) n ls i1 GL ltac:(lia)) as (e & _ & E). eauto.
    - apply (side_nonneg n (mirrored n v) loss one a whole (heaviest n v 0)); auto; try lia.
      intros i1 Hi1. destruct (entries_in n (mirrored n v) loss one a whole _ _ ltac:(lia) n rs i1 GR ltac:(lia)) as (e & _
        & E). eauto. }
  (* The loss by prices and gains *)
  set (T := Sum n (fun r => Sum n (fun f => IZR (v f * loss (apart r f)) * M r f))).
  assert (TP : IZR one * T = IZR one * Sum n price + Sum n (fun r => IZR one * Sum n (fun f => g r f * M r f))).
  { rewrite Sum_scale, <- Rmult_plus_distr_l. f_equal.
    transitivity (Sum n (fun r => Sum n (fun f => price f * M r f)) + Sum n (fun r => Sum n (fun f => g r f * M r f))).
    - unfold T. rewrite <- Sum_add. apply Sum_ext. intros r _. rewrite <- Sum_add. apply Sum_ext. intros f _.
      unfold g, gain. fold price. ring.
    - f_equal. rewrite Sum_swap. apply Sum_ext. intros f Hf. rewrite Sum_scale, (HS1 f Hf). ring. }
  assert (PR : IZR one * Sum n price = IZR (total_onto n (fun f => v f * loss (apart (answers f) f))%Z 0) * IZR one +
    IZR (total_onto n extras 0)).
  { rewrite !total_onto_Sum, !Rplus_0_l, (Rmult_comm (Sum n _)), <- !Sum_scale, <- Sum_add. apply Sum_ext. intros f _.
    unfold price, Prices.price. field. lra. }
  (* Other weights than those of the question cost little. *)
  set (most := IZR (loss (n - 1)%nat)).
  assert (HA : forall r f, (r < n)%nat -> (f < n)%nat -> 0 <= IZR (loss (apart r f)) <= most).
  { intros r f Hr Hf. assert (A := loss_grows n loss Hl ltac:(lia)).
    assert (B : (apart r f <= n - 1)%nat) by (unfold apart; destruct (r <=? f)%nat; lia).
    split; apply IZR_le; [specialize (A (apart r f) O ltac:(lia) ltac:(lia)); lia|apply A; lia]. }
  assert (TT : T <= IZR times * (IZR unit * total) + IZR plus * (IZR (Z.of_nat n) * most)).
  { assert (E : T = IZR times * (IZR unit * total) + IZR plus * Sum n (fun f => Sum n (fun r => IZR (loss (apart r f)) * M r f))).
    { unfold T, total, total_loss, loss_at. cbn [responses truths cost cost_unit row].
      rewrite Sum_swap, <- !Sum_scale, <- Sum_add. apply Sum_ext. intros f _.
      rewrite <- !Sum_scale, <- Sum_add. apply Sum_ext. intros r _. unfold cost_of, v.
        rewrite !mult_IZR, plus_IZR, !mult_IZR. field. lra. }
    rewrite E. apply Rplus_le_compat_l. apply Rmult_le_compat_l; [apply IZR_le; auto|]. rewrite <- INR_IZR_INZ.
    assert (F : forall k, (k <= n)%nat -> Sum k (fun f => Sum n (fun r => IZR (loss (apart r f)) * M r f)) <= INR k * most).
    { induction k as [|k IHk]; intros Hk; [simpl; lra|]. rewrite S_INR. cbn [Sum]. specialize (IHk ltac:(lia)).
      assert (Sum n (fun r => IZR (loss (apart r k)) * M r k) <= most); [|lra].
      apply Rle_trans with (Sum n (fun r => most * M r k)).
      - apply Sum_mono. intros r Hr. apply Rmult_le_compat_r; [apply HS0; lia|apply HA; lia].
      - rewrite Sum_scale, (HS1 k) by lia. lra. }
    apply F. lia. }
  assert (T0 : 0 <= total).
  { unfold total, total_loss, loss_at. apply Sum_nonneg. intros f Hf. apply Sum_nonneg. intros r Hr.
    cbn [responses truths cost cost_unit row] in *.
    apply Rmult_le_pos; [|apply HS0; auto]. apply div_nonneg; auto. unfold cost_of. rewrite mult_IZR.
      apply Rmult_le_pos; [apply IZR_le, Hw; auto|apply HA; auto]. }
  apply Z.leb_le, IZR_le in H. rewrite !mult_IZR in H. set (costs := total_onto n (fun f => _) 0) in *. 
  set (num := (_ - _ - _)%Z) in H. assert (HN : IZR (Z.max 0 num) <= IZR one * (IZR times * (IZR unit * val))).
  { assert (Ht : 0 < IZR times) by (apply IZR_lt; auto).
    assert (B : IZR times * (IZR unit * total) <= IZR times * (IZR unit * val)) by (apply Rmult_le_compat_l; [lra|];
      apply Rmult_le_compat_l; lra).
    assert (B' : IZR one * (IZR times * (IZR unit * total)) <= IZR one * (IZR times * (IZR unit * val)))
      by (apply Rmult_le_compat_l; lra).
    destruct (Z.max_spec 0 num) as [[_ ->]|[_ ->]].
    - unfold num. rewrite !minus_IZR, plus_IZR, !mult_IZR. fold most.
      assert (C : IZR one * T <= IZR one * (IZR times * (IZR unit * total) + IZR plus * (IZR (Z.of_nat n) * most)))
      by (apply Rmult_le_compat_l; lra).
      change (total_onto n (fun f => v f * loss (apart (answers f) f))%Z 0) with costs in PR. lra.
    - apply Rle_trans with (IZR one * (IZR times * (IZR unit * total))); auto. repeat apply Rmult_le_pos; lra. }
  assert (Hod : 0 < IZR od) by (apply IZR_lt; auto). assert (Ht : 0 < IZR times) by (apply IZR_lt; auto).
  apply div_le_l; auto. apply Rmult_le_reg_r with (IZR unit * IZR times * IZR one). repeat apply Rmult_lt_0_compat; auto.
  eapply Rle_trans; [exact H|]. apply Rle_trans with (IZR od * (IZR one * (IZR times * (IZR unit * val)))).
    apply Rmult_le_compat_l; lra. right. ring.
Qed.
