(* The words of a query: truths, responses and neighbours, and what its kind says of them. *)
open Json
open Numbers

let pair_work = 1 lsl 14
let too_much = "there must not be too much to compute"

type parameters = Range of Checker.range_word | Vectors of int list * int list list | Unnumbered
type t = {
  kind : string;
  parameters : parameters;
  scope : string;
  name : string;
  truths : Q.t array;
  ends : (Q.t * Q.t) array;
  responses : Q.t array;
  points : Z.t array; (* truths and responses over [unit] *)
  unit : Z.t;
  home : int array; (* the response that holds each truth; the number of responses where none does *)
  rises : int -> int;
  falls : int -> int;
  reach : int;
  neighbours : (int * int * int) array; (* f, g, and how many epsilon lie between them *)
  weights : (int * int, int) Hashtbl.t; (* of pairs that are listed *)
  weighted : bool;
  mutual : bool;
  labels : string list }

let wide q = Array.length q.truths
let tall q = Array.length q.responses
(* Truths and responses over the unit. *)
let truth q f = q.points.(f)
let response q r = q.points.(wide q + r)
(* The number of epsilon between two truths, 0 if they are no neighbours. *)
let weight q f g =
  if q.reach > 0 then (if f <> g && abs (f - g) <= q.reach then 1 else 0)
  else Option.value ~default:0 (Hashtbl.find_opt q.weights (f, g))

let has_homes q = Array.for_all (fun r -> r < tall q) q.home

(* ---- neighbours *)
let neighbours size reach pairs weights most_work =
  let reach = small reach in
  let listed = List.map (fun p -> match place p [size; size] with [f; g] -> f, g | _ -> assert false) (items pairs) in
  let times = List.map small (items weights) in
  need (0 <= reach && reach < size) "a reach must be below the number of truths";
  need (size * reach <= 5_000_000) "a reach must not make too many pairs";
  need ((reach <> 0) <> (listed <> [])) "neighbours must be all within a reach, or pairs";
  need (List.for_all (fun (f, g) -> f <> g) listed) "neighbours must be two truths";
  need (rising ( < ) listed) "pairs must be sorted, each once";
  let n = List.length listed in
  need (times = [] || List.length times = n) "each pair must have a weight, or none";
  need (List.for_all (fun w -> w > 0) times) "weights must be 1 or more";
  need (times = [] || List.exists (fun w -> w > 1) times) "weights must not be 1 throughout";
  let far = List.fold_left (fun far (f, g) -> max far (abs (f - g))) 0 listed in
  need (listed = [] || times <> [] || n <> far * ((2 * size) - far - 1)) "all pairs within a reach must be written as a reach";
  let number = if reach > 0 then reach * ((2 * size) - reach - 1) else n in
  need (Z.leq (Z.of_int (number * pair_work)) most_work) too_much;
  let all =
    if reach > 0 then Array.of_list (List.map (fun ((f, g), w) -> f, g, w) (Checker.within_reach size reach))
    else Array.of_list (if times = [] then List.map (fun (f, g) -> f, g, 1) listed
                        else List.rev (List.rev_map2 (fun (f, g) w -> f, g, w) listed times)) in
  let known = Hashtbl.create (2 * n) in
  if reach = 0 then Array.iter (fun (f, g, w) -> Hashtbl.add known (f, g) w) all;
  let mutual = reach > 0 || Array.for_all (fun (f, g, w) -> Hashtbl.find_opt known (g, f) = Some w) all in
  reach, all, known, times <> [], mutual

