(* The claims of whole certificates of noise with thresholds, in numbers and in words.

   Noise with thresholds attains what its certificate says: it is a mechanism of the question, with the stated objective.

   attains m n ps zero l unit fs z threshold (on, od) : bool, of data as the file and the question state them, no hints:
   - m responses, n truths, 2 <= m, 1 <= n; privacies ps, each OfSets with delta Some (a, b), which is Some (0, 1) if
     pure; whether zero stays zero; losses l (Steps.v) over `unit`; fs: factors around e^epsilon, one for each of ps;
   - z: noise. Its `cumulative` is F itself over whole = 2^bits, not the increases of F;
   - threshold j is that of response j itself, for j < m - 1, not its increase;
   - on/od: the stated objective, which must be that of Thresholds.loss. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Words Noise Steps Chain Spends Thresholds Decayed Tails TailsBound Prices.
Import ListNotations.
Open Scope R_scope.

Definition attains (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors)
  (z : noise) (threshold : nat -> Z) (claim : Z * Z) : bool :=
  law_ok z && thresholds_ok z m n threshold && (if zero then zero_certain z n threshold else true) &&
  (0 <? unit)%Z && (0 <? snd claim)%Z && signs m n l &&
  (length fs =? length ps)%nat && forallb (spent_within z) (combine ps fs) &&
  (noise_loss z m n l threshold * snd claim =? fst claim * (unit * whole z))%Z.

Lemma Sum_abs : forall n x, Rabs (Sum n x) <= Sum n (fun i => Rabs (x i)).
Proof. induction n; intros x; simpl. rewrite Rabs_R0. lra. eapply Rle_trans; [apply Rabs_triang|]. specialize (IHn x). lra. Qed.

Lemma variation_sound : forall m n l, signs m n l = true ->
  IZR (variation m n l) = Sum (m - 1) (fun j => Sum n (fun f => Rabs (IZR (change (cost_of l) j f)))).
Proof.
  intros m n l H. destruct l as [w d|c h]; cbn [variation].
  2:{ rewrite total_onto_Sum, Rplus_0_l. apply Sum_ext. intros j _. rewrite total_onto_Sum, Rplus_0_l. apply Sum_ext.
      intros f _. symmetry. apply Rabs_Zabs. }
  assert (Sg := fun j f => signs_sound m n (ByDistance w d) j f H). simpl in H. facts. subst m.
  rewrite Sum_swap, minus_IZR, !mult_IZR, !total_onto_Sum, !Rplus_0_l, <- Rmult_assoc, <- Sum_scale, <- Sum_sub.
  apply Sum_ext. intros f Hf. set (c := cost_of (ByDistance w d)).
  assert (A := telescope (n - 1) f (fun r => IZR (c r f)) ltac:(lia)).
  assert (B := telescope (n - 1) (n - 1) (fun r => IZR (c r f)) ltac:(lia)).
  cbv beta in A, B.
  rewrite (Sum_ext _ _ (fun j => (if (j <? n - 1)%nat then IZR (c (S j) f) - IZR (c j f) else 0)
    - 2 * (if (j <? f)%nat then IZR (c (S j) f) - IZR (c j f) else 0))).
  - rewrite Sum_sub, Sum_scale. replace (IZR (w f * (d f + d (n - 1 - f)%nat))) with (IZR (c O f) + IZR (c (n - 1)%nat f)).
    2:{ rewrite <- plus_IZR. f_equal. unfold c, cost_of, apart. simpl (0 <=? f)%nat. cbv iota. rewrite Nat.sub_0_r.
        destruct (Nat.leb_spec (n - 1) f); [replace (n - 1 - f)%nat with (f - (n - 1))%nat by lia|]; ring. }
    replace (2 * IZR (d O) * IZR (w f)) with (2 * IZR (c f f)). 2:{ unfold c, cost_of, apart.
    rewrite Nat.leb_refl, Nat.sub_diag, mult_IZR. ring. }
    lra.
  - intros j Hj. destruct (Sg j f) as [S1 S2]; auto.
    simpl home_of in *. fold c in S1, S2. rewrite <- minus_IZR. fold (change c j f). destruct (Nat.ltb_spec j (n - 1)); [|lia].
    destruct (Nat.ltb_spec j f).
    + specialize (S2 ltac:(lia)). apply IZR_le in S2. rewrite Rabs_left1; lra.
    + specialize (S1 ltac:(lia)). apply IZR_le in S1. rewrite Rabs_right; lra.
Qed.

Section Loss.
Variables (z : noise) (m n : nat) (l : losses) (threshold : nat -> Z).
Hypothesis Hz : law_ok z = true.
Hypothesis Ht : thresholds_ok z m n threshold = true.
Hypothesis Hl : signs m n l = true.
Let p := period z.
Let W := IZR (whole z).
Let rest := Z.max (cumulative z O) (whole z - cumulative z (size z - 1)%nat).
Let y (t : Z) (f : nat) : R := IZR (rounded z (t - p * Z.of_nat f)) / W.

(* F, where it is taken for 0 or 1 *)
Lemma rounded_near : forall t f, (f < n)%nat -> Rabs (y t f - below_threshold z n t f) <= IZR rest / W /\
  (forall start stop, window z n t = (start, stop) -> is_cut z n t start stop = false -> y t f = below_threshold z n t f).
Proof.
  intros t f Hf. destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn & Hfl). fold p in Hp, Hw, Hfl. assert (HW := whole_pos z Hz).
  fold W in HW.
  assert (R0 : IZR (cumulative z O) <= IZR rest) by (apply IZR_le; unfold rest; lia).
  assert (R1 : W - IZR (cumulative z (size z - 1)) <= IZR rest) by (unfold W; rewrite <- minus_IZR; apply IZR_le; unfold rest;
  lia).
  assert (Rp : 0 <= IZR rest / W) by (apply div_nonneg; auto; assert (X := within z Hz O ltac:(lia)); apply IZR_le;
  unfold rest; lia).
  assert (Same : y t f = below_threshold z n t f -> Rabs (y t f - below_threshold z n t f) <= IZR rest / W).
  { intros ->. rewrite Rminus_diag_eq, Rabs_R0; auto. }
  unfold y, below_threshold in Same |- *. fold p in Same |- *. set (place := (t - p * Z.of_nat f)%Z) in *.
  destruct (Z.eqb_spec t (never z)) as [E|E].
  { assert (Q : IZR (rounded z place) / W = 0).
    { unfold rounded. destruct (Z.ltb_spec place (first z)); [unfold Rdiv; ring|]. unfold never, place in *. nia. } split; auto. }
  destruct (Z.eqb_spec t (always z n)) as [G|G].
  { assert (Q : IZR (rounded z place) / W = 1).
    { unfold always in G. fold p in G. assert (last z < place)%Z by (unfold place; nia). unfold rounded.
      destruct (Z.ltb_spec place (first z)); [lia|]. destruct (Z.leb_spec place (last z)); [lia|]. unfold W in *. field. lra.
      } split; auto. }
  assert (Inside : (first z <= place <= last z)%Z -> IZR (rounded z place) / W = below z place).
  { intros I. rewrite below_listed by auto. unfold rounded, listed. destruct (Z.ltb_spec place (first z)); [lia|].
    destruct (Z.leb_spec place (last z)); [reflexivity|lia]. }
  split.
  - destruct (Z.lt_ge_cases place (first z)) as [I|I]; [|destruct (Z.le_gt_cases place (last z)) as [J|J]; [apply Same, Inside;
    lia|]].
    + unfold rounded. destruct (Z.ltb_spec place (first z)); [|lia]. assert (A := below_range z Hz place).
      assert (B := below_grows z Hz place (first z) ltac:(lia)). rewrite (below_listed z (first z)) in B by lia.
      unfold listed in B.
      rewrite Z.sub_diag in B. simpl in B. fold W in B. replace (0 / W - below z place) with (- below z place) by (unfold Rdiv;
      ring).
      rewrite Rabs_Ropp, Rabs_right by lra. eapply Rle_trans; [exact B|]. apply div_le_div; auto. nra.
    + unfold rounded. destruct (Z.ltb_spec place (first z)); [lia|]. destruct (Z.leb_spec place (last z)); [lia|].
      assert (A := below_range z Hz place). assert (B := below_grows z Hz (last z) place ltac:(lia)).
      rewrite (below_listed z (last z)) in B by lia. unfold listed in B.
      replace (Z.to_nat (last z - first z)) with (size z - 1)%nat in B by lia.
      fold W in B |- *. replace (W / W) with 1 by (field; lra). rewrite Rabs_right by lra.
      apply Rle_trans with ((W - IZR (cumulative z (size z - 1))) / W).
      * replace ((W - IZR (cumulative z (size z - 1))) / W) with (1 - IZR (cumulative z (size z - 1)) / W) by (field; lra). lra.
      * apply div_le_div; auto. nra.
  - intros start stop Hwin C. apply Inside. unfold is_cut in C. apply Z.eqb_neq in E, G. rewrite E, G in C. simpl in C.
    apply orb_false_iff in C as [C1 C2]. apply Nat.ltb_ge in C1, C2.
    destruct (window_sound z n Hz t start stop Hwin) as (_ & _ & I & _). apply (I f). lia.
