
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

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

(** val pred : int -> int **)

let pred = fun n -> Stdlib.max 0 (n-1)

module Coq__1 = struct
 (** val add : int -> int -> int **)let rec add = (+)
end
include Coq__1

(** val mul : int -> int -> int **)

let rec mul = ( * )

(** val sub : int -> int -> int **)

let rec sub = fun n m -> Stdlib.max 0 (n-m)

(** val eqb : bool -> bool -> bool **)

let eqb b1 b2 =
  if b1 then b2 else if b2 then false else true

module Nat =
 struct
  (** val add : int -> int -> int **)

  let rec add n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> m)
      (fun p -> Stdlib.Int.succ (add p m))
      n

  (** val mul : int -> int -> int **)

  let rec mul n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> 0)
      (fun p -> add m (mul p m))
      n

  (** val sub : int -> int -> int **)

  let rec sub n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> n)
      (fun k ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> n)
        (fun l -> sub k l)
        m)
      n

  (** val ltb : int -> int -> bool **)

  let ltb n m =
    (<=) (Stdlib.Int.succ n) m

  (** val min : int -> int -> int **)

  let rec min n m =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> 0)
      (fun n' ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> 0)
        (fun m' -> Stdlib.Int.succ (min n' m'))
        m)
      n

  (** val divmod : int -> int -> int -> int -> int * int **)

  let rec divmod x y q u =
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> (q, u))
      (fun x' ->
      (fun fO fS n -> if n=0 then fO () else fS (n-1))
        (fun _ -> divmod x' y (Stdlib.Int.succ q) y)
        (fun u' -> divmod x' y q u')
        u)
      x

  (** val div : int -> int -> int **)

  let div = (fun n m -> if m = 0 then 0 else n / m)

  (** val modulo : int -> int -> int **)

  let modulo = (fun n m -> if m = 0 then n else n mod m)

  (** val div2 : int -> int **)

  let rec div2 = fun n -> n/2
 end

(** val nth_error : 'a1 list -> int -> 'a1 option **)

let rec nth_error l n =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> match l with
              | [] -> None
              | x :: _ -> Some x)
    (fun n0 -> match l with
               | [] -> None
               | _ :: l0 -> nth_error l0 n0)
    n

(** val rev_append : 'a1 list -> 'a1 list -> 'a1 list **)

let rec rev_append l l' =
  match l with
  | [] -> l'
  | a :: l0 -> rev_append l0 (a :: l')

(** val rev' : 'a1 list -> 'a1 list **)

let rev' l =
  rev_append l []

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

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

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

  (** val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1 **)

  let rec iter f x n =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun n' -> f (iter f (iter f x n') n'))
      (fun n' -> iter f (iter f x n') n')
      (fun _ -> f x)
      n

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

  (** val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2_up p =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> succ p0)
      (fun p0 -> p0)
      (fun _ -> Big_int_Z.unit_big_int)
      p

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

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> Big_int_Z.big_int -> 'a1 -> 'a1 **)

  let rec iter_op op p a =
    (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
      (fun p0 -> op a (iter_op op p0 (op a a)))
      (fun p0 -> iter_op op p0 (op a a))
      (fun _ -> a)
      p

  (** val to_nat : Big_int_Z.big_int -> int **)

  let to_nat x =
    iter_op Coq__1.add x (Stdlib.Int.succ 0)

  (** val of_succ_nat : int -> Big_int_Z.big_int **)

  let rec of_succ_nat = (fun n -> Big_int_Z.big_int_of_int (n + 1))
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

  (** val abs : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let abs = Big_int_Z.abs_big_int

  (** val to_nat : Big_int_Z.big_int -> int **)

  let to_nat z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> 0)
      (fun p -> Pos.to_nat p)
      (fun _ -> 0)
      z0

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

  (** val modulo :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let modulo = Big_int_Z.(fun x y ->
  match sign_big_int y with
  | 0 -> x
  | 1 -> mod_big_int x y
  | _ -> add_big_int y (add_int_big_int 1 (mod_big_int (add_int_big_int (-1) x) y)))

  (** val div2 : Big_int_Z.big_int -> Big_int_Z.big_int **)

  let div2 z0 =
    (fun fO fp fn z -> let s = Big_int_Z.sign_big_int z in
  if s = 0 then fO () else if s > 0 then fp z
  else fn (Big_int_Z.minus_big_int z))
      (fun _ -> Big_int_Z.zero_big_int)
      (fun p ->
      (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
        (fun _ -> (Pos.div2 p))
        (fun _ -> (Pos.div2 p))
        (fun _ -> Big_int_Z.zero_big_int)
        p)
      (fun p -> Big_int_Z.minus_big_int (Pos.div2_up p))
      z0

  (** val shiftl :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let shiftl = Big_int_Z.(fun x y ->
  let y = int_of_big_int y in
  if y < 0 then shift_right_big_int x (-y)
  else shift_left_big_int x y)

  (** val shiftr :
      Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

  let shiftr = Big_int_Z.(fun x y ->
  let y = int_of_big_int y in
  if y < 0 then shift_left_big_int x (-y)
  else shift_right_big_int x y)
 end

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

(** val lesser : int -> int -> int **)

let lesser a b =
  if (<=) a b then a else b

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

let rec update change0 p t =
  (fun f2p1 f2p f1 p ->
  if Big_int_Z.le_big_int p Big_int_Z.unit_big_int then f1 () else
  let (q,r) = Big_int_Z.quomod_big_int p (Big_int_Z.big_int_of_int 2) in
  if Big_int_Z.eq_big_int r Big_int_Z.zero_big_int then f2p q else f2p1 q)
    (fun p' -> Node ((even t), (here t),
    (update change0 p' (odd t))))
    (fun p' -> Node ((update change0 p' (even t)), (here t),
    (odd t)))
    (fun _ -> Node ((even t), (change0 (here t)), (odd t)))
    p

(** val least_of :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int **)

let least_of unit0 v low cut0 =
  if Z.leb Big_int_Z.zero_big_int v
  then Z.mul v low
  else Z.mul v (Z.sub unit0 cut0)

(** val least :
    Big_int_Z.big_int -> table -> table -> table -> Big_int_Z.big_int **)

let rec least unit0 t low cut0 =
  match t with
  | Empty -> Big_int_Z.zero_big_int
  | Node (a, v, b) ->
    Z.add
      (Z.add (least_of unit0 v (here low) (here cut0))
        (least unit0 a (even low) (even cut0)))
      (least unit0 b (odd low) (odd cut0))

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
  let v = get (Pos.of_succ_nat w) t in
  if Z.eqb v Big_int_Z.zero_big_int then value w else v

(** val learn : (int -> Big_int_Z.big_int) -> table -> int -> table **)

let learn value t w =
  let p = Pos.of_succ_nat w in
  if Z.eqb (get p t) Big_int_Z.zero_big_int
  then let v = value w in update (fun _ -> v) p t
  else t

(** val learned :
    (int -> Big_int_Z.big_int) -> ('a1 -> int) -> 'a1 list -> table **)

let learned value number l =
  fold_left (fun t e -> learn value t (number e)) l Empty

(** val doubled : int -> int -> int -> int **)

let rec doubled fuel n s =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> s)
    (fun k -> if (<=) n s then s else doubled k n (add s s))
    fuel

(** val stride : int -> int **)

let stride n =
  doubled n n (Stdlib.Int.succ 0)

type factors = { e_num : Big_int_Z.big_int; e_den : Big_int_Z.big_int;
                 f_num : Big_int_Z.big_int; f_den : Big_int_Z.big_int;
                 squarings : int; fraction_bits : Big_int_Z.big_int }

(** val squared :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec squared k bits v =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> v)
    (fun j -> squared j bits (Z.shiftr (Z.mul v v) bits))
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

let below_exp n d k bits =
  squared k bits (start n d k (Z.shiftl Big_int_Z.unit_big_int bits))

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
       let bits = x.fraction_bits in
       let one0 = Z.shiftl Big_int_Z.unit_big_int bits in
       let k = x.squarings in
       (&&)
         ((&&)
           ((&&)
             ((&&)
               ((&&) (Z.ltb Big_int_Z.zero_big_int d)
                 (Z.leb Big_int_Z.zero_big_int bits))
               (Z.leb Big_int_Z.zero_big_int (start n d k one0)))
             (Z.leb Big_int_Z.zero_big_int (start (Z.opp n) d k one0)))
           (Z.leb (Z.mul x.e_num one0) (Z.mul x.e_den (below_exp n d k bits))))
         (Z.leb (Z.mul x.f_den one0)
           (Z.mul x.f_num (below_exp (Z.opp n) d k bits)))
     | Log (n, d) ->
       (&&)
         ((&&)
           ((&&) (Z.ltb Big_int_Z.zero_big_int n)
             (Z.ltb Big_int_Z.zero_big_int d))
           (Z.leb (Z.mul x.e_num d) (Z.mul x.e_den n)))
         (Z.leb (Z.mul x.f_den n) (Z.mul x.f_num d)))

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

let rec all_kept n a en ed p d rows last0 l = function
| [] -> true
| p0 :: rest ->
  let (p1, _) = p0 in
  let (f, g) = p1 in
  let l' = if (=) f last0 then l else needs a en ed f rows in
  (&&) ((&&) ((&&) (Nat.ltb f n) (Nat.ltb g n)) (kept_on a en ed p d f g l'))
    (all_kept n a en ed p d rows f l' rest)

(** val of_weight_one : ((int * int) * int) list -> bool **)

let of_weight_one pairs0 =
  forallb (fun e -> (=) (snd e) (Stdlib.Int.succ 0)) pairs0

(** val pairs_kept :
    int -> int -> matrix -> factors -> definition ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> ((int * int) * int) list ->
    bool **)

let pairs_kept m n a x p d pairs0 =
  if (&&)
       ((&&)
         ((&&)
           ((&&) (of_weight_one pairs0)
             (Z.ltb Big_int_Z.zero_big_int x.e_num))
           (Z.ltb Big_int_Z.zero_big_int x.e_den))
         (Z.leb Big_int_Z.zero_big_int (fst d)))
       (Z.leb Big_int_Z.zero_big_int a.denominator)
  then let rows = steep_rows m n a x.e_num x.e_den in
       all_kept n a x.e_num x.e_den p d rows 0
         (needs a x.e_num x.e_den 0 rows) pairs0
  else let up0 = power x.e_num in
       let down = power x.e_den in
       let ups0 = learned up0 snd pairs0 in
       let downs = learned down snd pairs0 in
       forallb (fun e ->
         let (y, w) = e in
         let (f, g) = y in
         pair_kept m n a (recalled up0 ups0 w) (recalled down downs w) p d f g)
         pairs0

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

(** val plain : question -> bool **)

let plain q =
  let s = stride q.truths in
  (&&) ((<=) q.truths s)
    (all q.truths (fun f ->
      all q.responses (fun r ->
        match Pos.compare (q.name r f) (Pos.of_succ_nat (add (mul r s) f)) with
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
  (fun whole0 weights0 ->
  (&&) (Z.ltb Big_int_Z.zero_big_int whole0)
    (match q.aim with
     | TotalLoss ->
       all n (fun f -> Z.eqb (Z.mul (weights0 f) q.cost_unit) whole0)
     | WorstLoss ->
       (&&) (all n (fun f -> Z.leb Big_int_Z.zero_big_int (weights0 f)))
         (Z.eqb (Z.mul (total n weights0) q.cost_unit) whole0)
     | LeastDelta ->
       all n (fun f -> Z.eqb (weights0 f) Big_int_Z.zero_big_int)))

(** val objective_paid :
    question -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let objective_paid q whole0 =
  match q.aim with
  | LeastDelta -> Big_int_Z.zero_big_int
  | _ -> whole0

(** val raised : Big_int_Z.big_int -> factors -> int -> Big_int_Z.big_int **)

let raised one0 x w =
  Z.opp (Z.div (Z.opp (Z.mul one0 (power x.f_num w))) (power x.f_den w))

(** val charge_terms :
    int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
    -> charge -> term list **)

let charge_terms f h one0 up0 budget = function
| Compared (r, u) ->
  ((r, f), (Z.mul u one0)) :: (((r, h), (Z.opp (Z.mul u up0))) :: [])
| Kept (r, u) ->
  ((r, f), (Z.mul u one0)) :: (((r, h), (Z.opp (Z.mul u up0))) :: [])
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
  (fun path one0 p up0 pair budget cs ->
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
  then let u = up0 w in
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

let rec absorb_pairs q path one0 p up0 pairs0 group s =
  match pairs0 with
  | [] -> s
  | near :: pairs' ->
    (match group with
     | [] -> s
     | p0 :: group' ->
       let (b, cs) = p0 in
       absorb_pairs q path one0 p up0 pairs' group'
         (absorb q s (pair_line q path one0 p up0 near b cs)))

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
  let first0 = ones_of q 0 in
  (match q.aim with
   | WorstLoss -> None
   | _ ->
     if all q.truths (fun f -> same_table (ones_of q f) first0)
     then Some { costs =
            (load_columns q (fun _ -> Big_int_Z.unit_big_int) (fun _ ->
              Big_int_Z.zero_big_int)); ones = first0; prepared =
            (map (prepare q) q.rules) }
     else None)

(** val start0 :
    question -> Big_int_Z.big_int -> by_names option -> (int ->
    Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> state **)

let start0 q whole0 names weights0 totals0 =
  if objective_allowed q whole0 weights0
  then let t =
         match names with
         | Some b ->
           plus (scaled (weights0 0) b.costs)
             (scaled (Z.opp (total q.truths totals0)) b.ones)
         | None -> load_columns q weights0 totals0
       in
       Some ((t, (total q.truths totals0)), (objective_paid q whole0))
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

let leaf_bound q fs whole0 names low cut0 path l =
  let s =
    absorb_privacies q path l.one q.privacies fs l.groups
      (start0 q whole0 names l.weights l.totals)
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
           | LeastDelta -> Z.leb p whole0
           | _ -> Z.eqb p whole0)
     then Some (Z.add (Z.mul k q.limit_unit) (least q.limit_unit t low cut0))
     else None
   | None -> None)

(** val tree_bound :
    question -> factors list -> Big_int_Z.big_int -> by_names option -> table
    -> table -> decision list -> tree -> Big_int_Z.big_int option **)

let rec tree_bound q fs whole0 names low cut0 path = function
| Leaf l -> leaf_bound q fs whole0 names low cut0 path l
| Split (c, kept, broken) ->
  (match tree_bound q fs whole0 names low cut0 ((c, true) :: path) kept with
   | Some a ->
     (match tree_bound q fs whole0 names low cut0 ((c, false) :: path) broken with
      | Some b -> Some (Z.min a b)
      | None -> None)
   | None -> None)

(** val known : (privacy * factors) -> bool **)

let known own0 =
  (&&) (encloses (fst own0).eps (snd own0))
    (match (fst own0).delta with
     | Some p -> let (_, b) = p in Z.ltb Big_int_Z.zero_big_int b
     | None -> true)

(** val bound_of :
    question -> factors list -> Big_int_Z.big_int -> tree ->
    Big_int_Z.big_int option **)

let bound_of q fs whole0 t =
  if (&&)
       ((&&)
         ((&&)
           ((&&)
             ((&&) (Z.ltb Big_int_Z.zero_big_int whole0)
               (Z.ltb Big_int_Z.zero_big_int q.cost_unit))
             (Z.ltb Big_int_Z.zero_big_int q.limit_unit))
           ((=) (length fs) (length q.privacies)))
         (forallb known (combine q.privacies fs)))
       (forallb (fun l -> in_range q ((fst (fst l)), Big_int_Z.zero_big_int))
         q.limits)
  then tree_bound q fs whole0 (names_alike q) (lows q) (cuts q) [] t
  else None

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

let rising_row n last0 r f =
  if (&&) (Nat.ltb (Stdlib.Int.succ f) n) (Nat.ltb f (last0 r))
  then Some ((r, f), (r, (Stdlib.Int.succ f)))
  else None

(** val falling_row :
    int -> (int -> int) -> int -> int -> (place * place) option **)

let falling_row n first0 r f =
  if (&&) (Nat.ltb (Stdlib.Int.succ f) n) ((<=) (first0 r) f)
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

type loss_word =
| Absolute
| Squared
| ZeroOne
| Beyond of Big_int_Z.big_int * Big_int_Z.big_int
| OfMatrix of (int -> int -> Big_int_Z.big_int) * Big_int_Z.big_int
| OfNoise of (int -> int -> int) * (int -> Big_int_Z.big_int)
   * Big_int_Z.big_int

type weights_word =
| Once
| Evenly of Big_int_Z.big_int
| Weighed of (int -> Big_int_Z.big_int) * Big_int_Z.big_int

(** val is_meant : loss_word -> bool **)

let is_meant = function
| Beyond (_, b) -> Z.ltb Big_int_Z.zero_big_int b
| OfMatrix (_, unit0) -> Z.ltb Big_int_Z.zero_big_int unit0
| OfNoise (_, _, unit0) -> Z.ltb Big_int_Z.zero_big_int unit0
| _ -> true

(** val is_weighed : weights_word -> bool **)

let is_weighed = function
| Once -> true
| Evenly n -> Z.ltb Big_int_Z.zero_big_int n
| Weighed (_, unit0) -> Z.ltb Big_int_Z.zero_big_int unit0

(** val apart_in_units :
    (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int -> int ->
    Big_int_Z.big_int **)

let apart_in_units x t r f =
  Z.abs (Z.sub (x r) (t f))

(** val farther :
    Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int -> int ->
    int -> bool **)

let farther u x t a b r f =
  Z.ltb (Z.mul a u) (Z.mul b (apart_in_units x t r f))

(** val unweighted :
    Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> (int -> int) -> loss_word -> int -> int ->
    Big_int_Z.big_int **)

let unweighted u x t home = function
| Absolute -> apart_in_units x t
| Squared -> (fun r f -> let d = apart_in_units x t r f in Z.mul d d)
| ZeroOne ->
  (fun r f ->
    if (=) r (home f) then Big_int_Z.zero_big_int else Big_int_Z.unit_big_int)
| Beyond (a, b) ->
  (fun r f ->
    if farther u x t a b r f
    then Big_int_Z.unit_big_int
    else Big_int_Z.zero_big_int)
| OfMatrix (c, _) -> c
| OfNoise (value, c, _) -> (fun r f -> c (value r f))

(** val loss_unit : Big_int_Z.big_int -> loss_word -> Big_int_Z.big_int **)

let loss_unit u = function
| Absolute -> u
| Squared -> Z.mul u u
| OfMatrix (_, unit0) -> unit0
| OfNoise (_, _, unit0) -> unit0
| _ -> Big_int_Z.unit_big_int

(** val weight_unit : weights_word -> Big_int_Z.big_int **)

let weight_unit = function
| Once -> Big_int_Z.unit_big_int
| Evenly n -> n
| Weighed (_, unit0) -> unit0

(** val cost_in_words :
    Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> (int -> int) -> loss_word -> weights_word -> int ->
    int -> Big_int_Z.big_int **)

let cost_in_words u x t home word w r f =
  match w with
  | Weighed (w0, _) -> Z.mul (w0 f) (unweighted u x t home word r f)
  | _ -> unweighted u x t home word r f

(** val unit_in_words :
    Big_int_Z.big_int -> loss_word -> weights_word -> Big_int_Z.big_int **)

let unit_in_words u word w =
  Z.mul (loss_unit u word) (weight_unit w)

type adjacency =
| Change
| AddRemove

type range_word =
| Count of Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
| Mean of Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
   * Big_int_Z.big_int
| Total of Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
   * Big_int_Z.big_int * adjacency
| Extremum of Big_int_Z.big_int * Big_int_Z.big_int

(** val range_numbers :
    range_word ->
    ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int) * Big_int_Z.big_int **)

let range_numbers = function
| Count (a, b, k) -> (((a, b), k), Big_int_Z.unit_big_int)
| Mean (r, a, b, k) ->
  ((((Z.mul r a), (Z.mul r b)), (Z.mul k (Z.sub b a))), r)
| Total (r, a, b, k, by_person) ->
  (match by_person with
   | Change ->
     ((((Z.mul r a), (Z.mul r b)), (Z.mul k (Z.sub b a))),
       Big_int_Z.unit_big_int)
   | AddRemove ->
     ((((Z.min Big_int_Z.zero_big_int (Z.mul r a)),
       (Z.max Big_int_Z.zero_big_int (Z.mul r b))),
       (Z.mul k (Z.max (Z.abs a) (Z.abs b)))), Big_int_Z.unit_big_int))
| Extremum (a, b) -> (((a, b), (Z.sub b a)), Big_int_Z.unit_big_int)

(** val allowed : range_word -> bool **)

let allowed = function
| Count (a, b, k) ->
  (&&) ((&&) (Z.leb Big_int_Z.zero_big_int a) (Z.ltb a b))
    (Z.leb Big_int_Z.unit_big_int k)
| Mean (r, a, b, k) ->
  (&&)
    ((&&) ((&&) (Z.leb Big_int_Z.unit_big_int r) (Z.ltb a b))
      (Z.leb Big_int_Z.unit_big_int k)) (Z.leb k r)
| Total (r, a, b, k, _) ->
  (&&)
    ((&&) ((&&) (Z.leb Big_int_Z.unit_big_int r) (Z.ltb a b))
      (Z.leb Big_int_Z.unit_big_int k)) (Z.leb k r)
| Extremum (a, b) -> Z.ltb a b

(** val is_range :
    range_word -> int -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) ->
    int -> bool **)

let is_range word n unit0 truth reach0 =
  let (p, divisor) = range_numbers word in
  let (p0, far) = p in
  let (first0, last0) = p0 in
  (&&)
    ((&&)
      ((&&)
        ((&&) ((&&) (allowed word) (Nat.ltb 0 n))
          (Z.ltb Big_int_Z.zero_big_int divisor))
        (Z.eqb (Z.sub (Big_int_Z.big_int_of_int n) Big_int_Z.unit_big_int)
          (Z.sub last0 first0)))
      (all n (fun f ->
        Z.eqb (Z.mul divisor (truth f))
          (Z.mul unit0 (Z.add first0 (Big_int_Z.big_int_of_int f))))))
    (Z.eqb (Big_int_Z.big_int_of_int reach0)
      (Z.min far (Z.sub (Big_int_Z.big_int_of_int n) Big_int_Z.unit_big_int)))

type cut = { counted : (int * Big_int_Z.big_int) list;
             cut_limit : Big_int_Z.big_int }

(** val coefficient : cut -> int -> Big_int_Z.big_int **)

let coefficient c l =
  fold_right (fun e s -> if (=) (fst e) l then Z.add (snd e) s else s)
    Big_int_Z.zero_big_int c.counted

(** val largest :
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rec largest l room =
  match l with
  | [] -> Big_int_Z.zero_big_int
  | p0 :: rest ->
    let (p, c) = p0 in
    (match rest with
     | [] -> Z.mul (Z.div room p) c
     | _ :: _ ->
       let rec try0 k paid0 room0 best =
         let best0 = Z.max best (Z.add paid0 (largest rest room0)) in
         ((fun fO fS n -> if n=0 then fO () else fS (n-1))
            (fun _ -> best0)
            (fun j -> try0 j (Z.add paid0 c) (Z.sub room0 p) best0)
            k)
       in try0 (Z.to_nat (Z.div room p)) Big_int_Z.zero_big_int room
            Big_int_Z.zero_big_int)

(** val points :
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rec points l room =
  match l with
  | [] -> Big_int_Z.unit_big_int
  | p0 :: rest ->
    let (p, _) = p0 in
    (match rest with
     | [] -> Big_int_Z.unit_big_int
     | _ :: _ ->
       Z.mul (Z.add (Z.div room p) Big_int_Z.unit_big_int) (points rest room))

(** val most_points : Big_int_Z.big_int **)

let most_points =
  (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
    (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)))))))))))))))))

