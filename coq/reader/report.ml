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

let lines content ~question =
  let v, is_noise = Certificate.opened content in
  if is_noise then
    let p = Rows.check content v in
    wrapped (Printed_row.claims p) ^ if question then Restated_row.question p.row ^ Printed_row.question p else ""
  else
    let p = Certificate.check content v in
    wrapped (Printed.claims p) ^ if question then Restated.question p.question ^ Printed.question p.numbers else ""
