(* A table holds an integer for each name: 0 unless it was told another. It is a binary tree along the digits of names. *)
From Coq Require Import Reals List ZArith Lra Lia Bool.
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
