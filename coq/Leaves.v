(* The check of a proof of a bound. All lines of a leaf are added in one table, and a proof by cases proves the least that its
   leaves prove. Bound.v says why that is enough. *)
From Coq Require Import Reals List ZArith Bool Arith.
From Optmech Require Import Spec Sums Enclosure Table Lines.
Import ListNotations.
Open Scope R_scope.

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
