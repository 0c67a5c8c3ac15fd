(* No mechanism of the question has a smaller objective: Theorem bound_sound. All lines of a proof are added in one table;
   what is left is no less than the sum of its entries, each as small as 0 <= x <= 1 and the limits allow. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Lines.
Import ListNotations.
Open Scope R_scope.

(* ---- Each name stands for one probability. *)
Section Values.
Variables (q : question) (M : mechanism).
Let m := responses q.
Let n := truths q.
Hypothesis HS : stochastic m n M.
Hypothesis HT : tied q M.
Definition value_of (p : positive) : R :=
  match find (fun e => (name q (fst e) (snd e) =? p)%positive) (list_prod (seq 0 m) (seq 0 n)) with
  | Some (r, f) => M r f | None => 0 end.
Lemma entry_at_most_1 : forall r f, (r < m)%nat -> (f < n)%nat -> 0 <= M r f <= 1.
Proof.
  intros r f Hr Hf. destruct HS as [Hp H1]. split; auto. rewrite <- (H1 f Hf). apply (Sum_member m (fun r => M r f)); auto.
Qed.
Lemma place_in : forall r f, In (r, f) (list_prod (seq 0 m) (seq 0 n)) <-> (r < m)%nat /\ (f < n)%nat.
Proof. intros. rewrite in_prod_iff, !in_seq. lia. Qed.
Lemma value_of_name : forall r f, (r < m)%nat -> (f < n)%nat -> value_of (name q r f) = M r f.
Proof.
  intros r f Hr Hf. unfold value_of. destruct (find _ _) as [[a b]|] eqn:E.
  - apply find_some in E as [Hin He]. apply Pos.eqb_eq in He. apply place_in in Hin. apply HT; tauto.
  - exfalso. apply find_none with (x := (r, f)) in E; [|apply place_in; auto]. simpl in E. rewrite Pos.eqb_refl in E.
    discriminate.
Qed.
Lemma value_of_range : forall p, 0 <= value_of p <= 1.
Proof.
  intros p. unfold value_of. destruct (find _ _) as [[a b]|] eqn:E; [|lra].
  apply find_some in E as [Hin _]. apply place_in in Hin. apply entry_at_most_1; tauto.
Qed.
Lemma load_value : forall l t, forallb (in_range q) l = true -> weighed (load q l t) value_of = weighed t value_of + value M l.
Proof.
  induction l as [|[[r f] c] l IH]; intros t H; cbn [load value forallb] in *. - ring.
  - apply andb_true_iff in H as [Hr H]. unfold in_range in Hr. facts. rewrite IH, weighed_add, value_of_name by auto. ring.
Qed.
(* Limits that are at most X raise the number of a name to at most X. *)
Lemma raise_value : forall by_limit p X l t, IZR (get p t) <= X ->
  (forall r f low high, In (r, f, low, high) l -> name q r f = p -> IZR (by_limit (low, high)) <= X) ->
  IZR (get p (raise q by_limit l t)) <= X.
Proof.
  induction l as [|[[[r f] low] high] l IH]; intros t Ht H; cbn [raise]; auto. apply IH.
  - destruct (Pos.eq_dec p (name q r f)) as [->|Hne].
    + rewrite get_update. apply Z.max_case; auto. apply (H r f low high); simpl; auto.
    + rewrite get_other; auto.
  - intros. apply (H r0 f0 low0 high0); simpl; auto.
Qed.
End Values.

Section Sound.
Variables (q : question) (fs : list factors) (whole : Z) (M : mechanism) (v : R).
Hypothesis HM : achieves q M v.
Let x := value_of q M.

Definition sound (s : state) : Prop := forall t k p, s = Some (t, k, p) -> weighed t x + IZR k <= IZR p * v.
Lemma absorb_sound : forall s l, sound s -> (forall k, l = Some k -> holds M v k) -> sound (absorb q s l).
Proof.
  intros [[[t k] p]|] [l|] Hs Hl t' k' p' E; try discriminate. cbn [absorb] in E.
  destruct (forallb (in_range q) (entries l)) eqn:Hr; [|discriminate]. injection E as <- <- <-.
  specialize (Hl l eq_refl). unfold holds in Hl. specialize (Hs t k p eq_refl).
  assert (A := load_value q M ltac:(apply HM) (entries l) t Hr). fold x in A. rewrite A, !plus_IZR. lra.
Qed.
Lemma pairs_sound : forall path one p x' up pairs g s, (forall w, up w = raised one x' w) -> (0 < one)%Z ->
  known (p, x') = true -> In p (privacies q) ->
  (forall e, In e pairs -> In e (neighbours q)) -> Forall (true_of M (eps p)) path -> sound s ->
    sound (absorb_pairs q path one p up pairs g s).
Proof.
  induction pairs as [|near pairs IH]; intros g s Hup Ho Hk Hp Hin Hpath Hs; auto. destruct g as [|[b cs] g]; auto.
  cbn [absorb_pairs].
  apply IH; auto. { intros; apply Hin; right; auto. }
  apply absorb_sound; auto. intros l E. unfold known in Hk. cbn [fst snd] in Hk. facts.
  eapply pair_holds; eauto. { apply Hin; left; auto. } destruct (delta p) as [[? ?]|]; facts; auto.
Qed.
Lemma privacies_sound : forall one ps xs gs path s, (0 < one)%Z -> forallb known (combine ps xs) = true ->
  (forall p, In p ps -> In p (privacies q)) ->
  match ps with p :: _ => Forall (true_of M (eps p)) path | [] => True end -> sound s ->
    sound (absorb_privacies q path one ps xs gs s).
Proof.
  induction ps as [|p ps IH]; intros xs gs path s Ho Hk Hin Hpath Hs; auto. destruct xs as [|x' xs]; auto.
  destruct gs as [|g gs]; auto.
  cbn [absorb_privacies]. cbn [combine forallb] in Hk. apply andb_true_iff in Hk as [Hk1 Hk2].
  apply IH; auto. { intros; apply Hin; right; auto. } { destruct ps; auto. }
  destruct g as [|e g]; auto. apply pairs_sound with (x' := x'); auto.
  - intros w. apply recalled_right.
  - apply Hin; left; auto.
Qed.
Lemma rules_sound : forall ts ys s, (forall t, In t ts -> In t (rules q)) -> sound s -> sound (absorb_rules q ts ys s).
Proof.
  induction ts as [|t ts IH]; intros ys s Hin Hs; auto. destruct ys as [|y ys]; auto. cbn [absorb_rules].
  apply IH. { intros; apply Hin; right; auto. } destruct (y =? 0)%Z; auto.
  apply absorb_sound; auto. intros. eapply rule_holds; eauto. apply Hin; left; auto.
Qed.

Hypothesis Hwhole : (0 < whole)%Z.
Hypothesis Hunit : (0 < cost_unit q)%Z.
Hypothesis Hlimit : (0 < limit_unit q)%Z.
Hypothesis Hknown : forallb known (combine (privacies q) fs) = true.
Hypothesis Hplaces : forallb (fun l => in_range q (fst (fst l), 0%Z)) (limits q) = true.

Lemma limits_hold : forall p, IZR (get p (lows q)) <= IZR (limit_unit q) * x p <= IZR (limit_unit q) - IZR (get p (cuts q)).
Proof.
  intros p. destruct HM as (HS & HT & HL & _). assert (Hr := value_of_range q M HS p). fold x in Hr. apply IZR_lt in Hlimit.
  assert (Hx : 0 <= IZR (limit_unit q) * x p <= IZR (limit_unit q)).
  { split. apply Rmult_le_pos; lra. rewrite <- (Rmult_1_r (IZR (limit_unit q))) at 2. apply Rmult_le_compat_l; lra. }
  assert (Each : forall r f low high, In (r, f, low, high) (limits q) -> name q r f = p ->
    IZR low <= IZR (limit_unit q) * x p <= IZR high).
  { intros r f low high Hin <-. rewrite forallb_forall in Hplaces. specialize (Hplaces _ Hin). unfold in_range in Hplaces.
      cbn [fst snd] in Hplaces. facts.
    unfold x. rewrite value_of_name by auto. apply HL; auto. }
  split.
  - apply raise_value. { simpl. lra. } intros. simpl. eapply Each; eauto.
  - enough (IZR (get p (cuts q)) <= IZR (limit_unit q) - IZR (limit_unit q) * x p) by lra.
    apply raise_value. { simpl. lra. } intros. simpl. rewrite minus_IZR. assert (A := Each _ _ _ _ H H0). lra.
Qed.

Definition is_bound (z : Z) : Prop := IZR z <= IZR whole * IZR (limit_unit q) * v.
Lemma column_in_range : forall weights totals f, (f < truths q)%nat -> forallb (in_range q) (column q weights totals f) = true.
Proof.
  intros weights totals f Hf. apply forallb_forall. intros e He. unfold column in He. apply in_map_iff in He as (r & <- & Hr).
  apply in_seq in Hr.
  unfold in_range. apply andb_true_iff. split; apply Nat.ltb_lt; lia.
Qed.
Lemma load_columns_value : forall weights totals,
  weighed (load_columns q weights totals) x = value M (flat_map (column q weights totals) (seq 0 (truths q))).
Proof.
  intros weights totals. unfold load_columns.
  enough (E : forall l t, (forall f, In f l -> (f < truths q)%nat) ->
    weighed (fold_left (fun t f => load q (column q weights totals f) t) l t) x = weighed t x + value M
      (flat_map (column q weights totals) l)).
  { rewrite E by (intros f Hf; apply in_seq in Hf; lia). simpl. ring. }
  induction l as [|f l IH]; intros t Hl; simpl. - ring.
  - rewrite IH by (intros; apply Hl; right; auto). rewrite value_app.
    assert (A := load_value q M ltac:(apply HM) (column q weights totals f) t (column_in_range _ _ _ (Hl f (or_introl eq_refl)))).
    fold x in A. rewrite A. ring.
Qed.
Lemma ones_value : forall f, (f < truths q)%nat -> weighed (ones_of q f) x = Sum (responses q) (fun r => M r f).
Proof.
  intros f Hf. unfold ones_of, x. rewrite load_value; [|apply HM|].
  - rewrite map_as_flat, value_seq. simpl. rewrite Rplus_0_l. apply Sum_ext. intros. ring.
  - apply forallb_forall. intros e He. apply in_map_iff in He as (r & <- & Hr). apply in_seq in Hr.
    unfold in_range. apply andb_true_iff. split; apply Nat.ltb_lt; lia.
Qed.
Lemma start_sound : forall names weights totals, (names = None \/ names = names_alike q) ->
  sound (start q whole names weights totals).
Proof.
  intros names weights totals Hn t k p E. unfold start in E. destruct (objective_allowed q whole weights) eqn:A; [|discriminate].
  injection E as <- <- <-. assert (H := objective_holds q M v HM whole weights totals Hunit A). unfold holds, objective_line in H.
  cbn [entries constant paid] in H.
  destruct names as [b|]; [|rewrite load_columns_value; exact H]. destruct Hn as [Hn|Hn]; [discriminate|]. symmetry in Hn.
  enough (E : weighed (plus (scaled (weights O) (costs b)) (scaled (- total (truths q) totals) (ones b))) x =
    value M (flat_map (column q weights totals) (seq 0 (truths q)))) by (rewrite E; exact H).
  unfold names_alike in Hn. destruct (all (truths q) _) eqn:C; [|destruct (aim q); discriminate].
  assert (Hb : b = {| costs := load_columns q (fun _ => 1%Z) (fun _ => 0%Z); ones := ones_of q 0; prepared :=
    map (prepare q) (rules q) |})
    by (destruct (aim q); congruence).
  assert (Hw : forall f, (f < truths q)%nat -> weights f = weights O).
  { unfold objective_allowed in A. apply andb_true_iff in A as [_ A]. intros f Hf. destruct (aim q); try discriminate.
    - assert (B := all_spec _ _ A f Hf). assert (D := all_spec _ _ A O ltac:(lia)). cbv beta in B, D. facts. nia.
    - assert (B := all_spec _ _ A f Hf). assert (D := all_spec _ _ A O ltac:(lia)). cbv beta in B, D. facts. congruence. }
  subst b. cbn [costs ones]. rewrite weighed_plus, !weighed_scaled, load_columns_value, !value_seq, opp_IZR, total_Sum.
  rewrite Ropp_mult_distr_l_reverse, (Rmult_comm (Sum _ _) (weighed _ _)), <- !Sum_scale.
  fold (Rminus (Sum (truths q) (fun i => IZR (weights 0%nat) * value M (column q (fun _ => 1%Z) (fun _ => 0%Z) i)))
    (Sum (truths q) (fun i => weighed (ones_of q 0) x * IZR (totals i)))).
  rewrite <- Sum_sub. apply Sum_ext. intros f Hf. rewrite !value_column, <- Sum_scale.
  apply (all_spec _ _) with (i := f) in C; auto. apply same_table_eq in C. rewrite <- C, ones_value by auto.
  rewrite (Rmult_comm (Sum _ _)), <- Sum_scale, <- Sum_sub. apply Sum_ext. intros r Hr. rewrite (Hw f Hf). ring.
Qed.
Lemma prepared_sound : forall ps ys s, (forall p, In p ps -> exists t, In t (rules q) /\ p = prepare q t) -> sound s ->
  sound (absorb_all_prepared q ps ys s).
Proof.
  induction ps as [|p ps IH]; intros ys s Hin Hs; auto. destruct ys as [|y ys]; auto. cbn [absorb_all_prepared].
  apply IH. { intros; apply Hin; right; auto. } destruct (y =? 0)%Z; auto.
  destruct (Hin p (or_introl eq_refl)) as (t & Ht & ->). unfold absorb_prepared, prepare. cbn [fst snd].
  destruct (is_long (terms t) && forallb (in_range q) (terms t)) eqn:C.
  2:{ apply absorb_sound; auto. intros. eapply rule_holds; eauto. }
  apply andb_true_iff in C as [_ C]. destruct s as [[[a c] pd]|].
  2:{ intros ? ? ? E. simpl in E. discriminate. }
  intros a' c' pd' E. destruct (equation t || (0 <=? y)%Z) eqn:D; [|discriminate]. injection E as <- <- <-.
  assert (H : holds M v {| entries := times y (terms t) []; constant := (- (y * right t))%Z; paid := 0%Z |}).
  { apply (rule_holds q M v HM t y); auto. unfold rule_line. rewrite D. reflexivity. }
  unfold holds in H. cbn [entries constant paid] in H. rewrite value_times, opp_IZR in H. simpl (value M []) in H.
  assert (K := load_value q M ltac:(apply HM) (terms t) Empty C). fold x in K. simpl (weighed Empty x) in K.
  specialize (Hs a c pd eq_refl). rewrite weighed_plus, weighed_scaled, K, minus_IZR. lra.
Qed.
Lemma leaf_sound : forall names path l z, (names = None \/ names = names_alike q) ->
  match privacies q with p :: _ => Forall (true_of M (eps p)) path | [] => True end ->
  leaf_bound q fs whole names (lows q) (cuts q) path l = Some z -> is_bound z.
Proof.
  intros names path l z Hn Hpath H. unfold leaf_bound in H.
  set (given := absorb_privacies _ _ _ _ _ _ _) in H.
  destruct (match names with Some b => _ | None => _ end) as [[[t k] p]|] eqn:E; [|discriminate].
  destruct ((0 <? one l)%Z && _) eqn:C; [|discriminate]. injection H as <-. apply andb_true_iff in C as [Ho C].
  apply Z.ltb_lt in Ho.
  assert (G : sound given) by (apply privacies_sound; auto; apply start_sound; auto).
  assert (A : weighed t x + IZR k <= IZR p * v).
  { revert E. destruct names as [b|].
    - apply prepared_sound; auto. intros e He. destruct Hn as [Hn|Hn]; [discriminate|]. unfold names_alike in Hn.
      destruct (all _ _); [|destruct (aim q); discriminate].
      assert (Hp : prepared b = map (prepare q) (rules q)) by (destruct (aim q); inversion Hn; reflexivity).
      rewrite Hp in He. apply in_map_iff in He as (r & <- & Hr). eauto.
    - apply rules_sound; auto. }
  assert (B := least_sound (limit_unit q) t (lows q) (cuts q) x limits_hold). apply IZR_lt in Hlimit.
  assert (D : IZR p * v <= IZR whole * v).
  { destruct HM as (_ & _ & _ & _ & _ & Hv). destruct (aim q); facts; [rewrite C; lra|rewrite C; lra|].
    apply IZR_le in C. apply Rmult_le_compat_r; auto. }
  unfold is_bound. rewrite plus_IZR, mult_IZR.
  apply Rmult_le_compat_l with (r := IZR (limit_unit q)) in A; [|lra]. apply Rmult_le_compat_l with (r := IZR (limit_unit q))
    in D; lra.
Qed.
Lemma tree_sound : forall names t path z, (names = None \/ names = names_alike q) -> match privacies q with p :: _ =>
  Forall (true_of M (eps p)) path | [] => True end ->
  tree_bound q fs whole names (lows q) (cuts q) path t = Some z -> is_bound z.
Proof.
  intros names t. induction t as [l|c kept IHa broken IHb]; intros path z Hn Hpath H; cbn [tree_bound] in H.
  - eapply leaf_sound; eauto.
  - destruct (tree_bound _ _ _ _ _ _ _ kept) as [a|] eqn:Ea; [|discriminate].
    destruct (tree_bound _ _ _ _ _ _ _ broken) as [b|] eqn:Eb; [|discriminate]. injection H as <-. unfold is_bound.
    set (e := match privacies q with p :: _ => eps p | [] => Ratio 0 1 end).
    destruct (Rle_dec (M (at_r c) (at_f c)) (exp (INR (weight c) * real_epsilon e) * M (at_r c) (at_h c))) as [Hk|Hk].
    + apply Rle_trans with (IZR a); [apply IZR_le, Z.le_min_l|]. apply (IHa _ _ Hn) with (2 := Ea). unfold e in Hk.
      destruct (privacies q) as [|p ps]; [exact I|]. constructor; [exact Hk|exact Hpath].
    + apply Rle_trans with (IZR b); [apply IZR_le, Z.le_min_r|]. apply (IHb _ _ Hn) with (2 := Eb). unfold e in Hk.
      destruct (privacies q) as [|p ps]; [exact I|]. constructor; [apply Rnot_le_lt; exact Hk|exact Hpath].
Qed.
End Sound.

Theorem bound_sound : forall q fs whole t z, bound_of q fs whole t = Some z -> forall M v, achieves q M v ->
  IZR z / (IZR whole * IZR (limit_unit q)) <= v.
Proof.
  intros q fs whole t z H M v HM. unfold bound_of in H. destruct (_ && _) eqn:C in H; [|discriminate]. facts.
  assert (A : is_bound q whole v z). { eapply tree_sound; eauto. destruct (privacies q); auto. }
  unfold is_bound in A. apply div_le_l. apply Rmult_lt_0_compat; apply IZR_lt; auto. lra.
Qed.
