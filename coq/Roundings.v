(* Sums of weights that decay, listed in whole numbers: each is below the real sum by little, and what the loss of truths
   changes by is therefore known within `error`. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Losses Decayed.
Import ListNotations.
Open Scope R_scope.

Section Sound.
Variables (n : nat) (w loss : nat -> Z) (a whole heavy : Z) (s : decayed).
Let q := shape_of n loss.
Let one := fine a whole.
Let d := IZR a / IZR whole.
Let slack := if (a =? whole)%Z then 0 else 1.
Let r := IZR (reach n a whole).
Hypothesis Hwhole : (0 < whole)%Z.
Hypothesis Ha : (0 <= a <= whole)%Z.
Hypothesis Hheavy : (1 <= heavy)%Z.
Hypothesis Hw : forall f, (f < n)%nat -> (0 <= w f <= heavy)%Z.
Hypothesis Hloss : (loss O <= loss 1%nat)%Z.
Hypothesis Hok : decayed_ok n w (squared q) a whole one s = true.

Lemma d_range : 0 <= d <= 1.
Proof.
  assert (A := IZR_lt _ _ Hwhole). destruct Ha as [B C]. apply IZR_le in B, C. split. apply div_nonneg; auto. apply div_le_l; lra.
Qed.
Lemma one_pos : 0 < IZR one.
Proof. apply IZR_lt. unfold one, fine. destruct (a =? whole)%Z; lia. Qed.
Lemma slack_range : 0 <= slack <= 1.
Proof. unfold slack. destruct (a =? whole)%Z; lra. Qed.
Lemma floor_slack : forall m, 0 <= IZR m * d - IZR (m * a / whole) <= slack.
Proof.
  intros m. assert (A := floor_range (m * a) whole Hwhole). rewrite mult_IZR in A. unfold d, slack.
  replace (IZR m * (IZR a / IZR whole)) with (IZR m * IZR a / IZR whole) by (unfold Rdiv; ring).
  destruct (Z.eqb_spec a whole) as [->|]; [|exact A]. rewrite Z.div_mul by lia. apply IZR_lt in Hwhole.
  replace (IZR m * IZR whole / IZR whole) with (IZR m) by (field; lra). lra.
Qed.

Let next := sums_next n w (squared q) a whole one s Hwhole Hok.
Definition weighed : nat -> R := decaying d (fun f => IZR (w f)).
Definition ones : nat -> R := decaying d (fun _ => 1).
Fixpoint arms (x : nat) : R := match x with O => 0 | S k => d * (arms k + weighed k) end.
Lemma ones_range : forall x, (x <= n)%nat -> 0 <= ones x <= r.
Proof.
  assert (Hd := d_range). intros x Hx. split. { apply decaying_nonneg; [apply Hd|intros; lra]. }
  assert (A : ones x <= INR x).
  { clear Hx. unfold ones. induction x. simpl; lra. rewrite S_INR. simpl.
    assert (Hn := decaying_nonneg d (fun _ => 1) x ltac:(lra) ltac:(intros; lra)).
    nra. }
  assert (B : ones x * (1 - d) <= 1). { clear - Hd. unfold ones. induction x; simpl; [lra|]. nra. }
  apply le_INR in Hx. rewrite (INR_IZR_INZ n) in Hx. unfold r, reach. destruct (Z.eqb_spec a whole) as [|Hne]; [lra|].
  destruct (Z.min_spec (Z.of_nat n) (whole / (whole - a) + 1)) as [[_ ->]|[_ ->]]; [lra|].
  rewrite plus_IZR. assert (C := floor_range whole (whole - a) ltac:(lia)). rewrite minus_IZR in C.
  assert (Hg : 0 < IZR whole - IZR a). { rewrite <- minus_IZR. apply IZR_lt. lia. }
  assert (Hp := IZR_lt _ _ Hwhole). enough (ones x <= IZR whole / (IZR whole - IZR a)) by lra.
  apply le_div_r; auto. apply Rmult_le_reg_r with (/ IZR whole). apply Rinv_0_lt_compat; auto.
  replace (ones x * (IZR whole - IZR a) * / IZR whole) with (ones x * (1 - d)) by (unfold d; field; lra).
  rewrite Rinv_r by lra. auto.
Qed.
Lemma r_nonneg : 0 <= r.
Proof. assert (A := ones_range O ltac:(lia)). lra. Qed.
Lemma weighed_range : forall x, (x <= n)%nat -> 0 <= weighed x <= IZR heavy * r.
Proof.
  intros x Hx. assert (Hd := d_range). split.
  - apply decaying_nonneg; [apply Hd|]. intros f Hf. apply IZR_le. destruct (Hw f ltac:(lia)). auto.
  - apply Rle_trans with (IZR heavy * ones x).
    + unfold weighed, ones. rewrite <- decaying_scale. apply decaying_mono; [apply Hd|]. intros f Hf. rewrite Rmult_1_r.
      apply IZR_le. destruct (Hw f ltac:(lia)). auto.
    + apply Rmult_le_compat_l; [|apply ones_range; auto]. apply IZR_le. lia.
Qed.
Lemma mass_range : forall x, (x <= n)%nat -> 0 <= IZR one * weighed x - IZR (mass_of s x) <= slack * ones x.
Proof.
  unfold weighed, ones. induction x; intros Hx; simpl decaying. { simpl. lra. }
  rewrite (proj1 (next x ltac:(lia))), plus_IZR, mult_IZR. specialize (IHx ltac:(lia)). assert (F := floor_slack (mass_of s x)).
  assert (Hd := d_range). set (X := decaying d (fun f => IZR (w f)) x) in *. set (Y := decaying d (fun _ => 1) x) in *.
    set (m := IZR (mass_of s x)) in *.
  assert (A : 0 <= d * (IZR one * X - m) <= d * (slack * Y)). { split. apply Rmult_le_pos; lra. apply Rmult_le_compat_l; lra. }
  lra.
Qed.
Lemma mass_nonneg : forall x, (x <= n)%nat -> (0 <= mass_of s x)%Z.
Proof.
  induction x; intros Hx. simpl; lia. rewrite (proj1 (next x ltac:(lia))). assert (A := one_pos). apply lt_IZR in A.
  destruct (Hw x ltac:(lia)).
  assert (B : (0 <= mass_of s x * a / whole)%Z) by (apply Z.div_pos; [apply Z.mul_nonneg_nonneg; [apply IHx|]|]; lia).
  assert (C : (0 <= w x * one)%Z) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.
Lemma fade_range : squared q = false -> forall k, (k < n)%nat -> 0 <= IZR one * d ^ k - IZR (fade_of s k) <= slack * r.
Proof.
  intros Hq k Hk. destruct (fades_next n w (squared q) a whole one s Hwhole Hok Hq) as [H0 H1]. assert (Hd := d_range).
  assert (A : 0 <= IZR one * d ^ k - IZR (fade_of s k) <= slack * ones k).
  { unfold ones. induction k. { rewrite H0. simpl. lra. }
    rewrite (H1 k Hk). specialize (IHk ltac:(lia)). assert (F := floor_slack (fade_of s k)). cbn [pow decaying].
    set (p := IZR (fade_of s k)) in *. set (Y := decaying d _ k) in *.
    assert (A : 0 <= d * (IZR one * d ^ k - p) <= d * (slack * Y)). { split. apply Rmult_le_pos; lra.
      apply Rmult_le_compat_l; lra. }
    lra. }
  assert (B := ones_range k ltac:(lia)). assert (S := slack_range). split; [lra|]. apply Rle_trans with (slack * ones k); [lra|].
  apply Rmult_le_compat_l; lra.
Qed.
Lemma arm_range : squared q = true -> forall x, (x <= n)%nat ->
  0 <= IZR one * arms x - IZR (arm_of s x) <= slack * ((r + 1) * r).
Proof.
  intros Hq x Hx. assert (Hd := d_range). assert (S := slack_range). assert (Hr := r_nonneg).
  assert (A : 0 <= IZR one * arms x - IZR (arm_of s x) <= slack * ((r + 1) * ones x)).
  { unfold ones. induction x; cbn [arms decaying]. { simpl. lra. }
    rewrite (proj2 (next x ltac:(lia)) Hq). specialize (IHx ltac:(lia)).
    assert (F := floor_slack (mass_of s x + arm_of s x)). rewrite plus_IZR in F. assert (M := mass_range x ltac:(lia)).
    assert (O := ones_range x ltac:(lia)). unfold ones in M, O. set (Y := decaying d _ x) in *.
    set (m := IZR (mass_of s x)) in *. set (b := IZR (arm_of s x)) in *.
    assert (E : slack * Y <= slack * r) by (apply Rmult_le_compat_l; lra).
    assert (A : 0 <= d * (IZR one * arms x - b) <= d * (slack * ((r + 1) * Y))). { split. apply Rmult_le_pos; lra.
      apply Rmult_le_compat_l; lra. }
    assert (B : 0 <= d * (IZR one * weighed x - m) <= 1 * (slack * r)). { split. apply Rmult_le_pos; lra.
      apply Rmult_le_compat; lra. }
    lra. }
  assert (B := ones_range x ltac:(lia)). split; [lra|]. eapply Rle_trans; [apply A|]. apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_compat_l; lra.
Qed.

(* ---- The sum over bends *)
(* The sum at x of the truths before k *)
Definition cut (x k : nat) : R := if (x <=? k)%nat then weighed x else d ^ (x - k) * weighed k.
Definition per_bend : R := 3 * r + 2 * (IZR heavy * r * r).
Lemma piece : squared q = false -> forall x k, (k <= x)%nat -> (x <= n)%nat ->
  0 <= IZR one * (d ^ (x - k) * weighed k) - IZR (fade_of s (x - k) * mass_of s k) / IZR one <= slack * (r + IZR heavy * r * r).
Proof.
  intros Hq x k Hk Hx. assert (Ho := one_pos). assert (Hs := slack_range). assert (Hr := r_nonneg).
  assert (Hh : 0 <= IZR heavy * r * r). { repeat apply Rmult_le_pos; auto. apply IZR_le; lia. }
  assert (Hb : 0 <= slack * (r + IZR heavy * r * r)) by (apply Rmult_le_pos; lra).
  destruct k as [|k].
  { cbn [mass_of]. unfold weighed. simpl decaying. rewrite Z.mul_0_r, Rmult_0_r, Rmult_0_r. unfold Rdiv. rewrite Rmult_0_l. lra. }
  assert (F := fade_range Hq (x - S k) ltac:(lia)). assert (M := mass_range (S k) ltac:(lia)).
    assert (N := mass_nonneg (S k) ltac:(lia)).
  assert (W := weighed_range (S k) ltac:(lia)). assert (O := ones_range (S k) ltac:(lia)).
  assert (P : 0 <= d ^ (x - S k) <= 1). { assert (Hd := d_range). split. apply pow_le; lra. rewrite <- (pow1 (x - S k)).
    apply pow_incr. lra. }
  apply IZR_le in N. rewrite mult_IZR. set (p := IZR (fade_of s (x - S k))) in *. set (m := IZR (mass_of s (S k))) in *.
  set (D := d ^ (x - S k)) in *. set (u := weighed (S k)) in *.
  replace (IZR one * (D * u) - p * m / IZR one) with (D * (IZR one * u - m) + m / IZR one * (IZR one * D - p)) by (field; lra).
  assert (A : slack * ones (S k) <= slack * r) by (apply Rmult_le_compat_l; lra).
  assert (B : 0 <= D * (IZR one * u - m) <= 1 * (slack * r)). { split. apply Rmult_le_pos; lra. apply Rmult_le_compat; lra. }
  assert (E : 0 <= m / IZR one <= IZR heavy * r). { split. apply div_nonneg; lra. apply div_le_l; auto.
    assert (IZR one * u <= IZR one * (IZR heavy * r)). apply Rmult_le_compat_l; lra. lra. }
  assert (C : 0 <= m / IZR one * (IZR one * D - p) <= IZR heavy * r * (slack * r)). { split. apply Rmult_le_pos; lra.
    apply Rmult_le_compat; lra. }
  replace (slack * (r + IZR heavy * r * r)) with (1 * (slack * r) + IZR heavy * r * (slack * r)) by ring. lra.
Qed.
Lemma floor_one : forall x, 0 <= IZR x / IZR one - IZR (x / one) <= slack.
Proof.
  intros x. assert (Ho := one_pos). assert (A := floor_range x one ltac:(apply lt_IZR; auto)). revert A.
  unfold slack, one, fine. destruct (a =? whole)%Z; [|auto]. rewrite Z.div_1_r. intros _.
    replace (IZR x / 1) with (IZR x) by field. lra.
Qed.
Lemma bend_range : squared q = false -> forall j x t, (x <= n)%nat -> exists e, Rabs e <= slack * per_bend /\
  IZR one * (cut x (S j - t) - (weighed x - cut x (S j + t))) = e
    + ((if (x <=? S j - t)%nat then 1 else 0) - (if (S j + t <? x)%nat then 1 else 0)) * IZR (mass_of s x)
    + ((if (x <=? S j - t)%nat then 0 else IZR (fade_of s (x - (S j - t)) * mass_of s (S j - t)))
       + (if (S j + t <? x)%nat then IZR (fade_of s (x - (S j + t)) * mass_of s (S j + t)) else 0)) / IZR one.
Proof.
  intros Hq j x t Hx. assert (P := piece Hq x). assert (Ho := one_pos). assert (Hs := slack_range). assert (Hr := r_nonneg).
  assert (Hh : 0 <= IZR heavy * r * r). { repeat apply Rmult_le_pos; auto. apply IZR_le; lia. }
  assert (M := mass_range x Hx). assert (C := ones_range x Hx).
    assert (A : slack * ones x <= slack * r) by (apply Rmult_le_compat_l; lra).
  assert (B : 0 <= slack * r) by (apply Rmult_le_pos; lra).
    assert (D : 0 <= slack * (IZR heavy * r * r)) by (apply Rmult_le_pos; lra).
  set (m := IZR (mass_of s x)) in *. unfold cut, per_bend. set (k := (S j - t)%nat). set (k' := (S j + t)%nat).
  exists ((if (x <=? k)%nat then IZR one * weighed x - m else IZR one * (d ^ (x - k) * weighed k) - IZR (fade_of s (x - k)
    * mass_of s k) / IZR one)
    + (if (k' <? x)%nat then IZR one * (d ^ (x - k') * weighed k') - IZR (fade_of s (x - k') * mass_of s k') / IZR one -
      (IZR one * weighed x - m) else 0)).
  split.
  - apply Rabs_le. destruct (Nat.leb_spec x k), (Nat.ltb_spec k' x); try (assert (P1 := P k ltac:(lia) Hx));
    try (assert (P2 := P k' ltac:(lia) Hx));
      split; lra.
  - destruct (Nat.leb_spec x k), (Nat.ltb_spec k' x), (Nat.leb_spec x k'); try lia; field; lra.
Qed.
Lemma bent_range : squared q = false -> forall j x, (x <= n)%nat -> forall bs upto total,
  Rabs (IZR one * over_bends bs (fun t => cut x (S j - t) - (weighed x - cut x (S j + t))) + IZR upto * IZR (mass_of s x)
        + IZR total / IZR one - IZR (bent one s j x bs upto total)) <= slack * (IZR (sizes bs 0) * per_bend + 1).
Proof.
  intros Hq j x Hx. assert (Ho := one_pos). assert (Hs := slack_range).
  induction bs as [|[t b] bs IH]; intros upto total; cbn [bent over_bends sizes].
  - assert (F := floor_one total). rewrite plus_IZR, mult_IZR, Rmult_0_l, Rmult_0_r, Rplus_0_l, Rplus_0_l, Rmult_1_r.
    apply Rabs_le. split; lra.
  - rewrite sizes_add, Z.add_0_l, plus_IZR. destruct (bend_range Hq j x t Hx) as (e & He & E).
    match goal with |- Rabs (_ - IZR (bent _ _ _ _ _ ?u ?v)) <= _ => specialize (IH u v); set (u' := u) in *;
      set (v' := v) in * end.
    assert (Hu : IZR u' = IZR upto + IZR b * ((if (x <=? S j - t)%nat then 1 else 0) - (if (S j + t <? x)%nat then 1 else 0))).
    { unfold u'. rewrite minus_IZR, plus_IZR. destruct (x <=? S j - t)%nat, (S j + t <? x)%nat; ring. }
    assert (Hv : IZR v' = IZR total + IZR b * ((if (x <=? S j - t)%nat then 0 else IZR (fade_of s (x - (S j - t)) * mass_of
      s (S j - t)))
       + (if (S j + t <? x)%nat then IZR (fade_of s (x - (S j + t)) * mass_of s (S j + t)) else 0))).
    { unfold v'. rewrite !plus_IZR. destruct (x <=? S j - t)%nat, (S j + t <? x)%nat; rewrite ?mult_IZR; ring. }
    assert (Hb : Rabs (IZR b * e) <= IZR (Z.abs b) * (slack * per_bend)).
    { rewrite Rabs_mult, abs_IZR. apply Rmult_le_compat_l; auto. apply Rabs_pos. }
    rewrite Hu, Hv in IH. set (rest := over_bends bs _) in *. set (B := IZR (bent _ _ _ _ _ _ _)) in *.
    match type of E with _ = _ + ?y * _ + ?z / _ => set (Y := y) in *; set (V := z) in * end.
    match goal with |- Rabs ?u <= _ => match type of IH with Rabs ?v <= _ => replace u with (v + IZR b * e) end end.
    + eapply Rle_trans; [apply Rabs_triang|]. lra.
    + replace e with (IZR one * (cut x (S j - t) - (weighed x - cut x (S j + t))) - Y * IZR (mass_of s x) - V / IZR one)
      by (rewrite E; ring).
      unfold Rdiv. ring.
Qed.

(* ---- The sums that these numbers stand for *)
Lemma change_by_bends : squared q = false -> forall j x, (j < n)%nat -> (x <= n)%nat ->
  decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) j f)) x =
    over_bends (bends q) (fun t => cut x (S j - t) - (weighed x - cut x (S j + t))).
Proof.
  intros Hq j x Hj Hx. unfold q, shape_of in *. cbn [squared bends] in *. rewrite Hq, over_bends_below. simpl over_bends.
    rewrite Rplus_0_r.
  rewrite (Sum_ext n _ (fun t => decaying d (fun f => IZR (w f) * (IZR (bend loss t) *
    ((if (f <? S j - t)%nat then 1 else 0) - (1 - if (f <? S j + t)%nat then 1 else 0)))) x)).
  - rewrite <- decaying_many. apply decaying_ext. intros f Hf. rewrite Sum_scale. destruct (le_lt_dec f j) as [L|L].
    + rewrite change_near, mult_IZR by auto. rewrite <- (bends_up_to loss n (j - f)) by lia. f_equal. apply Sum_ext.
      intros t _. f_equal.
      destruct (Nat.leb_spec t (j - f)), (Nat.ltb_spec f (S j - t)), (Nat.ltb_spec f (S j + t)); try lia; ring.
    + rewrite change_far, opp_IZR, mult_IZR by auto. rewrite <- (bends_up_to loss n (f - S j)) by lia.
      match goal with |- - (?u * ?v) = _ => replace (- (u * v)) with (u * ((-1) * v)) by ring end. f_equal.
      rewrite <- Sum_scale. apply Sum_ext. intros t _.
      destruct (Nat.leb_spec t (f - S j)), (Nat.ltb_spec f (S j - t)), (Nat.ltb_spec f (S j + t)); try lia; ring.
  - intros t _. unfold cut, weighed. rewrite <- !decaying_cut.
    rewrite (decaying_ext d (fun f => IZR (w f) * (IZR (bend loss t) * ((if (f <? S j - t)%nat then 1 else 0) - (1 - (if (f
      <? S j + t)%nat then 1 else 0)))))
      (fun f => IZR (bend loss t) * ((if (f <? S j - t)%nat then IZR (w f) else 0) + ((-1) * IZR (w f) + (if (f <? S j +
        t)%nat then IZR (w f) else 0))))).
    + rewrite decaying_scale, decaying_add, decaying_add, decaying_scale. ring.
    + intros f _. destruct (f <? S j - t)%nat, (f <? S j + t)%nat; ring.
Qed.
Lemma change_by_arms : squared q = true -> forall j x, (j < n)%nat -> (x <= n)%nat ->
  decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) j f)) x =
    IZR (loss 1%nat) * (IZR (2 * (Z.of_nat (S j) - Z.of_nat x) + 1) * weighed x + 2 * arms x).
