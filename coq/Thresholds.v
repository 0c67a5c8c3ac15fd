(* Noise with thresholds is a mechanism, and as private as one shift of its noise. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Law Spends.
Import ListNotations.
Open Scope R_scope.

(* From the one that nothing is below to the one that everything is, without a fall *)
Definition thresholds_ok (z : noise) (m n : nat) (threshold : nat -> Z) : bool :=
  (2 <=? m)%nat && (1 <=? n)%nat && (never z <=? threshold O)%Z && (threshold (m - 2)%nat <=? always z n)%Z &&
  all (m - 2) (fun j => (threshold j <=? threshold (S j))%Z).
(* Response 0 is certain at truth 0, tails and all. *)
Definition zero_certain (z : noise) (n : nat) (threshold : nat -> Z) : bool :=
  if (tail z =? 0)%Z then (last z <=? threshold O)%Z else (threshold O =? always z n)%Z.
(* One shift of the noise spends no more than the delta of a privacy of sets. *)
Definition spent_within (z : noise) (px : privacy * factors) : bool :=
  let '(p, x) := px in
  encloses (eps p) x &&
  match kind p, delta p with
  | OfSets, Some (a, b) =>
      (0 <? b)%Z && (spends z (e_num x) (e_den x) * b <=? a * (e_den x * (whole z * whole z)))%Z
  | _, _ => false end.

Section Mechanism.
Variables (z : noise) (m n : nat) (threshold : nat -> Z).
Hypothesis Hz : law_ok z = true.
Hypothesis Ht : thresholds_ok z m n threshold = true.
Let M := with_noise z m n threshold.
Let p := period z.

(* The thresholds with both ends: response r is above T r, and at most T (r + 1). *)
Definition ends (k : nat) : Z := match k with O => never z | S r => if (S r <? m)%nat then threshold r else always z n end.
Let T := ends.
Lemma thresholds_facts : (2 <= m)%nat /\ (0 < n)%nat.
Proof. unfold thresholds_ok in Ht. facts. lia. Qed.
Lemma never_always : (never z < always z n)%Z.
Proof.
  destruct (law_facts z Hz) as (Hp & _ & Hs & _ & Hl). destruct thresholds_facts. unfold never, always. nia.
Qed.
Lemma ends_last : T m = always z n.
Proof. destruct thresholds_facts. unfold T, ends. destruct m as [|k]; [lia|]. destruct (Nat.ltb_spec (S k) (S k));
  [lia|reflexivity]. Qed.
Lemma ends_grow : forall r, (r < m)%nat -> (T r <= T (S r))%Z.
Proof.
  assert (HN := never_always). assert (E := thresholds_facts). unfold thresholds_ok in Ht. facts.
  match goal with X : all _ _ = true |- _ => rename X into HA end.
  assert (Up : forall r, (S r < m)%nat -> (never z <= threshold r <= always z n)%Z).
  { assert (U : forall r, (S r < m)%nat -> (threshold O <= threshold r)%Z).
    { induction r; intros Hr. lia. specialize (IHr ltac:(lia)). assert (X := all_spec _ _ HA r ltac:(lia)). simpl in X. facts.
      lia. }
    assert (D : forall d r, (r + d = m - 2)%nat -> (threshold r <= threshold (m - 2)%nat)%Z).
    { induction d; intros r Hr. replace r with (m - 2)%nat by lia. lia.
      specialize (IHd (S r) ltac:(lia)). assert (X := all_spec _ _ HA r ltac:(lia)). simpl in X. facts. lia. }
    intros r Hr. specialize (U r Hr). specialize (D (m - 2 - r)%nat r ltac:(lia)). lia. }
  intros [|r] Hr; unfold T, ends.
  - destruct (Nat.ltb_spec 1 m); [|lia]. apply Up; lia.
  - destruct (Nat.ltb_spec (S r) m); [|lia]. destruct (Nat.ltb_spec (S (S r)) m).
    + assert (X := all_spec _ _ HA r ltac:(lia)). simpl in X. facts. auto. + apply Up; auto.
Qed.
Lemma with_noise_ends : forall r f, (r < m)%nat -> M r f = below_threshold z n (T (S r)) f - below_threshold z n (T r) f.
Proof.
  assert (HN := never_always).
  assert (A : forall r f, (r < m)%nat -> up_to z m n threshold r f = below_threshold z n (T (S r)) f).
  { intros r f Hr. unfold up_to, T, ends. destruct (Nat.ltb_spec (S r) m); auto. unfold below_threshold.
    rewrite Z.eqb_refl. destruct (Z.eqb_spec (always z n) (never z)); [lia|reflexivity]. }
  intros r f Hr. unfold M, with_noise. rewrite A by auto. f_equal. destruct r as [|r].
  - unfold T, ends, below_threshold. rewrite Z.eqb_refl. reflexivity.
  - rewrite A by lia. reflexivity.
Qed.

Lemma below_threshold_range : forall t f, 0 <= below_threshold z n t f <= 1.
Proof. intros t f. unfold below_threshold. destruct (_ =? _)%Z; [lra|]. destruct (_ =? _)%Z; [lra|]. apply below_range; auto. Qed.
Lemma below_threshold_grows : forall t u f, (never z <= t)%Z -> (t <= u)%Z -> (u <= always z n)%Z ->
  below_threshold z n t f <= below_threshold z n u f.
Proof.
  intros t u f H1 H2 H3. assert (HN := never_always). assert (A := below_range z Hz (t - period z * Z.of_nat f)).
  assert (B := below_range z Hz (u - period z * Z.of_nat f)).
  assert (C := below_grows z Hz (t - period z * Z.of_nat f) (u - period z * Z.of_nat f) ltac:(lia)). unfold below_threshold.
  destruct (Z.eqb_spec t (never z)); destruct (Z.eqb_spec t (always z n)); destruct (Z.eqb_spec u (never z));
    destruct (Z.eqb_spec u (always z n)); try lia; lra.
Qed.
Lemma ends_within : forall k, (k <= m)%nat -> (never z <= T k <= always z n)%Z.
Proof.
  assert (G := ends_grow). assert (L := ends_last). intros k Hk. split.
  - induction k. unfold T, ends; lia. specialize (G k ltac:(lia)). specialize (IHk ltac:(lia)). lia.
  - assert (D : forall d k, (k + d = m)%nat -> (T k <= always z n)%Z).
    { induction d; intros j E. replace j with m by lia. lia. specialize (G j ltac:(lia)). specialize (IHd (S j) ltac:(lia)).
      lia. }
    apply (D (m - k)%nat). lia.
Qed.
Lemma with_noise_sum : forall k f, (k <= m)%nat -> Sum k (fun r => M r f) = below_threshold z n (T k) f.
Proof.
  induction k; intros f Hk; cbn [Sum]. - unfold T, ends, below_threshold. rewrite Z.eqb_refl. reflexivity.
  - rewrite IHk, with_noise_ends by lia. ring.
Qed.
Theorem with_noise_stochastic : stochastic m n M.
Proof.
  split.
  - intros r f Hr _. rewrite with_noise_ends by auto. assert (A := ends_within r ltac:(lia)).
    assert (B := ends_within (S r) ltac:(lia)).
    assert (X := below_threshold_grows (T r) (T (S r)) f ltac:(lia) (ends_grow r Hr) ltac:(lia)). lra.
  - intros f _. rewrite with_noise_sum, ends_last by auto. assert (HN := never_always). unfold below_threshold.
    rewrite Z.eqb_refl.
    destruct (Z.eqb_spec (always z n) (never z)); [lia|reflexivity].
Qed.
(* The probability of a response up to j *)
Lemma with_noise_up_to : forall j f, (S j < m)%nat -> prob m M (fun r => (r <=? j)%nat) f = below_threshold z n (threshold j) f.
Proof.
  intros j f Hj. rewrite prob_up_to, with_noise_sum by lia. unfold T, ends. destruct (Nat.ltb_spec (S j) m); [reflexivity|lia].
Qed.

(* Neighbours, one truth further *)
Lemma set_spent : forall en ed e A f, (0 < ed)%Z -> IZR en <= e * IZR ed -> (S f < n)%nat ->
  let d := IZR (spends z en ed) / (IZR ed * (IZR (whole z) * IZR (whole z))) in
  prob m M A f <= e * prob m M A (S f) + d /\ prob m M A (S f) <= e * prob m M A f + d.
Proof.
  intros en ed e A f Hed He Hf d. assert (HedR := IZR_lt _ _ Hed).
  destruct (spends_gained z en ed Hz Hed) as [HD HS]. set (D := IZR ed * _) in *. set (E := IZR en / IZR ed) in *.
  set (t := IZR (tail z) / IZR (whole z)) in *. destruct thresholds_facts as [Hm Hn]. assert (HN := never_always).
  set (gf := gained z (forth_of z en ed) _ _) in *. set (gb := gained z (back_of z en ed) _ _) in *.
  assert (Hd : d = Rmax gf gb) by (unfold d; rewrite HS; field; lra).
  assert (HE : E <= e) by (unfold E; apply div_le_l; auto).
  assert (Pos : forall h, 0 <= prob m M A h).
  { intros h. unfold prob. apply Sum_nonneg. intros r Hr. destruct (A r); [|lra]. rewrite with_noise_ends by auto.
    assert (X := ends_within r ltac:(lia)). assert (Y := ends_within (S r) ltac:(lia)).
    assert (V := below_threshold_grows (T r) (T (S r)) h ltac:(lia) (ends_grow r Hr) ltac:(lia)). lra. }
  assert (Diff : forall H x y, let g := at_threshold z H (1 - E) n f in
    (forall u, g u = below_threshold z n u x - E * below_threshold z n u y) ->
    prob m M A x - E * prob m M A y = Sum m (fun r => if A r then g (T (S r)) - g (T r) else 0)).
  { intros H x y g HU. unfold prob. rewrite <- Sum_scale, <- Sum_sub. apply Sum_ext. intros r Hr. rewrite !HU.
    destruct (A r); [|ring]. rewrite !with_noise_ends by auto. ring. }
  destruct (law_facts z Hz) as (Hp & _ & _ & _ & Hl).
  assert (Shift : (period z * Z.of_nat (S f) = period z * Z.of_nat f + period z)%Z) by lia.
  assert (Low : forall l, (l <= first z)%Z -> below z (l - period z) = t * below z l) by (intros; apply tail_before; auto; lia).
  assert (High : forall l, (last z + period z <= l)%Z -> 1 - below z l = t * (1 - below z (l - period z))).
  { intros l Hl'. unfold t. rewrite <- tail_behind by (auto; lia). do 2 f_equal. ring. }
  assert (Tm : (T m <= always z n)%Z) by (rewrite ends_last; lia).
  assert (Pf := Pos f). assert (Pg := Pos (S f)).
  split; rewrite Hd.
  - apply Rle_trans with (E * prob m M A (S f) + gf). 2:{ assert (X := Rmax_l gf gb). nra. }
    enough (prob m M A f - E * prob m M A (S f) <= gf) by lra. rewrite (Diff (forth_of z en ed)).
    + apply set_gains; auto; try apply ends_grow.
      * intros l Hl'. unfold forth_of. fold E. rewrite Low by auto. ring.
      * intros l Hl'. unfold forth_of. fold E. specialize (High l Hl').
        replace (below z l) with (1 - t * (1 - below z (l - period z))) by lra. ring.
    + intros u. unfold at_threshold, below_threshold, forth_of. fold E. rewrite Shift, Z.sub_add_distr.
      destruct (_ =? _)%Z; [ring|]. destruct (_ =? _)%Z; ring.
  - apply Rle_trans with (E * prob m M A f + gb). 2:{ assert (X := Rmax_r gf gb). nra. }
    enough (prob m M A (S f) - E * prob m M A f <= gb) by lra. rewrite (Diff (back_of z en ed)).
    + apply set_gains; auto; try apply ends_grow.
      * intros l Hl'. unfold back_of. fold E. rewrite Low by auto. ring.
      * intros l Hl'. unfold back_of. fold E. specialize (High l Hl').
        replace (below z l) with (1 - t * (1 - below z (l - period z))) by lra. ring.
    + intros u. unfold at_threshold, below_threshold, back_of. fold E. rewrite Shift, Z.sub_add_distr.
      destruct (_ =? _)%Z; [ring|]. destruct (_ =? _)%Z; ring.
