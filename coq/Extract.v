(* The checker as OCaml. Numbers are those of zarith, and nat (positions, counts, weights, all of them small) is int.
   Beyond the tables of Coq's library these lines are believed: each is the same function, computed faster. *)
From Optmech Require Import Sums Matrix Bound Claims Words Ties Asked Spends TailsBound RowClaims.
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
Extract Inlined Constant Nat.leb => "(<=)".
Extract Constant Nat.div => "(fun n m -> if m = 0 then 0 else n / m)".
Extract Constant Nat.modulo => "(fun n m -> if m = 0 then n else n mod m)".
Extract Constant Pos.of_succ_nat => "(fun n -> Big_int_Z.big_int_of_int (n + 1))".
Extract Inlined Constant Z.of_nat => "Big_int_Z.big_int_of_int".
Extraction "extracted/checker.ml" check check_levels check_matrix encloses power over steep_rows needs summed
  within_reach
  cost_in_words unit_in_words weight_unit farther home_at rise_of fall_of
  is_range coordinates difference is_listed either are_vectors are_all_pairs is_unbiased
  order_words rule_groups asked
  check_row spends check_tails decay_of says.
