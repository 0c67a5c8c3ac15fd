(* Numbers as text. Each has one spelling. *)
open Json

let is_whole s =
  let n = String.length s in
  let from = if n > 0 && s.[0] = '-' then 1 else 0 in
  s = "0" || (n > from && s.[from] <> '0' && (let ok = ref true in
    for i = from to n - 1 do if s.[i] < '0' || s.[i] > '9' then ok := false done; !ok))
let whole_text s =
  need (is_whole s) "a whole number must be text such as 12";
  need (String.length s <= digits) "a number must not have too many digits";
  Z.of_string s
let whole v = whole_text (text v)

let ratio_text s = match String.index_opt s '/' with
  | None -> Q.of_bigint (whole_text s)
  | Some i ->
    let top = whole_text (String.sub s 0 i) and bottom = whole_text (String.sub s (i + 1) (String.length s - i - 1)) in
    need (Z.gt bottom Z.one && Z.equal (Z.gcd top bottom) Z.one) "a ratio must be in lowest terms, such as 3/4";
    Q.make top bottom
let ratio v = ratio_text (text v)

(* Whether it is no whole number, and has finitely many digits. *)
let has_decimals (v : Q.t) =
  let bottom = v.Q.den in
  Z.gt bottom Z.one && Z.sign (Z.powm (Z.of_int 10) (Z.of_int (Z.numbits bottom)) bottom) = 0

let number_text s = match String.index_opt s '.' with
  | None ->
    let v = ratio_text s in
    need (not (has_decimals v)) "a number must be a decimal where there is one, such as 0.5";
    v
  | Some i ->
    let long = String.length s - i - 1 in
    let before = String.sub s 0 i and behind = String.sub s (i + 1) long in
    let sound = (is_whole before || before = "-0") && long > 0 && behind.[long - 1] <> '0'
      && String.for_all (fun c -> c >= '0' && c <= '9') behind in
    need sound "a decimal must be as short as can be, such as 0.5";
    need (String.length s <= digits) "a number must not have too many digits";
    Q.make (Z.of_string (before ^ behind)) (Z.pow (Z.of_int 10) long)
let number v = number_text (text v)

(* Numbers written as runs such as 5 0*3, at most so many: how many they are, and each with how often it stands there. *)
let written_runs v most =
  let s = text v in
  let n = String.length s in
  let read run =
    let value, times = match String.index_opt run '*' with
      | None -> run, 1
      | Some i ->
        let t = String.sub run (i + 1) (String.length run - i - 1) in
        need (is_whole t && t.[0] <> '-' && t <> "0" && t <> "1" && String.length t <= 8) "a run must be number*count";
        String.sub run 0 i, int_of_string t in
    whole_text value, times in
  let rec go from filled done_ =
    let stop = Option.value ~default:n (String.index_from_opt s from ' ') in
    let value, times = read (String.sub s from (stop - from)) in
    need (match done_ with (last, _) :: _ -> not (Z.equal last value) | [] -> true) "equal numbers in a row must be one run";
    need (times <= most - filled) (Printf.sprintf "there must be at most %d numbers" most);
    let filled = filled + times and done_ = (value, times) :: done_ in
    if stop = n then filled, List.rev done_ else go (stop + 1) filled done_ in
  go 0 0 []

let runs_within v most =
  let number, told = written_runs v most in
  let out = Array.make number Z.zero and at = ref 0 in
  List.iter (fun (x, times) -> Array.fill out !at times x; at := !at + times) told;
  out

(* So many, neither more nor less. *)
let runs v size =
  let all = if size = 0 && text v = "" then [||] else runs_within v size in
  need (Array.length all = size) "there must be a number for each";
  all

let largest = Z.pow (Z.of_int 10) 300
let point v =
  let x = number v in
  need (Q.lt (Q.abs x) (Q.of_bigint largest)) "truths and responses must be numbers below 10^300";
  x

(* The shortest decimal that a double reads back from. *)
let double v =
  let x = number v in
  need (Q.sign x >= 0) "a cost must be 0 or more";
  need (Q.lt x (Q.of_bigint largest)) "a cost must be below 10^300";
  let wrong = "a cost must be the shortest decimal of a double" in
  need (has_decimals x || Z.equal x.Q.den Z.one) wrong;
  let d = float_of_string (text v) in
  (* The decimal of p digits nearest to d. Beside a power of two doubles lie half as far apart below as above: the next
     decimal may read back where the nearest does not. *)
  let nearest p =
    let t = Printf.sprintf "%.*e" (p - 1) d in
    let e = String.index t 'e' in
    let power = String.sub t (e + 1) (String.length t - e - 1) in
    let power = int_of_string (if power.[0] = '+' then String.sub power 1 (String.length power - 1) else power) in
    Z.of_string (String.concat "" (String.split_on_char '.' (String.sub t 0 e))), power - (p - 1) in
  let reads_back (m, power) = float_of_string (Printf.sprintf "%se%d" (Z.to_string m) power) = d in
  let rec shortest p =
    let m, power = nearest p in
    match List.find_opt reads_back [m, power; Z.succ m, power] with
    | Some told -> told
    | None -> if p >= 17 then m, power else shortest (p + 1) in
  let m, power = shortest 1 in
  let ten = Z.pow (Z.of_int 10) (abs power) in
  need (Q.equal x (if power >= 0 then Q.of_bigint (Z.mul m ten) else Q.make m ten)) wrong;
  x

let lcm_of l = List.fold_left Z.lcm Z.one l
let scale_bits = 27_000
let common (values : Q.t list) =
  let unit = List.fold_left (fun u (v : Q.t) ->
    let u = if Z.divisible u v.Q.den then u else Z.lcm u v.Q.den in
    need (Z.numbits u <= scale_bits) "numbers must have a common denominator that is not too long"; u) Z.one values in
  unit
let over unit (v : Q.t) = Z.mul v.Q.num (Z.divexact unit v.Q.den)
let bits_of (v : Q.t) = max (Z.numbits v.Q.num) (Z.numbits v.Q.den)
let rec rising less = function a :: (b :: _ as rest) -> less a b && rising less rest | _ -> true
(* A ratio, and where it is long a decimal of six digits besides. *)
let with_digits v =
  let t = Q.to_string v in
  let d = Q.to_float v in
  if String.length t <= 20 || classify_float d <> FP_normal then t else Printf.sprintf "%s, about %.6g" t d
(* A decimal where there is one, as short as can be, else a ratio. *)
let spelled (v : Q.t) =
  if not (has_decimals v) then Q.to_string v else begin
    let rec places k power = if Z.divisible power v.Q.den then k, power else places (k + 1) (Z.mul power (Z.of_int 10)) in
    let k, power = places 0 Z.one in
    let digits = Z.to_string (Z.mul (Z.abs v.Q.num) (Z.divexact power v.Q.den)) in
    let digits = String.make (max 0 (k + 1 - String.length digits)) '0' ^ digits in
    let whole = String.length digits - k in
    (if Q.sign v < 0 then "-" else "") ^ String.sub digits 0 whole ^ "." ^ String.sub digits whole k
  end