(** val increase : int -> int list -> bool **)

let rec increase above = function
| [] -> true
| x :: rest -> (&&) ((<=) above x) (increase (Stdlib.Int.succ x) rest)

(** val cut_holds :
    (int -> Big_int_Z.big_int) -> int -> Big_int_Z.big_int -> cut -> bool **)

let cut_holds power0 first0 room c =
  (&&)
    ((&&)
      ((&&)
        ((&&) (increase first0 (map fst c.counted))
          (Z.leb Big_int_Z.zero_big_int room))
        (forallb (fun e ->
          (&&) (Z.ltb Big_int_Z.zero_big_int (power0 (fst e)))
            (Z.leb Big_int_Z.zero_big_int (snd e))) c.counted))
      (Z.leb
        (points (map (fun e -> ((power0 (fst e)), (snd e))) c.counted) room)
        most_points))
    (Z.leb
      (largest (map (fun e -> ((power0 (fst e)), (snd e))) c.counted) room)
      c.cut_limit)

type levels = { values : int; step_count : int; goes : (int -> int -> int);
                comes : (int -> int -> int); low_level : (int -> int);
                top_level : (int -> int); whole_power : Big_int_Z.big_int;
                power_of : (int -> Big_int_Z.big_int);
                leak_cut : (int -> cut); leak_cuts : int;
                mass_cut : (int -> cut); mass_cuts : int;
                image : (int -> int); mate : (int -> int) }

type level_multipliers = { of_mass : Big_int_Z.big_int;
                           of_budget : (int -> Big_int_Z.big_int);
                           of_leak : (int -> int -> int -> Big_int_Z.big_int);
                           of_leak_cut : (int -> int -> Big_int_Z.big_int);
                           of_mass_cut : (int -> Big_int_Z.big_int) }

(** val is_value : levels -> int -> bool **)

let is_value s p =
  Nat.ltb 0 (s.top_level p)

(** val is_place : levels -> int -> int -> int -> bool **)

let is_place s p j l =
  (&&)
    ((&&) ((&&) (is_value s p) ((<=) (s.low_level p) l))
      ((<=) l (s.top_level p))) (Nat.ltb l (s.top_level (s.goes p j)))

(** val m_of : level_multipliers -> Big_int_Z.big_int **)

let m_of y =
  Z.max Big_int_Z.zero_big_int y.of_mass

(** val b_of : level_multipliers -> int -> Big_int_Z.big_int **)

let b_of y j =
  Z.max Big_int_Z.zero_big_int (y.of_budget j)

(** val u_of : level_multipliers -> int -> int -> int -> Big_int_Z.big_int **)

let u_of y p j l =
  Z.max Big_int_Z.zero_big_int (y.of_leak p j l)

(** val c_of_leak : level_multipliers -> int -> int -> Big_int_Z.big_int **)

let c_of_leak y k j =
  Z.max Big_int_Z.zero_big_int (y.of_leak_cut k j)

(** val c_of_mass : level_multipliers -> int -> Big_int_Z.big_int **)

let c_of_mass y k =
  Z.max Big_int_Z.zero_big_int (y.of_mass_cut k)

(** val charged :
    int -> (int -> Big_int_Z.big_int) -> (int -> cut) -> int ->
    Big_int_Z.big_int **)

let charged k c cuts0 l =
  total k (fun i ->
    if Z.eqb (c i) Big_int_Z.zero_big_int
    then Big_int_Z.zero_big_int
    else Z.mul (c i) (coefficient (cuts0 i) l))

(** val cost_of_mass :
    levels -> level_multipliers -> int -> Big_int_Z.big_int **)

let cost_of_mass s y l =
  Z.add (Z.mul (m_of y) (s.power_of l))
    (Z.mul s.whole_power (charged s.mass_cuts (c_of_mass y) s.mass_cut l))

(** val cost_of_leak :
    levels -> level_multipliers -> int -> int -> Big_int_Z.big_int **)

let cost_of_leak s y j l =
  Z.add (Z.mul (b_of y j) (s.power_of l))
    (Z.mul s.whole_power
      (charged s.leak_cuts (fun k -> c_of_leak y k j) s.leak_cut l))

(** val stay :
    levels -> level_multipliers -> int -> int -> Big_int_Z.big_int **)

let stay s y p l =
  total s.step_count (fun j ->
    if Nat.ltb l (s.top_level (s.goes p j))
    then u_of y p j l
    else Big_int_Z.zero_big_int)

(** val help_from :
    levels -> level_multipliers -> int -> int -> int -> Big_int_Z.big_int **)

let help_from s y p j l =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> Big_int_Z.zero_big_int)
    (fun i ->
    let o = s.comes p j in
    if is_place s o j i then u_of y o j i else Big_int_Z.zero_big_int)
    l

(** val help :
    levels -> level_multipliers -> int -> int -> Big_int_Z.big_int **)

let help s y p l =
  total s.step_count (fun j -> help_from s y p j l)

(** val scan :
    levels -> level_multipliers -> int -> int -> int -> int ->
    Big_int_Z.big_int -> Big_int_Z.big_int option -> Big_int_Z.big_int option **)

let rec scan s y p lo hi k helped best =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> best)
    (fun i ->
    let l = add lo i in
    let helped0 = Z.add helped (help s y p l) in
    scan s y p lo hi i helped0
      (if (<=) l hi
       then let v =
              Z.add (cost_of_mass s y l)
                (Z.mul s.whole_power (Z.sub (stay s y p l) helped0))
            in
            Some (match best with
                  | Some b -> Z.min b v
                  | None -> v)
       else best))
    k

(** val least_of_value :
    levels -> level_multipliers -> int -> int -> int -> Big_int_Z.big_int **)

let least_of_value s y p lo hi =
  match scan s y p lo hi (sub (Stdlib.Int.succ (s.top_level p)) lo)
          Big_int_Z.zero_big_int
          (if Nat.ltb (s.top_level p) hi
           then Some Big_int_Z.zero_big_int
           else None) with
  | Some v -> v
  | None -> Big_int_Z.zero_big_int

(** val least_of_leaks :
    levels -> level_multipliers -> int -> Big_int_Z.big_int **)

let least_of_leaks s y p =
  total s.step_count (fun j ->
    total (sub (Stdlib.Int.succ (s.top_level p)) (s.low_level p)) (fun i ->
      let l = add (s.low_level p) i in
      if Nat.ltb l (s.top_level (s.goes p j))
      then let u = u_of y p j l in
           if Z.eqb u Big_int_Z.zero_big_int
           then Big_int_Z.zero_big_int
           else Z.min Big_int_Z.zero_big_int
                  (Z.sub (cost_of_leak s y j l) (Z.mul s.whole_power u))
      else Big_int_Z.zero_big_int))

(** val given : levels -> level_multipliers -> Big_int_Z.big_int **)

let given s y =
  Z.add
    (total s.leak_cuts (fun k ->
      Z.mul (total s.step_count (fun j -> c_of_leak y k j))
        (s.leak_cut k).cut_limit))
    (total s.mass_cuts (fun k ->
      Z.mul (c_of_mass y k) (s.mass_cut k).cut_limit))

