(* A whole question in words: the numbers of Spec.v that stand for it, and what a mechanism of it is in these words. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Matrix Claims Costs Words Ties Limits Rules.
Import ListNotations.
Open Scope R_scope.

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
Definition needs_homes : bool := asks_weakly_honest w || has w ColumnMonotone || has w RowMonotone && has w RowHonest.
Definition sound : Prop :=
  (0 < u)%Z /\ (0 < said_unit w)%Z /\ (0 < m)%nat /\ (0 < n)%nat /\ fits m n home (structure w) (asks_fair w) /\
  (needs_homes = true -> homes m n home) /\
  (asks_weakly_honest w = true -> (Z.of_nat m | said_unit w)%Z) /\
  (forall g, (g < n)%nat -> (home g < m)%nat -> (first (home g) <= g <= last (home g))%nat) /\
  Forall (limit_sound m n home u) (said w) /\ meant (loss_said w) /\ weighed (weights_said w) /\
  Forall (fun b : loss_word * weights_word * bool * (Z * Z) =>
    let '(word, weights, _, (_, q)) := b in meant word /\ weighed weights /\ (0 < q)%Z) (bounds_said w).
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
    { cbn [limits question_in_words]. rewrite join_concat, flat_map_concat_map. reflexivity. } unfold all_limits. rewrite !Forall_app.
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
    2:{ unfold is_unbiased. intros K f Hf. apply Hh; auto. destruct (asks_weakly_honest w), (has w ColumnMonotone),
        (has w RowMonotone), (has w RowHonest),
      (noise_within w); destruct K as [K|[K K']]; auto; discriminate. }
    2:{ unfold is_unbiased. intros [K K'] g Hg. apply B; auto. apply Hh; auto.
        destruct (noise_within w); rewrite K, K', !orb_true_r; auto. }
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

(* All that a certificate claims, in the words of its question. *)
Theorem certificate_in_words : forall fs a on od whole proof z, sound ->
  check (question_in_words rule_groups) fs a (on, od) whole proof = Some z ->
  meant_in_words (released a) (IZR on / IZR od) /\ forall M v, meant_in_words M v -> IZR z / (IZR whole * IZR (said_unit w)) <= v.
Proof.
  intros fs a on od whole proof z S C. destruct (certificate_sound _ _ _ _ _ _ _ _ C) as [A B]. split.
  - apply question_in_words_spec; auto.
  - intros M v H. apply (B M v). apply question_in_words_spec; auto.
Qed.
Theorem levels_certificate_in_words : forall fs a on od p z, sound ->
  check_levels (question_in_words rule_groups) fs a (on, od) p = Some z ->
  meant_in_words (released a) (IZR on / IZR od) /\ forall M v, meant_in_words M v -> IZR (fst z) / IZR (snd z) <= v.
Proof.
  intros fs a on od p z S C. destruct (levels_certificate_sound _ _ _ _ _ _ _ C) as [A B]. split.
  - apply question_in_words_spec; auto.
  - intros M v H. apply (B M v). apply question_in_words_spec; auto.
Qed.
End Asked.