Qed.

(* A step, if every F is near to what it is taken for *)
Lemma step_near : forall j err, (j < m - 1)%nat -> (forall f, (f < n)%nat -> Rabs (y (threshold j) f - below_threshold z n
  (threshold j) f) <= err) ->
  Rabs (adds n (cost_of l) (home_of l j) j (below_threshold z n (threshold j)) * W - IZR (rounded_value z n l j (threshold j))) <=
  W * err * Sum n (fun f => Rabs (IZR (change (cost_of l) j f))).
Proof.
  intros j err Hj H. assert (HW := whole_pos z Hz). fold W in HW. unfold adds, rounded_value.
  rewrite total_Sum, Rmult_comm, <- Sum_scale, <- Sum_sub.
  eapply Rle_trans; [apply Sum_abs|]. rewrite <- Sum_scale. apply Sum_mono. intros f Hf. cbv zeta. specialize (H f Hf).
  set (x := IZR (change (cost_of l) j f)). set (a := below_threshold z n (threshold j) f) in *.
  replace (W * _ - _) with (W * (x * (y (threshold j) f - a))).
  - rewrite !Rabs_mult, (Rabs_right W) by lra. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    rewrite Rmult_comm. apply Rmult_le_compat_r; auto. apply Rabs_pos.
  - unfold y, x. fold p. destruct (f <? home_of l j)%nat; rewrite mult_IZR; [rewrite minus_IZR|rewrite opp_IZR]; fold W; field;
    lra.
