(* A table holds an integer for each name: 0 unless it was told another. It is a binary tree along the digits of names. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums.
Import ListNotations.
Open Scope R_scope.

Inductive table := Empty | Node (even : table) (here : Z) (odd : table).
Definition even t := match t with Empty => Empty | Node a _ _ => a end.
Definition here t := match t with Empty => 0%Z | Node _ v _ => v end.
Definition odd t := match t with Empty => Empty | Node _ _ b => b end.

Fixpoint get (p : positive) (t : table) {struct t} : Z :=
  match t with
  | Empty => 0%Z
  | Node a v b => match p with xH => v | xO p' => get p' a | xI p' => get p' b end
  end.
Fixpoint update (change : Z -> Z) (p : positive) (t : table) : table :=
  match p with
  | xH => Node (even t) (change (here t)) (odd t)
  | xO p' => Node (update change p' (even t)) (here t) (odd t)
  | xI p' => Node (even t) (here t) (update change p' (odd t))
  end.

Lemma get_parts : forall t p, get p t = match p with xH => here t | xO p' => get p' (even t) | xI p' => get p' (odd t) end.
Proof. destruct t; destruct p; reflexivity. Qed.
Lemma get_update : forall change p t, get p (update change p t) = change (get p t).
Proof. induction p; intros t; simpl; rewrite ?IHp, (get_parts t); reflexivity. Qed.
Lemma get_other : forall change p s t, s <> p -> get s (update change p t) = get s t.
Proof.
  induction p; intros s t H; simpl; rewrite (get_parts t); destruct s; auto; try (apply IHp); congruence.
Qed.

(* The sum of the integers times the values that x gives to the names. *)
Fixpoint weighed (t : table) (x : positive -> R) : R :=
  match t with
  | Empty => 0
  | Node a v b => IZR v * x xH + weighed a (fun p => x (xO p)) + weighed b (fun p => x (xI p))
  end.
Lemma weighed_parts : forall t x, weighed t x = IZR (here t) * x xH + weighed (even t) (fun p => x (xO p)) + weighed (odd t) (fun p => x (xI p)).
Proof. destruct t; intros; simpl; ring. Qed.
Lemma weighed_add : forall p c t x, weighed (update (Z.add c) p t) x = weighed t x + IZR c * x p.
Proof. induction p; intros c t x; simpl; rewrite ?IHp, (weighed_parts t), ?plus_IZR; ring. Qed.

(* The least that this can be, times `unit`, where each `unit x` is from its `low` to `unit` less its `cut`. *)
Definition least_of (unit v low cut : Z) : Z := if (0 <=? v)%Z then (v * low)%Z else (v * (unit - cut))%Z.
Fixpoint least (unit : Z) (t low cut : table) : Z :=
  match t with
  | Empty => 0%Z
  | Node a v b => (least_of unit v (here low) (here cut) + least unit a (even low) (even cut) + least unit b (odd low) (odd cut))%Z
  end.
Lemma least_sound : forall unit t low cut x,
  (forall p, IZR (get p low) <= IZR unit * x p <= IZR unit - IZR (get p cut)) ->
  IZR (least unit t low cut) <= IZR unit * weighed t x.
Proof.
  induction t as [|a IHa v b IHb]; intros low cut x H; simpl. - lra.
  - rewrite !plus_IZR.
    assert (A := IHa (even low) (even cut) (fun p => x (xO p)) (fun p => ltac:(specialize (H (xO p)); rewrite (get_parts low), (get_parts cut) in H; exact H))).
    assert (B := IHb (odd low) (odd cut) (fun p => x (xI p)) (fun p => ltac:(specialize (H (xI p)); rewrite (get_parts low), (get_parts cut) in H; exact H))).
    specialize (H xH). rewrite (get_parts low), (get_parts cut) in H.
    enough (IZR (least_of unit v (here low) (here cut)) <= IZR unit * (IZR v * x xH)) by lra.
    unfold least_of. destruct (Z.leb_spec 0 v) as [Hv|Hv]; rewrite mult_IZR, ?minus_IZR.
    + apply IZR_le in Hv. assert (IZR v * IZR (here low) <= IZR v * (IZR unit * x xH)) by (apply Rmult_le_compat_l; lra). lra.
    + apply IZR_lt in Hv. assert (IZR v * (IZR unit - IZR (here cut)) <= IZR v * (IZR unit * x xH)) by (apply Rmult_le_compat_neg_l; lra). lra.
