(* Finite sums of real numbers and of integers, and checks of all numbers below another. *)
From Coq Require Import List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec.
Import ListNotations.
Open Scope R_scope.

(* Split what a boolean check says into the facts that it checks. *)
Ltac facts := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
  | H : (_ <? _)%nat = true |- _ => apply Nat.ltb_lt in H
  | H : (_ <=? _)%nat = true |- _ => apply Nat.leb_le in H
  | H : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in H
  end.

Lemma Sum_ext : forall n x y, (forall i, (i < n)%nat -> x i = y i) -> Sum n x = Sum n y.
Proof. induction n; simpl; intros x y H; auto. rewrite (IHn x y) by auto. rewrite H by lia. reflexivity. Qed.
Lemma Sum_add : forall n x y, Sum n (fun i => x i + y i) = Sum n x + Sum n y.
Proof. induction n; simpl; intros. ring. rewrite IHn. ring. Qed.
Lemma Sum_sub : forall n x y, Sum n (fun i => x i - y i) = Sum n x - Sum n y.
Proof. induction n; simpl; intros. ring. rewrite IHn. ring. Qed.
Lemma Sum_scale : forall n a x, Sum n (fun i => a * x i) = a * Sum n x.
Proof. induction n; simpl; intros. ring. rewrite IHn. ring. Qed.
Lemma Sum_mono : forall n x y, (forall i, (i < n)%nat -> x i <= y i) -> Sum n x <= Sum n y.
Proof. induction n; simpl; intros x y H. lra. apply Rplus_le_compat; auto. Qed.
Lemma Sum_nonneg : forall n x, (forall i, (i < n)%nat -> 0 <= x i) -> 0 <= Sum n x.
Proof. induction n; simpl; intros x H. lra. apply Rplus_le_le_0_compat; auto. Qed.

Lemma Sum_zero : forall n, Sum n (fun _ => 0) = 0.
Proof. induction n; simpl; lra. Qed.
Lemma Sum_first : forall n x, Sum (S n) x = x O + Sum n (fun i => x (S i)).
Proof. induction n; intros x. simpl; ring. cbn [Sum] in *. rewrite IHn. ring. Qed.
Lemma Sum_swap : forall n m (x : nat -> nat -> R), Sum n (fun i => Sum m (x i)) = Sum m (fun j => Sum n (fun i => x i j)).
Proof. induction n; intros m x; simpl. rewrite Sum_zero. reflexivity. rewrite IHn, <- Sum_add. reflexivity. Qed.

(* The sums of numbers that are not negative grow, and no such number is above the sum. *)
Lemma Sum_grows : forall x m, (forall k, (k < m)%nat -> 0 <= x k) -> forall j i, (i <= j)%nat -> (j <= m)%nat ->
  Sum i x <= Sum j x.
Proof.
  intros x m H. induction j as [|j IH]; intros i Hi Hj.
  - replace i with O by lia. lra.
  - destruct (Nat.eq_dec i (S j)) as [->|]. lra. simpl. specialize (IH i ltac:(lia) ltac:(lia)). specialize (H j ltac:(lia)). lra.
Qed.
Lemma Sum_member : forall n x i, (forall k, (k < n)%nat -> 0 <= x k) -> (i < n)%nat -> x i <= Sum n x.
Proof.
  intros n x i H Hi. assert (Ha := Sum_grows x n H n (S i) ltac:(lia) ltac:(lia)).
  assert (Hb := Sum_nonneg i x ltac:(intros; apply H; lia)). simpl in Ha. lra.
Qed.

Fixpoint total (n : nat) (x : nat -> Z) : Z :=
  match n with O => 0%Z | S k => (total k x + x k)%Z end.
Lemma total_Sum : forall n x, IZR (total n x) = Sum n (fun i => IZR (x i)).
Proof. induction n; simpl; intros; auto. rewrite plus_IZR, IHn. reflexivity. Qed.
Lemma total_ext : forall n x y, (forall i, (i < n)%nat -> x i = y i) -> total n x = total n y.
Proof. induction n; simpl; intros x y H; auto. rewrite (IHn x y) by auto. rewrite H by lia. reflexivity. Qed.

