(* The claims of a whole certificate, at the end of this file: Theorems certificate_sound and levels_certificate_sound.

   Before them: bounds of modular noise by its levels. First the check, and that a question which passes has one noise at all
   truths; then the reason why that is enough. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Matrix Lines Bound Words Levels Cases.
Import ListNotations.
Open Scope Z_scope.

(* `response_of p f` is the response that noise p makes of truth f, `noise_of r f` the noise that makes r of it. Step j is the
   noise `step_value j`. `root_level p` is the last level of p before any split. No noise but 0 costs less than `other_cost`,
   for all truths together, over the unit of costs; where delta is sought the loss is at most `accepted_loss`. *)
Record level_proof := {
  shape : levels; last_level : nat; response_of : nat -> nat -> nat; noise_of : nat -> nat -> nat;
  step_value : nat -> nat; root_level : nat -> nat;
  level_cap : fraction; other_cost : Z; accepted_loss : fraction; by_cases : cases }.

(* ---- The check *)
Definition is_modular (q : question) (p : level_proof) : bool :=
  let s := shape p in let n := values s in
  let to_first := filter (fun e => let '(f, g, w) := e in (g =? 0)%nat && (w =? 1)%nat) (neighbours q) in
  (responses q =? n)%nat && (truths q =? n)%nat && (0 <? cost_unit q) &&
  all n (fun f => all n (fun i => (response_of p i f <? n)%nat && (noise_of p i f <? n)%nat &&
      (noise_of p (response_of p i f) f =? i)%nat && (response_of p (noise_of p i f) f =? i)%nat) &&
    all n (fun i => Pos.eqb (name q (response_of p i f) f) (name q i 0%nat))) &&
  all (step_count s) (fun j => (step_value p j <? n)%nat &&
    all n (fun i => (goes s i j =? response_of p i (step_value p j))%nat) &&
    existsb (fun e => (fst (fst e) =? step_value p j)%nat) to_first) &&
  all n (fun i => (root_level p i =? S (top_level s i))%nat || ((root_level p i =? 1)%nat && is_step s i)).
Definition cost_of (q : question) (p : level_proof) (i : nat) : Z :=
  total (values (shape p)) (fun f => cost q (response_of p i f) f).
Definition costs_hold (q : question) (p : level_proof) : bool :=
  (cost_of q p 0 <? other_cost p) && all (values (shape p)) (fun i => (i =? 0)%nat || (other_cost p <=? cost_of q p i)).

Fixpoint same_terms (l k : list term) : bool :=
  match l, k with
  | [], [] => true
  | (r, f, c) :: l', (r', f', c') :: k' => (r =? r')%nat && (f =? f')%nat && (c =? c') && same_terms l' k'
  | _, _ => false
  end.
Definition same_rule (a b : rule) : bool := eqb (equation a) (equation b) && (right a =? right b) &&
  same_terms (terms a) (terms b).

(* ---- The bound that leaves show: of T = 1 / f(0) where delta is given, else of delta, where T is at most `longest`. *)
Definition pays_given (s : levels) (d : fraction) (y : level_multipliers) (least : Z) : fraction :=
  (least * snd d, whole_power s * (m_of y * snd d + total (step_count s) (b_of y) * Z.max 0 (fst d))).
Definition pays_sought (s : levels) (longest : fraction) (y : level_multipliers) (least : Z) : fraction :=
  (least * snd longest - m_of y * whole_power s * fst longest,
   whole_power s * (total (step_count s) (b_of y) * Z.max 0 (fst longest))).
(* The room of leaks of at most d, and of mass, where T is at most `longest`. *)
Definition leak_room (s : levels) (d longest : fraction) : Z := fst d * fst longest * whole_power s / (snd d * snd longest).
Definition mass_room (s : levels) (longest : fraction) : Z := (fst longest - snd longest) * whole_power s / snd longest.
Definition value_at (p : level_proof) (d longest : fraction) (pays : level_multipliers -> Z -> fraction) : option fraction :=
  let s := shape p in
  if cut_rooms s (leak_room s d longest) (mass_room s longest)
  then value_of s (level_cap p) pays (is_mirrored s) (by_cases p) (low_level s) (root_level p) else None.

Definition largest_share (x d : fraction) : fraction :=
  let k := if snd x <? fst x then (snd x, fst x) else (1, 1) in
  if fst k * snd d <? fst d * snd k then d else k.
