(* No mechanism on truths in a row under pure privacy loses less than two lines for each step prove, one for each of two
   truths in a row: Theorem tails_bounded. Any two such truths serve. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Roundings Tails.
Import ListNotations.
Open Scope R_scope.

(* The least of the larger of A + B x and A' + B' x, x from 0 on, up to 1 if it ends there. If it does not, and both fall,
   there is none but 0. *)
Definition least_from_zero (l l' : Z * Z) (ends : bool) : Z :=
  let '((a, b), (c, d)) := if (snd l <=? snd l')%Z then (l, l') else (l', l) in
  (if (0 <=? d) && ((0 <=? b) || (a <=? c)) then Z.max a c
   else if ends && ((d <? 0) || (c + d <=? a + b)) then Z.max (a + b) (c + d)
   else if 0 <=? d then (a * d - c * b) / (d - b) else 0)%Z.

Section Bound.
Variables (n : nat) (w loss : nat -> Z) (q : shape) (even : bool) (one error a whole : Z) (k : walk).
(* The line of truth h, for step j; g is the first of the two truths. *)
Definition line_of (j g h : nat) : Z * Z :=
  let base := (between w loss q even k j (S h) * one)%Z in
  let own := beside q one k j (S h) in let other := beyond n q one k j (S h) in
  let less := ((other - error) * a / whole)%Z in
  let scaled (further : bool) b := if further then (b * whole / a)%Z else b in
  if (g <=? j)%nat then (base + (own - error), scaled (h =? g)%nat (less - (own + error)))%Z
  else (base + less, scaled (negb (h =? g)%nat) (own - error - - (- ((other + error) * a) / whole)))%Z.
Definition step_bound (j g : nat) : Z :=
  Z.max 0 (least_from_zero (line_of j g g) (line_of j g (S g)) ((g =? j)%nat || (g =? S j)%nat)).
(* `sum` is the step that is reached, and the sum so far; None where a run is none. Few arguments, so that OCaml needs no
   stack. *)
Definition bound_next (bend_most half twice : nat) (sum : option (nat * Z)) (run : nat * nat) : option (nat * Z) :=
  match sum with
  | None => None
  | Some (j, s) => let '(count, g) := run in
      if (1 <=? count)%nat && (j + count <=? half)%nat && (g + count <? n)%nat &&
         ((count =? 1)%nat || steady n k bend_most j (S g) (j + (count - 1)) (S (S g) + (count - 1)))
      then Some ((j + count)%nat, (s + Z.of_nat (count + (lesser (j + count) twice - j)) * step_bound j g)%Z)
      else None
  end.
Definition bound_runs (bend_most half twice : nat) (runs : list (nat * nat)) (j : nat) (s : Z) : option Z :=
  match fold_left (bound_next bend_most half twice) runs (Some (j, s)) with
  | Some (j, s) => if (j =? half)%nat then Some s else None
  | None => None end.
Lemma bound_runs_next : forall bend_most half twice count g rest j s,
  bound_runs bend_most half twice ((count, g) :: rest) j s =
  if (1 <=? count)%nat && (j + count <=? half)%nat && (g + count <? n)%nat &&
     ((count =? 1)%nat || steady n k bend_most j (S g) (j + (count - 1)) (S (S g) + (count - 1)))
  then bound_runs bend_most half twice rest (j + count)%nat
         (s + Z.of_nat (count + (lesser (j + count) twice - j)) * step_bound j g)%Z
  else None.
Proof.
  intros. unfold bound_runs. cbn [fold_left bound_next]. destruct (_ && _); [reflexivity|].
  replace (fold_left _ rest None) with (@None (nat * Z)); [reflexivity|]. induction rest; auto.
Qed.
End Bound.

Definition decay_of (x : factors) (whole : Z) : Z := (whole * f_den x / f_num x)%Z.
Definition is_pure (p : privacy) (x : factors) : bool :=
  encloses (eps p) x && match kind p, delta p with OfSets, Some (d, b) => (d =? 0)%Z && (0 <? b)%Z | _, _ => false end.
Definition tails_bound (p : privacy) (x : factors) (n : nat) (w loss : nat ->
  Z) (unit whole : Z) (k : walk) (runs : list (nat * nat))
    (twofold : bool) (claim : Z * Z) : bool :=
  let '(on, od) := claim in
  let q := shape_of n loss in let heavy := heaviest n w 0 in let even := is_even n w in
  let a := decay_of x whole in let one := fine a whole in
  is_pure p x && question_ok n w loss unit heavy && (0 <=? on)%Z && (0 <? od)%Z &&
  if (a <=? 0)%Z then (on * unit <=? od * loss_constant n n (ByDistance w loss))%Z
  else
    walk_ok n w q even a whole k && (negb twofold || all n (fun f => mirrored n w f =? w f)%Z) &&
    let half := if twofold then Nat.div2 n else (n - 1)%nat in
    match bound_runs n w loss q even one (error n q heavy a whole) a whole k (furthest (bends q) 0) half
            (n - 1 - half) runs 0 0 with
    | Some s => (on * (unit * one) <=? od * (loss_constant n n (ByDistance w loss) * one + s))%Z
    | None => false
    end.

(* ---- Why: probabilities y of a set that fall by no more than the factor d from a truth to the next, both ways *)
Definition decent (n : nat) (d : R) (y : nat -> R) : Prop :=
  forall f, (S f < n)%nat -> d * y f <= y (S f) /\ d * y (S f) <= y f.
Lemma decent_far : forall n d y i f, 0 <= d -> decent n d y -> (f + i < n)%nat ->
  d ^ i * y f <= y (f + i)%nat /\ d ^ i * y (f + i)%nat <= y f.
Proof.
  intros n d y i f Hd H. induction i as [|i IH]; intros Hi. - rewrite Nat.add_0_r. simpl. lra.
  - specialize (IH ltac:(lia)). destruct IH as [A B]. destruct (H (f + i)%nat ltac:(lia)) as [C D]. rewrite Nat.add_succ_r.
    cbn [pow].
    apply Rmult_le_compat_l with (r := d) in A; auto. apply Rmult_le_compat_l with (r := d ^ i) in D; [|apply pow_le; auto].
    split; lra.
Qed.
Lemma decent_up : forall n d y f g, 0 <= d -> decent n d y -> (f <= g)%nat -> (g < n)%nat -> d ^ (g - f) * y f <= y g /\
  d ^ (g - f) * y g <= y f.
Proof. intros n d y f g Hd H Hf Hg. assert (A := decent_far n d y (g - f) f Hd H).
  replace (f + (g - f))%nat with g in A by lia. apply A. lia. Qed.

Section Lines.
Variables (n : nat) (w loss : nat -> Z) (d : R) (y : nat -> R) (j : nat).
Let c := cost_of (ByDistance w loss).
Let ch f := IZR (change c j f).
Hypothesis Hsigns : signs n n (ByDistance w loss) = true.
Hypothesis Hj : (S j < n)%nat.
Hypothesis Hd : 0 < d <= 1.
Hypothesis Hy : forall f, (f < n)%nat -> 0 <= y f <= 1.
Hypothesis Hdecent : decent n d y.
Hypothesis Hdecent' : decent n d (fun f => 1 - y f).

(* The sums beside a threshold, x truths being before it, and the changes between there and j + 1 *)
Definition near (x : nat) : R := Sum n (fun f => if (f <? x)%nat then d ^ (x - 1 - f) * ch f else 0).
Definition far (x : nat) : R := Sum n (fun f => if (f <? x)%nat then 0 else d ^ (f - x) * - ch f).
Definition middle (x : nat) : R := Sum (S j) ch - Sum x ch.

Lemma ch_signs : forall f, (f < n)%nat -> ((f <= j)%nat -> 0 <= ch f) /\ ((j < f)%nat -> ch f <= 0).
Proof.
  intros f Hf. destruct (signs_sound n n (ByDistance w loss) j f Hsigns ltac:(lia) Hf) as [A B]. cbn [home_of] in *.
  split; intros; apply IZR_le; [apply A|apply B]; lia.
Qed.
(* Each truth adds as much as a number u f says, or more, if u f is at most 1 - y f, or y f. *)
Lemma adds_least : forall u, (forall f, (f < n)%nat -> u f <= if (f <=? j)%nat then 1 - y f else y f) ->
  Sum n (fun f => if (f <=? j)%nat then ch f * u f else - ch f * u f) <= adds n c (S j) j y.
Proof.
  intros u Hu. unfold adds. apply Sum_mono. intros f Hf. specialize (Hu f Hf). destruct (ch_signs f Hf) as [A B].
  change (f <? S j)%nat with (f <=? j)%nat. fold (ch f). destruct (Nat.leb_spec f j).
  - apply Rmult_le_compat_l; auto. - assert (0 <= - ch f) by (specialize (B ltac:(lia)); lra). apply Rmult_le_compat_l; auto.
Qed.
(* The line of a truth h up to j + 1 *)
Definition low (h : nat) (z : R) (f : nat) : R :=
  if (f <? h)%nat then (1 - z) * d ^ (h - f) else if (f <=? j)%nat then 1 - z * d ^ (f - h) else z * d ^ (f - h).
Lemma low_line : forall h z, (h <= S j)%nat ->
  middle (S h) + (1 - z) * near (S h) + z * (d * far (S h)) = Sum n (fun f => if (f <=? j)%nat then ch f * low h z f else -
    ch f * low h z f).
Proof.
  intros h z Hh. unfold middle, near, far. rewrite <- (Sum_before n (S j) ch), <- (Sum_before n (S h) ch) by lia.
  rewrite <- !Sum_scale, <- Sum_sub, <- !Sum_add. apply Sum_ext. intros f Hf. unfold low.
  change (f <? S j)%nat with (f <=? j)%nat. change (f <? S h)%nat with (f <=? h)%nat.
  destruct (Nat.leb_spec f j), (Nat.leb_spec f h), (Nat.ltb_spec f h); try lia.
  - replace (S h - 1 - f)%nat with (h - f)%nat by lia. ring.
  - replace (S h - 1 - f)%nat with O by lia. replace (f - h)%nat with O by lia. simpl. ring.
  - replace (f - h)%nat with (S (f - S h)) by lia. simpl. ring.
  - replace (S h - 1 - f)%nat with O by lia. replace (f - h)%nat with O by lia. simpl. ring.
  - replace (f - h)%nat with (S (f - S h)) by lia. simpl. ring.
Qed.
(* The line of a truth h from j on *)
Definition high (h : nat) (z : R) (f : nat) : R :=
  if (f <=? j)%nat then z * d ^ (h - f) else if (f <=? h)%nat then 1 - z * d ^ (h - f) else (1 - z) * d ^ (f - h).
Lemma high_line : forall h z, (j <= h)%nat -> (h < n)%nat ->
  middle (S h) + z * near (S h) + (1 - z) * (d * far (S h)) = Sum n (fun f => if (f <=? j)%nat then ch f * high h z f else
    - ch f * high h z f).
Proof.
  intros h z Hh Hn. unfold middle, near, far. rewrite <- (Sum_before n (S j) ch), <- (Sum_before n (S h) ch) by lia.
  rewrite <- !Sum_scale, <- Sum_sub, <- !Sum_add. apply Sum_ext. intros f Hf. unfold high.
  change (f <? S j)%nat with (f <=? j)%nat. change (f <? S h)%nat with (f <=? h)%nat.
  destruct (Nat.leb_spec f j), (Nat.leb_spec f h); try lia.
  - replace (S h - 1 - f)%nat with (h - f)%nat by lia. ring.
  - replace (S h - 1 - f)%nat with (h - f)%nat by lia. ring.
  - replace (f - h)%nat with (S (f - S h)) by lia. simpl. ring.
Qed.

Lemma dpow : forall i, 0 < d ^ i. Proof. intros. apply pow_lt. lra. Qed.
Lemma d_both : forall i l, d ^ (i + l) = d ^ i * d ^ l. Proof. intros. apply pow_add. Qed.
Lemma low_least : forall h z, (h <= S j)%nat -> d ^ (S j - h) * z = y (S j) ->
  forall f, (f < n)%nat -> low h z f <= if (f <=? j)%nat then 1 - y f else y f.
Proof.
  intros h z Hh Hz f Hf. assert (A := decent_up n d y). assert (B := decent_up n d (fun f => 1 - y f)). unfold low.
  destruct (Nat.ltb_spec f h).
  - destruct (Nat.leb_spec f j); [|lia]. destruct (B f h ltac:(lra) Hdecent' ltac:(lia) ltac:(lia)) as [_ C].
    destruct (A h (S j) ltac:(lra) Hdecent Hh Hj) as [D _]. rewrite <- Hz in D. apply Rmult_le_reg_l in D; [|apply dpow].
    assert (E := dpow (h - f)). apply Rle_trans with (d ^ (h - f) * (1 - y h)); [|exact C]. rewrite Rmult_comm.
      apply Rmult_le_compat_l; lra.
  - destruct (Nat.leb_spec f j).
    + destruct (A f (S j) ltac:(lra) Hdecent ltac:(lia) Hj) as [D _]. rewrite <- Hz in D.
      replace (S j - h)%nat with (S j - f + (f - h))%nat in D by lia. rewrite d_both, Rmult_assoc in D.
      apply Rmult_le_reg_l in D; [lra|apply dpow].
    + destruct (A (S j) f ltac:(lra) Hdecent ltac:(lia) Hf) as [D _]. rewrite <- Hz, <- Rmult_assoc, <- d_both in D.
      replace (f - S j + (S j - h))%nat with (f - h)%nat in D by lia. lra.
Qed.
Lemma high_least : forall h z, (j <= h)%nat -> (h < n)%nat -> d ^ (h - j) * z = 1 - y j ->
  forall f, (f < n)%nat -> high h z f <= if (f <=? j)%nat then 1 - y f else y f.
Proof.
  intros h z Hh Hn Hz f Hf. assert (A := decent_up n d y). assert (B := decent_up n d (fun f => 1 - y f)). unfold high.
  destruct (Nat.leb_spec f j).
  - destruct (B f j ltac:(lra) Hdecent' ltac:(lia) ltac:(lia)) as [_ D]. rewrite <- Hz, <- Rmult_assoc, <- d_both in D.
    replace (j - f + (h - j))%nat with (h - f)%nat in D by lia. lra.
  - destruct (Nat.leb_spec f h).
    + destruct (B j f ltac:(lra) Hdecent' ltac:(lia) Hf) as [_ D]. rewrite <- Hz in D.
      replace (h - j)%nat with (f - j + (h - f))%nat in D by lia. rewrite d_both, Rmult_assoc in D.
      apply Rmult_le_reg_l in D; [lra|apply dpow].
    + destruct (A h f ltac:(lra) Hdecent ltac:(lia) Hf) as [D _]. destruct (B j h ltac:(lra) Hdecent' Hh Hn) as [_ C].
      rewrite <- Hz in C.
      apply Rmult_le_reg_l in C; [|apply dpow]. assert (E := dpow (f - h)).
      apply Rle_trans with (d ^ (f - h) * y h); [|exact D]. rewrite Rmult_comm. apply Rmult_le_compat_l; lra.
Qed.
(* Where 1 - y j is more than d, the lines of j + 1 and j + 2 hold at z = 1, too. *)
Lemma high_least_one : d <= 1 - y j ->
  forall h z, (h = S j /\ z = 1) \/ (h = S (S j) /\ d * z = 1) ->
  forall f, (f < n)%nat -> high h z f <= if (f <=? j)%nat then 1 - y f else y f.
Proof.
  intros H h z Hhz f Hf. unfold high. assert (A := Hy f Hf). assert (B := decent_up n d (fun f => 1 - y f)).
  assert (Hz : 1 <= z). { destruct Hhz as [[_ ->]|[_ Hz]]; [lra|]. apply Rmult_le_reg_l with d; lra. }
  destruct (Nat.leb_spec f j).
  - destruct (B f j ltac:(lra) Hdecent' ltac:(lia) ltac:(lia)) as [_ D].
    apply Rle_trans with (d ^ (j - f) * (1 - y j)); [|exact D].
    assert (E := dpow (j - f)). replace (z * d ^ (h - f)) with (d ^ (j - f) * d). apply Rmult_le_compat_l; lra.
    destruct Hhz as [[-> ->]|[-> Hz']]; [replace (S j - f)%nat with (S (j - f))
      by lia|replace (S (S j) - f)%nat with (S (S (j - f))) by lia]; simpl.
    + ring. + replace (z * (d * (d * d ^ (j - f)))) with (d * z * d * d ^ (j - f)) by ring. rewrite Hz'. ring.
  - assert (E := dpow (f - h)). destruct (Nat.leb_spec f h).
    + assert (1 <= z * d ^ (h - f)); [|lra]. destruct Hhz as [[-> ->]|[-> Hz']].
      * replace (S j - f)%nat with O by lia. simpl. lra.
      * destruct (Nat.eq_dec f (S j)) as [->|];
        [replace (S (S j) - S j)%nat with 1%nat by lia|replace (S (S j) - f)%nat with O by lia]; simpl; lra.
    + assert ((1 - z) * d ^ (f - h) <= 0); [|lra]. rewrite <- (Rmult_0_l (d ^ (f - h))). apply Rmult_le_compat_r; lra.
Qed.
End Lines.

Lemma least_from_zero_sound : forall l l' ends V x, 0 <= x -> (ends = true -> x <= 1) -> 0 <= V ->
  IZR (fst l) + IZR (snd l) * x <= V -> IZR (fst l') + IZR (snd l') * x <= V -> IZR (Z.max 0 (least_from_zero l l' ends)) <= V.
Proof.
  assert (G : forall a b c e ends V x, (b <= e)%Z -> 0 <= x -> (ends = true -> x <= 1) -> 0 <= V ->
    IZR a + IZR b * x <= V -> IZR c + IZR e * x <= V ->
    IZR (Z.max 0 (if (0 <=? e) && ((0 <=? b) || (a <=? c)) then Z.max a c
      else if ends && ((e <? 0) || (c + e <=? a + b)) then Z.max (a + b) (c +
        e) else if 0 <=? e then (a * e - c * b) / (e - b) else 0)%Z) <= V).
  { intros a b c e ends V x Hbe Hx He HV H1 H2. apply IZR_le in Hbe.
    assert (M : forall u v, IZR u <= V -> IZR v <= V -> IZR (Z.max u v) <= V). { intros u v Hu Hv.
      destruct (Z.max_spec u v) as [[_ ->]|[_ ->]]; auto. }
    apply M; auto. assert (P : forall u, 0 <= u -> 0 <= u * x) by (intros; apply Rmult_le_pos; auto).
    destruct ((0 <=? e)%Z && ((0 <=? b)%Z || (a <=? c)%Z)) eqn:C1.
    - facts. match goal with A : (0 <= e)%Z |- _ => apply IZR_le in A end. assert (Pe := P (IZR e) ltac:(lra)). apply M; [|lra].
      match goal with A : _ || _ = true |- _ => apply orb_true_iff in A as [A|A]; facts; apply IZR_le in A end;
        [specialize (P (IZR b)); lra|lra].
    - destruct (ends && ((e <? 0)%Z || (c + e <=? a + b)%Z)) eqn:C2.
      + apply andb_true_iff in C2 as [-> C2]. specialize (He eq_refl).
        assert (Q : forall u, u <= 0 -> u <= u * x). { intros u Hu.
          assert (0 <= - u * (1 - x)) by (apply Rmult_le_pos; lra). lra. }
        destruct (Z.ltb_spec e 0) as [E|E].
        * apply IZR_lt in E. apply M; rewrite plus_IZR;
          [assert (A := Q (IZR b) ltac:(lra))|assert (A := Q (IZR e) ltac:(lra))]; lra.
        * simpl in C2. facts. assert (Hb : (b < 0)%Z).
          { apply andb_false_iff in C1 as [C1|C1]; [apply Z.leb_gt in C1; lia|]. apply orb_false_iff in C1 as [C1 _].
            apply Z.leb_gt in C1. lia. }
          rewrite Z.max_l by lia. rewrite plus_IZR. apply IZR_lt in Hb. assert (A := Q (IZR b) ltac:(lra)). lra.
      + destruct (Z.leb_spec 0 e) as [E|E]; [|lra].
        assert (Hb : (b < 0)%Z). { simpl in C1. apply orb_false_iff in C1 as [C1 _]. apply Z.leb_gt in C1. lia. }
        eapply Rle_trans; [apply floor_below; lia|]. rewrite !minus_IZR, !mult_IZR. apply IZR_lt in Hb. apply IZR_le in E.
        apply div_le_l; [lra|].
        assert (A : IZR e * (IZR a + IZR b * x) <= IZR e * V) by (apply Rmult_le_compat_l; lra).
        assert (B : - IZR b * (IZR c + IZR e * x) <= - IZR b * V) by (apply Rmult_le_compat_l; lra). lra. }
  intros [a b] [c e] ends V x Hx He HV H1 H2. unfold least_from_zero. cbn [fst snd] in *. destruct (Z.leb_spec b e) as [E|E].
  - apply (G a b c e ends V x); auto. - apply (G c e a b ends V x); auto. lia.
Qed.
