(* These weights, in this loop, solve every problem of BlocksWorld. *)
Require Import Uint63 String Reals ZArith List Permutation Machine BlocksWorld BlocksWorldProof Theorems Float32 Tokens Sequence Model Gram Decoding.
Require Table Weights. Import ListNotations.
Close Scope uint63_scope. Close Scope R_scope. Open Scope nat_scope.

Definition net : network := network_of Weights.weights.
Definition whole : netZ := netOf Weights.weights Weights.bounds Weights.shift_bound Weights.token_bound.
Definition stretch_checks : bool := netOK (List.length Weights.vocabulary) Weights.weights Weights.bounds Weights.matrix_rows Weights.shift_bound Weights.token_bound
  Weights.shift_rows Weights.token_rows.
Definition target_checks (w : netZ) : list bool :=
  map (fun p => answers Weights.vocabulary w Weights.factors 4 (fst (fst p)) (snd (fst p)) (snd p)) (combine Table.table Weights.targets).