Proof.
  intros Hq j x Hj Hx. induction x.
  - unfold weighed. simpl. ring.
  - cbn [decaying]. rewrite IHx by lia. assert (E : change (cost_of (ByDistance w loss)) j x = (w x * (loss 1%nat * (2 *
    (Z.of_nat j - Z.of_nat x) + 1)))%Z).
    { destruct (le_lt_dec x j).
      - rewrite change_near, (squared_rise n) by (auto; lia). do 2 f_equal. lia.
      - rewrite change_far, (squared_rise n) by (auto; lia). rewrite <- Z.mul_opp_r. f_equal. rewrite <- Z.mul_opp_r.
        f_equal. lia. }
    rewrite E, !mult_IZR. cbn [arms]. unfold weighed. cbn [decaying]. fold (weighed x).
    replace (2 * (Z.of_nat (S j) - Z.of_nat (S x)) + 1)%Z with (2 * (Z.of_nat j - Z.of_nat x) + 1)%Z by lia.
    replace (2 * (Z.of_nat (S j) - Z.of_nat x) + 1)%Z with (2 * (Z.of_nat j - Z.of_nat x) + 1 + 2)%Z by lia.
    rewrite (plus_IZR _ 2). ring.
Qed.

Theorem decayed_sum_sound : forall j x, (j < n)%nat -> (x <= n)%nat ->
  Rabs (IZR one * decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) j f)) x - IZR (decayed_sum q one s j x))
    <= IZR (error n q heavy a whole).
