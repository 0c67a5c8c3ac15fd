(* One shift of the noise spends the most that a set of places has beyond E times as much a period further, or the
   other way round. No set of responses tells neighbouring truths better apart, since a response is an interval of places. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Law.
Open Scope R_scope.

(* F over whole^2, i places after the one that is a period, k, before the first *)
Definition fine (z : noise) (k i : nat) : Z :=
  let n := size z in
  if (i <? k)%nat then (tail z * cumulative z i)%Z
  else if (i <? k + n)%nat then (whole z * cumulative z (i - k)%nat)%Z
  else (whole z * whole z - tail z * (whole z - cumulative z (i - (k + k))%nat))%Z.

(* Apply f so many times. The state is one value, for OCaml keeps each call of many arguments on its stack. *)
Fixpoint repeated {A : Type} (f : A -> A) (count : nat) (x : A) : A :=
  match count with O => x | S rest => repeated f rest (f x) end.

(* The sum over so many pairs of places a period apart, the first ones after i and i + k: what one has beyond en/ed times
   the other's, forth and back; F at i and i + k is at hand. *)
Inductive pairing := Pair (i : nat) (near far forth back : Z).
Definition next_pair (z : noise) (k : nat) (en ed : Z) (x : pairing) : pairing :=
  match x with Pair i near far forth back =>
    let near' := fine z k (S i) in let far' := fine z k (S i + k)%nat in
    let q := (near' - near)%Z in let p := (far' - far)%Z in
    Pair (S i) near' far' (forth + Z.max 0 (ed * p - en * q)) (back + Z.max 0 (ed * q - en * p))
  end.
Definition excesses (z : noise) (k : nat) (en ed : Z) (count i : nat) (near far forth back : Z) : Z * Z :=
  match repeated (next_pair z k en ed) count (Pair i near far forth back) with Pair _ _ _ forth' back' => (forth', back') end.
(* Over ed * whole^2. Beyond both ends each place has `tail` times what the place a period nearer has. *)
Definition spends (z : noise) (en ed : Z) : Z :=
  let k := width z in let n := size z in
  let '(forth, back) := excesses z k en ed (n - 1 + k) 0 (fine z k 0) (fine z k k) 0 0 in
  let less := Z.max 0 (ed * whole z - en * tail z) in let more := Z.max 0 (ed * tail z - en * whole z) in
  let before := cumulative z O in let behind := (whole z - cumulative z (n - 1)%nat)%Z in
  Z.max (forth + less * before + more * behind) (back + more * before + less * behind).

Lemma total_first : forall n x, total (S n) x = (x O + total n (fun i => x (S i)))%Z.
Proof. induction n; intros x. simpl. ring. change (total (S (S n)) x) with (total (S n) x + x (S n))%Z. rewrite IHn. simpl.
  ring. Qed.
Lemma excesses_sum : forall z k en ed count i forth back,
  excesses z k en ed count i (fine z k i) (fine z k (i + k)%nat) forth back =
  (let d j := (fine z k (S j) - fine z k j)%Z in
   (forth + total count (fun u => Z.max 0 (ed * d (i + u + k)%nat - en * d (i + u)%nat)),
    back + total count (fun u => Z.max 0 (ed * d (i + u)%nat - en * d (i + u + k)%nat)))%Z).
Proof.
  intros z k en ed. induction count; intros i forth back.
  - unfold excesses. simpl. f_equal; ring.
  - transitivity (excesses z k en ed count (S i) (fine z k (S i)) (fine z k (S i + k)%nat)
      (forth + Z.max 0 (ed * (fine z k (S i + k)%nat - fine z k (i + k)%nat) - en * (fine z k (S i) - fine z k i)))
      (back + Z.max 0 (ed * (fine z k (S i) - fine z k i) - en * (fine z k (S i + k)%nat - fine z k (i + k)%nat))));
      [reflexivity|].
    rewrite IHcount. cbv zeta. rewrite !total_first. rewrite !Nat.add_0_r. change (S i + k)%nat with (S (i + k)).
    f_equal; rewrite <- Z.add_assoc; f_equal; f_equal; apply total_ext; intros u _; rewrite Nat.add_succ_r; reflexivity.
Qed.

(* ---- A function H of places that is a part of F up to the first place, and at the other end is so near to `top` *)
Section Variation.
Variable z : noise.
Hypothesis Hz : law_ok z = true.
Variables (H : Z -> R) (low high top : R).
Let p := period z.
Let a := first z.
Let b := (last z + period z)%Z.
Let count := (size z - 1 + width z)%nat.
Hypothesis H_low : forall l, (l <= a)%Z -> H l = low * below z l.
Hypothesis H_high : forall l, (b <= l)%Z -> top - H l = high * (1 - below z (l - p)).

Let rise (i : nat) : R := Rmax 0 (H (a + Z.of_nat (S i)) - H (a + Z.of_nat i)).
Definition gained : R := Rmax 0 low * below z a + Sum count rise + Rmax 0 high * (1 - below z (last z)).
(* The part of it up to place l *)
Let part (l : Z) : R :=
  if (l <=? a)%Z then Rmax 0 low * below z l
  else if (l <=? b)%Z then Rmax 0 low * below z a + Sum (Z.to_nat (l - a)) rise
  else gained - Rmax 0 high * (1 - below z (l - p)).

Lemma part_next : forall l, 0 <= part (l + 1) - part l /\ H (l + 1) - H l <= part (l + 1) - part l.
Proof.
  intros l. destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn & Hl). fold p in Hp, Hw, Hl.
  assert (ML := Rmax_l 0 low). assert (MR := Rmax_r 0 low). assert (NL := Rmax_l 0 high). assert (NR := Rmax_r 0 high).
  unfold part. destruct (Z.leb_spec l a) as [A|A]; destruct (Z.leb_spec (l + 1) a) as [B|B]; try lia.
  - rewrite !H_low by auto. assert (X := below_next z Hz l). nra.
  - assert (l = a) as -> by lia. destruct (Z.leb_spec (a + 1) b); [|unfold b in *; lia].
    replace (a + 1 - a)%Z with 1%Z by ring. change (Z.to_nat 1) with 1%nat. simpl Sum. unfold rise. change (Z.of_nat 1) with 1%Z.
    change (Z.of_nat 0) with 0%Z. rewrite Z.add_0_r. set (d := H (a + 1) - H a). assert (X := Rmax_l 0 d).
    assert (Y := Rmax_r 0 d). lra.
  - destruct (Z.leb_spec l b) as [C|C]; destruct (Z.leb_spec (l + 1) b) as [D|D]; try lia.
    + replace (Z.to_nat (l + 1 - a)) with (S (Z.to_nat (l - a))) by lia. simpl Sum. set (s := Sum _ rise). unfold rise.
      replace (a + Z.of_nat (S (Z.to_nat (l - a))))%Z with (l + 1)%Z by lia.
      replace (a + Z.of_nat (Z.to_nat (l - a)))%Z with l by lia.
      set (d := H (l + 1) - H l). assert (X := Rmax_l 0 d). assert (Y := Rmax_r 0 d). lra.
    + assert (l = b) as -> by lia. assert (E := H_high b ltac:(lia)). assert (E' := H_high (b + 1) ltac:(lia)). unfold gained.
      replace (Z.to_nat (b - a)) with count by (unfold b, a, count in *; lia).
      replace (b - p)%Z with (last z) in E by (unfold b, p; ring).
      replace (b + 1 - p)%Z with (last z + 1)%Z in * by (unfold b, p; ring).
      assert (X := below_next z Hz (last z)). nra.
    + assert (E := H_high l ltac:(lia)). assert (E' := H_high (l + 1) ltac:(lia)).
      replace (l + 1 - p)%Z with (l - p + 1)%Z in * by ring. assert (X := below_next z Hz (l - p)). nra.
Qed.
Lemma part_grows : forall l k, (l <= k)%Z -> 0 <= part k - part l /\ H k - H l <= part k - part l.
Proof.
  intros l k A. replace k with (l + Z.of_nat (Z.to_nat (k - l)))%Z by lia. induction (Z.to_nat (k - l)) as [|d IH].
  - rewrite Z.add_0_r. lra.
  - replace (l + Z.of_nat (S d))%Z with (l + Z.of_nat d + 1)%Z by lia. assert (X := part_next (l + Z.of_nat d)). lra.
Qed.
Lemma part_low : forall l, 0 <= part l /\ H l <= part l.
Proof.
  assert (G : forall l, (l <= a)%Z -> 0 <= part l /\ H l <= part l).
  { intros l A. rewrite H_low by auto. unfold part. destruct (Z.leb_spec l a); [|lia].
    assert (ML := Rmax_l 0 low). assert (MR := Rmax_r 0 low). assert (R := below_range z Hz l). nra. }
  intros l. destruct (Z.le_gt_cases l a); auto. assert (X := part_grows a l ltac:(lia)). assert (Y := G a ltac:(lia)). lra.
Qed.
Lemma part_high : forall l, 0 <= gained - part l /\ top - H l <= gained - part l.
Proof.
  destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn & Hl). fold p in Hp, Hw, Hl.
  assert (G : forall l, (b < l)%Z -> 0 <= gained - part l /\ top - H l <= gained - part l).
  { intros l A. rewrite H_high by lia. unfold part. destruct (Z.leb_spec l a); [unfold a, b in *; lia|].
    destruct (Z.leb_spec l b); [lia|].
    assert (ML := Rmax_l 0 high). assert (MR := Rmax_r 0 high). assert (R := below_range z Hz (l - p)). nra. }
  intros l. destruct (Z.le_gt_cases l b); [|apply G; lia].
  assert (X := part_grows l (b + 1) ltac:(lia)). assert (Y := G (b + 1)%Z ltac:(lia)). lra.
Qed.

(* The same with thresholds in place of places, from the one that nothing to the one that everything is below. *)
Variables (n : nat) (f : nat).
Definition at_threshold (t : Z) : R := if (t =? never z)%Z then 0 else if (t =? always z n)%Z then top else H (t - p * Z.of_nat
  f).
Let part_of (t : Z) : R := if (t =? never z)%Z then 0 else if (t =? always z n)%Z then gained else part (t - p * Z.of_nat f).
Lemma part_of_grows : forall t u, (0 < n)%nat -> (never z <= t)%Z -> (t <= u)%Z -> (u <= always z n)%Z ->
  0 <= part_of u - part_of t /\ at_threshold u - at_threshold t <= part_of u - part_of t.
Proof.
  intros t u Hn Ht Htu Hu. destruct (law_facts z Hz) as (Hp & _ & Hs & _ & Hl). fold p in Hp, Hl.
  assert (HN : (never z < always z n)%Z) by (unfold never, always; fold p; nia).
  unfold part_of, at_threshold. assert (L := part_low (u - p * Z.of_nat f)). assert (R := part_high (t - p * Z.of_nat f)).
  assert (L' := part_low a). assert (R' := part_high a). assert (G := part_grows (t - p * Z.of_nat f) (u - p * Z.of_nat f)
  ltac:(lia)).
  destruct (Z.eqb_spec t (never z)); destruct (Z.eqb_spec t (always z n)); destruct (Z.eqb_spec u (never z));
    destruct (Z.eqb_spec u (always z n)); try lia; lra.
Qed.

(* A set of responses, response r being what is above threshold T r and at most T (r + 1) *)
Lemma set_gains : forall (m : nat) (T : nat -> Z) (A : nat -> bool), (0 < n)%nat -> T O = never z -> (T m <= always z n)%Z ->
  (forall r, (r < m)%nat -> T r <= T (S r))%Z ->
  Sum m (fun r => if A r then at_threshold (T (S r)) - at_threshold (T r) else 0) <= gained.
Proof.
  intros m T A Hn H0 Hm HT. destruct (law_facts z Hz) as (Hp & _ & Hs & _ & Hl). fold p in Hp, Hl.
  assert (HN : (never z < always z n)%Z) by (unfold never, always; fold p; nia).
  assert (Up : forall k, (k <= m)%nat -> (never z <= T k)%Z).
  { induction k; intros. lia. specialize (HT k ltac:(lia)). specialize (IHk ltac:(lia)). lia. }
  assert (Down : forall d k, (k + d = m)%nat -> (T k <= always z n)%Z).
  { induction d; intros k E. replace k with m by lia. auto. specialize (HT k ltac:(lia)). specialize (IHd (S k) ltac:(lia)).
    lia. }
  assert (G : forall k, (k <= m)%nat -> Sum k (fun r => if A r then at_threshold (T (S r)) - at_threshold (T r) else 0) <=
  part_of (T k)).
  { induction k; intros Hk; simpl. - rewrite H0. unfold part_of. rewrite Z.eqb_refl. lra.
    - specialize (IHk ltac:(lia)).
      assert (X := part_of_grows (T k) (T (S k)) Hn (Up k ltac:(lia)) (HT k ltac:(lia)) (Down (m - S k)%nat (S k) ltac:(lia))).
      destruct (A k); lra. }
  eapply Rle_trans; [apply G; auto|]. assert (X := part_of_grows (T m) (always z n) Hn (Up m ltac:(lia)) Hm ltac:(lia)).
  assert (E : part_of (always z n) = gained).
  { unfold part_of. rewrite Z.eqb_refl. destruct (Z.eqb_spec (always z n) (never z)); [lia|reflexivity]. }
  lra.
Qed.
End Variation.

(* ---- The integer is what both ways gain. *)
Lemma max_IZR : forall x y d, 0 < d -> IZR x = d * y -> IZR (Z.max 0 x) = d * Rmax 0 y.
Proof.
  intros x y d Hd H. destruct (Z.max_spec 0 x) as [[A ->]|[A ->]].
  - apply IZR_lt in A. rewrite Rmax_right; auto. apply Rmult_le_reg_l with d; lra.
  - apply IZR_le in A. rewrite Rmax_left. ring. apply Rmult_le_reg_l with d; lra.
Qed.

Section Spent.
Variables (z : noise) (en ed : Z).
Hypothesis Hz : law_ok z = true.
Hypothesis Hed : (0 < ed)%Z.
Let p := period z.
Let W := IZR (whole z).
Let t := IZR (tail z) / W.
Let E := IZR en / IZR ed.
Definition forth_of (l : Z) : R := below z l - E * below z (l - p).
Definition back_of (l : Z) : R := below z (l - p) - E * below z l.

Lemma fine_below : forall i, (i < size z + width z + width z)%nat -> IZR (fine z (width z) i) = W * W * below z (first z - p +
  Z.of_nat i).
Proof.
  intros i Hi. destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn & Hl). fold p in Hp, Hw, Hl. assert (HW := whole_pos z Hz).
  fold W in HW.
  unfold fine. destruct (Nat.ltb_spec i (width z)); [|destruct (Nat.ltb_spec i (width z + size z))].
  - replace (first z - p + Z.of_nat i)%Z with (first z + Z.of_nat i - p)%Z by ring. unfold p at 1.
    rewrite tail_before by (auto; fold p; lia). rewrite below_listed by lia. unfold listed. fold W t.
    replace (Z.to_nat (first z + Z.of_nat i - first z)) with i by lia. rewrite mult_IZR. unfold t. field. lra.
  - rewrite below_listed by lia. unfold listed. fold W.
    replace (Z.to_nat (first z - p + Z.of_nat i - first z)) with (i - width z)%nat by lia. rewrite mult_IZR. fold W. field. lra.
  - set (l := (first z - p + Z.of_nat i - p)%Z). replace (first z - p + Z.of_nat i)%Z with (l + p)%Z by (unfold l; ring).
    assert (X := tail_behind z Hz l ltac:(fold p; unfold l; lia)). fold p W t in X.
    rewrite (below_listed z l) in X by (unfold l; lia).
    replace (below z (l + p)) with (1 - t * (1 - listed z l)) by lra. unfold listed. fold W.
    replace (Z.to_nat (l - first z)) with (i - (width z + width z))%nat by (unfold l; lia).
    rewrite minus_IZR, !mult_IZR, minus_IZR. fold W. unfold t. field. lra.
Qed.

Lemma spends_gained : 0 < IZR ed * (W * W) /\
  IZR (spends z en ed) = IZR ed * (W * W) * Rmax (gained z forth_of (1 - E * t) (t - E)) (gained z back_of (t - E) (1 - E * t)).
Proof.
  destruct (law_facts z Hz) as (Hp & Hw & Hs & Hn & Hl). fold p in Hp, Hw, Hl. assert (HW := whole_pos z Hz). fold W in HW.
  assert (He := IZR_lt _ _ Hed). set (D := IZR ed * (W * W)). assert (HD : 0 < D) by (unfold D; repeat apply Rmult_lt_0_compat;
  auto).
  split; auto. assert (Hc : (cumulative z O = 0 + cumulative z O)%Z) by ring.
  unfold spends. assert (X := excesses_sum z (width z) en ed (size z - 1 + width z) 0 0 0). simpl plus in X. rewrite X.
  clear X. cbv zeta.
  assert (Hless : IZR (Z.max 0 (ed * whole z - en * tail z)) = IZR ed * W * Rmax 0 (1 - E * t)).
  { apply max_IZR. apply Rmult_lt_0_compat; auto. rewrite minus_IZR, !mult_IZR. fold W. unfold E, t. field. lra. }
  assert (Hmore : IZR (Z.max 0 (ed * tail z - en * whole z)) = IZR ed * W * Rmax 0 (t - E)).
  { apply max_IZR. apply Rmult_lt_0_compat; auto. rewrite minus_IZR, !mult_IZR. fold W. unfold E, t. field. lra. }
  set (less := Z.max 0 (ed * whole z - en * tail z)) in *. set (more := Z.max 0 (ed * tail z - en * whole z)) in *.
  assert (Hfirst : IZR (cumulative z O) = W * below z (first z)).
  { rewrite below_listed by lia. unfold listed. rewrite Z.sub_diag. simpl. fold W. field. lra. }
  assert (Hlast : IZR (whole z - cumulative z (size z - 1)) = W * (1 - below z (last z))).
  { rewrite below_listed by lia. unfold listed. replace (Z.to_nat (last z - first z)) with (size z - 1)%nat by lia.
    rewrite minus_IZR. fold W. field. lra. }
  assert (HF : forall u, (u < size z - 1 + width z)%nat ->
    IZR (fine z (width z) (S u) - fine z (width z) u) = W * W * (below z (first z + Z.of_nat (S u) - p) - below z (first z +
    Z.of_nat u - p)) /\
    IZR (fine z (width z) (S (u + width z)) - fine z (width z) (u + width z)) = W * W * (below z (first z + Z.of_nat (S u)) -
    below z (first z + Z.of_nat u))).
  { intros u Hu. rewrite !minus_IZR, !fine_below by lia.
    replace (first z - p + Z.of_nat (S (u + width z)))%Z with (first z + Z.of_nat (S u))%Z by lia.
    replace (first z - p + Z.of_nat (u + width z))%Z with (first z + Z.of_nat u)%Z by lia.
    replace (first z - p + Z.of_nat (S u))%Z with (first z + Z.of_nat (S u) - p)%Z by lia.
    replace (first z - p + Z.of_nat u)%Z with (first z + Z.of_nat u - p)%Z by lia. split; ring. }
  assert (Maxes : forall x y a b, IZR x = D * a -> IZR y = D * b -> IZR (Z.max x y) = D * Rmax a b).
  { intros x y a b Hx Hy. rewrite <- RmaxRmult by lra. rewrite <- Hx, <- Hy. destruct (Z.max_spec x y) as [[Q ->]|[Q ->]].
    - apply IZR_lt in Q. rewrite Rmax_right; lra. - apply IZR_le in Q. rewrite Rmax_left; lra. }
  apply Maxes; rewrite !plus_IZR, (mult_IZR less), (mult_IZR more), total_Sum, Hless, Hmore, Hfirst, Hlast; unfold gained.
  - rewrite (Sum_ext _ _ (fun u => D * Rmax 0 (forth_of (first z + Z.of_nat (S u)) - forth_of (first z + Z.of_nat u)))).
    { rewrite Sum_scale. unfold D. ring. }
    intros u Hu. apply max_IZR; auto. rewrite minus_IZR, (mult_IZR ed), (mult_IZR en). destruct (HF u Hu) as [-> ->].
    unfold forth_of, D, E. field. lra.
  - rewrite (Sum_ext _ _ (fun u => D * Rmax 0 (back_of (first z + Z.of_nat (S u)) - back_of (first z + Z.of_nat u)))).
    { rewrite Sum_scale. unfold D. ring. }
    intros u Hu. apply max_IZR; auto. rewrite minus_IZR, (mult_IZR ed), (mult_IZR en). destruct (HF u Hu) as [-> ->].
    unfold back_of, D, E. field. lra.
Qed.
End Spent.
