(* Losses in words. Responses x, truths t and their distances are integers over a unit u; costs are integers over a unit of
   their own. Each theorem says that an integer over its unit is the loss that the word means. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums.
Open Scope R_scope.

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
