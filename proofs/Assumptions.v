(* What the bounds on float32 rest on: the axioms of Coq's real numbers, and the processor's integers. *)
Require Import Linear Normal Attend.
Print Assumptions lin_sound.
Print Assumptions norm_sound.
Print Assumptions attend_sound.
