(* Noise with thresholds attains what its certificate says: it is a mechanism of the question, with the stated objective.

   SIGNATURES (definitions and proofs follow; all data are as the file and the question state them, none is a hint):

   by_distance w at : nat -> nat -> Z      r f => w f * at |r - f|
   charges                                 a record: cost, home, span, constant, variation, even; made by one of
     distances n w at : charges            losses by distance, w f >= 0 for f < n, `at` nondecreasing on 0..n, m = n
     entries m n c : charges               a table c r f of any integers, r < m, f < n
   law_ok z : bool                         (Law.v) Noise.__init__
   spends z en ed : Z                      (Spends.v) Noise.spends (en / ed) = spends z en ed / (ed * whole z ^ 2)
   loss_z z m n q threshold : Z            Thresholds.loss = loss_z / (unit * whole z); unit is that of the question (q.unit)
   attains z m n ps fs zero q unit threshold (on, od) : bool
     z noise (cumulative: F itself over whole = 2^bits, not its increases); m responses, n truths, 2 <= m, 1 <= n;
     ps privacies, each OfSets with delta Some (a, b), pure is Some (0, 1); fs factors of each, as for check_matrix;
     zero: zero stays zero; threshold j for j < m - 1; on / od the stated objective. *)
