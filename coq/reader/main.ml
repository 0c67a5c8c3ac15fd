(* optmech-check FILE: what is proved, or one line that begins with "refused:" (code 1) or "not covered:" (code 2).
   optmech-check --question FILE: the question besides, in the words that were understood and in the numbers that the checker takes. *)
open Json

let usage = "optmech-check [--question] MECHANISM.certificate.json"
let help = usage ^ "

Print what is proved of a certificate. With --question print the question, too:
in words, and in the numbers that are checked, a line of JSON each.

code 0  proved
code 1  refused
code 2  not covered
code 3  proved, but it could not be printed"

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
  let finish code line = (try prerr_endline line with Sys_error _ -> close_out_noerr stderr); exit code in
  let run path ~question =
    match Report.lines (contents path) ~question with
    | lines ->
      (* Unless it is flushed here, a full disk ends the program with code 2. *)
      (try print_string lines; flush stdout with Sys_error why -> close_out_noerr stdout; finish 3 ("cannot print: " ^ why));
      exit 0
    | exception Refused rule -> finish 1 ("refused: " ^ rule)
    | exception Not_covered what -> finish 2 ("not covered: " ^ what)
    | exception Stack_overflow -> finish 1 "refused: what is listed must not be so long"
    | exception Out_of_memory -> finish 1 "refused: there must not be too much to compute"
    | exception (Invalid_argument why | Failure why) -> finish 1 ("refused: all must be as docs/certificate.md describes: " ^ why)
    | exception (Not_found | Division_by_zero | Z.Overflow) -> finish 1 "refused: all must be as docs/certificate.md describes" in
  let is_option word = String.length word > 0 && word.[0] = '-' in
  match Array.to_list Sys.argv with
  | [_; ("--help" | "-h")] -> print_endline help; exit 0
  | [_; "--question"; path] when not (is_option path) -> run path ~question:true
  | [_; path] when not (is_option path) -> run path ~question:false
  | _ -> finish 1 ("refused: give a certificate: " ^ usage)
