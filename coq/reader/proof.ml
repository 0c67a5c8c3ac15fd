(* Multipliers of a certificate as the trees of Lines.v. *)
open Json
open Numbers
open Requirements
open Question

(* One number over which all costs, rules, powers of factors and deltas are whole. *)
let common_one (q : Question.t) =
  let heaviest = Array.fold_left (fun w (_, _, x) -> max w x) 1 q.query.neighbours in
  let units = List.concat_map (fun r -> List.init r.count (fun i -> snd (r.each i))) q.rules in
  let units = List.sort_uniq Z.compare units in
  let uppers = lcm_of (List.map (fun g -> g.upper.Q.den) q.guarantees) in
  let deltas = List.map (fun g -> match g.delta with Some d -> d.Q.den | None -> Z.one) q.guarantees in
  lcm_of ((q.loss.unit :: Z.pow uppers heaviest :: units) @ deltas)

type decided = { path : ((int * int * int) * bool) list; depth : int }

let group (q : Question.t) g main decided v =
  let n_pairs = Array.length q.query.neighbours in
  let alone = g.definition = "per-outcome" && q.structure.name = "symmetric" in
  let m = if alone then (2 * q.structure.width) + 1 else Query.tall q.query in
  let texts = items v in
  need (List.length texts <= if alone then 1 else n_pairs) "multipliers of privacy must be those of pairs of neighbours";
  let has_budget = g.definition = "approximate" || g.definition = "probabilistic" in
  let about = Hashtbl.create 16 in
  if main then List.iter (fun ((r, f, h), kept) -> Hashtbl.add about (f, h) (r, kept)) decided.path;
  let last = List.length texts - 1 in
  List.mapi (fun i v ->
    let f, h, _ = q.query.neighbours.(i) in
    let decisions = Hashtbl.find_all about (f, h) in
    match text v with
    | "" ->
      need (i < last) "pairs behind the last one with multipliers must be left out";
      Z.zero, []
    | s ->
      let numbers = List.map whole_text (String.split_on_char ' ' s) in
      let budget, rest = if has_budget then List.hd numbers, List.tl numbers else Z.zero, numbers in
      need (Z.sign budget >= 0) "a budget must be zero or more";
      need (rest <> [] || Z.sign budget > 0) "a pair without multipliers must have an empty text";
      let rec charges from = function
        | [] -> []
        | r :: u :: rest ->
          need (Z.sign u > 0) "a multiplier must be positive, of a response";
          need (Z.geq r (Z.of_int from) && Z.lt r (Z.of_int m)) "responses must increase, each one of the question";
          let r = Z.to_int r in
          let decision = List.assoc_opt r decisions in
          need (decision <> Some false) "a violated comparison has no multiplier";
          need (decision = Some true || (not has_budget) || Z.leq u budget) "a multiplier must keep to its budget";
          (r, (if decision = Some true then Checker.Kept (r, u) else Checker.Compared (r, u))) :: charges (r + 1) rest
        | _ -> refuse "a multiplier must be positive, of a response" in
      let charges = charges 0 rest in
      let broken = List.filter_map (fun (r, kept) -> if kept then None else Some (r, Checker.Broken r)) decisions in
      let all = if broken = [] then charges else List.sort (fun (a, _) (b, _) -> compare a b) (broken @ charges) in
      let budget = if g.definition <> "pure" then budget else
        List.fold_left (fun b (_, c) -> match c with Checker.Compared (_, u) -> Z.max b u | _ -> b) budget all in
      budget, List.map snd all) texts

(* Chains: in each row the truths before the first of two ends, and behind the last, give what they have above zero to the
   truth that is as far nearer to the ends as neighbours reach. Their multipliers follow from all others: they are added
   to those of the first privacy, and what all prove is computed as ever. *)
let reduced_costs (q : Question.t) one (l : Checker.leaf) =
  let m = Query.tall q.query and n = Query.wide q.query in
  let d = Array.init m (fun r -> Array.init n (fun f -> Z.sub (Z.mul (l.weights f) (q.loss.costs r f)) (l.totals f))) in
  let add r f x = d.(r).(f) <- Z.add d.(r).(f) x in
  List.iter2 (fun g pairs ->
    let raised = Z.divexact (Z.mul one g.upper.Q.num) g.upper.Q.den in (* within a reach all weights are 1 *)
    List.iteri (fun i (_, charges) ->
      let f, h, _ = q.query.neighbours.(i) in
      List.iter (function
        | Checker.Compared (r, u) | Checker.Kept (r, u) -> add r f (Z.mul u one); add r h (Z.neg (Z.mul u raised))
        | Checker.Broken _ -> ()) charges) pairs) q.guarantees l.groups;
  let ys = ref l.multipliers in
  List.iter (fun rules -> for i = 0 to rules.count - 1 do
    let y = List.hd !ys in
    ys := List.tl !ys;
    if Z.sign y <> 0 then List.iter (fun ((r, f), c) -> add r f (Z.mul y c)) (fst (rules.each i)).Checker.terms
  done) q.rules;
  d

let rec merged a b = match a, b with
  | [], l | l, [] -> l
  | (r, u) :: a', (s, v) :: b' ->
    if r < s then (r, u) :: merged a' b else if s < r then (s, v) :: merged a b' else (r, Z.add u v) :: merged a' b'

