(* Noise that is all tails: sums over truths on either side of each threshold, and how much may be summed. *)
open Json
open Noise

(* Limits, which are part of the format. *)
let spare_bits = 24
let sums_work = 1 lsl 33 and work_of_a_run = 1 lsl 11 and work_of_a_runs_bit = 1 lsl 8 and work_of_a_weight = 3 * (1 lsl 15)
let work_of_a_truth = 1 lsl 12 and sums_bits = 1 lsl 29 and smoothing_most = 1 lsl 10

(* Where losses bend: distances, and by how much; nowhere if the loss is squared. *)
type bends = { squared : bool; bends : (int * Z.t) array }
let bends_of at =
  let n = Array.length at in
  let squared = Array.for_all Fun.id (Array.mapi (fun d x -> Z.equal x (Z.mul at.(1) (Z.of_int (d * d)))) at) in
  let rise d = if d < 0 then Z.zero else Z.sub at.(d + 1) at.(d) in
  let bends = if squared then [] else
    Json.List.map (fun d -> d, Z.sub (rise d) (rise (d - 1))) (List.init (n - 1) Fun.id) in
  { squared; bends = Array.of_list (List.filter (fun (_, b) -> Z.sign b <> 0) bends) }

(* Sums over truths f up to h of a^(h-f) w_f, a over 2^shift, and of a^(h-f) w_f (h-f), and powers of a, over 2^bits. From
   truth `rest` on, at the latest, sums of equal weights no longer change. *)
type decayed = {
  weights : Z.t array; a : Z.t; shift : int; bits : int; rest : int;
  mutable masses : Z.t array; mutable arms : Z.t array; mutable powers : Z.t array }

type t = {
  q : Row.t; noise : Noise.t; places : int array; weights : Z.t array; at : Z.t array; even : bool; bent : bends;
  mutable smoothing : int; mutable work : int; mutable most_work : int }

let is_mirror a = let n = Array.length a in Array.for_all Fun.id (Array.mapi (fun i x -> Z.equal x a.(n - 1 - i)) a)
let reversed a = let n = Array.length a in Array.init n (fun i -> a.(n - 1 - i))

let allow walk runs =
  List.iter (fun (x, _) -> walk.most_work <- walk.most_work + work_of_a_run + (work_of_a_runs_bit * Z.numbits x)) runs
let spend walk work =
  walk.work <- walk.work + work;
  need (walk.work <= walk.most_work) "there must not be too much to sum up"
let work_bits bits = 512 + bits + (bits * bits / 2048)
let size walk =
  let z = walk.noise in
  let reach = Z.to_int (Z.min (Z.of_int walk.q.wide) (Z.succ (Z.fdiv z.whole (Z.sub z.whole z.tail)))) in
  z.bits + Z.numbits walk.q.largest + (2 * Z.numbits (Z.of_int reach)) + walk.smoothing
let spend_steps walk steps =
  let each = if walk.even then 8 else 11 in
  spend walk (steps * (40 + (each * Array.length walk.bent.bends)) * work_bits (size walk))

let start (q : Row.t) noise (t : Noise.thresholds) = match q.costs with
  | Table _ -> assert false
  | By_distance { weights; at; even } ->
    let walk = { q; noise; places = t.places; weights; at; even; bent = bends_of at; smoothing = 0; work = 0; most_work = sums_work } in
    if q.written > 0 then
      Array.iter (fun w -> if Z.sign w <> 0 then walk.most_work <- walk.most_work + work_of_a_weight) weights;
    let first = noise.cumulative.(0) in
    let second = Z.sub noise.cumulative.(1) first in
    allow walk ((first, 1) :: if Z.equal first second then [] else [second, 1]);
    allow walk t.told;
    walk