(** val least_sum :
    levels -> level_multipliers -> (int -> int) -> (int -> int) ->
    Big_int_Z.big_int **)

let least_sum s y lo hi =
  Z.add
    (Z.sub (Z.mul (m_of y) s.whole_power) (Z.mul s.whole_power (given s y)))
    (total s.values (fun p ->
      if is_value s p
      then Z.add (least_of_value s y p (lo p) (hi p)) (least_of_leaks s y p)
      else Big_int_Z.zero_big_int))

type cases =
| Multiplied of level_multipliers
| Decided of int * int * cases * cases
| Imaged of int * int * cases * cases * cases

(** val is_step : levels -> int -> bool **)

let is_step s p =
  any s.step_count (fun j -> (=) p (s.goes 0 j))

(** val cut_rooms :
    levels -> Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

let cut_rooms s leak_room0 mass_room0 =
  let room =
    Z.sub mass_room0
      (Z.mul
        (total s.values (fun p ->
          if is_step s p
          then Big_int_Z.unit_big_int
          else Big_int_Z.zero_big_int)) (s.power_of (Stdlib.Int.succ 0)))
  in
  (&&)
    (all s.leak_cuts (fun k ->
      cut_holds s.power_of (Stdlib.Int.succ 0) leak_room0 (s.leak_cut k)))
    (all s.mass_cuts (fun k ->
      cut_holds s.power_of (Stdlib.Int.succ (Stdlib.Int.succ 0)) room
        (s.mass_cut k)))

(** val shape_holds :
    levels -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

let shape_holds s last0 a b =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&) ((&&) (Nat.ltb 0 s.values) ((=) (s.top_level 0) 0))
                  (Z.ltb Big_int_Z.zero_big_int s.whole_power))
                (Z.ltb Big_int_Z.zero_big_int a))
              (Z.ltb Big_int_Z.zero_big_int b))
            (Z.leb Big_int_Z.zero_big_int (s.power_of 0)))
          (Z.leb (s.power_of 0) s.whole_power))
        (all last0 (fun l ->
          (&&)
            (Z.leb Big_int_Z.zero_big_int (s.power_of (Stdlib.Int.succ l)))
            (Z.leb (Z.mul (s.power_of (Stdlib.Int.succ l)) a)
              (Z.mul (s.power_of l) b)))))
      (all s.values (fun p ->
        (&&) ((<=) (s.top_level p) last0)
          ((<=) (s.low_level p) (Stdlib.Int.succ (s.top_level p))))))
    (all s.step_count (fun j ->
      (&&)
        ((&&)
          ((&&) ((=) (s.low_level (s.goes 0 j)) (Stdlib.Int.succ 0))
            ((=) (s.top_level (s.goes 0 j)) (Stdlib.Int.succ 0)))
          (all s.values (fun p ->
            (&&)
              ((&&)
                ((&&) (Nat.ltb (s.goes p j) s.values)
                  (Nat.ltb (s.comes p j) s.values))
                ((=) (s.comes (s.goes p j) j) p))
              ((=) (s.goes (s.comes p j) j) p))))
        (all s.values (fun p ->
          (||) ((||) (negb (is_value s p)) (negb (is_value s (s.goes p j))))
            ((<=) (s.low_level (s.goes p j)) (Stdlib.Int.succ
              (s.low_level p)))))))

(** val is_mirrored : levels -> bool **)

let is_mirrored s =
  (&&)
    ((&&) ((=) (s.image 0) 0)
      (all s.values (fun p ->
        (&&)
          ((&&)
            ((&&) (Nat.ltb (s.image p) s.values)
              ((=) (s.image (s.image p)) p))
            ((=) (s.top_level (s.image p)) (s.top_level p)))
          ((=) (s.low_level (s.image p)) (s.low_level p)))))
    (all s.step_count (fun j ->
      (&&) (Nat.ltb (s.mate j) s.step_count)
        (all s.values (fun p ->
          (=) (s.goes (s.image p) (s.mate j)) (s.image (s.goes p j))))))

(** val is_symmetric : levels -> (int -> int) -> (int -> int) -> bool **)

let is_symmetric s lo hi =
  all s.values (fun p ->
    (&&) ((=) (lo (s.image p)) (lo p)) ((=) (hi (s.image p)) (hi p)))

type fraction = Big_int_Z.big_int * Big_int_Z.big_int

(** val smaller : fraction -> fraction -> fraction **)

let smaller x y =
  if Z.leb (Z.mul (fst x) (snd y)) (Z.mul (fst y) (snd x)) then x else y

(** val capped : fraction -> fraction -> fraction **)

let capped cap paid0 =
  if Z.leb (fst paid0) Big_int_Z.zero_big_int
  then (Big_int_Z.zero_big_int, Big_int_Z.unit_big_int)
  else if Z.leb (Z.mul (fst cap) (snd paid0)) (Z.mul (fst paid0) (snd cap))
       then cap
       else paid0

(** val set : int -> int -> (int -> int) -> int -> int **)

let set at_p v f p =
  if (=) p at_p then v else f p

(** val both_of : fraction option -> fraction option -> fraction option **)

let both_of x y =
  match x with
  | Some a -> (match y with
               | Some b -> Some (smaller a b)
               | None -> None)
  | None -> None

(** val value_of :
    levels -> fraction -> (level_multipliers -> Big_int_Z.big_int ->
    fraction) -> bool -> cases -> (int -> int) -> (int -> int) -> fraction
    option **)

let rec value_of s cap pays mirrored0 c lo hi =
  match c with
  | Multiplied y -> Some (capped cap (pays y (least_sum s y lo hi)))
  | Decided (p, l, yes, no) ->
    both_of (value_of s cap pays mirrored0 yes lo (set p l hi))
      (value_of s cap pays mirrored0 no (set p (Stdlib.Int.succ l) lo) hi)
  | Imaged (p, l, both, neither, alone) ->
    let q = s.image p in
    if (&&) ((&&) mirrored0 (Nat.ltb p s.values)) (is_symmetric s lo hi)
    then both_of
           (value_of s cap pays mirrored0 both lo (set p l (set q l hi)))
           (both_of
             (value_of s cap pays mirrored0 neither
               (set p (Stdlib.Int.succ l) (set q (Stdlib.Int.succ l) lo)) hi)
             (value_of s cap pays mirrored0 alone
               (set q (Stdlib.Int.succ l) lo) (set p l hi)))
    else None

type level_proof = { shape : levels; last_level : int;
                     response_of : (int -> int -> int);
                     noise_of : (int -> int -> int);
                     step_value : (int -> int); root_level : (int -> int);
                     level_cap : fraction; other_cost : Big_int_Z.big_int;
                     accepted_loss : fraction; by_cases : cases }

(** val is_modular : question -> level_proof -> bool **)

let is_modular q p =
  let s = p.shape in
  let n = s.values in
  let to_first =
    filter (fun e ->
      let (y, w) = e in
      let (_, g) = y in (&&) ((=) g 0) ((=) w (Stdlib.Int.succ 0)))
      q.neighbours
  in
  (&&)
    ((&&)
      ((&&)
        ((&&) ((&&) ((=) q.responses n) ((=) q.truths n))
          (Z.ltb Big_int_Z.zero_big_int q.cost_unit))
        (all n (fun f ->
          (&&)
            (all n (fun i ->
              (&&)
                ((&&)
                  ((&&) (Nat.ltb (p.response_of i f) n)
                    (Nat.ltb (p.noise_of i f) n))
                  ((=) (p.noise_of (p.response_of i f) f) i))
                ((=) (p.response_of (p.noise_of i f) f) i)))
            (all n (fun i ->
              Pos.eqb (q.name (p.response_of i f) f) (q.name i 0))))))
      (all s.step_count (fun j ->
        (&&)
          ((&&) (Nat.ltb (p.step_value j) n)
            (all n (fun i ->
              (=) (s.goes i j) (p.response_of i (p.step_value j)))))
          (existsb (fun e -> (=) (fst (fst e)) (p.step_value j)) to_first))))
    (all n (fun i ->
      (||) ((=) (p.root_level i) (Stdlib.Int.succ (s.top_level i)))
        ((&&) ((=) (p.root_level i) (Stdlib.Int.succ 0)) (is_step s i))))

(** val cost_of : question -> level_proof -> int -> Big_int_Z.big_int **)

let cost_of q p i =
  total p.shape.values (fun f -> q.cost (p.response_of i f) f)

(** val costs_hold : question -> level_proof -> bool **)

let costs_hold q p =
  (&&) (Z.ltb (cost_of q p 0) p.other_cost)
    (all p.shape.values (fun i ->
      (||) ((=) i 0) (Z.leb p.other_cost (cost_of q p i))))

(** val same_terms : term list -> term list -> bool **)

let rec same_terms l k =
  match l with
  | [] -> (match k with
           | [] -> true
           | _ :: _ -> false)
  | t :: l' ->
    let (p, c) = t in
    let (r, f) = p in
    (match k with
     | [] -> false
     | t0 :: k' ->
       let (p0, c') = t0 in
       let (r', f') = p0 in
       (&&) ((&&) ((&&) ((=) r r') ((=) f f')) (Z.eqb c c'))
         (same_terms l' k'))

(** val same_rule : rule -> rule -> bool **)

let same_rule a b =
  (&&) ((&&) (eqb a.equation b.equation) (Z.eqb a.right b.right))
    (same_terms a.terms b.terms)

(** val pays_given :
    levels -> fraction -> level_multipliers -> Big_int_Z.big_int -> fraction **)

let pays_given s d y least0 =
  ((Z.mul least0 (snd d)),
    (Z.mul s.whole_power
      (Z.add (Z.mul (m_of y) (snd d))
        (Z.mul (total s.step_count (b_of y))
          (Z.max Big_int_Z.zero_big_int (fst d))))))

(** val pays_sought :
    levels -> fraction -> level_multipliers -> Big_int_Z.big_int -> fraction **)

let pays_sought s longest y least0 =
  ((Z.sub (Z.mul least0 (snd longest))
     (Z.mul (Z.mul (m_of y) s.whole_power) (fst longest))),
    (Z.mul s.whole_power
      (Z.mul (total s.step_count (b_of y))
        (Z.max Big_int_Z.zero_big_int (fst longest)))))

(** val leak_room : levels -> fraction -> fraction -> Big_int_Z.big_int **)

let leak_room s d longest =
  Z.div (Z.mul (Z.mul (fst d) (fst longest)) s.whole_power)
    (Z.mul (snd d) (snd longest))

(** val mass_room : levels -> fraction -> Big_int_Z.big_int **)

let mass_room s longest =
  Z.div (Z.mul (Z.sub (fst longest) (snd longest)) s.whole_power)
    (snd longest)

(** val value_at :
    level_proof -> fraction -> fraction -> (level_multipliers ->
    Big_int_Z.big_int -> fraction) -> fraction option **)

let value_at p d longest pays =
  let s = p.shape in
  if cut_rooms s (leak_room s d longest) (mass_room s longest)
  then value_of s p.level_cap pays (is_mirrored s) p.by_cases s.low_level
         p.root_level
  else None

(** val largest_share : fraction -> fraction -> fraction **)

let largest_share x d =
  let k =
    if Z.ltb (snd x) (fst x)
    then ((snd x), (fst x))
    else (Big_int_Z.unit_big_int, Big_int_Z.unit_big_int)
  in
  if Z.ltb (Z.mul (fst k) (snd d)) (Z.mul (fst d) (snd k)) then d else k

(** val levels_bound :
    question -> factors -> level_proof -> fraction option **)

let levels_bound q x p =
  let s = p.shape in
  let unit0 = q.cost_unit in
  let truth = cost_of q p 0 in
  (match q.privacies with
   | [] -> None
   | p0 :: _ ->
     let { kind = kind0; eps = e; delta = given0 } = p0 in
     (match kind0 with
      | OfMass ->
        if (&&)
             ((&&)
               ((&&)
                 ((&&) ((&&) (encloses e x) (is_modular q p))
                   (costs_hold q p))
                 (shape_holds s p.last_level x.f_num x.f_den))
               (Z.ltb Big_int_Z.zero_big_int (fst p.level_cap)))
             (Z.ltb Big_int_Z.zero_big_int (snd p.level_cap))
        then (match given0 with
              | Some d ->
                (match q.aim with
                 | TotalLoss ->
                   if (&&) (Z.leb Big_int_Z.zero_big_int (fst d))
                        (Z.ltb Big_int_Z.zero_big_int (snd d))
                   then (match value_at p d p.level_cap (pays_given s d) with
                         | Some v ->
                           let g = largest_share v d in
                           Some
                           ((Z.sub (Z.mul p.other_cost (snd g))
                              (Z.mul (Z.sub p.other_cost truth) (fst g))),
                           (Z.mul unit0 (snd g)))
                         | None -> None)
                   else None
                 | _ -> None)
              | None ->
                (match q.aim with
                 | LeastDelta ->
                   let (a, b) = p.accepted_loss in
                   let longest = ((Z.mul (Z.sub p.other_cost truth) b),
                     (Z.sub (Z.mul p.other_cost b) (Z.mul a unit0)))
                   in
                   if (&&)
                        ((&&)
                          (existsb
                            (same_rule
                              (bounded s.values s.values q.cost unit0 a b))
                            q.rules) (Z.ltb Big_int_Z.zero_big_int b))
                        (Z.ltb Big_int_Z.zero_big_int (snd longest))
                   then (match value_at p p.level_cap longest
                                 (pays_sought s longest) with
                         | Some v ->
                           Some (smaller v ((snd longest), (fst longest)))
                         | None -> None)
                   else None
                 | _ -> None))
        else None
      | _ -> None))

(** val copied :
    question -> (int -> int -> Big_int_Z.big_int) -> (int -> int ->
    Big_int_Z.big_int) -> question option **)

let copied q names costs0 =
  if all q.responses (fun r ->
       all q.truths (fun f ->
         (&&) (Pos.eqb (names r f) (q.name r f))
           (Z.eqb (costs0 r f) (q.cost r f))))
  then Some { responses = q.responses; truths = q.truths; neighbours =
         q.neighbours; privacies = q.privacies; name = names; limits =
         q.limits; limit_unit = q.limit_unit; rules = q.rules; cost = costs0;
         cost_unit = q.cost_unit; aim = q.aim }
  else None

(** val check :
    question -> factors list -> matrix ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int -> tree ->
    Big_int_Z.big_int option **)

let check q fs a claim whole0 t =
  if check_matrix q fs a claim then bound_of q fs whole0 t else None

(** val check_levels :
    question -> factors list -> matrix ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> level_proof ->
    (Big_int_Z.big_int * Big_int_Z.big_int) option **)

let check_levels q fs a claim p =
  if check_matrix q fs a claim
  then (match fs with
        | [] -> None
        | x :: _ -> levels_bound q x p)
  else None

(** val coordinates : int list -> int -> int list **)

let rec coordinates moduli f =
  match moduli with
  | [] -> []
  | m :: rest -> (Nat.modulo f m) :: (coordinates rest (Nat.div f m))

(** val difference : int list -> int -> int -> int **)

let rec difference moduli f g =
  match moduli with
  | [] -> 0
  | m :: rest ->
    add (Nat.modulo (add (Nat.modulo f m) (sub m (Nat.modulo g m))) m)
      (mul m (difference rest (Nat.div f m) (Nat.div g m)))

(** val same_vector : int list -> int list -> bool **)

let rec same_vector a b =
  match a with
  | [] -> (match b with
           | [] -> true
           | _ :: _ -> false)
  | x :: xs ->
    (match b with
     | [] -> false
     | y :: ys -> (&&) ((=) x y) (same_vector xs ys))

(** val is_listed : int list -> int list list -> int -> bool **)

let is_listed moduli vectors d =
  existsb (fun v -> same_vector v (coordinates moduli d)) vectors

(** val either : int list -> (int -> bool) -> bool -> int -> bool **)

let either moduli distances mirrored0 d =
  (||) (distances d) ((&&) mirrored0 (distances (difference moduli 0 d)))

(** val rising_pairs : int -> int -> ((int * int) * int) list -> bool **)

let rec rising_pairs n from = function
| [] -> true
| p :: rest ->
  let (p0, _) = p in
  let (f, g) = p0 in
  (&&)
    ((&&) ((&&) (Nat.ltb f n) (Nat.ltb g n)) ((<=) from (add (mul f n) g)))
    (rising_pairs n (Stdlib.Int.succ (add (mul f n) g)) rest)

(** val count_of : int -> (int -> bool) -> int -> int **)

let rec count_of n p so_far =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> so_far)
    (fun k -> count_of k p (if p k then Stdlib.Int.succ so_far else so_far))
    n

(** val are_vectors :
    int -> int list -> (int -> bool) -> ((int * int) * int) list -> bool **)

let are_vectors n moduli distance l =
  (&&)
    ((&&)
      ((&&)
        ((&&) (forallb (fun k -> Nat.ltb 0 k) moduli)
          ((=) (fold_right Nat.mul (Stdlib.Int.succ 0) moduli) n))
        (rising_pairs n 0 l))
      (forallb (fun e ->
        let (p, w) = e in
        let (f, g) = p in
        (&&) ((=) w (Stdlib.Int.succ 0)) (distance (difference moduli f g)))
        l))
    ((=) (fold_left (fun k _ -> Stdlib.Int.succ k) l 0)
      (mul n (count_of n distance 0)))

(** val are_all_pairs : int -> ((int * int) * int) list -> bool **)

let are_all_pairs n l =
  (&&)
    ((&&) (rising_pairs n 0 l)
      (forallb (fun e -> let (p, _) = e in let (f, g) = p in negb ((=) f g))
        l))
    ((=) (fold_left (fun k _ -> Stdlib.Int.succ k) l 0)
      (mul n (sub n (Stdlib.Int.succ 0))))

(** val search : (int -> bool) -> int -> int -> int -> int **)

let rec search p steps low high =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> low)
    (fun k ->
    if Nat.ltb low high
    then let mid = Nat.div2 (add low high) in
         if p mid
         then search p k (Stdlib.Int.succ mid) high
         else search p k low mid
    else low)
    steps

(** val prefix : int -> (int -> bool) -> int **)

let prefix n p =
  search p n 0 n

(** val holds_it :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int ->
    Big_int_Z.big_int -> bool **)

let holds_it m low high r v =
  (&&) (Z.leb (low r) v)
    ((||) (Z.ltb v (high r))
      ((&&) (Z.eqb v (high r))
        ((||) (Z.eqb (low r) v) ((=) (Stdlib.Int.succ r) m))))

(** val home_at :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> (int
    -> Big_int_Z.big_int) -> int -> int **)

let home_at m low high t f =
  let r = pred (prefix m (fun r -> Z.leb (low r) (t f))) in
  if (&&) (Nat.ltb r m) (holds_it m low high r (t f)) then r else m

(** val rise_of :
    int -> int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    (int -> int) -> int -> int **)

let rise_of m n high t home r =
  pred
    (prefix n (fun f ->
      (||) (Z.ltb (t f) (high r))
        ((&&) (Z.eqb (t f) (high r))
          (negb ((&&) (Nat.ltb r (home f)) (Nat.ltb (home f) m))))))

(** val fall_of :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int ->
    int **)

let fall_of n low t r =
  Nat.min (prefix n (fun f -> Z.ltb (t f) (low r))) (pred n)

type structure_word =
| Free
| Modular of int list
| SymmetricNoise
| ZeroBiasNoise

(** val are_homes : int -> int -> (int -> int) -> bool **)

let are_homes m n home =
  all n (fun f -> Nat.ltb (home f) m)

(** val is_fitting :
    int -> int -> (int -> int) -> structure_word -> bool -> bool **)

let is_fitting m n home s is_fair =
  match s with
  | Free -> (||) (negb is_fair) (are_homes m n home)
  | Modular moduli ->
    (&&)
      ((&&) ((&&) ((=) m n) (forallb (fun k -> Nat.ltb 0 k) moduli))
        ((=) (fold_right Nat.mul (Stdlib.Int.succ 0) moduli) n))
      (all n (fun f -> (=) (home f) f))
  | SymmetricNoise ->
    let d = Nat.div (sub m n) (Stdlib.Int.succ (Stdlib.Int.succ 0)) in
    (&&) ((=) m (add n (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) d)))
      (all n (fun f -> (=) (home f) (add f d)))
  | ZeroBiasNoise -> are_homes m n home

