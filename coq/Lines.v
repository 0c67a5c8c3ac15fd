(* Lines of a proof. Each is a weighted sum of entries and a constant, which for every mechanism of the question with an
   objective of v or less come to at most `paid` times v. Nothing in a proof needs to be true: a line that is not of this
   kind is refused, and any other proves something. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums.
Import ListNotations.
Open Scope R_scope.

Record line := { entries : list term; constant : Z; paid : Z }.

(* A inequality says M r f <= e^(w epsilon) M r h. In one part of a proof by cases it may be decided: kept, or not. *)
Record inequality := { at_r : nat; at_f : nat; at_h : nat; weight : nat }.
Definition decision := (inequality * bool)%type.
Definition same (a b : inequality) : bool :=
  (at_r a =? at_r b) && (at_f a =? at_f b) && (at_h a =? at_h b) && (weight a =? weight b).
Definition decided (path : list decision) (c : inequality) (kept : bool) : bool :=
  existsb (fun d : decision => same (fst d) c && Bool.eqb (snd d) kept) path.

(* One inequality of a pair of neighbours: with a multiplier, which keeps to the budget of the pair unless it is decided
   that the inequality is kept; or decided not to be kept, so that the budget counts. *)
Inductive charge := Compared (r : nat) (u : Z) | Kept (r : nat) (u : Z) | Broken (r : nat).

Section Line.
Variable q : question.
Let m := responses q.
Let n := truths q.

(* ---- The objective: costs of each truth by a weight, less multipliers of the sums of columns. *)
Definition column (weights totals : nat -> Z) (f : nat) : list term :=
  map (fun r => (r, f, (weights f * cost q r f - totals f)%Z)) (seq 0 m).
Definition objective_allowed (whole : Z) (weights : nat -> Z) : bool :=
  (0 <? whole)%Z && match aim q with
     | TotalLoss => all n (fun f => weights f * cost_unit q =? whole)%Z
     | WorstLoss => all n (fun f => 0 <=? weights f)%Z && (total n weights * cost_unit q =? whole)%Z
     | LeastDelta => all n (fun f => weights f =? 0)%Z
     end.
Definition objective_paid (whole : Z) : Z := match aim q with LeastDelta => 0%Z | _ => whole end.
Definition objective_line (whole : Z) (weights totals : nat -> Z) : line :=
  {| entries := flat_map (column weights totals) (seq 0 n); constant := total n totals; paid := objective_paid whole |}.

(* ---- A pair of neighbours. `one` stands for 1, and F^w is rounded up over it. *)
Definition raised (one : Z) (x : factors) (w : nat) : Z := (- (- (one * power (f_num x) w) / power (f_den x) w))%Z.
Definition charge_terms (f h : nat) (one up budget : Z) (c : charge) : list term :=
  match c with
  | Compared r u | Kept r u => [(r, f, (u * one)%Z); (r, h, (- (u * up))%Z)]
  | Broken r => [(r, f, (budget * one)%Z)]
  end.
Definition place_of (c : charge) : nat := match c with Compared r _ | Kept r _ | Broken r => r end.
Definition multiplier (c : charge) : Z := match c with Compared _ u | Kept _ u => u | Broken _ => 0%Z end.
Definition charge_allowed (path : list decision) (p : definition) (f h w : nat) (budget : Z) (c : charge) : bool :=
  let about := {| at_r := place_of c; at_f := f; at_h := h; weight := w |} in
  (place_of c <? m) && (0 <=? multiplier c)%Z &&
  match c, p with
  | Compared _ u, OfOutcomes => true
  | Compared _ u, _ => (u <=? budget)%Z
  | Kept _ _, OfMass => decided path about true
  | Broken _, OfMass => decided path about false
  | _, _ => false
  end.
Fixpoint increasing (from : nat) (cs : list charge) : bool :=
  match cs with [] => true | c :: rest => (from <=? place_of c) && increasing (S (place_of c)) rest end.
Fixpoint sum_of (cs : list charge) : Z := match cs with [] => 0%Z | c :: rest => (multiplier c + sum_of rest)%Z end.

Definition pair_line (path : list decision) (one : Z) (p : privacy) (up : nat -> Z) (pair : nat * nat * nat) (budget : Z)
  (cs : list charge) : option line :=
  let '(f, h, w) := pair in
  let spent := match kind p with OfOutcomes => sum_of cs | _ => budget end in
  if (f <? n) && (h <? n) && (0 <=? budget)%Z && increasing 0 cs && forallb (charge_allowed path (kind p) f h w budget) cs
  then let u := up w in Some {| entries := flat_map (charge_terms f h one u budget) cs;
               constant := match delta p with Some (a, b) => (- (spent * one * a) / b)%Z | None => 0%Z end;
               paid := match delta p with Some _ => 0%Z | None => (spent * one)%Z end |}
  else None.

(* ---- A rule. A list may be as long as the matrix, so that no function goes through it by nested calls. *)
Fixpoint times (y : Z) (l done : list term) : list term :=
  match l with [] => done | (r, f, c) :: rest => times y rest ((r, f, (y * c)%Z) :: done) end.
Definition rule_line (t : rule) (y : Z) : option line :=
  if equation t || (0 <=? y)%Z
  then Some {| entries := times y (terms t) [];
               constant := (- (y * right t))%Z; paid := 0%Z |}
  else None.

(* ---- Why each line holds *)
Variables (M : mechanism) (v : R).
Hypothesis HM : achieves q M v.
Definition holds (l : line) : Prop := value M (entries l) + IZR (constant l) <= IZR (paid l) * v.

Lemma value_app : forall a b, value M (a ++ b) = value M a + value M b.
Proof. induction a as [|[[r f] c] a IH]; simpl; intros. ring. rewrite IH. ring. Qed.
Lemma value_seq : forall k (e : nat -> list term), value M (flat_map e (seq 0 k)) = Sum k (fun i => value M (e i)).
Proof.
  induction k; intros e. reflexivity. rewrite seq_S, flat_map_app, value_app, IHk. simpl. rewrite app_nil_r. reflexivity.
Qed.
Lemma map_as_flat : forall A B (h : A -> B) l, map h l = flat_map (fun i => [h i]) l.
Proof. induction l; simpl; congruence. Qed.
Lemma value_column : forall weights totals f, value M (column weights totals f) =
  Sum m (fun r => (IZR (weights f) * IZR (cost q r f) - IZR (totals f)) * M r f).
Proof.
  intros. unfold column. rewrite map_as_flat, value_seq. apply Sum_ext. intros. simpl. rewrite minus_IZR, mult_IZR. ring.
Qed.

Lemma objective_holds : forall whole weights totals, (0 < cost_unit q)%Z -> objective_allowed whole weights = true ->
  holds (objective_line whole weights totals).
Proof.
  intros whole weights totals Hu C. unfold objective_allowed in C. destruct HM as ((_ & HS) & _ & _ & _ & _ & Hv).
  apply IZR_lt in Hu. fold m in HS. fold n in HS.
  assert (E : value M (flat_map (column weights totals) (seq 0 n)) + IZR (total n totals) =
    IZR (cost_unit q) * Sum n (fun f => IZR (weights f) * loss_at q M f)).
  { rewrite value_seq, total_Sum, <- Sum_add, <- Sum_scale. apply Sum_ext. intros f Hf. rewrite value_column.
    transitivity (IZR (cost_unit q) * (IZR (weights f) * loss_at q M f) - IZR (totals f) * Sum m (fun r => M r f) + IZR
      (totals f)).
    2:{ rewrite HS by auto. ring. }
    f_equal. unfold loss_at. fold m. rewrite <- !Sum_scale, <- Sum_sub. apply Sum_ext. intros. field. lra. }
  unfold holds, objective_line, objective_paid. cbn [entries constant paid]. rewrite E. clear E.
  apply andb_true_iff in C as [Hw C]. apply Z.ltb_lt in Hw. apply IZR_lt in Hw. rewrite <- Sum_scale. destruct (aim q).
  - rewrite (Sum_ext n _ (fun f => IZR whole * loss_at q M f)).
    + rewrite Sum_scale. apply Rmult_le_compat_l; auto. lra.
    + intros f Hf. apply all_spec with (i := f) in C; auto. facts. rewrite <- C, mult_IZR. ring.
  - apply andb_true_iff in C as [Hp C]. facts. rewrite <- C, mult_IZR, total_Sum.
    replace (Sum n (fun f => IZR (weights f)) * IZR (cost_unit q) * v)
      with (IZR (cost_unit q) * v * Sum n (fun f => IZR (weights f))) by ring.
    rewrite <- Sum_scale. apply Sum_mono. intros f Hf. apply all_spec with (i := f) in Hp; auto. facts. apply IZR_le in Hp.
    specialize (Hv f Hf). assert (IZR (weights f) * loss_at q M f <= IZR (weights f) * v) by (apply Rmult_le_compat_l; auto).
    match goal with L : _ <= _ * v |- _ => apply Rmult_le_compat_l with (r := IZR (cost_unit q)) in L; lra end.
  - rewrite (Sum_ext n _ (fun f => 0 * 0)).
    + rewrite Sum_scale. lra.
    + intros f Hf. apply all_spec with (i := f) in C; auto. facts. rewrite C. ring.
Qed.

Lemma value_times : forall y l done, value M (times y l done) = IZR y * value M l + value M done.
Proof. induction l as [|[[r f] c] l IH]; simpl; intros. ring. rewrite IH. simpl. rewrite mult_IZR. ring. Qed.
Lemma rule_holds : forall t y l, In t (rules q) -> rule_line t y = Some l -> holds l.
Proof.
  intros t y l Ht H. unfold rule_line in H. destruct (equation t || _) eqn:C; [|discriminate]. injection H as <-.
  unfold holds. cbn [entries constant paid].
  rewrite value_times, opp_IZR, mult_IZR. simpl (value M []). destruct HM as (_ & _ & _ & HR & _). rewrite Forall_forall in HR.
  specialize (HR t Ht).
  unfold keeps in HR. destruct (equation t); simpl in C.
  - rewrite HR. lra.
  - facts. apply IZR_le in C. apply Rmult_le_compat_l with (r := IZR y) in HR; lra.
Qed.

(* The most that a response may add to an excess: that of the best set of responses, or of what is violated. *)
Definition most (p : definition) (e : R) (f h r : nat) : R :=
  match p with OfMass => if Rlt_dec (e * M r h) (M r f) then M r f else 0 | _ => Rmax 0 (M r f - e * M r h) end.
Lemma most_nonneg : forall p e f h r, (f < n)%nat -> (r < m)%nat -> 0 <= most p e f h r.
Proof.
  intros. unfold most. destruct p; try apply Rmax_l. destruct (Rlt_dec _ _); [|lra]. apply HM; auto.
Qed.
Lemma most_sum : forall p e d f h, p <> OfOutcomes -> close p m M e d f h -> Sum m (most p e f h) <= d.
Proof.
  intros p e d f h Hp H. destruct p; simpl in H; [|congruence|exact H].
  specialize (H (fun r => if Rlt_dec 0 (M r f - e * M r h) then true else false)). unfold prob in H.
  enough (E : Sum m (most OfSets e f h) = Sum m (fun r => if (if Rlt_dec 0 (M r f - e * M r h) then true else false)
    then M r f else 0)
    - e * Sum m (fun r => if (if Rlt_dec 0 (M r f - e * M r h) then true else false) then M r h else 0)) by lra.
  rewrite <- Sum_scale, <- Sum_sub. apply Sum_ext. intros r _. unfold most.
  destruct (Rlt_dec 0 (M r f - e * M r h)); [rewrite Rmax_right|rewrite Rmax_left]; lra.
Qed.

(* Places that increase are different, so that each counts once. *)
Lemma increasing_sum : forall (x : nat -> R) (worth : charge -> R), (forall r, (r < m)%nat -> 0 <= x r) ->
  forall cs from, (from <= m)%nat -> increasing from cs = true ->
  (forall c, In c cs -> (place_of c < m)%nat /\ worth c <= x (place_of c)) ->
  fold_right (fun c s => worth c + s) 0 cs <= Sum m x - Sum from x.
Proof.
  intros x worth Hx. induction cs as [|c cs IH]; simpl; intros from Hfrom Hi Hc.
  - assert (A := Sum_grows x m Hx m from Hfrom ltac:(lia)). lra.
  - apply andb_true_iff in Hi as [Hl Hi]. apply Nat.leb_le in Hl. destruct (Hc c (or_introl eq_refl)) as [Hr Hw].
    assert (A := Sum_grows x m Hx (place_of c) from Hl ltac:(lia)).
    specialize (IH (S (place_of c)) ltac:(lia) Hi ltac:(intros; apply Hc; auto)). simpl in IH. lra.
Qed.

Variable path : list decision.
Definition true_of (e : epsilon) (d : decision) : Prop :=
  let '(c, kept) := d in let bound := exp (INR (weight c) * real_epsilon e) * M (at_r c) (at_h c) in
  if kept then M (at_r c) (at_f c) <= bound else bound < M (at_r c) (at_f c).
Lemma decided_true : forall e c kept, Forall (true_of e) path -> decided path c kept = true -> true_of e (c, kept).
Proof.
  intros e [r f h w] kept HF H. apply existsb_exists in H as ([[r' f' h' w'] k] & Hin & H). unfold same in H. cbn in H. facts.
  match goal with B : Bool.eqb _ _ = true |- _ => apply Bool.eqb_prop in B end. subst. rewrite Forall_forall in HF.
  apply (HF _ Hin).
Qed.

Lemma raised_above : forall one p x w, (0 < one)%Z -> encloses (eps p) x = true ->
  exp (INR w * real_epsilon (eps p)) * IZR one <= IZR (raised one x w).
Proof.
  intros one p x w Ho H. apply (encloses_power _ _ w) in H as (_ & Hd & _ & HF). apply IZR_lt in Ho.
  unfold raised. rewrite opp_IZR. assert (B := floor_below (- (one * power (f_num x) w)) (power (f_den x) w)
    ltac:(apply lt_IZR; auto)).
  rewrite opp_IZR, mult_IZR in B. enough (exp (INR w * real_epsilon (eps p)) * IZR one <= IZR one * IZR (power (f_num x) w) / IZR
    (power (f_den x) w)).
  { unfold Rdiv in *. lra. }
  apply le_div_r; auto. apply Rmult_le_compat_l with (r := IZR one) in HF; lra.
Qed.

Lemma charge_holds : forall one p x f h w budget c, (0 < one)%Z -> encloses (eps p) x = true -> (f < n)%nat -> (h < n)%nat ->
  (0 <= budget)%Z ->
  Forall (true_of (eps p)) path -> charge_allowed path (kind p) f h w budget c = true ->
  let e := exp (INR w * real_epsilon (eps p)) in
  match kind p with
  | OfOutcomes => value M (charge_terms f h one (raised one x w) budget c) <= IZR one *
    (IZR (multiplier c) * (M (place_of c) f - e * M (place_of c) h))
  | k => value M (charge_terms f h one (raised one x w) budget c) <= IZR one * IZR budget * most k e f h (place_of c)
  end.
Proof.
  intros one p x f h w budget c Ho Hx Hf Hh Hb Hpath H e. assert (HF := raised_above one p x w Ho Hx). fold e in HF.
  unfold charge_allowed in H. apply andb_true_iff in H as [H Hk]. facts.
  set (r := place_of c) in *. assert (Hr : (r < m)%nat) by auto. assert (Hu : (0 <= multiplier c)%Z) by auto.
  assert (Hp := fun k => most_nonneg k e f h r Hf Hr).
  assert (Hrh : 0 <= M r h) by (apply HM; auto). apply IZR_lt in Ho. apply IZR_le in Hu, Hb.
  assert (HbB : 0 <= IZR one * IZR budget) by (apply Rmult_le_pos; lra).
  assert (Base : forall u, 0 <= IZR u -> IZR (u * one) * M r f + (IZR (- (u * raised one x w)) * M r h + 0) <= IZR one *
    (IZR u * (M r f - e * M r h))).
  { intros u Hu'. rewrite opp_IZR, !mult_IZR. assert (A : e * IZR one * M r h <= IZR (raised one x w) * M r h)
      by (apply Rmult_le_compat_r; auto).
    apply Rmult_le_compat_l with (r := IZR u) in A; auto. lra. }
  assert (Kept_case : forall u, 0 <= IZR u -> M r f <= e * M r h ->
    IZR (u * one) * M r f + (IZR (- (u * raised one x w)) * M r h + 0) <= IZR one * IZR budget * most OfMass e f h r).
  { intros u Hu' Hle. eapply Rle_trans; [apply Base; auto|]. specialize (Hp OfMass).
    assert (0 <= IZR one * IZR budget * most OfMass e f h r) by (apply Rmult_le_pos; auto).
    assert (0 <= IZR one * (IZR u * (e * M r h - M r f))) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra. }
  assert (Compared_case : forall k u, 0 <= IZR u -> IZR u <= IZR budget -> M r f - e * M r h <= most k e f h r ->
    IZR (u * one) * M r f + (IZR (- (u * raised one x w)) * M r h + 0) <= IZR one * IZR budget * most k e f h r).
  { intros k u Hu' Hub Hle. eapply Rle_trans; [apply Base; auto|]. rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|].
    apply Rle_trans with (IZR u * most k e f h r). apply Rmult_le_compat_l; auto. apply Rmult_le_compat_r; auto. }
  destruct c as [r' u|r' u|r']; cbn [place_of multiplier] in *; subst r; destruct (kind p) eqn:Ek; try discriminate Hk;
    cbn [charge_terms value].
  - apply Z.leb_le, IZR_le in Hk. apply Compared_case; auto. apply Rmax_r.
  - apply Base; auto.
  - apply Z.leb_le, IZR_le in Hk. apply Compared_case; auto. unfold most.
    assert (0 <= e * M r' h) by (apply Rmult_le_pos; [left; apply exp_pos|auto]). destruct (Rlt_dec _ _); lra.
  - apply (decided_true _ _ _ Hpath) in Hk. apply Kept_case; auto.
  - apply (decided_true _ _ _ Hpath) in Hk. cbn in Hk. fold e in Hk. rewrite mult_IZR. unfold most. destruct (Rlt_dec _ _); lra.
Qed.

Lemma pair_holds : forall one p x up pair budget cs l, (forall w, up w = raised one x w) -> (0 < one)%Z ->
  encloses (eps p) x = true -> In p (privacies q) -> In pair (neighbours q) ->
  match delta p with Some (a, b) => (0 < b)%Z | None => True end -> Forall (true_of (eps p)) path ->
  pair_line path one p up pair budget cs = Some l -> holds l.
Proof.
  intros one p x up [[f h] w] budget cs l Hup Ho Hx Hp Hin Hd Hpath H. unfold pair_line in H.
  destruct ((f <? n) && (h <? n) && (0 <=? budget)%Z && increasing 0 cs && forallb _ cs) eqn:C; [|discriminate]. cbv zeta in H.
  rewrite Hup in H. injection H as <-.
  facts. match goal with F : forallb _ cs = true |- _ => rewrite forallb_forall in F; rename F into HF end.
  destruct HM as (_ & _ & _ & _ & HP & _). rewrite Forall_forall in HP. specialize (HP p Hp f h w Hin). fold m in HP.
  set (e := exp (INR w * real_epsilon (eps p))) in *.
  set (d := match delta p with Some (a, b) => IZR a / IZR b | None => v end) in *.
  assert (Hc := fun c Hc => charge_holds one p x f h w budget c Ho Hx ltac:(auto) ltac:(auto) ltac:(auto) Hpath (HF c Hc)).
  fold e in Hc. cbv zeta in Hc.
  assert (HoR := IZR_lt _ _ Ho). assert (Hb : 0 <= IZR budget) by (apply IZR_le; auto).
  set (spent := match kind p with OfOutcomes => sum_of cs | _ => budget end).
  assert (Main : value M (flat_map (charge_terms f h one (raised one x w) budget) cs) <= IZR one * (IZR spent * d)).
  { assert (V : value M (flat_map (charge_terms f h one (raised one x w) budget) cs) =
      fold_right (fun c s => value M (charge_terms f h one (raised one x w) budget c) + s) 0 cs).
    { clear. induction cs; simpl; auto. rewrite value_app, IHcs. reflexivity. }
    rewrite V. clear V. subst spent. destruct (kind p) eqn:Ek.
    - rewrite <- Rmult_assoc. eapply Rle_trans.
      + apply (increasing_sum (fun r => IZR one * IZR budget * most OfSets e f h r) _) with (from := O); auto with arith.
        * intros r Hr. apply Rmult_le_pos. apply Rmult_le_pos; lra. apply most_nonneg; auto.
        * intros c Hin'. split; [|apply Hc; auto]. specialize (HF c Hin'). unfold charge_allowed in HF. facts. auto.
      + simpl Sum at 2. rewrite Sum_scale. assert (A := most_sum OfSets e d f h ltac:(discriminate) HP).
        apply Rmult_le_compat_l with (r := IZR one * IZR budget) in A. lra. apply Rmult_le_pos; lra.
    - assert (Each : forall c, In c cs -> value M (charge_terms f h one (raised one x w) budget c) <= IZR one *
        (IZR (multiplier c) * d)).
      { intros c Hin'. eapply Rle_trans; [apply Hc; auto|]. specialize (HF c Hin'). unfold charge_allowed in HF. facts.
        specialize (HP (place_of c) ltac:(auto)). apply Rmult_le_compat_l; [lra|].
        apply Rmult_le_compat_l; [apply IZR_le; auto|lra]. }
      clear - Each. induction cs as [|c cs IH]; simpl. lra. rewrite plus_IZR.
      assert (A := Each c (or_introl eq_refl)). specialize (IH ltac:(intros; apply Each; right; auto)). lra.
    - rewrite <- Rmult_assoc. eapply Rle_trans.
      + apply (increasing_sum (fun r => IZR one * IZR budget * most OfMass e f h r) _) with (from := O); auto with arith.
        * intros r Hr. apply Rmult_le_pos. apply Rmult_le_pos; lra. apply most_nonneg; auto.
        * intros c Hin'. split; [|apply Hc; auto]. specialize (HF c Hin'). unfold charge_allowed in HF. facts. auto.
      + simpl Sum at 2. rewrite Sum_scale. assert (A := most_sum OfMass e d f h ltac:(discriminate) HP).
        apply Rmult_le_compat_l with (r := IZR one * IZR budget) in A. lra. apply Rmult_le_pos; lra. }
  unfold holds. cbn [entries constant paid]. fold spent. subst d. destruct (delta p) as [[a b]|].
  - assert (B := floor_below (- (spent * one * a)) b Hd). apply IZR_lt in Hd. rewrite opp_IZR, !mult_IZR in B.
    unfold Rdiv in *. lra.
  - rewrite mult_IZR. lra.
