(* Every pile of pancakes is sorted, by any model that writes the targets of the table. *)
Require Import Bool List Arith Lia Ascii String Permutation Machine Pancake MachineFacts. Import ListNotations.
Open Scope string_scope.

Notation P := (fun p => ("P"%char, p)).
Definition take (top p : string) : text := says [("CALL sort.1 top=", pancake (Some top)); (" AT ", pancake (Some p))].
Definition turn (below smaller : option string) (p : string) : text :=
  says [("CALL sort.2 below=", pancake below); (" pancake.next=", pancake smaller); (" AT ", pancake (Some p))].
Definition flips (p : string) : list text :=
  [[Chars "Flip from where "; Name "P" p; Chars " is located."];
   [Chars "Flip from where "; Name "P" p; Chars " must be located."]].
Definition maybe (st : state) (p : option string) (written : fields) : option state :=
  match p with Some p => store st (P p) written | None => Some st end.
Notation step := (step ["P"%char] ["No pancake is unsorted."] (fun _ => [])).
Notation goes := (goes ["P"%char] ["No pancake is unsorted."] (fun _ => [])).

(* ── One step, for each kind of record. This is all that depends on a table. ── *)

Definition knows (table : list (string * string)) : Prop :=
  forall model rest h c p b a n, writes model table -> h (P p) = Some (record b a n) ->
  (forall top, step model (State (take top p :: rest) h c) =
     (last <- (one <- maybe (State rest h c) a (links "P" [("below", None)]) ;;
               match b with
               | None => then_push (option_map (take top) n) one
               | Some b => two <- maybe one (option_map (fun _ => top) a) (links "P" [("above", Some b)]) ;;
                           then_push (Some (turn (option_map (fun _ => top) a) n b)) two
               end) ;; Some (match b with None => [] | _ => flips p end, last))) /\
  (forall q m, step model (State (turn q m p :: rest) h c) =
     (last <- (one <- store (State rest h c) (P p) (links "P" [("below", q); ("above", b)]) ;;
               then_push match b with Some b => Some (turn (Some p) m b) | None => option_map (take p) m end one) ;;
      Some ([], last))).

Ltac every_prompt :=
  intros model rest h c p b a n M H; split; [intros top|intros q m; destruct q as [q|], m as [m|]];
  destruct b as [b|], a as [a|], n as [n|]; one_step M.

(* ── Flips ── *)

Lemma index_at p q x : ~ In x p -> index x (p ++ x :: q)%list = Some (List.length p).
Proof.
  induction p as [|y p IH]; simpl; intros N. { rewrite String.eqb_refl. auto. }
  destruct (String.eqb_spec y x); [subst; tauto|]. rewrite IH; tauto.
Qed.
Lemma flip_at (p r : list string) :
  (firstn (List.length p) (p ++ r) ++ rev (skipn (List.length p) (p ++ r)) = p ++ rev r)%list.
Proof. induction p; simpl; congruence. Qed.
Lemma play_flips goal done more p A B : goal = (done ++ p :: more)%list -> ~ In p done -> ~ In p A ->
  play goal (done ++ A ++ p :: B) (flips p) = Some (done ++ p :: B ++ rev A)%list.
Proof.
  intros -> D NA. simpl. rewrite app_assoc, index_at by (rewrite in_app_iff; tauto).
  rewrite flip_at, index_at, <- app_assoc, flip_at by auto. simpl. rewrite !rev_app_distr, rev_involutive. auto.
Qed.

Section Problem.
Variables (table : list (string * string)) (model : string -> option string) (goal : list string).
Hypotheses (K : knows table) (W : writes model table) (N : NoDup goal).

(* ── Records: pancakes that lie on each other, the lowest on `below`, and `above` on the top one. ── *)

Fixpoint linked (h : ascii * string -> option fields) (below : option string) (pile : list string) above : Prop :=
  match pile with
  | [] => True
  | p :: r => h (P p) = Some (record below (first r above) (next goal p)) /\ linked h (Some p) r above
  end.
