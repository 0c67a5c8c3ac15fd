(* The answer as data, which docs/trust.md describes: one JSON object in one line, its numbers exact. *)
open Json

(* The verdicts, each with its exit code. *)
type verdict = Proved | Refused | Not_covered
let word = function Proved -> "proved" | Refused -> "refused" | Not_covered -> "not covered"
let code = function Proved -> 0 | Refused -> 1 | Not_covered -> 2

let line fields = Written.dumps (Object fields) ^ "\n"

let proved ~objective ~bound (first : Requirements.guarantee) ~claims =
  let ratio v = Text (Q.to_string v) in
  let told = List.filter (fun l -> l <> "") (String.split_on_char '\n' claims) in
  line [
    "verdict", Text (word Proved); "objective", ratio objective;
    "bound", (match bound with None -> Null | Some b -> ratio b);
    "epsilon", Text (Requirements.epsilon_of first);
    "delta", (match first.delta with None -> Null | Some d -> Text (Numbers.spelled d));
    "told", List (List.map (fun l -> Text l) told) ]

(* A path need not be text in UTF-8, which JSON is. *)
let in_utf_8 s =
  if is_utf_8 s then s
  else String.concat "" (List.map (fun c -> if c < '\128' then String.make 1 c else Printf.sprintf "\\x%02x" (Char.code c)) (List.of_seq (String.to_seq s)))

let unproved verdict reason = line ["verdict", Text (word verdict); "reason", Text (in_utf_8 reason)]