(* The smaller of two positions, in one comparison: Nat.min counts down from both. *)
Definition lesser (a b : nat) : nat := if (a <=? b)%nat then a else b.
Lemma lesser_min : forall a b, lesser a b = Nat.min a b.
Proof. intros a b. unfold lesser. destruct (Nat.leb_spec a b); lia. Qed.

Fixpoint all (n : nat) (p : nat -> bool) : bool :=
  match n with O => true | S k => p k && all k p end.
Lemma all_spec : forall n p, all n p = true -> forall i, (i < n)%nat -> p i = true.
Proof.
  induction n; simpl; intros p H i Hi. lia. apply andb_true_iff in H as [Ha Hb].
  destruct (Nat.eq_dec i n) as [->|]; auto. apply IHn; auto; lia.
Qed.
Lemma all_true : forall n p, (forall i, (i < n)%nat -> p i = true) -> all n p = true.
Proof. induction n; simpl; intros p H; auto. rewrite H by lia. apply IHn. auto. Qed.
Fixpoint any (n : nat) (p : nat -> bool) : bool :=
  match n with O => false | S k => p k || any k p end.
Lemma any_spec : forall n p, any n p = true -> exists i, (i < n)%nat /\ p i = true.
Proof.
  induction n; simpl; intros p H. discriminate. apply orb_true_iff in H as [H|H]. eauto.
  destruct (IHn p H) as (i & Hi & Hp). exists i; split; auto.
Qed.

Fixpoint power (x : Z) (k : nat) : Z := match k with O => 1%Z | S j => (x * power x j)%Z end.
Lemma power_IZR : forall k x, IZR (power x k) = IZR x ^ k.
Proof. induction k; simpl; intros; auto. rewrite mult_IZR, IHk. reflexivity. Qed.

Lemma floor_below : forall a b, (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros a b Hb. assert (H := Z.mul_div_le a b Hb). apply IZR_le in H. rewrite mult_IZR in H. apply IZR_lt in Hb.
  apply Rmult_le_reg_l with (IZR b); auto. replace (IZR b * (IZR a / IZR b)) with (IZR a) by (field; lra). lra.
Qed.
Lemma div_le_div : forall a b c d, 0 < b -> 0 < d -> a * d <= c * b -> a / b <= c / d.
Proof.
  intros a b c d Hb Hd H. apply Rmult_le_reg_r with (b * d). apply Rmult_lt_0_compat; auto.
  replace (a / b * (b * d)) with (a * d) by (field; lra). replace (c / d * (b * d)) with (c * b) by (field; lra). auto.
Qed.
Lemma div_nonneg : forall a b, 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros a b Ha Hb. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto. Qed.
Lemma div_le_l : forall a b c, 0 < b -> a <= c * b -> a / b <= c.
Proof. intros. replace c with (c / 1) by field. apply div_le_div; lra. Qed.
Lemma le_div_r : forall a b c, 0 < b -> a * b <= c -> a <= c / b.
Proof. intros. replace a with (a / 1) by field. apply div_le_div; lra. Qed.

(* ==== A table holds an integer for each name: 0 unless it was told another. It is a binary tree along the digits of names. *)
Inductive table := Empty | Node (even : table) (here : Z) (odd : table).
Definition even t := match t with Empty => Empty | Node a _ _ => a end.
Definition here t := match t with Empty => 0%Z | Node _ v _ => v end.
Definition odd t := match t with Empty => Empty | Node _ _ b => b end.

Fixpoint get (p : positive) (t : table) {struct t} : Z :=
  match t with
  | Empty => 0%Z
  | Node a v b => match p with xH => v | xO p' => get p' a | xI p' => get p' b end
  end.
Fixpoint update (change : Z -> Z) (p : positive) (t : table) : table :=
  match p with
  | xH => Node (even t) (change (here t)) (odd t)
  | xO p' => Node (update change p' (even t)) (here t) (odd t)
  | xI p' => Node (even t) (here t) (update change p' (odd t))
  end.

