(* Privacy, structure and losses of a question. Every rule here is one of docs/certificate.md. *)
open Json
open Numbers
open Query

type guarantee = {
  definition : string;
  log : bool; (* epsilon is the logarithm of [epsilon] *)
  epsilon : Q.t;
  delta : Q.t option; (* None where it is sought *)
  lower : Q.t;
  upper : Q.t }

type structure = { name : string; width : int; accuracy : Q.t; moduli : int list }
type loss = { unnamed : bool; word : Checker.loss_word; weights : Checker.weights_word; worst : bool; most : Q.t option; costs : int -> int -> Z.t; unit : Z.t; loss_bits : int }

(* ---- privacy *)
let largest_exponent = 700
let largest_power = Z.shift_left Z.one 1009 (* of the number whose logarithm epsilon is *)
let epsilon_bits = 1_000 and factor_bits = 2_000 and power_bits = 200_000
let definitions = ["pure"; "approximate"; "per-outcome"; "probabilistic"]
let smallest = Q.make Z.one largest
(* Epsilon as a certificate spells it. *)
let epsilon_of g = if g.log then "ln " ^ Q.to_string g.epsilon else spelled g.epsilon
let length_of g = max (bits_of g.lower) (bits_of g.upper)

let guarantee heaviest first v = match fields v ["kind"; "epsilon"; "delta"; "lower"; "upper"] with
  | [kind; epsilon; delta; lower; upper] ->
    let definition = text kind and words = text epsilon in
    need (List.mem definition definitions) "privacy must be one of pure, approximate, per-outcome, probabilistic";
    let lower = ratio lower and upper = ratio upper in
    let log = String.length words > 3 && String.sub words 0 3 = "ln " in
    let epsilon = if log then ratio_text (String.sub words 3 (String.length words - 3)) else number_text words in
    let beyond = if log then Q.sub epsilon Q.one else epsilon in
    need (Q.sign beyond >= 0 && (Q.sign beyond > 0 || not log)) "epsilon must be 0, or positive";
    need (Q.sign beyond = 0 || Q.geq beyond smallest) "epsilon must be 0, or at least 10^-300";
    need (Q.sign beyond > 0 || definition = "approximate" || definition = "per-outcome") "epsilon must be positive for this privacy";
    let long = max (bits_of lower) (bits_of upper) in
    need (log || (bits_of epsilon <= epsilon_bits && long <= factor_bits)) "epsilon, and a factor around e^epsilon, must not be too long";
    need (heaviest <= power_bits / (if log then max long (bits_of epsilon) else long)) "the power of a factor between neighbours must not be too long";
    let little = if log
      then Z.leq (Z.pow epsilon.Q.num heaviest) (Z.mul largest_power (Z.pow epsilon.Q.den heaviest))
      else Q.leq (Q.mul epsilon (Q.of_int heaviest)) (Q.of_int largest_exponent) in
    need little "epsilon, and epsilon times a weight, must be at most 700, of a logarithm that of 2^1009";
    let delta = if delta = Null then None else Some (number delta) in
    (match delta with
     | None -> need (first && definition <> "pure") "delta must be given, but of the first privacy that has one"
     | Some d ->
       need (Q.sign d >= 0 && Q.lt d Q.one) "delta must be 0 or more and below 1";
       need (Q.sign d = 0 || Q.geq d smallest) "delta must be 0, or at least 10^-300";
       need (Q.sign d = 0 || definition <> "pure") "pure privacy has delta 0";
       need (Q.sign d > 0 || definition = "pure" || definition = "per-outcome")
         "of others than pure, only per-outcome privacy may have delta 0");
    need (first || definition <> "probabilistic") "a further privacy must have no choices";
    let g = { definition; log; epsilon; delta; lower; upper } in
    need (Q.leq Q.one lower) "e^epsilon must lie from `lower` to `upper`";
    g
  | _ -> assert false

(* ---- structure *)
let structure q v = match fields v ["kind"; "half_width"; "accuracy"; "moduli"] with
  | [kind; width; accuracy; moduli] ->
    let name = text kind and width = small width and accuracy = number accuracy and moduli = List.map small (items moduli) in
    need (List.mem name ["free"; "modular"; "symmetric"; "zero-bias"]) "a structure must be one of free, modular, symmetric, zero-bias";
    let bounded = name = "symmetric" || name = "zero-bias" in
    need (bounded || (width = 0 && Q.sign accuracy = 0)) "only bounded noise has a width and an accuracy";
    need (name = "modular" || moduli = []) "only modular noise has moduli";
    need (List.length moduli <= 30) "there must be at most 30 moduli";
    let size = wide q in
    let moduli = if name = "modular" && moduli = [] then [size] else moduli in
    if name = "modular" then begin
      need (List.for_all (fun m -> m >= 1) moduli && product size moduli = size) "moduli must make one vector for each truth";
      need (q.home = Array.init (tall q) Fun.id) "modular noise needs a response for each truth";
      let turns = Hashtbl.create 64 in
      let difference = difference moduli in
      Array.iter (fun (f, g, w) ->
        let k = difference f g, w in
        Hashtbl.replace turns k (1 + Option.value ~default:0 (Hashtbl.find_opt turns k))) q.neighbours;
      need (Hashtbl.fold (fun _ c ok -> ok && c = size) turns true) "modular noise needs the same neighbours for each truth"
    end else if bounded then begin
      let wrong = "bounded noise needs counts one apart, and all responses that it makes of them" in
      need (width >= 1 && Q.sign accuracy > 0 && Q.lt accuracy Q.one) wrong;
      let first = q.truths.(0) in
      need (Z.equal first.Q.den Z.one && Q.geq first (Q.of_int (if name = "symmetric" then width else 1))) wrong;
      Array.iteri (fun f t -> need (Q.equal t (Q.add first (Q.of_int f))) wrong) q.truths;
      let least = Q.max (Q.sub first (Q.of_int width)) Q.zero in
      let last = q.truths.(size - 1) in
      need (Q.equal (Q.of_int (tall q)) (Q.add (Q.sub (Q.add last (Q.of_int width)) least) Q.one)) wrong;
      Array.iteri (fun r (a, b) -> let x = Q.add least (Q.of_int r) in need (Q.equal a x && Q.equal b x) wrong) q.ends;
      need (Array.length q.neighbours = 2 * (size - 1) && Array.for_all (fun (f, g, _) -> abs (f - g) = 1) q.neighbours) wrong;
      need (name = "zero-bias" || not q.weighted) wrong
    end;
    { name; width; accuracy; moduli }
  | _ -> assert false
