(* The certificate that docs/certificate.md, "All tails", follows by hand: a count 0..1 at epsilon = ln 2, in 2^64ths. *)
From Coq Require Import List ZArith Bool Arith.
From Optmech Require Import Spec Enclosure Noise Decayed Tails TailsLoss TailsBound Prices TailsClaims.
Import ListNotations.
Open Scope Z_scope.

Definition pure_ln_2 : privacy := {| kind := OfSets; eps := Log 2 1; delta := Some (0, 1) |}.
Definition two : factors := {| e_num := 2; e_den := 1; f_num := 2; f_den := 1; squarings := 1; scale := 1 |}.
Definition by_hand (tail : Z) : noise := {| period := 1; first := -1; size := 2; whole := 2^64; tail := tail;
  cumulative := fun i => nth i [6148914691236517206; 12297829382473034410] 0 |}.
Definition each (_ : nat) : Z := 1.
Definition absolute (d : nat) : Z := Z.of_nat d.
(* Half of 1 is what decays from a truth to the next. *)
Definition halves : decayed := {| listed_mass := fun h => nth h [2^88; 2^88 + 2^87] 0; listed_arm := fun _ => 0; resting := 2;
  listed_fade := fun k => nth k [2^88; 2^87] 0; fades := 2 |}.
Definition beside_it : walk := {| left_sums := halves; right_sums := halves; plain_sums := halves |}.
Definition by_lines : tails_proof := Lines beside_it [(1, 0)]%nat true.
Definition by_prices (extra : Z) : tails_proof := Prices 1 0 halves halves (fun j => j) (fun _ => extra).
Definition checked (tail : Z) (proof : tails_proof) (objective bound : Z * Z) : bool :=
  check_tails pure_ln_2 two (by_hand tail) 2 each absolute 1 (fun _ => 0) (fun _ => 2%nat) beside_it [1%nat] proof
    objective bound.

Definition stated : Z * Z := (7089215977519551332145624028087844865, 10633823966279326983230456482242756608).
Definition proved : Z * Z := (1537228672809129297, 2305843009213693952).
Example by_hand_accepted : checked (2^63) by_lines stated proved = true.
Proof. vm_compute. reflexivity. Qed.
(* Rounding leaves the objective a hair above 2/3, and the bound a hair below. *)
Example objective_too_small : checked (2^63) by_lines (2, 3) proved = false.
Proof. vm_compute. reflexivity. Qed.
Example bound_too_large : checked (2^63) by_lines stated (2, 3) = false.
Proof. vm_compute. reflexivity. Qed.
(* With a longer tail one shift of the noise spends no more, but the objective is larger. With a shorter one it spends more. *)
Example tail_moved : checked (2^63 + 1) by_lines stated proved = false.
Proof. vm_compute. reflexivity. Qed.
Example tail_too_short : checked (2^63 - 1) by_lines (1, 1) proved = false.
Proof. vm_compute. reflexivity. Qed.
(* Prices of 1/3 for each truth prove 2/3, too, but for what rounding may lose. Prices of 1/2 prove no more than 1/2. *)
Example prices_accepted : checked (2^63) (by_prices (2^88 / 3)) stated (2 * (2^88 / 3) - 2^8, 2^88) = true.
Proof. vm_compute. reflexivity. Qed.
Example price_bound_too_large : checked (2^63) (by_prices (2^88 / 3)) stated (2 * (2^88 / 3), 2^88) = false.
Proof. vm_compute. reflexivity. Qed.
Example prices_too_large : checked (2^63) (by_prices (2^87)) stated (1, 2) = false.
Proof. vm_compute. reflexivity. Qed.