Qed.
End Line.

(* ==== The check of a proof of a bound. All lines of a leaf are added in one table, and a proof by cases proves the least
   that its leaves prove. Bound.v says why that is enough. *)
(* Multipliers, all over one number; for each privacy, for each pair of neighbours in order, a budget and charges. *)
Record leaf := {
  one : Z;
  weights : nat -> Z; totals : nat -> Z;
  groups : list (list (Z * list charge));
  multipliers : list Z }.
(* A proof by cases: in each an inequality of the first privacy is kept, or not. *)
Inductive tree := Leaf (l : leaf) | Split (c : inequality) (kept broken : tree).

Definition state := option (table * Z * Z).
Section Check.
Variables (q : question) (fs : list factors) (whole : Z).

Definition in_range (e : term) : bool := let '(r, f, _) := e in (r <? responses q) && (f <? truths q).
Fixpoint load (l : list term) (t : table) : table :=
  match l with [] => t | (r, f, c) :: rest => load rest (update (Z.add c) (name q r f) t) end.
Definition absorb (s : state) (l : option line) : state :=
  match s, l with
  | Some (t, k, p), Some l =>
      if forallb in_range (entries l) then Some (load (entries l) t, (k + constant l)%Z, (p + paid l)%Z) else None
  | _, _ => None
  end.