let bounded s = s.name = "symmetric" || s.name = "zero-bias"

(* ---- losses *)
let weights_of size v : Checker.weights_word = match v with
  | Null | Text "sum" -> Once
  | Text "uniform" -> Evenly (Z.of_int size)
  | List l ->
    need (List.length l = size) "weights must be a probability for each truth";
    let l = List.map number l in
    let unit = common l in
    let w = Array.of_list (List.map (over unit) l) in
    let off = Z.abs (Z.sub (Array.fold_left Z.add Z.zero w) unit) in
    need (Array.for_all (fun x -> Z.sign x >= 0) w && Z.leq (Z.mul off (Z.pow (Z.of_int 10) 9)) unit)
      "weights must be a probability for each truth";
    Weighed (Array.get w, unit)
  | _ -> refuse "weights must be sum, uniform, a list, or null"

let doubles l =
  let l = List.map double l in
  let unit = common l in
  Array.of_list (List.map (over unit) l), unit

let word_of q s v : Checker.loss_word =
  let m = tall q and n = wide q in
  match v with
  | Text "zero-one" -> ZeroOne
  | Text "absolute" -> Absolute
  | Text "squared" -> Squared
  | Text t when String.length t > 7 && String.sub t 0 7 = "beyond " ->
    let limit = number_text (String.sub t 7 (String.length t - 7)) in
    need (Q.sign limit >= 0) "a loss must be beyond 0 or more";
    Beyond (limit.Q.num, limit.Q.den)
  | Object ["noise", v] ->
    need (s.name = "modular") "only modular noise has costs of noise";
    let a, unit = doubles (items v) in
    need (Array.length a = n) "noise must have a cost for each of its values";
    OfNoise (difference s.moduli, Array.get a, unit)
  | Object ["matrix", v] ->
    let rows = List.map items (items v) in
    need (List.map List.length rows = List.init m (fun _ -> n)) "a loss must have a row for each response, a cost for each truth";
    let a, unit = doubles (List.concat rows) in
    let difference = difference s.moduli in
    let wraps = s.name = "modular" && Array.for_all Fun.id (Array.mapi (fun e c -> Z.equal c a.(difference (e / n) (e mod n) * n)) a) in
    need (not wraps) "costs that wrap around must be written as costs of noise";
    OfMatrix ((fun r f -> a.((r * n) + f)), unit)
  | _ -> refuse "a loss must be absolute, squared, zero-one, beyond K, or a matrix"

let loss q s (worst, at_most, name, weights) =
  let worst = bool worst and most = if at_most = Null then None else Some (number at_most) in
  let m = tall q and n = wide q in
  let is_sum = (not worst) && name <> Null in
  need (is_sum = (weights <> Null)) "a sum of losses has weights, and nothing else";
  let weights = weights_of n weights in
  let custom = match name with Object _ -> true | _ -> false in
  need (custom || name = Null || name = Text "zero-one" || q.labels = [])
    "answers that are no numbers must have the loss zero-one, or one of their own";
  let word : Checker.loss_word = if name = Null then OfMatrix ((fun _ _ -> Z.zero), Z.one) else word_of q s name in
  let bits = match word with Absolute -> Z.numbits q.unit | Squared -> 2 * Z.numbits q.unit
    | OfMatrix (_, unit) | OfNoise (_, _, unit) -> if name = Null then 0 else Z.numbits unit | ZeroOne | Beyond _ -> 0 in
  let cost = Checker.cost_in_words q.unit (response q) (truth q) (Array.get q.home) word weights in
  let table = lazy (Array.init (m * n) (fun e -> cost (e / n) (e mod n))) in
  { unnamed = name = Null; word; weights; worst; most; costs = (fun r f -> (Lazy.force table).((r * n) + f)); unit = Checker.unit_in_words q.unit word weights;
    loss_bits = bits + Z.numbits (Checker.weight_unit weights) }
