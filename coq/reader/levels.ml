(* Proofs on levels of modular noise as the records of Levels.v and Claims.v. Steps are the distances of neighbours. Every
   rule here is one of docs/certificate.md. *)
open Json
open Numbers
open Requirements

let first_power = Z.shift_left Z.one 192 (* powers of e^-epsilon are whole numbers over it *)
let most_levels = 1_000
let most_cuts = 64 and most_coefficients = 8 and most_points = Checker.most_points
let depth = 300

let parts v = match fields v ["levels"] with
  | [v] ->
    (match fields v ["tops"; "cap"; "leak_cuts"; "mass_cuts"; "tree"] with
     | [tops; cap; leaks; masses; tree] -> tops, cap, leaks, masses, tree
     | _ -> assert false)
  | _ -> assert false

(* ---- work: of each leaf, by the levels and cuts, and of each number of a leaf that is not 0 *)
let work v ~digits ~wide ~steps =
  let tops, _, leaks, masses, tree = parts v in
  let leaves = ref 0 and written = ref Z.zero in
  let times run = match String.index_opt run '*' with
    | None -> 1
    | Some i ->
      let t = String.sub run (i + 1) (min 9 (String.length run - i - 1)) in
      if t <> "" && String.for_all (fun c -> c >= '0' && c <= '9') t then int_of_string t else 1 in
  let rec go = function
    | Object l -> List.iter (fun (_, v) -> go v) l
    | Text s ->
      incr leaves;
      List.iter (fun run ->
        if not (run = "0" || (String.length run > 1 && run.[0] = '0' && run.[1] = '*')) then written := Z.add !written (Z.of_int (times run)))
        (String.split_on_char ' ' s)
    | _ -> () in
  go tree;
  let sum = Array.fold_left Z.add Z.zero (runs tops wide) in
  let counted = Z.add sum (Z.of_int (List.length (items leaks) + List.length (items masses))) in
  let each = Z.add (Z.shift_left Z.one 17) (Z.mul (Z.of_int (512 * (2 + steps))) counted) in
  Z.add (Z.mul (Z.of_int (!leaves + 16)) each) (Z.mul !written (Z.of_int (Question.cost 192 (4 * digits))))

(* ---- cuts *)
let cuts v least last power room : Checker.cut array =
  let points = ref Z.zero in
  need (List.length (items v) <= most_cuts) "there must be at most 64 cuts of a sort";
  Array.of_list (List.map (fun text_of_cut ->
    match List.map whole_text (String.split_on_char ' ' (text text_of_cut)) with
    | first :: (_ :: _ as rest) ->
      let backwards = List.rev rest in
      let cut_limit = List.hd backwards and cs = List.rev (List.tl backwards) in
      let number = List.length cs in
      need (1 <= number && number <= most_coefficients) "a cut must have 1 to 8 coefficients";
      need (Z.geq first (Z.of_int least) && Z.leq first (Z.of_int (last + 1 - number))) "a cut must count levels of the proof";
      need (List.for_all (fun c -> Z.sign c >= 0) rest && Z.sign room >= 0) "a cut must have numbers of 0 or more, and points";
      need (Z.sign (List.hd cs) <> 0 && Z.sign (List.nth cs (number - 1)) <> 0) "a cut must begin and end where it counts";
      let first = Z.to_int first in
      let counted = List.filter (fun (_, c) -> Z.sign c <> 0) (List.mapi (fun i c -> first + i, c) cs) in
      need (Z.sign power.(first + number - 1) > 0) "a level that weighs nothing cannot be counted";
      let whole_counts = List.tl (List.rev_map (fun (l, _) -> Z.succ (Z.fdiv room power.(l))) counted) in
      points := Z.add !points (List.fold_left Z.mul Z.one whole_counts);
      need (Z.leq !points most_points) Query.too_much;
      ({ counted; cut_limit } : Checker.cut)
    | _ -> refuse "a cut must have a first level, coefficients and a limit") (items v))

