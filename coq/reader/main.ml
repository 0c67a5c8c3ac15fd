(* optmech-check FILE: the claims that are proved, or one line that begins with "refused:" (code 1) or "not covered:" (code 2).
   optmech-check --question FILE: the question besides, in the words that were understood and in the numbers that the checker takes.
   optmech-check --json FILE: the same as data, a JSON object in one line. *)
open Json

let usage = "optmech-check [--question | --json] MECHANISM.certificate.json"
let help = usage ^ "

Print what is proved of a certificate. With --question print the question, too:
in words, and in the numbers that are checked, a line of JSON each. With --json
print one JSON object in one line instead, whatever the verdict is:

{\"verdict\": \"proved\", \"objective\": \"1/2\", \"bound\": \"1/2\", \"epsilon\": \"ln 3\",
 \"delta\": \"0\", \"told\": [the lines that are printed without --json]}
{\"verdict\": \"refused\", \"reason\": text}
{\"verdict\": \"not covered\", \"reason\": text}

Numbers are exact. The bound is null where none is proved. Epsilon and delta are
those of the first privacy; a delta that is sought is null.

No CSV is read: check_certificate.py compares one with its certificate.

code 0  proved
code 1  refused
code 2  not covered
code 3  the answer could not be printed"

let contents path =
  let channel = try open_in_bin path with Sys_error why -> refuse ("the file must be one that can be read: " ^ why) in
  Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
    let b = Buffer.create 65_536 and chunk = Bytes.create 65_536 in
    let rec go () =
      let n = input channel chunk 0 (Bytes.length chunk) in
      if n > 0 then begin
        need (Buffer.length b + n <= 4 * characters) "the file must not be too long";
        Buffer.add_subbytes b chunk 0 n;
        go ()
      end in
    (try go () with Sys_error why -> refuse ("the file must be one that can be read: " ^ path ^ ": " ^ why));
    Buffer.contents b)

let () =
  (* A question of a million entries has lists of millions: less room for garbage is worth some seconds. *)
  Gc.set { (Gc.get ()) with space_overhead = 50; minor_heap_size = 1 lsl 20 };
  let complain code line = (try prerr_endline (Answer.visible line) with Sys_error _ -> close_out_noerr stderr); exit code in
  (* Unless it is flushed here, a full disk ends the program with code 2. *)
  let say code text =
    (try print_string text; flush stdout with Sys_error why -> close_out_noerr stdout; complain 3 ("cannot print: " ^ why));
    exit code in
  let unproved verdict reason ~json =
    let code = Answer.code verdict in
    if json then say code (Answer.unproved verdict reason) else complain code (Answer.word verdict ^ ": " ^ reason) in
  let run path show ~json =
    let refused reason = unproved Answer.Refused reason ~json in
    match show (Report.read (contents path)) with
    | text -> say (Answer.code Proved) text
    | exception Refused rule -> refused rule
    | exception Not_covered what -> unproved Answer.Not_covered what ~json
    | exception Stack_overflow -> refused "what is listed must not be so long"
    | exception Out_of_memory -> refused "there must not be too much to compute"
    | exception (Invalid_argument why | Failure why) -> refused ("all must be as the page on certificates describes: " ^ why)
    | exception (Not_found | Division_by_zero | Z.Overflow) -> refused "all must be as the page on certificates describes" in
  let is_option word = String.length word > 0 && word.[0] = '-' in
  let options, paths = List.partition is_option (List.tl (Array.to_list Sys.argv)) in
  match options, paths with
  | [("--help" | "-h")], [] -> say 0 (help ^ "\n")
  | [], [path] -> run path Report.lines ~json:false
  | ["--question"], [path] -> run path (fun p -> Report.lines p ^ Report.question p) ~json:false
  | ["--json"], [path] -> run path Report.json ~json:true
  | _ -> unproved Answer.Refused ("give a certificate: " ^ usage) ~json:(List.mem "--json" options)