(** val place0 : int -> int -> int -> int **)

let place0 n r f =
  add (mul r (stride n)) f

(** val place_or_home : int -> (int -> int) -> int -> int -> int **)

let place_or_home n home r f =
  if (=) r (home f) then 0 else Stdlib.Int.succ (place0 n r f)

(** val key :
    int -> (int -> int) -> structure_word -> bool -> int -> int -> int **)

let key n home s is_fair r f =
  match s with
  | Free -> if is_fair then place_or_home n home r f else place0 n r f
  | Modular moduli -> difference moduli r f
  | SymmetricNoise -> add (sub r (home f)) (sub (home f) r)
  | ZeroBiasNoise -> place_or_home n home r f

(** val turned : int -> int -> (int -> int -> int) -> int -> int -> int **)

let turned m n k r f =
  Nat.min (k r f)
    (k (sub (sub m (Stdlib.Int.succ 0)) r)
      (sub (sub n (Stdlib.Int.succ 0)) f))

(** val name_in_words :
    int -> int -> (int -> int) -> structure_word -> bool -> bool -> int ->
    int -> Big_int_Z.big_int **)

let name_in_words m n home s is_fair is_symmetric0 r f =
  Pos.of_succ_nat
    (if is_symmetric0
     then turned m n (key n home s is_fair) r f
     else key n home s is_fair r f)

type limit_word =
| AtLeast of Big_int_Z.big_int
| Exactly of Big_int_Z.big_int
| Within of Big_int_Z.big_int * Big_int_Z.big_int
| Without of (int -> bool)
| ZeroStaysZero

(** val at_home :
    int -> (int -> int) -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list **)

let at_home n home low high =
  map (fun f -> ((((home f), f), low), high)) (seq 0 n)

(** val nothing :
    int -> int -> (int -> int -> bool) ->
    (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list **)

let nothing m n place1 =
  flat_map (fun r ->
    flat_map (fun f ->
      if place1 r f
      then (((r, f), Big_int_Z.zero_big_int), Big_int_Z.zero_big_int) :: []
      else []) (seq 0 n)) (seq 0 m)

(** val limits_in_words :
    int -> int -> (int -> int) -> Big_int_Z.big_int -> (int ->
    Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    limit_word -> (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list **)

let limits_in_words m n home u x t unit0 = function
| AtLeast p -> at_home n home p unit0
| Exactly p -> at_home n home p p
| Within (a, b) -> nothing m n (farther u x t a b)
| Without rs -> nothing m n (fun r _ -> rs r)
| ZeroStaysZero ->
  map (fun r ->
    let v = if (=) r 0 then unit0 else Big_int_Z.zero_big_int in
    (((r, 0), v), v)) (seq 0 m)

type property =
| ColumnMonotone
| ColumnHonest
| RowMonotone
| RowHonest
| Unbiased

type order_word =
| ColumnRising
| ColumnFalling
| HonestInColumn
| RowRising
| RowFalling
| HonestInRow

(** val order_words : (property -> bool) -> order_word list **)

let order_words asked0 =
  app
    (if asked0 ColumnMonotone
     then ColumnRising :: (ColumnFalling :: [])
     else if asked0 ColumnHonest then HonestInColumn :: [] else [])
    (if asked0 RowMonotone
     then RowRising :: (RowFalling :: [])
     else if asked0 RowHonest then HonestInRow :: [] else [])

(** val order_in_words :
    int -> int -> (int -> int) -> (int -> int) -> (int -> int) -> order_word
    -> rule list **)

let order_in_words m n home last0 first0 = function
| ColumnRising -> ordered m n (rising m home)
| ColumnFalling -> ordered m n (falling m home)
| HonestInColumn -> ordered m n (honest_in_column home)
| RowRising -> ordered m n (rising_row n last0)
| RowFalling -> ordered m n (falling_row n first0)
| HonestInRow -> ordered n n (honest_in_row home)

(** val means :
    int -> int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    (property -> bool) -> rule list **)

let means m n x t asked0 =
  if asked0 Unbiased
  then map
         (column_rule m (fun r f -> Z.sub (x r) (t f)) true
           Big_int_Z.zero_big_int) (seq 0 n)
  else []

(** val bound_in_words :
    int -> int -> (int -> int) -> Big_int_Z.big_int -> (int ->
    Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> loss_word ->
    weights_word -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> rule
    list **)

let bound_in_words m n home u x t word w worst a b =
  let c = cost_in_words u x t home word w in
  let unit0 = unit_in_words u word w in
  if worst
  then map (bounded_at m c unit0 a b) (seq 0 n)
  else (bounded m n c unit0 a b) :: []

type words = { structure : structure_word;
               noise_within : (Big_int_Z.big_int * Big_int_Z.big_int) option;
               asks_fair : bool; asks_symmetric : bool;
               asks_weakly_honest : bool; zero_stays_zero : bool;
               has : (property -> bool); said : limit_word list;
               said_unit : Big_int_Z.big_int; loss_said : loss_word;
               weights_said : weights_word;
               bounds_said : (((loss_word * weights_word) * bool) * (Big_int_Z.big_int * Big_int_Z.big_int))
                             list; own : rule list; goal : objective }

(** val join : 'a1 list list -> 'a1 list **)

let join ls =
  fold_right (fun l rest -> rev_append (rev_append l []) rest) [] ls

(** val is_unbiased : words -> property -> bool **)

let is_unbiased w p = match p with
| Unbiased -> (match w.noise_within with
               | Some _ -> true
               | None -> w.has p)
| _ -> w.has p

(** val all_limits : int -> words -> limit_word list **)

let all_limits m w =
  app (if w.zero_stays_zero then ZeroStaysZero :: [] else [])
    (app w.said
      (app
        (match w.noise_within with
         | Some p ->
           let (d, eta) = p in
           (Exactly eta) :: ((Within (d, Big_int_Z.unit_big_int)) :: [])
         | None -> [])
        (if w.asks_weakly_honest
         then (AtLeast (Z.div w.said_unit (Big_int_Z.big_int_of_int m))) :: []
         else [])))

(** val bound_rules :
    int -> int -> (int -> int) -> Big_int_Z.big_int -> (int ->
    Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    (((loss_word * weights_word) * bool) * (Big_int_Z.big_int * Big_int_Z.big_int))
    -> rule list **)

let bound_rules m n home u x t = function
| (p0, p1) ->
  let (p2, worst) = p0 in
  let (word, weights0) = p2 in
  let (p, q) = p1 in bound_in_words m n home u x t word weights0 worst p q

(** val rule_groups :
    int -> int -> (int -> int) -> (int -> int) -> (int -> int) ->
    Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> words -> rule list list **)

let rule_groups m n home last0 first0 u x t w =
  app
    (map (order_in_words m n home last0 first0) (order_words (is_unbiased w)))
    ((means m n x t (is_unbiased w)) :: ((join
                                           (map (bound_rules m n home u x t)
                                             w.bounds_said)) :: (w.own :: [])))

(** val question_in_words :
    int -> int -> ((int * int) * int) list -> privacy list -> (int -> int) ->
    Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> words -> rule list list -> question **)

let question_in_words m n near ps home u x t w groups0 =
  { responses = m; truths = n; neighbours = near; privacies = ps; name =
    (name_in_words m n home w.structure w.asks_fair w.asks_symmetric);
    limits =
    (join (map (limits_in_words m n home u x t w.said_unit) (all_limits m w)));
    limit_unit = w.said_unit; rules = (join groups0); cost =
    (cost_in_words u x t home w.loss_said w.weights_said); cost_unit =
    (unit_in_words u w.loss_said w.weights_said); aim = w.goal }

(** val needs_homes : words -> bool **)

let needs_homes w =
  (||) (match w.noise_within with
        | Some _ -> true
        | None -> false)
    ((||)
      ((||) ((||) w.asks_weakly_honest (w.has ColumnMonotone))
        (w.has ColumnHonest)) (w.has RowHonest))

(** val is_sound_limit :
    int -> int -> (int -> int) -> Big_int_Z.big_int -> limit_word -> bool **)

let is_sound_limit m n home u = function
| Within (_, b) ->
  (&&) (Z.ltb Big_int_Z.zero_big_int u) (Z.ltb Big_int_Z.zero_big_int b)
| Without _ -> true
| ZeroStaysZero -> Nat.ltb 0 n
| _ -> are_homes m n home

(** val is_sound :
    int -> int -> (int -> int) -> (int -> int) -> (int -> int) ->
    Big_int_Z.big_int -> words -> bool **)

let is_sound m n home last0 first0 u w =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&)
                  ((&&)
                    ((&&)
                      ((&&) (Z.ltb Big_int_Z.zero_big_int u)
                        (Z.ltb Big_int_Z.zero_big_int w.said_unit))
                      (Nat.ltb 0 m)) (Nat.ltb 0 n))
                  (is_fitting m n home w.structure w.asks_fair))
                ((||) (negb (needs_homes w)) (are_homes m n home)))
              ((||) (negb w.asks_weakly_honest)
                (Z.eqb (Z.modulo w.said_unit (Big_int_Z.big_int_of_int m))
                  Big_int_Z.zero_big_int)))
            (all n (fun g ->
              (||) (negb (Nat.ltb (home g) m))
                ((&&) ((<=) (first0 (home g)) g) ((<=) g (last0 (home g)))))))
          (forallb (is_sound_limit m n home u) w.said))
        (is_meant w.loss_said)) (is_weighed w.weights_said))
    (forallb (fun b ->
      let (p, p0) = b in
      let (p1, _) = p in
      let (word, weights0) = p1 in
      let (_, q) = p0 in
      (&&) ((&&) (is_meant word) (is_weighed weights0))
        (Z.ltb Big_int_Z.zero_big_int q)) w.bounds_said)

