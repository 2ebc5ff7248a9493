Require Import ChecksExtended.
Lemma stretches : stretched = true. Proof. vm_cast_no_check (eq_refl true). Qed.
