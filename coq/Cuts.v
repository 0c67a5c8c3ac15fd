(* Sums that are reordered, and cuts: limits on whole counts that all whole points within a room keep. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
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
Fixpoint increase (above : nat) (l : list nat) : bool :=
  match l with [] => true | x :: rest => (above <=? x)%nat && increase (S x) rest end.
Definition cut_holds (power : nat -> Z) (first : nat) (room : Z) (c : cut) : bool :=
  increase first (map fst (counted c)) && (0 <=? room) &&
  forallb (fun e => (0 <? power (fst e)) && (0 <=? snd e)) (counted c) &&
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
          + cbv zeta. specialize (IHn (z - 1) (paid + c) (rm - p) (Z.max best (paid + largest r rm)) ltac:(lia) ltac:(lia) ltac:(lia)).
            eapply Z.le_trans; [|exact IHn]. lia. }
      specialize (G _ y 0 room 0 Hy Hn Hr). lia.
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
  { intros e He. match goal with F : forallb _ _ = true |- _ => rewrite forallb_forall in F; specialize (F e He) end. facts. auto. }
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
