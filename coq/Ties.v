(* Vectors, homes, and entries that are equal.

   Vectors, and residues as vectors of one coordinate: differences, and neighbours at given distances. Moduli stand from
   the last coordinate on, the fastest one, and truths are numbered in lexicographic order. *)
From Coq Require Import List ZArith Lia Bool Arith.
From Optmech Require Import Spec Sums.
Import ListNotations.
Open Scope nat_scope.

Fixpoint coordinates (moduli : list nat) (f : nat) : list nat :=
  match moduli with [] => [] | m :: rest => f mod m :: coordinates rest (f / m) end.
Fixpoint difference (moduli : list nat) (f g : nat) : nat :=
  match moduli with [] => O | m :: rest => (f mod m + (m - g mod m)) mod m + m * difference rest (f / m) (g / m) end.
Fixpoint subtracted (moduli f g : list nat) : list Z :=
  match moduli, f, g with
  | m :: rest, x :: xs, y :: ys => ((Z.of_nat x - Z.of_nat y) mod Z.of_nat m)%Z :: subtracted rest xs ys
  | _, _, _ => []
  end.
Lemma residue_less : forall m x y, (0 < m)%nat -> (y < m)%nat ->
  Z.of_nat ((x + (m - y)) mod m) = ((Z.of_nat x - Z.of_nat y) mod Z.of_nat m)%Z.
Proof.
  intros. rewrite Nat2Z.inj_mod, Nat2Z.inj_add, Nat2Z.inj_sub by lia.
  replace (Z.of_nat x + (Z.of_nat m - Z.of_nat y))%Z with (Z.of_nat x - Z.of_nat y + 1 * Z.of_nat m)%Z by lia.
  apply Z_mod_plus_full.
Qed.
(* Each coordinate of the difference is that of the two vectors, modulo its own modulus. *)
Theorem difference_spec : forall moduli f g, Forall (lt 0) moduli ->
  map Z.of_nat (coordinates moduli (difference moduli f g)) = subtracted moduli (coordinates moduli f) (coordinates moduli g).
Proof.
  induction moduli as [|m rest IH]; intros f g H; simpl; auto. apply Forall_cons_iff in H as [Hm H].
  assert (Hy := Nat.mod_upper_bound g m ltac:(lia)). assert (Hd := Nat.mod_upper_bound (f mod m + (m - g mod m)) m ltac:(lia)).
  rewrite (Nat.mul_comm m), Nat.mod_add, Nat.div_add, Nat.mod_small, Nat.div_small by lia. simpl. rewrite IH by auto. f_equal.
  apply residue_less; auto.
Qed.
Theorem residue_spec : forall n f g, (f < n)%nat -> (g < n)%nat ->
  Z.of_nat (difference [n] f g) = ((Z.of_nat f - Z.of_nat g) mod Z.of_nat n)%Z.
Proof. intros. cbn [difference]. rewrite Nat.mul_0_r, Nat.add_0_r, (Nat.mod_small f n), (Nat.mod_small g n) by lia.
  apply residue_less; lia. Qed.

(* The numbers of vectors that are listed, coordinate by coordinate. *)
Fixpoint same_vector (a b : list nat) : bool :=
  match a, b with [], [] => true | x :: xs, y :: ys => (x =? y) && same_vector xs ys | _, _ => false end.
Definition is_listed (moduli : list nat) (vectors : list (list nat)) (d : nat) : bool :=
  existsb (fun v => same_vector v (coordinates moduli d)) vectors.
Theorem is_listed_spec : forall moduli vectors d, is_listed moduli vectors d = true <-> In (coordinates moduli d) vectors.
Proof.
  intros. unfold is_listed. assert (S : forall a b, same_vector a b = true <-> a = b).
  { induction a as [|x xs IH]; destruct b as [|y ys]; simpl; split; intros H; try discriminate; auto.
    - facts. f_equal; auto. apply IH; auto.
    - injection H as -> ->. rewrite Nat.eqb_refl. apply IH. reflexivity. }
  rewrite existsb_exists. setoid_rewrite S. split; [intros (v & H & ->); auto|eauto].
Qed.

Lemma residue_cases : forall k x y, (x < k)%nat -> (y < k)%nat ->
  ((x + (k - y)) mod k = if y <=? x then x - y else x + k - y)%nat.