(** val asked :
    int -> int -> ((int * int) * int) list -> privacy list -> (int -> int) ->
    (int -> int) -> (int -> int) -> Big_int_Z.big_int -> (int ->
    Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> words -> rule list
    list -> (int -> int -> Big_int_Z.big_int) -> (int -> int ->
    Big_int_Z.big_int) -> question option **)

let asked m n near ps home last0 first0 u x t w groups0 names costs0 =
  if is_sound m n home last0 first0 u w
  then copied (question_in_words m n near ps home u x t w groups0) names
         costs0
  else None

type noise = { period : Big_int_Z.big_int; first : Big_int_Z.big_int;
               size : int; whole : Big_int_Z.big_int;
               tail : Big_int_Z.big_int;
               cumulative : (int -> Big_int_Z.big_int) }

(** val last : noise -> Big_int_Z.big_int **)

let last z0 =
  Z.sub (Z.add z0.first (Big_int_Z.big_int_of_int z0.size))
    Big_int_Z.unit_big_int

(** val never : noise -> Big_int_Z.big_int **)

let never z0 =
  Z.sub z0.first Big_int_Z.unit_big_int

(** val always : noise -> int -> Big_int_Z.big_int **)

let always z0 n =
  Z.add
    (Z.add (last z0)
      (Z.mul z0.period
        (Z.sub (Big_int_Z.big_int_of_int n) Big_int_Z.unit_big_int)))
    Big_int_Z.unit_big_int

(** val width : noise -> int **)

let width z0 =
  Z.to_nat z0.period

(** val law_ok : noise -> bool **)

let law_ok z0 =
  (&&)
    ((&&) (Z.ltb Big_int_Z.zero_big_int z0.period)
      (Z.ltb z0.period (Big_int_Z.big_int_of_int z0.size)))
    (let k = width z0 in
     let c = z0.cumulative in
     let n = z0.size in
     (&&)
       ((&&)
         ((&&)
           ((&&)
             ((&&)
               ((&&)
                 ((&&) (Z.leb Big_int_Z.zero_big_int z0.tail)
                   (Z.ltb z0.tail z0.whole))
                 (Z.leb Big_int_Z.zero_big_int (c 0)))
               (Z.leb (c (sub n (Stdlib.Int.succ 0))) z0.whole))
             (all (sub n (Stdlib.Int.succ 0)) (fun i ->
               Z.leb (c i) (c (Stdlib.Int.succ i)))))
           (if Z.eqb z0.tail Big_int_Z.zero_big_int
            then (&&) (Z.eqb (c 0) Big_int_Z.zero_big_int)
                   (Z.eqb (c (sub n (Stdlib.Int.succ 0))) z0.whole)
            else true))
         (Z.leb (Z.mul z0.tail (c (sub k (Stdlib.Int.succ 0))))
           (Z.mul z0.whole (c 0))))
       (Z.leb (Z.mul z0.tail (Z.sub z0.whole (c (sub n k))))
         (Z.mul z0.whole (Z.sub z0.whole (c (sub n (Stdlib.Int.succ 0)))))))

(** val fine : noise -> int -> int -> Big_int_Z.big_int **)

let fine z0 k i =
  let n = z0.size in
  if Nat.ltb i k
  then Z.mul z0.tail (z0.cumulative i)
  else if Nat.ltb i (add k n)
       then Z.mul z0.whole (z0.cumulative (sub i k))
       else Z.sub (Z.mul z0.whole z0.whole)
              (Z.mul z0.tail
                (Z.sub z0.whole (z0.cumulative (sub i (add k k)))))

(** val repeated : ('a1 -> 'a1) -> int -> 'a1 -> 'a1 **)

let rec repeated f count x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> x)
    (fun rest -> repeated f rest (f x))
    count

type pairing =
| Pair of int * Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
   * Big_int_Z.big_int

(** val next_pair :
    noise -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> pairing ->
    pairing **)

let next_pair z0 k en ed = function
| Pair (i, near, far, forth, back) ->
  let near' = fine z0 k (Stdlib.Int.succ i) in
  let far' = fine z0 k (add (Stdlib.Int.succ i) k) in
  let q = Z.sub near' near in
  let p = Z.sub far' far in
  Pair ((Stdlib.Int.succ i), near', far',
  (Z.add forth
    (Z.max Big_int_Z.zero_big_int (Z.sub (Z.mul ed p) (Z.mul en q)))),
  (Z.add back
    (Z.max Big_int_Z.zero_big_int (Z.sub (Z.mul ed q) (Z.mul en p)))))

(** val excesses :
    noise -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int * Big_int_Z.big_int **)

let excesses z0 k en ed count i near far forth back =
  let Pair (_, _, _, forth', back') =
    repeated (next_pair z0 k en ed) count (Pair (i, near, far, forth, back))
  in
  (forth', back')

(** val spends :
    noise -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let spends z0 en ed =
  let k = width z0 in
  let n = z0.size in
  let (forth, back) =
    excesses z0 k en ed (add (sub n (Stdlib.Int.succ 0)) k) 0 (fine z0 k 0)
      (fine z0 k k) Big_int_Z.zero_big_int Big_int_Z.zero_big_int
  in
  let less =
    Z.max Big_int_Z.zero_big_int
      (Z.sub (Z.mul ed z0.whole) (Z.mul en z0.tail))
  in
  let more =
    Z.max Big_int_Z.zero_big_int
      (Z.sub (Z.mul ed z0.tail) (Z.mul en z0.whole))
  in
  let before0 = z0.cumulative 0 in
  let behind0 = Z.sub z0.whole (z0.cumulative (sub n (Stdlib.Int.succ 0))) in
  Z.max (Z.add (Z.add forth (Z.mul less before0)) (Z.mul more behind0))
    (Z.add (Z.add back (Z.mul more before0)) (Z.mul less behind0))

(** val change :
    (int -> int -> Big_int_Z.big_int) -> int -> int -> Big_int_Z.big_int **)

let change c j f =
  Z.sub (c (Stdlib.Int.succ j) f) (c j f)

(** val rounded_up :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int **)

let rounded_up one0 d =
  Z.opp (Z.div (Z.opp (Z.mul (fst d) one0)) (snd d))

(** val lines_of :
    Big_int_Z.big_int -> privacy -> factors ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let lines_of one0 p x =
  match p.kind with
  | OfSets ->
    (match p.delta with
     | Some d ->
       if (&&) (encloses p.eps x) (Z.ltb Big_int_Z.zero_big_int (snd d))
       then let flat = Z.div (Z.mul one0 x.f_den) x.f_num in
            ((raised one0 x (Stdlib.Int.succ 0)),
            (rounded_up one0 d)) :: ((flat,
            (Z.sub one0
              (Z.div (Z.mul flat (Z.sub one0 (rounded_up one0 d))) one0))) :: [])
       else []
     | None -> [])
  | _ -> []

(** val lines :
    Big_int_Z.big_int -> privacy list -> factors list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list **)

let rec lines one0 ps fs =
  match ps with
  | [] -> []
  | p :: ps' ->
    (match fs with
     | [] -> []
     | x :: fs' -> app (lines_of one0 p x) (lines one0 ps' fs'))

type losses =
| ByDistance of (int -> Big_int_Z.big_int) * (int -> Big_int_Z.big_int)
| Listed of (int -> int -> Big_int_Z.big_int) * (int -> int)

(** val apart : int -> int -> int **)

let apart r f =
  if (<=) r f then sub f r else sub r f

(** val cost_of0 : losses -> int -> int -> Big_int_Z.big_int **)

let cost_of0 l r f =
  match l with
  | ByDistance (w, d) -> Z.mul (w f) (d (apart r f))
  | Listed (c, _) -> c r f

(** val home_of : losses -> int -> int **)

let home_of l j =
  match l with
  | ByDistance (_, _) -> Stdlib.Int.succ j
  | Listed (_, h) -> h j

(** val signs : int -> int -> losses -> bool **)

let signs m n = function
| ByDistance (w, d) ->
  (&&) ((&&) ((=) m n) (all n (fun f -> Z.leb Big_int_Z.zero_big_int (w f))))
    (all n (fun i -> Z.leb (d i) (d (Stdlib.Int.succ i))))
| Listed (c, h) ->
  all (sub m (Stdlib.Int.succ 0)) (fun j ->
    let k = h j in
    all n (fun f ->
      if Nat.ltb f k
      then Z.leb (c j f) (c (Stdlib.Int.succ j) f)
      else Z.leb (c (Stdlib.Int.succ j) f) (c j f)))

(** val even_weights : int -> losses -> bool **)

let even_weights n = function
| ByDistance (w, _) -> let first0 = w 0 in all n (fun f -> Z.eqb (w f) first0)
| Listed (_, _) -> false

(** val total_onto :
    int -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rec total_onto n x s =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> s)
    (fun k -> total_onto k x (Z.add s (x k)))
    n

(** val loss_constant : int -> int -> losses -> Big_int_Z.big_int **)

let loss_constant m n = function
| ByDistance (w, d) -> Z.mul (d 0) (total_onto n w Big_int_Z.zero_big_int)
| Listed (c, h) ->
  total_onto (sub m (Stdlib.Int.succ 0)) (fun j ->
    let k = h j in
    total_onto n (fun f ->
      if Nat.ltb f k then Big_int_Z.zero_big_int else change c j f)
      Big_int_Z.zero_big_int) (total_onto n (c 0) Big_int_Z.zero_big_int)

(** val bend : (int -> Big_int_Z.big_int) -> int -> Big_int_Z.big_int **)

let bend loss t =
  Z.sub (Z.sub (loss (Stdlib.Int.succ t)) (loss t))
    ((fun fO fS n -> if n=0 then fO () else fS (n-1))
       (fun _ -> Big_int_Z.zero_big_int)
       (fun s -> Z.sub (loss t) (loss s))
       t)

(** val bends_below :
    (int -> Big_int_Z.big_int) -> int -> (int * Big_int_Z.big_int) list ->
    (int * Big_int_Z.big_int) list **)

let rec bends_below loss k found =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> found)
    (fun t ->
    bends_below loss t
      (if Z.eqb (bend loss t) Big_int_Z.zero_big_int
       then found
       else (t, (bend loss t)) :: found))
    k

(** val is_squared : int -> (int -> Big_int_Z.big_int) -> bool **)

let is_squared n loss =
  (&&) (Z.eqb (loss 0) Big_int_Z.zero_big_int)
    (all (sub n (Stdlib.Int.succ 0)) (fun d ->
      Z.eqb
        (Z.sub (loss (Stdlib.Int.succ (Stdlib.Int.succ d)))
          (loss (Stdlib.Int.succ d)))
        (Z.add (Z.sub (loss (Stdlib.Int.succ d)) (loss d))
          (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)
            (loss (Stdlib.Int.succ 0))))))

type shape0 = { squared0 : bool; unit_loss : Big_int_Z.big_int;
                bends : (int * Big_int_Z.big_int) list }

(** val shape_of : int -> (int -> Big_int_Z.big_int) -> shape0 **)

let shape_of n loss =
  let sq = is_squared n loss in
  { squared0 = sq; unit_loss = (loss (Stdlib.Int.succ 0)); bends =
  (if sq then [] else bends_below loss n []) }

type decayed = { listed_mass : (int -> Big_int_Z.big_int);
                 listed_arm : (int -> Big_int_Z.big_int); resting : int;
                 listed_fade : (int -> Big_int_Z.big_int); fades : int }

(** val mass_of : decayed -> int -> Big_int_Z.big_int **)

let mass_of s x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> Big_int_Z.zero_big_int)
    (fun h -> s.listed_mass (lesser h (sub s.resting (Stdlib.Int.succ 0))))
    x

(** val arm_of : decayed -> int -> Big_int_Z.big_int **)

let arm_of s x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> Big_int_Z.zero_big_int)
    (fun h -> s.listed_arm (lesser h (sub s.resting (Stdlib.Int.succ 0))))
    x

(** val fade_of : decayed -> int -> Big_int_Z.big_int **)

let fade_of s k =
  if Nat.ltb k s.fades then s.listed_fade k else Big_int_Z.zero_big_int

(** val is_even : int -> (int -> Big_int_Z.big_int) -> bool **)

let is_even n w =
  all n (fun f -> Z.eqb (w f) (w 0))

(** val decayed_ok :
    int -> (int -> Big_int_Z.big_int) -> bool -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> decayed -> bool **)

let decayed_ok n w sq a whole0 one0 s =
  let r = sub s.resting (Stdlib.Int.succ 0) in
  let p = sub s.fades (Stdlib.Int.succ 0) in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) ((<=) (Stdlib.Int.succ 0) s.resting) ((<=) s.resting n))
            ((||) ((=) s.resting n) (is_even n w)))
          (Z.eqb (s.listed_mass 0) (Z.mul (w 0) one0)))
        (all r (fun h ->
          Z.eqb (s.listed_mass (Stdlib.Int.succ h))
            (Z.add (Z.div (Z.mul (s.listed_mass h) a) whole0)
              (Z.mul (w (Stdlib.Int.succ h)) one0)))))
      ((||) ((=) s.resting n)
        (Z.eqb (s.listed_mass r)
          (Z.add (Z.div (Z.mul (s.listed_mass r) a) whole0)
            (Z.mul (w 0) one0)))))
    (if sq
     then (&&)
            ((&&) (Z.eqb (s.listed_arm 0) Big_int_Z.zero_big_int)
              (all r (fun h ->
                Z.eqb (s.listed_arm (Stdlib.Int.succ h))
                  (Z.div (Z.mul (Z.add (s.listed_mass h) (s.listed_arm h)) a)
                    whole0))))
            ((||) ((=) s.resting n)
              (Z.eqb (s.listed_arm r)
                (Z.div (Z.mul (Z.add (s.listed_mass r) (s.listed_arm r)) a)
                  whole0)))
     else (&&)
            ((&&)
              ((&&) ((<=) (Stdlib.Int.succ 0) s.fades)
                (Z.eqb (s.listed_fade 0) one0))
              (all p (fun k ->
                Z.eqb (s.listed_fade (Stdlib.Int.succ k))
                  (Z.div (Z.mul (s.listed_fade k) a) whole0))))
            ((||) ((<=) n s.fades)
              (Z.eqb (Z.div (Z.mul (s.listed_fade p) a) whole0)
                Big_int_Z.zero_big_int)))

(** val bent :
    Big_int_Z.big_int -> decayed -> int -> int -> (int * Big_int_Z.big_int)
    list -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec bent one0 s j x bs whole_mass total0 =
  match bs with
  | [] -> Z.add (Z.mul whole_mass (mass_of s x)) (Z.div total0 one0)
  | p :: rest ->
    let (t, b) = p in
    let k = sub (Stdlib.Int.succ j) t in
    let k' = add (Stdlib.Int.succ j) t in
    let near = (<=) x k in
    let far = Nat.ltb k' x in
    bent one0 s j x rest
      (Z.sub (Z.add whole_mass (if near then b else Big_int_Z.zero_big_int))
        (if far then b else Big_int_Z.zero_big_int))
      (Z.add
        (Z.add total0
          (if near
           then Big_int_Z.zero_big_int
           else Z.mul (Z.mul b (fade_of s (sub x k))) (mass_of s k)))
        (if far
         then Z.mul (Z.mul b (fade_of s (sub x k'))) (mass_of s k')
         else Big_int_Z.zero_big_int))

(** val decayed_sum :
    shape0 -> Big_int_Z.big_int -> decayed -> int -> int -> Big_int_Z.big_int **)

let decayed_sum q one0 s j x =
  if q.squared0
  then Z.mul q.unit_loss
         (Z.add
           (Z.mul
             (Z.add
               (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)
                 (Z.sub (Big_int_Z.big_int_of_int (Stdlib.Int.succ j))
                   (Big_int_Z.big_int_of_int x))) Big_int_Z.unit_big_int)
             (mass_of s x))
           (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)
             (arm_of s x)))
  else bent one0 s j x q.bends Big_int_Z.zero_big_int Big_int_Z.zero_big_int

(** val heaviest :
    int -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rec heaviest n w most =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> most)
    (fun k -> heaviest k w (Z.max most (w k)))
    n

(** val sizes :
    (int * Big_int_Z.big_int) list -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec sizes bs s =
  match bs with
  | [] -> s
  | p :: rest -> let (_, b) = p in sizes rest (Z.add s (Z.abs b))

(** val fine0 :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let fine0 a whole0 =
  if Z.eqb a whole0
  then Big_int_Z.unit_big_int
  else Z.mul whole0 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2 (Big_int_Z.mult_int_big_int 2
         (Big_int_Z.mult_int_big_int 2
         Big_int_Z.unit_big_int))))))))))))))))))))))))