(* ---- truths and responses *)
let answers truths responses =
  let truths = Array.of_list (List.map point (items truths)) in
  let points = Array.map (fun t -> t, t) truths in
  let ends = if responses = Null then points else begin
    let ends = Array.of_list (List.map (fun p -> match items p with
      | [a; b] -> point a, point b | _ -> refuse "a response must have two ends") (items responses)) in
    let same (a, b) (c, d) = Q.equal a c && Q.equal b d in
    let are_points = Array.length ends = Array.length points && Array.for_all2 same ends points in
    need (not are_points) "responses that are the truths must be null";
    ends end in
  need (truths <> [||] && ends <> [||]) "there must be truths and responses";
  need (max (Array.length truths) (Array.length ends) <= 20_000) "there must be at most 20000 truths, and responses";
  need (Array.for_all (fun (a, b) -> Q.leq a b) ends) "a response must have two ends";
  need (rising (fun (_, b) (a, _) -> Q.leq b a) (Array.to_list ends)) "responses must not overlap";
  let middles = Array.map (fun (a, b) -> Q.div (Q.add a b) (Q.of_int 2)) ends in
  need (rising Q.lt (Array.to_list truths) && rising Q.lt (Array.to_list middles)) "truths and responses must increase";
  truths, ends, middles

(* Truths, and lower and upper ends of responses, over one unit: homes and rows rest on their order alone. *)
let over_ends truths ends =
  let lows = List.map fst ends and highs = List.map snd ends in
  let unit = try common (truths @ lows @ highs) with Refused _ -> raise (Not_covered "ends of so long a common denominator") in
  let all l = Array.get (Array.of_list (List.map (over unit) l)) in
  all truths, all lows, all highs
let homes truths ends =
  let at, low, high = over_ends (Array.to_list truths) (Array.to_list ends) in
  Array.init (Array.length truths) (Checker.home_at (Array.length ends) low high at)

(* ---- kinds *)
(* The last coordinate is the fastest. *)
let difference moduli = Checker.difference (List.rev moduli)
let vector moduli f = List.rev (Checker.coordinates (List.rev moduli) f)
let rec product most = function [] -> 1 | m :: rest -> let p = product most rest in if m > most || p > most / max m 1 then most + 1 else m * p

let check_kind q parameters =
  let size = wide q in
  let wrong = "the numbers must be those of the kind " ^ q.kind in
  let listed = List.mem q.kind ["categories"; "graph"; "custom"] in
  need (q.labels = [] || listed || q.kind = "vector") "this kind has no labels";
  need (not q.weighted || listed) "this kind has no weights";
  let near () = List.map (fun (f, g, w) -> (f, g), w) (Array.to_list q.neighbours) in
  let counts_up () = Array.for_all Fun.id (Array.mapi (fun i t -> Q.equal t (Q.of_int i)) q.truths) in
  let range word =
    need (Checker.is_range word size q.unit (truth q) q.reach) wrong;
    Range word in
  let vectors moduli distances =
    let moduli = List.map small moduli in
    need (moduli <> [] && List.for_all (fun m -> m >= 2) moduli && product size moduli = size) wrong;
    let steps = List.map (fun d -> place d moduli) distances in
    let number = Array.length q.neighbours in
    need (steps <> [] && size * List.length steps <= number && List.for_all (List.exists (fun x -> x <> 0)) steps) wrong;
    need (rising ( < ) steps) wrong;
    let fast = List.rev moduli in
    let distances = Array.init size (Checker.is_listed fast (List.map List.rev steps)) in
    let either = Array.init size (Checker.either fast (Array.get distances) q.mutual) in
    need (counts_up () && Checker.are_vectors size fast (Array.get either) (near ())) wrong;
    let named = List.init size (fun f -> "(" ^ String.concat "," (List.map string_of_int (vector moduli f)) ^ ")") in
    need (q.kind = "residues" || q.labels = named) wrong;
    Vectors (moduli, steps) in
  match q.kind, fields parameters (match q.kind with
    | "count" -> ["smallest"; "largest"; "records_per_person"]
    | "mean" -> ["records"; "smallest"; "largest"; "records_per_person"]
    | "total" -> ["records"; "smallest"; "largest"; "records_per_person"; "adjacency"]
    | "extremum" -> ["smallest"; "largest"]
    | "residues" -> ["modulus"; "distances"]
    | "vector" -> ["moduli"; "distances"]
    | "categories" | "graph" | "custom" -> []
    | _ -> refuse "a kind must be one of count, mean, total, extremum, residues, vector, categories, graph, custom") with
  | "count", [low; high; group] -> range (Count (integer low, integer high, integer group))
  | "mean", [records; low; high; group] -> range (Mean (integer records, integer low, integer high, integer group))
  | "total", [records; low; high; group; adjacency] ->
    let adjacency : Checker.adjacency = match text adjacency with "change" -> Change | "add-remove" -> AddRemove | _ -> refuse wrong in
    range (Total (integer records, integer low, integer high, integer group, adjacency))
  | "extremum", [low; high] -> range (Extremum (integer low, integer high))
  | "residues", [modulus; distances] -> vectors [modulus] (List.map (fun d -> List [d]) (items distances))
  | "vector", [moduli; distances] -> vectors (items moduli) (items distances)
  | "categories", _ ->
    need (q.labels <> [] && counts_up () && q.mutual && Checker.are_all_pairs size (near ())) wrong;
    Unnumbered
  | ("graph" | "custom"), _ -> Unnumbered
  | _ -> assert false