Definition levels_bound (q : question) (x : factors) (p : level_proof) : option fraction :=
  let s := shape p in let unit := cost_unit q in let truth := cost_of q p 0 in
  match privacies q with
  | {| kind := OfMass; eps := e; delta := given |} :: _ =>
    if encloses e x && is_modular q p && costs_hold q p && shape_holds s (last_level p) (f_num x) (f_den x) &&
       (0 <? fst (level_cap p)) && (0 <? snd (level_cap p)) then
      match given, aim q with
      | Some d, TotalLoss =>
        if (0 <=? fst d) && (0 <? snd d) then
          match value_at p d (level_cap p) (pays_given s d) with
          | Some v => let g := largest_share v d in Some (other_cost p * snd g - (other_cost p - truth) * fst g, unit * snd g)
          | None => None
          end
        else None
      | None, LeastDelta =>
        let (a, b) := accepted_loss p in let longest := ((other_cost p - truth) * b, other_cost p * b - a * unit) in
        if existsb (same_rule (bounded (values s) (values s) (cost q) unit a b)) (rules q) && (0 <? b) && (0 <? snd longest) then
          match value_at p (level_cap p) longest (pays_sought s longest) with
          | Some v => Some (smaller v (snd longest, fst longest))
          | None => None
          end
        else None
      | _, _ => None
      end
    else None
  | _ => None
  end.