(** val reach :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let reach n a whole0 =
  if Z.eqb a whole0
  then Big_int_Z.big_int_of_int n
  else Z.min (Big_int_Z.big_int_of_int n)
         (Z.add (Z.div whole0 (Z.sub whole0 a)) Big_int_Z.unit_big_int)

(** val error :
    int -> shape0 -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int **)

let error n q heavy a whole0 =
  if Z.eqb a whole0
  then Big_int_Z.zero_big_int
  else let r = reach n a whole0 in
       Z.mul
         (Z.add (Z.add (Z.mul (Z.mul heavy r) r) r)
           (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int))
         (if q.squared0
          then Z.mul q.unit_loss
                 (Z.add
                   (Z.mul (Big_int_Z.mult_int_big_int 2
                     (Big_int_Z.mult_int_big_int 2
                     (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)))
                     (Big_int_Z.big_int_of_int n))
                   (Big_int_Z.mult_int_big_int 2
                   (Big_int_Z.mult_int_big_int 2
                   ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
                   Big_int_Z.unit_big_int))))
          else Z.mul
                 ((fun x -> Big_int_Z.succ_big_int (Big_int_Z.mult_int_big_int 2 x))
                 Big_int_Z.unit_big_int)
                 (sizes q.bends Big_int_Z.zero_big_int))

(** val thresholds_ok :
    noise -> int -> int -> (int -> Big_int_Z.big_int) -> bool **)

let thresholds_ok z0 m n threshold =
  (&&)
    ((&&)
      ((&&)
        ((&&) ((<=) (Stdlib.Int.succ (Stdlib.Int.succ 0)) m)
          ((<=) (Stdlib.Int.succ 0) n)) (Z.leb (never z0) (threshold 0)))
      (Z.leb (threshold (sub m (Stdlib.Int.succ (Stdlib.Int.succ 0))))
        (always z0 n)))
    (all (sub m (Stdlib.Int.succ (Stdlib.Int.succ 0))) (fun j ->
      Z.leb (threshold j) (threshold (Stdlib.Int.succ j))))

(** val zero_certain : noise -> int -> (int -> Big_int_Z.big_int) -> bool **)

let zero_certain z0 n threshold =
  if Z.eqb z0.tail Big_int_Z.zero_big_int
  then Z.leb (last z0) (threshold 0)
  else Z.eqb (threshold 0) (always z0 n)

(** val spent_within : noise -> (privacy * factors) -> bool **)

let spent_within z0 = function
| (p, x) ->
  (&&) (encloses p.eps x)
    (match p.kind with
     | OfSets ->
       (match p.delta with
        | Some p0 ->
          let (a, b) = p0 in
          (&&) (Z.ltb Big_int_Z.zero_big_int b)
            (Z.leb (Z.mul (spends z0 x.e_num x.e_den) b)
              (Z.mul a (Z.mul x.e_den (Z.mul z0.whole z0.whole))))
        | None -> false)
     | _ -> false)

(** val greater : int -> int -> int **)

let greater a b =
  if (<=) a b then b else a

(** val span : losses -> bool -> int -> int -> int -> Big_int_Z.big_int **)

let span l even0 j a b =
  match l with
  | ByDistance (w, d) ->
    if even0
    then Z.mul (w 0)
           (Z.sub (d (apart (Stdlib.Int.succ j) a))
             (d (apart (Stdlib.Int.succ j) b)))
    else total_onto (sub b a) (fun i -> change (cost_of0 l) j (add a i))
           Big_int_Z.zero_big_int
  | Listed (_, _) ->
    total_onto (sub b a) (fun i -> change (cost_of0 l) j (add a i))
      Big_int_Z.zero_big_int

(** val window : noise -> int -> Big_int_Z.big_int -> int * int **)

let window z0 n t =
  let start1 =
    lesser (Z.to_nat (Z.opp (Z.div (Z.sub (last z0) t) z0.period))) n
  in
  (start1,
  (lesser
    (greater
      (Z.to_nat
        (Z.add (Z.div (Z.sub t z0.first) z0.period) Big_int_Z.unit_big_int))
      start1) n))

(** val inside :
    noise -> (int -> Big_int_Z.big_int) -> int -> int -> int -> int -> int ->
    Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec inside z0 x home k count f i s =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> s)
    (fun rest ->
    let y = z0.cumulative i in
    inside z0 x home k rest (Stdlib.Int.succ f) (sub i k)
      (Z.add s
        (Z.mul (x f) (if Nat.ltb f home then Z.sub z0.whole y else Z.opp y))))
    count

(** val step_value0 :
    noise -> int -> losses -> bool -> int -> Big_int_Z.big_int -> int -> int
    -> Big_int_Z.big_int **)

let step_value0 z0 n l even0 j t start1 stop =
  let k = lesser (home_of l j) n in
  Z.add
    (inside z0 (change (cost_of0 l) j) k (width z0) (sub stop start1) start1
      (Z.to_nat
        (Z.sub (Z.sub t (Z.mul z0.period (Big_int_Z.big_int_of_int start1)))
          z0.first)) Big_int_Z.zero_big_int)
    (Z.mul z0.whole
      (Z.sub
        (if Nat.ltb stop k
         then span l even0 j stop k
         else Big_int_Z.zero_big_int)
        (if Nat.ltb k start1
         then span l even0 j k start1
         else Big_int_Z.zero_big_int)))

(** val is_cut : noise -> int -> Big_int_Z.big_int -> int -> int -> bool **)

let is_cut z0 n t start1 stop =
  (&&) ((&&) (negb (Z.eqb t (never z0))) (negb (Z.eqb t (always z0 n))))
    ((||) (Nat.ltb 0 start1) (Nat.ltb stop n))

type stage =
| At of int * Big_int_Z.big_int * int * int * Big_int_Z.big_int * bool
   * Big_int_Z.big_int

(** val next :
    noise -> int -> losses -> bool -> (int -> Big_int_Z.big_int) -> stage ->
    stage **)

let next z0 n l even0 threshold = function
| At (j, t, start1, stop, v, cut0, s) ->
  let t' = threshold (Stdlib.Int.succ j) in
  if (&&)
       ((&&) ((&&) even0 (Z.eqb t' (Z.add t z0.period))) (Nat.ltb 0 start1))
       (Nat.ltb stop n)
  then At ((Stdlib.Int.succ j), t', (Stdlib.Int.succ start1),
         (Stdlib.Int.succ stop), v, true, (Z.add s v))
  else let (start', stop') = window z0 n t' in
       let v' = step_value0 z0 n l even0 (Stdlib.Int.succ j) t' start' stop'
       in
       At ((Stdlib.Int.succ j), t', start', stop', v',
       ((||) cut0 (is_cut z0 n t' start' stop')), (Z.add s v'))

(** val steps_after :
    noise -> int -> losses -> bool -> (int -> Big_int_Z.big_int) -> int ->
    int -> Big_int_Z.big_int -> int -> int -> Big_int_Z.big_int -> bool ->
    Big_int_Z.big_int -> Big_int_Z.big_int * bool **)

let steps_after z0 n l even0 threshold count j t start1 stop v cut0 s =
  let At (_, _, _, _, _, cut', s') =
    repeated (next z0 n l even0 threshold) count (At (j, t, start1, stop, v,
      cut0, s))
  in
  (s', cut')

(** val steps_value :
    noise -> int -> int -> losses -> bool -> (int -> Big_int_Z.big_int) ->
    Big_int_Z.big_int * bool **)

let steps_value z0 m n l even0 threshold =
  let t = threshold 0 in
  let (start1, stop) = window z0 n t in
  let v = step_value0 z0 n l even0 0 t start1 stop in
  steps_after z0 n l even0 threshold
    (sub m (Stdlib.Int.succ (Stdlib.Int.succ 0))) 0 t start1 stop v
    (is_cut z0 n t start1 stop) v

(** val variation : int -> int -> losses -> Big_int_Z.big_int **)

let variation m n l = match l with
| ByDistance (w, d) ->
  Z.sub
    (total_onto n (fun f ->
      Z.mul (w f) (Z.add (d f) (d (sub (sub n (Stdlib.Int.succ 0)) f))))
      Big_int_Z.zero_big_int)
    (Z.mul (Big_int_Z.mult_int_big_int 2 Big_int_Z.unit_big_int)
      (Z.mul (d 0) (total_onto n w Big_int_Z.zero_big_int)))
| Listed (_, _) ->
  total_onto (sub m (Stdlib.Int.succ 0)) (fun j ->
    total_onto n (fun f -> Z.abs (change (cost_of0 l) j f))
      Big_int_Z.zero_big_int) Big_int_Z.zero_big_int

(** val noise_loss :
    noise -> int -> int -> losses -> (int -> Big_int_Z.big_int) ->
    Big_int_Z.big_int **)

let noise_loss z0 m n l threshold =
  let (s, cut0) = steps_value z0 m n l (even_weights n l) threshold in
  Z.add (Z.add (Z.mul (loss_constant m n l) z0.whole) s)
    (if cut0
     then Z.mul
            (Z.max (z0.cumulative 0)
              (Z.sub z0.whole
                (z0.cumulative (sub z0.size (Stdlib.Int.succ 0)))))
            (variation m n l)
     else Big_int_Z.zero_big_int)

type walk = { left_sums : decayed; right_sums : decayed; plain_sums : decayed }

(** val mirrored :
    int -> (int -> Big_int_Z.big_int) -> int -> Big_int_Z.big_int **)

let mirrored n w f =
  w (sub (sub n (Stdlib.Int.succ 0)) f)

(** val beside :
    shape0 -> Big_int_Z.big_int -> walk -> int -> int -> Big_int_Z.big_int **)

let beside q one0 k j x =
  decayed_sum q one0 k.left_sums j x

(** val beyond :
    int -> shape0 -> Big_int_Z.big_int -> walk -> int -> int ->
    Big_int_Z.big_int **)

let beyond n q one0 k j x =
  decayed_sum q one0 k.right_sums
    (sub (sub n (Stdlib.Int.succ (Stdlib.Int.succ 0))) j) (sub n x)

(** val between :
    (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0 ->
    bool -> walk -> int -> int -> Big_int_Z.big_int **)

let between w loss q even0 k j x =
  if even0
  then Z.mul (w 0) (Z.sub (loss (apart (Stdlib.Int.succ j) x)) (loss 0))
  else Z.sub
         (decayed_sum q Big_int_Z.unit_big_int k.plain_sums j
           (Stdlib.Int.succ j))
         (decayed_sum q Big_int_Z.unit_big_int k.plain_sums j x)

(** val steady : int -> walk -> int -> int -> int -> int -> int -> bool **)

let steady n k bend_most j x j' x' =
  (&&)
    ((&&)
      ((&&) ((<=) (add k.left_sums.resting bend_most) (Stdlib.Int.succ j))
        ((<=) (add k.left_sums.resting bend_most) x))
      ((<=) (add k.right_sums.resting bend_most) (Stdlib.Int.succ
        (sub (sub n (Stdlib.Int.succ (Stdlib.Int.succ 0))) j'))))
    ((<=) (add k.right_sums.resting bend_most) (sub n x'))

(** val furthest : (int * Big_int_Z.big_int) list -> int -> int **)

let rec furthest bs most =
  match bs with
  | [] -> most
  | p :: rest ->
    let (t, _) = p in furthest rest (if (<=) t most then most else t)

(** val question_ok :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> bool **)

let question_ok n w loss unit0 heavy =
  (&&)
    ((&&)
      ((&&)
        ((&&) ((<=) (Stdlib.Int.succ (Stdlib.Int.succ 0)) n)
          (Z.ltb Big_int_Z.zero_big_int unit0))
        (signs n n (ByDistance (w, loss))))
      (Z.leb Big_int_Z.zero_big_int (loss 0)))
    (Z.leb Big_int_Z.unit_big_int heavy)

(** val walk_ok :
    int -> (int -> Big_int_Z.big_int) -> shape0 -> bool -> Big_int_Z.big_int
    -> Big_int_Z.big_int -> walk -> bool **)

let walk_ok n w q even0 a whole0 k =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&) (Z.ltb Big_int_Z.zero_big_int whole0)
            (Z.leb Big_int_Z.zero_big_int a)) (Z.leb a whole0))
        (decayed_ok n w q.squared0 a whole0 (fine0 a whole0) k.left_sums))
      (decayed_ok n (mirrored n w) q.squared0 a whole0 (fine0 a whole0)
        k.right_sums))
    ((||) even0
      (decayed_ok n w q.squared0 Big_int_Z.unit_big_int
        Big_int_Z.unit_big_int Big_int_Z.unit_big_int k.plain_sums))

(** val draw : int -> int -> int **)

let draw n p =
  lesser n (sub p (Stdlib.Int.succ 0))

(** val step_loss :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> walk -> (int -> int) -> int ->
    Big_int_Z.big_int **)

let step_loss n w loss q even0 one0 error0 whole0 low high k place1 j =
  let p = place1 j in
  let x = draw n p in
  Z.add (Z.mul (between w loss q even0 k j x) (Z.mul one0 whole0))
    (if (||) ((=) p 0) ((=) p (add n (Stdlib.Int.succ (Stdlib.Int.succ 0))))
     then Big_int_Z.zero_big_int
     else Z.add
            (Z.mul (Z.sub whole0 high) (Z.add (beside q one0 k j x) error0))
            (Z.mul low (Z.add (beyond n q one0 k j x) error0)))

(** val same_places : int -> (int -> int) -> int -> int -> bool **)

let same_places n place1 count j =
  (&&)
    ((&&) ((<=) (Stdlib.Int.succ 0) (place1 j))
      ((<=) (add (place1 j) count)
        (add n (Stdlib.Int.succ (Stdlib.Int.succ 0)))))
    (all count (fun i -> (=) (place1 (add j i)) (add (place1 j) i)))

(** val loss_next :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> walk -> (int -> int) -> int ->
    (int * Big_int_Z.big_int) option -> int -> (int * Big_int_Z.big_int)
    option **)

let loss_next n w loss q even0 one0 error0 whole0 low high k place1 bend_most sum count =
  match sum with
  | Some p ->
    let (j, s) = p in
    if (&&)
         ((&&) ((<=) (Stdlib.Int.succ 0) count)
           ((<=) (add j count) (sub n (Stdlib.Int.succ 0))))
         ((||) ((=) count (Stdlib.Int.succ 0))
           ((&&) (same_places n place1 count j)
             (steady n k bend_most j (draw n (place1 j))
               (add j (sub count (Stdlib.Int.succ 0)))
               (add (draw n (place1 j)) (sub count (Stdlib.Int.succ 0))))))
    then Some ((add j count),
           (Z.add s
             (Z.mul (Big_int_Z.big_int_of_int count)
               (step_loss n w loss q even0 one0 error0 whole0 low high k
                 place1 j))))
    else None
  | None -> None

(** val loss_runs :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> walk -> (int -> int) -> int ->
    int list -> int -> Big_int_Z.big_int -> Big_int_Z.big_int option **)

let loss_runs n w loss q even0 one0 error0 whole0 low high k place1 bend_most counts j s =
  match fold_left
          (loss_next n w loss q even0 one0 error0 whole0 low high k place1
            bend_most) counts (Some (j, s)) with
  | Some p ->
    let (j0, s0) = p in
    if (=) j0 (sub n (Stdlib.Int.succ 0)) then Some s0 else None
  | None -> None

(** val tails_attain :
    privacy -> factors -> noise -> int -> (int -> Big_int_Z.big_int) -> (int
    -> Big_int_Z.big_int) -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int)
    -> (int -> int) -> walk -> int list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let tails_attain p x z0 n w loss unit0 threshold place1 k counts = function
| (on, od) ->
  let q = shape_of n loss in
  let heavy = heaviest n w Big_int_Z.zero_big_int in
  let even0 = is_even n w in
  let whole0 = z0.whole in
  let one0 = fine0 z0.tail whole0 in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&)
                  ((&&) (law_ok z0)
                    ((=) z0.size (Stdlib.Int.succ (Stdlib.Int.succ 0))))
                  (Z.eqb z0.period Big_int_Z.unit_big_int))
                (thresholds_ok z0 n n threshold)) (spent_within z0 (p, x)))
            (question_ok n w loss unit0 heavy))
          (walk_ok n w q even0 z0.tail whole0 k))
        (Z.ltb Big_int_Z.zero_big_int od))
      (all (sub n (Stdlib.Int.succ 0)) (fun j ->
        Z.eqb (threshold j)
          (Z.add (never z0) (Big_int_Z.big_int_of_int (place1 j))))))
    (match loss_runs n w loss q even0 one0 (error n q heavy z0.tail whole0)
             whole0 (z0.cumulative 0) (z0.cumulative (Stdlib.Int.succ 0)) k
             place1 (furthest q.bends 0) counts 0 Big_int_Z.zero_big_int with
     | Some s ->
       Z.leb
         (Z.mul
           (Z.add
             (Z.mul (loss_constant n n (ByDistance (w, loss)))
               (Z.mul one0 whole0)) s) od)
         (Z.mul on (Z.mul unit0 (Z.mul one0 whole0)))
     | None -> false)

