(* All that a certificate claims, in one check and one theorem. *)
From Coq Require Import Reals List ZArith Bool.
From Optmech Require Import Spec Sums Enclosure Matrix Lines Bound.
From Optmech Require Modular LevelBounds.
Open Scope R_scope.

(* A question, factors around e^epsilon of each privacy, a matrix, its objective on/od, and a proof over `whole`: what is
   returned is the bound, over `whole` times the unit of limits. *)
Definition check (q : question) (fs : list factors) (a : matrix) (claim : Z * Z) (whole : Z) (t : tree) : option Z :=
  if check_matrix q fs a claim then bound_of q fs whole t else None.

(* The matrix is a mechanism of the question, with this objective or a smaller one; and no mechanism of the question has
   an objective below the bound. *)
Theorem certificate_sound : forall q fs a on od whole t z, check q fs a (on, od) whole t = Some z ->
  achieves q (released a) (IZR on / IZR od) /\
  forall M v, achieves q M v -> IZR z / (IZR whole * IZR (limit_unit q)) <= v.
Proof.
  intros q fs a on od whole t z H. unfold check in H. destruct (check_matrix _ _ _ _) eqn:C; [|discriminate]. split.
  - eapply matrix_sound; eauto.
  - intros. eapply bound_sound; eauto.
Qed.

(* The same of modular noise with a proof on levels; the bound is a ratio. *)
Definition check_levels (q : question) (fs : list factors) (a : matrix) (claim : Z * Z) (p : Modular.level_proof) : option (Z * Z) :=
  if check_matrix q fs a claim then match fs with x :: _ => Modular.levels_bound q x p | nil => None end else None.

Theorem levels_certificate_sound : forall q fs a on od p z, check_levels q fs a (on, od) p = Some z ->
  achieves q (released a) (IZR on / IZR od) /\
  forall M v, achieves q M v -> IZR (fst z) / IZR (snd z) <= v.
Proof.
  intros q fs a on od p z H. unfold check_levels in H. destruct (check_matrix _ _ _ _) eqn:C; [|discriminate]. split.
  - eapply matrix_sound; eauto.
  - destruct fs as [|x fs]; [discriminate|]. intros. eapply LevelBounds.levels_bound_sound; eauto.
Qed.
