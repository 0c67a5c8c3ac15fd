(* A question in words as the numbers of Spec.v. Every rule here is one of docs/certificate.md. *)
open Json
open Numbers
open Query
open Requirements

(* Rules of one name, in order; [unit] is what each rule and its right side were multiplied by. *)
type rules = { title : string; count : int; each : (int -> Checker.rule * Z.t) }

type t = {
  query : Query.t;
  structure : structure;
  guarantees : guarantee list;
  properties : string list;
  sought : bool; (* delta is what is least *)
  loss : loss;
  further : loss list;
  words : Checker.words;
  own_names : string list;
  own_unit : Z.t;
  groups : Checker.rule list list;
  rules : rules list }

(* ---- rules *)
let title : Checker.order_word -> string = function
  | ColumnRising -> "column-rising" | ColumnFalling -> "column-falling" | HonestInColumn -> "column-honest"
  | RowRising -> "row-rising" | RowFalling -> "row-falling" | HonestInRow -> "row-honest"

let rules q losses own_unit (words : Checker.words) =
  let n = wide q and all ends = Array.get (Array.init (tall q) ends) in
  let groups = Checker.rule_groups (tall q) n (Array.get q.home) (all q.rises) (all q.falls) q.unit (response q) (truth q) words in
  let of_bound l = match l.most with
    | None -> []
    | Some (most : Q.t) -> List.init (if l.worst then n else 1) (fun _ -> Z.mul most.Q.den l.unit) in
  let bounds = Array.of_list (List.concat_map of_bound losses) in
  let named = List.map (fun w -> title w, fun _ -> Z.one) (Checker.order_words (Checker.is_unbiased words))
    @ ["mean", (fun _ -> q.unit); "bounds", Array.get bounds; "own", (fun _ -> own_unit)] in
  groups, List.map2 (fun (title, unit) group ->
    let a = Array.of_list group in
    { title; count = Array.length a; each = (fun i -> a.(i), unit i) }) named groups

let own q v =
  let m = tall q and n = wide q in
  let rules = List.map (fun v -> match fields v ["name"; "sense"; "right"; "entries"] with
    | [name; sense; right; entries] ->
      let name = text name in
      let equation = (match text sense with "=" -> true | "<=" -> false | _ -> refuse "a rule must be <= or =") in
      let entries = List.map (fun e -> match items e with
        | [r; f; c] -> (match place (List [r; f]) [m; n] with [r; f] -> (r, f), number c | _ -> assert false)
        | _ -> refuse "an entry must be a place and a coefficient") (items entries) in
      need (entries <> [] && rising ( < ) (List.map fst entries)) "entries of a rule must be sorted, each once";
      need (List.for_all (fun (_, c) -> Q.sign c <> 0) entries) "a coefficient must not be zero";
      name, (equation, number right, entries)
    | _ -> assert false) (items v) in
  let names, rules = List.split rules in
  let unit = common (List.concat_map (fun (_, right, entries) -> right :: List.map snd entries) rules) in
  List.map (fun (equation, right, entries) : Checker.rule ->
    { terms = List.map (fun (at, c) -> at, over unit c) entries; equation; right = over unit right }) rules, names, unit

(* ---- limits: a share that must be over the unit of limits, and the word for it *)
let limit q words : Q.t * (Z.t -> Checker.limit_word) = match String.split_on_char ' ' words with
  | ["accuracy"; (">=" | "=" as sign); share] ->
    let share = number_text share in
    need (has_homes q && Q.sign share >= 0 && Q.leq share Q.one) "no such accuracy";
    share, (fun p -> if sign = "=" then Exactly p else AtLeast p)
  | ["within"; d] ->
    let d = number_text d in
    need (Q.sign d >= 0 && q.labels = []) "no such distance";
    Q.zero, (fun _ -> Within (d.Q.num, d.Q.den))
  | "without" :: (_ :: _ as named) ->
    let values = List.map number_text named in
    need (rising Q.lt values) "responses must increase";
    let place = Hashtbl.create (2 * tall q) and without = Array.make (tall q) false in
    Array.iteri (fun r x -> Hashtbl.add place (Q.to_string x) r) q.responses;
    List.iter (fun x -> match Hashtbl.find_opt place (Q.to_string x) with
      | Some r -> without.(r) <- true | None -> refuse "`without` must name responses") values;
    Q.zero, (fun _ -> Without (Array.get without))
  | _ -> refuse "a limit must be one of accuracy, within, without"

