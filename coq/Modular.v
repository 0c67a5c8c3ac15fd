(* Bounds of modular noise by its levels: what is checked, and that a question which passes has one noise at all truths.
   LevelBounds.v says why that is enough. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Words Cuts Levels Cases.
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
  all (step_count s) (fun j => (step_value p j <? n)%nat && all n (fun i => (goes s i j =? response_of p i (step_value p j))%nat) &&
    existsb (fun e => (fst (fst e) =? step_value p j)%nat) to_first) &&
  all n (fun i => (root_level p i =? S (top_level s i))%nat || ((root_level p i =? 1)%nat && is_step s i)).
Definition cost_of (q : question) (p : level_proof) (i : nat) : Z := total (values (shape p)) (fun f => cost q (response_of p i f) f).
Definition costs_hold (q : question) (p : level_proof) : bool :=
  (cost_of q p 0 <? other_cost p) && all (values (shape p)) (fun i => (i =? 0)%nat || (other_cost p <=? cost_of q p i)).

Fixpoint same_terms (l k : list term) : bool :=
  match l, k with
  | [], [] => true
  | (r, f, c) :: l', (r', f', c') :: k' => (r =? r')%nat && (f =? f')%nat && (c =? c') && same_terms l' k'
  | _, _ => false
  end.
Definition same_rule (a b : rule) : bool := eqb (equation a) (equation b) && (right a =? right b) && same_terms (terms a) (terms b).

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
