(* The loss of a mechanism, response by response: what each step from one response to the next adds, by the probability
   of a response up to there. And the two lines that each privacy draws for the probability of any set. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Lines Noise.
Import ListNotations.
Open Scope R_scope.

Lemma Sum_split : forall k n x, (k <= n)%nat -> Sum n x = Sum k x + Sum (n - k) (fun i => x (k + i)%nat).
Proof.
  intros k n x H. replace n with (k + (n - k))%nat at 1 by lia. induction (n - k)%nat as [|d IH].
  - rewrite Nat.add_0_r. simpl. ring.
  - rewrite Nat.add_succ_r. simpl. rewrite IH. ring.
Qed.
Lemma telescope : forall k r (c : nat -> R), (r <= k)%nat ->
  c r = c O + Sum k (fun j => if (j <? r)%nat then c (S j) - c j else 0).
Proof.
  intros k r c H. rewrite (Sum_split r k) by auto. rewrite (Sum_ext (k - r) _ (fun _ => 0)), Sum_zero.
  2:{ intros i _. destruct (Nat.ltb_spec (r + i) r); [lia|reflexivity]. }
  rewrite (Sum_ext r _ (fun j => c (S j) - c j)).
  2:{ intros i Hi. destruct (Nat.ltb_spec i r); [reflexivity|lia]. }
  clear H. induction r; simpl in *; lra.
Qed.

(* ---- Probabilities of sets *)
Lemma prob_range : forall m n M A f, stochastic m n M -> (f < n)%nat -> 0 <= prob m M A f <= 1.
Proof.
  intros m n M A f [Hp Hs] Hf. unfold prob. split.
  - apply Sum_nonneg. intros r Hr. destruct (A r); [auto|lra].
  - rewrite <- (Hs f Hf). apply Sum_mono. intros r Hr. specialize (Hp r f Hr Hf). destruct (A r); lra.
Qed.
Lemma prob_complement : forall m n M A f, stochastic m n M -> (f < n)%nat ->
  prob m M (fun r => negb (A r)) f = 1 - prob m M A f.
Proof.
  intros m n M A f [_ Hs] Hf. unfold prob. rewrite <- (Hs f Hf), <- Sum_sub. apply Sum_ext. intros r _.
  destruct (A r); simpl; lra.
Qed.
(* A response up to j *)
Lemma prob_up_to : forall m M j f, (j < m)%nat -> prob m M (fun r => (r <=? j)%nat) f = Sum (S j) (fun r => M r f).
Proof.
  intros m M j f H. unfold prob. rewrite (Sum_split (S j) m) by lia. rewrite (Sum_ext (m - S j) _ (fun _ => 0)), Sum_zero.
  2:{ intros i _. destruct (Nat.leb_spec (S j + i) j); [lia|reflexivity]. }
  rewrite Rplus_0_r. apply Sum_ext. intros i Hi. destruct (Nat.leb_spec i j); [reflexivity|lia].
Qed.

(* ---- The loss by steps. At truth f step j, from response j to the next, adds change c j f times the probability of a
   response beyond j. Before the home k j that is counted from 0, and from the home on from change c j f, so that no part
   is negative if no change before the home is negative, and none is positive from there on. *)
Definition change (c : nat -> nat -> Z) (j f : nat) : Z := (c (S j) f - c j f)%Z.
Definition adds (n : nat) (c : nat -> nat -> Z) (k j : nat) (a : nat -> R) : R :=
  Sum n (fun f => if (f <? k)%nat then IZR (change c j f) * (1 - a f) else - IZR (change c j f) * a f).

Lemma total_by_steps : forall m n ps zero c unit (k : nat -> nat) M, stochastic m n M -> (0 < m)%nat -> (0 < unit)%Z ->
  total_loss (row m n ps zero c unit) M =
    (Sum n (fun f => IZR (c O f)) + Sum (m - 1) (fun j => Sum n (fun f => if (f <? k j)%nat then 0 else IZR (change c j f)))
      + Sum (m - 1) (fun j => adds n c (k j) j (fun f => prob m M (fun r => (r <=? j)%nat) f))) / IZR unit.
Proof.
  intros m n ps zero c unit k M [_ Hs] Hm Hu. apply IZR_lt in Hu. unfold total_loss, loss_at.
  cbn [responses truths cost cost_unit row].
  apply Rmult_eq_reg_l with (IZR unit); [|lra]. rewrite Rplus_assoc, <- Sum_add. unfold adds.
  match goal with |- _ = _ * (?x / _) => replace (IZR unit * (x / IZR unit)) with x by (field; lra) end.
  rewrite (Sum_ext (m - 1) _ (fun j => Sum n (fun f => IZR (change c j f) * (1 - prob m M (fun r => (r <=? j)%nat) f)))).
  2:{ intros j _. rewrite <- Sum_add. apply Sum_ext. intros f _. destruct (f <? k j)%nat; ring. }
  rewrite (Sum_swap (m - 1) n), <- Sum_add, <- Sum_scale. apply Sum_ext. intros f Hf. rewrite <- Sum_scale.
  transitivity (Sum m (fun r => IZR (c O f) * M r f +
    Sum (m - 1) (fun j => IZR (change c j f) * (M r f - if (r <=? j)%nat then M r f else 0)))).
  - apply Sum_ext. intros r Hr. replace (IZR unit * (IZR (c r f) / IZR unit * M r f)) with (IZR (c r f) * M r f) by (field; lra).
    rewrite (telescope (m - 1) r (fun r => IZR (c r f))) by lia. rewrite Rmult_plus_distr_r. f_equal.
    rewrite Rmult_comm, <- Sum_scale. apply Sum_ext. intros j _. unfold change. rewrite minus_IZR.
    destruct (Nat.ltb_spec j r); destruct (Nat.leb_spec r j); try lia; ring.
  - rewrite Sum_add, Sum_scale, Hs, Rmult_1_r by auto. f_equal. rewrite (Sum_swap m). apply Sum_ext. intros j _.
    rewrite Sum_scale, Sum_sub, Hs by auto. reflexivity.
Qed.

(* ---- Two lines for each privacy: one P_f(A) <= s P_g(A) + o for neighbours f, g and every set A. The first is that
   of A, the second that of its complement. Privacies of other kinds draw none. *)
Definition rounded_up (one : Z) (d : Z * Z) : Z := (- (- (fst d * one) / snd d))%Z.
Definition lines_of (one : Z) (p : privacy) (x : factors) : list (Z * Z) :=
  match kind p, delta p with
  | OfSets, Some d =>
      if encloses (eps p) x && (0 <? snd d)%Z
      then let flat := (one * f_den x / f_num x)%Z in
           [(raised one x 1, rounded_up one d); (flat, (one - flat * (one - rounded_up one d) / one)%Z)]
      else []
  | _, _ => [] end.
Fixpoint lines (one : Z) (ps : list privacy) (fs : list factors) : list (Z * Z) :=
  match ps, fs with p :: ps', x :: fs' => lines_of one p x ++ lines one ps' fs' | _, _ => [] end.

Lemma in_a_row_spec : forall n f g, (f < n)%nat -> (g < n)%nat -> g = S f \/ f = S g -> In (f, g, 1%nat) (in_a_row n).
Proof.
  intros n f g Hf Hg H. unfold in_a_row. apply in_flat_map. exists (Nat.min f g). split. apply in_seq. lia.
  destruct H as [-> | ->].
  - rewrite Nat.min_l by lia. left. reflexivity.
  - rewrite Nat.min_r by lia. right. left. reflexivity.
Qed.

Section Privacy.
Variables (m n : nat) (ps : list privacy) (zero : bool) (c : nat -> nat -> Z) (unit : Z) (M : mechanism) (v : R).
Hypothesis HM : achieves (row m n ps zero c unit) M v.
Variable A : nat -> bool.
Let a (f : nat) : R := prob m M A f.

Lemma a_range : forall f, (f < n)%nat -> 0 <= a f <= 1.
Proof. intros. apply (prob_range m n); auto. apply HM. Qed.

(* Privacy of the set, and of its complement *)
Lemma private_sets : forall p d f g, In p ps -> kind p = OfSets -> delta p = Some d -> (f < n)%nat -> (g < n)%nat ->
  g = S f \/ f = S g ->
  a f <= exp (real_epsilon (eps p)) * a g + IZR (fst d) / IZR (snd d) /\
  1 - a g <= exp (real_epsilon (eps p)) * (1 - a f) + IZR (fst d) / IZR (snd d).
Proof.
  intros p [dn dd] f g Hp Hk Hd Hf Hg H. destruct HM as (HS & _ & _ & _ & HP & _).
  cbn [privacies responses truths neighbours row] in *.
  rewrite Forall_forall in HP. specialize (HP p Hp). unfold private in HP. rewrite Hk, Hd in HP. cbn [close fst snd] in *.
  replace (INR 1 * real_epsilon (eps p)) with (real_epsilon (eps p)) in HP by (simpl; ring).
  assert (HP' := fun f g => HP f g 1%nat). simpl INR in HP'. setoid_rewrite Rmult_1_l in HP'. split.
  - apply HP'. apply in_a_row_spec; auto.
  - unfold a. rewrite <- !(prob_complement m n) by auto. apply HP'. apply in_a_row_spec; auto. lia.
Qed.

Lemma lines_of_sound : forall one p x s o, (0 < one)%Z -> In p ps -> In (s, o) (lines_of one p x) ->
  (0 <= s)%Z /\ forall f g, (f < n)%nat -> (g < n)%nat -> g = S f \/ f = S g -> IZR one * a f <= IZR s * a g + IZR o.
Proof.
  intros one p x s o Ho Hp H. unfold lines_of in H. destruct (kind p) eqn:Hk; try contradiction.
  destruct (delta p) as [d|] eqn:Hd; [|contradiction].
  destruct (encloses (eps p) x && (0 <? snd d)%Z) eqn:C; [|contradiction]. apply andb_true_iff in C as [Hx Hb].
  apply Z.ltb_lt in Hb.
  assert (HP := fun f g => private_sets p d f g Hp Hk Hd). set (e := exp (real_epsilon (eps p))) in *.
  set (dl := IZR (fst d) / IZR (snd d)) in *. assert (HoR := IZR_lt _ _ Ho).
  assert (HU : dl * IZR one <= IZR (rounded_up one d)).
  { unfold rounded_up. rewrite opp_IZR. assert (B := floor_below (- (fst d * one)) (snd d) Hb). rewrite opp_IZR, mult_IZR in B.
    unfold dl, Rdiv in *. lra. }
  destruct (encloses_sound _ _ Hx) as (_ & _ & Hn & Hfd & _ & HF). fold e in HF. assert (He : 0 < e) by apply exp_pos.
  assert (HR : e * IZR one <= IZR (raised one x 1)).
  { assert (B := raised_above one p x 1 Ho Hx). simpl INR in B. rewrite Rmult_1_l in B. exact B. }
  set (flat := (one * f_den x / f_num x)%Z) in *.
  assert (Hflat0 : (0 <= flat)%Z). { apply lt_IZR in Hn, Hfd. apply Z.div_pos; nia. }
  assert (Hflat : IZR flat * e <= IZR one).
  { assert (B := floor_below (one * f_den x) (f_num x) ltac:(apply lt_IZR; auto)). fold flat in B. rewrite mult_IZR in B.
    apply Rle_trans with (IZR flat * (IZR (f_num x) / IZR (f_den x))). apply Rmult_le_compat_l; auto. apply IZR_le; auto.
    apply Rle_trans with (IZR one * IZR (f_den x) / IZR (f_num x) * (IZR (f_num x) / IZR (f_den x))).
    - apply Rmult_le_compat_r; auto. apply div_nonneg; lra.
    - right. field. lra. }
  destruct H as [H|[H|[]]]; injection H as <- <-.
  - split. { apply le_IZR. assert (0 <= e * IZR one) by (apply Rmult_le_pos; lra). lra. }
    intros f g Hf Hg Hn'. destruct (HP f g Hf Hg Hn') as [B _]. assert (Hag := a_range g Hg).
    apply Rmult_le_compat_l with (r := IZR one) in B; [|lra]. apply Rmult_le_compat_r with (r := a g) in HR; lra.
  - split; auto. intros f g Hf Hg Hn'. destruct (HP f g Hf Hg Hn') as [_ B]. rewrite minus_IZR.
    assert (C := floor_below (flat * (one - rounded_up one d)) one Ho). rewrite mult_IZR, minus_IZR in C.
    set (D := IZR (rounded_up one d)) in *. apply IZR_le in Hflat0. assert (Haf := a_range f Hf).
    assert (Hdl : dl <= D / IZR one) by (apply le_div_r; lra).
    replace (IZR flat * (IZR one - D) / IZR one) with (IZR flat * (1 - D / IZR one)) in C by (field; lra).
    enough (IZR flat * (1 - a g - D / IZR one) <= IZR one * (1 - a f)) by lra.
    apply Rle_trans with (IZR flat * (e * (1 - a f))). apply Rmult_le_compat_l; lra.
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra.
Qed.

