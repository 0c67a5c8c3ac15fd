(* The definitions of privacy in Spec.v compared: sets of responses, single responses, and mass. *)
From Coq Require Import Reals List Lra Lia Bool Arith.
From Optmech Require Import Spec Sums.
Open Scope R_scope.

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
