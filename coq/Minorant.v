(* Minorants of what a step adds, made along lines of the privacy. Pairs (A_d, Y_d) say of the probability a_f of a set at
   truth f, of any set, that 1 - a_(k-d) is at least (A_d + Y_d (1 - a_k)) / one, and pairs (B_d, Z_d) that a_(k+d) is at
   least (B_d + Z_d a_k) / one. The next pair follows along a line one a_f <= s a_g + o, where f and g are neighbours. Any
   line serves at any truth, so that the hints, where which line is lowest, need not be true. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Steps.
Import ListNotations.
Open Scope R_scope.

(* Numbers of the lines, by d, and how many truths before and behind the home are asked for *)
Record profile := { up : nat -> nat; across : nat -> nat; up_to : nat; across_to : nat }.
Definition pairs := list (Z * Z).

Section Minorant.
Variables (n : nat) (one floor : Z) (ls : pairs).

(* ---- Sequences, from the home outwards *)
Definition next_up (hint : nat) (p : Z * Z) : Z * Z :=
  match nth_error ls hint with
  | Some (s, o) => let a := (one - o - s + s * fst p / one)%Z in if (floor <? a)%Z then (a, (s * snd p / one)%Z) else (0%Z, 0%Z)
  | None => (0%Z, 0%Z) end.
Definition next_across (hint : nat) (p : Z * Z) : Z * Z :=
  match nth_error ls hint with
  | Some (s, o) => if (s <=? 0)%Z then (0%Z, 0%Z) else
      let a := ((fst p - o) * one / s)%Z in if (floor <? a)%Z then (a, (snd p * one / s)%Z) else (0%Z, 0%Z)
  | None => (0%Z, 0%Z) end.
Fixpoint unrolled (next : nat -> Z * Z -> Z * Z) (count d : nat) (p : Z * Z) (done : pairs) : pairs :=
  match count with O => done | S c => let p' := next (S d) p in unrolled next c (S d) p' (p' :: done) end.
Definition sequences (p : profile) : pairs * pairs :=
  (rev_append (unrolled (fun d => next_up (up p d)) (up_to p) 0 (0%Z, one) []) [],
   rev_append (unrolled (fun d => next_across (across p d)) (across_to p) 0 (0%Z, one) [(0%Z, one)]) []).

(* ---- A and B of a minorant, and the least of the larger of two *)
Fixpoint weigh (cost : nat -> Z) (ps : pairs) (count d : nat) (a y : Z) {struct count} : Z * Z :=
  match count, ps with
  | S c, (b, z) :: rest => let w := cost d in
      if (w =? 0)%Z then weigh cost rest c (S d) a y else weigh cost rest c (S d) (a + w * b)%Z (y + w * z)%Z
  | _, _ => (a, y) end.
Definition minorant (ca cb : nat -> Z) (b f : nat) (sides : pairs * pairs) : Z * Z :=
  let '(a, y) := weigh ca (fst sides) b 0 0 0 in
  let '(a', z) := weigh cb (snd sides) f 0 0 0 in ((a + y + a')%Z, (z - y)%Z).
Definition larger (p q : Z * Z) (x : Z) : Z := Z.max (fst p + snd p * x / one) (fst q + snd q * x / one).
Definition least_of_lines (p q : Z * Z) (least : Z) : Z :=
  let '(a, b) := p in let '(c, d) := q in
  let ends := Z.min (larger p q least) (larger p q one) in
  if (b * d <? 0)%Z then
    let '(over, under) := if (b <? d)%Z then (a - c, d - b)%Z else (c - a, b - d)%Z in
    if (least * under <=? over * one)%Z && (over <=? under)%Z
    then if (b <? d)%Z then ((a * d - c * b) / under)%Z else ((c * b - a * d) / under)%Z else ends
  else ends.

(* The least probability at the home, where it is one at truth 0 *)
Fixpoint after_one (hint : nat -> nat) (count f : nat) (a : Z) : Z :=
  match count with
  | O => a
  | S c => after_one hint c (S f) match nth_error ls (hint f) with
      | Some (s, o) => if (s <=? 0)%Z then 0%Z else Z.max ((a - o) * one / s) 0
      | None => 0%Z end
  end.

(* ---- Each pair of a sequence holds: of the probabilities of any set, under any privacy of the question. *)
Hypothesis Hone : (0 < one)%Z.
Definition keeps_lines (a : nat -> R) : Prop := (forall f, (f < n)%nat -> 0 <= a f <= 1) /\ forall s o, In (s, o) ls ->
  (0 <= s)%Z /\ forall f g, (f < n)%nat -> (g < n)%nat -> g = S f \/ f = S g -> IZR one * a f <= IZR s * a g + IZR o.
Definition holds_before (d : nat) (p : Z * Z) : Prop := forall a k, keeps_lines a -> (k < n)%nat -> (d <= k)%nat ->
  IZR (fst p) + IZR (snd p) * (1 - a k) <= IZR one * (1 - a (k - d)%nat).
Definition holds_behind (d : nat) (p : Z * Z) : Prop := forall a k, keeps_lines a -> (k + d < n)%nat ->
  IZR (fst p) + IZR (snd p) * a k <= IZR one * a (k + d)%nat.

Lemma scaled_floor : forall s a y u t, (0 <= s)%Z -> 0 <= u -> IZR a + IZR y * u <= IZR one * t ->
  IZR (s * a / one) + IZR (s * y / one) * u <= IZR s * t.
Proof.
  intros s a y u t Hs Hu H. assert (Ha := floor_below (s * a) one Hone). assert (Hy := floor_below (s * y) one Hone).
  assert (HoR := IZR_lt _ _ Hone). rewrite mult_IZR in Ha, Hy. apply IZR_le in Hs.
  apply Rmult_le_compat_r with (r := u) in Hy; auto. apply Rmult_le_compat_l with (r := IZR s) in H; auto.
  apply Rle_trans with (IZR s * (IZR a + IZR y * u) / IZR one).
  - unfold Rdiv in *. lra.
  - apply div_le_l; lra.
Qed.
Lemma zero_before : forall d, holds_before d (0%Z, 0%Z).
Proof.
  intros d a k [Ha _] Hk Hd. specialize (Ha (k - d)%nat ltac:(lia)). apply IZR_lt in Hone. simpl. rewrite Rmult_0_l, Rplus_0_l.
  apply Rmult_le_pos; lra.
Qed.
Lemma zero_behind : forall d, holds_behind d (0%Z, 0%Z).
Proof.
  intros d a k [Ha _] Hk. specialize (Ha (k + d)%nat Hk). apply IZR_lt in Hone. simpl. rewrite Rmult_0_l, Rplus_0_l.
  apply Rmult_le_pos; lra.
Qed.
Lemma next_up_sound : forall hint d p, holds_before d p -> holds_before (S d) (next_up hint p).
Proof.
  intros hint d p H. unfold next_up. destruct (nth_error ls hint) as [[s o]|] eqn:E; [|apply zero_before]. apply nth_error_In in E. cbv zeta.
  destruct (floor <? _)%Z; [|apply zero_before]. intros a k Ha Hk Hd. specialize (H a k Ha Hk ltac:(lia)).
  destruct (proj2 Ha _ _ E) as [Hs L]. specialize (L (k - S d)%nat (k - d)%nat ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (B := proj1 Ha k Hk). apply (scaled_floor s) in H; [|auto|lra]. cbn [fst snd]. rewrite plus_IZR, !minus_IZR. lra.
Qed.
Lemma next_across_sound : forall hint d p, holds_behind d p -> holds_behind (S d) (next_across hint p).
Proof.
  intros hint d p H. unfold next_across. destruct (nth_error ls hint) as [[s o]|] eqn:E; [|apply zero_behind]. apply nth_error_In in E.
  destruct (Z.leb_spec s 0) as [|Hs]; [apply zero_behind|]. cbv zeta. destruct (floor <? _)%Z; [|apply zero_behind].
  intros a k Ha Hk. specialize (H a k Ha ltac:(lia)). destruct (proj2 Ha _ _ E) as [_ L].
  specialize (L (k + d)%nat (k + S d)%nat ltac:(lia) ltac:(lia) ltac:(lia)). assert (B := proj1 Ha k ltac:(lia)).
  assert (Hb := floor_below ((fst p - o) * one) s Hs). assert (Hz := floor_below (snd p * one) s Hs).
  apply IZR_lt in Hs. assert (HoR := IZR_lt _ _ Hone). rewrite mult_IZR in Hb, Hz. rewrite minus_IZR in Hb. cbn [fst snd].
  apply Rmult_le_compat_r with (r := a k) in Hz; [|lra].
  apply Rle_trans with (IZR one * (IZR (fst p) + IZR (snd p) * a k - IZR o) / IZR s).
  - unfold Rdiv in *. lra.
  - apply div_le_l; auto. rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.

Fixpoint from (V : nat -> Z * Z -> Prop) (d : nat) (ps : pairs) : Prop :=
  match ps with [] => True | p :: rest => V d p /\ from V (S d) rest end.
Fixpoint back_to (V : nat -> Z * Z -> Prop) (d : nat) (ps : pairs) : Prop :=
  match ps with [] => True | p :: rest => V (d + length rest)%nat p /\ back_to V d rest end.
Lemma reversed : forall V d ps rest, back_to V d ps -> from V (d + length ps) rest -> from V d (rev_append ps rest).
Proof.
  induction ps as [|p ps IH]; simpl; intros rest H Hr. rewrite Nat.add_0_r in Hr. auto. apply IH. apply H.
  split. apply H. rewrite Nat.add_succ_r in Hr. auto.
Qed.
Lemma unrolled_sound : forall (V : nat -> Z * Z -> Prop) next e, (forall d p, V d p -> V (S d) (next (S d) p)) ->
  forall count d p done, V d p -> back_to V e done -> (e + length done = S d)%nat -> back_to V e (unrolled next count d p done).
Proof.
  intros V next e Hn. induction count as [|c IH]; simpl; intros d p done Hp Hd He. auto. apply IH.
  - auto. - simpl. rewrite He. auto. - simpl. lia.
Qed.
Definition sound (x : pairs * pairs) : Prop := from holds_before 1 (fst x) /\ from holds_behind 0 (snd x).
Lemma sequences_sound : forall p, sound (sequences p).
Proof.
  intros p. split; apply reversed; try exact I; apply unrolled_sound; simpl; auto; try (intros; apply next_up_sound + apply next_across_sound; auto).
  - intros a k _ _ _. simpl. rewrite Nat.sub_0_r. lra.
  - intros a k _ _. simpl. rewrite Nat.add_0_r. lra.
  - split; auto. intros a k _ _. simpl. rewrite Nat.add_0_r. lra.
Qed.

(* ---- A minorant *)
Lemma Sum_reversed : forall k x, Sum k x = Sum k (fun i => x (k - S i)%nat).
Proof.
  induction k; intros x. reflexivity. rewrite (Sum_first k (fun i => x (S k - S i)%nat)). simpl. rewrite Nat.sub_0_r, (IHk x). lra.
Qed.
Lemma weigh_sound : forall cost (V : nat -> Z * Z -> Prop) u X N, (forall i, (i < N)%nat -> (0 <= cost i)%Z /\ 0 <= X i) ->
  (forall i p, (i < N)%nat -> V i p -> IZR (fst p) + IZR (snd p) * u <= IZR one * X i) ->
  forall count ps d a y a' y', (d + count = N)%nat -> from V d ps -> weigh cost ps count d a y = (a', y') ->
  IZR a' + IZR y' * u <= IZR a + IZR y * u + IZR one * Sum count (fun i => IZR (cost (d + i)%nat) * X (d + i)%nat).
Proof.
  intros cost V u X N Hc HV. assert (HoR := IZR_lt _ _ Hone). induction count as [|c IH]; simpl weigh; intros ps d a y a' y' HN Hp H.
  - injection H as <- <-. simpl. lra.
  - destruct ps as [|[b z] rest].
    + injection H as <- <-. assert (0 <= Sum (S c) (fun i => IZR (cost (d + i)%nat) * X (d + i)%nat)).
      { apply Sum_nonneg. intros i Hi. destruct (Hc (d + i)%nat ltac:(lia)) as [H0 H1]. apply IZR_le in H0. apply Rmult_le_pos; auto. }
      apply Rmult_le_compat_l with (r := IZR one) in H; lra.
    + destruct Hp as [Hp Hr]. destruct (Hc d ltac:(lia)) as [H0 _]. apply IZR_le in H0. apply HV in Hp; [|lia].
      assert (H' : weigh cost rest c (S d) (a + cost d * b) (y + cost d * z) = (a', y')).
      { destruct (Z.eqb_spec (cost d) 0) as [E|_]; [|auto]. rewrite E, !Z.mul_0_l, !Z.add_0_r. auto. }
      clear H. rename H' into H. apply (IH rest (S d)) in H; [|lia|auto]. rewrite Sum_first, Nat.add_0_r.
      rewrite (Sum_ext c (fun i => IZR (cost (d + S i)%nat) * X (d + S i)%nat) (fun i => IZR (cost (S d + i)%nat) * X (S d + i)%nat)).
      2:{ intros. rewrite Nat.add_succ_r. reflexivity. }
      apply Rmult_le_compat_l with (r := IZR (cost d)) in Hp; auto. rewrite !plus_IZR, !mult_IZR in H. cbn [fst snd] in Hp. lra.
Qed.

Lemma minorant_sound : forall a k ca cb b f sides, keeps_lines a -> sound sides -> (k < n)%nat -> (b <= k)%nat -> (k + f <= n)%nat ->
  (forall i, (i < b)%nat -> (0 <= ca i)%Z) -> (forall i, (i < f)%nat -> (0 <= cb i)%Z) ->
  let '(A, B) := minorant ca cb b f sides in
  IZR A + IZR B * a k <= IZR one * (Sum b (fun i => IZR (ca i) * (1 - a (k - S i)%nat)) + Sum f (fun i => IZR (cb i) * a (k + i)%nat)).
Proof.
  intros a k ca cb b f sides Ha [Hb Hf] Hk H1 H2 Hca Hcb. unfold minorant.
  destruct (weigh ca _ _ _ _ _) as [A Y] eqn:E1. destruct (weigh cb _ _ _ _ _) as [B Z'] eqn:E2.
  assert (R := proj1 Ha). apply (weigh_sound ca (fun i => holds_before (S i)) (1 - a k) (fun i => 1 - a (k - S i)%nat) b) in E1; auto.
  - apply (weigh_sound cb holds_behind (a k) (fun i => a (k + i)%nat) f) in E2; auto.
    + cbn [Nat.add] in E1, E2. rewrite !plus_IZR, minus_IZR. lra.
    + intros i Hi. split; auto. apply R. lia.
    + intros i p Hi Hp. apply Hp; auto. lia.
  - intros i Hi. split; auto. specialize (R (k - S i)%nat ltac:(lia)). lra.
  - intros i p Hi Hp. apply Hp; auto. lia.
  - clear - Hb. revert Hb. generalize O. induction (fst sides); simpl; intuition.
Qed.

(* ---- The larger of two lines is nowhere less than at an end, or where they cross. *)
Lemma larger_below : forall p q X t, (IZR (fst p) * IZR one + IZR (snd p) * IZR X <= t * IZR one) ->
  (IZR (fst q) * IZR one + IZR (snd q) * IZR X <= t * IZR one) -> IZR (larger p q X) <= t.
Proof.
  assert (HoR := IZR_lt _ _ Hone).
  assert (G : forall p X t, IZR (fst p) * IZR one + IZR (snd p) * IZR X <= t * IZR one -> IZR (fst p + snd p * X / one) <= t).
  { intros p X t H. assert (B := floor_below (snd p * X) one Hone). rewrite plus_IZR, mult_IZR in *.
    apply Rmult_le_reg_r with (IZR one); auto. apply Rmult_le_compat_r with (r := IZR one) in B; [|lra].
    replace (IZR (snd p) * IZR X / IZR one * IZR one) with (IZR (snd p) * IZR X) in B by (field; lra). lra. }
  intros p q X t Hp Hq. unfold larger. apply G in Hp, Hq. destruct (Z.max_spec (fst p + snd p * X / one) (fst q + snd q * X / one)) as [[_ ->]|[_ ->]]; auto.
Qed.
Lemma ends_below : forall p q least t, IZR (larger p q least) <= t \/ IZR (larger p q one) <= t ->
  IZR (Z.min (larger p q least) (larger p q one)) <= t.
Proof.
  intros p q least t H. assert (A := IZR_le _ _ (Z.le_min_l (larger p q least) (larger p q one))).
  assert (B := IZR_le _ _ (Z.le_min_r (larger p q least) (larger p q one))). destruct H; lra.
Qed.
(* One line falls and the other one rises, but they do not cross in between. *)
Lemma crossed_outside : forall a b c d least x t, (b < 0)%Z -> (0 < d)%Z -> IZR least <= IZR one * x -> x <= 1 ->
  IZR a + IZR b * x <= t -> IZR c + IZR d * x <= t -> (least * (d - b) <=? (a - c) * one)%Z && (a - c <=? d - b)%Z = false ->
  IZR (larger (a, b) (c, d) least) <= t \/ IZR (larger (a, b) (c, d) one) <= t.
Proof.
  intros a b c d least x t Hb Hd Hl Hx H1 H2 H. assert (HoR := IZR_lt _ _ Hone). apply IZR_lt in Hb, Hd. apply andb_false_iff in H as [H|H].
  - left. apply Z.leb_gt, IZR_lt in H. rewrite !mult_IZR, !minus_IZR in H.
    assert (IZR d * IZR least <= IZR d * (IZR one * x)) by (apply Rmult_le_compat_l; lra).
    apply Rmult_le_compat_l with (r := IZR one) in H2; [|lra]. apply larger_below; cbn [fst snd]; lra.
  - right. apply Z.leb_gt, IZR_lt in H. rewrite !minus_IZR in H.
    assert (B : IZR b * 1 <= IZR b * x) by (apply Rmult_le_compat_neg_l; lra).
    apply larger_below; cbn [fst snd]; rewrite <- Rmult_plus_distr_r; apply Rmult_le_compat_r; lra.
Qed.
Lemma larger_comm : forall p q X, larger p q X = larger q p X.
Proof. intros. apply Z.max_comm. Qed.
Lemma least_of_lines_sound : forall p q least x t, IZR least <= IZR one * x -> 0 <= x <= 1 ->
  IZR (fst p) + IZR (snd p) * x <= t -> IZR (fst q) + IZR (snd q) * x <= t -> IZR (least_of_lines p q least) <= t.
Proof.
  intros [a b] [c d] least x t Hl Hx H1 H2. cbn [fst snd] in *. assert (HoR := IZR_lt _ _ Hone). unfold least_of_lines.
  assert (Cross : forall a b c d, (b < 0)%Z -> (0 < d)%Z -> IZR a + IZR b * x <= t -> IZR c + IZR d * x <= t -> IZR ((a * d - c * b) / (d - b)) <= t).
  { clear. intros a b c d Hb Hd H1 H2. eapply Rle_trans; [apply floor_below; lia|]. apply IZR_lt in Hb, Hd. rewrite !minus_IZR, !mult_IZR.
    apply div_le_l; [lra|]. apply Rmult_le_compat_l with (r := IZR d) in H1; [|lra].
    apply Rmult_le_compat_l with (r := - IZR b) in H2; [|lra]. lra. }
  destruct (Z.ltb_spec (b * d) 0) as [Hs|Hs].
  - destruct (Z.ltb_spec b d) as [L|L].
    + assert (Hb : (b < 0)%Z) by nia. assert (Hd : (0 < d)%Z) by nia.
      destruct (_ && _) eqn:C; [apply Cross; auto|]. apply ends_below. eapply crossed_outside; eauto. lra.
    + assert (Hb : (d < 0)%Z) by nia. assert (Hd : (0 < b)%Z) by nia.
      destruct (_ && _) eqn:C; [apply Cross; auto|]. apply ends_below. rewrite !(larger_comm (a, b)). eapply crossed_outside; eauto. lra.
  - apply ends_below. destruct (Z.le_gt_cases 0 b) as [Hb|Hb].
    + destruct (Z.le_gt_cases 0 d) as [Hd|Hd].
      * left. apply IZR_le in Hb, Hd. apply Rmult_le_compat_l with (r := IZR one) in H1, H2; try lra.
        assert (A := Hl). apply Rmult_le_compat_l with (r := IZR b) in Hl; auto. apply Rmult_le_compat_l with (r := IZR d) in A; auto.
        apply larger_below; cbn [fst snd]; lra.
      * assert (b = 0)%Z by nia. subst b. right. apply IZR_lt in Hd. assert (IZR d * 1 <= IZR d * x) by (apply Rmult_le_compat_neg_l; lra).
        apply larger_below; cbn [fst snd]; rewrite <- Rmult_plus_distr_r; apply Rmult_le_compat_r; lra.
    + assert (Hd : (d <= 0)%Z) by nia. right. apply IZR_lt in Hb. apply IZR_le in Hd.
      assert (IZR b * 1 <= IZR b * x) by (apply Rmult_le_compat_neg_l; lra). assert (IZR d * 1 <= IZR d * x) by (apply Rmult_le_compat_neg_l; lra).
      apply larger_below; cbn [fst snd]; rewrite <- Rmult_plus_distr_r; apply Rmult_le_compat_r; lra.
Qed.

Lemma after_one_sound : forall a hint, keeps_lines a -> forall count f x, (f + count < n)%nat -> IZR x <= IZR one * a f ->
  IZR (after_one hint count f x) <= IZR one * a (f + count)%nat.
Proof.
  intros a hint Ha. assert (HoR := IZR_lt _ _ Hone). induction count as [|c IH]; simpl; intros f x Hf Hx. rewrite Nat.add_0_r. auto.
  replace (f + S c)%nat with (S f + c)%nat by lia. apply IH; [lia|]. assert (B := proj1 Ha (S f) ltac:(lia)).
  assert (P : 0 <= IZR one * a (S f)) by (apply Rmult_le_pos; lra). destruct (nth_error ls (hint f)) as [[s o]|] eqn:E; [|auto]. apply nth_error_In in E.
  destruct (Z.leb_spec s 0) as [|Hs]; [auto|]. destruct (Z.max_spec ((x - o) * one / s) 0) as [[_ ->]|[_ ->]]; auto.
  destruct (proj2 Ha _ _ E) as [_ L]. specialize (L f (S f) ltac:(lia) ltac:(lia) ltac:(lia)).
  eapply Rle_trans; [apply floor_below; auto|]. apply IZR_lt in Hs. rewrite mult_IZR, minus_IZR. apply div_le_l; auto.
  replace (IZR one * a (S f) * IZR s) with ((IZR s * a (S f)) * IZR one) by ring. apply Rmult_le_compat_r; lra.
Qed.
End Minorant.