Lemma get_parts : forall t p, get p t = match p with xH => here t | xO p' => get p' (even t) | xI p' => get p' (odd t) end.
Proof. destruct t; destruct p; reflexivity. Qed.
Lemma get_update : forall change p t, get p (update change p t) = change (get p t).
Proof. induction p; intros t; simpl; rewrite ?IHp, (get_parts t); reflexivity. Qed.
Lemma get_other : forall change p s t, s <> p -> get s (update change p t) = get s t.
Proof.
  induction p; intros s t H; simpl; rewrite (get_parts t); destruct s; auto; try (apply IHp); congruence.
Qed.

(* The sum of the integers times the values that x gives to the names. *)
Fixpoint weighed (t : table) (x : positive -> R) : R :=
  match t with
  | Empty => 0
  | Node a v b => IZR v * x xH + weighed a (fun p => x (xO p)) + weighed b (fun p => x (xI p))
  end.
Lemma weighed_parts : forall t x, weighed t x = IZR (here t) * x xH + weighed (even t) (fun p => x (xO p)) + weighed (odd t)
  (fun p => x (xI p)).
Proof. destruct t; intros; simpl; ring. Qed.
Lemma weighed_add : forall p c t x, weighed (update (Z.add c) p t) x = weighed t x + IZR c * x p.
Proof. induction p; intros c t x; simpl; rewrite ?IHp, (weighed_parts t), ?plus_IZR; ring. Qed.

(* The least that this can be, times `unit`, where each `unit x` is from its `low` to `unit` less its `cut`. *)
Definition least_of (unit v low cut : Z) : Z := if (0 <=? v)%Z then (v * low)%Z else (v * (unit - cut))%Z.
Fixpoint least (unit : Z) (t low cut : table) : Z :=
  match t with
  | Empty => 0%Z
  | Node a v b => (least_of unit v (here low) (here cut) + least unit a (even low) (even cut) + least unit b (odd low)
    (odd cut))%Z
  end.
Lemma least_sound : forall unit t low cut x,
  (forall p, IZR (get p low) <= IZR unit * x p <= IZR unit - IZR (get p cut)) ->
  IZR (least unit t low cut) <= IZR unit * weighed t x.
Proof.
  induction t as [|a IHa v b IHb]; intros low cut x H; simpl. - lra.
  - rewrite !plus_IZR.
    assert (A := IHa (even low) (even cut) (fun p => x (xO p))
      (fun p => ltac:(specialize (H (xO p)); rewrite (get_parts low), (get_parts cut) in H; exact H))).
    assert (B := IHb (odd low) (odd cut) (fun p => x (xI p))
      (fun p => ltac:(specialize (H (xI p)); rewrite (get_parts low), (get_parts cut) in H; exact H))).
    specialize (H xH). rewrite (get_parts low), (get_parts cut) in H.
    enough (IZR (least_of unit v (here low) (here cut)) <= IZR unit * (IZR v * x xH)) by lra.
    unfold least_of. destruct (Z.leb_spec 0 v) as [Hv|Hv]; rewrite mult_IZR, ?minus_IZR.
    + apply IZR_le in Hv. assert (IZR v * IZR (here low) <= IZR v * (IZR unit * x xH)) by (apply Rmult_le_compat_l; lra). lra.
    + apply IZR_lt in Hv. assert (IZR v * (IZR unit - IZR (here cut)) <= IZR v * (IZR unit * x xH))
        by (apply Rmult_le_compat_neg_l; lra). lra.
Qed.

(* ---- Tables added up, and times a number; whether two are the same *)
Fixpoint plus (a b : table) : table :=
  match a, b with
  | Empty, t | t, Empty => t
  | Node l v r, Node l' v' r' => Node (plus l l') (v + v') (plus r r')
  end.
Fixpoint scaled (y : Z) (t : table) : table :=
  match t with Empty => Empty | Node a v b => Node (scaled y a) (y * v) (scaled y b) end.
Fixpoint same_table (a b : table) : bool :=
  match a, b with
  | Empty, Empty => true
  | Node l v r, Node l' v' r' => (v =? v')%Z && same_table l l' && same_table r r'
  | _, _ => false
  end.
