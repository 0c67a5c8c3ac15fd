(* The claims of noise that is all tails, as Tails.v takes them. *)
open Json
open Tails

let decayed d : Checker.decayed =
  { listed_mass = (fun h -> d.masses.(h)); listed_arm = (fun h -> d.arms.(h)); resting = Array.length d.masses;
    listed_fade = (fun k -> d.powers.(k)); fades = Array.length d.powers }

(* Weights as they are need no list where all are equal. *)
let sums walk left right : Checker.walk =
  let plain = if walk.even then left else (let d = Tails.decayed walk walk.weights Z.one 0 in sum_up walk d; d) in
  { left_sums = decayed left; right_sums = decayed right; plain_sums = decayed plain }

(* Steps that are counted as work: where both halves are alike, those of the first. *)
let counted walk left right ~twofold =
  let n = walk.q.wide in
  let runs = runs walk left right ~steps:(if twofold then n / 2 else n - 1) in
  spend_steps walk (List.length runs);
  runs

(* The objective is computed from sums, and from how many steps in a row look the same. *)
let loss walk =
  let z = walk.noise and n = walk.q.wide in
  let left, right = sides walk z.tail walk.weights in
  let first = z.cumulative.(0) and beyond = Z.sub z.whole z.cumulative.(1) in
  let twofold = Z.equal first beyond && is_twofold walk left right in
  let runs = counted walk left right ~twofold in
  let runs = if twofold then Tails.runs walk left right ~steps:(n - 1) else runs in
  sums walk left right, List.map snd runs

(* Two lines for each step. *)
let lines walk a =
  let n = walk.q.wide in
  if Z.sign a = 0 then
    let nothing = { weights = walk.weights; a; shift = 0; bits = 0; rest = 0; masses = [||]; arms = [||]; powers = [||] } in
    Checker.Lines (sums walk nothing nothing, [], false)
  else begin
    let left, right = sides walk a walk.weights in
    let twofold = is_twofold walk left right in
    let runs = counted walk left right ~twofold in
    let heavy f = Z.sign walk.weights.(f) > 0 in
    let rec next f = if heavy f then f else next (f + 1) and before f = if heavy f then f else before (f - 1) in
    let first = min (next 0) (n - 2) in
    let most = max first (before (n - 1) - 1) and draws = draws walk in
    let truth j = min (max draws.(j) first) most in
    Checker.Lines (sums walk left right, List.map (fun (j, count) -> count, truth j) runs, twofold)
  end

(* Prices of truths, over the unit of sums; draw j is answered by the first response whose threshold has draw j or more. *)
let by_prices walk a (prices : Tails.prices) =
  let n = walk.q.wide in
  need (Z.sign a > 0) "the noise must have more bits";
  walk.smoothing <- Option.value ~default:0 prices.smooth;
  let times = Z.shift_left Z.one walk.smoothing and plus = if prices.smooth = None then Z.zero else Z.one in
  let left, right = sides walk a (Array.map (fun w -> Z.add (Z.mul w times) plus) walk.weights) in
  spend_steps walk (2 * n);
  let draws = draws walk and first = ref 0 in
  let answers = Array.init n (fun j ->
    while !first < n - 1 && draws.(!first) < j do incr first done;
    !first) in
  let extras = Array.map (fun x -> Z.shift_left x (left.bits - prices.places)) prices.extras in
  Checker.Prices (times, plus, decayed left, decayed right, Array.get answers, Array.get extras)

(* Whether objective and bound are proved. *)
let check walk privacy (factors : Checker.factors) noise prices (objective : Q.t) (bound : Q.t) =
  let k, counts = loss walk and a = Checker.decay_of factors walk.noise.whole in
  let proof = match prices with None -> lines walk a | Some prices -> by_prices walk a prices in
  let place j = walk.places.(j) - Noise.never walk.noise and threshold j = Z.of_int walk.places.(j) in
  Checker.check_tails privacy factors noise walk.q.wide (Array.get walk.weights) (Array.get walk.at) walk.q.unit threshold place
    k counts proof (objective.Q.num, objective.Q.den) (bound.Q.num, bound.Q.den)
