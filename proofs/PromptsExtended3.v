Require Import ChecksExtended.
Lemma decided_8 : decided 8 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_9 : decided 9 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_10 : decided 10 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_11 : decided 11 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
