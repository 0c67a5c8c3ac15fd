(* The levels of a noise: its mass, and what leaks of it, leave as little room to them as Cases.v supposes. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Cuts Levels Cases.
Import ListNotations.
Open Scope R_scope.

(* ---- The level of a value of noise x: the first, from `low_level` on, of which e^level times x is x 0 or more; `top_level` + 1
   if none is. *)
Fixpoint first (ok : nat -> bool) (l k : nat) : nat := match k with O => l | S i => if ok l then l else first ok (S l) i end.
Lemma first_range : forall ok k l, (l <= first ok l k <= l + k)%nat.
Proof. induction k; simpl; intros l. lia. destruct (ok l). lia. specialize (IHk (S l)). lia. Qed.
Lemma first_holds : forall ok k l, (first ok l k < l + k)%nat -> ok (first ok l k) = true.
Proof. induction k; simpl; intros l H. lia. destruct (ok l) eqn:E; auto. apply IHk. lia. Qed.
Lemma first_fails : forall ok k l i, (l <= i < first ok l k)%nat -> ok i = false.
Proof. induction k; simpl; intros l i H. lia. destruct (ok l) eqn:E. lia. destruct (Nat.eq_dec i l) as [->|]; auto.
apply (IHk (S l)). lia. Qed.

Section Noise.
Variables (s : levels) (last : nat) (a b : Z) (x : nat -> R) (e d : R).
Hypothesis Hshape : shape_holds s last a b = true.
Hypothesis He : 0 < e.
Hypothesis Hab : e * IZR b <= IZR a.
Hypothesis Hx : forall p, (p < values s)%nat -> 0 <= x p.
Hypothesis Hsum : Sum (values s) x = 1.
Hypothesis Hd : 0 <= d < x 0%nat.
Hypothesis Hleak : forall j, (j < step_count s)%nat ->
  Sum (values s) (fun p => if Rlt_dec (e * x (goes s p j)) (x p) then x p else 0) <= d.
Definition reaches (p l : nat) : bool := if Rle_dec (x 0%nat) (e ^ l * x p) then true else false.
Definition level (p : nat) : nat := first (reaches p) (low_level s p) (S (top_level s p) - low_level s p).

Lemma weight_below : forall l, (l <= last)%nat -> IZR (power_of s l) * e ^ l <= IZR (whole_power s).
Proof.
  induction l as [|l IH]; intros Hl; unfold shape_holds in Hshape; facts.
  - simpl. rewrite Rmult_1_r. apply IZR_le; auto.
  - match goal with A : all last _ = true |- _ => apply all_spec with (i := l) in A; [|lia] end. facts.
    eapply Rle_trans; [|apply IH; lia]. simpl. replace (IZR (power_of s (S l)) * (e * e ^ l))
      with (IZR (power_of s (S l)) * e * e ^ l) by ring.
    apply Rmult_le_compat_r. left; apply pow_lt; auto.
    match goal with A : (power_of s (S l) * a <= power_of s l * b)%Z |- _ => apply IZR_le in A; rewrite !mult_IZR in A end.
    match goal with A : (0 <= power_of s (S l))%Z |- _ => apply IZR_le in A end.
    match goal with A : (0 < b)%Z |- _ => apply IZR_lt in A; apply Rmult_le_reg_r with (IZR b); auto end.
    apply Rmult_le_compat_l with (r := IZR (power_of s (S l))) in Hab; auto. lra.
Qed.
Lemma level_weight : forall p, (p < values s)%nat -> is_value s p = true -> (level p <= top_level s p)%nat ->
  reaches p (level p) = true /\ IZR (power_of s (level p)) * x 0%nat <= IZR (whole_power s) * x p.
Proof.
  intros p Hp V Hl. assert (R : reaches p (level p) = true).
  { apply first_holds. fold (level p). assert (A := first_range (reaches p) (S (top_level s p) - low_level s p) (low_level s p)).
    fold (level p) in A. lia. }
  split; auto. unfold reaches in R. destruct (Rle_dec _ _) as [R'|]; [|discriminate]. assert (T := top_last s last a b Hshape p Hp).
  assert (W := weight_below (level p) ltac:(lia)). assert (N := weight_sign s last a b Hshape (level p) ltac:(lia)).
  apply IZR_le in N.
  assert (A := Hx p Hp). apply Rmult_le_compat_l with (r := IZR (power_of s (level p))) in R'; auto.
  apply Rmult_le_compat_r with (r := x p) in W; lra.
Qed.
Lemma size_pos : (0 < values s)%nat.
Proof. unfold shape_holds in Hshape. facts. auto. Qed.
Lemma one_pos : 0 < IZR (whole_power s).
Proof. unfold shape_holds in Hshape. facts. apply IZR_lt; auto. Qed.

(* A value on level l leaks to one above level l + 1. *)
Lemma leaks_more : forall p j, (p < values s)%nat -> (j < step_count s)%nat -> leaks s level p j = true -> e * x (goes s p j) < x p.
Proof.
  intros p j Hp Hj L. unfold leaks, is_place in L. facts. destruct (level_weight p Hp ltac:(auto) ltac:(auto)) as [R _].
  set (q := goes s p j) in *. assert (Hlow : (low_level s q <= S (low_level s p))%nat).
  { assert (Hs := Hshape). unfold shape_holds in Hs. facts.
    match goal with A : all (step_count s) _ = true |- _ => apply all_spec with (i := j) in A; auto end. facts.
    match goal with A : all (values s) (fun p => negb _ || _ || _) = true |- _ => apply all_spec with (i := p) in A; auto;
      fold q in A end.
    match goal with A : is_value s p = true |- _ => rewrite A in * end.
    assert (V : is_value s q = true) by (unfold is_value; apply Nat.ltb_lt; lia). rewrite V in *. cbn [negb orb] in *. facts.
    auto. }
  assert (F : reaches q (S (level p)) = false).
  { apply first_fails with (k := (S (top_level s q) - low_level s q)%nat) (l := low_level s q). fold (level q). lia. }
  unfold reaches in R, F. destruct (Rle_dec (x 0%nat) (e ^ level p * x p)) as [R'|]; [|discriminate].
  destruct (Rle_dec (x 0%nat) (e ^ S (level p) * x q)) as [|F']; [discriminate|]. apply Rnot_le_lt in F'. simpl in F'.
  assert (P : 0 < e ^ level p) by (apply pow_lt; auto). apply Rmult_lt_reg_l with (e ^ level p); auto. lra.
Qed.
Lemma step_reached : forall j, (j < step_count s)%nat -> level (goes s 0%nat j) = 1%nat.
Proof.
  intros j Hj. assert (Hs := Hshape). unfold shape_holds in Hs. facts.
  match goal with A : all (step_count s) _ = true |- _ => apply all_spec with (i := j) in A; auto end. facts.
  set (q := goes s 0%nat j) in *. unfold level. match goal with A : low_level s q = 1%nat |- _ => rewrite A end.
  match goal with A : top_level s q = 1%nat |- _ => rewrite A end. simpl. unfold reaches.
  destruct (Rle_dec _ _) as [|N]; auto. exfalso.
  apply Rnot_le_lt in N. assert (A := Hleak j Hj).
  assert (B := Sum_member (values s) (fun p => if Rlt_dec (e * x (goes s p j)) (x p) then x p else 0) 0%nat).
  cbv beta in B. fold q in B. destruct (Rlt_dec (e * x q) (x 0%nat)) as [|N']; [|simpl in N; lra].
  enough (x 0%nat <= d) by lra. eapply Rle_trans; [apply B|exact A]; [|apply size_pos].
  intros k Hk. destruct (Rlt_dec _ _); [auto|lra].
Qed.

Theorem levels_fit : fits s (1 / x 0%nat) (d / x 0%nat) level.
Proof.
  assert (H0 : 0 < x 0%nat) by lra. assert (H1 := one_pos).
  constructor.
  - intros p Hp V. assert (Hs := Hshape). unfold shape_holds in Hs. facts.
    match goal with A : all (values s) (fun p => (top_level s p <=? last)%nat && _) = true |- _ => apply all_spec with (i := p) in A;
      auto end. facts.
    assert (A := first_range (reaches p) (S (top_level s p) - low_level s p) (low_level s p)). fold (level p) in A. lia.
  - apply step_reached.
  - apply Rmult_le_reg_r with (x 0%nat); auto. replace (IZR (whole_power s) * (1 / x 0%nat) * x 0%nat)
      with (IZR (whole_power s) * 1) by (field; lra).
    rewrite <- Hsum, <- Sum_scale, plus_IZR. unfold shown_mass. rewrite total_Sum, Rmult_plus_distr_r.
    rewrite (Rmult_comm (Sum _ _)), <- Sum_scale.
    rewrite <- (Sum_pick (values s) 0 (IZR (whole_power s) * x 0%nat) size_pos), <- Sum_add. apply Sum_mono. intros p Hp. cbv beta.
    destruct (Nat.eqb_spec p 0) as [->|].
    + unfold is_within, is_value. assert (Hs := Hshape). unfold shape_holds in Hs. facts.
      match goal with A : top_level s 0 = 0%nat |- _ => rewrite A end.
      simpl. lra.
    + destruct (is_within s level p) eqn:W.
      * unfold is_within in W. facts. destruct (level_weight p Hp ltac:(auto) ltac:(auto)) as [_ R]. lra.
      * assert (0 <= IZR (whole_power s) * x p) by (apply Rmult_le_pos; [lra|auto]). lra.
  - intros j Hj. apply Rmult_le_reg_r with (x 0%nat); auto.
    replace (IZR (whole_power s) * (d / x 0%nat) * x 0%nat) with (IZR (whole_power s) * d) by (field; lra).
    eapply Rle_trans; [|apply Rmult_le_compat_l; [lra|apply (Hleak j Hj)]].
    unfold shown_leak. rewrite total_Sum, (Rmult_comm (Sum _ _)), <- !Sum_scale. apply Sum_mono. intros p Hp.
    destruct (leaks s level p j) eqn:L.
    + assert (A := leaks_more p j Hp Hj L). destruct (Rlt_dec _ _); [|lra]. unfold leaks, is_place in L. facts.
      destruct (level_weight p Hp ltac:(auto) ltac:(auto)) as [_ R]. lra.
    + destruct (Rlt_dec _ _); [|lra]. assert (0 <= IZR (whole_power s) * x p) by (apply Rmult_le_pos; [lra|auto]). lra.
Qed.
End Noise.