Fixpoint absorb_pairs (path : list decision) (one : Z) (p : privacy) (up : nat -> Z) (pairs : list (nat * nat * nat))
    (group : list (Z * list charge)) (s : state) : state :=
  match pairs, group with
  | near :: pairs', (b, cs) :: group' => absorb_pairs path one p up pairs' group' (absorb s (pair_line q path one p up near b cs))
  | _, _ => s
  end.
Definition ups (one : Z) (x : factors) : nat -> Z :=
  let value := raised one x in let t := learned value snd (neighbours q) in recalled value t.
Fixpoint absorb_privacies (path : list decision) (one : Z) (ps : list privacy) (xs : list factors)
    (gs : list (list (Z * list charge))) (s : state) : state :=
  match ps, xs, gs with
  | p :: ps', x :: xs', g :: gs' =>
      absorb_privacies [] one ps' xs' gs'
        (match g with [] => s | _ => absorb_pairs path one p (ups one x) (neighbours q) g s end)
  | _, _, _ => s
  end.
Fixpoint absorb_rules (ts : list rule) (ys : list Z) (s : state) : state :=
  match ts, ys with
  | t :: ts', y :: ys' => absorb_rules ts' ys' (if (y =? 0)%Z then s else absorb s (rule_line t y))
  | _, _ => s
  end.

