(* Claims. Nothing here mentions the checker or its integers. README.md explains each definition in prose, and lists the
   theorems: those about whole certificates are the last of Claims.v, Asked.v and RowClaims.v. *)
(* Reals without derivatives and integrals, which every start would load. *)
From Coq Require Export Rbase Rfunctions Rtrigo_def Exp_prop Rpower.
From Coq Require Import List ZArith.
Import ListNotations.
Open Scope R_scope.

Fixpoint Sum (n : nat) (x : nat -> R) : R :=
  match n with O => 0 | S k => Sum k x + x k end.

(* ---- Mechanisms: M r f is the probability of response r where f is the truth. *)
Definition mechanism := nat -> nat -> R.

Definition stochastic (m n : nat) (M : mechanism) : Prop :=
  (forall r f, (r < m)%nat -> (f < n)%nat -> 0 <= M r f) /\
  (forall f, (f < n)%nat -> Sum m (fun r => M r f) = 1).

(* The probability that the response lies in a set. *)
Definition prob (m : nat) (M : mechanism) (A : nat -> bool) (f : nat) : R :=
  Sum m (fun r => if A r then M r f else 0).

(* The probability of those responses that are more than e times as likely at f as at g. *)
Definition violated (m : nat) (M : mechanism) (e : R) (f g : nat) : R :=
  Sum m (fun r => if Rlt_dec (e * M r g) (M r f) then M r f else 0).

(* ---- Privacy *)
Inductive epsilon := Ratio (n d : Z) | Log (n d : Z).
Definition real_epsilon (e : epsilon) : R :=
  match e with Ratio n d => IZR n / IZR d | Log n d => ln (IZR n / IZR d) end.

Inductive definition := OfSets | OfOutcomes | OfMass.
Record privacy := { kind : definition; eps : epsilon; delta : option (Z * Z) }.

(* The condition on truths f and g, e^(w epsilon) being e. OfSets is (epsilon, delta)-differential privacy, and with delta 0
   pure differential privacy; OfMass is probabilistic differential privacy. *)
Definition close (p : definition) (m : nat) (M : mechanism) (e d : R) (f g : nat) : Prop :=
  match p with
  | OfSets => forall A, prob m M A f <= e * prob m M A g + d
  | OfOutcomes => forall r, (r < m)%nat -> M r f <= e * M r g + d
  | OfMass => violated m M e f g <= d
  end.

(* Neighbours are ordered pairs with a weight. A privacy that names no delta has the delta that is sought. *)
Definition private (m : nat) (neighbours : list (nat * nat * nat)) (sought : R) (M : mechanism) (p : privacy) : Prop :=
  forall f g w, In (f, g, w) neighbours ->
  close (kind p) m M (exp (INR w * real_epsilon (eps p)))
    (match delta p with Some (a, b) => IZR a / IZR b | None => sought end) f g.

(* ---- Rules: a weighted sum of entries is at most a number, or equal to it. *)
Definition term := (nat * nat * Z)%type.
Fixpoint value (M : mechanism) (l : list term) : R :=
  match l with [] => 0 | (r, f, c) :: rest => IZR c * M r f + value M rest end.
Record rule := { terms : list term; equation : bool; right : Z }.
Definition keeps (M : mechanism) (t : rule) : Prop :=
  if equation t then value M (terms t) = IZR (right t) else value M (terms t) <= IZR (right t).

(* ---- Questions *)
Inductive objective := TotalLoss | WorstLoss | LeastDelta.
Record question := {
  responses : nat; truths : nat;
  neighbours : list (nat * nat * nat);
  privacies : list privacy;
  name : nat -> nat -> positive;             (* entries of one name are equal *)
  limits : list (nat * nat * Z * Z); limit_unit : Z;
  rules : list rule;
  cost : nat -> nat -> Z; cost_unit : Z;
  aim : objective }.

Definition tied (q : question) (M : mechanism) : Prop :=
  forall r f r' f', (r < responses q)%nat -> (f < truths q)%nat -> (r' < responses q)%nat -> (f' < truths q)%nat ->
  name q r f = name q r' f' -> M r f = M r' f'.

Definition within_limits (q : question) (M : mechanism) : Prop :=
  forall r f low high, In (r, f, low, high) (limits q) -> IZR low <= IZR (limit_unit q) * M r f <= IZR high.

Definition loss_at (q : question) (M : mechanism) (f : nat) : R :=
  Sum (responses q) (fun r => IZR (cost q r f) / IZR (cost_unit q) * M r f).
Definition total_loss (q : question) (M : mechanism) : R := Sum (truths q) (loss_at q M).

(* M is a mechanism of the question, and its objective is v or less. *)
Definition achieves (q : question) (M : mechanism) (v : R) : Prop :=
  stochastic (responses q) (truths q) M /\
  tied q M /\ within_limits q M /\ Forall (keeps M) (rules q) /\
  Forall (private (responses q) (neighbours q) v M) (privacies q) /\
  match aim q with
  | TotalLoss => total_loss q M <= v
  | WorstLoss => forall f, (f < truths q)%nat -> loss_at q M f <= v
  | LeastDelta => 0 <= v
  end.
