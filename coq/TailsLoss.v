(* Noise that is all tails is a mechanism of its question, with the stated objective or less: Theorem tails_attained. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Law Spends Thresholds Decayed Roundings Tails.
Import ListNotations.
Open Scope R_scope.

(* The draw of a threshold at place p is x - 1, x this number of truths. *)
Definition draw (n p : nat) : nat := lesser n (p - 1).
Section Loss.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one error whole low high : Z) (k : walk) (place : nat -> nat).
(* The most that a step adds, over one * whole; low and high are F at the two places. *)
Definition step_loss (j : nat) : Z :=
  let p := place j in let x := draw n p in
  (between w loss q even k j x * (one * whole) +
   if (p =? 0)%nat || (p =? n + 2)%nat then 0
   else (whole - high) * (beside q one k j x + error) + low * (beyond n q one k j x + error))%Z.
Definition same_places (count j : nat) : bool :=
  (1 <=? place j)%nat && (place j + count <=? n + 2)%nat && all count (fun i => place (j + i) =? place j + i)%nat.
(* `sum` is the step that is reached, and the sum so far, as in TailsBound.v. *)
Definition loss_next (bend_most : nat) (sum : option (nat * Z)) (count : nat) : option (nat * Z) :=
  match sum with
  | None => None
  | Some (j, s) =>
      if (1 <=? count)%nat && (j + count <=? n - 1)%nat && ((count =? 1)%nat || (same_places count j &&
           steady n k bend_most j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1))))
      then Some ((j + count)%nat, (s + Z.of_nat count * step_loss j)%Z) else None
  end.
Definition loss_runs (bend_most : nat) (counts : list nat) (j : nat) (s : Z) : option Z :=
  match fold_left (loss_next bend_most) counts (Some (j, s)) with
  | Some (j, s) => if (j =? n - 1)%nat then Some s else None
  | None => None end.
Lemma loss_runs_next : forall bend_most count rest j s, loss_runs bend_most (count :: rest) j s =
  if (1 <=? count)%nat && (j + count <=? n - 1)%nat && ((count =? 1)%nat || (same_places count j &&
       steady n k bend_most j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1))))
  then loss_runs bend_most rest (j + count)%nat (s + Z.of_nat count * step_loss j)%Z else None.
Proof.
  intros. unfold loss_runs. cbn [fold_left loss_next]. destruct (_ && _ && _); [reflexivity|].
  replace (fold_left _ rest None) with (@None (nat * Z)); [reflexivity|]. induction rest; auto.
Qed.
End Loss.

Definition tails_attain (p : privacy) (x : factors) (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z)
    (threshold : nat -> Z) (place : nat -> nat) (k : walk) (counts : list nat) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let q := shape_of n loss in let heavy := heaviest n w 0 in let even := is_even n w in
  let whole := whole z in let one := fine (tail z) whole in
  law_ok z && (size z =? 2)%nat && (period z =? 1)%Z && thresholds_ok z n n threshold && spent_within z (p, x) &&
  question_ok n w loss unit heavy && walk_ok n w q even (tail z) whole k && (0 <? od)%Z &&
  all (n - 1) (fun j => threshold j =? never z + Z.of_nat (place j))%Z &&
  match loss_runs n w loss q even one (error n q heavy (tail z) whole) whole (cumulative z 0) (cumulative z 1) k place
          (furthest (bends q) 0) counts 0 0 with
  | Some s => ((loss_constant n n (ByDistance w loss) * (one * whole) + s) * od <=? on * (unit * (one * whole)))%Z
  | None => false
  end.

(* ---- Why: with two places, F in closed form *)
Lemma draw_min : forall n p, draw n p = Nat.min n (p - 1).
Proof. intros. apply lesser_min. Qed.
Section Sound.
Variables (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z) (k : walk) (threshold : nat -> Z) (place : nat -> nat).
Let q := shape_of n loss.
Let heavy := heaviest n w 0.
Let even := is_even n w.
Let a := tail z.
Let W := whole z.
Let one := fine a W.
Let d := IZR a / IZR W.
Let err := error n q heavy a W.
Let c := cost_of (ByDistance w loss).
Let F0 := IZR (cumulative z 0) / IZR W.
Let F1 := IZR (cumulative z 1) / IZR W.
Hypothesis Hlaw : law_ok z = true.
Hypothesis Hsize : size z = 2%nat.
Hypothesis Hperiod : period z = 1%Z.
Hypothesis Ht : thresholds_ok z n n threshold = true.
Hypothesis Hq : question_ok n w loss unit heavy = true.
Hypothesis Hk : walk_ok n w q even a W k = true.
Hypothesis Hplace : forall j, (S j < n)%nat -> threshold j = (never z + Z.of_nat (place j))%Z.