Qed.

Variables (ps : list privacy) (zero : bool) (unit : Z).
Hypothesis Hu : (0 < unit)%Z.
(* The integer is the loss, or a little more where F is taken for 0 or 1 and has tails. *)
Theorem loss_sound : let loss := total_loss (row m n ps zero (cost_of l) unit) (with_noise z m n threshold) in
  loss <= IZR (noise_loss z m n l threshold) / (IZR unit * W) /\
  (tail z = 0%Z \/ snd (steps_value z m n l (even_weights n l) threshold) = false -> loss = IZR (noise_loss z m n l threshold)
  / (IZR unit * W)).
Proof.
  intros loss. destruct (thresholds_facts z m n threshold Ht) as [Hm Hn]. assert (HW := whole_pos z Hz). fold W in HW.
  assert (HuR := IZR_lt _ _ Hu).
  assert (L := total_by_steps m n ps zero (cost_of l) unit (home_of l) _ (with_noise_stochastic z m n threshold Hz Ht)
  ltac:(lia) Hu).
  fold loss in L. rewrite <- (loss_constant_sound m n l Hl) in L.
  rewrite (Sum_ext (m - 1) _ (fun j => adds n (cost_of l) (home_of l j) j (below_threshold z n (threshold j)))) in L.
  2:{ intros j Hj. unfold adds. apply Sum_ext. intros f Hf. rewrite (with_noise_up_to z m n threshold Hz Ht) by lia.
  reflexivity. }
  destruct (steps_value_sound z m n l threshold Hz Ht Hl) as (cut & V & C).
  set (err := if cut then IZR rest / W else 0).
  assert (D : Rabs (loss * (IZR unit * W) - IZR (loss_constant m n l * whole z + total (m - 1) (fun j => rounded_value z n l j
  (threshold j))))
    <= W * err * IZR (variation m n l)).
  { rewrite L, plus_IZR, mult_IZR, total_Sum, (variation_sound m n l Hl), <- Sum_scale. fold W.
    set (adding := Sum (m - 1) (fun j => adds _ _ _ _ _)).
    replace ((IZR (loss_constant m n l) + adding) / IZR unit * (IZR unit * W) - _) with (adding * W - Sum (m - 1) (fun i => IZR
    (rounded_value z n l i (threshold i)))) by (field; lra).
    unfold adding. rewrite (Rmult_comm _ W), <- Sum_scale, <- Sum_sub. eapply Rle_trans; [apply Sum_abs|]. apply Sum_mono.
    intros j Hj.
    rewrite (Rmult_comm W (adds _ _ _ _ _)). apply step_near; auto. intros f Hf.
    destruct (rounded_near (threshold j) f Hf) as [N1 N2].
    unfold err. destruct cut; auto. destruct (window z n (threshold j)) as [start stop] eqn:Hwin.
    rewrite (N2 start stop eq_refl (C eq_refl j start stop Hj Hwin)), Rminus_diag_eq, Rabs_R0 by auto. lra. }
  assert (Lz : IZR (noise_loss z m n l threshold) = IZR (loss_constant m n l * whole z + total (m - 1) (fun j => rounded_value
  z n l j (threshold j)))
    + W * err * IZR (variation m n l)).
  { unfold noise_loss. rewrite V. rewrite plus_IZR. f_equal. unfold err. destruct cut.
    - rewrite mult_IZR. fold rest. field. lra. - ring. }
  assert (HuW : 0 < IZR unit * W) by (apply Rmult_lt_0_compat; auto).
  set (exact := IZR (loss_constant m n l * whole z + _)) in *. split.
  - apply le_div_r; auto. assert (X := Rle_abs (loss * (IZR unit * W) - exact)). lra.
  - intros T. assert (Err : err = 0).
    { unfold err. rewrite V in T. destruct cut; auto. destruct T as [T|T]; [|discriminate T].
      enough (rest = 0%Z) as -> by (unfold Rdiv; ring). unfold rest. unfold law_ok in Hz. facts.
      match goal with X : (if (tail z =? 0)%Z then _ else true) = true |- _ => rewrite T in X; simpl in X end. facts. lia. }
    rewrite Err in D, Lz. assert (Y : loss * (IZR unit * W) - exact = 0).
    { destruct (Req_dec (loss * (IZR unit * W) - exact) 0) as [|X]; auto. apply Rabs_pos_lt in X. lra. } rewrite Lz.
      apply Rmult_eq_reg_r with (IZR unit * W); [|lra].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
