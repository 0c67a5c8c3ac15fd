(* Theorem levels_bound_sound: no mechanism of a question of modular noise has an objective below the bound that its proof on
   levels shows. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Words Cuts Levels Cases NoiseLevels Modular.
Import ListNotations.
Open Scope R_scope.

(* ---- Cuts have the room that noises leave to them. *)
Lemma leak_fits : forall z o D T dn dd mn md, 0 <= IZR o -> (0 < dd)%Z -> (0 < md)%Z -> 0 <= D -> D * IZR dd <= IZR dn -> 0 <=
  T -> T * IZR md <= IZR mn ->
  IZR z <= IZR o * (D * T) -> (z <= dn * mn * o / (dd * md))%Z.
Proof.
  intros z o D T dn dd mn md Ho Hd Hm HD HD' HT HT' H. apply Z.div_le_lower_bound. nia. apply le_IZR. rewrite !mult_IZR.
  apply IZR_lt in Hd, Hm.
  assert (A : (D * IZR dd) * (T * IZR md) <= IZR dn * IZR mn) by (apply Rmult_le_compat; auto; apply Rmult_le_pos; lra).
  assert (P : 0 < IZR dd * IZR md) by (apply Rmult_lt_0_compat; auto).
  apply Rmult_le_compat_l with (r := IZR o) in A; auto. apply Rmult_le_compat_l with (r := IZR dd * IZR md) in H; lra.
Qed.
Lemma mass_fits_room : forall z o T mn md, 0 <= IZR o -> (0 < md)%Z -> T * IZR md <= IZR mn -> IZR (o + z) <= IZR o * T ->
  (z <= (mn - md) * o / md)%Z.
Proof.
  intros z o T mn md Ho Hm HT H. apply Z.div_le_lower_bound; auto. apply le_IZR. rewrite !mult_IZR, minus_IZR.
  rewrite plus_IZR in H. apply IZR_lt in Hm.
  apply Rmult_le_compat_l with (r := IZR o) in HT; auto. apply Rmult_le_compat_l with (r := IZR md) in H; lra.
Qed.

Section Bound.
Variables (q : question) (p : level_proof) (x : factors) (z : fraction).
Hypothesis Hmod : is_modular q p = true.
Hypothesis Hshape : shape_holds (shape p) (last_level p) (f_num x) (f_den x) = true.
Hypothesis Hcap : (0 < fst (level_cap p))%Z /\ (0 < snd (level_cap p))%Z.
Let s := shape p.
Let sum_b y := total (step_count s) (b_of y).
Lemma b_sign : forall y, (0 <= sum_b y)%Z.
Proof. intros. apply total_nonneg. intros. unfold b_of. lia. Qed.
Lemma m_sign : forall y, (0 <= m_of y)%Z.
Proof. intros. unfold m_of. lia. Qed.
Lemma unit_pos : (0 < whole_power s)%Z.
Proof. unfold shape_holds in Hshape. facts. auto. Qed.

Lemma value_given : forall d, (0 <= fst d)%Z -> (0 < snd d)%Z -> value_at p d (level_cap p) (pays_given s d) = Some z ->
  forall T, 0 <= T -> (0 < snd z)%Z /\ forall t, fits s T (IZR (fst d) / IZR (snd d) * T) t -> at_most z T.
Proof.
  intros d Hn Hd H T HT. unfold value_at in H. fold s in H. destruct (cut_rooms _ _ _) eqn:C; [|discriminate].
  destruct Hcap as [Ha Hb].
  assert (O := unit_pos). assert (OR := IZR_lt _ _ O). assert (HdR := IZR_lt _ _ Hd). assert (HnR := IZR_le _ _ Hn).
  assert (D0 : 0 <= IZR (fst d) / IZR (snd d)) by (apply div_nonneg; auto).
  destruct (value_sound s (last_level p) (f_num x) (f_den x) _ _ (level_cap p) (pays_given s d) (is_mirrored s) T
    (IZR (fst d) / IZR (snd d) * T) T
    Hshape C (fun e => e) Hcap HT) with (5 := H) as [P Q].
  - intros w X W. unfold leak_room. eapply leak_fits with (6 := HT) (8 := W); auto; try lra. right. field. lra.
  - intros w X W. unfold mass_room. eapply mass_fits_room with (4 := W); auto; lra.
  - intros y w. cbn [snd pays_given]. assert (A := b_sign y). assert (B := m_sign y). fold (sum_b y).
    apply Z.mul_nonneg_nonneg. lia. nia.
  - intros y w W. cbn [fst snd pays_given]. fold (sum_b y) in *. replace (Z.max 0 (fst d)) with (fst d) by lia.
    rewrite !mult_IZR, plus_IZR, !mult_IZR.
    apply Rmult_le_compat_r with (r := IZR (snd d)) in W; [|lra]. eapply Rle_trans; [exact W|]. right. field. lra.
  - split; auto. intros t F. apply (Q t F). eapply root_range; eauto.
Qed.
Lemma value_sought : forall longest, (0 < fst longest)%Z -> (0 < snd longest)%Z ->
  value_at p (level_cap p) longest (pays_sought s longest) = Some z ->
  forall T v, 0 <= T -> T * IZR (snd longest) <= IZR (fst longest) -> 0 <= v -> (0 < snd z)%Z /\ forall t,
    fits s T (v * T) t -> at_most z v.
Proof.
  intros g Hn Hd H T v HT HTg Hv. unfold value_at in H. fold s in H. destruct (cut_rooms _ _ _) eqn:C; [|discriminate].
  destruct Hcap as [Ha Hb].
  assert (O := unit_pos). assert (OR := IZR_lt _ _ O). assert (HdR := IZR_lt _ _ Hd). assert (HnR := IZR_lt _ _ Hn).
  destruct (value_sound s (last_level p) (f_num x) (f_den x) _ _ (level_cap p) (pays_sought s g) (is_mirrored s) T (v * T) v
    Hshape C (fun e => e) Hcap Hv) with (5 := H) as [P Q].
  - intros w X W. unfold leak_room. eapply leak_fits with (6 := HT) (8 := W); auto; lra.
  - intros w X W. unfold mass_room. eapply mass_fits_room with (4 := W); auto; lra.
  - intros y w. cbn [snd pays_sought]. assert (A := b_sign y). fold (sum_b y). apply Z.mul_nonneg_nonneg. lia. nia.
  - intros y w W. cbn [fst snd pays_sought]. fold (sum_b y) in *. replace (Z.max 0 (fst g)) with (fst g) by lia.
    rewrite minus_IZR, !mult_IZR.
    assert (A := IZR_le _ _ (b_sign y)). assert (B := IZR_le _ _ (m_sign y)).
    assert (E : 0 <= IZR (m_of y) + IZR (sum_b y) * v) by (apply Rplus_le_le_0_compat; auto; apply Rmult_le_pos; auto).
    apply Rmult_le_compat_r with (r := IZR (snd g)) in W; [|lra].
    apply Rmult_le_compat_l with (r := IZR (whole_power s) * (IZR (m_of y) + IZR (sum_b y) * v)) in HTg;
      [|apply Rmult_le_pos; lra]. lra.
  - split; auto. intros t F. apply (Q t F). eapply root_range; eauto.
Qed.
End Bound.

Lemma largest_share_sound : forall x d w, (0 < snd x)%Z -> (0 < snd d)%Z -> 0 <= w <= 1 ->
  w * IZR (snd d) <= IZR (fst d) \/ w * IZR (fst x) <= IZR (snd x) ->
  (0 < snd (largest_share x d))%Z /\ w * IZR (snd (largest_share x d)) <= IZR (fst (largest_share x d)).
Proof.
  intros [xn xd] [dn dd] w Hx Hd Hw H. unfold largest_share. cbn [fst snd] in *.
  set (k := if (xd <? xn)%Z then (xd, xn) else (1, 1)%Z).
  assert (K : (0 < snd k)%Z /\ (w * IZR dd <= IZR dn \/ w * IZR (snd k) <= IZR (fst k))).
  { unfold k. destruct (Z.ltb_spec xd xn); cbn [fst snd]; split; try lia; [destruct H; auto|right; lra]. }
  destruct k as [kn kd]. cbn [fst snd] in *. destruct K as [K1 K2]. apply IZR_lt in Hd as HdR. apply IZR_lt in K1 as KR.
  destruct (Z.ltb_spec (kn * dd) (dn * kd)) as [L|L]; cbn [fst snd]; split; auto; destruct K2 as [K2|K2]; auto.
  - apply IZR_lt in L. rewrite !mult_IZR in L. apply Rmult_le_reg_r with (IZR kd); auto.
    apply Rmult_le_compat_r with (r := IZR dd) in K2; lra.
  - apply IZR_le in L. rewrite !mult_IZR in L. apply Rmult_le_reg_r with (IZR dd); auto.
    apply Rmult_le_compat_r with (r := IZR kd) in K2; lra.
Qed.

(* No mechanism of the question has an objective below the bound. *)
Theorem levels_bound_sound : forall q x p z, levels_bound q x p = Some z ->
  forall M v, achieves q M v -> IZR (fst z) / IZR (snd z) <= v.
Proof.
  intros q x p z H M v HM. enough (E : at_most z v) by (destruct E as [P E]; apply div_le_l; [apply IZR_lt; auto|lra]).
  unfold levels_bound in H. destruct (privacies q) as [|[[] e given] rest] eqn:EP; try discriminate.
  destruct (_ && _) eqn:EC in H; [|discriminate]. facts.
  assert (Hmod : is_modular q p = true) by auto. assert (Hcosts : costs_hold q p = true) by auto.
  assert (Hshape : shape_holds (shape p) (last_level p) (f_num x) (f_den x) = true) by auto.
  assert (Hcap : (0 < fst (level_cap p))%Z /\ (0 < snd (level_cap p))%Z) by auto.
  assert (Hn := size_pos _ _ _ _ Hshape). destruct (sizes q p Hmod) as (Er & Et & Hu).
  destruct (encloses_power e x 1 ltac:(auto)) as (_ & _ & _ & Hab). simpl power in Hab. rewrite !Z.mul_1_r in Hab.
  set (f := fun i => M i 0%nat). assert (F0 : 0 <= f 0%nat) by (apply (noise_nonneg q p M v Hmod HM 0); auto).
  assert (F1 : f 0%nat <= 1).
  { rewrite <- (noise_sum q p M v Hmod HM Hn). apply Sum_member with (x := f); auto. intros k Hk.
    apply (noise_nonneg q p M v Hmod HM k Hk). }
  assert (HL : IZR (other_cost p) - IZR (other_cost p - cost_of q p 0) * f 0%nat <=
    IZR (cost_unit q) * total_loss q M) by exact (loss_below q p M v Hmod HM Hn Hcosts).
  assert (Hc : (0 < other_cost p - cost_of q p 0)%Z) by (unfold costs_hold in Hcosts; facts; lia). assert (HcR := IZR_lt _ _ Hc).
  assert (HF : forall d, 0 <= d < f 0%nat -> match given with Some (a, b) => IZR a / IZR b | None => v end <= d ->
    exists t, fits (shape p) (1 / f 0%nat) (d / f 0%nat) t).
  { intros d Hd Hle. exists (level (shape p) f (exp (INR 1 * real_epsilon e))).
    apply (levels_fit (shape p) (last_level p) (f_num x) (f_den x)); auto using exp_pos.
    - intros i Hi. apply (noise_nonneg q p M v Hmod HM i Hi).
    - apply (noise_sum q p M v Hmod HM Hn).
    - intros j Hj. eapply Rle_trans; [|exact Hle]. apply (noise_leaks q p M v Hmod HM e given rest EP j Hj). }
  destruct given as [[dn dd]|]; destruct (aim q) eqn:Ea; try discriminate.
  - cbn [fst snd] in *. destruct (_ && _) eqn:ED in H; [|discriminate]. facts.
    destruct (value_at _ _ _ _) as [w|] eqn:EV; [|discriminate]. injection H as <-.
    assert (Hdd : 0 < IZR dd) by (apply IZR_lt; auto). assert (Hdn : 0 <= IZR dn) by (apply IZR_le; auto).
    assert (D0 := div_nonneg _ _ Hdn Hdd).
    assert (V := value_given q p x w Hmod Hshape Hcap (dn, dd) ltac:(auto) ltac:(auto) EV). cbn [fst snd] in V.
    destruct (V 0 ltac:(lra)) as [Sw _].
    destruct (largest_share_sound w (dn, dd) (f 0%nat) Sw ltac:(auto) ltac:(lra)) as [P Q].
    { cbn [fst snd]. destruct (Rle_dec (f 0%nat) (IZR dn / IZR dd)) as [L|L].
      - left. apply Rmult_le_compat_r with (r := IZR dd) in L; [|lra].
        replace (IZR dn / IZR dd * IZR dd) with (IZR dn) in L by (field; lra). auto.
      - right. destruct (HF (IZR dn / IZR dd) ltac:(lra) ltac:(lra)) as [t Ft].
        destruct (V (1 / f 0%nat) ltac:(apply div_nonneg; lra)) as [_ W].
        replace (IZR dn / IZR dd / f 0%nat) with (IZR dn / IZR dd * (1 / f 0%nat)) in Ft by (field; lra).
        destruct (W t Ft) as [_ E]. apply Rmult_le_compat_l with (r := f 0%nat) in E; auto.
        replace (f 0%nat * (IZR (snd w) * (1 / f 0%nat))) with (IZR (snd w)) in E by (field; lra). auto. }
    destruct HM as (_ & _ & _ & _ & _ & Ho). rewrite Ea in Ho. set (g := largest_share w (dn, dd)) in *.
    assert (PR := IZR_lt _ _ P). assert (Hu' := lt_IZR _ _ Hu). split; cbn [fst snd]. nia.
    rewrite minus_IZR, !mult_IZR. apply Rmult_le_compat_l with (r := IZR (cost_unit q)) in Ho; [|lra].
    assert (A : IZR (other_cost p) - IZR (other_cost p - cost_of q p 0) * f 0%nat <= IZR (cost_unit q) * v) by lra.
    apply Rmult_le_compat_r with (r := IZR (snd g)) in A; [|lra].
    apply Rmult_le_compat_l with (r := IZR (other_cost p - cost_of q p 0)) in Q; lra.
  - destruct (accepted_loss p) as [a b] eqn:EA. destruct (_ && _) eqn:ED in H; [|discriminate].
    apply andb_true_iff in ED as [ED EG]. apply andb_true_iff in ED as [EX EB].
    facts. cbn [snd] in *.
    destruct (value_at _ _ _ _) as [w|] eqn:EV; [|discriminate]. injection H as <-.
    set (g := ((other_cost p - cost_of q p 0) * b, other_cost p * b - a * cost_unit q)%Z) in *.
    assert (Hb : (0 < b)%Z) by auto. assert (HbR := IZR_lt _ _ Hb). assert (G1 : (0 < fst g)%Z) by (cbn; nia).
    assert (G2 : (0 < snd g)%Z) by (cbn; auto).
    assert (V := value_sought q p x w Hmod Hshape Hcap g G1 G2 EV).
    destruct HM as (_ & _ & _ & HR & _ & Hv). rewrite Ea in Hv. apply existsb_exists in EX as (r & Hin & Hr).
    apply same_rule_eq in Hr. subst r.
    rewrite Forall_forall in HR. apply HR, bounded_spec in Hin; auto; [|apply lt_IZR; auto].
    assert (Hloss : total_loss q M <= IZR a / IZR b) by (unfold total_loss, loss_at; rewrite Er, Et; exact Hin).
    assert (GR1 := IZR_lt _ _ G1). assert (GR2 := IZR_lt _ _ G2).
    assert (HA : IZR (snd g) <= IZR (fst g) * f 0%nat).
    { unfold g. cbn [fst snd]. rewrite minus_IZR, !mult_IZR.
      apply Rmult_le_compat_l with (r := IZR (cost_unit q) * IZR b) in Hloss; [|apply Rmult_le_pos; lra].
      replace (IZR (cost_unit q) * IZR b * (IZR a / IZR b)) with (IZR (cost_unit q) * IZR a) in Hloss by (field; lra).
      apply Rmult_le_compat_r with (r := IZR b) in HL; lra. }
    change (at_most (smaller w (snd g, fst g)) v). clearbody g. assert (F2 : 0 < f 0%nat). { destruct F0 as [|E]; auto.
    rewrite <- E in HA. lra. }
    assert (HT : 1 / f 0%nat * IZR (snd g) <= IZR (fst g)).
    { apply Rmult_le_reg_r with (f 0%nat); auto. replace (1 / f 0%nat * IZR (snd g) * f 0%nat) with (IZR (snd g))
        by (field; lra). lra. }
    destruct (V (1 / f 0%nat) v ltac:(apply div_nonneg; lra) HT Hv) as [Sw W].
    destruct (Rle_dec (f 0%nat) v) as [L|L].
    + apply smaller_right; auto. split; cbn [fst snd]; auto. apply Rmult_le_compat_l with (r := IZR (fst g)) in L; lra.
    + apply smaller_left; auto. destruct (HF v ltac:(lra) ltac:(lra)) as [t Ft]. apply (W t).
      replace (v * (1 / f 0%nat)) with (v / f 0%nat) by (field; lra). auto.
Qed.