Lemma linked_app h l m : forall below above,
  linked h below (l ++ m) above <-> linked h below l (first m above) /\ linked h (final below l) m above.
Proof.
  induction l as [|p l IH]; simpl; intros; [tauto|]. rewrite IH.
  replace (first (l ++ m) above) with (first l (first m above)) by (destruct l; auto). tauto.
Qed.
Lemma linked_same h h' l : forall below above, (forall x, In x l -> h' (P x) = h (P x)) ->
  linked h below l above -> linked h' below l above.
Proof. induction l; simpl; auto. intros below above E (H & L). rewrite E by auto. auto. Qed.

(* After writing the record of x, the others are as before. *)
Definition total (h : ascii * string -> option fields) : Prop := forall x, In x goal -> h (P x) <> None.
Lemma store_link st x below above smaller written : heap st (P x) = Some (record below above smaller) ->
  total (heap st) -> exists new,
  store st (P x) written = Some new /\ stack new = stack st /\ total (heap new) /\
  heap new (P x) = Some (changed (record below above smaller) written) /\
  forall l o a, ~ In x l -> linked (heap st) o l a -> linked (heap new) o l a.
Proof.
  intros H T. destruct (store_old st (P x) _ written H) as (new & S & E & _ & X & O).
  exists new. repeat split; auto.
  - intros y I. destruct (string_dec y x) as [->|n]; [rewrite X; discriminate|]. rewrite O by congruence. auto.
  - intros l o a I. apply linked_same. intros y J. apply O. intros [= ->]. auto.
Qed.

Lemma at_take top p : at_end (take top p) = Some (P p).
Proof. reflexivity. Qed.
Lemma at_turn below smaller p : at_end (turn below smaller p) = Some (P p).
Proof. destruct below, smaller; reflexivity. Qed.
Definition ready (smaller top : option string) : list text :=
  match smaller, top with Some s, Some t => [take t s] | _, _ => [] end.

(* From t down, the pancakes p ++ [t] come on top of those of q, one by one. *)
Lemma turn_all m : (forall s, m = Some s -> In s goal) -> forall p t q st above,
  stack st = [turn (final None q) m t] -> total (heap st) -> NoDup (p ++ t :: q) -> incl (p ++ [t]) goal ->
  linked (heap st) None (p ++ [t]) above -> linked (heap st) None q (Some t) ->
  exists new, goes model st [] new /\ total (heap new) /\ linked (heap new) None (q ++ t :: rev p) None /\
    stack new = ready m (final None (q ++ t :: rev p)).
