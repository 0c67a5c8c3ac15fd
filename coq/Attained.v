(* Noise with thresholds attains what its certificate says: it is a mechanism of the question, with the stated objective.

   SIGNATURES (proofs follow; all data are as the file and the question state them; none is a hint):

   law_ok z : bool                         (Law.v) what Noise.__init__ asks of the numbers
   spends z en ed : Z                      (Spends.v) Noise.spends of the factor en/ed, over ed * whole z * whole z
   loss_z z m n l threshold : Z            (NoiseLoss.v) Thresholds.loss, over unit * whole z
   attains m n ps zero l unit fs z threshold (on, od) : bool
     m responses, n truths, 2 <= m, 1 <= n; ps privacies, each OfSets with delta Some (a, b), pure is Some (0, 1);
     zero: zero stays zero; l: losses (Losses.v) over unit; fs: factors around e^epsilon, one for each of ps;
     z: noise; cumulative is F itself over whole = 2^bits, not its increases; width = period as nat is computed;
     threshold j, j < m - 1, is the threshold itself, not its increase; on/od: the stated objective. *)
