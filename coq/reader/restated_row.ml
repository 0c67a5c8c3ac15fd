(* The same of noise with thresholds: the question of truths in a row in the words that were understood. *)
open Restated

let all each a = "[" ^ String.concat ", " (Array.to_list (Array.map each a)) ^ "]"

let query (q : Row.t) =
  let truths = match q.step with
    | Some step -> fields ["first", number q.first; "step", number step; "number", count q.wide]
    | None -> all number q.listed in
  let points = q.step <> None || (q.tall = q.wide && Array.for_all2 (fun (a, b) t -> Q.equal a t && Q.equal b t) q.ends q.listed) in
  fields [
    "kind", text q.kind; "parameters", parameters q.kind q.parameters; "scope", text q.scope; "name", text q.name;
    "truths", truths; "responses", if points then "null" else all (fun (a, b) -> list number [a; b]) q.ends;
    "reach", "1"; "pairs", "[]"; "weights", "[]"; "labels", "[]" ]

let loss (q : Row.t) = match q.loss with
  | OfDistance (c, entries, unit) -> all (over_unit unit) (Array.init entries c)
  | OfWord Absolute -> text "absolute"
  | OfWord Squared -> text "squared"
  | OfWord ZeroOne -> text "zero-one"
  | OfWord (Beyond (a, b)) -> text ("beyond " ^ Numbers.spelled (Q.make a b))
  | OfWord (OfMatrix (c, unit)) ->
    fields ["matrix", all (fun r -> all (over_unit unit) (Array.init q.wide (c r))) (Array.init q.tall Fun.id)]
  | OfWord (OfNoise _) -> assert false

let weights (q : Row.t) = match q.weights with
  | Once -> text "sum"
  | Evenly _ -> text "uniform"
  | Weighed (w, unit) -> all (over_unit unit) (Array.init q.wide w)

let question (q : Row.t) =
  fields [
    "query", query q; "structure", fields ["kind", text "free"; "half_width", "0"; "accuracy", text "0"; "moduli", "[]"];
    "privacy", list privacy q.guarantees; "properties", if q.zero then list text ["zero-stays-zero"] else "[]"; "limits", "[]";
    "objective", fields ["least", text "loss"; "at_most", "null"; "worst", "false"; "loss", loss q; "weights", weights q];
    "bounds", "[]"; "rules", "[]" ] ^ "\n"
