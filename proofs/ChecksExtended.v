(* What is left to compute for blocksworld-extended: that the witnesses bound the matrices, and that each target is decided. *)
Require Import ZArith List Float32 Sequence Model Decoding Written. Require TableExtended WeightsExtended. Import ListNotations.

Definition net : network := network_of WeightsExtended.weights.
Definition whole : netZ := netOf WeightsExtended.weights WeightsExtended.bounds WeightsExtended.shift_bound WeightsExtended.token_bound.
Definition stretched : bool := netOK (length WeightsExtended.vocabulary) WeightsExtended.weights WeightsExtended.bounds WeightsExtended.matrix_rows WeightsExtended.shift_bound WeightsExtended.token_bound
  WeightsExtended.shift_rows WeightsExtended.token_rows.
Lemma whole_good : stretched = true -> net_good (length WeightsExtended.vocabulary) net whole.
Proof. apply net_of_good. Qed.
Definition decided : nat -> bool := decided_of WeightsExtended.vocabulary whole WeightsExtended.factors TableExtended.table WeightsExtended.targets.
