(* The pancake puzzle: its rules, what coc's code writes before the first step, and what it means that a run solves a
   problem. All of this file is definitions. A pancake is the decimal digits of its number, a pile is listed from the
   bottom up. *)
Require Import Bool List Arith Ascii String Machine. Import ListNotations.
Open Scope string_scope.

(* ── The rules ── *)

(* How many pancakes of a list are below this one; None if it is not there. *)
Fixpoint index (p : string) (l : list string) : option nat :=
  match l with [] => None | q :: r => if q =? p then Some 0 else k <- index p r ;; Some (S k) end.
(* From where an action turns the pile over: where the pancake is, or where it is in the goal. *)
Definition from (goal pile : list string) (action : text) : option nat :=
  match action with
  | [Chars a; Name "P" p; Chars b] =>
      if negb (a =? "Flip from where ") then None
      else if b =? " is located." then index p pile
      else if b =? " must be located." then index p goal else None
  | _ => None
  end.
Fixpoint play (goal pile : list string) (plan : list text) : option (list string) :=
  match plan with
  | [] => Some pile
  | action :: rest => k <- from goal pile action ;; play goal (firstn k pile ++ rev (skipn k pile)) rest
  end.

(* ── Before the first step ── *)
Definition record (below above smaller : option string) : fields :=
  links "P" [("below", below); ("above", above); ("next", smaller)].
Definition begin (start goal : list string) : state :=
  State [[Chars "CALL sort.1 top="; Name "P" (last start ""); Chars " AT "; Name "P" (hd "" goal)]]
    (records "P" goal (fun p => record (next (rev start) p) (next start p) (next goal p))) (List.length goal).

(* ── The statement ──
   The machine with this model halts, all flips are legal, at the end the pile is the goal, and there are at most two
   flips for each pancake. *)
Definition solves (model : string -> option string) (start goal : list string) : Prop :=
  exists steps,
    runs ["P"%char] ["No pancake is unsorted."] (fun _ => []) model (begin start goal) steps /\
    play goal start (List.concat steps) = Some goal /\
    List.length (List.concat steps) <= 2 * List.length goal.
