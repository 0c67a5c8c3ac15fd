(* Properties and bounded losses of a question, in words: all rules hold if and only if all words do. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Costs Words Homes.
Import ListNotations.
Open Scope R_scope.

Inductive property := ColumnMonotone | ColumnHonest | RowMonotone | RowHonest | Unbiased.
(* A monotone column or row is an honest one, which then says nothing more. *)
Inductive order_word := ColumnRising | ColumnFalling | HonestInColumn | RowRising | RowFalling | HonestInRow.
Definition order_words (asked : property -> bool) : list order_word :=
  (if asked ColumnMonotone then [ColumnRising; ColumnFalling] else if asked ColumnHonest then [HonestInColumn] else []) ++
  (if asked RowMonotone then [RowRising; RowFalling] else if asked RowHonest then [HonestInRow] else []).

Section Rules.
Variables (m n : nat) (home last first : nat -> nat). (* rows rise up to `last`, and fall from `first` *)
Variables (u : Z) (x t : nat -> Z).                   (* responses and truths over a unit *)

Definition property_meant (M : mechanism) (p : property) : Prop :=
  match p with
  | ColumnMonotone => forall r f, (S r < m)%nat -> (f < n)%nat ->
      ((r < home f)%nat -> M r f <= M (S r) f) /\ ((home f <= r)%nat -> M (S r) f <= M r f)
  | ColumnHonest => forall r f, (r < m)%nat -> (f < n)%nat -> M r f <= M (home f) f
  | RowMonotone => forall r f, (r < m)%nat -> (S f < n)%nat ->
      ((f < last r)%nat -> M r f <= M r (S f)) /\ ((first r <= f)%nat -> M r (S f) <= M r f)
  | RowHonest => forall f g, (f < n)%nat -> (g < n)%nat -> home f <> home g -> M (home g) f <= M (home g) g
  | Unbiased => forall f, (f < n)%nat -> Sum m (fun r => IZR (x r) / IZR u * M r f) = IZR (t f) / IZR u
  end.

Definition order_in_words (word : order_word) : list rule :=
  match word with
  | ColumnRising => ordered m n (rising m home)
  | ColumnFalling => ordered m n (falling m home)
  | HonestInColumn => ordered m n (honest_in_column home)
  | RowRising => ordered m n (rising_row n last)
  | RowFalling => ordered m n (falling_row n first)
  | HonestInRow => ordered n n (honest_in_row home)
  end.
Definition means (asked : property -> bool) : list rule :=
  if asked Unbiased then map (column_rule m (fun r f => (x r - t f)%Z) true 0%Z) (seq 0 n) else [].
Definition bound_in_words (word : loss_word) (w : weights_word) (worst : bool) (a b : Z) : list rule :=
  let c := cost_in_words u x t home word w in let unit := unit_in_words u word w in
  if worst then map (bounded_at m c unit a b) (seq 0 n) else [bounded m n c unit a b].

(* ---- Monotone entails honest: along steps that rise up to one place, and fall from it on, that place is the highest. *)
Lemma highest : forall k (y : nat -> R) (top : nat),
  (forall i, (S i < k)%nat -> ((i < top)%nat -> y i <= y (S i)) /\ ((top <= i)%nat -> y (S i) <= y i)) ->
  forall i, (i < k)%nat -> (top < k)%nat -> y i <= y top.
Proof.
  intros k y top H. assert (Up : forall d i, (i + d = top)%nat -> (top < k)%nat -> y i <= y top).
  { induction d as [|d IH]; intros i E Ht. { replace top with i by lia. lra. }
    apply Rle_trans with (y (S i)); [apply H; lia|apply IH; lia]. }
  assert (Down : forall d, (top + d < k)%nat -> y (top + d)%nat <= y top).
  { induction d as [|d IH]; intros Hd. { rewrite Nat.add_0_r. lra. } rewrite Nat.add_succ_r in *.
    apply Rle_trans with (y (top + d)%nat); [apply H; lia|apply IH; lia]. }
  intros i Hi Ht. destruct (le_lt_dec i top).
  - apply (Up (top - i)%nat); lia.
  - replace i with (top + (i - top))%nat by lia. apply Down. lia.
Qed.
Lemma honest_column : forall M, (forall f, (f < n)%nat -> (home f < m)%nat) -> property_meant M ColumnMonotone ->
  property_meant M ColumnHonest.
Proof. intros M Hh H r f Hr Hf. apply (highest m (fun r => M r f) (home f)); auto. Qed.
Lemma honest_row : forall M, (forall f, (f < n)%nat -> (home f < m)%nat) ->
  (forall g, (g < n)%nat -> (first (home g) <= g <= last (home g))%nat) -> property_meant M RowMonotone ->
    property_meant M RowHonest.
Proof.
  intros M Hh Hg H f g Hf Hg' _. apply (highest n (fun f => M (home g) f) g); auto. intros i Hi.
  destruct (H (home g) i (Hh g Hg') Hi) as [A B]. specialize (Hg g Hg'). split; intros; [apply A|apply B]; lia.
Qed.

Hypothesis unit_positive : (0 < u)%Z.
Theorem properties_spec : forall asked M, stochastic m n M ->
  (asked ColumnMonotone = true \/ asked RowMonotone = true /\ asked RowHonest = true ->
    forall f, (f < n)%nat -> (home f < m)%nat) ->
  (asked RowMonotone = true /\ asked RowHonest = true -> forall g, (g < n)%nat -> (first (home g) <= g <= last (home g))%nat) ->
  Forall (keeps M) (flat_map order_in_words (order_words asked) ++ means asked) <->
    (forall p, asked p = true -> property_meant M p).
Proof.
  intros asked M [_ H1] Hh Hg. rewrite Forall_app. unfold order_words, means. rewrite flat_map_app, Forall_app.
  assert (C : Forall (keeps M) (flat_map order_in_words
      (if asked ColumnMonotone then [ColumnRising; ColumnFalling] else if asked ColumnHonest then [HonestInColumn] else [])) <->
      (asked ColumnMonotone = true -> property_meant M ColumnMonotone) /\
      (asked ColumnHonest = true -> property_meant M ColumnHonest)).
  { destruct (asked ColumnMonotone) eqn:E; [|destruct (asked ColumnHonest)]; cbn [flat_map order_in_words]; rewrite ?app_nil_r.
    - rewrite (column_monotone_spec m n home M). split; [intros K; split; [auto|intros _; apply honest_column; auto; apply Hh;
      auto]|intros [K _]; apply K; auto].
    - rewrite column_honest_spec. split; [intros K; split; [discriminate|auto]|intros [_ K]; apply K; auto].
    - split; [intros _; split; discriminate|auto]. }
  assert (R : Forall (keeps M) (flat_map order_in_words
      (if asked RowMonotone then [RowRising; RowFalling] else if asked RowHonest then [HonestInRow] else [])) <->
      (asked RowMonotone = true -> property_meant M RowMonotone) /\ (asked RowHonest = true -> property_meant M RowHonest)).
  { destruct (asked RowMonotone) eqn:E; [|destruct (asked RowHonest)]; cbn [flat_map order_in_words]; rewrite ?app_nil_r.
    - rewrite (row_monotone_spec m n M last first). split; [intros K; split; [auto|intros A; apply honest_row; auto; apply Hh;
      auto]|intros [K _]; apply K; auto].
    - rewrite row_honest_spec. split; [intros K; split; [discriminate|auto]|intros [_ K]; apply K; auto].
    - split; [intros _; split; discriminate|auto]. }
  assert (U : Forall (keeps M) (if asked Unbiased then map (column_rule m (fun r f => (x r - t f)%Z) true 0%Z) (seq 0 n) else [])
    <-> (asked Unbiased = true -> property_meant M Unbiased)).
  { destruct (asked Unbiased); [|split; auto; discriminate]. rewrite Forall_map, Forall_forall. setoid_rewrite in_seq.
    apply IZR_lt in unit_positive. assert (E : forall f, (f < n)%nat ->
      keeps M (column_rule m (fun r f => (x r - t f)%Z) true 0%Z f) <->
      Sum m (fun r => IZR (x r) / IZR u * M r f) = IZR (t f) / IZR u).
    { intros f Hf. rewrite unbiased_spec by auto. rewrite (Sum_ext m (fun r => IZR (x r) / IZR u * M r f) (fun r => / IZR u *
      (IZR (x r) * M r f))) by (intros; field; lra).
      rewrite Sum_scale. split; intros H; [rewrite H; field; lra|]. apply Rmult_eq_reg_l with (/ IZR u); [rewrite H; field; lra|].
      apply Rinv_neq_0_compat. lra. }
    split; [intros H _ f Hf|intros H f Hf]; apply E; try lia; apply H; auto; lia. }
  rewrite C, R, U. split; [intros (((A & B) & D & F) & G) []; auto|intros H; repeat apply conj; intros A; apply H, A].
Qed.

(* A bounded loss is at most a/b: at each truth, or in all. *)
Theorem bound_in_words_spec : forall word w worst a b M, meant word -> weighed w -> (0 < b)%Z ->
  Forall (keeps M) (bound_in_words word w worst a b) <->
  if worst then forall f, (f < n)%nat -> weight w f * Sum m (fun r => loss u x t home word r f * M r f) <= IZR a / IZR b
  else Sum n (fun f => weight w f * Sum m (fun r => loss u x t home word r f * M r f)) <= IZR a / IZR b.
Proof.
  intros word w worst a b M H Hw Hb. assert (Hu : (0 < unit_in_words u word w)%Z).
  { apply Z.mul_pos_pos; [apply loss_unit_positive; auto|]. destruct w; simpl in *; auto; lia. }
  unfold bound_in_words. destruct worst.
  - rewrite Forall_map, Forall_forall. setoid_rewrite in_seq. setoid_rewrite bounded_at_spec; auto.
    setoid_rewrite cost_in_words_spec; auto.
    split; intros K f Hf; apply K; lia.
  - assert (S := bounded_spec m n M (cost_in_words u x t home word w) (unit_in_words u word w) a b Hu Hb).
    rewrite (Sum_ext n _ (fun f => weight w f * Sum m (fun r => loss u x t home word r f * M r f))) in S by (intros;
      apply cost_in_words_spec; auto).
    rewrite <- S. split; intros K; [apply Forall_inv in K|constructor]; auto.
Qed.
End Rules.

(* The home of a truth is a row that has risen no farther than there, and falls from there on. *)
Theorem home_between : forall m n low high t, in_order m low high -> increasing_truths n t ->
  forall g, (g < n)%nat -> (home_at m low high t g < m)%nat ->
  (fall_of n low t (home_at m low high t g) <= g <= rise_of m n high t (home_at m low high t) (home_at m low high t g))%nat.
Proof.
  intros m n low high t Ho Hi g Hg Hm. set (r := home_at m low high t g) in *.
  destruct (home_spec m low high t Ho g) as [[_ (_ & H & L)]|[E _]]; [|unfold r in Hm; lia]. fold r in H, L.
  assert (B : below_end m low high t r g).
  { destruct (Ho r Hm). unfold holds in H. destruct (Z_lt_le_dec (t g) (high r)); [left; auto|right]. split; [lia|].
    intros s Hs C. assert (E := home_alone m low high t Ho g s C). fold r in E. lia. }
  split.
  - destruct (fall_spec n low t Hi r) as [(_ & _ & F)|[_ F]].
    + destruct (le_lt_dec (fall_of n low t r) g); auto. specialize (F g ltac:(lia)). destruct (Ho r Hm). unfold holds in H. lia.
    + specialize (F g Hg). destruct (Ho r Hm). unfold holds in H. lia.
  - destruct (rise_spec m n low high t Ho Hi r) as [(_ & _ & R)|[_ R]]; [|destruct (R g Hg B)].
    destruct (le_lt_dec g (rise_of m n high t (home_at m low high t) r)); auto. destruct (R g ltac:(lia) B).
Qed.
