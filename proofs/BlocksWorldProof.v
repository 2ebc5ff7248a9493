(* Every problem of BlocksWorld is solved, by any model that writes the targets of the table: the run takes the blocks
   from the top of the last tower down, then those of the goal from the table up, and that plan is legal. *)
Require Import Bool List Arith Lia Ascii String Permutation Machine BlocksWorld MachineFacts. Import ListNotations.
Open Scope string_scope.

Definition move (b : string) : text := [Chars "Move block "; Name "B" b].
Definition take (goal b : string) : text :=
  [Chars "CALL rearrange.1 goal="; Name "B" goal; Chars " AT "; Name "B" b].
Definition build (b : string) : text := [Chars "CALL rearrange.2 AT "; Name "B" b].
Notation step := (step ["B"%char] [] (fun _ => [])).

(* ── One step, for each kind of record. This is all that depends on a table. ── *)

Definition knows (table : list (string * string)) (several : bool) : Prop :=
  forall model heap n g b lower tower upper,
  writes model table -> (tower = None \/ several = true /\ lower = None) ->
  heap ("B"%char, b) = Some (record lower tower upper) ->
  step model (State [take g b] heap n) =
    (new <- does [Pushes match lower, tower with Some c, _ | None, Some c => take g c | _, _ => build g end]
              (State [] heap n) ;; Some ([move b], new)) /\
  step model (State [build b] heap n) =
    (new <- does match upper with Some c => [Pushes (build c)] | None => [] end (State [] heap n) ;;
     Some ([move b], new)).

Ltac every_prompt :=
  intros model heap n g b lower tower upper M C H;
  destruct lower as [l|], tower as [t|], upper as [u|]; try (destruct C as [|[? ?]]; discriminate);
  split; one_step M.

(* ── Lists of blocks ── *)

Lemma next_of l p b q : l = (p ++ b :: q)%list -> ~ In b p -> next l b = hd_error q.
Proof. intros ->. apply next_at. Qed.
Lemma next_before l m b c : next l b = Some c -> next (l ++ m)%list b = Some c.
Proof. induction l as [|d l IH]; simpl; [discriminate|]. destruct (d =? b); auto. destruct l; [discriminate|auto]. Qed.
Lemma next_after l m b : ~ In b l -> next (l ++ m)%list b = next m b.
Proof.
  induction l as [|d l IH]; simpl; auto. intros N. destruct (String.eqb_spec d b); [subst; tauto|]. apply IH; tauto.
Qed.
Lemma next_in l b c : next l b = Some c -> In b l /\ In c l.
Proof.
  induction l as [|d l IH]; simpl; [discriminate|]. destruct (String.eqb_spec d b) as [->|n]; intros E; [|tauto].
  destruct l; [discriminate|]. injection E as ->. simpl; auto.
Qed.
Lemma under_next start b c : NoDup (List.concat start) -> under start b = Some c ->
  next (rev (List.concat start)) b = Some c.
Proof.
  induction start as [|t r IH]; simpl; [discriminate|]. intros N E. rewrite rev_app_distr.
  destruct (apart _ _ N) as (_ & M & D). destruct (next (rev t) b) eqn:F; [|apply next_before; auto].
  rewrite next_after, F; auto. intros I. apply next_in in F as [J _]. apply in_rev in I, J. exact (D b J I).
Qed.

(* ── States. `later f l`: what a block of l is on comes after it. ── *)

Fixpoint later (f : string -> option string) (l : list string) : Prop :=
  match l with [] => True | b :: r => (forall c, f b = Some c -> In c r) /\ later f r end.
Lemma later_in f l b c : later f l -> In b l -> f b = Some c -> In c (tl l).
Proof.
  revert b. induction l as [|d l IH]; simpl; [tauto|]. intros b (F & D) [->|I] E; auto.
  specialize (IH b D I E). destruct l; [destruct IH|right; auto].
Qed.
Lemma standing_later f l : standing f l -> later f l.
Proof.
  induction l as [|b l IH]; simpl; auto. intros (F & D). split; auto.
  intros c E. rewrite F in E. destruct l; simpl in *; [discriminate|injection E; auto].
Qed.
Lemma later_under start : NoDup (List.concat start) ->
  forall l p, rev (List.concat start) = (p ++ l)%list -> later (under start) l.
Proof.
  intros N. induction l as [|b l IH]; simpl; auto. intros p E. split.
  - intros c F. apply under_next in F; auto. rewrite E, next_at in F.
    + destruct l; [discriminate|injection F as ->; simpl; auto].
    + apply NoDup_rev in N. apply (not_in _ _ _ _ N E).
  - apply IH with (p ++ [b])%list. rewrite <- app_assoc. auto.
