(* JSON as docs/certificate.md allows it: integers, no object with a field twice, nothing behind the value. *)
type t = Null | Bool of bool | Int of Z.t | Text of string | List of t list | Object of (string * t) list

exception Refused of string
exception Not_covered of string
let refuse rule = raise (Refused rule)
let need holds rule = if not holds then refuse rule

(* A list may be as long as the matrix, so that no function goes through it by nested calls. *)
module List = struct
  include List
  let map f l = rev (rev_map f l)
  let mapi f l = let i = ref (-1) in map (fun x -> incr i; f !i x) l
  let concat l = concat_map Fun.id l
  let append a b = rev_append (rev a) b
end
let ( @ ) = List.append

let characters = 1 lsl 29 (* of a file *)
let digits = 4_000 (* of a number *)
let depth = 400 (* of values in values: 300 splits and what is around them *)

(* Whether bytes are UTF-8: no overlong form, no surrogate, nothing above U+10FFFF. *)
let is_utf_8 s =
  let n = String.length s in
  let byte i = Char.code (String.unsafe_get s i) in
  let rest i k = i + k < n && (let ok = ref true in for j = i + 1 to i + k do if byte j land 0xc0 <> 0x80 then ok := false done; !ok) in
  let rec go i =
    i >= n ||
    let b = byte i in
    if b < 0x80 then go (i + 1)
    else if b >= 0xc2 && b <= 0xdf then rest i 1 && go (i + 2)
    else if b land 0xf0 = 0xe0 then
      rest i 2 && (let v = ((b land 15) lsl 6) lor (byte (i + 1) land 63) in v >= 0x20 && not (v >= 0x360 && v <= 0x37f)) && go (i + 3)
    else
      b >= 0xf0 && b <= 0xf4 && rest i 3
      && (let v = ((b land 7) lsl 6) lor (byte (i + 1) land 63) in v >= 0x10 && v <= 0x10f) && go (i + 4) in
  go 0

let parse s =
  let n = String.length s and at = ref 0 in
  need (is_utf_8 s) "the file must be text in UTF-8";
  let bad () = refuse (Printf.sprintf "the certificate must be JSON: byte %d" !at) in
  let peek () = if !at < n then s.[!at] else '\000' in
  let rec space () = match peek () with ' ' | '\t' | '\n' | '\r' when !at < n -> incr at; space () | _ -> () in
  let expect c = if !at < n && s.[!at] = c then incr at else bad () in
  let word w v = String.iter expect w; v in
  let hex () =
    let v = ref 0 in
    for _ = 1 to 4 do
      let c = peek () in
      v := (!v * 16) + (match c with
        | '0' .. '9' -> Char.code c - 48 | 'a' .. 'f' -> Char.code c - 87 | 'A' .. 'F' -> Char.code c - 55 | _ -> bad ());
      incr at
    done;
    !v in
  let text () =
    expect '"';
    let b = Buffer.create 16 in
    let rec go () =
      if !at >= n then bad ();
      match s.[!at] with
      | '"' -> incr at
      | '\\' ->
        incr at;
        let c = peek () in
        incr at;
        (match c with
         | '"' | '\\' | '/' -> Buffer.add_char b c
         | 'b' -> Buffer.add_char b '\b' | 'f' -> Buffer.add_char b '\012' | 'n' -> Buffer.add_char b '\n'
         | 'r' -> Buffer.add_char b '\r' | 't' -> Buffer.add_char b '\t'
         | 'u' ->
           let u = hex () in
           let u = if u land 0xfc00 <> 0xd800 then u else begin
             expect '\\'; expect 'u';
             let low = hex () in
             need (low land 0xfc00 = 0xdc00) "a text must be one of Unicode";
             0x10000 + ((u - 0xd800) lsl 10) + (low - 0xdc00) end in
           need (Uchar.is_valid u) "a text must be one of Unicode";
           Buffer.add_utf_8_uchar b (Uchar.of_int u)
         | _ -> bad ());
        go ()
      | c when c < ' ' -> bad ()
      | c -> Buffer.add_char b c; incr at; go () in
    go ();
    Buffer.contents b in
  let integer () =
    let from = !at in
    if peek () = '-' then incr at;
    let first = !at in
    while (match peek () with '0' .. '9' -> true | _ -> false) do incr at done;
    let long = !at - first in
    if long = 0 || (long > 1 && s.[first] = '0') then bad ();
    (match peek () with '.' | 'e' | 'E' -> refuse "a number of JSON must be an integer; all others are text" | _ -> ());
    need (!at - from <= digits) "a number must not have too many digits";
    Z.of_string (String.sub s from (!at - from)) in
  let rec value deep =
    need (deep < depth) "the JSON must not be nested without end";
    space ();
    let v = match peek () with
      | '"' -> Text (text ())
      | '[' ->
        incr at; space ();
        if peek () = ']' then (incr at; List []) else
          let rec items done_ =
            let done_ = value (deep + 1) :: done_ in
            match peek () with ',' -> incr at; items done_ | ']' -> incr at; List (List.rev done_) | _ -> bad () in
          items []
      | '{' ->
        incr at; space ();
        if peek () = '}' then (incr at; Object []) else
          let seen = Hashtbl.create 8 in
          let rec fields done_ =
            space ();
            let name = text () in
            need (not (Hashtbl.mem seen name)) "an object must have each field once";
            Hashtbl.add seen name ();
            space (); expect ':';
            let done_ = (name, value (deep + 1)) :: done_ in
            match peek () with ',' -> incr at; fields done_ | '}' -> incr at; Object (List.rev done_) | _ -> bad () in
          fields []
      | 't' -> word "true" (Bool true)
      | 'f' -> word "false" (Bool false)
      | 'n' -> word "null" Null
      | '-' | '0' .. '9' -> Int (integer ())
      | _ -> bad () in
    space ();
    v in
  let v = value 0 in
  if !at < n then bad ();
  v

(* ---- parts of a value *)
let fields v names = match v with
  | Object l ->
    let missing = if names = [] then "an object must be empty" else "an object must have the fields " ^ String.concat ", " names in
    need (List.length l = List.length names) missing;
    List.map (fun name -> match List.assoc_opt name l with Some x -> x | None -> refuse missing) names
  | _ -> refuse "this must be an object"
let items = function List l -> l | _ -> refuse "what is listed must be a list"
let text = function Text s -> s | _ -> refuse "this must be text"
let bool = function Bool b -> b | _ -> refuse "this must be true or false"
let integer = function Int z -> z | _ -> refuse "this must be a JSON integer"
let small v = let z = integer v in
  if Z.numbits z < 60 then Z.to_int z else refuse "a number is too large"
let place v sizes =
  let l = items v in
  let ok = List.length l = List.length sizes && List.for_all2 (fun x n -> match x with
    | Int z -> Z.sign z >= 0 && Z.lt z (Z.of_int n) | _ -> false) l sizes in
  need ok "a place must have as many positions as it needs, each one of the question";
  List.map small l
