(* Text out of a certificate: the claims that are proved, and the question. *)
let columns = 80

(* Lines of 80 columns: a word that is longer stands alone, and lines that continue one begin with spaces. *)
let wrapped text =
  let line words =
    let b = Buffer.create 256 in
    let put before at word = Buffer.add_string b before; Buffer.add_string b word; at + String.length before + String.length word in
    let place at word =
      if at = 0 then put "" 0 word
      else if at + 1 + String.length word <= columns then put " " at word
      else begin Buffer.add_char b '\n'; put "  " 0 word end in
    ignore (List.fold_left place 0 words);
    Buffer.contents b in
  String.concat "\n" (List.map (fun l -> line (String.split_on_char ' ' l)) (String.split_on_char '\n' text))

type proved = Of_noise of Rows.proved | Of_matrix of Certificate.proved

let read content =
  let v, is_noise = Certificate.opened content in
  if is_noise then Of_noise (Rows.check content v) else Of_matrix (Certificate.check content v)

let claims = function Of_noise p -> Printed_row.claims p | Of_matrix p -> Printed.claims p

let lines proved = wrapped (claims proved)

let question = function
  | Of_noise p -> Restated_row.question p.row ^ Printed_row.question p
  | Of_matrix p -> Restated.question p.question ^ Printed.question p.numbers

let json proved =
  let claims = claims proved in
  match proved with
  | Of_noise p -> Answer.proved ~objective:p.objective ~bound:(Some p.bound) (List.hd p.row.guarantees) ~claims
  | Of_matrix p -> Answer.proved ~objective:p.objective ~bound:p.bound (List.hd p.question.guarantees) ~claims
