(* Text out of a certificate: what is proved, and the question in numbers. *)
let lines content ~question =
  let v, is_noise = Certificate.opened content in
  if is_noise then
    let p = Rows.check content v in
    Printed_row.claims p ^ if question then Printed_row.question p else ""
  else
    let p = Certificate.check content v in
    Printed.claims p ^ if question then Restated.question p.question ^ Printed.question p.numbers else ""