Proof.
  intros M. induction p as [|b p IH] using rev_ind; intros t q st above S T D G L Q.
  - destruct st as [s h c]. simpl in *. subst s. destruct L as (H & _).
    destruct (K model [] h c t _ _ _ W H) as (_ & E). specialize (E (final None q) m).
    destruct (store_link (State [] h c) t _ _ _ (links "P" [("below", final None q); ("above", None)]) H T)
      as (one & F & S & T1 & R & O).
    rewrite F in E. cbv iota beta in E.
    assert (L : linked (heap one) None (q ++ [t]) None).
    { apply linked_app. split; [apply O; auto; inversion D; auto|]. simpl. split; auto. }
    destruct m as [s|].
    + cbn [option_map] in E. rewrite (then_push_at _ _ (P s) (at_take _ _)) in E by (apply T1; auto).
      eexists. split; [apply goes_one; exact E|]. simpl. rewrite S, final_app. auto.
    + eexists. split; [apply goes_one; exact E|]. auto.
  - destruct st as [s h c]. simpl in *. subst s. rewrite <- app_assoc in L. apply linked_app in L as (L & LT).
    simpl in L, LT. destruct LT as (HB & H & _).
    destruct (K model [] h c t _ _ _ W H) as (_ & E). specialize (E (final None q) m).
    destruct (store_link (State [] h c) t _ _ _ (links "P" [("below", final None q); ("above", Some b)]) H T)
      as (one & F & S & T1 & R & O).
    rewrite F in E. cbv iota beta in E. rewrite <- app_assoc in D. simpl in D.
    destruct (not_in _ (p ++ [b]) q t D) as (Np & Nq). { rewrite <- app_assoc. auto. }
    rewrite (then_push_at _ _ (P b) (at_turn _ _ _)) in E by (apply T1, G; rewrite !in_app_iff; simpl; auto).
    simpl in E. rewrite S in E.
    destruct (IH b (q ++ [t])%list (State [turn (Some t) m b] (heap one) (count one)) (Some t)) as (new & Go & T2 & L2 & S2); auto.
    + simpl. rewrite final_app. auto.
    + apply Permutation_NoDup with (2 := D). apply Permutation_app_head. constructor.
      change (t :: q)%list with ([t] ++ q)%list. apply Permutation_app_comm.
    + intros x I. apply G. apply in_app_iff; auto.
    + apply O; auto. apply linked_app. simpl. auto.
    + apply linked_app. simpl. repeat split; auto.
    + exists new. split; [|split; [auto|]].
      * change (@nil text) with (@nil text ++ [])%list. econstructor; [exact E|exact Go].
      * rewrite rev_app_distr. simpl. rewrite <- app_assoc in L2, S2. auto.
Qed.

(* One pancake is put in place: of those left, A are below it and B above it. *)
Lemma one_round done g more A B st top : goal = (done ++ g :: more)%list -> Permutation (A ++ B) more ->
  stack st = [take top g] -> total (heap st) -> linked (heap st) None (A ++ g :: B) None ->
  final None (A ++ g :: B) = Some top ->
  exists new actions left, goes model st actions new /\ total (heap new) /\ linked (heap new) None left None /\
    stack new = ready (hd_error more) (final None left) /\ Permutation left more /\
    play goal (done ++ A ++ g :: B) actions = Some (done ++ g :: left)%list /\ List.length actions <= 2.