Lemma weighed_plus : forall a b x, weighed (plus a b) x = weighed a x + weighed b x.
Proof. induction a; destruct b; intros; simpl; rewrite ?plus_IZR, ?IHa1, ?IHa2; ring. Qed.
Lemma weighed_scaled : forall y t x, weighed (scaled y t) x = IZR y * weighed t x.
Proof. induction t; intros; simpl; rewrite ?mult_IZR, ?IHt1, ?IHt2; ring. Qed.
Lemma same_table_eq : forall a b, same_table a b = true -> a = b.
Proof. induction a; destruct b; simpl; intros H; try discriminate; auto. facts. f_equal; auto. Qed.

(* ---- A function of small numbers, computed once for each: one that is not in the table yet is computed. *)
Definition recalled (value : nat -> Z) (t : table) (w : nat) : Z :=
  let v := get (Pos.of_succ_nat w) t in if (v =? 0)%Z then value w else v.
Definition learn (value : nat -> Z) (t : table) (w : nat) : table :=
  let p := Pos.of_succ_nat w in if (get p t =? 0)%Z then let v := value w in update (fun _ => v) p t else t.
Definition learned {A} (value : nat -> Z) (number : A -> nat) (l : list A) : table :=
  fold_left (fun t e => learn value t (number e)) l Empty.
Lemma recalled_right : forall A value (number : A -> nat) l w, recalled value (learned value number l) w = value w.
Proof.
  intros A value number l0. unfold learned.
  enough (H : forall l t, (forall w, recalled value t w = value w) ->
    forall w, recalled value (fold_left (fun t e => learn value t (number e)) l t) w = value w).
  { apply H. reflexivity. }
  induction l as [|e l IH]; intros t Ht; simpl; auto. apply IH. intros w. unfold learn.
  destruct (get (Pos.of_succ_nat (number e)) t =? 0)%Z; auto. unfold recalled.
  destruct (Nat.eq_dec (number e) w) as [<-|Hne].
  - rewrite get_update. destruct (_ =? 0)%Z; auto.
  - rewrite get_other by (intros E; apply SuccNat2Pos.inj in E; auto). apply Ht.
Qed.

(* Places are named row by row; rows are a power of two apart, so that the names of one column are near each other. *)
Fixpoint doubled (fuel n s : nat) : nat :=
  match fuel with O => s | S k => if (n <=? s)%nat then s else doubled k n (s + s) end.
Definition stride (n : nat) : nat := doubled n n 1.
Lemma doubled_enough : forall fuel n s, (0 < s)%nat -> (n <= s + fuel)%nat -> (n <= doubled fuel n s)%nat.
Proof.
  induction fuel; intros n s Hs H; simpl. lia. destruct (Nat.leb_spec n s); auto. apply IHfuel; lia.
Qed.
Lemma stride_enough : forall n, (n <= stride n)%nat.
Proof. intros. apply doubled_enough; lia. Qed.

(* ==== Rational numbers E <= e^epsilon <= F. All follows from 1 + y <= e^y: with y = x / 2^k, squared k times,
   for x and for -x. *)
Record factors := { e_num : Z; e_den : Z; f_num : Z; f_den : Z; squarings : nat; fraction_bits : Z }.

Fixpoint squared (k : nat) (bits v : Z) : Z :=
  match k with O => v | S j => squared j bits (Z.shiftr (v * v) bits) end.
(* 1 + (n/d) / 2^k, over `one` *)
Definition start (n d : Z) (k : nat) (one : Z) : Z := (one + n * one / (d * power 2 k))%Z.
Definition below_exp (n d : Z) (k : nat) (bits : Z) : Z := squared k bits (start n d k (Z.shiftl 1 bits)).

Lemma squared_sound : forall k bits v y, (0 <= bits)%Z -> (0 <= v)%Z ->
  IZR v / IZR (2 ^ bits) <= exp y -> IZR (squared k bits v) / IZR (2 ^ bits) <= exp (2 ^ k * y).
