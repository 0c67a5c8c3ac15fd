(* A question on truths in a row, whose mechanism is noise with thresholds: the arguments of `row` in Noise.v. *)
open Json
open Numbers
open Requirements
open Written
open Row_losses

(* The cost of response r at truth f, over [unit]: weight f times the loss at the distance |r - f|, or listed. *)
type costs =
  | By_distance of { weights : Z.t array; at : Z.t array; even : bool }
  | Table of Z.t array array

type t = {
  kind : string;
  parameters : Query.parameters;
  scope : string;
  name : string;
  first : Q.t;
  step : Q.t option; (* of truths that are counted out, which are the responses *)
  listed : Q.t array; (* of others *)
  ends : (Q.t * Q.t) array; (* their responses, *)
  halves : Q.t array; (* and the middles of these *)
  wide : int;
  tall : int;
  zero : bool; (* zero stays zero *)
  guarantees : guarantee list;
  as_a_noise : bool; (* privacy as a noise has it, which is not read *)
  loss : Checker.row_loss; (* in words *)
  weights : Checker.weights_word;
  costs : costs;
  unit : Z.t;
  homes : int array; (* k_j: no change c_f(j) of the costs from response j to the next is negative before, none positive after *)
  largest : Z.t; (* of these changes *)
  written : int } (* numbers that are written out *)

let losses_of q : Checker.losses = match q.costs with
  | By_distance { weights; at; _ } -> ByDistance (Array.get weights, Array.get at)
  | Table a -> Listed ((fun r f -> a.(r).(f)), Array.get q.homes)

let in_a_matrix = 2_000 and matrix_bits = 1 lsl 30
let counted_most = 1_000_001

let plain = "[{\"kind\": \"free\", \"half_width\": 0, \"accuracy\": \"0\", \"moduli\": []}, [], [], [], 1, [], [], [], \
             \"loss\", null, false]"

(* ---- truths *)
let count_out kind v = match in_order v ["first"; "step"; "number"] with
  | [first; step; number_of] ->
    let first = point first and step = number step and wide = small number_of in
    need (wide >= 2 && Q.sign step > 0) "there must be two truths or more, increasing";
    need (wide <= if kind = "count" then counted_most else 20_000) "there must not be too many truths";
    need (Q.lt (Q.add first (Q.mul (Q.of_int (wide - 1)) step)) (Q.of_bigint largest)) "truths must be below 10^300";
    let long = max (bits_of first) (bits_of step) and rows = min wide in_a_matrix in
    need (long <= scale_bits) "numbers must not be too long";
    need (kind = "count" || rows * rows * long <= matrix_bits) "numbers that count truths out must not be too long for so many";
    first, step, wide
  | _ -> assert false

let list_truths truths responses =
  let listed, ends, halves = Query.answers truths responses in
  let wide = Array.length listed and tall = Array.length ends in
  need (min wide tall >= 2) "there must be two truths, and responses, or more";
  need (wide * tall <= listed_most) "truths times responses must not be too many";
  let step = Q.sub listed.(1) listed.(0) in
  let even = List.for_all (fun f -> Q.equal (Q.sub listed.(f + 1) listed.(f)) step) (List.init (wide - 1) Fun.id) in
  need (not (even && responses = Null)) "evenly spaced truths that are the responses must be counted out";
  ignore (common (Array.to_list listed @ List.concat_map (fun (a, b) -> [a; b]) (Array.to_list ends)));
  listed, ends, halves, Query.homes listed ends

(* Truths and responses over a unit, the response at which each truth is at home, and this unit. *)
let positions (first : Q.t) step listed halves homes = match step with
  | Some (step : Q.t) ->
    let unit = Z.lcm first.Q.den step.Q.den in
    let from = over unit first and by = over unit step in
    let at f = Z.add from (Z.mul by (Z.of_int f)) in
    at, at, Fun.id, unit
  | None ->
    let wider u (v : Q.t) = if Z.divisible u v.Q.den then u else Z.lcm u v.Q.den in
    let unit = Array.fold_left wider (Array.fold_left wider Z.one listed) halves in
    (* Not every loss looks at them. *)
    let all values = let all = lazy (Array.map (over unit) values) in fun i -> (Lazy.force all).(i) in
    all listed, all halves, Array.get homes, unit

(* The words of a kind, for neighbours within a reach of one. *)
let check_kind kind told scope name wide truth unit : Query.parameters =
  let wrong = "the numbers must be those of the kind " ^ kind and custom = kind = "custom" in
  let range word = need (Checker.is_range word wide unit truth 1) wrong; Query.Range word in
  let parameters = match kind with
    | "count" ->
      (match in_order told ["smallest"; "largest"; "records_per_person"] with
       | [low; high; group] -> range (Count (integer low, integer high, integer group))
       | _ -> assert false)
    | "mean" ->
      (match in_order told ["records"; "smallest"; "largest"; "records_per_person"] with
       | [records; low; high; group] -> range (Mean (integer records, integer low, integer high, integer group))
       | _ -> assert false)
    | "total" ->
      (match in_order told ["records"; "smallest"; "largest"; "records_per_person"; "adjacency"] with
       | [records; low; high; group; by] ->
         let by : Checker.adjacency = match by with
           | Text "change" -> Change | Text "add-remove" -> AddRemove | _ -> refuse wrong in
         range (Total (integer records, integer low, integer high, integer group, by))
       | _ -> assert false)
    | "extremum" ->
      (match in_order told ["smallest"; "largest"] with
       | [low; high] -> range (Extremum (integer low, integer high)) | _ -> assert false)
    | "residues" ->
      (match in_order told ["modulus"; "distances"] with
       | [modulus; distances] ->
         need (Z.equal (integer modulus) (Z.of_int 2) && List.map integer (items distances) = [Z.one]) wrong;
         need (wide = 2 && Z.equal (truth 0) Z.zero && Z.equal (truth 1) unit) wrong;
         Query.Vectors ([2], [[1]])
       | _ -> assert false)
    | "graph" | "custom" -> ignore (in_order told []); Query.Unnumbered
    | _ -> refuse "a kind must be one of count, mean, total, extremum, residues, graph, custom" in
  need (scope = "every table" || (scope = "given table" && custom)) "only a custom query is of a given table";
  need (name = "" || custom || kind = "graph") "only a custom query or a graph has a name";
  parameters

