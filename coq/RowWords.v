(* Noise with thresholds in words: the integers of `row` are the losses and weights that the words mean, and a mechanism of
   these integers is one of the words. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Words Noise Steps Losses Chain Costs RowClaims Decayed Tails TailsBound TailsClaims.
Import ListNotations.
Open Scope R_scope.

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
  intros r f H Hr Hf. unfold of_distance in H. cbv zeta in H. apply andb_true_iff in H as [Hw A]. apply andb_true_iff in Hw as [Hw _].
  assert (T : forall i, (i < n)%nat -> x i = t i /\ t i = (t O + Z.of_nat i * (t 1%nat - t O))%Z /\ home i = i).
  { intros i Hi. assert (B := all_spec _ _ A i Hi). cbv beta in B. facts. auto. }
  assert (Hn : (apart r f < n)%nat) by (unfold apart; destruct (r <=? f)%nat; lia).
  assert (U : apart_in_units x t r f = apart_in_units x t (apart r f) O).
  { unfold apart_in_units. destruct (T r Hr) as (-> & -> & _), (T (apart r f) Hn) as (-> & Ea & _), (T f Hf) as (_ & -> & _).
    rewrite Ea. generalize (t 1%nat - t O)%Z as s. intros s. unfold apart. destruct (Nat.leb_spec r f) as [L|L];
    rewrite Nat2Z.inj_sub by lia; [rewrite <- Z.abs_opp|]; f_equal; ring. }
  destruct (T f Hf) as (_ & _ & Hh), (T O ltac:(lia)) as (_ & _ & Ho).
  unfold word. destruct told as [[| | |a b|c k|value c k]|c k v]; simpl; try discriminate; unfold farther; rewrite ?U; auto.
  - rewrite Hh, Ho. unfold apart. destruct (Nat.leb_spec r f), (Nat.eqb_spec r f), (Nat.eqb_spec (f - r) 0),
    (Nat.eqb_spec (r - f) 0); try lia; reflexivity.
  - replace (apart (apart r f) O) with (apart r f); [reflexivity|]. unfold apart at 2. destruct (Nat.leb_spec (apart r f) 0); lia.
Qed.
Lemma units : has_units = true -> (0 < u)%Z /\ meant word /\ weighed w.
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
  { unfold unit_in_words. apply Z.mul_pos_pos; [apply loss_unit_positive; auto|]. unfold weight_unit, weighed in *. destruct w; lia. }
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
