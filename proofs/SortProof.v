(* All numbers are sorted, by any model that writes the targets of the table. *)
Require Import Bool List Arith Lia Ascii String Sorted Permutation Machine MachineFacts Sort SortFacts.
Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.

Notation I := (fun x => ("I"%char, x)).
Notation B := (fun x => ("B"%char, x)).
Notation step := (step ["I"%char; "B"%char] [] (fun _ => [])).
Notation goes := (goes ["I"%char; "B"%char] [] (fun _ => [])).

(* ── The instructions ── *)
Definition i (x : string) : option (ascii * string) := Some (I x).
Definition b (x : string) : option (ascii * string) := Some (B x).
Definition yes (v : bool) : string := if v then "yes" else "no".
Definition sort1 f l := says [("CALL merge_sort.1 even=no last=", i l); (" AT ", i f)].
Definition sort2 f (even : bool) l x :=
  says [("CALL merge_sort.2 first=", i f); (" even=" ++ yes even ++ " last=", i l); (" AT ", i x)].
Definition sort3 f n l := says [("CALL merge_sort.3 first=", i f); (" _1=", option_map I n); (" even=yes AT ", i l)].
Definition sort4 f l := says [("CALL merge_sort.4 first=", i f); (" AT ", i l)].
Definition sort5 m := built [("CALL merge_sort.5 middle=", i m)].
Definition sort6 f := built [("CALL merge_sort.6 front=", i f)].
Definition merge (x y : option string) : text :=
  match x, y with
  | Some x, Some y => says [("CALL merge.1 b=", i y); (" AT ", i x)]
  | _, _ => says [("CALL merge a=", option_map I x); (" b=", option_map I y)]
  end.
Definition merge2 x k n y :=
  says [("CALL merge.2 a=", i x); (" x.key=", b k); (" x.next=", option_map I n); (" AT ", i y)].
Definition merge3 x y m n := built
  [("CALL merge.3 a=", i x); (" b=", i y); (" x.next=", option_map I m); (" y.next=", option_map I n)].
Definition merge4 y := built [("CALL merge.4 b=", i y)].
Definition merge5 x := built [("CALL merge.5 a=", i x)].
Definition less1 y x := says [("CALL less.1 b=", option_map B y); (" AT ", b x)].
Definition less2 n (one : bool) y :=
  says [("CALL less.2 _1=", option_map B n); (" x.one=" ++ yes one ++ " AT ", b y)].

(* ── One step, for each instruction. This is all that depends on a table. ── *)

Definition knows (table : list (string * string)) : Prop :=
  forall model s h c, writes model table ->
  let to t actions effects :=
    step model (State (t :: s) h c) = (new <- does effects (State s h c) ;; Some (actions, new)) in
  (forall x k n, h (I x) = Some (item k n) ->
     (forall l, to (sort1 x l) [] [Pushes match n with Some y => sort2 x false l y | None => sort4 x l end]) /\
     (forall f l, to (sort2 f false l x) [] [Pushes match n with Some y => sort2 f true l y | None => sort4 f l end]) /\
     (forall f l, to (sort2 f true l x) [] [Pushes (sort3 f n l)]) /\
     (forall f m l, n = Some l ->
        to (sort3 f m x) [] [Pushes match m with Some y => sort2 f false l y | None => sort4 f l end]) /\
     (forall f, to (sort4 f x) [] match n with
        | Some m => [Stores (I x) (links "I" [("next", None)]); Pushes (sort5 m waits); Pushes (sort1 f f)]
        | None => [Hands [Name "I" f]] end) /\
     (forall y, to (merge (Some x) (Some y)) [] [Pushes (merge2 x k n y)]) /\
     (forall a l m, to (merge2 a l m x) [] [Pushes (merge3 a x m n waits); Pushes (less1 (Some l) k)])) /\
  (forall m v, to (sort5 m (got [Name "I" v])) [] [Pushes (sort6 v waits); Pushes (sort1 m m)]) /\
  (forall f v, to (sort6 f (got [Name "I" v])) [] [Pushes (merge (Some f) (Some v))]) /\
  (forall x y m n (v : bool), to (merge3 x y m n (got [Chars (yes v)])) (if v then [puts y x] else [])
     (if v then [Pushes (merge4 y waits); Pushes (merge (Some x) n)]
      else [Pushes (merge5 x waits); Pushes (merge m (Some y))])) /\
  (forall x, to (merge None (Some x)) [] [Hands [Name "I" x]]) /\
  (forall x, to (merge (Some x) None) [] [Hands [Name "I" x]]) /\
  (forall f x v, f = merge4 \/ f = merge5 ->
     to (f x (got [Name "I" v])) [] [Stores (I x) (links "I" [("next", Some v)]); Hands [Name "I" x]]) /\
  (forall x one n, h (B x) = Some (bit one n) ->
     (forall y, to (less1 (Some y) x) [] [Pushes (less2 n one y)]) /\
     (forall m other, to (less2 m other x) []
        (if xorb other one then [Hands [Chars (yes one)]]
         else match m with Some m => [Pushes (less1 n m)] | None => [Hands [Chars "no"]] end))).

