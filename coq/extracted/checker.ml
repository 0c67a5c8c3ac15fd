
(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> int **)

let rec length = function
| [] -> 0
| _ :: l' -> Stdlib.Int.succ (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a :: l1 -> a :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val add : int -> int -> int **)

let rec add = (+)

(** val mul : int -> int -> int **)

let rec mul = ( * )

(** val sub : int -> int -> int **)

let rec sub = fun n m -> Stdlib.max 0 (n-m)

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

module Nat =
 struct
  (** val ltb : int -> int -> bool **)

  let ltb n m =
    (<=) (Stdlib.Int.succ n) m
 end

module Pos =
 struct
  (** val succ : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec succ = Big_int_Z.succ_big_int

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec add = Big_int_Z.add_big_int

  (** val add_carry :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  and add_carry x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add_carry p q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.mult_int_big_int 2 (add_carry p q))
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (add p q))
        (fun _ -> Big_int_Z.mult_int_big_int 2 (succ p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        (succ q))
        (fun q -> Big_int_Z.mult_int_big_int 2 (succ q))
        (fun _ ->
        (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
        Big_int_Z.unit_big_int)
        y)
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pred_double x =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (Big_int_Z.mult_int_big_int 2 p))
      (fun p ->
      (fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      (pred_double p))
      (fun _ -> Big_int_Z.unit_big_int)
      x

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec mul = Big_int_Z.mult_big_int

  (** val compare_cont :
      comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let rec compare_cont = (fun c x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then c else if s < 0 then Lt else Gt)

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let rec eqb p q =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q0 -> eqb p0 q0)
        (fun _ -> false)
        (fun _ -> false)
        q)
      (fun p0 ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun q0 -> eqb p0 q0)
        (fun _ -> false)
        q)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> false)
        (fun _ -> false)
        (fun _ -> true)
        q)
      p
 end

