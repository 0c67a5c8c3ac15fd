(* All that a certificate of noise that is all tails claims, in one check and one theorem. *)
From Coq Require Import Reals List ZArith Bool Arith.
From Optmech Require Import Spec Sums Enclosure Noise Steps Losses Decayed Tails TailsLoss TailsBound TailsBounded Prices
  PricesBounded.
Import ListNotations.
Open Scope R_scope.

(* A bound is proved by two lines for each step, or by prices of truths. *)
Inductive tails_proof :=
  | Lines (k : walk) (runs : list (nat * nat)) (twofold : bool)
  | Prices (times plus : Z) (left right : decayed) (answers : nat -> nat) (extras : nat -> Z).
Definition check_tails (p : privacy) (x : factors) (z : noise) (n : nat) (w loss : nat -> Z) (unit : Z) (threshold : nat -> Z)
    (place : nat -> nat) (k : walk) (counts : list nat) (t : tails_proof) (objective bound : Z * Z) : bool :=
  tails_attain p x z n w loss unit threshold place k counts objective &&
  match t with
  | Lines k' runs twofold => tails_bound p x n w loss unit (whole z) k' runs twofold bound
  | Prices times plus l r answers extras => prices_bound p x n w loss unit (whole z) times plus l r answers extras bound
  end.

(* Noise with these thresholds is a mechanism of the question, with this objective or a smaller one; and no mechanism of the
   question has an objective below the bound. *)
Theorem tails_sound : forall p x z n w loss unit threshold place k counts t on od bn bd,
  check_tails p x z n w loss unit threshold place k counts t (on, od) (bn, bd) = true ->
  let question := row n n [p] false (cost_of (ByDistance w loss)) unit in
  achieves question (with_noise z n n threshold) (IZR on / IZR od) /\
  forall M v, achieves question M v -> IZR bn / IZR bd <= v.
Proof.
  intros p x z n w loss unit threshold place k counts t on od bn bd H question. unfold check_tails in H.
    apply andb_true_iff in H as [A B].
  split; [eapply tails_attained; eauto|]. intros M v HM. assert (A' := A). unfold tails_attain in A'.
    apply andb_true_iff in A' as [A' _]. facts.
  match goal with Q : question_ok _ _ _ _ _ = true |- _ => destruct (question_facts n w loss unit Q) as (_ & Hu & _) end.
  match goal with Q : walk_ok _ _ _ _ _ _ _ = true |- _ => destruct (walk_facts n w loss _ _ k Q) as (HW & _) end.
  destruct t; [eapply tails_bounded|eapply prices_bounded]; eauto; left; reflexivity.
Qed.
