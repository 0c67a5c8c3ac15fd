(* A certificate: the question, the matrix and the multipliers as the checker takes them, and what the file claims. *)
open Json
open Numbers
open Requirements
open Question
open Proof

(* E and F around e^epsilon, with as many squarings as the checker needs to believe them. *)
let factors g =
  let eps : Checker.epsilon = if g.log then Log (g.epsilon.Q.num, g.epsilon.Q.den) else Ratio (g.epsilon.Q.num, g.epsilon.Q.den) in
  let with_effort k : Checker.factors =
    let bits = (2 * k) + 80 + if g.log then 0 else 3 * (1 + Z.to_int (Z.fdiv g.epsilon.Q.num g.epsilon.Q.den)) in
    { e_num = g.lower.Q.num; e_den = g.lower.Q.den; f_num = g.upper.Q.num; f_den = g.upper.Q.den;
      squarings = k; scale = Z.shift_left Z.one bits } in
  (* With k squarings e^x is known within about x^2 / 2^k; no factor of b bits needs more than twice as many. *)
  let most = if g.log then 1 else (2 * length_of g) + 64 in
  let rec search k =
    let x = with_effort k in
    if Checker.encloses eps x then x
    else if k < most then search (min most (2 * k))
    else refuse "e^epsilon must lie from `lower` to `upper`" in
  eps, search (min most 64)

let rules_of q = List.concat_map (fun r -> List.init r.count (fun i -> fst (r.each i))) q.rules

let numbers_of (q : Question.t) privacies : Checker.question =
  let n = Query.wide q.query in
  let name = match q.names with
    | None -> fun r f -> Z.of_int ((r * n) + f + 1)
    | Some a -> fun r f -> Z.of_int (a.((r * n) + f) + 1) in
  let limit_unit = common (List.concat_map (fun (_, _, a, b) -> [a; b]) q.limits) in
  { responses = Query.tall q.query; truths = n;
    neighbours = Array.to_list (Array.map (fun (f, g, w) -> (f, g), w) q.query.neighbours);
    privacies; name;
    limits = List.map (fun (r, f, a, b) -> ((r, f), over limit_unit a), over limit_unit b) q.limits; limit_unit;
    rules = rules_of q; cost = q.loss.costs; cost_unit = q.loss.unit;
    aim = if q.sought then LeastDelta else if q.loss.worst then WorstLoss else TotalLoss }

let privacy g eps : Checker.privacy =
  { kind = (match g.definition with "per-outcome" -> OfOutcomes | "probabilistic" -> OfMass | _ -> OfSets); eps;
    delta = Option.map (fun (d : Q.t) -> d.Q.num, d.Q.den) g.delta }

(* ---- numbers that are rounded where they are too long *)
let short_bound (v : Q.t) =
  let top = Z.numbits v.Q.num and bottom = Z.numbits v.Q.den in
  if max top bottom <= 6_000 then v else
    let shift = 256 - (top - bottom) in
    let power = Z.shift_left Z.one (abs shift) in
    let scale = if shift >= 0 then Q.of_bigint power else Q.make Z.one power in
    let x = Q.mul v scale in
    Q.div (Q.of_bigint (Z.fdiv x.Q.num x.Q.den)) scale
let short_delta (v : Q.t) =
  if Z.leq v.Q.den (Z.pow (Z.of_int 10) 40) then v else
    let zeros = max (Z.numbits v.Q.den - Z.numbits v.Q.num) 0 * 30103 / 100_000 in
    let scale = Z.pow (Z.of_int 10) (30 + zeros) in
    Q.make (Z.cdiv (Z.mul v.Q.num scale) v.Q.den) scale

(* The least delta with which the matrix keeps a privacy. *)
let spent (q : Question.t) g (x : Checker.factors) (a : Checker.matrix) =
  let m = Query.tall q.query in
  Array.fold_left (fun worst (f, h, w) ->
    let en = Checker.power x.e_num w and ed = Checker.power x.e_den w in
    let top, unit = match g.definition with
      | "probabilistic" -> Checker.mass m a en ed f h, Z.one
      | "per-outcome" ->
        let most = ref Z.zero in
        for r = 0 to m - 1 do most := Z.max !most (Checker.over a en ed f h r) done;
        !most, ed
      | _ -> Checker.excess m a en ed f h, ed in
    Q.max worst (Q.make top (Z.mul unit a.denominator))) Q.zero q.query.neighbours

(* ---- the file *)
type proved = { question : Question.t; numbers : Checker.question; delta : Q.t; objective : Q.t; bound : Q.t option }

let size_of_proof v =
  let leaves = ref 0 and numbers = ref 0 and longest = ref 0 in
  let rec go = function
    | Text s ->
      let from = ref 0 in
      let n = String.length s in
      for i = 0 to n do
        if i = n || s.[i] = ' ' then begin incr numbers; longest := max !longest (i - !from); from := i + 1 end
      done
    | Object l -> if List.mem_assoc "totals" l then incr leaves; List.iter (fun (_, v) -> go v) l
    | List l -> List.iter go l
    | _ -> () in
  go v;
  !leaves, !numbers, !longest