Proof.
  intros k bits v y Hb. assert (Ho : (0 < 2 ^ bits)%Z) by (apply Z.pow_pos_nonneg; lia). revert v y.
  induction k; intros v y Hv H; cbn [squared]; [|rewrite Z.shiftr_div_pow2 by auto; set (one := (2 ^ bits)%Z) in *].
  - simpl. rewrite Rmult_1_l. auto.
  - replace (2 ^ S k * y) with (2 ^ k * (y + y)) by (simpl; ring).
    apply IHk; auto. { apply Z.div_pos; nia. }
    assert (HoR := IZR_lt _ _ Ho). apply IZR_le in Hv. assert (Hq := div_nonneg _ _ Hv HoR).
    rewrite exp_plus. apply Rle_trans with ((IZR v / IZR one) * (IZR v / IZR one)); [|apply Rmult_le_compat; auto].
    apply div_le_l; auto. eapply Rle_trans; [apply floor_below; auto|]. rewrite mult_IZR. right. field. lra.
Qed.

Lemma below_exp_sound : forall n d k bits, (0 < d)%Z -> (0 <= bits)%Z -> (0 <= start n d k (2 ^ bits))%Z ->
  IZR (below_exp n d k bits) / IZR (2 ^ bits) <= exp (IZR n / IZR d).
Proof.
  intros n d k bits Hd Hb Hs. unfold below_exp. rewrite Z.shiftl_1_l. set (one := (2 ^ bits)%Z) in *.
  assert (Ho : (0 < one)%Z) by (apply Z.pow_pos_nonneg; lia).
  assert (Hp : 0 < 2 ^ k) by (apply pow_lt; lra). assert (HdR := IZR_lt _ _ Hd). assert (HoR := IZR_lt _ _ Ho).
  replace (IZR n / IZR d) with (2 ^ k * (IZR n / IZR d / 2 ^ k)) by (field; lra).
  apply squared_sound; auto. fold one. eapply Rle_trans; [|apply exp_ineq1_le].
  apply div_le_l; auto. unfold start. rewrite plus_IZR.
  assert (Hpz : (0 < power 2 k)%Z) by (apply lt_IZR; rewrite power_IZR; auto).
  eapply Rle_trans. { apply Rplus_le_compat_l, floor_below. nia. }
  rewrite !mult_IZR, power_IZR. right. field. lra.
Qed.

Definition encloses (e : epsilon) (x : factors) : bool :=
  (0 <=? e_num x)%Z && (0 <? e_den x)%Z && (0 <? f_num x)%Z && (0 <? f_den x)%Z &&
  match e with
  | Ratio n d => let bits := fraction_bits x in let one := Z.shiftl 1 bits in let k := squarings x in
      (0 <? d)%Z && (0 <=? bits)%Z && (0 <=? start n d k one)%Z && (0 <=? start (- n) d k one)%Z &&
      (e_num x * one <=? e_den x * below_exp n d k bits)%Z && (f_den x * one <=? f_num x * below_exp (- n) d k bits)%Z
  | Log n d => (0 <? n)%Z && (0 <? d)%Z && (e_num x * d <=? e_den x * n)%Z && (f_den x * n <=? f_num x * d)%Z
  end.

(* E <= e^epsilon <= F *)
Theorem encloses_sound : forall e x, encloses e x = true ->
  0 <= IZR (e_num x) /\ 0 < IZR (e_den x) /\ 0 < IZR (f_num x) /\ 0 < IZR (f_den x) /\
  IZR (e_num x) / IZR (e_den x) <= exp (real_epsilon e) <= IZR (f_num x) / IZR (f_den x).