(* ---- Where all columns have the same names, as often, costs and long rules are added up by names once for all leaves. *)
Record by_names := { costs : table; ones : table; prepared : list (rule * option table) }.
Definition load_columns (weights totals : nat -> Z) : table :=
  fold_left (fun t f => load (column q weights totals f) t) (seq 0 (truths q)) Empty.
Definition ones_of (f : nat) : table := load (map (fun r => (r, f, 1%Z)) (seq 0 (responses q))) Empty.
Definition is_long (l : list term) : bool := (64 <? length l)%nat.
Definition prepare (t : rule) : rule * option table :=
  (t, if is_long (terms t) && forallb in_range (terms t) then Some (load (terms t) Empty) else None).
Definition names_alike : option by_names :=
  let first := ones_of O in
  match aim q with
  | WorstLoss => None
  | _ => if all (truths q) (fun f => same_table (ones_of f) first)
         then Some {| costs := load_columns (fun _ => 1%Z) (fun _ => 0%Z); ones := first;
                      prepared := map prepare (rules q) |} else None
  end.
Definition start (names : option by_names) (weights totals : nat -> Z) : state :=
  if objective_allowed q whole weights then
    let t := match names with
      | Some b => plus (scaled (weights O) (costs b)) (scaled (- total (truths q) totals) (ones b))
      | None => load_columns weights totals
      end in
    Some (t, total (truths q) totals, objective_paid q whole)
  else None.
