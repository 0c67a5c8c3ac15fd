(* The matrix of a certificate: a line for each response, or in few numbers, as rays or as one column. Its entries are
   expanded here and then checked as any other. The claims are on the entries: that they are those of the file is trusted. *)
open Json
open Numbers
open Question

type t = {
  denominator : Z.t;
  in_short : bool;
  fits : tall:int -> wide:int -> unit; (* refuse another shape, before anything is expanded *)
  work : Requirements.structure -> wide:int -> entries:int -> Z.t; (* of the expansion, as docs/certificate.md counts it *)
  columns : Question.t -> Z.t array array } (* the entries, truth by truth: pairs of columns are compared *)

let most_entries = 1 lsl 20 (* of a matrix in few numbers *)
let step_bits = 64 (* a step down a ray is a factor over 2 to this power *)
let turned rows wide = Array.init wide (fun f -> Array.map (fun row -> row.(f)) rows)
let small_enough ~tall ~wide = need (tall * wide <= most_entries) "a matrix in few numbers must not have too many entries"

(* ---- in full *)
let in_rows total lines =
  let rows = Array.of_list (List.map (fun line -> Array.of_list (List.map whole_text (String.split_on_char ' ' (text line)))) (items lines)) in
  let fits ~tall ~wide =
    need (Array.length rows = tall && Array.for_all (fun row -> Array.length row = wide) rows) "the matrix must have a number for each entry" in
  { denominator = whole total; in_short = false; fits; work = (fun _ ~wide:_ ~entries:_ -> Z.zero); columns = (fun q -> turned rows (Query.wide q.query)) }

(* ---- one column, of modular noise *)
let in_column total column =
  let noise = Array.of_list (List.map whole_text (String.split_on_char ' ' (text column))) in
  let fits ~tall ~wide = small_enough ~tall ~wide; need (Array.length noise = tall) "a column must have a number for each response" in
  let work (s : Requirements.structure) ~wide:_ ~entries =
    need (s.name = "modular") "one column is a matrix of modular noise alone";
    Z.mul (Z.of_int (entries * (1 + List.length s.moduli))) (Z.of_int (cost 0 0)) in
  let columns (q : Question.t) =
    Array.init (Query.wide q.query) (fun f -> Array.init (Query.tall q.query) (fun r -> noise.(Query.difference q.structure.moduli r f))) in
  { denominator = whole total; in_short = true; fits; work; columns }

(* ---- rays: a weight that falls by step / 2^64 for each step down, and the steps of each truth *)
let steps_of wide v =
  match Array.to_list (runs_within v (wide + 2)) with
  | weight :: first :: gaps ->
    need (Z.sign weight >= 0 && Z.sign first >= 0 && Z.leq first (Z.of_int wide))
      "a ray must have a weight, and as many steps as truths at most";
    let steps = Array.make wide 0 and at = ref 0 and n = ref (Z.to_int first) in
    List.iter (fun gap ->
      need (Z.sign gap <> 0 && Z.lt (Z.abs gap) (Z.of_int (wide - !at))) "the steps of a ray must change at its truths";
      let far = Z.to_int (Z.abs gap) in
      Array.fill steps !at far !n;
      at := !at + far;
      n := !n - Z.sign gap;
      need (!n >= 0) "the steps of a ray must be zero or more") gaps;
    Array.fill steps !at (wide - !at) !n;
    weight, steps
  | _ -> refuse "a ray must have a weight and steps"

let in_rays total step rest rays =
  let total = whole total and step = whole step and rest = integer rest in
  let rays = Array.of_list (List.map items (items rays)) in
  let tall = Array.length rays and number = Array.fold_left (fun n l -> n + List.length l) 0 rays in
  need (Z.sign total > 0) "a matrix must have a positive denominator";
  need (Z.sign step >= 0 && Z.leq step (Z.shift_left Z.one step_bits)) "a step down must be from 0 to 1";
  need (Z.sign rest >= 0 && Z.lt rest (Z.of_int tall)) "what columns lack must be of a response";
  let fits ~tall:m ~wide = small_enough ~tall:m ~wide; need (tall = m) "the matrix must have rays of each response" in
  let work _ ~wide ~entries:_ =
    let bits = Z.numbits total in
    Z.mul (Z.of_int ((2 + number) * wide)) (Z.of_int (cost bits bits)) in
  let columns (q : Question.t) =
    let wide = Query.wide q.query in
    let powers = Array.make ((2 * wide) + 1) total in (* no truth has more steps *)
    for n = 1 to 2 * wide do powers.(n) <- Z.shift_right (Z.mul powers.(n - 1) step) step_bits done;
    let lacks = Array.make wide total in
    let rows = Array.map (fun texts ->
      let row = Array.make wide Z.zero in
      List.iter (fun v ->
        let weight, steps = steps_of wide v in
        let shares = Array.make (1 + Array.fold_left max 0 steps) None in
        let share n = match shares.(n) with
          | Some x -> x
          | None -> let x = Z.fdiv (Z.mul weight powers.(n)) total in shares.(n) <- Some x; x in
        Array.iteri (fun f n -> row.(f) <- Z.add row.(f) (share n)) steps) texts;
      Array.iteri (fun f x -> lacks.(f) <- Z.sub lacks.(f) x) row;
      row) rays in
    let last = rows.(Z.to_int rest) in
    Array.iteri (fun f lack -> last.(f) <- Z.add last.(f) lack) lacks;
    turned rows wide in
  { denominator = total; in_short = true; fits; work; columns }

let read mechanism = match mechanism with
  | Object l when List.mem_assoc "rays" l ->
    (match fields mechanism ["denominator"; "step"; "rest"; "rays"] with
     | [total; step; rest; rays] -> in_rays total step rest rays
     | _ -> assert false)
  | Object l when List.mem_assoc "column" l ->
    (match fields mechanism ["denominator"; "column"] with [total; column] -> in_column total column | _ -> assert false)
  | _ -> (match fields mechanism ["denominator"; "rows"] with [total; lines] -> in_rows total lines | _ -> assert false)