Proof.
  intros. destruct (Nat.leb_spec y x).
  - replace (x + (k - y))%nat with (x - y + 1 * k)%nat by lia. rewrite Nat.mod_add, Nat.mod_small; lia.
  - rewrite Nat.mod_small; lia.
Qed.
Lemma residue_back : forall k x y, (x < k)%nat -> (y < k)%nat -> let d := ((x + (k - y)) mod k)%nat in
  ((x + (k - d)) mod k = y /\ (0 + (k - d)) mod k = (y + (k - x)) mod k)%nat.
Proof.
  intros k x y Hx Hy d. assert (Hd : (d < k)%nat) by (apply Nat.mod_upper_bound; lia).
  rewrite (residue_cases k x d), (residue_cases k 0 d), (residue_cases k y x) by lia. unfold d in *. clear d.
  rewrite residue_cases in * by auto. destruct (Nat.leb_spec y x).
  - rewrite (proj2 (Nat.leb_le (x - y) x)) by lia. destruct (Nat.leb_spec (x - y) 0), (Nat.leb_spec x y); lia.
  - rewrite (proj2 (Nat.leb_gt (x + k - y) x)), (proj2 (Nat.leb_gt (x + k - y) 0)), (proj2 (Nat.leb_le x y)) by lia. lia.
