(* Hanoi: its rules, the first instruction, and what it means that a run solves a problem. All of this file is
   definitions. Disk 1 is the smallest; the pegs are 1, 2 and 3. *)
Require Import Bool List Arith String Machine Stack. Import ListNotations.
Open Scope string_scope.

(* ── The rules ──
   The disks on each peg, from the top down. *)
Definition state : Type := nat -> list nat.
Definition put (pegs : state) (peg : nat) (disks : list nat) : state := fun p => if (p =? peg)%nat then disks else pegs p.

(* All moves: a disk, of at most 64, from one peg to another. *)
Definition moves : list (nat * (nat * nat)) :=
  list_prod (seq 1 64) [(1, 2); (1, 3); (2, 1); (2, 3); (3, 1); (3, 2)].
Definition spelled (move : nat * (nat * nat)) : string :=
  let '(disk, (src, dst)) := move in
  "Move disk " ++ decimal disk ++ " from " ++ decimal src ++ " to " ++ decimal dst.

(* The top disk of a peg, which an action names, is put on another peg, where no smaller one is on top. *)
Definition apply (pegs : state) (action : string) : option state :=
  match find (fun move => spelled move =? action) moves with
  | None => None
  | Some (disk, (src, dst)) =>
      match pegs src with
      | top :: below =>
          if (top =? disk)%nat && match pegs dst with [] => true | other :: _ => (disk <? other)%nat end
          then Some (put (put pegs src below) dst (disk :: pegs dst)) else None
      | [] => None
      end
  end.

(* All actions of a plan, each legal. *)
Fixpoint play (pegs : state) (plan : list string) : option state :=
  match plan with [] => Some pegs | action :: rest => new <- apply pegs action ;; play new rest end.

(* ── The statement ──
   With n disks on peg 1, the machine with this model halts after 3 * 2^(n-1) - 2 steps; they take 2^n - 1 actions, all
   of them legal; and at the end all disks are on peg 3, in order. *)
Definition tower (n : nat) : list nat := seq 1 n.
Definition first_instruction (n : nat) : string := "CALL n=" ++ decimal n ++ " src=1 dst=3 aux=2".
Definition solves (model : string -> option string) (n : nat) : Prop :=
  exists steps final,
    runs model [first_instruction n] steps /\
    List.length steps = 3 * 2 ^ (n - 1) - 2 /\
    List.length (List.concat steps) = 2 ^ n - 1 /\
    play (put (fun _ => []) 1 (tower n)) (List.concat steps) = Some final /\
    final 1 = [] /\ final 2 = [] /\ final 3 = tower n.
