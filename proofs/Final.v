(* These weights, in this loop, solve every problem of blocksworld. *)
Require Import String List Arith Permutation Lia Machine BlocksWorld BlocksWorldProof Theorems Model Exact Written Checks Stretches Prompts1 Prompts2.
Require Table Weights. Import ListNotations. Open Scope nat_scope.

(* A model that answers as some float32 machine decodes these weights, whatever it rounds in each step. *)
Definition decodes (model : string -> option string) : Prop :=
  forall prompt, responds Weights.vocabulary (network_of Weights.weights) 4 prompt (model prompt).
(* There are such answers to each prompt: those of exact arithmetic. *)
Lemma answers_exist prompt : exists answer, responds Weights.vocabulary (network_of Weights.weights) 4 prompt answer.
Proof. apply some_answer, Nat.ltb_lt. vm_compute. reflexivity. Qed.

Theorem weights_write_the_table model : decodes model -> writes model Table.table.
Proof.
  apply (table_written _ _ whole Weights.factors _ Weights.targets); [exact (whole_good stretches)|reflexivity|]. change (List.length Table.table) with 8.
  intros k K. change (decided k = true). destruct k as [|[|[|[|[|[|[|[|k]]]]]]]]; [exact decided_0|exact decided_1|exact decided_2|exact decided_3|
    exact decided_4|exact decided_5|exact decided_6|exact decided_7|lia].
Qed.

Theorem weights_solve_blocksworld model (tower goal : list nat) : decodes model ->
  goal <> [] -> NoDup goal -> Permutation tower goal -> solves model [map decimal tower] (map decimal goal).
Proof. intros D. apply blocksworld, weights_write_the_table, D. Qed.
Print Assumptions weights_solve_blocksworld.
