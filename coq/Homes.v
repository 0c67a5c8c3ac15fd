(* The response at which a truth is at home, and the truths up to which a row rises and from which it falls. Truths t and
   the ends of responses, low and high, are integers over a unit. *)
From Coq Require Import List ZArith Lia Bool Arith.
From Optmech Require Import Spec Sums.

(* ---- The meaning *)
Section Meaning.
Variables (m n : nat) (low high t : nat -> Z).

(* Responses do not overlap, and truths increase. *)
Definition in_order : Prop := forall r, (r < m)%nat -> (low r <= high r)%Z /\ ((S r < m)%nat -> (high r <= low (S r))%Z).
Definition increasing_truths : Prop := forall f, (S f < n)%nat -> (t f < t (S f))%Z.

(* A response holds the numbers from its lower end to before its upper one, or the point that it is; the last response
   holds its upper end, too. The home of a truth is the last response that holds it. *)
Definition holds (r : nat) (v : Z) : Prop := (low r <= v < high r)%Z \/ (low r = v /\ v = high r) \/ (S r = m /\ v = high r)%Z.
Definition at_home (r f : nat) : Prop := (r < m)%nat /\ holds r (t f) /\ forall s, (r < s < m)%nat -> ~ holds s (t f).
Definition homeless (f : nat) : Prop := forall r, (r < m)%nat -> ~ holds r (t f).

(* Row r rises up to the last truth that is below its upper end, or is there and not at home in a later response; up to
   truth 0 if there is none. It falls from the first truth at its lower end or above; from the last truth if there is none. *)
Definition below_end (r f : nat) : Prop := (t f < high r)%Z \/ (t f = high r /\ forall s, (r < s)%nat -> ~ at_home s f).
Definition rises_to (r k : nat) : Prop :=
  ((k < n)%nat /\ below_end r k /\ forall f, (k < f < n)%nat -> ~ below_end r f) \/
  (k = 0%nat /\ forall f, (f < n)%nat -> ~ below_end r f).
Definition falls_from (r k : nat) : Prop :=
  ((k < n)%nat /\ (low r <= t k)%Z /\ forall f, (f < k)%nat -> (t f < low r)%Z) \/
  (k = pred n /\ forall f, (f < n)%nat -> (t f < low r)%Z).
End Meaning.

(* ---- Search: how many numbers, from the first one on, have a property that no number has after one that lacks it. *)
Fixpoint search (p : nat -> bool) (steps low high : nat) : nat :=
  match steps with
  | O => low
  | S k =>
      if low <? high
      then let mid := Nat.div2 (low + high) in if p mid then search p k (S mid) high else search p k low mid
      else low
  end.
Definition prefix (n : nat) (p : nat -> bool) : nat := search p n 0 n.
Lemma prefix_spec : forall n p, (forall i j, (i < j < n)%nat -> p j = true -> p i = true) ->
  (prefix n p <= n)%nat /\ (forall i, (i < prefix n p)%nat -> p i = true) /\ (forall i, (prefix n p <= i < n)%nat -> p i = false).
Proof.
  intros n p Hp. unfold prefix. assert (H : forall k a b, (a <= b <= n)%nat -> (b - a <= k)%nat ->
    (forall i, (i < a)%nat -> p i = true) -> (forall i, (b <= i < n)%nat -> p i = false) ->
    (search p k a b <= n)%nat /\ (forall i, (i < search p k a b)%nat -> p i = true) /\
      (forall i, (search p k a b <= i < n)%nat -> p i = false)).
  { induction k as [|k IH]; intros a b Hab Hk Ha Hb; simpl. { repeat split; auto; [lia|intros; apply Hb; lia]. }
    destruct (Nat.ltb_spec a b); [|repeat split; auto; try lia; intros; apply Hb; lia].
    assert (Hm : (a <= Nat.div2 (a + b) < b)%nat). { rewrite Nat.div2_div. split.
      apply Nat.div_le_lower_bound; lia. apply Nat.div_lt_upper_bound; lia. }
    destruct (p (Nat.div2 (a + b))) eqn:E; apply IH; auto; try lia; intros i Hi.
    - destruct (Nat.eq_dec i (Nat.div2 (a + b))) as [->|]; auto. apply Hp with (Nat.div2 (a + b)); auto; lia.
    - destruct (p i) eqn:Ei; auto. destruct (Nat.eq_dec i (Nat.div2 (a + b))) as [->|]; [congruence|].
      rewrite (Hp (Nat.div2 (a + b)) i) in E; auto; try lia. }
  apply H; auto; try lia.
Qed.

(* ---- In integers *)
Section Homes.
Variables (m n : nat) (low high t : nat -> Z).
Definition holds_it (r : nat) (v : Z) : bool :=
  (low r <=? v)%Z && ((v <? high r)%Z || (v =? high r)%Z && ((low r =? v)%Z || (S r =? m))).
(* The number of responses stands for none. *)
Definition home_at (f : nat) : nat :=
  let r := pred (prefix m (fun r => low r <=? t f)%Z) in if (r <? m) && holds_it r (t f) then r else m.
Definition rise_of (home : nat -> nat) (r : nat) : nat :=
  pred (prefix n (fun f => (t f <? high r)%Z || (t f =? high r)%Z && negb ((r <? home f) && (home f <? m)))).
Definition fall_of (r : nat) : nat := Nat.min (prefix n (fun f => t f <? low r)%Z) (pred n).

