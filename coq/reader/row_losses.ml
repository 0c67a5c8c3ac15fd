(* Losses of a question on truths in a row: as the words of RowClaims.v, and as integers over a unit. *)
open Json
open Numbers
open Written

let listed_most = 4_000_000 and repeated_most = 20_000_000

(* Read each text once: some stand in a list a hundred thousand times. *)
let once read =
  let known = Hashtbl.create 64 in
  fun v ->
    let s = text v in
    match Hashtbl.find_opt known s with Some x -> x | None -> let x = read v in Hashtbl.add known s x; x

let is_beyond t = String.length t >= 7 && String.sub t 0 7 = "beyond "
let beyond t =
  let limit = number_text (String.sub t 7 (String.length t - 7)) in
  need (Q.sign limit >= 0) "a loss must be beyond 0 or more";
  limit

(* The word, the loss at each distance, from 0 to as many positions as there are truths, and its unit. *)
let distances told step wide =
  let linear word (top : Q.t) of_distance =
    Checker.OfWord word, Array.init (wide + 1) (fun d -> Z.mul top.Q.num (Z.of_int (of_distance d))), top.Q.den in
  let word, at, unit = match told with
    | List l ->
      let k = List.length l in
      need (1 <= k && k <= wide) "a listed loss must have one entry for a distance, or more";
      need (k * wide <= repeated_most) "a listed loss must not be too long";
      let l = List.map (once double) l in
      let unit = common l in
      let a = Array.of_list (List.map (over unit) l) in
      need (k = 1 || not (Z.equal a.(k - 1) a.(k - 2))) "a listed loss must end where it stays";
      Checker.OfDistance (Array.get a, k, unit), Array.init (wide + 1) (fun d -> a.(min d (k - 1))), unit
    | Text "absolute" -> linear Absolute step Fun.id
    | Text "squared" -> linear Squared (Q.mul step step) (fun d -> d * d)
    | Text t when t = "zero-one" || is_beyond t ->
      let limit = if t = "zero-one" then Q.zero else beyond t in
      let quotient = Q.div limit step in
      let within = Z.to_int (Z.min (Z.fdiv quotient.Q.num quotient.Q.den) (Z.of_int wide)) in
      Checker.OfWord (if t = "zero-one" then ZeroOne else Beyond (limit.Q.num, limit.Q.den)),
      Array.init (wide + 1) (fun d -> if d > within && within < wide - 1 then Z.one else Z.zero), Z.one
    | _ -> refuse "a loss must be a known one, or listed" in
  for d = 1 to wide do need (Z.leq at.(d - 1) at.(d)) "the loss must not fall with the distance" done;
  need (Z.lt at.(wide) (Z.mul largest unit)) "losses must be below 10^300";
  word, at, unit

(* The word, the loss of each response at each truth, as listed or by its name, and its unit. *)
let losses told ~wide ~tall ~step ~listed ~halves ~homes ~weight_unit : Checker.loss_word * Z.t array array * Z.t =
  let check_work bits allowed =
    let entries = wide * tall in
    need (entries * ((1 lsl 14) + (64 * bits)) <= (1 lsl 32) + (entries * allowed)) "truths times responses must not be too many" in
  match told with
  | Object _ ->
    let rows = match in_order told ["matrix"] with [v] -> List.map items (items v) | _ -> assert false in
    need (List.length rows = tall && List.for_all (fun row -> List.length row = wide) rows)
      "a loss must have a number for each response and truth";
    let read = once double in
    let values = Array.of_list (List.map (fun row -> Array.of_list (List.map read row)) rows) in
    let unit = common (List.concat_map Array.to_list (Array.to_list values)) in
    check_work (Z.numbits unit + Z.numbits weight_unit) (1 lsl 16);
    let a = Array.map (Array.map (over unit)) values in
    let alike = step <> None && Array.for_all Fun.id (Array.mapi (fun r row ->
      Array.for_all Fun.id (Array.mapi (fun f x -> Z.equal x a.(0).(abs (r - f))) row)) a) in
    need (not alike) "a loss of the distance alone must be a list";
    OfMatrix ((fun r f -> a.(r).(f)), unit), a, unit
  | _ ->
    let unit = common (Array.to_list listed @ Array.to_list halves) in
    let name = text told in
    let bits = match name with "absolute" -> Z.numbits unit | "squared" -> 2 * Z.numbits unit | _ -> 0 in
    check_work (bits + Z.numbits weight_unit) 0;
    let truths = Array.map (over unit) listed and responses = Array.map (over unit) halves in
    let table each = Array.init tall (fun r -> Array.init wide (each r)) in
    let apart r f = Z.abs (Z.sub responses.(r) truths.(f)) and bit b = if b then Z.one else Z.zero in
    match name with
    | "zero-one" -> ZeroOne, table (fun r f -> bit (r <> homes.(f))), Z.one
    | "absolute" -> Absolute, table apart, unit
    | "squared" -> Squared, table (fun r f -> let x = apart r f in Z.mul x x), Z.mul unit unit
    | t when is_beyond t ->
      let limit = beyond t in
      let most = Z.fdiv (Z.mul limit.Q.num unit) limit.Q.den in
      Beyond (limit.Q.num, limit.Q.den), table (fun r f -> bit (Z.gt (apart r f) most)), Z.one
    | _ -> refuse "a loss must be absolute, squared, zero-one, beyond K, or a matrix"

(* Costs over their least common denominator. *)
let weighed a weights unit =
  let costs = Array.map (Array.mapi (fun f x -> Z.mul x weights.(f))) a in
  let divisor = Array.fold_left (Array.fold_left (fun d x -> if Z.divisible x d then d else Z.gcd d x)) unit costs in
  let unit = Z.divexact unit divisor in
  need (Z.numbits unit <= scale_bits) "numbers must have a common denominator that is not too long";
  (if Z.equal divisor Z.one then costs else Array.map (Array.map (fun x -> Z.divexact x divisor)) costs), unit

(* The truths up to the last that the next response costs more; none before it may it cost less. *)
let home_of_change low high =
  let wide = Array.length low in
  let k = ref wide in
  while !k > 0 && Z.leq high.(!k - 1) low.(!k - 1) do decr k done;
  for f = 0 to !k - 1 do
    need (Z.geq high.(f) low.(f)) "of two responses the higher one must not be better for a truth and worse for a higher one" done;
  !k

let greatest = Array.fold_left Z.max Z.zero

