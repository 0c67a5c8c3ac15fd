(* Entries that are equal in every mechanism of a question, in words: structures, fair mechanisms, and symmetric ones. Each
   entry gets a name, and entries of one name are equal if and only if the mechanism is as the words say. *)
From Coq Require Import Reals List ZArith Lia Bool Arith.
From Optmech Require Import Spec Sums Vectors Table.
Import ListNotations.
Open Scope nat_scope.

(* Moduli of noise stand from the last coordinate on, as in Vectors.v. *)
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
    destruct (Nat.min_dec (k r f) (k (m - 1 - r) (n - 1 - f))) as [A|A],
      (Nat.min_dec (k r' f') (k (m - 1 - r') (n - 1 - f'))) as [B|B];
      rewrite A, B in E; apply H in E; try lia; rewrite <- ?T in E by auto; exact E.
Qed.

(* ---- Differences turned round *)
Lemma difference_opposite : forall moduli f g f' g', Forall (lt 0) moduli ->
  difference moduli f g = difference moduli f' g' -> difference moduli g f = difference moduli g' f'.
Proof.
  induction moduli as [|k rest IH]; intros f g f' g' H E; cbn [difference] in *; auto. apply Forall_cons_iff in H as [Hk H].
  assert (B : forall x, x mod k < k) by (intros; apply Nat.mod_upper_bound; lia).
  apply digits_alone in E as [E Er]; try apply B. rewrite (IH _ _ _ _ H Er). f_equal.
  assert (Hf := B f). assert (Hg := B g). assert (Hf' := B f'). assert (Hg' := B g'). rewrite !residue_cases in * by auto.
  destruct (Nat.leb_spec (f mod k) (g mod k)), (Nat.leb_spec (g mod k) (f mod k)),
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
    { rewrite <- E, !Nat.mul_sub_distr_l. nia. }
    repeat split; auto; symmetry; [apply Nat.div_unique with (k - 1 - x mod k)|apply Nat.mod_unique with (p' - 1 - x / k)];
      auto; lia. }
  destruct (D f Hf) as (Lf & -> & ->), (D g Hg) as (Lg & -> & ->). rewrite IH by auto. f_equal.
  assert (Hf' := Nat.mod_upper_bound f k ltac:(lia)). assert (Hg' := Nat.mod_upper_bound g k ltac:(lia)).
  f_equal. lia.
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
    { intros a b Ha Hb. rewrite !Hd by lia. clear - Ha Hb Hm. lia. }
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
