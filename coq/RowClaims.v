(* All that a certificate of noise with thresholds claims, in one check and one theorem. *)
From Coq Require Import Reals List ZArith Bool.
From Optmech Require Import Spec Enclosure Noise Losses Chain Attained.
Open Scope R_scope.

(* A question on truths in a row, factors around e^epsilon of each privacy, noise and thresholds, the objective on/od, and
   the tasks that prove the bound (Chain.v): what is returned is the bound, over unit * one. *)
Definition check_row (m n : nat) (ps : list privacy) (zero : bool) (l : losses) (unit : Z) (fs : list factors)
  (z : noise) (threshold : nat -> Z) (claim : Z * Z) (one floor : Z) (tasks : list task) : option Z :=
  if attains m n ps zero l unit fs z threshold claim then bound_of_row m n ps zero l unit fs one floor tasks else None.

(* Noise with thresholds is a mechanism of the question, with this objective or a smaller one; and no mechanism of the
   question has an objective below the bound. *)
Theorem row_sound : forall m n ps zero l unit fs z threshold on od one floor tasks b,
  check_row m n ps zero l unit fs z threshold (on, od) one floor tasks = Some b ->
  achieves (row m n ps zero (cost_of l) unit) (with_noise z m n threshold) (IZR on / IZR od) /\
  forall M v, achieves (row m n ps zero (cost_of l) unit) M v -> IZR b / (IZR unit * IZR one) <= v.
Proof.
  intros m n ps zero l unit fs z threshold on od one floor tasks b H. unfold check_row in H.
  destruct (attains _ _ _ _ _ _ _ _ _ _) eqn:A; [|discriminate]. split.
  - eapply noise_sound; eauto.
  - intros M v. eapply row_bound_sound; eauto.
Qed.
