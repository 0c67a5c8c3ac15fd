(* A row of a private mechanism loses no less than prices of truths say, but for the number that it `lacks`. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings Tails TailsBound TailsBounded Prices.
Import ListNotations.
Open Scope R_scope.

(* ---- A number brought across, and two sides that meet *)
Section Across.
Variables (a whole : Z).
Hypothesis Ha : (0 < a <= whole)%Z.
Let d := IZR a / IZR whole.
Lemma d_of : 0 < d <= 1.
Proof. apply (d_between a whole); lia. Qed.
Lemma across_below : forall t, IZR (across a whole t) <= if (0 <=? t)%Z then d * IZR t else IZR t / d.
Proof.
  intros t. assert (H1 : (0 < whole)%Z) by lia. assert (H2 : (0 < a)%Z) by lia. unfold across. destruct (0 <=? t)%Z.
  - eapply Rle_trans; [apply floor_below; lia|]. rewrite mult_IZR. unfold d, Rdiv. lra.
  - eapply Rle_trans; [apply floor_below; lia|]. rewrite mult_IZR. apply IZR_lt in H1, H2. right. unfold d. field. lra.
Qed.
Lemma across_times : forall t x y, 0 <= x -> 0 <= y -> d * x <= y -> d * y <= x -> IZR (across a whole t) * x <= IZR t * y.
Proof.
  intros t x y Hx Hy H1 H2. assert (Hd := d_of). assert (A := across_below t). apply Rmult_le_compat_r with (r := x) in A; auto.
  destruct (Z.leb_spec 0 t) as [T|T].
  - apply IZR_le in T. assert (IZR t * (d * x) <= IZR t * y) by (apply Rmult_le_compat_l; auto). lra.
  - apply IZR_lt in T. assert (B : y <= x / d) by (apply le_div_r; lra).
    assert (C : - IZR t * y <= - IZR t * (x / d)) by (apply Rmult_le_compat_l; lra).
    unfold Rdiv in *. lra.
Qed.
Lemma across_negative : forall t, IZR t <= 0 -> IZR (across a whole t) <= IZR t.
Proof.
  intros t T. assert (Hd := d_of). assert (A := across_below t). destruct (Z.leb_spec 0 t) as [L|L].
  - apply IZR_le in L. replace (IZR t) with 0 in * by lra. lra.
  - assert (B : - IZR t <= - IZR t / d). { apply le_div_r; [lra|].
    assert (0 <= - IZR t * (1 - d)) by (apply Rmult_le_pos; lra). lra. }
    unfold Rdiv in *. lra.
Qed.
(* Sums X of truths before m and Y of truths from m on; x and y are the probabilities at m - 1 and m. *)
Lemma meet : forall n m p r X Y x y, (m <= n)%nat -> (1 <= n)%nat -> 0 <= x <= 1 -> 0 <= y <= 1 ->
  (if (m =? 0)%nat then X = 0 /\ IZR p <= 0 else IZR p * x <= X) -> (if (m =? n)%nat then Y = 0 /\
    IZR r <= 0 else IZR r * y <= Y) ->
  ((0 < m < n)%nat -> d * x <= y /\ d * y <= x) ->
  Rmin 0 (IZR (p + across a whole r)) <= X + Y /\ Rmin 0 (IZR (across a whole p + r)) <= X + Y.
Proof.
  intros n m p r X Y x y Hm Hn Hx Hy HX HY Hxy. rewrite !plus_IZR. assert (Np := across_negative p).
    assert (Nr := across_negative r).
  assert (Hb : forall u z, 0 <= z <= 1 -> Rmin 0 u <= u * z).
  { intros u z Hz. unfold Rmin. destruct (Rle_dec 0 u); [apply Rmult_le_pos; lra|].
    assert (0 <= - u * (1 - z)) by (apply Rmult_le_pos; lra). lra. }
  destruct (Nat.eqb_spec m 0) as [E|E]; [|destruct (Nat.eqb_spec m n) as [E'|E']].
  - destruct (Nat.eqb_spec m n); [lia|]. destruct HX as [-> Hp]. specialize (Np Hp). assert (B := Hb (IZR r) y Hy).
    unfold Rmin in *. destruct (Rle_dec 0 (IZR r)) as [R0|R0]; [|specialize (Nr ltac:(lra))]; split; destruct (Rle_dec 0 _); lra.
  - destruct HY as [-> Hr]. specialize (Nr Hr). assert (B := Hb (IZR p) x Hx).
    unfold Rmin in *. destruct (Rle_dec 0 (IZR p)) as [R0|R0]; [|specialize (Np ltac:(lra))]; split; destruct (Rle_dec 0 _); lra.
  - destruct (Hxy ltac:(lia)) as [H1 H2]. assert (A1 := across_times r x y). assert (A2 := across_times p y x).
    split; [eapply Rle_trans; [apply (Hb _ x Hx)|]|eapply Rle_trans; [apply (Hb _ y Hy)|]]; lra.
Qed.
End Across.

Lemma apart_mirrored : forall n r f, (r < n)%nat -> (f < n)%nat -> apart (n - 1 - r) f = apart r (n - 1 - f).
Proof. intros n r f Hr Hf. unfold apart. destruct (Nat.leb_spec (n - 1 - r) f), (Nat.leb_spec r (n - 1 - f)); lia. Qed.
Lemma gain_mirrored : forall n v loss one answers extras i f, (i < n)%nat -> (f < n)%nat -> (forall j, (j < n)%nat ->
  (answers j < n)%nat) ->
  gain (mirrored n v) loss one (opposite n answers) (mirrored n extras) (n - 1 - i) f = gain v loss one answers extras i (n
    - 1 - f).
Proof.
  intros n v loss one answers extras i f Hi Hf H. unfold gain, price, mirrored, opposite.
    rewrite !apart_mirrored by (try apply H; lia). reflexivity.
Qed.

(* ---- A row *)
Section Row.
Variables (n : nat) (v loss : nat -> Z) (one a whole : Z) (answers : nat -> nat) (extras : nat -> Z) (y : nat -> R) (i : nat).
Let d := IZR a / IZR whole.
Let g := gain v loss one answers extras i.
Hypothesis Ha : (0 < a <= whole)%Z.
Hypothesis Hone : 0 < IZR one.
Hypothesis Hy : forall f, (f < n)%nat -> 0 <= y f <= 1.
Hypothesis Hp : decent n d y.
(* A side of a row: the sum of the truths before j *)
Lemma prefix : forall n v answers extras y i j p, (j <= n)%nat -> (forall f, (f < n)%nat -> 0 <= y f) ->
  (forall f, (S f < n)%nat -> d * y (S f) <= y f) ->
  (forall m, (m < j)%nat -> 0 <= side v loss one a whole answers extras i m) ->
    IZR p <= IZR one * side v loss one a whole answers extras i j ->
  if (j =? 0)%nat then IZR one * Sum j (fun f => gain v loss one answers extras i f * y f) = 0 /\ IZR p <= 0
  else IZR p * y (j - 1)%nat <= IZR one * Sum j (fun f => gain v loss one answers extras i f * y f).
Proof.
  clear - Hone. intros n v answers extras y i j p Hj H0 H1 Hs Hp. destruct j as [|j].
  - simpl. unfold side in Hp. simpl in Hp. lra.
  - simpl Nat.eqb. cbv iota. replace (S j - 1)%nat with j by lia.
    assert (A := side_sum n v loss one a whole answers extras ltac:(lia) i y H1 j Hj ltac:(intros; apply Hs; lia)).
    apply Rle_trans with (IZR one * side v loss one a whole answers extras i (S j) * y j).
    + apply Rmult_le_compat_r; [apply H0; lia|exact Hp].
    + rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.
Hypothesis Hi : (i < n)%nat.
Hypothesis Hbelow : forall j, (j < n)%nat -> (answers j < n)%nat.
Let v' := mirrored n v.
Let answers' := opposite n answers.
Let extras' := mirrored n extras.
Let i' := (n - 1 - i)%nat.
Hypothesis Hs : forall m, (m < n)%nat -> (answers m <= i)%nat -> 0 <= side v loss one a whole answers extras i m.
Hypothesis Hs' : forall m, (m < n)%nat -> (answers' m <= i')%nat -> 0 <= side v' loss one a whole answers' extras' i' m.
Lemma behind : forall j r, (j <= n)%nat -> (forall m, (m < n - j)%nat -> (answers' m <= i')%nat) ->
  IZR r <= IZR one * side v' loss one a whole answers' extras' i' (n - j) ->
  if (j =? n)%nat then IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat) = 0 /\ IZR r <= 0
  else IZR r * y j <= IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat).