Lemma lines_sound : forall one fs s o, (0 < one)%Z -> In (s, o) (lines one ps fs) ->
  (0 <= s)%Z /\ forall f g, (f < n)%nat -> (g < n)%nat -> g = S f \/ f = S g -> IZR one * a f <= IZR s * a g + IZR o.
Proof.
  intros one fs s o Ho. assert (G : forall qs fs, (forall p, In p qs -> In p ps) -> In (s, o) (lines one qs fs) ->
    (0 <= s)%Z /\ forall f g, (f < n)%nat -> (g < n)%nat -> g = S f \/ f = S g -> IZR one * a f <= IZR s * a g + IZR o).
  { induction qs as [|p qs IH]; intros [|x gs] Hq H; try contradiction. apply in_app_or in H as [H|H].
    - apply (lines_of_sound one p x); auto. apply Hq. left. reflexivity.
    - apply (IH gs); auto. intros. apply Hq. right. auto. }
  apply G. auto.
Qed.
End Privacy.

(* ==== The two forms of a loss on truths in a row, the check of its signs, and its constant part. *)
(* By distance the responses are the truths, and response r costs weight f times `at |r - f|` at truth f. Else costs are
   listed, with the home of each step: the first truth from which on the next response is no worse. *)
Inductive losses := ByDistance (weight at_distance : nat -> Z) | Listed (costs : nat -> nat -> Z) (homes : nat -> nat).
Definition apart (r f : nat) : nat := if (r <=? f)%nat then (f - r)%nat else (r - f)%nat.
Definition cost_of (l : losses) (r f : nat) : Z :=
  match l with ByDistance w d => (w f * d (apart r f))%Z | Listed c _ => c r f end.
