(* The checker as OCaml. Numbers are those of zarith, and nat (positions, counts, weights, all of them small) is int.
   What is believed beyond the tables of Coq's library is here: each is the same function, computed faster. *)
From Optmech Require Import Claims Sums Enclosure Matrix Bound Words Spends RowClaims TailsBound TailsClaims.
From Coq Require Import ZArith Extraction ExtrOcamlBasic ExtrOcamlNatInt ExtrOcamlZBigInt.
Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Z.of_nat => "Big_int_Z.big_int_of_int".
Extraction "extracted/checker.ml" check check_matrix encloses power excess mass over
  ordered rising falling honest_in_column rising_row falling_row honest_in_row column_rule bounded_at bounded within_reach
  check_row spends check_tails decay_of.
