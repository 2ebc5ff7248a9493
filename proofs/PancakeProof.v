(* Every pile of pancakes is sorted, by any model that writes the targets of the table. *)
Require Import Bool List Arith Lia Ascii String Permutation Machine Pancake MachineFacts. Import ListNotations.
Open Scope string_scope.

Notation P := (fun p => ("P"%char, p)).
Notation pancake := (option_map P).
Definition take (top p : string) : text := says [("CALL sort.1 top=", pancake (Some top)); (" AT ", pancake (Some p))].
Definition turn (below smaller : option string) (p : string) : text :=
  says [("CALL sort.2 below=", pancake below); (" pancake.next=", pancake smaller); (" AT ", pancake (Some p))].
Definition flips (p : string) : list text :=
  [[Chars "Flip from where "; Name "P" p; Chars " is located."];
   [Chars "Flip from where "; Name "P" p; Chars " must be located."]].
(* Perhaps a link is written, or an instruction. *)
Definition written (p : option string) (label : string) (q : option string) : list effect :=
  match p with Some p => [Stores (P p) (links "P" [(label, q)])] | None => [] end.
Definition pushed (t : option text) : list effect := match t with Some t => [Pushes t] | None => [] end.
Notation step := (step ["P"%char] ["No pancake is unsorted."] (fun _ => [])).
Notation goes := (goes ["P"%char] ["No pancake is unsorted."] (fun _ => [])).

(* ── One step, for each kind of record. This is all that depends on a table. ── *)

Definition knows (table : list (string * string)) : Prop :=
  forall model s h c p b a n, writes model table -> h (P p) = Some (record b a n) ->
  let on x := option_map (fun _ => x) a in
  (forall top, step model (State (take top p :: s) h c) =
     (new <- does (written a "below" None ++ match b with
                | None => pushed (option_map (take top) n)
                | Some below => written (on top) "above" b ++ [Pushes (turn (on top) n below)] end) (State s h c) ;;
      Some (match b with None => [] | _ => flips p end, new))) /\
  (forall q m, step model (State (turn q m p :: s) h c) =
     (new <- does (Stores (P p) (links "P" [("below", q); ("above", b)]) ::
                   pushed match b with Some b => Some (turn (Some p) m b) | None => option_map (take p) m end)
               (State s h c) ;; Some ([], new))).

