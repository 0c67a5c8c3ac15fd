(* The loss of noise with thresholds, in whole numbers: exact where every probability up to a response is listed, 0 or 1,
   and else a little more. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Losses Law Spends Thresholds.
Open Scope R_scope.

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
  set (q := ((last z - t) / p)%Z) in *. set (r := ((t - first z) / p)%Z) in *. injection H as <- <-. repeat split; try lia.
  - intros f H. assert (X : (p * (Z.of_nat f + 1) <= p * - q)%Z) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - assert (X : (p * Z.of_nat f <= p * r)%Z) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - assert (X : (p * - q <= p * Z.of_nat f)%Z) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
  - intros f H. assert (X : (p * (r + 1) <= p * Z.of_nat f)%Z) by (apply Z.mul_le_mono_nonneg_l; lia). lia.
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
  clearbody a b. assert (Es : a = start) by lia. subst a. assert (Ef : stop = Nat.max b start) by lia.
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
Lemma steps_after_sound : forall count j t start stop v cut s, t = threshold j -> window z n t = (start, stop) -> v = rounded_value z
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