Definition home_of (l : losses) (j : nat) : nat := match l with ByDistance _ _ => S j | Listed _ h => h j end.

(* No change is negative before the home, and none is positive from there on. *)
Definition signs (m n : nat) (l : losses) : bool :=
  match l with
  | ByDistance w d => (m =? n)%nat && all n (fun f => 0 <=? w f)%Z && all n (fun i => d i <=? d (S i))%Z
  | Listed c h => all (m - 1) (fun j => let k := h j in
      all n (fun f => if (f <? k)%nat then (c j f <=? c (S j) f)%Z else (c (S j) f <=? c j f)%Z))
  end.
Definition even_weights (n : nat) (l : losses) : bool :=
  match l with ByDistance w _ => let first := w O in all n (fun f => w f =? first)%Z | Listed _ _ => false end.

(* A sum of many numbers, without nested calls *)
Fixpoint total_onto (n : nat) (x : nat -> Z) (s : Z) : Z :=
  match n with O => s | S k => total_onto k x (s + x k)%Z end.
Lemma total_onto_Sum : forall n x s, IZR (total_onto n x s) = IZR s + Sum n (fun i => IZR (x i)).
Proof. induction n; intros x s; simpl. lra. rewrite IHn, plus_IZR. lra. Qed.

(* The loss of responses at the home of each truth, or what takes its place *)
Definition loss_constant (m n : nat) (l : losses) : Z :=
  match l with
  | ByDistance w d => (d O * total_onto n w 0)%Z
  | Listed c h => total_onto (m - 1) (fun j => let k := h j in
      total_onto n (fun f => if (f <? k)%nat then 0%Z else change c j f) 0%Z) (total_onto n (c O) 0%Z)
  end.