Ltac every_prompt :=
  intros model s h c p b a n M H; cbv zeta; split; [intros top|intros q m; destruct q as [q|], m as [m|]];
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
Lemma store_link h x old w : h (P x) = Some old -> total h -> exists h',
  (forall r s c, does (Stores (P x) w :: r) (State s h c) = does r (State s h' c)) /\ total h' /\
  h' (P x) = Some (changed old w) /\ forall l o a, ~ In x l -> linked h o l a -> linked h' o l a.
Proof.
  intros H T. destruct (does_store h (P x) old w H) as (h' & D & X & O). exists h'. repeat split; auto.
  - intros y J. destruct (string_dec y x) as [->|n]; [rewrite X; discriminate|]. rewrite O by congruence. auto.
  - intros l o a J. apply linked_same. intros y Q. apply O. intros [= ->]. auto.
Qed.

Definition ready (smaller top : option string) : list text :=
  match smaller, top with Some s, Some t => [take t s] | _, _ => [] end.
Lemma ok_turn h below smaller p : h (P p) <> None -> ok h (turn below smaller p).
Proof. destruct below, smaller; auto. Qed.
Lemma does_ready h m top s : total h -> (forall s, m = Some s -> In s goal) ->
  does (pushed (option_map (take top) m)) (State [] h s) = Some (State (ready m (Some top)) h s).
Proof. intros T M. destruct m as [x|]; auto. cbn [pushed option_map]. rewrite does_push; auto. apply T. auto. Qed.

(* From t down, the pancakes p ++ [t] come on top of those of q, one by one. *)
Lemma turn_all m : (forall s, m = Some s -> In s goal) -> forall p t q h c above, total h -> NoDup (p ++ t :: q) ->
  incl (p ++ [t]) goal -> linked h None (p ++ [t]) above -> linked h None q (Some t) ->
  exists h', goes model (State [turn (final None q) m t] h c) []
      (State (ready m (final None (q ++ t :: rev p))) h' c) /\
    total h' /\ linked h' None (q ++ t :: rev p) None.
Proof.
  intros M. induction p as [|b p IH] using rev_ind; intros t q h c above T D G L Q;
    change (@nil text) with (@nil text ++ [])%list.
  - destruct L as (H & _). destruct (K model [] h c t _ _ _ W H) as (_ & E).
    destruct (store_link h t _ (links "P" [("below", final None q); ("above", None)]) H T) as (h' & F & T' & R & O).
    exists h'. split; [|split; auto].
    + eapply goes_step; [apply E|rewrite F, does_ready by auto; reflexivity|]. rewrite final_app. constructor.
    + apply linked_app. split; [apply O; auto; inversion D; auto|]. simpl. auto.
  - rewrite <- app_assoc in L, D. apply linked_app in L as (L & HB & H & _). simpl in L, H, D.
    destruct (K model [] h c t _ _ _ W H) as (_ & E).
    destruct (store_link h t _ (links "P" [("below", final None q); ("above", Some b)]) H T) as (h1 & F & T1 & R & O).
    destruct (not_in _ (p ++ [b]) q t D) as (Np & Nq). { rewrite <- app_assoc. auto. }
    destruct (IH b (q ++ [t])%list h1 c (Some t)) as (h' & Go & T' & L'); auto.
    + apply Permutation_NoDup with (2 := D). apply Permutation_app_head. constructor.
      change (t :: q)%list with ([t] ++ q)%list. apply Permutation_app_comm.
    + intros x J. apply G. apply in_app_iff; auto.
    + apply O; auto. apply linked_app. simpl. auto.
    + apply linked_app. simpl. repeat split; auto.
    + rewrite <- app_assoc, final_app in Go. rewrite <- app_assoc in L'.
      exists h'. rewrite rev_app_distr. split; [|split; auto].
      eapply goes_step; [apply E| |exact Go]. rewrite F. cbn [pushed].
      rewrite does_push; [reflexivity|]. apply ok_turn, T1, G. rewrite !in_app_iff. simpl. auto.
Qed.

(* One pancake is put in place: of those left, A are below it and B above it. *)
Lemma one_round done g more A B h c top : goal = (done ++ g :: more)%list -> Permutation (A ++ B) more ->
  total h -> linked h None (A ++ g :: B) None -> final None (A ++ g :: B) = Some top ->
  exists h' actions left,
    goes model (State [take top g] h c) actions (State (ready (hd_error more) (final None left)) h' c) /\
    total h' /\ linked h' None left None /\ Permutation left more /\
    play goal (done ++ A ++ g :: B) actions = Some (done ++ g :: left)%list /\ List.length actions <= 2.
Proof.
  intros Eg P T L Top. destruct (not_in _ _ _ _ N Eg) as (Nd & Nm).
  assert (D : NoDup (g :: A ++ B)).
  { apply Permutation_NoDup with (g :: more)%list. { constructor. apply Permutation_sym, P. }
    rewrite Eg in N. apply (apart _ _ N). }
  assert (G : incl (g :: A ++ B) goal).
  { intros x J. rewrite Eg. apply in_or_app. right. destruct J as [->|J]; [left; auto|right].
    apply Permutation_in with (1 := P). auto. }
  inversion_clear D as [|? ? Ng D']. rewrite in_app_iff in Ng.
  assert (HM : forall s, hd_error more = Some s -> In s goal).
  { intros s E. rewrite Eg. apply in_or_app. right. right.
    destruct more; [discriminate|injection E as ->; left; auto]. }
  apply linked_app in L as (LA & H & LB). destruct (K model [] h c g _ _ _ W H) as (E & _). specialize (E top).
  replace (next goal g) with (hd_error more) in E by (rewrite Eg, next_at; auto). rewrite final_app in Top.
  (* The one above it, if any, has none below it now. *)
  assert (X : exists h1,
    (forall r, does (written (first B None) "below" None ++ r) (State [] h c) = does r (State [] h1 c)) /\
    total h1 /\ linked h1 None B None /\ linked h1 None A (Some g)).
  { destruct B as [|x B]; [exists h; simpl; auto|]. destruct LB as (HX & LB).
    destruct (store_link h x _ (links "P" [("below", None)]) HX T) as (h1 & F & T1 & R & O).
    exists h1. apply NoDup_remove in D' as (D' & NX). rewrite in_app_iff in NX. repeat split; auto. intros r. apply F. }
  destruct X as (h1 & F & T1 & LB1 & LA1).
  destruct A as [|b A _] using rev_ind.
  - exists h1, [], B. split; [|simpl; auto 9]. change (@nil text) with (@nil text ++ [])%list.
    eapply goes_step; [apply E|cbn [final]; rewrite F, does_ready by auto; reflexivity|].
    simpl in Top. destruct B; [|simpl in Top |- *; rewrite Top; constructor].
    apply Permutation_nil in P. subst. constructor.
  - rewrite final_app in E. cbn [final] in E.
    assert (Y : exists h2, (forall r, does (written (option_map (fun _ => top) (first B None)) "above" (Some b) ++ r)
        (State [] h1 c) = does r (State [] h2 c)) /\ total h2 /\ linked h2 None B (Some b) /\
      linked h2 None (A ++ [b]) (Some g) /\ option_map (fun _ => top) (first B None) = final None B).
    { clear LB Ng G P F E H. destruct B as [|x B _] using rev_ind; [exists h1; simpl; auto 9|].
      simpl in Top. rewrite final_app in Top. injection Top as ->. apply linked_app in LB1 as (LX & HX & _).
      destruct (store_link h1 top _ (links "P" [("above", Some b)]) HX T1) as (h2 & F & T2 & R & O).
      rewrite app_assoc in D'. destruct (not_in _ _ _ _ D' eq_refl) as (NX & _). rewrite in_app_iff in NX.
      exists h2. rewrite final_app.
      replace (option_map (fun _ => top) (first (B ++ [top]) None)) with (Some top) by (destruct B; auto).
      split; [intros r; apply F|]. repeat split; auto. apply linked_app. split; [apply O; auto|]. simpl. auto. }
    destruct Y as (h2 & F2 & T2 & LB2 & LA2 & Q).
    destruct (turn_all (hd_error more) HM A b B h2 c (Some g)) as (h3 & Go & T3 & L3); auto.
    { rewrite <- app_assoc in D'. exact D'. }
    { intros x J. apply G. right. apply in_or_app. auto. }
    exists h3, (flips g ++ [])%list, (B ++ b :: rev A)%list. split; [|repeat split; auto].
    + eapply goes_step; [apply E| |exact Go]. rewrite F, F2, Q, does_push; [reflexivity|].
      apply ok_turn, T2, G. right. rewrite !in_app_iff. simpl. auto.
    + apply perm_trans with (2 := P). apply perm_trans with (1 := Permutation_app_comm _ _).
      apply Permutation_app_tail. apply perm_trans with (1 := Permutation_cons_append _ _).
      apply Permutation_app_tail, Permutation_sym, Permutation_rev.
    + rewrite app_nil_r, (play_flips goal done more); auto. rewrite rev_app_distr. auto.
Qed.

Lemma rounds more : forall done g A B h c top, goal = (done ++ g :: more)%list -> Permutation (A ++ B) more ->
  total h -> linked h None (A ++ g :: B) None -> final None (A ++ g :: B) = Some top ->
  exists h' actions, goes model (State [take top g] h c) actions (State [] h' c) /\
    play goal (done ++ A ++ g :: B) actions = Some goal /\ List.length actions <= 2 * S (List.length more).
Proof.
  induction more as [|s more IH]; intros done g A B h c top Eg P T L Top;
    destruct (one_round done g _ A B h c top Eg P T L Top) as (h1 & acts & left & Go & T1 & L1 & P1 & R & Few).
  - apply Permutation_sym, Permutation_nil in P1. subst left. exists h1, acts. rewrite R, <- Eg. auto.
  - destruct (in_split s left) as (A' & B' & E). { apply Permutation_in with (1 := Permutation_sym P1). left; auto. }
    destruct (final None left) as [t|] eqn:F.
    2:{ exfalso. subst left. rewrite final_app in F. simpl in F. clear - F. revert s F.
        induction B'; simpl; intros; [discriminate|eauto]. }
    subst left. destruct (IH (done ++ [g])%list s A' B' h1 c t) as (h2 & acts' & Go' & R' & Few'); auto.
    { rewrite <- app_assoc. auto. } { apply Permutation_cons_inv with s. rewrite Permutation_middle. auto. }
    exists h2, (acts ++ acts')%list. rewrite app_length. simpl in *. split; [|split; [|lia]].
    { apply goes_app with (1 := Go). exact Go'. }
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
  assert (Top : exists top, final None start = Some top /\ last start "" = top).
  { clear - E. destruct start as [|x r] using rev_ind; [destruct A; discriminate|].
    exists x. rewrite final_app, last_last. auto. }
  destruct Top as (top & F & R).
  destruct (rounds more [] g A B (heap (begin start goal)) (count (begin start goal)) top)
    as (h & acts & Go & Pl & Few); auto.
  - apply Permutation_cons_inv with g. rewrite Permutation_middle. rewrite <- Eg, <- E. auto.
  - intros x I. simpl. rewrite records_in by auto. discriminate.
  - rewrite <- E. apply (begin_linked start P start []). auto.
  - rewrite <- E. auto.
  - destruct (goes_runs _ _ _ _ _ _ _ Go eq_refl) as (steps & Rs & <-). exists steps. split; [|split].
    + replace (begin start goal) with (State [take top g] (heap (begin start goal)) (count (begin start goal))); auto.
      unfold begin. rewrite R, Eg. reflexivity.
    + rewrite E at 1. exact Pl.
    + rewrite Eg at 1. exact Few.
Qed.
End Problem.