Proof.
  intros j r Hj Hm Hr.
  assert (P := prefix n v' answers' extras' (fun f => y (n - 1 - f)%nat) i' (n - j) r ltac:(lia)).
  specialize (P ltac:(intros; apply Hy; lia)).
  assert (Q : forall f, (S f < n)%nat -> d * y (n - 1 - S f)%nat <= y (n - 1 - f)%nat).
  { intros f Hf. destruct (Hp (n - 1 - S f)%nat ltac:(lia)) as [A _].
    replace (S (n - 1 - S f)) with (n - 1 - f)%nat in A by lia. exact A. }
  specialize (P Q ltac:(intros m Hm'; apply Hs'; auto; lia) Hr).
  assert (E : Sum (n - j) (fun f => gain v' loss one answers' extras' i' f * y (n - 1 - f)%nat) = Sum (n - j) (fun f => g
    (j + f)%nat * y (j + f)%nat)).
  { rewrite Sum_back. apply Sum_ext. intros f Hf. unfold v', answers', extras', i'. rewrite gain_mirrored by (auto; lia).
    replace (n - 1 - (n - j - 1 - f))%nat with (j + f)%nat by lia. reflexivity. }
  cbv beta in P. rewrite E in P. destruct (Nat.eqb_spec j n), (Nat.eqb_spec (n - j) 0); try lia; auto.
  replace (n - 1 - (n - j - 1))%nat with j in P by lia. exact P.
