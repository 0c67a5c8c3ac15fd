(* Vectors, and residues as vectors of one coordinate: differences, and neighbours at given distances. Moduli stand from
   the last coordinate on, the fastest one, and truths are numbered in lexicographic order. *)
From Coq Require Import List ZArith Lia Bool Arith.
From Optmech Require Import Sums.
Import ListNotations.

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
  assert (Hx := B f). assert (Hy := B g).
  assert (A : ((f mod k + (k - d)) mod k = g mod k /\ (0 + (k - d)) mod k = (g mod k + (k - f mod k)) mod k)%nat).
  { rewrite !residue_cases by lia. unfold d. rewrite residue_cases by auto.
    destruct (Nat.leb_spec (g mod k) (f mod k)), (Nat.leb_spec (f mod k) (g mod k));
      repeat match goal with |- context [(?a <=? ?b)%nat] => destruct (Nat.leb_spec a b) end; lia. }
  destruct A as [Aa Ab]. cbn [Nat.add] in Ab. rewrite Aa, Ab. split; auto. assert (Hg' := Nat.div_mod g k ltac:(lia)). lia.
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
