(* Differences of neighbours, computed fast. A row counts for no pair where its largest entry is at most e times its
   smallest; and where g has as much as f needs of it, an entry is only compared. Powers of factors are computed once. *)
From Coq Require Import Reals List ZArith Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Table.
Import ListNotations.
Local Open Scope Z_scope.

Record matrix := { entry : nat -> nat -> Z; denominator : Z }.

(* The excess of truth f over e times truth g, in numbers times the denominator of the matrix and that of e = en/ed: in all,
   at one response; and, times the denominator of the matrix alone, the mass of where it does. *)
Definition over (a : matrix) (en ed : Z) (f g r : nat) : Z := entry a r f * ed - entry a r g * en.
Definition excess (m : nat) (a : matrix) (en ed : Z) (f g : nat) : Z := total m (fun r => Z.max 0 (over a en ed f g r)).
Definition mass (m : nat) (a : matrix) (en ed : Z) (f g : nat) : Z :=
  total m (fun r => if 0 <? over a en ed f g r then entry a r f else 0).
Definition pair_kept (m n : nat) (a : matrix) (en ed : Z) (p : definition) (d : Z * Z) (f g : nat) : bool :=
  let '(dn, dd) := d in
  (f <? n)%nat && (g <? n)%nat &&
  match p with
  | OfSets => excess m a en ed f g * dd <=? dn * denominator a * ed
  | OfOutcomes => all m (fun r => over a en ed f g r * dd <=? dn * denominator a * ed)
  | OfMass => mass m a en ed f g * dd <=? dn * denominator a
  end.

(* ---- Rows that count, and what each needs of g *)
Fixpoint extreme (pick : Z -> Z -> Z) (n : nat) (x : nat -> Z) : Z :=
  match n with O => x O | S k => pick (x k) (extreme pick k x) end.
Definition steep (n : nat) (a : matrix) (en ed : Z) (r : nat) : bool :=
  extreme Z.min n (entry a r) * en <? extreme Z.max n (entry a r) * ed.
Definition steep_rows (m n : nat) (a : matrix) (en ed : Z) : list nat := filter (steep n a en ed) (seq 0 m).
Definition needs (a : matrix) (en ed : Z) (f : nat) (rows : list nat) : list (nat * Z) :=
  map (fun r => (r, - (- (entry a r f * ed) / en))) rows.
Definition summed (a : matrix) (g : nat) (x : nat -> Z) (l : list (nat * Z)) : Z :=
  fold_left (fun s e => if snd e <=? entry a (fst e) g then s else s + x (fst e)) l 0.

Definition kept_on (a : matrix) (en ed : Z) (p : definition) (d : Z * Z) (f g : nat) (l : list (nat * Z)) : bool :=
  let '(dn, dd) := d in
  match p with
  | OfSets => summed a g (fun r => Z.max 0 (over a en ed f g r)) l * dd <=? dn * denominator a * ed
  | OfOutcomes => forallb (fun e => (snd e <=? entry a (fst e) g) || (over a en ed f g (fst e) * dd <=? dn * denominator a * ed)) l
  | OfMass => summed a g (fun r => if 0 <? over a en ed f g r then entry a r f else 0) l * dd <=? dn * denominator a
  end.
(* The needs of one truth serve all its neighbours, which are listed together. *)
Fixpoint all_kept (n : nat) (a : matrix) (en ed : Z) (p : definition) (d : Z * Z) (rows : list nat) (last : nat) (l : list (nat * Z))
    (pairs : list (nat * nat * nat)) : bool :=
  match pairs with
  | [] => true
  | (f, g, _) :: rest =>
      let l' := if (f =? last)%nat then l else needs a en ed f rows in
      (f <? n)%nat && (g <? n)%nat && kept_on a en ed p d f g l' && all_kept n a en ed p d rows f l' rest
  end.