let in_words q s asked stated goal (aim : loss) losses own : Checker.words =
  let is p = List.mem p asked in
  let limits = List.map (limit q) stated in
  let said_unit = common (List.map fst limits
    @ [s.accuracy; if is "weakly-honest" then Q.make Z.one (Z.of_int (tall q)) else Q.zero]) in
  { structure = (match s.name with
      | "modular" -> Modular (List.rev s.moduli) | "symmetric" -> SymmetricNoise | "zero-bias" -> ZeroBiasNoise | _ -> Free);
    noise_within = if bounded s then Some (Z.of_int s.width, over said_unit s.accuracy) else None;
    asks_fair = is "fair"; asks_symmetric = is "symmetric"; asks_weakly_honest = is "weakly-honest"; zero_stays_zero = is "zero-stays-zero";
    has = (function
      | ColumnMonotone -> is "column-monotone" | ColumnHonest -> is "column-honest" | RowMonotone -> is "row-monotone"
      | RowHonest -> is "row-honest" | Unbiased -> is "unbiased");
    said = List.map (fun (share, word) -> word (over said_unit share)) limits; said_unit;
    loss_said = aim.word; weights_said = aim.weights;
    bounds_said = List.filter_map (fun l ->
      Option.map (fun (most : Q.t) -> ((l.word, l.weights), l.worst), (most.Q.num, most.Q.den)) l.most) losses;
    own; goal }

(* ---- work, as docs/certificate.md counts it *)
let cost a b = 512 + (8 * (a + b)) + (a * b / 256)
let compared a b = 512 + ((a + b) / 2) + (a * b / 256)
let leaf_entries = 1 lsl 9
let check_work q s guarantees losses own_unit coefficients stated asked total_bits (leaves, chained, numbers, digits) matrix_work most =
  let m = tall q and n = wide q in
  let entries = m * n and near = Array.length q.neighbours in
  let weights = List.sort_uniq compare (Array.to_list (Array.map (fun (_, _, w) -> w) q.neighbours)) in
  let heaviest = List.fold_left max 1 weights in
  let factors = List.map (fun g -> heaviest * length_of g) guarantees in
  let sum = List.fold_left ( + ) 0 in
  let scale = sum (List.map (fun l -> l.loss_bits) losses) + sum factors + Z.numbits own_unit + Z.numbits q.unit in
  let has p = if List.mem p asked then 1 else 0 in
  let orders = (entries * (has "column-monotone" + has "row-monotone" + has "column-honest")) + (n * n * has "row-honest") in
  let ( +! ) = Z.add and ( *! ) a b = Z.mul (Z.of_int a) (Z.of_int b) in
  let work = (near *! pair_work) +! ((entries * (1 + List.length s.moduli)) *! cost 0 0)
    +! ((entries * List.length stated) *! (1 lsl 12)) +! (orders *! (1 lsl 11)) in
  let work = List.fold_left (fun w l -> w +! (entries *! cost l.loss_bits l.loss_bits)) work losses in
  let work = List.fold_left2 (fun w g factor ->
    let pairs = if g.definition = "pure" && q.reach = n - 1 then 0 else near in
    let each = (entries *! cost total_bits factor) +! (leaves *! cost scale factor) in
    w +! Z.mul (Z.of_int (List.length weights)) each +! Z.mul (m *! pairs) (Z.of_int (compared total_bits factor))) work guarantees factors in
  let by_noise = s.name = "modular" && not (List.exists (fun l -> l.worst) losses) && not (List.mem "unbiased" asked) in
  let work = Z.add work (matrix_work s ~wide:n ~entries) in
  let within whole =
    let of_leaves = (whole *! entries) +! ((leaves - whole) *! min entries (n + leaf_entries)) +! (chained *! entries) in
    let times = Z.mul of_leaves (Z.of_int (4 + List.length losses)) +! (leaves *! orders) +! Z.of_int numbers
      +! ((leaves + 1) *! coefficients) in
    Z.leq (work +! Z.mul times (Z.of_int (cost scale (4 * digits)))) most in
  (* a leaf of modular noise is computed by noise values, unless it has chains *)
  need (within (if by_noise then min leaves (max chained 1) else leaves)) too_much

