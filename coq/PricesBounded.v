(* The bound by prices of truths holds for every mechanism: Theorem prices_bounded. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings Tails TailsBound TailsBounded Prices
  PricesRow.
Import ListNotations.
Open Scope R_scope.

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
