(* Sums over truths of what a threshold one response further costs, each truth counting less by a factor the further it
   is: within a small error by a few sums of weights alone, which follow one from the other. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps.
Import ListNotations.
Open Scope R_scope.

(* ---- The computation. The loss bends at t by loss (t+1) - loss t - (loss t - loss (t-1)), at 0 by loss 1 - loss 0. *)
Definition bend (loss : nat -> Z) (t : nat) : Z :=
  (loss (S t) - loss t - match t with O => 0 | S s => loss t - loss s end)%Z.
Fixpoint bends_below (loss : nat -> Z) (k : nat) (found : list (nat * Z)) : list (nat * Z) :=
  match k with O => found | S t => bends_below loss t (if bend loss t =? 0 then found else (t, bend loss t) :: found)%Z end.
Definition is_squared (n : nat) (loss : nat -> Z) : bool :=
  (loss 0%nat =? 0)%Z && all (n - 1) (fun d => loss (S (S d)) - loss (S d) =? loss (S d) - loss d + 2 * loss 1%nat)%Z.
Record shape := { squared : bool; unit_loss : Z; bends : list (nat * Z) }.
Definition shape_of (n : nat) (loss : nat -> Z) : shape :=
  let sq := is_squared n loss in
  {| squared := sq; unit_loss := loss 1%nat; bends := if sq then [] else bends_below loss n [] |}.

(* With the decay a / whole, in units of 1 / one: listed_mass h is the sum over f <= h of decay^(h-f) w f, listed_arm h that of
   decay^(h-f) w f (h-f); from resting - 1 on they stay. listed_fade k is decay^k; from `fades` on it is 0. *)
Record decayed := { listed_mass : nat -> Z; listed_arm : nat -> Z; resting : nat; listed_fade : nat -> Z; fades : nat }.
(* Nat.min of Coq counts up to its result. *)
Definition mass_of (s : decayed) (x : nat) : Z := match x with O => 0%Z | S h => listed_mass s (lesser h (resting s - 1)) end.
Definition arm_of (s : decayed) (x : nat) : Z := match x with O => 0%Z | S h => listed_arm s (lesser h (resting s - 1)) end.
Definition fade_of (s : decayed) (k : nat) : Z := if (k <? fades s)%nat then listed_fade s k else 0%Z.

Definition is_even (n : nat) (w : nat -> Z) : bool := all n (fun f => w f =? w O)%Z.
(* The program that lists the sums need not be trusted: this checks that each follows from the one before. *)
Definition decayed_ok (n : nat) (w : nat -> Z) (sq : bool) (a whole one : Z) (s : decayed) : bool :=
  let r := (resting s - 1)%nat in let p := (fades s - 1)%nat in
  (1 <=? resting s)%nat && (resting s <=? n)%nat && ((resting s =? n)%nat || is_even n w) &&
  (listed_mass s O =? w O * one)%Z && all r (fun h => listed_mass s (S h) =? listed_mass s h * a / whole + w (S h) * one)%Z &&
  ((resting s =? n)%nat || (listed_mass s r =? listed_mass s r * a / whole + w O * one)%Z) &&
  if sq
  then (listed_arm s O =? 0)%Z && all r (fun h => listed_arm s (S h) =? (listed_mass s h + listed_arm s h) * a / whole)%Z &&
       ((resting s =? n)%nat || (listed_arm s r =? (listed_mass s r + listed_arm s r) * a / whole)%Z)
  else (1 <=? fades s)%nat && (listed_fade s O =? one)%Z && all p (fun k => listed_fade s (S k) =? listed_fade s k * a /
    whole)%Z &&
       ((n <=? fades s)%nat || (listed_fade s p * a / whole =? 0)%Z).

(* The sum over f < x of decay^(x-1-f) times what the loss of truth f is at response j+1 more than at j. *)
Fixpoint bent (one : Z) (s : decayed) (j x : nat) (bs : list (nat * Z)) (whole_mass total : Z) : Z :=
  match bs with
  | [] => (whole_mass * mass_of s x + total / one)%Z
  | (t, b) :: rest =>
      let k := (S j - t)%nat in let k' := (S j + t)%nat in
      let near := (x <=? k)%nat in let far := (k' <? x)%nat in
      bent one s j x rest (whole_mass + (if near then b else 0) - (if far then b else 0))
        (total + (if near then 0 else b * fade_of s (x - k) * mass_of s k)
          + (if far then b * fade_of s (x - k') * mass_of s k' else 0))
  end%Z.
Definition decayed_sum (q : shape) (one : Z) (s : decayed) (j x : nat) : Z :=
  if squared q
  then (unit_loss q * ((2 * (Z.of_nat (S j) - Z.of_nat x) + 1) * mass_of s x + 2 * arm_of s x))%Z
  else bent one s j x (bends q) 0 0.

(* The sum is at most this `error` more or less. *)
Fixpoint heaviest (n : nat) (w : nat -> Z) (most : Z) : Z :=
  match n with O => most | S k => heaviest k w (Z.max most (w k)) end.
Fixpoint sizes (bs : list (nat * Z)) (s : Z) : Z :=
  match bs with [] => s | (_, b) :: rest => sizes rest (s + Z.abs b)%Z end.
Definition fine (a whole : Z) : Z := if (a =? whole)%Z then 1%Z else (whole * 16777216)%Z. (* 2^24 *)
Definition reach (n : nat) (a whole : Z) : Z :=
  if (a =? whole)%Z then Z.of_nat n else Z.min (Z.of_nat n) (whole / (whole - a) + 1)%Z.
Definition error (n : nat) (q : shape) (heavy a whole : Z) : Z :=
  if (a =? whole)%Z then 0%Z else
  let r := reach n a whole in
  ((heavy * r * r + r + 2) * (if squared q then unit_loss q * (8 * Z.of_nat n + 12) else 3 * sizes (bends q) 0))%Z.

(* ---- Each listed number follows from the one before. *)
Lemma sums_next : forall n w sq a whole one s, (0 < whole)%Z -> decayed_ok n w sq a whole one s = true -> forall x, (x < n)%nat ->
  mass_of s (S x) = (mass_of s x * a / whole + w x * one)%Z /\
  (sq = true -> arm_of s (S x) = ((mass_of s x + arm_of s x) * a / whole)%Z).
Proof.
  intros n w sq a whole one s Hwhole H x Hx. unfold decayed_ok in H. apply andb_true_iff in H as [H Hs]. facts.
  assert (Hm : forall h, (h < resting s - 1)%nat -> listed_mass s (S h) = (listed_mass s h * a / whole + w (S h) * one)%Z).
  { intros h Hh. apply Z.eqb_eq. match goal
    with A : all _ (fun h => listed_mass s (S h) =? _)%Z = true |- _ => apply (all_spec _ _ A h Hh) end. }
  assert (Hr : resting s = n \/ (w x = w O /\
    listed_mass s (resting s - 1) = (listed_mass s (resting s - 1) * a / whole + w O * one)%Z)).
  { repeat match goal with A : _ || _ = true |- _ => apply orb_true_iff in A as [A|A] end; facts; auto.
    right. split; auto. apply Z.eqb_eq. apply (all_spec n (fun f => w f =? w O)%Z); auto. }
  split.
  - destruct x as [|h]; cbn [mass_of]; rewrite ?lesser_min. { rewrite Nat.min_l by lia.
    rewrite Z.mul_0_l, Z.div_0_l by lia. lia. }
    destruct (le_lt_dec (resting s) (S h)) as [L|L].
    + rewrite !Nat.min_r by lia. destruct Hr as [|[Hr E]]; [lia|]. rewrite Hr. exact E.
    + rewrite !Nat.min_l by lia. apply Hm. lia.
  - intros Hq. rewrite Hq in Hs. facts. destruct x as [|h]; cbn [mass_of arm_of]; rewrite ?lesser_min.
    { rewrite Nat.min_l by lia. rewrite Z.mul_0_l, Z.div_0_l by lia. auto. }
    destruct (le_lt_dec (resting s) (S h)) as [L|L].
    + rewrite !Nat.min_r by lia.
      match goal with A : (_ =? n)%nat || (listed_arm _ _ =? _)%Z = true |- _ => apply orb_true_iff in A as [A|A]; facts;
        [lia|auto] end.
    + rewrite !Nat.min_l by lia. apply Z.eqb_eq.
      match goal with A : all _ (fun h => listed_arm s (S h) =? _)%Z = true |- _ => apply (all_spec _ _ A h); lia end.
Qed.
Lemma fades_next : forall n w sq a whole one s, (0 < whole)%Z -> decayed_ok n w sq a whole one s = true -> sq = false ->
  fade_of s O = one /\
  forall k, (S k < n)%nat -> fade_of s (S k) = (fade_of s k * a / whole)%Z.
Proof.
  intros n w sq a whole one s Hwhole H Hq. unfold decayed_ok in H. apply andb_true_iff in H as [_ H]. rewrite Hq in H. facts.
  unfold fade_of. split. { destruct (Nat.ltb_spec 0 (fades s)); [auto|lia]. }
  intros k Hk. destruct (Nat.ltb_spec (S k) (fades s)), (Nat.ltb_spec k (fades s)); try lia.
  - apply Z.eqb_eq. match goal with A : all _ (fun k => listed_fade s (S k) =? _)%Z = true |- _ => apply (all_spec _ _ A
    k); lia end.
  - match goal with A : _ || _ = true |- _ => apply orb_true_iff in A as [A|A]; facts; [lia|] end.
    replace k with (fades s - 1)%nat by lia. auto.
  - rewrite Z.mul_0_l, Z.div_0_l by lia. auto.
Qed.

(* ---- Why: such sums of real numbers *)
Fixpoint decaying (d : R) (g : nat -> R) (x : nat) : R := match x with O => 0 | S k => d * decaying d g k + g k end.
Lemma decaying_ext : forall d g h x, (forall f, (f < x)%nat -> g f = h f) -> decaying d g x = decaying d h x.
Proof. induction x; simpl; intros H; auto. rewrite IHx, H by auto. reflexivity. Qed.
Lemma decaying_add : forall d g h x, decaying d (fun f => g f + h f) x = decaying d g x + decaying d h x.
Proof. induction x; simpl. ring. rewrite IHx. ring. Qed.
Lemma decaying_scale : forall d c g x, decaying d (fun f => c * g f) x = c * decaying d g x.
Proof. induction x; simpl. ring. rewrite IHx. ring. Qed.
Lemma decaying_cut : forall d k g x, decaying d (fun f => if (f <? k)%nat then g f else 0) x =
  if (x <=? k)%nat then decaying d g x else d ^ (x - k) * decaying d g k.
Proof.
  induction x; [reflexivity|]. cbn [decaying]. rewrite IHx. destruct (Nat.leb_spec (S x) k).
  - destruct (Nat.leb_spec x k), (Nat.ltb_spec x k); try lia. reflexivity.
  - destruct (Nat.ltb_spec x k); try lia. replace (S x - k)%nat with (S (x - k)) by lia. cbn [pow].
    destruct (Nat.leb_spec x k); [replace (x - k)%nat with O by lia; replace k with x by lia; simpl|]; ring.
Qed.
Lemma decaying_nonneg : forall d g x, 0 <= d -> (forall f, (f < x)%nat -> 0 <= g f) -> 0 <= decaying d g x.
Proof. induction x; simpl; intros Hd H. lra. apply Rplus_le_le_0_compat; auto. apply Rmult_le_pos; auto. Qed.
Lemma decaying_mono : forall d g h x, 0 <= d -> (forall f, (f < x)%nat -> g f <= h f) -> decaying d g x <= decaying d h x.
Proof. induction x; simpl; intros Hd H. lra. apply Rplus_le_compat; auto. apply Rmult_le_compat_l; auto. Qed.
Lemma decaying_Sum : forall d g x, decaying d g x = Sum x (fun f => d ^ (x - 1 - f) * g f).
Proof.
  induction x; [reflexivity|]. cbn [decaying Sum]. replace (S x - 1 - x)%nat with O by lia.
    rewrite IHx, <- Sum_scale, pow_O, Rmult_1_l.
  f_equal. apply Sum_ext. intros f Hf. replace (S x - 1 - f)%nat with (S (x - 1 - f)) by lia. simpl. ring.
Qed.

(* A sum over the bends of a loss *)
Fixpoint over_bends (bs : list (nat * Z)) (y : nat -> R) : R :=
  match bs with [] => 0 | (t, b) :: rest => IZR b * y t + over_bends rest y end.
Lemma over_bends_below : forall loss y k found,
  over_bends (bends_below loss k found) y = Sum k (fun t => IZR (bend loss t) * y t) + over_bends found y.
Proof.
  induction k; intros found; cbn [bends_below Sum]. ring. rewrite IHk. destruct (Z.eqb_spec (bend loss k) 0) as [E|].
  - rewrite E. ring.
  - simpl. ring.
Qed.
Lemma bends_not_zero : forall loss k found, Forall (fun e => snd e <> 0%Z) found ->
  Forall (fun e => snd e <> 0%Z) (bends_below loss k found).
Proof. induction k; intros found H; simpl; auto. apply IHk. destruct (Z.eqb_spec (bend loss k) 0); auto. Qed.
Lemma bends_rise : forall loss k, Sum (S k) (fun t => IZR (bend loss t)) = IZR (loss (S k) - loss k).
Proof.
  induction k. - simpl. unfold bend. rewrite Rplus_0_l. f_equal. lia.
  - cbn [Sum] in *. rewrite IHk. unfold bend. rewrite <- plus_IZR. f_equal. lia.
Qed.
Lemma bends_up_to : forall loss n k, (k < n)%nat ->
  Sum n (fun t => IZR (bend loss t) * if (t <=? k)%nat then 1 else 0) = IZR (loss (S k) - loss k).
Proof.
  intros loss n k H. rewrite (Sum_split (S k) n) by lia. rewrite (Sum_ext (n - S k) _ (fun _ => 0)), Sum_zero, Rplus_0_r.
  - rewrite <- bends_rise. apply Sum_ext. intros t Ht. destruct (Nat.leb_spec t k); [ring|lia].
  - intros t _. destruct (Nat.leb_spec (S k + t) k); [lia|ring].
Qed.
Lemma squared_rise : forall n loss k, is_squared n loss = true -> (k < n)%nat ->
  (loss (S k) - loss k = loss 1%nat * (2 * Z.of_nat k + 1))%Z.
Proof.
  intros n loss k H. unfold is_squared in H. facts. induction k; intros Hk. simpl. lia.
  match goal with A : all _ _ = true |- _ => assert (B := all_spec _ _ A k ltac:(lia)) end. cbv beta in B. facts.
    specialize (IHk ltac:(lia)). lia.
Qed.

(* A threshold's cost at a truth f: positive up to j, negative beyond it *)
Lemma change_near : forall w loss j f, (f <= j)%nat ->
  change (cost_of (ByDistance w loss)) j f = (w f * (loss (S (j - f)) - loss (j - f)%nat))%Z.
Proof.
  intros w loss j f H. assert (E := change_before w loss j (j - f) ltac:(lia)).
  replace (S j - S (j - f))%nat with f in E by lia. replace (j - (j - f))%nat with f in E by lia. exact E.
Qed.
Lemma change_far : forall w loss j f, (j < f)%nat ->
  change (cost_of (ByDistance w loss)) j f = (- (w f * (loss (S (f - S j)) - loss (f - S j)%nat)))%Z.
Proof.
  intros w loss j f H. assert (E := change_behind w loss j (f - S j)). replace (S j + (f - S j))%nat with f in E by lia. exact E.
Qed.
Lemma decaying_many : forall d k (g : nat -> nat ->
  R) x, decaying d (fun f => Sum k (fun t => g t f)) x = Sum k (fun t => decaying d (g t) x).
Proof.
  intros d. induction k; intros g x; simpl. - induction x; simpl; [lra|]. rewrite IHx. ring. - rewrite decaying_add, IHk.
    reflexivity.
Qed.
Lemma sizes_add : forall bs c, sizes bs c = (c + sizes bs 0)%Z.
Proof. induction bs as [|[t b] bs IH]; intros c; simpl. lia. rewrite IH, (IH (Z.abs b)). lia. Qed.
Lemma sizes_nonneg : forall bs, (0 <= sizes bs 0)%Z.
Proof. induction bs as [|[t b] bs IH]; simpl. lia. rewrite sizes_add. lia. Qed.
Lemma floor_range : forall x y, (0 < y)%Z -> 0 <= IZR x / IZR y - IZR (x / y) <= 1.
Proof.
  intros x y Hy. assert (A := floor_below x y Hy). split; [lra|]. assert (B := Z.mul_succ_div_gt x y Hy). apply IZR_lt in B, Hy.
  rewrite mult_IZR, succ_IZR in B. assert (IZR x / IZR y <= IZR (x / y) + 1); [|lra]. apply div_le_l; auto. lra.
Qed.

(* ==== Sums of weights that decay, listed in whole numbers: each is below the real sum by little, and what the loss of truths
   changes by is therefore known within `error`. *)
Section Sound.
Variables (n : nat) (w loss : nat -> Z) (a whole heavy : Z) (s : decayed).
Let q := shape_of n loss.
Let one := fine a whole.
Let d := IZR a / IZR whole.
Let slack := if (a =? whole)%Z then 0 else 1.
Let r := IZR (reach n a whole).
Hypothesis Hwhole : (0 < whole)%Z.
Hypothesis Ha : (0 <= a <= whole)%Z.
Hypothesis Hheavy : (1 <= heavy)%Z.
Hypothesis Hw : forall f, (f < n)%nat -> (0 <= w f <= heavy)%Z.
Hypothesis Hloss : (loss O <= loss 1%nat)%Z.
Hypothesis Hok : decayed_ok n w (squared q) a whole one s = true.

Lemma d_range : 0 <= d <= 1.
Proof.
  assert (A := IZR_lt _ _ Hwhole). destruct Ha as [B C]. apply IZR_le in B, C. split. apply div_nonneg; auto. apply div_le_l; lra.
Qed.
Lemma one_pos : 0 < IZR one.
Proof. apply IZR_lt. unfold one, fine. destruct (a =? whole)%Z; lia. Qed.
Lemma slack_range : 0 <= slack <= 1.
Proof. unfold slack. destruct (a =? whole)%Z; lra. Qed.
Lemma floor_slack : forall m, 0 <= IZR m * d - IZR (m * a / whole) <= slack.
Proof.
  intros m. assert (A := floor_range (m * a) whole Hwhole). rewrite mult_IZR in A. unfold d, slack.
  replace (IZR m * (IZR a / IZR whole)) with (IZR m * IZR a / IZR whole) by (unfold Rdiv; ring).
  destruct (Z.eqb_spec a whole) as [->|]; [|exact A]. rewrite Z.div_mul by lia. apply IZR_lt in Hwhole.
  replace (IZR m * IZR whole / IZR whole) with (IZR m) by (field; lra). lra.
Qed.

Let next := sums_next n w (squared q) a whole one s Hwhole Hok.
Definition weighed : nat -> R := decaying d (fun f => IZR (w f)).
Definition ones : nat -> R := decaying d (fun _ => 1).
Fixpoint arms (x : nat) : R := match x with O => 0 | S k => d * (arms k + weighed k) end.
Lemma ones_range : forall x, (x <= n)%nat -> 0 <= ones x <= r.
Proof.
  assert (Hd := d_range). intros x Hx. split. { apply decaying_nonneg; [apply Hd|intros; lra]. }
  assert (A : ones x <= INR x).
  { clear Hx. unfold ones. induction x. simpl; lra. rewrite S_INR. simpl.
    assert (Hn := decaying_nonneg d (fun _ => 1) x ltac:(lra) ltac:(intros; lra)).
    nra. }
  assert (B : ones x * (1 - d) <= 1). { clear - Hd. unfold ones. induction x; simpl; [lra|]. nra. }
  apply le_INR in Hx. rewrite (INR_IZR_INZ n) in Hx. unfold r, reach. destruct (Z.eqb_spec a whole) as [|Hne]; [lra|].
  destruct (Z.min_spec (Z.of_nat n) (whole / (whole - a) + 1)) as [[_ ->]|[_ ->]]; [lra|].
  rewrite plus_IZR. assert (C := floor_range whole (whole - a) ltac:(lia)). rewrite minus_IZR in C.
  assert (Hg : 0 < IZR whole - IZR a). { rewrite <- minus_IZR. apply IZR_lt. lia. }
  assert (Hp := IZR_lt _ _ Hwhole). enough (ones x <= IZR whole / (IZR whole - IZR a)) by lra.
  apply le_div_r; auto. apply Rmult_le_reg_r with (/ IZR whole). apply Rinv_0_lt_compat; auto.
  replace (ones x * (IZR whole - IZR a) * / IZR whole) with (ones x * (1 - d)) by (unfold d; field; lra).
  rewrite Rinv_r by lra. auto.
Qed.
Lemma r_nonneg : 0 <= r.
Proof. assert (A := ones_range O ltac:(lia)). lra. Qed.
Lemma weighed_range : forall x, (x <= n)%nat -> 0 <= weighed x <= IZR heavy * r.
Proof.
  intros x Hx. assert (Hd := d_range). split.
  - apply decaying_nonneg; [apply Hd|]. intros f Hf. apply IZR_le. destruct (Hw f ltac:(lia)). auto.
  - apply Rle_trans with (IZR heavy * ones x).
    + unfold weighed, ones. rewrite <- decaying_scale. apply decaying_mono; [apply Hd|]. intros f Hf. rewrite Rmult_1_r.
      apply IZR_le. destruct (Hw f ltac:(lia)). auto.
    + apply Rmult_le_compat_l; [|apply ones_range; auto]. apply IZR_le. lia.
Qed.
Lemma mass_range : forall x, (x <= n)%nat -> 0 <= IZR one * weighed x - IZR (mass_of s x) <= slack * ones x.
Proof.
  unfold weighed, ones. induction x; intros Hx; simpl decaying. { simpl. lra. }
  rewrite (proj1 (next x ltac:(lia))), plus_IZR, mult_IZR. specialize (IHx ltac:(lia)). assert (F := floor_slack (mass_of s x)).
  assert (Hd := d_range). set (X := decaying d (fun f => IZR (w f)) x) in *. set (Y := decaying d (fun _ => 1) x) in *.
    set (m := IZR (mass_of s x)) in *.
  assert (A : 0 <= d * (IZR one * X - m) <= d * (slack * Y)). { split. apply Rmult_le_pos; lra. apply Rmult_le_compat_l; lra. }
  lra.
Qed.
Lemma mass_nonneg : forall x, (x <= n)%nat -> (0 <= mass_of s x)%Z.
Proof.
  induction x; intros Hx. simpl; lia. rewrite (proj1 (next x ltac:(lia))). assert (A := one_pos). apply lt_IZR in A.
  destruct (Hw x ltac:(lia)).
  assert (B : (0 <= mass_of s x * a / whole)%Z) by (apply Z.div_pos; [apply Z.mul_nonneg_nonneg; [apply IHx|]|]; lia).
  assert (C : (0 <= w x * one)%Z) by (apply Z.mul_nonneg_nonneg; lia). lia.
Qed.
Lemma fade_range : squared q = false -> forall k, (k < n)%nat -> 0 <= IZR one * d ^ k - IZR (fade_of s k) <= slack * r.
Proof.
  intros Hq k Hk. destruct (fades_next n w (squared q) a whole one s Hwhole Hok Hq) as [H0 H1]. assert (Hd := d_range).
  assert (A : 0 <= IZR one * d ^ k - IZR (fade_of s k) <= slack * ones k).
  { unfold ones. induction k. { rewrite H0. simpl. lra. }
    rewrite (H1 k Hk). specialize (IHk ltac:(lia)). assert (F := floor_slack (fade_of s k)). cbn [pow decaying].
    set (p := IZR (fade_of s k)) in *. set (Y := decaying d _ k) in *.
    assert (A : 0 <= d * (IZR one * d ^ k - p) <= d * (slack * Y)). { split. apply Rmult_le_pos; lra.
      apply Rmult_le_compat_l; lra. }
    lra. }
  assert (B := ones_range k ltac:(lia)). assert (S := slack_range). split; [lra|]. apply Rle_trans with (slack * ones k); [lra|].
  apply Rmult_le_compat_l; lra.
Qed.
Lemma arm_range : squared q = true -> forall x, (x <= n)%nat ->
  0 <= IZR one * arms x - IZR (arm_of s x) <= slack * ((r + 1) * r).
Proof.
  intros Hq x Hx. assert (Hd := d_range). assert (S := slack_range). assert (Hr := r_nonneg).
  assert (A : 0 <= IZR one * arms x - IZR (arm_of s x) <= slack * ((r + 1) * ones x)).
  { unfold ones. induction x; cbn [arms decaying]. { simpl. lra. }
    rewrite (proj2 (next x ltac:(lia)) Hq). specialize (IHx ltac:(lia)).
    assert (F := floor_slack (mass_of s x + arm_of s x)). rewrite plus_IZR in F. assert (M := mass_range x ltac:(lia)).
    assert (O := ones_range x ltac:(lia)). unfold ones in M, O. set (Y := decaying d _ x) in *.
    set (m := IZR (mass_of s x)) in *. set (b := IZR (arm_of s x)) in *.
    assert (E : slack * Y <= slack * r) by (apply Rmult_le_compat_l; lra).
    assert (A : 0 <= d * (IZR one * arms x - b) <= d * (slack * ((r + 1) * Y))). { split. apply Rmult_le_pos; lra.
      apply Rmult_le_compat_l; lra. }
    assert (B : 0 <= d * (IZR one * weighed x - m) <= 1 * (slack * r)). { split. apply Rmult_le_pos; lra.
      apply Rmult_le_compat; lra. }
    lra. }
  assert (B := ones_range x ltac:(lia)). split; [lra|]. eapply Rle_trans; [apply A|]. apply Rmult_le_compat_l; [lra|].
  apply Rmult_le_compat_l; lra.
Qed.

(* ---- The sum over bends *)
(* The sum at x of the truths before k *)
Definition cut (x k : nat) : R := if (x <=? k)%nat then weighed x else d ^ (x - k) * weighed k.
Definition per_bend : R := 3 * r + 2 * (IZR heavy * r * r).
Lemma piece : squared q = false -> forall x k, (k <= x)%nat -> (x <= n)%nat ->
  0 <= IZR one * (d ^ (x - k) * weighed k) - IZR (fade_of s (x - k) * mass_of s k) / IZR one <= slack * (r + IZR heavy * r * r).
Proof.
  intros Hq x k Hk Hx. assert (Ho := one_pos). assert (Hs := slack_range). assert (Hr := r_nonneg).
  assert (Hh : 0 <= IZR heavy * r * r). { repeat apply Rmult_le_pos; auto. apply IZR_le; lia. }
  assert (Hb : 0 <= slack * (r + IZR heavy * r * r)) by (apply Rmult_le_pos; lra).
  destruct k as [|k].
  { cbn [mass_of]. unfold weighed. simpl decaying. rewrite Z.mul_0_r, Rmult_0_r, Rmult_0_r. unfold Rdiv. rewrite Rmult_0_l. lra. }
  assert (F := fade_range Hq (x - S k) ltac:(lia)). assert (M := mass_range (S k) ltac:(lia)).
    assert (N := mass_nonneg (S k) ltac:(lia)).
  assert (W := weighed_range (S k) ltac:(lia)). assert (O := ones_range (S k) ltac:(lia)).
  assert (P : 0 <= d ^ (x - S k) <= 1). { assert (Hd := d_range). split. apply pow_le; lra. rewrite <- (pow1 (x - S k)).
    apply pow_incr. lra. }
  apply IZR_le in N. rewrite mult_IZR. set (p := IZR (fade_of s (x - S k))) in *. set (m := IZR (mass_of s (S k))) in *.
  set (D := d ^ (x - S k)) in *. set (u := weighed (S k)) in *.
  replace (IZR one * (D * u) - p * m / IZR one) with (D * (IZR one * u - m) + m / IZR one * (IZR one * D - p)) by (field; lra).
  assert (A : slack * ones (S k) <= slack * r) by (apply Rmult_le_compat_l; lra).
  assert (B : 0 <= D * (IZR one * u - m) <= 1 * (slack * r)). { split. apply Rmult_le_pos; lra. apply Rmult_le_compat; lra. }
  assert (E : 0 <= m / IZR one <= IZR heavy * r). { split. apply div_nonneg; lra. apply div_le_l; auto.
    assert (IZR one * u <= IZR one * (IZR heavy * r)). apply Rmult_le_compat_l; lra. lra. }
  assert (C : 0 <= m / IZR one * (IZR one * D - p) <= IZR heavy * r * (slack * r)). { split. apply Rmult_le_pos; lra.
    apply Rmult_le_compat; lra. }
  replace (slack * (r + IZR heavy * r * r)) with (1 * (slack * r) + IZR heavy * r * (slack * r)) by ring. lra.
Qed.
Lemma floor_one : forall x, 0 <= IZR x / IZR one - IZR (x / one) <= slack.
Proof.
  intros x. assert (Ho := one_pos). assert (A := floor_range x one ltac:(apply lt_IZR; auto)). revert A.
  unfold slack, one, fine. destruct (a =? whole)%Z; [|auto]. rewrite Z.div_1_r. intros _.
    replace (IZR x / 1) with (IZR x) by field. lra.
Qed.
Lemma bend_range : squared q = false -> forall j x t, (x <= n)%nat -> exists e, Rabs e <= slack * per_bend /\
  IZR one * (cut x (S j - t) - (weighed x - cut x (S j + t))) = e
    + ((if (x <=? S j - t)%nat then 1 else 0) - (if (S j + t <? x)%nat then 1 else 0)) * IZR (mass_of s x)
    + ((if (x <=? S j - t)%nat then 0 else IZR (fade_of s (x - (S j - t)) * mass_of s (S j - t)))
       + (if (S j + t <? x)%nat then IZR (fade_of s (x - (S j + t)) * mass_of s (S j + t)) else 0)) / IZR one.
Proof.
  intros Hq j x t Hx. assert (P := piece Hq x). assert (Ho := one_pos). assert (Hs := slack_range). assert (Hr := r_nonneg).
  assert (Hh : 0 <= IZR heavy * r * r). { repeat apply Rmult_le_pos; auto. apply IZR_le; lia. }
  assert (M := mass_range x Hx). assert (C := ones_range x Hx).
    assert (A : slack * ones x <= slack * r) by (apply Rmult_le_compat_l; lra).
  assert (B : 0 <= slack * r) by (apply Rmult_le_pos; lra).
    assert (D : 0 <= slack * (IZR heavy * r * r)) by (apply Rmult_le_pos; lra).
  set (m := IZR (mass_of s x)) in *. unfold cut, per_bend. set (k := (S j - t)%nat). set (k' := (S j + t)%nat).
  exists ((if (x <=? k)%nat then IZR one * weighed x - m else IZR one * (d ^ (x - k) * weighed k) - IZR (fade_of s (x - k)
    * mass_of s k) / IZR one)
    + (if (k' <? x)%nat then IZR one * (d ^ (x - k') * weighed k') - IZR (fade_of s (x - k') * mass_of s k') / IZR one -
      (IZR one * weighed x - m) else 0)).
  split.
  - apply Rabs_le. destruct (Nat.leb_spec x k), (Nat.ltb_spec k' x); try (assert (P1 := P k ltac:(lia) Hx));
    try (assert (P2 := P k' ltac:(lia) Hx));
      split; lra.
  - destruct (Nat.leb_spec x k), (Nat.ltb_spec k' x), (Nat.leb_spec x k'); try lia; field; lra.
Qed.
Lemma bent_range : squared q = false -> forall j x, (x <= n)%nat -> forall bs upto total,
  Rabs (IZR one * over_bends bs (fun t => cut x (S j - t) - (weighed x - cut x (S j + t))) + IZR upto * IZR (mass_of s x)
        + IZR total / IZR one - IZR (bent one s j x bs upto total)) <= slack * (IZR (sizes bs 0) * per_bend + 1).
Proof.
  intros Hq j x Hx. assert (Ho := one_pos). assert (Hs := slack_range).
  induction bs as [|[t b] bs IH]; intros upto total; cbn [bent over_bends sizes].
  - assert (F := floor_one total). rewrite plus_IZR, mult_IZR, Rmult_0_l, Rmult_0_r, Rplus_0_l, Rplus_0_l, Rmult_1_r.
    apply Rabs_le. split; lra.
  - rewrite sizes_add, Z.add_0_l, plus_IZR. destruct (bend_range Hq j x t Hx) as (e & He & E).
    match goal with |- Rabs (_ - IZR (bent _ _ _ _ _ ?u ?v)) <= _ => specialize (IH u v); set (u' := u) in *;
      set (v' := v) in * end.
    assert (Hu : IZR u' = IZR upto + IZR b * ((if (x <=? S j - t)%nat then 1 else 0) - (if (S j + t <? x)%nat then 1 else 0))).
    { unfold u'. rewrite minus_IZR, plus_IZR. destruct (x <=? S j - t)%nat, (S j + t <? x)%nat; ring. }
    assert (Hv : IZR v' = IZR total + IZR b * ((if (x <=? S j - t)%nat then 0 else IZR (fade_of s (x - (S j - t)) * mass_of
      s (S j - t)))
       + (if (S j + t <? x)%nat then IZR (fade_of s (x - (S j + t)) * mass_of s (S j + t)) else 0))).
    { unfold v'. rewrite !plus_IZR. destruct (x <=? S j - t)%nat, (S j + t <? x)%nat; rewrite ?mult_IZR; ring. }
    assert (Hb : Rabs (IZR b * e) <= IZR (Z.abs b) * (slack * per_bend)).
    { rewrite Rabs_mult, abs_IZR. apply Rmult_le_compat_l; auto. apply Rabs_pos. }
    rewrite Hu, Hv in IH. set (rest := over_bends bs _) in *. set (B := IZR (bent _ _ _ _ _ _ _)) in *.
    match type of E with _ = _ + ?y * _ + ?z / _ => set (Y := y) in *; set (V := z) in * end.
    match goal with |- Rabs ?u <= _ => match type of IH with Rabs ?v <= _ => replace u with (v + IZR b * e) end end.
    + eapply Rle_trans; [apply Rabs_triang|]. lra.
    + replace e with (IZR one * (cut x (S j - t) - (weighed x - cut x (S j + t))) - Y * IZR (mass_of s x) - V / IZR one)
      by (rewrite E; ring).
      unfold Rdiv. ring.
Qed.

(* ---- The sums that these numbers stand for *)
Lemma change_by_bends : squared q = false -> forall j x, (j < n)%nat -> (x <= n)%nat ->
  decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) j f)) x =
    over_bends (bends q) (fun t => cut x (S j - t) - (weighed x - cut x (S j + t))).
Proof.
  intros Hq j x Hj Hx. unfold q, shape_of in *. cbn [squared bends] in *. rewrite Hq, over_bends_below. simpl over_bends.
    rewrite Rplus_0_r.
  rewrite (Sum_ext n _ (fun t => decaying d (fun f => IZR (w f) * (IZR (bend loss t) *
    ((if (f <? S j - t)%nat then 1 else 0) - (1 - if (f <? S j + t)%nat then 1 else 0)))) x)).
  - rewrite <- decaying_many. apply decaying_ext. intros f Hf. rewrite Sum_scale. destruct (le_lt_dec f j) as [L|L].
    + rewrite change_near, mult_IZR by auto. rewrite <- (bends_up_to loss n (j - f)) by lia. f_equal. apply Sum_ext.
      intros t _. f_equal.
      clear - L. destruct (Nat.leb_spec t (j - f)), (Nat.ltb_spec f (S j - t)), (Nat.ltb_spec f (S j + t)); try lia; ring.
    + rewrite change_far, opp_IZR, mult_IZR by auto. rewrite <- (bends_up_to loss n (f - S j)) by lia.
      match goal with |- - (?u * ?v) = _ => replace (- (u * v)) with (u * ((-1) * v)) by ring end. f_equal.
      rewrite <- Sum_scale. apply Sum_ext. intros t _.
      clear - L. destruct (Nat.leb_spec t (f - S j)), (Nat.ltb_spec f (S j - t)), (Nat.ltb_spec f (S j + t)); try lia; ring.
  - intros t _. unfold cut, weighed. rewrite <- !decaying_cut.
    rewrite (decaying_ext d (fun f => IZR (w f) * (IZR (bend loss t) * ((if (f <? S j - t)%nat then 1 else 0) - (1 - (if (f
      <? S j + t)%nat then 1 else 0)))))
      (fun f => IZR (bend loss t) * ((if (f <? S j - t)%nat then IZR (w f) else 0) + ((-1) * IZR (w f) + (if (f <? S j +
        t)%nat then IZR (w f) else 0))))).
    + rewrite decaying_scale, decaying_add, decaying_add, decaying_scale. ring.
    + intros f _. destruct (f <? S j - t)%nat, (f <? S j + t)%nat; ring.
Qed.
Lemma change_by_arms : squared q = true -> forall j x, (j < n)%nat -> (x <= n)%nat ->
  decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) j f)) x =
    IZR (loss 1%nat) * (IZR (2 * (Z.of_nat (S j) - Z.of_nat x) + 1) * weighed x + 2 * arms x).
Proof.
  intros Hq j x Hj Hx. induction x.
  - unfold weighed. simpl. ring.
  - cbn [decaying]. rewrite IHx by lia. assert (E : change (cost_of (ByDistance w loss)) j x = (w x * (loss 1%nat * (2 *
    (Z.of_nat j - Z.of_nat x) + 1)))%Z).
    { destruct (le_lt_dec x j).
      - rewrite change_near, (squared_rise n) by (auto; lia). do 2 f_equal. lia.
      - rewrite change_far, (squared_rise n) by (auto; lia). rewrite <- Z.mul_opp_r. f_equal. rewrite <- Z.mul_opp_r.
        f_equal. lia. }
    rewrite E, !mult_IZR. cbn [arms]. unfold weighed. cbn [decaying]. fold (weighed x).
    replace (2 * (Z.of_nat (S j) - Z.of_nat (S x)) + 1)%Z with (2 * (Z.of_nat j - Z.of_nat x) + 1)%Z by lia.
    replace (2 * (Z.of_nat (S j) - Z.of_nat x) + 1)%Z with (2 * (Z.of_nat j - Z.of_nat x) + 1 + 2)%Z by lia.
    rewrite (plus_IZR _ 2). ring.
Qed.

Theorem decayed_sum_sound : forall j x, (j < n)%nat -> (x <= n)%nat ->
  Rabs (IZR one * decaying d (fun f => IZR (change (cost_of (ByDistance w loss)) j f)) x - IZR (decayed_sum q one s j x))
    <= IZR (error n q heavy a whole).
Proof.
  intros j x Hj Hx. assert (Hs := slack_range). assert (Hr := r_nonneg). assert (Ho := one_pos).
    assert (HhR := IZR_le _ _ Hheavy).
  assert (Hh : r * r <= IZR heavy * r * r). { rewrite <- (Rmult_1_l (r * r)), Rmult_assoc. apply Rmult_le_compat_r; auto.
    apply Rmult_le_pos; auto. }
  assert (Hrr : 0 <= r * r) by (apply Rmult_le_pos; auto).
  assert (HE : IZR (error n q heavy a whole) = slack * ((IZR heavy * r * r + r + 2) *
    if squared q then IZR (loss 1%nat) * (8 * IZR (Z.of_nat n) + 12) else 3 * IZR (sizes (bends q) 0))).
  { unfold error, slack. destruct (a =? whole)%Z; [ring|]. rewrite mult_IZR, !plus_IZR, !mult_IZR. fold r.
    destruct (squared q); rewrite !mult_IZR, ?plus_IZR, ?mult_IZR; cbn [unit_loss q shape_of]; ring. }
  rewrite HE. unfold decayed_sum.
  destruct (bool_dec (squared q) true) as [Hq|Hq]; [|apply not_true_is_false in Hq]; rewrite Hq.
  - rewrite (change_by_arms Hq j x Hj Hx). set (cz := (2 * (Z.of_nat (S j) - Z.of_nat x) + 1)%Z).
    rewrite mult_IZR, plus_IZR, !mult_IZR.
    change (unit_loss q) with (loss 1%nat). set (c := IZR cz). assert (A := arm_range Hq x Hx). assert (M := mass_range x Hx).
    assert (C := ones_range x Hx). assert (B : slack * ones x <= slack * r) by (apply Rmult_le_compat_l; lra).
    set (e := IZR one * weighed x - IZR (mass_of s x)) in *. set (g := IZR one * arms x - IZR (arm_of s x)) in *.
    assert (Hl : 0 <= IZR (loss 1%nat)).
    { apply IZR_le. unfold q, shape_of, is_squared in Hq. cbn [squared] in Hq. facts. lia. }
    replace (IZR one * (IZR (loss 1%nat) * (c * weighed x + 2 * arms x)) - IZR (loss 1%nat) * (c * IZR (mass_of s x) +
      2 * IZR (arm_of s x)))
      with (IZR (loss 1%nat) * (c * e + 2 * g)) by (unfold e, g; ring).
    rewrite Rabs_mult, (Rabs_pos_eq (IZR (loss 1%nat))) by auto.
    assert (Hc : Rabs c <= 2 * IZR (Z.of_nat n) + 1). { unfold c, cz. rewrite <- abs_IZR, <- mult_IZR, <- plus_IZR.
      apply IZR_le. lia. }
    assert (Hn : 0 <= IZR (Z.of_nat n)) by (apply IZR_le; lia). set (N := IZR (Z.of_nat n)) in *.
    assert (F : Rabs (c * e) <= (2 * N + 1) * (slack * r)).
    { rewrite Rabs_mult, (Rabs_pos_eq e) by lra. apply Rmult_le_compat; try lra. apply Rabs_pos. }
    assert (G : Rabs (c * e + 2 * g) <= slack * ((2 * N + 1) * r + 2 * ((r + 1) * r))).
    { eapply Rle_trans; [apply Rabs_triang|]. rewrite (Rabs_mult 2 g), (Rabs_pos_eq 2), (Rabs_pos_eq g) by lra. lra. }
    eapply Rle_trans; [apply Rmult_le_compat_l; [auto|exact G]|].
    replace (slack * ((IZR heavy * r * r + r + 2) * (IZR (loss 1%nat) * (8 * N + 12))))
      with (IZR (loss 1%nat) * (slack * ((IZR heavy * r * r + r + 2) * (8 * N + 12)))) by ring.
    apply Rmult_le_compat_l; auto. apply Rmult_le_compat_l; [lra|].
    assert (0 <= N * r) by (apply Rmult_le_pos; auto). assert (0 <= (IZR heavy * r * r) * N) by (apply Rmult_le_pos; lra). lra.
  - rewrite (change_by_bends Hq j x Hj Hx). assert (B := bent_range Hq j x Hx (bends q) 0%Z 0%Z).
    assert (Hb : Forall (fun e => snd e <> 0%Z) (bends q)).
    { unfold q, shape_of in *. cbn [squared bends] in *. rewrite Hq. apply bends_not_zero. constructor. }
    destruct (bends q) as [|[t b] bs] eqn:Hbs.
    + cbn [over_bends bent sizes]. rewrite Z.mul_0_l, Z.div_0_l by (apply lt_IZR in Ho; lia). rewrite !Rmult_0_r. 
      replace (0 - IZR (0 + 0)) with 0 by (simpl; ring). rewrite Rabs_R0. lra.
    + rewrite Rmult_0_l, Rplus_0_r in B. unfold Rdiv in B. rewrite Rmult_0_l, Rplus_0_r in B.
      eapply Rle_trans; [exact B|]. apply Rmult_le_compat_l; [lra|].
      assert (Hz : 1 <= IZR (sizes ((t, b) :: bs) 0)).
      { apply IZR_le. inversion Hb; subst. cbn [sizes snd] in *. rewrite sizes_add. assert (Hp := sizes_nonneg bs). lia. }
      set (z := IZR (sizes _ 0)) in *. unfold per_bend.
      assert (z * (3 * r + 2 * (IZR heavy * r * r)) <= z * (3 * r + 3 * (IZR heavy * r * r))) by (apply Rmult_le_compat_l;
        lra). lra.
Qed.
End Sound.