Qed.
Lemma put_same f b c : put f b c b = c.
Proof. unfold put. rewrite String.eqb_refl. auto. Qed.
Lemma put_other f b c x : x <> b -> put f b c x = f x.
Proof. unfold put. destruct (String.eqb_spec x b); [contradiction|auto]. Qed.
Lemma standing_put f b c l : ~ In b l -> standing f l -> standing (put f b c) l.
Proof. induction l as [|d l IH]; simpl; auto. intros N (F & D). split; auto. rewrite put_other; auto. Qed.
Lemma later_put f b c l : ~ In b l -> later f l -> later (put f b c) l.
Proof. induction l as [|d l IH]; simpl; auto. intros N (F & D). split; auto. rewrite put_other; auto. Qed.
Lemma apply_clear blocks st b : In b blocks -> (forall c, In c blocks -> below st c <> Some b) -> top st <> Some b ->
  apply blocks st (move b) = Some
    (if (moves st <? List.length blocks)%nat then World (put (below st) b None) (S (moves st)) (top st)
     else World (put (below st) b (top st)) (S (moves st)) (Some b)).
Proof.
  intros I C T. unfold apply, move. rewrite (String.eqb_refl "Move block "). cbv iota beta.
  replace (existsb (String.eqb b) blocks) with true.
  2:{ symmetry. apply existsb_exists. exists b. split; auto. apply String.eqb_refl. }
  replace (existsb (fun c => is (below st c) b) blocks) with false.
  2:{ symmetry. apply not_true_is_false. intros E. apply existsb_exists in E as (c & J & E).
      specialize (C c J). unfold is in E. destruct (below st c); [|discriminate].
      apply String.eqb_eq in E. congruence. }
  simpl. destruct (moves st <? List.length blocks)%nat; auto.
  destruct (top st) as [t|]; auto. simpl. destruct (String.eqb_spec t b); [congruence|auto].
Qed.

(* The state that a run begins with is that of the problem: each tower stands. *)
Lemma standing_next l : forall p, NoDup (p ++ l)%list -> standing (next (p ++ l)%list) l.
Proof.
  induction l as [|b l IH]; simpl; auto. intros p N. split.
  - apply next_at. intros I. apply (NoDup_remove_2 _ _ _ N), in_or_app. auto.
  - specialize (IH (p ++ [b])%list). rewrite <- app_assoc in IH. auto.
Qed.
Lemma standing_same f h l : (forall x, In x l -> f x = h x) -> standing f l -> standing h l.
Proof. induction l; simpl; auto. intros E (F & D). split; [rewrite <- E|]; auto. Qed.
Theorem start_stands start tower : NoDup (List.concat start) -> In tower start -> standing (under start) (rev tower).
Proof.
  assert (U : forall r x c, under r x = Some c -> In x (List.concat r)).
  { induction r as [|t r IH]; simpl; [discriminate|]. intros x c E. apply in_or_app.
    destruct (next (rev t) x) eqn:F; [left; apply in_rev; apply next_in in F; tauto|right; eauto]. }
  induction start as [|t r IH]; simpl; [tauto|]. intros N [->|I]; destruct (apart _ _ N) as (L & M & D).
  - apply standing_same with (2 := standing_next (rev tower) [] (NoDup_rev L)). intros x J. simpl.
    destruct (next (rev tower) x); auto. destruct (under r x) eqn:F; auto. apply in_rev in J. destruct (D x J). eauto.
  - apply standing_same with (2 := IH M I). intros x J.
    destruct (next (rev t) x) eqn:F; auto. apply next_in in F as (F & _). apply in_rev in F, J. destruct (D x F).
    apply in_concat. eauto.
Qed.

Section Problem.
Variables (table : list (string * string)) (several : bool) (model : string -> option string).
Variables (start : list (list string)) (goal : list string).
Hypotheses (K : knows table several) (W : writes model table).
Hypotheses (One : several = false -> exists tower, start = [tower]).
Hypotheses (N : NoDup (List.concat start)) (P : Permutation (List.concat start) goal).
Notation order := (rev (List.concat start)).
Notation at_ stack := (State stack (heap (begin start goal)) (count (begin start goal))).
Notation steps stack := (runs ["B"%char] [] (fun _ => []) model (at_ stack)).

Lemma in_order b : In b order <-> In b goal.
Proof. rewrite <- in_rev. split; apply Permutation_in; auto. apply Permutation_sym; auto. Qed.
Lemma length_order : List.length order = List.length goal.
Proof. rewrite rev_length. apply Permutation_length, P. Qed.

(* ── What the machine does: the plan is known, whatever its actions do. ── *)