(** val least_from_zero :
    (Big_int_Z.big_int * Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool -> Big_int_Z.big_int **)

let least_from_zero l l' ends =
  if Z.leb (snd l) (snd l')
  then let (a, b) = l in
       let (c, d) = l' in
       if (&&) (Z.leb Big_int_Z.zero_big_int d)
            ((||) (Z.leb Big_int_Z.zero_big_int b) (Z.leb a c))
       then Z.max a c
       else if (&&) ends
                 ((||) (Z.ltb d Big_int_Z.zero_big_int)
                   (Z.leb (Z.add c d) (Z.add a b)))
            then Z.max (Z.add a b) (Z.add c d)
            else if Z.leb Big_int_Z.zero_big_int d
                 then Z.div (Z.sub (Z.mul a d) (Z.mul c b)) (Z.sub d b)
                 else Big_int_Z.zero_big_int
  else let (a, b) = l' in
       let (c, d) = l in
       if (&&) (Z.leb Big_int_Z.zero_big_int d)
            ((||) (Z.leb Big_int_Z.zero_big_int b) (Z.leb a c))
       then Z.max a c
       else if (&&) ends
                 ((||) (Z.ltb d Big_int_Z.zero_big_int)
                   (Z.leb (Z.add c d) (Z.add a b)))
            then Z.max (Z.add a b) (Z.add c d)
            else if Z.leb Big_int_Z.zero_big_int d
                 then Z.div (Z.sub (Z.mul a d) (Z.mul c b)) (Z.sub d b)
                 else Big_int_Z.zero_big_int

(** val line_of :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> walk -> int -> int -> int ->
    Big_int_Z.big_int * Big_int_Z.big_int **)

let line_of n w loss q even0 one0 error0 a whole0 k j g h =
  let base = Z.mul (between w loss q even0 k j (Stdlib.Int.succ h)) one0 in
  let own0 = beside q one0 k j (Stdlib.Int.succ h) in
  let other = beyond n q one0 k j (Stdlib.Int.succ h) in
  let less = Z.div (Z.mul (Z.sub other error0) a) whole0 in
  let scaled0 = fun further b ->
    if further then Z.div (Z.mul b whole0) a else b
  in
  if (<=) g j
  then ((Z.add base (Z.sub own0 error0)),
         (scaled0 ((=) h g) (Z.sub less (Z.add own0 error0))))
  else ((Z.add base less),
         (scaled0 (negb ((=) h g))
           (Z.sub (Z.sub own0 error0)
             (Z.opp (Z.div (Z.opp (Z.mul (Z.add other error0) a)) whole0)))))

(** val step_bound :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> walk -> int -> int -> Big_int_Z.big_int **)

let step_bound n w loss q even0 one0 error0 a whole0 k j g =
  Z.max Big_int_Z.zero_big_int
    (least_from_zero (line_of n w loss q even0 one0 error0 a whole0 k j g g)
      (line_of n w loss q even0 one0 error0 a whole0 k j g (Stdlib.Int.succ
        g)) ((||) ((=) g j) ((=) g (Stdlib.Int.succ j))))

(** val bound_next :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> walk -> int -> int -> int ->
    (int * Big_int_Z.big_int) option -> (int * int) ->
    (int * Big_int_Z.big_int) option **)

let bound_next n w loss q even0 one0 error0 a whole0 k bend_most half twice sum run0 =
  match sum with
  | Some p ->
    let (j, s) = p in
    let (count, g) = run0 in
    if (&&)
         ((&&)
           ((&&) ((<=) (Stdlib.Int.succ 0) count) ((<=) (add j count) half))
           (Nat.ltb (add g count) n))
         ((||) ((=) count (Stdlib.Int.succ 0))
           (steady n k bend_most j (Stdlib.Int.succ g)
             (add j (sub count (Stdlib.Int.succ 0)))
             (add (Stdlib.Int.succ (Stdlib.Int.succ g))
               (sub count (Stdlib.Int.succ 0)))))
    then Some ((add j count),
           (Z.add s
             (Z.mul
               (Big_int_Z.big_int_of_int
                 (add count (sub (lesser (add j count) twice) j)))
               (step_bound n w loss q even0 one0 error0 a whole0 k j g))))
    else None
  | None -> None

(** val bound_runs :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> walk -> int -> int -> int -> (int * int) list -> int
    -> Big_int_Z.big_int -> Big_int_Z.big_int option **)

let bound_runs n w loss q even0 one0 error0 a whole0 k bend_most half twice runs j s =
  match fold_left
          (bound_next n w loss q even0 one0 error0 a whole0 k bend_most half
            twice) runs (Some (j, s)) with
  | Some p -> let (j0, s0) = p in if (=) j0 half then Some s0 else None
  | None -> None

(** val decay_of : factors -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let decay_of x whole0 =
  Z.div (Z.mul whole0 x.f_den) x.f_num

(** val is_pure : privacy -> factors -> bool **)

let is_pure p x =
  (&&) (encloses p.eps x)
    (match p.kind with
     | OfSets ->
       (match p.delta with
        | Some p0 ->
          let (d, b) = p0 in
          (&&) (Z.eqb d Big_int_Z.zero_big_int)
            (Z.ltb Big_int_Z.zero_big_int b)
        | None -> false)
     | _ -> false)

(** val tails_bound :
    privacy -> factors -> int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int -> walk ->
    (int * int) list -> bool -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    bool **)

let tails_bound p x n w loss unit0 whole0 k runs twofold = function
| (on, od) ->
  let q = shape_of n loss in
  let heavy = heaviest n w Big_int_Z.zero_big_int in
  let even0 = is_even n w in
  let a = decay_of x whole0 in
  let one0 = fine0 a whole0 in
  (&&)
    ((&&)
      ((&&) ((&&) (is_pure p x) (question_ok n w loss unit0 heavy))
        (Z.leb Big_int_Z.zero_big_int on)) (Z.ltb Big_int_Z.zero_big_int od))
    (if Z.leb a Big_int_Z.zero_big_int
     then Z.leb (Z.mul on unit0)
            (Z.mul od (loss_constant n n (ByDistance (w, loss))))
     else (&&)
            ((&&) (walk_ok n w q even0 a whole0 k)
              ((||) (negb twofold)
                (all n (fun f -> Z.eqb (mirrored n w f) (w f)))))
            (let half =
               if twofold then Nat.div2 n else sub n (Stdlib.Int.succ 0)
             in
             match bound_runs n w loss q even0 one0
                     (error n q heavy a whole0) a whole0 k
                     (furthest q.bends 0) half
                     (sub (sub n (Stdlib.Int.succ 0)) half) runs 0
                     Big_int_Z.zero_big_int with
             | Some s ->
               Z.leb (Z.mul on (Z.mul unit0 one0))
                 (Z.mul od
                   (Z.add
                     (Z.mul (loss_constant n n (ByDistance (w, loss))) one0)
                     s))
             | None -> false))

type profile = { up : (int -> int); across : (int -> int); up_to : int;
                 across_to : int }

type pairs = (Big_int_Z.big_int * Big_int_Z.big_int) list

(** val next_up :
    Big_int_Z.big_int -> Big_int_Z.big_int -> pairs -> int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int * Big_int_Z.big_int **)

let next_up one0 floor ls hint p =
  match nth_error ls hint with
  | Some p0 ->
    let (s, o) = p0 in
    let a = Z.add (Z.sub (Z.sub one0 o) s) (Z.div (Z.mul s (fst p)) one0) in
    if Z.ltb floor a
    then (a, (Z.div (Z.mul s (snd p)) one0))
    else (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)
  | None -> (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)

(** val next_across :
    Big_int_Z.big_int -> Big_int_Z.big_int -> pairs -> int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int * Big_int_Z.big_int **)

let next_across one0 floor ls hint p =
  match nth_error ls hint with
  | Some p0 ->
    let (s, o) = p0 in
    if Z.leb s Big_int_Z.zero_big_int
    then (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)
    else let a = Z.div (Z.mul (Z.sub (fst p) o) one0) s in
         if Z.ltb floor a
         then (a, (Z.div (Z.mul (snd p) one0) s))
         else (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)
  | None -> (Big_int_Z.zero_big_int, Big_int_Z.zero_big_int)

(** val unrolled :
    (int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    Big_int_Z.big_int * Big_int_Z.big_int) -> int -> int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> pairs -> pairs **)

let rec unrolled next1 count d p done0 =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> done0)
    (fun c ->
    let p' = next1 (Stdlib.Int.succ d) p in
    unrolled next1 c (Stdlib.Int.succ d) p' (p' :: done0))
    count

(** val sequences :
    Big_int_Z.big_int -> Big_int_Z.big_int -> pairs -> profile ->
    pairs * pairs **)

let sequences one0 floor ls p =
  ((rev_append
     (unrolled (fun d -> next_up one0 floor ls (p.up d)) p.up_to 0
       (Big_int_Z.zero_big_int, one0) []) []),
    (rev_append
      (unrolled (fun d -> next_across one0 floor ls (p.across d)) p.across_to
        0 (Big_int_Z.zero_big_int, one0) ((Big_int_Z.zero_big_int,
        one0) :: [])) []))

(** val weigh :
    (int -> Big_int_Z.big_int) -> pairs -> int -> int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int * Big_int_Z.big_int **)

let rec weigh cost0 ps count d a y =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> (a, y))
    (fun c ->
    match ps with
    | [] -> (a, y)
    | p :: rest ->
      let (b, z0) = p in
      let w = cost0 d in
      if Z.eqb w Big_int_Z.zero_big_int
      then weigh cost0 rest c (Stdlib.Int.succ d) a y
      else weigh cost0 rest c (Stdlib.Int.succ d) (Z.add a (Z.mul w b))
             (Z.add y (Z.mul w z0)))
    count

(** val minorant :
    (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int -> int ->
    (pairs * pairs) -> Big_int_Z.big_int * Big_int_Z.big_int **)

let minorant ca cb b f sides =
  let (a, y) =
    weigh ca (fst sides) b 0 Big_int_Z.zero_big_int Big_int_Z.zero_big_int
  in
  let (a', z0) =
    weigh cb (snd sides) f 0 Big_int_Z.zero_big_int Big_int_Z.zero_big_int
  in
  ((Z.add (Z.add a y) a'), (Z.sub z0 y))

(** val larger :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let larger one0 p q x =
  Z.max (Z.add (fst p) (Z.div (Z.mul (snd p) x) one0))
    (Z.add (fst q) (Z.div (Z.mul (snd q) x) one0))

(** val least_of_lines :
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let least_of_lines one0 p q least0 =
  let (a, b) = p in
  let (c, d) = q in
  let ends = Z.min (larger one0 p q least0) (larger one0 p q one0) in
  if Z.ltb (Z.mul b d) Big_int_Z.zero_big_int
  then if Z.ltb b d
       then let over0 = Z.sub a c in
            let under = Z.sub d b in
            if (&&) (Z.leb (Z.mul least0 under) (Z.mul over0 one0))
                 (Z.leb over0 under)
            then if Z.ltb b d
                 then Z.div (Z.sub (Z.mul a d) (Z.mul c b)) under
                 else Z.div (Z.sub (Z.mul c b) (Z.mul a d)) under
            else ends
       else let over0 = Z.sub c a in
            let under = Z.sub b d in
            if (&&) (Z.leb (Z.mul least0 under) (Z.mul over0 one0))
                 (Z.leb over0 under)
            then if Z.ltb b d
                 then Z.div (Z.sub (Z.mul a d) (Z.mul c b)) under
                 else Z.div (Z.sub (Z.mul c b) (Z.mul a d)) under
            else ends
  else ends

(** val after_one :
    Big_int_Z.big_int -> pairs -> (int -> int) -> int -> int ->
    Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec after_one one0 ls hint count f a =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> a)
    (fun c ->
    after_one one0 ls hint c (Stdlib.Int.succ f)
      (match nth_error ls (hint f) with
       | Some p ->
         let (s, o) = p in
         if Z.leb s Big_int_Z.zero_big_int
         then Big_int_Z.zero_big_int
         else Z.max (Z.div (Z.mul (Z.sub a o) one0) s) Big_int_Z.zero_big_int
       | None -> Big_int_Z.zero_big_int))
    count

type step = { at_step : int; alike : int; before : int; behind : int;
              for_place : int; for_next : int; certain : (int -> int) option }

type task =
| Prepare of int * profile
| Step of step

type slots = (pairs * pairs) list

(** val put : int -> (pairs * pairs) -> slots -> slots **)

let rec put i x = function
| [] -> x :: []
| y :: rest ->
  ((fun fO fS n -> if n=0 then fO () else fS (n-1))
     (fun _ -> x :: rest)
     (fun i' -> y :: (put i' x rest))
     i)

(** val at_slot : slots -> int -> pairs * pairs **)

let at_slot held i =
  match nth_error held i with
  | Some x -> x
  | None -> ([], [])

(** val cost_before :
    losses -> int -> int -> bool -> int -> Big_int_Z.big_int **)

let cost_before l j k sure d =
  if (&&) sure ((=) (Stdlib.Int.succ d) k)
  then Big_int_Z.zero_big_int
  else change (cost_of0 l) j (sub k (Stdlib.Int.succ d))

(** val cost_behind : losses -> int -> int -> int -> Big_int_Z.big_int **)

let cost_behind l j k d =
  Z.opp (change (cost_of0 l) j (add k d))

(** val step_value1 :
    losses -> Big_int_Z.big_int -> pairs -> slots -> step -> Big_int_Z.big_int **)

let step_value1 l one0 ls held s =
  let j = s.at_step in
  let k = home_of l j in
  let sure = match s.certain with
             | Some _ -> true
             | None -> false in
  let side = fun i ->
    minorant (cost_before l j k sure) (cost_behind l j k) s.before s.behind
      (at_slot held i)
  in
  let least0 =
    match s.certain with
    | Some hint -> after_one one0 ls hint k 0 one0
    | None -> Big_int_Z.zero_big_int
  in
  Z.max Big_int_Z.zero_big_int
    (least_of_lines one0 (side s.for_place) (side s.for_next) least0)

(** val step_ok :
    int -> int -> losses -> bool -> bool -> int -> step -> bool **)

let step_ok m n l zero even0 from s =
  let k = home_of l s.at_step in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&) ((&&) ((<=) from s.at_step) (Nat.ltb 0 s.alike))
              ((<=) s.alike (sub (sub m (Stdlib.Int.succ 0)) s.at_step)))
            ((<=) s.before k)) (Nat.ltb 0 s.behind))
        ((<=) s.behind (sub (sub n k) (sub s.alike (Stdlib.Int.succ 0)))))
      (if (=) s.alike (Stdlib.Int.succ 0) then true else even0))
    (match s.certain with
     | Some _ -> (&&) zero ((=) s.alike (Stdlib.Int.succ 0))
     | None -> true)