Hypothesis ordered : in_order m low high.
Hypothesis increasing : increasing_truths n t.
Lemma ends_grow : forall j i, (i < j < m)%nat -> (high i <= low j)%Z.
Proof.
  induction j as [|j IH]; intros i H; [lia|]. destruct (ordered j ltac:(lia)) as [A B]. specialize (B ltac:(lia)).
  destruct (Nat.eq_dec i j) as [->|]; auto. specialize (IH i ltac:(lia)). lia.
Qed.
Lemma truths_grow : forall j i, (i < j < n)%nat -> (t i < t j)%Z.
Proof.
  induction j as [|j IH]; intros i H; [lia|]. specialize (increasing j ltac:(lia)).
  destruct (Nat.eq_dec i j) as [->|]; auto. specialize (IH i ltac:(lia)). lia.
Qed.
Lemma holds_it_spec : forall r v, (r < m)%nat -> holds_it r v = true <-> holds m low high r v.
Proof.
  intros r v Hr. destruct (ordered r Hr) as [A _]. unfold holds_it, holds.
  rewrite andb_true_iff, orb_true_iff, andb_true_iff, orb_true_iff, Z.leb_le, Z.ltb_lt, !Z.eqb_eq, Nat.eqb_eq. lia.
Qed.
Theorem home_spec : forall f, (home_at f < m /\ at_home m low high t (home_at f) f)%nat \/
  (home_at f = m /\ homeless m low high t f).
Proof.
  intros f. unfold home_at. destruct (prefix_spec m (fun r => low r <=? t f)%Z) as (Hk & Below & Above).
  { intros i j H E. facts. apply Z.leb_le. assert (G := ends_grow j i H). destruct (ordered i ltac:(lia)). lia. }
  set (k := prefix _ _) in *. assert (Late : forall s, (k <= s < m)%nat -> ~ holds m low high s (t f)).
  { intros s Hs C. apply Above in Hs as E. apply Z.leb_gt in E. destruct (ordered s ltac:(lia)). unfold holds in C. lia. }
  destruct (Nat.eq_dec m 0) as [Z0|]. { right. rewrite andb_false_intro1 by (apply Nat.ltb_ge; lia). split; auto.
    intros r Hr. lia. }
  rewrite (proj2 (Nat.ltb_lt _ _)) by lia. simpl. destruct (holds_it (pred k) (t f)) eqn:E.
  - left. apply holds_it_spec in E; [|lia]. repeat split; auto; try lia. intros s Hs. apply Late. lia.
  - right. split; auto. intros r Hr C. destruct (le_lt_dec k r). { apply (Late r); auto; lia. }
    destruct (Nat.eq_dec r (pred k)) as [->|]. { apply holds_it_spec in C; auto. congruence. }
    specialize (Below (pred k) ltac:(lia)). facts. assert (G := ends_grow (pred k) r ltac:(lia)).
    assert (X : holds_it (pred k) (t f) = true); [|congruence]. apply holds_it_spec; [lia|].
    destruct (ordered (pred k) ltac:(lia)). unfold holds in *. lia.
Qed.
Lemma home_alone : forall f s, at_home m low high t s f -> home_at f = s.
Proof.
  intros f s (Hs & H & L). destruct (home_spec f) as [(Hm & (_ & H' & L'))|[_ H']]; [|destruct (H' s Hs H)].
  destruct (Nat.lt_trichotomy (home_at f) s) as [C|[C|C]]; auto; exfalso; [apply (L' s)|apply (L (home_at f))]; auto; lia.
Qed.

Theorem rise_spec : forall r, rises_to m n low high t r (rise_of home_at r).
Proof.
  intros r. unfold rise_of. set (p := fun f => _). assert (P : forall f, p f = true <-> below_end m low high t r f).
  { intros f. unfold p, below_end. rewrite orb_true_iff, andb_true_iff, Z.ltb_lt, Z.eqb_eq, negb_true_iff, andb_false_iff,
    !Nat.ltb_ge.
    split; (intros [H|[H L]]; [left; auto|right; split; auto]).
    - intros s Hs C. assert (home_at f = s) by (apply home_alone; auto). destruct C. lia.
    - destruct (home_spec f) as [[A B]|[-> _]]; auto. destruct (le_lt_dec (home_at f) r); auto. destruct (L _ ltac:(eauto) B). }
  destruct (prefix_spec n p) as (Hk & Below & Above).
  { intros i j H E. apply P in E. apply P. left. assert (G := truths_grow j i H). unfold below_end in E. lia. }
  set (k := prefix n p) in *. destruct (Nat.eq_dec k 0) as [E|]; [right|left]; split; try lia.
  - intros f Hf C. apply P in C. rewrite Above in C by lia. discriminate.
  - split. { apply P, Below. lia. } intros f Hf C. apply P in C. rewrite Above in C by lia. discriminate.
Qed.
Theorem fall_spec : forall r, falls_from n low t r (fall_of r).
Proof.
  intros r. unfold fall_of. destruct (prefix_spec n (fun f => t f <? low r)%Z) as (Hk & Below & Above).
  { intros i j H E. facts. apply Z.ltb_lt. assert (G := truths_grow j i H). lia. }
  set (k := prefix _ _) in *. destruct (Nat.eq_dec k n) as [E|]; [right|left].
  - split. { lia. } intros f Hf. specialize (Below f ltac:(lia)). facts. auto.
  - rewrite Nat.min_l by lia. split; [lia|]. split; [|intros f Hf; specialize (Below f Hf); facts; auto].
    specialize (Above k ltac:(lia)). apply Z.ltb_ge in Above. auto.
Qed.
End Homes.
