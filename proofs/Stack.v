(* The machine with a stack: Algorithm 1 with coc's memory "pda", where a window is an instruction and nothing else. No
   addresses are computed. It knows neither a puzzle nor a network. All of this file is definitions. *)
Require Import List String Machine. Import ListNotations.
Open Scope string_scope.

(* What the lines of a target do to the stack below the window. Actions come first, then instructions, of which the last
   is then on top. The actions, and the new stack; None is a fault. *)
Fixpoint act (wrote : bool) (target stack : list string) : option (list string * list string) :=
  match target with
  | [] => Some ([], stack)
  | line :: more =>
      match strip "PUSH " line, strip "OUTPUT " line, wrote with
      | Some instruction, _, _ => act true more (instruction :: stack)
      | _, Some action, false =>
          match act false more stack with Some (actions, new) => Some (action :: actions, new) | None => None end
      | _, _, _ => None
      end
  end.

Section Stack.
Variable model : string -> option string.      (* the target of a prompt *)

(* One step: the model is called with the instruction on top, which is taken off. *)
Definition step (stack : list string) : option (list string * list string) :=
  match stack with
  | [] => None
  | instruction :: rest => target <- model ("INSTR " ++ instruction) ;; act false (lines target) rest
  end.

(* `runs stack steps`: from this stack, the machine takes these steps, given by their actions, and halts. *)
Inductive runs : list string -> list (list string) -> Prop :=
  | halts : runs [] []
  | goes_on stack actions new rest :
      step stack = Some (actions, new) -> runs new rest -> runs stack (actions :: rest).
End Stack.
