(* These weights, in this loop, solve every problem of blocksworld-extended. *)
Require Import String List Arith Permutation Lia Machine BlocksWorld BlocksWorldProof Theorems Model Exact Written.
Require Import ChecksExtended StretchesExtended PromptsExtended1 PromptsExtended2 PromptsExtended3.
Require TableExtended WeightsExtended. Import ListNotations. Open Scope nat_scope.

Definition decodes (model : string -> option string) : Prop :=
  forall prompt, responds WeightsExtended.vocabulary (network_of WeightsExtended.weights) 4 prompt (model prompt).
Lemma answers_exist prompt : exists answer, responds WeightsExtended.vocabulary (network_of WeightsExtended.weights) 4 prompt answer.
Proof. apply some_answer, Nat.ltb_lt. vm_compute. reflexivity. Qed.

Theorem weights_write_the_table model : decodes model -> writes model TableExtended.table.
Proof.
  apply (table_written _ _ whole WeightsExtended.factors _ WeightsExtended.targets); [exact (whole_good stretches)|reflexivity|].
  change (List.length TableExtended.table) with 12. intros k K. change (decided k = true).
  destruct k as [|[|[|[|[|[|[|[|[|[|[|[|k]]]]]]]]]]]]; [exact decided_0|exact decided_1|exact decided_2|exact decided_3|exact decided_4|exact decided_5|
    exact decided_6|exact decided_7|exact decided_8|exact decided_9|exact decided_10|exact decided_11|lia].
Qed.

Theorem weights_solve_blocksworld_extended model (start : list (list nat)) (goal : list nat) : decodes model ->
  goal <> [] -> NoDup goal -> Permutation (List.concat start) goal -> solves model (map (map decimal) start) (map decimal goal).
Proof. intros D. apply blocksworld_extended, weights_write_the_table, D. Qed.
Print Assumptions weights_solve_blocksworld_extended.
