(* The claims that are proved, and the question in numbers, in canonical form. *)
open Certificate

let claims p =
  let q = p.question in
  let neighbours = Array.length q.query.neighbours in
  let s = Q.to_string in
  let privacy i (g : Requirements.guarantee) =
    Printf.sprintf "privacy %d: %s, epsilon %s%s, delta %s\n" (i + 1) g.definition (if g.log then "ln " else "") (s g.epsilon)
      (match g.delta with None -> "sought" | Some d -> s d) in
  let near = q.query.neighbours in
  let heaviest = Array.fold_left (fun most (_, _, w) -> max most w) 1 near in
  let with_one = Array.make (Query.wide q.query) false in
  Array.iter (fun (f, g, _) -> with_one.(f) <- true; with_one.(g) <- true) near;
  let alone = Array.fold_left (fun n has -> if has then n else n + 1) 0 with_one in
  let facts = First_line.of_guarantee (List.hd q.guarantees) ~given_table:(q.query.scope = "given table") ~mutual:q.query.mutual
    ~heaviest ~alone ~size:(Query.wide q.query) ~delta:p.delta ~objective:p.objective in
  let aim = if q.sought then "least delta" else if q.loss.worst then "largest expected loss of a truth" else "total expected loss" in
  String.concat "" ([
    First_line.line facts;
    Printf.sprintf "mechanism: the matrix is one of the question; %s %s\n" aim (Numbers.with_digits p.objective);
    (match p.bound with
     | None -> "bound: none is proved\n"
     | Some b -> Printf.sprintf "bound: no mechanism of the question has less than %s\n" (Numbers.with_digits b));
    Printf.sprintf "question: %d responses, %d truths, %d ordered pairs of neighbours\n" (Query.tall q.query) (Query.wide q.query) neighbours ]
    @ List.mapi privacy q.guarantees)

(* The question in numbers, as JSON of one line. *)
let question (q : Checker.question) =
  let b = Buffer.create 65_536 in
  let add = Buffer.add_string b in
  let z x = add (Z.to_string x) and int i = add (string_of_int i) in
  let list each l = add "["; List.iteri (fun i x -> if i > 0 then add ","; each x) l; add "]" in
  let field name = add (Printf.sprintf ",\"%s\":" name) in
  let grid value = list (fun r -> list (fun f -> z (value r f)) (List.init q.truths Fun.id)) (List.init q.responses Fun.id) in
  let all l = list (fun x -> x ()) l in
  add "{\"aim\":"; add (match q.aim with TotalLoss -> "\"total loss\"" | WorstLoss -> "\"worst loss\"" | LeastDelta -> "\"least delta\"");
  field "neighbours"; list (fun ((f, g), w) -> list int [f; g; w]) q.neighbours;
  field "privacies"; list (fun (p : Checker.privacy) ->
    let word, n, d = match p.eps with Ratio (n, d) -> "ratio", n, d | Log (n, d) -> "log", n, d in
    add "["; add (match p.kind with OfSets -> "\"sets\"" | OfOutcomes -> "\"outcomes\"" | OfMass -> "\"mass\"");
    add (Printf.sprintf ",\"%s\"," word); z n; add ","; z d; add ",";
    (match p.delta with None -> add "null" | Some (n, d) -> list z [n; d]); add "]") q.privacies;
  field "names"; grid q.name;
  field "limits"; list (fun (((r, f), low), high) -> all [(fun () -> int r); (fun () -> int f); (fun () -> z low); (fun () -> z high)]) q.limits;
  field "limit_unit"; z q.limit_unit;
  field "rules"; list (fun (t : Checker.rule) ->
    add (if t.equation then "[\"=\"," else "[\"<=\","); z t.right; add ",";
    list (fun ((r, f), c) -> all [(fun () -> int r); (fun () -> int f); (fun () -> z c)]) t.terms; add "]") q.rules;
  field "costs"; grid q.cost;
  field "cost_unit"; z q.cost_unit;
  add "}\n";
  Buffer.contents b
