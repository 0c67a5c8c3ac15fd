(* Noise with thresholds attains what its certificate says: it is a mechanism of the question, with the stated objective.

   attains m n ps zero l unit fs z threshold (on, od) : bool, of data as the file and the question state them, no hints:
   - m responses, n truths, 2 <= m, 1 <= n; privacies ps, each OfSets with delta Some (a, b), which is Some (0, 1) if
     pure; whether zero stays zero; losses l (Losses.v) over `unit`; fs: factors around e^epsilon, one for each of ps;
   - z: noise. Its `cumulative` is F itself over whole = 2^bits, not the increases of F;
   - threshold j is that of response j itself, for j < m - 1, not its increase;
   - on/od: the stated objective, which must be that of Thresholds.loss. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Law Spends Thresholds NoiseLoss.
Import ListNotations.
Open Scope R_scope.

Definition attains (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors)
  (z : noise) (threshold : nat -> Z) (claim : Z * Z) : bool :=
  law_ok z && thresholds_ok z m n threshold && (if zero then zero_certain z n threshold else true) &&
  (0 <? unit)%Z && (0 <? snd claim)%Z && signs m n l &&
  (length fs =? length ps)%nat && forallb (spent_within z) (combine ps fs) &&
  (noise_loss z m n l threshold * snd claim =? fst claim * (unit * whole z))%Z.

Lemma Sum_abs : forall n x, Rabs (Sum n x) <= Sum n (fun i => Rabs (x i)).
Proof. induction n; intros x; simpl. rewrite Rabs_R0. lra. eapply Rle_trans; [apply Rabs_triang|]. specialize (IHn x). lra. Qed.

Lemma variation_sound : forall m n l, signs m n l = true ->
  IZR (variation m n l) = Sum (m - 1) (fun j => Sum n (fun f => Rabs (IZR (change (cost_of l) j f)))).
Proof.
  intros m n l H. destruct l as [w d|c h]; cbn [variation].
  2:{ rewrite total_onto_Sum, Rplus_0_l. apply Sum_ext. intros j _. rewrite total_onto_Sum, Rplus_0_l. apply Sum_ext.
      intros f _. symmetry. apply Rabs_Zabs. }
  assert (Sg := fun j f => signs_sound m n (ByDistance w d) j f H). simpl in H. facts. subst m.
  rewrite Sum_swap, minus_IZR, !mult_IZR, !total_onto_Sum, !Rplus_0_l, <- Rmult_assoc, <- Sum_scale, <- Sum_sub.
  apply Sum_ext. intros f Hf. set (c := cost_of (ByDistance w d)).
  assert (A := telescope (n - 1) f (fun r => IZR (c r f)) ltac:(lia)).
  assert (B := telescope (n - 1) (n - 1) (fun r => IZR (c r f)) ltac:(lia)).
  cbv beta in A, B.
  rewrite (Sum_ext _ _ (fun j => (if (j <? n - 1)%nat then IZR (c (S j) f) - IZR (c j f) else 0)
    - 2 * (if (j <? f)%nat then IZR (c (S j) f) - IZR (c j f) else 0))).
  - rewrite Sum_sub, Sum_scale. replace (IZR (w f * (d f + d (n - 1 - f)%nat))) with (IZR (c O f) + IZR (c (n - 1)%nat f)).
    2:{ rewrite <- plus_IZR. f_equal. unfold c, cost_of, apart. simpl (0 <=? f)%nat. cbv iota. rewrite Nat.sub_0_r.
        destruct (Nat.leb_spec (n - 1) f); [replace (n - 1 - f)%nat with (f - (n - 1))%nat by lia|]; ring. }
    replace (2 * IZR (d O) * IZR (w f)) with (2 * IZR (c f f)). 2:{ unfold c, cost_of, apart.
    rewrite Nat.leb_refl, Nat.sub_diag, mult_IZR. ring. }
    lra.
  - intros j Hj. destruct (Sg j f) as [S1 S2]; auto.
    simpl home_of in *. fold c in S1, S2. rewrite <- minus_IZR. fold (change c j f). destruct (Nat.ltb_spec j (n - 1)); [|lia].
    destruct (Nat.ltb_spec j f).
    + specialize (S2 ltac:(lia)). apply IZR_le in S2. rewrite Rabs_left1; lra.
    + specialize (S1 ltac:(lia)). apply IZR_le in S1. rewrite Rabs_right; lra.
Qed.

Section Loss.
Variables (z : noise) (m n : nat) (l : losses) (threshold : nat -> Z).
Hypothesis Hz : law_ok z = true.
Hypothesis Ht : thresholds_ok z m n threshold = true.
Hypothesis Hl : signs m n l = true.
Let p := period z.
Let W := IZR (whole z).
Let rest := Z.max (cumulative z O) (whole z - cumulative z (size z - 1)%nat).
Let y (t : Z) (f : nat) : R := IZR (rounded z (t - p * Z.of_nat f)) / W.

(* F, where it is taken for 0 or 1 *)
Lemma rounded_near : forall t f, (f < n)%nat -> Rabs (y t f - below_threshold z n t f) <= IZR rest / W /\
  (forall start stop, window z n t = (start, stop) -> is_cut z n t start stop = false -> y t f = below_threshold z n t f).
Proof.
  intros t f Hf. destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn & Hfl). fold p in Hp, Hw, Hfl. assert (HW := whole_pos z Hz).
  fold W in HW.
  assert (R0 : IZR (cumulative z O) <= IZR rest) by (apply IZR_le; unfold rest; lia).
  assert (R1 : W - IZR (cumulative z (size z - 1)) <= IZR rest) by (unfold W; rewrite <- minus_IZR; apply IZR_le; unfold rest;
  lia).
  assert (Rp : 0 <= IZR rest / W) by (apply div_nonneg; auto; assert (X := within z Hz O ltac:(lia)); apply IZR_le;
  unfold rest; lia).
  assert (Same : y t f = below_threshold z n t f -> Rabs (y t f - below_threshold z n t f) <= IZR rest / W).
  { intros ->. rewrite Rminus_diag_eq, Rabs_R0; auto. }
  unfold y, below_threshold in Same |- *. fold p in Same |- *. set (place := (t - p * Z.of_nat f)%Z) in *.
  destruct (Z.eqb_spec t (never z)) as [E|E].
  { assert (Q : IZR (rounded z place) / W = 0).
    { unfold rounded. destruct (Z.ltb_spec place (first z)); [unfold Rdiv; ring|]. unfold never, place in *. nia. } split; auto. }
  destruct (Z.eqb_spec t (always z n)) as [G|G].
  { assert (Q : IZR (rounded z place) / W = 1).
    { unfold always in G. fold p in G. assert (last z < place)%Z by (unfold place; nia). unfold rounded.
      destruct (Z.ltb_spec place (first z)); [lia|]. destruct (Z.leb_spec place (last z)); [lia|]. unfold W in *. field. lra.
      } split; auto. }
  assert (Inside : (first z <= place <= last z)%Z -> IZR (rounded z place) / W = below z place).
  { intros I. rewrite below_listed by auto. unfold rounded, listed. destruct (Z.ltb_spec place (first z)); [lia|].
    destruct (Z.leb_spec place (last z)); [reflexivity|lia]. }
  split.
  - destruct (Z.lt_ge_cases place (first z)) as [I|I]; [|destruct (Z.le_gt_cases place (last z)) as [J|J]; [apply Same, Inside;
    lia|]].
    + unfold rounded. destruct (Z.ltb_spec place (first z)); [|lia]. assert (A := below_range z Hz place).
      assert (B := below_grows z Hz place (first z) ltac:(lia)). rewrite (below_listed z (first z)) in B by lia.
      unfold listed in B.
      rewrite Z.sub_diag in B. simpl in B. fold W in B. replace (0 / W - below z place) with (- below z place) by (unfold Rdiv;
      ring).
      rewrite Rabs_Ropp, Rabs_right by lra. eapply Rle_trans; [exact B|]. apply div_le_div; auto. nra.
    + unfold rounded. destruct (Z.ltb_spec place (first z)); [lia|]. destruct (Z.leb_spec place (last z)); [lia|].
      assert (A := below_range z Hz place). assert (B := below_grows z Hz (last z) place ltac:(lia)).
      rewrite (below_listed z (last z)) in B by lia. unfold listed in B.
      replace (Z.to_nat (last z - first z)) with (size z - 1)%nat in B by lia.
      fold W in B |- *. replace (W / W) with 1 by (field; lra). rewrite Rabs_right by lra.
      apply Rle_trans with ((W - IZR (cumulative z (size z - 1))) / W).
      * replace ((W - IZR (cumulative z (size z - 1))) / W) with (1 - IZR (cumulative z (size z - 1)) / W) by (field; lra). lra.
      * apply div_le_div; auto. nra.
  - intros start stop Hwin C. apply Inside. unfold is_cut in C. apply Z.eqb_neq in E, G. rewrite E, G in C. simpl in C.
    apply orb_false_iff in C as [C1 C2]. apply Nat.ltb_ge in C1, C2.
    destruct (window_sound z n Hz t start stop Hwin) as (_ & _ & I & _). apply (I f). lia.