let check_reported v = match v with
  | Object l ->
    List.iter (fun (name, v) ->
      need (List.mem name ["claimed_bounds"; "repair"; "raw"; "made_by"]) "what is reported must be claimed_bounds, repair, raw, made_by";
      match v with
      | Object (_ :: _ as l) -> List.iter (fun (_, v) -> ignore (text v)) l
      | _ -> refuse "what is reported must be an object of texts, or left out") l
  | _ -> refuse "what is reported must be an object"

let characters content =
  let n = ref 0 in
  String.iter (fun c -> if Char.code c land 0xc0 <> 0x80 then incr n) content;
  !n

(* The file as JSON, and whether its mechanism is noise with thresholds. *)
let opened content =
  need (characters content <= Json.characters) "the file must not be too long";
  let v = parse content in
  match fields v ["format"; "version"; "mechanism"; "reported"; "question"; "delta"; "objective"; "bound"; "gap"; "proof"] with
  | format :: version :: mechanism :: reported :: _ ->
    need (format = Text "optmech certificate" && (match version with Int v -> Z.equal v (Z.of_int 2) | _ -> false))
      "this must be an optmech certificate 2";
    check_reported reported;
    v, (match mechanism with Object l -> List.mem_assoc "noise" l | _ -> false)
  | _ -> assert false

let check content v =
  match fields v ["question"; "mechanism"; "delta"; "objective"; "bound"; "gap"; "proof"; "format"; "version"; "reported"] with
  | question :: mechanism :: delta :: objective :: bound :: gap :: proof :: _ ->
    (match mechanism with
     | Object l when List.mem_assoc "rays" l || List.mem_assoc "column" l ->
       raise (Not_covered "matrices that are written in short")
     | _ -> ());
    (match proof with
     | Object l when List.mem_assoc "levels" l -> raise (Not_covered "proofs on levels of modular noise")
     | _ -> ());
    let denominator, rows = match fields mechanism ["denominator"; "rows"] with [d; rows] -> d, rows | _ -> assert false in
    let entries = Array.of_list (List.map (fun row -> Array.of_list (List.map whole_text (String.split_on_char ' ' (text row)))) (items rows)) in
    let denominator = whole denominator in
    let a : Checker.matrix = { entry = (fun r f -> entries.(r).(f)); denominator } in
    let rows ~tall ~wide =
      need (Array.length entries = tall && Array.for_all (fun row -> Array.length row = wide) entries)
        "the matrix must have a number for each entry" in
    let most_work = Z.add (Z.shift_left Z.one 32) (Z.of_int (characters content * 4096)) in
    let q = Question.read question ~most_work ~total_bits:(Z.numbits denominator) ~proof_size:(size_of_proof proof) ~rows in
    need (Z.sign denominator > 0) "each column must sum to one";
    let known = List.map factors q.guarantees in
    let privacies = List.map2 (fun g (eps, _) -> privacy g eps) q.guarantees known and fs = List.map snd known in
    let numbers = numbers_of q privacies in
    let delta = ratio delta and objective = ratio objective in
    let main = List.hd q.guarantees in
    let exact = spent q main (List.hd fs) a in
    let least = match main.delta with None -> short_delta exact | Some most -> Q.min (short_delta exact) most in
    need (Q.equal delta least && Q.lt delta Q.one) "delta must be what the matrix spends";
    need ((not q.sought) || Q.equal objective delta) "the objective must be that of the matrix";
    let claim = objective.Q.num, objective.Q.den in
    let refused = "the matrix must be a mechanism of the question with this objective" in
    if proof = Null then begin
      need (bound = Null && gap = Null) "without a proof there is no bound";
      need (Checker.check_matrix numbers fs a claim) refused;
      { question = q; numbers; delta; objective; bound = None }
    end else begin
      let unit, node = match fields proof ["denominator"; "tree"] with [u; t] -> whole u, t | _ -> assert false in
      need (Z.sign unit > 0) "multipliers must have a positive denominator";
      let one = common_one q in
      let whole = Z.mul unit one in
      let t = tree q unit one { path = []; depth = 0 } node in
      match Checker.check numbers fs a claim whole t with
      | None -> need (Checker.check_matrix numbers fs a claim) refused; refuse "the multipliers must prove a bound"
      | Some z ->
        let proved = short_bound (Q.make z (Z.mul whole numbers.limit_unit)) in
        need (Q.equal (ratio bound) proved) "the bound must be what the multipliers prove";
        need (Q.equal (ratio gap) (Q.sub objective proved) && Q.leq proved objective) "the gap must be the objective less the bound";
        { question = q; numbers; delta; objective; bound = Some proved }
    end
  | _ -> assert false
