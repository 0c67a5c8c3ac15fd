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

(* A line for a terminal, in which a name moves no cursor and turns no line around. *)
let visible line =
  let b = Buffer.create 256 in
  let add p =
    if Query.is_visible p then Buffer.add_utf_8_uchar b (Uchar.of_int p)
    else Buffer.add_string b (if p < 0x100 then Printf.sprintf "\\x%02x" p
      else if p < 0x10000 then Printf.sprintf "\\u%04x" p else Printf.sprintf "\\U%08x" p) in
  List.iter add (List.rev (Query.code_points (in_utf_8 line)));
  Buffer.contents b

let unproved verdict reason = line ["verdict", Text (word verdict); "reason", Text (in_utf_8 reason)]
