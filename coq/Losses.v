(* The two forms of a loss on truths in a row, the check of its signs, and its constant part. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps.
Open Scope R_scope.

(* By distance the responses are the truths, and response r costs weight f times `at |r - f|` at truth f. Else costs are
   listed, with the home of each step: the first truth from which on the next response is no worse. *)
Inductive losses := ByDistance (weight at_distance : nat -> Z) | Listed (costs : nat -> nat -> Z) (homes : nat -> nat).
Definition apart (r f : nat) : nat := if (r <=? f)%nat then (f - r)%nat else (r - f)%nat.
Definition cost_of (l : losses) (r f : nat) : Z :=
  match l with ByDistance w d => (w f * d (apart r f))%Z | Listed c _ => c r f end.
Definition home_of (l : losses) (j : nat) : nat := match l with ByDistance _ _ => S j | Listed _ h => h j end.

(* No change is negative before the home, and none is positive from there on. *)
Definition signs (m n : nat) (l : losses) : bool :=
  match l with
  | ByDistance w d => (m =? n)%nat && all n (fun f => 0 <=? w f)%Z && all n (fun i => d i <=? d (S i))%Z
  | Listed c h => all (m - 1) (fun j => let k := h j in
      all n (fun f => if (f <? k)%nat then (c j f <=? c (S j) f)%Z else (c (S j) f <=? c j f)%Z))
  end.
Definition even_weights (n : nat) (l : losses) : bool :=
  match l with ByDistance w _ => let first := w O in all n (fun f => w f =? first)%Z | Listed _ _ => false end.

(* A sum of many numbers, without nested calls *)
Fixpoint total_onto (n : nat) (x : nat -> Z) (s : Z) : Z :=
  match n with O => s | S k => total_onto k x (s + x k)%Z end.
Lemma total_onto_Sum : forall n x s, IZR (total_onto n x s) = IZR s + Sum n (fun i => IZR (x i)).
Proof. induction n; intros x s; simpl. lra. rewrite IHn, plus_IZR. lra. Qed.

(* The loss of responses at the home of each truth, or what takes its place *)
Definition loss_constant (m n : nat) (l : losses) : Z :=
  match l with
  | ByDistance w d => (d O * total_onto n w 0)%Z
  | Listed c h => total_onto (m - 1) (fun j => let k := h j in
      total_onto n (fun f => if (f <? k)%nat then 0%Z else change c j f) 0%Z) (total_onto n (c O) 0%Z)
  end.

Lemma change_before : forall w d j i, (i <= j)%nat -> change (cost_of (ByDistance w d)) j (S j - S i) = (w (j - i)%nat * (d (S i) - d i))%Z.
Proof.
  intros. unfold change, cost_of, apart. replace (S j - S i)%nat with (j - i)%nat by lia.
  destruct (Nat.leb_spec (S j) (j - i)); [lia|]. replace (S j - (j - i))%nat with (S i) by lia.
  destruct (Nat.leb_spec j (j - i)); [replace (j - i - j)%nat with i by lia|replace (j - (j - i))%nat with i by lia]; ring.
Qed.
Lemma change_behind : forall w d j i, change (cost_of (ByDistance w d)) j (S j + i) = (- (w (S j + i)%nat * (d (S i) - d i)))%Z.
Proof.
  intros. unfold change, cost_of, apart. destruct (Nat.leb_spec (S j) (S j + i)); [|lia]. destruct (Nat.leb_spec j (S j + i)); [|lia].
  replace (S j + i - S j)%nat with i by lia. replace (S j + i - j)%nat with (S i) by lia. ring.
Qed.

Lemma signs_sound : forall m n l j f, signs m n l = true -> (j < m - 1)%nat -> (f < n)%nat ->
  ((f < home_of l j)%nat -> (0 <= change (cost_of l) j f)%Z) /\ ((home_of l j <= f)%nat -> (change (cost_of l) j f <= 0)%Z).
Proof.
  intros m n l j f H Hj Hf. destruct l as [w d|c h]; simpl in H.
  - facts. subst m. match goal with A : all n (fun f => (0 <=? w f)%Z) = true |- _ => assert (Hw := all_spec _ _ A f Hf) end.
    match goal with A : all n (fun i => (d i <=? d (S i))%Z) = true |- _ => assert (Hd := all_spec _ _ A) end. cbn beta in *. facts.
    assert (Hd' : forall i, (i < n)%nat -> (0 <= d (S i) - d i)%Z). { intros i Hi. specialize (Hd i Hi). facts. lia. }
    simpl home_of. split; intros H'.
    + replace f with (S j - S (j - f))%nat at 1 by lia. rewrite change_before by lia. replace (j - (j - f))%nat with f by lia.
      apply Z.mul_nonneg_nonneg; auto. apply Hd'. lia.
    + replace f with (S j + (f - S j))%nat by lia. rewrite change_behind. replace (S j + (f - S j))%nat with f by lia.
      specialize (Hd' (f - S j)%nat ltac:(lia)). nia.
  - apply all_spec with (i := j) in H; auto. cbv beta zeta in H. apply all_spec with (i := f) in H; auto. cbv beta in H.
    unfold change. simpl. destruct (Nat.ltb_spec f (h j)); facts; split; lia.
Qed.

Lemma loss_constant_sound : forall m n l, signs m n l = true -> IZR (loss_constant m n l) =
  Sum n (fun f => IZR (cost_of l O f)) +
  Sum (m - 1) (fun j => Sum n (fun f => if (f <? home_of l j)%nat then 0 else IZR (change (cost_of l) j f))).
Proof.
  intros m n l H. destruct l as [w d|c h]; simpl in H |- *.
  - facts. subst m. rewrite mult_IZR, total_onto_Sum, Rplus_0_l, <- Sum_scale, (Sum_swap (n - 1) n), <- Sum_add.
    apply Sum_ext. intros f Hf. assert (T := telescope (n - 1) f (fun r => IZR (w f * d (apart r f))) ltac:(lia)). cbv beta in T.
    replace (apart f f) with O in T by (unfold apart; rewrite Nat.leb_refl; lia). rewrite mult_IZR in T at 1.
    rewrite Rmult_comm, T. f_equal. apply Sum_ext. intros j _. unfold change. rewrite minus_IZR.
    destruct (Nat.ltb_spec j f); destruct (Nat.ltb_spec f (S j)); try lia; reflexivity.
  - rewrite !total_onto_Sum, Rplus_0_l. f_equal. apply Sum_ext. intros j _. rewrite total_onto_Sum, Rplus_0_l. apply Sum_ext.
    intros f _. destruct (f <? h j)%nat; reflexivity.
Qed.

Lemma adds_nonneg : forall m n l j a, signs m n l = true -> (j < m - 1)%nat -> (forall f, (f < n)%nat -> 0 <= a f <= 1) ->
  0 <= adds n (cost_of l) (home_of l j) j a.
Proof.
  intros m n l j a H Hj Ha. unfold adds. apply Sum_nonneg. intros f Hf. destruct (signs_sound m n l j f H Hj Hf) as [Hb Hf'].
  specialize (Ha f Hf). destruct (Nat.ltb_spec f (home_of l j)) as [L|L].
  - apply Rmult_le_pos; [apply IZR_le; auto|lra].
  - specialize (Hf' L). apply IZR_le in Hf'. apply Rmult_le_pos; lra.
Qed.
(* Steps of equal weights look the same, seen from their homes. *)
Lemma even_before : forall m n w d j s i, even_weights n (ByDistance w d) = true -> (j + s < m)%nat -> (m <= n)%nat -> (i <= j)%nat ->
  change (cost_of (ByDistance w d)) (j + s) (S (j + s) - S i) = change (cost_of (ByDistance w d)) j (S j - S i).
Proof.
  intros m n w d j s i H Hj Hm Hi. rewrite !change_before by lia. assert (A := all_spec _ _ H (j - i)%nat ltac:(lia)).
  assert (B := all_spec _ _ H (j + s - i)%nat ltac:(lia)). cbn beta in *. facts. congruence.
Qed.
Lemma even_behind : forall n w d j s i, even_weights n (ByDistance w d) = true -> (S (j + s) + i < n)%nat ->
  change (cost_of (ByDistance w d)) (j + s) (S (j + s) + i) = change (cost_of (ByDistance w d)) j (S j + i).
Proof.
  intros n w d j s i H Hi. rewrite !change_behind. assert (A := all_spec _ _ H (S j + i)%nat ltac:(lia)).
  assert (B := all_spec _ _ H (S (j + s) + i)%nat ltac:(lia)). cbn beta in *. facts. congruence.
Qed.