(* ---- the question *)
let of_order = ["column-monotone"; "row-monotone"; "symmetric"; "unbiased"; "zero-stays-zero"]
let of_homes = ["column-monotone"; "fair"; "column-honest"; "row-honest"; "weakly-honest"]

let read v ~most_work ~total_bits ~proof_size ~proof_work ~fits ~matrix_work =
  match fields v ["query"; "structure"; "privacy"; "properties"; "limits"; "objective"; "bounds"; "rules"] with
  | [query; structured; privacy; properties; stated; objective; bounds; authored] ->
    let q = Query.read query most_work in
    fits ~tall:(tall q) ~wide:(wide q);
    let s = structure q structured in
    let heaviest = Array.fold_left (fun w (_, _, x) -> max w x) 1 q.neighbours in
    let listed = items privacy in
    need (listed <> []) "there must be a privacy";
    need (List.length listed <= 21) "there must be at most 20 further privacies";
    List.iter (fun v -> match v with
      | Object l when List.mem_assoc "noise" l -> raise (Not_covered "privacy as a noise has it")
      | _ -> ()) listed;
    let guarantees = List.mapi (fun i v -> guarantee heaviest (i = 0) v) listed in
    let longest = List.fold_left (fun b g -> max b (length_of g)) 0 guarantees in
    let together = Array.fold_left (fun t (_, _, w) -> t + w) 0 q.neighbours * tall q * longest in
    need (heaviest = 1 || together <= 1 lsl 32) "all weights together must not be too large";
    let asked = List.map text (items properties) in
    need (List.for_all (fun p -> List.mem p of_order || List.mem p of_homes) asked) "properties must be known";
    need (rising ( < ) asked) "properties must be sorted, each once";
    let some l = List.exists (fun p -> List.mem p l) asked in
    need (has_homes q || not (some of_homes)) "some truth is in no response";
    need (q.labels = [] || not (some of_order || bounded s)) "answers that are no numbers have no order";
    let zero (a, b) = Q.sign a = 0 && Q.sign b = 0 in
    need (not (List.mem "zero-stays-zero" asked) || (Q.sign q.truths.(0) = 0 && zero q.ends.(0)))
      "zero stays zero only where truths and responses begin with 0";
    let stated = List.map text (items stated) in
    need (rising ( < ) stated) "limits must be sorted, each once";
    let words = ["worst"; "at_most"; "loss"; "weights"] in
    let part v more = match fields v (more @ words) with
      | [least; a; b; c; d] -> Some (text least), loss q s (a, b, c, d), c
      | [a; b; c; d] -> None, loss q s (a, b, c, d), c
      | _ -> assert false in
    let least, aim, named = part objective ["least"] in
    let further = List.map (fun v -> part v []) (items bounds) in
    let sought = (List.hd guarantees).delta = None in
    if sought then begin
      need (least = Some "delta") "delta must be given, or be what is least";
      need (not aim.worst) "beside the least delta a worst loss is one of bounds";
      need (aim.most = None || named <> Null) "a bound must be one of a loss"
    end else begin
      need (least = Some "loss" && named <> Null) "a loss must be least, or delta";
      need (aim.most = None) "only beside the least delta has the loss a bound"
    end;
    need (List.for_all (fun (_, l, name) -> l.most <> None && name <> Null) further) "each of bounds must have its bound";
    let losses = aim :: List.map (fun (_, l, _) -> l) further in
    let own, own_names, own_unit = own q authored in
    let coefficients = List.fold_left (fun c (r : Checker.rule) -> c + List.length r.terms) 0 own in
    check_work q s guarantees losses own_unit coefficients stated asked total_bits proof_size matrix_work
      (Z.sub most_work (proof_work ~wide:(wide q) ~steps:(Array.length q.neighbours / wide q)));
    let goal : Checker.objective = if sought then LeastDelta else if aim.worst then WorstLoss else TotalLoss in
    let words = in_words q s asked stated goal aim losses own in
    let groups, rules = rules q losses own_unit words in
    { query = q; structure = s; guarantees; properties = asked; sought; loss = aim; further = List.tl losses; words; own_names; own_unit; groups; rules }
  | _ -> assert false