Lemma ends_in_two : last z = (first z + 1)%Z.
Proof. unfold last. rewrite Hsize. lia. Qed.
Lemma periods_one : forall i, periods z i = i.
Proof. intros i. unfold periods. rewrite Hperiod, Z.div_1_r. lia. Qed.
Lemma below_first : forall i, below z (first z - Z.of_nat i) = d ^ i * F0.
Proof.
  intros i. assert (L := ends_in_two). unfold below, decay. fold W a d. destruct (Z.ltb_spec (first z - Z.of_nat i) (first z)).
  - rewrite periods_one, Hperiod. replace (first z - (first z - Z.of_nat i))%Z with (Z.of_nat i) by lia. rewrite Nat2Z.id.
    replace (first z - Z.of_nat i + Z.of_nat i * 1)%Z with (first z) by lia. unfold listed. rewrite Z.sub_diag. reflexivity.
  - destruct (Z.leb_spec (first z - Z.of_nat i) (last z)); [|lia]. replace i with O by lia. unfold listed.
    replace (first z - Z.of_nat 0 - first z)%Z with 0%Z by lia. simpl. unfold F0, W. ring.
Qed.
Lemma below_last : forall i, below z (last z + Z.of_nat i) = 1 - d ^ i * (1 - F1).
Proof.
  intros i. assert (L := ends_in_two). unfold below, decay. fold W a d.
    destruct (Z.ltb_spec (last z + Z.of_nat i) (first z)); [lia|].
  assert (E : listed z (last z) = F1). { unfold listed. rewrite L. replace (first z + 1 - first z)%Z with 1%Z by lia.
    reflexivity. }
  destruct (Z.leb_spec (last z + Z.of_nat i) (last z)).
  - replace i with O by lia. rewrite Z.add_0_r, E. simpl. ring.
  - rewrite periods_one, Hperiod. replace (last z + Z.of_nat i - last z)%Z with (Z.of_nat i) by lia. rewrite Nat2Z.id.
    replace (last z + Z.of_nat i - Z.of_nat i * 1)%Z with (last z) by lia. rewrite E. reflexivity.
Qed.

(* Whether truth f is below threshold j, x truths being likely to *)
Lemma below_place : forall j f, (S j < n)%nat -> (f < n)%nat -> (place j <= n + 2)%nat ->
  let p := place j in let x := draw n p in let y := below_threshold z n (threshold j) f in
  if (p =? 0)%nat || (p =? n + 2)%nat then y = (if (f <? x)%nat then 1 else 0)
  else y = if (f <? x)%nat then 1 - d ^ (x - 1 - f) * (1 - F1) else d ^ (f - x) * F0.
Proof.
  intros j f Hj Hf Hp p x y. assert (L := ends_in_two). unfold y, below_threshold. rewrite Hplace by auto. fold p.
    rewrite Hperiod.
  unfold never, always. rewrite Hperiod, L. unfold x. rewrite draw_min. fold p in Hp.
  destruct (Nat.eqb_spec p 0) as [E|E]; cbn [orb].
  - rewrite E. destruct (Z.eqb_spec (first z - 1 + Z.of_nat 0) (first z - 1)); [|lia].
    destruct (Nat.ltb_spec f (Nat.min n (0 - 1))); [lia|reflexivity].
  - destruct (Nat.eqb_spec p (n + 2)) as [E'|E'].
    + rewrite E'. destruct (Z.eqb_spec (first z - 1 + Z.of_nat (n + 2)) (first z - 1)); [lia|].
      destruct (Z.eqb_spec (first z - 1 + Z.of_nat (n + 2)) (first z + 1 + 1 * (Z.of_nat n - 1) + 1)); [|lia].
      destruct (Nat.ltb_spec f (Nat.min n (n + 2 - 1))); [reflexivity|lia].
    + destruct (Z.eqb_spec (first z - 1 + Z.of_nat p) (first z - 1)); [lia|].
      destruct (Z.eqb_spec (first z - 1 + Z.of_nat p) (first z + 1 + 1 * (Z.of_nat n - 1) + 1)); [lia|].
      destruct (Nat.ltb_spec f (Nat.min n (p - 1))) as [G|G].
      * rewrite <- below_last. f_equal. lia.
      * rewrite <- below_first. f_equal. lia.