Definition of_weight_one (pairs : list (nat * nat * nat)) : bool := forallb (fun e => (snd e =? 1)%nat) pairs.
Definition pairs_kept (m n : nat) (a : matrix) (x : factors) (p : definition) (d : Z * Z) (pairs : list (nat * nat * nat)) : bool :=
  if of_weight_one pairs && (0 <? e_num x) && (0 <? e_den x) && (0 <=? fst d) && (0 <=? denominator a) then
    let rows := steep_rows m n a (e_num x) (e_den x) in
    all_kept n a (e_num x) (e_den x) p d rows O (needs a (e_num x) (e_den x) O rows) pairs
  else
    let up := power (e_num x) in let down := power (e_den x) in let ups := learned up snd pairs in let downs := learned down snd pairs in
    forallb (fun e => let '(f, g, w) := e in pair_kept m n a (recalled up ups w) (recalled down downs w) p d f g) pairs.

(* ---- Why that is the same *)
Lemma extreme_max : forall n x i, (i < n)%nat -> x i <= extreme Z.max n x.
Proof. induction n; intros x i H; simpl. lia. destruct (Nat.eq_dec i n) as [->|]; [lia|]. specialize (IHn x i ltac:(lia)). lia. Qed.
Lemma extreme_min : forall n x i, (i < n)%nat -> extreme Z.min n x <= x i.
Proof. induction n; intros x i H; simpl. lia. destruct (Nat.eq_dec i n) as [->|]; [lia|]. specialize (IHn x i ltac:(lia)). lia. Qed.

Section Same.
Variables (m n : nat) (a : matrix) (en ed : Z) (f g : nat).
Hypothesis Hen : 0 < en.
Hypothesis Hed : 0 < ed.
Hypothesis Hf : (f < n)%nat.
Hypothesis Hg : (g < n)%nat.
Lemma flat : forall r, steep n a en ed r = false -> over a en ed f g r <= 0.
Proof.
  intros r H. unfold steep in H. apply Z.ltb_ge in H. unfold over.
  assert (A := extreme_max n (entry a r) f Hf). assert (B := extreme_min n (entry a r) g Hg).
  apply Z.mul_le_mono_nonneg_r with (p := ed) in A; [|lia]. apply Z.mul_le_mono_nonneg_r with (p := en) in B; lia.
Qed.
Lemma needed : forall r, - (- (entry a r f * ed) / en) <= entry a r g -> over a en ed f g r <= 0.
Proof.
  intros r H. unfold over. assert (A := Z.mul_div_le (- (entry a r f * ed)) en Hen).
  apply Z.mul_le_mono_nonneg_l with (p := en) in H; lia.
Qed.
Lemma summed_total : forall x, (forall r, over a en ed f g r <= 0 -> x r = 0) ->
  summed a g x (needs a en ed f (steep_rows m n a en ed)) = total m x.
Proof.
  intros x Hx. unfold summed, steep_rows.
  enough (E : forall l s, fold_left (fun s e => if snd e <=? entry a (fst e) g then s else s + x (fst e)) (needs a en ed f (filter (steep n a en ed) l)) s
    = s + fold_right (fun r s => x r + s) 0 l).
  { rewrite E. simpl. enough (T : forall k, fold_right (fun r s => x r + s) 0 (seq 0 k) = total k x) by apply T.
    induction k as [|k IH]; auto. rewrite seq_S, fold_right_app. simpl. rewrite <- IH.
    enough (forall l s, fold_right (fun r s => x r + s) s l = fold_right (fun r s => x r + s) 0 l + s) as -> by lia.
    clear. induction l as [|r l IH]; intros s; simpl; [lia|]. rewrite (IH s). lia. }
  induction l as [|r l IH]; intros s; simpl. lia. destruct (steep n a en ed r) eqn:S; simpl.
  - rewrite IH. destruct (Z.leb_spec (- (- (entry a r f * ed) / en)) (entry a r g)) as [L|L]; [|lia]. rewrite Hx by (apply needed; auto). lia.
  - rewrite IH, Hx by (apply flat; auto). lia.
Qed.
Lemma kept_on_right : forall p d, 0 <= fst d -> 0 <= denominator a -> 0 <= snd d ->
  kept_on a en ed p d f g (needs a en ed f (steep_rows m n a en ed)) = true -> pair_kept m n a en ed p d f g = true.
Proof.
  intros p [dn dd] Hd Ha Hdd H. simpl in Hd, Hdd. unfold kept_on in H. unfold pair_kept.
  rewrite (proj2 (Nat.ltb_lt _ _) Hf), (proj2 (Nat.ltb_lt _ _) Hg). simpl. destruct p.
  - rewrite summed_total in H by (intros; lia). exact H.
  - rewrite forallb_forall in H. apply all_true. intros r Hr. apply Z.leb_le.
    assert (P : 0 <= dn * denominator a * ed) by (repeat apply Z.mul_nonneg_nonneg; lia).
    assert (Q : over a en ed f g r <= 0 -> over a en ed f g r * dd <= dn * denominator a * ed).
    { intros Ho. apply Z.le_trans with 0; auto. apply Z.mul_nonpos_nonneg; auto. }
    destruct (steep n a en ed r) eqn:S; [|apply Q, flat; auto].
    specialize (H (r, - (- (entry a r f * ed) / en))). simpl in H. apply orb_true_iff in H as [H|H].
    + apply Q, needed, Z.leb_le, H.
    + apply Z.leb_le, H.
    + apply in_map_iff. exists r. split; auto. apply filter_In. split; auto. apply in_seq. lia.
  - rewrite summed_total in H by (intros r Hr; apply Z.ltb_ge in Hr; rewrite Hr; auto). exact H.
Qed.
End Same.

Lemma pairs_kept_right : forall m n a x p d pairs, 0 <= snd d -> pairs_kept m n a x p d pairs = true ->
  forall f g w, In (f, g, w) pairs -> pair_kept m n a (power (e_num x) w) (power (e_den x) w) p d f g = true.
Proof.
  intros m n a x p d pairs Hdd H f g w Hin. unfold pairs_kept in H. destruct (of_weight_one pairs && _ && _ && _ && _) eqn:C.
  - facts. unfold of_weight_one in *. match goal with A : forallb _ pairs = true |- _ => rewrite forallb_forall in A; specialize (A _ Hin); simpl in A; apply Nat.eqb_eq in A; subst w end.
    simpl power. rewrite !Z.mul_1_r. revert H. set (rows := steep_rows _ _ _ _ _).
    enough (E : forall l last needed, needed = needs a (e_num x) (e_den x) last rows -> In (f, g, 1%nat) l ->
      all_kept n a (e_num x) (e_den x) p d rows last needed l = true -> pair_kept m n a (e_num x) (e_den x) p d f g = true).
    { apply E; auto. }
    induction l as [|[[f' g'] w'] l IH]; intros last l' El Hl H; [destruct Hl|]. cbn [all_kept] in H.
    replace (if (f' =? last)%nat then l' else needs a (e_num x) (e_den x) f' rows) with (needs a (e_num x) (e_den x) f' rows) in H.
    2:{ destruct (Nat.eqb_spec f' last) as [->|]; auto. }
    apply andb_true_iff in H as [H Hrest]. destruct Hl as [Hl|Hl].
    + injection Hl as -> -> _. facts. apply kept_on_right; auto.
    + apply (IH _ _ eq_refl Hl Hrest).
  - rewrite forallb_forall in H. specialize (H _ Hin). simpl in H. rewrite !recalled_right in H. exact H.
Qed.
