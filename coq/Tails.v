(* Noise that is all tails: two places are listed, and each place further out is less likely by one factor. The loss of
   each threshold, and what no private mechanism gets below, follow from a few sums over the truths on either side.

   tails_attain p x z n w loss unit threshold place walk counts (on, od) : bool
     the noise z with these thresholds is a mechanism of the question, of an objective on/od or less.
   tails_bound p x n w loss unit whole walk runs twofold (on, od) : bool
     no mechanism of the question has an objective below on/od.
   From the file and the question:
   - p, x: the privacy, OfSets with delta Some (0, 1), and factors around its e^epsilon;
   - n truths, which are the responses, w their weights, loss d the loss at distance d, 0 <= d <= n, both over `unit`;
   - z: the noise, of period 1 and size 2; cumulative is F itself; whole = 2^bits; tail;
   - threshold j, j < n - 1, is the threshold itself;
   - on/od: the stated objective, or the stated bound.
   Hints. Nothing false is accepted, whatever they say:
   - place j = threshold j - never z, from 0 to n + 2: the draw of j is place j - 2;
   - walk: sums of weights that decay (Decayed.v) by a / whole in units of 1 / fine a whole; a is tail z for tails_attain,
     and decay_of x whole for tails_bound. `left_sums` is of the weights w, `right_sums` of the weights mirrored, fun f =>
     w (n - 1 - f). listed_mass h, h < resting, is Decayed.masses[h], listed_arm h is Decayed.arms[h] (where the loss is
     squared), listed_fade k, k < fades, is Decayed.powers[k] (where it is not). `plain_sums` is Decayed of w with decay 1:
     a = whole = fine = 1, resting = n, all fades 1, fades = n; where weights are all equal it is not looked at;
   - counts: how many steps in a row look the same, from step 0 on, n - 1 steps in all;
   - runs: the same, each with the truth g of its first step: its draw, moved to a truth from the first one that
     weighs anything to the one before the last such; n - 1 steps in all, or where twofold n / 2;
   - twofold: weights are their own mirror image, and runs list the first half of the steps. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Spends Thresholds Decayed.
Import ListNotations.
Open Scope R_scope.

Record walk := { left_sums : decayed; right_sums : decayed; plain_sums : decayed }.
Definition mirrored (n : nat) (w : nat -> Z) (f : nat) : Z := w (n - 1 - f)%nat.

(* ---- Sums beside a threshold: of truths before x, and from x on; and the changes of truths between x and j + 1. *)
Section Walk.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one : Z) (k : walk).
Definition beside (j x : nat) : Z := decayed_sum q one (left_sums k) j x.
Definition beyond (j x : nat) : Z := decayed_sum q one (right_sums k) (n - 2 - j) (n - x).
Definition between (j x : nat) : Z :=
  if even then (w O * (loss (apart (S j) x) - loss O))%Z
  else (decayed_sum q 1 (plain_sums k) j (S j) - decayed_sum q 1 (plain_sums k) j x)%Z.