Lemma steps_of g b : In g goal -> In b goal ->
  step model (at_ [take g b]) =
    Some ([move b], at_ [match next order b with Some c => take g c | None => build g end]) /\
  step model (at_ [build b]) = Some ([move b], at_ match next goal b with Some c => [build c] | None => [] end).
Proof.
  intros G B.
  assert (U : forall c, under start b = Some c -> next order b = Some c) by (intros c; apply under_next; auto).
  destruct (K model (heap (begin start goal)) (count (begin start goal)) g b
    (under start b) (next_tower start b) (next goal b)) as (T1 & T2); auto.
  - unfold next_tower. destruct several; [destruct (under start b); auto|]. destruct One as (t & ->); auto. left. simpl.
    rewrite app_nil_r. destruct (next (rev t) b); auto.
  - apply records_in. auto.
  - assert (R : forall c, In c goal -> heap (begin start goal) ("B"%char, c) <> None).
    { intros c I. simpl. rewrite records_in by auto. discriminate. }
    assert (X : forall c, next order b = Some c -> In c goal) by (intros c E; apply in_order, (next_in _ _ _ E)).
    assert (Y : forall c, next goal b = Some c -> In c goal) by (intros c E; apply (next_in _ _ _ E)).
    rewrite T1, T2. unfold next_tower. split.
    + replace (match under start b with
               | Some c => take g c
               | None => match (match under start b with Some _ => None | None => next order b end) with
                         | Some c => take g c | None => build g end end)
        with (match next order b with Some c => take g c | None => build g end)
        by (destruct (under start b) as [c|] eqn:E; [rewrite (U c)|]; auto).
      destruct (next order b); rewrite does_push; auto; apply R; auto.
    + destruct (next goal b); [rewrite does_push; auto; apply R|]; auto.
Qed.
Notation acts := (map (fun b => [move b])).
Lemma build_all q : forall p b, goal = (p ++ b :: q)%list -> steps [build b] (acts (b :: q)).
Proof.
  induction q as [|c q IH]; intros p b E;
    assert (B : In b goal) by (apply (split_in _ _ _ _ b E); auto);
    destruct (not_in _ _ _ _ (Permutation_NoDup P N) E) as (Np & _);
    destruct (steps_of b b B B) as (_ & T); rewrite (next_of _ _ _ _ E Np) in T;
    econstructor; try exact T; simpl.
  - constructor.
  - apply (IH (p ++ [b])%list). rewrite <- app_assoc. auto.
Qed.
Lemma take_all g r q : goal = g :: r -> forall p b, order = (p ++ b :: q)%list ->
  steps [take g b] (acts ((b :: q) ++ goal)%list).
Proof.
  intros Eg. assert (G : In g goal) by (rewrite Eg; left; auto).
  induction q as [|c q IH]; intros p b E;
    assert (B : In b goal) by (apply in_order, (split_in _ _ _ _ b E); auto);
    destruct (not_in _ _ _ _ (NoDup_rev N) E) as (Np & _);
    destruct (steps_of g b G B) as (T & _); rewrite (next_of _ _ _ _ E Np) in T;
    econstructor; try exact T; simpl.
  - pose proof (build_all r [] g Eg) as R. rewrite <- Eg in R. exact R.
  - apply (IH (p ++ [b])%list). rewrite <- app_assoc. auto.
Qed.

(* ── What the plan does: first all blocks are put on the table, then the goal is built. ── *)

Lemma table_all q : forall p st, order = (p ++ q)%list -> moves st = List.length p -> top st = None ->
  later (below st) q -> (forall x, In x p -> below st x = None) ->
  exists st', play goal st (map move q) = Some st' /\ moves st' = List.length goal /\ top st' = None /\
    forall x, In x goal -> below st' x = None.
Proof.
  induction q as [|b q IH]; intros p st E M T D Z.
  { exists st. rewrite app_nil_r in E. simpl. repeat split; auto.
    - rewrite M, <- E. apply length_order.
    - intros x I. apply Z. rewrite <- E. apply in_order. auto. }
  destruct (not_in _ _ _ _ (NoDup_rev N) E) as (Np & Nq).
  assert (B : In b goal) by (apply in_order, (split_in _ _ _ _ b E); auto).
  cbn [map play]. rewrite apply_clear; auto; [| |congruence].
  2:{ intros c I F. apply in_order, (split_in _ _ _ _ c E) in I as [I|I]; [rewrite Z in F by auto; discriminate|].
      apply Nq, (later_in _ _ c b D); auto. destruct I; simpl; auto. }
  pose proof length_order as L. rewrite E, app_length in L. simpl in L.
  destruct (Nat.ltb_spec (moves st) (List.length goal)); [|lia].
  apply (IH (p ++ [b])%list); simpl.
  - rewrite <- app_assoc. auto.
  - rewrite app_length, M. simpl. lia.
  - auto.
  - apply later_put; auto. apply D.
  - intros x I. destruct (string_dec x b) as [->|n]; [apply put_same|]. rewrite put_other by auto.
    apply in_app_iff in I as [I|[->|[]]]; [auto|contradiction].
