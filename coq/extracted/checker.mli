
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

module Pos :
 sig
  val succ : Big_int_Z.big_int -> Big_int_Z.big_int

  val add : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val add_carry : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

  val pred_double : Big_int_Z.big_int -> Big_int_Z.big_int

  val mul : Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

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
 end

val rev_append : 'a1 list -> 'a1 list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list

val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1

val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1

val existsb : ('a1 -> bool) -> 'a1 list -> bool

val forallb : ('a1 -> bool) -> 'a1 list -> bool

val filter : ('a1 -> bool) -> 'a1 list -> 'a1 list

val combine : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val seq : int -> int -> int list

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

val all : int -> (int -> bool) -> bool

val any : int -> (int -> bool) -> bool

val power : Big_int_Z.big_int -> int -> Big_int_Z.big_int

type factors = { e_num : Big_int_Z.big_int; e_den : Big_int_Z.big_int;
                 f_num : Big_int_Z.big_int; f_den : Big_int_Z.big_int;
                 squarings : int; scale : Big_int_Z.big_int }

val squared :
  int -> Big_int_Z.big_int -> Big_int_Z.big_int -> Big_int_Z.big_int

val start :
  Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val below_exp :
  Big_int_Z.big_int -> Big_int_Z.big_int -> int -> Big_int_Z.big_int ->
  Big_int_Z.big_int

val encloses : epsilon -> factors -> bool

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

val alike : ((int * int) * int) list -> bool

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

type cut = { counted : (int * Big_int_Z.big_int) list;
             cut_limit : Big_int_Z.big_int }

val coefficient : cut -> int -> Big_int_Z.big_int

val largest :
  (Big_int_Z.big_int * Big_int_Z.big_int) list -> Big_int_Z.big_int ->
  Big_int_Z.big_int

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

val check :
  question -> factors list -> matrix ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> Big_int_Z.big_int -> tree ->
  Big_int_Z.big_int option

val check_levels :
  question -> factors list -> matrix ->
  (Big_int_Z.big_int * Big_int_Z.big_int) -> level_proof ->
  (Big_int_Z.big_int * Big_int_Z.big_int) option

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

val coordinates : int list -> int -> int list

val difference : int list -> int -> int -> int

val same_vector : int list -> int list -> bool

val is_listed : int list -> int list list -> int -> bool

val either : int list -> (int -> bool) -> bool -> int -> bool

val rising_pairs : int -> int -> ((int * int) * int) list -> bool

val count_of : int -> (int -> bool) -> int -> int

val are_vectors :
  int -> int list -> (int -> bool) -> ((int * int) * int) list -> bool

type structure_word =
| Free
| Modular of int list
| SymmetricNoise
| ZeroBiasNoise

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