Qed.

(* A step, if every F is near to what it is taken for *)
Lemma step_near : forall j err, (j < m - 1)%nat -> (forall f, (f < n)%nat -> Rabs (y (threshold j) f - below_threshold z n
  (threshold j) f) <= err) ->
  Rabs (adds n (cost_of l) (home_of l j) j (below_threshold z n (threshold j)) * W - IZR (rounded_value z n l j (threshold j))) <=
  W * err * Sum n (fun f => Rabs (IZR (change (cost_of l) j f))).
Proof.
  intros j err Hj H. assert (HW := whole_pos z Hz). fold W in HW. unfold adds, rounded_value.
  rewrite total_Sum, Rmult_comm, <- Sum_scale, <- Sum_sub.
  eapply Rle_trans; [apply Sum_abs|]. rewrite <- Sum_scale. apply Sum_mono. intros f Hf. cbv zeta. specialize (H f Hf).
  set (x := IZR (change (cost_of l) j f)). set (a := below_threshold z n (threshold j) f) in *.
  replace (W * _ - _) with (W * (x * (y (threshold j) f - a))).
  - rewrite !Rabs_mult, (Rabs_right W) by lra. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    rewrite Rmult_comm. apply Rmult_le_compat_r; auto. apply Rabs_pos.
  - unfold y, x. fold p. destruct (f <? home_of l j)%nat; rewrite mult_IZR; [rewrite minus_IZR|rewrite opp_IZR]; fold W; field;
    lra.
