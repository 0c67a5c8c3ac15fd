(* Noise with thresholds is a mechanism, and as private as one shift of its noise. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Spends.
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

(* ==== The loss of noise with thresholds, in whole numbers: exact where every probability up to a response is listed, 0 or 1,
   and else a little more. *)
(* ---- The computation. These two are Nat.min and Nat.max, whose extracted code would count down. *)
Definition greater (a b : nat) : nat := if (a <=? b)%nat then b else a.
Lemma greater_max : forall a b, greater a b = Nat.max a b.
Proof. intros a b. unfold greater. destruct (Nat.leb_spec a b); lia. Qed.
Section Computed.
Variables (z : noise) (m n : nat) (l : losses) (even : bool) (threshold : nat -> Z).

(* The sum of the changes at truths from a to before b. With equal weights the loss by distance tells it at once. *)
Definition span (j a b : nat) : Z :=
  match l with
  | ByDistance w d => if even then (w O * (d (apart (S j) a) - d (apart (S j) b)))%Z
      else total_onto (b - a) (fun i => change (cost_of l) j (a + i)) 0
  | Listed _ _ => total_onto (b - a) (fun i => change (cost_of l) j (a + i)) 0 end.
(* The first truth, and the one after the last, at which F is listed at a threshold: before it F counts as 1, then as 0. *)
Definition window (t : Z) : nat * nat :=
  let start := lesser (Z.to_nat (- ((last z - t) / period z))) n in
  (start, lesser (greater (Z.to_nat ((t - first z) / period z + 1)) start) n).
(* Truths f, f + 1, ... in the window, F being listed at i, i - k, ... *)
Fixpoint inside (x : nat -> Z) (home k count f i : nat) (s : Z) : Z :=
  match count with
  | O => s
  | S rest => let y := cumulative z i in
      inside x home k rest (S f) (i - k) (s + x f * (if (f <? home)%nat then whole z - y else - y))%Z
  end.
(* The part of step j, over `whole` *)
Definition step_value (j : nat) (t : Z) (start stop : nat) : Z :=
  let k := lesser (home_of l j) n in
  (inside (change (cost_of l) j) k (width z) (stop - start) start (Z.to_nat (t - period z * Z.of_nat start - first z)) 0
   + whole z * ((if (stop <? k)%nat then span j stop k else 0) - (if (k <? start)%nat then span j k start else 0)))%Z.
Definition is_cut (t : Z) (start stop : nat) : bool :=
  negb (t =? never z)%Z && negb (t =? always z n)%Z && ((0 <? start)%nat || (stop <? n)%nat).

(* Steps after step j, whose threshold, window and value are at hand. With equal weights a step looks like the one before
   if its threshold is a period further and neither window is cut by the ends of the truths. The sum, and whether F is
   taken for 0 or 1 anywhere. *)
Inductive stage := At (j : nat) (t : Z) (start stop : nat) (v : Z) (cut : bool) (s : Z).
Definition next (x : stage) : stage :=
  match x with At j t start stop v cut s =>
    let t' := threshold (S j) in
    if even && (t' =? t + period z)%Z && (0 <? start)%nat && (stop <? n)%nat
    then At (S j) t' (S start) (S stop) v true (s + v)%Z
    else let '(start', stop') := window t' in let v' := step_value (S j) t' start' stop' in
         At (S j) t' start' stop' v' (cut || is_cut t' start' stop') (s + v')%Z
  end.
Definition steps_after (count j : nat) (t : Z) (start stop : nat) (v : Z) (cut : bool) (s : Z) : Z * bool :=
  match repeated next count (At j t start stop v cut s) with At _ _ _ _ _ cut' s' => (s', cut') end.
Lemma steps_after_next : forall rest j t start stop v cut s, steps_after (S rest) j t start stop v cut s =
  let t' := threshold (S j) in
  if even && (t' =? t + period z)%Z && (0 <? start)%nat && (stop <? n)%nat
  then steps_after rest (S j) t' (S start) (S stop) v true (s + v)%Z
  else let '(start', stop') := window t' in let v' := step_value (S j) t' start' stop' in
       steps_after rest (S j) t' start' stop' v' (cut || is_cut t' start' stop') (s + v')%Z.
Proof. intros. unfold steps_after. cbn [repeated next]. destruct (_ && _); [|destruct (window _)]; reflexivity. Qed.
Definition steps_value : Z * bool :=
  let t := threshold O in let '(start, stop) := window t in let v := step_value 0 t start stop in
  steps_after (m - 2) 0 t start stop v (is_cut t start stop) v.
End Computed.

(* The sum of all changes, none of them negative *)
Definition variation (m n : nat) (l : losses) : Z :=
  match l with
  | ByDistance w d => (total_onto n (fun f => w f * (d f + d (n - 1 - f)%nat)) 0 - 2 * (d O * total_onto n w 0))%Z
  | Listed _ _ => total_onto (m - 1) (fun j => total_onto n (fun f => Z.abs (change (cost_of l) j f)) 0) 0%Z end.
Definition noise_loss (z : noise) (m n : nat) (l : losses) (threshold : nat -> Z) : Z :=
  let '(s, cut) := steps_value z m n l (even_weights n l) threshold in
  (loss_constant m n l * whole z + s +
   if cut then Z.max (cumulative z O) (whole z - cumulative z (size z - 1)%nat) * variation m n l else 0)%Z.

(* ---- Sums of changes *)
Lemma total_onto_total : forall n x s, total_onto n x s = (s + total n x)%Z.
Proof. induction n; intros x s; simpl. ring. rewrite IHn. ring. Qed.
Lemma total_split : forall a b x, total (a + b) x = (total a x + total b (fun i => x (a + i)%nat))%Z.
Proof. induction b; intros x. rewrite Nat.add_0_r. simpl. ring. rewrite Nat.add_succ_r. simpl. rewrite IHb. ring. Qed.
Lemma total_zero : forall n x, (forall i, (i < n)%nat -> x i = 0%Z) -> total n x = 0%Z.
Proof. intros n x H. rewrite (total_ext n x (fun _ => 0%Z)) by auto. clear. induction n; simpl; lia. Qed.
Lemma total_times : forall n a x, total n (fun i => a * x i)%Z = (a * total n x)%Z.
Proof. induction n; intros; simpl. ring. rewrite IHn. ring. Qed.

Lemma span_total : forall n l j a b, (a <= b)%nat -> (b <= n)%nat ->
  span l (even_weights n l) j a b = total (b - a) (fun i => change (cost_of l) j (a + i)).
Proof.
  intros n l j a b Hab Hb. unfold span. destruct l as [w d|c h]; [|rewrite total_onto_total; ring].
  destruct (even_weights n (ByDistance w d)) eqn:E; [|rewrite total_onto_total; ring]. simpl in E.
  assert (G : forall k, (a + k <= n)%nat ->
    total k (fun i => change (cost_of (ByDistance w d)) j (a + i)) = (w O * (d (apart (S j) a) - d (apart (S j) (a + k))))%Z).
  { induction k; intros Hk; simpl total. rewrite Nat.add_0_r. ring. rewrite IHk by lia.
    assert (X := all_spec _ _ E (a + k)%nat ltac:(lia)). cbv beta in X. facts. unfold change, cost_of. rewrite X.
    replace (apart (S j) (a + S k)) with (apart j (a + k)).
    2:{ unfold apart. destruct (Nat.leb_spec j (a + k)); destruct (Nat.leb_spec (S j) (a + S k)); lia. }
    ring. }
  rewrite G by lia. do 3 f_equal. f_equal. lia.
Qed.

(* ---- F, taken for 0 and for 1 beyond the list *)
Definition rounded (z : noise) (l : Z) : Z :=
  if (l <? first z)%Z then 0%Z else if (l <=? last z)%Z then cumulative z (Z.to_nat (l - first z)) else whole z.
Definition rounded_value (z : noise) (n : nat) (l : losses) (j : nat) (t : Z) : Z :=
  total n (fun f => let y := rounded z (t - period z * Z.of_nat f) in
    (change (cost_of l) j f * (if (f <? home_of l j)%nat then whole z - y else - y))%Z).

Section Sound.
Variables (z : noise) (m n : nat) (l : losses) (threshold : nat -> Z).
Hypothesis Hz : law_ok z = true.
Hypothesis Ht : thresholds_ok z m n threshold = true.
Hypothesis Hl : signs m n l = true.
Let p := period z.
Let even := even_weights n l.

Lemma window_sound : forall t start stop, window z n t = (start, stop) -> (start <= stop <= n)%nat /\
  (forall f, (f < start)%nat -> (last z < t - p * Z.of_nat f)%Z) /\
  (forall f, (start <= f < stop)%nat -> (first z <= t - p * Z.of_nat f <= last z)%Z) /\
  (forall f, (stop <= f < n)%nat -> (t - p * Z.of_nat f < first z)%Z).
Proof.
  intros t start stop H. destruct (law_facts z Hz) as (Hp & _ & _ & _ & Hf). fold p in Hp, Hf. unfold window in H.
  rewrite !lesser_min, greater_max in H. fold p in H.
  assert (A := Z.div_mod (last z - t) p ltac:(lia)). assert (B := Z.mod_pos_bound (last z - t) p Hp).
  assert (C := Z.div_mod (t - first z) p ltac:(lia)). assert (D := Z.mod_pos_bound (t - first z) p Hp).
  set (q := ((last z - t) / p)%Z) in *. set (r := ((t - first z) / p)%Z) in *. injection H as <- <-.
  assert (X : forall x y, (x <= y -> p * x <= p * y)%Z) by (intros; apply Z.mul_le_mono_nonneg_l; lia). clearbody q r p.
  repeat split; try (clear; lia).
  - intros f H. specialize (X (Z.of_nat f + 1)%Z (- q)%Z ltac:(clear - H; lia)). clear - X A B. lia.
  - specialize (X (Z.of_nat f) r ltac:(lia)). clear - X C D. lia.
  - specialize (X (- q)%Z (Z.of_nat f) ltac:(lia)). clear - X A B. lia.
  - intros f H. specialize (X (r + 1)%Z (Z.of_nat f) ltac:(clear - H; lia)). clear - X C D. lia.
Qed.
Lemma window_next : forall t start stop, window z n t = (start, stop) -> (0 < start)%nat -> (stop < n)%nat ->
  window z n (t + p) = (S start, S stop).
Proof.
  intros t start stop H H0 H1. destruct (law_facts z Hz) as (Hp & _). fold p in Hp. unfold window in *.
  rewrite !lesser_min, greater_max in *. fold p in H |- *.
  replace (last z - (t + p))%Z with (last z - t + (-1) * p)%Z by ring.
  replace (t + p - first z)%Z with (t - first z + 1 * p)%Z by ring.
  rewrite !Z.div_add by lia. set (q := ((last z - t) / p)%Z) in *. set (r := ((t - first z) / p)%Z) in *. injection H as E F.
  set (a := Z.to_nat (- q)) in *. set (b := Z.to_nat (r + 1)) in *. assert (Ea : Z.to_nat (- (q + -1)) = S a) by (clear - E H0;
  lia).
  assert (Eb : Z.to_nat (r + 1 + 1) = S b \/ (Z.to_nat (r + 1 + 1) = O /\ b = O)) by (clear; lia). rewrite Ea.
  clear - E F Eb H0 H1.
  clearbody a b. assert (Es : a = start) by (clear - E F H1; lia). subst a.
  assert (Ef : stop = Nat.max b start) by (clear - F H1; lia).
  rewrite (Nat.min_l (S start)) by lia. f_equal. destruct Eb as [-> | [-> ->]]; rewrite Nat.min_l; lia.
Qed.

Lemma inside_total : forall x home count f i s, inside z x home (width z) count f i s =
  (s + total count (fun u => x (f + u)%nat * (if (f + u <? home)%nat then whole z - cumulative z (i - width z * u)%nat
    else - cumulative z (i - width z * u)%nat)))%Z.
Proof.
  intros x home. induction count; intros f i s; cbn [inside]. simpl. ring.
  rewrite IHcount, total_first. rewrite Nat.add_0_r, Nat.mul_0_r, Nat.sub_0_r, <- Z.add_assoc. do 2 f_equal.
  apply total_ext. intros u _. rewrite Nat.add_succ_r. simpl plus.
  replace (i - width z - width z * u)%nat with (i - width z * S u)%nat by lia. reflexivity.
Qed.
Lemma step_value_rounded : forall j t start stop, window z n t = (start, stop) ->
  step_value z n l even j t start stop = rounded_value z n l j t.
Proof.
  intros j t start stop H. destruct (window_sound t start stop H) as (Hn & Hbefore & Hin & Hbehind).
  destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn' & Hf). fold p in Hp, Hw.
  unfold step_value, rounded_value. rewrite lesser_min. set (k := Nat.min (home_of l j) n). set (x := change (cost_of l) j).
  rewrite (total_ext n _ (fun f => x f * (if (f <? k)%nat then whole z - rounded z (t - p * Z.of_nat f) else - rounded z (t - p
  * Z.of_nat f)))%Z).
  2:{ intros f Hfn. cbv zeta. fold p. destruct (Nat.ltb_spec f (home_of l j)); destruct (Nat.ltb_spec f k); unfold k in *;
  try lia; reflexivity. }
  set (g := fun f => (x f * _)%Z). replace n with (start + ((stop - start) + (n - stop)))%nat at 1 by lia. rewrite !total_split.
  rewrite inside_total. fold p. rewrite Z.add_0_l.
  assert (A : total start g = (- (whole z * (if (k <? start)%nat then span l even j k start else 0)))%Z).
  { assert (V : forall f, (f < start)%nat -> g f = if (f <? k)%nat then 0%Z else (- whole z * x f)%Z).
    { intros f F. unfold g, rounded. specialize (Hbefore f F). destruct (Z.ltb_spec (t - p * Z.of_nat f) (first z)); [lia|].
      destruct (Z.leb_spec (t - p * Z.of_nat f) (last z)); [lia|]. destruct (f <? k)%nat; ring. }
    destruct (Nat.ltb_spec k start) as [K|K].
    - replace start with (k + (start - k))%nat at 1 by lia. rewrite total_split, total_zero.
      2:{ intros i Hi. rewrite V by lia. destruct (Nat.ltb_spec i k); [reflexivity|lia]. }
      unfold even. rewrite span_total by lia. fold x. rewrite Z.add_0_l. rewrite <- Z.mul_opp_l, <- total_times.
      apply total_ext. intros i Hi. rewrite V by lia. destruct (Nat.ltb_spec (k + i) k); [lia|reflexivity].
    - rewrite Z.mul_0_r. apply total_zero. intros i Hi. rewrite V by lia. destruct (Nat.ltb_spec i k); [reflexivity|lia]. }
  assert (B : total (n - stop) (fun i => g (start + (stop - start + i))%nat) = (whole z * (if (stop <? k)%nat then span l even
  j stop k else 0))%Z).
  { assert (V : forall i, (i < n - stop)%nat -> g (start + (stop - start + i))%nat = if (stop + i <? k)%nat then (whole z * x
    (stop + i)%nat)%Z else 0%Z).
    { intros i Hi. replace (start + (stop - start + i))%nat with (stop + i)%nat by lia. unfold g, rounded.
      specialize (Hbehind (stop + i)%nat ltac:(lia)). destruct (Z.ltb_spec (t - p * Z.of_nat (stop + i)) (first z)); [|lia].
      destruct (stop + i <? k)%nat; ring. }
    destruct (Nat.ltb_spec stop k) as [K|K].
    - assert (Hk : (k <= n)%nat) by (unfold k; lia). replace (n - stop)%nat with ((k - stop) + (n - k))%nat at 1 by lia.
      rewrite total_split, (total_zero (n - k)).
      2:{ intros i Hi. rewrite V by lia. destruct (Nat.ltb_spec (stop + (k - stop + i)) k); [lia|reflexivity]. }
      unfold even. rewrite span_total by lia. fold x. rewrite Z.add_0_r, <- total_times.
      apply total_ext. intros i Hi. rewrite V by lia. destruct (Nat.ltb_spec (stop + i) k); [reflexivity|lia].
    - rewrite Z.mul_0_r. apply total_zero. intros i Hi. rewrite V by lia. destruct (Nat.ltb_spec (stop + i) k);
      [lia|reflexivity]. }
  rewrite A, B. clear A B. set (u := total (stop - start) _). set (v := total (stop - start) _).
  enough (u = v) as -> by ring. unfold u, v. apply total_ext. intros i Hi. cbv beta. unfold g.
  specialize (Hin (start + i)%nat ltac:(lia)). unfold rounded.
  destruct (Z.ltb_spec (t - p * Z.of_nat (start + i)) (first z)); [lia|].
  destruct (Z.leb_spec (t - p * Z.of_nat (start + i)) (last z)); [|lia].
  assert (E : Z.of_nat (width z * i) = (p * Z.of_nat i)%Z) by (rewrite Nat2Z.inj_mul; congruence).
  rewrite Nat2Z.inj_add, Z.mul_add_distr_l in *.
  replace (Z.to_nat (t - (p * Z.of_nat start + p * Z.of_nat i) - first z))
    with (Z.to_nat (t - p * Z.of_nat start - first z) - width z * i)%nat by (clear - E H0 Hp; lia).
  reflexivity.
Qed.

(* A step looks like the one before it. *)
Lemma rounded_value_next : forall j t start stop, window z n t = (start, stop) -> even = true -> (S (S j) < m)%nat ->
  (0 < start)%nat -> (stop < n)%nat -> rounded_value z n l (S j) (t + p) = rounded_value z n l j t.
Proof.
  intros j t start stop H He Hj H0 H1. destruct (window_sound t start stop H) as (Hn & Hbefore & Hin & Hbehind).
  destruct (law_facts z Hz) as (Hp & _ & _ & _ & Hf). fold p in Hp, Hf.
  unfold even in He. destruct l as [w d|c h]; [|discriminate]. simpl in Hl, He. facts. subst m.
  unfold rounded_value. fold p. cbn [home_of]. destruct n as [|n']; [lia|]. rewrite total_first. cbn [total].
  rewrite Z.add_comm. f_equal.
  - apply total_ext. intros f Hfn. cbv zeta. replace (t + p - p * Z.of_nat (S f))%Z with (t - p * Z.of_nat f)%Z by lia.
    assert (A := all_spec _ _ He f ltac:(lia)). assert (B := all_spec _ _ He (S f) ltac:(lia)). cbv beta in A, B. facts.
    unfold change, cost_of. rewrite A, B. f_equal.
  - cbv zeta. assert (A := Hbefore O ltac:(lia)). assert (B := Hbehind n' ltac:(lia)). unfold rounded.
    destruct (Z.ltb_spec (t + p - p * Z.of_nat 0) (first z)); [lia|]. destruct (Z.leb_spec (t + p - p * Z.of_nat 0) (last z));
    [lia|].
    destruct (Z.ltb_spec (t - p * Z.of_nat n') (first z)); [|lia].
    destruct (Nat.ltb_spec 0 (S (S j))); [|lia]. destruct (Nat.ltb_spec n' (S j)); [lia|]. ring.
Qed.
Lemma steps_after_sound : forall count j t start stop v cut s, t = threshold j -> window z n t = (start, stop) ->
  v = rounded_value z
  n l j t ->
  (S j + count < m)%nat -> exists cut', steps_after z n l even threshold count j t start stop v cut s =
    ((s + total count (fun i => rounded_value z n l (S j + i) (threshold (S j + i)%nat)))%Z, cut') /\
    (cut' = false -> cut = false /\ forall i start' stop', (i < count)%nat ->
      window z n (threshold (S j + i)%nat) = (start', stop') -> is_cut z n (threshold (S j + i)%nat) start' stop' = false).
Proof.
  induction count; intros j t start stop v cut s Et W V Hj.
  - exists cut. split. simpl. rewrite Z.add_0_r. reflexivity. intros. split; auto. intros; lia.
  - rewrite steps_after_next, total_first. cbv zeta. rewrite Nat.add_0_r. fold p.
    destruct (even && (threshold (S j) =? t + p)%Z && (0 <? start)%nat && (stop <? n)%nat) eqn:C.
    + facts. assert (E : even = true) by auto. assert (T' : threshold (S j) = (t + p)%Z) by auto.
      assert (Wn := window_next t start stop W ltac:(auto) ltac:(auto)).
      assert (Vn := rounded_value_next j t start stop W E ltac:(lia) ltac:(auto) ltac:(auto)).
      destruct (IHcount (S j) (threshold (S j)) (S start) (S stop) v true (s + v)%Z) as (cut' & R & K); auto; try lia.
      * rewrite T'. auto. * rewrite V, T'. auto.
      * exists cut'. split. { rewrite R. f_equal. rewrite T', Vn, <- V, <- Z.add_assoc. do 2 f_equal.
          apply total_ext. intros i _. rewrite Nat.add_succ_r. reflexivity. }
        intros Q. destruct (K Q). discriminate.
    + clear C. destruct (window z n (threshold (S j))) as [start' stop'] eqn:W'.
      rewrite (step_value_rounded (S j) _ _ _ W').
      destruct (IHcount (S j) (threshold (S j)) start' stop' (rounded_value z n l (S j) (threshold (S j)))
        (cut || is_cut z n (threshold (S j)) start' stop') (s + rounded_value z n l (S j) (threshold (S j)))%Z) as (cut' & R &
        K); auto; try lia.
      exists cut'. split. { rewrite R. f_equal. rewrite <- Z.add_assoc. do 2 f_equal. apply total_ext. intros i _.
      rewrite Nat.add_succ_r. reflexivity. }
      intros Q. destruct (K Q) as [Q1 Q2]. apply orb_false_iff in Q1 as [Q1 Q3]. split; auto. intros [|i] a b Hi Hab.
      * rewrite Nat.add_0_r in *. rewrite W' in Hab. injection Hab as <- <-. auto.
      * rewrite Nat.add_succ_r in *. apply Q2; auto. lia.
Qed.
Lemma steps_value_sound : exists cut, steps_value z m n l even threshold =
  (total (m - 1) (fun j => rounded_value z n l j (threshold j)), cut) /\
  (cut = false -> forall j start stop, (j < m - 1)%nat -> window z n (threshold j) = (start, stop) -> is_cut z n (threshold j)
  start stop = false).
Proof.
  destruct (thresholds_facts z m n threshold Ht) as [Hm Hn]. unfold steps_value.
  destruct (window z n (threshold O)) as [start stop] eqn:W.
  rewrite (step_value_rounded 0 _ _ _ W).
  destruct (steps_after_sound (m - 2) 0 (threshold O) start stop _ (is_cut z n (threshold O) start stop) (rounded_value z n l 0
  (threshold O)) eq_refl W eq_refl ltac:(lia))
    as (cut & R & K).
  exists cut. split. - rewrite R. f_equal. replace (m - 1)%nat with (S (m - 2)) by lia. rewrite total_first. reflexivity.
  - intros Q j a b Hj Hab. destruct (K Q) as [Q1 Q2]. destruct j as [|j].
    + rewrite W in Hab. injection Hab as <- <-. auto. + apply Q2; auto. lia.
Qed.
End Sound.
