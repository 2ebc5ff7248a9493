(* What holds of the machine's texts, whatever the puzzle: where `split` finds the names, and numbers as names. *)
Require Import Bool List Arith Ascii String DecimalString DecimalNat Machine BlocksWorld. Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.

Fixpoint parts_of (fields : list (string * option string)) : parts :=
  match fields with
  | [] => ("", [])
  | (label, place) :: r =>
      let (t, names) := parts_of r in
      match place with Some b => (label, (b, t) :: names) | None => (label ++ "-" ++ t, names) end
  end.
Fixpoint digits (s : string) : bool := match s with "" => true | String c r => digit c && digits r end.
Definition name (s : string) : Prop := s <> "" /\ digits s = true.
Definition named (place : option string) : Prop := match place with Some b => name b | None => True end.

(* The texts between names have none in them, and no name goes on in the text after it. *)
Fixpoint ends_inside (inside : bool) (s : string) : bool :=
  match s with "" => inside | String c r => ends_inside (alphanumeric c) r end.
Fixpoint well (inside : bool) (t : string) (names : list (string * string)) : Prop :=
  scan inside t = ("", (t, [])) /\
  match names with [] => True | (d, u) :: r => ends_inside inside t = false /\ name d /\ well true u r end.

Lemma app_nil s : s ++ "" = s. Proof. induction s; simpl; congruence. Qed.
Lemma app_app s t u : (s ++ t) ++ u = s ++ t ++ u. Proof. induction s; simpl; congruence. Qed.

Lemma scan_digits d s : digits d = true ->
  scan true (d ++ s) = let '(ds, (t, names)) := scan true s in (d ++ ds, (t, names)).
Proof.
  induction d as [|c d IH]; simpl; intros D. { destruct (scan true s) as [? [? ?]]; auto. }
  apply andb_prop in D as [C D]. unfold alphanumeric. rewrite C. simpl. rewrite IH by auto.
  destruct (scan true s) as [? [? ?]]; auto.
Qed.

Lemma scan_text u : forall i s ds t names, scan i u = (ds, (t, [])) -> scan (ends_inside i u) s = ("", ("", names)) ->
  scan i (u ++ s) = (ds, (t, names)).
Proof.
  induction u as [|c u IH]; simpl; intros i s ds t l U E. { injection U as <- <-. auto. }
  destruct (scan (alphanumeric c) u) as [ds' [t' l']] eqn:F.
  destruct (digit c); [|destruct ((c =? "B")%char && negb i && negb (ds' =? ""))%bool eqn:N]; inversion U; subst;
    rewrite (IH _ _ _ _ _ F E); try rewrite N; reflexivity.
Qed.

Lemma scan_join names : forall i t, well i t names -> scan i (join t names) = ("", (t, names)).
Proof.
  induction names as [|[d u] r IH]; simpl; intros i t (T & W); auto. destruct W as (E & (D & D') & W).
  apply scan_text with (1 := T). rewrite E. simpl. rewrite scan_digits, (IH _ _ W), app_nil by auto.
  destruct d; [contradiction|reflexivity].
Qed.

Lemma split_text fields : let (t, names) := parts_of fields in well false t names -> split (text fields) = (t, names).
Proof.
  assert (J : forall all, text all = let (t, names) := parts_of all in join t names).
  { induction all as [|[label [b|]] r IH]; simpl; auto; rewrite IH; destruct (parts_of r) as [t [|[d u] l]]; simpl;
    rewrite ?app_app; auto. }
  specialize (J fields). destruct (parts_of fields) as [t names]. intros W. rewrite J.
  unfold split. rewrite (scan_join _ _ _ W). reflexivity.
Qed.

Lemma after_digits d s : digits d = true -> after_last " AT " (d ++ s) = after_last " AT " s.
Proof.
  induction d as [|c d IH]; simpl; auto. intros D. apply andb_prop in D as [C D]. rewrite IH by auto.
  destruct (after_last " AT " s); auto. destruct c as [[][][][][][][][]]; try discriminate C; reflexivity.
Qed.

Lemma lookup_record (f : string -> string) b l : In b l ->
  lookup ("B" ++ b) (map (fun b => ("B" ++ b, f b)) l) = Some (f b).
Proof.
  induction l as [|c l IH]; [intros []|]. intros I. cbn [map lookup].
  replace ("B" ++ c =? "B" ++ b) with (c =? b) by reflexivity.
  destruct (String.eqb_spec c b) as [->|n]; auto. destruct I; [contradiction|auto].
Qed.

Lemma name_decimal k : name (decimal k).
Proof.
  unfold name, decimal. assert (D : forall u, digits (NilEmpty.string_of_uint u) = true) by (induction u; auto).
  destruct (Nat.to_uint k) eqn:E; simpl; split; try discriminate; auto; apply D.
Qed.

Lemma decimal_inj j k : decimal j = decimal k -> j = k.
Proof.
  assert (R : forall k, exists u, NilZero.uint_of_string (decimal k) = Some u /\ Nat.of_uint u = k).
  { intros n. pose proof (DecimalNat.Unsigned.of_to n) as T. unfold decimal. destruct (Nat.to_uint n) eqn:E.
    { exists Decimal.zero. auto. } all: rewrite NilZero.usu by discriminate; eauto. }
  intros E. destruct (R j) as (u & P & <-), (R k) as (v & Q & <-). congruence.
Qed.
