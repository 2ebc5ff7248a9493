(* What holds of the machine, whatever the puzzle: how a step is computed, records that are written, lists. *)
Require Import Bool List Arith Ascii String DecimalString DecimalNat Permutation Machine. Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.

Section Steps.
Variables (letters : list ascii) (notes : list string) (compared : string -> list (nat * nat)).
Variable model : string -> option string.
Notation step := (step letters notes compared model).
Notation runs := (runs letters notes compared model).

Lemma step_is st i rest t target todo done new : stack st = i :: rest -> read st i = Some t ->
  let places := map decimal (numbered compared (List.length t) t (seq 1 (List.length (numbers t)))) in
  let means := ("+1", decimal (S (count st))) :: combine places (numbers t) in
  model (join t places) = Some target -> every (line_of letters notes) (lines target) = Some todo ->
  every (meant means) (flat_map (fun l => match l with Output t => [t] | _ => [] end) todo) = Some done -> act means 0 todo (State rest (heap st) (count st)) = new ->
  step st = (last <- new ;; Some (done, last)).
Proof. cbv zeta. intros S R M L A <-. unfold step. rewrite S, R. cbv zeta. rewrite M, L, A. reflexivity. Qed.

(* Steps one after another, with all their actions. *)
Inductive goes : state -> list text -> state -> Prop :=
  | arrived st : goes st [] st
  | further st actions new more last : step st = Some (actions, new) -> goes new more last ->
      goes st (actions ++ more)%list last.
Lemma goes_runs st actions last : goes st actions last -> stack last = [] ->
  exists steps, runs st steps /\ List.concat steps = actions.
Proof.
  induction 1 as [st|st a new more last S G IH]; intros E.
  - exists []. destruct st as [s h c]; simpl in *. subst. split; [constructor|auto].
  - destruct (IH E) as (steps & R & <-). exists (a :: steps). split; [econstructor; eauto|auto].
Qed.
Lemma goes_app st a mid b last : goes st a mid -> goes mid b last -> goes st (a ++ b)%list last.
Proof. induction 1; simpl; auto. rewrite <- app_assoc. intros G. econstructor; eauto. Qed.
Lemma goes_one st a new : step st = Some (a, new) -> goes st a new.
Proof. intros S. rewrite <- (app_nil_r a). econstructor; [exact S|constructor]. Qed.
End Steps.

(* A step by computation, for a prompt whose target the table has: `stack st` is known, and so is the record. *)
Ltac one_step M :=
  eapply step_is; cbv zeta;
  [ reflexivity
  | unfold read;
    match goal with |- context [at_end ?i] => let v := eval vm_compute in (at_end i) in change (at_end i) with v end;
    cbn [heap]; cbv iota beta; try match goal with H : _ = Some _ |- _ => rewrite H end; reflexivity
  | match goal with |- _ ?prompt = _ => let shown := eval vm_compute in prompt in change prompt with shown end;
    apply M; vm_compute; reflexivity
  | vm_compute; reflexivity
  | vm_compute; reflexivity
  | cbv -[store push hand decimal]; reflexivity ].
(* What a target does to the state, as a step computes it. *)
Inductive effect := Stores (name : ascii * string) (written : fields) | Pushes (t : text) | Hands (t : text).
Fixpoint does (effects : list effect) (st : state) : option state :=
  match effects with
  | [] => Some st
  | e :: r =>
      new <- match e with Stores n w => store st n w | Pushes t => push st t | Hands t => hand st t end ;; does r new
  end.
(* A text of labels with names, and what comes after it. *)
Fixpoint built (parts : list (string * option (ascii * string))) (rest : text) : text :=
  match parts with
  | [] => rest
  | (label, Some (c, n)) :: r => chars label (Name c n :: built r rest)
  | (label, None) :: r => chars (label ++ "-") (built r rest)
  end.

Lemma does_app l m : forall st, does (l ++ m) st = (new <- does l st ;; does m new).
Proof.
  induction l as [|e l IH]; intros st; [auto|]. cbn [does app].
  destruct e; [destruct (store _ _ _)|destruct (push _ _)|destruct (hand _ _)]; auto.
Qed.

Lemma goes_step letters notes compared model st before acts effects new more last :
  step letters notes compared model st = (new <- does effects before ;; Some (acts, new)) ->
  does effects before = Some new -> goes letters notes compared model new more last ->
  goes letters notes compared model st (acts ++ more) last.
Proof. intros S E G. rewrite E in S. econstructor; eauto. Qed.
Notation says parts := (built parts []).

(* The record that a text names, if any, is there. *)
Definition ok (h : ascii * string -> option fields) (t : text) : Prop :=
  match at_end t with Some name => h name <> None | None => True end.
Lemma does_push t r s h c : ok h t -> does (Pushes t :: r) (State s h c) = does r (State (t :: s) h c).
Proof. unfold ok, does, push. cbn [heap stack count]. destruct (at_end t) as [n|]; auto. destruct (h n); tauto. Qed.

