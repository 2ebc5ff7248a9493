(* The machine: a stack of instructions and named records, whose steps a model writes as texts. It is Algorithm 1 with
   coc's memory "heap" and numbered names. It knows neither a puzzle nor a network. All of this file is definitions. *)
Require Import Bool List Arith Ascii String DecimalString. Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.
Notation "x <- a ;; b" := (match a with Some x => b | None => None end)
  (at level 60, a at next level, right associativity).

(* ── Strings ── *)

(* What is left of a string after its start, and before its end; None if it begins or ends otherwise. *)
Fixpoint strip (start s : string) : option string :=
  match start, s with
  | "", _ => Some s
  | String a p, String b r => if (a =? b)%char then strip p r else None
  | _, _ => None
  end.
Fixpoint before (ending s : string) : option string :=
  if s =? ending then Some ""
  else match s with "" => None | String c r => start <- before ending r ;; Some (String c start) end.

(* The parts of a string that a character separates. *)
Fixpoint cut (mark : ascii) (s : string) : list string :=
  match s with
  | "" => [""]
  | String c r =>
      match cut mark r with
      | l :: ls => if (c =? mark)%char then "" :: l :: ls else String c l :: ls
      | [] => []
      end
  end.
Definition lines : string -> list string := cut "010".
Definition decimal (k : nat) : string := NilZero.string_of_uint (Nat.to_uint k).
Fixpoint lookup (key : string) (pairs : list (string * string)) : option string :=
  match pairs with [] => None | (k, v) :: r => if k =? key then Some v else lookup key r end.
(* What follows in a list. *)
Fixpoint next (l : list string) (b : string) : option string :=
  match l with [] => None | c :: r => if c =? b then hd_error r else next r b end.
Fixpoint every {A B} (f : A -> option B) (l : list A) : option (list B) :=
  match l with [] => Some [] | a :: r => b <- f a ;; bs <- every f r ;; Some (b :: bs) end.

(* ── Texts ──
   A text has names, which are a letter and a number, and other characters. The number of a new record is "+1". *)
Inductive piece := Chars (s : string) | Name (letter : ascii) (number : string).
Definition text : Type := list piece.

Definition between (a b : nat) (c : ascii) : bool := (a <=? nat_of_ascii c)%nat && (nat_of_ascii c <=? b)%nat.
Definition digit : ascii -> bool := between 48 57.
Definition alphanumeric (c : ascii) : bool := digit c || between 65 90 c || between 97 122 c.
Definition chars (s : string) (t : text) : text :=
  match s, t with "", _ => t | _, Chars u :: r => Chars (s ++ u) :: r | _, _ => Chars s :: t end.

(* The text that a string is, if names have these letters. `scan` also returns the number at its start; `inside` says
   that a letter or digit comes before it: then no name begins here. *)
Fixpoint scan (letters : list ascii) (inside : bool) (s : string) : string * text :=
  match s with
  | "" => ("", [])
  | String c r =>
      let (number, t) := scan letters (alphanumeric c) r in
      if digit c || (String c number =? "+1") then (String c number, t)
      else if existsb (Ascii.eqb c) letters && negb inside && negb (number =? "") then ("", Name c number :: t)
      else ("", chars (String c number) t)
  end.
Definition split (letters : list ascii) (s : string) : text :=
  let (number, t) := scan letters false s in chars number t.

Fixpoint numbers (t : text) : list string :=
  match t with [] => [] | Chars _ :: r => numbers r | Name _ n :: r => n :: numbers r end.
(* A text as a string, with other numbers in the place of its own. *)
Fixpoint join (t : text) (others : list string) : string :=
  match t, others with
  | Chars s :: r, _ => s ++ join r others
  | Name c _ :: r, n :: ns => String c n ++ join r ns
  | _, _ => ""
  end.
(* A text with what each number stands for; None if one stands for nothing. *)
Definition meant (means : list (string * string)) : text -> option text :=
  every (fun p => match p with Name c n => m <- lookup n means ;; Some (Name c m) | _ => Some p end).

(* ── Targets ── *)

Definition fields : Type := list (string * text).
Inductive line := Output (action : text) | Note | Record (letter : ascii) (number : string) (written : fields)
  | Instruction (t : text) | Result (t : text).

(* What a line of a target says. A note is one of those of the domain. *)
Definition line_of (letters : list ascii) (notes : list string) (s : string) : option line :=
  let t := split letters in
  match strip "OUTPUT " s, strip "WRITE " s, strip "RETURN " s with
  | Some action, _, _ => Some (Output (t action))
  | _, Some w, _ =>
      match cut ":" w with
      | [_] => Some (Instruction (t w))
      | [name; contents] =>
          all <- strip " " contents ;;
          written <- every (fun f => match cut "=" f with [k; v] => Some (k, t v) | _ => None end) (cut " " all) ;;
          match t name with [Name c n] => Some (Record c n written) | _ => None end
      | _ => None
      end
  | _, _, Some result => Some (Result (t result))
  | _, _, _ => if existsb (String.eqb s) notes then Some Note else None
  end.
(* Lines are in this order, and a target with a result has no instruction. *)
Definition place (l : line) : nat :=
  match l with Output _ | Note => 0 | Record _ _ _ => 1 | Instruction _ => 2 | Result _ => 3 end.
Definition follows (p q : nat) : bool := (p <=? q)%nat && ((q <? 3)%nat || (p <? 2)%nat).

(* ── Steps. None is a fault, or that nothing is left to do. ── *)

(* The instruction on top comes first; `count` is how many records there have been. *)
Record state := State { stack : list text; heap : ascii * string -> option fields; count : nat }.

Definition same (a b : ascii * string) : bool := (fst a =? fst b)%char && (snd a =? snd b).
(* A record with some fields written. *)
Definition changed (old written : fields) : fields :=
  map (fun kv => match find (fun w => fst w =? fst kv) written with Some w => w | None => kv end) old.
(* One that is new has the next number. *)
Definition store (st : state) (name : ascii * string) (written : fields) : option state :=
  let put new := State (stack st) (fun k => if same k name then Some new else heap st k) in
  match heap st name with
  | Some old => Some (put (changed old written) (count st))
  | None => if snd name =? decimal (S (count st)) then Some (put written (S (count st))) else None
  end.

(* The name after " AT " at the end of an instruction; an instruction with a result in place of the "?" at its end. *)
Fixpoint at_end (t : text) : option (ascii * string) :=
  match t with
  | [Chars s; Name c n] => _ <- before " AT " s ;; Some (c, n)
  | _ :: r => at_end r
  | [] => None
  end.
Fixpoint given (result t : text) : option text :=
  match t with
  | [Chars s] => start <- before " GOT ?" s ;; Some (Chars (start ++ " GOT ") :: result)
  | p :: r => new <- given result r ;; Some (p :: new)
  | [] => None
  end.
(* What it names must be there. *)
Definition push (st : state) (t : text) : option state :=
  _ <- match at_end t with Some name => heap st name | None => Some [] end ;;
  Some (State (t :: stack st) (heap st) (count st)).
Definition hand (st : state) (result : text) : option state :=
  match stack st with
  | [] => Some st
  | t :: rest => new <- given result t ;; Some (State (new :: rest) (heap st) (count st))
  end.

(* ── Before the first step: the records of named things, and fields of a record that name things. ── *)
Definition records (c : ascii) (names : list string) (record : string -> fields) : ascii * string -> option fields :=
  fun name => if existsb (fun n => same name (c, n)) names then Some (record (snd name)) else None.
Definition links (c : ascii) : list (string * option string) -> fields :=
  map (fun f => (fst f, match snd f with Some n => [Name c n] | None => [Chars "-"] end)).

Section Machine.
Variables (letters : list ascii) (notes : list string).   (* of the domain *)
Variable compared : string -> list (nat * nat).   (* for a prompt: numbers of names that the program compares *)
Variable model : string -> option string.         (* the target of a prompt *)

(* An instruction with the record that it names. *)
Definition read (st : state) (t : text) : option text :=
  match at_end t with
  | None => Some t
  | Some name =>
      record <- heap st name ;;
      Some (t ++ Chars ":" :: flat_map (fun kv => Chars (" " ++ fst kv ++ "=") :: snd kv) record)%list
  end.

(* Names are numbered by place. Of two that are compared, and are the same, both get the number of the first. *)
Fixpoint numbered (fuel : nat) (t : text) (places : list nat) : list nat :=
  let number i := nth (i - 1) (numbers t) "" in
  match fuel, find (fun ij => number (fst ij) =? number (snd ij)) (compared (join t (map decimal places))) with
  | S less, Some (i, j) => numbered less t (map (fun p => if (p =? max i j)%nat then min i j else p) places)
  | _, _ => places
  end.

(* What a target does to the state, with what its numbers stand for. Its first line comes after one at `last`. *)
Fixpoint act (means : list (string * string)) (last : nat) (target : list line) (st : state) : option state :=
  match target with
  | [] => Some st
  | l :: more =>
      if negb (follows last (place l)) then None else
      new <- match l with
             | Output _ | Note => Some st
             | Record c n written =>
                 number <- lookup n means ;;
                 restored <- every (fun kv => v <- meant means (snd kv) ;; Some (fst kv, v)) written ;;
                 store st (c, number) restored
             | Instruction t => instruction <- meant means t ;; push st instruction
             | Result t => result <- meant means t ;; hand st result
             end ;;
      act means (place l) more new
  end.

(* One step: the model is called with the instruction on top. The actions, and the new state. *)
Definition step (st : state) : option (list text * state) :=
  match stack st with
  | [] => None
  | instruction :: rest =>
      t <- read st instruction ;;
      let places := map decimal (numbered (List.length t) t (seq 1 (List.length (numbers t)))) in
      target <- model (join t places) ;;
      todo <- every (line_of letters notes) (lines target) ;;
      let means := ("+1", decimal (S (count st))) :: combine places (numbers t) in
      done <- every (meant means) (flat_map (fun l => match l with Output t => [t] | _ => [] end) todo) ;;
      new <- act means 0 todo (State rest (heap st) (count st)) ;;
      Some (done, new)
  end.

(* `runs st steps`: from this state, the machine takes these steps, given by their actions, and halts. *)
Inductive runs : state -> list (list text) -> Prop :=
  | halts heap count : runs (State [] heap count) []
  | goes_on st actions new rest : step st = Some (actions, new) -> runs new rest -> runs st (actions :: rest).
End Machine.

(* The model writes the targets of a table for its prompts, whatever it writes for others. *)
Definition writes (model : string -> option string) (table : list (string * string)) : Prop :=
  forall prompt target, lookup prompt table = Some target -> model prompt = Some target.
