(* Sums over truths of what a threshold one response further costs, each truth counting less by a factor the further it
   is: within a small error by a few sums of weights alone, which follow one from the other. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Losses.
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