(* From step j and x to j' and x', as many further, all of these stay. *)
Definition steady (bend_most j x j' x' : nat) : bool :=
  (resting (left_sums k) + bend_most <=? S j)%nat && (resting (left_sums k) + bend_most <=? x)%nat &&
  (resting (right_sums k) + bend_most <=? S (n - 2 - j'))%nat && (resting (right_sums k) + bend_most <=? n - x')%nat.
End Walk.
Fixpoint furthest (bs : list (nat * Z)) (most : nat) : nat :=
  match bs with [] => most | (t, _) :: rest => furthest rest (if t <=? most then most else t)%nat end.

Definition question_ok (n : nat) (w loss : nat -> Z) (unit heavy : Z) : bool :=
  (2 <=? n)%nat && (0 <? unit)%Z && signs n n (ByDistance w loss) && (0 <=? loss O)%Z && (1 <=? heavy)%Z.
Definition walk_ok (n : nat) (w : nat -> Z) (q : shape) (even : bool) (a whole : Z) (k : walk) : bool :=
  (0 <? whole)%Z && (0 <=? a)%Z && (a <=? whole)%Z &&
  decayed_ok n w (squared q) a whole (fine a whole) (left_sums k) &&
  decayed_ok n (mirrored n w) (squared q) a whole (fine a whole) (right_sums k) &&
  (even || decayed_ok n w (squared q) 1 1 1 (plain_sums k)).

(* ---- Steps that look the same *)
Lemma furthest_le : forall bs most, (most <= furthest bs most)%nat.
Proof. induction bs as [|[t b] bs IH]; intros most; simpl. lia. specialize (IH (if t <=? most then most else t)%nat).
  destruct (Nat.leb_spec t most); lia. Qed.
Lemma furthest_spec : forall bs most t b, In (t, b) bs -> (t <= furthest bs most)%nat.
Proof.
  induction bs as [|[t' b'] bs IH]; simpl; intros most t b H; [contradiction|]. destruct H as [H|H]; [|eauto].
    injection H as -> ->.
  assert (A := furthest_le bs (if t <=? most then most else t)%nat). destruct (Nat.leb_spec t most); lia.
Qed.
Lemma decayed_sum_stays : forall q one s most j x, (forall t b, In (t, b) (bends q) -> (t <= most)%nat) ->
  (resting s + most <= S j)%nat -> (resting s + most <= x)%nat -> (1 <= resting s)%nat ->
  decayed_sum q one s (S j) (S x) = decayed_sum q one s j x.
Proof.
  intros q one s most j x Hm Hj Hx Hr.
  assert (HM : forall i, (resting s <= i)%nat -> mass_of s (S i) = mass_of s i /\ arm_of s (S i) = arm_of s i).
  { intros [|i] Hi; [lia|]. unfold mass_of, arm_of. rewrite !lesser_min.
    replace (Nat.min (S i) (resting s - 1)) with (Nat.min i (resting s - 1)) by lia. auto. }
  assert (HX := HM x ltac:(lia)). unfold decayed_sum. destruct (squared q).
  - destruct HX as [-> ->]. replace (Z.of_nat (S (S j)) - Z.of_nat (S x))%Z with (Z.of_nat (S j) - Z.of_nat x)%Z by lia.
    reflexivity.
  - generalize 0%Z at 1 3 as u. generalize 0%Z as v. induction (bends q) as [|[t b] bs IH]; intros v u; cbn [bent].
    + destruct HX as [-> _]. reflexivity.
    + assert (Ht := Hm t b ltac:(left; reflexivity)). replace (S (S j) - t)%nat with (S (S j - t)) by lia.
      replace (S (S j) + t)%nat with (S (S j + t)) by lia. rewrite !Nat.sub_succ.
      destruct (HM (S j - t)%nat ltac:(lia)) as [-> _]. destruct (HM (S j + t)%nat ltac:(lia)) as [-> _].
      change (S x <=? S (S j - t))%nat with (x <=? S j - t)%nat. change (S (S j + t) <? S x)%nat with (S j + t <? x)%nat.
      apply IH. intros. eapply Hm. right. eauto.
Qed.

(* ---- Sums over all truths *)
Lemma Rabs_both : forall x e, Rabs x <= e -> - e <= x <= e.
Proof. intros x e. unfold Rabs. destruct (Rcase_abs x); lra. Qed.
Lemma Sum_before : forall n x y, (x <= n)%nat -> Sum n (fun f => if (f <? x)%nat then y f else 0) = Sum x y.
Proof.
  intros n x y H. rewrite (Sum_split x n) by auto. rewrite (Sum_ext (n - x) _ (fun _ => 0)), Sum_zero, Rplus_0_r.
  - apply Sum_ext. intros f Hf. destruct (Nat.ltb_spec f x); [reflexivity|lia].
  - intros i _. destruct (Nat.ltb_spec (x + i) x); [lia|reflexivity].
Qed.
Lemma Sum_behind : forall n x y, (x <= n)%nat ->
  Sum n (fun f => if (f <? x)%nat then 0 else y f) = Sum (n - x) (fun i => y (x + i)%nat).
Proof.
  intros n x y H. rewrite (Sum_split x n) by auto. rewrite (Sum_ext x _ (fun _ => 0)), Sum_zero, Rplus_0_l.
  - apply Sum_ext. intros i _. destruct (Nat.ltb_spec (x + i) x); [lia|reflexivity].
  - intros f Hf. destruct (Nat.ltb_spec f x); [reflexivity|lia].
Qed.
Lemma Sum_back : forall n y, Sum n y = Sum n (fun i => y (n - 1 - i)%nat).
Proof.
  induction n; intros y; [reflexivity|]. rewrite Sum_first. cbn [Sum]. rewrite (IHn (fun i => y (S i))), Rplus_comm. f_equal.
  - apply Sum_ext. intros i Hi. f_equal. lia.
  - f_equal. lia.
Qed.

Lemma heaviest_le : forall m v most, (most <= heaviest m v most)%Z.
Proof. induction m; simpl; intros. lia. specialize (IHm v (Z.max most (v m))). lia. Qed.
Lemma heaviest_spec : forall m v most f, (f < m)%nat -> (v f <= heaviest m v most)%Z.
Proof.
  induction m; simpl; intros v most f H. lia. destruct (Nat.eq_dec f m) as [->|]; [|apply IHm; lia].
  assert (A := heaviest_le m v (Z.max most (v m))). lia.
Qed.

Lemma change_mirrored : forall n w loss j f, (S j < n)%nat -> (f < n)%nat ->
  change (cost_of (ByDistance (mirrored n w) loss)) (n - 2 - j) f = (- change (cost_of (ByDistance w loss)) j (n - 1 - f))%Z.
Proof.
  intros n w loss j f Hj Hf. unfold change, cost_of, mirrored. unfold apart.
  assert (A : forall r g, (r < n)%nat -> (g < n)%nat -> (if r <=? g then g - r else r - g)%nat =
    (if n - 1 - r <=? n - 1 - g then n - 1 - g - (n - 1 - r) else n - 1 - r - (n - 1 - g))%nat).
  { intros r g Hr Hg. clear - Hr Hg. destruct (Nat.leb_spec r g), (Nat.leb_spec (n - 1 - r) (n - 1 - g)); lia. }
  rewrite (A (S (n - 2 - j)) f), (A (n - 2 - j)%nat f) by lia. replace (n - 1 - S (n - 2 - j))%nat with j by lia.
  replace (n - 1 - (n - 2 - j))%nat with (S j) by lia. ring.
Qed.

Lemma steady_within : forall n k m j x j' x' y i, steady n k m j x j' x' = true -> (x <= y)%nat -> (j + i <= j')%nat ->
  (y + i <= x')%nat ->
  steady n k m j y (j + i) (y + i) = true.
Proof.
  intros n k m j x j' x' y i H H1 H2 H3. unfold steady in *. facts. repeat (apply andb_true_iff; split); apply Nat.leb_le; lia.
Qed.

Section Sound.
Variables (n : nat) (w loss : nat -> Z) (unit a whole : Z) (k : walk).
Let q := shape_of n loss.
Let heavy := heaviest n w 0.
Let even := is_even n w.
Let one := fine a whole.
Let d := IZR a / IZR whole.
Let err := error n q heavy a whole.
Let ch j f := IZR (change (cost_of (ByDistance w loss)) j f).
Hypothesis Hq : question_ok n w loss unit heavy = true.
Hypothesis Hk : walk_ok n w q even a whole k = true.

Lemma question_facts : (2 <= n)%nat /\ (0 < unit)%Z /\ signs n n (ByDistance w loss) = true /\ (0 <= loss O)%Z /\
  (1 <= heavy)%Z /\
  (forall f, (f < n)%nat -> (0 <= w f <= heavy)%Z) /\ forall i, (i < n)%nat -> (loss i <= loss (S i))%Z.
Proof using Hq.
  clear - Hq. unfold question_ok in Hq. facts. repeat (split; [assumption|]). unfold signs in *. facts. split.
  - intros f Hf. split; [|apply heaviest_spec; auto]. apply Z.leb_le.
    match goal with A : all n (fun f => 0 <=? w f)%Z = true |- _ => apply (all_spec _ _ A f Hf) end.
  - intros i Hi. apply Z.leb_le. match goal
    with A : all n (fun i => loss i <=? _)%Z = true |- _ => apply (all_spec _ _ A i Hi) end.
Qed.
Lemma walk_facts : (0 < whole)%Z /\ (0 <= a <= whole)%Z /\ decayed_ok n w (squared q) a whole one (left_sums k) = true /\
  decayed_ok n (mirrored n w) (squared q) a whole one (right_sums k) = true /\
  (even = true \/ decayed_ok n w (squared q) 1 1 1 (plain_sums k) = true).
Proof.
  unfold walk_ok in Hk. facts. repeat (split; auto). match goal with A : _ || _ = true |- _ => apply orb_true_iff in A; auto end.
Qed.
Lemma one_positive : 0 < IZR one.
Proof. destruct walk_facts as (Hw & _). apply (one_pos a whole Hw). Qed.

Lemma beside_sound : forall j x, (j < n)%nat -> (x <= n)%nat -> Rabs (IZR one *
  Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch j f else 0) - IZR (beside q one k j x)) <= IZR err.
Proof.
  intros j x Hj Hx. destruct question_facts as (Hn & _ & _ & _ & Hh & Hw & Hl). destruct walk_facts as (HW & Ha & HL & _).
  rewrite Sum_before, <- decaying_Sum by auto.
  apply (decayed_sum_sound n w loss a whole heavy (left_sums k) HW Ha Hh Hw (Hl O ltac:(lia))); auto.
Qed.
Lemma beyond_sound : forall j x, (S j < n)%nat -> (x <= n)%nat -> Rabs (IZR one *
  Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch j f) - IZR (beyond n q one k j x)) <= IZR err.
Proof.
  intros j x Hj Hx. destruct question_facts as (Hn & _ & _ & _ & Hh & Hw & Hl). destruct walk_facts as (HW & Ha & _ & HR & _).
  assert (B := decayed_sum_sound n (mirrored n w) loss a whole heavy (right_sums k) HW Ha Hh).
  specialize (B ltac:(intros; apply Hw; lia) (Hl O ltac:(lia)) HR (n - 2 - j)%nat (n - x)%nat ltac:(lia) ltac:(lia)).
  rewrite decaying_Sum, Sum_back in B. rewrite Sum_behind by auto. unfold beyond.
  erewrite (Sum_ext (n - x)). exact B. intros i Hi. cbv beta. unfold ch. rewrite change_mirrored, opp_IZR by lia.
  replace (n - x - 1 - (n - x - 1 - i))%nat with (x + i - x)%nat by lia.
    replace (n - 1 - (n - x - 1 - i))%nat with (x + i)%nat by lia. reflexivity.
Qed.

Lemma decaying_one : forall g x, decaying 1 g x = Sum x g.
Proof. induction x; simpl; [reflexivity|]. rewrite IHx. ring. Qed.
Lemma between_sound : forall j x, (S j <= n)%nat -> (x <= n)%nat ->
  IZR (between w loss q even k j x) = Sum (S j) (ch j) - Sum x (ch j).
Proof.
  intros j x Hj Hx. destruct question_facts as (Hn & _ & _ & _ & Hh & Hw & Hl).
    destruct walk_facts as (HW & Ha & _ & _ & HE). unfold between.
  destruct (bool_dec even true) as [E|E].
  - rewrite E. assert (T : forall x, (x <= n)%nat ->
    Sum x (ch j) = IZR (w O) * (IZR (loss (apart (S j) O)) - IZR (loss (apart (S j) x)))).
    { clear x Hx. induction x; intros Hx; cbn [Sum]. ring. rewrite IHx by lia. unfold ch, change, cost_of.
      replace (apart j x) with (apart (S j) (S x)) by reflexivity.
      replace (w x) with (w O). { rewrite minus_IZR, !mult_IZR. ring. }
      assert (A := all_spec _ _ E x ltac:(lia)). cbv beta in A. facts. auto. }
    rewrite !T by lia. replace (apart (S j) (S j)) with O by (unfold apart; rewrite Nat.leb_refl; lia).
      rewrite mult_IZR, minus_IZR. ring.
  - destruct HE as [HE|HE]; [contradiction|]. apply not_true_is_false in E. rewrite E, minus_IZR.
    assert (B : forall x, (x <= n)%nat -> IZR (decayed_sum q 1 (plain_sums k) j x) = Sum x (ch j)).
    { clear x Hx. intros x Hx. assert (B := decayed_sum_sound n w loss 1 1 heavy (plain_sums k) ltac:(lia) ltac:(lia) Hh Hw
      (Hl O ltac:(lia)) HE j x ltac:(lia) Hx).
      unfold error in B. simpl (1 =? 1)%Z in B. replace (1 / 1) with 1 in B by field. rewrite decaying_one, Rmult_1_l in B.
      fold q in B. change (fine 1 1) with 1%Z in B. fold (ch j) in B. revert B. unfold Rabs. destruct (Rcase_abs _); lra. }
    rewrite !B by lia. reflexivity.
Qed.

(* ---- Steps that look the same *)
Lemma steady_even : forall m j x j' x', steady n k m j x j' x' = true -> (S j < n)%nat -> even = true.
Proof.
  intros m j x j' x' H Hj. unfold steady in H. facts. destruct (walk_facts) as (_ & _ & HL & _).
  unfold decayed_ok in HL. facts. match goal
    with A : (_ =? n)%nat || is_even n w = true |- _ => apply orb_true_iff in A as [A|A]; facts; [lia|exact A] end.
Qed.
Lemma bends_furthest : forall t b, In (t, b) (bends q) -> (t <= furthest (bends q) 0)%nat.
Proof. intros. eapply furthest_spec; eauto. Qed.
Lemma resting_pos : (1 <= resting (left_sums k))%nat /\ (1 <= resting (right_sums k))%nat.
Proof.
  destruct (walk_facts) as (_ & _ & HL & HR & _). unfold decayed_ok in HL, HR. facts. auto.
Qed.
Lemma beside_stays : forall j x i, steady n k (furthest (bends q) 0) j x (j + i) (x + i) = true -> (S (j + i) < n)%nat ->
  (x + i <= n)%nat ->
  beside q one k (j + i) (x + i) = beside q one k j x /\ beyond n q one k (j + i) (x + i) = beyond n q one k j x.
Proof.
  intros j x i H Hj Hx. destruct resting_pos as [RL RR]. unfold steady in H. facts. induction i as [|i IH].
  - rewrite !Nat.add_0_r. auto.
  - rewrite !Nat.add_succ_r in *. destruct IH as [<- <-]; try lia. unfold beside, beyond. split.
    + apply (decayed_sum_stays q one (left_sums k) _ _ _ bends_furthest); lia.
    + assert (A := decayed_sum_stays q one (right_sums k) _ (n - 2 - S (j + i)) (n - S (x + i)) bends_furthest).
      replace (n - 2 - (j + i))%nat with (S (n - 2 - S (j + i))) by lia.
        replace (n - (x + i))%nat with (S (n - S (x + i))) by lia.
      symmetry. apply A; lia.
Qed.
End Sound.

(* ==== Noise that is all tails is a mechanism of its question, with the stated objective or less: Theorem tails_attained. *)
(* The draw of a threshold at place p is x - 1, x this number of truths. *)
Definition draw (n p : nat) : nat := lesser n (p - 1).
Section Loss.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one error whole low high : Z) (k : walk) (place : nat -> nat).
(* The most that a step adds, over one * whole; low and high are F at the two places. *)
Definition step_loss (j : nat) : Z :=
  let p := place j in let x := draw n p in
  (between w loss q even k j x * (one * whole) +
   if (p =? 0)%nat || (p =? n + 2)%nat then 0
   else (whole - high) * (beside q one k j x + error) + low * (beyond n q one k j x + error))%Z.