Proof.
  intros Eg P S T L Top. destruct (not_in _ _ _ _ N Eg) as (Nd & Nm).
  assert (D : NoDup (g :: A ++ B)).
  { apply Permutation_NoDup with (g :: more)%list. { constructor. apply Permutation_sym, P. }
    rewrite Eg in N. apply (apart _ _ N). }
  assert (G : incl (g :: A ++ B) goal).
  { intros x I. rewrite Eg. apply in_or_app. right. destruct I as [->|I]; [left; auto|right].
    apply Permutation_in with (1 := P). auto. }
  inversion_clear D as [|? ? Ng D'].
  rewrite in_app_iff in Ng.
  assert (HM : forall s, hd_error more = Some s -> In s goal).
  { intros s E. rewrite Eg. apply in_or_app. right. right. destruct more; [discriminate|injection E as ->; left; auto]. }
  destruct st as [s h c]. simpl in S, T, L. subst s. apply linked_app in L as (LA & LB). simpl in LA, LB.
  destruct LB as (H & LB). destruct (K model [] h c g _ _ _ W H) as (E & _). specialize (E top).
  replace (next goal g) with (hd_error more) in E by (rewrite Eg, next_at; auto). rewrite final_app in Top. simpl in Top.
  (* The one above it, if any, has none below it now. *)
  assert (X : exists one, maybe (State [] h c) (first B None) (links "P" [("below", None)]) = Some one /\ stack one = [] /\
    total (heap one) /\ linked (heap one) None B None /\ linked (heap one) None A (Some g)).
  { destruct B as [|x B]; simpl. { eexists. repeat split; eauto. }
    destruct LB as (HX & LB).
    destruct (store_link (State [] h c) x _ _ _ (links "P" [("below", None)]) HX T) as (one & F & S1 & T1 & R & O).
    exists one. apply NoDup_remove in D' as (D' & NX). rewrite in_app_iff in NX.
    repeat split; auto. }
  destruct X as (one & F & S1 & T1 & LB1 & LA1). rewrite F in E. cbv iota beta in E.
  destruct A as [|a0 A _] using rev_ind.
  - simpl in *. exists (State (ready (hd_error more) (final None B)) (heap one) (count one)), [], B.
    split; [|repeat split; auto]. apply goes_one. rewrite E. destruct more as [|m more]; simpl.
    { destruct one; simpl in *; subst. auto. }
    simpl. rewrite (then_push_at _ _ _ (at_take _ _)) by (apply T1, HM; auto). simpl. rewrite S1.
    destruct B; [apply Permutation_nil in P; discriminate|]. simpl in Top |- *. rewrite Top. auto.
  - rewrite final_app in E. cbn [final] in E.
    assert (Y : exists two, maybe one (option_map (fun _ => top) (first B None)) (links "P" [("above", Some a0)]) = Some two /\
      stack two = [] /\ total (heap two) /\ linked (heap two) None B (Some a0) /\
      linked (heap two) None (A ++ [a0]) (Some g) /\ option_map (fun _ => top) (first B None) = final None B).
    { clear LB Ng G P. destruct B as [|x B _] using rev_ind; [exists one; repeat split; auto|].
      rewrite final_app in Top. simpl in Top. injection Top as ->.
      apply linked_app in LB1 as (LX & HX & _).
      destruct (store_link one top _ _ _ (links "P" [("above", Some a0)]) HX T1) as (two & F2 & S2 & T2 & R & O).
      rewrite app_assoc in D'. destruct (not_in _ _ _ _ D' eq_refl) as (NX & _).
      rewrite in_app_iff in NX.
      exists two. rewrite final_app.
      replace (option_map (fun _ => top) (first (B ++ [top]) None)) with (Some top) by (destruct B; auto). cbn [maybe].
      repeat split; auto; try congruence.
      apply linked_app. split; [apply O; auto|]. simpl. split; auto. }
    destruct Y as (two & F2 & S2 & T2 & LB2 & LA2 & Q). rewrite Q in F2, E. rewrite F2 in E. cbv iota beta in E.
    rewrite (then_push_at _ _ _ (at_turn _ _ _)) in E
      by (apply T2, G; right; rewrite !in_app_iff; simpl; auto).
    rewrite S2 in E. cbv iota beta in E.
    destruct (turn_all (hd_error more) HM A a0 B _ (Some g) (eq_refl (stack (State [_] (heap two) (count two)))))
      as (new & Go & T3 & L3 & S3); auto.
    { rewrite <- app_assoc in D'. exact D'. }
    { intros x I. apply G. right. apply in_or_app. auto. }
    exists new, (flips g ++ [])%list, (B ++ a0 :: rev A)%list.
    split; [econstructor; [exact E|exact Go]|]. repeat split; auto.
    + apply perm_trans with (2 := P). apply perm_trans with (1 := Permutation_app_comm _ _).
      apply Permutation_app_tail. apply perm_trans with (1 := Permutation_cons_append _ _).
      apply Permutation_app_tail, Permutation_sym, Permutation_rev.
    + rewrite app_nil_r, (play_flips goal done more); auto. rewrite rev_app_distr. auto.
Qed.

Lemma rounds more : forall done g A B st top, goal = (done ++ g :: more)%list -> Permutation (A ++ B) more ->
  stack st = [take top g] -> total (heap st) -> linked (heap st) None (A ++ g :: B) None ->
  final None (A ++ g :: B) = Some top ->
  exists last actions, goes model st actions last /\ stack last = [] /\
    play goal (done ++ A ++ g :: B) actions = Some goal /\ List.length actions <= 2 * S (List.length more).
