(* The bound of noise with thresholds as the tasks of Chain.v: sequences of lines, held in slots, and steps that use them. *)
open Noise

(* Sequences for a place, as long as the steps need that use them while a slot holds them. *)
type held = { at : int; slot : int; mutable before : int; mutable behind : int; mutable ready : bool }

(* Those of the last places that were asked for are held. *)
let hold most =
  let recent = ref [] and count = ref 0 in
  fun at ~before ~behind ->
    let found, others = List.partition (fun h -> h.at = at) !recent in
    let h, others = match found with
      | h :: _ -> h, others
      | [] when !count < most ->
        incr count;
        { at; slot = !count - 1; before = 0; behind = 0; ready = false }, others
      | [] ->
        let oldest = List.nth others (most - 1) in
        { at; slot = oldest.slot; before = 0; behind = 0; ready = false }, List.filter (fun h -> h != oldest) others in
    recent := h :: others;
    h.before <- max h.before before;
    h.behind <- max h.behind behind;
    h

let tasks z (q : Row.t) t lines : Checker.task list =
  let chosen = Hints.chosen z lines t.one_bits and none = Array.length lines in
  let number k = if k < 0 then none else k in
  let up place = number (chosen place).Hints.up and across place = number (chosen place).Hints.across in
  let hold = hold t.most_held in
  let says s = s.home < q.wide && (s.home > 0 || q.zero) in
  let uses = Json.List.map (fun s ->
    let at = s.place - (z.period * s.home) and before = s.home - s.low and behind = s.high - s.home in
    let left = hold at ~before ~behind in
    s, left, hold (at + 1) ~before ~behind) (List.filter says t.steps) in
  let prepared h done_ =
    if h.ready then done_ else begin
      h.ready <- true;
      Checker.Prepare (h.slot, {
        up = (fun d -> up (h.at + (z.period * d))); across = (fun d -> across (h.at - (z.period * (d - 1))));
        up_to = h.before; across_to = max 0 (h.behind - 1) }) :: done_
    end in
  let add done_ (s, left, right) =
    let sure = q.zero && s.low = 0 && s.place <= z.last in
    let certain = if sure then Some (fun f -> across (s.place - (z.period * f))) else None in
    Checker.Step { at_step = s.j; alike = s.same; before = s.home - s.low; behind = s.high - s.home;
                   for_place = left.slot; for_next = right.slot; certain } :: prepared right (prepared left done_) in
  List.rev (List.fold_left add [] uses)

(* The check of both halves, and the bound that it proves. *)
let check z (q : Row.t) t privacies factors noise (claim : Q.t) =
  let one = Z.shift_left Z.one t.one_bits in
  let tasks = tasks z q t (Hints.lines t.one_bits q.guarantees) in
  let floor = Z.neg (Z.shift_left one z.bits) and threshold j = Z.of_int t.places.(j) in
  Option.map (fun sum -> Q.make sum (Z.mul q.unit one))
    (Checker.check_row q.tall q.wide privacies q.zero (Row.losses_of q) q.unit factors noise threshold
       (claim.Q.num, claim.Q.den) one floor tasks)
