(* No mechanism on truths in a row has a loss below the bound that the tasks prove: Theorem row_bound_sound. Privacy leaves two
   minorants of each step from one response to the next, A + B x, x being the probability of a response up to there at
   its home. They are made along lines of the privacy, from the home outwards. Any line serves at any truth, so that
   the hints, where which line is lowest, need not be true.

   bound_of_row m n ps zero l unit fs one floor tasks : option Z is the bound, over unit * one:
   - m responses, n truths, privacies ps, whether zero stays zero, the loss l (Losses.v), over `unit`;
   - fs: factors around e^epsilon for each privacy. Lines are those of Steps.lines one ps fs, numbered from 0: lines
     2 i and 2 i + 1 are the steep one and the flat one of privacy i, if all of them are of sets with a delta;
   - one: what stands for 1, 2^h in docs/certificate.md;
   - floor: values at or below it count as 0; - 2^bits one there;
   - tasks, in order:
     Prepare slot {| up; across; up_to; across_to |} makes sequences (A_d, Y_d) for d = 1 .. up_to, and (B_d, Z_d) for
       d = 0 .. across_to, and keeps them in a slot in place of others. Slots are numbered from 0; one beyond those in use
       is the next free one. With l = T - period k the sequences depend on l alone: `up d` is the number of the line
       up(l + period d), `across d` that of across(l - period (d - 1)), d from 1 on. Any number beyond the lines is none.
     Step {| at_step; alike; before; behind; for_place; for_next; certain |}: step j, and alike - 1 more that look the same.
       With the home k of step j, `before` truths from k - before on and `behind` truths from k on count: start is
       k - before, stop is k + behind. for_place and for_next are the slots of the sequences for T and for T + 1.
       certain is None; or Some across where truth 0 is certain to be below (zero stays zero, start = 0, T <= last; alike
       must be 1): `across f` is the number of the line across(T - period f), f = 0 .. k - 1.
       Steps come in increasing order; those that are left out add nothing. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Minorant.
Import ListNotations.
Open Scope R_scope.

Record step := { at_step : nat; alike : nat; before : nat; behind : nat; for_place : nat; for_next : nat; certain : option (nat -> nat) }.
Inductive task := Prepare (slot : nat) (p : profile) | Step (s : step).

Section Chain.
Variables (m n : nat) (l : losses) (one floor : Z) (ls : pairs).

Definition slots := list (pairs * pairs).
Fixpoint put (i : nat) (x : pairs * pairs) (held : slots) {struct held} : slots :=
  match held with [] => [x] | y :: rest => match i with O => x :: rest | S i' => y :: put i' x rest end end.
Definition at_slot (held : slots) (i : nat) : pairs * pairs := match nth_error held i with Some x => x | None => ([], []) end.

Definition cost_before (j k : nat) (sure : bool) (d : nat) : Z :=
  if sure && (S d =? k) then 0%Z else change (cost_of l) j (k - S d).
Definition cost_behind (j k d : nat) : Z := (- change (cost_of l) j (k + d))%Z.
Definition step_value (held : slots) (s : step) : Z :=
  let j := at_step s in let k := home_of l j in
  let sure := match certain s with Some _ => true | None => false end in
  let side i := minorant (cost_before j k sure) (cost_behind j k) (before s) (behind s) (at_slot held i) in
  let least := match certain s with Some hint => after_one one ls hint k 0 one | None => 0%Z end in
  Z.max 0 (least_of_lines one (side (for_place s)) (side (for_next s)) least).
Definition step_ok (zero even : bool) (from : nat) (s : step) : bool :=
  let k := home_of l (at_step s) in
  (from <=? at_step s) && (0 <? alike s) && (alike s <=? m - 1 - at_step s) && (before s <=? k) && (0 <? behind s) &&
  (behind s <=? n - k - (alike s - 1)) && (if alike s =? 1 then true else even) &&
  match certain s with None => true | Some _ => zero && (alike s =? 1) end.

Fixpoint repeated (count : nat) (x s : Z) : Z := match count with O => s | S c => repeated c x (s + x)%Z end.
(* `done` is the first step that is left, what is held, and the sum so far: few arguments, so that OCaml needs no stack. *)
Fixpoint run (zero even : bool) (ts : list task) (done : nat * slots * Z) : option Z :=
  let '(from, held, s) := done in
  match ts with
  | [] => Some s
  | Prepare i p :: rest => run zero even rest (from, put i (sequences one floor ls p) held, s)
  | Step t :: rest =>
      if step_ok zero even from t
      then run zero even rest ((at_step t + alike t)%nat, held, repeated (alike t) (step_value held t) s) else None
  end.

Hypothesis Hone : (0 < one)%Z.
Lemma put_sound : forall x held i, sound n one ls x -> Forall (sound n one ls) held -> Forall (sound n one ls) (put i x held).
Proof.
  intros x. induction held as [|y held IH]; simpl; intros i Hx H. constructor; auto. inversion H; subst. destruct i; constructor; auto.
Qed.
Lemma at_slot_sound : forall held i, Forall (sound n one ls) held -> sound n one ls (at_slot held i).
Proof.
  intros held i H. unfold at_slot. destruct (nth_error held i) eqn:E. apply nth_error_In in E. rewrite Forall_forall in H. auto.
  split; exact I.
Qed.

(* ---- A step, and those that look the same *)
Lemma window : forall a k j b f, signs m n l = true -> (j < m - 1)%nat -> (forall i, (i < n)%nat -> 0 <= a i <= 1) -> k = home_of l j ->
  (b <= k)%nat -> (k + f <= n)%nat ->
  Sum b (fun i => IZR (change (cost_of l) j (k - S i)) * (1 - a (k - S i)%nat)) + Sum f (fun i => IZR (- change (cost_of l) j (k + i)) * a (k + i)%nat)
  <= adds n (cost_of l) k j a.
Proof.
  intros a k j b f Hs Hj Ha Hk Hb Hf. assert (G := signs_sound m n l j). unfold adds. rewrite (Sum_split k n) by lia. apply Rplus_le_compat.
  - rewrite (Sum_reversed k). rewrite (Sum_ext k _ (fun i => IZR (change (cost_of l) j (k - S i)) * (1 - a (k - S i)%nat))).
    2:{ intros i Hi. destruct (Nat.ltb_spec (k - S i) k); [reflexivity|lia]. }
    apply Sum_grows with (m := k); try lia. intros i Hi. specialize (Ha (k - S i)%nat ltac:(lia)).
    destruct (G (k - S i)%nat Hs Hj ltac:(lia)) as [P _]. apply Rmult_le_pos; [apply IZR_le, P; lia|lra].
  - rewrite (Sum_ext (n - k) _ (fun i => IZR (- change (cost_of l) j (k + i)) * a (k + i)%nat)).
    2:{ intros i Hi. destruct (Nat.ltb_spec (k + i) k); [lia|]. rewrite opp_IZR. reflexivity. }
    apply Sum_grows with (m := (n - k)%nat); try lia. intros i Hi. specialize (Ha (k + i)%nat ltac:(lia)).
    destruct (G (k + i)%nat Hs Hj ltac:(lia)) as [_ P]. apply Rmult_le_pos; [apply IZR_le|lra]. specialize (P ltac:(lia)). lia.
Qed.

(* The probability of a response up to j, at each truth *)
Variable a : nat -> nat -> R.
Variable zero : bool.
Hypothesis Ha : forall j, (j < m - 1)%nat -> keeps_lines n one ls (a j) /\ (zero = true -> a j O = 1).
Hypothesis Hsigns : signs m n l = true.
Let added (j : nat) : R := IZR one * adds n (cost_of l) (home_of l j) j (a j).
Lemma added_nonneg : forall j, (j < m - 1)%nat -> 0 <= added j.
Proof.
  intros j Hj. apply Rmult_le_pos. apply IZR_le. lia. apply adds_nonneg with (m := m); auto. apply Ha. auto.
Qed.
Lemma step_sound : forall first held s, Forall (sound n one ls) held -> step_ok zero (even_weights n l) first s = true ->
  (first <= at_step s)%nat /\ (at_step s + alike s <= m - 1)%nat /\ forall i, (i < alike s)%nat -> IZR (step_value held s) <= added (at_step s + i).
Proof.
  intros first held s Hh H. unfold step_ok in H. cbv zeta in H. facts. split; [auto|]. split; [lia|]. intros i Hi.
  set (j := at_step s) in *. assert (Hj : (j + i < m - 1)%nat) by lia. destruct (Ha _ Hj) as [Ga Gz].
  match goal with C : match certain s with _ => _ end = true |- _ => rename C into Hc end.
  match goal with C : (if _ then true else _) = true |- _ => rename C into He end.
  assert (Hk : home_of l (j + i) = (home_of l j + i)%nat /\ (i = O \/ even_weights n l = true)).
  { destruct (Nat.eqb_spec (alike s) 1) as [E|_]. replace i with O by lia. rewrite !Nat.add_0_r. auto.
    destruct l; [|discriminate]. simpl. auto. }
  destruct Hk as [Hk Hev]. set (k := home_of l j) in *.
  assert (Cb : forall d, (d < before s)%nat -> change (cost_of l) j (k - S d) = change (cost_of l) (j + i) (k + i - S d)).
  { intros d Hd. destruct Hev as [-> | Hev]. rewrite !Nat.add_0_r. auto. unfold k in *. destruct l; [|discriminate]. simpl home_of in *.
    symmetry. replace (S j + i)%nat with (S (j + i)) by lia. apply (even_before n n); auto; lia. }
  assert (Cf : forall d, (d < behind s)%nat -> change (cost_of l) j (k + d) = change (cost_of l) (j + i) (k + i + d)).
  { intros d Hd. destruct Hev as [-> | Hev]. rewrite !Nat.add_0_r. auto. unfold k in *. destruct l; [|discriminate]. simpl home_of in *.
    symmetry. replace (S j + i)%nat with (S (j + i)) by lia. apply (even_behind n); auto; lia. }
  assert (Sg := fun f => signs_sound m n l (j + i) f Hsigns Hj). rewrite Hk in Sg.
  set (x := a (j + i) (k + i)%nat). unfold step_value. cbv zeta. fold j k.
  set (sure := match certain s with Some _ => true | None => false end).
  assert (Each : forall slot, let '(A, B) := minorant (cost_before j k sure) (cost_behind j k) (before s) (behind s)
    (at_slot held slot) in IZR A + IZR B * x <= added (j + i)).
  { intros slot. assert (P : forall d, (d < before s)%nat -> (0 <= cost_before j k sure d <= change (cost_of l) (j + i) (k + i - S d))%Z).
    { intros d Hd. unfold cost_before. destruct (Sg (k + i - S d)%nat ltac:(lia)) as [G _]. specialize (G ltac:(lia)).
      destruct (sure && _); [lia|]. rewrite Cb; auto. lia. }
    assert (Q : forall d, (d < behind s)%nat -> cost_behind j k d = (- change (cost_of l) (j + i) (k + i + d))%Z).
    { intros d Hd. unfold cost_behind. rewrite Cf; auto. }
    assert (MS := minorant_sound n one ls Hone (a (j + i)) (k + i) (cost_before j k sure) (cost_behind j k) (before s) (behind s) (at_slot held slot) Ga
      (at_slot_sound held slot Hh) ltac:(lia) ltac:(lia) ltac:(lia) ltac:(intros d Hd; apply P; auto)).
    destruct (minorant _ _ _ _ _) as [A B]. eapply Rle_trans; [apply MS|].
    - intros d Hd. rewrite Q by auto. destruct (Sg (k + i + d)%nat ltac:(lia)) as [_ G]. specialize (G ltac:(lia)). lia.
    - unfold added. apply Rmult_le_compat_l. apply IZR_le; lia. rewrite Hk.
      eapply Rle_trans; [|apply (window (a (j + i)) (k + i) (j + i) (before s) (behind s)); auto; try lia; apply Ga].
      apply Rplus_le_compat; apply Sum_mono; intros d Hd.
      + assert (R := proj1 Ga (k + i - S d)%nat ltac:(lia)). apply Rmult_le_compat_r; [lra|]. apply IZR_le, P; auto.
      + rewrite Q by auto. lra. }
  assert (E1 := Each (for_place s)). assert (E2 := Each (for_next s)). clear Each.
  destruct (minorant _ _ _ _ (at_slot held (for_place s))) as [A B]. destruct (minorant _ _ _ _ (at_slot held (for_next s))) as [A' B'].
  assert (Rx := proj1 Ga (k + i)%nat ltac:(lia)). fold x in Rx. assert (HoR := IZR_lt _ _ Hone).
  match goal with |- IZR (Z.max 0 ?v) <= _ => enough (IZR v <= added (j + i))
    by (destruct (Z.max_spec 0 v) as [[_ ->]|[_ ->]]; auto; apply added_nonneg; auto) end.
  apply (least_of_lines_sound one Hone) with (x := x); auto. destruct (certain s) as [hint|].
  - apply andb_true_iff in Hc as [Hz Ho]. apply Nat.eqb_eq in Ho. assert (i = O) by lia. subst i. unfold x. rewrite !Nat.add_0_r in *.
    apply (after_one_sound n one ls Hone (a j) hint Ga k O one); [lia|]. rewrite Gz by auto. lra.
  - apply Rmult_le_pos; lra.
Qed.

Lemma repeated_sound : forall count x s (X : nat -> R), (forall i, (i < count)%nat -> IZR x <= X i) -> IZR (repeated count x s) <= IZR s + Sum count X.
Proof.
  induction count as [|c IH]; simpl; intros x s X H. lra. specialize (IH x (s + x)%Z X ltac:(auto)). rewrite plus_IZR in IH.
  specialize (H c ltac:(lia)). lra.
Qed.
Lemma run_sound : forall ts first held s z, (first <= m - 1)%nat -> Forall (sound n one ls) held ->
  run zero (even_weights n l) ts (first, held, s) = Some z -> IZR z <= IZR s + Sum (m - 1 - first) (fun i => added (first + i)).
Proof.
  induction ts as [|[slot p|t] ts IH]; simpl; intros first held s z Hf Hh H.
  - injection H as <-. assert (0 <= Sum (m - 1 - first) (fun i => added (first + i))); [|lra].
    apply Sum_nonneg. intros. apply added_nonneg. lia.
  - apply IH in H; auto. apply put_sound; auto. apply (sequences_sound n one floor ls Hone).
  - destruct (step_ok _ _ _ _) eqn:C; [|discriminate]. destruct (step_sound first held t Hh C) as (H1 & H2 & H3).
    apply IH in H; auto. eapply Rle_trans; [exact H|]. assert (T := repeated_sound (alike t) (step_value held t) s _ H3).
    rewrite (Sum_split (at_step t - first) (m - 1 - first)) by lia. rewrite (Sum_split (alike t) (m - 1 - first - _)) by lia.
    assert (N : 0 <= Sum (at_step t - first) (fun i => added (first + i))) by (apply Sum_nonneg; intros; apply added_nonneg; lia).
    rewrite (Sum_ext (alike t) (fun i => added (first + _)) (fun i => added (at_step t + i))) by (intros; f_equal; lia).
    rewrite (Sum_ext (m - 1 - first - _ - _) _ (fun i => added (at_step t + alike t + i))) by (intros; f_equal; lia).
    replace (m - 1 - first - (at_step t - first) - alike t)%nat with (m - 1 - (at_step t + alike t))%nat by lia. lra.
Qed.
End Chain.

Definition bound_of_row (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors) (one floor : Z)
    (tasks : list task) : option Z :=
  if (0 <? m) && (0 <? n) && (0 <? unit)%Z && (0 <? one)%Z && signs m n l then
    match run m n l one floor (lines one ps fs) zero (even_weights n l) tasks (O, [], 0%Z) with
    | Some s => Some (loss_constant m n l * one + s)%Z
    | None => None end
  else None.

(* No mechanism of the question has a smaller loss. *)
Theorem row_bound_sound : forall m n ps zero l unit fs one floor tasks z, bound_of_row m n ps zero l unit fs one floor tasks = Some z ->
  forall M v, achieves (row m n ps zero (cost_of l) unit) M v -> IZR z / (IZR unit * IZR one) <= v.
Proof.
  intros m n ps zero l unit fs one floor tasks z H M v HM. unfold bound_of_row in H. destruct (_ && _) eqn:C; [|discriminate]. facts.
  destruct (run _ _ _ _ _ _ _ _ _ _) as [s|] eqn:E; [|discriminate]. injection H as <-.
  assert (HS := proj1 HM). assert (Hone : (0 < one)%Z) by auto. assert (HoR := IZR_lt _ _ Hone). assert (HuR : 0 < IZR unit) by (apply IZR_lt; auto).
  set (a := fun j f => prob m M (fun r => (r <=? j)%nat) f) in *.
  apply run_sound with (a := a) in E; auto; try lia.
  - rewrite Nat.sub_0_r in E. cbn [Nat.add] in E. rewrite Sum_scale in E.
    assert (T := total_by_steps m n ps zero (cost_of l) unit (home_of l) M HS ltac:(auto) ltac:(auto)).
    rewrite <- loss_constant_sound in T by auto. assert (V : total_loss (row m n ps zero (cost_of l) unit) M <= v) by apply HM.
    rewrite T in V. unfold a in E. cbv beta in E.
    eapply Rle_trans; [|exact V]. apply div_le_div; auto. apply Rmult_lt_0_compat; auto. rewrite plus_IZR, mult_IZR.
    match type of E with _ <= 0 + _ * ?x => set (X := x) in * end.
    replace (_ * (IZR unit * IZR one)) with ((IZR (loss_constant m n l) * IZR one + IZR one * X) * IZR unit) by ring.
    apply Rmult_le_compat_r; lra.
  - intros j Hj. split; [split|].
    + intros f Hf. apply (prob_range m n); auto.
    + intros x o Hin. eapply (lines_sound m n ps zero (cost_of l) unit M v HM (fun r => (r <=? j)%nat)); eauto.
    + intros ->. destruct HM as (_ & _ & _ & HR & _). cbn [rules row] in HR. inversion HR as [|? ? K _]; subst. cbn in K.
      assert (R := prob_range m n M (fun r => (r <=? j)%nat) O HS ltac:(auto)). change (0 <= a j O <= 1) in R.
      assert (G : M O O <= a j O); [|lra]. unfold a. rewrite prob_up_to by lia.
      apply (Sum_member (S j) (fun r => M r O) O); [|lia]. intros r Hr. apply HS; cbn; [lia|auto].
Qed.