Qed.

(* ---- Tables added up, and times a number; whether two are the same *)
Fixpoint plus (a b : table) : table :=
  match a, b with
  | Empty, t | t, Empty => t
  | Node l v r, Node l' v' r' => Node (plus l l') (v + v') (plus r r')
  end.
Fixpoint scaled (y : Z) (t : table) : table := match t with Empty => Empty | Node a v b => Node (scaled y a) (y * v) (scaled y b) end.
Fixpoint same_table (a b : table) : bool :=
  match a, b with
  | Empty, Empty => true
  | Node l v r, Node l' v' r' => (v =? v')%Z && same_table l l' && same_table r r'
  | _, _ => false
  end.
Lemma weighed_plus : forall a b x, weighed (plus a b) x = weighed a x + weighed b x.
Proof. induction a; destruct b; intros; simpl; rewrite ?plus_IZR, ?IHa1, ?IHa2; ring. Qed.
Lemma weighed_scaled : forall y t x, weighed (scaled y t) x = IZR y * weighed t x.
Proof. induction t; intros; simpl; rewrite ?mult_IZR, ?IHt1, ?IHt2; ring. Qed.
Lemma same_table_eq : forall a b, same_table a b = true -> a = b.
Proof. induction a; destruct b; simpl; intros H; try discriminate; auto. facts. f_equal; auto. Qed.

(* ---- A function of small numbers, computed once for each: one that is not in the table yet is computed. *)
Definition recalled (value : nat -> Z) (t : table) (w : nat) : Z :=
  let v := get (Pos.of_succ_nat w) t in if (v =? 0)%Z then value w else v.
Definition learn (value : nat -> Z) (t : table) (w : nat) : table :=
  let p := Pos.of_succ_nat w in if (get p t =? 0)%Z then let v := value w in update (fun _ => v) p t else t.
Definition learned {A} (value : nat -> Z) (number : A -> nat) (l : list A) : table :=
  fold_left (fun t e => learn value t (number e)) l Empty.
Lemma recalled_right : forall A value (number : A -> nat) l w, recalled value (learned value number l) w = value w.
Proof.
  intros A value number l0. unfold learned.
  enough (H : forall l t, (forall w, recalled value t w = value w) ->
    forall w, recalled value (fold_left (fun t e => learn value t (number e)) l t) w = value w).
  { apply H. reflexivity. }
  induction l as [|e l IH]; intros t Ht; simpl; auto. apply IH. intros w. unfold learn.
  destruct (get (Pos.of_succ_nat (number e)) t =? 0)%Z; auto. unfold recalled.
  destruct (Nat.eq_dec (number e) w) as [<-|Hne].
  - rewrite get_update. destruct (_ =? 0)%Z; auto.
  - rewrite get_other by (intros E; apply SuccNat2Pos.inj in E; auto). apply Ht.
Qed.

(* Places are named row by row; rows are a power of two apart, so that the names of one column are near each other. *)
Fixpoint doubled (fuel n s : nat) : nat :=
  match fuel with O => s | S k => if (n <=? s)%nat then s else doubled k n (s + s) end.
Definition stride (n : nat) : nat := doubled n n 1.
Lemma doubled_enough : forall fuel n s, (0 < s)%nat -> (n <= s + fuel)%nat -> (n <= doubled fuel n s)%nat.
Proof.
  induction fuel; intros n s Hs H; simpl. lia. destruct (Nat.leb_spec n s); auto. apply IHfuel; lia.
Qed.
Lemma stride_enough : forall n, (n <= stride n)%nat.
Proof. intros. apply doubled_enough; lia. Qed.
