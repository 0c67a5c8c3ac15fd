(* No mechanism on truths in a row has a smaller loss than noise with thresholds: Theorem row_bound_sound. Of each step from
   one response to the next privacy leaves two minorants, A + B x, x being the probability of a response up to there at
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
       d = 0 .. across_to, and keeps them in a slot in place of others (slots are numbered from 0; one beyond those in
       use is put at the next). For l = T - period k of a step they are those of l and its period: `up d` is the number of the line
       up(l + period d), `across d` that of across(l - period (d - 1)), d from 1 on; any number beyond the lines is none.
     Step {| at_step; same; before; behind; left; right; certain |}: step j, and same - 1 more that look the same. With
       its home k, `before` truths from k - before on and `behind` truths from k on count: start = k - before,
       stop = k + behind. left and right are the slots of the sequences for T and for T + 1.
       certain is None; or Some across where truth 0 is certain to be below (zero stays zero, start = 0, T <= last, same = 1):
       `across f` is the number of the line across(T - period f), f = 0 .. k - 1.
       Steps come in increasing order; those that are left out add nothing. *)
From Coq Require Import Reals List ZArith Lra Lia Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses.
Import ListNotations.
Open Scope R_scope.

Record profile := { up : nat -> nat; across : nat -> nat; up_to : nat; across_to : nat }.
Record step := { at_step : nat; same : nat; before : nat; behind : nat; left : nat; right : nat; certain : option (nat -> nat) }.
Inductive task := Prepare (slot : nat) (p : profile) | Step (s : step).

Definition pairs := list (Z * Z).
Section Chain.
Variables (m n : nat) (l : losses) (one floor : Z) (ls : pairs).

(* ---- Sequences, from the home outwards *)
Definition next_up (hint : nat) (p : Z * Z) : Z * Z :=
  match nth_error ls hint with
  | Some (s, o) => let a := (one - o - s + s * fst p / one)%Z in if (floor <? a)%Z then (a, (s * snd p / one)%Z) else (0%Z, 0%Z)
  | None => (0%Z, 0%Z) end.
Definition next_across (hint : nat) (p : Z * Z) : Z * Z :=
  match nth_error ls hint with
  | Some (s, o) => if (s <=? 0)%Z then (0%Z, 0%Z) else
      let a := ((fst p - o) * one / s)%Z in if (floor <? a)%Z then (a, (snd p * one / s)%Z) else (0%Z, 0%Z)
  | None => (0%Z, 0%Z) end.
Fixpoint unrolled (next : nat -> Z * Z -> Z * Z) (count d : nat) (p : Z * Z) (done : pairs) : pairs :=
  match count with O => done | S c => let p' := next (S d) p in unrolled next c (S d) p' (p' :: done) end.
Definition sequences (p : profile) : pairs * pairs :=
  (rev_append (unrolled (fun d => next_up (up p d)) (up_to p) 0 (0%Z, one) []) [],
   rev_append (unrolled (fun d => next_across (across p d)) (across_to p) 0 (0%Z, one) [(0%Z, one)]) []).
Definition slots := list (pairs * pairs).
Fixpoint put (i : nat) (x : pairs * pairs) (held : slots) : slots :=
  match held with [] => [x] | y :: rest => match i with O => x :: rest | S i' => y :: put i' x rest end end.
Definition at_slot (held : slots) (i : nat) : pairs * pairs := match nth_error held i with Some x => x | None => ([], []) end.

(* ---- A step: A and B of a minorant, and the least of the larger of two *)
Fixpoint weigh (cost : nat -> Z) (ps : pairs) (count d : nat) (a y : Z) : Z * Z :=
  match count, ps with
  | S c, (b, z) :: rest => let w := cost d in weigh cost rest c (S d) (a + w * b)%Z (y + w * z)%Z
  | _, _ => (a, y) end.
Definition minorant (ca cb : nat -> Z) (s : step) (held : pairs * pairs) : Z * Z :=
  let '(a, y) := weigh ca (fst held) (before s) 0 0 0 in
  let '(b, z) := weigh cb (snd held) (behind s) 0 0 0 in ((a + y + b)%Z, (z - y)%Z).
Definition larger (p q : Z * Z) (x : Z) : Z := Z.max (fst p + snd p * x / one) (fst q + snd q * x / one).
Definition least_of (p q : Z * Z) (least : Z) : Z :=
  let '(a, b) := p in let '(c, d) := q in
  let ends := Z.min (larger p q least) (larger p q one) in
  if (b * d <? 0)%Z then
    let '(over, under) := if (b <? d)%Z then (a - c, d - b)%Z else (c - a, b - d)%Z in
    if (least * under <=? over * one)%Z && (over <=? under)%Z then ((a * d - c * b) / (d - b))%Z else ends
  else ends.

(* The least probability at the home, where it is one at truth 0 *)
Fixpoint after_one (hint : nat -> nat) (count f : nat) (a : Z) : Z :=
  match count with
  | O => a
  | S c => after_one hint c (S f) match nth_error ls (hint f) with
      | Some (s, o) => if (s <=? 0)%Z then 0%Z else Z.max ((a - o) * one / s) 0
      | None => 0%Z end
  end.
Definition cost_before (j k : nat) (sure : bool) (d : nat) : Z :=
  if sure && (S d =? k) then 0%Z else change (cost_of l) j (k - S d).
Definition cost_behind (j k d : nat) : Z := (- change (cost_of l) j (k + d))%Z.
Definition step_value (held : slots) (s : step) : Z :=
  let j := at_step s in let k := home_of l j in
  let sure := match certain s with Some _ => true | None => false end in
  let side i := minorant (cost_before j k sure) (cost_behind j k) s (at_slot held i) in
  let least := match certain s with Some hint => after_one hint k 0 one | None => 0%Z end in
  Z.max 0 (least_of (side (left s)) (side (right s)) least).
Definition step_ok (zero even : bool) (from : nat) (s : step) : bool :=
  let k := home_of l (at_step s) in
  (from <=? at_step s) && (0 <? same s) && (at_step s + same s <=? m - 1) && (before s <=? k) && (0 <? behind s) &&
  (k + behind s + (same s - 1) <=? n) && (if same s =? 1 then true else even) &&
  match certain s with None => true | Some _ => zero && (same s =? 1) end.

Fixpoint times (count : nat) (x s : Z) : Z := match count with O => s | S c => times c x (s + x)%Z end.
Fixpoint run (zero even : bool) (ts : list task) (from : nat) (held : slots) (s : Z) : option Z :=
  match ts with
  | [] => Some s
  | Prepare i p :: rest => run zero even rest from (put i (sequences p) held) s
  | Step t :: rest =>
      if step_ok zero even from t then run zero even rest (at_step t + same t) held (times (same t) (step_value held t) s) else None
  end.
End Chain.

Definition bound_of_row (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors) (one floor : Z)
    (tasks : list task) : option Z :=
  if (0 <? m) && (0 <? n) && (0 <? unit)%Z && (0 <? one)%Z && signs m n l then
    match run m n l one floor (lines one ps fs) zero (even_weights n l) tasks 0 [] 0 with
    | Some s => Some (loss_constant m n l * one + s)%Z
    | None => None end
  else None.