Qed.

Let y (j f : nat) := below_threshold z n (threshold j) f.
Let value := step_loss n w loss q even one err W (cumulative z 0) (cumulative z 1) k place.
Lemma places : forall j, (S j < n)%nat -> (place j <= n + 2)%nat.
Proof.
  intros j Hj. assert (A := ends_within z n n threshold Hlaw Ht (S j) ltac:(lia)). unfold ends in A.
  destruct (Nat.ltb_spec (S j) n); [|lia]. rewrite Hplace in A by auto. assert (L := ends_in_two).
  unfold never, always in A. rewrite Hperiod in A. lia.
Qed.
Lemma step_loss_sound : forall j, (S j < n)%nat -> IZR one * IZR W * adds n c (S j) j (y j) <= IZR (value j).
Proof.
  intros j Hj. assert (Hp := places j Hj). set (x := draw n (place j)).
  assert (Hx : (x <= n)%nat) by (unfold x; rewrite draw_min; lia). destruct (walk_facts n w loss a W k Hk) as (HW & _).
    apply IZR_lt in HW as HWR.
  set (ch := fun f => IZR (change c j f)).
  assert (M : IZR (between w loss q even k j x) = Sum (S j) ch - Sum x ch)
    by (apply (between_sound n w loss unit a W k Hq Hk); lia).
  assert (N : Rabs (IZR one * Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0) - IZR (beside q one k j
    x)) <= IZR err)
    by (apply (beside_sound n w loss unit a W k Hq Hk); lia).
  assert (F : Rabs (IZR one * Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f) - IZR (beyond n q one k j
    x)) <= IZR err)
    by (apply (beyond_sound n w loss unit a W k Hq Hk); lia).
  apply Rabs_both in N, F.
  rewrite <- (Sum_before n (S j) ch), <- (Sum_before n x ch) in M by lia.
  assert (P := fun f Hf => below_place j f Hj Hf Hp). cbv zeta in P. fold x in P.
  unfold value, step_loss. fold x. rewrite plus_IZR, !mult_IZR.
  destruct ((place j =? 0)%nat || (place j =? n + 2)%nat).
  - rewrite Rplus_0_r, M, <- Sum_sub. apply Req_le. rewrite Rmult_comm. f_equal. apply Sum_ext. intros f Hf. unfold y.
    rewrite (P f Hf).
    change (IZR (change c j f)) with (ch f). destruct (Nat.ltb_spec f (S j)), (Nat.ltb_spec f x); ring.
  - assert (E : adds n c (S j) j (y j) = IZR (between w loss q even k j x)
      + (1 - F1) * Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0) +
        F0 * Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f)).
    { rewrite M, <- !Sum_scale, <- Sum_sub, <- !Sum_add. apply Sum_ext. intros f Hf. unfold y. rewrite (P f Hf).
      change (IZR (change c j f)) with (ch f). destruct (Nat.ltb_spec f (S j)), (Nat.ltb_spec f x); ring. }
    assert (C0 := within z Hlaw 0 ltac:(lia)). assert (C1 := within z Hlaw 1 ltac:(lia)). destruct C0 as [C0 _].
      destruct C1 as [_ C1].
    apply IZR_le in C0, C1. fold W in C1. rewrite E, plus_IZR, !mult_IZR, minus_IZR, !plus_IZR.
    set (D := Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0)) in *.
    set (D' := Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f)) in *.
    replace (IZR one * IZR W * (IZR (between w loss q even k j x) + (1 - F1) * D + F0 * D')) with
      (IZR (between w loss q even k j x) * (IZR one * IZR W) + ((IZR W - IZR (cumulative z 1)) * (IZR one * D) +
        IZR (cumulative z 0) * (IZR one * D')))
      by (unfold F0, F1; field; lra).
    assert (G1 : (IZR W - IZR (cumulative z 1)) * (IZR one * D) <= (IZR W - IZR (cumulative z 1)) * (IZR (beside q one k j
      x) + IZR err)) by (apply Rmult_le_compat_l; lra).
    assert (G2 : IZR (cumulative z 0) * (IZR one * D') <= IZR (cumulative z 0) * (IZR (beyond n q one k j x) + IZR err))
      by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

Lemma same_places_spec : forall count j, same_places n place count j = true ->
  (1 <= place j)%nat /\ (place j + count <= n + 2)%nat /\ forall i, (i < count)%nat -> place (j + i) = (place j + i)%nat.
Proof.
  intros count j H. unfold same_places in H. facts. repeat (split; auto). intros i Hi. apply Nat.eqb_eq.
  apply (all_spec count (fun i => place (j + i) =? place j + i)%nat); auto.
Qed.
Lemma step_loss_stays : forall j count i, same_places n place count j = true -> (i < count)%nat -> (j + count <= n - 1)%nat ->
  steady n k (furthest (bends q) 0) j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1)) = true ->
  value (j + i) = value j.
Proof.
  intros j count i H Hi Hj Hs. destruct (same_places_spec count j H) as (H1 & H2 & H3). specialize (H3 i Hi).
  assert (E := steady_even n w loss a W k Hk _ _ _ _ _ Hs ltac:(lia)). fold even in E.
  assert (G : draw n (place (j + i)) = (draw n (place j) + i)%nat) by (rewrite !draw_min; lia).
  assert (S1 := steady_within n k _ _ _ _ _ (draw n (place j)) i Hs ltac:(lia) ltac:(lia) ltac:(lia)).
  destruct (beside_stays n w loss a W k Hk j (draw n (place j)) i S1 ltac:(lia) ltac:(rewrite draw_min; lia)) as [X1 X2].
    fold q one in X1, X2.
  unfold value, step_loss. rewrite G, X1, X2, H3, E. unfold between.
  replace (apart (S (j + i)) (draw n (place j) + i)) with (apart (S j) (draw n (place j)))
    by (unfold apart; destruct (Nat.leb_spec (S j) (draw n (place j))), (Nat.leb_spec (S (j + i)) (draw n (place j) + i)); lia).
  replace (place j + i =? 0)%nat with (place j =? 0)%nat by (destruct (Nat.eqb_spec (place j) 0),
    (Nat.eqb_spec (place j + i) 0); lia).
  destruct (Nat.eqb_spec (place j) (n + 2)), (Nat.eqb_spec (place j + i) (n + 2)); lia.
Qed.
Lemma loss_runs_sound : forall counts j s s', (j <= n - 1)%nat ->
  loss_runs n w loss q even one err W (cumulative z 0) (cumulative z 1) k place (furthest (bends q) 0) counts j s = Some s' ->
  IZR s + IZR one * IZR W * Sum (n - 1 - j) (fun i => adds n c (S (j + i)) (j + i) (y (j + i))) <= IZR s'.
Proof.
  induction counts as [|count counts IH]; intros j s s' Hj H.
  - unfold loss_runs in H. cbn [fold_left] in H. destruct (Nat.eqb_spec j (n - 1)); [|discriminate]. injection H as <-.
    replace (n - 1 - j)%nat with O by lia. simpl. lra.
  - rewrite loss_runs_next in H. destruct (_ && _) eqn:C in H; [|discriminate].
    apply andb_true_iff in C as [C1 C2]. facts. apply IH in H; [|lia].
    set (f := fun i => adds n c (S (j + i)) (j + i) (y (j + i))) in *. rewrite (Sum_split count (n - 1 - j)) by lia.
    rewrite (Sum_ext (n - 1 - j - count) (fun i => f (count + i)%nat) (fun i => adds n c (S (j + count + i)) (j + count +
      i) (y (j + count + i)))).
    2:{ intros i _. unfold f. rewrite Nat.add_assoc. reflexivity. }
    replace (n - 1 - j - count)%nat with (n - 1 - (j + count))%nat by lia.
    fold value in H. rewrite plus_IZR, mult_IZR in H.
      enough (G : IZR one * IZR W * Sum count f <= IZR (Z.of_nat count) * IZR (value j)) by lra.
    assert (V : forall i, (i < count)%nat -> IZR one * IZR W * f i <= IZR (value j)).
    { intros i Hi. apply orb_true_iff in C2 as [C2|C2]; facts.
      - replace i with O by lia. unfold f. rewrite Nat.add_0_r. apply step_loss_sound. lia.
      - rewrite <- (step_loss_stays j count i) by (auto; lia). apply step_loss_sound. lia. }
    clear - V. induction count as [|count IH]; [simpl; lra|]. cbn [Sum]. rewrite Nat2Z.inj_succ, succ_IZR.
    specialize (IH ltac:(intros; apply V; lia)). specialize (V count ltac:(lia)). lra.
Qed.
End Sound.

(* The noise with these thresholds is a mechanism of the question, with this objective or a smaller one. *)
Theorem tails_attained : forall p x z n w loss unit threshold place k counts on od,
  tails_attain p x z n w loss unit threshold place k counts (on, od) = true ->
  achieves (row n n [p] false (cost_of (ByDistance w loss)) unit) (with_noise z n n threshold) (IZR on / IZR od).
Proof.
  intros p x z n w loss unit threshold place k counts on od H. unfold tails_attain in H.
    apply andb_true_iff in H as [H1 H]. facts.
  match goal with A : law_ok _ = true |- _ => rename A into Hlaw end.
  match goal with A : thresholds_ok _ _ _ _ = true |- _ => rename A into Ht end.
  match goal with A : question_ok _ _ _ _ _ = true |- _ => rename A into Hq end.
  match goal with A : walk_ok _ _ _ _ _ _ _ = true |- _ => rename A into Hk end.
  match goal with A : spent_within _ _ = true |- _ => rename A into Hp end.
  match goal with A : all _ _ = true |- _ => rename A into Hall end.
  destruct (question_facts n w loss unit Hq) as (Hn & Hu & Hs & _). apply IZR_lt in Hu as HuR.
  assert (HM := with_noise_stochastic z n n threshold Hlaw Ht).
  assert (HU : forall j, (S j < n)%nat -> threshold j = (never z + Z.of_nat (place j))%Z).
  { intros j Hj. apply Z.eqb_eq. apply (all_spec (n - 1) (fun j => threshold j =? never z + Z.of_nat (place j))%Z); auto. lia. }
  unfold achieves. cbn [responses truths limits rules privacies neighbours aim row]. split; [exact HM|].
  split. { intros r f r' f' _ Hf _ Hf' E. cbn [name row truths] in *. apply SuccNat2Pos.inj in E. assert (r = r') by nia.
    subst. f_equal. lia. }
  split. { intros r f low high []. }
  split. { constructor. }
  split. { constructor; [|constructor]. eapply with_noise_private; eauto. }
  destruct (loss_runs _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _) as [s|] eqn:R; [|discriminate]. facts. apply IZR_le in H.
  rewrite !mult_IZR, plus_IZR, !mult_IZR in H.
  assert (Ho := one_positive n w loss _ _ k Hk). destruct (walk_facts n w loss _ _ k Hk) as (HW & _). apply IZR_lt in HW.
  apply (loss_runs_sound z n w loss unit k threshold place) in R; auto; try lia.
  rewrite Nat.sub_0_r in R. simpl Nat.add in R. rewrite Rplus_0_l in R.
  rewrite (total_by_steps n n [p] false _ unit S _ HM ltac:(lia) Hu),
    <- (loss_constant_sound n n _ Hs : _ = _ + Sum (n - 1) (fun j => Sum n (fun f => if (f <? S j)%nat then 0 else _))).
  rewrite (Sum_ext (n - 1) _ (fun j => adds n (cost_of (ByDistance w loss)) (S j) j (below_threshold z n (threshold j)))).
  2:{ intros j Hj. unfold adds. apply Sum_ext. intros f Hf. rewrite with_noise_up_to by (auto; lia). reflexivity. }
  apply div_le_div; auto. apply IZR_lt; auto. set (T := Sum (n - 1) _) in *. set (one := IZR (fine (tail z) (whole z))) in *.
  apply Rmult_le_reg_r with (one * IZR (whole z)). apply Rmult_lt_0_compat; auto.
  assert (Hod : 0 < IZR od) by (apply IZR_lt; auto).
  eapply Rle_trans; [|exact (Rle_trans _ _ _ H (Req_le _ _ (eq_sym (Rmult_assoc _ _ _))))].
  replace ((IZR (loss_constant n n (ByDistance w loss)) + T) * IZR od * (one * IZR (whole z))) with
    ((IZR (loss_constant n n (ByDistance w loss)) * (one * IZR (whole z)) + one * IZR (whole z) * T) * IZR od) by ring.
  apply Rmult_le_compat_r; lra.
Qed.