Definition same_places (count j : nat) : bool :=
  (1 <=? place j)%nat && (place j + count <=? n + 2)%nat && all count (fun i => place (j + i) =? place j + i)%nat.
(* `sum` is the step that is reached, and the sum so far, as in TailsBound.v. *)
Definition loss_next (bend_most : nat) (sum : option (nat * Z)) (count : nat) : option (nat * Z) :=
  match sum with
  | None => None
  | Some (j, s) =>
      if (1 <=? count)%nat && (j + count <=? n - 1)%nat && ((count =? 1)%nat || (same_places count j &&
           steady n k bend_most j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1))))
      then Some ((j + count)%nat, (s + Z.of_nat count * step_loss j)%Z) else None
  end.
Definition loss_runs (bend_most : nat) (counts : list nat) (j : nat) (s : Z) : option Z :=
  match fold_left (loss_next bend_most) counts (Some (j, s)) with
  | Some (j, s) => if (j =? n - 1)%nat then Some s else None
  | None => None end.
Lemma loss_runs_next : forall bend_most count rest j s, loss_runs bend_most (count :: rest) j s =
  if (1 <=? count)%nat && (j + count <=? n - 1)%nat && ((count =? 1)%nat || (same_places count j &&
       steady n k bend_most j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1))))
  then loss_runs bend_most rest (j + count)%nat (s + Z.of_nat count * step_loss j)%Z else None.