let hand_on (q : Question.t) one v (l : Checker.leaf) : Checker.leaf =
  let main = List.hd q.guarantees and reach = q.query.reach and m = Query.tall q.query and n = Query.wide q.query in
  need (main.definition = "pure" && reach > 0) "only pure privacy of neighbours within a reach has chains";
  let firsts, lasts = match items v with [a; b] -> runs a m, runs b m | _ -> refuse "chains must have two ends" in
  let raised = Z.divexact (Z.mul one main.upper.Q.num) main.upper.Q.den in
  let d = reduced_costs q one l in
  let up = Array.make n [] and down = Array.make n [] in (* by the truth that gives, responses in order *)
  for r = m - 1 downto 0 do
    let first = firsts.(r) and last = lasts.(r) in
    need (Z.sign first >= 0 && Z.leq first (Z.min last (Z.of_int (n - reach)))
          && Z.leq (Z.max first (Z.of_int (reach - 1))) last && Z.lt last (Z.of_int n))
      "the ends of chains must be truths, the first one at the other or before it";
    let give given f taker =
      if Z.geq d.(r).(f) raised then begin
        let u, left = Z.div_rem d.(r).(f) raised in
        d.(r).(f) <- left;
        d.(r).(taker) <- Z.add d.(r).(taker) (Z.mul u one);
        given.(f) <- (r, u) :: given.(f)
      end in
    for f = 0 to Z.to_int first - 1 do give up f (f + reach) done;
    for f = n - 1 downto Z.to_int last + 1 do give down f (f - reach) done
  done;
  let stated = Array.of_list (List.hd l.groups) in
  let pair i (taker, f, _) =
    let more = if taker - f = reach then up.(f) else if f - taker = reach then down.(f) else [] in
    let known = if i >= Array.length stated then [] else List.filter_map (function
      | Checker.Compared (r, u) -> Some (r, u) | _ -> None) (snd stated.(i)) in
    let all = merged known more in
    List.fold_left (fun b (_, u) -> Z.max b u) Z.zero all, List.map (fun (r, u) -> Checker.Compared (r, u)) all in
  { l with groups = Array.to_list (Array.mapi pair q.query.neighbours) :: List.tl l.groups }

let leaf (q : Question.t) unit one decided v : Checker.leaf =
  let also, chains = match v with
    | Object l -> (match List.assoc_opt "chains" l with Some x -> ["chains"], Some x | None -> [], None)
    | _ -> [], None in
  match fields v (["prior"; "totals"; "privacy"; "rules"] @ also) with
  | prior :: totals :: privacy :: rules :: _ ->
    let n = Query.wide q.query in
    let scale = Z.divexact one q.loss.unit in
    let weights = if q.loss.worst then begin
      let w = runs prior n in
      need (Array.for_all (fun x -> Z.sign x >= 0) w && Z.equal (Array.fold_left Z.add Z.zero w) unit)
        "weights of truths must be zero or more, and sum to one";
      Array.map (Z.mul scale) w
    end else begin
      need (text prior = "") "only a worst loss has weights of truths";
      Array.make n (if q.sought then Z.zero else Z.mul unit scale)
    end in
    let totals = Array.map (Z.mul one) (runs totals n) in
    let groups = items privacy in
    need (List.length groups = List.length q.guarantees) "each privacy must have its multipliers";
    let groups = List.mapi (fun i (g, v) -> group q g (i = 0) decided v) (List.combine q.guarantees groups) in
    let named = match rules with Object l -> l | _ -> refuse "multipliers of rules must have names" in
    List.iter (fun (name, _) ->
      need (List.exists (fun r -> r.title = name) q.rules) "a multiplier must be one of a rule of the question") named;
    let multipliers = List.concat_map (fun r -> match List.assoc_opt r.title named with
      | None -> List.init r.count (fun _ -> Z.zero)
      | Some v ->
        let ys = runs v r.count in
        need (Array.exists (fun y -> Z.sign y <> 0) ys) "multipliers that are all zero must be left out";
        List.mapi (fun i y ->
          let rule, unit = r.each i in
          need (rule.Checker.equation || Z.sign y >= 0) "a multiplier must be zero or more, but of an equation";
          if Z.sign y = 0 then y else Z.mul y (Z.divexact one unit)) (Array.to_list ys)) q.rules in
    let stated : Checker.leaf = { one; weights = Array.get weights; totals = Array.get totals; groups; multipliers } in
    (match chains with None -> stated | Some v -> hand_on q one v stated)
  | _ -> assert false

let rec tree (q : Question.t) unit one decided v : Checker.tree = match v with
  | Object l when List.mem_assoc "split" l ->
    (match fields v ["split"; "kept"; "violated"] with
     | [split; kept; violated] ->
       need (decided.depth < 300) "a tree must be at most 300 splits deep";
       need ((List.hd q.guarantees).definition = "probabilistic") "only probabilistic privacy has splits";
       let m = Query.tall q.query and n = Query.wide q.query in
       (match place split [m; n; n] with
        | [r; f; h] ->
          let weight = Query.weight q.query f h in
          need (weight > 0) "a split must decide a comparison of neighbours";
          need (not (List.mem_assoc (r, f, h) decided.path)) "a comparison must be decided once";
          let below kept = { path = ((r, f, h), kept) :: decided.path; depth = decided.depth + 1 } in
          let a = tree q unit one (below true) kept in
          Split ({ at_r = r; at_f = f; at_h = h; weight }, a, tree q unit one (below false) violated)
        | _ -> assert false)
     | _ -> assert false)
  | _ -> Leaf (leaf q unit one decided v)
