
val negb : bool -> bool

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2

val length : 'a1 list -> int

val app : 'a1 list -> 'a1 list -> 'a1 list

type comparison =
| Eq
| Lt
| Gt

val pred : int -> int

val add : int -> int -> int

val mul : int -> int -> int

val sub : int -> int -> int

val eqb : bool -> bool -> bool

module Nat :
 sig
  val add : int -> int -> int

  val mul : int -> int -> int

  val sub : int -> int -> int

  val ltb : int -> int -> bool

  val min : int -> int -> int

  val divmod : int -> int -> int -> int -> int * int

  val div : int -> int -> int

  val modulo : int -> int -> int

  val div2 : int -> int
 end

val nth_error : 'a1 list -> int -> 'a1 option

val rev_append : 'a1 list -> 'a1 list -> 'a1 list

val rev' : 'a1 list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val seq : int -> int -> int list

module Pos :
 sig
  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val iter : ('a1 -> 'a1) -> 'a1 -> Big_int_Z.big_int -> 'a1

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val div2_up : Big_int_Z.big_int -> Big_int_Z.big_int

  val compare_cont :
    comparison -> Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val iter_op : ('a1 -> 'a1 -> 'a1) -> Big_int_Z.big_int -> 'a1 -> 'a1

  val to_nat : Big_int_Z.big_int -> int

  val of_succ_nat : int -> Big_int_Z.big_int
 end

module Z :
 sig
  val double : Big_int_Z.big_int -> Big_int_Z.big_int

  val succ_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val pos_sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val opp : Big_int_Z.big_int -> Big_int_Z.big_int

  val sub : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val compare : Big_int_Z.big_int -> Big_int_Z.big_int -> comparison

  val leb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val ltb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val eqb : Big_int_Z.big_int -> Big_int_Z.big_int -> bool

  val max : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val min : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val abs : Big_int_Z.big_int -> Big_int_Z.big_int

  val to_nat : Big_int_Z.big_int -> int

  val pos_div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div_eucl :
    Big_int_Z.big_int -> Big_int_Z.big_int ->
    Big_int_Z.big_int * Big_int_Z.big_int

  val div : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val modulo : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val div2 : Big_int_Z.big_int -> Big_int_Z.big_int

  val shiftl : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val shiftr : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
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

val total : int -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int

val lesser : int -> int -> int

val all : int -> (int -> bool) -> bool

val any : int -> (int -> bool) -> bool

val power : Big_int_Z.big_int -> int -> Big_int_Z.big_int

type table =
| Empty
| Node of table * Big_int_Z.big_int * table

val even : table -> table

val here : table -> Big_int_Z.big_int

val odd : table -> table

val get : Big_int_Z.big_int -> table -> Big_int_Z.big_int

val update :
  (Big_int_Z.big_int -> Big_int_Z.big_int) -> Big_int_Z.big_int -> table ->
  table

val least_of :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int

val least : Big_int_Z.big_int -> table -> table -> table -> Big_int_Z.big_int

val plus : table -> table -> table

val scaled : Big_int_Z.big_int -> table -> table

val same_table : table -> table -> bool

val recalled : (int -> Big_int_Z.big_int) -> table -> int -> Big_int_Z.big_int

val learn : (int -> Big_int_Z.big_int) -> table -> int -> table

val learned : (int -> Big_int_Z.big_int) -> ('a1 -> int) -> 'a1 list -> table

val doubled : int -> int -> int -> int

val stride : int -> int

type factors = { e_num : Big_int_Z.big_int; e_den : Big_int_Z.big_int;
                 f_num : Big_int_Z.big_int; f_den : Big_int_Z.big_int;
                 squarings : int; fraction_bits : Big_int_Z.big_int }

val squared :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val start :
  Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val below_exp :
  Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val encloses : epsilon -> factors -> bool

type matrix = { entry : (int -> int -> Big_int_Z.big_int);
                denominator : Big_int_Z.big_int }

val over :
  matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int -> int ->
  Big_int_Z.big_int

val excess :
  int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int ->
  Big_int_Z.big_int

val mass :
  int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int ->
  Big_int_Z.big_int

val pair_kept :
  int -> int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  definition -> (Big_int_Z.big_int * Big_int_Z.big_int) -> int -> int -> bool

val extreme :
  (Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int) -> int ->
  (int -> Big_int_Z.big_int) -> Big_int_Z.big_int

val steep :
  int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> bool

val steep_rows :
  int -> int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int list

val needs :
  matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int list ->
  (int * Big_int_Z.big_int) list

val summed :
  matrix -> int -> (int -> Big_int_Z.big_int) -> (int * Big_int_Z.big_int)
  list -> Big_int_Z.big_int

val kept_on :
  matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> definition ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> int -> int ->
  (int * Big_int_Z.big_int) list -> bool

val all_kept :
  int -> matrix -> Big_int_Z.big_int -> Big_int_Z.big_int -> definition ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> int list -> int ->
  (int * Big_int_Z.big_int) list -> ((int * int) * int) list -> bool

val of_weight_one : ((int * int) * int) list -> bool

val pairs_kept :
  int -> int -> matrix -> factors -> definition ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> ((int * int) * int) list -> bool

val is_stochastic : int -> int -> matrix -> bool

val claimed_delta :
  privacy -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int * Big_int_Z.big_int

val privacy_kept :
  question -> matrix -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  (privacy * factors) -> bool

val plain : question -> bool

val load_matrix : question -> matrix -> table

val is_tied : question -> matrix -> table -> bool

val limit_kept :
  question -> matrix ->
  (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) -> bool

val value_z : matrix -> term list -> Big_int_Z.big_int

val rule_kept : matrix -> rule -> bool

val loss_z : question -> matrix -> int -> Big_int_Z.big_int

val objective_kept :
  question -> matrix -> (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

val check_matrix :
  question -> factors list -> matrix ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

type line = { entries : term list; constant : Big_int_Z.big_int;
              paid : Big_int_Z.big_int }

type inequality = { at_r : int; at_f : int; at_h : int; weight : int }

type decision = inequality * bool

val same : inequality -> inequality -> bool

val decided : decision list -> inequality -> bool -> bool

type charge =
| Compared of int * Big_int_Z.big_int
| Kept of int * Big_int_Z.big_int
| Broken of int

val column :
  question -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int
  -> term list

val objective_allowed :
  question -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> bool

val objective_paid : question -> Big_int_Z.big_int -> Big_int_Z.big_int

val raised : Big_int_Z.big_int -> factors -> int -> Big_int_Z.big_int

val charge_terms :
  int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int
  -> charge -> term list

val place_of : charge -> int

val multiplier : charge -> Big_int_Z.big_int

val charge_allowed :
  question -> decision list -> definition -> int -> int -> int ->
  Big_int_Z.big_int -> charge -> bool

val increasing : int -> charge list -> bool

val sum_of : charge list -> Big_int_Z.big_int

val pair_line :
  question -> decision list -> Big_int_Z.big_int -> privacy -> (int ->
  Big_int_Z.big_int) -> ((int * int) * int) -> Big_int_Z.big_int -> charge
  list -> line option

val times : Big_int_Z.big_int -> term list -> term list -> term list

val rule_line : rule -> Big_int_Z.big_int -> line option

type leaf = { one : Big_int_Z.big_int; weights : (int -> Big_int_Z.big_int);
              totals : (int -> Big_int_Z.big_int);
              groups : (Big_int_Z.big_int * charge list) list list;
              multipliers : Big_int_Z.big_int list }

type tree =
| Leaf of leaf
| Split of inequality * tree * tree

type state = ((table * Big_int_Z.big_int) * Big_int_Z.big_int) option

val in_range : question -> term -> bool

val load : question -> term list -> table -> table

val absorb : question -> state -> line option -> state

val absorb_pairs :
  question -> decision list -> Big_int_Z.big_int -> privacy -> (int ->
  Big_int_Z.big_int) -> ((int * int) * int) list ->
  (Big_int_Z.big_int * charge list) list -> state -> state

val ups : question -> Big_int_Z.big_int -> factors -> int -> Big_int_Z.big_int

val absorb_privacies :
  question -> decision list -> Big_int_Z.big_int -> privacy list -> factors
  list -> (Big_int_Z.big_int * charge list) list list -> state -> state

val absorb_rules :
  question -> rule list -> Big_int_Z.big_int list -> state -> state

type by_names = { costs : table; ones : table;
                  prepared : (rule * table option) list }

val load_columns :
  question -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  table

val ones_of : question -> int -> table

val is_long : term list -> bool

val prepare : question -> rule -> rule * table option

val names_alike : question -> by_names option

val start0 :
  question -> Big_int_Z.big_int -> by_names option -> (int ->
  Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> state

val absorb_prepared :
  question -> state -> Big_int_Z.big_int -> (rule * table option) -> state

val absorb_all_prepared :
  question -> (rule * table option) list -> Big_int_Z.big_int list -> state
  -> state

val raise :
  question -> ((Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int)
  -> (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list -> table ->
  table

val lows : question -> table

val cuts : question -> table

val leaf_bound :
  question -> factors list -> Big_int_Z.big_int -> by_names option -> table
  -> table -> decision list -> leaf -> Big_int_Z.big_int option

val tree_bound :
  question -> factors list -> Big_int_Z.big_int -> by_names option -> table
  -> table -> decision list -> tree -> Big_int_Z.big_int option

val known : (privacy * factors) -> bool

val bound_of :
  question -> factors list -> Big_int_Z.big_int -> tree -> Big_int_Z.big_int
  option

type place = int * int

val at_most : place -> place -> rule

val ordered :
  int -> int -> (int -> int -> (place * place) option) -> rule list

val rising : int -> (int -> int) -> int -> int -> (place * place) option

val falling : int -> (int -> int) -> int -> int -> (place * place) option

val honest_in_column : (int -> int) -> int -> int -> (place * place) option

val rising_row : int -> (int -> int) -> int -> int -> (place * place) option

val falling_row : int -> (int -> int) -> int -> int -> (place * place) option

val honest_in_row : (int -> int) -> int -> int -> (place * place) option

val column_rule :
  int -> (int -> int -> Big_int_Z.big_int) -> bool -> Big_int_Z.big_int ->
  int -> rule

val bounded_at :
  int -> (int -> int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> int -> rule

val bounded :
  int -> int -> (int -> int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> rule

val within_reach : int -> int -> ((int * int) * int) list

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

val is_meant : loss_word -> bool

val is_weighed : weights_word -> bool

val apart_in_units :
  (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int -> int ->
  Big_int_Z.big_int

val farther :
  Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int
  -> bool

val unweighted :
  Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> (int -> int) -> loss_word -> int -> int ->
  Big_int_Z.big_int

val loss_unit : Big_int_Z.big_int -> loss_word -> Big_int_Z.big_int

val weight_unit : weights_word -> Big_int_Z.big_int

val cost_in_words :
  Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> (int -> int) -> loss_word -> weights_word -> int ->
  int -> Big_int_Z.big_int

val unit_in_words :
  Big_int_Z.big_int -> loss_word -> weights_word -> Big_int_Z.big_int

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

val range_numbers :
  range_word ->
  ((Big_int_Z.big_int * Big_int_Z.big_int) * Big_int_Z.big_int) * Big_int_Z.big_int

val allowed : range_word -> bool

val is_range :
  range_word -> int -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> int
  -> bool

type cut = { counted : (int * Big_int_Z.big_int) list;
             cut_limit : Big_int_Z.big_int }

val coefficient : cut -> int -> Big_int_Z.big_int

val largest :
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val points :
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val most_points : Big_int_Z.big_int

val increase : int -> int list -> bool

val cut_holds :
  (int -> Big_int_Z.big_int) -> int -> Big_int_Z.big_int -> cut -> bool

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

val is_value : levels -> int -> bool

val is_place : levels -> int -> int -> int -> bool

val m_of : level_multipliers -> Big_int_Z.big_int

val b_of : level_multipliers -> int -> Big_int_Z.big_int

val u_of : level_multipliers -> int -> int -> int -> Big_int_Z.big_int

val c_of_leak : level_multipliers -> int -> int -> Big_int_Z.big_int

val c_of_mass : level_multipliers -> int -> Big_int_Z.big_int

val charged :
  int -> (int -> Big_int_Z.big_int) -> (int -> cut) -> int ->
  Big_int_Z.big_int

val cost_of_mass : levels -> level_multipliers -> int -> Big_int_Z.big_int

val cost_of_leak :
  levels -> level_multipliers -> int -> int -> Big_int_Z.big_int

val stay : levels -> level_multipliers -> int -> int -> Big_int_Z.big_int

val help_from :
  levels -> level_multipliers -> int -> int -> int -> Big_int_Z.big_int

val help : levels -> level_multipliers -> int -> int -> Big_int_Z.big_int

val scan :
  levels -> level_multipliers -> int -> int -> int -> int ->
  Big_int_Z.big_int -> Big_int_Z.big_int option -> Big_int_Z.big_int option

val least_of_value :
  levels -> level_multipliers -> int -> int -> int -> Big_int_Z.big_int

val least_of_leaks : levels -> level_multipliers -> int -> Big_int_Z.big_int

val given : levels -> level_multipliers -> Big_int_Z.big_int

val least_sum :
  levels -> level_multipliers -> (int -> int) -> (int -> int) ->
  Big_int_Z.big_int

type cases =
| Multiplied of level_multipliers
| Decided of int * int * cases * cases
| Imaged of int * int * cases * cases * cases

val is_step : levels -> int -> bool

val cut_rooms : levels -> Big_int_Z.big_int -> Big_int_Z.big_int -> bool

val shape_holds :
  levels -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> bool

val is_mirrored : levels -> bool

val is_symmetric : levels -> (int -> int) -> (int -> int) -> bool

type fraction = Big_int_Z.big_int * Big_int_Z.big_int

val smaller : fraction -> fraction -> fraction

val capped : fraction -> fraction -> fraction

val set : int -> int -> (int -> int) -> int -> int

val both_of : fraction option -> fraction option -> fraction option

val value_of :
  levels -> fraction -> (level_multipliers -> Big_int_Z.big_int -> fraction)
  -> bool -> cases -> (int -> int) -> (int -> int) -> fraction option

type level_proof = { shape : levels; last_level : int;
                     response_of : (int -> int -> int);
                     noise_of : (int -> int -> int);
                     step_value : (int -> int); root_level : (int -> int);
                     level_cap : fraction; other_cost : Big_int_Z.big_int;
                     accepted_loss : fraction; by_cases : cases }

val is_modular : question -> level_proof -> bool

val cost_of : question -> level_proof -> int -> Big_int_Z.big_int

val costs_hold : question -> level_proof -> bool

val same_terms : term list -> term list -> bool

val same_rule : rule -> rule -> bool

val pays_given :
  levels -> fraction -> level_multipliers -> Big_int_Z.big_int -> fraction

val pays_sought :
  levels -> fraction -> level_multipliers -> Big_int_Z.big_int -> fraction

val leak_room : levels -> fraction -> fraction -> Big_int_Z.big_int

val mass_room : levels -> fraction -> Big_int_Z.big_int

val value_at :
  level_proof -> fraction -> fraction -> (level_multipliers ->
  Big_int_Z.big_int -> fraction) -> fraction option

val largest_share : fraction -> fraction -> fraction

val levels_bound : question -> factors -> level_proof -> fraction option

val copied :
  question -> (int -> int -> Big_int_Z.big_int) -> (int -> int ->
  Big_int_Z.big_int) -> question option

val check :
  question -> factors list -> matrix ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int -> tree ->
  Big_int_Z.big_int option

val check_levels :
  question -> factors list -> matrix ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> level_proof ->
  (Big_int_Z.big_int * Big_int_Z.big_int) option

val coordinates : int list -> int -> int list

val difference : int list -> int -> int -> int

val same_vector : int list -> int list -> bool

val is_listed : int list -> int list list -> int -> bool

val either : int list -> (int -> bool) -> bool -> int -> bool

val rising_pairs : int -> int -> ((int * int) * int) list -> bool

val count_of : int -> (int -> bool) -> int -> int

val are_vectors :
  int -> int list -> (int -> bool) -> ((int * int) * int) list -> bool

val are_all_pairs : int -> ((int * int) * int) list -> bool

val search : (int -> bool) -> int -> int -> int -> int

val prefix : int -> (int -> bool) -> int

val holds_it :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int ->
  Big_int_Z.big_int -> bool

val home_at :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> int -> int

val rise_of :
  int -> int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  (int -> int) -> int -> int

val fall_of :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int ->
  int

type structure_word =
| Free
| Modular of int list
| SymmetricNoise
| ZeroBiasNoise

val are_homes : int -> int -> (int -> int) -> bool

val is_fitting : int -> int -> (int -> int) -> structure_word -> bool -> bool

val place0 : int -> int -> int -> int

val place_or_home : int -> (int -> int) -> int -> int -> int

val key : int -> (int -> int) -> structure_word -> bool -> int -> int -> int

val turned : int -> int -> (int -> int -> int) -> int -> int -> int

val name_in_words :
  int -> int -> (int -> int) -> structure_word -> bool -> bool -> int -> int
  -> Big_int_Z.big_int

type limit_word =
| AtLeast of Big_int_Z.big_int
| Exactly of Big_int_Z.big_int
| Within of Big_int_Z.big_int * Big_int_Z.big_int
| Without of (int -> bool)
| ZeroStaysZero

val at_home :
  int -> (int -> int) -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list

val nothing :
  int -> int -> (int -> int -> bool) ->
  (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list

val limits_in_words :
  int -> int -> (int -> int) -> Big_int_Z.big_int -> (int ->
  Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int ->
  limit_word -> (((int * int) * Big_int_Z.big_int) * Big_int_Z.big_int) list

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

val order_words : (property -> bool) -> order_word list

val order_in_words :
  int -> int -> (int -> int) -> (int -> int) -> (int -> int) -> order_word ->
  rule list

val means :
  int -> int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  (property -> bool) -> rule list

val bound_in_words :
  int -> int -> (int -> int) -> Big_int_Z.big_int -> (int ->
  Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> loss_word ->
  weights_word -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> rule list

type words = { structure : structure_word;
               noise_within : (Big_int_Z.big_int * Big_int_Z.big_int) option;
               asks_fair : bool; asks_symmetric : bool;
               asks_weakly_honest : bool; zero_stays_zero : bool;
               has : (property -> bool); said : limit_word list;
               said_unit : Big_int_Z.big_int; loss_said : loss_word;
               weights_said : weights_word;
               bounds_said : (((loss_word * weights_word) * bool) * (Big_int_Z.big_int * Big_int_Z.big_int))
                             list; own : rule list; goal : objective }

val join : 'a1 list list -> 'a1 list

val is_unbiased : words -> property -> bool

val all_limits : int -> words -> limit_word list

val bound_rules :
  int -> int -> (int -> int) -> Big_int_Z.big_int -> (int ->
  Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  (((loss_word * weights_word) * bool) * (Big_int_Z.big_int * Big_int_Z.big_int))
  -> rule list

val rule_groups :
  int -> int -> (int -> int) -> (int -> int) -> (int -> int) ->
  Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> words -> rule list list

val question_in_words :
  int -> int -> ((int * int) * int) list -> privacy list -> (int -> int) ->
  Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> words -> rule list list -> question

val needs_homes : words -> bool

val is_sound_limit :
  int -> int -> (int -> int) -> Big_int_Z.big_int -> limit_word -> bool

val is_sound :
  int -> int -> (int -> int) -> (int -> int) -> (int -> int) ->
  Big_int_Z.big_int -> words -> bool

val asked :
  int -> int -> ((int * int) * int) list -> privacy list -> (int -> int) ->
  (int -> int) -> (int -> int) -> Big_int_Z.big_int -> (int ->
  Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> words -> rule list list
  -> (int -> int -> Big_int_Z.big_int) -> (int -> int -> Big_int_Z.big_int)
  -> question option

type noise = { period : Big_int_Z.big_int; first : Big_int_Z.big_int;
               size : int; whole : Big_int_Z.big_int;
               tail : Big_int_Z.big_int;
               cumulative : (int -> Big_int_Z.big_int) }

val last : noise -> Big_int_Z.big_int

val never : noise -> Big_int_Z.big_int

val always : noise -> int -> Big_int_Z.big_int

val width : noise -> int

val law_ok : noise -> bool

val fine : noise -> int -> int -> Big_int_Z.big_int

val repeated : ('a1 -> 'a1) -> int -> 'a1 -> 'a1

type pairing =
| Pair of int * Big_int_Z.big_int * Big_int_Z.big_int * Big_int_Z.big_int
   * Big_int_Z.big_int

val next_pair :
  noise -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> pairing -> pairing

val excesses :
  noise -> int -> Big_int_Z.big_int -> Big_int_Z.big_int -> int -> int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int * Big_int_Z.big_int

val spends :
  noise -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val change :
  (int -> int -> Big_int_Z.big_int) -> int -> int -> Big_int_Z.big_int

val rounded_up :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int

val lines_of :
  Big_int_Z.big_int -> privacy -> factors ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list

val lines :
  Big_int_Z.big_int -> privacy list -> factors list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list

type losses =
| ByDistance of (int -> Big_int_Z.big_int) * (int -> Big_int_Z.big_int)
| Listed of (int -> int -> Big_int_Z.big_int) * (int -> int)

val apart : int -> int -> int

val cost_of0 : losses -> int -> int -> Big_int_Z.big_int

val home_of : losses -> int -> int

val signs : int -> int -> losses -> bool

val even_weights : int -> losses -> bool

val total_onto :
  int -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int

val loss_constant : int -> int -> losses -> Big_int_Z.big_int

val bend : (int -> Big_int_Z.big_int) -> int -> Big_int_Z.big_int

val bends_below :
  (int -> Big_int_Z.big_int) -> int -> (int * Big_int_Z.big_int) list ->
  (int * Big_int_Z.big_int) list

val is_squared : int -> (int -> Big_int_Z.big_int) -> bool

type shape0 = { squared0 : bool; unit_loss : Big_int_Z.big_int;
                bends : (int * Big_int_Z.big_int) list }

val shape_of : int -> (int -> Big_int_Z.big_int) -> shape0

type decayed = { listed_mass : (int -> Big_int_Z.big_int);
                 listed_arm : (int -> Big_int_Z.big_int); resting : int;
                 listed_fade : (int -> Big_int_Z.big_int); fades : int }

val mass_of : decayed -> int -> Big_int_Z.big_int

val arm_of : decayed -> int -> Big_int_Z.big_int

val fade_of : decayed -> int -> Big_int_Z.big_int

val is_even : int -> (int -> Big_int_Z.big_int) -> bool

val decayed_ok :
  int -> (int -> Big_int_Z.big_int) -> bool -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> decayed -> bool

val bent :
  Big_int_Z.big_int -> decayed -> int -> int -> (int * Big_int_Z.big_int)
  list -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val decayed_sum :
  shape0 -> Big_int_Z.big_int -> decayed -> int -> int -> Big_int_Z.big_int

val heaviest :
  int -> (int -> Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int

val sizes :
  (int * Big_int_Z.big_int) list -> Big_int_Z.big_int -> Big_int_Z.big_int

val fine0 : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val reach : int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val error :
  int -> shape0 -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int

val thresholds_ok : noise -> int -> int -> (int -> Big_int_Z.big_int) -> bool

val zero_certain : noise -> int -> (int -> Big_int_Z.big_int) -> bool

val spent_within : noise -> (privacy * factors) -> bool

val greater : int -> int -> int

val span : losses -> bool -> int -> int -> int -> Big_int_Z.big_int

val window : noise -> int -> Big_int_Z.big_int -> int * int

val inside :
  noise -> (int -> Big_int_Z.big_int) -> int -> int -> int -> int -> int ->
  Big_int_Z.big_int -> Big_int_Z.big_int

val step_value0 :
  noise -> int -> losses -> bool -> int -> Big_int_Z.big_int -> int -> int ->
  Big_int_Z.big_int

val is_cut : noise -> int -> Big_int_Z.big_int -> int -> int -> bool

type stage =
| At of int * Big_int_Z.big_int * int * int * Big_int_Z.big_int * bool
   * Big_int_Z.big_int

val next :
  noise -> int -> losses -> bool -> (int -> Big_int_Z.big_int) -> stage ->
  stage

val steps_after :
  noise -> int -> losses -> bool -> (int -> Big_int_Z.big_int) -> int -> int
  -> Big_int_Z.big_int -> int -> int -> Big_int_Z.big_int -> bool ->
  Big_int_Z.big_int -> Big_int_Z.big_int * bool

val steps_value :
  noise -> int -> int -> losses -> bool -> (int -> Big_int_Z.big_int) ->
  Big_int_Z.big_int * bool

val variation : int -> int -> losses -> Big_int_Z.big_int

val noise_loss :
  noise -> int -> int -> losses -> (int -> Big_int_Z.big_int) ->
  Big_int_Z.big_int

type walk = { left_sums : decayed; right_sums : decayed; plain_sums : decayed }

val mirrored : int -> (int -> Big_int_Z.big_int) -> int -> Big_int_Z.big_int

val beside :
  shape0 -> Big_int_Z.big_int -> walk -> int -> int -> Big_int_Z.big_int

val beyond :
  int -> shape0 -> Big_int_Z.big_int -> walk -> int -> int ->
  Big_int_Z.big_int

val between :
  (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0 -> bool
  -> walk -> int -> int -> Big_int_Z.big_int

val steady : int -> walk -> int -> int -> int -> int -> int -> bool

val furthest : (int * Big_int_Z.big_int) list -> int -> int

val question_ok :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> bool

val walk_ok :
  int -> (int -> Big_int_Z.big_int) -> shape0 -> bool -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> walk -> bool

val draw : int -> int -> int

val step_loss :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> walk -> (int -> int) -> int ->
  Big_int_Z.big_int

val same_places : int -> (int -> int) -> int -> int -> bool

val loss_next :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> walk -> (int -> int) -> int ->
  (int * Big_int_Z.big_int) option -> int -> (int * Big_int_Z.big_int) option

val loss_runs :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> walk -> (int -> int) -> int ->
  int list -> int -> Big_int_Z.big_int -> Big_int_Z.big_int option

val tails_attain :
  privacy -> factors -> noise -> int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) ->
  (int -> int) -> walk -> int list -> (Big_int_Z.big_int * Big_int_Z.big_int)
  -> bool

val least_from_zero :
  (Big_int_Z.big_int * Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> bool -> Big_int_Z.big_int

val line_of :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> walk -> int -> int -> int ->
  Big_int_Z.big_int * Big_int_Z.big_int

val step_bound :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> walk -> int -> int -> Big_int_Z.big_int

val bound_next :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> walk -> int -> int -> int -> (int * Big_int_Z.big_int)
  option -> (int * int) -> (int * Big_int_Z.big_int) option

val bound_runs :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> bool -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> walk -> int -> int -> int -> (int * int) list -> int
  -> Big_int_Z.big_int -> Big_int_Z.big_int option

val decay_of : factors -> Big_int_Z.big_int -> Big_int_Z.big_int

val is_pure : privacy -> factors -> bool

val tails_bound :
  privacy -> factors -> int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int -> walk ->
  (int * int) list -> bool -> (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

type profile = { up : (int -> int); across : (int -> int); up_to : int;
                 across_to : int }

type pairs = (Big_int_Z.big_int * Big_int_Z.big_int) list

val next_up :
  Big_int_Z.big_int -> Big_int_Z.big_int -> pairs -> int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int * Big_int_Z.big_int

val next_across :
  Big_int_Z.big_int -> Big_int_Z.big_int -> pairs -> int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int * Big_int_Z.big_int

val unrolled :
  (int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  Big_int_Z.big_int * Big_int_Z.big_int) -> int -> int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> pairs -> pairs

val sequences :
  Big_int_Z.big_int -> Big_int_Z.big_int -> pairs -> profile -> pairs * pairs

val weigh :
  (int -> Big_int_Z.big_int) -> pairs -> int -> int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int * Big_int_Z.big_int

val minorant :
  (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> int -> int ->
  (pairs * pairs) -> Big_int_Z.big_int * Big_int_Z.big_int

val larger :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val least_of_lines :
  Big_int_Z.big_int -> (Big_int_Z.big_int * Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val after_one :
  Big_int_Z.big_int -> pairs -> (int -> int) -> int -> int ->
  Big_int_Z.big_int -> Big_int_Z.big_int

type step = { at_step : int; alike : int; before : int; behind : int;
              for_place : int; for_next : int; certain : (int -> int) option }

type task =
| Prepare of int * profile
| Step of step

type slots = (pairs * pairs) list

val put : int -> (pairs * pairs) -> slots -> slots

val at_slot : slots -> int -> pairs * pairs

val cost_before : losses -> int -> int -> bool -> int -> Big_int_Z.big_int

val cost_behind : losses -> int -> int -> int -> Big_int_Z.big_int

val step_value1 :
  losses -> Big_int_Z.big_int -> pairs -> slots -> step -> Big_int_Z.big_int

val step_ok : int -> int -> losses -> bool -> bool -> int -> step -> bool

val repeated0 :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val run :
  int -> int -> losses -> Big_int_Z.big_int -> Big_int_Z.big_int -> pairs ->
  bool -> bool -> task list -> ((int * slots) * Big_int_Z.big_int) ->
  Big_int_Z.big_int option

val bound_of_row :
  int -> int -> privacy list -> bool -> losses -> Big_int_Z.big_int ->
  factors list -> Big_int_Z.big_int -> Big_int_Z.big_int -> task list ->
  Big_int_Z.big_int option

val left_over :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  Big_int_Z.big_int -> (int -> int) -> (int -> Big_int_Z.big_int) -> int ->
  int -> Big_int_Z.big_int -> bool

type stage0 =
| At0 of int * int * Big_int_Z.big_int * Big_int_Z.big_int
   * (Big_int_Z.big_int * Big_int_Z.big_int) list
| Done of (Big_int_Z.big_int * Big_int_Z.big_int) list option

val next0 :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> decayed -> (int -> int) -> (int -> Big_int_Z.big_int)
  -> stage0 -> stage0

val finished :
  (stage0 -> stage0) -> int -> stage0 ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list option

val margins :
  int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) -> shape0
  -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> decayed -> (int -> int) -> (int -> Big_int_Z.big_int)
  -> int -> int -> int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list option

val across0 :
  Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val lacks :
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int

val lacking :
  Big_int_Z.big_int -> Big_int_Z.big_int ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list ->
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val opposite : int -> (int -> int) -> int -> int

val answers_ok : int -> (int -> int) -> bool

val prices_bound :
  privacy -> factors -> int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> Big_int_Z.big_int -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> Big_int_Z.big_int -> decayed -> decayed -> (int ->
  int) -> (int -> Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

val attains :
  int -> int -> privacy list -> bool -> losses -> Big_int_Z.big_int ->
  factors list -> noise -> (int -> Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

val check_row :
  int -> int -> privacy list -> bool -> losses -> Big_int_Z.big_int ->
  factors list -> noise -> (int -> Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int ->
  Big_int_Z.big_int -> task list -> Big_int_Z.big_int option

type tails_proof =
| Lines of walk * (int * int) list * bool
| Prices of Big_int_Z.big_int * Big_int_Z.big_int * decayed * decayed
   * (int -> int) * (int -> Big_int_Z.big_int)

val check_tails :
  privacy -> factors -> noise -> int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) ->
  (int -> int) -> walk -> int list -> tails_proof ->
  (Big_int_Z.big_int * Big_int_Z.big_int) ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> bool

type row_loss =
| OfWord of loss_word
| OfDistance of (int -> Big_int_Z.big_int) * int * Big_int_Z.big_int

val in_a_word : row_loss -> loss_word

val has_units : Big_int_Z.big_int -> row_loss -> weights_word -> bool

val of_distance :
  int -> int -> (int -> Big_int_Z.big_int) -> (int -> Big_int_Z.big_int) ->
  (int -> int) -> row_loss -> bool

val share : weights_word -> int -> Big_int_Z.big_int

val says :
  int -> int -> Big_int_Z.big_int -> (int -> Big_int_Z.big_int) -> (int ->
  Big_int_Z.big_int) -> (int -> int) -> row_loss -> weights_word -> losses ->
  Big_int_Z.big_int -> bool
