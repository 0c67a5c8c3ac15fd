(* The law of noise: F = `below` grows from 0 to 1, and a period further out on either side what is left is a fixed part. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise.
Import ListNotations.
Open Scope R_scope.

Definition width (z : noise) : nat := Z.to_nat (period z).
(* The conditions on the numbers of noise. The last two lines: F does not fall where the list ends and its tails begin. *)
Definition law_ok (z : noise) : bool :=
  (0 <? period z)%Z && (period z <? Z.of_nat (size z))%Z && (* before it is converted *)
  let k := width z in let c := cumulative z in let n := size z in
  (0 <=? tail z)%Z && (tail z <? whole z)%Z &&
  (0 <=? c O)%Z && (c (n - 1)%nat <=? whole z)%Z && all (n - 1) (fun i => (c i <=? c (S i))%Z) &&
  (if (tail z =? 0)%Z then (c O =? 0)%Z && (c (n - 1)%nat =? whole z)%Z else true) &&
  (tail z * c (k - 1)%nat <=? whole z * c O)%Z &&
  (tail z * (whole z - c (n - k)%nat) <=? whole z * (whole z - c (n - 1)%nat))%Z.

Section Law.
Variable z : noise.
Hypothesis Hz : law_ok z = true.
Let p := period z.
Let c := cumulative z.
Let W := IZR (whole z).
Let t := IZR (tail z) / W.

Lemma law_facts : (0 < p)%Z /\ Z.of_nat (width z) = p /\ (width z < size z)%nat /\ (last z = first z + Z.of_nat (size z) - 1)%Z /\
  (first z + p <= last z)%Z.
Proof. unfold law_ok in Hz. facts. unfold last, width, p in *. lia. Qed.
Lemma whole_pos : 0 < W.
Proof. unfold law_ok in Hz. facts. unfold W. apply IZR_lt. lia. Qed.
Lemma tail_range : 0 <= t < 1.
Proof.
  assert (HW := whole_pos). unfold law_ok in Hz. facts. unfold t. split.
  - apply div_nonneg; auto. apply IZR_le; auto.
  - apply Rmult_lt_reg_r with W; auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_l, Rmult_1_r by lra. apply IZR_lt; auto.
Qed.
Lemma rises : forall d i, (i + d < size z)%nat -> (c i <= c (i + d)%nat)%Z.
Proof.
  unfold law_ok in Hz. facts. match goal with A : all _ _ = true |- _ => rename A into HA end.
  induction d; intros i Hi. - rewrite Nat.add_0_r. lia.
  - specialize (IHd i ltac:(lia)). rewrite Nat.add_succ_r. assert (X := all_spec _ _ HA (i + d)%nat ltac:(lia)). simpl in X.
    facts. unfold c in *. lia.
Qed.
Lemma within : forall i, (i < size z)%nat -> (0 <= c i <= whole z)%Z.
Proof.
  intros i H. assert (A := rises i O). assert (B := rises (size z - 1 - i) i).
  replace (i + (size z - 1 - i))%nat with (size z - 1)%nat in B by lia.
  unfold law_ok in Hz. facts. specialize (A ltac:(lia)). specialize (B ltac:(lia)). unfold c in *. simpl in *. lia.
Qed.
Lemma listed_rises : forall a b, (first z <= a)%Z -> (a <= b)%Z -> (b <= last z)%Z -> listed z a <= listed z b.
Proof.
  intros a b Ha Hab Hb. unfold listed. apply div_le_div; try apply whole_pos. apply Rmult_le_compat_r. left; apply whole_pos.
  apply IZR_le. assert (X := rises (Z.to_nat (b - a)) (Z.to_nat (a - first z))).
  replace (Z.to_nat (b - first z)) with (Z.to_nat (a - first z) + Z.to_nat (b - a))%nat by lia. apply X.
  assert (Hf := law_facts). lia.
Qed.
Lemma listed_range : forall l, (first z <= l <= last z)%Z -> 0 <= listed z l <= 1.
Proof.
  intros l H. assert (Hf := law_facts). assert (HW := whole_pos). destruct (within (Z.to_nat (l - first z)) ltac:(lia)) as [A B].
  apply IZR_le in A, B. unfold listed. fold c W. split. apply div_nonneg; auto. apply div_le_l; auto. fold W in B. lra.
Qed.

(* ---- F beyond the list *)
Lemma below_listed : forall l, (first z <= l <= last z)%Z -> below z l = listed z l.
Proof. intros l H. unfold below. destruct (Z.ltb_spec l (first z)); [lia|]. destruct (Z.leb_spec l (last z)); [auto|lia]. Qed.
Lemma periods_next : forall d, periods z (d + p) = (periods z d + 1)%Z.
Proof.
  intros d. destruct law_facts as (Hp & _). unfold periods. fold p. replace (- (d + p))%Z with (- d + (-1) * p)%Z by ring.
  rewrite Z.div_add by lia. ring.
Qed.
Lemma periods_within : forall d, (0 < d)%Z -> (0 < periods z d)%Z /\ (d <= periods z d * p < d + p)%Z.
Proof.
  intros d H. destruct law_facts as (Hp & _). unfold periods. fold p.
  assert (A := Z.div_mod (- d) p ltac:(lia)). assert (B := Z.mod_pos_bound (- d) p Hp). nia.
Qed.
Lemma decay_next : forall k, (0 <= k)%Z -> decay z (k + 1) = t * decay z k.
Proof. intros k H. unfold decay. rewrite Z.add_1_r, Z2Nat.inj_succ by auto. reflexivity. Qed.
Lemma decay_range : forall k, 0 <= decay z k <= 1.
Proof.
  intros k. unfold decay. fold W t. assert (Ht := tail_range). split. apply pow_le; lra.
  rewrite <- (pow1 (Z.to_nat k)). apply pow_incr. lra.
Qed.

Lemma tail_before : forall l, (l < first z + p)%Z -> below z (l - p) = t * below z l.
Proof.
  intros l H. destruct law_facts as (Hp & _ & _ & _ & Hl). unfold below at 1. destruct (Z.ltb_spec (l - p) (first z)); [|lia].
  fold p.
  replace (first z - (l - p))%Z with (first z - l + p)%Z by ring. destruct (Z.lt_ge_cases l (first z)) as [A|A].
  - rewrite periods_next. destruct (periods_within (first z - l) ltac:(lia)) as [B _]. rewrite decay_next by lia.
    unfold below. destruct (Z.ltb_spec l (first z)); [|lia]. rewrite Rmult_assoc. do 3 f_equal. fold p. ring.
  - rewrite below_listed by lia. destruct (periods_within (first z - l + p) ltac:(lia)) as [B C].
    assert (E : periods z (first z - l + p) = (0 + 1)%Z) by nia. rewrite E, decay_next by lia. change (decay z 0) with 1.
    rewrite Rmult_1_r. do 2 f_equal. ring.
Qed.
Lemma tail_behind : forall l, (last z - p < l)%Z -> 1 - below z (l + p) = t * (1 - below z l).
Proof.
  intros l H. destruct law_facts as (Hp & _ & _ & _ & Hl). unfold below at 1.
  destruct (Z.ltb_spec (l + p) (first z)); [lia|]. destruct (Z.leb_spec (l + p) (last z)); [lia|]. fold p.
  replace (l + p - last z)%Z with (l - last z + p)%Z by ring. destruct (Z.lt_ge_cases (last z) l) as [A|A].
  - rewrite periods_next. destruct (periods_within (l - last z) ltac:(lia)) as [B _]. rewrite decay_next by lia.
    unfold below. destruct (Z.ltb_spec l (first z)); [lia|]. destruct (Z.leb_spec l (last z)); [lia|].
    replace (l + p - (periods z (l - last z) + 1) * p)%Z with (l - periods z (l - last z) * p)%Z by ring. fold p. ring.
  - rewrite (below_listed l) by lia. destruct (periods_within (l - last z + p) ltac:(lia)) as [B C].
    assert (E : periods z (l - last z + p) = (0 + 1)%Z) by nia. rewrite E, decay_next by lia. change (decay z 0) with 1.
    replace (l + p - (0 + 1) * p)%Z with l by ring. ring.
Qed.

(* ---- F is within 0 and 1, and does not fall. *)
Lemma below_range : forall l, 0 <= below z l <= 1.
Proof.
  intros l. destruct law_facts as (Hp & _ & _ & _ & Hl). unfold below. fold p.
  destruct (Z.ltb_spec l (first z)) as [A|A]; [|destruct (Z.leb_spec l (last z)) as [B|B]; [apply listed_range; lia|]].
  - destruct (periods_within (first z - l) ltac:(lia)) as [_ C]. set (k := periods z (first z - l)) in *.
    assert (D := decay_range k). assert (E := listed_range (l + k * p) ltac:(lia)). nra.
  - destruct (periods_within (l - last z) ltac:(lia)) as [_ C]. set (k := periods z (l - last z)) in *.
    assert (D := decay_range k). assert (E := listed_range (l - k * p) ltac:(lia)). nra.
Qed.
Lemma rise_first : below z (first z - 1) <= below z (first z).
Proof.
  destruct law_facts as (Hp & Hw & Hs & _ & Hl). assert (HW := whole_pos).
  replace (first z - 1)%Z with (first z + p - 1 - p)%Z by ring. rewrite tail_before by lia. rewrite !below_listed by lia.
  unfold law_ok in Hz. facts. unfold listed, t. fold c W. replace (Z.to_nat (first z + p - 1 - first z)) with (width z - 1)%nat
  by lia.
  replace (Z.to_nat (first z - first z)) with O by lia.
  match goal with A : (tail z * _ <= whole z * cumulative z O)%Z |- _ => apply IZR_le in A; rewrite !mult_IZR in A;
  fold c W in A end.
  replace (IZR (tail z) / W * (IZR (c (width z - 1)%nat) / W)) with (IZR (tail z) * IZR (c (width z - 1)%nat) / (W * W)) by
  (field; lra).
  apply div_le_div; auto. nra. nra.
Qed.
Lemma rise_last : below z (last z) <= below z (last z + 1).
Proof.
  destruct law_facts as (Hp & Hw & Hs & Hn & Hl). assert (HW := whole_pos).
  enough (1 - below z (last z + 1) <= 1 - below z (last z)) by lra.
  replace (last z + 1)%Z with (last z + 1 - p + p)%Z by ring. rewrite tail_behind by lia. rewrite !below_listed by lia.
  unfold law_ok in Hz. facts. unfold listed, t. fold c W. replace (Z.to_nat (last z + 1 - p - first z)) with (size z - width
  z)%nat by lia.
  replace (Z.to_nat (last z - first z)) with (size z - 1)%nat by lia.
  match goal with A : (tail z * _ <= whole z * (whole z - _))%Z |- _ => apply IZR_le in A; rewrite !mult_IZR, !minus_IZR in A;
  fold c W in A end.
  replace (IZR (tail z) / W * (1 - IZR (c (size z - width z)%nat) / W)) with
    (IZR (tail z) * (W - IZR (c (size z - width z)%nat)) / (W * W)) by (field; lra).
  replace (1 - IZR (c (size z - 1)%nat) / W) with ((W - IZR (c (size z - 1)%nat)) / W) by (field; lra).
  apply div_le_div; auto. nra. nra.
Qed.
Lemma rise_below : forall k l, (first z - Z.of_nat k <= l)%Z -> (l < last z)%Z -> below z l <= below z (l + 1).
Proof.
  destruct law_facts as (Hp & _ & _ & _ & Hl). induction k as [|k IH]; intros l Hk H.
  - rewrite !below_listed by lia. apply listed_rises; lia.
  - destruct (Z.le_gt_cases (first z - Z.of_nat k) l) as [A|A]; [apply IH; lia|].
    destruct (Z.eq_dec l (first z - 1)) as [->|B]. { replace (first z - 1 + 1)%Z with (first z) by ring. apply rise_first. }
    assert (X := IH (l + p)%Z ltac:(lia) ltac:(lia)). assert (Ht := tail_range).
    assert (C := tail_before (l + p) ltac:(lia)). assert (D := tail_before (l + p + 1) ltac:(lia)).
    replace (l + p - p)%Z with l in C by ring. replace (l + p + 1 - p)%Z with (l + 1)%Z in D by ring. rewrite C, D.
    apply Rmult_le_compat_l; lra.
Qed.
Lemma rise_behind : forall k l, (l < last z + Z.of_nat k)%Z -> (first z <= l)%Z -> below z l <= below z (l + 1).
Proof.
  destruct law_facts as (Hp & _ & _ & _ & Hl). induction k as [|k IH]; intros l Hk H.
  - rewrite !below_listed by lia. apply listed_rises; lia.
  - destruct (Z.lt_ge_cases l (last z + Z.of_nat k)) as [A|A]; [apply IH; lia|].
    destruct (Z.eq_dec l (last z)) as [->|B]; [apply rise_last|].
    assert (X := IH (l - p)%Z ltac:(lia) ltac:(lia)). assert (Ht := tail_range).
    assert (C := tail_behind (l - p) ltac:(lia)). assert (D := tail_behind (l - p + 1) ltac:(lia)).
    replace (l - p + p)%Z with l in C by ring. replace (l - p + 1 + p)%Z with (l + 1)%Z in D by ring.
    assert (t * (1 - below z (l - p + 1)) <= t * (1 - below z (l - p))) by (apply Rmult_le_compat_l; lra). lra.
Qed.
Lemma below_next : forall l, below z l <= below z (l + 1).
Proof.
  intros l. destruct (Z.lt_ge_cases l (first z)).
  - apply rise_below with (k := Z.to_nat (first z - l)). lia. assert (H' := law_facts). lia.
  - apply rise_behind with (k := Z.to_nat (l - last z + 1)); lia.
Qed.
Theorem below_grows : forall a b, (a <= b)%Z -> below z a <= below z b.
Proof.
  intros a b H. replace b with (a + Z.of_nat (Z.to_nat (b - a)))%Z by lia. induction (Z.to_nat (b - a)) as [|d IH].
  - rewrite Z.add_0_r. lra. - eapply Rle_trans; [exact IH|]. replace (a + Z.of_nat (S d))%Z with (a + Z.of_nat d + 1)%Z by lia.
    apply below_next.
Qed.
End Law.

(* ==== One shift of the noise spends the most that a set of places has beyond E times as much a period further, or the
   other way round. No set of responses tells neighbouring truths better apart, since a response is an interval of places. *)
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
  destruct (Z.eqb_spec t (always z n)) as [Et|_].
  - rewrite (proj2 (Z.eqb_neq t (never z))), (proj2 (Z.eqb_neq u (never z))), (proj2 (Z.eqb_eq u (always z n))) by lia. lra.
  - destruct (Z.eqb_spec u (never z)) as [Eu|_]. { rewrite (proj2 (Z.eqb_eq t (never z))) by lia. lra. }
    destruct (Z.eqb_spec t (never z)), (Z.eqb_spec u (always z n)); lra.
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
  unfold spends. assert (X := excesses_sum z (width z) en ed (size z - 1 + width z) 0 0 0). cbn [Nat.add] in X. rewrite X.
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