(* ---- sums *)
let decayed walk weights a shift =
  let wide = walk.q.wide and one = Z.shift_left Z.one shift in
  let is_one = Z.equal a one in
  let reach = if is_one then wide else Z.to_int (Z.min (Z.of_int wide) (Z.succ (Z.fdiv one (Z.sub one a)))) in
  let halvings = shift + spare_bits + Z.numbits (Row_losses.greatest weights) + (4 * Z.numbits (Z.of_int reach)) + 8 in
  { weights; a; shift; bits = (if is_one then 0 else shift + spare_bits);
    rest = (if walk.even && not is_one then min wide (reach * halvings * 3 / 4) else wide);
    masses = [||]; arms = [||]; powers = [||] }

let sum_up walk d =
  let wide = walk.q.wide and squared = walk.bent.squared in
  let fall x = Z.shift_right (Z.mul x d.a) d.shift in
  let rec sums f masses arms mass arm =
    if f = wide then masses, arms else
      let next_arm = if squared then fall (Z.add mass arm) else Z.zero in
      let next = Z.add (fall mass) (Z.shift_left d.weights.(f) d.bits) in
      if walk.even && f > 0 && Z.equal mass next && Z.equal arm next_arm then masses, arms
      else sums (f + 1) (next :: masses) (next_arm :: arms) next next_arm in
  let rec powers k x done_ = if Z.sign x > 0 && k < wide && not squared then powers (k + 1) (fall x) (x :: done_) else done_ in
  let in_order l = Array.of_list (List.rev l) in
  let masses, arms = sums 0 [] [] Z.zero Z.zero in
  d.masses <- in_order masses; d.arms <- in_order arms; d.powers <- in_order (powers 0 (Z.shift_left Z.one d.bits) [])

(* Sums from the first truth on, and from the last one back. *)
let sides walk a weights =
  let left = decayed walk weights a walk.noise.bits in
  need (size walk * left.rest <= sums_bits) "noise must not be too long for so many truths";
  let right = if is_mirror weights then left else decayed walk (reversed weights) a walk.noise.bits in
  let both = if left == right then [left] else [left; right] in
  spend walk (List.length both * left.rest * 8 * work_bits (size walk));
  List.iter (sum_up walk) both;
  left, right

let draws walk = Array.map (fun place -> place - walk.noise.last) walk.places

(* Whether the other half of the steps is the mirror image of the first half. *)
let is_twofold walk left right =
  let g = draws walk and last = walk.q.wide - 2 in
  left == right && Array.for_all Fun.id (Array.mapi (fun j x -> x + g.(last - j) = last) g)

(* Those of the first so many steps that do not look like the one before, and how many look like each. *)
let runs walk left right ~steps =
  let g = draws walk and last = walk.q.wide - 2 in
  let rest d = max d.rest (Array.length d.masses) in
  let far = max (rest left) (rest right) + Array.fold_left (fun m (t, _) -> max m t) 0 walk.bent.bends in
  let begins j = j = 0 || g.(j) - j <> g.(j - 1) - (j - 1) || not walk.even || min j g.(j) <= far || max j g.(j) > last - far in
  let add (done_, stop) j = if begins j then (j, stop - j) :: done_, j else done_, stop in
  fst (List.fold_left add ([], steps) (List.init steps (fun i -> steps - 1 - i)))

(* ---- prices *)
type prices = { places : int; smooth : int option; extras : Z.t array }

let read_prices walk v =
  let wide = walk.q.wide in
  match Written.in_order v ["bits"; "smoothing"; "extras"] with
  | [bits; smoothing; extras] ->
    let number, told = Numbers.written_runs extras wide in
    need (number = wide && List.for_all (fun (x, _) -> Z.sign x >= 0) told) "there must be a price, zero or more, for each truth";
    let up_to most v = let x = integer v in
      need (Z.sign x >= 0 && Z.leq x (Z.of_int most)) "prices must be no finer than the noise, smoothing 0 to 1024"; Z.to_int x in
    let places = up_to walk.noise.bits bits in
    let smooth = if smoothing = Null then None else Some (up_to smoothing_most smoothing) in
    allow walk told;
    let extras = Array.concat (List.map (fun (x, times) -> Array.make times x) told) in
    { places; smooth; extras }
  | _ -> assert false
