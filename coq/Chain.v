(* Minorants of what a step adds, made along lines of the privacy. Pairs (A_d, Y_d) say of the probability a_f of a set at
   truth f, of any set, that 1 - a_(k-d) is at least (A_d + Y_d (1 - a_k)) / one, and pairs (B_d, Z_d) that a_(k+d) is at
   least (B_d + Z_d a_k) / one. The next pair follows along a line one a_f <= s a_g + o, where f and g are neighbours. Any
   line serves at any truth, so that the hints, where which line is lowest, need not be true. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps.
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
  intros hint d p H. unfold next_up. destruct (nth_error ls hint) as [[s o]|] eqn:E; [|apply zero_before].
  apply nth_error_In in E. cbv zeta.
  destruct (floor <? _)%Z; [|apply zero_before]. intros a k Ha Hk Hd. specialize (H a k Ha Hk ltac:(lia)).
  destruct (proj2 Ha _ _ E) as [Hs L]. specialize (L (k - S d)%nat (k - d)%nat ltac:(lia) ltac:(lia) ltac:(lia)).
  assert (B := proj1 Ha k Hk). apply (scaled_floor s) in H; [|auto|lra]. cbn [fst snd]. rewrite plus_IZR, !minus_IZR. lra.
Qed.
Lemma next_across_sound : forall hint d p, holds_behind d p -> holds_behind (S d) (next_across hint p).
Proof.
  intros hint d p H. unfold next_across. destruct (nth_error ls hint) as [[s o]|] eqn:E; [|apply zero_behind].
  apply nth_error_In in E.
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
  intros p. split; apply reversed; try exact I; apply unrolled_sound; simpl; auto;
    try (intros; apply next_up_sound + apply next_across_sound; auto).
  - intros a k _ _ _. simpl. rewrite Nat.sub_0_r. lra.
  - intros a k _ _. simpl. rewrite Nat.add_0_r. lra.
  - split; auto. intros a k _ _. simpl. rewrite Nat.add_0_r. lra.
Qed.

(* ---- A minorant *)
Lemma Sum_reversed : forall k x, Sum k x = Sum k (fun i => x (k - S i)%nat).
Proof.
  induction k; intros x. reflexivity. rewrite (Sum_first k (fun i => x (S k - S i)%nat)). simpl.
  rewrite Nat.sub_0_r, (IHk x). lra.
Qed.
Lemma weigh_sound : forall cost (V : nat -> Z * Z -> Prop) u X N, (forall i, (i < N)%nat -> (0 <= cost i)%Z /\ 0 <= X i) ->
  (forall i p, (i < N)%nat -> V i p -> IZR (fst p) + IZR (snd p) * u <= IZR one * X i) ->
  forall count ps d a y a' y', (d + count = N)%nat -> from V d ps -> weigh cost ps count d a y = (a', y') ->
  IZR a' + IZR y' * u <= IZR a + IZR y * u + IZR one * Sum count (fun i => IZR (cost (d + i)%nat) * X (d + i)%nat).
Proof.
  intros cost V u X N Hc HV. assert (HoR := IZR_lt _ _ Hone). induction count as [|c IH]; simpl weigh;
    intros ps d a y a' y' HN Hp H.
  - injection H as <- <-. simpl. lra.
  - destruct ps as [|[b z] rest].
    + injection H as <- <-. assert (0 <= Sum (S c) (fun i => IZR (cost (d + i)%nat) * X (d + i)%nat)).
      { apply Sum_nonneg. intros i Hi. destruct (Hc (d + i)%nat ltac:(lia)) as [H0 H1]. apply IZR_le in H0.
          apply Rmult_le_pos; auto. }
      apply Rmult_le_compat_l with (r := IZR one) in H; lra.
    + destruct Hp as [Hp Hr]. destruct (Hc d ltac:(lia)) as [H0 _]. apply IZR_le in H0. apply HV in Hp; [|lia].
      assert (H' : weigh cost rest c (S d) (a + cost d * b) (y + cost d * z) = (a', y')).
      { destruct (Z.eqb_spec (cost d) 0) as [E|_]; [|auto]. rewrite E, !Z.mul_0_l, !Z.add_0_r. auto. }
      clear H. rename H' into H. apply (IH rest (S d)) in H; [|lia|auto]. rewrite Sum_first, Nat.add_0_r.
      rewrite (Sum_ext c (fun i => IZR (cost (d + S i)%nat) * X (d + S i)%nat)
        (fun i => IZR (cost (S d + i)%nat) * X (S d + i)%nat)).
      2:{ intros. rewrite Nat.add_succ_r. reflexivity. }
      apply Rmult_le_compat_l with (r := IZR (cost d)) in Hp; auto. rewrite !plus_IZR, !mult_IZR in H. cbn [fst snd] in Hp. lra.
Qed.

Lemma minorant_sound : forall a k ca cb b f sides, keeps_lines a -> sound sides -> (k < n)%nat -> (b <= k)%nat ->
  (k + f <= n)%nat ->
  (forall i, (i < b)%nat -> (0 <= ca i)%Z) -> (forall i, (i < f)%nat -> (0 <= cb i)%Z) ->
  let '(A, B) := minorant ca cb b f sides in
  IZR A + IZR B * a k <= IZR one * (Sum b (fun i => IZR (ca i) * (1 - a (k - S i)%nat)) + Sum f
    (fun i => IZR (cb i) * a (k + i)%nat)).
Proof.
  intros a k ca cb b f sides Ha [Hb Hf] Hk H1 H2 Hca Hcb. unfold minorant.
  destruct (weigh ca _ _ _ _ _) as [A Y] eqn:E1. destruct (weigh cb _ _ _ _ _) as [B Z'] eqn:E2.
  assert (R := proj1 Ha). apply (weigh_sound ca (fun i => holds_before (S i)) (1 - a k) (fun i => 1 - a (k - S i)%nat) b)
    in E1; auto.
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
  intros p q X t Hp Hq. unfold larger. apply G in Hp, Hq. destruct (Z.max_spec (fst p + snd p * X / one)
    (fst q + snd q * X / one)) as [[_ ->]|[_ ->]]; auto.
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
  intros a b c d least x t Hb Hd Hl Hx H1 H2 H. assert (HoR := IZR_lt _ _ Hone). apply IZR_lt in Hb, Hd.
  apply andb_false_iff in H as [H|H].
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
  assert (Cross : forall a b c d, (b < 0)%Z -> (0 < d)%Z -> IZR a + IZR b * x <= t -> IZR c + IZR d * x <= t ->
    IZR ((a * d - c * b) / (d - b)) <= t).
  { clear. intros a b c d Hb Hd H1 H2. eapply Rle_trans; [apply floor_below; lia|]. apply IZR_lt in Hb, Hd.
      rewrite !minus_IZR, !mult_IZR.
    apply div_le_l; [lra|]. apply Rmult_le_compat_l with (r := IZR d) in H1; [|lra].
    apply Rmult_le_compat_l with (r := - IZR b) in H2; [|lra]. lra. }
  destruct (Z.ltb_spec (b * d) 0) as [Hs|Hs].
  - destruct (Z.ltb_spec b d) as [L|L].
    + assert (Hb : (b < 0)%Z) by nia. assert (Hd : (0 < d)%Z) by nia.
      destruct (_ && _) eqn:C; [apply Cross; auto|]. apply ends_below. eapply crossed_outside; eauto. lra.
    + assert (Hb : (d < 0)%Z) by nia. assert (Hd : (0 < b)%Z) by nia.
      destruct (_ && _) eqn:C; [apply Cross; auto|]. apply ends_below. rewrite !(larger_comm (a, b)).
      eapply crossed_outside; eauto. lra.
  - apply ends_below. destruct (Z.le_gt_cases 0 b) as [Hb|Hb].
    + destruct (Z.le_gt_cases 0 d) as [Hd|Hd].
      * left. apply IZR_le in Hb, Hd. apply Rmult_le_compat_l with (r := IZR one) in H1, H2; try lra.
        assert (A := Hl). apply Rmult_le_compat_l with (r := IZR b) in Hl; auto.
        apply Rmult_le_compat_l with (r := IZR d) in A; auto.
        apply larger_below; cbn [fst snd]; lra.
      * assert (b = 0)%Z by nia. subst b. right. apply IZR_lt in Hd.
        assert (IZR d * 1 <= IZR d * x) by (apply Rmult_le_compat_neg_l; lra).
        apply larger_below; cbn [fst snd]; rewrite <- Rmult_plus_distr_r; apply Rmult_le_compat_r; lra.
    + assert (Hd : (d <= 0)%Z) by nia. right. apply IZR_lt in Hb. apply IZR_le in Hd.
      assert (IZR b * 1 <= IZR b * x) by (apply Rmult_le_compat_neg_l; lra).
      assert (IZR d * 1 <= IZR d * x) by (apply Rmult_le_compat_neg_l; lra).
      apply larger_below; cbn [fst snd]; rewrite <- Rmult_plus_distr_r; apply Rmult_le_compat_r; lra.
Qed.

Lemma after_one_sound : forall a hint, keeps_lines a -> forall count f x, (f + count < n)%nat -> IZR x <= IZR one * a f ->
  IZR (after_one hint count f x) <= IZR one * a (f + count)%nat.
Proof.
  intros a hint Ha. assert (HoR := IZR_lt _ _ Hone). induction count as [|c IH]; simpl; intros f x Hf Hx.
  rewrite Nat.add_0_r. auto.
  replace (f + S c)%nat with (S f + c)%nat by lia. apply IH; [lia|]. assert (B := proj1 Ha (S f) ltac:(lia)).
  assert (P : 0 <= IZR one * a (S f)) by (apply Rmult_le_pos; lra). destruct (nth_error ls (hint f)) as [[s o]|] eqn:E; [|auto].
  apply nth_error_In in E.
  destruct (Z.leb_spec s 0) as [|Hs]; [auto|]. destruct (Z.max_spec ((x - o) * one / s) 0) as [[_ ->]|[_ ->]]; auto.
  destruct (proj2 Ha _ _ E) as [_ L]. specialize (L f (S f) ltac:(lia) ltac:(lia) ltac:(lia)).
  eapply Rle_trans; [apply floor_below; auto|]. apply IZR_lt in Hs. rewrite mult_IZR, minus_IZR. apply div_le_l; auto.
  replace (IZR one * a (S f) * IZR s) with ((IZR s * a (S f)) * IZR one) by ring. apply Rmult_le_compat_r; lra.
Qed.
End Minorant.

(* ==== No mechanism on truths in a row has a loss below the bound that the tasks prove: Theorem row_bound_sound.
   Privacy leaves two minorants of each step from one response to the next, A + B x, x being the probability of a response
   up to there at its home. They are made along lines of the privacy, from the home outwards. Any line serves at any truth,
   so that the hints, where which line is lowest, need not be true.

   bound_of_row m n ps zero l unit fs one floor tasks : option Z is the bound, over unit * one:
   - m responses, n truths, privacies ps, whether zero stays zero, the loss l (Steps.v), over `unit`;
   - fs: factors around e^epsilon for each privacy. Lines are those of Steps.lines one ps fs, numbered from 0: lines
     2 i and 2 i + 1 are the steep one and the flat one of privacy i, if all of them are of sets with a delta;
   - one: what stands for 1, 2^h in docs/certificate.md;
   - floor: values at or below it count as 0; - 2^bits one there;
   - tasks, in order:
     Prepare slot {| up; across; up_to; across_to |} makes sequences (A_d, Y_d) for d = 1 .. up_to, and (B_d, Z_d) for
       d = 0 .. across_to, and keeps them in a slot in place of others. Slots are numbered from 0; one beyond those in use
       is the next free one. With l = T - period k the sequences depend on l alone: `up d` is the number of the line
       up(l + period d), `across d` that of across(l - period (d - 1)), d from 1 on. Any number beyond the lines is none.
     Step {| at_step; alike; before; behind; for_place; for_next; certain |}: step j, and alike - 1 more that look the same.
       With the home k of step j, `before` truths from k - before on and `behind` truths from k on count: start is
       k - before, stop is k + behind. for_place and for_next are the slots of the sequences for T and for T + 1.
       certain is None; or Some across where truth 0 is certain to be below (zero stays zero, start = 0, T <= last; alike
       must be 1): `across f` is the number of the line across(T - period f), f = 0 .. k - 1.
       Steps come in increasing order; those that are left out add nothing. *)
Record step := { at_step : nat; alike : nat; before : nat; behind : nat; for_place : nat; for_next : nat;
  certain : option (nat -> nat) }.
Inductive task := Prepare (slot : nat) (p : profile) | Step (s : step).

Section Chain.
Variables (m n : nat) (l : losses) (one floor : Z) (ls : pairs).

Definition slots := list (pairs * pairs).
Fixpoint put (i : nat) (x : pairs * pairs) (held : slots) {struct held} : slots :=
  match held with [] => [x] | y :: rest => match i with O => x :: rest | S i' => y :: put i' x rest end end.
Definition at_slot (held : slots) (i : nat) : pairs * pairs := match nth_error held i with Some x => x | None => ([], []) end.

Definition cost_before (j k : nat) (sure : bool) (d : nat) : Z :=
  if sure && (S d =? k) then 0%Z else change (cost_of l) j (k - S d).
Definition cost_behind (j k d : nat) : Z := (- change (cost_of l) j (k + d))%Z.
Definition step_value (held : slots) (s : step) : Z :=
  let j := at_step s in let k := home_of l j in
  let sure := match certain s with Some _ => true | None => false end in
  let side i := minorant (cost_before j k sure) (cost_behind j k) (before s) (behind s) (at_slot held i) in
  let least := match certain s with Some hint => after_one one ls hint k 0 one | None => 0%Z end in
  Z.max 0 (least_of_lines one (side (for_place s)) (side (for_next s)) least).
Definition step_ok (zero even : bool) (from : nat) (s : step) : bool :=
  let k := home_of l (at_step s) in
  (from <=? at_step s) && (0 <? alike s) && (alike s <=? m - 1 - at_step s) && (before s <=? k) && (0 <? behind s) &&
  (behind s <=? n - k - (alike s - 1)) && (if alike s =? 1 then true else even) &&
  match certain s with None => true | Some _ => zero && (alike s =? 1) end.

Fixpoint repeated (count : nat) (x s : Z) : Z := match count with O => s | S c => repeated c x (s + x)%Z end.
(* `done` is the first step that is left, what is held, and the sum so far: few arguments, so that OCaml needs no stack. *)
Fixpoint run (zero even : bool) (ts : list task) (done : nat * slots * Z) : option Z :=
  let '(from, held, s) := done in
  match ts with
  | [] => Some s
  | Prepare i p :: rest => run zero even rest (from, put i (sequences one floor ls p) held, s)
  | Step t :: rest =>
      if step_ok zero even from t
      then run zero even rest ((at_step t + alike t)%nat, held, repeated (alike t) (step_value held t) s) else None
  end.

Hypothesis Hone : (0 < one)%Z.
Lemma put_sound : forall x held i, sound n one ls x -> Forall (sound n one ls) held -> Forall (sound n one ls) (put i x held).
Proof.
  intros x. induction held as [|y held IH]; simpl; intros i Hx H. constructor; auto. inversion H; subst.
  destruct i; constructor; auto.
Qed.
Lemma at_slot_sound : forall held i, Forall (sound n one ls) held -> sound n one ls (at_slot held i).
Proof.
  intros held i H. unfold at_slot. destruct (nth_error held i) eqn:E. apply nth_error_In in E. rewrite Forall_forall in H. auto.
  split; exact I.
Qed.

(* ---- A step, and those that look the same *)
Lemma window : forall a k j b f, signs m n l = true -> (j < m - 1)%nat -> (forall i, (i < n)%nat -> 0 <= a i <= 1) ->
  k = home_of l j ->
  (b <= k)%nat -> (k + f <= n)%nat ->
  Sum b (fun i => IZR (change (cost_of l) j (k - S i)) * (1 - a (k - S i)%nat)) + Sum f
    (fun i => IZR (- change (cost_of l) j (k + i)) * a (k + i)%nat)
  <= adds n (cost_of l) k j a.
Proof.
  intros a k j b f Hs Hj Ha Hk Hb Hf. assert (G := signs_sound m n l j). unfold adds. rewrite (Sum_split k n) by lia.
  apply Rplus_le_compat.
  - rewrite (Sum_reversed k). rewrite (Sum_ext k _ (fun i => IZR (change (cost_of l) j (k - S i)) * (1 - a (k - S i)%nat))).
    2:{ intros i Hi. destruct (Nat.ltb_spec (k - S i) k); [reflexivity|lia]. }
    apply Sum_grows with (m := k); try lia. intros i Hi. specialize (Ha (k - S i)%nat ltac:(lia)).
    destruct (G (k - S i)%nat Hs Hj ltac:(lia)) as [P _]. apply Rmult_le_pos; [apply IZR_le, P; lia|lra].
  - rewrite (Sum_ext (n - k) _ (fun i => IZR (- change (cost_of l) j (k + i)) * a (k + i)%nat)).
    2:{ intros i Hi. destruct (Nat.ltb_spec (k + i) k); [lia|]. rewrite opp_IZR. reflexivity. }
    apply Sum_grows with (m := (n - k)%nat); try lia. intros i Hi. specialize (Ha (k + i)%nat ltac:(lia)).
    destruct (G (k + i)%nat Hs Hj ltac:(lia)) as [_ P]. apply Rmult_le_pos; [apply IZR_le|lra]. specialize (P ltac:(lia)). lia.
Qed.

(* The probability of a response up to j, at each truth *)
Variable a : nat -> nat -> R.
Variable zero : bool.
Hypothesis Ha : forall j, (j < m - 1)%nat -> keeps_lines n one ls (a j) /\ (zero = true -> a j O = 1).
Hypothesis Hsigns : signs m n l = true.
Let added (j : nat) : R := IZR one * adds n (cost_of l) (home_of l j) j (a j).
Lemma added_nonneg : forall j, (j < m - 1)%nat -> 0 <= added j.
Proof.
  intros j Hj. apply Rmult_le_pos. apply IZR_le. lia. apply adds_nonneg with (m := m); auto. apply Ha. auto.
Qed.
Lemma step_sound : forall first held s, Forall (sound n one ls) held -> step_ok zero (even_weights n l) first s = true ->
  (first <= at_step s)%nat /\ (at_step s + alike s <= m - 1)%nat /\ forall i, (i < alike s)%nat ->
    IZR (step_value held s) <= added (at_step s + i).
Proof.
  intros first held s Hh H. unfold step_ok in H. cbv zeta in H. facts. split; [auto|]. split; [lia|]. intros i Hi.
  set (j := at_step s) in *. assert (Hj : (j + i < m - 1)%nat) by lia. destruct (Ha _ Hj) as [Ga Gz].
  match goal with C : match certain s with _ => _ end = true |- _ => rename C into Hc end.
  match goal with C : (if _ then true else _) = true |- _ => rename C into He end.
  assert (Hk : home_of l (j + i) = (home_of l j + i)%nat /\ (i = O \/ even_weights n l = true)).
  { destruct (Nat.eqb_spec (alike s) 1) as [E|_]. replace i with O by lia. rewrite !Nat.add_0_r. auto.
    destruct l; [|discriminate]. simpl. auto. }
  destruct Hk as [Hk Hev]. set (k := home_of l j) in *.
  assert (Cb : forall d, (d < before s)%nat -> change (cost_of l) j (k - S d) = change (cost_of l) (j + i) (k + i - S d)).
  { intros d Hd. destruct Hev as [-> | Hev]. rewrite !Nat.add_0_r. auto. unfold k in *. destruct l; [|discriminate].
      simpl home_of in *.
    symmetry. replace (S j + i)%nat with (S (j + i)) by lia. apply (even_before n n); auto; lia. }
  assert (Cf : forall d, (d < behind s)%nat -> change (cost_of l) j (k + d) = change (cost_of l) (j + i) (k + i + d)).
  { intros d Hd. destruct Hev as [-> | Hev]. rewrite !Nat.add_0_r. auto. unfold k in *. destruct l; [|discriminate].
      simpl home_of in *.
    symmetry. replace (S j + i)%nat with (S (j + i)) by lia. apply (even_behind n); auto; lia. }
  clear Hev He. assert (Sg := fun f => signs_sound m n l (j + i) f Hsigns Hj). rewrite Hk in Sg.
  assert (K1 : (before s <= k + i)%nat) by lia. assert (K2 : (k + i + behind s <= n)%nat) by lia.
  match goal with X : (before s <= k)%nat, Y : (behind s <= n - k - _)%nat, Z : (alike s <= _)%nat |- _ => clear X Y Z end.
  set (x := a (j + i) (k + i)%nat). unfold step_value. cbv zeta. fold j k.
  set (sure := match certain s with Some _ => true | None => false end).
  assert (Each : forall slot, let '(A, B) := minorant (cost_before j k sure) (cost_behind j k) (before s) (behind s)
    (at_slot held slot) in IZR A + IZR B * x <= added (j + i)).
  { intros slot. assert (P : forall d, (d < before s)%nat ->
      (0 <= cost_before j k sure d <= change (cost_of l) (j + i) (k + i - S d))%Z).
    { intros d Hd. unfold cost_before. destruct (Sg (k + i - S d)%nat ltac:(lia)) as [G _]. specialize (G ltac:(lia)).
      destruct (sure && _); [lia|]. rewrite Cb; auto. lia. }
    assert (Q : forall d, (d < behind s)%nat -> cost_behind j k d = (- change (cost_of l) (j + i) (k + i + d))%Z).
    { intros d Hd. unfold cost_behind. rewrite Cf; auto. }
    assert (MS := minorant_sound n one ls Hone (a (j + i)) (k + i) (cost_before j k sure) (cost_behind j k) (before s) (behind s)
      (at_slot held slot) Ga
      (at_slot_sound held slot Hh) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(intros d Hd; apply P; auto)).
    destruct (minorant _ _ _ _ _) as [A B]. eapply Rle_trans; [apply MS|].
    - intros d Hd. rewrite Q by auto. destruct (Sg (k + i + d)%nat ltac:(lia)) as [_ G]. specialize (G ltac:(lia)). lia.
    - unfold added. apply Rmult_le_compat_l. apply IZR_le; lia. rewrite Hk.
      eapply Rle_trans; [|apply (window (a (j + i)) (k + i) (j + i) (before s) (behind s)); auto; try lia; apply Ga].
      apply Rplus_le_compat; apply Sum_mono; intros d Hd.
      + assert (R := proj1 Ga (k + i - S d)%nat ltac:(lia)). apply Rmult_le_compat_r; [lra|]. apply IZR_le, P; auto.
      + rewrite Q by auto. lra. }
  assert (E1 := Each (for_place s)). assert (E2 := Each (for_next s)). clear Each.
  destruct (minorant _ _ _ _ (at_slot held (for_place s))) as [A B]. destruct (minorant _ _ _ _ (at_slot held (for_next s)))
    as [A' B'].
  assert (Rx := proj1 Ga (k + i)%nat ltac:(lia)). fold x in Rx. assert (HoR := IZR_lt _ _ Hone).
  match goal with |- IZR (Z.max 0 ?v) <= _ => enough (IZR v <= added (j + i))
    by (destruct (Z.max_spec 0 v) as [[_ ->]|[_ ->]]; auto; apply added_nonneg; auto) end.
  apply (least_of_lines_sound one Hone) with (x := x); auto. destruct (certain s) as [hint|].
  - apply andb_true_iff in Hc as [Hz Ho]. apply Nat.eqb_eq in Ho. assert (i = O) by lia. subst i. unfold x.
    rewrite !Nat.add_0_r in *.
    apply (after_one_sound n one ls Hone (a j) hint Ga k O one); [lia|]. rewrite Gz by auto. lra.
  - apply Rmult_le_pos; lra.
Qed.

Lemma repeated_sound : forall count x s (X : nat -> R), (forall i, (i < count)%nat -> IZR x <= X i) ->
  IZR (repeated count x s) <= IZR s + Sum count X.
Proof.
  induction count as [|c IH]; simpl; intros x s X H. lra. specialize (IH x (s + x)%Z X ltac:(auto)). rewrite plus_IZR in IH.
  specialize (H c ltac:(lia)). lra.
Qed.
Lemma run_sound : forall ts first held s z, (first <= m - 1)%nat -> Forall (sound n one ls) held ->
  run zero (even_weights n l) ts (first, held, s) = Some z -> IZR z <= IZR s + Sum (m - 1 - first) (fun i => added (first + i)).
Proof.
  induction ts as [|[slot p|t] ts IH]; simpl; intros first held s z Hf Hh H.
  - injection H as <-. assert (0 <= Sum (m - 1 - first) (fun i => added (first + i))); [|lra].
    apply Sum_nonneg. intros. apply added_nonneg. lia.
  - apply IH in H; auto. apply put_sound; auto. apply (sequences_sound n one floor ls Hone).
  - destruct (step_ok _ _ _ _) eqn:C; [|discriminate]. destruct (step_sound first held t Hh C) as (H1 & H2 & H3).
    apply IH in H; auto. eapply Rle_trans; [exact H|]. assert (T := repeated_sound (alike t) (step_value held t) s _ H3).
    rewrite (Sum_split (at_step t - first) (m - 1 - first)) by lia. rewrite (Sum_split (alike t) (m - 1 - first - _)) by lia.
    assert (N : 0 <= Sum (at_step t - first) (fun i => added (first + i))) by (apply Sum_nonneg; intros; apply added_nonneg; lia).
    rewrite (Sum_ext (alike t) (fun i => added (first + _)) (fun i => added (at_step t + i))) by (intros; f_equal; lia).
    rewrite (Sum_ext (m - 1 - first - _ - _) _ (fun i => added (at_step t + alike t + i))) by (intros; f_equal; lia).
    replace (m - 1 - first - (at_step t - first) - alike t)%nat with (m - 1 - (at_step t + alike t))%nat
      by (clear - H1 H2; lia). lra.
Qed.
End Chain.

Definition bound_of_row (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors) (one floor : Z)
    (tasks : list task) : option Z :=
  if (0 <? m) && (0 <? n) && (0 <? unit)%Z && (0 <? one)%Z && signs m n l then
    match run m n l one floor (lines one ps fs) zero (even_weights n l) tasks (O, [], 0%Z) with
    | Some s => Some (loss_constant m n l * one + s)%Z
    | None => None end
  else None.

(* No mechanism of the question has a smaller loss. *)
Theorem row_bound_sound : forall m n ps zero l unit fs one floor tasks z, bound_of_row m n ps zero l unit fs one floor tasks =
  Some z ->
  forall M v, achieves (row m n ps zero (cost_of l) unit) M v -> IZR z / (IZR unit * IZR one) <= v.
Proof.
  intros m n ps zero l unit fs one floor tasks z H M v HM. unfold bound_of_row in H.
  destruct (_ && _) eqn:C; [|discriminate]. facts.
  destruct (run _ _ _ _ _ _ _ _ _ _) as [s|] eqn:E; [|discriminate]. injection H as <-.
  assert (HS := proj1 HM). assert (Hone : (0 < one)%Z) by auto. assert (HoR := IZR_lt _ _ Hone).
  assert (HuR : 0 < IZR unit) by (apply IZR_lt; auto).
  set (a := fun j f => prob m M (fun r => (r <=? j)%nat) f) in *.
  apply run_sound with (a := a) in E; auto; try lia.
  - rewrite Nat.sub_0_r in E. cbn [Nat.add] in E. rewrite Sum_scale in E.
    assert (T := total_by_steps m n ps zero (cost_of l) unit (home_of l) M HS ltac:(auto) ltac:(auto)).
    rewrite <- loss_constant_sound in T by auto. assert (V : total_loss (row m n ps zero (cost_of l) unit) M <= v) by apply HM.
    rewrite T in V. unfold a in E. cbv beta in E.
    eapply Rle_trans; [|exact V]. apply div_le_div; auto. apply Rmult_lt_0_compat; auto. rewrite plus_IZR, mult_IZR.
    match type of E with _ <= 0 + _ * ?x => set (X := x) in * end.
    replace (_ * (IZR unit * IZR one)) with ((IZR (loss_constant m n l) * IZR one + IZR one * X) * IZR unit) by ring.
    apply Rmult_le_compat_r; lra.
  - intros j Hj. split; [split|].
    + intros f Hf. apply (prob_range m n); auto.
    + intros x o Hin. eapply (lines_sound m n ps zero (cost_of l) unit M v HM (fun r => (r <=? j)%nat)); eauto.
    + intros ->. destruct HM as (_ & _ & _ & HR & _). cbn [rules row] in HR. inversion HR as [|? ? K _]; subst. cbn in K.
      assert (R := prob_range m n M (fun r => (r <=? j)%nat) O HS ltac:(auto)). change (0 <= a j O <= 1) in R.
      assert (G : M O O <= a j O); [|lra]. unfold a. rewrite prob_up_to by lia.
      apply (Sum_member (S j) (fun r => M r O) O); [|lia]. intros r Hr. apply HS; cbn; [lia|auto].
Qed.