Proof.
  intros e x H. unfold encloses in H. cbv zeta in H. rewrite Z.shiftl_1_l in H. facts.
  assert (He : 0 < IZR (e_den x)) by (apply IZR_lt; auto). assert (Hf : 0 < IZR (f_den x)) by (apply IZR_lt; auto).
  assert (Hn : 0 < IZR (f_num x)) by (apply IZR_lt; auto). assert (Hz : 0 <= IZR (e_num x)) by (apply IZR_le; auto).
  do 4 (split; [assumption|]). destruct e as [n d|n d]; facts; simpl real_epsilon.
  - assert (Hb : (0 <= fraction_bits x)%Z) by auto.
    assert (A := below_exp_sound n d (squarings x) (fraction_bits x) ltac:(auto) Hb ltac:(auto)).
    assert (B := below_exp_sound (- n) d (squarings x) (fraction_bits x) ltac:(auto) Hb ltac:(auto)).
    set (low := below_exp n d _ _) in *. set (back := below_exp (- n) d _ _) in *. set (one := (2 ^ fraction_bits x)%Z) in *.
    assert (Ho : (0 < one)%Z) by (apply Z.pow_pos_nonneg; lia). assert (HoR := IZR_lt _ _ Ho).
    assert (HE : (e_num x * one <= e_den x * low)%Z) by auto. assert (HF : (f_den x * one <= f_num x * back)%Z) by auto.
    apply IZR_le in HE, HF. rewrite !mult_IZR in HE, HF.
    split.
    + eapply Rle_trans; [|exact A]. apply div_le_div; auto. lra.
    + rewrite opp_IZR in B. replace (- IZR n / IZR d) with (- (IZR n / IZR d)) in B by (unfold Rdiv; ring).
      rewrite exp_Ropp in B. set (X := exp (IZR n / IZR d)) in *. assert (HX : 0 < X) by apply exp_pos.
      apply le_div_r; auto.
      assert (C : IZR back * X <= IZR one).
      { apply Rmult_le_compat_r with (r := IZR one * X) in B. 2:{ left; apply Rmult_lt_0_compat; auto. }
        replace (IZR back / IZR one * (IZR one * X)) with (IZR back * X) in B by (field; lra).
        replace (/ X * (IZR one * X)) with (IZR one) in B by (field; lra). auto. }
      apply Rmult_le_reg_r with (IZR one); auto.
      apply Rle_trans with (IZR (f_num x) * (IZR back * X)).
      * apply Rmult_le_compat_r with (r := X) in HF; lra.
      * apply Rmult_le_compat_l; lra.
  - assert (Hd : 0 < IZR d) by (apply IZR_lt; auto). assert (Hnn : 0 < IZR n) by (apply IZR_lt; auto).
    assert (HE : (e_num x * d <= e_den x * n)%Z) by auto. assert (HF : (f_den x * n <= f_num x * d)%Z) by auto.
    apply IZR_le in HE, HF. rewrite !mult_IZR in HE, HF.
    rewrite exp_ln by (apply Rdiv_lt_0_compat; auto). split; apply div_le_div; lra.
Qed.

Lemma exp_times : forall w e, exp (INR w * e) = exp e ^ w.
Proof.
  induction w; intros e. - simpl. rewrite Rmult_0_l. apply exp_0.
  - rewrite S_INR, Rmult_plus_distr_r, exp_plus, IHw. simpl. rewrite Rmult_1_l. ring.
Qed.
(* The same between neighbours of weight w: E^w <= e^(w epsilon) <= F^w *)
Lemma encloses_power : forall e x w, encloses e x = true ->
  0 < IZR (power (e_den x) w) /\ 0 < IZR (power (f_den x) w) /\
  IZR (power (e_num x) w) <= exp (INR w * real_epsilon e) * IZR (power (e_den x) w) /\
  exp (INR w * real_epsilon e) * IZR (power (f_den x) w) <= IZR (power (f_num x) w).
Proof.
  intros e x w H. apply encloses_sound in H as (Hz & He & Hn & Hf & HE & HF).
  rewrite exp_times, !power_IZR, <- !Rpow_mult_distr. assert (HX := exp_pos (real_epsilon e)).
  repeat split; try (apply pow_lt; auto); apply pow_incr; (split; [auto; left; apply Rmult_lt_0_compat; auto|]).
  - apply Rmult_le_compat_r with (r := IZR (e_den x)) in HE; [|lra].
    replace (IZR (e_num x) / IZR (e_den x) * IZR (e_den x)) with (IZR (e_num x)) in HE by (field; lra). auto.
  - apply Rmult_le_compat_r with (r := IZR (f_den x)) in HF; [|lra].
    replace (IZR (f_num x) / IZR (f_den x) * IZR (f_den x)) with (IZR (f_num x)) in HF by (field; lra). auto.
Qed.
