(* Limits of entries in words: accuracies, responses within a distance of the truth, responses that are not used, and zero
   that stays zero. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Costs.
Import ListNotations.
Open Scope R_scope.

(* Accuracies p are integers over the unit of limits; a distance is a/b. *)
Inductive limit_word := AtLeast (p : Z) | Exactly (p : Z) | Within (a b : Z) | Without (rs : nat -> bool) | ZeroStaysZero.

Section Limits.
Variables (m n : nat) (home : nat -> nat).
Variables (u : Z) (x t : nat -> Z). (* responses and truths over a unit, as in Costs.v *)
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
  | AtLeast _ => forall f, (f < n)%nat -> (home f < m)%nat
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