Proof.
  induction more as [|s more IH]; intros done g A B st top Eg P S T L Top;
    destruct (one_round done g _ A B st top Eg P S T L Top) as (new & acts & left & Go & T1 & L1 & S1 & P1 & R & Few).
  - apply Permutation_sym, Permutation_nil in P1. subst left. exists new, acts. rewrite R, <- Eg. auto.
  - destruct (in_split s left) as (A' & B' & E). { apply Permutation_in with (1 := Permutation_sym P1). left; auto. }
    destruct (final None left) as [t|] eqn:F; [|subst left; rewrite final_app in F; simpl in F; clear - F].
    2:{ exfalso. revert s F. induction B'; simpl; intros; [discriminate|eauto]. }
    subst left. destruct (IH (done ++ [g])%list s A' B' new t) as (last & acts' & Go' & S' & R' & Few'); auto.
    { rewrite <- app_assoc. auto. } { apply Permutation_cons_inv with s. rewrite Permutation_middle. auto. }
    exists last, (acts ++ acts')%list. repeat split; auto. { apply goes_app with new; auto. }
    2:{ rewrite app_length. simpl in *. lia. }
    clear - R R'. rewrite <- app_assoc in R'. simpl in R'.
    revert R. generalize (done ++ A ++ g :: B)%list. induction acts as [|a acts IHa]; simpl; intros pile R.
    { congruence. } destruct (from goal pile a); [auto|discriminate].
Qed.

Lemma begin_linked start : Permutation start goal -> forall l p, start = (p ++ l)%list ->
  linked (heap (begin start goal)) (hd_error (rev p)) l None.
Proof.
  intros P. assert (NS : NoDup start) by (apply Permutation_NoDup with (2 := N); apply Permutation_sym; auto).
  induction l as [|x l IH]; simpl; auto. intros p E. split.
  - rewrite records_in by (apply Permutation_in with (1 := P); apply (split_in _ _ _ _ x E); auto).
    destruct (not_in _ _ _ _ NS E) as (Np & Nl). rewrite E.
    replace (next (p ++ x :: l) x) with (hd_error l) by (symmetry; apply next_at; auto).
    rewrite rev_app_distr. simpl rev. rewrite <- app_assoc. cbn [app]. rewrite next_at by (rewrite <- in_rev; auto).
    destruct l; auto.
  - specialize (IH (p ++ [x])%list). rewrite rev_app_distr, <- app_assoc in IH. simpl in IH. auto.
Qed.

Lemma solved start : goal <> [] -> Permutation start goal -> solves model start goal.
Proof.
  intros Ne P. assert (X : exists g more, goal = g :: more) by (destruct goal; [contradiction|eauto]).
  destruct X as (g & more & Eg).
  destruct (in_split g start) as (A & B & E).
  { apply Permutation_in with (1 := Permutation_sym P). rewrite Eg. left. auto. }
  assert (Top : exists top, final None start = Some top /\ hd_error (rev start) = Some top).
  { clear - E. destruct start as [|x r] using rev_ind; [destruct A; discriminate|].
    exists x. rewrite final_app, rev_app_distr. auto. }
  destruct Top as (top & F & R).
  destruct (rounds more [] g A B (begin start goal) top) as (last & acts & Go & S & Pl & Few); auto.
  - apply Permutation_cons_inv with g. rewrite Permutation_middle. rewrite <- Eg, <- E. auto.
  - unfold begin. rewrite R. rewrite Eg. reflexivity.
  - intros x I. simpl. rewrite records_in by auto. discriminate.
  - rewrite <- E. apply (begin_linked start P start []). auto.
  - rewrite <- E. auto.
  - destruct (goes_runs _ _ _ _ _ _ _ Go S) as (steps & Rs & <-). exists steps. split; auto.
    split; [rewrite E at 1; exact Pl|]. rewrite Eg at 1. exact Few.
Qed.
End Problem.
