(* The question of a certificate in the words that were understood, in canonical form: a JSON object of one line. Every
   value is spelled anew from what the checker works with; no text of the file is repeated but names and labels. *)
open Numbers
open Query
open Requirements

(* What is no plain character of ASCII is escaped: a name may hold what moves a cursor, or turns lines around. *)
let text s = Written.dumps (Json.Text s)
let list each l = "[" ^ String.concat ", " (List.map each l) ^ "]"
let fields l = "{" ^ String.concat ", " (List.map (fun (name, value) -> text name ^ ": " ^ value) l) ^ "}"
let count = string_of_int
let truth_of b = if b then "true" else "false"
let number v = text (spelled v)
let over_unit unit c = number (Q.make c unit)

let parameters kind p = fields (match p with
  | Range word ->
    let names, values = match word with
      | Count (a, b, k) -> ["smallest"; "largest"; "records_per_person"], [a; b; k]
      | Mean (r, a, b, k) | Total (r, a, b, k, _) -> ["records"; "smallest"; "largest"; "records_per_person"], [r; a; b; k]
      | Extremum (a, b) -> ["smallest"; "largest"], [a; b] in
    let adjacency = match word with
      | Total (_, _, _, _, by) -> ["adjacency", text (match by with Change -> "change" | AddRemove -> "add-remove")] | _ -> [] in
    List.combine names (List.map Z.to_string values) @ adjacency
  | Vectors ([m], steps) when kind = "residues" -> ["modulus", count m; "distances", list count (List.concat steps)]
  | Vectors (moduli, steps) -> ["moduli", list count moduli; "distances", list (list count) steps]
  | Unnumbered -> [])

let query q =
  let points = Array.length q.ends = wide q && Array.for_all2 (fun (a, b) t -> Q.equal a t && Q.equal b t) q.ends q.truths in
  let pairs = if q.reach > 0 then [] else Array.to_list q.neighbours in
  fields [
    "kind", text q.kind; "parameters", parameters q.kind q.parameters; "scope", text q.scope; "name", text q.name;
    "truths", list number (Array.to_list q.truths);
    "responses", if points then "null" else list (fun (a, b) -> list number [a; b]) (Array.to_list q.ends);
    "reach", count q.reach; "pairs", list (fun (f, g, _) -> list count [f; g]) pairs;
    "weights", list (fun (_, _, w) -> count w) (if q.weighted then pairs else []); "labels", list text q.labels ]

let structure s =
  fields ["kind", text s.name; "half_width", count s.width; "accuracy", number s.accuracy;
    "moduli", list count (match s.moduli with [_] -> [] | l -> l)]

let privacy g =
  fields ["kind", text g.definition; "epsilon", text (epsilon_of g);
    "delta", (match g.delta with None -> "null" | Some d -> number d);
    "lower", text (Q.to_string g.lower); "upper", text (Q.to_string g.upper)]

let properties (w : Checker.words) = List.filter_map (fun (name, asked) -> if asked then Some name else None) [
  "column-honest", w.has ColumnHonest; "column-monotone", w.has ColumnMonotone; "fair", w.asks_fair;
  "row-honest", w.has RowHonest; "row-monotone", w.has RowMonotone; "symmetric", w.asks_symmetric;
  "unbiased", w.has Unbiased; "weakly-honest", w.asks_weakly_honest; "zero-stays-zero", w.zero_stays_zero ]

let limit q unit : Checker.limit_word -> string = function
  | AtLeast p -> text ("accuracy >= " ^ spelled (Q.make p unit))
  | Exactly p -> text ("accuracy = " ^ spelled (Q.make p unit))
  | Within (a, b) -> text ("within " ^ spelled (Q.make a b))
  | Without rs -> text (String.concat " " ("without" :: List.filteri (fun r _ -> rs r) (List.map spelled (Array.to_list q.responses))))
  | ZeroStaysZero -> "null"

let loss q l =
  let all = List.init (wide q) Fun.id in
  let word = if l.unnamed then "null" else match l.word with
    | Absolute -> text "absolute"
    | Squared -> text "squared"
    | ZeroOne -> text "zero-one"
    | Beyond (a, b) -> text ("beyond " ^ spelled (Q.make a b))
    | OfMatrix (c, unit) ->
      fields ["matrix", list (fun r -> list (fun f -> over_unit unit (c r f)) all) (List.init (tall q) Fun.id)]
    | OfNoise (_, c, unit) -> fields ["noise", list (fun f -> over_unit unit (c f)) all] in
  let weights = match l.weights with
    | Once -> if l.worst || l.unnamed then "null" else text "sum"
    | Evenly _ -> text "uniform"
    | Weighed (w, unit) -> list (fun f -> over_unit unit (w f)) all in
  ["at_most", (match l.most with None -> "null" | Some x -> number x); "worst", truth_of l.worst; "loss", word; "weights", weights]

let rule unit name (t : Checker.rule) =
  fields ["name", text name; "sense", text (if t.equation then "=" else "<="); "right", over_unit unit t.right;
    "entries", list (fun ((r, f), c) -> list Fun.id [count r; count f; over_unit unit c]) t.terms]

let question (p : Question.t) =
  let q = p.query and w = p.words in
  fields [
    "query", query q; "structure", structure p.structure; "privacy", list privacy p.guarantees;
    "properties", list text (properties w); "limits", list (limit q w.said_unit) w.said;
    "objective", fields (("least", text (if p.sought then "delta" else "loss")) :: loss q p.loss);
    "bounds", list (fun l -> fields (loss q l)) p.further;
    "rules", list (fun (name, t) -> rule p.own_unit name t) (List.combine p.own_names w.own) ] ^ "\n"