(** val repeated0 :
    int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int **)

let rec repeated0 count x s =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> s)
    (fun c -> repeated0 c x (Z.add s x))
    count

(** val run :
    int -> int -> losses -> Big_int_Z.big_int -> Big_int_Z.big_int -> pairs
    -> bool -> bool -> task list -> ((int * slots) * Big_int_Z.big_int) ->
    Big_int_Z.big_int option **)

let rec run m n l one0 floor ls zero even0 ts = function
| (p, s) ->
  let (from, held) = p in
  (match ts with
   | [] -> Some s
   | t0 :: rest ->
     (match t0 with
      | Prepare (i, p0) ->
        run m n l one0 floor ls zero even0 rest ((from,
          (put i (sequences one0 floor ls p0) held)), s)
      | Step t ->
        if step_ok m n l zero even0 from t
        then run m n l one0 floor ls zero even0 rest
               (((add t.at_step t.alike), held),
               (repeated0 t.alike (step_value1 l one0 ls held t) s))
        else None))

(** val bound_of_row :
    int -> int -> privacy list -> bool -> losses -> Big_int_Z.big_int ->
    factors list -> Big_int_Z.big_int -> Big_int_Z.big_int -> task list ->
    Big_int_Z.big_int option **)

let bound_of_row m n ps zero l unit0 fs one0 floor tasks =
  if (&&)
       ((&&)
         ((&&) ((&&) (Nat.ltb 0 m) (Nat.ltb 0 n))
           (Z.ltb Big_int_Z.zero_big_int unit0))
         (Z.ltb Big_int_Z.zero_big_int one0)) (signs m n l)
  then (match run m n l one0 floor (lines one0 ps fs) zero (even_weights n l)
                tasks ((0, []), Big_int_Z.zero_big_int) with
        | Some s -> Some (Z.add (Z.mul (loss_constant m n l) one0) s)
        | None -> None)
  else None

(** val left_over :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    Big_int_Z.big_int -> (int -> int) -> (int -> Big_int_Z.big_int) -> int ->
    int -> Big_int_Z.big_int -> bool **)

let left_over n w loss one0 answers extras i j total0 =
  if (&&) (if Nat.ltb j n then Nat.ltb i (answers j) else true)
       (Nat.ltb (Stdlib.Int.succ i) j)
  then Z.leb
         (Z.sub
           (Z.mul
             (Z.mul (w (sub j (Stdlib.Int.succ 0)))
               (Z.sub (loss (apart i (sub j (Stdlib.Int.succ 0))))
                 (loss
                   (apart (answers (sub j (Stdlib.Int.succ 0)))
                     (sub j (Stdlib.Int.succ 0)))))) one0)
           (extras (sub j (Stdlib.Int.succ 0)))) total0
  else true

type stage0 =
| At0 of int * int * Big_int_Z.big_int * Big_int_Z.big_int
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| Done of (Big_int_Z.big_int * Big_int_Z.big_int) list option

(** val next0 :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> decayed -> (int -> int) -> (int ->
    Big_int_Z.big_int) -> stage0 -> stage0 **)

let next0 n w loss q one0 err a whole0 s answers extras x = match x with
| At0 (i, j, before0, total0, found) ->
  if (&&) (Nat.ltb j n) ((=) (answers j) i)
  then if Z.leb Big_int_Z.zero_big_int total0
       then At0 (i, (Stdlib.Int.succ j), before0,
              (Z.sub (Z.div (Z.mul total0 a) whole0) (extras j)), found)
       else Done None
  else if Nat.ltb (Stdlib.Int.succ i) n
       then let t =
              if (=) j 0
              then Big_int_Z.zero_big_int
              else Z.sub (Z.add total0 (decayed_sum q one0 s i j)) err
            in
            if left_over n w loss one0 answers extras (Stdlib.Int.succ i) j t
            then At0 ((Stdlib.Int.succ i), j, t, t, ((before0,
                   total0) :: found))
            else Done None
       else Done (if (=) j n then Some ((before0, total0) :: found) else None)
| Done _ -> x

(** val finished :
    (stage0 -> stage0) -> int -> stage0 ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list option **)

let rec finished f fuel x = match x with
| At0 (_, _, _, _, _) ->
  ((fun fO fS n -> if n=0 then fO () else fS (n-1))
     (fun _ -> None)
     (fun fuel' -> finished f fuel' (f x))
     fuel)
| Done r -> r

(** val margins :
    int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
    -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> decayed -> (int -> int) -> (int ->
    Big_int_Z.big_int) -> int -> int -> int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list option **)

let margins n w loss q one0 err a whole0 s answers extras fuel i j before0 total0 found =
  finished (next0 n w loss q one0 err a whole0 s answers extras) fuel (At0
    (i, j, before0, total0, found))

(** val across0 :
    Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let across0 a whole0 t =
  if Z.leb Big_int_Z.zero_big_int t
  then Z.div (Z.mul t a) whole0
  else Z.div (Z.mul t whole0) a

(** val lacks :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int **)

let lacks a whole0 l r =
  let (before0, after) = l in
  let (below, above) = r in
  Z.max Big_int_Z.zero_big_int
    (Z.opp
      (Z.max (Z.add after (across0 a whole0 below))
        (Z.add (across0 a whole0 before0) above)))

(** val lacking :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list ->
    (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
    Big_int_Z.big_int **)

let rec lacking a whole0 ls rs sum =
  match ls with
  | [] -> sum
  | l :: ls' ->
    (match rs with
     | [] -> sum
     | r :: rs' -> lacking a whole0 ls' rs' (Z.add sum (lacks a whole0 l r)))

(** val opposite : int -> (int -> int) -> int -> int **)

let opposite n answers j =
  sub (sub n (Stdlib.Int.succ 0))
    (answers (sub (sub n (Stdlib.Int.succ 0)) j))

(** val answers_ok : int -> (int -> int) -> bool **)

let answers_ok n answers =
  (&&) (all n (fun j -> Nat.ltb (answers j) n))
    (all (sub n (Stdlib.Int.succ 0)) (fun j ->
      (<=) (answers j) (answers (Stdlib.Int.succ j))))

(** val prices_bound :
    privacy -> factors -> int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> Big_int_Z.big_int -> decayed -> decayed -> (int ->
    int) -> (int -> Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let prices_bound p x n w loss unit0 whole0 times0 plus0 left right0 answers extras = function
| (on, od) ->
  let v = fun f -> Z.add (Z.mul (w f) times0) plus0 in
  let q = shape_of n loss in
  let heavy = heaviest n v Big_int_Z.zero_big_int in
  let a = decay_of x whole0 in
  let one0 = fine0 a whole0 in
  let err = error n q heavy a whole0 in
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&)
                ((&&)
                  ((&&)
                    ((&&)
                      ((&&)
                        ((&&)
                          ((&&)
                            ((&&) (is_pure p x)
                              (question_ok n v loss unit0 heavy))
                            (Z.leb Big_int_Z.zero_big_int on))
                          (Z.ltb Big_int_Z.zero_big_int od))
                        (Z.ltb Big_int_Z.zero_big_int whole0))
                      (Z.ltb Big_int_Z.zero_big_int a)) (Z.leb a whole0))
                  (Z.ltb Big_int_Z.zero_big_int times0))
                (Z.leb Big_int_Z.zero_big_int plus0))
              (all n (fun f -> Z.leb Big_int_Z.zero_big_int (w f))))
            (answers_ok n answers))
          (all n (fun f -> Z.leb Big_int_Z.zero_big_int (extras f))))
        (decayed_ok n v q.squared0 a whole0 one0 left))
      (decayed_ok n (mirrored n v) q.squared0 a whole0 one0 right0))
    (match margins n v loss q one0 err a whole0 left answers extras
             (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) n) 0 0
             Big_int_Z.zero_big_int Big_int_Z.zero_big_int [] with
     | Some ls ->
       (match margins n (mirrored n v) loss q one0 err a whole0 right0
                (opposite n answers) (mirrored n extras)
                (mul (Stdlib.Int.succ (Stdlib.Int.succ 0)) n) 0 0
                Big_int_Z.zero_big_int Big_int_Z.zero_big_int [] with
        | Some rs ->
          let costs0 =
            total_onto n (fun f -> Z.mul (v f) (loss (apart (answers f) f)))
              Big_int_Z.zero_big_int
          in
          Z.leb (Z.mul on (Z.mul (Z.mul unit0 times0) one0))
            (Z.mul od
              (Z.max Big_int_Z.zero_big_int
                (Z.sub
                  (Z.sub
                    (Z.add (Z.mul costs0 one0)
                      (total_onto n extras Big_int_Z.zero_big_int))
                    (lacking a whole0 (rev' ls) rs Big_int_Z.zero_big_int))
                  (Z.mul
                    (Z.mul (Z.mul plus0 (Big_int_Z.big_int_of_int n))
                      (loss (sub n (Stdlib.Int.succ 0)))) one0))))
        | None -> false)
     | None -> false)

(** val attains :
    int -> int -> privacy list -> bool -> losses -> Big_int_Z.big_int ->
    factors list -> noise -> (int -> Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let attains m n ps zero l unit0 fs z0 threshold claim =
  (&&)
    ((&&)
      ((&&)
        ((&&)
          ((&&)
            ((&&)
              ((&&) ((&&) (law_ok z0) (thresholds_ok z0 m n threshold))
                (if zero then zero_certain z0 n threshold else true))
              (Z.ltb Big_int_Z.zero_big_int unit0))
            (Z.ltb Big_int_Z.zero_big_int (snd claim))) (signs m n l))
        ((=) (length fs) (length ps)))
      (forallb (spent_within z0) (combine ps fs)))
    (Z.eqb (Z.mul (noise_loss z0 m n l threshold) (snd claim))
      (Z.mul (fst claim) (Z.mul unit0 z0.whole)))

(** val check_row :
    int -> int -> privacy list -> bool -> losses -> Big_int_Z.big_int ->
    factors list -> noise -> (int -> Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
    Big_int_Z.big_int -> task list -> Big_int_Z.big_int option **)

let check_row m n ps zero l unit0 fs z0 threshold claim one0 floor tasks =
  if attains m n ps zero l unit0 fs z0 threshold claim
  then bound_of_row m n ps zero l unit0 fs one0 floor tasks
  else None

type tails_proof =
| Lines of walk * (int * int) list * bool
| Prices of Big_int_Z.big_int * Big_int_Z.big_int * decayed * decayed
   * (int -> int) * (int -> Big_int_Z.big_int)

(** val check_tails :
    privacy -> factors -> noise -> int -> (int -> Big_int_Z.big_int) -> (int
    -> Big_int_Z.big_int) -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int)
    -> (int -> int) -> walk -> int list -> tails_proof ->
    (Big_int_Z.big_int * Big_int_Z.big_int) ->
    (Big_int_Z.big_int * Big_int_Z.big_int) -> bool **)

let check_tails p x z0 n w loss unit0 threshold place1 k counts t objective0 bound =
  (&&)
    (tails_attain p x z0 n w loss unit0 threshold place1 k counts objective0)
    (match t with
     | Lines (k', runs, twofold) ->
       tails_bound p x n w loss unit0 z0.whole k' runs twofold bound
     | Prices (times0, plus0, l, r, answers, extras) ->
       prices_bound p x n w loss unit0 z0.whole times0 plus0 l r answers
         extras bound)

type row_loss =
| OfWord of loss_word
| OfDistance of (int -> Big_int_Z.big_int) * int * Big_int_Z.big_int

(** val in_a_word : row_loss -> loss_word **)

let in_a_word = function
| OfWord word -> word
| OfDistance (c, k, unit0) ->
  OfNoise ((fun r f -> lesser (apart r f) (sub k (Stdlib.Int.succ 0))), c,
    unit0)

(** val has_units : Big_int_Z.big_int -> row_loss -> weights_word -> bool **)

let has_units u told w =
  let word = in_a_word told in
  (&&)
    ((&&) (Z.ltb Big_int_Z.zero_big_int u)
      (match word with
       | Beyond (_, k) -> Z.ltb Big_int_Z.zero_big_int k
       | OfMatrix (_, k) -> Z.ltb Big_int_Z.zero_big_int k
       | OfNoise (_, _, k) -> Z.ltb Big_int_Z.zero_big_int k
       | _ -> true))
    (match w with
     | Once -> true
     | Evenly k -> Z.ltb Big_int_Z.zero_big_int k
     | Weighed (_, k) -> Z.ltb Big_int_Z.zero_big_int k)

(** val of_distance :
    int -> int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
    (int -> int) -> row_loss -> bool **)

let of_distance m n x t home told =
  (&&)
    ((&&)
      (match told with
       | OfWord word0 ->
         (match word0 with
          | OfMatrix (_, _) -> false
          | OfNoise (_, _, _) -> false
          | _ -> true)
       | OfDistance (_, _, _) -> true) ((=) m n))
    (let first0 = t 0 in
     let step0 = Z.sub (t (Stdlib.Int.succ 0)) first0 in
     all n (fun f ->
       (&&)
         ((&&) (Z.eqb (x f) (t f))
           (Z.eqb (t f)
             (Z.add first0 (Z.mul (Big_int_Z.big_int_of_int f) step0))))
         ((=) (home f) f)))

(** val share : weights_word -> int -> Big_int_Z.big_int **)

let share w f =
  match w with
  | Weighed (c, _) -> c f
  | _ -> Big_int_Z.unit_big_int

(** val says :
    int -> int -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
    Big_int_Z.big_int) -> (int -> int) -> row_loss -> weights_word -> losses
    -> Big_int_Z.big_int -> bool **)

let says m n u x t home told w =
  let word = in_a_word told in
  (fun l unit0 ->
  let whole0 = unit_in_words u word w in
  let times0 = Z.div whole0 unit0 in
  (&&)
    ((&&) ((&&) (has_units u told w) (Z.ltb Big_int_Z.zero_big_int unit0))
      (Z.eqb (Z.mul times0 unit0) whole0))
    (match l with
     | ByDistance (w', d) ->
       (&&) (of_distance m n x t home told)
         (all n (fun i ->
           (&&) (Z.eqb (w' i) (share w i))
             (Z.eqb (Z.mul times0 (d i)) (unweighted u x t home word i 0))))
     | Listed (c, _) ->
       all m (fun r ->
         all n (fun f ->
           Z.eqb (Z.mul times0 (c r f)) (cost_in_words u x t home word w r f)))))
