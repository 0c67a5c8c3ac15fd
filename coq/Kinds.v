(* Kinds of queries in words: the truths of each, and who is whose neighbour. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Words.
Import ListNotations.
Open Scope R_scope.

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
