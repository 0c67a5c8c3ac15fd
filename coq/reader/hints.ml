(* Hints for the bound of noise with thresholds: a line of the privacy for each truth. Any line is valid at any truth, so
   that a bad choice makes a bound that is no longer the stated one, but never a false one. *)
open Noise

(* Lines a_f <= (s a_(f+1) + o) / one, two for each privacy in order, as Steps.v draws them. *)
let lines one_bits guarantees =
  let one = Z.shift_left Z.one one_bits in
  Array.of_list (List.concat_map (fun (g : Requirements.guarantee) ->
    let d = match g.delta with Some d -> Z.cdiv (Z.mul d.Q.num one) d.Q.den | None -> assert false in
    let flat = Z.fdiv (Z.mul one g.upper.Q.den) g.upper.Q.num in
    [ Z.cdiv (Z.mul g.upper.Q.num one) g.upper.Q.den, d;
      flat, Z.sub one (Z.shift_right (Z.mul flat (Z.sub one d)) one_bits) ]) guarantees)

(* Positions of those that are the lowest somewhere, the steepest first. *)
let lowest lines =
  let steepest a b =
    let c = Z.compare (fst lines.(b)) (fst lines.(a)) in
    if c <> 0 then c else Z.compare (snd lines.(b)) (snd lines.(a)) in
  let sorted = List.sort steepest (List.init (Array.length lines) Fun.id) in
  let rec push k = function
    | top :: rest when Z.equal (fst lines.(top)) (fst lines.(k)) -> push k rest (* of one slope the lowest comes last *)
    | top :: before :: rest ->
      let (a, b), (c, d), (s, o) = lines.(before), lines.(top), lines.(k) in
      (* where the lines before and after it cross it is not below them *)
      if Z.lt (Z.mul (Z.sub d b) (Z.sub a s)) (Z.mul (Z.sub o b) (Z.sub a c)) then k :: top :: before :: rest
      else push k (before :: rest)
    | rest -> k :: rest in
  Array.of_list (List.rev (List.fold_left (fun kept k -> push k kept) [] sorted))

(* F at a place up to the last, or a period before the first at the earliest, rounded down. *)
let rounded z place =
  let at = place - z.first in
  if at >= 0 then z.cumulative.(at)
  else Z.max Z.zero (Z.shift_right (Z.mul z.cumulative.(at + z.period) (Z.pred z.tail)) z.bits)

type choice = { up : int; across : int } (* positions of lines, -1 for none *)

(* For each place the lowest line halfway between it and the place before it, to move weights up, and across. *)
let chosen z lines one_bits =
  let hull = lowest lines in
  let from = z.first + 1 and stop = z.last + z.period in
  let known = Array.make (stop - from + 1) None in
  let choose place =
    let x = Z.add (rounded z (place - z.period - 1)) (rounded z (place - z.period)) in
    let height k = let s, o = lines.(hull.(k)) in Z.add (Z.mul s x) (Z.shift_left o (z.bits + 1)) in
    let low = ref 0 and high = ref (Array.length hull - 1) in
    while !low < !high do
      let k = (!low + !high) / 2 in
      if Z.geq (height (k + 1)) (height k) then high := k else low := k + 1
    done;
    let at = hull.(!low) in
    { up = (if Z.geq (height !low) (Z.shift_left Z.one (one_bits + z.bits + 1)) then -1 else at);
      across = (if Z.sign x = 0 then -1 else at) } in
  fun place ->
    let at = min (max place from) stop - from in
    match known.(at) with
    | Some c -> c
    | None -> let c = choose (from + at) in known.(at) <- Some c; c