Proof.
  intros. unfold loss_runs. cbn [fold_left loss_next]. destruct (_ && _ && _); [reflexivity|].
  replace (fold_left _ rest None) with (@None (nat * Z)); [reflexivity|]. induction rest; auto.
Qed.
End Loss.

Definition tails_attain (p : privacy) (x : factors) (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z)
    (threshold : nat -> Z) (place : nat -> nat) (k : walk) (counts : list nat) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let q := shape_of n loss in let heavy := heaviest n w 0 in let even := is_even n w in
  let whole := whole z in let one := fine (tail z) whole in
  law_ok z && (size z =? 2)%nat && (period z =? 1)%Z && thresholds_ok z n n threshold && spent_within z (p, x) &&
  question_ok n w loss unit heavy && walk_ok n w q even (tail z) whole k && (0 <? od)%Z &&
  all (n - 1) (fun j => threshold j =? never z + Z.of_nat (place j))%Z &&
  match loss_runs n w loss q even one (error n q heavy (tail z) whole) whole (cumulative z 0) (cumulative z 1) k place
          (furthest (bends q) 0) counts 0 0 with
  | Some s => ((loss_constant n n (ByDistance w loss) * (one * whole) + s) * od <=? on * (unit * (one * whole)))%Z
  | None => false
  end.

