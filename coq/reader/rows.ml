(* A certificate of noise with thresholds: what the theorems ask for, and what the file claims. *)
open Json
open Numbers
open Written

let characters = 1 lsl 27

type proved = { row : Row.t; noise : Noise.t; thresholds : Noise.thresholds; delta : Q.t; objective : Q.t; bound : Q.t }

let noise_of (z : Noise.t) : Checker.noise =
  { period = Z.of_int z.period; first = Z.of_int z.first; size = Noise.size z; whole = z.whole; tail = z.tail;
    cumulative = (fun i -> z.cumulative.(i)) }

(* The most that one shift of the noise gives a set of places beyond a factor. *)
let spent z (factor : Q.t) =
  let most = Checker.spends (noise_of z) factor.Q.num factor.Q.den in
  Q.make most (Z.mul factor.Q.den (Z.mul z.whole z.whole))

let check content v =
  need (String.length content <= characters) "the file must not be too long";
  match in_order v ["format"; "version"; "question"; "mechanism"; "delta"; "objective"; "bound"; "gap"; "proof"; "reported"] with
  | [_; _; question; mechanism; delta; objective; bound; gap; proof; reported] ->
    check_bytes content v;
    need (reported = Object []) "nothing is reported of noise and thresholds";
    let delta = ratio delta and objective = ratio objective and bound = ratio bound and gap = ratio gap in
    let noise, thresholds = match in_order mechanism ["noise"; "thresholds"] with [n; t] -> n, t | _ -> assert false in
    let prices = List.hd (in_order proof ["prices"]) in
    let row = Row.read question in
    if row.as_a_noise then raise (Not_covered "privacy as a noise has it");
    let z = Noise.read noise (List.length row.guarantees) in
    let t = Noise.thresholds thresholds z row in
    Noise.check_spent_work z row;
    need (Q.equal gap (Q.sub objective bound) && Q.sign gap >= 0) "the gap must be the objective less the bound";
    let known = List.map Certificate.factors row.guarantees in
    let privacies = List.map2 (fun g (eps, _) -> Certificate.privacy g eps) row.guarantees known and factors = List.map snd known in
    need (Q.equal delta (spent z (List.hd row.guarantees).lower)) "delta must be what one shift of the noise spends";
    if t.all_tails then begin
      let walk = Tails.start row z t in
      let by_prices = if prices = Null then None else Some (Tails.read_prices walk prices) in
      Tails.spend walk (Tails.work_of_a_truth * row.wide);
      need (Row_tails.check walk (List.hd privacies) (List.hd factors) (noise_of z) by_prices objective bound)
        "the objective must be no less than the loss of noise and thresholds, the bound no more than is proved"
    end else begin
      need (prices = Null) "prices must stand beside noise that is all tails";
      match Row_tasks.check z row t privacies factors (noise_of z) objective with
      | Some proved -> need (Q.equal bound proved) "the bound must be what the lines of the privacy prove"
      | None -> refuse "noise and thresholds must be a mechanism of the question with this objective"
    end;
    { row; noise = z; thresholds = t; delta; objective; bound }
  | _ -> assert false
