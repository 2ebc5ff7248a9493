(* The machine: a stack of instructions and named records, whose steps a model writes as texts. It is Algorithm 1 with
   coc's memory "heap" and numbered names. It knows neither a puzzle nor a network. All of this file is definitions. *)
Require Import Bool List Arith Ascii String DecimalString. Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.
Notation "x <- a ;; b" := (match a with Some x => b | None => None end)
  (at level 60, a at next level, right associativity).

(* ── Texts ── *)

(* What is left of a text after its start; None if it begins otherwise. *)
Fixpoint strip (start s : string) : option string :=
  match start, s with
  | "", _ => Some s
  | String a p, String b r => if (a =? b)%char then strip p r else None
  | _, _ => None
  end.

(* What comes after the last occurrence of a text. *)
Fixpoint after_last (mark s : string) : option string :=
  match s with
  | "" => None
  | String _ r => match after_last mark r with None => strip mark s | found => found end
  end.

Fixpoint lines (s : string) : list string :=
  match s with
  | "" => [""]
  | String c r =>
      match lines r with
      | l :: ls => if (c =? "010")%char then "" :: l :: ls else String c l :: ls
      | [] => []
      end
  end.

Definition decimal (k : nat) : string := NilZero.string_of_uint (Nat.to_uint k).

Fixpoint lookup (key : string) (pairs : list (string * string)) : option string :=
  match pairs with [] => None | (k, v) :: r => if k =? key then Some v else lookup key r end.

(* ── Names ──
   A name is a B and digits, not after a letter or digit. A text is what is before its first name, and for each name its
   digits and what is between it and the next one. *)

Definition between (a b : nat) (c : ascii) : bool := (a <=? nat_of_ascii c)%nat && (nat_of_ascii c <=? b)%nat.
Definition digit : ascii -> bool := between 48 57.
Definition alphanumeric (c : ascii) : bool := digit c || between 65 90 c || between 97 122 c.
Definition parts : Type := string * list (string * string).

(* The digits at the start of a text, and the parts of the rest. `inside`: a letter or digit comes before it. *)
Fixpoint scan (inside : bool) (s : string) : string * parts :=
  match s with
  | "" => ("", ("", []))
  | String c r =>
      let '(ds, (t, names)) := scan (alphanumeric c) r in
      if digit c then (String c ds, (t, names))
      else if (c =? "B")%char && negb inside && negb (ds =? "") then ("", ("", (ds, t) :: names))
      else ("", (String c (ds ++ t), names))
  end.
Definition split (s : string) : parts := let '(ds, (t, names)) := scan false s in (ds ++ t, names).
Fixpoint join (t : string) (names : list (string * string)) : string :=
  match names with [] => t | (d, u) :: r => t ++ "B" ++ d ++ join u r end.

(* Names renumbered 1, 2, … in order of their places, as a prompt has them, and restored, as a target is executed. *)
Fixpoint by_place (k : nat) (names : list (string * string)) : list (string * string) :=
  match names with [] => [] | (_, u) :: r => (decimal k, u) :: by_place (S k) r end.
Fixpoint restored (meant names : list (string * string)) : option (list (string * string)) :=
  match names with
  | [] => Some []
  | (d, u) :: r => e <- lookup d meant ;; rest <- restored meant r ;; Some ((e, u) :: rest)
  end.

(* ── Steps. None is a fault, or that nothing is left to do. ── *)

Section Machine.
Variable model : string -> option string.      (* the target of a prompt *)
Variable heap : list (string * string).        (* the records: no target here writes one *)

(* An instruction with the record that it names. *)
Definition read (instruction : string) : option string :=
  name <- after_last " AT " instruction ;; record <- lookup name heap ;; Some (instruction ++ ": " ++ record).

(* The lines of the target for a text. *)
Definition answer (t : string) (names : list (string * string)) : option (list parts) :=
  target <- model (join t (by_place 1 names)) ;; Some (map split (lines target)).

(* What a target does: actions come first, then instructions, of which the last is then on top of the stack. *)
Fixpoint act (wrote : bool) (meant : list (string * string)) (target : list parts) (stack : list string)
  : option (list string * list string) :=
  match target with
  | [] => Some ([], stack)
  | (t, names) :: more =>
      named <- restored meant names ;;
      match strip "WRITE " (join t named), strip "OUTPUT " (join t named), wrote with
      | Some instruction, _, _ => act true meant more (instruction :: stack)
      | _, Some action, false =>
          match act false meant more stack with Some (actions, new) => Some (action :: actions, new) | None => None end
      | _, _, _ => None
      end
  end.

(* One step: the model is called with the instruction on top. The actions, and the new stack. *)
Definition step (stack : list string) : option (list string * list string) :=
  match stack with
  | [] => None
  | instruction :: rest =>
      text <- read instruction ;;
      let (t, names) := split text in
      target <- answer t names ;;
      act false (combine (map fst (by_place 1 names)) (map fst names)) target rest
  end.

(* `runs stack steps`: from this stack, the machine takes these steps, given by their actions, and halts. *)
Inductive runs : list string -> list (list string) -> Prop :=
  | halts : runs [] []
  | goes_on stack actions new rest :
      step stack = Some (actions, new) -> runs new rest -> runs stack (actions :: rest).
End Machine.
