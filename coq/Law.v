(* The law of noise: F = `below` grows from 0 to 1, and a period further out on either side what is left is a fixed part. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise.
Open Scope R_scope.

Definition width (z : noise) : nat := Z.to_nat (period z).
(* The conditions on the numbers of noise. The last two lines: F does not fall where the list ends and its tails begin. *)
Definition law_ok (z : noise) : bool :=
  (0 <? period z)%Z && (period z <? Z.of_nat (size z))%Z && (* before it is converted *)
  let k := width z in let c := cumulative z in let n := size z in
  (0 <=? tail z)%Z && (tail z <? whole z)%Z &&
  (0 <=? c O)%Z && (c (n - 1)%nat <=? whole z)%Z && all (n - 1) (fun i => (c i <=? c (S i))%Z) &&
  (if (tail z =? 0)%Z then (c O =? 0)%Z && (c (n - 1)%nat =? whole z)%Z else true) &&
  (tail z * c (k - 1)%nat <=? whole z * c O)%Z &&
  (tail z * (whole z - c (n - k)%nat) <=? whole z * (whole z - c (n - 1)%nat))%Z.

Section Law.
Variable z : noise.
Hypothesis Hz : law_ok z = true.
Let p := period z.
Let c := cumulative z.
Let W := IZR (whole z).
Let t := IZR (tail z) / W.

Lemma law_facts : (0 < p)%Z /\ Z.of_nat (width z) = p /\ (width z < size z)%nat /\ (last z = first z + Z.of_nat (size z) - 1)%Z /\
  (first z + p <= last z)%Z.
Proof. unfold law_ok in Hz. facts. unfold last, width, p in *. lia. Qed.
Lemma whole_pos : 0 < W.
Proof. unfold law_ok in Hz. facts. unfold W. apply IZR_lt. lia. Qed.
Lemma tail_range : 0 <= t < 1.
Proof.
  assert (HW := whole_pos). unfold law_ok in Hz. facts. unfold t. split.
  - apply div_nonneg; auto. apply IZR_le; auto.
  - apply Rmult_lt_reg_r with W; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra. apply IZR_lt; auto.
Qed.
Lemma rises : forall d i, (i + d < size z)%nat -> (c i <= c (i + d)%nat)%Z.
Proof.
  unfold law_ok in Hz. facts. match goal with A : all _ _ = true |- _ => rename A into HA end.
  induction d; intros i Hi. - rewrite Nat.add_0_r. lia.
  - specialize (IHd i ltac:(lia)). rewrite Nat.add_succ_r. assert (X := all_spec _ _ HA (i + d)%nat ltac:(lia)). simpl in X.
    facts. unfold c in *. lia.
Qed.
Lemma within : forall i, (i < size z)%nat -> (0 <= c i <= whole z)%Z.
Proof.
  intros i H. assert (A := rises i O). assert (B := rises (size z - 1 - i) i).
  replace (i + (size z - 1 - i))%nat with (size z - 1)%nat in B by lia.
  unfold law_ok in Hz. facts. specialize (A ltac:(lia)). specialize (B ltac:(lia)). unfold c in *. simpl in *. lia.
Qed.
Lemma listed_rises : forall a b, (first z <= a)%Z -> (a <= b)%Z -> (b <= last z)%Z -> listed z a <= listed z b.
Proof.
  intros a b Ha Hab Hb. unfold listed. apply div_le_div; try apply whole_pos. apply Rmult_le_compat_r. left; apply whole_pos.
  apply IZR_le. assert (X := rises (Z.to_nat (b - a)) (Z.to_nat (a - first z))).
  replace (Z.to_nat (b - first z)) with (Z.to_nat (a - first z) + Z.to_nat (b - a))%nat by lia. apply X.
  assert (Hf := law_facts). lia.
Qed.
Lemma listed_range : forall l, (first z <= l <= last z)%Z -> 0 <= listed z l <= 1.
Proof.
  intros l H. assert (Hf := law_facts). assert (HW := whole_pos). destruct (within (Z.to_nat (l - first z)) ltac:(lia)) as [A B].
  apply IZR_le in A, B. unfold listed. fold c W. split. apply div_nonneg; auto. apply div_le_l; auto. fold W in B. lra.
Qed.

(* ---- F beyond the list *)
Lemma below_listed : forall l, (first z <= l <= last z)%Z -> below z l = listed z l.
Proof. intros l H. unfold below. destruct (Z.ltb_spec l (first z)); [lia|]. destruct (Z.leb_spec l (last z)); [auto|lia]. Qed.
Lemma periods_next : forall d, periods z (d + p) = (periods z d + 1)%Z.
Proof.
  intros d. destruct law_facts as (Hp & _). unfold periods. fold p. replace (- (d + p))%Z with (- d + (-1) * p)%Z by ring.
  rewrite Z.div_add by lia. ring.
Qed.
Lemma periods_within : forall d, (0 < d)%Z -> (0 < periods z d)%Z /\ (d <= periods z d * p < d + p)%Z.
Proof.
  intros d H. destruct law_facts as (Hp & _). unfold periods. fold p.
  assert (A := Z.div_mod (- d) p ltac:(lia)). assert (B := Z.mod_pos_bound (- d) p Hp). nia.
Qed.
Lemma decay_next : forall k, (0 <= k)%Z -> decay z (k + 1) = t * decay z k.
Proof. intros k H. unfold decay. rewrite Z.add_1_r, Z2Nat.inj_succ by auto. reflexivity. Qed.
Lemma decay_range : forall k, 0 <= decay z k <= 1.
Proof.
  intros k. unfold decay. fold W t. assert (Ht := tail_range). split. apply pow_le; lra.
  rewrite <- (pow1 (Z.to_nat k)). apply pow_incr. lra.
Qed.

Lemma tail_before : forall l, (l < first z + p)%Z -> below z (l - p) = t * below z l.
Proof.
  intros l H. destruct law_facts as (Hp & _ & _ & _ & Hl). unfold below at 1. destruct (Z.ltb_spec (l - p) (first z)); [|lia].
  fold p.
  replace (first z - (l - p))%Z with (first z - l + p)%Z by ring. destruct (Z.lt_ge_cases l (first z)) as [A|A].
  - rewrite periods_next. destruct (periods_within (first z - l) ltac:(lia)) as [B _]. rewrite decay_next by lia.
    unfold below. destruct (Z.ltb_spec l (first z)); [|lia]. rewrite Rmult_assoc. do 3 f_equal. fold p. ring.
  - rewrite below_listed by lia. destruct (periods_within (first z - l + p) ltac:(lia)) as [B C].
    assert (E : periods z (first z - l + p) = (0 + 1)%Z) by nia. rewrite E, decay_next by lia. change (decay z 0) with 1.
    rewrite Rmult_1_r. do 2 f_equal. ring.
Qed.
Lemma tail_behind : forall l, (last z - p < l)%Z -> 1 - below z (l + p) = t * (1 - below z l).
Proof.
  intros l H. destruct law_facts as (Hp & _ & _ & _ & Hl). unfold below at 1.
  destruct (Z.ltb_spec (l + p) (first z)); [lia|]. destruct (Z.leb_spec (l + p) (last z)); [lia|]. fold p.
  replace (l + p - last z)%Z with (l - last z + p)%Z by ring. destruct (Z.lt_ge_cases (last z) l) as [A|A].
  - rewrite periods_next. destruct (periods_within (l - last z) ltac:(lia)) as [B _]. rewrite decay_next by lia.
    unfold below. destruct (Z.ltb_spec l (first z)); [lia|]. destruct (Z.leb_spec l (last z)); [lia|].
    replace (l + p - (periods z (l - last z) + 1) * p)%Z with (l - periods z (l - last z) * p)%Z by ring. fold p. ring.
  - rewrite (below_listed l) by lia. destruct (periods_within (l - last z + p) ltac:(lia)) as [B C].
    assert (E : periods z (l - last z + p) = (0 + 1)%Z) by nia. rewrite E, decay_next by lia. change (decay z 0) with 1.
    replace (l + p - (0 + 1) * p)%Z with l by ring. ring.
Qed.

(* ---- F is within 0 and 1, and does not fall. *)
Lemma below_range : forall l, 0 <= below z l <= 1.
Proof.
  intros l. destruct law_facts as (Hp & _ & _ & _ & Hl). unfold below. fold p.
  destruct (Z.ltb_spec l (first z)) as [A|A]; [|destruct (Z.leb_spec l (last z)) as [B|B]; [apply listed_range; lia|]].
  - destruct (periods_within (first z - l) ltac:(lia)) as [_ C]. set (k := periods z (first z - l)) in *.
    assert (D := decay_range k). assert (E := listed_range (l + k * p) ltac:(lia)). nra.
  - destruct (periods_within (l - last z) ltac:(lia)) as [_ C]. set (k := periods z (l - last z)) in *.
    assert (D := decay_range k). assert (E := listed_range (l - k * p) ltac:(lia)). nra.
Qed.
Lemma rise_first : below z (first z - 1) <= below z (first z).
Proof.
  destruct law_facts as (Hp & Hw & Hs & _ & Hl). assert (HW := whole_pos).
  replace (first z - 1)%Z with (first z + p - 1 - p)%Z by ring. rewrite tail_before by lia. rewrite !below_listed by lia.
  unfold law_ok in Hz. facts. unfold listed, t. fold c W. replace (Z.to_nat (first z + p - 1 - first z)) with (width z - 1)%nat
  by lia.
  replace (Z.to_nat (first z - first z)) with O by lia.
  match goal with A : (tail z * _ <= whole z * cumulative z O)%Z |- _ => apply IZR_le in A; rewrite !mult_IZR in A;
  fold c W in A end.
  replace (IZR (tail z) / W * (IZR (c (width z - 1)%nat) / W)) with (IZR (tail z) * IZR (c (width z - 1)%nat) / (W * W)) by
  (field; lra).
  apply div_le_div; auto. nra. nra.
Qed.
Lemma rise_last : below z (last z) <= below z (last z + 1).
Proof.
  destruct law_facts as (Hp & Hw & Hs & Hn & Hl). assert (HW := whole_pos).
  enough (1 - below z (last z + 1) <= 1 - below z (last z)) by lra.
  replace (last z + 1)%Z with (last z + 1 - p + p)%Z by ring. rewrite tail_behind by lia. rewrite !below_listed by lia.
  unfold law_ok in Hz. facts. unfold listed, t. fold c W. replace (Z.to_nat (last z + 1 - p - first z)) with (size z - width
  z)%nat by lia.
  replace (Z.to_nat (last z - first z)) with (size z - 1)%nat by lia.
  match goal with A : (tail z * _ <= whole z * (whole z - _))%Z |- _ => apply IZR_le in A; rewrite !mult_IZR, !minus_IZR in A;
  fold c W in A end.
  replace (IZR (tail z) / W * (1 - IZR (c (size z - width z)%nat) / W)) with
    (IZR (tail z) * (W - IZR (c (size z - width z)%nat)) / (W * W)) by (field; lra).
  replace (1 - IZR (c (size z - 1)%nat) / W) with ((W - IZR (c (size z - 1)%nat)) / W) by (field; lra).
  apply div_le_div; auto. nra. nra.
Qed.
Lemma rise_below : forall k l, (first z - Z.of_nat k <= l)%Z -> (l < last z)%Z -> below z l <= below z (l + 1).
Proof.
  destruct law_facts as (Hp & _ & _ & _ & Hl). induction k as [|k IH]; intros l Hk H.
  - rewrite !below_listed by lia. apply listed_rises; lia.
  - destruct (Z.le_gt_cases (first z - Z.of_nat k) l) as [A|A]; [apply IH; lia|].
    destruct (Z.eq_dec l (first z - 1)) as [->|B]. { replace (first z - 1 + 1)%Z with (first z) by ring. apply rise_first. }
    assert (X := IH (l + p)%Z ltac:(lia) ltac:(lia)). assert (Ht := tail_range).
    assert (C := tail_before (l + p) ltac:(lia)). assert (D := tail_before (l + p + 1) ltac:(lia)).
    replace (l + p - p)%Z with l in C by ring. replace (l + p + 1 - p)%Z with (l + 1)%Z in D by ring. rewrite C, D.
    apply Rmult_le_compat_l; lra.
Qed.
Lemma rise_behind : forall k l, (l < last z + Z.of_nat k)%Z -> (first z <= l)%Z -> below z l <= below z (l + 1).
Proof.
  destruct law_facts as (Hp & _ & _ & _ & Hl). induction k as [|k IH]; intros l Hk H.
  - rewrite !below_listed by lia. apply listed_rises; lia.
  - destruct (Z.lt_ge_cases l (last z + Z.of_nat k)) as [A|A]; [apply IH; lia|].
    destruct (Z.eq_dec l (last z)) as [->|B]; [apply rise_last|].
    assert (X := IH (l - p)%Z ltac:(lia) ltac:(lia)). assert (Ht := tail_range).
    assert (C := tail_behind (l - p) ltac:(lia)). assert (D := tail_behind (l - p + 1) ltac:(lia)).
    replace (l - p + p)%Z with l in C by ring. replace (l - p + 1 + p)%Z with (l + 1)%Z in D by ring.
    assert (t * (1 - below z (l - p + 1)) <= t * (1 - below z (l - p))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma below_next : forall l, below z l <= below z (l + 1).
Proof.
  intros l. destruct (Z.lt_ge_cases l (first z)).
  - apply rise_below with (k := Z.to_nat (first z - l)). lia. assert (H' := law_facts). lia.
  - apply rise_behind with (k := Z.to_nat (l - last z + 1)); lia.
Qed.
Theorem below_grows : forall a b, (a <= b)%Z -> below z a <= below z b.
Proof.
  intros a b H. replace b with (a + Z.of_nat (Z.to_nat (b - a)))%Z by lia. induction (Z.to_nat (b - a)) as [|d IH].
  - rewrite Z.add_0_r. lra. - eapply Rle_trans; [exact IH|]. replace (a + Z.of_nat (S d))%Z with (a + Z.of_nat d + 1)%Z by lia.
    apply below_next.
Qed.
End Law.
