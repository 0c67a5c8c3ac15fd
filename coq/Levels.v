(* Sums that are reordered, and cuts: limits on whole counts that all whole points within a room keep. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums.
Import ListNotations.
Open Scope Z_scope.

(* ---- Sums *)
Lemma total_add : forall n x y, total n (fun i => x i + y i) = total n x + total n y.
Proof. induction n; simpl; intros; rewrite ?IHn; lia. Qed.
Lemma total_scale : forall n a x, total n (fun i => a * x i) = a * total n x.
Proof. induction n; simpl; intros; rewrite ?IHn; lia. Qed.
Lemma total_mono : forall n x y, (forall i, (i < n)%nat -> x i <= y i) -> total n x <= total n y.
Proof. induction n; simpl; intros x y H. lia. specialize (IHn x y ltac:(auto)). specialize (H n ltac:(lia)). lia. Qed.
Lemma total_zero : forall n, total n (fun _ => 0) = 0.
Proof. induction n; simpl; lia. Qed.
Lemma total_nonneg : forall n x, (forall i, (i < n)%nat -> 0 <= x i) -> 0 <= total n x.
Proof. intros. rewrite <- (total_zero n). apply total_mono; auto. Qed.
Lemma total_nonpos : forall n x, (forall i, (i < n)%nat -> x i <= 0) -> total n x <= 0.
Proof. intros. rewrite <- (total_zero n). apply total_mono; auto. Qed.
Lemma total_member : forall n x i, (forall k, (k < n)%nat -> 0 <= x k) -> (i < n)%nat -> x i <= total n x.
Proof.
  induction n; simpl; intros x i H Hi. lia. assert (Hn := total_nonneg n x ltac:(auto)). assert (Hx := H n ltac:(lia)).
  destruct (Nat.eq_dec i n) as [->|]. lia. specialize (IHn x i ltac:(auto) ltac:(lia)). lia.
Qed.
(* The sum of numbers that are not positive is at most any one of them. *)
Lemma total_below : forall n x i, (forall k, (k < n)%nat -> x k <= 0) -> (i < n)%nat -> total n x <= x i.
Proof.
  intros n x i H Hi. assert (A := total_member n (fun k => -1 * x k) i ltac:(intros k Hk; specialize (H k Hk); lia) Hi).
  cbv beta in A. rewrite total_scale in A. lia.
Qed.
Lemma total_swap : forall n m x, total n (fun i => total m (fun j => x i j)) = total m (fun j => total n (fun i => x i j)).
Proof. induction n; simpl; intros. rewrite total_zero; auto. rewrite IHn, <- total_add. reflexivity. Qed.
Lemma Sum_pick : forall n k (c : R), (k < n)%nat -> Sum n (fun i => if (i =? k)%nat then c else 0%R) = c.
Proof.
  induction n; simpl; intros k c Hk. lia. destruct (Nat.eqb_spec n k) as [->|].
  - rewrite (Sum_ext k _ (fun _ => 0%R)). rewrite Sum_zero; lra. intros i Hi. destruct (Nat.eqb_spec i k); auto; lia.
  - rewrite IHn by lia. lra.
Qed.

(* A map of the numbers below n onto themselves, and back. *)
Definition onto (n : nat) (go back : nat -> nat) : Prop :=
  forall i, (i < n)%nat -> (go i < n)%nat /\ (back i < n)%nat /\ back (go i) = i /\ go (back i) = i.
Lemma Sum_onto : forall n go back (x : nat -> R), onto n go back -> Sum n (fun i => x (go i)) = Sum n x.
Proof.
  intros n go back x H.
  rewrite (Sum_ext n _ (fun i => Sum n (fun k => if (k =? go i)%nat then x (go i) else 0%R))).
  2:{ intros i Hi. symmetry. apply (Sum_pick n (go i)). apply H; auto. }
  rewrite Sum_swap. apply Sum_ext. intros k Hk. destruct (H k Hk) as (_ & Hb & _ & Hg).
  rewrite (Sum_ext n _ (fun i => if (i =? back k)%nat then x k else 0%R)). { apply Sum_pick; auto. }
  intros i Hi. destruct (H i Hi) as (_ & _ & Hi' & _). destruct (Nat.eqb_spec k (go i)), (Nat.eqb_spec i (back k)); congruence.
Qed.
Lemma total_onto : forall n go back x, onto n go back -> total n (fun i => x (go i)) = total n x.
Proof. intros. apply eq_IZR. rewrite !total_Sum. apply (Sum_onto n go back (fun i => IZR (x i))); auto. Qed.
Lemma onto_back : forall n go back, onto n go back -> onto n back go.
Proof. intros n go back H i Hi. specialize (H i Hi). tauto. Qed.
Lemma onto_check : forall n go back,
  all n (fun i => (go i <? n)%nat && (back i <? n)%nat && (back (go i) =? i)%nat && (go (back i) =? i)%nat) = true ->
    onto n go back.
Proof. intros n go back H i Hi. apply all_spec with (i := i) in H; auto. facts. auto. Qed.

(* ---- Cuts: the sum of `number` times the count of `level` is at most `cut_limit`. *)
Record cut := { counted : list (nat * Z); cut_limit : Z }.
Definition coefficient (c : cut) (l : nat) : Z :=
  fold_right (fun (e : nat * Z) s => if (fst e =? l)%nat then snd e + s else s) 0 (counted c).

(* The largest sum of numbers times whole counts whose powers fit into a room; `k` is how many counts are left. *)
Fixpoint largest (l : list (Z * Z)) (room : Z) : Z :=
  match l with
  | [] => 0
  | [(p, c)] => room / p * c
  | (p, c) :: rest =>
    (fix try (k : nat) (paid room best : Z) : Z :=
      let best := Z.max best (paid + largest rest room) in
      match k with O => best | S j => try j (paid + c) (room - p) best end) (Z.to_nat (room / p)) 0 room 0
  end.
(* `largest` tries so many whole points, and `largest_tries` says that each of its natural numbers, which are machine integers
   once they are extracted, is below that. The room that is left only shrinks. *)
Fixpoint points (l : list (Z * Z)) (room : Z) : Z :=
  match l with [] | [_] => 1 | (p, _) :: rest => (room / p + 1) * points rest room end.
Definition most_points : Z := 131072.
Fixpoint increase (above : nat) (l : list nat) : bool :=
  match l with [] => true | x :: rest => (above <=? x)%nat && increase (S x) rest end.
Definition cut_holds (power : nat -> Z) (first : nat) (room : Z) (c : cut) : bool :=
  increase first (map fst (counted c)) && (0 <=? room) &&
  forallb (fun e => (0 <? power (fst e)) && (0 <=? snd e)) (counted c) &&
  (points (map (fun e => (power (fst e), snd e)) (counted c)) room <=? most_points) &&
  (largest (map (fun e => (power (fst e), snd e)) (counted c)) room <=? cut_limit c).

Fixpoint dot (l : list Z) (k : list Z) : Z := match l, k with x :: l', y :: k' => x * y + dot l' k' | _, _ => 0 end.
Lemma dot_nonneg : forall l k, Forall (Z.le 0) l -> Forall (Z.le 0) k -> 0 <= dot l k.
Proof. induction l; destruct k; simpl; intros Hl Hk; try lia. inversion_clear Hl. inversion_clear Hk.
specialize (IHl k ltac:(auto) ltac:(auto)). nia. Qed.

Lemma largest_sound : forall l k room, length k = length l -> Forall (fun e => 0 < fst e /\ 0 <= snd e) l -> Forall (Z.le 0) k ->
  dot (map fst l) k <= room -> dot (map snd l) k <= largest l room.
Proof.
  induction l as [|[p c] rest IH]; intros [|y k] room Hlen Hl Hk Hr; try discriminate Hlen. - simpl. lia.
  - inversion Hl as [|? ? [Hp Hc] Hrest]; inversion Hk as [|? ? Hy Hk']; subst. simpl in Hp, Hc.
    destruct rest as [|e rest].
    + destruct k; [|discriminate]. cbn [dot map fst snd largest] in *.
      assert (y <= room / p) by (apply Z.div_le_lower_bound; lia). nia.
    + set (r := e :: rest) in *. assert (Hk0 : 0 <= dot (map fst r) k).
      { apply dot_nonneg; auto. apply Forall_map. eapply Forall_impl; [|exact Hrest]. simpl; intros; lia. }
      cbn [dot map fst snd] in Hr |- *.
      change (largest ((p, c) :: r) room) with ((fix try (k : nat) (paid room best : Z) : Z :=
        let best := Z.max best (paid + largest r room) in
        match k with O => best | S j => try j (paid + c) (room - p) best end) (Z.to_nat (room / p)) 0 room 0).
      assert (Hn : y <= Z.of_nat (Z.to_nat (room / p))).
      { assert (y <= room / p) by (apply Z.div_le_lower_bound; lia). lia. }
      assert (G : forall n y paid room best, 0 <= y -> y <= Z.of_nat n -> p * y + dot (map fst r) k <= room ->
        paid + c * y + dot (map snd r) k <= (fix try (k : nat) (paid room best : Z) : Z :=
        let best := Z.max best (paid + largest r room) in
        match k with O => best | S j => try j (paid + c) (room - p) best end) n paid room best).
      { assert (Gb : forall n paid room best, best <= (fix try (k : nat) (paid room best : Z) : Z :=
          let best := Z.max best (paid + largest r room) in
          match k with O => best | S j => try j (paid + c) (room - p) best end) n paid room best).
        { induction n; intros. cbv zeta. lia. eapply Z.le_trans; [|apply IHn]. lia. }
        induction n as [|n IHn]; intros z paid rm best Hz Hzn Hd.
        - assert (z = 0) by lia. subst z. specialize (IH k rm ltac:(simpl in *; lia) Hrest Hk' ltac:(lia)). cbv zeta. lia.
        - destruct (Z.eq_dec z 0) as [->|].
          + specialize (IH k rm ltac:(simpl in *; lia) Hrest Hk' ltac:(lia)). cbv zeta.
            eapply Z.le_trans; [|apply Gb]. lia.
          + cbv zeta. specialize (IHn (z - 1) (paid + c) (rm - p) (Z.max best (paid + largest r rm)) ltac:(lia) ltac:(lia)
              ltac:(lia)).
            eapply Z.le_trans; [|exact IHn]. lia. }
      specialize (G _ y 0 room 0 Hy Hn Hr). lia.
Qed.

Lemma largest_tries : forall l room, 0 <= room -> Forall (fun e => 0 < fst e) l ->
  1 <= points l room /\ Forall (fun e => 0 <= room / fst e < points l room) (removelast l).
Proof.
  induction l as [|[p c] [|e rest] IH]; intros room Hr Hl; try (split; [simpl; lia|constructor]).
  inversion_clear Hl as [|? ? Hp Hrest]. destruct (IH room Hr Hrest) as [A B]. cbn [fst] in Hp.
  assert (D : 0 <= room / p) by (apply Z.div_pos; lia).
  change (points ((p, c) :: e :: rest) room) with ((room / p + 1) * points (e :: rest) room).
  set (t := points (e :: rest) room) in *. assert (t <= (room / p + 1) * t) by (clear - A D; nia). split; [lia|].
  change (removelast ((p, c) :: e :: rest)) with ((p, c) :: removelast (e :: rest)).
  constructor; [cbn [fst]; clear - A D; nia|]. eapply Forall_impl; [|exact B]. cbv beta. intros. lia.
Qed.

(* A cut holds of values, some of which are chosen, whose powers together fit into the room. *)
Section Counts.
Variables (n first : nat) (power : nat -> Z) (room : Z) (chosen : nat -> bool) (t : nat -> nat).
Hypothesis Hroom : total n (fun p => if chosen p then power (t p) else 0) <= room.
Hypothesis Hpower : forall p, (p < n)%nat -> chosen p = true -> 0 <= power (t p).
Definition count (l : nat) : Z := total n (fun p => if chosen p && (l =? t p)%nat then 1 else 0).

Lemma count_nonneg : forall l, 0 <= count l.
Proof. intros. apply total_nonneg. intros. destruct (_ && _); lia. Qed.
(* The sum over values, of what each level counts, is the sum over levels. *)
Lemma by_level : forall (l : list (nat * Z)),
  total n (fun p => if chosen p then fold_right (fun (e : nat * Z) s => if (fst e =? t p)%nat then snd e + s else s) 0 l else 0)
  = dot (map snd l) (map count (map fst l)).
Proof.
  induction l as [|[x c] l IH]; cbn [map fold_right fst snd dot].
  - transitivity (total n (fun _ => 0)); [|apply total_zero]. apply total_ext. intros. destruct (chosen _); reflexivity.
  - rewrite <- IH. unfold count. rewrite <- total_scale, <- total_add. apply total_ext. intros i Hi.
    destruct (chosen i); simpl; [|lia]. destruct (x =? t i)%nat; lia.
Qed.
Lemma one_level : forall ls y above, increase above ls = true -> 0 <= power y ->
  fold_right (fun (e : nat * Z) s => if (fst e =? y)%nat then snd e + s else s) 0 (map (fun l => (l, power l)) ls) <= power y.
Proof.
  assert (Z0 : forall ls y above, increase above ls = true -> (y < above)%nat ->
    fold_right (fun (e : nat * Z) s => if (fst e =? y)%nat then snd e + s else s) 0 (map (fun l => (l, power l)) ls) = 0).
  { induction ls as [|x ls IH]; cbn [map fold_right fst snd increase]; intros y above H Hy; auto. facts.
    destruct (Nat.eqb_spec x y). lia. apply (IH y (S x)); auto; lia. }
  induction ls as [|x ls IH]; cbn [map fold_right fst snd increase]; intros y above H Hy; auto. facts.
  destruct (Nat.eqb_spec x y) as [->|]. - rewrite (Z0 ls y (S y)) by (auto; lia). lia. - eapply IH; eauto.
Qed.
Theorem cut_sound : forall c, cut_holds power first room c = true ->
  total n (fun p => if chosen p then coefficient c (t p) else 0) <= cut_limit c.
Proof.
  intros c H. unfold cut_holds in H. facts. unfold coefficient. rewrite by_level.
  assert (Hall : forall e, In e (counted c) -> 0 < power (fst e) /\ 0 <= snd e).
  { intros e He. match goal with F : forallb _ _ = true |- _ => rewrite forallb_forall in F; specialize (F e He) end.
      facts. auto. }
  assert (A := largest_sound (map (fun e => (power (fst e), snd e)) (counted c)) (map count (map fst (counted c))) room).
  rewrite !map_map in A. cbn [fst snd] in A. rewrite <- (map_map fst count) in A. eapply Z.le_trans; [|eassumption]. apply A.
  - rewrite !map_length. auto.
  - apply Forall_map, Forall_forall. intros e He. simpl. auto.
  - apply Forall_map, Forall_forall. intros. apply count_nonneg.
  - assert (B := by_level (map (fun l => (l, power l)) (map fst (counted c)))). rewrite !map_map in B. cbn [fst snd] in B.
    rewrite <- (map_map fst count), <- (map_map fst power) in B. rewrite <- (map_map fst power). rewrite <- B.
    eapply Z.le_trans; [|exact Hroom]. apply total_mono. intros i Hi. destruct (chosen i) eqn:E; [|lia].
    rewrite <- map_map with (g := fun l => (l, power l)). eapply one_level; eauto.
Qed.
End Counts.

(* ==== Proofs on levels of noise values: what multipliers prove, however the levels are and whatever leaks. All of it is in
   whole numbers. Cases.v says why noise has such levels. *)
(* Values p below `values` and distances j below `step_count`; `goes p j` is p plus a distance, `comes p j` p less it.
   `low_level` and `top_level` are the first and the last level of a value; one without a last level has 0 as the last. *)
Record levels := {
  values : nat; step_count : nat; goes : nat -> nat -> nat; comes : nat -> nat -> nat;
  low_level : nat -> nat; top_level : nat -> nat;
  whole_power : Z; power_of : nat -> Z; (* powers of e^-epsilon, over the first of them *)
  leak_cut : nat -> cut; leak_cuts : nat; mass_cut : nat -> cut; mass_cuts : nat;
  image : nat -> nat; mate : nat -> nat }. (* mirror images of values, and of distances *)
Record level_multipliers := {
  of_mass : Z; of_budget : nat -> Z; of_leak : nat -> nat -> nat -> Z; of_leak_cut : nat -> nat -> Z; of_mass_cut : nat -> Z }.

Section Leaf.
Variables (s : levels) (y : level_multipliers).
Definition is_value (p : nat) : bool := (0 <? top_level s p)%nat.
Definition is_place (p j l : nat) : bool := is_value p && (low_level s p <=? l)%nat && (l <=? top_level s p)%nat &&
  (l <? top_level s (goes s p j))%nat.
(* Multipliers below zero count as zero. *)
Definition m_of : Z := Z.max 0 (of_mass y).
Definition b_of (j : nat) : Z := Z.max 0 (of_budget y j).
Definition u_of (p j l : nat) : Z := Z.max 0 (of_leak y p j l).
Definition c_of_leak (k j : nat) : Z := Z.max 0 (of_leak_cut y k j).
Definition c_of_mass (k : nat) : Z := Z.max 0 (of_mass_cut y k).

Definition charged (k : nat) (c : nat -> Z) (cuts : nat -> cut) (l : nat) : Z :=
  total k (fun i => if c i =? 0 then 0 else c i * coefficient (cuts i) l).
Definition cost_of_mass (l : nat) : Z := m_of * power_of s l + whole_power s * charged (mass_cuts s) c_of_mass (mass_cut s) l.
Definition cost_of_leak (j l : nat) : Z :=
  b_of j * power_of s l + whole_power s * charged (leak_cuts s) (fun k => c_of_leak k j) (leak_cut s) l.

(* The amount that a value on level l pays to places where it may leak, and that it is paid by those that leak to it unless it
   is within l. *)
Definition stay (p l : nat) : Z := total (step_count s) (fun j => if (l <? top_level s (goes s p j))%nat then u_of p j l else 0).
Definition help_from (p j l : nat) : Z :=
  match l with O => 0 | S i => let o := comes s p j in if is_place o j i then u_of o j i else 0 end.
Definition help (p l : nat) : Z := total (step_count s) (fun j => help_from p j l).

(* The least over the levels from lo + k - 1 down to lo, up to hi. *)
Fixpoint scan (p lo hi k : nat) (helped : Z) (best : option Z) : option Z :=
  match k with
  | O => best
  | S i =>
    let l := (lo + i)%nat in let helped := helped + help p l in
    scan p lo hi i helped (if (l <=? hi)%nat then
      let v := cost_of_mass l + whole_power s * (stay p l - helped) in Some (match best
        with None => v | Some b => Z.min b v end) else best)
  end.
Definition least_of_value (p lo hi : nat) : Z :=
  match scan p lo hi (S (top_level s p) - lo) 0 (if (top_level s p <? hi)%nat then Some 0 else None) with
  | Some v => v | None => 0 end.
Definition least_of_leaks (p : nat) : Z :=
  total (step_count s) (fun j => total (S (top_level s p) - low_level s p) (fun i =>
    let l := (low_level s p + i)%nat in
    if (l <? top_level s (goes s p j))%nat then
      let u := u_of p j l in if u =? 0 then 0 else Z.min 0 (cost_of_leak j l - whole_power s * u)
    else 0)).
Definition given : Z :=
  total (leak_cuts s) (fun k => total (step_count s) (fun j => c_of_leak k j) * cut_limit (leak_cut s k)) +
  total (mass_cuts s) (fun k => c_of_mass k * cut_limit (mass_cut s k)).
Definition least_sum (lo hi : nat -> nat) : Z :=
  m_of * whole_power s - whole_power s * given +
  total (values s) (fun p => if is_value p then least_of_value p (lo p) (hi p) + least_of_leaks p else 0).
End Leaf.

(* ---- Levels t, the mass that they show, and what is seen to leak. *)
Section Given.
Variables (s : levels) (t : nat -> nat).
Definition is_within (p : nat) : bool := is_value s p && (t p <=? top_level s p)%nat.
Definition leaks (p j : nat) : bool := is_place s p j (t p) && (S (t p) <? t (goes s p j))%nat.
Definition shown_mass : Z := total (values s) (fun p => if is_within p then power_of s (t p) else 0).
Definition shown_leak (j : nat) : Z := total (values s) (fun p => if leaks p j then power_of s (t p) else 0).
Definition in_range (lo hi : nat -> nat) : Prop :=
  forall p, (p < values s)%nat -> is_value s p = true -> (lo p <= t p <= hi p)%nat.
Definition cuts_kept : Prop :=
  (forall k j, (k < leak_cuts s)%nat -> (j < step_count s)%nat ->
    total (values s) (fun p => if leaks p j then coefficient (leak_cut s k) (t p) else 0) <= cut_limit (leak_cut s k)) /\
  (forall k, (k < mass_cuts s)%nat ->
    total (values s) (fun p => if is_within p then coefficient (mass_cut s k) (t p) else 0) <= cut_limit (mass_cut s k)).
End Given.

(* The check of levels, once. *)
Definition has_no_minus (c : cut) : bool := forallb (fun e => 0 <=? snd e) (counted c).
Record sound (s : levels) : Prop := {
  ways : forall j, (j < step_count s)%nat -> onto (values s) (fun p => goes s p j) (fun p => comes s p j);
  weights : forall p l, (p < values s)%nat -> (l <= top_level s p)%nat -> 0 <= power_of s l;
  unit_sign : 0 <= whole_power s;
  leak_signs : forall k, (k < leak_cuts s)%nat -> has_no_minus (leak_cut s k) = true }.

Section Proof.
Variables (s : levels) (y : level_multipliers) (t lo hi : nat -> nat).
Hypothesis Hs : sound s.
Hypothesis Hroot : in_range s t (low_level s) (fun p => S (top_level s p)).
Hypothesis Hin : in_range s t lo hi.
Let n := values s.
Let J := step_count s.
Let u := u_of y.

Lemma u_nonneg : forall p j l, 0 <= u p j l.
Proof. intros. unfold u, u_of. lia. Qed.
Lemma charged_all : forall k c cuts l, charged k c cuts l = total k (fun i => c i * coefficient (cuts i) l).
Proof. intros. apply total_ext. intros i _. destruct (Z.eqb_spec (c i) 0) as [->|]; lia. Qed.
Lemma coefficient_nonneg : forall c l, has_no_minus c = true -> 0 <= coefficient c l.
Proof.
  intros [l m] x H. unfold has_no_minus, coefficient in *. cbn [counted] in *.
  induction l as [|[a b] l IH]; cbn [forallb fold_right fst snd] in *. lia.
  facts. specialize (IH ltac:(auto)). destruct (_ =? _)%nat; lia.
Qed.
Lemma cost_of_leak_nonneg : forall p j l, (p < n)%nat -> (l <= top_level s p)%nat -> 0 <= cost_of_leak s y j l.
Proof.
  intros p j l Hp Hl. assert (A := weights s Hs p l Hp Hl). assert (B := unit_sign s Hs). unfold cost_of_leak.
  rewrite charged_all.
  apply Z.add_nonneg_nonneg; apply Z.mul_nonneg_nonneg; auto. unfold b_of; lia.
  apply total_nonneg. intros k Hk. apply Z.mul_nonneg_nonneg. unfold c_of_leak; lia.
  apply coefficient_nonneg, (leak_signs s Hs); auto.
Qed.

(* The amount that a value is paid by all that leak to it, unless it is within its level x. *)
Definition helped (p x : nat) : Z := total (S (top_level s p)) (fun l => if (x <=? l)%nat then help s y p l else 0).
Lemma helped_next : forall p x, (x <= top_level s p)%nat -> helped p x = helped p (S x) + help s y p x.
Proof.
  intros p x Hx. unfold helped.
  assert (P : forall k, total k (fun l => if (l =? x)%nat then help s y p x else 0) = if (x <? k)%nat then help s y p x else 0).
  { induction k; cbn [total]; auto. rewrite IHk. destruct (Nat.eqb_spec k x), (Nat.ltb_spec x k), (Nat.ltb_spec x (S k)); lia. }
  specialize (P (S (top_level s p))). destruct (Nat.ltb_spec x (S (top_level s p))); [|lia].
  rewrite <- P, <- total_add. apply total_ext.
  intros l Hl. destruct (Nat.eqb_spec l x), (Nat.leb_spec x l), (Nat.leb_spec (S x) l); subst; lia.
Qed.
Lemma helped_last : forall p, helped p (S (top_level s p)) = 0.
Proof.
  intros. unfold helped. transitivity (total (S (top_level s p)) (fun _ => 0)); [|apply total_zero].
  apply total_ext. intros l Hl. destruct (Nat.leb_spec (S (top_level s p)) l); auto; lia.
Qed.

Definition below (r : option Z) (x : Z) : Prop := match r with Some b => b <= x | None => False end.
Lemma scan_sound : forall p x z k h best, (x + k <= S (top_level s p))%nat -> h = helped p (x + k) ->
  (forall b, best = Some b -> below (scan s y p x z k h best) b) /\
  (forall l, (x <= l < x + k)%nat -> (l <= z)%nat ->
    below (scan s y p x z k h best) (cost_of_mass s y l + whole_power s * (stay s y p l - helped p l))).
Proof.
  intros p x z. induction k as [|k IH]; intros h best Hk Hh; cbn [scan].
  - split; intros; [subst; simpl; lia|lia].
  - cbv zeta. assert (Hh' : h + help s y p (x + k) = helped p (x + k)).
    { rewrite Hh. replace (x + S k)%nat with (S (x + k)) by lia. rewrite <- helped_next; auto. lia. }
    rewrite Hh'. set (v := cost_of_mass s y (x + k) + _).
    destruct (IH (helped p (x + k)) (if (x + k <=? z)%nat then Some (match best with None => v | Some b => Z.min b v end)
      else best)
      ltac:(lia) eq_refl) as [A B].
    set (r := scan _ _ _ _ _ _ _ _) in *. assert (M : forall a b, below r a -> a <= b -> below r b)
      by (destruct r; simpl; intros; lia).
    split.
    + intros b ->. destruct (x + k <=? z)%nat; [|auto]. eapply M. apply A. reflexivity. lia.
    + intros l Hl Hz. destruct (Nat.eq_dec l (x + k)) as [->|]; [|apply B; lia].
      destruct (Nat.leb_spec (x + k) z); [|lia]. eapply M. apply A. reflexivity. fold v. destruct best; lia.
Qed.
Lemma least_of_value_sound : forall p, (p < n)%nat -> is_value s p = true -> least_of_value s y p (lo p) (hi p) <=
  if (t p <=? top_level s p)%nat then cost_of_mass s y (t p) + whole_power s * (stay s y p (t p) - helped p (t p)) else 0.
Proof.
  intros p Hp Hv. specialize (Hin p Hp Hv). specialize (Hroot p Hp Hv). cbv beta in Hroot. unfold least_of_value.
  destruct (scan_sound p (lo p) (hi p) (S (top_level s p) - lo p) 0 (if (top_level s p <? hi p)%nat then Some 0 else None))
    as [A B].
  { lia. } { replace (lo p + _)%nat with (S (top_level s p)) by lia. rewrite helped_last. auto. }
  set (r := scan _ _ _ _ _ _ _ _) in *.
  assert (C : below r (if (t p <=? top_level s p)%nat
    then cost_of_mass s y (t p) + whole_power s * (stay s y p (t p) - helped p (t p)) else 0)).
  { destruct (Nat.leb_spec (t p) (top_level s p)). - apply B; lia.
    - apply A. destruct (Nat.ltb_spec (top_level s p) (hi p)); auto. lia. }
  destruct r; simpl in C; [auto|contradiction].
Qed.
Lemma least_of_leaks_sound : forall p, (p < n)%nat -> least_of_leaks s y p <=
  total J (fun j => if leaks s t p j then cost_of_leak s y j (t p) - whole_power s * u p j (t p) else 0).
Proof.
  intros p Hp. apply total_mono. intros j Hj.
  match goal with |- total _ ?x <= _ => assert (N : forall i, (i < S (top_level s p) - low_level s p)%nat -> x i <= 0) end.
  { intros i Hi. cbv beta zeta. destruct (_ <? _)%nat; [|lia]. destruct (_ =? _); lia. }
  destruct (leaks s t p j) eqn:E; [|apply total_nonpos; auto].
  unfold leaks, is_place in E. facts. eapply Z.le_trans. { apply (total_below _ _ (t p - low_level s p)); [exact N|lia]. }
  cbv beta zeta. replace (low_level s p + (t p - low_level s p))%nat with (t p) by lia.
  destruct (Nat.ltb_spec (t p) (top_level s (goes s p j))); [|lia]. assert (C := cost_of_leak_nonneg p j (t p) Hp ltac:(lia)).
  unfold u. destruct (Z.eqb_spec (u_of y p j (t p)) 0) as [E0|]; [rewrite E0|]; lia.
Qed.

(* Values that are within reach there get what a value pays to places where it does not leak. *)
Definition paid (p j : nat) : Z := if is_place s p j (t p) && negb (S (t p) <? t (goes s p j))%nat then u p j (t p) else 0.
Lemma least_of_both : forall p, (p < n)%nat -> is_value s p = true ->
  least_of_value s y p (lo p) (hi p) + least_of_leaks s y p <=
  (if is_within s t p then cost_of_mass s y (t p) else 0) + total J
    (fun j => if leaks s t p j then cost_of_leak s y j (t p) else 0)
  + whole_power s * (total J (paid p) - helped p (t p)).
Proof.
  intros p Hp Hv. assert (A := least_of_value_sound p Hp Hv). assert (B := least_of_leaks_sound p Hp).
  assert (R := Hroot p Hp Hv). cbv beta in R. unfold is_within. rewrite Hv. cbn [andb].
  assert (E : total J (fun j => if leaks s t p j then cost_of_leak s y j (t p) - whole_power s * u p j (t p) else 0) =
    total J (fun j => if leaks s t p j
      then cost_of_leak s y j (t p) else 0) + - whole_power s * total J (fun j => if leaks s t p j then u p j (t p) else 0)).
  { rewrite <- total_scale, <- total_add. apply total_ext. intros. destruct (leaks _ _ _ _); lia. }
  rewrite E in B. clear E. assert (O := unit_sign s Hs).
  destruct (Nat.leb_spec (t p) (top_level s p)).
  - assert (E : stay s y p (t p) = total J (paid p) + total J (fun j => if leaks s t p j then u p j (t p) else 0)).
    { unfold stay. rewrite <- total_add. apply total_ext. intros j Hj. unfold paid, leaks, is_place. rewrite Hv.
      destruct (Nat.leb_spec (low_level s p) (t p)); [|lia]. destruct (Nat.leb_spec (t p) (top_level s p)); [|lia].
      cbn [andb]. fold u.
      destruct (t p <? _)%nat; cbn [andb]; [|lia]. destruct (_ <? _)%nat; cbn [negb]; fold u; unfold u; lia. }
    rewrite E in A. lia.
  - assert (F : helped p (t p) = 0) by (replace (t p) with (S (top_level s p)) by lia; apply helped_last). rewrite F.
    assert (P : 0 <= total J (paid p)) by (apply total_nonneg; intros; unfold paid; destruct (_ && _); [apply u_nonneg|lia]).
    assert (Q : total J (fun j => if leaks s t p j then u p j (t p) else 0) >= 0).
    { apply Z.le_ge, total_nonneg. intros. destruct (leaks _ _ _ _); [apply u_nonneg|lia]. } nia.
Qed.
Lemma paid_is_helped : total n (fun p => total J (paid p)) <= total n (fun p => if is_value s p then helped p (t p) else 0).
Proof.
  rewrite total_swap.
  assert (E : total n (fun p => if is_value s p then helped p (t p) else 0) =
    total J (fun j => total n (fun p => if is_value s p then
    total (S (top_level s p)) (fun l => if (t p <=? l)%nat then help_from s y p j l else 0) else 0))).
  { rewrite <- total_swap. apply total_ext. intros p Hp. destruct (is_value s p); [|symmetry; apply total_zero].
    rewrite total_swap. apply total_ext. intros l Hl. destruct (_ <=? _)%nat; [reflexivity|symmetry; apply total_zero]. }
  rewrite E. clear E. apply total_mono. intros j Hj. assert (W := onto_back _ _ _ (ways s Hs j Hj)).
  rewrite <- (total_onto n _ _ (fun p => paid p j) W). apply total_mono. intros p Hp. destruct (W p Hp) as (Ho & _ & Hg & _).
  set (o := comes s p j) in *. cbv beta.
  assert (N : forall l, 0 <= if (t p <=? l)%nat then help_from s y p j l else 0).
  { intros l. destruct (_ <=? _)%nat; [|lia]. destruct l; simpl; [lia|]. destruct (is_place _ _ _ _); [apply u_nonneg|lia]. }
  assert (N' : 0 <= if is_value s p
    then total (S (top_level s p)) (fun l => if (t p <=? l)%nat then help_from s y p j l else 0) else 0).
  { destruct (is_value s p); [apply total_nonneg; auto|lia]. }
  unfold paid at 1. destruct (is_place s o j (t o)) eqn:E; cbn [andb]; [|auto].
  destruct (Nat.ltb_spec (S (t o)) (t (goes s o j))) as [|Hl]; cbn [negb]; [auto|]. rewrite Hg in Hl.
  assert (E' := E). unfold is_place in E'. rewrite Hg in E'. facts. unfold is_value in N' |- *.
  destruct (Nat.ltb_spec 0 (top_level s p)); [|lia].
  eapply Z.le_trans; [|apply (total_member _ _ (S (t o))); [intros; apply N|lia]]. cbv beta.
  destruct (Nat.leb_spec (t p) (S (t o))); [|lia]. cbn [help_from]. fold o. rewrite E. unfold u. lia.
Qed.

Theorem least_sum_sound : cuts_kept s t ->
  least_sum s y lo hi <= m_of y * (whole_power s + shown_mass s t) + total J (fun j => b_of y j * shown_leak s t j).
Proof.
  intros [HL HM]. unfold least_sum. fold n. assert (O := unit_sign s Hs).
  set (A := total n (fun p => if is_within s t p then cost_of_mass s y (t p) else 0)).
  set (B := total n (fun p => total J (fun j => if leaks s t p j then cost_of_leak s y j (t p) else 0))).
  assert (H1 : total n (fun p => if is_value s p then least_of_value s y p (lo p) (hi p) + least_of_leaks s y p else 0) <= A + B).
  { assert (C := paid_is_helped).
    assert (D : total n (fun p => if is_value s p then least_of_value s y p (lo p) (hi p) + least_of_leaks s y p else 0) <=
      A + B + whole_power s * (total n (fun p => total J (paid p)) - total n (fun p => if is_value s p
        then helped p (t p) else 0))).
    { assert (F : total n (fun p => total J (paid p)) - total n (fun p => if is_value s p then helped p (t p) else 0) =
        total n (fun p => total J (paid p) + -1 * (if is_value s p then helped p (t p) else 0))).
      { rewrite total_add, total_scale. lia. }
      rewrite F. unfold A, B. rewrite <- total_scale, <- !total_add. apply total_mono. intros p Hp. destruct (is_value s p) eqn:V.
      - assert (G := least_of_both p Hp V). lia.
      - unfold is_within. rewrite V. cbn [andb].
        rewrite (total_ext J _ (fun _ => 0)). 2:{ intros. unfold leaks, is_place. rewrite V. reflexivity. }
        rewrite (total_ext J (paid p) (fun _ => 0)). 2:{ intros. unfold paid, is_place. rewrite V. reflexivity. }
        rewrite total_zero. lia. }
    nia. }
  assert (H2 : A = m_of y * shown_mass s t + whole_power s * total (mass_cuts s) (fun k => c_of_mass y k *
    total n (fun p => if is_within s t p then coefficient (mass_cut s k) (t p) else 0))).
  { rewrite (total_ext (mass_cuts s) _ (fun k => total n (fun p =>
      c_of_mass y k * (if is_within s t p then coefficient (mass_cut s k) (t p) else 0))))
      by (intros; rewrite total_scale; auto).
    rewrite total_swap. unfold A, shown_mass. fold n. rewrite <- !total_scale, <- total_add. apply total_ext. intros p Hp.
    destruct (is_within s t p).
    - unfold cost_of_mass. rewrite charged_all. reflexivity.
    - rewrite (total_ext _ _ (fun _ => 0)) by (intros; lia). rewrite total_zero. lia. }
  assert (H3 : B = total J (fun j => b_of y j * shown_leak s t j) +
    whole_power s * total J (fun j => total (leak_cuts s) (fun k => c_of_leak y k j *
    total n (fun p => if leaks s t p j then coefficient (leak_cut s k) (t p) else 0)))).
  { unfold B. rewrite total_swap, <- total_scale, <- total_add. apply total_ext. intros j Hj.
    rewrite (total_ext (leak_cuts s) _ (fun k => total n (fun p =>
      c_of_leak y k j * (if leaks s t p j then coefficient (leak_cut s k) (t p) else 0))))
      by (intros; rewrite total_scale; auto).
    rewrite total_swap. unfold shown_leak. fold n. rewrite <- !total_scale, <- total_add. apply total_ext. intros p Hp.
    destruct (leaks s t p j).
    - unfold cost_of_leak. rewrite charged_all. reflexivity.
    - rewrite (total_ext _ _ (fun _ => 0)) by (intros; lia). rewrite total_zero. lia. }
  assert (H4 : total (mass_cuts s) (fun k => c_of_mass y k * total n (fun p => if is_within s t p
    then coefficient (mass_cut s k) (t p) else 0))
    <= total (mass_cuts s) (fun k => c_of_mass y k * cut_limit (mass_cut s k))).
  { apply total_mono. intros k Hk. apply Z.mul_le_mono_nonneg_l; [unfold c_of_mass; lia|apply HM; auto]. }
  assert (H5 : total J (fun j => total (leak_cuts s) (fun k =>
    c_of_leak y k j * total n (fun p => if leaks s t p j then coefficient (leak_cut s k) (t p) else 0)))
    <= total (leak_cuts s) (fun k => total (step_count s) (fun j => c_of_leak y k j) * cut_limit (leak_cut s k))).
  { rewrite total_swap. apply total_mono. intros k Hk. rewrite Z.mul_comm, <- total_scale. apply total_mono. intros j Hj.
    rewrite (Z.mul_comm (cut_limit _)). apply Z.mul_le_mono_nonneg_l; [unfold c_of_leak; lia|apply HL; auto]. }
  unfold given. nia.
Qed.
End Proof.
