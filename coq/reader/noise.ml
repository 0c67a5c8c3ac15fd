(* Noise with thresholds as a file has them, and the truths that each threshold looks at. *)
open Json
open Numbers
open Written

(* Limits, which are part of the format. *)
let places_most = 1 lsl 20 and bits_most = 1 lsl 15 and listed_bits = 1 lsl 28 and of_privacies = 1 lsl 21
let tail_work = 1 lsl 36 and spent_work = 1 lsl 37 and spent_work_of_a_bit = 1 lsl 12
let one_bits_least = 192 and more_bits = 128
let bounds_most = 1 lsl 6 and bounds_held = 1 lsl 17 and again = 8
let step_work = 1 lsl 29 and work_of_a_number = 1 lsl 21 and most_step_work = 1 lsl 30
let more_work = 1 lsl 11 and work_of_a_written_bit = 1 lsl 8

let digits_of runs = List.fold_left (fun d (x, _) -> d + Z.numbits x) 0 runs

let total runs = List.fold_left (fun sum (x, times) -> Z.add sum (Z.mul x (Z.of_int times))) Z.zero runs

(* The sums of the first numbers: of one, of two, and so on. *)
let sums size runs =
  let out = Array.make size Z.zero and sum = ref Z.zero and at = ref 0 in
  List.iter (fun (x, times) -> for _ = 1 to times do sum := Z.add !sum x; out.(!at) <- !sum; incr at done) runs;
  out

(* Whether all but the first are zero or more. *)
let rises = function
  | [] -> true
  | (x, times) :: rest -> (times = 1 || Z.sign x >= 0) && List.for_all (fun (x, _) -> Z.sign x >= 0) rest

type t = {
  period : int; first : int; last : int; bits : int; whole : Z.t; tail : Z.t;
  cumulative : Z.t array; (* P(Z <= first), …, over [whole] *)
  runs_written : int; digits : int }

let read v privacies = match in_order v ["period"; "first"; "bits"; "tail"; "cumulative"] with
  | [period; first; bits; tail; cumulative] ->
    let period = integer period and first = integer first and bits = integer bits and tail = whole tail in
    let size, told = written_runs cumulative places_most in
    let long = "noise must not be too long" and wrong = "the noise must be a distribution" in
    need (Z.sign bits > 0 && Z.leq bits (Z.of_int bits_most) && Z.leq (Z.abs first) (Z.of_int places_most)) long;
    let bits = Z.to_int bits and first = Z.to_int first in
    need (size * bits <= listed_bits) long;
    need (size * privacies <= of_privacies) "noise must not be too long for so many privacies";
    need (rises told && Z.sign (fst (List.hd told)) >= 0) wrong;
    let one = Z.shift_left Z.one bits in
    need (Z.sign period > 0 && Z.lt period (Z.of_int size)) wrong;
    let period = Z.to_int period in
    need (Z.sign tail >= 0 && Z.lt tail one && Z.leq (total told) one) wrong;
    let cumulative = sums size told in
    need (Z.sign tail = 0 || period * bits * bits <= tail_work) "noise must not be too long for tails";
    need (Z.sign tail > 0 || (Z.sign cumulative.(0) = 0 && Z.equal cumulative.(size - 1) one)) wrong;
    { period; first; last = first + size - 1; bits; whole = one; tail; cumulative;
      runs_written = List.length told; digits = digits_of told }
  | _ -> assert false
let size z = Array.length z.cumulative

(* ---- thresholds *)
(* Threshold j, and [same] like it, each a period and a truth further. F is listed at truths [start] to before [stop];
   the truths that count for the bound run from [low] to before [high]. *)
type step = { j : int; same : int; place : int; home : int; start : int; stop : int; low : int; high : int }
type thresholds = { places : int array; told : (Z.t * int) list; one_bits : int; most_held : int; all_tails : bool; steps : step list }

let never z = z.first - 1
let always z wide = z.last + (z.period * (wide - 1)) + 1
(* a / b, rounded down *)
let floor a b = if a >= 0 then a / b else -((b - 1 - a) / b)

let looked_at z (q : Row.t) place =
  if place = never z then 0, 0
  else if place = always z q.wide then q.wide, q.wide
  else
    let start = min (max (- (floor (z.last - place) z.period)) 0) q.wide in
    start, min (max (floor (place - z.first) z.period + 1) start) q.wide