(* ---- Why: with two places, F in closed form *)
Lemma draw_min : forall n p, draw n p = Nat.min n (p - 1).
Proof. intros. apply lesser_min. Qed.
Section Sound.
Variables (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z) (k : walk) (threshold : nat -> Z) (place : nat -> nat).
Let q := shape_of n loss.
Let heavy := heaviest n w 0.
Let even := is_even n w.
Let a := tail z.
Let W := whole z.
Let one := fine a W.
Let d := IZR a / IZR W.
Let err := error n q heavy a W.
Let c := cost_of (ByDistance w loss).
Let F0 := IZR (cumulative z 0) / IZR W.
Let F1 := IZR (cumulative z 1) / IZR W.
Hypothesis Hlaw : law_ok z = true.
Hypothesis Hsize : size z = 2%nat.
Hypothesis Hperiod : period z = 1%Z.
Hypothesis Ht : thresholds_ok z n n threshold = true.
Hypothesis Hq : question_ok n w loss unit heavy = true.
Hypothesis Hk : walk_ok n w q even a W k = true.
Hypothesis Hplace : forall j, (S j < n)%nat -> threshold j = (never z + Z.of_nat (place j))%Z.

Lemma ends_in_two : last z = (first z + 1)%Z.
Proof. unfold last. rewrite Hsize. lia. Qed.
Lemma periods_one : forall i, periods z i = i.
Proof. intros i. unfold periods. rewrite Hperiod, Z.div_1_r. lia. Qed.
Lemma below_first : forall i, below z (first z - Z.of_nat i) = d ^ i * F0.
Proof.
  intros i. assert (L := ends_in_two). unfold below, decay. fold W a d. destruct (Z.ltb_spec (first z - Z.of_nat i) (first z)).
  - rewrite periods_one, Hperiod. replace (first z - (first z - Z.of_nat i))%Z with (Z.of_nat i) by lia. rewrite Nat2Z.id.
    replace (first z - Z.of_nat i + Z.of_nat i * 1)%Z with (first z) by lia. unfold listed. rewrite Z.sub_diag. reflexivity.
  - destruct (Z.leb_spec (first z - Z.of_nat i) (last z)); [|lia]. replace i with O by lia. unfold listed.
    replace (first z - Z.of_nat 0 - first z)%Z with 0%Z by lia. simpl. unfold F0, W. ring.
Qed.
Lemma below_last : forall i, below z (last z + Z.of_nat i) = 1 - d ^ i * (1 - F1).
Proof.
  intros i. assert (L := ends_in_two). unfold below, decay. fold W a d.
    destruct (Z.ltb_spec (last z + Z.of_nat i) (first z)); [lia|].
  assert (E : listed z (last z) = F1). { unfold listed. rewrite L. replace (first z + 1 - first z)%Z with 1%Z by lia.
    reflexivity. }
  destruct (Z.leb_spec (last z + Z.of_nat i) (last z)).
  - replace i with O by lia. rewrite Z.add_0_r, E. simpl. ring.
  - rewrite periods_one, Hperiod. replace (last z + Z.of_nat i - last z)%Z with (Z.of_nat i) by lia. rewrite Nat2Z.id.
    replace (last z + Z.of_nat i - Z.of_nat i * 1)%Z with (last z) by lia. rewrite E. reflexivity.