Ltac every_prompt :=
  intros model s h c M; cbv zeta;
  repeat match goal with
  | |- _ /\ _ => split
  | |- forall _, _ => let x := fresh in intro x;
      lazymatch type of x with
      | option _ => destruct x | bool => destruct x | _ \/ _ => destruct x; subst | _ => idtac
      end
  end;
  try discriminate; try match goal with E : Some _ = Some _ |- _ => injection E as -> end; one_step M.

Notation d := decimal.
Definition first (l : list nat) : option string := option_map d (hd_error l).

(* ── Keys ── *)

Fixpoint key_of (h : ascii * string -> option fields) (at_ : option string) (l : list bool) : Prop :=
  match l with
  | [] => at_ = None
  | one :: r => exists x n, at_ = Some x /\ h (B x) = Some (bit one n) /\ key_of h n r
  end.

Section Problem.
Variables (keys : list nat) (table : list (string * string)) (model : string -> option string).
Hypotheses (K : knows table) (W : writes model table).
Notation goes := (goes model).

Notation size := (List.length keys).
Notation width := (S (Nat.log2 (list_max keys))).
Notation items := (seq 1 size).
Definition bits_at (x : nat) : string := d (size + x).
Definition bits (x : nat) : list bool := bits_of width (key keys x).
Notation number := (key keys).
Lemma bits_less x y : less (bits x) (bits y) = (number x <? number y)%nat.
Proof.
  assert (Small : forall j, number j < 2 ^ width).
  { intros j. apply Nat.le_lt_trans with (list_max keys).
    - unfold key. destruct (Nat.lt_ge_cases (j - 1) size) as [L|L]; [|rewrite nth_overflow by auto; lia].
      assert (F : list_max keys <= list_max keys) by auto. apply list_max_le in F. rewrite Forall_forall in F.
      apply F, nth_In. auto.
    - destruct (list_max keys) as [|x']; [simpl; lia|]. apply Nat.log2_spec. lia. }
  unfold bits. rewrite less_bits, !Nat.mod_small; auto.
Qed.


Ltac okay :=
  unfold ok; match goal with
  | |- context [sort2 _ ?v _ _] => try (is_var v; destruct v)
  | |- context [sort3 _ ?n _] => destruct n
  | |- context [merge _ ?n] => destruct n
  | |- context [merge2 _ _ ?n _] => destruct n
  | |- context [merge3 _ _ ?m ?n _] => destruct m, n
  | |- context [less1 ?n _] => destruct n
  | |- context [less2 ?n ?v _] => destruct n, v
  | _ => idtac
  end; cbv -[decimal bits_at]; auto; congruence.

Ltac facts s h c :=
  destruct (K model s h c W) as (Kitem & Ksort5 & Ksort6 & Kmerge3 & Kright & Kleft & Kmerge45 & Kbit).
Lemma goes_hand t s h c v new :
  step model (State (t :: s) h c) = (new <- does [Hands v] (State s h c) ;; Some ([], new)) -> handed s v new ->
  goes (State (t :: s) h c) [] (State new h c).
Proof. intros E H. rewrite (does_hand _ _ _ _ _ H) in E. apply goes_one, E. Qed.
Ltac go_on fact :=
  change (@nil text) with (@nil text ++ [])%list;
  eapply goes_step;
  [apply fact; try reflexivity|cbn [first hd_error option_map]; rewrite ?does_push by okay; reflexivity|].

Lemma less_all l : forall m x y s new h c,
  key_of h (Some x) l -> key_of h (Some y) m -> List.length l = List.length m ->
  (forall v, handed s [Chars (yes v)] (new v)) ->
  goes (State (less1 (Some y) x :: s) h c) [] (State (new (less l m)) h c).
Proof.
  induction l as [|one r IH]; intros m x y s new h c X Y E N; [discriminate|].
  destruct m as [|other t]; [discriminate|]. destruct X as (x' & n & [= <-] & HX & X), Y as (y' & k & [= <-] & HY & Y).
  facts s h c. destruct (Kbit _ _ _ HX) as (L1 & _), (Kbit _ _ _ HY) as (_ & L2).
  go_on L1. cbn [less]. specialize (L2 n one). destruct (xorb one other) eqn:D.
  - apply goes_hand with (1 := L2), N.
  - destruct r as [|o r]; cbn [key_of] in X.
    + subst n. destruct t; [|discriminate]. apply goes_hand with (1 := L2), (N false).
    + destruct t as [|o' t]; [discriminate|].
      pose proof X as (x' & n' & -> & HX' & _). pose proof Y as (y' & k' & -> & _).
      go_on L2. apply IH; auto.
Qed.

(* ── Chains of items ── *)

Definition keyed (h : ascii * string -> option fields) : Prop :=
  forall x, In x items -> key_of h (Some (bits_at x)) (bits x).
Definition result (l : list nat) : text := [Name "I" (d (hd 0 l))].
Fixpoint chain (h : ascii * string -> option fields) (l : list nat) : Prop :=
  match l with [] => True | x :: r => h (I (d x)) = Some (item (bits_at x) (first r)) /\ chain h r end.
Definition changes (h h' : ascii * string -> option fields) (l : list nat) : Prop :=
  forall name, (forall x, In x l -> name <> I (d x)) -> h' name = h name.

Lemma changes_trans h h' h'' l : changes h h' l -> changes h' h'' l -> changes h h'' l.
Proof. intros C D name O. rewrite D, C; auto. Qed.
Lemma changes_more h h' l m : incl l m -> changes h h' l -> changes h h' m.
Proof. intros S C name O. apply C. auto. Qed.
Lemma chain_same h h' l m : changes h h' l -> (forall x, In x m -> ~ In x l) -> chain h m -> chain h' m.
Proof.
  intros C. induction m as [|x m IH]; simpl; auto. intros O (H & R). split; auto.
  rewrite C; auto. intros y J E. injection E as E. apply decimal_inj in E. subst. apply (O y); auto.
Qed.
Lemma keyed_same h h' l : changes h h' l -> keyed h -> keyed h'.
Proof.
  intros C R x J. specialize (R x J). revert R. generalize (Some (bits_at x)).
  induction (bits x) as [|one r IH]; simpl; auto. intros o (y & n & E & H & R). exists y, n. repeat split; auto.
  rewrite C; auto. discriminate.
Qed.
Lemma chain_end h l m : chain h (l ++ m) -> chain h m.
Proof. induction l; simpl; tauto. Qed.

(* ── Merging ── *)

Notation precedes := (Sort.precedes keys).
Notation sorted := (StronglySorted precedes).
(* What a call comes to, from a state, when some actions were taken: its items, l, are a chain in order, whose first is
   returned, and more actions put them there. *)
Definition comes (start : state) (before : list text) (s : list text) h (c : nat) (l : list nat) : Prop :=
  exists m h' new acts, goes start (before ++ acts) (State new h' c) /\ handed s (result m) new /\
    Permutation m l /\ sorted m /\ chain h' m /\ changes h h' l /\
    forall p r, NoDup (p ++ map d l ++ r) -> play (p ++ map d l ++ r) acts = Some (p ++ map d m ++ r)%list.
Notation call t s h c := (comes (State (t :: s) h c) [] s h c).
Ltac all_parts := split; [|split; [|split; [|split; [|split; [|split]]]]].

Lemma comes_alone t start s h c l : goes start [] (State (t :: s) h c) -> sorted l -> chain h l -> awaits s ->
  step model (State (t :: s) h c) = (new <- does [Hands (result l)] (State s h c) ;; Some ([], new)) ->
  comes start [] s h c l.
Proof.
  intros G S C A E. destruct (A (result l)) as (new & H). exists l, h, new, []. all_parts; auto.
  - apply goes_app with (1 := G). apply goes_hand with (1 := E), H.
  - intros name _. auto.
Qed.
Lemma first_of (l m : list nat) : Permutation m l -> l <> [] -> first m = Some (d (hd 0 m)).
Proof. intros P N. destruct m; auto. apply Permutation_nil in P. contradiction. Qed.
Lemma sorted_cons x l m : Permutation m l -> Forall (precedes x) l -> sorted m -> sorted (x :: m).
Proof.
  intros P F S. constructor; auto. rewrite Forall_forall in *. intros y J. apply F. eapply Permutation_in; eauto.
Qed.

(* The item x comes first: its link is written when the others, l, are in order. *)
Lemma comes_then x l t f s h c k start a : f = merge4 \/ f = merge5 ->
  h (I (d x)) = Some (item (bits_at x) k) -> ~ In x l -> l <> [] -> Forall (precedes x) l -> awaits s ->
  call t (f (d x) waits :: s) h c l -> goes start a (State (t :: f (d x) waits :: s) h c) ->
  comes start a s h c (x :: l).
Proof.
  intros M H Nx Ne F A (m & h1 & new & acts & Go & Hn & P & S & C & Ch & Play) Begin.
  assert (H1 : h1 (I (d x)) = Some (item (bits_at x) k)).
  { rewrite Ch; auto. intros y J [= Q]. apply decimal_inj in Q. subst. contradiction. }
  destruct (does_store _ _ _ (links "I" [("next", first m)]) H1) as (h2 & St & H2 & O).
  destruct (A (result (x :: m))) as (last & Hl).
  apply (handed_is (f (d x))) in Hn; [subst new|destruct M; subst f; reflexivity].
  assert (C2 : changes h1 h2 [x]).
  { intros name J. apply O, J. left. auto. }
  exists (x :: m), h2, last, acts. all_parts; auto.
  - apply goes_app with (1 := Begin). rewrite <- (app_nil_r acts). apply goes_app with (1 := Go).
    facts s h1 c. change (@nil text) with (@nil text ++ [])%list. eapply goes_step; [apply Kmerge45, M| |constructor].
    rewrite <- (first_of l m P Ne), St. apply does_hand, Hl.
  - apply sorted_cons with l; auto.
  - split; auto. apply chain_same with (1 := C2); auto. intros y J [->|[]]. apply Nx. eapply Permutation_in; eauto.
  - apply changes_trans with h1; [apply changes_more with (2 := Ch)|apply changes_more with (2 := C2)];
      intros y J; simpl in *; tauto.
  - intros p r N. specialize (Play (p ++ [d x])%list r). rewrite <- !app_assoc in Play. auto.
Qed.

Lemma merge_all n : forall l m s h c,
  List.length l + List.length m <= n -> (l ++ m)%list <> [] -> incl (l ++ m) items ->
  NoDup (l ++ m) -> chain h l -> chain h m -> keyed h -> sorted l -> sorted m ->
  (forall x y, In x l -> In y m -> x < y) -> awaits s -> call (merge (first l) (first m)) s h c (l ++ m).
Proof.
  induction n as [|n IH]; intros l m s h c Size Ne G N L M Kd Sl Sm Before A.
  { destruct l, m; simpl in *; try lia. contradiction. }
  facts s h c.
  destruct l as [|x l].
  { destruct m as [|y m]; [contradiction|]. apply comes_alone with (1 := arrived _ _ _ _ _); auto. apply Kright. }
  destruct m as [|y m].
  { rewrite app_nil_r in *. apply comes_alone with (1 := arrived _ _ _ _ _); auto. apply Kleft. }
  pose proof L as (HX & L'). pose proof M as (HY & M').
  assert (Gx : In x items) by (apply G; left; auto).
  assert (Gy : In y items) by (apply G, in_or_app; right; left; auto).
  destruct (Kitem _ _ _ HX) as (_ & _ & _ & _ & _ & M1 & _), (Kitem _ _ _ HY) as (_ & _ & _ & _ & _ & _ & M2).
  destruct (Kd y Gy) as (b' & k & Eb & Hb & _). injection Eb as <-.
  (* The smaller key is found. *)
  assert (Go : goes (State (merge (first (x :: l)) (first (y :: m)) :: s) h c) []
    (State (merge3 (d x) (d y) (first l) (first m) (got [Chars (yes (number y <? number x)%nat)]) :: s) h c)).
  { go_on M1. go_on M2. rewrite <- bits_less.
    apply (less_all _ _ _ _ _ (fun v => merge3 (d x) (d y) (first l) (first m) (got [Chars (yes v)]) :: s));
      auto; [unfold bits; rewrite !bits_length; auto|].
    intros v. apply (handed_got (merge3 (d x) (d y) (first l) (first m))). destruct (first l), (first m); reflexivity. }
  assert (Size' : List.length l + List.length m < n) by (simpl in Size; lia).
  destruct (not_in _ _ _ _ N eq_refl) as (Ny & Ny').
  assert (Nxm : ~ In x (l ++ y :: m)) by (inversion N; auto).
  inversion Sl as [|? ? Sl' Fx]. inversion Sm as [|? ? Sm' Fy]. subst. rewrite Forall_forall in Fx, Fy.
  destruct (Nat.ltb_spec (number y) (number x)) as [Lt|Ge].
  - (* y comes first. *)
    specialize (Kmerge3 (d x) (d y) (first l) (first m) true).
    destruct (comes_then y (x :: l ++ m) (merge (first (x :: l)) (first m)) merge4 s h c (first m)
      (State (merge (first (x :: l)) (first (y :: m)) :: s) h c) [puts (d y) (d x)])
      as (new & h' & last & acts & Go' & Hn & P & S & C & Ch & Play); auto.
    + rewrite app_comm_cons, in_app_iff. tauto.
    + discriminate.
    + rewrite Forall_forall. intros z J. rewrite app_comm_cons, in_app_iff in J.
      destruct J as [[<-|J]|J]; auto; left; [|destruct (Fx z J)]; lia.
    + apply (IH (x :: l) m); auto.
      * discriminate.
      * intros z J. apply G. apply in_app_iff in J. apply in_app_iff. simpl. tauto.
      * apply NoDup_remove_1 in N. auto.
      * intros a e J J'. apply Before; [|right]; auto.
      * intros v. eexists. apply handed_got. reflexivity.
    + change [puts (d y) (d x)] with ([] ++ [puts (d y) (d x)] ++ [])%list. apply goes_app with (1 := Go).
      eapply goes_step; [exact Kmerge3| |constructor]. rewrite !does_push by okay. reflexivity.
    + exists new, h', last, ([puts (d y) (d x)] ++ acts)%list. all_parts; auto.
      * apply perm_trans with (1 := P). rewrite app_comm_cons. apply Permutation_middle.
      * apply changes_more with (2 := Ch). intros z J. rewrite app_comm_cons in J. simpl in *.
        rewrite in_app_iff in *. simpl. tauto.
      * intros p r Nr. rewrite map_app in Nr |- *. cbn [map app] in Nr |- *. rewrite <- !app_assoc in Nr |- *.
        cbn [app play] in Nr |- *. rewrite put_puts by auto. specialize (Play p r).
        cbn [map] in Play. rewrite map_app in Play. cbn [app] in Play. rewrite <- !app_assoc in Play. apply Play.
        apply Permutation_NoDup with (2 := Nr). apply Permutation_app_head. apply Permutation_sym.
        rewrite app_comm_cons. apply (Permutation_middle (d x :: map d l) (map d m ++ r) (d y)).
  - (* x comes first. *)
    specialize (Kmerge3 (d x) (d y) (first l) (first m) false).
    apply comes_then with (merge (first l) (first (y :: m))) merge5 (first l); auto.
    + destruct l; discriminate.
    + rewrite Forall_forall. intros z J. rewrite in_app_iff in J. destruct J as [J|J]; auto.
      pose proof (Before x z (or_introl eq_refl) J). destruct J as [<-|J]; [|destruct (Fy z J)]; unfold precedes; lia.
    + apply (IH l (y :: m)); auto.
      * simpl. lia.
      * destruct l; discriminate.
      * intros z J. apply G. right. auto.
      * inversion N. auto.
      * intros a e J J'. apply Before; [right|]; auto.
      * intros v. eexists. apply handed_got. reflexivity.
    + change (@nil text) with (@nil text ++ @nil text ++ [])%list. apply goes_app with (1 := Go).
      eapply goes_step; [exact Kmerge3| |constructor]. rewrite !does_push; [reflexivity| |okay].
      destruct l as [|z l]; [okay|]. cbn [first]. destruct L' as (Hz & _). okay.
Qed.

(* ── Sorting ── *)

(* One walks to the end, and another half as far: to the last item of a first part. *)
Lemma walk t : forall f p l m x (even : bool) s h c, chain h (p ++ l :: m ++ x :: t) -> (even = true -> m <> []) ->
  exists p' l' r, goes (State (sort2 f even (d l) (d x) :: s) h c) [] (State (sort4 f (d l') :: s) h c) /\
    (p' ++ l' :: r = p ++ l :: m ++ x :: t)%list /\ r <> [].
Proof.
  induction t as [|y t IH]; intros f p l m x even s h c C M; facts s h c;
    pose proof (chain_end _ _ _ C) as (HL & CM); pose proof (chain_end _ _ _ CM) as (HX & CT);
    destruct (Kitem _ _ _ HX) as (_ & S2 & S2' & _), (Kitem _ _ _ HL) as (_ & _ & _ & S3 & _).
  - destruct even.
    + destruct m as [|z m]; [destruct (M eq_refl eq_refl)|]. destruct CM as (HZ & CM).
      exists (p ++ [l])%list, z, (m ++ [x])%list. rewrite <- app_assoc. split; [|split; auto; destruct m; discriminate].
      go_on S2'. go_on S3. constructor.
    + exists p, l, (m ++ [x])%list. split; [|split; auto; destruct m; discriminate]. go_on S2. constructor.
  - destruct CT as (HY & _). destruct even.
    + destruct m as [|z m]; [destruct (M eq_refl eq_refl)|]. destruct CM as (HZ & CM).
      destruct (IH f (p ++ [l])%list z (m ++ [x])%list y false s h c) as (p' & l' & r & G & E & R); try discriminate.
      { rewrite <- !app_assoc. exact C. }
      exists p', l', r. split; [|split; auto; rewrite E, <- !app_assoc; auto].
      go_on S2'. go_on S3. exact G.
    + destruct (IH f p l (m ++ [x])%list y true s h c) as (p' & l' & r & G & E & R).
      { rewrite <- app_assoc. exact C. } { intros _. destruct m; discriminate. }
      exists p', l', r. split; [|split; auto; rewrite E, <- app_assoc; auto]. go_on S2. exact G.
Qed.
Lemma sort_all n : forall l j s h c, List.length l <= n -> l <> [] -> incl l items -> l = seq j (List.length l) ->
  chain h l -> keyed h -> awaits s -> call (sort1 (d (hd 0 l)) (d (hd 0 l))) s h c l.
Proof.
  induction n as [|n IH]; intros l j s h c Size Ne G O C Kd A. { destruct l; simpl in *; [contradiction|lia]. }
  destruct l as [|x l]; [contradiction|]. cbn [hd]. facts s h c. pose proof C as (HX & C').
  destruct (Kitem _ _ _ HX) as (S1 & _).
  (* The list is cut, if it has more than one item. *)
  assert (Cut : exists p z r, goes (State (sort1 (d x) (d x) :: s) h c) [] (State (sort4 (d x) (d z) :: s) h c) /\
    (p ++ z :: r = x :: l)%list /\ (r <> [] \/ p = [])).
  { destruct l as [|y l].
    - exists [], x, []. split; [|auto]. go_on S1. constructor.
    - destruct (walk l (d x) [] x [] y false s h c C) as (p & z & r & Go & E & R); [discriminate|].
      exists p, z, r. destruct C' as (HY & _). split; [|auto]. go_on S1. exact Go. }
  destruct Cut as (p & z & r & Go & E & R). rewrite <- E in *. clear HX C' S1.
  pose proof (chain_end _ _ _ C) as (HZ & CR). destruct (Kitem _ _ _ HZ) as (_ & _ & _ & _ & S4 & _).
  destruct r as [|y r].
  { destruct R as [R| ->]; [contradiction|]. injection E as -> <-. apply comes_alone with (1 := Go); auto.
    { repeat constructor. } apply S4. }
  clear R.
  replace (p ++ z :: y :: r)%list with ((p ++ [z]) ++ y :: r)%list in * by (rewrite <- app_assoc; auto).
  set (q := (p ++ [z])%list) in *.
  assert (Eq : hd 0 q = x /\ q <> []).
  { unfold q in *. destruct p; simpl in *; injection E as -> _; split; auto; discriminate. }
  destruct Eq as (Eq & Nq). assert (N : NoDup (q ++ y :: r)) by (rewrite O; apply seq_NoDup).
  destruct (seq_apart _ _ _ _ O) as (O1 & O2). destruct (apart _ _ N) as (N1 & N2 & D).
  assert (Before : forall x y', In x q -> In y' (y :: r) -> x < y').
  { intros x' y' J J'. rewrite O1 in J. rewrite O2 in J'. apply in_seq in J, J'. lia. }
  rewrite app_length in Size. simpl in Size.
  assert (Nz : forall w, In w (p ++ y :: r) -> w <> z).
  { intros w J ->. unfold q in N. rewrite <- app_assoc in N. simpl in N.
    destruct (not_in _ _ _ _ N eq_refl). apply in_app_iff in J. tauto. }
  destruct (does_store _ _ _ (links "I" [("next", None)]) HZ) as (h1 & St & H1 & Same).
  assert (Ch1 : changes h h1 [z]) by (intros name J; apply Same, J; left; auto).
  assert (C1 : chain h1 q).
  { unfold q. assert (U : forall p, (forall w, In w p -> w <> z) -> chain h (p ++ z :: y :: r) -> chain h1 (p ++ [z])).
    { induction p0 as [|w p0 IHp]; simpl; intros Nw Cw. { auto. }
      destruct Cw as (Hw & Cw). split; [|apply IHp; auto].
      rewrite Same. { destruct p0; exact Hw. }
      intros [= Q]. apply decimal_inj in Q. apply (Nw w); auto. }
    apply U. { intros w J. apply Nz, in_or_app. auto. } unfold q in C. rewrite <- app_assoc in C. exact C. }
  assert (CR1 : chain h1 (y :: r)).
  { apply chain_same with (1 := Ch1) (3 := CR). intros w J [->|[]]. apply (Nz w); auto. apply in_or_app. auto. }
  assert (awaiting : forall f, (forall v, given v (f waits) = Some (f (got v))) -> awaits (f waits :: s)).
  { intros f E' v. eexists. apply handed_got, E'. }
  (* The first half, the second, and both together. *)
  destruct (IH q j (sort5 (d y) waits :: s) h1 c)
    as (m1 & h2 & new1 & acts1 & Go1 & R1 & P1 & Sm1 & Cm1 & Ch2 & Play1); auto.
  { lia. } { intros w J. apply G, in_or_app. auto. } { apply keyed_same with (1 := Ch1). auto. }
  apply (handed_is (sort5 (d y))) in R1; [subst new1|reflexivity].
  assert (CR2 : chain h2 (y :: r)).
  { apply chain_same with (1 := Ch2) (3 := CR1). intros w J Q. apply (D w); auto. }
  assert (Kd2 : keyed h2) by (apply keyed_same with (1 := Ch2), keyed_same with (1 := Ch1); auto).
  destruct (IH (y :: r) (j + List.length q) (sort6 (d (hd 0 m1)) waits :: s) h2 c)
    as (m2 & h3 & new2 & acts2 & Go2 & R2 & P2 & Sm2 & Cm2 & Ch3 & Play2); auto.
  { simpl. unfold q in Size. rewrite app_length in Size. simpl in Size. lia. } { discriminate. }
  { intros w J. apply G, in_or_app. auto. }
  apply (handed_is (sort6 (d (hd 0 m1)))) in R2; [subst new2|reflexivity].
  assert (I1 : forall w, In w m1 -> In w q) by (intros w; apply Permutation_in; auto).
  assert (I2 : forall w, In w m2 -> In w (y :: r)) by (intros w; apply Permutation_in; auto).
  assert (Cm1' : chain h3 m1).
  { apply chain_same with (1 := Ch3) (3 := Cm1). intros w J Q. apply (D w); auto. }
  destruct (merge_all _ m1 m2 s h3 c (le_n _)) as (m & h4 & new & acts3 & Go3 & R3 & P3 & Sm & Cm & Ch4 & Play3); auto.
  { intros E'. apply app_eq_nil in E' as (-> & _). apply Permutation_nil in P1. contradiction. }
  { intros w J. apply G. apply in_app_iff in J. apply in_or_app. destruct J; auto. }
  { apply Permutation_NoDup with (2 := N). apply Permutation_sym, Permutation_app; auto. }
  { apply keyed_same with (1 := Ch3). auto. }
  exists m, h4, new, (acts1 ++ acts2 ++ acts3)%list. all_parts; auto.
  - assert (HQ : h1 (I (d x)) <> None).
    { destruct q as [|w q']; [contradiction|]. cbn [hd] in Eq. subst w. destruct C1 as (Hq & _). congruence. }
    assert (HM : h3 (I (d (hd 0 m1))) <> None).
    { destruct m1; [apply Permutation_nil in P1; contradiction|]. destruct Cm1' as (Hm & _). cbn [hd]. congruence. }
    pose proof CR2 as (HR & _).
    change (acts1 ++ acts2 ++ acts3)%list with ([] ++ [] ++ acts1 ++ acts2 ++ acts3)%list.
    apply goes_app with (1 := Go).
    eapply goes_step; [apply S4|cbn [first hd_error option_map]; rewrite St, !does_push by okay; reflexivity|].
    rewrite Eq in Go1. apply goes_app with (1 := Go1).
    destruct (K model s h2 c W) as (_ & Q5 & _), (K model s h3 c W) as (_ & _ & Q6 & _).
    change (acts2 ++ acts3)%list with ([] ++ acts2 ++ acts3)%list.
    eapply goes_step; [apply Q5|rewrite !does_push by okay; reflexivity|]. apply goes_app with (1 := Go2).
    change acts3 with ([] ++ acts3)%list. eapply goes_step; [apply Q6|rewrite does_push by okay; reflexivity|].
    rewrite (first_of _ _ P1), (first_of _ _ P2) in Go3 by (auto; discriminate). exact Go3.
  - apply perm_trans with (1 := P3). apply Permutation_app; auto.
  - apply changes_trans with h3; [apply changes_trans with h2; [apply changes_trans with h1|]|].
    + apply changes_more with (2 := Ch1). intros w [<-|[]]. unfold q. rewrite !in_app_iff. simpl. auto.
    + apply changes_more with (2 := Ch2). intros w J. apply in_or_app. auto.
    + apply changes_more with (2 := Ch3). intros w J. apply in_or_app. auto.
    + apply changes_more with (2 := Ch4). intros w J. apply in_app_iff in J. apply in_or_app. destruct J; auto.
  - intros u v Nu. rewrite map_app, <- app_assoc in Nu |- *. rewrite play_app, Play1 by exact Nu. rewrite play_app.
    assert (N3 : NoDup (u ++ map d m1 ++ map d (y :: r) ++ v)).
    { apply Permutation_NoDup with (2 := Nu). apply Permutation_app_head, Permutation_app_tail, Permutation_map.
      apply Permutation_sym. auto. }
    rewrite app_assoc in N3 |- *. rewrite Play2 by exact N3. rewrite <- app_assoc in N3 |- *.
    specialize (Play3 u v). rewrite map_app, <- app_assoc in Play3. apply Play3.
    apply Permutation_NoDup with (2 := N3). apply Permutation_app_head, Permutation_app_head, Permutation_app_tail.
    apply Permutation_map, Permutation_sym. auto.
Qed.
(* ── The records that code writes ── *)

Notation h := (heap (begin keys)).
Lemma begin_items n : forall j, 1 <= j -> j + n = S size -> chain h (seq j n).
Proof.
  induction n as [|n IH]; intros j L E; simpl seq; [exact Logic.I|]. split; [|apply IH; lia].
  cbn [begin heap fst snd]. rewrite find_decimal by nia.
  destruct (Nat.leb_spec j size); [|lia]. cbn [Ascii.eqb andb]. simpl andb. f_equal. f_equal.
  destruct (Nat.eqb_spec j size); destruct n; try lia; auto.
Qed.
Lemma begin_bits j v : 1 <= j <= size -> v <= width ->
  key_of h (match v with 0 => None | S _ => Some (decimal (size * (width - v + 1) + j)) end) (bits_of v (key keys j)).
Proof.
  intros J. induction v as [|v IH]; intros L; [reflexivity|]. cbn [bits_of key_of].
  eexists _, _. split; [reflexivity|]. split; [|apply IH; lia].
  set (k := size * (width - S v + 1) + j).
  assert (K1 : k = size * (width - v) + j) by (unfold k; replace (width - S v + 1) with (width - v) by lia; auto).
  assert (K0 : 1 <= k <= size * S width).
  { assert (size * (width - v) <= size * width) by (apply Nat.mul_le_mono_l; lia). rewrite Nat.mul_succ_r. lia. }
  assert (K2 : k - 1 = size * (width - v) + (j - 1)) by lia.
  cbn [begin heap fst snd]. rewrite find_decimal by exact K0.
  destruct (Nat.leb_spec k size); [nia|]. destruct (Nat.ltb_spec size k); [|lia].
  simpl andb. cbv iota. f_equal. f_equal.
  - rewrite K2, Nat.add_comm, Nat.mul_comm, Nat.mod_add, Nat.div_add, Nat.mod_small, Nat.div_small by lia.
    unfold key. f_equal. lia.
  - destruct v as [|v].
    + destruct (Nat.leb_spec (k + size) (size * S width)); auto. nia.
    + destruct (Nat.leb_spec (k + size) (size * S width)); [|nia]. do 2 f_equal. nia.
Qed.

Theorem all_sorted : keys <> [] -> solves model keys.
Proof.
  intros Ne. destruct (sort_all size items 1 [] h (count (begin keys)))
    as (order & h' & new & acts & Go & H & P & S & _ & _ & Play).
  - rewrite seq_length. auto.
  - destruct keys; [contradiction|discriminate].
  - intros x J. auto.
  - rewrite seq_length. auto.
  - apply begin_items; auto.
  - intros j J. apply in_seq in J. pose proof (begin_bits j width ltac:(lia) (le_n _)) as Q. cbv beta iota in Q |- *.
    rewrite Nat.sub_diag in Q. unfold bits_at. replace (size + j) with (size * (0 + 1) + j) by lia. exact Q.
  - intros v. exists []. intros h0 c. reflexivity.
  - cbn [app] in Go. specialize (H h' (count (begin keys))). injection H as <-.
    destruct (goes_runs _ _ _ _ _ _ _ Go eq_refl) as (steps & R & <-).
    exists steps, order. split; [|split; [|split]]; auto.
    + replace (begin keys) with (State [sort1 (d (hd 0 items)) (d (hd 0 items))] h (count (begin keys))); auto.
      destruct keys; [contradiction|reflexivity].
    + specialize (Play [] []). cbn [app] in Play. rewrite !app_nil_r in Play. apply Play.
      apply FinFun.Injective_map_NoDup; [exact decimal_inj|apply seq_NoDup].
Qed.
End Problem.