(* ---- the question *)
let guarantee v =
  let curve = match v with Object l -> List.mem_assoc "noise" l | _ -> false in
  match in_order v (["kind"; "epsilon"; "delta"; "lower"; "upper"] @ if curve then ["noise"] else []) with
  | kind :: _ :: delta :: _ ->
    let known = if curve then ["as-private-as"] else ["pure"; "approximate"] in
    need (List.mem (text kind) known) "noise and thresholds keep pure or approximate privacy, or are as private as a noise";
    need (delta <> Null) "delta must be given";
    if curve then None else Some (Requirements.guarantee 1 true v)
  | _ -> assert false

let read v =
  match in_order v ["query"; "structure"; "privacy"; "properties"; "limits"; "objective"; "bounds"; "rules"] with
  | [query; structure; privacy; properties; limits; objective; bounds; rules] ->
    let kind, told, scope, name, truths, responses, rest = match in_order query
      ["kind"; "parameters"; "scope"; "name"; "truths"; "responses"; "reach"; "pairs"; "weights"; "labels"] with
      | kind :: told :: scope :: name :: truths :: responses :: rest -> text kind, told, text scope, text name, truths, responses, rest
      | _ -> assert false in
    let aim, told_loss, told_weights = match in_order objective ["least"; "at_most"; "worst"; "loss"; "weights"] with
      | [least; at_most; worst; loss; weights] -> [least; at_most; worst], loss, weights | _ -> assert false in
    need (dumps (List ([structure; limits; bounds; rules] @ rest @ aim)) = plain)
      "noise and thresholds are for neighbours in a row and the least loss";
    need (properties = List [] || properties = List [Text "zero-stays-zero"]) "of noise and thresholds only zero-stays-zero is known";
    let zero = properties <> List [] in
    let first, step, wide, listed, ends, halves, homes, tall = match truths with
      | Object _ ->
        let first, step, wide = count_out kind truths in
        need (responses = Null) "truths that are counted out are the responses";
        first, Some step, wide, [||], [||], [||], [||], wide
      | _ ->
        let listed, ends, halves, homes = list_truths truths responses in
        listed.(0), None, Array.length listed, listed, ends, halves, homes, Array.length halves in
    let begins = if step = None then ends.(0) else (first, first) in
    need (not zero || (Q.sign first = 0 && begins = (Q.zero, Q.zero))) "zero stays zero only where truths and responses begin with 0";
    let truth, response, home, points_unit = positions first step listed halves homes in
    let parameters = check_kind kind told scope name wide truth points_unit in
    let asked = items privacy in
    need (asked <> []) "there must be a privacy";
    need (List.length asked <= 21) "there must be at most 20 further privacies";
    let guarantees = List.map guarantee asked in
    let as_a_noise = List.mem None guarantees in
    need (not as_a_noise || List.length asked = 1) "the privacy of a noise must stand alone";
    need (told_weights <> Null) "weights must be sum, uniform, or a list";
    let ones = Array.make wide Z.one in
    let weights_word = weights_of wide told_weights in
    let weights, weight_unit, listed_weights = match weights_word with
      | Once -> ones, Z.one, false
      | Evenly unit -> ones, unit, false
      | Weighed (weight, unit) -> Array.init wide weight, unit, true in
    let question loss costs unit homes largest written =
      let q = { kind; parameters; scope; name; first; step; listed; ends; halves; wide; tall; zero;
        guarantees = List.filter_map Fun.id guarantees; as_a_noise; loss; weights = weights_word; costs; unit; homes; largest;
        written } in
      need (Checker.says tall wide points_unit response truth home loss weights_word (losses_of q) unit)
        "costs must be those of the loss and the weights";
      q in
    (match step, told_loss with
     | Some step, (Null | Bool _ | Int _ | Text _ | List _) ->
       let loss, at, loss_unit = distances told_loss step wide in
       let unit = Z.mul loss_unit weight_unit in
       need (Z.numbits unit <= scale_bits) "numbers must have a denominator that is not too long";
       let rise = greatest (Array.init wide (fun d -> Z.sub at.(d + 1) at.(d))) in
       let even = Array.for_all (Z.equal weights.(0)) weights in
       question loss (By_distance { weights; at; even }) unit (Array.init (wide - 1) succ) (Z.mul (greatest weights) rise)
         (if listed_weights then wide else 0)
     | _ ->
       need (wide * tall <= listed_most) "truths times responses must not be too many";
       let loss, a, loss_unit = losses told_loss ~wide ~tall ~step ~listed ~halves ~homes ~weight_unit in
       let costs, unit = weighed a weights (Z.mul loss_unit weight_unit) in
       let homes = Array.init (tall - 1) (fun j -> home_of_change costs.(j) costs.(j + 1)) in
       let change j = greatest (Array.mapi (fun f x -> Z.abs (Z.sub costs.(j + 1).(f) x)) costs.(j)) in
       question (OfWord loss) (Table costs) unit homes (greatest (Array.init (tall - 1) change)) (wide * tall))
  | _ -> assert false
