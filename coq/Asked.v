(* A question in words: its limits, its properties and bounded losses, and the whole of it.

   Limits of entries in words: accuracies, responses within a distance of the truth, responses that are not used, and zero
   that stays zero. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Matrix Words Claims Ties.
Import ListNotations.
Open Scope R_scope.

(* Accuracies p are integers over the unit of limits; a distance is a/b. *)
Inductive limit_word := AtLeast (p : Z) | Exactly (p : Z) | Within (a b : Z) | Without (rs : nat -> bool) | ZeroStaysZero.

Section Limits.
Variables (m n : nat) (home : nat -> nat).
Variables (u : Z) (x t : nat -> Z). (* responses and truths over a unit, as in Words.v *)
Variable unit : Z.

Definition limit_meant (M : mechanism) (word : limit_word) : Prop :=
  match word with
  | AtLeast p => forall f, (f < n)%nat -> IZR p / IZR unit <= M (home f) f
  | Exactly p => forall f, (f < n)%nat -> M (home f) f = IZR p / IZR unit
  | Within a b => forall r f, (r < m)%nat -> (f < n)%nat -> IZR a / IZR b < distance u x t r f -> M r f = 0
  | Without rs => forall r f, (r < m)%nat -> (f < n)%nat -> rs r = true -> M r f = 0
  | ZeroStaysZero => forall r, (r < m)%nat -> M r O = if r =? 0 then 1 else 0
  end.

(* The least that the words need in order to mean anything. *)
Definition limit_sound (word : limit_word) : Prop :=
  match word with
  | AtLeast _ | Exactly _ => forall f, (f < n)%nat -> (home f < m)%nat
  | Within _ b => (0 < u)%Z /\ (0 < b)%Z
  | ZeroStaysZero => (0 < n)%nat
  | _ => True
  end.

Definition at_home (low high : Z) : list (nat * nat * Z * Z) := map (fun f => (home f, f, low, high)) (seq 0 n).
Definition nothing (place : nat -> nat -> bool) : list (nat * nat * Z * Z) :=
  flat_map (fun r => flat_map (fun f => if place r f then [(r, f, 0, 0)%Z] else []) (seq 0 n)) (seq 0 m).
Definition limits_in_words (word : limit_word) : list (nat * nat * Z * Z) :=
  match word with
  | AtLeast p => at_home p unit
  | Exactly p => at_home p p
  | Within a b => nothing (farther u x t a b)
  | Without rs => nothing (fun r _ => rs r)
  | ZeroStaysZero => map (fun r => let v := if r =? 0 then unit else 0%Z in (r, O, v, v)) (seq 0 m)
  end.

Hypothesis unit_positive : (0 < unit)%Z.
Definition keeps_limit (M : mechanism) (l : nat * nat * Z * Z) : Prop :=
  let '(r, f, low, high) := l in IZR low <= IZR unit * M r f <= IZR high.
Lemma exactly : forall p y, IZR p <= IZR unit * y <= IZR p <-> y = IZR p / IZR unit.
Proof.
  intros p y. apply IZR_lt in unit_positive. split.
  - intros H. apply Rmult_eq_reg_l with (IZR unit); [|lra].
    replace (IZR unit * (IZR p / IZR unit)) with (IZR p) by (field; lra). lra.
  - intros ->. replace (IZR unit * (IZR p / IZR unit)) with (IZR p) by (field; lra). lra.
Qed.
Lemma nothing_spec : forall w M, Forall (keeps_limit M) (nothing w) <->
  forall r f, (r < m)%nat -> (f < n)%nat -> w r f = true -> M r f = 0.
Proof.
  intros w M. assert (Z0 : forall y, 0 <= IZR unit * y <= 0 <-> y = 0).
  { intros. rewrite (exactly 0). unfold Rdiv. rewrite Rmult_0_l. tauto. }
  rewrite Forall_forall. unfold nothing. split.
  - intros H r f Hr Hf E. apply Z0. apply (H (r, f, 0, 0)%Z). apply in_flat_map. exists r. split. { apply in_seq. lia. }
    apply in_flat_map. exists f. split. { apply in_seq. lia. } rewrite E. left. reflexivity.
  - intros H l Hl. apply in_flat_map in Hl as (r & Hr & Hl). apply in_flat_map in Hl as (f & Hf & Hl). apply in_seq in Hr, Hf.
    destruct (w r f) eqn:E; [|destruct Hl]. destruct Hl as [<-|[]]. apply Z0, H; auto; lia.
Qed.
Lemma at_home_spec : forall low high M, Forall (keeps_limit M) (at_home low high) <->
  forall f, (f < n)%nat -> IZR low <= IZR unit * M (home f) f <= IZR high.
Proof.
  intros. unfold at_home. rewrite Forall_map, Forall_forall. setoid_rewrite in_seq. split; intros H f Hf; apply H; lia.
Qed.

Theorem limits_in_words_spec : forall word M, stochastic m n M -> limit_sound word ->
  Forall (keeps_limit M) (limits_in_words word) <-> limit_meant M word.
Proof.
  intros word M [Hp H1] Hw. destruct word as [p|p|a b|rs|]; cbn [limits_in_words limit_meant limit_sound] in *.
  - rewrite at_home_spec. apply IZR_lt in unit_positive as U. split; intros H f Hf; specialize (H f Hf).
    + apply div_le_l; lra.
    + assert (M (home f) f <= 1).
      { rewrite <- (H1 f Hf). apply (Sum_member m (fun r => M r f)); auto. }
      split; [|rewrite <- (Rmult_1_r (IZR unit)) at 2; apply Rmult_le_compat_l; lra].
      apply Rmult_le_compat_l with (r := IZR unit) in H; [|lra].
      replace (IZR unit * (IZR p / IZR unit)) with (IZR p) in H by (field; lra). lra.
  - rewrite at_home_spec. setoid_rewrite exactly. tauto.
  - rewrite nothing_spec. setoid_rewrite farther_spec; tauto.
  - apply nothing_spec.
  - rewrite Forall_map, Forall_forall. setoid_rewrite in_seq. apply IZR_lt in unit_positive as U. unfold keeps_limit.
    split; intros H r Hr.
    + specialize (H r ltac:(lia)). destruct (r =? 0); apply exactly in H; rewrite H; [field; lra|unfold Rdiv; ring].
    + rewrite H by lia. destruct (r =? 0); lra.
Qed.
(* All limits of a question. *)
Theorem within_limits_spec : forall q M words, limits q = flat_map limits_in_words words -> limit_unit q = unit ->
  stochastic m n M -> Forall limit_sound words ->
  within_limits q M <-> Forall (limit_meant M) words.
Proof.
  intros q M words E Eu HS Hw. unfold within_limits. rewrite E, Eu, Forall_forall. rewrite Forall_forall in Hw. split.
  - intros H word Hin. apply limits_in_words_spec; auto.
    apply Forall_forall. intros [[[r f] low] high] Hl. apply H, in_flat_map. eauto.
  - intros H r f low high Hl. apply in_flat_map in Hl as (word & Hin & Hl). specialize (H word Hin).
    apply limits_in_words_spec in H; auto. rewrite Forall_forall in H. apply (H _ Hl).
Qed.
End Limits.

(* ==== Properties and bounded losses of a question, in words: all rules hold if and only if all words do. *)
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

(* ==== A whole question in words: the numbers of Spec.v that stand for it, and what a mechanism of it is in these words. *)
Record words := {
  structure : structure_word;
  noise_within : option (Z * Z);     (* bounded noise: its width, and its accuracy over the unit of limits *)
  asks_fair : bool; asks_symmetric : bool; asks_weakly_honest : bool; zero_stays_zero : bool;
  has : property -> bool;            (* other properties *)
  said : list limit_word; said_unit : Z;
  loss_said : loss_word; weights_said : weights_word;
  bounds_said : list (loss_word * weights_word * bool * (Z * Z)); (* at worst or in all, and the bound *)
  own : list rule;
  goal : objective }.

(* Lists put together without nested calls *)
Definition join {A} (ls : list (list A)) : list A := fold_right (fun l rest => rev_append (rev_append l []) rest) [] ls.
Lemma join_concat : forall A (ls : list (list A)), join ls = concat ls.
Proof. induction ls as [|l ls IH]; simpl; auto. rewrite !rev_append_rev, app_nil_r, rev_involutive, IH. reflexivity. Qed.

Section Asked.
Variables (m n : nat) (near : list (nat * nat * nat)) (ps : list privacy).
Variables (home last first : nat -> nat) (u : Z) (x t : nat -> Z).
Variable w : words.

(* ---- The numbers *)
Definition is_unbiased (p : property) : bool := match p, noise_within w with Unbiased, Some _ => true | _, _ => has w p end.
Definition all_limits : list limit_word :=
  (if zero_stays_zero w then [ZeroStaysZero] else []) ++ said w ++
  (match noise_within w with Some (d, eta) => [Exactly eta; Within d 1] | None => [] end) ++
  (if asks_weakly_honest w then [AtLeast (said_unit w / Z.of_nat m)] else []).
Definition bound_rules (b : loss_word * weights_word * bool * (Z * Z)) : list rule :=
  let '(word, weights, worst, (p, q)) := b in bound_in_words m n home u x t word weights worst p q.
(* Rules in groups: one for each order, means, bounds, and the rules of the author. *)
Definition rule_groups : list (list rule) :=
  map (order_in_words m n home last first) (order_words is_unbiased) ++
  [means m n x t is_unbiased; join (map bound_rules (bounds_said w)); own w].
Definition question_in_words (groups : list (list rule)) : question :=
  {| responses := m; truths := n; neighbours := near; privacies := ps;
     name := name_in_words m n home (structure w) (asks_fair w) (asks_symmetric w);
     limits := join (map (limits_in_words m n home u x t (said_unit w)) all_limits); limit_unit := said_unit w;
     rules := join groups;
     cost := cost_in_words u x t home (loss_said w) (weights_said w); cost_unit := unit_in_words u (loss_said w) (weights_said w);
     aim := goal w |}.

(* ---- The meaning *)
Definition expected (M : mechanism) (word : loss_word) (weights : weights_word) (f : nat) : R :=
  weight weights f * Sum m (fun r => loss u x t home word r f * M r f).
Definition bound_meant (M : mechanism) (b : loss_word * weights_word * bool * (Z * Z)) : Prop :=
  let '(word, weights, worst, (p, q)) := b in
  if worst then forall f, (f < n)%nat -> expected M word weights f <= IZR p / IZR q
    else Sum n (expected M word weights) <= IZR p / IZR q.
Definition bounded_noise (M : mechanism) (d eta : Z) : Prop :=
  (forall f, (f < n)%nat -> M (home f) f = IZR eta / IZR (said_unit w)) /\
  (forall r f, (r < m)%nat -> (f < n)%nat -> IZR d < distance u x t r f -> M r f = 0) /\
  (forall f, (f < n)%nat -> Sum m (fun r => IZR (x r) / IZR u * M r f) = IZR (t f) / IZR u).
Definition meant_in_words (M : mechanism) (v : R) : Prop :=
  stochastic m n M /\
  as_structured m n home (structure w) M /\ (forall d eta, noise_within w = Some (d, eta) -> bounded_noise M d eta) /\
  (asks_fair w = true -> fair n home M) /\ (asks_symmetric w = true -> half_turn_symmetric m n M) /\
  (asks_weakly_honest w = true -> forall f, (f < n)%nat -> 1 / INR m <= M (home f) f) /\
  (zero_stays_zero w = true -> forall r, (r < m)%nat -> M r O = if (r =? 0)%nat then 1 else 0) /\
  (forall p, has w p = true -> property_meant m n home last first u x t M p) /\
  Forall (limit_meant m n home u x t (said_unit w) M) (said w) /\
  Forall (bound_meant M) (bounds_said w) /\ Forall (keeps M) (own w) /\
  Forall (private m near v M) ps /\
  match goal w with
  | TotalLoss => Sum n (expected M (loss_said w) (weights_said w)) <= v
  | WorstLoss => forall f, (f < n)%nat -> expected M (loss_said w) (weights_said w) f <= v
  | LeastDelta => 0 <= v
  end.

(* ---- They agree, wherever the words have a meaning. *)
Definition needs_homes : bool :=
  match noise_within w with Some _ => true | None => false end ||
  (asks_weakly_honest w || has w ColumnMonotone || has w ColumnHonest || has w RowHonest).
Definition sound : Prop :=
  (0 < u)%Z /\ (0 < said_unit w)%Z /\ (0 < m)%nat /\ (0 < n)%nat /\ fits m n home (structure w) (asks_fair w) /\
  (needs_homes = true -> homes m n home) /\
  (asks_weakly_honest w = true -> (Z.of_nat m | said_unit w)%Z) /\
  (forall g, (g < n)%nat -> (home g < m)%nat -> (first (home g) <= g <= last (home g))%nat) /\
  Forall (limit_sound m n home u) (said w) /\ meant (loss_said w) /\ weighed (weights_said w) /\
  Forall (fun b : loss_word * weights_word * bool * (Z * Z) =>
    let '(word, weights, _, (_, q)) := b in meant word /\ weighed weights /\ (0 < q)%Z) (bounds_said w).
(* The check of it *)
Definition is_sound_limit (word : limit_word) : bool :=
  match word with
  | AtLeast _ | Exactly _ => are_homes m n home
  | Within _ b => (0 <? u)%Z && (0 <? b)%Z
  | ZeroStaysZero => 0 <? n
  | _ => true
  end.
Definition is_sound : bool :=
  (0 <? u)%Z && (0 <? said_unit w)%Z && (0 <? m) && (0 <? n) && is_fitting m n home (structure w) (asks_fair w) &&
  (negb needs_homes || are_homes m n home) &&
  (negb (asks_weakly_honest w) || (said_unit w mod Z.of_nat m =? 0)%Z) &&
  all n (fun g => negb (home g <? m) || (first (home g) <=? g) && (g <=? last (home g))) &&
  forallb is_sound_limit (said w) && is_meant (loss_said w) && is_weighed (weights_said w) &&
  forallb (fun b : loss_word * weights_word * bool * (Z * Z) =>
    let '(word, weights, _, (_, q)) := b in is_meant word && is_weighed weights && (0 <? q)%Z) (bounds_said w).
Lemma is_sound_spec : is_sound = true -> sound.
Proof.
  intros H. unfold is_sound in H. facts.
  match goal with H : is_fitting _ _ _ _ _ = true |- _ => apply is_fitting_spec in H end.
  match goal with H : is_meant _ = true |- _ => apply is_meant_spec in H end.
  match goal with H : is_weighed _ = true |- _ => apply is_weighed_spec in H end.
  match goal with H : negb needs_homes || _ = true |- _ => rename H into Hh end.
  match goal with H : negb (asks_weakly_honest w) || _ = true |- _ => rename H into Hw end.
  match goal with H : all n _ = true |- _ => rename H into Hr end.
  match goal with H : forallb is_sound_limit _ = true |- _ => rename H into Hl; rewrite forallb_forall in Hl end.
  match goal with H : forallb _ (bounds_said w) = true |- _ => rename H into Hb; rewrite forallb_forall in Hb end.
  unfold sound. repeat (apply conj); auto.
  - intros E. rewrite E in Hh. apply are_homes_spec, Hh.
  - intros E. rewrite E in Hw. apply Z.eqb_eq in Hw. apply Z.mod_divide; [lia|exact Hw].
  - intros g Hg Hm. assert (K := all_spec n _ Hr g Hg). cbn beta in K. apply Nat.ltb_lt in Hm. rewrite Hm in K. simpl in K.
    facts. auto.
  - apply Forall_forall. intros word Hin. specialize (Hl word Hin).
    destruct word; cbn [is_sound_limit limit_sound] in *; facts; auto; apply are_homes_spec, Hl.
  - apply Forall_forall. intros [[[word weights] worst] [p q]] Hin. specialize (Hb _ Hin). cbn beta iota in Hb. facts.
    auto using is_meant_spec, is_weighed_spec.
Qed.
Lemma Rdiv_1 : forall y, y / 1 = y.
Proof. intros. field. Qed.
Lemma said_apart : forall M, (asks_weakly_honest w = true -> (Z.of_nat m | said_unit w)%Z) -> (0 < m)%nat ->
  (0 < said_unit w)%Z ->
  Forall (limit_meant m n home u x t (said_unit w) M) all_limits <->
  (zero_stays_zero w = true -> forall r, (r < m)%nat -> M r O = if (r =? 0)%nat then 1 else 0) /\
  Forall (limit_meant m n home u x t (said_unit w) M) (said w) /\
  (forall d eta, noise_within w = Some (d, eta) -> (forall f, (f < n)%nat -> M (home f) f = IZR eta / IZR (said_unit w)) /\
    (forall r f, (r < m)%nat -> (f < n)%nat -> IZR d < distance u x t r f -> M r f = 0)) /\
  (asks_weakly_honest w = true -> forall f, (f < n)%nat -> 1 / INR m <= M (home f) f).
Proof.
  intros M D Hm HU. unfold all_limits. rewrite !Forall_app.
  assert (Ze : Forall (limit_meant m n home u x t (said_unit w) M) (if zero_stays_zero w then [ZeroStaysZero] else []) <->
    (zero_stays_zero w = true -> forall r, (r < m)%nat -> M r O = if (r =? 0)%nat then 1 else 0)).
  { destruct (zero_stays_zero w); split; intros K; auto; [|constructor; [exact (K eq_refl)|auto]|discriminate].
    intros _. apply Forall_inv in K. exact K. }
  assert (We : Forall (limit_meant m n home u x t (said_unit w) M)
      (if asks_weakly_honest w then [AtLeast (said_unit w / Z.of_nat m)] else []) <->
    (asks_weakly_honest w = true -> forall f, (f < n)%nat -> 1 / INR m <= M (home f) f)).
  { destruct (asks_weakly_honest w); [|split; [discriminate|auto]].
    assert (E : IZR (said_unit w / Z.of_nat m) / IZR (said_unit w) = 1 / INR m).
    { destruct (D eq_refl) as [k Ek]. rewrite Ek in *. rewrite Z.div_mul, mult_IZR, <- INR_IZR_INZ by lia.
      apply lt_INR in Hm as Hr. simpl in Hr.
      assert (IZR k <> 0) by (apply not_0_IZR; intros ->; lia). field. lra. }
    split; intros K; [intros _ f Hf; apply Forall_inv in K; rewrite <- E; apply K; auto|].
    constructor; auto. intros f Hf. rewrite E. auto. }
  rewrite Ze, We. destruct (noise_within w) as [[d eta]|].
  - split; [intros (A & B & C & G)|intros (A & B & C & G)]; repeat (apply conj); auto.
    + intros d' eta' E. injection E as <- <-. apply Forall_cons_iff in C as [C1 C2]. apply Forall_inv in C2. split; auto.
      intros r f Hr Hf L. apply C2; auto. rewrite Rdiv_1. auto.
    + destruct (C d eta eq_refl) as [C1 C2]. repeat constructor; auto. intros r f Hr Hf L. apply C2; auto.
      rewrite Rdiv_1 in L. auto.
  - split; [intros (A & B & C & G)|intros (A & B & C & G)]; repeat (apply conj); auto. discriminate.
Qed.
Lemma properties_apart : forall M, (forall p, is_unbiased p = true -> property_meant m n home last first u x t M p) <->
  (forall p, has w p = true -> property_meant m n home last first u x t M p) /\
  (forall d eta, noise_within w = Some (d, eta) -> property_meant m n home last first u x t M Unbiased).
Proof.
  intros M. unfold is_unbiased. split.
  - intros K. split; [intros p E|intros d eta E]; apply K; [destruct p, (noise_within w); auto|rewrite E; auto].
  - intros [A B] p E. destruct p; try (apply A; destruct (noise_within w); exact E).
    destruct (noise_within w) as [[d eta]|]; [apply (B d eta eq_refl)|apply A, E].
Qed.
Theorem question_in_words_spec : forall M v, sound -> achieves (question_in_words rule_groups) M v <-> meant_in_words M v.
Proof.
  intros M v (Hu & HU & Hm & Hn & F & Hh & D & B & L & H & Hw & Hb). unfold needs_homes in Hh.
  assert (Limits : stochastic m n M -> within_limits (question_in_words rule_groups) M <->
    Forall (limit_meant m n home u x t (said_unit w) M) all_limits).
  { intros S. apply within_limits_spec; auto.
    { cbn [limits question_in_words]. rewrite join_concat, flat_map_concat_map. reflexivity. } unfold all_limits.
      rewrite !Forall_app.
    destruct (zero_stays_zero w), (asks_weakly_honest w), (noise_within w) as [[d eta]|]; repeat split; auto;
      repeat constructor; auto; apply Hh; auto. }
  assert (Rules : stochastic m n M -> Forall (keeps M) (rules (question_in_words rule_groups)) <->
    (forall p, is_unbiased p = true -> property_meant m n home last first u x t M p) /\
      Forall (bound_meant M) (bounds_said w) /\ Forall (keeps M) (own w)).
  { intros S. cbn [rules question_in_words]. rewrite join_concat. unfold rule_groups.
    rewrite concat_app, <- flat_map_concat_map. cbn [concat].
    rewrite app_nil_r, join_concat, <- flat_map_concat_map, app_assoc.
    rewrite !(Forall_app (keeps M)), <- (Forall_app (keeps M) (flat_map _ _) (means _ _ _ _ _)).
    rewrite (properties_spec m n home last first u x t Hu is_unbiased M S).
    2:{ unfold is_unbiased. intros K f Hf. apply Hh; auto. destruct (noise_within w); [reflexivity|].
        destruct K as [K|[_ K]]; rewrite K, !orb_true_r; reflexivity. }
    2:{ unfold is_unbiased. intros [_ K] g Hg. apply B; auto. apply Hh; auto. destruct (noise_within w); [reflexivity|].
        rewrite K, !orb_true_r. reflexivity. }
    assert (E : Forall (keeps M) (flat_map bound_rules (bounds_said w)) <-> Forall (bound_meant M) (bounds_said w));
      [|rewrite E; tauto].
    rewrite Forall_flat_map. rewrite Forall_forall in Hb. rewrite !Forall_forall.
    split; intros K b Hin; specialize (K b Hin); specialize (Hb b Hin);
      destruct b as [[[word weights] worst] [p q]]; unfold bound_rules, bound_meant, expected in *;
      apply (bound_in_words_spec m n home u x t Hu) in K || apply (bound_in_words_spec m n home u x t Hu); tauto. }
  assert (Losses : forall f, loss_at (question_in_words rule_groups) M f = expected M (loss_said w) (weights_said w) f)
    by (intros; apply (cost_in_words_spec u x t home Hu); auto).
  assert (Ties : tied (question_in_words rule_groups) M <-> as_structured m n home (structure w) M /\
    (asks_fair w = true -> fair n home M) /\
    (asks_symmetric w = true -> half_turn_symmetric m n M)) by (apply names_spec; exact F).
  assert (Aim : match aim (question_in_words rule_groups) with TotalLoss => total_loss (question_in_words rule_groups) M <= v
      | WorstLoss => forall f, (f < truths (question_in_words rule_groups))%nat ->
        loss_at (question_in_words rule_groups) M f <= v | LeastDelta => 0 <= v end <->
    match goal w with TotalLoss => Sum n (expected M (loss_said w) (weights_said w)) <= v
      | WorstLoss => forall f, (f < n)%nat -> expected M (loss_said w) (weights_said w) f <= v | LeastDelta => 0 <= v end).
  { cbn [aim truths question_in_words]. destruct (goal w); try tauto.
    - unfold total_loss. rewrite (Sum_ext _ _ (expected M (loss_said w) (weights_said w))) by auto. tauto.
    - setoid_rewrite Losses. tauto. }
  rewrite (said_apart M D Hm HU) in Limits. rewrite (properties_apart M) in Rules.
  unfold achieves, meant_in_words. rewrite Aim, Ties. unfold bounded_noise.
  cbn [responses truths neighbours privacies question_in_words].
  split.
  - intros (S & (A & Fa & Sy) & Li & Ru & Pr & Ai). apply (Limits S) in Li as (Ze & Sa & No & We).
    apply (Rules S) in Ru as ((Ha & Un) & Bo & Ow).
    refine (conj S (conj A (conj _ (conj Fa (conj Sy (conj We (conj Ze
      (conj Ha (conj Sa (conj Bo (conj Ow (conj Pr Ai)))))))))))).
    intros d eta E. destruct (No d eta E) as [N1 N2]. exact (conj N1 (conj N2 (Un d eta E))).
  - intros (S & A & No & Fa & Sy & We & Ze & Ha & Sa & Bo & Ow & Pr & Ai).
    refine (conj S (conj (conj A (conj Fa Sy)) (conj _ (conj _ (conj Pr Ai))))).
    + apply (Limits S). refine (conj Ze (conj Sa (conj _ We))). intros d eta E. destruct (No d eta E) as (N1 & N2 & _). auto.
    + apply (Rules S). refine (conj (conj Ha _) (conj Bo Ow)). intros d eta E. destruct (No d eta E) as (_ & _ & N3). exact N3.
Qed.

(* A question in words as it is checked, if the words have a meaning: with names and costs that were computed once. *)
Definition asked (groups : list (list rule)) (names : nat -> nat -> positive) (costs : nat -> nat -> Z) : option question :=
  if is_sound then copied (question_in_words groups) names costs else None.
Lemma asked_right : forall names costs q, asked rule_groups names costs = Some q ->
  limit_unit q = said_unit w /\ forall M v, achieves q M v <-> meant_in_words M v.
Proof.
  intros names costs q H. unfold asked in H. destruct is_sound eqn:S; [|discriminate]. apply copied_right in H as [U A].
  split; [exact U|]. intros M v. rewrite A. apply question_in_words_spec, is_sound_spec, S.
Qed.

(* All that a certificate claims, in the words of its question. *)
Theorem certificate_in_words : forall names costs q fs a on od whole proof z, asked rule_groups names costs = Some q ->
  check q fs a (on, od) whole proof = Some z ->
  meant_in_words (released a) (IZR on / IZR od) /\ forall M v, meant_in_words M v -> IZR z / (IZR whole * IZR (said_unit w)) <= v.
Proof.
  intros names costs q fs a on od whole proof z Q C. apply asked_right in Q as [U Q].
  destruct (certificate_sound _ _ _ _ _ _ _ _ C) as [A B]. rewrite U in B. split; [apply Q, A|].
  intros M v H. apply (B M v), Q, H.
Qed.
Theorem levels_certificate_in_words : forall names costs q fs a on od p z, asked rule_groups names costs = Some q ->
  check_levels q fs a (on, od) p = Some z ->
  meant_in_words (released a) (IZR on / IZR od) /\ forall M v, meant_in_words M v -> IZR (fst z) / IZR (snd z) <= v.
Proof.
  intros names costs q fs a on od p z Q C. apply asked_right in Q as [_ Q].
  destruct (levels_certificate_sound _ _ _ _ _ _ _ C) as [A B]. split; [apply Q, A|].
  intros M v H. apply (B M v), Q, H.
Qed.
End Asked.

(* By hand: one truth beyond the one response has no home, and no word may speak of it. *)
Definition of_one (home : nat -> nat) (p : property) : bool :=
  is_sound 1 1 home (fun _ => 0%nat) (fun _ => 0%nat) 1
    {| structure := Free; noise_within := None; asks_fair := false; asks_symmetric := false; asks_weakly_honest := false;
       zero_stays_zero := false;
       has := fun q =>
         match p, q with ColumnHonest, ColumnHonest | RowHonest, RowHonest | Unbiased, Unbiased => true | _, _ => false end;
       said := []; said_unit := 1; loss_said := Absolute; weights_said := Once; bounds_said := []; own := [];
       goal := TotalLoss |}.
Example honest_where_it_is_at_home : forallb (of_one (fun _ => 0%nat)) [ColumnHonest; RowHonest; Unbiased] = true.
Proof. reflexivity. Qed.
Example honest_nowhere : map (of_one (fun _ => 1%nat)) [ColumnHonest; RowHonest; Unbiased] = [false; false; true].
Proof. reflexivity. Qed.
