(* BlocksWorld: its rules, what coc's code writes before the first step, and what it means that a run solves a problem.
   All of this file is definitions. A block is the decimal digits of its number. *)
Require Import Bool List Arith Ascii String Machine. Import ListNotations.
Open Scope string_scope.

(* ── The rules ──
   What each block is on, None for the table; the number of moves so far; the top of the new tower. *)
Record world := World { below : string -> option string; moves : nat; top : option string }.

Definition is (place : option string) (b : string) : bool := match place with Some c => c =? b | None => false end.
Definition put (f : string -> option string) (b : string) (place : option string) : string -> option string :=
  fun c => if c =? b then place else f c.

(* One action. Of 2n moves, the first n put a block on the table, the others put one on the new tower. *)
Definition apply (blocks : list string) (st : world) (action : text) : option world :=
  b <- match action with [Chars a; Name "B" b] => if a =? "Move block " then Some b else None | _ => None end ;;
  if negb (existsb (String.eqb b) blocks) then None                        (* there is no such block *)
  else if existsb (fun c => is (below st c) b) blocks then None            (* a block lies on it *)
  else if (moves st <? List.length blocks)%nat then Some (World (put (below st) b None) (S (moves st)) (top st))
  else if is (top st) b then None                                          (* it can't be put on itself *)
  else Some (World (put (below st) b (top st)) (S (moves st)) (Some b)).

(* All actions of a plan, each legal. *)
Fixpoint play (blocks : list string) (st : world) (plan : list text) : option world :=
  match plan with [] => Some st | action :: rest => new <- apply blocks st action ;; play blocks new rest end.

(* These blocks, from the top down, stand on each other, the last one on the table. *)
Fixpoint standing (below : string -> option string) (tower : list string) : Prop :=
  match tower with [] => True | b :: r => below b = hd_error r /\ standing below r end.

(* ── Before the first step. Towers are listed from the table up. ── *)
Fixpoint under (start : list (list string)) (b : string) : option string :=
  match start with [] => None | tower :: r => match next (rev tower) b with None => under r b | found => found end end.
Definition next_tower (start : list (list string)) (b : string) : option string :=
  match under start b with None => next (rev (List.concat start)) b | _ => None end.

Definition record (lower tower upper : option string) : fields :=
  links "B" [("below", lower); ("next_tower", tower); ("goal_above", upper)].
Definition begin (start : list (list string)) (goal : list string) : state :=
  State [[Chars "CALL rearrange.1 goal="; Name "B" (hd "" goal); Chars " AT "; Name "B" (last (List.concat start) "")]]
    (records "B" goal (fun b => record (under start b) (next_tower start b) (next goal b))) (List.length goal).

(* ── The statement ──
   The machine with this model halts after two steps for each block, with one action in each step; all actions are
   legal; and at the end the blocks stand as the goal says. *)
Definition solves (model : string -> option string) (start : list (list string)) (goal : list string) : Prop :=
  exists plan final,
    runs ["B"%char] [] (fun _ => []) model (begin start goal) (map (fun action => [action]) plan) /\
    List.length plan = 2 * List.length goal /\
    play goal (World (under start) 0 None) plan = Some final /\
    standing (below final) (rev goal).
