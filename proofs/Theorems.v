(* The theorems: a model that writes the targets of a certificate solves every problem. *)
Require Import List String Permutation Machine BlocksWorld BlocksWorldProof.
Require Hanoi HanoiProof MachineFacts Pancake PancakeProof Sort SortProof.
Require Table TableExtended TableHanoi TablePancake TableSort.
Import ListNotations.

Lemma knows_one : knows Table.table false.
Proof. every_prompt. Qed.
Lemma knows_several : knows TableExtended.table true.
Proof. every_prompt. Qed.
Lemma knows_pancake : PancakeProof.knows TablePancake.table.
Proof. PancakeProof.every_prompt. Qed.
Lemma knows_sort : SortProof.knows TableSort.table.
Proof. SortProof.every_prompt. Qed.

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

(* A pile of at least one pancake, in any order. *)
Theorem pancake (model : string -> option string) (pile goal : list nat) :
  writes model TablePancake.table -> goal <> [] -> NoDup goal -> Permutation pile goal ->
  Pancake.solves model (map decimal pile) (map decimal goal).
Proof.
  intros W E N P. apply (PancakeProof.solved _ _ _ knows_pancake W).
  - apply FinFun.Injective_map_NoDup; auto. exact MachineFacts.decimal_inj.
  - destruct goal; [contradiction|discriminate].
  - apply Permutation_map, P.
Qed.

(* Any numbers, at least one. *)
Theorem sort (model : string -> option string) (keys : list nat) :
  writes model TableSort.table -> keys <> [] -> Sort.solves model keys.
Proof. intros W. apply (SortProof.all_sorted _ _ _ knows_sort W). Qed.
Print Assumptions blocksworld.
Print Assumptions blocksworld_extended.
Print Assumptions hanoi.
Print Assumptions pancake.
Print Assumptions sort.
