(* Rational numbers E <= e^epsilon <= F. All follows from 1 + y <= e^y: with y = x / 2^k, squared k times, for x and for -x. *)
From Coq Require Import Reals ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums.
Open Scope R_scope.

Record factors := { e_num : Z; e_den : Z; f_num : Z; f_den : Z; squarings : nat; scale : Z }.

Fixpoint squared (k : nat) (one v : Z) : Z :=
  match k with O => v | S j => squared j one (v * v / one)%Z end.
(* 1 + (n/d) / 2^k, over `one` *)
Definition start (n d : Z) (k : nat) (one : Z) : Z := (one + n * one / (d * power 2 k))%Z.
Definition below_exp (n d : Z) (k : nat) (one : Z) : Z := squared k one (start n d k one).

Lemma squared_sound : forall k one v y, (0 < one)%Z -> (0 <= v)%Z ->
  IZR v / IZR one <= exp y -> IZR (squared k one v) / IZR one <= exp (2 ^ k * y).
Proof.
  induction k; intros one v y Ho Hv H; cbn [squared].
  - simpl. rewrite Rmult_1_l. auto.
  - replace (2 ^ S k * y) with (2 ^ k * (y + y)) by (simpl; ring).
    apply IHk; auto. { apply Z.div_pos; nia. }
    assert (HoR := IZR_lt _ _ Ho). apply IZR_le in Hv. assert (Hq := div_nonneg _ _ Hv HoR).
    rewrite exp_plus. apply Rle_trans with ((IZR v / IZR one) * (IZR v / IZR one)); [|apply Rmult_le_compat; auto].
    apply div_le_l; auto. eapply Rle_trans; [apply floor_below; auto|]. rewrite mult_IZR. right. field. lra.
Qed.

Lemma below_exp_sound : forall n d k one, (0 < d)%Z -> (0 < one)%Z -> (0 <= start n d k one)%Z ->
  IZR (below_exp n d k one) / IZR one <= exp (IZR n / IZR d).
Proof.
  intros n d k one Hd Ho Hs. unfold below_exp.
  assert (Hp : 0 < 2 ^ k) by (apply pow_lt; lra). assert (HdR := IZR_lt _ _ Hd). assert (HoR := IZR_lt _ _ Ho).
  replace (IZR n / IZR d) with (2 ^ k * (IZR n / IZR d / 2 ^ k)) by (field; lra).
  apply squared_sound; auto. eapply Rle_trans; [|apply exp_ineq1_le].
  apply div_le_l; auto. unfold start. rewrite plus_IZR.
  assert (Hpz : (0 < power 2 k)%Z) by (apply lt_IZR; rewrite power_IZR; auto).
  eapply Rle_trans. { apply Rplus_le_compat_l, floor_below. nia. }
  rewrite !mult_IZR, power_IZR. right. field. lra.
Qed.

Definition encloses (e : epsilon) (x : factors) : bool :=
  (0 <=? e_num x)%Z && (0 <? e_den x)%Z && (0 <? f_num x)%Z && (0 <? f_den x)%Z &&
  match e with
  | Ratio n d => let one := scale x in let k := squarings x in
      (0 <? d)%Z && (0 <? one)%Z && (0 <=? start n d k one)%Z && (0 <=? start (- n) d k one)%Z &&
      (e_num x * one <=? e_den x * below_exp n d k one)%Z && (f_den x * one <=? f_num x * below_exp (- n) d k one)%Z
  | Log n d => (0 <? n)%Z && (0 <? d)%Z && (e_num x * d <=? e_den x * n)%Z && (f_den x * n <=? f_num x * d)%Z
  end.

(* E <= e^epsilon <= F *)
Theorem encloses_sound : forall e x, encloses e x = true ->
  0 <= IZR (e_num x) /\ 0 < IZR (e_den x) /\ 0 < IZR (f_num x) /\ 0 < IZR (f_den x) /\
  IZR (e_num x) / IZR (e_den x) <= exp (real_epsilon e) <= IZR (f_num x) / IZR (f_den x).
Proof.
  intros e x H. unfold encloses in H. facts.
  assert (He : 0 < IZR (e_den x)) by (apply IZR_lt; auto). assert (Hf : 0 < IZR (f_den x)) by (apply IZR_lt; auto).
  assert (Hn : 0 < IZR (f_num x)) by (apply IZR_lt; auto). assert (Hz : 0 <= IZR (e_num x)) by (apply IZR_le; auto).
  do 4 (split; [assumption|]). destruct e as [n d|n d]; facts; simpl real_epsilon.
  - assert (Ho : (0 < scale x)%Z) by auto. assert (HoR := IZR_lt _ _ Ho).
    assert (A := below_exp_sound n d (squarings x) (scale x) ltac:(auto) Ho ltac:(auto)).
    assert (B := below_exp_sound (- n) d (squarings x) (scale x) ltac:(auto) Ho ltac:(auto)).
    set (low := below_exp n d _ _) in *. set (back := below_exp (- n) d _ _) in *.
    assert (HE : (e_num x * scale x <= e_den x * low)%Z) by auto. assert (HF : (f_den x * scale x <= f_num x * back)%Z) by auto.
    apply IZR_le in HE, HF. rewrite !mult_IZR in HE, HF.
    split.
    + eapply Rle_trans; [|exact A]. apply div_le_div; auto. lra.
    + rewrite opp_IZR in B. replace (- IZR n / IZR d) with (- (IZR n / IZR d)) in B by (unfold Rdiv; ring).
      rewrite exp_Ropp in B. set (X := exp (IZR n / IZR d)) in *. assert (HX : 0 < X) by apply exp_pos.
      apply le_div_r; auto.
      assert (C : IZR back * X <= IZR (scale x)).
      { apply Rmult_le_compat_r with (r := IZR (scale x) * X) in B. 2:{ left; apply Rmult_lt_0_compat; auto. }
        replace (IZR back / IZR (scale x) * (IZR (scale x) * X)) with (IZR back * X) in B by (field; lra).
        replace (/ X * (IZR (scale x) * X)) with (IZR (scale x)) in B by (field; lra). auto. }
      apply Rmult_le_reg_r with (IZR (scale x)); auto.
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