Proof.
  intros j x Hj Hx. assert (Hs := slack_range). assert (Hr := r_nonneg). assert (Ho := one_pos).
    assert (HhR := IZR_le _ _ Hheavy).
  assert (Hh : r * r <= IZR heavy * r * r). { rewrite <- (Rmult_1_l (r * r)), Rmult_assoc. apply Rmult_le_compat_r; auto.
    apply Rmult_le_pos; auto. }
  assert (Hrr : 0 <= r * r) by (apply Rmult_le_pos; auto).
  assert (HE : IZR (error n q heavy a whole) = slack * ((IZR heavy * r * r + r + 2) *
    if squared q then IZR (loss 1%nat) * (8 * IZR (Z.of_nat n) + 12) else 3 * IZR (sizes (bends q) 0))).
  { unfold error, slack. destruct (a =? whole)%Z; [ring|]. rewrite mult_IZR, !plus_IZR, !mult_IZR. fold r.
    destruct (squared q); rewrite !mult_IZR, ?plus_IZR, ?mult_IZR; cbn [unit_loss q shape_of]; ring. }
  rewrite HE. unfold decayed_sum.
  destruct (bool_dec (squared q) true) as [Hq|Hq]; [|apply not_true_is_false in Hq]; rewrite Hq.
  - rewrite (change_by_arms Hq j x Hj Hx). set (cz := (2 * (Z.of_nat (S j) - Z.of_nat x) + 1)%Z).
    rewrite mult_IZR, plus_IZR, !mult_IZR.
    change (unit_loss q) with (loss 1%nat). set (c := IZR cz). assert (A := arm_range Hq x Hx). assert (M := mass_range x Hx).
    assert (C := ones_range x Hx). assert (B : slack * ones x <= slack * r) by (apply Rmult_le_compat_l; lra).
    set (e := IZR one * weighed x - IZR (mass_of s x)) in *. set (g := IZR one * arms x - IZR (arm_of s x)) in *.
    assert (Hl : 0 <= IZR (loss 1%nat)).
    { apply IZR_le. unfold q, shape_of, is_squared in Hq. cbn [squared] in Hq. facts. lia. }
    replace (IZR one * (IZR (loss 1%nat) * (c * weighed x + 2 * arms x)) - IZR (loss 1%nat) * (c * IZR (mass_of s x) +
      2 * IZR (arm_of s x)))
      with (IZR (loss 1%nat) * (c * e + 2 * g)) by (unfold e, g; ring).
    rewrite Rabs_mult, (Rabs_pos_eq (IZR (loss 1%nat))) by auto.
    assert (Hc : Rabs c <= 2 * IZR (Z.of_nat n) + 1). { unfold c, cz. rewrite <- abs_IZR, <- mult_IZR, <- plus_IZR.
      apply IZR_le. lia. }
    assert (Hn : 0 <= IZR (Z.of_nat n)) by (apply IZR_le; lia). set (N := IZR (Z.of_nat n)) in *.
    assert (F : Rabs (c * e) <= (2 * N + 1) * (slack * r)).
    { rewrite Rabs_mult, (Rabs_pos_eq e) by lra. apply Rmult_le_compat; try lra. apply Rabs_pos. }
    assert (G : Rabs (c * e + 2 * g) <= slack * ((2 * N + 1) * r + 2 * ((r + 1) * r))).
    { eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult 2 g), (Rabs_pos_eq 2), (Rabs_pos_eq g) by lra. lra. }
    eapply Rle_trans; [apply Rmult_le_compat_l; [auto|exact G]|].
    replace (slack * ((IZR heavy * r * r + r + 2) * (IZR (loss 1%nat) * (8 * N + 12))))
      with (IZR (loss 1%nat) * (slack * ((IZR heavy * r * r + r + 2) * (8 * N + 12)))) by ring.
    apply Rmult_le_compat_l; auto. apply Rmult_le_compat_l; [lra|].
    assert (0 <= N * r) by (apply Rmult_le_pos; auto). assert (0 <= (IZR heavy * r * r) * N) by (apply Rmult_le_pos; lra). lra.
  - rewrite (change_by_bends Hq j x Hj Hx). assert (B := bent_range Hq j x Hx (bends q) 0%Z 0%Z).
    assert (Hb : Forall (fun e => snd e <> 0%Z) (bends q)).
    { unfold q, shape_of in *. cbn [squared bends] in *. rewrite Hq. apply bends_not_zero. constructor. }
    destruct (bends q) as [|[t b] bs] eqn:Hbs.
    + cbn [over_bends bent sizes]. rewrite Z.mul_0_l, Z.div_0_l by (apply lt_IZR in Ho; lia). rewrite !Rmult_0_r. 
      replace (0 - IZR (0 + 0)) with 0 by (simpl; ring). rewrite Rabs_R0. lra.
    + rewrite Rmult_0_l, Rplus_0_r in B. unfold Rdiv in B. rewrite Rmult_0_l, Rplus_0_r in B.
      eapply Rle_trans; [exact B|]. apply Rmult_le_compat_l; [lra|].
      assert (Hz : 1 <= IZR (sizes ((t, b) :: bs) 0)).
      { apply IZR_le. inversion Hb; subst. cbn [sizes snd] in *. rewrite sizes_add. assert (Hp := sizes_nonneg bs). lia. }
      set (z := IZR (sizes _ 0)) in *. unfold per_bend.
      assert (z * (3 * r + 2 * (IZR heavy * r * r)) <= z * (3 * r + 3 * (IZR heavy * r * r))) by (apply Rmult_le_compat_l;
        lra). lra.
Qed.
End Sound.
