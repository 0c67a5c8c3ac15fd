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
  first : Q.t;
  step : Q.t option; (* of truths that are counted out, which are the responses *)
  listed : Q.t array; (* of others *)
  halves : Q.t array; (* their responses *)
  wide : int;
  tall : int;
  zero : bool; (* zero stays zero *)
  guarantees : guarantee list;
  as_a_noise : bool; (* privacy as a noise has it, which is not read *)
  costs : costs;
  unit : Z.t;
  homes : int array; (* k_j: no change c_f(j) of the costs from response j to the next is negative before, none positive after *)
  largest : Z.t; (* of these changes *)
  written : int } (* numbers that are written out *)

let in_a_matrix = 2_000 and matrix_bits = 1 lsl 30
let counted_most = 1_000_001

let plain = "[{\"kind\": \"free\", \"half_width\": 0, \"accuracy\": \"0\", \"moduli\": []}, [], [], [], 1, [], [], [], \
             \"loss\", null, false]"
let parameters = [
  "count", ["smallest"; "largest"; "records_per_person"];
  "mean", ["records"; "smallest"; "largest"; "records_per_person"];
  "total", ["records"; "smallest"; "largest"; "records_per_person"; "adjacency"];
  "extremum", ["smallest"; "largest"]; "residues", ["modulus"; "distances"]; "graph", []; "custom", []]

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
  listed, halves, Query.homes listed ends

(* Truths that the kind makes are low, low + 1, … over a divisor; one person moves them by a reach of one. *)
let check_kind kind told scope name ~wide ~first ~step ~listed =
  let wrong = "the numbers must be those of the kind " ^ kind in
  let names = match List.assoc_opt kind parameters with
    | Some names -> names | None -> refuse ("a kind must be one of " ^ String.concat ", " (List.map fst parameters)) in
  let values = in_order told names in
  let custom = kind = "custom" in
  need (scope = "every table" || (scope = "given table" && custom)) "only a custom query is of a given table";
  need (name = "" || custom || kind = "graph") "only a custom query or a graph has a name";
  let is_from low divisor = match step with
    | Some step -> Q.equal first (Q.make low divisor) && Q.equal step (Q.make Z.one divisor)
    | None -> Array.for_all Fun.id (Array.mapi (fun f t -> Q.equal t (Q.make (Z.add low (Z.of_int f)) divisor)) listed) in
  if kind = "residues" then begin
    let modulus, distances = match values with [m; d] -> integer m, List.map integer (items d) | _ -> assert false in
    need (Z.equal modulus (Z.of_int 2) && List.length distances = 1 && Z.equal (List.hd distances) Z.one) wrong;
    need (wide = 2 && is_from Z.zero Z.one) wrong
  end else if names <> [] then begin
    let ( * ) = Z.mul and told = List.combine names values in
    let get name = match List.assoc_opt name told with Some v -> integer v | None -> Z.one in
    let low = get "smallest" and high = get "largest" and records = get "records" and group = get "records_per_person" in
    need (Z.lt low high && Z.geq records Z.one && Z.geq group Z.one) wrong;
    need ((kind <> "count" || Z.sign low >= 0) && (not (List.mem kind ["mean"; "total"]) || Z.leq group records)) wrong;
    let from, last, reach = records * low, records * high, group * Z.sub high low in
    let from, last, reach = match List.assoc_opt "adjacency" told with
      | Some (Text "add-remove") -> Z.min Z.zero from, Z.max Z.zero last, group * Z.max (Z.abs low) (Z.abs high)
      | Some (Text "change") | None -> from, last, reach
      | _ -> refuse wrong in
    let reach = match kind with "count" -> group | "extremum" -> Z.of_int wide | _ -> reach in
    need (Z.equal (Z.sub last from) (Z.of_int (wide - 1)) && Z.equal (Z.min reach (Z.of_int (wide - 1))) Z.one) wrong;
    need (is_from from (if kind = "mean" then records else Z.one)) wrong
  end

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
    let first, step, wide, listed, halves, homes, tall = match truths with
      | Object _ ->
        let first, step, wide = count_out kind truths in
        need (responses = Null) "truths that are counted out are the responses";
        first, Some step, wide, [||], [||], [||], wide
      | _ ->
        let listed, halves, homes = list_truths truths responses in
        listed.(0), None, Array.length listed, listed, halves, homes, Array.length halves in
    let begins = if step = None then halves.(0) else first in
    need (not zero || (Q.sign first = 0 && Q.sign begins = 0)) "zero stays zero only where truths and responses begin with 0";
    check_kind kind told scope name ~wide ~first ~step ~listed;
    let asked = items privacy in
    need (asked <> []) "there must be a privacy";
    need (List.length asked <= 21) "there must be at most 20 further privacies";
    let guarantees = List.map guarantee asked in
    let as_a_noise = List.mem None guarantees in
    need (not as_a_noise || List.length asked = 1) "the privacy of a noise must stand alone";
    need (told_weights <> Null) "weights must be sum, uniform, or a list";
    let ones = Array.make wide Z.one in
    let weights, weight_unit, listed_weights = match weights_of wide told_weights with
      | Once -> ones, Z.one, false
      | Evenly unit -> ones, unit, false
      | Weighed (weight, unit) -> Array.init wide weight, unit, true in
    let question costs unit homes largest written =
      { kind; first; step; listed; halves; wide; tall; zero; guarantees = List.filter_map Fun.id guarantees; as_a_noise;
        costs; unit; homes; largest; written } in
    (match step, told_loss with
     | Some step, (Null | Bool _ | Int _ | Text _ | List _) ->
       let at, loss_unit = distances told_loss step wide in
       let unit = Z.mul loss_unit weight_unit in
       need (Z.numbits unit <= scale_bits) "numbers must have a denominator that is not too long";
       let rise = greatest (Array.init wide (fun d -> Z.sub at.(d + 1) at.(d))) in
       let even = Array.for_all (Z.equal weights.(0)) weights in
       question (By_distance { weights; at; even }) unit (Array.init (wide - 1) succ) (Z.mul (greatest weights) rise)
         (if listed_weights then wide else 0)
     | _ ->
       need (wide * tall <= listed_most) "truths times responses must not be too many";
       let a, loss_unit = losses told_loss ~wide ~tall ~step ~listed ~halves ~homes ~weight_unit in
       let costs, unit = weighed a weights (Z.mul loss_unit weight_unit) in
       let homes = Array.init (tall - 1) (fun j -> home_of_change costs.(j) costs.(j + 1)) in
       let change j = greatest (Array.mapi (fun f x -> Z.abs (Z.sub costs.(j + 1).(f) x)) costs.(j)) in
       question (Table costs) unit homes (greatest (Array.init (tall - 1) change)) (wide * tall))
  | _ -> assert false
