(* A model as texts: its tokenizer, greedy decoding, and its weights as the 32 bits that a checkpoint's file has. All of
   this file is definitions. Not modelled, and in no prompt here: brackets, commas between names, leading zeros, and
   chunks that are no tokens. *)
Require Import Uint63 Reals ZArith List Bool Ascii String Machine Vectors Float32. Import ListNotations.
Close Scope uint63_scope. Open Scope string_scope. Open Scope nat_scope.

(* ── Tokens: names, binary digits with the units first, and the chunks between them ── *)
Fixpoint grouped (s : string) : list (bool * string) :=
  match s with
  | "" => []
  | String c r =>
      match grouped r with
      | (d, w) :: rest => if Bool.eqb d (digit c) then (d, String c w) :: rest else (digit c, String c "") :: (d, w) :: rest
      | [] => [(digit c, String c "")]
      end
  end.
Fixpoint natural (acc : nat) (s : string) : nat :=
  match s with "" => acc | String c r => natural (10 * acc + (nat_of_ascii c - 48)) r end.
Fixpoint bits (fuel n : nat) : list string :=
  match fuel with O => [] | S f => if n <? 2 then [decimal n] else decimal (n mod 2) :: bits f (n / 2) end.
Definition chunks (s : string) : list string :=
  flat_map (fun g : bool * string => let (d, w) := g in if d then let n := natural 0 w in bits (S n) n else [w]) (grouped s).
Definition pieces (s : string) : list string :=
  flat_map (fun p => match p with Chars t => chunks t | Name c d => [String c d] end) (split ["B"%char] s).
Fixpoint index (w : string) (l : list string) : option nat :=
  match l with [] => None | x :: r => if (x =? w)%string then Some 0 else option_map S (index w r) end.
Fixpoint every (l : list (option nat)) : option (list nat) :=
  match l with [] => Some [] | None :: _ => None | Some x :: r => option_map (cons x) (every r) end.

(* Which counter a token advances: 0 fields, 1 items, 2 digits, 3 the separator, which is also a field. *)
Fixpoint is_name (letters : bool) (s : string) : bool :=
  match s with
  | "" => false
  | String c "" => letters && digit c
  | String c r => if digit c then letters && is_name letters r && negb (existsb (fun x => negb (digit x)) (list_ascii_of_string r))
                  else alphanumeric c && is_name true r
  end.
Definition kind (w : string) : nat :=
  match w with
  | String "010" "" => 3
  | String c "" => if digit c then 2 else 0
  | _ => if is_name false w then 1 else 0
  end.

Section Vocabulary.
Variable vocabulary : list string.      (* the tokens in the order of their numbers; the first four are special *)
Definition encode (s : string) : option (list nat) := every (map (fun w => index w vocabulary) (pieces s)).
Fixpoint value_of (l : list nat) : nat := match l with [] => 0 | b :: r => b + 2 * value_of r end.
Fixpoint spelled (digits : list nat) (l : list string) : string :=
  let number := match digits with [] => "" | _ => decimal (value_of digits) end in
  match l with
  | [] => number
  | w :: r => if (w =? "0")%string then spelled (digits ++ [0])%list r else if (w =? "1")%string then spelled (digits ++ [1])%list r
              else number ++ w ++ spelled [] r
  end.
Definition decode (ids : list nat) : string := spelled [] (map (fun i => nth i vocabulary "") ids).

(* Each token with the numbers of its field and of its digit, as its row of the tables. *)
Fixpoint counted (field place : nat) (ids : list nat) : list (nat * nat * nat) :=
  match ids with
  | [] => []
  | i :: r =>
      let k := if i <? 4 then 0 else kind (nth i vocabulary "") in
      let f := if (k =? 0) || (k =? 3) then S field else field in
      let p := if k =? 2 then S place else 0 in
      (i, Nat.min f 63, Nat.min p 63) :: counted f p r
  end%nat.

(* ── Greedy decoding ── *)
Variables (net : network) (newline : nat).
Definition size_of : nat := List.length vocabulary.
Definition continues (start : nat) (ids : list nat) (t : nat) : Prop :=
  t < size_of /\ exists logits, computes net size_of start (counted 0 0 ids) logits /\
  forall j, j < size_of -> (logits j <= logits t)%R.
Fixpoint generates (fuel start : nat) (ids : list nat) (out : option (list nat)) : Prop :=
  match fuel with
  | O => out = None
  | S m => exists t, continues start ids t /\
           if t =? 2 then out = Some []
           else exists rest, generates m start (ids ++ [t])%list rest /\ out = option_map (cons t) rest
  end.

(* What the model may answer to a prompt, in a context of 512 tokens. *)
Definition responds (prompt : string) (answer : option string) : Prop :=
  match encode prompt with
  | None => True
  | Some ids =>
      let context := (1 :: ids ++ [newline])%list in
      exists out, generates (512 - List.length context) (List.length context - 1) context out /\ answer = option_map decode out
  end.
End Vocabulary.

(* ── Weights: IEEE 754 binary32 ── *)
Definition numerator (word : Z) : Z :=
  (let e := word / 2 ^ 23 mod 256 in let m := word mod 2 ^ 23 + (if e =? 0 then 0 else 2 ^ 23) in
   (if word <? 2 ^ 31 then m else - m) * 2 ^ (Z.max e 1 - 1))%Z.
Definition weight (word : Z) : R := (IZR (numerator word) / 2 ^ 149)%R.

Definition matrix (rows : list (list int)) (i j : nat) : R := weight (to_Z (nth j (nth i rows []) 0%uint63)).
Definition vector (row : list int) (i : nat) : R := weight (to_Z (nth i row 0%uint63)).
Record block_words := BlockWords { w_norm1 : list int; w_shift1 : list int; w_qkv : list (list int); w_out : list (list int);
  w_norm2 : list int; w_shift2 : list int; w_up : list (list int); w_upb : list int; w_down : list (list int); w_downb : list int }.
Record words := Words { w_tokens : list (list int); w_fields : list (list int); w_places : list (list int); w_shifts : list (list int);
  w_blocks : list block_words; w_norm : list int; w_bias : list int }.
Definition third (k : nat) (rows : list (list int)) : list (list int) := firstn 64 (skipn (64 * k) rows).
Definition block_of (b : block_words) : block :=
  Block (vector (w_norm1 b)) (vector (w_shift1 b)) (matrix (third 0 (w_qkv b))) (matrix (third 1 (w_qkv b))) (matrix (third 2 (w_qkv b)))
    (matrix (w_out b)) (vector (w_norm2 b)) (vector (w_shift2 b)) (matrix (w_up b)) (vector (w_upb b)) (matrix (w_down b)) (vector (w_downb b)).
Definition network_of (w : words) : network :=
  Network (matrix (w_tokens w)) (matrix (w_fields w)) (matrix (w_places w)) (matrix (w_shifts w)) (map block_of (w_blocks w))
    (vector (w_norm w)) (vector (w_bias w)).