module Z =
 struct
  (** val double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p -> (Big_int_Z.mult_int_big_int 2 p))
      (fun p -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2 p))
      x

  (** val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let succ_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.unit_big_int)
      (fun p ->
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
      p))
      (fun p -> Big_int_Z.minus_big_int (Pos.pred_double p))
      x

  (** val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let pred_double x =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.minus_big_int Big_int_Z.unit_big_int)
      (fun p -> (Pos.pred_double p))
      (fun p -> Big_int_Z.minus_big_int
      ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x)) p))
      x

  (** val pos_sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let rec pos_sub x y =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> double (pos_sub p q))
        (fun q -> succ_double (pos_sub p q))
        (fun _ -> (Big_int_Z.mult_int_big_int 2 p))
        y)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> pred_double (pos_sub p q))
        (fun q -> double (pos_sub p q))
        (fun _ -> (Pos.pred_double p))
        y)
      (fun _ ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun q -> Big_int_Z.minus_big_int (Big_int_Z.mult_int_big_int 2
        q))
        (fun q -> Big_int_Z.minus_big_int (Pos.pred_double q))
        (fun _ -> Big_int_Z.zero_big_int)
        y)
      x

  (** val add :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let add = Big_int_Z.add_big_int

  (** val opp : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let opp = Big_int_Z.minus_big_int

  (** val sub :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let sub = Big_int_Z.sub_big_int

  (** val mul :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let mul = Big_int_Z.mult_big_int

  (** val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison **)

  let compare = (fun x y -> let s = Big_int_Z.compare_big_int x y in
  if s = 0 then Eq else if s < 0 then Lt else Gt)

  (** val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

  let eqb = Big_int_Z.eq_big_int

  (** val max :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let max = Big_int_Z.max_big_int

  (** val min :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let min = Big_int_Z.min_big_int

  (** val pos_div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let rec pos_div_eucl a b =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' =
        add (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r)
          Big_int_Z.unit_big_int
      in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) r in
      if ltb r' b
      then ((mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q), r')
      else ((add
              (mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) q)
              Big_int_Z.unit_big_int), (sub r' b)))
      (fun _ ->
      if leb (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) b
      then (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int)
      else (Big_int_Z.unit_big_int, Big_int_Z.zero_big_int))
      a

  (** val div_eucl :
      Big_int_Z.big_int -> Big_int_Z.big_int ->
      Big_int_Z.big_int * Big_int_Z.big_int **)

  let div_eucl = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> (zero_big_int, x)
  | 1 -> quomod_big_int x y
  | _ -> let (q, r) = quomod_big_int (add_int_big_int (-1) x) y in
          (add_int_big_int (-1) q, add_big_int (add_int_big_int 1 y) r))

  (** val div :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> zero_big_int
  | 1 -> div_big_int x y
  | _ -> add_int_big_int (-1) (div_big_int (add_int_big_int (-1) x) y))
 end

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a :: t -> (f a) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a :: l0 -> (||) (f a) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a :: l0 -> (&&) (f a) (forallb f l0)

(** val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list **)

let rec filter f = function
| [] -> []
| x :: l0 -> if f x then x :: (filter f l0) else filter f l0

(** val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec combine l l' =
  match l with
  | [] -> []
  | x :: tl ->
    (match l' with
     | [] -> []
     | y :: tl' -> (x, y) :: (combine tl tl'))

(** val seq : int -> int -> int list **)

let rec seq start1 len =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun len0 -> start1 :: (seq (Stdlib.Int.succ start1) len0))
    len

type epsilon =
| Ratio of Big_int_Z.big_int * Big_int_Z.big_int
| Log of Big_int_Z.big_int * Big_int_Z.big_int

type definition =
| OfSets
| OfOutcomes
| OfMass

type privacy = { kind : definition; eps : epsilon;
                 delta : (Big_int_Z.big_int * Big_int_Z.big_int) option }

type term = (int * int) * Big_int_Z.big_int

type rule = { terms : term list; equation : bool; right : Big_int_Z.big_int }

type objective =
| TotalLoss
| WorstLoss
| LeastDelta

type question = { responses : int; truths : int;
                  neighbours : ((int * int) * int) list;
                  privacies : privacy list;
                  name : (int -> int -> Big_int_Z.big_int);
                  limits : (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int)
                           list; limit_unit : Big_int_Z.big_int;
                  rules : rule list;
                  cost : (int -> int -> Big_int_Z.big_int);
                  cost_unit : Big_int_Z.big_int; aim : objective }

(** val total : int -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int **)

let rec total n x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> Big_int_Z.zero_big_int)
    (fun k -> Z.add (total k x) (x k))
    n

(** val all : int -> (int -> bool) -> bool **)

let rec all n p =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> true)
    (fun k -> (&&) (p k) (all k p))
    n

(** val any : int -> (int -> bool) -> bool **)

let rec any n p =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> false)
    (fun k -> (||) (p k) (any k p))
    n

(** val power : Big_int_Z.big_int -> int -> Big_int_Z.big_int **)

let rec power x k =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> Big_int_Z.unit_big_int)
    (fun j -> Z.mul x (power x j))
    k

type factors = { e_num : Big_int_Z.big_int; e_den : Big_int_Z.big_int;
                 f_num : Big_int_Z.big_int; f_den : Big_int_Z.big_int;
                 squarings : int; scale : Big_int_Z.big_int }

(** val squared :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec squared k one0 v =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> v)
    (fun j -> squared j one0 (Z.div (Z.mul v v) one0))
    k

(** val start :
    Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let start n d k one0 =
  Z.add one0
    (Z.div (Z.mul n one0)
      (Z.mul d
        (power (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int) k)))

(** val below_exp :
    Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let below_exp n d k one0 =
  squared k one0 (start n d k one0)

(** val encloses : epsilon -> factors -> bool **)

let encloses e x =
  (&&)
    ((&&)
      ((&&)
        ((&&) (Z.leb Big_int_Z.zero_big_int x.e_num)
          (Z.ltb Big_int_Z.zero_big_int x.e_den))
        (Z.ltb Big_int_Z.zero_big_int x.f_num))
      (Z.ltb Big_int_Z.zero_big_int x.f_den))
    (match e with
     | Ratio (n, d) ->
       let one0 = x.scale in
       let k = x.squarings in
       (&&)
         ((&&)
           ((&&)
             ((&&)
               ((&&) (Z.ltb Big_int_Z.zero_big_int d)
                 (Z.ltb Big_int_Z.zero_big_int one0))
               (Z.leb Big_int_Z.zero_big_int (start n d k one0)))
             (Z.leb Big_int_Z.zero_big_int (start (Z.opp n) d k one0)))
           (Z.leb (Z.mul x.e_num one0) (Z.mul x.e_den (below_exp n d k one0))))
         (Z.leb (Z.mul x.f_den one0)
           (Z.mul x.f_num (below_exp (Z.opp n) d k one0)))
     | Log (n, d) ->
       (&&)
         ((&&)
           ((&&) (Z.ltb Big_int_Z.zero_big_int n)
             (Z.ltb Big_int_Z.zero_big_int d))
           (Z.leb (Z.mul x.e_num d) (Z.mul x.e_den n)))
         (Z.leb (Z.mul x.f_den n) (Z.mul x.f_num d)))

type table =
| Empty
| Node of table * Big_int_Z.big_int * table

(** val even : table -> table **)

let even = function
| Empty -> Empty
| Node (a, _, _) -> a

(** val here : table -> Big_int_Z.big_int **)

let here = function
| Empty -> Big_int_Z.zero_big_int
| Node (_, v, _) -> v

(** val odd : table -> table **)

let odd = function
| Empty -> Empty
| Node (_, _, b) -> b

(** val get : Big_int_Z.big_int -> table -> Big_int_Z.big_int **)

let rec get p = function
| Empty -> Big_int_Z.zero_big_int
| Node (a, v, b) ->
  ((fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
     (fun p' -> get p' b)
     (fun p' -> get p' a)
     (fun _ -> v)
     p)

(** val update :
    (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int -> table ->
    table **)

let rec update change p t =
  (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
    (fun p' -> Node ((even t), (here t),
    (update change p' (odd t))))
    (fun p' -> Node ((update change p' (even t)), (here t),
    (odd t)))
    (fun _ -> Node ((even t), (change (here t)), (odd t)))
    p

(** val least_of :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int **)

let least_of unit0 v low cut =
  if Z.leb Big_int_Z.zero_big_int v
  then Z.mul v low
  else Z.mul v (Z.sub unit0 cut)

(** val least :
    Big_int_Z.big_int -> table -> table -> table -> Big_int_Z.big_int **)

let rec least unit0 t low cut =
  match t with
  | Empty -> Big_int_Z.zero_big_int
  | Node (a, v, b) ->
    Z.add
      (Z.add (least_of unit0 v (here low) (here cut))
        (least unit0 a (even low) (even cut)))
      (least unit0 b (odd low) (odd cut))

(** val plus : table -> table -> table **)

let rec plus a b =
  match a with
  | Empty -> b
  | Node (l, v, r) ->
    (match b with
     | Empty -> a
     | Node (l', v', r') -> Node ((plus l l'), (Z.add v v'), (plus r r')))

(** val scaled : Big_int_Z.big_int -> table -> table **)

let rec scaled y = function
| Empty -> Empty
| Node (a, v, b) -> Node ((scaled y a), (Z.mul y v), (scaled y b))

(** val same_table : table -> table -> bool **)

let rec same_table a b =
  match a with
  | Empty -> (match b with
              | Empty -> true
              | Node (_, _, _) -> false)
  | Node (l, v, r) ->
    (match b with
     | Empty -> false
     | Node (l', v', r') ->
       (&&) ((&&) (Z.eqb v v') (same_table l l')) (same_table r r'))

(** val recalled :
    (int -> Big_int_Z.big_int) -> table -> int -> Big_int_Z.big_int **)

let recalled value t w =
  let v = get ((fun n -> Big_int_Z.big_int_of_int (n + 1)) w) t in
  if Z.eqb v Big_int_Z.zero_big_int then value w else v

(** val learn : (int -> Big_int_Z.big_int) -> table -> int -> table **)

let learn value t w =
  let p = (fun n -> Big_int_Z.big_int_of_int (n + 1)) w in
  if Z.eqb (get p t) Big_int_Z.zero_big_int
  then let v = value w in update (fun _ -> v) p t
  else t

(** val learned :
    (int -> Big_int_Z.big_int) -> ('a1 -> int) -> 'a1 list -> table **)

let learned value number l =
  fold_left (fun t e -> learn value t (number e)) l Empty

type matrix = { entry : (int -> int -> Big_int_Z.big_int);
                denominator : Big_int_Z.big_int }

(** val over :
    matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int -> int ->
    Big_int_Z.big_int **)

let over a en ed f g r =
  Z.sub (Z.mul (a.entry r f) ed) (Z.mul (a.entry r g) en)

(** val excess :
    int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int ->
    Big_int_Z.big_int **)

let excess m a en ed f g =
  total m (fun r -> Z.max Big_int_Z.zero_big_int (over a en ed f g r))

(** val mass :
    int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int ->
    Big_int_Z.big_int **)

let mass m a en ed f g =
  total m (fun r ->
    if Z.ltb Big_int_Z.zero_big_int (over a en ed f g r)
    then a.entry r f
    else Big_int_Z.zero_big_int)

(** val pair_kept :
    int -> int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    definition -> (Big_int_Z.big_int * Big_int_Z.big_int) -> int -> int ->
    bool **)

let pair_kept m n a en ed p d f g =
  let (dn, dd) = d in
  (&&) ((&&) (Nat.ltb f n) (Nat.ltb g n))
    (match p with
     | OfSets ->
       Z.leb (Z.mul (excess m a en ed f g) dd)
         (Z.mul (Z.mul dn a.denominator) ed)
     | OfOutcomes ->
       all m (fun r ->
         Z.leb (Z.mul (over a en ed f g r) dd)
           (Z.mul (Z.mul dn a.denominator) ed))
     | OfMass ->
       Z.leb (Z.mul (mass m a en ed f g) dd) (Z.mul dn a.denominator))

(** val extreme :
    (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) -> int ->
    (int -> Big_int_Z.big_int) -> Big_int_Z.big_int **)

let rec extreme pick n x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> x 0)
    (fun k -> pick (x k) (extreme pick k x))
    n

(** val steep :
    int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> bool **)

let steep n a en ed r =
  Z.ltb (Z.mul (extreme Z.min n (a.entry r)) en)
    (Z.mul (extreme Z.max n (a.entry r)) ed)

(** val steep_rows :
    int -> int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int list **)

let steep_rows m n a en ed =
  filter (steep n a en ed) (seq 0 m)

(** val needs :
    matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int list ->
    (int * Big_int_Z.big_int) list **)

let needs a en ed f rows =
  map (fun r -> (r, (Z.opp (Z.div (Z.opp (Z.mul (a.entry r f) ed)) en)))) rows

(** val summed :
    matrix -> int -> (int -> Big_int_Z.big_int) -> (int * Big_int_Z.big_int)
    list -> Big_int_Z.big_int **)

let summed a g x l =
  fold_left (fun s e ->
    if Z.leb (snd e) (a.entry (fst e) g) then s else Z.add s (x (fst e))) l
    Big_int_Z.zero_big_int

(** val kept_on :
    matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> definition ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> int -> int ->
    (int * Big_int_Z.big_int) list -> bool **)

let kept_on a en ed p d f g l =
  let (dn, dd) = d in
  (match p with
   | OfSets ->
     Z.leb
       (Z.mul
         (summed a g (fun r ->
           Z.max Big_int_Z.zero_big_int (over a en ed f g r)) l) dd)
       (Z.mul (Z.mul dn a.denominator) ed)
   | OfOutcomes ->
     forallb (fun e ->
       (||) (Z.leb (snd e) (a.entry (fst e) g))
         (Z.leb (Z.mul (over a en ed f g (fst e)) dd)
           (Z.mul (Z.mul dn a.denominator) ed))) l
   | OfMass ->
     Z.leb
       (Z.mul
         (summed a g (fun r ->
           if Z.ltb Big_int_Z.zero_big_int (over a en ed f g r)
           then a.entry r f
           else Big_int_Z.zero_big_int) l) dd) (Z.mul dn a.denominator))

(** val all_kept :
    int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> definition ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> int list -> int ->
    (int * Big_int_Z.big_int) list -> ((int * int) * int) list -> bool **)

let rec all_kept n a en ed p d rows last l = function
| [] -> true
| p0 :: rest ->
  let (p1, _) = p0 in
  let (f, g) = p1 in
  let l' = if (=) f last then l else needs a en ed f rows in
  (&&) ((&&) ((&&) (Nat.ltb f n) (Nat.ltb g n)) (kept_on a en ed p d f g l'))
    (all_kept n a en ed p d rows f l' rest)

(** val alike : ((int * int) * int) list -> bool **)

let alike pairs =
  forallb (fun e -> (=) (snd e) (Stdlib.Int.succ 0)) pairs

(** val pairs_kept :
    int -> int -> matrix -> factors -> definition ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> ((int * int) * int) list ->
    bool **)

let pairs_kept m n a x p d pairs =
  if (&&)
       ((&&)
         ((&&) ((&&) (alike pairs) (Z.ltb Big_int_Z.zero_big_int x.e_num))
           (Z.ltb Big_int_Z.zero_big_int x.e_den))
         (Z.leb Big_int_Z.zero_big_int (fst d)))
       (Z.leb Big_int_Z.zero_big_int a.denominator)
  then let rows = steep_rows m n a x.e_num x.e_den in
       all_kept n a x.e_num x.e_den p d rows 0
         (needs a x.e_num x.e_den 0 rows) pairs
  else let up = power x.e_num in
       let down = power x.e_den in
       let ups0 = learned up snd pairs in
       let downs = learned down snd pairs in
       forallb (fun e ->
         let (y, w) = e in
         let (f, g) = y in
         pair_kept m n a (recalled up ups0 w) (recalled down downs w) p d f g)
         pairs

(** val is_stochastic : int -> int -> matrix -> bool **)

let is_stochastic m n a =
  (&&) (Z.ltb Big_int_Z.zero_big_int a.denominator)
    (all n (fun f ->
      (&&) (all m (fun r -> Z.leb Big_int_Z.zero_big_int (a.entry r f)))
        (Z.eqb (total m (fun r -> a.entry r f)) a.denominator)))

(** val claimed_delta :
    privacy -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int * Big_int_Z.big_int **)

let claimed_delta p claim =
  match p.delta with
  | Some d -> d
  | None -> claim

(** val privacy_kept :
    question -> matrix -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    (privacy * factors) -> bool **)

let privacy_kept q a claim = function
| (p, x) ->
  let d = claimed_delta p claim in
  (&&)
    ((&&) ((&&) (encloses p.eps x) (Z.leb Big_int_Z.zero_big_int (fst d)))
      (Z.ltb Big_int_Z.zero_big_int (snd d)))
    (pairs_kept q.responses q.truths a x p.kind d q.neighbours)

(** val doubled : int -> int -> int -> int **)

let rec doubled fuel n s =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> s)
    (fun k -> if (<=) n s then s else doubled k n (add s s))
    fuel

(** val stride : int -> int **)

let stride n =
  doubled n n (Stdlib.Int.succ 0)

(** val plain : question -> bool **)

let plain q =
  let s = stride q.truths in
  (&&) ((<=) q.truths s)
    (all q.truths (fun f ->
      all q.responses (fun r ->
        match Pos.compare (q.name r f)
                ((fun n -> Big_int_Z.big_int_of_int (n + 1))
                  (add (mul r s) f)) with
        | Eq -> true
        | _ -> false)))

(** val load_matrix : question -> matrix -> table **)

let load_matrix q a =
  fold_left (fun t f ->
    fold_left (fun t0 r -> update (fun _ -> a.entry r f) (q.name r f) t0)
      (seq 0 q.responses) t) (seq 0 q.truths) Empty

(** val is_tied : question -> matrix -> table -> bool **)

let is_tied q a t =
  all q.truths (fun f ->
    all q.responses (fun r -> Z.eqb (get (q.name r f) t) (a.entry r f)))

(** val limit_kept :
    question -> matrix ->
    (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) -> bool **)

let limit_kept q a = function
| (p, high) ->
  let (p0, low) = p in
  let (r, f) = p0 in
  (&&) (Z.leb (Z.mul low a.denominator) (Z.mul q.limit_unit (a.entry r f)))
    (Z.leb (Z.mul q.limit_unit (a.entry r f)) (Z.mul high a.denominator))

(** val value_z : matrix -> term list -> Big_int_Z.big_int **)

let value_z a l =
  fold_left (fun s e ->
    let (p, c) = e in let (r, f) = p in Z.add s (Z.mul c (a.entry r f))) l
    Big_int_Z.zero_big_int

(** val rule_kept : matrix -> rule -> bool **)

let rule_kept a t =
  let v = value_z a t.terms in
  if t.equation
  then Z.eqb v (Z.mul t.right a.denominator)
  else Z.leb v (Z.mul t.right a.denominator)

(** val loss_z : question -> matrix -> int -> Big_int_Z.big_int **)

let loss_z q a f =
  total q.responses (fun r -> Z.mul (q.cost r f) (a.entry r f))

(** val objective_kept :
    question -> matrix -> (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let objective_kept q a = function
| (on, od) ->
  let unit0 = Z.mul q.cost_unit a.denominator in
  (&&)
    ((&&) (Z.ltb Big_int_Z.zero_big_int q.cost_unit)
      (Z.ltb Big_int_Z.zero_big_int od))
    (match q.aim with
     | TotalLoss ->
       Z.eqb (Z.mul (total q.truths (loss_z q a)) od) (Z.mul on unit0)
     | WorstLoss ->
       (&&)
         (all q.truths (fun f ->
           Z.leb (Z.mul (loss_z q a f) od) (Z.mul on unit0)))
         (any q.truths (fun f ->
           Z.eqb (Z.mul (loss_z q a f) od) (Z.mul on unit0)))
     | LeastDelta -> Z.leb Big_int_Z.zero_big_int on)

(** val check_matrix :
    question -> factors list -> matrix ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let check_matrix q fs a claim =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) (is_stochastic q.responses q.truths a)
              ((||) (plain q) (is_tied q a (load_matrix q a))))
            (forallb (limit_kept q a) q.limits))
          (forallb (rule_kept a) q.rules))
        ((=) (length fs) (length q.privacies)))
      (forallb (privacy_kept q a claim) (combine q.privacies fs)))
    (objective_kept q a claim)

type line = { entries : term list; constant : Big_int_Z.big_int;
              paid : Big_int_Z.big_int }

type inequality = { at_r : int; at_f : int; at_h : int; weight : int }

type decision = inequality * bool

(** val same : inequality -> inequality -> bool **)

let same a b =
  (&&)
    ((&&) ((&&) ((=) a.at_r b.at_r) ((=) a.at_f b.at_f)) ((=) a.at_h b.at_h))
    ((=) a.weight b.weight)

(** val decided : decision list -> inequality -> bool -> bool **)

let decided path c kept =
  existsb (fun d -> (&&) (same (fst d) c) (eqb (snd d) kept)) path

type charge =
| Compared of int * Big_int_Z.big_int
| Kept of int * Big_int_Z.big_int
| Broken of int

(** val column :
    question -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    int -> term list **)

let column q =
  let m = q.responses in
  (fun weights0 totals0 f ->
  map (fun r -> ((r, f),
    (Z.sub (Z.mul (weights0 f) (q.cost r f)) (totals0 f)))) (seq 0 m))

(** val objective_allowed :
    question -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> bool **)

let objective_allowed q =
  let n = q.truths in
  (fun whole weights0 ->
  (&&) (Z.ltb Big_int_Z.zero_big_int whole)
    (match q.aim with
     | TotalLoss ->
       all n (fun f -> Z.eqb (Z.mul (weights0 f) q.cost_unit) whole)
     | WorstLoss ->
       (&&) (all n (fun f -> Z.leb Big_int_Z.zero_big_int (weights0 f)))
         (Z.eqb (Z.mul (total n weights0) q.cost_unit) whole)
     | LeastDelta ->
       all n (fun f -> Z.eqb (weights0 f) Big_int_Z.zero_big_int)))

(** val objective_paid :
    question -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let objective_paid q whole =
  match q.aim with
  | LeastDelta -> Big_int_Z.zero_big_int
  | _ -> whole

(** val raised : Big_int_Z.big_int -> factors -> int -> Big_int_Z.big_int **)

let raised one0 x w =
  Z.opp (Z.div (Z.opp (Z.mul one0 (power x.f_num w))) (power x.f_den w))

(** val charge_terms :
    int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
    -> charge -> term list **)

let charge_terms f h one0 up budget = function
| Compared (r, u) ->
  ((r, f), (Z.mul u one0)) :: (((r, h), (Z.opp (Z.mul u up))) :: [])
| Kept (r, u) ->
  ((r, f), (Z.mul u one0)) :: (((r, h), (Z.opp (Z.mul u up))) :: [])
| Broken r -> ((r, f), (Z.mul budget one0)) :: []

(** val place_of : charge -> int **)

let place_of = function
| Compared (r, _) -> r
| Kept (r, _) -> r
| Broken r -> r

(** val multiplier : charge -> Big_int_Z.big_int **)

let multiplier = function
| Compared (_, u) -> u
| Kept (_, u) -> u
| Broken _ -> Big_int_Z.zero_big_int

(** val charge_allowed :
    question -> decision list -> definition -> int -> int -> int ->
    Big_int_Z.big_int -> charge -> bool **)

let charge_allowed q =
  let m = q.responses in
  (fun path p f h w budget c ->
  let about = { at_r = (place_of c); at_f = f; at_h = h; weight = w } in
  (&&)
    ((&&) (Nat.ltb (place_of c) m)
      (Z.leb Big_int_Z.zero_big_int (multiplier c)))
    (match c with
     | Compared (_, u) ->
       (match p with
        | OfOutcomes -> true
        | _ -> Z.leb u budget)
     | Kept (_, _) ->
       (match p with
        | OfMass -> decided path about true
        | _ -> false)
     | Broken _ ->
       (match p with
        | OfMass -> decided path about false
        | _ -> false)))

(** val increasing : int -> charge list -> bool **)

let rec increasing from = function
| [] -> true
| c :: rest ->
  (&&) ((<=) from (place_of c))
    (increasing (Stdlib.Int.succ (place_of c)) rest)

(** val sum_of : charge list -> Big_int_Z.big_int **)

let rec sum_of = function
| [] -> Big_int_Z.zero_big_int
| c :: rest -> Z.add (multiplier c) (sum_of rest)

(** val pair_line :
    question -> decision list -> Big_int_Z.big_int -> privacy -> (int ->
    Big_int_Z.big_int) -> ((int * int) * int) -> Big_int_Z.big_int -> charge
    list -> line option **)

let pair_line q =
  let n = q.truths in
  (fun path one0 p up pair budget cs ->
  let (p0, w) = pair in
  let (f, h) = p0 in
  let spent = match p.kind with
              | OfOutcomes -> sum_of cs
              | _ -> budget in
  if (&&)
       ((&&)
         ((&&) ((&&) (Nat.ltb f n) (Nat.ltb h n))
           (Z.leb Big_int_Z.zero_big_int budget)) (increasing 0 cs))
       (forallb (charge_allowed q path p.kind f h w budget) cs)
  then let u = up w in
       Some { entries = (flat_map (charge_terms f h one0 u budget) cs);
       constant =
       (match p.delta with
        | Some p1 ->
          let (a, b) = p1 in Z.div (Z.opp (Z.mul (Z.mul spent one0) a)) b
        | None -> Big_int_Z.zero_big_int); paid =
       (match p.delta with
        | Some _ -> Big_int_Z.zero_big_int
        | None -> Z.mul spent one0) }
  else None)

(** val times : Big_int_Z.big_int -> term list -> term list -> term list **)

let rec times y l done0 =
  match l with
  | [] -> done0
  | t :: rest -> let (p, c) = t in times y rest ((p, (Z.mul y c)) :: done0)

(** val rule_line : rule -> Big_int_Z.big_int -> line option **)

let rule_line t y =
  if (||) t.equation (Z.leb Big_int_Z.zero_big_int y)
  then Some { entries = (times y t.terms []); constant =
         (Z.opp (Z.mul y t.right)); paid = Big_int_Z.zero_big_int }
  else None

type leaf = { one : Big_int_Z.big_int; weights : (int -> Big_int_Z.big_int);
              totals : (int -> Big_int_Z.big_int);
              groups : (Big_int_Z.big_int * charge list) list list;
              multipliers : Big_int_Z.big_int list }

type tree =
| Leaf of leaf
| Split of inequality * tree * tree

type state = ((table * Big_int_Z.big_int) * Big_int_Z.big_int) option

(** val in_range : question -> term -> bool **)

let in_range q = function
| (p, _) ->
  let (r, f) = p in (&&) (Nat.ltb r q.responses) (Nat.ltb f q.truths)

(** val load : question -> term list -> table -> table **)

let rec load q l t =
  match l with
  | [] -> t
  | t0 :: rest ->
    let (p, c) = t0 in
    let (r, f) = p in load q rest (update (Z.add c) (q.name r f) t)

(** val absorb : question -> state -> line option -> state **)

let absorb q s l =
  match s with
  | Some p0 ->
    let (p1, p) = p0 in
    let (t, k) = p1 in
    (match l with
     | Some l0 ->
       if forallb (in_range q) l0.entries
       then Some (((load q l0.entries t), (Z.add k l0.constant)),
              (Z.add p l0.paid))
       else None
     | None -> None)
  | None -> None

(** val absorb_pairs :
    question -> decision list -> Big_int_Z.big_int -> privacy -> (int ->
    Big_int_Z.big_int) -> ((int * int) * int) list ->
    (Big_int_Z.big_int * charge list) list -> state -> state **)

let rec absorb_pairs q path one0 p up pairs group s =
  match pairs with
  | [] -> s
  | near :: pairs' ->
    (match group with
     | [] -> s
     | p0 :: group' ->
       let (b, cs) = p0 in
       absorb_pairs q path one0 p up pairs' group'
         (absorb q s (pair_line q path one0 p up near b cs)))

(** val ups :
    question -> Big_int_Z.big_int -> factors -> int -> Big_int_Z.big_int **)

let ups q one0 x =
  let value = raised one0 x in
  let t = learned value snd q.neighbours in recalled value t

(** val absorb_privacies :
    question -> decision list -> Big_int_Z.big_int -> privacy list -> factors
    list -> (Big_int_Z.big_int * charge list) list list -> state -> state **)

let rec absorb_privacies q path one0 ps xs gs s =
  match ps with
  | [] -> s
  | p :: ps' ->
    (match xs with
     | [] -> s
     | x :: xs' ->
       (match gs with
        | [] -> s
        | g :: gs' ->
          absorb_privacies q [] one0 ps' xs' gs'
            (match g with
             | [] -> s
             | _ :: _ ->
               absorb_pairs q path one0 p (ups q one0 x) q.neighbours g s)))

(** val absorb_rules :
    question -> rule list -> Big_int_Z.big_int list -> state -> state **)

let rec absorb_rules q ts ys s =
  match ts with
  | [] -> s
  | t :: ts' ->
    (match ys with
     | [] -> s
     | y :: ys' ->
       absorb_rules q ts' ys'
         (if Z.eqb y Big_int_Z.zero_big_int
          then s
          else absorb q s (rule_line t y)))

type by_names = { costs : table; ones : table;
                  prepared : (rule * table option) list }

(** val load_columns :
    question -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    table **)

let load_columns q weights0 totals0 =
  fold_left (fun t f -> load q (column q weights0 totals0 f) t)
    (seq 0 q.truths) Empty

(** val ones_of : question -> int -> table **)

let ones_of q f =
  load q
    (map (fun r -> ((r, f), Big_int_Z.unit_big_int)) (seq 0 q.responses))
    Empty

(** val is_long : term list -> bool **)

let is_long l =
  Nat.ltb (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
    0))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
    (length l)

(** val prepare : question -> rule -> rule * table option **)

let prepare q t =
  (t,
    (if (&&) (is_long t.terms) (forallb (in_range q) t.terms)
     then Some (load q t.terms Empty)
     else None))

(** val names_alike : question -> by_names option **)

let names_alike q =
  let first = ones_of q 0 in
  (match q.aim with
   | WorstLoss -> None
   | _ ->
     if all q.truths (fun f -> same_table (ones_of q f) first)
     then Some { costs =
            (load_columns q (fun _ -> Big_int_Z.unit_big_int) (fun _ ->
              Big_int_Z.zero_big_int)); ones = first; prepared =
            (map (prepare q) q.rules) }
     else None)

(** val start0 :
    question -> Big_int_Z.big_int -> by_names option -> (int ->
    Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> state **)

let start0 q whole names weights0 totals0 =
  if objective_allowed q whole weights0
  then let t =
         match names with
         | Some b ->
           plus (scaled (weights0 0) b.costs)
             (scaled (Z.opp (total q.truths totals0)) b.ones)
         | None -> load_columns q weights0 totals0
       in
       Some ((t, (total q.truths totals0)), (objective_paid q whole))
  else None

(** val absorb_prepared :
    question -> state -> Big_int_Z.big_int -> (rule * table option) -> state **)

let absorb_prepared q s y p =
  match snd p with
  | Some k ->
    (match s with
     | Some p0 ->
       let (p1, paid0) = p0 in
       let (t, c) = p1 in
       if (||) (fst p).equation (Z.leb Big_int_Z.zero_big_int y)
       then Some (((plus t (scaled y k)), (Z.sub c (Z.mul y (fst p).right))),
              paid0)
       else None
     | None -> absorb q s (rule_line (fst p) y))
  | None -> absorb q s (rule_line (fst p) y)

(** val absorb_all_prepared :
    question -> (rule * table option) list -> Big_int_Z.big_int list -> state
    -> state **)

let rec absorb_all_prepared q ps ys s =
  match ps with
  | [] -> s
  | p :: ps' ->
    (match ys with
     | [] -> s
     | y :: ys' ->
       absorb_all_prepared q ps' ys'
         (if Z.eqb y Big_int_Z.zero_big_int
          then s
          else absorb_prepared q s y p))

(** val raise :
    question -> ((Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int) ->
    (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list -> table ->
    table **)

let rec raise q by_limit l t =
  match l with
  | [] -> t
  | p :: rest ->
    let (p0, high) = p in
    let (p1, low) = p0 in
    let (r, f) = p1 in
    raise q by_limit rest
      (update (Z.max (by_limit (low, high))) (q.name r f) t)

(** val lows : question -> table **)

let lows q =
  raise q fst q.limits Empty

(** val cuts : question -> table **)

let cuts q =
  raise q (fun p -> Z.sub q.limit_unit (snd p)) q.limits Empty

(** val leaf_bound :
    question -> factors list -> Big_int_Z.big_int -> by_names option -> table
    -> table -> decision list -> leaf -> Big_int_Z.big_int option **)

let leaf_bound q fs whole names low cut path l =
  let s =
    absorb_privacies q path l.one q.privacies fs l.groups
      (start0 q whole names l.weights l.totals)
  in
  let s0 =
    match names with
    | Some b -> absorb_all_prepared q b.prepared l.multipliers s
    | None -> absorb_rules q q.rules l.multipliers s
  in
  (match s0 with
   | Some p0 ->
     let (p1, p) = p0 in
     let (t, k) = p1 in
     if (&&) (Z.ltb Big_int_Z.zero_big_int l.one)
          (match q.aim with
           | LeastDelta -> Z.leb p whole
           | _ -> Z.eqb p whole)
     then Some (Z.add (Z.mul k q.limit_unit) (least q.limit_unit t low cut))
     else None
   | None -> None)

(** val tree_bound :
    question -> factors list -> Big_int_Z.big_int -> by_names option -> table
    -> table -> decision list -> tree -> Big_int_Z.big_int option **)

let rec tree_bound q fs whole names low cut path = function
| Leaf l -> leaf_bound q fs whole names low cut path l
| Split (c, kept, broken) ->
  (match tree_bound q fs whole names low cut ((c, true) :: path) kept with
   | Some a ->
     (match tree_bound q fs whole names low cut ((c, false) :: path) broken with
      | Some b -> Some (Z.min a b)
      | None -> None)
   | None -> None)

(** val known : (privacy * factors) -> bool **)

let known own =
  (&&) (encloses (fst own).eps (snd own))
    (match (fst own).delta with
     | Some p -> let (_, b) = p in Z.ltb Big_int_Z.zero_big_int b
     | None -> true)

(** val bound_of :
    question -> factors list -> Big_int_Z.big_int -> tree ->
    Big_int_Z.big_int option **)

let bound_of q fs whole t =
  if (&&)
       ((&&)
         ((&&)
           ((&&)
             ((&&) (Z.ltb Big_int_Z.zero_big_int whole)
               (Z.ltb Big_int_Z.zero_big_int q.cost_unit))
             (Z.ltb Big_int_Z.zero_big_int q.limit_unit))
           ((=) (length fs) (length q.privacies)))
         (forallb known (combine q.privacies fs)))
       (forallb (fun l -> in_range q ((fst (fst l)), Big_int_Z.zero_big_int))
         q.limits)
  then tree_bound q fs whole (names_alike q) (lows q) (cuts q) [] t
  else None

(** val check :
    question -> factors list -> matrix ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int -> tree ->
    Big_int_Z.big_int option **)

let check q fs a claim whole t =
  if check_matrix q fs a claim then bound_of q fs whole t else None

type place = int * int

(** val at_most : place -> place -> rule **)

let at_most a b =
  { terms = ((((fst a), (snd a)), Big_int_Z.unit_big_int) :: ((((fst b),
    (snd b)), (Big_int_Z.minus_big_int Big_int_Z.unit_big_int)) :: []));
    equation = false; right = Big_int_Z.zero_big_int }

(** val ordered :
    int -> int -> (int -> int -> (place * place) option) -> rule list **)

let ordered m n pick =
  flat_map (fun r ->
    flat_map (fun f ->
      match pick r f with
      | Some p -> let (a, b) = p in (at_most a b) :: []
      | None -> []) (seq 0 n)) (seq 0 m)

(** val rising :
    int -> (int -> int) -> int -> int -> (place * place) option **)

let rising m home r f =
  if (&&) (Nat.ltb (Stdlib.Int.succ r) m) (Nat.ltb r (home f))
  then Some ((r, f), ((Stdlib.Int.succ r), f))
  else None

(** val falling :
    int -> (int -> int) -> int -> int -> (place * place) option **)

let falling m home r f =
  if (&&) (Nat.ltb (Stdlib.Int.succ r) m) ((<=) (home f) r)
  then Some (((Stdlib.Int.succ r), f), (r, f))
  else None

(** val honest_in_column :
    (int -> int) -> int -> int -> (place * place) option **)

let honest_in_column home r f =
  if (=) r (home f) then None else Some ((r, f), ((home f), f))

(** val rising_row :
    int -> (int -> int) -> int -> int -> (place * place) option **)

let rising_row n last r f =
  if (&&) (Nat.ltb (Stdlib.Int.succ f) n) (Nat.ltb f (last r))
  then Some ((r, f), (r, (Stdlib.Int.succ f)))
  else None

(** val falling_row :
    int -> (int -> int) -> int -> int -> (place * place) option **)

let falling_row n first r f =
  if (&&) (Nat.ltb (Stdlib.Int.succ f) n) ((<=) (first r) f)
  then Some ((r, (Stdlib.Int.succ f)), (r, f))
  else None

(** val honest_in_row :
    (int -> int) -> int -> int -> (place * place) option **)

let honest_in_row home f g =
  if (=) (home f) (home g) then None else Some (((home g), f), ((home g), g))

(** val column_rule :
    int -> (int -> int -> Big_int_Z.big_int) -> bool -> Big_int_Z.big_int ->
    int -> rule **)

let column_rule m c eq b f =
  { terms = (map (fun r -> ((r, f), (c r f))) (seq 0 m)); equation = eq;
    right = b }

(** val bounded_at :
    int -> (int -> int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> int -> rule **)

let bounded_at m c unit0 a b f =
  column_rule m (fun r f0 -> Z.mul b (c r f0)) false (Z.mul a unit0) f

(** val bounded :
    int -> int -> (int -> int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> rule **)

let bounded m n c unit0 a b =
  { terms =
    (flat_map (fun f -> map (fun r -> ((r, f), (Z.mul b (c r f)))) (seq 0 m))
      (seq 0 n)); equation = false; right = (Z.mul a unit0) }

(** val within_reach : int -> int -> ((int * int) * int) list **)

let within_reach n k =
  flat_map (fun f ->
    flat_map (fun g ->
      if (||)
           ((||) ((||) ((=) f g) (Nat.ltb (add f k) g)) (Nat.ltb (add g k) f))
           ((<=) n g)
      then []
      else ((f, g), (Stdlib.Int.succ 0)) :: [])
      (seq (sub f k) (Stdlib.Int.succ
        (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) k)))) (seq 0 n)
