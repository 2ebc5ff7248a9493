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
Lemma stretches : stretch_checks = true.
Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided : forallb (fun b => b) (target_checks whole) = true.
Proof. vm_cast_no_check (eq_refl true). Qed.

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

(* GELU is given by two properties: how steep it is, and that its power series in whole numbers is near it. *)
Definition is_gelu (gelu : R -> R) : Prop :=
  (forall x y, Rabs (gelu x - gelu y) <= 113 / 100 * Rabs (x - y))%R /\
  forall z, (Z.abs z <= widest)%Z -> (Rabs (gelu (IZR z / 2 ^ 24) - IZR (geluZ z) / 2 ^ 24) <= / 2 ^ 20)%R.

(* A model that answers as some float32 machine decodes these weights, whatever it rounds in each step. *)
Definition decodes (gelu : R -> R) (model : string -> option string) : Prop :=
  forall prompt, responds Weights.vocabulary gelu net 4 prompt (model prompt).

Theorem weights_write_the_table gelu model : is_gelu gelu -> decodes gelu model -> writes model Table.table.
Proof.
  intros (Sl & Cl) D prompt target L. apply lookup_in in L.
  destruct (in_combined (prompt, target) Table.table Weights.targets L) as (ids & I). { apply Nat.leb_le. vm_compute. reflexivity. }
  pose proof decided as C. unfold target_checks in C. rewrite forallb_forall in C.
  specialize (C _ (in_map _ _ _ I)). cbn [fst snd] in C.
  exact (answer_is gelu Sl Cl Weights.vocabulary net whole Weights.factors (net_of_good _ _ _ _ _ _ _ _ stretches) 4 prompt target ids _ C (D prompt)).
Qed.

Theorem weights_solve_blocksworld gelu model (tower goal : list nat) : is_gelu gelu -> decodes gelu model ->
  goal <> [] -> NoDup goal -> Permutation tower goal -> solves model [map decimal tower] (map decimal goal).
Proof. intros G D. apply blocksworld, (weights_write_the_table gelu); auto. Qed.
Print Assumptions weights_solve_blocksworld.