Qed.
End Loss.

(* With its thresholds the noise is a mechanism of the question, with the stated objective or a smaller one. *)
Theorem noise_sound : forall m n ps zero l unit fs z threshold on od,
  attains m n ps zero l unit fs z threshold (on, od) = true ->
  achieves (row m n ps zero (cost_of l) unit) (with_noise z m n threshold) (IZR on / IZR od).
Proof.
  intros m n ps zero l unit fs z threshold on od H. unfold attains in H. cbn [fst snd] in H. facts.
  assert (Hz : law_ok z = true) by auto. assert (Ht : thresholds_ok z m n threshold = true) by auto.
  assert (HW := whole_pos z Hz).
  assert (HS := with_noise_stochastic z m n threshold Hz Ht). unfold achieves.
  cbn [responses truths rules privacies neighbours aim row].
  split; auto. split; [|split; [|split; [|split]]].
  - intros r f r' f' _ Hf _ Hf' E. cbn [name truths row] in *. apply SuccNat2Pos.inj in E.
    assert (r = r') by nia. subst. f_equal. lia.
  - intros r f low high Hin. destruct Hin.
  - destruct zero; auto. apply Forall_cons; auto. unfold keeps. simpl. rewrite (zero_stays_zero z m n threshold Hz Ht) by auto.
    ring.
  - apply Forall_forall. intros p Hp. apply In_nth with (d := p) in Hp as (i & Hi & E).
    assert (Hlen : length fs = length ps) by auto.
    apply (with_noise_private z m n threshold Hz Ht) with (x := nth i fs (nth i fs {| e_num := 0; e_den := 0; f_num := 0;
    f_den := 0; squarings := 0; fraction_bits := 0 |})).
    match goal with F : forallb (spent_within z) _ = true |- _ => rewrite forallb_forall in F; apply F end.
    rewrite <- E at 1. rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length. lia.
  - destruct (loss_sound z m n l threshold Hz Ht ltac:(auto) ps zero unit ltac:(auto)) as [L _]. eapply Rle_trans; [exact L|].
    assert (Hu : 0 < IZR unit) by (apply IZR_lt; auto). assert (Ho : 0 < IZR od) by (apply IZR_lt; auto).
    apply div_le_div; auto. apply Rmult_lt_0_compat; auto.
    match goal with Q : (_ * od)%Z = _ |- _ => apply (f_equal IZR) in Q; rewrite !mult_IZR in Q; lra end.
Qed.

(* ==== All that a certificate of noise with thresholds claims, in one check and one theorem. *)
(* A question on truths in a row, factors around e^epsilon of each privacy, noise and thresholds, the objective on/od, and
   the tasks that prove the bound (Chain.v): what is returned is the bound, over unit * one. *)
Definition check_row (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors)
  (z : noise) (threshold : nat -> Z) (claim : Z * Z) (one floor : Z) (tasks : list task) : option Z :=
  if attains m n ps zero l unit fs z threshold claim then bound_of_row m n ps zero l unit fs one floor tasks else None.

(* Noise with thresholds is a mechanism of the question, with this objective or a smaller one; and no mechanism of the
   question has an objective below the bound. *)
Theorem row_sound : forall m n ps zero l unit fs z threshold on od one floor tasks b,
  check_row m n ps zero l unit fs z threshold (on, od) one floor tasks = Some b ->
  achieves (row m n ps zero (cost_of l) unit) (with_noise z m n threshold) (IZR on / IZR od) /\
  forall M v, achieves (row m n ps zero (cost_of l) unit) M v -> IZR b / (IZR unit * IZR one) <= v.
Proof.
  intros m n ps zero l unit fs z threshold on od one floor tasks b H. unfold check_row in H.
  destruct (attains _ _ _ _ _ _ _ _ _ _) eqn:A; [|discriminate]. split.
  - eapply noise_sound; eauto.
  - intros M v. eapply row_bound_sound; eauto.
Qed.

(* ==== All that a certificate of noise that is all tails claims, in one check and one theorem. *)
(* A bound is proved by two lines for each step, or by prices of truths. *)
Inductive tails_proof :=
  | Lines (k : walk) (runs : list (nat * nat)) (twofold : bool)
  | Prices (times plus : Z) (left right : decayed) (answers : nat -> nat) (extras : nat -> Z).
Definition check_tails (p : privacy) (x : factors) (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z) (threshold : nat -> Z)
    (place : nat -> nat) (k : walk) (counts : list nat) (t : tails_proof) (objective bound : Z * Z) : bool :=
  tails_attain p x z n w loss unit threshold place k counts objective &&
  match t with
  | Lines k' runs twofold => tails_bound p x n w loss unit (whole z) k' runs twofold bound
  | Prices times plus l r answers extras => prices_bound p x n w loss unit (whole z) times plus l r answers extras bound
  end.

(* Noise with these thresholds is a mechanism of the question, with this objective or a smaller one; and no mechanism of the
   question has an objective below the bound. *)
Theorem tails_sound : forall p x z n w loss unit threshold place k counts t on od bn bd,
  check_tails p x z n w loss unit threshold place k counts t (on, od) (bn, bd) = true ->
  let question := row n n [p] false (cost_of (ByDistance w loss)) unit in
  achieves question (with_noise z n n threshold) (IZR on / IZR od) /\
  forall M v, achieves question M v -> IZR bn / IZR bd <= v.
Proof.
  intros p x z n w loss unit threshold place k counts t on od bn bd H question. unfold check_tails in H.
    apply andb_true_iff in H as [A B].
  split; [eapply tails_attained; eauto|]. intros M v HM. assert (A' := A). unfold tails_attain in A'.
    apply andb_true_iff in A' as [A' _]. facts.
  match goal with Q : question_ok _ _ _ _ _ = true |- _ => destruct (question_facts n w loss unit Q) as (_ & Hu & _) end.
  match goal with Q : walk_ok _ _ _ _ _ _ _ = true |- _ => destruct (walk_facts n w loss _ _ k Q) as (HW & _) end.
  destruct t; [eapply tails_bounded|eapply prices_bounded]; eauto; left; reflexivity.
Qed.

(* ==== Noise with thresholds in words: the integers of `row` are the losses and weights that the words mean, and a mechanism of
   these integers is one of the words. *)
(* ---- Neighbours in a row are all truths within reach 1. *)
Theorem in_a_row_spec : forall n f g w, In (f, g, w) (in_a_row n) <-> In (f, g, w) (within_reach n 1).
Proof.
  intros n f g w. rewrite within_reach_spec. unfold in_a_row. rewrite in_flat_map. split.
  - intros (k & Hk & H). apply in_seq in Hk. destruct H as [H|[H|[]]]; injection H as <- <- <-; lia.
  - intros (Hf & Hg & Hne & Ha & Hb & ->). destruct (Nat.lt_total f g) as [L|[L|L]]; [|lia|].
    + exists f. split; [apply in_seq; lia|]. left. do 2 f_equal. lia.
    + exists g. split; [apply in_seq; lia|]. right. left. do 2 f_equal. lia.
Qed.

(* A loss in words, or listed by distance: entry d at distance d, and the last entry at all that are farther. *)
Inductive row_loss := OfWord (word : loss_word) | OfDistance (c : nat -> Z) (entries : nat) (unit : Z).
Definition in_a_word (l : row_loss) : loss_word :=
  match l with
  | OfWord word => word
  | OfDistance c k unit => OfNoise (fun r f => lesser (apart r f) (k - 1)) c unit
  end.

Section Row.
(* m responses x and n truths t over u, the response at which each truth is at home, a loss, weights, privacies, and whether
   zero stays zero *)
Variables (m n : nat) (u : Z) (x t : nat -> Z) (home : nat -> nat) (told : row_loss) (w : weights_word).
Variables (ps : list privacy) (zero : bool).
Let word := in_a_word told.

(* ---- The meaning *)
Definition expected_loss (M : mechanism) (f : nat) : R := weight w f * Sum m (fun r => loss u x t home word r f * M r f).
Definition row_meant (M : mechanism) (v : R) : Prop :=
  stochastic m n M /\ (zero = true -> M O O = 1) /\
  (forall p f g, In p ps -> (f < n)%nat -> (g < n)%nat -> f = S g \/ g = S f ->
    close (kind p) m M (exp (real_epsilon (eps p))) (match delta p with Some (a, b) => IZR a / IZR b | None => v end) f g) /\
  Sum n (expected_loss M) <= v.

(* ---- The check that integers say the same *)
Definition has_units : bool :=
  (0 <? u)%Z && match word with Beyond _ k | OfMatrix _ k | OfNoise _ _ k => (0 <? k)%Z | _ => true end &&
  match w with Once => true | Evenly k | Weighed _ k => (0 <? k)%Z end.
(* The loss depends on the distance alone, and responses are the truths, each as far from the next. *)
Definition of_distance : bool :=
  match told with OfWord (OfMatrix _ _) | OfWord (OfNoise _ _ _) => false | _ => true end &&
  (m =? n)%nat && (let first := t O in let step := (t 1%nat - first)%Z in
  all n (fun f => (x f =? t f)%Z && (t f =? first + Z.of_nat f * step)%Z && (home f =? f)%nat)).
Definition share (f : nat) : Z := match w with Weighed c _ => c f | _ => 1%Z end.
Definition says (l : losses) (unit : Z) : bool :=
  let whole := unit_in_words u word w in let times := (whole / unit)%Z in
  has_units && (0 <? unit)%Z && (times * unit =? whole)%Z &&
  match l with
  | ByDistance w' d => of_distance &&
      all n (fun i => (w' i =? share i)%Z && (times * d i =? unweighted u x t home word i O)%Z)
  | Listed c _ => all m (fun r => all n (fun f => (times * c r f =? cost_in_words u x t home word w r f)%Z))
  end.

(* ---- They agree. *)
Lemma by_distance : forall r f, of_distance = true -> (r < n)%nat -> (f < n)%nat ->
  unweighted u x t home word r f = unweighted u x t home word (apart r f) O.
Proof.
  intros r f H Hr Hf. unfold of_distance in H. cbv zeta in H. apply andb_true_iff in H as [Hw A].
  apply andb_true_iff in Hw as [Hw _].
  assert (T : forall i, (i < n)%nat -> x i = t i /\ t i = (t O + Z.of_nat i * (t 1%nat - t O))%Z /\ home i = i).
  { intros i Hi. assert (B := all_spec _ _ A i Hi). cbv beta in B. facts. auto. }
  assert (Hn : (apart r f < n)%nat) by (unfold apart; destruct (r <=? f)%nat; lia).
  assert (U : apart_in_units x t r f = apart_in_units x t (apart r f) O).
  { unfold apart_in_units. destruct (T r Hr) as (-> & -> & _), (T (apart r f) Hn) as (-> & Ea & _), (T f Hf) as (_ & -> & _).
    rewrite Ea. generalize (t 1%nat - t O)%Z as s. intros s. unfold apart. destruct (Nat.leb_spec r f) as [L|L];
    rewrite Nat2Z.inj_sub by lia; [rewrite <- Z.abs_opp|]; f_equal; ring. }
  destruct (T f Hf) as (_ & _ & Hh), (T O ltac:(lia)) as (_ & _ & Ho).
  unfold word. destruct told as [[| | |a b|c k|value c k]|c k v]; simpl; try discriminate; unfold farther; rewrite ?U; auto.
  - rewrite Hh, Ho. unfold apart. clear. destruct (Nat.leb_spec r f), (Nat.eqb_spec r f), (Nat.eqb_spec (f - r) 0),
    (Nat.eqb_spec (r - f) 0); try lia; reflexivity.
  - replace (apart (apart r f) O) with (apart r f); [reflexivity|]. unfold apart at 2. destruct (Nat.leb_spec (apart r f) 0); lia.
Qed.
Lemma units : has_units = true -> (0 < u)%Z /\ meant word /\ Words.weighed w.
Proof. unfold has_units. intros H. facts. destruct word, w; simpl in *; facts; auto. Qed.
Lemma says_costs : forall l unit r f, says l unit = true -> (r < m)%nat -> (f < n)%nat ->
  IZR (cost_of l r f) / IZR unit = IZR (cost_in_words u x t home word w r f) / IZR (unit_in_words u word w).
Proof.
  intros l unit r f H Hr Hf. unfold says in H. cbv zeta in H. set (g := (unit_in_words u word w / unit)%Z) in *.
  apply andb_true_iff in H as [H A]. facts. destruct (units ltac:(auto)) as (Hu & Hm & Hw).
  assert (E : (g * cost_of l r f)%Z = cost_in_words u x t home word w r f).
  { destruct l as [w' d|c h]; simpl cost_of.
    - apply andb_true_iff in A as [D A]. assert (Hmn : m = n). { unfold of_distance in D. facts. auto. }
      assert (Hn : (apart r f < n)%nat) by (unfold apart; destruct (r <=? f)%nat; lia).
      assert (A' := all_spec _ _ A (apart r f) Hn). assert (B := all_spec _ _ A f Hf). cbv beta in A', B. facts.
      replace (g * (w' f * d (apart r f)))%Z with (w' f * (g * d (apart r f)))%Z by ring.
      replace (g * d (apart r f))%Z with (unweighted u x t home word (apart r f) O) by auto.
      rewrite <- by_distance by (auto; lia). replace (w' f) with (share f) by auto. unfold cost_in_words, share. destruct w; ring.
    - assert (B := all_spec _ _ (all_spec _ _ A r Hr) f Hf). cbv beta in B. facts. auto. }
  assert (Hp : (0 < unit_in_words u word w)%Z).
  { unfold unit_in_words. apply Z.mul_pos_pos; [apply loss_unit_positive; auto|]. unfold weight_unit, Words.weighed in *.
      destruct w; lia. }
  rewrite <- E. match goal with U : (g * unit = _)%Z |- _ => rewrite <- U in Hp |- * end.
  assert (G : g <> 0%Z) by (intros G; rewrite G in Hp; lia). apply not_0_IZR in G.
  assert (V : IZR unit <> 0) by (apply not_0_IZR; lia). rewrite !mult_IZR. field. auto.
Qed.

(* The expected cost at a truth is its weight times its expected loss. *)
Theorem row_loss_in_words : forall l unit M f, says l unit = true -> (f < n)%nat ->
  loss_at (row m n ps zero (cost_of l) unit) M f = expected_loss M f.
Proof.
  intros l unit M f H Hf. destruct (units) as (Hu & Hm & Hw). { unfold says in H. cbv zeta in H. facts. auto. }
  unfold loss_at, expected_loss. simpl. rewrite <- cost_in_words_spec by auto. apply Sum_ext. intros r Hr.
  rewrite (says_costs l unit r f) by auto. reflexivity.
Qed.

(* A mechanism of the numbers is one of the words. *)
Theorem row_in_words : forall l unit M v, says l unit = true ->
  achieves (row m n ps zero (cost_of l) unit) M v <-> row_meant M v.
Proof.
  intros l unit M v H. unfold achieves, row_meant. cbn [responses truths aim row neighbours privacies rules].
  assert (L : total_loss (row m n ps zero (cost_of l) unit) M = Sum n (expected_loss M)).
  { unfold total_loss. apply Sum_ext. intros f Hf. apply row_loss_in_words; auto. }
  assert (P : Forall (private m (in_a_row n) v M) ps <->
    forall p f g, In p ps -> (f < n)%nat -> (g < n)%nat -> f = S g \/ g = S f ->
    close (kind p) m M (exp (real_epsilon (eps p))) (match delta p with Some (a, b) => IZR a / IZR b | None => v end) f g).
  { rewrite Forall_forall. unfold private. split.
    - intros A p f g Hp Hf Hg Hn. specialize (A p Hp f g 1%nat). rewrite Rmult_1_l in A. apply A. apply in_a_row_spec,
      within_reach_spec. lia.
    - intros A p Hp f g k Hn. apply in_a_row_spec, within_reach_spec in Hn as (Hf & Hg & Hne & Ha & Hb & ->).
      rewrite Rmult_1_l. apply A; auto. lia. }
  assert (Z : Forall (keeps M) (if zero then [certain_zero] else []) <-> (zero = true -> M O O = 1)).
  { destruct zero; split; intros A; try (intros; discriminate); try constructor; auto.
    - intros _. inversion A as [|? ? K _]. unfold keeps in K. simpl in K. lra.
    - unfold keeps. simpl. rewrite A by auto. lra. }
  rewrite L, P, Z. split.
  - intros (S & _ & _ & R). tauto.
  - intros (S & R & Pr & V). split; [auto|]. split.
    { intros r f r' f' _ Hf _ Hf' E. simpl in Hf, Hf', E. apply SuccNat2Pos.inj in E.
      assert (F : f = f'). { rewrite <- (Nat.mod_small f n), <- (Nat.mod_small f' n) by auto.
        rewrite <- (Nat.mod_add f r n), <- (Nat.mod_add f' r' n) by lia. f_equal. lia. }
      subst f'. replace r' with r by nia. reflexivity. }
    split; [intros ? ? ? ? []|]. tauto.
Qed.

(* All that a certificate of noise with thresholds claims, in the words of its question *)
Theorem row_certificate_in_words : forall l unit fs z threshold on od one floor tasks b, says l unit = true ->
  check_row m n ps zero l unit fs z threshold (on, od) one floor tasks = Some b ->
  row_meant (with_noise z m n threshold) (IZR on / IZR od) /\
  forall M v, row_meant M v -> IZR b / (IZR unit * IZR one) <= v.
Proof.
  intros l unit fs z threshold on od one floor tasks b S C. destruct (row_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ C) as [A B].
  split; [apply (row_in_words l unit); auto|]. intros M v H. apply (B M v). apply row_in_words; auto.
Qed.
End Row.

(* The same of noise that is all tails *)
Theorem tails_certificate_in_words : forall n u x t home told w p f z weights at_distance unit threshold place k counts proof
    on od bn bd,
  says n n u x t home told w (ByDistance weights at_distance) unit = true ->
  check_tails p f z n weights at_distance unit threshold place k counts proof (on, od) (bn, bd) = true ->
  row_meant n n u x t home told w [p] false (with_noise z n n threshold) (IZR on / IZR od) /\
  forall M v, row_meant n n u x t home told w [p] false M v -> IZR bn / IZR bd <= v.
Proof.
  intros n u x t home told w p f z weights at_distance unit threshold place k counts proof on od bn bd S C.
  destruct (tails_sound _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ C) as [A B].
  split; [eapply row_in_words; eauto|]. intros M v H. apply (B M v). eapply row_in_words; eauto.
Qed.

(* By hand: truths 1/2, 1, 3/2, absolute loss and uniform weights. Distance d costs d over 6, and neither d over 5 nor d * d. *)
Definition halves (f : nat) : Z := (1 + Z.of_nat f)%Z.
Definition says_of_three := says 3 3 2 halves halves (fun f => f) (OfWord Absolute) (Evenly 3).
Example costs_are_said : says_of_three (ByDistance (fun _ => 1%Z) Z.of_nat) 6 = true.
Proof. reflexivity. Qed.
Example other_unit_is_not_said : says_of_three (ByDistance (fun _ => 1%Z) Z.of_nat) 5 = false.
Proof. reflexivity. Qed.
Example other_cost_is_not_said : says_of_three (ByDistance (fun _ => 1%Z) (fun d => Z.of_nat (d * d))) 6 = false.
Proof. reflexivity. Qed.
Example other_table_is_not_said : says_of_three (Listed (fun r f => Z.of_nat (apart r f) + Z.of_nat (r - 1)) S)%Z 6 = false.
Proof. reflexivity. Qed.