Qed.
Theorem with_noise_private : forall q x v, spent_within z (q, x) = true -> private m (in_a_row n) v M q.
Proof.
  intros q x v H f g w Hin. unfold spent_within in H. destruct (kind q); facts; try discriminate.
  destruct (delta q) as [[a b]|]; facts; try discriminate.
  unfold in_a_row in Hin. apply in_flat_map in Hin as (h & Hh & Hin). apply in_seq in Hh.
  assert (Hw : w = 1%nat) by (destruct Hin as [X|[X|[]]]; injection X; auto). subst w.
  destruct (encloses_sound _ _ ltac:(eassumption)) as (_ & Hed & _ & _ & HE & _). simpl INR. rewrite Rmult_1_l.
  set (e := exp _) in *.
  assert (He : IZR (e_num x) <= e * IZR (e_den x)).
  { apply Rmult_le_compat_r with (r := IZR (e_den x)) in HE; [|lra]. unfold Rdiv in HE.
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r in HE by lra. auto. }
  assert (HW := whole_pos z Hz).
  assert (Hd : IZR (spends z (e_num x) (e_den x)) / (IZR (e_den x) * (IZR (whole z) * IZR (whole z))) <= IZR a / IZR b).
  { apply div_le_div. repeat apply Rmult_lt_0_compat; auto. apply IZR_lt; auto.
    match goal with L : (_ <= _)%Z |- _ => apply IZR_le in L; rewrite !mult_IZR in L; lra end. }
  simpl close. intros A. apply lt_IZR in Hed. destruct (set_spent (e_num x) (e_den x) e A h Hed He ltac:(lia)) as [X Y].
  destruct Hin as [Q|[Q|[]]]; injection Q as <- <-; lra.
