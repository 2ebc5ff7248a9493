(* From decided prompts to a table that each model of these weights writes. *)
Require Import String List Lia Machine BlocksWorld BlocksWorldProof Float32 Sequence Model Decoding. Import ListNotations. Open Scope nat_scope.

(* The targets of a table, as tokens, and whether the k-th is decided. *)
Definition decided_of (voc : list string) (w : netZ) factors (table : list (string * string)) (targets : list (list nat)) (k : nat) : bool :=
  match nth_error (combine table targets) k with
  | Some (prompt, target, ids) => answers voc w factors 4 prompt target ids
  | None => false
  end.

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
Lemma table_written voc net w factors table targets model : net_good (List.length voc) net w ->
  List.length table = List.length targets -> (forall k, k < List.length table -> decided_of voc w factors table targets k = true) ->
  (forall prompt, responds voc net 4 prompt (model prompt)) -> writes model table.
Proof.
  intros G Le D R prompt target L. apply lookup_in in L.
  destruct (in_combined (prompt, target) table targets L) as (ids & I); [lia|]. apply In_nth_error in I as (k & I).
  assert (K : k < List.length table).
  { assert (k < List.length (combine table targets)) by (apply nth_error_Some; congruence). rewrite combine_length in *. lia. }
  specialize (D k K). unfold decided_of in D. rewrite I in D. exact (answer_is voc net w factors G 4 prompt target ids _ D (R prompt)).
Qed.
