(* Differences of neighbours, computed fast. A row counts for no pair where its largest entry is at most e times its
   smallest; and where g has as much as f needs of it, an entry is only compared. Powers of factors are computed once. *)
From Coq Require Import List ZArith Lra Lia Bool Arith FunctionalExtensionality.
From Optmech Require Import Spec Sums.
Import ListNotations.
Open Scope Z_scope.

Record matrix := { entry : nat -> nat -> Z; denominator : Z }.

(* The excess of truth f over e times truth g, in numbers times the denominator of the matrix and that of e = en/ed: in all,
   at one response; and, times the denominator of the matrix alone, the mass of where it does. *)
Definition over (a : matrix) (en ed : Z) (f g r : nat) : Z := entry a r f * ed - entry a r g * en.
Definition excess (m : nat) (a : matrix) (en ed : Z) (f g : nat) : Z := total m (fun r => Z.max 0 (over a en ed f g r)).
Definition mass (m : nat) (a : matrix) (en ed : Z) (f g : nat) : Z :=
  total m (fun r => if 0 <? over a en ed f g r then entry a r f else 0).
Definition pair_kept (m n : nat) (a : matrix) (en ed : Z) (p : definition) (d : Z * Z) (f g : nat) : bool :=
  let '(dn, dd) := d in
  (f <? n)%nat && (g <? n)%nat &&
  match p with
  | OfSets => excess m a en ed f g * dd <=? dn * denominator a * ed
  | OfOutcomes => all m (fun r => over a en ed f g r * dd <=? dn * denominator a * ed)
  | OfMass => mass m a en ed f g * dd <=? dn * denominator a
  end.

(* ---- Rows that count, and what each needs of g *)
Fixpoint extreme (pick : Z -> Z -> Z) (n : nat) (x : nat -> Z) : Z :=
  match n with O => x O | S k => pick (x k) (extreme pick k x) end.
Definition steep (n : nat) (a : matrix) (en ed : Z) (r : nat) : bool :=
  extreme Z.min n (entry a r) * en <? extreme Z.max n (entry a r) * ed.
Definition steep_rows (m n : nat) (a : matrix) (en ed : Z) : list nat := filter (steep n a en ed) (seq 0 m).
Definition needs (a : matrix) (en ed : Z) (f : nat) (rows : list nat) : list (nat * Z) :=
  map (fun r => (r, - (- (entry a r f * ed) / en))) rows.
Definition summed (a : matrix) (g : nat) (x : nat -> Z) (l : list (nat * Z)) : Z :=
  fold_left (fun s e => if snd e <=? entry a (fst e) g then s else s + x (fst e)) l 0.

Definition kept_on (a : matrix) (en ed : Z) (p : definition) (d : Z * Z) (f g : nat) (l : list (nat * Z)) : bool :=
  let '(dn, dd) := d in
  match p with
  | OfSets => summed a g (fun r => Z.max 0 (over a en ed f g r)) l * dd <=? dn * denominator a * ed
  | OfOutcomes => forallb (fun e => (snd e <=? entry a (fst e) g) ||
    (over a en ed f g (fst e) * dd <=? dn * denominator a * ed)) l
  | OfMass => summed a g (fun r => if 0 <? over a en ed f g r then entry a r f else 0) l * dd <=? dn * denominator a
  end.
(* The needs of one truth serve all its neighbours, which are listed together. *)
Fixpoint all_kept (n : nat) (a : matrix) (en ed : Z) (p : definition) (d : Z * Z) (rows : list nat) (last : nat)
  (l : list (nat * Z))
    (pairs : list (nat * nat * nat)) : bool :=
  match pairs with
  | [] => true
  | (f, g, _) :: rest =>
      let l' := if (f =? last)%nat then l else needs a en ed f rows in
      (f <? n)%nat && (g <? n)%nat && kept_on a en ed p d f g l' && all_kept n a en ed p d rows f l' rest
  end.