Qed.
Lemma digits_alone : forall k d q d' q', (d < k -> d' < k -> d + k * q = d' + k * q' -> d = d' /\ q = q')%nat.
Proof. intros k d q d' q' Hd Hd' E. destruct (Nat.div_mod_unique k q q' d d'); auto; lia. Qed.
Lemma difference_less : forall moduli f g, Forall (lt 0) moduli -> (difference moduli f g < fold_right Nat.mul 1 moduli)%nat.
Proof.
  induction moduli as [|k rest IH]; intros f g H; cbn [difference fold_right]; [lia|]. apply Forall_cons_iff in H as [Hk H].
  specialize (IH (f / k)%nat (g / k)%nat H). assert (B := Nat.mod_upper_bound (f mod k + (k - g mod k)) k ltac:(lia)). nia.
Qed.
(* The vector itself is what is subtracted to get the difference; the difference the other way is what is subtracted from 0. *)
Lemma difference_back : forall moduli p f g, Forall (lt 0) moduli -> fold_right Nat.mul 1%nat moduli = p ->
  (f < p)%nat -> (g < p)%nat ->
  difference moduli f (difference moduli f g) = g /\ difference moduli 0 (difference moduli f g) = difference moduli g f.
Proof.
  induction moduli as [|k rest IH]; intros p f g H E Hf Hg; cbn [difference fold_right] in *; [lia|].
  apply Forall_cons_iff in H as [Hk H].
  assert (B : forall x, (x mod k < k)%nat) by (intros; apply Nat.mod_upper_bound; lia).
  assert (D : forall x, (x < p)%nat -> (x / k < fold_right Nat.mul 1 rest)%nat) by (intros; apply Nat.div_lt_upper_bound; lia).
  set (d := ((f mod k + (k - g mod k)) mod k)%nat). set (q := difference rest (f / k) (g / k)).
  assert (Hd : (d < k)%nat) by apply B. rewrite (Nat.mul_comm k q), Nat.mod_add, Nat.div_add, (Nat.mod_small d),
    (Nat.div_small d) by lia.
  destruct (IH _ (f / k)%nat (g / k)%nat H eq_refl ltac:(auto) ltac:(auto)) as [IHa IHb].
  rewrite Nat.div_0_l, Nat.mod_0_l by lia. cbn [Nat.add]. fold q in IHa, IHb. rewrite IHa, IHb.
  destruct (residue_back k (f mod k) (g mod k) (B f) (B g)) as [Aa Ab]. cbn [Nat.add] in Ab. fold d in Aa, Ab.
  rewrite Aa, Ab. split; auto. assert (Hg' := Nat.div_mod g k ltac:(lia)). clear - Hg'. lia.
Qed.

(* Neighbours: g is f less one of the distances or, if mirrored, f is g less one of them. *)
Definition moved (moduli : list nat) (distances : nat -> bool) (mirrored : bool) (f g : nat) : Prop :=
  distances (difference moduli f g) = true \/ mirrored = true /\ distances (difference moduli g f) = true.
Definition either (moduli : list nat) (distances : nat -> bool) (mirrored : bool) (d : nat) : bool :=
  distances d || mirrored && distances (difference moduli 0 d).

(* Pairs in order, each at one of the distances, and as many as there can be *)
Fixpoint rising_pairs (n from : nat) (l : list (nat * nat * nat)) : bool :=
  match l with
  | [] => true
  | (f, g, _) :: rest => (f <? n) && (g <? n) && (from <=? f * n + g) && rising_pairs n (S (f * n + g)) rest
  end.
Fixpoint count_of (n : nat) (p : nat -> bool) (so_far : nat) : nat :=
  match n with O => so_far | S k => count_of k p (if p k then S so_far else so_far) end.
Definition are_vectors (n : nat) (moduli : list nat) (distance : nat -> bool) (l : list (nat * nat * nat)) : bool :=
  forallb (fun k => 0 <? k) moduli && (fold_right Nat.mul 1%nat moduli =? n) && rising_pairs n 0 l &&
  forallb (fun e : nat * nat * nat => let '(f, g, w) := e in (w =? 1) && distance (difference moduli f g)) l &&
  (fold_left (fun k _ => S k) l 0 =? n * count_of n distance 0).

Definition code (n : nat) (e : nat * nat * nat) : nat := let '(f, g, _) := e in (f * n + g)%nat.
Lemma code_alone : forall n f g f' g', (g < n)%nat -> (g' < n)%nat -> (f * n + g = f' * n + g')%nat -> f = f' /\ g = g'.
Proof. intros n f g f' g' Hg Hg' E. destruct (digits_alone n g f g' f'); auto; lia. Qed.
Lemma rising_pairs_spec : forall n l from, rising_pairs n from l = true ->
  NoDup (map (code n) l) /\ forall f g w, In (f, g, w) l -> (from <= f * n + g)%nat /\ (f < n)%nat /\ (g < n)%nat.
Proof.
  induction l as [|[[f g] w] l IH]; intros from H; cbn [rising_pairs map] in *. { split; [constructor|intros ? ? ? []]. }
  facts. destruct (IH _ ltac:(eassumption)) as [A B]. split.
  - constructor; auto. rewrite in_map_iff. intros ([[f' g'] w'] & E & Hin). apply B in Hin. unfold code in E. lia.
  - intros f' g' w' [E|Hin]; [injection E as <- <- <-; lia|]. apply B in Hin. lia.
Qed.
Lemma count_of_spec : forall n p k, count_of n p k = (length (filter p (seq 0 n)) + k)%nat.
Proof.
  induction n as [|n IH]; intros p k; [reflexivity|]. cbn [count_of]. rewrite IH, seq_S, filter_app, app_length. simpl.
  destruct (p n); simpl; lia.
Qed.
Lemma codes_length : forall n moduli ds fs,
  length (flat_map (fun f => map (fun d => (f * n + difference moduli f d)%nat) ds) fs) = (length fs * length ds)%nat.
Proof. intros. induction fs as [|f fs IH]; simpl; auto. rewrite app_length, map_length, IH. reflexivity. Qed.
Theorem are_vectors_spec : forall n moduli distances mirrored l,
  are_vectors n moduli (either moduli distances mirrored) l = true ->
  forall f g w, In (f, g, w) l <-> ((f < n)%nat /\ (g < n)%nat /\ w = 1%nat /\ moved moduli distances mirrored f g).
Proof.
  intros n moduli distances mirrored l H. unfold are_vectors in H. facts.
  match goal with H : forallb _ moduli = true |- _ => rename H into P end.
  match goal with H : fold_right _ _ _ = n |- _ => rename H into E end.
  match goal with H : forallb _ l = true |- _ => rename H into D end.
  match goal with H : fold_left _ l 0 = _ |- _ => rewrite fold_left_length in H; rename H into L end.
  match goal with H : rising_pairs _ _ _ = true |- _ => apply rising_pairs_spec in H as [N B] end.
  assert (Hp : Forall (lt 0) moduli). { apply Forall_forall. intros k Hk. rewrite forallb_forall in P. apply Nat.ltb_lt, P, Hk. }
  set (p := either moduli distances mirrored) in *.
  assert (M : forall f g, (f < n)%nat -> (g < n)%nat -> p (difference moduli f g) = true <-> moved moduli distances mirrored f g).
  { intros f g Hf Hg. unfold p, either, moved. destruct (difference_back moduli n f g Hp E Hf Hg) as [_ ->].
    rewrite orb_true_iff, andb_true_iff. tauto. }
  set (all_codes := flat_map (fun f => map (fun d => (f * n + difference moduli f d)%nat) (filter p (seq 0 n))) (seq 0 n)).
  assert (InAll : forall f g, (f < n)%nat -> (g < n)%nat -> p (difference moduli f g) = true -> In (f * n + g)%nat all_codes).
  { intros f g Hf Hg Hd. apply in_flat_map. exists f. split; [apply in_seq; lia|]. apply in_map_iff.
    exists (difference moduli f g).
    destruct (difference_back moduli n f g Hp E Hf Hg) as [-> _]. split; auto. apply filter_In. split; auto. apply in_seq.
    assert (K := difference_less moduli f g Hp). lia. }
  rewrite forallb_forall in D.
  assert (Incl : incl (map (code n) l) all_codes).
  { intros c Hc. apply in_map_iff in Hc as ([[f g] w] & <- & Hin). destruct (B f g w Hin) as (_ & Hf & Hg).
    specialize (D _ Hin). cbn beta iota in D. facts. apply InAll; auto. }
  assert (Back : incl all_codes (map (code n) l)).
  { apply NoDup_length_incl; auto. unfold all_codes. rewrite codes_length, map_length, L, count_of_spec, seq_length. lia. }
  intros f g w. split.
  - intros Hin. destruct (B f g w Hin) as (_ & Hf & Hg). specialize (D _ Hin). cbn beta iota in D. facts. repeat split; auto.
    apply M; auto.
  - intros (Hf & Hg & -> & Hm). apply M in Hm; auto. specialize (Back _ (InAll f g Hf Hg Hm)).
    apply in_map_iff in Back as ([[f' g'] w'] & C & Hin).
    destruct (B f' g' w' Hin) as (_ & Hf' & Hg'). apply code_alone in C as [-> ->]; auto.
    specialize (D _ Hin). cbn beta iota in D. facts. subst. auto.
Qed.

(* ---- Everybody is everybody's neighbour, as categories are: all pairs of two truths. Weights may differ. *)
Definition are_all_pairs (n : nat) (l : list (nat * nat * nat)) : bool :=
  rising_pairs n 0 l && forallb (fun e : nat * nat * nat => let '(f, g, _) := e in negb (f =? g)) l &&
  (fold_left (fun k _ => S k) l 0 =? n * (n - 1)).
Theorem are_all_pairs_spec : forall n l, are_all_pairs n l = true ->
  forall f g, (exists w, In (f, g, w) l) <-> ((f < n)%nat /\ (g < n)%nat /\ f <> g).
Proof.
  intros n l H. unfold are_all_pairs in H. facts.
  match goal with H : forallb _ l = true |- _ => rename H into D; rewrite forallb_forall in D end.
  match goal with H : fold_left _ l 0 = _ |- _ => rewrite fold_left_length in H; rename H into L end.
  match goal with H : rising_pairs _ _ _ = true |- _ => apply rising_pairs_spec in H as [N B] end.
  (* The others of a truth f: the n - 1 that come before f or behind it *)
  set (all_codes := flat_map (fun f => map (fun k => (f * n + if k <? f then k else S k)%nat) (seq 0 (n - 1))) (seq 0 n)).
  assert (Length : length all_codes = (n * (n - 1))%nat).
  { rewrite <- (seq_length n 0) at 1. unfold all_codes. induction (seq 0 n) as [|f fs IH]; simpl; auto.
    rewrite app_length, map_length, seq_length, IH. reflexivity. }
  assert (InAll : forall f g, (f < n)%nat -> (g < n)%nat -> f <> g -> In (f * n + g)%nat all_codes).
  { intros f g Hf Hg Hne. apply in_flat_map. exists f. split; [apply in_seq; lia|]. apply in_map_iff.
    exists (if g <? f then g else g - 1)%nat. rewrite in_seq.
    destruct (g <? f) eqn:E; [rewrite E; apply Nat.ltb_lt in E; lia|apply Nat.ltb_ge in E].
    destruct (g - 1 <? f) eqn:E'; [apply Nat.ltb_lt in E'; lia|lia]. }
  assert (Others : forall f g w, In (f, g, w) l -> (f < n)%nat /\ (g < n)%nat /\ f <> g).
  { intros f g w Hin. destruct (B f g w Hin) as (_ & Hf & Hg). specialize (D _ Hin). cbn beta iota in D.
    apply negb_true_iff, Nat.eqb_neq in D. auto. }
  assert (Back : incl all_codes (map (code n) l)).
  { apply NoDup_length_incl; auto; [rewrite map_length; lia|]. intros c Hc.
    apply in_map_iff in Hc as ([[f g] w] & <- & Hin). apply Others in Hin as (Hf & Hg & Hne). apply InAll; auto. }
  intros f g. split.
  - intros [w Hin]. eapply Others, Hin.
  - intros (Hf & Hg & Hne). specialize (Back _ (InAll f g Hf Hg Hne)). apply in_map_iff in Back as ([[f' g'] w] & C & Hin).
    apply Others in Hin as K. apply code_alone in C as [-> ->]; try tauto. exists w. exact Hin.
Qed.

(* ==== The response at which a truth is at home, and the truths up to which a row rises and from which it falls. Truths t and
   the ends of responses, low and high, are integers over a unit. *)
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

(* ==== Entries that are equal in every mechanism of a question, in words: structures, fair mechanisms, and symmetric ones. Each
   entry gets a name, and entries of one name are equal if and only if the mechanism is as the words say. *)
(* Moduli of noise stand from the last coordinate on, as above. *)
Inductive structure_word := Free | Modular (moduli : list nat) | SymmetricNoise | ZeroBiasNoise.

Section Ties.
Variables (m n : nat) (home : nat -> nat).

(* ---- The meaning *)
Definition as_structured (s : structure_word) (M : mechanism) : Prop :=
  match s with
  | Free => True
  | Modular moduli => forall r f r' f', (r < m)%nat -> (f < n)%nat -> (r' < m)%nat -> (f' < n)%nat ->
      difference moduli r f = difference moduli r' f' -> M r f = M r' f'
  | SymmetricNoise => forall r f r' f', (r < m)%nat -> (f < n)%nat -> (r' < m)%nat -> (f' < n)%nat ->
      Z.abs (Z.of_nat r - Z.of_nat (home f)) = Z.abs (Z.of_nat r' - Z.of_nat (home f')) -> M r f = M r' f'
  | ZeroBiasNoise => forall f g, (f < n)%nat -> (g < n)%nat -> M (home f) f = M (home g) g
  end.
Definition fair (M : mechanism) : Prop := forall f g, (f < n)%nat -> (g < n)%nat -> M (home f) f = M (home g) g.
Definition half_turn_symmetric (M : mechanism) : Prop :=
  forall r f, (r < m)%nat -> (f < n)%nat -> M r f = M (m - 1 - r)%nat (n - 1 - f)%nat.

(* Truths and responses fit the structure: the home of f is f in modular noise, and D further in symmetric noise within D. *)
Definition homes : Prop := forall f, f < n -> home f < m.
Definition fits (s : structure_word) (is_fair : bool) : Prop :=
  match s with
  | Free => is_fair = true -> homes
  | ZeroBiasNoise => homes
  | Modular moduli => m = n /\ Forall (lt 0) moduli /\ fold_right Nat.mul 1%nat moduli = n /\ forall f, (f < n)%nat -> home f = f
  | SymmetricNoise => exists d, m = (n + 2 * d)%nat /\ forall f, (f < n)%nat -> home f = (f + d)%nat
  end.
Definition are_homes : bool := all n (fun f => home f <? m).
Definition is_fitting (s : structure_word) (is_fair : bool) : bool :=
  match s with
  | Free => negb is_fair || are_homes
  | ZeroBiasNoise => are_homes
  | Modular moduli => (m =? n) && forallb (fun k => 0 <? k) moduli && (fold_right Nat.mul 1%nat moduli =? n) &&
    all n (fun f => home f =? f)
  | SymmetricNoise => let d := (m - n) / 2 in (m =? n + 2 * d) && all n (fun f => home f =? f + d)
  end.
Lemma are_homes_spec : are_homes = true -> homes.
Proof. intros H f Hf. apply Nat.ltb_lt, (all_spec n _ H f Hf). Qed.
Lemma is_fitting_spec : forall s is_fair, is_fitting s is_fair = true -> fits s is_fair.
Proof.
  intros s is_fair H. destruct s as [|moduli| |]; cbn [is_fitting fits] in *.
  - intros ->. apply are_homes_spec, H.
  - facts. repeat split; auto.
    + apply Forall_forall. intros k Hk. match goal with P : forallb _ moduli = true |- _ => rewrite forallb_forall in P;
        apply Nat.ltb_lt, P, Hk end.
    + intros f Hf. match goal with A : all n _ = true |- _ => apply Nat.eqb_eq, (all_spec n _ A f Hf) end.
  - exists ((m - n) / 2). facts. split; auto.
    intros f Hf. match goal with A : all n _ = true |- _ => apply Nat.eqb_eq, (all_spec n _ A f Hf) end.
  - apply are_homes_spec, H.
Qed.

(* ---- Names *)
Definition place (r f : nat) : nat := r * stride n + f.
Definition place_or_home (r f : nat) : nat := if r =? home f then O else S (place r f).
Definition key (s : structure_word) (is_fair : bool) (r f : nat) : nat :=
  match s with
  | Free => if is_fair then place_or_home r f else place r f
  | Modular moduli => difference moduli r f
  | SymmetricNoise => (r - home f) + (home f - r)
  | ZeroBiasNoise => place_or_home r f
  end.
Definition turned (k : nat -> nat -> nat) (r f : nat) : nat := Nat.min (k r f) (k (m - 1 - r) (n - 1 - f)).
Definition name_in_words (s : structure_word) (is_fair is_symmetric : bool) (r f : nat) : positive :=
  Pos.of_succ_nat (if is_symmetric then turned (key s is_fair) r f else key s is_fair r f).

(* ---- Entries with one key *)
Definition tied_by (k : nat -> nat -> nat) (M : mechanism) : Prop := forall r f r' f', (r < m)%nat -> (f < n)%nat ->
  (r' < m)%nat -> (f' < n)%nat ->
  k r f = k r' f' -> M r f = M r' f'.
Lemma place_alone : forall r f r' f', (f < n)%nat -> (f' < n)%nat -> place r f = place r' f' -> r = r' /\ f = f'.
Proof.
  unfold place. intros r f r' f' Hf Hf' H. assert (E := stride_enough n). assert (r = r'); [|subst; lia].
  apply (f_equal (fun x => x / stride n)) in H. rewrite !Nat.div_add_l, !Nat.div_small in H by lia. lia.
Qed.
Lemma home_tied : forall M, homes -> tied_by place_or_home M <-> fair M.
Proof.
  intros M Hh. split.
  - intros H f g Hf Hg. apply H; auto. unfold place_or_home. rewrite !Nat.eqb_refl. reflexivity.
  - intros H r f r' f' Hr Hf Hr' Hf'. unfold place_or_home.
    destruct (Nat.eqb_spec r (home f)), (Nat.eqb_spec r' (home f')); intros E; try discriminate; subst; auto.
    injection E as E. apply place_alone in E as [-> ->]; auto.
Qed.
Lemma turned_tied : forall k M, (forall r f r' f', (r < m)%nat -> (f < n)%nat -> (r' < m)%nat -> (f' < n)%nat ->
    k r f = k r' f' -> turned k r f = turned k r' f') ->
  tied_by (turned k) M <-> tied_by k M /\ half_turn_symmetric M.
Proof.
  intros k M Hk. split.
  - intros H. split. { intros r f r' f' Hr Hf Hr' Hf' E. apply H; auto. } intros r f Hr Hf. apply H; auto; try lia. unfold turned.
    replace (m - 1 - (m - 1 - r)) with r by lia. replace (n - 1 - (n - 1 - f)) with f by lia. apply Nat.min_comm.
  - intros [H T] r f r' f' Hr Hf Hr' Hf' E. unfold turned in E.
    assert (I : forall i j, (i < j -> j - 1 - i < j)%nat) by (clear; lia).
    destruct (Nat.min_dec (k r f) (k (m - 1 - r) (n - 1 - f))) as [A|A],
      (Nat.min_dec (k r' f') (k (m - 1 - r') (n - 1 - f'))) as [B|B];
      rewrite A, B in E; apply H in E; auto; rewrite <- ?T in E by auto; exact E.
Qed.

(* ---- Differences turned round *)
Lemma difference_opposite : forall moduli f g f' g', Forall (lt 0) moduli ->
  difference moduli f g = difference moduli f' g' -> difference moduli g f = difference moduli g' f'.
Proof.
  induction moduli as [|k rest IH]; intros f g f' g' H E; cbn [difference] in *; auto. apply Forall_cons_iff in H as [Hk H].
  assert (B : forall x, x mod k < k) by (intros; apply Nat.mod_upper_bound; lia).
  apply digits_alone in E as [E Er]; try apply B. rewrite (IH _ _ _ _ H Er). f_equal.
  assert (Hf := B f). assert (Hg := B g). assert (Hf' := B f'). assert (Hg' := B g'). rewrite !residue_cases in * by auto.
  clear - Hf Hg Hf' Hg' E. destruct (Nat.leb_spec (f mod k) (g mod k)), (Nat.leb_spec (g mod k) (f mod k)),
    (Nat.leb_spec (f' mod k) (g' mod k)), (Nat.leb_spec (g' mod k) (f' mod k)); lia.
Qed.
Lemma difference_turned : forall moduli p f g, Forall (lt 0) moduli -> fold_right Nat.mul 1 moduli = p -> f < p -> g < p ->
  difference moduli (p - 1 - f) (p - 1 - g) = difference moduli g f.
Proof.
  induction moduli as [|k rest IH]; intros p f g H E Hf Hg; cbn [difference fold_right] in *; auto.
  apply Forall_cons_iff in H as [Hk H].
  set (p' := fold_right Nat.mul 1 rest) in *.
  assert (D : forall x, x < p -> x / k < p' /\ (p - 1 - x) / k = p' - 1 - x / k /\ (p - 1 - x) mod k = k - 1 - x mod k).
  { intros x Hx. assert (Hd := Nat.div_mod x k ltac:(lia)). assert (Hm := Nat.mod_upper_bound x k ltac:(lia)).
    assert (x / k < p') by (apply Nat.div_lt_upper_bound; lia).
    assert (S : p - 1 - x = k * (p' - 1 - x / k) + (k - 1 - x mod k)).
    { assert (L := Nat.mul_le_mono_l (S (x / k)) p' k ltac:(assumption)). rewrite Nat.mul_succ_r in L.
      rewrite <- E, !Nat.mul_sub_distr_l, Nat.mul_1_r. clear - Hd Hm L. lia. }
    assert (k - 1 - x mod k < k) by (clear - Hk; lia).
    repeat split; auto; symmetry; [apply Nat.div_unique with (k - 1 - x mod k)|apply Nat.mod_unique with (p' - 1 - x / k)];
      auto. }
  destruct (D f Hf) as (Lf & -> & ->), (D g Hg) as (Lg & -> & ->). rewrite IH by auto. f_equal.
  assert (Hf' := Nat.mod_upper_bound f k ltac:(lia)). assert (Hg' := Nat.mod_upper_bound g k ltac:(lia)).
  f_equal. clear - Hf' Hg'. lia.
Qed.
Lemma difference_self : forall moduli f, Forall (lt 0) moduli -> difference moduli f f = 0.
Proof.
  induction moduli as [|k rest IH]; intros f H; cbn [difference]; auto. apply Forall_cons_iff in H as [Hk H].
  rewrite IH, residue_cases, Nat.leb_refl by (auto; apply Nat.mod_upper_bound; lia). lia.
Qed.

(* ---- Words if and only if names *)
Lemma key_tied : forall s is_fair M, fits s is_fair -> tied_by (key s is_fair) M <->
  as_structured s M /\ (is_fair = true -> fair M).
Proof.
  intros s is_fair M Hs. destruct s as [|moduli| |]; cbn [key as_structured].
  - destruct is_fair. { rewrite home_tied by auto. intuition. } split; [split; [exact I|discriminate]|].
    intros _ r f r' f' _ Hf _ Hf' E. apply place_alone in E as [-> ->]; auto.
  - destruct Hs as (Hm & Hp & E & Hid). split; [|intros [T _]; exact T]. intros T. split; auto. intros _ f g Hf Hg.
    rewrite !Hid by auto.
    apply T; rewrite ?Hm; auto. cbn [key]. rewrite !difference_self; auto.
  - split; [intros T; split|intros [T _]].
    + intros r f r' f' Hr Hf Hr' Hf' E. apply T; auto. cbn [key]. lia.
    + destruct Hs as (d & Hm & Hd). intros _ f g Hf Hg. apply T; rewrite ?Hd by auto; try lia. cbn [key]. rewrite !Hd by auto.
      lia.
    + intros r f r' f' Hr Hf Hr' Hf' E. apply T; auto. cbn [key] in E. lia.
  - rewrite home_tied by auto. unfold fair. intuition.
Qed.
Lemma key_turned : forall s is_fair, fits s is_fair -> forall r f r' f', r < m -> f < n -> r' < m -> f' < n ->
  key s is_fair r f = key s is_fair r' f' -> turned (key s is_fair) r f = turned (key s is_fair) r' f'.
Proof.
  intros s is_fair Hs r f r' f' Hr Hf Hr' Hf' E. unfold turned.
  assert (P : place_or_home r f = place_or_home r' f' -> Nat.min (place_or_home r f) (place_or_home (m - 1 - r) (n - 1 - f)) =
    Nat.min (place_or_home r' f') (place_or_home (m - 1 - r') (n - 1 - f'))).
  { intros H. assert (C : place_or_home r f = 0 \/ (r = r' /\ f = f')).
    { unfold place_or_home in *. destruct (r =? home f); auto. destruct (r' =? home f'); [discriminate|].
      right. apply place_alone; auto; congruence. }
    destruct C as [C|[-> ->]]; auto. rewrite <- H, C; reflexivity. }
  destruct s as [|moduli| |]; cbn [key] in *; auto.
  - destruct is_fair; auto. apply place_alone in E as [-> ->]; auto.
  - destruct Hs as (Hm & Hp & Hn & _). rewrite Hm in *. rewrite !(difference_turned moduli n) by auto.
    rewrite E, (difference_opposite _ _ _ _ _ Hp E). reflexivity.
  - destruct Hs as (d & Hm & Hd). assert (T : forall r f, r < m -> f < n ->
      (m - 1 - r - home (n - 1 - f)) + (home (n - 1 - f) - (m - 1 - r)) = (r - home f) + (home f - r)).
    { intros a b Ha Hb. assert (Hb' : n - 1 - b < n) by (clear - Hb; lia).
      rewrite (Hd b Hb), (Hd _ Hb'), Nat.add_comm. clear - Ha Hb Hm. f_equal; lia. }
    rewrite !T, E by auto. reflexivity.
Qed.
Theorem names_spec : forall s is_fair is_symmetric M, fits s is_fair ->
  (forall r f r' f', r < m -> f < n -> r' < m -> f' < n ->
     name_in_words s is_fair is_symmetric r f = name_in_words s is_fair is_symmetric r' f' -> M r f = M r' f') <->
  as_structured s M /\ (is_fair = true -> fair M) /\ (is_symmetric = true -> half_turn_symmetric M).
Proof.
  intros s is_fair is_symmetric M F. rewrite <- and_assoc, <- key_tied by auto. unfold name_in_words. destruct is_symmetric.
  - assert (T := turned_tied (key s is_fair) M (key_turned s is_fair F)). unfold tied_by in T at 1. split; intros H.
    + assert (H' : tied_by (key s is_fair) M /\ half_turn_symmetric M) by (apply T; intros; apply H; auto; f_equal; auto). tauto.
    + intros r f r' f' Hr Hf Hr' Hf' E. apply SuccNat2Pos.inj in E. apply T; auto. tauto.
  - unfold tied_by. split; intros H.
    + split; [intros; apply H; auto; f_equal; auto|discriminate].
    + intros r f r' f' Hr Hf Hr' Hf' E. apply SuccNat2Pos.inj in E. apply H; auto.
Qed.
End Ties.