(* Truths that count, how many steps look the same, and a refusal of those that look at too many truths. *)
let steps z (q : Row.t) places ~one_bits ~most_work ~most_held =
  let m = (size z / z.period) + 1 and c = Z.numbits q.largest and n = Array.length places in
  let even = match q.costs with By_distance { even; _ } -> even | Table _ -> false in
  let length = one_bits + z.bits in
  let bounding = 512 + z.bits + c + ((one_bits - one_bits_least) * (length + c) / 2048) in
  let always = always z q.wide and never = never z in
  let work = ref 0 and held = ref [] in
  let rec go j done_ =
    if j >= n then List.rev done_ else begin
      let place = places.(j) and home = q.homes.(j) in
      let start, stop = looked_at z q place in
      let at_end = place = never || place = always in
      let low, high = if at_end then home - m, home + m else start, stop in
      let low = max (min low (home - 1)) 0 and high = min (max high (home + 1)) q.wide in
      let looks = if even then high - low else max high (max stop home) - min low (min start home) in
      let seen = place - (z.period * home) in
      let is_held = (not even) && List.mem seen !held in
      work := !work + (if is_held then (looks + 8) * bounding / again else (looks + 32) * bounding)
        + ((looks + 8) * (c * ((4 * length) + c) / 2048));
      if not even then begin
        let kept = List.filter (fun x -> x <> seen) !held in
        held := seen :: List.filteri (fun i _ -> i < (most_held / 2) - 1) kept
      end;
      need (!work <= most_work) "thresholds must not look at too many truths";
      let same = ref 1 in
      if even && low > 0 && not at_end then begin
        let most = min (q.wide - high + 1) (n - j) in
        while !same < most && places.(j + !same) - places.(j + !same - 1) = z.period do incr same done
      end;
      go (j + !same) ({ j; same = !same; place; home; start; stop; low; high } :: done_)
    end in
  go 0 []

let thresholds v z (q : Row.t) =
  let number, told = written_runs v (q.tall - 1) in
  need (number = q.tall - 1) "there must be a threshold for each response but the last";
  need (rises told) "thresholds must not decrease";
  let always = always z q.wide in
  let from = fst (List.hd told) in
  need (Z.leq (Z.of_int (never z)) from && Z.leq (total told) (Z.of_int always)) "a threshold must be a place";
  let places = Array.map Z.to_int (sums number told) in
  let certain = if Z.sign z.tail > 0 then always else z.last in
  need (not q.zero || places.(0) >= certain) "at 0 the response 0 must be certain";
  let written = z.runs_written + List.length told + q.written in
  let bits = z.digits + digits_of told in
  let most_work = min (step_work + (work_of_a_number * written)) most_step_work
    + (more_work * written) + (work_of_a_written_bit * bits) in
  let most_held = max 2 (min bounds_most (bounds_held / ((size z / z.period) + 1))) in
  let most_of f = List.fold_left (fun b g -> max b (f g)) 1 q.guarantees in
  (* A rounding error grows by up to 1 / delta on its way to certainty, and losses are as small as e^-epsilon. *)
  let room = most_of (fun (g : Requirements.guarantee) -> Z.numbits (Z.fdiv g.upper.Q.num g.upper.Q.den))
    + most_of (fun g -> match g.delta with Some d when Q.sign d > 0 -> Z.numbits (Z.fdiv d.Q.den d.Q.num) | _ -> 1) in
  let one_bits = if q.as_a_noise then one_bits_least else max one_bits_least (more_bits + room) in
  let pure = match q.guarantees with [{ delta = Some d; _ }] -> Q.sign d = 0 | _ -> false in
  let by_distance = match q.costs with By_distance _ -> true | Table _ -> false in
  let all_tails = pure && (not q.zero) && Z.sign z.tail > 0 && size z = 2 && by_distance in
  { places; told; one_bits; most_held; all_tails; steps = if all_tails then [] else steps z q places ~one_bits ~most_work ~most_held }

(* The work of what one shift of the noise spends. *)
let check_spent_work z (q : Row.t) =
  let factors = List.fold_left (fun sum (g : Requirements.guarantee) -> sum + 64 + bits_of g.lower) 0 q.guarantees in
  need (size z * z.bits * (if Z.sign z.tail > 0 then 2 else 1) * factors <= spent_work + (spent_work_of_a_bit * z.digits))
    "noise and factors around e^epsilon must not be too long for so many places"
