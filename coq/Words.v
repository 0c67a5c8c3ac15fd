(* From words to rules: for each notion what it means, and that the rules which the reader takes from here say just that. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Lines.
Import ListNotations.
Open Scope R_scope.

(* ---- Orders: some entries are at most others. *)
Definition place := (nat * nat)%type.
Definition at_most (a b : place) : rule :=
  {| terms := [(fst a, snd a, 1%Z); (fst b, snd b, (-1)%Z)]; equation := false; right := 0%Z |}.
Lemma at_most_spec : forall M a b, keeps M (at_most a b) <-> M (fst a) (snd a) <= M (fst b) (snd b).
Proof. intros M [r f] [s g]. unfold keeps, at_most. simpl. lra. Qed.

(* The rules of all m rows and n columns, row by row, of which `pick` says the smaller and the larger entry. *)
Definition ordered (m n : nat) (pick : nat -> nat -> option (place * place)) : list rule :=
  flat_map (fun r => flat_map (fun f => match pick r f with Some (a, b) => [at_most a b] | None => [] end) (seq 0 n)) (seq 0 m).
Lemma ordered_spec : forall m n pick M, Forall (keeps M) (ordered m n pick) <->
  forall r f, (r < m)%nat -> (f < n)%nat -> forall a b, pick r f = Some (a, b) -> M (fst a) (snd a) <= M (fst b) (snd b).
Proof.
  intros m n pick M. rewrite Forall_forall. unfold ordered. split.
  - intros H r f Hr Hf a b E. apply at_most_spec, H. apply in_flat_map. exists r. split. { apply in_seq. lia. }
    apply in_flat_map. exists f. split. { apply in_seq. lia. } rewrite E. left. reflexivity.
  - intros H t Ht. apply in_flat_map in Ht as (r & Hr & Ht). apply in_flat_map in Ht as (f & Hf & Ht). apply in_seq in Hr, Hf.
    destruct (pick r f) as [[a b]|] eqn:E; [|destruct Ht]. destruct Ht as [<-|[]]. apply at_most_spec. eapply H; eauto; lia.
Qed.

Section Properties.
Variables (m n : nat) (home : nat -> nat) (M : mechanism).

(* Column-monotone: no decrease up to the home of the truth, no increase from it on. *)
Definition rising (r f : nat) : option (place * place) := if (S r <? m) && (r <? home f) then Some ((r, f), (S r, f)) else None.
Definition falling (r f : nat) : option (place * place) := if (S r <? m) && (home f <=? r) then Some ((S r, f), (r, f)) else None.
Theorem column_monotone_spec :
  Forall (keeps M) (ordered m n rising ++ ordered m n falling) <->
  (forall r f, (S r < m)%nat -> (f < n)%nat -> ((r < home f)%nat -> M r f <= M (S r) f) /\
    ((home f <= r)%nat -> M (S r) f <= M r f)).
Proof.
  rewrite Forall_app, !ordered_spec. unfold rising, falling. split.
  - intros [A B] r f Hr Hf. split; intros Hh.
    + apply (A r f ltac:(lia) Hf (r, f) (S r, f)). rewrite (proj2 (Nat.ltb_lt _ _) Hr), (proj2 (Nat.ltb_lt _ _) Hh). reflexivity.
    + apply (B r f ltac:(lia) Hf (S r, f) (r, f)). rewrite (proj2 (Nat.ltb_lt _ _) Hr), (proj2 (Nat.leb_le _ _) Hh). reflexivity.
  - intros H. split; intros r f Hr Hf a b E; destruct (_ && _) eqn:C; try discriminate; injection E as <- <-; facts; simpl;
      apply H; auto.
Qed.

(* Column-honest: no response is likelier than the one at home. *)
Definition honest_in_column (r f : nat) : option (place * place) := if r =? home f then None else Some ((r, f), (home f, f)).
Theorem column_honest_spec : Forall (keeps M) (ordered m n honest_in_column) <->
  (forall r f, (r < m)%nat -> (f < n)%nat -> M r f <= M (home f) f).
Proof.
  rewrite ordered_spec. unfold honest_in_column. split.
  - intros H r f Hr Hf. destruct (r =? home f) eqn:E. { facts. subst. lra. }
    apply (H r f Hr Hf (r, f) (home f, f)). rewrite E. reflexivity.
  - intros H r f Hr Hf a b E. destruct (r =? home f); [discriminate|]. injection E as <- <-. simpl. auto.
Qed.

(* Row-monotone: along row r no decrease up to where it rises, no increase from where it falls on. *)
Variables last first : nat -> nat.
Definition rising_row (r f : nat) : option (place * place) := if (S f <? n) && (f <? last r) then Some ((r, f), (r, S f))
  else None.
Definition falling_row (r f : nat) : option (place * place) := if (S f <? n) && (first r <=? f) then Some ((r, S f), (r, f))
  else None.
Theorem row_monotone_spec :
  Forall (keeps M) (ordered m n rising_row ++ ordered m n falling_row) <->
  (forall r f, (r < m)%nat -> (S f < n)%nat -> ((f < last r)%nat -> M r f <= M r (S f)) /\
    ((first r <= f)%nat -> M r (S f) <= M r f)).
Proof.
  rewrite Forall_app, !ordered_spec. unfold rising_row, falling_row. split.
  - intros [A B] r f Hr Hf. split; intros Hh.
    + apply (A r f Hr ltac:(lia) (r, f) (r, S f)). rewrite (proj2 (Nat.ltb_lt _ _) Hf), (proj2 (Nat.ltb_lt _ _) Hh). reflexivity.
    + apply (B r f Hr ltac:(lia) (r, S f) (r, f)). rewrite (proj2 (Nat.ltb_lt _ _) Hf), (proj2 (Nat.leb_le _ _) Hh). reflexivity.
  - intros H. split; intros r f Hr Hf a b E; destruct (_ && _) eqn:C; try discriminate; injection E as <- <-; facts; simpl;
      apply H; auto.
Qed.

(* Row-honest: along the row of the home of g no truth with another home has a larger entry than g. *)
Definition honest_in_row (f g : nat) : option (place * place) := if home f =? home g then None
  else Some ((home g, f), (home g, g)).
Theorem row_honest_spec : Forall (keeps M) (ordered n n honest_in_row) <->
  (forall f g, (f < n)%nat -> (g < n)%nat -> home f <> home g -> M (home g) f <= M (home g) g).
Proof.
  rewrite ordered_spec. unfold honest_in_row. split.
  - intros H f g Hf Hg Hne. apply (H f g Hf Hg (home g, f) (home g, g)). apply Nat.eqb_neq in Hne. rewrite Hne. reflexivity.
  - intros H f g Hf Hg a b E. destruct (home f =? home g) eqn:C; [discriminate|]. injection E as <- <-. apply Nat.eqb_neq in C.
    simpl. auto.
Qed.

(* ---- Sums over a column, and over the matrix *)
Definition column_rule (c : nat -> nat -> Z) (eq : bool) (b : Z) (f : nat) : rule :=
  {| terms := map (fun r => (r, f, c r f)) (seq 0 m); equation := eq; right := b |}.
Lemma column_value : forall (c : nat -> Z) f, value M (map (fun r => (r, f, c r)) (seq 0 m)) = Sum m (fun r => IZR (c r) * M r f).
Proof. intros. rewrite map_as_flat, value_seq. apply Sum_ext. intros. simpl. ring. Qed.

(* Unbiased: the mean of column f, responses x and truths t being integers over a unit, is truth f. *)
Theorem unbiased_spec : forall (x t : nat -> Z) f, Sum m (fun r => M r f) = 1 ->
  (keeps M (column_rule (fun r f => (x r - t f)%Z) true 0 f) <-> Sum m (fun r => IZR (x r) * M r f) = IZR (t f)).
Proof.
  intros x t f H1. unfold keeps, column_rule. cbn [terms equation right]. rewrite (column_value (fun r => (x r - t f)%Z)).
  rewrite (Sum_ext m _ (fun r => IZR (x r) * M r f - IZR (t f) * M r f)) by (intros; rewrite minus_IZR; ring).
  rewrite Sum_sub, Sum_scale, H1. lra.
Qed.

(* A loss with a bound a/b, of one truth or in all, costs being integers over a unit. *)
Definition bounded_at (c : nat -> nat -> Z) (unit a b : Z) (f : nat) : rule := column_rule (fun r f => (b * c r f)%Z) false
  (a * unit)%Z f.
Definition bounded (c : nat -> nat -> Z) (unit a b : Z) : rule :=
  {| terms := flat_map (fun f => map (fun r => (r, f, (b * c r f)%Z)) (seq 0 m)) (seq 0 n); equation := false; right :=
    (a * unit)%Z |}.
Lemma column_loss : forall c unit b f, (0 < unit)%Z ->
  Sum m (fun r => IZR (b * c r f) * M r f) = IZR b * IZR unit * Sum m (fun r => IZR (c r f) / IZR unit * M r f).
Proof.
  intros. apply IZR_lt in H. rewrite <- Sum_scale. apply Sum_ext. intros. rewrite mult_IZR. field. lra.
Qed.
Lemma scaled_le : forall unit a b y, (0 < unit)%Z -> (0 < b)%Z -> (IZR b * IZR unit * y <= IZR (a * unit) <-> y <= IZR a / IZR b).
Proof.
  intros unit a b y Hu Hb. apply IZR_lt in Hu, Hb. rewrite mult_IZR. split; intros H.
  - apply le_div_r; auto. apply Rmult_le_reg_r with (IZR unit); auto. lra.
  - apply Rmult_le_compat_l with (r := IZR b * IZR unit) in H; [|left; apply Rmult_lt_0_compat; auto].
    replace (IZR b * IZR unit * (IZR a / IZR b)) with (IZR a * IZR unit) in H by (field; lra). auto.
Qed.
Theorem bounded_at_spec : forall c unit a b f, (0 < unit)%Z -> (0 < b)%Z ->
  (keeps M (bounded_at c unit a b f) <-> Sum m (fun r => IZR (c r f) / IZR unit * M r f) <= IZR a / IZR b).
Proof.
  intros. unfold keeps, bounded_at, column_rule. cbn [terms equation right].
  rewrite (column_value (fun r => (b * c r f)%Z)), (column_loss c unit) by auto. apply scaled_le; auto.
Qed.
Theorem bounded_spec : forall c unit a b, (0 < unit)%Z -> (0 < b)%Z ->
  (keeps M (bounded c unit a b) <-> Sum n (fun f => Sum m (fun r => IZR (c r f) / IZR unit * M r f)) <= IZR a / IZR b).
Proof.
  intros. unfold keeps, bounded. cbn [terms equation right]. rewrite value_seq.
  rewrite (Sum_ext n _ (fun f => IZR b * IZR unit * Sum m (fun r => IZR (c r f) / IZR unit * M r f))).
  2:{ intros. rewrite (column_value (fun r => (b * c r i)%Z)). apply (column_loss c unit); auto. }
  rewrite Sum_scale. apply scaled_le; auto.
Qed.
End Properties.

(* ---- Neighbours: all truths at most k positions apart, both ways, in order. *)
Definition within_reach (n k : nat) : list (nat * nat * nat) :=
  flat_map (fun f => flat_map (fun g => if (f =? g) || (f + k <? g) || (g + k <? f) || (n <=? g) then [] else [(f, g, 1%nat)])
    (seq (f - k) (S (2 * k)))) (seq 0 n).
Theorem within_reach_spec : forall n k f g w, In (f, g, w) (within_reach n k) <->
  ((f < n)%nat /\ (g < n)%nat /\ f <> g /\ (f <= g + k)%nat /\ (g <= f + k)%nat /\ w = 1%nat).
Proof.
  intros. unfold within_reach. rewrite in_flat_map. split.
  - intros (a & Ha & H). apply in_flat_map in H as (b & Hb & H). apply in_seq in Ha, Hb. destruct (_ || _) eqn:C; [destruct H|].
    destruct H as [H|[]]. injection H as -> -> <-. apply orb_false_iff in C as [C Cd]. apply orb_false_iff in C as [C Cc].
    apply orb_false_iff in C as [Ca Cb]. apply Nat.eqb_neq in Ca. apply Nat.ltb_ge in Cb, Cc. apply Nat.leb_gt in Cd. lia.
  - intros (Hf & Hg & Hne & Ha & Hb & ->). exists f. split. { apply in_seq. lia. } apply in_flat_map. exists g. split.
    { apply in_seq. lia. }
    apply Nat.eqb_neq in Hne. apply Nat.ltb_ge in Ha, Hb. apply Nat.leb_gt in Hg. rewrite Hne, Ha, Hb, Hg. left. reflexivity.
Qed.

(* ==== Losses in words. Responses x, truths t and their distances are integers over a unit u; costs are integers over a unit of
   their own. Each theorem says that an integer over its unit is the loss that the word means. *)
Inductive loss_word :=
  | Absolute | Squared | ZeroOne
  | Beyond (a b : Z)                                         (* a/b *)
  | OfMatrix (c : nat -> nat -> Z) (unit : Z)                (* of a response and a truth *)
  | OfNoise (value : nat -> nat -> nat) (c : nat -> Z) (unit : Z). (* of the noise between a response and a truth *)
Inductive weights_word := Once | Evenly (n : Z) | Weighed (w : nat -> Z) (unit : Z).

Section Losses.
Variables (u : Z) (x t : nat -> Z) (home : nat -> nat).
Hypothesis unit_positive : (0 < u)%Z.

(* ---- The meaning *)
Definition distance (r f : nat) : R := Rabs (IZR (x r) / IZR u - IZR (t f) / IZR u).
Definition loss (word : loss_word) (r f : nat) : R :=
  match word with
  | Absolute => distance r f
  | Squared => distance r f * distance r f
  | ZeroOne => if r =? home f then 0 else 1
  | Beyond a b => if Rlt_dec (IZR a / IZR b) (distance r f) then 1 else 0
  | OfMatrix c unit => IZR (c r f) / IZR unit
  | OfNoise value c unit => IZR (c (value r f)) / IZR unit
  end.
Definition weight (word : weights_word) (f : nat) : R :=
  match word with Once => 1 | Evenly n => 1 / IZR n | Weighed w unit => IZR (w f) / IZR unit end.
Definition meant (word : loss_word) : Prop :=
  match word with Beyond _ b => (0 < b)%Z | OfMatrix _ unit | OfNoise _ _ unit => (0 < unit)%Z | _ => True end.
Definition weighed (word : weights_word) : Prop :=
  match word with Once => True | Evenly n => (0 < n)%Z | Weighed _ unit => (0 < unit)%Z end.
Definition is_meant (word : loss_word) : bool :=
  match word with Beyond _ b => 0 <? b | OfMatrix _ unit | OfNoise _ _ unit => 0 <? unit | _ => true end%Z.
Definition is_weighed (word : weights_word) : bool :=
  match word with Once => true | Evenly n => 0 <? n | Weighed _ unit => 0 <? unit end%Z.
Lemma is_meant_spec : forall word, is_meant word = true -> meant word.
Proof. intros [] H; simpl in *; facts; auto. Qed.
Lemma is_weighed_spec : forall word, is_weighed word = true -> weighed word.
Proof. intros [] H; simpl in *; facts; auto. Qed.

(* ---- In integers *)
Definition apart_in_units (r f : nat) : Z := Z.abs (x r - t f).
Definition farther (a b : Z) (r f : nat) : bool := (a * u <? b * apart_in_units r f)%Z.
Definition unweighted (word : loss_word) : nat -> nat -> Z :=
  match word with
  | Absolute => apart_in_units
  | Squared => fun r f => let d := apart_in_units r f in (d * d)%Z
  | ZeroOne => fun r f => if r =? home f then 0%Z else 1%Z
  | Beyond a b => fun r f => if farther a b r f then 1%Z else 0%Z
  | OfMatrix c _ => c
  | OfNoise value c _ => fun r f => c (value r f)
  end.
Definition loss_unit (word : loss_word) : Z :=
  match word with
  | Absolute => u | Squared => (u * u)%Z | ZeroOne | Beyond _ _ => 1%Z | OfMatrix _ unit | OfNoise _ _ unit => unit
  end.
Definition weight_unit (word : weights_word) : Z := match word with Once => 1%Z | Evenly n => n | Weighed _ unit => unit end.
Definition cost_in_words (word : loss_word) (w : weights_word) (r f : nat) : Z :=
  match w with Weighed w _ => (w f * unweighted word r f)%Z | _ => unweighted word r f end.
Definition unit_in_words (word : loss_word) (w : weights_word) : Z := (loss_unit word * weight_unit w)%Z.

(* ---- They agree. *)
Lemma apart_in_units_spec : forall r f, distance r f = IZR (apart_in_units r f) / IZR u.
Proof.
  intros. apply IZR_lt in unit_positive. unfold distance, apart_in_units. rewrite abs_IZR, minus_IZR.
  replace (IZR (x r) / IZR u - IZR (t f) / IZR u) with ((IZR (x r) - IZR (t f)) * / IZR u) by (field; lra).
  rewrite Rabs_mult, (Rabs_right (/ IZR u)); [reflexivity | left; apply Rinv_0_lt_compat; auto].
Qed.
Lemma farther_spec : forall a b r f, (0 < b)%Z -> farther a b r f = true <-> IZR a / IZR b < distance r f.
Proof.
  intros. rewrite apart_in_units_spec. unfold farther. rewrite Z.ltb_lt. apply IZR_lt in H, unit_positive. split; intros L.
  - apply IZR_lt in L. rewrite !mult_IZR in L. apply Rnot_le_lt. intros C.
    apply Rmult_le_compat_r with (r := IZR b * IZR u) in C; [|left; apply Rmult_lt_0_compat; auto].
    replace (IZR a / IZR b * (IZR b * IZR u)) with (IZR a * IZR u) in C by (field; lra).
    replace (IZR (apart_in_units r f) / IZR u * (IZR b * IZR u)) with (IZR b * IZR (apart_in_units r f)) in C by (field; lra).
    lra.
  - apply lt_IZR. rewrite !mult_IZR. apply Rnot_le_lt. intros C. apply (Rlt_not_le _ _ L). apply div_le_div; auto. lra.
Qed.
Theorem loss_in_words_spec : forall word r f, meant word -> IZR (unweighted word r f) / IZR (loss_unit word) = loss word r f.
Proof.
  intros [| | |a b|c unit|value c unit] r f H; simpl; auto.
  - symmetry. apply apart_in_units_spec.
  - rewrite apart_in_units_spec, !mult_IZR. apply IZR_lt in unit_positive. field. lra.
  - destruct (r =? home f); lra.
  - assert (S := farther_spec a b r f H). destruct (farther a b r f), (Rlt_dec _ _) as [L|L]; try lra; exfalso;
    intuition discriminate.
Qed.
Lemma loss_unit_positive : forall word, meant word -> (0 < loss_unit word)%Z.
Proof. intros [| | |a b|c unit|value c unit] H; simpl in *; auto; lia. Qed.

(* The expected cost at a truth is its weight times the expected loss there. *)
Theorem cost_in_words_spec : forall word w m M f, meant word -> weighed w ->
  Sum m (fun r => IZR (cost_in_words word w r f) / IZR (unit_in_words word w) * M r f) =
  weight w f * Sum m (fun r => loss word r f * M r f).
Proof.
  intros word w m M f H Hw. rewrite <- Sum_scale. apply Sum_ext. intros r _. rewrite <- loss_in_words_spec by auto.
  assert (Hu := IZR_lt _ _ (loss_unit_positive word H)). unfold unit_in_words. rewrite mult_IZR.
  destruct w; simpl in *; try (apply IZR_lt in Hw); rewrite ?mult_IZR; field; lra.
Qed.
End Losses.

(* ==== The definitions of privacy in Spec.v compared: sets of responses, single responses, and mass. *)
Section Notions.
Variables (m : nat) (M : mechanism) (e : R) (f g : nat).

Lemma prob_difference : forall A, prob m M A f - e * prob m M A g = Sum m (fun r => if A r then M r f - e * M r g else 0).
Proof. intros. unfold prob. rewrite <- Sum_scale, <- Sum_sub. apply Sum_ext. intros. destruct (A i); ring. Qed.
Lemma prob_single : forall r k, (r < m)%nat -> prob m M (Nat.eqb r) k = M r k.
Proof.
  intros r k Hr. unfold prob. assert (Z : forall i, (i <= r)%nat -> Sum i (fun s => if r =? s then M s k else 0) = 0).
  { induction i as [|i IH]; intros Hi; simpl; auto. rewrite IH by lia. destruct (Nat.eqb_spec r i); [lia|ring]. }
  assert (O : forall i, (r < i)%nat -> Sum i (fun s => if r =? s then M s k else 0) = M r k).
  { induction i as [|i IH]; intros Hi; [lia|]. simpl. destruct (Nat.eqb_spec r i) as [->|].
    - rewrite Z by lia. ring.
    - rewrite IH by lia. ring. }
  auto.
Qed.

(* (epsilon, delta)-privacy of all sets: what responses are too likely by comes to at most delta, all together. *)
Theorem sets_spec : forall d, close OfSets m M e d f g <-> Sum m (fun r => Rmax 0 (M r f - e * M r g)) <= d.
Proof.
  intros d. simpl. split; intros H.
  - specialize (H (fun r => if Rle_dec 0 (M r f - e * M r g) then true else false)).
    assert (D := prob_difference (fun r => if Rle_dec 0 (M r f - e * M r g) then true else false)).
    rewrite (Sum_ext m _ (fun r => if (if Rle_dec 0 (M r f - e * M r g) then true else false) then M r f - e * M r g else 0));
      [lra|].
    intros r _. unfold Rmax. destruct (Rle_dec 0 (M r f - e * M r g)); reflexivity.
  - intros A. assert (D := prob_difference A).
    assert (L := Sum_mono m (fun r => if A r then M r f - e * M r g else 0) (fun r => Rmax 0 (M r f - e * M r g))).
    cut (Sum m (fun r => if A r then M r f - e * M r g else 0) <= Sum m (fun r => Rmax 0 (M r f - e * M r g))); [lra|].
    apply L. intros r _. destruct (A r); [apply Rmax_r|apply Rmax_l].
Qed.
(* Pure privacy, of all sets and of single responses *)
Theorem pure_spec : close OfSets m M e 0 f g <-> forall r, (r < m)%nat -> M r f <= e * M r g.
Proof.
  rewrite sets_spec. split; intros H.
  - intros r Hr. assert (L := Sum_member m (fun r => Rmax 0 (M r f - e * M r g)) r ltac:(intros; apply Rmax_l) Hr).
    assert (B := Rmax_r 0 (M r f - e * M r g)). simpl in L. lra.
  - rewrite (Sum_ext m _ (fun r => 0 * 0)). { rewrite Sum_scale. lra. } intros r Hr. specialize (H r Hr). rewrite Rmax_left; lra.
Qed.
Theorem outcomes_pure : close OfOutcomes m M e 0 f g <-> close OfSets m M e 0 f g.
Proof. rewrite pure_spec. simpl. split; intros H r Hr; specialize (H r Hr); lra. Qed.

(* Privacy of sets entails that of single responses; m times as much delta is enough the other way round. *)
Theorem sets_entail_outcomes : forall d, close OfSets m M e d f g -> close OfOutcomes m M e d f g.
Proof. intros d H r Hr. specialize (H (Nat.eqb r)). rewrite !prob_single in H by auto. auto. Qed.
Theorem outcomes_entail_sets : forall d, 0 <= d -> close OfOutcomes m M e d f g -> close OfSets m M e (INR m * d) f g.
Proof.
  intros d Hd H. apply sets_spec. assert (C : forall k, Sum k (fun _ => d) = INR k * d).
  { induction k as [|k IH]; [simpl; ring|]. rewrite S_INR. simpl. rewrite IH. ring. }
  rewrite <- C. apply Sum_mono. intros r Hr. specialize (H r Hr). apply Rmax_lub; lra.
Qed.

(* Probabilistic privacy entails privacy of sets, and with delta 0 it is pure privacy. *)
Hypothesis not_negative : forall r, (r < m)%nat -> 0 <= M r f /\ 0 <= e * M r g.
Theorem mass_entails_sets : forall d, close OfMass m M e d f g -> close OfSets m M e d f g.
Proof.
  intros d H. apply sets_spec. eapply Rle_trans; [|exact H]. apply Sum_mono. intros r Hr. destruct (not_negative r Hr).
  destruct (Rlt_dec (e * M r g) (M r f)); apply Rmax_lub; lra.
Qed.
Theorem mass_pure : close OfMass m M e 0 f g <-> close OfSets m M e 0 f g.
Proof.
  split; [apply mass_entails_sets|]. intros H. simpl. unfold violated. rewrite (Sum_ext m _ (fun r => 0 * 0)).
  { rewrite Sum_scale. lra. }
  intros r Hr. assert (L := proj1 pure_spec H r Hr). destruct (Rlt_dec (e * M r g) (M r f)); lra.
Qed.
End Notions.

(* ==== Kinds of queries in words: the truths of each, and who is whose neighbour. *)
(* ---- Answers on a range: a count, a mean or a total of records, an extremum. Records are integers from a to b. *)
Inductive adjacency := Change | AddRemove.
Inductive range_word :=
  | Count (a b : Z) (people : Z)                        (* records a person may have *)
  | Mean (records a b people : Z)
  | Total (records a b people : Z) (by_person : adjacency)
  | Extremum (a b : Z).

(* Truths are from `least` to `most` by a step; neighbours are two truths that lie at most `far` apart. *)
Definition on_range (n : nat) (truth : nat -> R) (near : nat -> nat -> Prop) (least most step far : R) : Prop :=
  (forall f, (f < n)%nat -> truth f = least + INR f * step) /\ least + (INR n - 1) * step = most /\
  forall f g, (f < n)%nat -> (g < n)%nat -> near f g <-> f <> g /\ Rabs (truth f - truth g) <= far.
Definition range_meant (n : nat) (truth : nat -> R) (near : nat -> nat -> Prop) (word : range_word) : Prop :=
  match word with
  | Count a b k => on_range n truth near (IZR a) (IZR b) 1 (IZR k)
  | Mean r a b k => on_range n truth near (IZR a) (IZR b) (1 / IZR r) (IZR k * (IZR b - IZR a) / IZR r)
  | Total r a b k Change => on_range n truth near (IZR r * IZR a) (IZR r * IZR b) 1 (IZR k * (IZR b - IZR a))
  | Total r a b k AddRemove =>
    on_range n truth near (Rmin 0 (IZR r * IZR a)) (Rmax 0 (IZR r * IZR b)) 1 (IZR k * Rmax (Rabs (IZR a)) (Rabs (IZR b)))
  | Extremum a b => on_range n truth near (IZR a) (IZR b) 1 (IZR b - IZR a)
  end.

(* First and last truth and their distance in integers, over a divisor. *)
Definition range_numbers (word : range_word) : Z * Z * Z * Z :=
  match word with
  | Count a b k => (a, b, k, 1)
  | Mean r a b k => (r * a, r * b, k * (b - a), r)
  | Total r a b k Change => (r * a, r * b, k * (b - a), 1)
  | Total r a b k AddRemove => (Z.min 0 (r * a), Z.max 0 (r * b), k * Z.max (Z.abs a) (Z.abs b), 1)
  | Extremum a b => (a, b, b - a, 1)
  end%Z.
Definition allowed (word : range_word) : bool :=
  match word with
  | Count a b k => (0 <=? a) && (a <? b) && (1 <=? k)
  | Mean r a b k | Total r a b k _ => (1 <=? r) && (a <? b) && (1 <=? k) && (k <=? r)
  | Extremum a b => a <? b
  end%Z.
(* Truths are integers over a unit, and neighbours all within a reach. *)
Definition is_range (word : range_word) (n : nat) (unit : Z) (truth : nat -> Z) (reach : nat) : bool :=
  let '(first, last, far, divisor) := range_numbers word in
  allowed word && (0 <? n) && (0 <? divisor)%Z && (Z.of_nat n - 1 =? last - first)%Z &&
  all n (fun f => divisor * truth f =? unit * (first + Z.of_nat f))%Z &&
  (Z.of_nat reach =? Z.min far (Z.of_nat n - 1))%Z.

Lemma max_IZR : forall a b, IZR (Z.max a b) = Rmax (IZR a) (IZR b).
Proof. intros. unfold Rmax. destruct (Rle_dec _ _) as [H|H]; f_equal; [apply le_IZR in H|apply Rnot_le_lt, lt_IZR in H]; lia. Qed.
Lemma min_IZR : forall a b, IZR (Z.min a b) = Rmin (IZR a) (IZR b).
Proof. intros. unfold Rmin. destruct (Rle_dec _ _) as [H|H]; f_equal; [apply le_IZR in H|apply Rnot_le_lt, lt_IZR in H]; lia. Qed.
Lemma range_spec : forall n unit truth reach first last far divisor near,
  (0 < unit)%Z -> (0 < divisor)%Z -> (0 < n)%nat -> (Z.of_nat n - 1 = last - first)%Z ->
  (forall f, (f < n)%nat -> divisor * truth f = unit * (first + Z.of_nat f))%Z ->
  (Z.of_nat reach = Z.min far (Z.of_nat n - 1))%Z ->
  (forall f g, near f g <-> exists w, In (f, g, w) (within_reach n reach)) ->
  on_range n (fun f => IZR (truth f) / IZR unit) near
    (IZR first / IZR divisor) (IZR last / IZR divisor) (1 / IZR divisor) (IZR far / IZR divisor).
Proof.
  intros n unit truth reach first last far divisor near Hu Hd Hn Hl Ht Hr Hnear. apply IZR_lt in Hu, Hd.
  assert (T : forall f, (f < n)%nat -> IZR (truth f) / IZR unit = IZR first / IZR divisor + INR f * (1 / IZR divisor)).
  { intros f Hf. specialize (Ht f Hf). apply (f_equal IZR) in Ht. rewrite !mult_IZR, plus_IZR, <- INR_IZR_INZ in Ht.
    apply Rmult_eq_reg_r with (IZR divisor * IZR unit); [|apply Rmult_integral_contrapositive; split; lra].
    replace (IZR (truth f) / IZR unit * (IZR divisor * IZR unit)) with (IZR divisor * IZR (truth f)) by (field; lra).
    rewrite Ht. field. lra. }
  split; [auto|split].
  - apply (f_equal IZR) in Hl. rewrite !minus_IZR, <- INR_IZR_INZ in Hl. rewrite Hl. field. lra.
  - intros f g Hf Hg. rewrite Hnear, !T by auto.
    replace (IZR first / IZR divisor + INR f * (1 / IZR divisor) - (IZR first / IZR divisor + INR g * (1 / IZR divisor)))
      with (IZR (Z.of_nat f - Z.of_nat g) * / IZR divisor) by (rewrite minus_IZR, <- !INR_IZR_INZ; field; lra).
    assert (Hi := Rinv_0_lt_compat _ Hd). rewrite Rabs_mult, (Rabs_right (/ IZR divisor)) by lra. rewrite <- abs_IZR.
    unfold Rdiv at 1. split.
    + intros [w H]. apply within_reach_spec in H. split; [lia|]. apply Rmult_le_compat_r; [lra|]. apply IZR_le. lia.
    + intros [Hne H]. apply Rmult_le_reg_r in H; auto. apply le_IZR in H. exists 1%nat. apply within_reach_spec. lia.
Qed.
Theorem is_range_spec : forall word n unit truth reach, (0 < unit)%Z -> is_range word n unit truth reach = true ->
  range_meant n (fun f => IZR (truth f) / IZR unit) (fun f g => exists w, In (f, g, w) (within_reach n reach)) word.
Proof.
  intros word n unit truth reach Hu H. unfold is_range in H.
  destruct (range_numbers word) as [[[first last] far] divisor] eqn:E. facts.
  match goal with H : all _ _ = true |- _ => rename H into A end.
  assert (R := range_spec n unit truth reach first last far divisor _ Hu ltac:(auto) ltac:(auto) ltac:(auto)
    (fun f Hf => proj1 (Z.eqb_eq _ _) (all_spec n _ A f Hf)) ltac:(auto) (fun f g => iff_refl _)).
  assert (Hd : 0 < IZR divisor) by (apply IZR_lt; auto).
  destruct word as [a b k|r a b k|r a b k [|]|a b]; injection E as <- <- <- <-; simpl; rewrite ?mult_IZR, ?minus_IZR in R;
    unfold Rdiv in R |- *; rewrite ?Rinv_1, ?Rmult_1_r in R; auto.
  - replace (IZR a) with (IZR r * IZR a * / IZR r) at 1 by (field; lra).
    replace (IZR b) with (IZR r * IZR b * / IZR r) at 1 by (field; lra). auto.
  - rewrite max_IZR, min_IZR, max_IZR, !abs_IZR, !mult_IZR in R. exact R.
Qed.