Definition of_weight_one (pairs : list (nat * nat * nat)) : bool := forallb (fun e => (snd e =? 1)%nat) pairs.
Definition pairs_kept (m n : nat) (a : matrix) (x : factors) (p : definition) (d : Z * Z) (pairs : list (nat * nat * nat))
  : bool :=
  if of_weight_one pairs && (0 <? e_num x) && (0 <? e_den x) && (0 <=? fst d) && (0 <=? denominator a) then
    let rows := steep_rows m n a (e_num x) (e_den x) in
    all_kept n a (e_num x) (e_den x) p d rows O (needs a (e_num x) (e_den x) O rows) pairs
  else
    let up := power (e_num x) in let down := power (e_den x) in let ups := learned up snd pairs in let downs :=
      learned down snd pairs in
    forallb (fun e => let '(f, g, w) := e in pair_kept m n a (recalled up ups w) (recalled down downs w) p d f g) pairs.

(* ---- Why that is the same *)
Lemma extreme_max : forall n x i, (i < n)%nat -> x i <= extreme Z.max n x.
Proof. induction n; intros x i H; simpl. lia. destruct (Nat.eq_dec i n) as [->|]; [lia|]. specialize (IHn x i ltac:(lia)).
  lia. Qed.
Lemma extreme_min : forall n x i, (i < n)%nat -> extreme Z.min n x <= x i.
Proof. induction n; intros x i H; simpl. lia. destruct (Nat.eq_dec i n) as [->|]; [lia|]. specialize (IHn x i ltac:(lia)).
  lia. Qed.

Section Same.
Variables (m n : nat) (a : matrix) (en ed : Z) (f g : nat).
Hypothesis Hen : 0 < en.
Hypothesis Hed : 0 < ed.
Hypothesis Hf : (f < n)%nat.
Hypothesis Hg : (g < n)%nat.
Lemma flat : forall r, steep n a en ed r = false -> over a en ed f g r <= 0.
Proof.
  intros r H. unfold steep in H. apply Z.ltb_ge in H. unfold over.
  assert (A := extreme_max n (entry a r) f Hf). assert (B := extreme_min n (entry a r) g Hg).
  apply Z.mul_le_mono_nonneg_r with (p := ed) in A; [|lia]. apply Z.mul_le_mono_nonneg_r with (p := en) in B; lia.
Qed.
Lemma needed : forall r, - (- (entry a r f * ed) / en) <= entry a r g -> over a en ed f g r <= 0.
Proof.
  intros r H. unfold over. assert (A := Z.mul_div_le (- (entry a r f * ed)) en Hen).
  apply Z.mul_le_mono_nonneg_l with (p := en) in H; lia.
Qed.
Lemma summed_total : forall x, (forall r, over a en ed f g r <= 0 -> x r = 0) ->
  summed a g x (needs a en ed f (steep_rows m n a en ed)) = total m x.
Proof.
  intros x Hx. unfold summed, steep_rows.
  enough (E : forall l s, fold_left (fun s e => if snd e <=? entry a (fst e) g then s else s + x (fst e))
    (needs a en ed f (filter (steep n a en ed) l)) s
    = s + fold_right (fun r s => x r + s) 0 l).
  { rewrite E. simpl. enough (T : forall k, fold_right (fun r s => x r + s) 0 (seq 0 k) = total k x) by apply T.
    induction k as [|k IH]; auto. rewrite seq_S, fold_right_app. simpl. rewrite <- IH.
    enough (forall l s, fold_right (fun r s => x r + s) s l = fold_right (fun r s => x r + s) 0 l + s) as -> by lia.
    clear. induction l as [|r l IH]; intros s; simpl; [lia|]. rewrite (IH s). lia. }
  induction l as [|r l IH]; intros s; simpl. lia. destruct (steep n a en ed r) eqn:S; simpl.
  - rewrite IH. destruct (Z.leb_spec (- (- (entry a r f * ed) / en)) (entry a r g)) as [L|L]; [|lia].
    rewrite Hx by (apply needed; auto). lia.
  - rewrite IH, Hx by (apply flat; auto). lia.
Qed.
Lemma kept_on_right : forall p d, 0 <= fst d -> 0 <= denominator a -> 0 <= snd d ->
  kept_on a en ed p d f g (needs a en ed f (steep_rows m n a en ed)) = true -> pair_kept m n a en ed p d f g = true.
Proof.
  intros p [dn dd] Hd Ha Hdd H. simpl in Hd, Hdd. unfold kept_on in H. unfold pair_kept.
  rewrite (proj2 (Nat.ltb_lt _ _) Hf), (proj2 (Nat.ltb_lt _ _) Hg). simpl. destruct p.
  - rewrite summed_total in H by (intros; lia). exact H.
  - rewrite forallb_forall in H. apply all_true. intros r Hr. apply Z.leb_le.
    assert (P : 0 <= dn * denominator a * ed) by (repeat apply Z.mul_nonneg_nonneg; lia).
    assert (Q : over a en ed f g r <= 0 -> over a en ed f g r * dd <= dn * denominator a * ed).
    { intros Ho. apply Z.le_trans with 0; auto. apply Z.mul_nonpos_nonneg; auto. }
    destruct (steep n a en ed r) eqn:S; [|apply Q, flat; auto].
    specialize (H (r, - (- (entry a r f * ed) / en))). simpl in H. apply orb_true_iff in H as [H|H].
    + apply Q, needed, Z.leb_le, H.
    + apply Z.leb_le, H.
    + apply in_map_iff. exists r. split; auto. apply filter_In. split; auto. apply in_seq. lia.
  - rewrite summed_total in H by (intros r Hr; apply Z.ltb_ge in Hr; rewrite Hr; auto). exact H.
Qed.
End Same.

Lemma pairs_kept_right : forall m n a x p d pairs, 0 <= snd d -> pairs_kept m n a x p d pairs = true ->
  forall f g w, In (f, g, w) pairs -> pair_kept m n a (power (e_num x) w) (power (e_den x) w) p d f g = true.
Proof.
  intros m n a x p d pairs Hdd H f g w Hin. unfold pairs_kept in H. destruct (of_weight_one pairs && _ && _ && _ && _) eqn:C.
  - facts. unfold of_weight_one in *. match goal with A : forallb _ pairs = true |- _ => rewrite forallb_forall in A;
      specialize (A _ Hin); simpl in A; apply Nat.eqb_eq in A; subst w end.
    simpl power. rewrite !Z.mul_1_r. revert H. set (rows := steep_rows _ _ _ _ _).
    enough (E : forall l last needed, needed = needs a (e_num x) (e_den x) last rows -> In (f, g, 1%nat) l ->
      all_kept n a (e_num x) (e_den x) p d rows last needed l = true -> pair_kept m n a (e_num x) (e_den x) p d f g = true).
    { apply E; auto. }
    induction l as [|[[f' g'] w'] l IH]; intros last l' El Hl H; [destruct Hl|]. cbn [all_kept] in H.
    replace (if (f' =? last)%nat then l' else needs a (e_num x) (e_den x) f' rows)
      with (needs a (e_num x) (e_den x) f' rows) in H.
    2:{ destruct (Nat.eqb_spec f' last) as [->|]; auto. }
    apply andb_true_iff in H as [H Hrest]. destruct Hl as [Hl|Hl].
    + injection Hl as -> -> _. facts. apply kept_on_right; auto.
    + apply (IH _ _ eq_refl Hl Hrest).
  - rewrite forallb_forall in H. specialize (H _ Hin). simpl in H. rewrite !recalled_right in H. exact H.
Qed.

(* ==== The matrix that is handed out meets its question: Theorems matrix_sound and loss_exact. *)
Close Scope Z_scope.
Definition released (a : matrix) : mechanism := fun r f => IZR (entry a r f) / IZR (denominator a).

(* ---- The check. A claimed objective is on/od. *)
Definition is_stochastic (m n : nat) (a : matrix) : bool :=
  (0 <? denominator a)%Z &&
  all n (fun f => all m (fun r => (0 <=? entry a r f)%Z) && (total m (fun r => entry a r f) =? denominator a)%Z).

Definition claimed_delta (p : privacy) (claim : Z * Z) : Z * Z := match delta p with Some d => d | None => claim end.
Definition privacy_kept (q : question) (a : matrix) (claim : Z * Z) (own : privacy * factors) : bool :=
  let (p, x) := own in let d := claimed_delta p claim in
  encloses (eps p) x && (0 <=? fst d)%Z && (0 <? snd d)%Z &&
  pairs_kept (responses q) (truths q) a x (kind p) d (neighbours q).

(* Where each entry has the name of its place, no two have one name; else entries of one name are compared. *)
Definition plain (q : question) : bool :=
  let s := stride (truths q) in
  (truths q <=? s) && all (truths q) (fun f => all (responses q) (fun r =>
    match (name q r f ?= Pos.of_succ_nat (r * s + f))%positive with Eq => true | _ => false end)).
Definition load_matrix (q : question) (a : matrix) : table :=
  fold_left (fun t f => fold_left (fun t r => update (fun _ => entry a r f) (name q r f) t) (seq 0 (responses q)) t)
    (seq 0 (truths q)) Empty.
Definition is_tied (q : question) (a : matrix) (t : table) : bool :=
  all (truths q) (fun f => all (responses q) (fun r => (get (name q r f) t =? entry a r f)%Z)).
Definition limit_kept (q : question) (a : matrix) (l : nat * nat * Z * Z) : bool :=
  let '(r, f, low, high) := l in
  (low * denominator a <=? limit_unit q * entry a r f)%Z && (limit_unit q * entry a r f <=? high * denominator a)%Z.
Definition value_z (a : matrix) (l : list term) : Z :=
  fold_left (fun s (e : term) => let '(r, f, c) := e in (s + c * entry a r f)%Z) l 0%Z.
Definition rule_kept (a : matrix) (t : rule) : bool :=
  let v := value_z a (terms t) in
  if equation t then (v =? right t * denominator a)%Z else (v <=? right t * denominator a)%Z.

Definition loss_z (q : question) (a : matrix) (f : nat) : Z := total (responses q) (fun r => cost q r f * entry a r f)%Z.
Definition objective_kept (q : question) (a : matrix) (claim : Z * Z) : bool :=
  let '(on, od) := claim in let unit := (cost_unit q * denominator a)%Z in
  (0 <? cost_unit q)%Z && (0 <? od)%Z &&
  match aim q with
  | TotalLoss => (total (truths q) (loss_z q a) * od =? on * unit)%Z
  | WorstLoss => all (truths q) (fun f => loss_z q a f * od <=? on * unit)%Z &&
    any (truths q) (fun f => loss_z q a f * od =? on * unit)%Z
  | LeastDelta => (0 <=? on)%Z
  end.

Definition check_matrix (q : question) (fs : list factors) (a : matrix) (claim : Z * Z) : bool :=
  is_stochastic (responses q) (truths q) a && (plain q || is_tied q a (load_matrix q a)) &&
  forallb (limit_kept q a) (limits q) && forallb (rule_kept a) (rules q) &&
  (length fs =? length (privacies q)) && forallb (privacy_kept q a claim) (combine (privacies q) fs) &&
  objective_kept q a claim.

(* ---- Why that is enough *)
Section Sound.
Variables (m n : nat) (a : matrix).
Hypothesis Ha : is_stochastic m n a = true.
Let d := IZR (denominator a).
Lemma d_pos : 0 < d.
Proof. unfold is_stochastic in Ha. facts. apply IZR_lt. auto. Qed.
Lemma entry_nonneg : forall r f, (r < m)%nat -> (f < n)%nat -> 0 <= IZR (entry a r f).
Proof.
  intros r f Hr Hf. unfold is_stochastic in Ha. apply andb_true_iff in Ha as [_ H].
  apply all_spec with (i := f) in H; auto. facts. apply IZR_le, Z.leb_le.
  match goal with A : all m _ = true |- _ => apply (all_spec _ _ A r Hr) end.
Qed.
Lemma released_sound : stochastic m n (released a).
Proof.
  assert (Hd := d_pos). split.
  - intros. apply div_nonneg; auto. apply entry_nonneg; auto.
  - intros f Hf. unfold is_stochastic in Ha. apply andb_true_iff in Ha as [_ H]. apply all_spec with (i := f) in H; auto. facts.
    rewrite (Sum_ext m _ (fun r => / d * IZR (entry a r f))) by (intros; unfold released, d; field; fold d; lra).
    rewrite Sum_scale, <- total_Sum. match goal with E : total m _ = _ |- _ => rewrite E end. fold d. field. lra.
Qed.

(* e is at least en/ed. *)
Variables (e : R) (en ed : Z) (f g : nat).
Hypothesis Hed : 0 < IZR ed.
Hypothesis He : IZR en <= e * IZR ed.
Hypothesis Hf : (f < n)%nat.
Hypothesis Hg : (g < n)%nat.
Lemma over_sound : forall r, (r < m)%nat ->
  released a r f - e * released a r g <= IZR (over a en ed f g r) / (d * IZR ed).
Proof.
  intros r Hr. assert (Hd := d_pos). assert (Hy := entry_nonneg r g Hr Hg). unfold over, released. fold d.
  apply le_div_r. apply Rmult_lt_0_compat; auto. rewrite minus_IZR, !mult_IZR.
  apply Rmult_le_compat_l with (r := IZR (entry a r g)) in He; auto.
  replace ((IZR (entry a r f) / d - e * (IZR (entry a r g) / d)) * (d * IZR ed)) with
    (IZR (entry a r f) * IZR ed - IZR (entry a r g) * (e * IZR ed)) by (field; lra). lra.
Qed.
Lemma excess_sound : forall A, prob m (released a) A f - e * prob m (released a) A g <= IZR (excess m a en ed f g) / (d * IZR ed).
Proof.
  intros A. assert (Hd := d_pos). assert (Hde : 0 < d * IZR ed) by (apply Rmult_lt_0_compat; auto).
  unfold prob, excess. rewrite total_Sum. unfold Rminus. rewrite Ropp_mult_distr_l, <- Sum_scale, <- Sum_add.
  unfold Rdiv. rewrite Rmult_comm, <- Sum_scale. apply Sum_mono. intros r Hr.
  assert (H1 := over_sound r Hr). assert (H2 : 0 <= IZR (Z.max 0 (over a en ed f g r))) by (apply IZR_le; lia).
  assert (H3 : IZR (over a en ed f g r) <= IZR (Z.max 0 (over a en ed f g r))) by (apply IZR_le; lia).
  assert (Hi : 0 < / (d * IZR ed)) by (apply Rinv_0_lt_compat; auto).
  assert (H4 := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hi) H2). assert (H5 := Rmult_le_compat_l _ _ _ (Rlt_le _ _ Hi) H3).
  unfold Rdiv in H1. destruct (A r); lra.
Qed.
Lemma mass_sound : violated m (released a) e f g <= IZR (mass m a en ed f g) / d.
Proof.
  assert (Hd := d_pos). unfold violated, mass. rewrite total_Sum. unfold Rdiv. rewrite Rmult_comm, <- Sum_scale. apply Sum_mono.
  intros r Hr.
  assert (H1 := over_sound r Hr). assert (Hx := entry_nonneg r f Hr Hf). assert (Hi : 0 < / d) by (apply Rinv_0_lt_compat; auto).
  assert (Hx' : 0 <= / d * IZR (entry a r f)) by (apply Rmult_le_pos; lra).
  destruct (Rlt_dec _ _) as [Hlt|_]; destruct (Z.ltb_spec 0 (over a en ed f g r)) as [|Ho]; try (unfold released; fold d; lra).
  exfalso. apply IZR_le in Ho. enough (IZR (over a en ed f g r) / (d * IZR ed) <= 0) by lra.
  apply div_le_l. apply Rmult_lt_0_compat; auto. lra.
Qed.
End Sound.

Lemma privacy_sound : forall q a on od p x, is_stochastic (responses q) (truths q) a = true ->
  privacy_kept q a (on, od) (p, x) = true -> private (responses q) (neighbours q) (IZR on / IZR od) (released a) p.
Proof.
  intros q a on od p x Ha H f g w Hin. unfold privacy_kept in H. facts.
  match goal with F : pairs_kept _ _ _ _ _ _ _ = true |- _ => apply pairs_kept_right with (2 := F) in Hin;
    [rename Hin into HF|lia] end.
  unfold pair_kept in HF.
  destruct (encloses_power _ _ w ltac:(eassumption)) as (Hed & _ & He & _).
  destruct (claimed_delta p (on, od)) as [dn dd] eqn:Ed. simpl fst in *. simpl snd in *.
  assert (Hdd : 0 < IZR dd) by (apply IZR_lt; auto).
  replace (match delta p with Some (u, v) => IZR u / IZR v | None => IZR on / IZR od end) with (IZR dn / IZR dd).
  2:{ unfold claimed_delta in Ed. destruct (delta p) as [[u v]|]; injection Ed as <- <-; reflexivity. }
  facts. set (e := exp _) in *. set (en := power (e_num x) w) in *. set (ed := power (e_den x) w) in *.
  assert (Hfn : (f < truths q)%nat) by auto. assert (Hgn : (g < truths q)%nat) by auto.
  assert (Hd := d_pos _ _ _ Ha).
  assert (Hde : 0 < IZR (denominator a) * IZR ed) by (apply Rmult_lt_0_compat; auto).
  unfold close. destruct (kind p); facts.
  - intros A. assert (Hover := excess_sound _ _ _ Ha e en ed f g Hed He Hfn Hgn A).
    enough (IZR (excess (responses q) a en ed f g) / (IZR (denominator a) * IZR ed) <= IZR dn / IZR dd) by lra.
    apply div_le_div; auto. match goal with L : (_ <= _)%Z |- _ => apply IZR_le in L; rewrite !mult_IZR in L; lra end.
  - intros r Hr. assert (Hover := over_sound _ _ _ Ha e en ed f g Hed He Hgn r Hr).
    enough (IZR (over a en ed f g r) / (IZR (denominator a) * IZR ed) <= IZR dn / IZR dd) by lra.
    apply div_le_div; auto.
    match goal with A : all _ _ = true |- _ => apply all_spec with (i := r) in A; auto; apply Z.leb_le, IZR_le in A;
      rewrite !mult_IZR in A; lra end.
  - eapply Rle_trans; [apply (mass_sound _ _ _ Ha e en ed f g Hed He Hfn Hgn)|].
    apply div_le_div; auto. match goal with L : (_ <= _)%Z |- _ => apply IZR_le in L; rewrite !mult_IZR in L; lra end.
Qed.

Lemma plain_tied : forall q M, plain q = true -> tied q M.
Proof.
  intros q M H r f r' f' Hr Hf Hr' Hf' E. unfold plain in H. apply andb_true_iff in H as [Hs H]. apply Nat.leb_le in Hs.
  assert (A := all_spec _ _ (all_spec _ _ H f Hf) r Hr). assert (B := all_spec _ _ (all_spec _ _ H f' Hf') r' Hr').
  cbv beta in A, B.
  rewrite E in A. destruct (_ ?= _)%positive eqn:CA in A; try discriminate. destruct (_ ?= _)%positive eqn:CB in B;
    try discriminate.
  apply Pos.compare_eq in CA, CB. rewrite CA in CB. apply SuccNat2Pos.inj in CB.
  assert (r = r') as -> by (destruct (Nat.lt_trichotomy r r') as [|[|]]; auto; nia). f_equal. lia.
Qed.
Lemma is_tied_sound : forall q a t, is_tied q a t = true -> tied q (released a).
Proof.
  intros q a t H r f r' f' Hr Hf Hr' Hf' E. unfold released. do 2 f_equal.
  assert (A := all_spec _ _ (all_spec _ _ H f Hf) r Hr). assert (B := all_spec _ _ (all_spec _ _ H f' Hf') r' Hr'). simpl in A, B.
  facts. congruence.
Qed.
Lemma limit_kept_sound : forall q a r f low high, 0 < IZR (denominator a) -> limit_kept q a (r, f, low, high) = true ->
  IZR low <= IZR (limit_unit q) * released a r f <= IZR high.
Proof.
  intros q a r f low high Hd H. unfold limit_kept in H. facts. unfold released.
  replace (IZR (limit_unit q) * (IZR (entry a r f) / IZR (denominator a)))
    with (IZR (limit_unit q) * IZR (entry a r f) / IZR (denominator a)) by (field; lra).
  rewrite <- mult_IZR. split; [apply le_div_r|apply div_le_l]; auto; rewrite <- mult_IZR; apply IZR_le; auto.
Qed.
Lemma value_released : forall a l, 0 < IZR (denominator a) -> value (released a) l = IZR (value_z a l) / IZR (denominator a).
Proof.
  intros a l Hd. unfold value_z.
  enough (E : forall s, IZR (fold_left (fun s (e : term) => let '(r, f, c) := e in (s + c * entry a r f)%Z) l s) / IZR
    (denominator a)
    = IZR s / IZR (denominator a) + value (released a) l) by (rewrite E; field; lra).
  induction l as [|[[r f] c] l IH]; intros s; simpl. - ring.
  - rewrite IH, plus_IZR, mult_IZR. unfold released. field. lra.
Qed.
Lemma rule_kept_sound : forall a t, 0 < IZR (denominator a) -> rule_kept a t = true -> keeps (released a) t.
Proof.
  intros a t Hd H. unfold rule_kept in H. unfold keeps. rewrite value_released by auto. destruct (equation t); facts.
  - rewrite H, mult_IZR. field. lra.
  - apply div_le_l; auto. rewrite <- mult_IZR. apply IZR_le. auto.
Qed.

Lemma loss_at_released : forall q a f, 0 < IZR (denominator a) -> 0 < IZR (cost_unit q) ->
  loss_at q (released a) f = IZR (loss_z q a f) / (IZR (cost_unit q) * IZR (denominator a)).
Proof.
  intros q a f Hd Hu. unfold loss_at, loss_z. rewrite total_Sum. unfold Rdiv at 2. rewrite Rmult_comm, <- Sum_scale.
  apply Sum_ext. intros. unfold released. rewrite mult_IZR. field. lra.
Qed.
(* The claimed objective is the loss. *)
Theorem loss_exact : forall q fs a on od, check_matrix q fs a (on, od) = true ->
  match aim q with
  | TotalLoss => total_loss q (released a) = IZR on / IZR od
  | WorstLoss => (forall f, (f < truths q)%nat -> loss_at q (released a) f <= IZR on / IZR od) /\
      exists f, (f < truths q)%nat /\ loss_at q (released a) f = IZR on / IZR od
  | LeastDelta => 0 <= IZR on / IZR od
  end.
Proof.
  intros q fs a on od H. unfold check_matrix in H. facts.
  assert (Hd := d_pos _ _ _ ltac:(eassumption)).
  match goal with O : objective_kept _ _ _ = true |- _ => unfold objective_kept in O end. facts.
  assert (Hu : 0 < IZR (cost_unit q)) by (apply IZR_lt; auto). assert (Ho : 0 < IZR od) by (apply IZR_lt; auto).
  assert (Hud : 0 < IZR (cost_unit q) * IZR (denominator a)) by (apply Rmult_lt_0_compat; auto).
  assert (Heq : forall z, (z * od)%Z = (on * (cost_unit q * denominator a))%Z ->
    IZR z / (IZR (cost_unit q) * IZR (denominator a)) = IZR on / IZR od).
  { intros z Hz. apply (f_equal IZR) in Hz. rewrite !mult_IZR in Hz.
      apply Rmult_eq_reg_r with (IZR od * (IZR (cost_unit q) * IZR (denominator a))).
    2:{ apply Rgt_not_eq, Rmult_lt_0_compat; auto. } field_simplify; lra. }
  destruct (aim q); facts.
  - unfold total_loss. rewrite (Sum_ext _ _ (fun f => / (IZR (cost_unit q) * IZR (denominator a)) * IZR (loss_z q a f))).
    2:{ intros. rewrite loss_at_released by auto. unfold Rdiv. ring. }
    rewrite Sum_scale, <- total_Sum, Rmult_comm. apply Heq; auto.
  - split.
    + intros f Hf. rewrite loss_at_released by auto.
      match goal with A : all _ _ = true |- _ => apply all_spec with (i := f) in A; auto; apply Z.leb_le, IZR_le in A;
        rewrite !mult_IZR in A end.
      apply div_le_div; auto.
    + match goal with A : any _ _ = true |- _ => apply any_spec in A as (f & Hf & A) end. facts.
      exists f. split; auto. rewrite loss_at_released by auto. auto.
  - apply div_nonneg; auto. apply IZR_le. auto.
Qed.

(* A matrix that passes is a mechanism of the question with the claimed objective. *)
Theorem matrix_sound : forall q fs a on od, check_matrix q fs a (on, od) = true -> achieves q (released a) (IZR on / IZR od).
Proof.
  intros q fs a on od H. assert (HL := loss_exact _ _ _ _ _ H). unfold check_matrix in H. facts.
  assert (Ha : is_stochastic (responses q) (truths q) a = true) by auto. assert (Hd := d_pos _ _ _ Ha).
  repeat apply conj.
  - apply (released_sound _ _ _ Ha).
  - apply (released_sound _ _ _ Ha).
  - match goal with T : _ || _ = true |- _ => apply orb_true_iff in T as [T|T] end;
      [apply plain_tied; auto|eapply is_tied_sound; eauto].
  - intros r f low high Hin. apply limit_kept_sound; auto.
    match goal with F : forallb (limit_kept _ _) _ = true |- _ => rewrite forallb_forall in F; apply F; auto end.
  - apply Forall_forall. intros t Ht. apply rule_kept_sound; auto.
    match goal with F : forallb (rule_kept _) _ = true |- _ => rewrite forallb_forall in F; apply F; auto end.
  - apply Forall_forall. intros p Hp. apply In_nth with (d := p) in Hp as (i & Hi & Hn).
    match goal with F : forallb (privacy_kept _ _ _) _ = true |- _ => rewrite forallb_forall in F; rename F into HF end.
    assert (Hlen : length fs = length (privacies q)) by auto.
    apply privacy_sound with (x := nth i fs (nth i fs {| e_num := 0; e_den := 0; f_num := 0; f_den := 0; squarings := 0; fraction_bits :=
      0 |})); auto.
    apply HF. rewrite <- Hn at 1. rewrite <- combine_nth by auto. apply nth_In. rewrite combine_length. lia.
  - destruct (aim q); [right|apply HL|]; auto.
Qed.