Qed.

Variables (ps : list privacy) (zero : bool) (unit : Z).
Hypothesis Hu : (0 < unit)%Z.
(* The integer is the loss, or a little more where F is taken for 0 or 1 and has tails. *)
Theorem loss_sound : let loss := total_loss (row m n ps zero (cost_of l) unit) (with_noise z m n threshold) in
  loss <= IZR (noise_loss z m n l threshold) / (IZR unit * W) /\
  (tail z = 0%Z \/ snd (steps_value z m n l (even_weights n l) threshold) = false -> loss = IZR (noise_loss z m n l threshold)
  / (IZR unit * W)).
Proof.
  intros loss. destruct (thresholds_facts z m n threshold Ht) as [Hm Hn]. assert (HW := whole_pos z Hz). fold W in HW.
  assert (HuR := IZR_lt _ _ Hu).
  assert (L := total_by_steps m n ps zero (cost_of l) unit (home_of l) _ (with_noise_stochastic z m n threshold Hz Ht)
  ltac:(lia) Hu).
  fold loss in L. rewrite <- (loss_constant_sound m n l Hl) in L.
  rewrite (Sum_ext (m - 1) _ (fun j => adds n (cost_of l) (home_of l j) j (below_threshold z n (threshold j)))) in L.
  2:{ intros j Hj. unfold adds. apply Sum_ext. intros f Hf. rewrite (with_noise_up_to z m n threshold Hz Ht) by lia.
  reflexivity. }
  destruct (steps_value_sound z m n l threshold Hz Ht Hl) as (cut & V & C).
  set (err := if cut then IZR rest / W else 0).
  assert (D : Rabs (loss * (IZR unit * W) - IZR (loss_constant m n l * whole z + total (m - 1) (fun j => rounded_value z n l j
  (threshold j))))
    <= W * err * IZR (variation m n l)).
  { rewrite L, plus_IZR, mult_IZR, total_Sum, (variation_sound m n l Hl), <- Sum_scale. fold W.
    set (adding := Sum (m - 1) (fun j => adds _ _ _ _ _)).
    replace ((IZR (loss_constant m n l) + adding) / IZR unit * (IZR unit * W) - _) with (adding * W - Sum (m - 1) (fun i => IZR
    (rounded_value z n l i (threshold i)))) by (field; lra).
    unfold adding. rewrite (Rmult_comm _ W), <- Sum_scale, <- Sum_sub. eapply Rle_trans; [apply Sum_abs|]. apply Sum_mono.
    intros j Hj.
    rewrite (Rmult_comm W (adds _ _ _ _ _)). apply step_near; auto. intros f Hf.
    destruct (rounded_near (threshold j) f Hf) as [N1 N2].
    unfold err. destruct cut; auto. destruct (window z n (threshold j)) as [start stop] eqn:Hwin.
    rewrite (N2 start stop eq_refl (C eq_refl j start stop Hj Hwin)), Rminus_diag_eq, Rabs_R0 by auto. lra. }
  assert (Lz : IZR (noise_loss z m n l threshold) = IZR (loss_constant m n l * whole z + total (m - 1) (fun j => rounded_value
  z n l j (threshold j)))
    + W * err * IZR (variation m n l)).
  { unfold noise_loss. rewrite V. rewrite plus_IZR. f_equal. unfold err. destruct cut.
    - rewrite mult_IZR. fold rest. field. lra. - ring. }
  assert (HuW : 0 < IZR unit * W) by (apply Rmult_lt_0_compat; auto).
  set (exact := IZR (loss_constant m n l * whole z + _)) in *. split.
  - apply le_div_r; auto. assert (X := Rle_abs (loss * (IZR unit * W) - exact)). lra.
  - intros T. assert (Err : err = 0).
    { unfold err. rewrite V in T. destruct cut; auto. destruct T as [T|T]; [|discriminate T].
      enough (rest = 0%Z) as -> by (unfold Rdiv; ring). unfold rest. unfold law_ok in Hz. facts.
      match goal with X : (if (tail z =? 0)%Z then _ else true) = true |- _ => rewrite T in X; simpl in X end. facts. lia. }
    rewrite Err in D, Lz. assert (Y : loss * (IZR unit * W) - exact = 0).
    { destruct (Req_dec (loss * (IZR unit * W) - exact) 0) as [|X]; auto. apply Rabs_pos_lt in X. lra. } rewrite Lz.
      apply Rmult_eq_reg_r with (IZR unit * W); [|lra].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