Qed.

(* Whether truth f is below threshold j, x truths being likely to *)
Lemma below_place : forall j f, (S j < n)%nat -> (f < n)%nat -> (place j <= n + 2)%nat ->
  let p := place j in let x := draw n p in let y := below_threshold z n (threshold j) f in
  if (p =? 0)%nat || (p =? n + 2)%nat then y = (if (f <? x)%nat then 1 else 0)
  else y = if (f <? x)%nat then 1 - d ^ (x - 1 - f) * (1 - F1) else d ^ (f - x) * F0.
Proof.
  intros j f Hj Hf Hp p x y. assert (L := ends_in_two). unfold y, below_threshold. rewrite Hplace by auto. fold p.
    rewrite Hperiod.
  unfold never, always. rewrite Hperiod, L. unfold x. rewrite draw_min. fold p in Hp.
  destruct (Nat.eqb_spec p 0) as [E|E]; cbn [orb].
  - rewrite E. destruct (Z.eqb_spec (first z - 1 + Z.of_nat 0) (first z - 1)); [|lia].
    destruct (Nat.ltb_spec f (Nat.min n (0 - 1))); [lia|reflexivity].
  - destruct (Nat.eqb_spec p (n + 2)) as [E'|E'].
    + rewrite E'. destruct (Z.eqb_spec (first z - 1 + Z.of_nat (n + 2)) (first z - 1)); [lia|].
      destruct (Z.eqb_spec (first z - 1 + Z.of_nat (n + 2)) (first z + 1 + 1 * (Z.of_nat n - 1) + 1)); [|lia].
      destruct (Nat.ltb_spec f (Nat.min n (n + 2 - 1))); [reflexivity|lia].
    + destruct (Z.eqb_spec (first z - 1 + Z.of_nat p) (first z - 1)); [lia|].
      destruct (Z.eqb_spec (first z - 1 + Z.of_nat p) (first z + 1 + 1 * (Z.of_nat n - 1) + 1)); [lia|].
      destruct (Nat.ltb_spec f (Nat.min n (p - 1))) as [G|G].
      * rewrite <- below_last. f_equal. lia.
      * rewrite <- below_first. f_equal. lia.
Qed.

Let y (j f : nat) := below_threshold z n (threshold j) f.
Let value := step_loss n w loss q even one err W (cumulative z 0) (cumulative z 1) k place.
Lemma places : forall j, (S j < n)%nat -> (place j <= n + 2)%nat.
Proof.
  intros j Hj. assert (A := ends_within z n n threshold Hlaw Ht (S j) ltac:(lia)). unfold ends in A.
  destruct (Nat.ltb_spec (S j) n); [|lia]. rewrite Hplace in A by auto. assert (L := ends_in_two).
  unfold never, always in A. rewrite Hperiod in A. lia.
