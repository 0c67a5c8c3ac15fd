(* The same of noise with thresholds. *)
open Rows

let claims p =
  let s = Q.to_string and z = p.noise and t = p.thresholds in
  let privacy i (g : Requirements.guarantee) =
    Printf.sprintf "privacy %d: %s, epsilon %s%s, delta %s\n" (i + 1) g.definition (if g.log then "ln " else "") (s g.epsilon)
      (s (Option.get g.delta)) in
  let facts = First_line.of_guarantee (List.hd p.row.guarantees) ~given_table:(p.row.scope = "given table") ~mutual:true ~heaviest:1
    ~alone:0 ~size:p.row.wide ~delta:p.delta ~objective:p.objective in
  String.concat "" ([
    First_line.line facts;
    (* Where F counts as 0 or 1 and has tails the loss is proved to be no more. *)
    Printf.sprintf "mechanism: noise with thresholds is one of the question; total expected loss %s%s\n"
      (Numbers.with_digits p.objective) (if Z.sign z.tail > 0 then " or less" else "");
    Printf.sprintf "bound: no mechanism of the question has less than %s\n" (Numbers.with_digits p.bound);
    Printf.sprintf "question: %d responses, %d truths in a row, each the neighbour of the next%s\n" p.row.tall p.row.wide
      (if p.row.zero then "; zero stays zero" else "");
    Printf.sprintf "noise: %d places from %d on%s; %d thresholds\n" (Noise.size z) z.first
      (if Z.sign z.tail > 0 then ", and tails" else "") (Array.length t.places) ]
    @ List.mapi privacy p.row.guarantees)

(* The arguments of `row` and of `with_noise` in Noise.v, as JSON of one line. *)
let question p =
  let b = Buffer.create 65_536 in
  let add = Buffer.add_string b in
  let z x = add (Z.to_string x) and int i = add (string_of_int i) in
  let list each a = add "["; Array.iteri (fun i x -> if i > 0 then add ","; each x) a; add "]" in
  let field name = add (Printf.sprintf ",\"%s\":" name) in
  add "{\"responses\":"; int p.row.tall;
  field "truths"; int p.row.wide;
  field "privacies"; list (fun (g : Requirements.guarantee) ->
    let d = Option.get g.delta in
    add (if g.log then "[\"log\"," else "[\"ratio\","); z g.epsilon.Q.num; add ","; z g.epsilon.Q.den;
    add ","; z d.Q.num; add ","; z d.Q.den; add "]") (Array.of_list p.row.guarantees);
  field "zero"; add (string_of_bool p.row.zero);
  (match p.row.costs with
   | By_distance { weights; at; _ } -> field "weights"; list z weights; field "at"; list z at
   | Table a -> field "costs"; list (list z) a);
  field "unit"; z p.row.unit;
  field "noise"; add "{\"period\":"; int p.noise.period; field "first"; int p.noise.first; field "whole"; z p.noise.whole;
  field "tail"; z p.noise.tail; field "cumulative"; list z p.noise.cumulative; add "}";
  field "thresholds"; list int p.thresholds.places;
  add "}\n";
  Buffer.contents b
