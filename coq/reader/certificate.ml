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
      squarings = k; fraction_bits = Z.of_int bits } in
  (* With k squarings e^x is known within about x^2 / 2^k. Numbers of so many bits come no nearer to it than twice the bits
     of both say: a factor such as (2 + x) / (2 - x) has a third of the bits that tell it from e^x. *)
  let most = if g.log then 1 else (2 * (bits_of g.epsilon + length_of g)) + 64 in
  let rec search k =
    let x = with_effort k in
    if Checker.encloses eps x then x
    else if k < most then search (min most (2 * k))
    else refuse "e^epsilon must lie from `lower` to `upper`" in
  eps, search (min most 64)

(* Names and costs are computed once, and the proved function compares them with its own. *)
let numbers_of (q : Question.t) privacies =
  let m = Query.tall q.query and n = Query.wide q.query and home = Array.get q.query.home in
  let near = Array.to_list (Array.map (fun (f, g, w) -> (f, g), w) q.query.neighbours) in
  let name = Checker.name_in_words m n home q.words.structure q.words.asks_fair q.words.asks_symmetric in
  let names = Array.init (m * n) (fun e -> name (e / n) (e mod n)) in
  let each ends = Array.get (Array.init m ends) in
  match Checker.asked m n near privacies home (each q.query.rises) (each q.query.falls) q.query.unit (Query.response q.query)
    (Query.truth q.query) q.words q.groups (fun r f -> names.((r * n) + f)) q.loss.costs with
  | Some numbers -> numbers
  | None -> refuse "the words of the question must have a meaning"

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

(* The least delta with which the matrix keeps a privacy: of pure privacy 0, or the matrix is refused. *)
let spent (q : Question.t) g (x : Checker.factors) (a : Checker.matrix) =
  let m = Query.tall q.query and n = Query.wide q.query and pairs = q.query.neighbours in
  let powers = Hashtbl.create 16 in
  let power w = match Hashtbl.find_opt powers w with
    | Some known -> known
    | None -> let both = Checker.power x.e_num w, Checker.power x.e_den w in Hashtbl.add powers w both; both in
  if g.definition = "pure" then Q.zero else begin
    let en, ed = power (Array.fold_left (fun least (_, _, w) -> min least w) max_int pairs) in
    let rows = Checker.steep_rows m n a en ed and last = ref (-1, 0, []) in
    Array.fold_left (fun worst (f, h, w) ->
      let en, ed = power w in
      let needs = match !last with
        | f', w', known when f' = f && w' = w -> known
        | _ -> let l = Checker.needs a en ed f rows in last := f, w, l; l in
      let over = Checker.over a en ed f h in
      let top, unit = match g.definition with
        | "probabilistic" -> Checker.summed a h (fun r -> if Z.sign (over r) > 0 then a.entry r f else Z.zero) needs, Z.one
        | "per-outcome" ->
          List.fold_left (fun most (r, need) -> if Z.leq need (a.entry r h) then most else Z.max most (over r)) Z.zero needs, ed
        | _ -> Checker.summed a h (fun r -> Z.max Z.zero (over r)) needs, ed in
      if Z.sign top = 0 then worst else Q.max worst (Q.make top (Z.mul unit a.denominator))) Q.zero pairs
  end

(* ---- the file *)
type proved = { question : Question.t; numbers : Checker.question; delta : Q.t; objective : Q.t; bound : Q.t option }

let size_of_proof v =
  let leaves = ref 0 and chained = ref 0 and numbers = ref 0 and longest = ref 0 in
  let rec go = function
    | Text s ->
      let from = ref 0 in
      let n = String.length s in
      for i = 0 to n do
        if i = n || s.[i] = ' ' then begin incr numbers; longest := max !longest (i - !from); from := i + 1 end
      done
    | Object l ->
      if List.mem_assoc "totals" l then incr leaves;
      if List.mem_assoc "chains" l then incr chained;
      List.iter (fun (_, v) -> go v) l
    | List l -> List.iter go l
    | _ -> () in
  go v;
  !leaves, !chained, !numbers, !longest

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
  (match v with
   | Object l -> (match List.assoc_opt "question" l with
     | Some (Object q) when List.assoc_opt "kind" q = Some (Text "table") -> raise (Not_covered "a table with its totals")
     | _ -> ());
     (match List.assoc_opt "mechanism" l with
     | Some (Object m) when List.mem_assoc "elsewhere" m -> raise (Not_covered "a matrix in two numbers")
     | _ -> ())
   | _ -> ());
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
    let matrix = Short.read mechanism and proof_size = size_of_proof proof in
    let on_levels = (match proof with Object l -> List.mem_assoc "levels" l | _ -> false) in
    let proof_work ~wide ~steps = if on_levels then (let _, _, _, digits = proof_size in Levels.work proof ~digits ~wide ~steps) else Z.zero in
    let work = Z.shift_left Z.one (if matrix.in_short && not on_levels then 35 else 32) in
    let q = Question.read question ~most_work:(Z.add work (Z.of_int (characters content * 4096))) ~total_bits:(Z.numbits matrix.denominator)
      ~proof_size ~proof_work ~fits:matrix.fits ~matrix_work:matrix.work in
    let columns = matrix.columns q and denominator = matrix.denominator in
    let a : Checker.matrix = { entry = (fun r f -> columns.(f).(r)); denominator } in
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
      let proved = if on_levels then
        match Checker.check_levels numbers fs a claim (Levels.read q (List.hd fs) proof) with
        | None -> None
        | Some (top, bottom) -> Some (Q.make top bottom)
      else begin
        let unit, node = match fields proof ["denominator"; "tree"] with [u; t] -> whole u, t | _ -> assert false in
        need (Z.sign unit > 0) "multipliers must have a positive denominator";
        let one = common_one q in
        let whole = Z.mul unit one in
        match Checker.check numbers fs a claim whole (tree q unit one { path = []; depth = 0 } node) with
        | None -> None
        | Some z -> Some (Q.make z (Z.mul whole numbers.limit_unit))
      end in
      match proved with
      | None -> need (Checker.check_matrix numbers fs a claim) refused; refuse "the multipliers must prove a bound"
      | Some v ->
        let proved = short_bound v in
        need (Q.equal (ratio bound) proved) "the bound must be what the multipliers prove";
        need (Q.equal (ratio gap) (Q.sub objective proved) && Q.leq proved objective) "the gap must be the objective less the bound";
        { question = q; numbers; delta; objective; bound = Some proved }
    end
  | _ -> assert false