Lemma change_before : forall w d j i, (i <= j)%nat -> change (cost_of (ByDistance w d)) j (S j - S i) =
  (w (j - i)%nat * (d (S i) - d i))%Z.
Proof.
  intros. unfold change, cost_of, apart. replace (S j - S i)%nat with (j - i)%nat by lia.
  destruct (Nat.leb_spec (S j) (j - i)); [lia|]. replace (S j - (j - i))%nat with (S i) by lia.
  destruct (Nat.leb_spec j (j - i)); [replace (j - i - j)%nat with i by lia|replace (j - (j - i))%nat with i by lia]; ring.
Qed.
Lemma change_behind : forall w d j i, change (cost_of (ByDistance w d)) j (S j + i) = (- (w (S j + i)%nat * (d (S i) - d i)))%Z.
Proof.
  intros. unfold change, cost_of, apart. destruct (Nat.leb_spec (S j) (S j + i)); [|lia].
  destruct (Nat.leb_spec j (S j + i)); [|lia].
  replace (S j + i - S j)%nat with i by lia. replace (S j + i - j)%nat with (S i) by lia. ring.
Qed.

Lemma signs_sound : forall m n l j f, signs m n l = true -> (j < m - 1)%nat -> (f < n)%nat ->
  ((f < home_of l j)%nat -> (0 <= change (cost_of l) j f)%Z) /\ ((home_of l j <= f)%nat -> (change (cost_of l) j f <= 0)%Z).