Definition absorb_prepared (s : state) (y : Z) (p : rule * option table) : state :=
  match snd p, s with
  | Some k, Some (t, c, paid) =>
      if equation (fst p) || (0 <=? y)%Z then Some (plus t (scaled y k), (c - y * right (fst p))%Z, paid) else None
  | _, _ => absorb s (rule_line (fst p) y)
  end.
Fixpoint absorb_all_prepared (ps : list (rule * option table)) (ys : list Z) (s : state) : state :=
  match ps, ys with
  | p :: ps', y :: ys' => absorb_all_prepared ps' ys' (if (y =? 0)%Z then s else absorb_prepared s y p)
  | _, _ => s
  end.

Fixpoint raise (by_limit : Z * Z -> Z) (l : list (nat * nat * Z * Z)) (t : table) : table :=
  match l with
  | [] => t
  | (r, f, low, high) :: rest => raise by_limit rest (update (Z.max (by_limit (low, high))) (name q r f) t)
  end.
Definition lows : table := raise fst (limits q) Empty.
Definition cuts : table := raise (fun p => limit_unit q - snd p)%Z (limits q) Empty.

(* The bound of a leaf, times `whole` and the unit of limits. *)
Definition leaf_bound (names : option by_names) (low cut : table) (path : list decision) (l : leaf) : option Z :=
  let s := absorb_privacies path (one l) (privacies q) fs (groups l) (start names (weights l) (totals l)) in
  let s := match names with
    | Some b => absorb_all_prepared (prepared b) (multipliers l) s
    | None => absorb_rules (rules q) (multipliers l) s end in
  match s with
  | Some (t, k, p) =>
      if (0 <? one l)%Z && match aim q with LeastDelta => (p <=? whole)%Z | _ => (p =? whole)%Z end
      then Some (k * limit_unit q + least (limit_unit q) t low cut)%Z else None
  | None => None
  end.
Fixpoint tree_bound (names : option by_names) (low cut : table) (path : list decision) (t : tree) : option Z :=
  match t with
  | Leaf l => leaf_bound names low cut path l
  | Split c kept broken =>
      match tree_bound names low cut ((c, true) :: path) kept, tree_bound names low cut ((c, false) :: path) broken with
      | Some a, Some b => Some (Z.min a b)
      | _, _ => None
      end
  end.
Definition known (own : privacy * factors) : bool :=
  encloses (eps (fst own)) (snd own) && match delta (fst own) with Some (_, b) => (0 <? b)%Z | None => true end.
Definition bound_of (t : tree) : option Z :=
  if (0 <? whole)%Z && (0 <? cost_unit q)%Z && (0 <? limit_unit q)%Z && (length fs =? length (privacies q)) &&
     forallb known (combine (privacies q) fs) && forallb (fun l => in_range (fst (fst l), 0%Z)) (limits q)
  then tree_bound names_alike lows cuts [] t else None.
End Check.
