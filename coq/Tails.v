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
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings.
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
  { intros r g Hr Hg. destruct (Nat.leb_spec r g), (Nat.leb_spec (n - 1 - r) (n - 1 - g)); lia. }
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
