(* JSON as `json.dumps` of Python writes it, byte for byte, and objects whose fields stand in an order. *)
open Json

(* Hand each byte of the text of a value to [put]. *)
let write put v =
  let add = String.iter put in
  let escaped code = add (Printf.sprintf "\\u%04x" code) in
  let text s =
    let n = String.length s and at = ref 0 in
    put '"';
    while !at < n do
      let c = s.[!at] in
      let byte i = Char.code s.[!at + i] land 63 in
      let code, long = match Char.code c with
        | c when c < 0x80 -> c, 1
        | c when c < 0xe0 -> ((c land 31) lsl 6) lor byte 1, 2
        | c when c < 0xf0 -> ((c land 15) lsl 12) lor (byte 1 lsl 6) lor byte 2, 3
        | c -> ((c land 7) lsl 18) lor (byte 1 lsl 12) lor (byte 2 lsl 6) lor byte 3, 4 in
      (match c with
       | '"' -> add "\\\"" | '\\' -> add "\\\\" | '\n' -> add "\\n" | '\r' -> add "\\r" | '\t' -> add "\\t"
       | '\b' -> add "\\b" | '\012' -> add "\\f"
       | ' ' .. '~' -> put c
       | _ when code < 0x10000 -> escaped code
       | _ -> escaped (0xd800 + ((code - 0x10000) lsr 10)); escaped (0xdc00 + ((code - 0x10000) land 0x3ff)));
      at := !at + long
    done;
    put '"' in
  let rec value = function
    | Null -> add "null" | Bool true -> add "true" | Bool false -> add "false"
    | Int z -> add (Z.to_string z)
    | Text s -> text s
    | List l -> put '['; List.iteri (fun i x -> if i > 0 then add ", "; value x) l; put ']'
    | Object l ->
      put '{'; List.iteri (fun i (name, x) -> if i > 0 then add ", "; text name; add ": "; value x) l; put '}' in
  value v

let dumps v =
  let b = Buffer.create 256 in
  write (Buffer.add_char b) v;
  Buffer.contents b

(* A line for each field of the file, and nothing else. *)
let check_bytes content v =
  let rule = "the file must be written as described, byte for byte" and at = ref 0 in
  let put c = need (!at < String.length content && String.unsafe_get content !at = c) rule; incr at in
  let l = match v with Object l -> l | _ -> refuse rule in
  String.iter put "{\n";
  List.iteri (fun i (name, x) ->
    if i > 0 then String.iter put ",\n";
    write put (Text name); String.iter put ": "; write put x) l;
  String.iter put "\n}\n";
  need (!at = String.length content) rule

let in_order v names =
  let values = fields v names in
  let told = match v with Object l -> List.map fst l | _ -> [] in
  need (told = names) ("fields must stand in the order " ^ String.concat ", " names);
  values
