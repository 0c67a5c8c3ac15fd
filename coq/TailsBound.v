(* No mechanism on truths in a row under pure privacy loses less than two lines for each step prove, one for each of two
   truths in a row: Theorem tails_bounded. Any two such truths serve. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Noise Steps Decayed Tails.
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

(* ==== The bound of noise that is all tails holds for every mechanism: each step adds no less than its two lines say. *)
(* ---- A step: what it adds is no less than the number computed. *)
Section Sound.
Variables (n : nat) (w loss : nat -> Z) (unit a whole : Z) (k : walk).
Let q := shape_of n loss.
Let heavy := heaviest n w 0.
Let even := is_even n w.
Let one := fine a whole.
Let d := IZR a / IZR whole.
Let err := error n q heavy a whole.
Let c := cost_of (ByDistance w loss).
Hypothesis Hq : question_ok n w loss unit heavy = true.
Hypothesis Hk : walk_ok n w q even a whole k = true.
Hypothesis Ha : (0 < a)%Z.
Let line := line_of n w loss q even one err a whole k.
Let bound := step_bound n w loss q even one err a whole k.
Definition private_at (y : nat -> R) : Prop := (forall f, (f < n)%nat -> 0 <= y f <= 1) /\ decent n d y /\
  decent n d (fun f => 1 - y f).

Lemma d_positive : 0 < d <= 1.
Proof.
  destruct (walk_facts n w loss a whole k Hk) as (HW & HA & _). apply IZR_lt in HW. destruct HA as [_ HA]. apply IZR_le in HA.
  apply IZR_lt in Ha. split. apply Rdiv_lt_0_compat; auto. apply div_le_l; lra.
Qed.
Lemma scaled_below : forall further b z, 0 <= z ->
  IZR (if further : bool then (b * whole / a)%Z else b) * z <= IZR b * (if further then z / d else z).
Proof.
  intros further b z Hz. destruct further; [|lra]. destruct (walk_facts n w loss a whole k Hk) as (HW & _). apply IZR_lt in HW.
  assert (A := floor_below (b * whole) a Ha). rewrite mult_IZR in A. assert (Ha' := IZR_lt _ _ Ha).
  replace (IZR b * (z / d)) with (IZR b * IZR whole / IZR a * z) by (unfold d; field; lra). apply Rmult_le_compat_r; auto.
Qed.
Lemma line_below : forall j g h z further, (S j < n)%nat -> (h < n)%nat -> 0 <= z ->
  further = (if (g <=? j)%nat then (h =? g)%nat else negb (h =? g)%nat) ->
  let x := if further then z / d else z in
  IZR (fst (line j g h)) + IZR (snd (line j g h)) * z <= IZR one *
    (middle w loss j (S h) + if (g <=? j)%nat then (1 - x) * near n w loss d j (S h) + x * (d * far n w loss d j (S h))
                             else x * near n w loss d j (S h) + (1 - x) * (d * far n w loss d j (S h))).
Proof.
  intros j g h z further Hj Hh Hz Hf x.
  assert (N : Rabs (IZR one * near n w loss d j (S h) - IZR (beside q one k j (S h))) <= IZR err)
    by (apply (beside_sound n w loss unit a whole k Hq Hk); lia).
  assert (F : Rabs (IZR one * far n w loss d j (S h) - IZR (beyond n q one k j (S h))) <= IZR err)
    by (apply (beyond_sound n w loss unit a whole k Hq Hk); lia).
  assert (M : IZR (between w loss q even k j (S h)) = middle w loss j (S h))
    by (apply (between_sound n w loss unit a whole k Hq Hk); lia).
  destruct (walk_facts n w loss a whole k Hk) as (HW & HA & _). assert (Hd := d_positive). assert (HWR := IZR_lt _ _ HW).
  unfold line, line_of. set (own := beside _ _ _ _ _) in *. set (other := beyond _ _ _ _ _ _) in *.
    set (mid := between _ _ _ _ _ _ _) in *.
  set (P := middle w loss j (S h)) in *. set (D := near n w loss d j (S h)) in *. set (D' := far n w loss d j (S h)) in *.
  apply Rabs_both in N, F. assert (Hx : 0 <= x). { unfold x. destruct further; auto. apply div_nonneg; lra. }
  assert (A1 := floor_below ((other - err) * a) whole HW). assert (A2 := floor_below (- ((other + err) * a)) whole HW).
  rewrite opp_IZR, mult_IZR, plus_IZR in A2. rewrite mult_IZR, minus_IZR in A1.
  replace ((IZR other - IZR err) * IZR a / IZR whole) with (d * (IZR other - IZR err)) in A1 by (unfold d, Rdiv; ring).
  replace (- ((IZR other + IZR err) * IZR a) / IZR whole) with (- (d * (IZR other + IZR err))) in A2 by (unfold d, Rdiv; ring).
  set (less := ((other - err) * a / whole)%Z) in *. set (over := (- ((other + err) * a) / whole)%Z) in *.
  assert (B1 : d * (IZR other - IZR err) <= d * (IZR one * D')) by (apply Rmult_le_compat_l; lra).
  assert (B2 : d * (IZR one * D') <= d * (IZR other + IZR err)) by (apply Rmult_le_compat_l; lra).
  destruct (g <=? j)%nat; cbn [fst snd]; rewrite <- Hf.
  - assert (G := scaled_below further (less - (own + err)) z Hz). fold x in G. rewrite minus_IZR, plus_IZR in G.
    assert (C : (IZR less - (IZR own + IZR err)) * x <= (d * (IZR one * D') - IZR one * D) * x) by (apply Rmult_le_compat_r; lra).
    rewrite plus_IZR, minus_IZR, mult_IZR, M. lra.
  - assert (G := scaled_below further (own - err - - over) z Hz). fold x in G. rewrite !minus_IZR, opp_IZR in G.
    assert (C : (IZR own - IZR err - - IZR over) * x <= (IZR one * D - d * (IZR one * D')) * x) by (apply Rmult_le_compat_r; lra).
    rewrite plus_IZR, mult_IZR, M. lra.
Qed.

Lemma step_sound : forall j g y, (S j < n)%nat -> (S g < n)%nat -> private_at y ->
  IZR (bound j g) <= IZR one * adds n c (S j) j y.
Proof.
  intros j g y Hj Hg (Hy & Hp & Hp'). destruct (question_facts n w loss unit Hq) as (_ & _ & Hs & _).
  assert (Hd := d_positive). assert (Ho := one_positive n w loss a whole k Hk). fold one in Ho.
  assert (HV : 0 <= IZR one * adds n c (S j) j y).
  { apply Rmult_le_pos; [lra|]. apply (adds_nonneg n n (ByDistance w loss) j y Hs); auto. lia. }
  assert (L := adds_least n w loss y j Hs Hj). fold c in L.
  assert (B1 := fun z Hz => line_below j g g z _ Hj ltac:(lia) Hz eq_refl).
    assert (B2 := fun z Hz => line_below j g (S g) z _ Hj Hg Hz eq_refl).
  cbv zeta in B1, B2. rewrite Nat.eqb_refl in B1.
    replace (S g =? g)%nat with false in B2 by (symmetry; apply Nat.eqb_neq; lia). cbn [negb] in *.
  unfold bound, step_bound. fold line.
  destruct (Nat.leb_spec g j) as [H|H].
  - set (z := y (S j) / d ^ (j - g)). assert (P := dpow d Hd). assert (Hz : 0 <= z). { apply div_nonneg; auto. apply Hy; lia. }
    assert (X : forall h x, (h <= S j)%nat -> d ^ (S j - h) * x = y (S j) ->
      middle w loss j (S h) + ((1 - x) * near n w loss d j (S h) + x * (d * far n w loss d j (S h))) <= adds n c (S j) j y).
    { intros h x Hh Hx. rewrite <- Rplus_assoc, (low_line n w loss d j Hj h x Hh). apply L. apply low_least; auto. }
    apply (least_from_zero_sound _ _ _ _ z); auto.
    + intros E. apply orb_true_iff in E as [E|E]; facts; [subst g|lia]. unfold z. rewrite Nat.sub_diag. simpl.
      assert (A := Hy (S j) Hj). lra.
    + eapply Rle_trans; [apply B1; auto|]. apply Rmult_le_compat_l; [lra|]. apply X; [lia|]. unfold z.
      replace (S j - g)%nat with (S (j - g)) by lia. specialize (P (j - g)%nat). cbn [pow]. field. lra.
    + eapply Rle_trans; [apply B2; auto|]. apply Rmult_le_compat_l; [lra|]. apply X; [lia|]. unfold z. cbn [Nat.sub].
      specialize (P (j - g)%nat). field. lra.
  - assert (P := dpow d Hd).
    assert (X : forall h x, (j <= h)%nat -> (h < n)%nat -> (forall f, (f < n)%nat ->
      high d j h x f <= if (f <=? j)%nat then 1 - y f else y f) ->
      middle w loss j (S h) + (x * near n w loss d j (S h) + (1 - x) * (d * far n w loss d j (S h))) <= adds n c (S j) j y).
    { intros h x Hh Hn Hx. rewrite <- Rplus_assoc, (high_line n w loss d j Hj h x Hh Hn). apply L. exact Hx. }
    destruct (Rlt_dec d (1 - y j)) as [E|E]; [destruct (Nat.eq_dec g (S j)) as [Eg|Eg]|].
    1:{ apply (least_from_zero_sound _ _ _ _ 1); auto; try lra; subst g.
        - eapply Rle_trans; [apply B1; lra|]. apply Rmult_le_compat_l; [lra|]. apply X; [lia|lia|].
          apply (high_least_one n d y j); auto. lra.
        - eapply Rle_trans; [apply B2; lra|]. apply Rmult_le_compat_l; [lra|]. apply X; [lia|lia|].
          apply (high_least_one n d y j); auto. lra. right. split; auto. field. lra. }
    all: set (z := (1 - y j) / d ^ (g - j)); assert (Hz : 0 <= z) by (apply div_nonneg; auto; assert (A := Hy j ltac:(lia)); lra).
    all: apply (least_from_zero_sound _ _ _ _ z); auto.
    1, 4: intros Q; apply orb_true_iff in Q as [Q|Q]; facts; try lia.
    1:{ unfold z. subst g. replace (S j - j)%nat with 1%nat by lia. simpl. rewrite Rmult_1_r. apply div_le_l; lra. }
    all: eapply Rle_trans; [first [apply B1; assumption|apply B2; assumption]|]; apply Rmult_le_compat_l; [lra|]; apply X;
      [lia|lia|].
    all: apply high_least; auto; try lia.
    all: unfold z; try (replace (S g - j)%nat with (S (g - j)) by lia; cbn [pow]); specialize (P (g - j)%nat); field; lra.
Qed.

(* ---- Steps that look the same, and mirror images *)
Lemma step_stays : forall j g i l, steady n k (furthest (bends q) 0) j (S g) (j + l) (S (S g) + l) = true -> (i <= l)%nat ->
  (S (j + l) < n)%nat -> (S (g + l) < n)%nat -> bound (j + i) (g + i) = bound j g.
Proof.
  intros j g i l H Hi Hj Hg. assert (E := steady_even n w loss a whole k Hk _ _ _ _ _ H ltac:(lia)). fold even in E.
  assert (A : forall h, h = g \/ h = S g -> line (j + i) (g + i) (h + i) = line j g h).
  { intros h Hh. unfold line, line_of. rewrite E.
    assert (S1 := steady_within n k _ _ _ _ _ (S h) i H ltac:(lia) ltac:(lia) ltac:(lia)).
    change (S (h + i)) with (S h + i)%nat. destruct (beside_stays n w loss a whole k Hk j (S h) i S1 ltac:(lia) ltac:(lia))
      as [X1 X2].
    fold q one in X1, X2. rewrite X1, X2. unfold between.
    replace (apart (S (j + i)) (S h + i)) with (apart (S j) (S h))
      by (unfold apart; destruct (Nat.leb_spec (S j) (S h)), (Nat.leb_spec (S (j + i)) (S h + i)); lia).
    replace (g + i <=? j + i)%nat with (g <=? j)%nat by (destruct (Nat.leb_spec g j), (Nat.leb_spec (g + i) (j + i)); lia).
    replace (h + i =? g + i)%nat with (h =? g)%nat by (destruct (Nat.eqb_spec h g), (Nat.eqb_spec (h + i) (g + i)); lia).
    reflexivity. }
  unfold bound, step_bound. fold line. change (S (g + i)) with (S g + i)%nat.
  replace (g + i =? j + i)%nat with (g =? j)%nat by (destruct (Nat.eqb_spec g j), (Nat.eqb_spec (g + i) (j + i)); lia).
  replace (g + i =? S (j + i))%nat with (g =? S j)%nat by (destruct (Nat.eqb_spec g (S j)),
    (Nat.eqb_spec (g + i) (S (j + i))); lia).
  rewrite (A g), (A (S g)) by auto. reflexivity.
Qed.
Lemma private_mirrored : forall y, private_at y -> private_at (fun f => 1 - y (n - 1 - f)%nat).
Proof.
  intros y (Hy & Hp & Hp'). split; [|split]; intros f Hf.
  - assert (A := Hy (n - 1 - f)%nat ltac:(lia)). lra.
  - destruct (Hp' (n - 1 - S f)%nat ltac:(lia)) as [A B]. replace (S (n - 1 - S f)) with (n - 1 - f)%nat in * by lia.
    cbv beta in *. split; lra.
  - destruct (Hp (n - 1 - S f)%nat ltac:(lia)) as [A B]. replace (S (n - 1 - S f)) with (n - 1 - f)%nat in * by lia.
    cbv beta in *. split; lra.
Qed.
Lemma adds_mirrored : (forall f, (f < n)%nat -> mirrored n w f = w f) -> forall j y, (S j < n)%nat ->
  adds n c (S (n - 2 - j)) (n - 2 - j) y = adds n c (S j) j (fun f => 1 - y (n - 1 - f)%nat).
Proof.
  intros Hm j y Hj. unfold adds. rewrite (Sum_back n (fun f => if (f <? S j)%nat then _ else _)). apply Sum_ext.
    intros f Hf. cbv beta.
  replace (n - 1 - (n - 1 - f))%nat with f by lia.
  assert (E : change c (n - 2 - j) f = (- change c j (n - 1 - f))%Z).
  { unfold c. rewrite <- (change_mirrored n w loss j f) by lia. unfold change, cost_of. rewrite Hm by auto. reflexivity. }
  rewrite E, opp_IZR. destruct (Nat.ltb_spec f (S (n - 2 - j))), (Nat.ltb_spec (n - 1 - f) (S j)); try lia; ring.
Qed.

Section Runs.
Variables (half twice : nat) (ys : nat -> nat -> R).
Hypothesis Hhalf : (half <= n - 1)%nat.
Hypothesis Htwice : (twice <= n - 1)%nat.
Hypothesis Hsame : twice = O \/ forall f, (f < n)%nat -> mirrored n w f = w f.
Hypothesis Hys : forall j, (S j < n)%nat -> private_at (ys j).
Let added j := adds n c (S j) j (ys j).
Let both i := added i + if (i <? twice)%nat then added (n - 2 - i)%nat else 0.

Lemma run_sound : forall j g v count, (j + count <= half)%nat -> (S (g + (count - 1)) < n)%nat ->
  (forall i, (i < count)%nat -> bound (j + i) (g + i) = v) ->
  IZR (Z.of_nat (count + (Nat.min (j + count) twice - j)) * v) <= IZR one * Sum count (fun i => both (j + i)%nat).
Proof.
  intros j g v count Hj Hg Hv. rewrite mult_IZR. induction count as [|count IH].
  - replace (0 + (Nat.min (j + 0) twice - j))%nat with O by lia. simpl. lra.
  - specialize (IH ltac:(lia) ltac:(lia) ltac:(intros; apply Hv; lia)). cbn [Sum]. rewrite Rmult_plus_distr_l.
    assert (A := Hv count ltac:(lia)). assert (B : IZR v <= IZR one * added (j + count)%nat).
    { rewrite <- A. apply step_sound; [lia|lia|]. apply Hys. lia. }
    unfold both at 2. destruct (Nat.ltb_spec (j + count) twice) as [L|L].
    + assert (C : IZR v <= IZR one * added (n - 2 - (j + count))%nat).
      { unfold added. destruct Hsame as [|Hm]; [lia|]. rewrite adds_mirrored by (auto; lia). rewrite <- A.
        apply step_sound; [lia|lia|].
        apply private_mirrored. apply Hys. lia. }
      replace (S count + (Nat.min (j + S count) twice - j))%nat with (2 + (count + (Nat.min (j + count) twice - j)))%nat
        by (clear - L; lia).
      rewrite Nat2Z.inj_add, plus_IZR. simpl (IZR (Z.of_nat 2)). lra.
    + replace (S count + (Nat.min (j + S count) twice - j))%nat with (1 + (count + (Nat.min (j + count) twice - j)))%nat
        by (clear - L; lia).
      rewrite Nat2Z.inj_add, plus_IZR. simpl (IZR (Z.of_nat 1)). lra.
Qed.
Lemma runs_sound : forall runs j s s', (j <= half)%nat ->
  bound_runs n w loss q even one err a whole k (furthest (bends q) 0) half twice runs j s = Some s' ->
  IZR s' <= IZR s + IZR one * Sum (half - j) (fun i => both (j + i)%nat).
Proof.
  induction runs as [|[count g] runs IH]; intros j s s' Hj H.
  - unfold bound_runs in H. cbn [fold_left] in H. destruct (Nat.eqb_spec j half); [|discriminate]. injection H as <-.
    replace (half - j)%nat with O by lia. simpl. lra.
  - rewrite bound_runs_next, lesser_min in H. destruct (_ && _) eqn:C in H; [|discriminate]. apply andb_true_iff in C as [C1 C2].
    facts. apply IH in H; [|lia].
    rewrite (Sum_split count (half - j)) by lia.
    rewrite (Sum_ext (half - j - count) (fun i => both (j + (count + i))%nat) (fun i => both (j + count + i)%nat))
      by (intros; f_equal; lia).
    replace (half - j - count)%nat with (half - (j + count))%nat by lia.
    assert (R := run_sound j g (bound j g) count ltac:(lia) ltac:(lia)). fold bound in H.
    rewrite plus_IZR in H. enough (IZR (Z.of_nat (count + (Nat.min (j +
      count) twice - j)) * bound j g) <= IZR one * Sum count (fun i => both (j + i)%nat)) by lra.
    apply R. intros i Hi. apply orb_true_iff in C2 as [C2|C2].
    + facts. replace i with O by lia. rewrite !Nat.add_0_r. reflexivity.
    + apply (step_stays j g i (count - 1)); auto; lia.
Qed.
Lemma both_all : twice = (n - 1 - half)%nat -> (twice <= half)%nat -> Sum half both = Sum (n - 1) added.
Proof.
  clear - Hhalf. intros Ht Hth. unfold both. rewrite Sum_add, Sum_before, (Sum_split half (n - 1) added) by lia. f_equal.
  rewrite <- Ht, (Sum_back twice (fun i => added (half + i)%nat)). apply Sum_ext. intros i Hi. f_equal. lia.
Qed.
End Runs.
End Sound.

(* ---- No mechanism has less. *)
Lemma private_prob : forall n ps zero c unit M v p x whole A, achieves (row n n ps zero c unit) M v -> In p ps ->
  is_pure p x = true ->
  (0 < whole)%Z -> private_at n (decay_of x whole) whole (fun f => prob n M A f).
Proof.
  intros n ps zero c unit M v p x whole A0 HM Hp Hx HW. unfold is_pure in Hx. apply andb_true_iff in Hx as [Hx H].
  destruct (kind p) eqn:Hk; try discriminate. destruct (delta p) as [[dn dd]|] eqn:Hd; [|discriminate]. facts. subst dn.
  assert (A := a_range n n ps zero c unit M v HM A0).
  assert (B := fun f g => private_sets n n ps zero c unit M v HM A0 p (0%Z, dd) f g Hp Hk Hd).
  cbn [fst snd] in B. replace (0 / IZR dd) with 0 in B by (unfold Rdiv; ring). set (e := exp (real_epsilon (eps p))) in *.
  set (d := IZR (decay_of x whole) / IZR whole). assert (HE : 0 <= d /\ d * e <= 1).
  { destruct (encloses_sound _ _ Hx) as (_ & _ & Hn & Hf & _ & HF). fold e in HF. assert (He : 0 < e) by apply exp_pos.
    apply IZR_lt in HW as HWR.
    assert (F := floor_below (whole * f_den x) (f_num x) ltac:(apply lt_IZR; auto)). fold (decay_of x whole) in F.
      rewrite mult_IZR in F.
    split. { apply div_nonneg; auto. apply IZR_le. unfold decay_of. apply lt_IZR in Hn, Hf. apply Z.div_pos; nia. }
    apply Rle_trans with (IZR (f_den x) / IZR (f_num x) * (IZR (f_num x) / IZR (f_den x))); [|right; field; lra].
    apply Rmult_le_compat; auto; try lra.
    - apply div_nonneg; auto. apply IZR_le. unfold decay_of. apply lt_IZR in Hn, Hf. apply Z.div_pos; nia.
    - unfold d. apply div_le_l; auto. replace (IZR (f_den x) / IZR (f_num x) * IZR whole)
      with (IZR whole * IZR (f_den x) / IZR (f_num x)) by (field; lra). auto. }
  assert (L : forall s t, 0 <= t -> s <= e * t + 0 -> d * s <= t).
  { intros s t Ht Hs. apply Rle_trans with (d * (e * t)). apply Rmult_le_compat_l; lra. 
    apply Rle_trans with (1 * t); [|lra]. rewrite <- Rmult_assoc. apply Rmult_le_compat_r; lra. }
  split; [exact A|]. fold d.
  assert (A1 := fun f Hf => proj1 (A f Hf)).
    assert (A2 : forall f, (f < n)%nat -> 0 <= 1 - prob n M A0 f) by (intros f Hf; assert (Q := A f Hf); lra).
  split; intros f Hf; destruct (B f (S f) ltac:(lia) Hf ltac:(auto)) as [B1 B2];
    destruct (B (S f) f Hf ltac:(lia) ltac:(auto)) as [B3 B4];
    split; apply L; auto; first [apply A1|apply A2]; lia.
Qed.

Theorem tails_bounded : forall p x n w loss unit whole k runs twofold on od, (0 < whole)%Z ->
  tails_bound p x n w loss unit whole k runs twofold (on, od) = true ->
  forall ps zero M v, In p ps -> achieves (row n n ps zero (cost_of (ByDistance w loss)) unit) M v -> IZR on / IZR od <= v.
Proof.
  intros p x n w loss unit whole k runs twofold on od HW H ps zero M v Hp HM. unfold tails_bound in H.
    apply andb_true_iff in H as [H1 H]. facts.
  match goal with A : question_ok _ _ _ _ _ = true |- _ => rename A into Hq end.
    match goal with A : is_pure _ _ = true |- _ => rename A into Hx end.
  match goal with A : (0 < od)%Z |- _ => apply IZR_lt in A; rename A into Hod end.
  destruct (question_facts n w loss unit Hq) as (Hn & Hu & Hs & _). apply IZR_lt in Hu as HuR.
    set (c := cost_of (ByDistance w loss)) in *.
  set (added := fun j => adds n c (S j) j (fun f => prob n M (fun r => (r <=? j)%nat) f)).
  set (const := loss_constant n n (ByDistance w loss)) in *.
  assert (T : (IZR const + Sum (n - 1) added) / IZR unit <= v).
  { destruct HM as (HS & _ & _ & _ & _ & HL). cbn [aim row] in HL. eapply Rle_trans; [|exact HL]. right.
    rewrite (total_by_steps n n ps zero c unit S M HS ltac:(lia) Hu). unfold const. rewrite (loss_constant_sound n n _ Hs).
      reflexivity. }
  assert (P : forall j, private_at n (decay_of x whole) whole (fun f => prob n M (fun r => (r <=? j)%nat) f)).
  { intros j. apply (private_prob n ps zero c unit M v p x whole (fun r => (r <=? j)%nat)); auto. }
  eapply Rle_trans; [|exact T]. destruct (Z.leb_spec (decay_of x whole) 0) as [Ha|Ha].
  - facts. apply IZR_le in H. rewrite !mult_IZR in H. apply div_le_div; auto.
    assert (0 <= Sum (n - 1) added).
    { apply Sum_nonneg. intros j Hj. apply (adds_nonneg n n (ByDistance w loss)); auto. apply (proj1 (P j)). }
    assert (IZR od * IZR const <= (IZR const + Sum (n - 1) added) * IZR od); [|lra]. rewrite Rmult_comm.
      apply Rmult_le_compat_r; lra.
  - apply andb_true_iff in H as [Hk H]. apply andb_true_iff in Hk as [Hk Ht]. assert (Ho := one_positive n w loss _ whole k Hk).
    set (one := fine (decay_of x whole) whole) in *. set (half := if twofold then Nat.div2 n else (n - 1)%nat) in *.
    destruct (bound_runs _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _) as [s|] eqn:R in H; [|discriminate]. facts. apply IZR_le in H.
    rewrite !mult_IZR, plus_IZR, mult_IZR in H.
    assert (Hh : (half <= n - 1)%nat /\ (n - 1 - half <= half)%nat /\ (twofold = false -> (n - 1 - half = 0)%nat)).
    { unfold half. destruct twofold; [|lia]. assert (D := Nat.div2_odd n).
      destruct (Nat.odd n); simpl Nat.b2n in D; split; try lia; split; try lia; discriminate. }
    destruct Hh as (Hh1 & Hh2 & Hh3).
    apply (runs_sound n w loss unit _ whole k Hq Hk Ha half (n - 1 - half) (fun j f => prob n M (fun r => (r <=? j)%nat)
      f)) in R; auto; try lia.
    + rewrite Nat.sub_0_r in R. simpl Nat.add in R.
      rewrite both_all in R by (auto; lia). fold c one added in R. rewrite Rplus_0_l in R.
      apply div_le_div; auto. apply Rmult_le_reg_r with (IZR one); auto.
        apply Rle_trans with (IZR od * (IZR const * IZR one + IZR s)); [lra|].
      replace ((IZR const + Sum (n - 1) added) * IZR od * IZR one)
        with (IZR od * (IZR const * IZR one + IZR one * Sum (n - 1) added)) by ring.
      apply Rmult_le_compat_l; lra.
    + destruct twofold; [right|left; auto]. simpl in Ht. intros f Hf. apply Z.eqb_eq.
      apply (all_spec n (fun f => mirrored n w f =? w f)%Z); auto.
Qed.
