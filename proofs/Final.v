(* These weights, in this loop, solve every problem of BlocksWorld. *)
Require Import Uint63 String Reals ZArith List Lia Permutation Machine BlocksWorld BlocksWorldProof Theorems Float32 Tokens Sequence Model Exact Decoding Checks Stretches Prompts1 Prompts2.
Require Table Weights. Import ListNotations.
Close Scope uint63_scope. Close Scope R_scope. Open Scope nat_scope.

Lemma lookup_in p t l : lookup p l = Some t -> In (p, t) l.
Proof.
  induction l as [|(q, s) l IH]; simpl; [discriminate|]. destruct (String.eqb_spec q p) as [->|]; intros E; auto.
  injection E as ->. auto.
Qed.
Lemma in_combined {A B} (x : A) l : forall (m : list B), In x l -> List.length l <= List.length m -> exists y, In (x, y) (combine l m).
Proof.
  induction l as [|a l IH]; intros [|b m] I L; simpl in *; try tauto; try (exfalso; inversion L; fail).
  destruct I as [->|I]; [eauto|]. destruct (IH m I (le_S_n _ _ L)) as (y & Y). eauto.
Qed.

(* A model that answers as some float32 machine decodes these weights, whatever it rounds in each step. *)
Definition decodes (model : string -> option string) : Prop :=
  forall prompt, responds Weights.vocabulary net 4 prompt (model prompt).

(* There are such answers to each prompt: those of exact arithmetic. *)
Lemma answers_exist prompt : exists answer, responds Weights.vocabulary net 4 prompt answer.
Proof. apply some_answer, Nat.ltb_lt. vm_compute. reflexivity. Qed.

Theorem weights_write_the_table model : decodes model -> writes model Table.table.
Proof.
  intros D prompt target L. apply lookup_in in L.
  destruct (in_combined (prompt, target) Table.table Weights.targets L) as (ids & I). { apply Nat.leb_le. vm_compute. reflexivity. }
  apply In_nth_error in I as (k & I). change (combine Table.table Weights.targets) with prompts in I.
  assert (K : k < 8). { change 8 with (List.length prompts). apply nth_error_Some. congruence. }
  assert (C : decided k = true).
  { destruct k as [|[|[|[|[|[|[|[|k]]]]]]]]; [exact decided_0|exact decided_1|exact decided_2|exact decided_3|exact decided_4|exact decided_5|
      exact decided_6|exact decided_7|lia]. }
  unfold decided in C. rewrite I in C.
  exact (answer_is Weights.vocabulary net whole Weights.factors (whole_good stretches) 4 prompt target ids _ C (D prompt)).
Qed.

Theorem weights_solve_blocksworld model (tower goal : list nat) : decodes model ->
  goal <> [] -> NoDup goal -> Permutation tower goal -> solves model [map decimal tower] (map decimal goal).
Proof. intros D. apply blocksworld, weights_write_the_table, D. Qed.
Print Assumptions weights_solve_blocksworld.