Qed.
Theorem zero_stays_zero : zero_certain z n threshold = true -> M O O = 1.
Proof.
  intros H. destruct thresholds_facts. rewrite with_noise_ends by lia. unfold T, ends. destruct (Nat.ltb_spec 1 m); [|lia].
  assert (HN := never_always). unfold below_threshold. rewrite Z.eqb_refl.
  assert (Hl := law_facts z Hz). unfold zero_certain in H. destruct (Z.eqb_spec (tail z) 0) as [E|E]; facts.
  - destruct (Z.eqb_spec (threshold O) (never z)) as [F|]; [unfold never in F; lia|]. destruct (_ =? _)%Z; [ring|].
    replace (threshold O - period z * Z.of_nat 0)%Z with (threshold O) by ring.
    enough (1 <= below z (threshold O)) by (assert (R := below_range z Hz (threshold O)); lra).
    apply Rle_trans with (below z (last z)); [|apply below_grows; auto]. rewrite below_listed by lia. unfold listed.
    assert (HW := whole_pos z Hz). unfold law_ok in Hz. facts. rewrite E in *. simpl in *. facts.
    replace (Z.to_nat (last z - first z)) with (size z - 1)%nat by lia. apply le_div_r; auto. rewrite Rmult_1_l.
    apply IZR_le. lia.
  - destruct (Z.eqb_spec (threshold O) (never z)) as [F|]; [lia|]. rewrite H. rewrite Z.eqb_refl. ring.
Qed.
End Mechanism.