Proof.
  intros m n l j f H Hj Hf. destruct l as [w d|c h]; simpl in H.
  - facts. subst m. match goal with A : all n (fun f => (0 <=? w f)%Z) = true |- _ => assert (Hw := all_spec _ _ A f Hf) end.
    match goal with A : all n (fun i => (d i <=? d (S i))%Z) = true |- _ => assert (Hd := all_spec _ _ A) end.
    cbn beta in *. facts.
    assert (Hd' : forall i, (i < n)%nat -> (0 <= d (S i) - d i)%Z). { intros i Hi. specialize (Hd i Hi). facts. lia. }
    simpl home_of. split; intros H'.
    + replace f with (S j - S (j - f))%nat at 1 by lia. rewrite change_before by lia. replace (j - (j - f))%nat with f by lia.
      apply Z.mul_nonneg_nonneg; auto. apply Hd'. lia.
    + replace f with (S j + (f - S j))%nat by lia. rewrite change_behind. replace (S j + (f - S j))%nat with f by lia.
      specialize (Hd' (f - S j)%nat ltac:(lia)). nia.
  - apply all_spec with (i := j) in H; auto. cbv beta zeta in H. apply all_spec with (i := f) in H; auto. cbv beta in H.
    unfold change. simpl. destruct (Nat.ltb_spec f (h j)); facts; split; lia.
Qed.

Lemma loss_constant_sound : forall m n l, signs m n l = true -> IZR (loss_constant m n l) =
  Sum n (fun f => IZR (cost_of l O f)) +
  Sum (m - 1) (fun j => Sum n (fun f => if (f <? home_of l j)%nat then 0 else IZR (change (cost_of l) j f))).
Proof.
  intros m n l H. destruct l as [w d|c h]; simpl in H |- *.
  - facts. subst m. rewrite mult_IZR, total_onto_Sum, Rplus_0_l, <- Sum_scale, (Sum_swap (n - 1) n), <- Sum_add.
    apply Sum_ext. intros f Hf. assert (T := telescope (n - 1) f (fun r => IZR (w f * d (apart r f))) ltac:(lia)). cbv beta in T.
    replace (apart f f) with O in T by (unfold apart; rewrite Nat.leb_refl; lia). rewrite mult_IZR in T at 1.
    rewrite Rmult_comm, T. f_equal. apply Sum_ext. intros j _. unfold change. rewrite minus_IZR.
    destruct (Nat.ltb_spec j f); destruct (Nat.ltb_spec f (S j)); try lia; reflexivity.
  - rewrite !total_onto_Sum, Rplus_0_l. f_equal. apply Sum_ext. intros j _. rewrite total_onto_Sum, Rplus_0_l. apply Sum_ext.
    intros f _. destruct (f <? h j)%nat; reflexivity.
Qed.

Lemma adds_nonneg : forall m n l j a, signs m n l = true -> (j < m - 1)%nat -> (forall f, (f < n)%nat -> 0 <= a f <= 1) ->
  0 <= adds n (cost_of l) (home_of l j) j a.
Proof.
  intros m n l j a H Hj Ha. unfold adds. apply Sum_nonneg. intros f Hf. destruct (signs_sound m n l j f H Hj Hf) as [Hb Hf'].
  specialize (Ha f Hf). destruct (Nat.ltb_spec f (home_of l j)) as [L|L].
  - apply Rmult_le_pos; [apply IZR_le; auto|lra].
  - specialize (Hf' L). apply IZR_le in Hf'. apply Rmult_le_pos; lra.
Qed.
(* Steps of equal weights look the same, seen from their homes. *)
Lemma even_before : forall m n w d j s i, even_weights n (ByDistance w d) = true -> (j + s < m)%nat -> (m <= n)%nat ->
  (i <= j)%nat ->
  change (cost_of (ByDistance w d)) (j + s) (S (j + s) - S i) = change (cost_of (ByDistance w d)) j (S j - S i).
Proof.
  intros m n w d j s i H Hj Hm Hi. rewrite !change_before by lia. assert (A := all_spec _ _ H (j - i)%nat ltac:(lia)).
  assert (B := all_spec _ _ H (j + s - i)%nat ltac:(lia)). cbn beta in *. facts. congruence.
Qed.
Lemma even_behind : forall n w d j s i, even_weights n (ByDistance w d) = true -> (S (j + s) + i < n)%nat ->
  change (cost_of (ByDistance w d)) (j + s) (S (j + s) + i) = change (cost_of (ByDistance w d)) j (S j + i).
Proof.
  intros n w d j s i H Hi. rewrite !change_behind. assert (A := all_spec _ _ H (S j + i)%nat ltac:(lia)).
  assert (B := all_spec _ _ H (S (j + s) + i)%nat ltac:(lia)). cbn beta in *. facts. congruence.
Qed.