Qed.
Lemma goal_all q : forall p st, goal = (p ++ q)%list -> moves st = List.length goal + List.length p ->
  top st = hd_error (rev p) -> standing (below st) (rev p) -> (forall x, In x q -> below st x = None) ->
  exists st', play goal st (map move q) = Some st' /\ standing (below st') (rev goal).
Proof.
  induction q as [|b q IH]; intros p st E M T D Z.
  { exists st. rewrite app_nil_r in E. rewrite E at 2. simpl. auto. }
  destruct (not_in _ _ _ _ (Permutation_NoDup P N) E) as (Np & Nq).
  assert (B : In b goal) by (apply (split_in _ _ _ _ b E); auto).
  assert (Nr : ~ In b (rev p)) by (rewrite <- in_rev; auto).
  cbn [map play]. rewrite apply_clear; auto.
  2:{ intros c I F. apply (split_in _ _ _ _ c E) in I as [I|I].
      2:{ rewrite Z in F by (destruct I; simpl; auto). discriminate. }
      apply Nr. rewrite in_rev in I. pose proof (later_in _ _ _ _ (standing_later _ _ D) I F).
      destruct (rev p); simpl; auto. }
  2:{ rewrite T. destruct (rev p); simpl in *; [discriminate|]. intros [=->]. tauto. }
  destruct (Nat.ltb_spec (moves st) (List.length goal)); [lia|].
  apply (IH (p ++ [b])%list); simpl; rewrite ?rev_app_distr; simpl; auto.
  - rewrite <- app_assoc. auto.
  - rewrite app_length. simpl. lia.
  - rewrite put_same. split; auto. apply standing_put; auto.
  - intros x I. rewrite put_other by congruence. apply Z. right; auto.
Qed.
Lemma play_app l m : forall st st', play goal st l = Some st' -> play goal st (l ++ m) = play goal st' m.
Proof.
  induction l as [|a l IH]; simpl; intros st st' E; [congruence|]. destruct (apply goal st a); [auto|discriminate].
Qed.

Lemma solved : goal <> [] -> solves model start goal.
Proof.
  intros Ne. assert (X : exists g r, goal = g :: r) by (clear - Ne; destruct goal; [contradiction|eauto]).
  destruct X as (g & r & Eg).
  assert (G : In g order) by (apply in_order; rewrite Eg; left; auto).
  assert (Y : exists b q, order = b :: q) by (clear - G; destruct order; [destruct G|eauto]).
  destruct Y as (b & q & Eo).
  destruct (table_all order [] (World (under start) 0 None)) as (s & R & M & T & Z); auto.
  { apply later_under with []; auto. } { intros x []. }
  destruct (goal_all goal [] s) as (s' & R' & D'); auto.
  { rewrite M. simpl. lia. } { exact I. }
  exists (map move (order ++ goal)%list), s'. split; [|split; [|split]].
  - rewrite map_map. replace (begin start goal) with (at_ [take g b]).
    { rewrite Eo. apply take_all with r []; auto. }
    unfold begin. replace (hd "" goal) with g by (rewrite Eg; auto).
    replace (last (List.concat start) "") with b; auto.
    rewrite <- (rev_involutive (List.concat start)), Eo. simpl. rewrite last_last. auto.
  - rewrite map_length, app_length, length_order. lia.
  - rewrite map_app, (play_app _ _ _ _ R). exact R'.
  - auto.
Qed.
End Problem.

(* ── coc names the blocks with numbers. ── *)

Lemma numbers_solved table several model (start : list (list nat)) (goal : list nat) :
  knows table several -> writes model table -> (several = false -> exists tower, start = [tower]) ->
  goal <> [] -> NoDup goal -> Permutation (List.concat start) goal ->
  solves model (map (map decimal) start) (map decimal goal).
Proof.
  intros K W One E N P. pose proof (Permutation_map decimal P) as P'. rewrite concat_map in P'.
  apply solved with table several; auto.
  - intros F. destruct (One F) as (t & ->). exists (map decimal t). auto.
  - apply Permutation_NoDup with (1 := Permutation_sym P'). apply FinFun.Injective_map_NoDup; auto. exact decimal_inj.
  - destruct goal; [contradiction|discriminate].
Qed.