(* ---- Why that is enough *)
Lemma same_terms_eq : forall l k, same_terms l k = true -> l = k.
Proof.
  induction l as [|[[r f] c] l IH]; intros [|[[r' f'] c'] k] H; simpl in H; try discriminate; auto. facts. f_equal; auto.
  congruence.
Qed.
Lemma same_rule_eq : forall a b, same_rule a b = true -> a = b.
Proof.
  intros [t e r] [t' e' r'] H. unfold same_rule in H. cbn in H. facts. apply eqb_prop in H. f_equal; auto.
  apply same_terms_eq; auto.
Qed.

Open Scope R_scope.
Section Question.
Variables (q : question) (p : level_proof) (M : mechanism) (v : R).
Hypothesis Hmod : is_modular q p = true.
Hypothesis HM : achieves q M v.
Let s := shape p.
Let n := values s.
Let x := fun i => M i 0%nat.

Lemma sizes : responses q = n /\ truths q = n /\ 0 < IZR (cost_unit q).
Proof. unfold is_modular in Hmod. facts. repeat split; auto. apply IZR_lt; auto. Qed.
Lemma plus_onto : forall f, (f < n)%nat -> onto n (fun i => response_of p i f) (fun i => noise_of p i f).
Proof.
  intros f Hf. unfold is_modular in Hmod. facts. match goal with A : all (values (shape p)) _ = true,
    B : all (values (shape p)) (fun i => _ || _) = true |- _ =>
    apply all_spec with (i := f) in A; auto end. facts. apply onto_check. auto.
Qed.
Lemma entry_of_noise : forall i f, (i < n)%nat -> (f < n)%nat -> M (response_of p i f) f = x i.
Proof.
  intros i f Hi Hf. destruct (plus_onto f Hf i Hi) as (Hp & _). destruct sizes as (Er & Et & _).
  destruct HM as (_ & HT & _). apply HT; rewrite ?Er, ?Et; auto. fold n; lia.
  unfold is_modular in Hmod. facts. match goal with A : all (values (shape p)) _ = true,
    B : all (values (shape p)) (fun i => _ || _) = true |- _ =>
    apply all_spec with (i := f) in A; auto end. facts.
  match goal with A : all (values (shape p)) (fun i => Pos.eqb _ _) = true |- _ => apply all_spec with (i := i) in A; auto;
    apply Pos.eqb_eq in A; exact A end.
Qed.
Lemma noise_nonneg : forall i, (i < n)%nat -> 0 <= x i.
Proof. intros i Hi. destruct sizes as (Er & Et & _). destruct HM as ((HN & _) & _). apply HN; rewrite ?Er, ?Et; auto. lia. Qed.
Lemma noise_sum : (0 < n)%nat -> Sum n x = 1.
Proof. intros Hn. destruct sizes as (Er & Et & _). destruct HM as ((_ & HS) & _). rewrite <- Er. apply HS. rewrite Et. auto. Qed.

(* The mass that leaks at a step. *)
Lemma noise_leaks : forall e d rest, privacies q = {| kind := OfMass; eps := e; delta := d |} :: rest ->
  forall j, (j < step_count s)%nat -> Sum n (fun i => if Rlt_dec (exp (INR 1 * real_epsilon e) * x (goes s i j)) (x i)
    then x i else 0) <=
  match d with Some (a, b) => IZR a / IZR b | None => v end.
Proof.
  intros e d rest E j Hj. destruct sizes as (Er & Et & _). assert (H := Hmod). unfold is_modular in H. facts.
  match goal with A : all (step_count (shape p)) _ = true |- _ => apply all_spec with (i := j) in A; auto end. facts.
  match goal with A : existsb _ _ = true |- _ => apply existsb_exists in A as ([[f g] w] & Hin & A) end.
  apply filter_In in Hin as [Hin Hgw]. cbn [fst] in *. facts. subst f g w.
  destruct HM as (_ & _ & _ & _ & HP & _). rewrite E in HP. inversion_clear HP as [|? ? P _]. specialize (P _ _ _ Hin).
  cbn [kind eps delta close] in P. unfold violated in P. rewrite Er in P.
  rewrite <- (Sum_onto n _ _ _ (plus_onto (step_value p j) ltac:(auto))) in P. cbv beta in P.
  eapply Rle_trans; [|exact P]. right. apply Sum_ext. intros i Hi. rewrite entry_of_noise by auto.
  match goal with A : all (values (shape p)) (fun i => (goes _ i j =? _)%nat) = true |- _ => apply all_spec with (i := i) in A;
    auto end. facts.
  unfold s. match goal with A : goes _ i j = _ |- _ => rewrite A end. reflexivity.
Qed.

(* The loss, by noise values. *)
Lemma loss_by_noise : total_loss q M = Sum n (fun i => IZR (cost_of q p i) / IZR (cost_unit q) * x i).
Proof.
  destruct sizes as (Er & Et & Hu). unfold total_loss, loss_at. rewrite Er, Et.
  rewrite (Sum_ext n _ (fun f => Sum n (fun i => IZR (cost q (response_of p i f) f) / IZR (cost_unit q) * x i))).
  2:{ intros f Hf. rewrite <- (Sum_onto n _ _ _ (plus_onto f Hf)). apply Sum_ext. intros i Hi. rewrite entry_of_noise by auto.
  reflexivity. }
  rewrite Sum_swap. apply Sum_ext. intros i Hi. unfold cost_of. fold s. fold n. rewrite total_Sum.
  rewrite (Sum_ext n _ (fun f => x i / IZR (cost_unit q) * IZR (cost q (response_of p i f) f))) by (intros; field; lra).
  rewrite Sum_scale. field. lra.
Qed.
Lemma loss_below : (0 < n)%nat -> costs_hold q p = true ->
  IZR (other_cost p) - IZR (other_cost p - cost_of q p 0) * x 0%nat <= IZR (cost_unit q) * total_loss q M.
Proof.
  intros Hn H. unfold costs_hold in H. facts. destruct sizes as (_ & _ & Hu). rewrite loss_by_noise.
  assert (E : IZR (other_cost p) - IZR (other_cost p - cost_of q p 0) * x 0%nat =
    Sum n (fun i => IZR (other_cost p) * x i - (if (i =? 0)%nat then IZR (other_cost p - cost_of q p 0) * x 0%nat else 0))).
  { rewrite Sum_sub, Sum_scale, noise_sum, Sum_pick by auto. ring. }
  rewrite E, <- Sum_scale. apply Sum_mono. intros i Hi. cbv beta.
  replace (IZR (cost_unit q) * (IZR (cost_of q p i) / IZR (cost_unit q) * x i)) with (IZR (cost_of q p i) * x i) by (field; lra).
  assert (X := noise_nonneg i Hi). destruct (Nat.eqb_spec i 0) as [->|N]. { rewrite minus_IZR. lra. }
  match goal with A : all _ _ = true |- _ => apply all_spec with (i := i) in A; auto end.
  destruct (Nat.eqb_spec i 0); [contradiction|]. cbn [orb] in *. facts. rewrite Rminus_0_r. apply Rmult_le_compat_r; auto.
  apply IZR_le; auto.
Qed.
Lemma root_range : forall T B t, fits s T B t -> in_range s t (low_level s) (root_level p).
Proof.
  intros T B t F i Hi V. assert (R := from_root _ _ _ _ F i Hi V). cbv beta in R. unfold is_modular in Hmod. facts.
  match goal with A : all (values (shape p)) (fun i => _ || _) = true |- _ => apply all_spec with (i := i) in A; auto;
    apply orb_true_iff in A as [A|A] end; facts.
  - unfold s in *. lia.
  - match goal with A : is_step _ _ = true |- _ => apply any_spec in A as (j & Hj & A) end. facts. unfold s in *.
    assert (E := at_steps _ _ _ _ F j Hj). subst i. lia.
Qed.
End Question.

(* ==== Theorem levels_bound_sound: no mechanism of a question of modular noise has an objective below the bound that its proof on
   levels shows. *)
(* ---- Cuts have the room that noises leave to them. *)
Lemma leak_fits : forall z o D T dn dd mn md, 0 <= IZR o -> (0 < dd)%Z -> (0 < md)%Z -> 0 <= D -> D * IZR dd <= IZR dn -> 0 <=
  T -> T * IZR md <= IZR mn ->
  IZR z <= IZR o * (D * T) -> (z <= dn * mn * o / (dd * md))%Z.
Proof.
  intros z o D T dn dd mn md Ho Hd Hm HD HD' HT HT' H. apply Z.div_le_lower_bound. nia. apply le_IZR. rewrite !mult_IZR.
  apply IZR_lt in Hd, Hm.
  assert (A : (D * IZR dd) * (T * IZR md) <= IZR dn * IZR mn) by (apply Rmult_le_compat; auto; apply Rmult_le_pos; lra).
  assert (P : 0 < IZR dd * IZR md) by (apply Rmult_lt_0_compat; auto).
  apply Rmult_le_compat_l with (r := IZR o) in A; auto. apply Rmult_le_compat_l with (r := IZR dd * IZR md) in H; lra.
Qed.
Lemma mass_fits_room : forall z o T mn md, 0 <= IZR o -> (0 < md)%Z -> T * IZR md <= IZR mn -> IZR (o + z) <= IZR o * T ->
  (z <= (mn - md) * o / md)%Z.
Proof.
  intros z o T mn md Ho Hm HT H. apply Z.div_le_lower_bound; auto. apply le_IZR. rewrite !mult_IZR, minus_IZR.
  rewrite plus_IZR in H. apply IZR_lt in Hm.
  apply Rmult_le_compat_l with (r := IZR o) in HT; auto. apply Rmult_le_compat_l with (r := IZR md) in H; lra.
Qed.

Section Bound.
Variables (q : question) (p : level_proof) (x : factors) (z : fraction).
Hypothesis Hmod : is_modular q p = true.
Hypothesis Hshape : shape_holds (shape p) (last_level p) (f_num x) (f_den x) = true.
Hypothesis Hcap : (0 < fst (level_cap p))%Z /\ (0 < snd (level_cap p))%Z.
Let s := shape p.
Let sum_b y := total (step_count s) (b_of y).
Lemma b_sign : forall y, (0 <= sum_b y)%Z.
Proof. intros. apply total_nonneg. intros. unfold b_of. lia. Qed.
Lemma m_sign : forall y, (0 <= m_of y)%Z.
Proof. intros. unfold m_of. lia. Qed.
Lemma unit_pos : (0 < whole_power s)%Z.
Proof. unfold shape_holds in Hshape. facts. auto. Qed.

Lemma value_given : forall d, (0 <= fst d)%Z -> (0 < snd d)%Z -> value_at p d (level_cap p) (pays_given s d) = Some z ->
  forall T, 0 <= T -> (0 < snd z)%Z /\ forall t, fits s T (IZR (fst d) / IZR (snd d) * T) t -> at_most z T.
Proof.
  intros d Hn Hd H T HT. unfold value_at in H. fold s in H. destruct (cut_rooms _ _ _) eqn:C; [|discriminate].
  destruct Hcap as [Ha Hb].
  assert (O := unit_pos). assert (OR := IZR_lt _ _ O). assert (HdR := IZR_lt _ _ Hd). assert (HnR := IZR_le _ _ Hn).
  assert (D0 : 0 <= IZR (fst d) / IZR (snd d)) by (apply div_nonneg; auto).
  destruct (value_sound s (last_level p) (f_num x) (f_den x) _ _ (level_cap p) (pays_given s d) (is_mirrored s) T
    (IZR (fst d) / IZR (snd d) * T) T
    Hshape C (fun e => e) Hcap HT) with (5 := H) as [P Q].
  - intros w X W. unfold leak_room. eapply leak_fits with (6 := HT) (8 := W); auto; try lra. right. field. lra.
  - intros w X W. unfold mass_room. eapply mass_fits_room with (4 := W); auto; lra.
  - intros y w. cbn [snd pays_given]. assert (A := b_sign y). assert (B := m_sign y). fold (sum_b y).
    apply Z.mul_nonneg_nonneg. lia. nia.
  - intros y w W. cbn [fst snd pays_given]. fold (sum_b y) in *. replace (Z.max 0 (fst d)) with (fst d) by lia.
    rewrite !mult_IZR, plus_IZR, !mult_IZR.
    apply Rmult_le_compat_r with (r := IZR (snd d)) in W; [|lra]. eapply Rle_trans; [exact W|]. right. field. lra.
  - split; auto. intros t F. apply (Q t F). eapply root_range; eauto.
Qed.
Lemma value_sought : forall longest, (0 < fst longest)%Z -> (0 < snd longest)%Z ->
  value_at p (level_cap p) longest (pays_sought s longest) = Some z ->
  forall T v, 0 <= T -> T * IZR (snd longest) <= IZR (fst longest) -> 0 <= v -> (0 < snd z)%Z /\ forall t,
    fits s T (v * T) t -> at_most z v.
Proof.
  intros g Hn Hd H T v HT HTg Hv. unfold value_at in H. fold s in H. destruct (cut_rooms _ _ _) eqn:C; [|discriminate].
  destruct Hcap as [Ha Hb].
  assert (O := unit_pos). assert (OR := IZR_lt _ _ O). assert (HdR := IZR_lt _ _ Hd). assert (HnR := IZR_lt _ _ Hn).
  destruct (value_sound s (last_level p) (f_num x) (f_den x) _ _ (level_cap p) (pays_sought s g) (is_mirrored s) T (v * T) v
    Hshape C (fun e => e) Hcap Hv) with (5 := H) as [P Q].
  - intros w X W. unfold leak_room. eapply leak_fits with (6 := HT) (8 := W); auto; lra.
  - intros w X W. unfold mass_room. eapply mass_fits_room with (4 := W); auto; lra.
  - intros y w. cbn [snd pays_sought]. assert (A := b_sign y). fold (sum_b y). apply Z.mul_nonneg_nonneg. lia. nia.
  - intros y w W. cbn [fst snd pays_sought]. fold (sum_b y) in *. replace (Z.max 0 (fst g)) with (fst g) by lia.
    rewrite minus_IZR, !mult_IZR.
    assert (A := IZR_le _ _ (b_sign y)). assert (B := IZR_le _ _ (m_sign y)).
    assert (E : 0 <= IZR (m_of y) + IZR (sum_b y) * v) by (apply Rplus_le_le_0_compat; auto; apply Rmult_le_pos; auto).
    apply Rmult_le_compat_r with (r := IZR (snd g)) in W; [|lra].
    apply Rmult_le_compat_l with (r := IZR (whole_power s) * (IZR (m_of y) + IZR (sum_b y) * v)) in HTg;
      [|apply Rmult_le_pos; lra]. lra.
  - split; auto. intros t F. apply (Q t F). eapply root_range; eauto.
Qed.
End Bound.

Lemma largest_share_sound : forall x d w, (0 < snd x)%Z -> (0 < snd d)%Z -> 0 <= w <= 1 ->
  w * IZR (snd d) <= IZR (fst d) \/ w * IZR (fst x) <= IZR (snd x) ->
  (0 < snd (largest_share x d))%Z /\ w * IZR (snd (largest_share x d)) <= IZR (fst (largest_share x d)).
Proof.
  intros [xn xd] [dn dd] w Hx Hd Hw H. unfold largest_share. cbn [fst snd] in *.
  set (k := if (xd <? xn)%Z then (xd, xn) else (1, 1)%Z).
  assert (K : (0 < snd k)%Z /\ (w * IZR dd <= IZR dn \/ w * IZR (snd k) <= IZR (fst k))).
  { unfold k. destruct (Z.ltb_spec xd xn); cbn [fst snd]; split; try lia; [destruct H; auto|right; lra]. }
  destruct k as [kn kd]. cbn [fst snd] in *. destruct K as [K1 K2]. apply IZR_lt in Hd as HdR. apply IZR_lt in K1 as KR.
  destruct (Z.ltb_spec (kn * dd) (dn * kd)) as [L|L]; cbn [fst snd]; split; auto; destruct K2 as [K2|K2]; auto.
  - apply IZR_lt in L. rewrite !mult_IZR in L. apply Rmult_le_reg_r with (IZR kd); auto.
    apply Rmult_le_compat_r with (r := IZR dd) in K2; lra.
  - apply IZR_le in L. rewrite !mult_IZR in L. apply Rmult_le_reg_r with (IZR dd); auto.
    apply Rmult_le_compat_r with (r := IZR kd) in K2; lra.
Qed.

(* No mechanism of the question has an objective below the bound. *)
Theorem levels_bound_sound : forall q x p z, levels_bound q x p = Some z ->
  forall M v, achieves q M v -> IZR (fst z) / IZR (snd z) <= v.
Proof.
  intros q x p z H M v HM. enough (E : at_most z v) by (destruct E as [P E]; apply div_le_l; [apply IZR_lt; auto|lra]).
  unfold levels_bound in H. destruct (privacies q) as [|[[] e given] rest] eqn:EP; try discriminate.
  destruct (_ && _) eqn:EC in H; [|discriminate]. facts.
  assert (Hmod : is_modular q p = true) by auto. assert (Hcosts : costs_hold q p = true) by auto.
  assert (Hshape : shape_holds (shape p) (last_level p) (f_num x) (f_den x) = true) by auto.
  assert (Hcap : (0 < fst (level_cap p))%Z /\ (0 < snd (level_cap p))%Z) by auto.
  assert (Hn := size_pos _ _ _ _ Hshape). destruct (sizes q p Hmod) as (Er & Et & Hu).
  destruct (encloses_power e x 1 ltac:(auto)) as (_ & _ & _ & Hab). simpl power in Hab. rewrite !Z.mul_1_r in Hab.
  set (f := fun i => M i 0%nat). assert (F0 : 0 <= f 0%nat) by (apply (noise_nonneg q p M v Hmod HM 0); auto).
  assert (F1 : f 0%nat <= 1).
  { rewrite <- (noise_sum q p M v Hmod HM Hn). apply Sum_member with (x := f); auto. intros k Hk.
    apply (noise_nonneg q p M v Hmod HM k Hk). }
  assert (HL : IZR (other_cost p) - IZR (other_cost p - cost_of q p 0) * f 0%nat <=
    IZR (cost_unit q) * total_loss q M) by exact (loss_below q p M v Hmod HM Hn Hcosts).
  assert (Hc : (0 < other_cost p - cost_of q p 0)%Z) by (unfold costs_hold in Hcosts; facts; lia). assert (HcR := IZR_lt _ _ Hc).
  assert (HF : forall d, 0 <= d < f 0%nat -> match given with Some (a, b) => IZR a / IZR b | None => v end <= d ->
    exists t, fits (shape p) (1 / f 0%nat) (d / f 0%nat) t).
  { intros d Hd Hle. exists (level (shape p) f (exp (INR 1 * real_epsilon e))).
    apply (levels_fit (shape p) (last_level p) (f_num x) (f_den x)); auto using exp_pos.
    - intros i Hi. apply (noise_nonneg q p M v Hmod HM i Hi).
    - apply (noise_sum q p M v Hmod HM Hn).
    - intros j Hj. eapply Rle_trans; [|exact Hle]. apply (noise_leaks q p M v Hmod HM e given rest EP j Hj). }
  destruct given as [[dn dd]|]; destruct (aim q) eqn:Ea; try discriminate.
  - cbn [fst snd] in *. destruct (_ && _) eqn:ED in H; [|discriminate]. facts.
    destruct (value_at _ _ _ _) as [w|] eqn:EV; [|discriminate]. injection H as <-.
    assert (Hdd : 0 < IZR dd) by (apply IZR_lt; auto). assert (Hdn : 0 <= IZR dn) by (apply IZR_le; auto).
    assert (D0 := div_nonneg _ _ Hdn Hdd).
    assert (V := value_given q p x w Hmod Hshape Hcap (dn, dd) ltac:(auto) ltac:(auto) EV). cbn [fst snd] in V.
    destruct (V 0 ltac:(lra)) as [Sw _].
    destruct (largest_share_sound w (dn, dd) (f 0%nat) Sw ltac:(auto) ltac:(lra)) as [P Q].
    { cbn [fst snd]. destruct (Rle_dec (f 0%nat) (IZR dn / IZR dd)) as [L|L].
      - left. apply Rmult_le_compat_r with (r := IZR dd) in L; [|lra].
        replace (IZR dn / IZR dd * IZR dd) with (IZR dn) in L by (field; lra). auto.
      - right. destruct (HF (IZR dn / IZR dd) ltac:(lra) ltac:(lra)) as [t Ft].
        destruct (V (1 / f 0%nat) ltac:(apply div_nonneg; lra)) as [_ W].
        replace (IZR dn / IZR dd / f 0%nat) with (IZR dn / IZR dd * (1 / f 0%nat)) in Ft by (field; lra).
        destruct (W t Ft) as [_ E]. apply Rmult_le_compat_l with (r := f 0%nat) in E; auto.
        replace (f 0%nat * (IZR (snd w) * (1 / f 0%nat))) with (IZR (snd w)) in E by (field; lra). auto. }
    destruct HM as (_ & _ & _ & _ & _ & Ho). rewrite Ea in Ho. set (g := largest_share w (dn, dd)) in *.
    assert (PR := IZR_lt _ _ P). assert (Hu' := lt_IZR _ _ Hu). split; cbn [fst snd]. nia.
    rewrite minus_IZR, !mult_IZR. apply Rmult_le_compat_l with (r := IZR (cost_unit q)) in Ho; [|lra].
    assert (A : IZR (other_cost p) - IZR (other_cost p - cost_of q p 0) * f 0%nat <= IZR (cost_unit q) * v) by lra.
    apply Rmult_le_compat_r with (r := IZR (snd g)) in A; [|lra].
    apply Rmult_le_compat_l with (r := IZR (other_cost p - cost_of q p 0)) in Q; lra.
  - destruct (accepted_loss p) as [a b] eqn:EA. destruct (_ && _) eqn:ED in H; [|discriminate].
    apply andb_true_iff in ED as [ED EG]. apply andb_true_iff in ED as [EX EB].
    facts. cbn [snd] in *.
    destruct (value_at _ _ _ _) as [w|] eqn:EV; [|discriminate]. injection H as <-.
    set (g := ((other_cost p - cost_of q p 0) * b, other_cost p * b - a * cost_unit q)%Z) in *.
    assert (Hb : (0 < b)%Z) by auto. assert (HbR := IZR_lt _ _ Hb). assert (G1 : (0 < fst g)%Z) by (cbn; nia).
    assert (G2 : (0 < snd g)%Z) by (cbn; auto).
    assert (V := value_sought q p x w Hmod Hshape Hcap g G1 G2 EV).
    destruct HM as (_ & _ & _ & HR & _ & Hv). rewrite Ea in Hv. apply existsb_exists in EX as (r & Hin & Hr).
    apply same_rule_eq in Hr. subst r.
    rewrite Forall_forall in HR. apply HR, bounded_spec in Hin; auto; [|apply lt_IZR; auto].
    assert (Hloss : total_loss q M <= IZR a / IZR b) by (unfold total_loss, loss_at; rewrite Er, Et; exact Hin).
    assert (GR1 := IZR_lt _ _ G1). assert (GR2 := IZR_lt _ _ G2).
    assert (HA : IZR (snd g) <= IZR (fst g) * f 0%nat).
    { unfold g. cbn [fst snd]. rewrite minus_IZR, !mult_IZR.
      apply Rmult_le_compat_l with (r := IZR (cost_unit q) * IZR b) in Hloss; [|apply Rmult_le_pos; lra].
      replace (IZR (cost_unit q) * IZR b * (IZR a / IZR b)) with (IZR (cost_unit q) * IZR a) in Hloss by (field; lra).
      apply Rmult_le_compat_r with (r := IZR b) in HL; lra. }
    change (at_most (smaller w (snd g, fst g)) v). clearbody g. assert (F2 : 0 < f 0%nat). { destruct F0 as [|E]; auto.
    rewrite <- E in HA. lra. }
    assert (HT : 1 / f 0%nat * IZR (snd g) <= IZR (fst g)).
    { apply Rmult_le_reg_r with (f 0%nat); auto. replace (1 / f 0%nat * IZR (snd g) * f 0%nat) with (IZR (snd g))
        by (field; lra). lra. }
    destruct (V (1 / f 0%nat) v ltac:(apply div_nonneg; lra) HT Hv) as [Sw W].
    destruct (Rle_dec (f 0%nat) v) as [L|L].
    + apply smaller_right; auto. split; cbn [fst snd]; auto. apply Rmult_le_compat_l with (r := IZR (fst g)) in L; lra.
    + apply smaller_left; auto. destruct (HF v ltac:(lra) ltac:(lra)) as [t Ft]. apply (W t).
      replace (v * (1 / f 0%nat)) with (v / f 0%nat) by (field; lra). auto.
Qed.

(* ==== A question whose names and costs were computed once: the same question, if they are the same in its range. *)
Definition copied (q : question) (names : nat -> nat -> positive) (costs : nat -> nat -> Z) : option question :=
  if all (responses q) (fun r => all (truths q) (fun f => (names r f =? name q r f)%positive && (costs r f =? cost q r f)%Z))
  then Some {| responses := responses q; truths := truths q; neighbours := neighbours q; privacies := privacies q;
    name := names; limits := limits q; limit_unit := limit_unit q; rules := rules q;
    cost := costs; cost_unit := cost_unit q; aim := aim q |}
  else None.
Theorem copied_right : forall q names costs q', copied q names costs = Some q' ->
  limit_unit q' = limit_unit q /\ forall M v, achieves q' M v <-> achieves q M v.
Proof.
  intros q names costs q' H. unfold copied in H. destruct (all _ _) eqn:C; [|discriminate]. injection H as <-.
  split; [reflexivity|].
  assert (E : forall r f, (r < responses q)%nat -> (f < truths q)%nat -> names r f = name q r f /\ costs r f = cost q r f).
  { intros r f Hr Hf. assert (K := all_spec _ _ (all_spec _ _ C r Hr) f Hf). apply andb_true_iff in K as [A B].
    apply Pos.eqb_eq in A. apply Z.eqb_eq in B. auto. }
  clear C. intros M v. unfold achieves, total_loss, tied, within_limits.
  cbn [responses truths neighbours privacies name limits limit_unit rules aim].
  assert (Names : (forall r f r' f', (r < responses q)%nat -> (f < truths q)%nat -> (r' < responses q)%nat ->
      (f' < truths q)%nat -> names r f = names r' f' -> M r f = M r' f') <->
    (forall r f r' f', (r < responses q)%nat -> (f < truths q)%nat -> (r' < responses q)%nat ->
      (f' < truths q)%nat -> name q r f = name q r' f' -> M r f = M r' f')).
  { split; intros K r f r' f' Hr Hf Hr' Hf' N; destruct (E r f Hr Hf) as [A _], (E r' f' Hr' Hf') as [B _];
      apply K; auto; congruence. }
  assert (Costs : forall f, (f < truths q)%nat -> loss_at {| responses := responses q; truths := truths q; neighbours :=
    neighbours q;
      privacies := privacies q; name := names; limits := limits q; limit_unit := limit_unit q; rules := rules q; cost := costs;
      cost_unit := cost_unit q; aim := aim q |} M f = loss_at q M f).
  { intros f Hf. unfold loss_at. cbn [responses cost cost_unit]. apply Sum_ext. intros r Hr.
    destruct (E r f Hr Hf) as [_ ->]. reflexivity. }
  rewrite Names, (Sum_ext _ _ (loss_at q M)) by auto.
  assert (Worst : (forall f, (f < truths q)%nat -> loss_at {| responses := responses q; truths := truths q;
      neighbours := neighbours q; privacies := privacies q; name := names; limits := limits q; limit_unit := limit_unit q;
      rules := rules q; cost := costs; cost_unit := cost_unit q; aim := aim q |} M f <= v) <->
    (forall f, (f < truths q)%nat -> loss_at q M f <= v)).
  { split; intros K f Hf; specialize (K f Hf); rewrite Costs in *; auto. }
  destruct (aim q); tauto.
Qed.

(* ==== All that a certificate claims, in one check and one theorem. *)
(* A question, factors around e^epsilon of each privacy, a matrix, its objective on/od, and a proof over `whole`: what is
   returned is the bound, over `whole` times the unit of limits. *)
Definition check (q : question) (fs : list factors) (a : matrix) (claim : Z * Z) (whole : Z) (t : tree) : option Z :=
  if check_matrix q fs a claim then bound_of q fs whole t else None.

(* The matrix is a mechanism of the question, with this objective or a smaller one; and no mechanism of the question has
   an objective below the bound. *)
Theorem certificate_sound : forall q fs a on od whole t z, check q fs a (on, od) whole t = Some z ->
  achieves q (released a) (IZR on / IZR od) /\
  forall M v, achieves q M v -> IZR z / (IZR whole * IZR (limit_unit q)) <= v.
Proof.
  intros q fs a on od whole t z H. unfold check in H. destruct (check_matrix _ _ _ _) eqn:C; [|discriminate]. split.
  - eapply matrix_sound; eauto.
  - intros. eapply bound_sound; eauto.
Qed.

(* The same of modular noise with a proof on levels; the bound is a ratio. *)
Definition check_levels (q : question) (fs : list factors) (a : matrix) (claim : Z * Z) (p : level_proof) : option (Z * Z) :=
  if check_matrix q fs a claim then match fs with x :: _ => levels_bound q x p | nil => None end else None.

Theorem levels_certificate_sound : forall q fs a on od p z, check_levels q fs a (on, od) p = Some z ->
  achieves q (released a) (IZR on / IZR od) /\
  forall M v, achieves q M v -> IZR (fst z) / IZR (snd z) <= v.
Proof.
  intros q fs a on od p z H. unfold check_levels in H. destruct (check_matrix _ _ _ _) eqn:C; [|discriminate]. split.
  - eapply matrix_sound; eauto.
  - destruct fs as [|x fs]; [discriminate|]. intros. eapply levels_bound_sound; eauto.
Qed.