Qed.
Lemma row_sound : forall l r, entry n v loss one a whole answers extras i l ->
  entry n v' loss one a whole answers' extras' i' r ->
  - IZR (lacks a whole l r) <= IZR one * Sum n (fun f => g f * y f).
Proof.
  intros [before after] [below above] (j0 & j1 & HJ & S1 & S2 & S3 & S4 & S5 & _) (k0 & k1 & HK & T1 & T2 & T3 & T4 & T5 &
    _). cbn [fst snd] in *.
  assert (K0 : k0 = (n - j1)%nat).
  { destruct (lt_eq_lt_dec k0 (n - j1)) as [[L|L]|L]; auto; exfalso.
    - assert (A := S3 (n - 1 - k0)%nat ltac:(lia)). assert (B : (i' <= answers' k0)%nat).
      { destruct (le_lt_dec k1 k0); [specialize (T3 k0 ltac:(lia)); lia|rewrite (proj1 (T2 k0 ltac:(lia))); lia]. }
      unfold answers', opposite, i' in B. assert (C := Hbelow (n - 1 - k0) ltac:(lia)). lia.
    - assert (A := T1 (n - j1)%nat L). unfold answers', opposite, i' in A.
      replace (n - 1 - (n - j1))%nat with (j1 - 1)%nat in A by lia.
      assert (B : (answers (j1 - 1)%nat <= i)%nat).
      { destruct (le_lt_dec j0 (j1 - 1)); [rewrite (proj1 (S2 (j1 - 1)%nat ltac:(lia)));
        lia|specialize (S1 (j1 - 1)%nat ltac:(lia)); lia]. } lia. }
  assert (K1 : k1 = (n - j0)%nat).
  { destruct (lt_eq_lt_dec k1 (n - j0)) as [[L|L]|L]; auto; exfalso.
    - assert (A := T3 k1 ltac:(lia)). unfold answers', opposite, i' in A. assert (B : (i <= answers (n - 1 - k1)%nat)%nat).
      { destruct (le_lt_dec j1 (n - 1 - k1)); [specialize (S3 (n - 1 - k1)%nat ltac:(lia));
        lia|rewrite (proj1 (S2 (n - 1 - k1)%nat ltac:(lia))); lia]. } lia.
    - assert (A := S1 (n - 1 - (n - j0))%nat ltac:(lia)). assert (B : (answers' (n - j0)%nat <= i')%nat).
      { destruct (le_lt_dec k0 (n - j0)); [rewrite (proj1 (T2 (n - j0)%nat ltac:(lia)));
        lia|specialize (T1 (n - j0)%nat ltac:(lia)); lia]. }
      unfold answers', opposite, i' in B. lia. }
  subst k0 k1.
  assert (U : forall m, (m < j1)%nat -> (answers m <= i)%nat).
  { intros m Hm. destruct (le_lt_dec j0 m); [rewrite (proj1 (S2 m ltac:(lia))); lia|specialize (S1 m ltac:(lia)); lia]. }
  assert (U' : forall m, (m < n - j0)%nat -> (answers' m <= i')%nat).
  { intros m Hm. destruct (le_lt_dec (n - j1) m); [rewrite (proj1 (T2 m ltac:(lia))); lia|specialize (T1 m ltac:(lia)); lia]. }
  assert (H1 : forall f, (f < n)%nat -> 0 <= y f) by (intros; apply Hy; auto).
    assert (H2 : forall f, (S f < n)%nat -> d * y (S f) <= y f) by (intros; apply Hp; auto).
  assert (A0 := prefix n v answers extras y i j0 before ltac:(lia) H1 H2 ltac:(intros; apply Hs; [lia|apply U; lia]) S4).
  assert (A1 := prefix n v answers extras y i j1 after ltac:(lia) H1 H2 ltac:(intros; apply Hs; [lia|apply U; lia]) S5).
  assert (B0 := behind j0 above ltac:(lia) U' T5).
  assert (B1 := behind j1 below ltac:(lia) ltac:(intros; apply U'; lia) T4).
  fold g in A0, A1.
  assert (Y : forall m, 0 <= (if (m <? n)%nat then y m else 0) <= 1) by (intros m; destruct (Nat.ltb_spec m n); [auto|lra]).
  assert (M : forall j p q, (j <= n)%nat ->
    (if (j =? 0)%nat then IZR one * Sum j (fun f => g f * y f) = 0 /\
      IZR p <= 0 else IZR p * y (j - 1)%nat <= IZR one * Sum j (fun f => g f * y f)) ->
    (if (j =? n)%nat then IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat) = 0 /\ IZR q <= 0
     else IZR q * y j <= IZR one * Sum (n - j) (fun f => g (j + f)%nat * y (j + f)%nat)) ->
    Rmin 0 (IZR (p + across a whole q)) <= IZR one * Sum n (fun f => g f * y f) /\
      Rmin 0 (IZR (across a whole p + q)) <= IZR one * Sum n (fun f => g f * y f)).
  { intros j p q0 Hj P Q. rewrite (Sum_split j n) by auto. rewrite Rmult_plus_distr_l.
    apply (meet a whole Ha n j p q0 _ _ (if (j - 1 <? n)%nat then y (j - 1)%nat else 0) (if (j <? n)%nat then y j else 0));
      auto; try lia.
    - destruct (Nat.eqb_spec j 0); auto. destruct (Nat.ltb_spec (j - 1) n); [auto|lia].
    - destruct (Nat.eqb_spec j n); auto. destruct (Nat.ltb_spec j n); [auto|lia].
    - intros Hj'. destruct (Nat.ltb_spec (j - 1) n), (Nat.ltb_spec j n); try lia. destruct (Hp (j - 1)%nat ltac:(lia)) as [C D].
      replace (S (j - 1)) with j in * by lia. auto. }
  destruct (M j1 after below ltac:(lia) A1 B1) as [M1 _]. destruct (M j0 before above ltac:(lia) A0 B0) as [_ M2].
  unfold lacks. set (X := IZR one * Sum n (fun f => g f * y f)) in *.
    assert (X0 : forall u, Rmin 0 (IZR u) <= X -> - IZR (Z.max 0 (- u)) <= X).
  { intros u Hu. unfold Rmin in Hu. destruct (Z.max_spec 0 (- u)) as [[L ->]|[L ->]].
    - rewrite opp_IZR. destruct (Rle_dec 0 (IZR u)) as [R0|R0]; [apply le_IZR in R0; lia|lra].
    - destruct (Rle_dec 0 (IZR u)) as [R0|R0]; [lra|]. exfalso. apply R0. apply IZR_le. lia. }
  apply X0. destruct (Z.max_spec (after + across a whole below) (across a whole before + above)) as [[_ ->]|[_ ->]]; auto.
Qed.
End Row.
