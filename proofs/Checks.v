(* What is left to compute: that the witnesses bound the matrices, and that each prompt's target is decided. *)
Require Import Uint63 String Reals ZArith List Machine Float32 Tokens Sequence Model Decoding. Require Table Weights. Import ListNotations.
Close Scope uint63_scope. Close Scope R_scope. Open Scope nat_scope.

Definition net : network := network_of Weights.weights.
Definition whole : netZ := netOf Weights.weights Weights.bounds Weights.shift_bound Weights.token_bound.
Definition stretched : bool := netOK (List.length Weights.vocabulary) Weights.weights Weights.bounds Weights.matrix_rows Weights.shift_bound Weights.token_bound
  Weights.shift_rows Weights.token_rows.
Lemma whole_good : stretched = true -> net_good (List.length Weights.vocabulary) net whole.
Proof. apply net_of_good. Qed.

Definition prompts : list (string * string * list nat) := combine Table.table Weights.targets.
Definition decided (k : nat) : bool :=
  match nth_error prompts k with
  | Some (prompt, target, ids) => answers Weights.vocabulary whole Weights.factors 4 prompt target ids
  | None => false
  end.
