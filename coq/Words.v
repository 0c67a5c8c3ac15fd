(* From words to rules: for each notion what it means, and that the rules which the reader takes from here say just that. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Lines.
Import ListNotations.
Open Scope R_scope.

(* ---- Orders: some entries are at most others. *)
Definition place := (nat * nat)%type.
Definition at_most (a b : place) : rule :=
  {| terms := [(fst a, snd a, 1%Z); (fst b, snd b, (-1)%Z)]; equation := false; right := 0%Z |}.
Lemma at_most_spec : forall M a b, keeps M (at_most a b) <-> M (fst a) (snd a) <= M (fst b) (snd b).
Proof. intros M [r f] [s g]. unfold keeps, at_most. simpl. lra. Qed.

(* The rules of all m rows and n columns, row by row, of which `pick` says the smaller and the larger entry. *)
Definition ordered (m n : nat) (pick : nat -> nat -> option (place * place)) : list rule :=
  flat_map (fun r => flat_map (fun f => match pick r f with Some (a, b) => [at_most a b] | None => [] end) (seq 0 n)) (seq 0 m).
Lemma ordered_spec : forall m n pick M, Forall (keeps M) (ordered m n pick) <->
  forall r f, (r < m)%nat -> (f < n)%nat -> forall a b, pick r f = Some (a, b) -> M (fst a) (snd a) <= M (fst b) (snd b).
Proof.
  intros m n pick M. rewrite Forall_forall. unfold ordered. split.
  - intros H r f Hr Hf a b E. apply at_most_spec, H. apply in_flat_map. exists r. split. { apply in_seq. lia. }
    apply in_flat_map. exists f. split. { apply in_seq. lia. } rewrite E. left. reflexivity.
  - intros H t Ht. apply in_flat_map in Ht as (r & Hr & Ht). apply in_flat_map in Ht as (f & Hf & Ht). apply in_seq in Hr, Hf.
    destruct (pick r f) as [[a b]|] eqn:E; [|destruct Ht]. destruct Ht as [<-|[]]. apply at_most_spec. eapply H; eauto; lia.
Qed.

Section Properties.
Variables (m n : nat) (home : nat -> nat) (M : mechanism).

(* Column-monotone: no decrease up to the home of the truth, no increase from it on. *)
Definition rising (r f : nat) : option (place * place) := if (S r <? m) && (r <? home f) then Some ((r, f), (S r, f)) else None.
Definition falling (r f : nat) : option (place * place) := if (S r <? m) && (home f <=? r) then Some ((S r, f), (r, f)) else None.
Theorem column_monotone_spec :
  Forall (keeps M) (ordered m n rising ++ ordered m n falling) <->
  (forall r f, (S r < m)%nat -> (f < n)%nat -> ((r < home f)%nat -> M r f <= M (S r) f) /\ ((home f <= r)%nat -> M (S r) f <= M r f)).
Proof.
  rewrite Forall_app, !ordered_spec. unfold rising, falling. split.
  - intros [A B] r f Hr Hf. split; intros Hh.
    + apply (A r f ltac:(lia) Hf (r, f) (S r, f)). rewrite (proj2 (Nat.ltb_lt _ _) Hr), (proj2 (Nat.ltb_lt _ _) Hh). reflexivity.
    + apply (B r f ltac:(lia) Hf (S r, f) (r, f)). rewrite (proj2 (Nat.ltb_lt _ _) Hr), (proj2 (Nat.leb_le _ _) Hh). reflexivity.
  - intros H. split; intros r f Hr Hf a b E; destruct (_ && _) eqn:C; try discriminate; injection E as <- <-; facts; simpl; apply H; auto.
Qed.

(* Column-honest: no response is likelier than the one at home. *)
Definition honest_in_column (r f : nat) : option (place * place) := if r =? home f then None else Some ((r, f), (home f, f)).
Theorem column_honest_spec : Forall (keeps M) (ordered m n honest_in_column) <->
  (forall r f, (r < m)%nat -> (f < n)%nat -> M r f <= M (home f) f).
Proof.
  rewrite ordered_spec. unfold honest_in_column. split.
  - intros H r f Hr Hf. destruct (r =? home f) eqn:E. { facts. subst. lra. }
    apply (H r f Hr Hf (r, f) (home f, f)). rewrite E. reflexivity.
  - intros H r f Hr Hf a b E. destruct (r =? home f); [discriminate|]. injection E as <- <-. simpl. auto.
Qed.

(* Row-monotone: along row r no decrease up to where it rises, no increase from where it falls on. *)
Variables last first : nat -> nat.
Definition rising_row (r f : nat) : option (place * place) := if (S f <? n) && (f <? last r) then Some ((r, f), (r, S f)) else None.
Definition falling_row (r f : nat) : option (place * place) := if (S f <? n) && (first r <=? f) then Some ((r, S f), (r, f)) else None.
Theorem row_monotone_spec :
  Forall (keeps M) (ordered m n rising_row ++ ordered m n falling_row) <->
  (forall r f, (r < m)%nat -> (S f < n)%nat -> ((f < last r)%nat -> M r f <= M r (S f)) /\ ((first r <= f)%nat -> M r (S f) <= M r f)).
Proof.
  rewrite Forall_app, !ordered_spec. unfold rising_row, falling_row. split.
  - intros [A B] r f Hr Hf. split; intros Hh.
    + apply (A r f Hr ltac:(lia) (r, f) (r, S f)). rewrite (proj2 (Nat.ltb_lt _ _) Hf), (proj2 (Nat.ltb_lt _ _) Hh). reflexivity.
    + apply (B r f Hr ltac:(lia) (r, S f) (r, f)). rewrite (proj2 (Nat.ltb_lt _ _) Hf), (proj2 (Nat.leb_le _ _) Hh). reflexivity.
  - intros H. split; intros r f Hr Hf a b E; destruct (_ && _) eqn:C; try discriminate; injection E as <- <-; facts; simpl; apply H; auto.
Qed.

(* Row-honest: along the row of the home of g no truth with another home has a larger entry than g. *)
Definition honest_in_row (f g : nat) : option (place * place) := if home f =? home g then None else Some ((home g, f), (home g, g)).
Theorem row_honest_spec : Forall (keeps M) (ordered n n honest_in_row) <->
  (forall f g, (f < n)%nat -> (g < n)%nat -> home f <> home g -> M (home g) f <= M (home g) g).
Proof.
  rewrite ordered_spec. unfold honest_in_row. split.
  - intros H f g Hf Hg Hne. apply (H f g Hf Hg (home g, f) (home g, g)). apply Nat.eqb_neq in Hne. rewrite Hne. reflexivity.
  - intros H f g Hf Hg a b E. destruct (home f =? home g) eqn:C; [discriminate|]. injection E as <- <-. apply Nat.eqb_neq in C. simpl. auto.
Qed.

(* ---- Sums over a column, and over the matrix *)
Definition column_rule (c : nat -> nat -> Z) (eq : bool) (b : Z) (f : nat) : rule :=
  {| terms := map (fun r => (r, f, c r f)) (seq 0 m); equation := eq; right := b |}.
Lemma column_value : forall (c : nat -> Z) f, value M (map (fun r => (r, f, c r)) (seq 0 m)) = Sum m (fun r => IZR (c r) * M r f).
Proof. intros. rewrite map_as_flat, value_seq. apply Sum_ext. intros. simpl. ring. Qed.

(* Unbiased: the mean of column f, responses x and truths t being integers over a unit, is truth f. *)
Theorem unbiased_spec : forall (x t : nat -> Z) f, Sum m (fun r => M r f) = 1 ->
  (keeps M (column_rule (fun r f => (x r - t f)%Z) true 0 f) <-> Sum m (fun r => IZR (x r) * M r f) = IZR (t f)).
Proof.
  intros x t f H1. unfold keeps, column_rule. cbn [terms equation right]. rewrite (column_value (fun r => (x r - t f)%Z)).
  rewrite (Sum_ext m _ (fun r => IZR (x r) * M r f - IZR (t f) * M r f)) by (intros; rewrite minus_IZR; ring).
  rewrite Sum_sub, Sum_scale, H1. lra.
Qed.

(* A loss with a bound a/b, of one truth or in all, costs being integers over a unit. *)
Definition bounded_at (c : nat -> nat -> Z) (unit a b : Z) (f : nat) : rule := column_rule (fun r f => (b * c r f)%Z) false (a * unit)%Z f.
Definition bounded (c : nat -> nat -> Z) (unit a b : Z) : rule :=
  {| terms := flat_map (fun f => map (fun r => (r, f, (b * c r f)%Z)) (seq 0 m)) (seq 0 n); equation := false; right := (a * unit)%Z |}.
Lemma column_loss : forall c unit b f, (0 < unit)%Z ->
  Sum m (fun r => IZR (b * c r f) * M r f) = IZR b * IZR unit * Sum m (fun r => IZR (c r f) / IZR unit * M r f).
Proof.
  intros. apply IZR_lt in H. rewrite <- Sum_scale. apply Sum_ext. intros. rewrite mult_IZR. field. lra.
Qed.
Lemma scaled_le : forall unit a b y, (0 < unit)%Z -> (0 < b)%Z -> (IZR b * IZR unit * y <= IZR (a * unit) <-> y <= IZR a / IZR b).
Proof.
  intros unit a b y Hu Hb. apply IZR_lt in Hu, Hb. rewrite mult_IZR. split; intros H.
  - apply le_div_r; auto. apply Rmult_le_reg_r with (IZR unit); auto. lra.
  - apply Rmult_le_compat_l with (r := IZR b * IZR unit) in H; [|left; apply Rmult_lt_0_compat; auto].
    replace (IZR b * IZR unit * (IZR a / IZR b)) with (IZR a * IZR unit) in H by (field; lra). auto.
Qed.
Theorem bounded_at_spec : forall c unit a b f, (0 < unit)%Z -> (0 < b)%Z ->
  (keeps M (bounded_at c unit a b f) <-> Sum m (fun r => IZR (c r f) / IZR unit * M r f) <= IZR a / IZR b).
Proof.
  intros. unfold keeps, bounded_at, column_rule. cbn [terms equation right].
  rewrite (column_value (fun r => (b * c r f)%Z)), (column_loss c unit) by auto. apply scaled_le; auto.
Qed.
Theorem bounded_spec : forall c unit a b, (0 < unit)%Z -> (0 < b)%Z ->
  (keeps M (bounded c unit a b) <-> Sum n (fun f => Sum m (fun r => IZR (c r f) / IZR unit * M r f)) <= IZR a / IZR b).
Proof.
  intros. unfold keeps, bounded. cbn [terms equation right]. rewrite value_seq.
  rewrite (Sum_ext n _ (fun f => IZR b * IZR unit * Sum m (fun r => IZR (c r f) / IZR unit * M r f))).
  2:{ intros. rewrite (column_value (fun r => (b * c r i)%Z)). apply (column_loss c unit); auto. }
  rewrite Sum_scale. apply scaled_le; auto.
Qed.
End Properties.

(* ---- Neighbours: all truths at most k positions apart, both ways, in order. *)
Definition within_reach (n k : nat) : list (nat * nat * nat) :=
  flat_map (fun f => flat_map (fun g => if (f =? g) || (f + k <? g) || (g + k <? f) || (n <=? g) then [] else [(f, g, 1%nat)]) (seq (f - k) (S (2 * k)))) (seq 0 n).
Theorem within_reach_spec : forall n k f g w, In (f, g, w) (within_reach n k) <->
  ((f < n)%nat /\ (g < n)%nat /\ f <> g /\ (f <= g + k)%nat /\ (g <= f + k)%nat /\ w = 1%nat).
Proof.
  intros. unfold within_reach. rewrite in_flat_map. split.
  - intros (a & Ha & H). apply in_flat_map in H as (b & Hb & H). apply in_seq in Ha, Hb. destruct (_ || _) eqn:C; [destruct H|].
    destruct H as [H|[]]. injection H as -> -> <-. apply orb_false_iff in C as [C Cd]. apply orb_false_iff in C as [C Cc].
    apply orb_false_iff in C as [Ca Cb]. apply Nat.eqb_neq in Ca. apply Nat.ltb_ge in Cb, Cc. apply Nat.leb_gt in Cd. lia.
  - intros (Hf & Hg & Hne & Ha & Hb & ->). exists f. split. { apply in_seq. lia. } apply in_flat_map. exists g. split. { apply in_seq. lia. }
    apply Nat.eqb_neq in Hne. apply Nat.ltb_ge in Ha, Hb. apply Nat.leb_gt in Hg. rewrite Hne, Ha, Hb, Hg. left. reflexivity.
Qed.