Qed.
End Loss.

(* With its thresholds the noise is a mechanism of the question, with the stated objective or a smaller one. *)
Theorem noise_sound : forall m n ps zero l unit fs z threshold on od,
  attains m n ps zero l unit fs z threshold (on, od) = true ->
  achieves (row m n ps zero (cost_of l) unit) (with_noise z m n threshold) (IZR on / IZR od).
Proof.
  intros m n ps zero l unit fs z threshold on od H. unfold attains in H. cbn [fst snd] in H. facts.
  assert (Hz : law_ok z = true) by auto. assert (Ht : thresholds_ok z m n threshold = true) by auto.
  assert (HW := whole_pos z Hz).
  assert (HS := with_noise_stochastic z m n threshold Hz Ht). unfold achieves.
  cbn [responses truths rules privacies neighbours aim row].
  split; auto. split; [|split; [|split; [|split]]].
  - intros r f r' f' _ Hf _ Hf' E. cbn [name truths row] in *. apply SuccNat2Pos.inj in E.
    assert (r = r') by nia. subst. f_equal. lia.
  - intros r f low high Hin. destruct Hin.
  - destruct zero; auto. apply Forall_cons; auto. unfold keeps. simpl. rewrite (zero_stays_zero z m n threshold Hz Ht) by auto.
    ring.
  - apply Forall_forall. intros p Hp. apply In_nth with (d := p) in Hp as (i & Hi & E).
    assert (Hlen : length fs = length ps) by auto.
    apply (with_noise_private z m n threshold Hz Ht) with (x := nth i fs (nth i fs {| e_num := 0; e_den := 0; f_num := 0;
    f_den := 0; squarings := 0; scale := 0 |})).
    match goal with F : forallb (spent_within z) _ = true |- _ => rewrite forallb_forall in F; apply F end.
    rewrite <- E at 1. rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length. lia.
  - destruct (loss_sound z m n l threshold Hz Ht ltac:(auto) ps zero unit ltac:(auto)) as [L _]. eapply Rle_trans; [exact L|].
    assert (Hu : 0 < IZR unit) by (apply IZR_lt; auto). assert (Ho : 0 < IZR od) by (apply IZR_lt; auto).
    apply div_le_div; auto. apply Rmult_lt_0_compat; auto.
    match goal with Q : (_ * od)%Z = _ |- _ => apply (f_equal IZR) in Q; rewrite !mult_IZR in Q; lra end.
Qed.
