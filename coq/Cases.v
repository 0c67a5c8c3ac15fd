(* Proofs on levels by cases: each leaf proves a bound of all noises of its case, and a tree the least of its leaves'. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Levels.
Import ListNotations.
Open Scope Z_scope.

(* Below the first case the level of p is at most l, below the second more. With mirror images: below `both` that of p and
   of its image is at most l, below `neither` more, below `alone` that of p alone is at most l. *)
Inductive cases :=
  Multiplied (y : level_multipliers) | Decided (p l : nat) (yes no : cases) | Imaged (p l : nat) (both neither alone : cases).

Definition is_step (s : levels) (p : nat) : bool := any (step_count s) (fun j => (p =? goes s 0 j)%nat).

(* ---- The check of levels, once. The power of level 1 is at most that of level 0 times b/a, and so on. *)
Definition cut_rooms (s : levels) (leak_room mass_room : Z) : bool :=
  let room := mass_room - total (values s) (fun p => if is_step s p then 1 else 0) * power_of s 1 in
  all (leak_cuts s) (fun k => cut_holds (power_of s) 1 leak_room (leak_cut s k)) &&
  all (mass_cuts s) (fun k => cut_holds (power_of s) 2 room (mass_cut s k)).
Definition shape_holds (s : levels) (last : nat) (a b : Z) : bool :=
  (0 <? values s)%nat && (top_level s 0 =? 0)%nat && (0 <? whole_power s) && (0 <? a) && (0 <? b) &&
  (0 <=? power_of s 0) && (power_of s 0 <=? whole_power s) &&
  all last (fun l => (0 <=? power_of s (S l)) && (power_of s (S l) * a <=? power_of s l * b)) &&
  all (values s) (fun p => (top_level s p <=? last)%nat && (low_level s p <=? S (top_level s p))%nat) &&
  all (step_count s) (fun j => (low_level s (goes s 0 j) =? 1)%nat && (top_level s (goes s 0 j) =? 1)%nat &&
    all (values s) (fun p => (goes s p j <? values s)%nat && (comes s p j <? values s)%nat &&
      (comes s (goes s p j) j =? p)%nat && (goes s (comes s p j) j =? p)%nat) &&
    all (values s) (fun p => negb (is_value s p) || negb (is_value s (goes s p j)) ||
      (low_level s (goes s p j) <=? S (low_level s p))%nat)).
Definition is_mirrored (s : levels) : bool :=
  (image s 0 =? 0)%nat &&
  all (values s) (fun p => (image s p <? values s)%nat && (image s (image s p) =? p)%nat &&
    (top_level s (image s p) =? top_level s p)%nat && (low_level s (image s p) =? low_level s p)%nat) &&
  all (step_count s) (fun j => (mate s j <? step_count s)%nat &&
    all (values s) (fun p => (goes s (image s p) (mate s j) =? image s (goes s p j))%nat)).
Definition is_symmetric (s : levels) (lo hi : nat -> nat) : bool :=
  all (values s) (fun p => (lo (image s p) =? lo p)%nat && (hi (image s p) =? hi p)%nat).

(* ---- Fractions, with a denominator above zero. A leaf pays `den` for each unit of what is sought, and shows `num`. *)
Definition fraction := (Z * Z)%type.
Definition smaller (x y : fraction) : fraction := if fst x * snd y <=? fst y * snd x then x else y.
Definition capped (cap paid : fraction) : fraction :=
  if fst paid <=? 0 then (0, 1) else if fst cap * snd paid <=? fst paid * snd cap then cap else paid.
Definition set (at_p v : nat) (f : nat -> nat) (p : nat) : nat := if (p =? at_p)%nat then v else f p.

Section Value.
Variables (s : levels) (cap : fraction) (pays : level_multipliers -> Z -> fraction) (mirrored : bool).
Definition both_of (x y : option fraction) : option fraction :=
  match x, y with Some a, Some b => Some (smaller a b) | _, _ => None end.
Fixpoint value_of (c : cases) (lo hi : nat -> nat) : option fraction :=
  match c with
  | Multiplied y => Some (capped cap (pays y (least_sum s y lo hi)))
  | Decided p l yes no => both_of (value_of yes lo (set p l hi)) (value_of no (set p (S l) lo) hi)
  | Imaged p l both neither alone =>
    let q := image s p in
    if mirrored && (p <? values s)%nat && is_symmetric s lo hi then
      both_of (value_of both lo (set p l (set q l hi)))
        (both_of (value_of neither (set p (S l) (set q (S l) lo)) hi) (value_of alone (set q (S l) lo) (set p l hi)))
    else None
  end.
End Value.

Open Scope R_scope.
Definition at_most (x : fraction) (v : R) : Prop := (0 < snd x)%Z /\ IZR (fst x) <= IZR (snd x) * v.

Lemma smaller_sign : forall x y, (0 < snd x)%Z -> (0 < snd y)%Z -> (0 < snd (smaller x y))%Z.
Proof. intros. unfold smaller. destruct (_ <=? _)%Z; auto. Qed.
Lemma smaller_left : forall x y v, (0 < snd y)%Z -> at_most x v -> at_most (smaller x y) v.
Proof.
  intros [a b] [c d] v Hd [Hb H]. unfold smaller. cbn [fst snd] in *. destruct (Z.leb_spec (a * d) (c * b)) as [|L]; split; auto.
  cbn [fst snd]. apply IZR_lt in L, Hb, Hd. rewrite !mult_IZR in L.
  apply Rmult_le_reg_r with (IZR b); auto. apply Rmult_le_compat_r with (r := IZR d) in H; lra.
Qed.
Lemma smaller_right : forall x y v, (0 < snd x)%Z -> at_most y v -> at_most (smaller x y) v.
Proof.
  intros [a b] [c d] v Hb [Hd H]. unfold smaller. cbn [fst snd] in *. destruct (Z.leb_spec (a * d) (c * b)) as [L|]; split; auto.
  cbn [fst snd]. apply IZR_lt in Hb, Hd. apply IZR_le in L. rewrite !mult_IZR in L.
  apply Rmult_le_reg_r with (IZR d); auto. apply Rmult_le_compat_r with (r := IZR b) in H; lra.
Qed.
Lemma capped_sound : forall cap paid v, (0 < fst cap)%Z -> (0 < snd cap)%Z -> (0 <= snd paid)%Z -> 0 <= v ->
  (0 < snd (capped cap paid))%Z /\
  (IZR (fst cap) <= IZR (snd cap) * v \/ IZR (fst paid) <= IZR (snd paid) * v -> at_most (capped cap paid) v).
Proof.
  intros [a b] [c d] v Ha Hb Hd Hv. unfold capped, at_most. cbn [fst snd] in *.
  destruct (Z.leb_spec c 0) as [|Hc]. { cbn [fst snd]. split; [lia|intros _; split; [lia|lra]]. }
  destruct (Z.leb_spec (a * d) (c * b)) as [L|L]; cbn [fst snd].
  - split; auto. intros [H|H]; split; auto. apply IZR_lt in Hc, Hb. apply IZR_le in L, Hd. rewrite !mult_IZR in L.
    assert (0 < IZR d). { destruct Hd as [|E]; auto. rewrite <- E in H. lra. }
    apply Rmult_le_reg_r with (IZR d); auto. apply Rmult_le_compat_r with (r := IZR b) in H; lra.
  - assert (Hd' : (0 < d)%Z) by nia. split; auto. intros [H|H]; split; auto.
    apply IZR_lt in Hb, L, Hd'. rewrite !mult_IZR in L.
    apply Rmult_le_reg_r with (IZR b); auto. apply Rmult_le_compat_r with (r := IZR d) in H; lra.
Qed.

Section Proof.
Variables (s : levels) (last : nat) (a b : Z) (leak_room mass_room : Z).
Variables (cap : fraction) (pays : level_multipliers -> Z -> fraction) (mirrored : bool).
Variables (T B X : R).
Hypothesis Hshape : shape_holds s last a b = true.
Hypothesis Hrooms : cut_rooms s leak_room mass_room = true.
Hypothesis Hmirrored : mirrored = true -> is_mirrored s = true.
Hypothesis Hcap : (0 < fst cap)%Z /\ (0 < snd cap)%Z.
Hypothesis HX : 0 <= X.
(* Where what is sought is below the cap, cuts have room. *)
Hypothesis Hleak_room : forall z, IZR (snd cap) * X < IZR (fst cap) -> IZR z <= IZR (whole_power s) * B -> (z <= leak_room)%Z.
Hypothesis Hmass_room : forall z, IZR (snd cap) * X < IZR (fst cap) -> IZR (whole_power s + z) <= IZR (whole_power s) * T ->
  (z <= mass_room)%Z.
Hypothesis Hsign : forall y z, (0 <= snd (pays y z))%Z.
Hypothesis Hpays : forall y z, IZR z <= IZR (whole_power s) * (IZR (m_of y) * T + IZR (total (step_count s) (b_of y)) * B) ->
  IZR (fst (pays y z)) <= IZR (snd (pays y z)) * X.

Record fits (t : nat -> nat) : Prop := {
  from_root : in_range s t (low_level s) (fun p => S (top_level s p));
  at_steps : forall j, (j < step_count s)%nat -> t (goes s 0 j) = 1%nat;
  mass_fits : IZR (whole_power s + shown_mass s t) <= IZR (whole_power s) * T;
  leaks_fit : forall j, (j < step_count s)%nat -> IZR (shown_leak s t j) <= IZR (whole_power s) * B }.

Lemma way : forall j, (j < step_count s)%nat -> onto (values s) (fun p => goes s p j) (fun p => comes s p j).
Proof.
  intros j Hj. unfold shape_holds in Hshape. facts.
  match goal with A : all (step_count s) _ = true |- _ => apply all_spec with (i := j) in A; auto end.
  facts. apply onto_check. auto.
Qed.
Lemma weight_sign : forall l, (l <= last)%nat -> (0 <= power_of s l)%Z.
Proof.
  intros l Hl. unfold shape_holds in Hshape. facts. destruct l as [|l]; auto.
  match goal with A : all last _ = true |- _ => apply all_spec with (i := l) in A; [|lia] end. facts. auto.
Qed.
Lemma top_last : forall p, (p < values s)%nat -> (top_level s p <= last)%nat.
Proof.
  intros p Hp. unfold shape_holds in Hshape. facts.
  match goal with A : all (values s) (fun p => (top_level s p <=? last)%nat && _) = true |- _ =>
    apply all_spec with (i := p) in A;
    auto end. facts. auto.
Qed.
Lemma shape_sound : sound s.
Proof.
  constructor.
  - apply way.
  - intros p l Hp Hl. apply weight_sign. assert (A := top_last p Hp). lia.
  - unfold shape_holds in Hshape. facts. lia.
  - intros k Hk. unfold cut_rooms in Hrooms. facts.
    match goal with A : all (leak_cuts s) _ = true |- _ => apply all_spec with (i := k) in A; auto; unfold cut_holds in A end.
    facts.
    unfold has_no_minus. apply forallb_forall. intros e He.
    match goal with A : forallb _ _ = true |- _ => rewrite forallb_forall in A; specialize (A e He) end. facts. apply Z.leb_le.
    auto.
Qed.

Lemma cuts_fit : forall t, fits t -> IZR (snd cap) * X < IZR (fst cap) -> cuts_kept s t.
Proof.
  intros t F HXc. assert (HC := Hrooms). unfold cut_rooms in HC. apply andb_true_iff in HC as [HL HM]. split.
  - intros k j Hk Hj. apply cut_sound with (first := 1%nat) (power := power_of s) (room := leak_room).
    + apply Hleak_room; auto. apply (leaks_fit t F); auto.
    + intros p Hp E. apply weight_sign. unfold leaks, is_place in E. facts. assert (A := top_last p Hp). lia.
    + apply (all_spec _ _ HL k Hk).
  - intros k Hk. set (steps_of := total (values s) (fun p => if is_step s p then 1%Z else 0%Z)) in *.
    assert (A := all_spec _ _ HM k Hk). cbv beta in A.
    assert (E : forall p, (if is_within s t p then coefficient (mass_cut s k) (t p) else 0%Z) =
      (if is_within s t p && (2 <=? t p)%nat then coefficient (mass_cut s k) (t p) else 0%Z)).
    { intros p. destruct (is_within s t p); auto. cbn [andb]. destruct (Nat.leb_spec 2 (t p)) as [|Hl]; auto.
      unfold cut_holds in A. facts. unfold coefficient.
      assert (G : forall l x, increase x (map fst l) = true -> (t p < x)%nat ->
        fold_right (fun (e : nat * Z) s => if (fst e =? t p)%nat then (snd e + s)%Z else s) 0%Z l = 0%Z).
      { induction l as [|[i c] l IH]; cbn [map fst increase fold_right snd]; intros x Hi Hx; auto. facts.
        destruct (Nat.eqb_spec i (t p)). lia. apply (IH (S i)); auto. lia. }
      eapply G; eauto. }
    rewrite (total_ext _ _ _ (fun p _ => E p)).
    apply cut_sound with (first := 2%nat) (power := power_of s) (room := (mass_room - steps_of * power_of s 1)%Z); auto.
    + assert (M := Hmass_room (shown_mass s t) HXc (mass_fits t F)).
      enough (total (values s) (fun p => if is_within s t p && (2 <=? t p)%nat
        then power_of s (t p) else 0) + power_of s 1 * steps_of <= shown_mass s t)%Z by lia.
      unfold steps_of, shown_mass. rewrite <- total_scale, <- total_add. apply total_mono. intros p Hp.
      destruct (is_step s p) eqn:Es.
      * apply any_spec in Es as (j & Hj & Es). facts. subst p. assert (H1 := at_steps t F j Hj). unfold is_within, is_value.
        rewrite H1.
        assert (T1 : top_level s (goes s 0 j) = 1%nat).
        { unfold shape_holds in Hshape. facts. match goal with A : all (step_count s) _ = true |- _ => apply all_spec
            with (i := j) in A; auto end. facts. auto. }
        rewrite T1. cbn. lia.
      * destruct (is_within s t p) eqn:W; cbn [andb]; [|lia]. unfold is_within in W. facts.
        assert (N := weight_sign (t p) ltac:(assert (L := top_last p Hp); lia)). destruct (2 <=? t p)%nat; lia.
    + intros p Hp W. apply weight_sign. unfold is_within in W. facts. assert (L := top_last p Hp). lia.
Qed.

(* ---- The mirror image of levels. *)
Lemma image_sound : is_mirrored s = true -> onto (values s) (image s) (image s) /\
  (forall p, (p < values s)%nat -> top_level s (image s p) = top_level s p /\ low_level s (image s p) = low_level s p) /\
  (forall j, (j < step_count s)%nat -> (mate s j < step_count s)%nat /\ forall p, (p < values s)%nat ->
    goes s (image s p) (mate s j) =
    image s (goes s p j)).
Proof.
  intros H. unfold is_mirrored in H. facts. match goal with A : all (step_count s) _ = true |- _ => rename A into HJ end.
  assert (E : forall p, (p < values s)%nat -> (image s p < values s)%nat /\ image s (image s p) = p /\ top_level s (image s p) =
    top_level s p /\ low_level s (image s p) = low_level s p).
  { intros p Hp. match goal with A : all (values s) _ = true |- _ => apply all_spec with (i := p) in A; auto end. facts. auto. }
  split; [|split].
  - intros p Hp. specialize (E p Hp). tauto.
  - intros p Hp. specialize (E p Hp). tauto.
  - intros j Hj. apply all_spec with (i := j) in HJ; auto. facts. split; auto. intros p Hp.
    match goal with A : all (values s) _ = true |- _ => apply all_spec with (i := p) in A; auto; apply Nat.eqb_eq in A;
      exact A end.
Qed.
Lemma image_fits : is_mirrored s = true -> forall t, fits t -> fits (fun p => t (image s p)).
Proof.
  intros H t F. destruct (image_sound H) as (HO & HT' & HJ'). unfold is_mirrored in H. facts.
  assert (HV : forall p, (p < values s)%nat -> is_value s (image s p) = is_value s p).
  { intros p Hp. unfold is_value. destruct (HT' p Hp) as [-> _]. auto. }
  assert (Hsize : (0 < values s)%nat) by (unfold shape_holds in Hshape; facts; auto).
  constructor.
  - intros p Hp V. destruct (HO p Hp) as (Hi & _). destruct (HT' p Hp) as [E1 E2]. rewrite <- E1, <- E2.
    apply (from_root t F); auto. rewrite HV; auto.
  - intros j Hj. destruct (HJ' j Hj) as [Hm G]. rewrite <- G by auto. match goal with E : image s 0 = 0%nat |- _ => rewrite E end.
    apply (at_steps t F); auto.
  - replace (shown_mass s (fun p => t (image s p))) with (shown_mass s t). apply (mass_fits t F).
    unfold shown_mass. rewrite <- (total_onto _ _ _ (fun p => if is_within s t p then power_of s (t p) else 0%Z) HO).
    apply total_ext. intros p Hp. unfold is_within. rewrite HV by auto. destruct (HT' p Hp) as [-> _]. auto.
  - intros j Hj. destruct (HJ' j Hj) as [Hm G]. replace (shown_leak s (fun p => t (image s p)) j)
      with (shown_leak s t (mate s j)).
    apply (leaks_fit t F); auto.
    unfold shown_leak. rewrite <- (total_onto _ _ _ (fun p => if leaks s t p (mate s j) then power_of s (t p) else 0%Z) HO).
    apply total_ext. intros p Hp. destruct (way j Hj p Hp) as (Hg & _). unfold leaks, is_place. rewrite HV, G by auto.
    destruct (HT' p Hp) as [-> ->]. destruct (HT' _ Hg) as [-> _]. auto.
Qed.

Lemma set_range : forall t lo hi p x, in_range s t lo hi ->
  ((t p <= x)%nat -> in_range s t lo (set p x hi)) /\ ((x <= t p)%nat -> in_range s t (set p x lo) hi).
Proof.
  intros t lo hi p x H. split; intros Hx q Hq V; specialize (H q Hq V); unfold set; destruct (Nat.eqb_spec q p) as [->|]; lia.
Qed.
Lemma both_sound : forall x y z, both_of x y = Some z -> exists u v, x = Some u /\ y = Some v /\ z = smaller u v.
Proof. intros [u|] [v|] z H; try discriminate. injection H as <-. eauto. Qed.

Theorem value_sound : forall c lo hi z, value_of s cap pays mirrored c lo hi = Some z ->
  (0 < snd z)%Z /\ forall t, fits t -> in_range s t lo hi -> at_most z X.
Proof.
  induction c as [y|p l yes IHa no IHb|p l both IHa neither IHb alone IHc]; intros lo hi z H; cbn [value_of] in H.
  - injection H as <-. destruct Hcap as [Ha Hb].
    destruct (capped_sound cap (pays y (least_sum s y lo hi)) X Ha Hb (Hsign _ _) HX) as [P Q]. split; auto.
    intros t F R. apply Q. destruct (Rle_dec (IZR (fst cap)) (IZR (snd cap) * X)) as [|N]; [auto|right]. apply Hpays.
    assert (L := least_sum_sound s y t lo hi shape_sound (from_root t F) R (cuts_fit t F ltac:(lra))). apply IZR_le in L.
    rewrite plus_IZR, mult_IZR, total_Sum in L. eapply Rle_trans; [exact L|].
    assert (M := mass_fits t F). assert (0 <= IZR (m_of y)) by (apply IZR_le; unfold m_of; lia).
    assert (A : IZR (m_of y) * IZR (whole_power s + shown_mass s t) <= IZR (m_of y) * (IZR (whole_power s) * T))
      by (apply Rmult_le_compat_l; auto).
    enough (Sum (step_count s) (fun j => IZR (b_of y j * shown_leak s t j)) <=
      IZR (whole_power s) * B * IZR (total (step_count s) (b_of y))) by lra.
    rewrite total_Sum, <- Sum_scale. apply Sum_mono. intros j Hj. rewrite mult_IZR, Rmult_comm.
    apply Rmult_le_compat_r. apply IZR_le; unfold b_of; lia. apply (leaks_fit t F); auto.
  - apply both_sound in H as (u & v & Hu & Hv & ->). destruct (IHa _ _ _ Hu) as [Pu Qu]. destruct (IHb _ _ _ Hv) as [Pv Qv].
    split. apply smaller_sign; auto. intros t F R. destruct (le_lt_dec (t p) l).
    + apply smaller_left; auto. apply (Qu t F). apply set_range; auto.
    + apply smaller_right; auto. apply (Qv t F). apply set_range; auto.
  - destruct (mirrored && (p <? values s)%nat && is_symmetric s lo hi) eqn:S; [|discriminate]. unfold is_symmetric in S. facts.
    assert (HI := image_fits (Hmirrored ltac:(auto))). destruct (image_sound (Hmirrored ltac:(auto))) as (HO & HT & _).
    assert (Hp : (p < values s)%nat) by auto. match goal with A : all (values s) _ = true |- _ => rename A into S end.
    apply both_sound in H as (u & w & Hu & Hw & ->). apply both_sound in Hw as (v & x & Hv & Hx & ->).
    destruct (IHa _ _ _ Hu) as [Pu Qu]. destruct (IHb _ _ _ Hv) as [Pv Qv]. destruct (IHc _ _ _ Hx) as [Px Qx].
    assert (Pw := smaller_sign _ _ Pv Px). split. apply smaller_sign; auto. intros t F R. set (q := image s p) in *.
    assert (W : forall t, fits t -> in_range s t lo hi -> (t p <= l)%nat -> (l < t q)%nat -> at_most (smaller u (smaller v x)) X).
    { intros t0 F0 R0 Ha Hb. apply smaller_right; auto. apply smaller_right; auto. apply (Qx t0 F0). apply set_range; auto.
      apply set_range; auto. }
    destruct (le_lt_dec (t p) l), (le_lt_dec (t q) l).
    + apply smaller_left; auto. apply (Qu t F). repeat apply set_range; auto.
    + apply (W t); auto.
    + apply (W (fun p => t (image s p))); auto.
      * intros r Hr V. destruct (HO r Hr) as (Hi & _). destruct (HT r Hr) as [E1 _]. apply all_spec with (i := r) in S;
          auto. facts.
        assert (G := R (image s r) Hi ltac:(unfold is_value in *; congruence)). lia.
      * destruct (HO p Hp) as (_ & _ & E1 & _). fold q in E1. fold q. congruence.
    + apply smaller_right; auto. apply smaller_left; auto. apply (Qv t F). repeat apply set_range; auto.
Qed.
End Proof.

(* ==== The levels of a noise: its mass, and what leaks of it, leave as little room to them as the bound above supposes. *)
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
  split; auto. unfold reaches in R. destruct (Rle_dec _ _) as [R'|]; [|discriminate].
  assert (T := top_last s last a b Hshape p Hp).
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
Lemma leaks_more : forall p j, (p < values s)%nat -> (j < step_count s)%nat -> leaks s level p j = true ->
  e * x (goes s p j) < x p.
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
    match goal with A : all (values s) (fun p => (top_level s p <=? last)%nat && _) = true |- _ =>
      apply all_spec with (i := p) in A;
      auto end. facts.
    assert (A := first_range (reaches p) (S (top_level s p) - low_level s p) (low_level s p)). fold (level p) in A. lia.
  - apply step_reached.
  - apply Rmult_le_reg_r with (x 0%nat); auto. replace (IZR (whole_power s) * (1 / x 0%nat) * x 0%nat)
      with (IZR (whole_power s) * 1) by (field; lra).
    rewrite <- Hsum, <- Sum_scale, plus_IZR. unfold shown_mass. rewrite total_Sum, Rmult_plus_distr_r.
    rewrite (Rmult_comm (Sum _ _)), <- Sum_scale.
    rewrite <- (Sum_pick (values s) 0 (IZR (whole_power s) * x 0%nat) size_pos), <- Sum_add. apply Sum_mono. intros p Hp.
    cbv beta.
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
