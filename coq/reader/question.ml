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
  limits : (int * int * Q.t * Q.t) list;
  sought : bool; (* delta is what is least *)
  loss : loss;
  names : int array option; (* None: each entry is alone *)
  rules : rules list }

(* ---- rules *)
let cells m n = List.concat (List.init m (fun r -> List.init n (fun f -> r, f)))
let listed title l = let a = Array.of_list l in { title; count = Array.length a; each = (fun i -> a.(i)) }

(* A monotone column or row is an honest one, which then says nothing more. *)
let orders q asked =
  let m = tall q and n = wide q and has p = List.mem p asked and home = Array.get q.home in
  let order title rows columns pick =
    listed title (List.map (fun rule -> rule, Z.one) (Checker.ordered rows columns pick)) in
  (if has "column-monotone" then
    [ order "column-rising" m n (Checker.rising m home); order "column-falling" m n (Checker.falling m home) ]
   else if has "column-honest" then [ order "column-honest" m n (Checker.honest_in_column home) ]
   else [])
  @ (if has "row-monotone" then
    let ends = Array.init m (row_ends q) in
    [ order "row-rising" m n (Checker.rising_row n (fun r -> fst ends.(r)));
      order "row-falling" m n (Checker.falling_row n (fun r -> snd ends.(r))) ]
   else if has "row-honest" then [ order "row-honest" n n (Checker.honest_in_row home) ]
   else [])

let sums q s asked losses own =
  let m = tall q and n = wide q in
  let error r f = Z.sub q.points.(n + r) q.points.(f) in
  let means = if bounded s || List.mem "unbiased" asked
    then List.init n (fun f -> Checker.column_rule m error true Z.zero f, q.unit) else [] in
  let bound l = match l.most with
    | None -> []
    | Some (most : Q.t) ->
      let unit = Z.mul most.Q.den l.unit in
      if l.worst then List.init n (fun f -> Checker.bounded_at m l.costs l.unit most.Q.num most.Q.den f, unit)
      else [Checker.bounded m n l.costs l.unit most.Q.num most.Q.den, unit] in
  [ listed "mean" means; listed "bounds" (List.concat_map bound losses); listed "own" own ]

let own q v =
  let m = tall q and n = wide q in
  let rules = List.map (fun v -> match fields v ["name"; "sense"; "right"; "entries"] with
    | [name; sense; right; entries] ->
      ignore (text name);
      let equation = (match text sense with "=" -> true | "<=" -> false | _ -> refuse "a rule must be <= or =") in
      let entries = List.map (fun e -> match items e with
        | [r; f; c] -> (match place (List [r; f]) [m; n] with [r; f] -> (r, f), number c | _ -> assert false)
        | _ -> refuse "an entry must be a place and a coefficient") (items entries) in
      need (entries <> [] && rising ( < ) (List.map fst entries)) "entries of a rule must be sorted, each once";
      need (List.for_all (fun (_, c) -> Q.sign c <> 0) entries) "a coefficient must not be zero";
      equation, number right, entries
    | _ -> assert false) (items v) in
  let unit = common (List.concat_map (fun (_, right, entries) -> right :: List.map snd entries) rules) in
  List.map (fun (equation, right, entries) ->
    ({ terms = List.map (fun (at, c) -> at, over unit c) entries; equation; right = over unit right } : Checker.rule), unit) rules, unit

(* ---- names: entries that are equal in every mechanism of the question *)
let names q s asked =
  let m = tall q and n = wide q in
  if s.name = "free" && not (List.mem "fair" asked || List.mem "symmetric" asked) then None else begin
    let leader = Array.init (m * n) Fun.id in
    let rec first x = if leader.(x) = x then x else (leader.(x) <- leader.(leader.(x)); first leader.(x)) in
    let link a b = leader.(first a) <- first b in
    let seen = Hashtbl.create 64 in
    let group key e = match Hashtbl.find_opt seen key with Some a -> link e a | None -> Hashtbl.add seen key e in
    List.iteri (fun e (r, f) ->
      if s.name = "modular" then group (`Noise (difference s.moduli r f)) e;
      if s.name = "symmetric" then group (`Size (abs (r - q.home.(f)))) e;
      if r = q.home.(f) && (bounded s || List.mem "fair" asked) then group `Truth e;
      if List.mem "symmetric" asked then link e ((m * n) - 1 - e)) (cells m n);
    Some (Array.init (m * n) first)
  end

(* ---- limits: entries, each with the least and the most that it may be *)
let limits q s asked stated =
  let m = tall q and n = wide q in
  let at_home low high = List.init n (fun f -> q.home.(f), f, low, high) in
  let none where = List.filter_map (fun (r, f) -> if where r f then Some (r, f, Q.zero, Q.zero) else None) (cells m n) in
  let within d =
    need (Q.sign d >= 0 && q.labels = []) "no such distance";
    let far = Z.fdiv (Z.mul d.Q.num q.unit) d.Q.den in
    none (fun r f -> Z.gt (Z.abs (Z.sub q.points.(n + r) q.points.(f))) far) in
  let accuracy sign share =
    need (has_homes q && Q.sign share >= 0 && Q.leq share Q.one) "no such accuracy";
    at_home share (if sign = "=" then share else Q.one) in
  let limit words = match String.split_on_char ' ' words with
    | ["accuracy"; (">=" | "=" as sign); share] -> accuracy sign (number_text share)
    | ["within"; d] -> within (number_text d)
    | "without" :: (_ :: _ as named) ->
      let values = List.map number_text named in
      need (rising Q.lt values) "responses must increase";
      let place = Hashtbl.create (2 * m) in
      Array.iteri (fun r x -> Hashtbl.add place (Q.to_string x) r) q.responses;
      let at = List.map (fun x -> match Hashtbl.find_opt place (Q.to_string x) with
        | Some r -> r | None -> refuse "`without` must name responses") values in
      List.concat_map (fun r -> List.init n (fun f -> r, f, Q.zero, Q.zero)) at
    | _ -> refuse "a limit must be one of accuracy, within, without" in
  (if List.mem "zero-stays-zero" asked then List.init m (fun r -> let x = if r = 0 then Q.one else Q.zero in r, 0, x, x) else [])
  @ List.concat_map limit stated
  @ (if bounded s then accuracy "=" s.accuracy @ within (Q.of_int s.width) else [])
  @ (if List.mem "weakly-honest" asked then accuracy ">=" (Q.make Z.one (Z.of_int m)) else [])

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
    let own, own_unit = own q authored in
    let coefficients = List.fold_left (fun c ((r : Checker.rule), _) -> c + List.length r.terms) 0 own in
    check_work q s guarantees losses own_unit coefficients stated asked total_bits proof_size matrix_work
      (Z.sub most_work (proof_work ~wide:(wide q) ~steps:(Array.length q.neighbours / wide q)));
    { query = q; structure = s; guarantees; properties = asked; limits = limits q s asked stated; sought; loss = aim;
      names = names q s asked; rules = orders q asked @ sums q s asked losses own }
  | _ -> assert false
