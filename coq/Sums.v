(* Finite sums of real numbers and of integers, and checks of all numbers below another. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec.
Import ListNotations.
Open Scope R_scope.

(* Split what a boolean check says into the facts that it checks. *)
Ltac facts := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
  | H : (_ <? _)%nat = true |- _ => apply Nat.ltb_lt in H
  | H : (_ <=? _)%nat = true |- _ => apply Nat.leb_le in H
  | H : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in H
  end.

Lemma Sum_ext : forall n x y, (forall i, (i < n)%nat -> x i = y i) -> Sum n x = Sum n y.
Proof. induction n; simpl; intros x y H; auto. rewrite (IHn x y) by auto. rewrite H by lia. reflexivity. Qed.
Lemma Sum_add : forall n x y, Sum n (fun i => x i + y i) = Sum n x + Sum n y.
Proof. induction n; simpl; intros. ring. rewrite IHn. ring. Qed.
Lemma Sum_sub : forall n x y, Sum n (fun i => x i - y i) = Sum n x - Sum n y.
Proof. induction n; simpl; intros. ring. rewrite IHn. ring. Qed.
Lemma Sum_scale : forall n a x, Sum n (fun i => a * x i) = a * Sum n x.
Proof. induction n; simpl; intros. ring. rewrite IHn. ring. Qed.
Lemma Sum_mono : forall n x y, (forall i, (i < n)%nat -> x i <= y i) -> Sum n x <= Sum n y.
Proof. induction n; simpl; intros x y H. lra. apply Rplus_le_compat; auto. Qed.
Lemma Sum_nonneg : forall n x, (forall i, (i < n)%nat -> 0 <= x i) -> 0 <= Sum n x.
Proof. induction n; simpl; intros x H. lra. apply Rplus_le_le_0_compat; auto. Qed.

Lemma Sum_zero : forall n, Sum n (fun _ => 0) = 0.
Proof. induction n; simpl; lra. Qed.
Lemma Sum_first : forall n x, Sum (S n) x = x O + Sum n (fun i => x (S i)).
Proof. induction n; intros x. simpl; ring. cbn [Sum] in *. rewrite IHn. ring. Qed.
Lemma Sum_swap : forall n m (x : nat -> nat -> R), Sum n (fun i => Sum m (x i)) = Sum m (fun j => Sum n (fun i => x i j)).
Proof. induction n; intros m x; simpl. rewrite Sum_zero. reflexivity. rewrite IHn, <- Sum_add. reflexivity. Qed.

(* The sums of numbers that are not negative grow, and no such number is above the sum. *)
Lemma Sum_grows : forall x m, (forall k, (k < m)%nat -> 0 <= x k) -> forall j i, (i <= j)%nat -> (j <= m)%nat -> Sum i x <= Sum j x.
Proof.
  intros x m H. induction j as [|j IH]; intros i Hi Hj.
  - replace i with O by lia. lra.
  - destruct (Nat.eq_dec i (S j)) as [->|]. lra. simpl. specialize (IH i ltac:(lia) ltac:(lia)). specialize (H j ltac:(lia)). lra.
Qed.
Lemma Sum_member : forall n x i, (forall k, (k < n)%nat -> 0 <= x k) -> (i < n)%nat -> x i <= Sum n x.
Proof.
  intros n x i H Hi. assert (Ha := Sum_grows x n H n (S i) ltac:(lia) ltac:(lia)).
  assert (Hb := Sum_nonneg i x ltac:(intros; apply H; lia)). simpl in Ha. lra.
Qed.

Fixpoint total (n : nat) (x : nat -> Z) : Z :=
  match n with O => 0%Z | S k => (total k x + x k)%Z end.
Lemma total_Sum : forall n x, IZR (total n x) = Sum n (fun i => IZR (x i)).
Proof. induction n; simpl; intros; auto. rewrite plus_IZR, IHn. reflexivity. Qed.
Lemma total_ext : forall n x y, (forall i, (i < n)%nat -> x i = y i) -> total n x = total n y.
Proof. induction n; simpl; intros x y H; auto. rewrite (IHn x y) by auto. rewrite H by lia. reflexivity. Qed.

(* The smaller of two positions, in one comparison: Nat.min counts down from both. *)
Definition lesser (a b : nat) : nat := if (a <=? b)%nat then a else b.
Lemma lesser_min : forall a b, lesser a b = Nat.min a b.
Proof. intros a b. unfold lesser. destruct (Nat.leb_spec a b); lia. Qed.

Fixpoint all (n : nat) (p : nat -> bool) : bool :=
  match n with O => true | S k => p k && all k p end.
Lemma all_spec : forall n p, all n p = true -> forall i, (i < n)%nat -> p i = true.
Proof.
  induction n; simpl; intros p H i Hi. lia. apply andb_true_iff in H as [Ha Hb].
  destruct (Nat.eq_dec i n) as [->|]; auto. apply IHn; auto; lia.
Qed.
Lemma all_true : forall n p, (forall i, (i < n)%nat -> p i = true) -> all n p = true.
Proof. induction n; simpl; intros p H; auto. rewrite H by lia. apply IHn. auto. Qed.
Fixpoint any (n : nat) (p : nat -> bool) : bool :=
  match n with O => false | S k => p k || any k p end.
Lemma any_spec : forall n p, any n p = true -> exists i, (i < n)%nat /\ p i = true.
Proof.
  induction n; simpl; intros p H. discriminate. apply orb_true_iff in H as [H|H]. eauto.
  destruct (IHn p H) as (i & Hi & Hp). exists i; split; auto.
Qed.

Fixpoint power (x : Z) (k : nat) : Z := match k with O => 1%Z | S j => (x * power x j)%Z end.
Lemma power_IZR : forall k x, IZR (power x k) = IZR x ^ k.
Proof. induction k; simpl; intros; auto. rewrite mult_IZR, IHk. reflexivity. Qed.

Lemma floor_below : forall a b, (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros a b Hb. assert (H := Z.mul_div_le a b Hb). apply IZR_le in H. rewrite mult_IZR in H. apply IZR_lt in Hb.
  apply Rmult_le_reg_l with (IZR b); auto. replace (IZR b * (IZR a / IZR b)) with (IZR a) by (field; lra). lra.
Qed.
Lemma div_le_div : forall a b c d, 0 < b -> 0 < d -> a * d <= c * b -> a / b <= c / d.
Proof.
  intros a b c d Hb Hd H. apply Rmult_le_reg_r with (b * d). apply Rmult_lt_0_compat; auto.
  replace (a / b * (b * d)) with (a * d) by (field; lra). replace (c / d * (b * d)) with (c * b) by (field; lra). auto.
Qed.
Lemma div_nonneg : forall a b, 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros a b Ha Hb. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto. Qed.
Lemma div_le_l : forall a b c, 0 < b -> a <= c * b -> a / b <= c.
Proof. intros. replace c with (c / 1) by field. apply div_le_div; lra. Qed.
Lemma le_div_r : forall a b c, 0 < b -> a * b <= c -> a <= c / b.
Proof. intros. replace a with (a / 1) by field. apply div_le_div; lra. Qed.
