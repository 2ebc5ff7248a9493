(* What is left to compute for blocksworld: that the witnesses bound the matrices, and that each target is decided. *)
Require Import ZArith List Float32 Sequence Model Decoding Written. Require Table Weights. Import ListNotations.

Definition net : network := network_of Weights.weights.
Definition whole : netZ := netOf Weights.weights Weights.bounds Weights.shift_bound Weights.token_bound.
Definition stretched : bool := netOK (length Weights.vocabulary) Weights.weights Weights.bounds Weights.matrix_rows Weights.shift_bound Weights.token_bound
  Weights.shift_rows Weights.token_rows.
Lemma whole_good : stretched = true -> net_good (length Weights.vocabulary) net whole.
Proof. apply net_of_good. Qed.
Definition decided : nat -> bool := decided_of Weights.vocabulary whole Weights.factors Table.table Weights.targets.
