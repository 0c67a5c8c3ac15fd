(* A certificate of noise with thresholds. *)
open Json
open Numbers
open Written

let characters = 1 lsl 27

type proved = { row : Row.t; noise : Noise.t; thresholds : Noise.thresholds; delta : Q.t; objective : Q.t; bound : Q.t }

let check content v =
  need (String.length content <= characters) "the file must not be too long";
  match in_order v ["format"; "version"; "question"; "mechanism"; "delta"; "objective"; "bound"; "gap"; "proof"; "reported"] with
  | [_; _; question; mechanism; delta; objective; bound; gap; proof; _] ->
    check_bytes content v;
    let delta = ratio delta and objective = ratio objective and bound = ratio bound and gap = ratio gap in
    let noise, thresholds = match in_order mechanism ["noise"; "thresholds"] with [n; t] -> n, t | _ -> assert false in
    let _prices = List.hd (in_order proof ["prices"]) in
    let row = Row.read question in
    if row.as_a_noise then raise (Not_covered "privacy as a noise has it");
    let noise = Noise.read noise (List.length row.guarantees) in
    let thresholds = Noise.thresholds thresholds noise row in
    Noise.check_spent_work noise row;
    List.iter (fun g -> ignore (Certificate.factors g)) row.guarantees;
    need (Q.equal gap (Q.sub objective bound) && Q.sign gap >= 0) "the gap must be the objective less the bound";
    if true then raise (Not_covered "noise with thresholds in place of a matrix");
    { row; noise; thresholds; delta; objective; bound }
  | _ -> assert false
