Require Import ChecksExtended.
Lemma decided_0 : decided 0 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_1 : decided 1 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_2 : decided 2 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_3 : decided 3 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