(* Labels are printed. No control, space or format character of Unicode may stand in one but the space itself. *)
let code_points s =
  let points = ref [] in
  String.iter (fun c ->
    let c = Char.code c in
    if c < 0x80 then points := c :: !points
    else if c >= 0xc0 then points := (c land (if c >= 0xf0 then 7 else if c >= 0xe0 then 15 else 31)) :: !points
    else match !points with p :: rest -> points := ((p lsl 6) lor (c land 63)) :: rest | [] -> ()) s;
  !points
let unseen = [ 0, 0x1f; 0x7f, 0xa0; 0xad, 0xad; 0x600, 0x605; 0x61c, 0x61c; 0x6dd, 0x6dd; 0x70f, 0x70f; 0x1680, 0x1680;
  0x180e, 0x180e; 0x2000, 0x200f; 0x2028, 0x202f; 0x205f, 0x206f; 0x3000, 0x3000; 0xe000, 0xf8ff; 0xfeff, 0xfeff;
  0xfff0, 0xfffb; 0xfffe, 0xffff; 0xe0000, 0x10ffff ]
let is_visible p = not (List.exists (fun (a, b) -> a <= p && p <= b) unseen)

let read v most_work =
  match fields v ["kind"; "parameters"; "scope"; "name"; "truths"; "responses"; "reach"; "pairs"; "weights"; "labels"] with
  | [kind; parameters; scope; name; truths; responses; reach; pairs; weights; labels] ->
    let kind = text kind and scope = text scope and name = text name and labels = List.map text (items labels) in
    let truths, ends, middles = answers truths responses in
    let all = Array.to_list truths @ Array.to_list middles in
    let unit = common all in
    let size = Array.length truths in
    let reach, near, known, weighted, mutual = neighbours size reach pairs weights most_work in
    let plain label = label <> "" && List.for_all is_visible (code_points label) in
    let alone = labels = [] || (responses = Null && List.length labels = size && List.length (List.sort_uniq compare labels) = size) in
    need (List.for_all plain labels && alone) "labels must be different lines, one for each truth, which is the response";
    need (scope = "every table" || (scope = "given table" && kind = "custom")) "only a custom query is of a given table";
    need (name = "" || kind = "custom" || kind = "graph") "only a custom query or a graph has a name";
    let at, low, high = over_ends (Array.to_list truths) (Array.to_list ends) in
    let home = homes truths ends in
    let q = { kind; parameters = Unnumbered; scope; name; truths; ends; responses = middles;
              points = Array.of_list (List.map (over unit) all); unit; home;
              rises = Checker.rise_of (Array.length ends) size high at (Array.get home); falls = Checker.fall_of size low at;
              reach; neighbours = near; weights = known; weighted; mutual; labels } in
    { q with parameters = check_kind q parameters }
  | _ -> assert false
