(* What the bounds on float32 rest on: the axioms of Rocq's real numbers, and the processor's integers. *)
Require Import Decoding.
Print Assumptions answer_is.
