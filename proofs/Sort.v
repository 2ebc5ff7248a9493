(* Sorting numbers by merging: the rules, what coc's code writes before the first step, and what it means that a run
   sorts. All of this file is definitions. Items are numbered from 1; each has a key. *)
Require Import Bool List Arith Ascii String Machine Sorted Permutation. Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.

(* ── The rules: an item of the row is put in front of another, unless it is there. ── *)
Definition put (row : list string) (action : text) : option (list string) :=
  match action with
  | [Chars s; Name "I" a; Chars t; Name "I" b; Chars "."] =>
      let there x := existsb (String.eqb x) row in
      let nearly := match next row a with Some c => c =? b | None => false end in
      if (s =? "Put ") && (t =? " in front of ") && there a && there b && negb (a =? b) && negb nearly
      then Some (flat_map (fun x => if x =? a then [] else if x =? b then [a; b] else [x]) row) else None
  | _ => None
  end.
Fixpoint play (row : list string) (plan : list text) : option (list string) :=
  match plan with [] => Some row | action :: rest => new <- put row action ;; play new rest end.

(* ── Before the first step ──
   The items are a chain; the key of each is a chain of bits, the highest first. All keys have as many bits. *)
Definition item (key : string) (after : option string) : fields :=
  (links "B" [("key", Some key)] ++ links "I" [("next", after)])%list.
Definition bit (one : bool) (after : option string) : fields :=
  ("one", [Chars (if one then "yes" else "no")]) :: links "B" [("next", after)].
Definition begin (keys : list nat) : state :=
  let m := List.length keys in
  let bits := S (Nat.log2 (list_max keys)) in
  let records := m * S bits in
  State [[Chars "CALL merge_sort.1 even=no last="; Name "I" "1"; Chars " AT "; Name "I" "1"]]
    (fun name =>
      i <- find (fun i => decimal i =? snd name) (seq 1 records) ;;
      if (i <=? m)%nat && (fst name =? "I")%char then
        Some (item (decimal (m + i)) (if (i =? m)%nat then None else Some (decimal (S i))))
      else if (m <? i)%nat && (fst name =? "B")%char then
        Some (bit (Nat.testbit (nth ((i - 1) mod m) keys 0) (bits - (i - 1) / m))
                  (if (i + m <=? records)%nat then Some (decimal (i + m)) else None))
      else None)
    records.

(* ── The statement ──
   The machine with this model halts, all actions are legal, and at the end the row has the items in the order of their
   keys, of equal ones that which was first. *)
Definition key (keys : list nat) (i : nat) : nat := nth (i - 1) keys 0.
Definition precedes (keys : list nat) (i j : nat) : Prop :=
  key keys i < key keys j \/ key keys i = key keys j /\ i < j.
Definition solves (model : string -> option string) (keys : list nat) : Prop :=
  exists steps order,
    runs ["I"%char; "B"%char] [] (fun _ => []) model (begin keys) steps /\
    play (map decimal (seq 1 (List.length keys))) (List.concat steps) = Some (map decimal order) /\
    Permutation order (seq 1 (List.length keys)) /\ StronglySorted (precedes keys) order.
