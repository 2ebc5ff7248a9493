Require Import Checks.
Lemma decided_4 : decided 4 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_5 : decided 5 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_6 : decided 6 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
Lemma decided_7 : decided 7 = true. Proof. vm_cast_no_check (eq_refl true). Qed.