(* An instruction that waits for a result, as built with `waits`, and with it, as built with `got`. *)
Definition waits : text := [Chars " GOT ?"].
Definition got (t : text) : text := Chars " GOT " :: t.
Definition handed (s : list text) (v : text) (new : list text) : Prop :=
  forall h c, hand (State s h c) v = Some (State new h c).
Definition awaits (s : list text) : Prop := forall v, exists new, handed s v new.
Lemma handed_got f s v : given v (f waits) = Some (f (got v)) -> handed (f waits :: s) v (f (got v) :: s).
Proof. intros G h c. unfold hand. cbn [stack]. rewrite G. auto. Qed.
Lemma does_hand s v new h c : handed s v new -> does [Hands v] (State s h c) = Some (State new h c).
Proof. intros H. cbn [does]. rewrite H. auto. Qed.
Lemma handed_is f s v new : given v (f waits) = Some (f (got v)) -> handed (f waits :: s) v new -> new = f (got v) :: s.
Proof.
  intros G H. specialize (H (fun _ => None) 0). rewrite (handed_got f s v G) in H. injection H as <-. auto.
Qed.

(* ── Records ── *)

Lemma same_self a : same a a = true.
Proof. unfold same. rewrite Ascii.eqb_refl, String.eqb_refl. auto. Qed.
Lemma same_other a b : a <> b -> same a b = false.
Proof.
  unfold same. destruct a as [c s], b as [d t]; simpl. intros N.
  destruct (Ascii.eqb_spec c d), (String.eqb_spec s t); subst; auto. contradiction.
Qed.
(* After a record is written, the others are as before. *)
Lemma does_store h name old written : h name = Some old -> exists h',
  (forall r s c, does (Stores name written :: r) (State s h c) = does r (State s h' c)) /\
  h' name = Some (changed old written) /\ forall other, other <> name -> h' other = h other.
Proof.
  intros H. exists (fun k => if same k name then Some (changed old written) else h k). rewrite same_self.
  split; [|split; auto].
  - intros r s c. cbn [does]. unfold store. cbn [heap]. rewrite H. auto.
  - intros other N. rewrite same_other by auto. auto.
Qed.
Lemma records_in c names record n : In n names -> records c names record (c, n) = Some (record n).
Proof.
  intros I. unfold records. replace (existsb _ _) with true; auto.
  symmetry. apply existsb_exists. exists n. split; auto. apply same_self.
Qed.

(* ── Lists ── *)

Lemma next_at p b q : ~ In b p -> next (p ++ b :: q)%list b = hd_error q.
Proof.
  induction p as [|c p IH]; simpl; intros N. { rewrite String.eqb_refl. auto. }
  destruct (String.eqb_spec c b); [subst; tauto|]. apply IH; tauto.
Qed.
Lemma split_in {A} (l p q : list A) b x : l = (p ++ b :: q)%list -> (In x l <-> In x p \/ x = b \/ In x q).
Proof. intros ->. rewrite in_app_iff. simpl. intuition. Qed.
Lemma not_in {A} (l p q : list A) b : NoDup l -> l = (p ++ b :: q)%list -> ~ In b p /\ ~ In b q.
Proof. intros N ->. apply NoDup_remove_2 in N. split; intros I; apply N, in_or_app; auto. Qed.
Lemma apart {X} (l m : list X) : NoDup (l ++ m)%list -> NoDup l /\ NoDup m /\ forall x, In x l -> ~ In x m.
Proof.
  induction l as [|a l IH]; simpl; intros N. { repeat split; auto. constructor. }
  inversion_clear N as [|? ? A R]. destruct (IH R) as (L & M & D). repeat split; auto.
  - constructor; auto. intros I. apply A, in_or_app. auto.
  - intros x [->|I]; auto. intros I. apply A, in_or_app. auto.
Qed.

(* The first and the last item of a list, or another where there is none. *)
Definition first (l : list string) (other : option string) : option string :=
  match l with [] => other | x :: _ => Some x end.
Fixpoint final (other : option string) (l : list string) : option string :=
  match l with [] => other | x :: r => final (Some x) r end.
Lemma final_app l m : forall o, final o (l ++ m)%list = final (final o l) m.
Proof. induction l; simpl; auto. Qed.

(* ── Numbers ── *)

Lemma decimal_inj j k : decimal j = decimal k -> j = k.
Proof.
  assert (R : forall k, exists u, NilZero.uint_of_string (decimal k) = Some u /\ Nat.of_uint u = k).
  { intros n. pose proof (DecimalNat.Unsigned.of_to n) as T. unfold decimal. destruct (Nat.to_uint n) eqn:E.
    { exists Decimal.zero. auto. } all: rewrite NilZero.usu by discriminate; eauto. }
  intros E. destruct (R j) as (u & P & <-), (R k) as (v & Q & <-). congruence.
Qed.