(* ---- the proof *)
let read (q : Question.t) (x : Checker.factors) v : Checker.level_proof =
  let tops, cap, leaks, masses, tree = parts v in
  let main = List.hd q.guarantees and n = Query.wide q.query and moduli = q.structure.moduli in
  need (q.structure.name = "modular") "only modular noise has levels";
  need (main.definition = "probabilistic" && not q.query.weighted) "levels need probabilistic privacy, unweighted";
  need (not q.loss.worst) "levels need an expected loss";
  let cap = ratio cap in
  need (Q.sign cap > 0) "a cap must be positive";
  let noise = Query.difference moduli in
  let minus = match moduli with [m] -> fun r f -> (r - f + m) mod m | _ -> noise in
  let image = Array.init n (fun p -> noise 0 p) in
  let plus p f = minus p image.(f) in

  let costs = Array.init n (fun p ->
    let sum = ref Z.zero in
    for f = 0 to n - 1 do sum := Z.add !sum (q.loss.costs (plus p f) f) done;
    !sum) in
  let truth = costs.(0) and other = Array.fold_left Z.min costs.(1) (Array.sub costs 1 (n - 1)) in
  need (Z.lt truth other) "the truth must be cheapest";
  let accepted, longest = if not q.sought then Q.zero, cap else match q.loss.most with
    | Some most when Q.lt most (Q.make other q.loss.unit) ->
      let unit = q.loss.unit in
      most, Q.div (Q.make (Z.sub other truth) unit) (Q.sub (Q.make other unit) most)
    | _ -> refuse "delta must be sought at some accuracy" in

  (* last levels, and the least numbers of steps *)
  let tops = runs tops n in
  need (Z.sign tops.(0) = 0 && Array.for_all (fun t -> Z.sign t >= 0) tops) "each value but 0 must have its last level, or 0";
  need (Array.for_all (fun t -> Z.leq t (Z.of_int most_levels)) tops) "the last level must be at most 1000";
  let top = Array.map Z.to_int tops in
  let last = Array.fold_left max 0 top in
  let seen = Array.make n false in
  Array.iter (fun (f, g, _) -> seen.(noise f g) <- true) q.query.neighbours;
  let step = Array.of_list (List.filter (fun p -> seen.(p)) (List.init n Fun.id)) in
  let steps = Array.length step in
  need (Array.for_all (fun p -> top.(p) = 1) step) "the last level of each step must be 1";
  let goes = Array.map (fun mu -> Array.init n (fun p -> plus p mu)) step in
  let comes = Array.map (fun mu -> Array.init n (fun p -> minus p mu)) step in
  let far = Array.make n (-1) in
  far.(0) <- 0;
  let ring = ref [0] in
  for number = 1 to last do
    ring := List.concat_map (fun p -> List.filter_map (fun j ->
      let e = goes.(j).(p) in if far.(e) < 0 then (far.(e) <- number; Some e) else None) (List.init steps Fun.id)) !ring
  done;
  let sound = ref true in
  Array.iteri (fun p t -> if t > 0 && not (far.(p) >= 0 && far.(p) <= t) then sound := false) top;
  need !sound "a last level must be no less than the number of steps to its value";
  let low = Array.mapi (fun p t -> if t > 0 then far.(p) else 0) top in
  let span = Array.init n (fun p -> if seen.(p) then 1 else top.(p) + 1) in

  (* places, each with the position of its multiplier *)
  let places = ref 0 in
  let at = Array.init n (fun p -> Array.init (if top.(p) > 0 then steps else 0) (fun j ->
    let until = min top.(p) (top.(goes.(j).(p)) - 1) in
    let first = !places in
    if until >= low.(p) then places := first + until - low.(p) + 1;
    first - low.(p))) in
  let places = !places in
  let mate = Array.map (fun mu -> let found = ref 0 in Array.iteri (fun i nu -> if nu = image.(mu) then found := i) step; !found) step in
  let mirrored = Array.for_all (fun mu -> seen.(image.(mu))) step && (let same = ref true in
    Array.iteri (fun p t -> if top.(image.(p)) <> t then same := false) top; !same) in

  let power = Array.make (last + 1) first_power in
  for l = 1 to last do power.(l) <- Z.fdiv (Z.mul power.(l - 1) x.f_den) x.f_num done;
  let floor (v : Q.t) = Z.fdiv v.Q.num v.Q.den and over = Q.of_bigint first_power in
  let spends = match main.delta with Some d -> d | None -> cap in
  let room = floor (Q.mul (Q.mul spends longest) over) in
  let leak_cuts = cuts leaks 1 last power room in
  let room = Z.sub (floor (Q.mul (Q.sub longest Q.one) over)) (Z.mul (Z.of_int steps) power.(1)) in
  let mass_cuts = cuts masses 2 last power room in

  let all_leaks = Array.length leak_cuts in
  let size = 1 + steps + places + (steps * all_leaks) + Array.length mass_cuts in
  let leaf v : Checker.cases =
    let ys = runs v size in
    need (Array.for_all (fun y -> Z.sign y >= 0) ys) "there must be a multiplier for each, 0 or more";
    let behind = 1 + steps + places in
    Multiplied { of_mass = ys.(0); of_budget = (fun j -> ys.(1 + j)); of_leak = (fun p j l -> ys.(1 + steps + at.(p).(j) + l));
                 of_leak_cut = (fun k j -> ys.(behind + (k * steps) + j)); of_mass_cut = (fun k -> ys.(behind + (steps * all_leaks) + k)) } in
  let lows = Array.copy low and highs = Array.copy span in
  let with_levels changes below =
    let kept = List.map (fun (p, _, _) -> p, lows.(p), highs.(p)) changes in
    List.iter (fun (p, a, b) -> lows.(p) <- a; highs.(p) <- b) changes;
    let result = below () in
    List.iter (fun (p, a, b) -> lows.(p) <- a; highs.(p) <- b) kept;
    result in
  let rec case v ~mirrored ~under : Checker.cases = match v with
    | Object l ->
      let names = if List.mem_assoc "yes" l then ["yes"; "no"] else ["both"; "neither"; "one"] in
      let p, level, nodes = match fields v ("value" :: "level" :: names) with
        | Int p :: Int level :: nodes -> p, level, nodes
        | _ -> refuse "this must be a JSON integer" in
      need (under < depth) "a tree must be at most 300 splits deep";
      let undecided = "a split must leave two cases" in
      need (Z.sign p >= 0 && Z.lt p (Z.of_int n) && Z.sign level >= 0 && Z.leq level (Z.of_int most_levels)) undecided;
      let p = Z.to_int p and level = Z.to_int level in
      need (top.(p) > 0 && lows.(p) <= level && level < highs.(p)) undecided;
      let other = image.(p) in
      let first = lows.(p) and final = highs.(p) in
      let less p = p, first, level and more p = p, level + 1, final in
      let below changes mirrored v = with_levels changes (fun () -> case v ~mirrored ~under:(under + 1)) in
      (match nodes with
       | [yes; no] ->
         let alike = mirrored && other = p in
         let yes = below [less p] alike yes in
         Decided (p, level, yes, below [more p] alike no)
       | [both; neither; one] ->
         need (mirrored && other <> p) "a split with the mirror image must stand where all is its own";
         let both = below [less p; less other] true both in
         let neither = below [more p; more other] true neither in
         Imaged (p, level, both, neither, below [less p; more other] false one)
       | _ -> assert false)
    | _ -> leaf v in
  let by_cases = case tree ~mirrored ~under:0 in
  let get2 a i j = a.(j).(i) in
  { shape = { values = n; step_count = steps; goes = get2 goes; comes = get2 comes; low_level = Array.get low; top_level = Array.get top;
              whole_power = first_power; power_of = Array.get power;
              leak_cut = Array.get leak_cuts; leak_cuts = all_leaks; mass_cut = Array.get mass_cuts; mass_cuts = Array.length mass_cuts;
              image = Array.get image; mate = Array.get mate };
    last_level = last; response_of = plus; noise_of = minus; step_value = Array.get step; root_level = Array.get span;
    level_cap = (cap.Q.num, cap.Q.den); other_cost = other; accepted_loss = (accepted.Q.num, accepted.Q.den); by_cases }
