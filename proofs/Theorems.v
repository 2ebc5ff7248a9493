(* The theorems: a model that writes the targets of a certificate solves every problem. *)
Require Import List String Permutation Machine BlocksWorld BlocksWorldProof. Require Table TableExtended.
Require Hanoi HanoiProof TableHanoi.
Import ListNotations.

Lemma knows_one : knows Table.table false.
Proof. every_prompt. Qed.
Lemma knows_several : knows TableExtended.table true.
Proof. every_prompt. Qed.

(* One tower at the start, any number of blocks, named by any numbers. *)
Theorem blocksworld (model : string -> option string) (tower goal : list nat) :
  writes model Table.table -> goal <> [] -> NoDup goal -> Permutation tower goal ->
  solves model [map decimal tower] (map decimal goal).
Proof.
  intros W E N P. apply (numbers_solved _ _ _ [tower] goal knows_one W); eauto. simpl. rewrite app_nil_r. auto.
Qed.

(* Several towers at the start. *)
Theorem blocksworld_extended (model : string -> option string) (start : list (list nat)) (goal : list nat) :
  writes model TableExtended.table -> goal <> [] -> NoDup goal -> Permutation (List.concat start) goal ->
  solves model (map (map decimal) start) (map decimal goal).
Proof. intros W. apply (numbers_solved _ _ _ start goal knows_several W). discriminate. Qed.

(* Hanoi on a stack, up to the largest number of disks of the certificate. *)
Lemma policy_of_hanoi : HanoiProof.policy TableHanoi.table 64 [HanoiProof.first] = true.
Proof. vm_compute. reflexivity. Qed.
Theorem hanoi (model : string -> option string) (n : nat) :
  writes model TableHanoi.table -> 1 <= n <= 64 -> Hanoi.solves model n.
Proof. intros W. apply (HanoiProof.hanoi _ 64 _ _ policy_of_hanoi); auto. Qed.
Print Assumptions blocksworld.
Print Assumptions blocksworld_extended.
Print Assumptions hanoi.