Qed.
Lemma step_loss_sound : forall j, (S j < n)%nat -> IZR one * IZR W * adds n c (S j) j (y j) <= IZR (value j).
Proof.
  intros j Hj. assert (Hp := places j Hj). set (x := draw n (place j)).
  assert (Hx : (x <= n)%nat) by (unfold x; rewrite draw_min; lia). destruct (walk_facts n w loss a W k Hk) as (HW & _).
    apply IZR_lt in HW as HWR.
  set (ch := fun f => IZR (change c j f)).
  assert (M : IZR (between w loss q even k j x) = Sum (S j) ch - Sum x ch)
    by (apply (between_sound n w loss unit a W k Hq Hk); lia).
  assert (N : Rabs (IZR one * Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0) - IZR (beside q one k j
    x)) <= IZR err)
    by (apply (beside_sound n w loss unit a W k Hq Hk); lia).
  assert (F : Rabs (IZR one * Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f) - IZR (beyond n q one k j
    x)) <= IZR err)
    by (apply (beyond_sound n w loss unit a W k Hq Hk); lia).
  apply Rabs_both in N, F.
  rewrite <- (Sum_before n (S j) ch), <- (Sum_before n x ch) in M by lia.
  assert (P := fun f Hf => below_place j f Hj Hf Hp). cbv zeta in P. fold x in P.
  unfold value, step_loss. fold x. rewrite plus_IZR, !mult_IZR.
  destruct ((place j =? 0)%nat || (place j =? n + 2)%nat).
  - rewrite Rplus_0_r, M, <- Sum_sub. apply Req_le. rewrite Rmult_comm. f_equal. apply Sum_ext. intros f Hf. unfold y.
    rewrite (P f Hf).
    change (IZR (change c j f)) with (ch f). destruct (Nat.ltb_spec f (S j)), (Nat.ltb_spec f x); ring.
  - assert (E : adds n c (S j) j (y j) = IZR (between w loss q even k j x)
      + (1 - F1) * Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0) +
        F0 * Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f)).
    { rewrite M, <- !Sum_scale, <- Sum_sub, <- !Sum_add. apply Sum_ext. intros f Hf. unfold y. rewrite (P f Hf).
      change (IZR (change c j f)) with (ch f). destruct (Nat.ltb_spec f (S j)), (Nat.ltb_spec f x); ring. }
    assert (C0 := within z Hlaw 0 ltac:(lia)). assert (C1 := within z Hlaw 1 ltac:(lia)). destruct C0 as [C0 _].
      destruct C1 as [_ C1].
    apply IZR_le in C0, C1. fold W in C1. rewrite E, plus_IZR, !mult_IZR, minus_IZR, !plus_IZR.
    set (D := Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0)) in *.
    set (D' := Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f)) in *.
    replace (IZR one * IZR W * (IZR (between w loss q even k j x) + (1 - F1) * D + F0 * D')) with
      (IZR (between w loss q even k j x) * (IZR one * IZR W) + ((IZR W - IZR (cumulative z 1)) * (IZR one * D) +
        IZR (cumulative z 0) * (IZR one * D')))
      by (unfold F0, F1; field; lra).
    assert (G1 : (IZR W - IZR (cumulative z 1)) * (IZR one * D) <= (IZR W - IZR (cumulative z 1)) * (IZR (beside q one k j
      x) + IZR err)) by (apply Rmult_le_compat_l; lra).
    assert (G2 : IZR (cumulative z 0) * (IZR one * D') <= IZR (cumulative z 0) * (IZR (beyond n q one k j x) + IZR err))
      by (apply Rmult_le_compat_l; lra).
    lra.
Qed.

Lemma same_places_spec : forall count j, same_places n place count j = true ->
  (1 <= place j)%nat /\ (place j + count <= n + 2)%nat /\ forall i, (i < count)%nat -> place (j + i) = (place j + i)%nat.
Proof.
  intros count j H. unfold same_places in H. facts. repeat (split; auto). intros i Hi. apply Nat.eqb_eq.
  apply (all_spec count (fun i => place (j + i) =? place j + i)%nat); auto.
Qed.
Lemma step_loss_stays : forall j count i, same_places n place count j = true -> (i < count)%nat -> (j + count <= n - 1)%nat ->
  steady n k (furthest (bends q) 0) j (draw n (place j)) (j + (count - 1)) (draw n (place j) + (count - 1)) = true ->
  value (j + i) = value j.
Proof.
  intros j count i H Hi Hj Hs. destruct (same_places_spec count j H) as (H1 & H2 & H3). specialize (H3 i Hi).
  assert (E := steady_even n w loss a W k Hk _ _ _ _ _ Hs ltac:(lia)). fold even in E.
  assert (G : draw n (place (j + i)) = (draw n (place j) + i)%nat) by (rewrite !draw_min; lia).
  assert (S1 := steady_within n k _ _ _ _ _ (draw n (place j)) i Hs ltac:(lia) ltac:(lia) ltac:(lia)).
  destruct (beside_stays n w loss a W k Hk j (draw n (place j)) i S1 ltac:(lia) ltac:(rewrite draw_min; lia)) as [X1 X2].
    fold q one in X1, X2.
  unfold value, step_loss. rewrite G, X1, X2, H3, E. unfold between.
  replace (apart (S (j + i)) (draw n (place j) + i)) with (apart (S j) (draw n (place j)))
    by (unfold apart; destruct (Nat.leb_spec (S j) (draw n (place j))), (Nat.leb_spec (S (j + i)) (draw n (place j) + i)); lia).
  replace (place j + i =? 0)%nat with (place j =? 0)%nat by (destruct (Nat.eqb_spec (place j) 0),
    (Nat.eqb_spec (place j + i) 0); lia).
  destruct (Nat.eqb_spec (place j) (n + 2)), (Nat.eqb_spec (place j + i) (n + 2)); lia.
Qed.
Lemma loss_runs_sound : forall counts j s s', (j <= n - 1)%nat ->
  loss_runs n w loss q even one err W (cumulative z 0) (cumulative z 1) k place (furthest (bends q) 0) counts j s = Some s' ->
  IZR s + IZR one * IZR W * Sum (n - 1 - j) (fun i => adds n c (S (j + i)) (j + i) (y (j + i))) <= IZR s'.
Proof.
  induction counts as [|count counts IH]; intros j s s' Hj H.
  - unfold loss_runs in H. cbn [fold_left] in H. destruct (Nat.eqb_spec j (n - 1)); [|discriminate]. injection H as <-.
    replace (n - 1 - j)%nat with O by lia. simpl. lra.
  - rewrite loss_runs_next in H. destruct (_ && _) eqn:C in H; [|discriminate].
    apply andb_true_iff in C as [C1 C2]. facts. apply IH in H; [|lia].
    set (f := fun i => adds n c (S (j + i)) (j + i) (y (j + i))) in *. rewrite (Sum_split count (n - 1 - j)) by lia.
    rewrite (Sum_ext (n - 1 - j - count) (fun i => f (count + i)%nat) (fun i => adds n c (S (j + count + i)) (j + count +
      i) (y (j + count + i)))).
    2:{ intros i _. unfold f. rewrite Nat.add_assoc. reflexivity. }
    replace (n - 1 - j - count)%nat with (n - 1 - (j + count))%nat by lia.
    fold value in H. rewrite plus_IZR, mult_IZR in H.
      enough (G : IZR one * IZR W * Sum count f <= IZR (Z.of_nat count) * IZR (value j)) by lra.
    assert (V : forall i, (i < count)%nat -> IZR one * IZR W * f i <= IZR (value j)).
    { intros i Hi. apply orb_true_iff in C2 as [C2|C2]; facts.
      - replace i with O by lia. unfold f. rewrite Nat.add_0_r. apply step_loss_sound. lia.
      - rewrite <- (step_loss_stays j count i) by (auto; lia). apply step_loss_sound. lia. }
    clear - V. induction count as [|count IH]; [simpl; lra|]. cbn [Sum]. rewrite Nat2Z.inj_succ, succ_IZR.
    specialize (IH ltac:(intros; apply V; lia)). specialize (V count ltac:(lia)). lra.
Qed.
End Sound.

(* The noise with these thresholds is a mechanism of the question, with this objective or a smaller one. *)
Theorem tails_attained : forall p x z n w loss unit threshold place k counts on od,
  tails_attain p x z n w loss unit threshold place k counts (on, od) = true ->
  achieves (row n n [p] false (cost_of (ByDistance w loss)) unit) (with_noise z n n threshold) (IZR on / IZR od).
Proof.
  intros p x z n w loss unit threshold place k counts on od H. unfold tails_attain in H.
    apply andb_true_iff in H as [H1 H]. facts.
  match goal with A : law_ok _ = true |- _ => rename A into Hlaw end.
  match goal with A : thresholds_ok _ _ _ _ = true |- _ => rename A into Ht end.
  match goal with A : question_ok _ _ _ _ _ = true |- _ => rename A into Hq end.
  match goal with A : walk_ok _ _ _ _ _ _ _ = true |- _ => rename A into Hk end.
  match goal with A : spent_within _ _ = true |- _ => rename A into Hp end.
  match goal with A : all _ _ = true |- _ => rename A into Hall end.
  destruct (question_facts n w loss unit Hq) as (Hn & Hu & Hs & _). apply IZR_lt in Hu as HuR.
  assert (HM := with_noise_stochastic z n n threshold Hlaw Ht).
  assert (HU : forall j, (S j < n)%nat -> threshold j = (never z + Z.of_nat (place j))%Z).
  { intros j Hj. apply Z.eqb_eq. apply (all_spec (n - 1) (fun j => threshold j =? never z + Z.of_nat (place j))%Z); auto. lia. }
  unfold achieves. cbn [responses truths limits rules privacies neighbours aim row]. split; [exact HM|].
  split. { intros r f r' f' _ Hf _ Hf' E. cbn [name row truths] in *. apply SuccNat2Pos.inj in E. assert (r = r') by nia.
    subst. f_equal. lia. }
  split. { intros r f low high []. }
  split. { constructor. }
  split. { constructor; [|constructor]. eapply with_noise_private; eauto. }
  destruct (loss_runs _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _) as [s|] eqn:R; [|discriminate]. facts. apply IZR_le in H.
  rewrite !mult_IZR, plus_IZR, !mult_IZR in H.
  assert (Ho := one_positive n w loss _ _ k Hk). destruct (walk_facts n w loss _ _ k Hk) as (HW & _). apply IZR_lt in HW.
  apply (loss_runs_sound z n w loss unit k threshold place) in R; auto; try lia.
  rewrite Nat.sub_0_r in R. simpl Nat.add in R. rewrite Rplus_0_l in R.
  rewrite (total_by_steps n n [p] false _ unit S _ HM ltac:(lia) Hu),
    <- (loss_constant_sound n n _ Hs : _ = _ + Sum (n - 1) (fun j => Sum n (fun f => if (f <? S j)%nat then 0 else _))).
  rewrite (Sum_ext (n - 1) _ (fun j => adds n (cost_of (ByDistance w loss)) (S j) j (below_threshold z n (threshold j)))).
  2:{ intros j Hj. unfold adds. apply Sum_ext. intros f Hf. rewrite with_noise_up_to by (auto; lia). reflexivity. }
  apply div_le_div; auto. apply IZR_lt; auto. set (T := Sum (n - 1) _) in *. set (one := IZR (fine (tail z) (whole z))) in *.
  apply Rmult_le_reg_r with (one * IZR (whole z)). apply Rmult_lt_0_compat; auto.
  assert (Hod : 0 < IZR od) by (apply IZR_lt; auto).
  eapply Rle_trans; [|exact (Rle_trans _ _ _ H (Req_le _ _ (eq_sym (Rmult_assoc _ _ _))))].
  replace ((IZR (loss_constant n n (ByDistance w loss)) + T) * IZR od * (one * IZR (whole z))) with
    ((IZR (loss_constant n n (ByDistance w loss)) * (one * IZR (whole z)) + one * IZR (whole z) * T) * IZR od) by ring.
  apply Rmult_le_compat_r; lra.
Qed.
