(* The first line of what is proved, made from a list of facts: the line that check_certificate.py prints, word for word. *)

type facts = {
  definition : string; (* a word of the format *)
  given_table : bool; (* only tables near one given table are protected *)
  mutual : bool; (* each pair is protected both ways, alike *)
  heaviest : int; (* how many epsilon lie between neighbours at the most *)
  alone : int; (* true answers without a neighbour, *)
  size : int; (* of all *)
  epsilon : string; (* as it is spelled, *)
  nearly : float; (* and as a double *)
  delta : Q.t; (* that is spent *)
  allowed : Q.t; (* by the question; 0 where delta is sought *)
  objective : Q.t }

let of_guarantee (g : Requirements.guarantee) ~given_table ~mutual ~heaviest ~alone ~size ~delta ~objective =
  let nearly = if g.log then Float.log1p (Q.to_float (Q.sub g.epsilon Q.one)) else Q.to_float g.epsilon in
  { definition = g.definition; given_table; mutual; heaviest; alone; size; epsilon = Requirements.epsilon_of g; nearly; delta;
    allowed = Option.value ~default:Q.zero g.delta; objective }

(* ---- numbers *)
let longest = 20 and digits = 6

(* A positive number as a whole number of six digits, half to even, and its power of ten: m 10^(e - 5). *)
let rounded (v : Q.t) =
  let scaled e =
    let ten = Z.pow (Z.of_int 10) (abs (digits - 1 - e)) in
    let top, bottom = if e < digits then Z.mul v.Q.num ten, v.Q.den else v.Q.num, Z.mul v.Q.den ten in
    let m, left = Z.div_rem top bottom in
    let half = Z.compare (Z.mul (Z.of_int 2) left) bottom in
    m, if half > 0 || (half = 0 && Z.is_odd m) then Z.succ m else m in
  let whole = Z.pow (Z.of_int 10) (digits - 1) in
  let rec at e =
    let down, m = scaled e in
    if Z.lt down whole then at (e - 1)
    else if Z.geq down (Z.mul whole (Z.of_int 10)) then at (e + 1)
    else if Z.equal m (Z.mul whole (Z.of_int 10)) then whole, e + 1
    else m, e in
  at (String.length (Z.to_string v.Q.num) - String.length (Z.to_string v.Q.den))

(* The digits of a number but for zeros at the end, and its power of ten. *)
let plain v =
  if Q.sign v = 0 then "0" else begin
    let m, e = rounded (Q.abs v) in
    let all = Z.to_string m in
    let rec used n = if n > 1 && all.[n - 1] = '0' then used (n - 1) else n in
    let n = used digits in
    let d = String.sub all 0 n in
    let part from = String.sub d from (n - from) in
    let told =
      if e < -6 || e >= 6 then
        Printf.sprintf "%s%se%+d" (String.sub d 0 1) (if n > 1 then "." ^ part 1 else "") e
      else if e < 0 then "0." ^ String.make (-e - 1) '0' ^ d
      else if n <= e + 1 then d ^ String.make (e + 1 - n) '0'
      else String.sub d 0 (e + 1) ^ "." ^ part (e + 1) in
    (if Q.sign v < 0 then "-" else "") ^ told
  end

let is_exact v = Q.sign v = 0 || (let m, e = rounded (Q.abs v) in
  let ten = Z.pow (Z.of_int 10) (abs (e - (digits - 1))) in
  Q.equal (Q.abs v) (if e >= digits - 1 then Q.of_bigint (Z.mul m ten) else Q.make m ten))

(* A number as it is where that is short, and as a decimal of six digits where that is another text. *)
let about v =
  let exact = Q.to_string v in
  if String.length exact > longest then "about " ^ plain v
  else if is_exact v then plain v else Printf.sprintf "%s, about %s" exact (plain v)

(* ---- the line *)
let words = function
  | "pure" -> "pure differential privacy"
  | "approximate" -> "approximate (epsilon, delta)-differential privacy"
  | "per-outcome" -> "per-outcome privacy"
  | _ -> "probabilistic differential privacy"

let reasons f = List.filter_map (fun (holds, reason) -> if holds then Some reason else None) [
  f.definition = "per-outcome", "each outcome is bounded by itself, not sets of outcomes";
  f.given_table, "only tables near one given table are protected, from each other";
  not f.mutual, "some pairs are protected in one direction only" ]

let without_differential told =
  let word = "differential privacy" in
  let n = String.length told - String.length word in
  if n >= 0 && String.sub told n (String.length word) = word then String.sub told 0 n ^ "privacy" else told

let definition f =
  let told = words f.definition in
  let told = if f.heaviest > 1
    then Printf.sprintf "metric privacy, up to %d times epsilon between neighbours: %s" f.heaviest told else told in
  match reasons f with
  | [] -> told
  | l -> Printf.sprintf "NOT differential privacy (%s); %s between the listed true answers" (String.concat "; " l)
      (without_differential told)

let line f =
  let epsilon = if String.length f.epsilon <= longest then f.epsilon else Printf.sprintf "about %.6g" f.nearly in
  let most = Q.max f.delta f.allowed and power = f.nearly *. float_of_int f.heaviest in
  let said = List.filter_map (fun (holds, part) -> if holds then Some (part ()) else None) [
    true, (fun () -> "proved: " ^ definition f);
    f.alone > 0, (fun () -> Printf.sprintf "between neighbours alone: %d of %d true answers have none, and nothing protects them" f.alone f.size);
    true, (fun () -> Printf.sprintf "epsilon = %s, delta = %s" epsilon (about f.delta));
    true, (fun () -> "objective " ^ about f.objective);
    Q.gt most (Q.of_ints 1 1000), (fun () ->
      Printf.sprintf "with probability up to %s anything may be released, even the true answer" (about most));
    power > 10., (fun () -> Printf.sprintf "odds may change by a factor of e^%.6g, about %.3g" power (exp power)) ] in
  String.concat "; " said ^ "\n"
