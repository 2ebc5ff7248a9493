(* A model that writes the targets of a table solves Hanoi, if a computation finds that they are the policy's: for each
   number of disks and each way that is reached. The rest is an induction, with any instructions below on the stack. *)
Require Import Bool List Arith Lia String Machine Stack Hanoi. Import ListNotations.
Open Scope string_scope.

(* ── The policy. A way: from a peg to another, by way of the third. ── *)
Definition way : Type := nat * nat * nat.
Definition call (n : nat) '((s, d, a) : way) : string :=
  "CALL n=" ++ decimal n ++ " src=" ++ decimal s ++ " dst=" ++ decimal d ++ " aux=" ++ decimal a.
Definition one (n : nat) '((s, d, a) : way) : string :=
  "MOVE d=" ++ decimal n ++ " src=" ++ decimal s ++ " dst=" ++ decimal d.
Definition action (n : nat) '((s, d, a) : way) : string := spelled (n, (s, d)).
Definition before '((s, d, a) : way) : way := (s, a, d).
Definition after '((s, d, a) : way) : way := (a, d, s).

(* The steps of a call, given by their actions. *)
Fixpoint trace (n : nat) (w : way) : list (list string) :=
  match n with
  | 0 => []
  | S m => match m with
      | 0 => [[action n w]]
      | S _ => [] :: trace m (before w) ++ [action n w] :: trace m (after w)
      end
  end%list.

(* ── What is computed. Whether an instruction alone on the stack has these actions and this successor. ── *)
Definition same (x y : list string) : bool := if list_eq_dec string_dec x y then true else false.
Definition does (table : list (string * string)) (instruction : string) (actions new : list string) : bool :=
  match step (fun prompt => lookup prompt table) [instruction] with
  | Some (found, next) => same found actions && same next new
  | None => false
  end.
Definition follows (table : list (string * string)) (n : nat) (w : way) : bool :=
  match n with
  | 0 => true
  | 1 => does table (call n w) [action n w] []
  | S m => does table (call n w) [] [call m (before w); one n w; call m (after w)] &&
           does table (one n w) [action n w] []
  end.

(* The policy is followed for n disks by these ways, and for fewer by those that follow from them. *)
Definition way_dec (v w : way) : {v = w} + {v <> w}.
Proof. repeat decide equality. Defined.
Definition first : way := (1, 3, 2).
Definition fewer (ways : list way) : list way := nodup way_dec (first :: flat_map (fun w => [before w; after w]) ways).
Fixpoint policy (table : list (string * string)) (n : nat) (ways : list way) : bool :=
  match n with 0 => true | S m => forallb (follows table n) ways && policy table m (fewer ways) end.

(* ── Steps ── *)
Section Run.
Variable table : list (string * string).
Variable model : string -> option string.
Hypothesis writes : forall prompt target, lookup prompt table = Some target -> model prompt = Some target.

Lemma act_below target rest : forall wrote stack actions new, act wrote target stack = Some (actions, new) ->
  act wrote target (stack ++ rest) = Some (actions, new ++ rest)%list.
Proof.
  induction target as [|line more IH]; cbn [act]; intros wrote stack actions new H. { injection H as <- <-. auto. }
  destruct (strip "PUSH " line) as [i|]; [apply (IH true (i :: stack)); auto|].
  destruct (strip "OUTPUT " line), wrote; try discriminate.
  destruct (act false more stack) as [[x y]|] eqn:E; [|discriminate]. injection H as <- <-. rewrite (IH _ _ _ _ E). auto.
Qed.

Lemma does_step instruction actions new rest : does table instruction actions new = true ->
  step model (instruction :: rest) = Some (actions, new ++ rest)%list.
Proof.
  unfold does, same, step. destruct (lookup _ table) as [target|] eqn:L; [|discriminate].
  rewrite (writes _ _ L). destruct (act false (lines target) []) as [[x y]|] eqn:E; [|discriminate].
  destruct (list_eq_dec _ x actions), (list_eq_dec _ y new); try discriminate. intros _. subst.
  apply act_below with (1 := E).
Qed.

Lemma fewer_in w ways : In w ways -> In (before w) (fewer ways) /\ In (after w) (fewer ways).
Proof.
  intros I. split; apply nodup_In; right; apply in_flat_map; exists w; simpl; auto.
Qed.

Lemma call_runs n : forall ways w rest steps, policy table n ways = true -> In w ways -> 1 <= n ->
  runs model rest steps -> runs model (call n w :: rest) (trace n w ++ steps)%list.
Proof.
  induction n as [|m IH]; [lia|]. intros ways w rest steps P I _ R. cbn [policy] in P. apply andb_prop in P as [F P].
  rewrite forallb_forall in F. specialize (F w I). destruct (fewer_in w ways I) as [B A].
  destruct m as [|k]; cbn [follows] in F.
  - apply goes_on with rest; auto. exact (does_step _ _ _ rest F).
  - apply andb_prop in F as [F G]. change (trace (S (S k)) w) with
      ([] :: trace (S k) (before w) ++ [action (S (S k)) w] :: trace (S k) (after w))%list.
    simpl app at 1. eapply goes_on; [exact (does_step _ _ _ rest F)|]. rewrite <- app_assoc.
    apply (IH _ _ _ _ P B); [lia|]. eapply goes_on; [exact (does_step _ _ _ _ G)|]. apply (IH _ _ _ _ P A); [lia|auto].
Qed.
End Run.

(* ── Counts ── *)
Lemma trace_counts n w : 1 <= n ->
  List.length (trace n w) + 2 = 3 * 2 ^ (n - 1) /\ List.length (List.concat (trace n w)) + 1 = 2 ^ n.
Proof.
  revert w. induction n as [|m IH]; [lia|]. intros w _. destruct m as [|k]; [auto|].
  change (trace (S (S k)) w) with
    ([] :: trace (S k) (before w) ++ [action (S (S k)) w] :: trace (S k) (after w))%list.
  destruct (IH (before w)) as [A B], (IH (after w)) as [C D]; try lia.
  cbn [List.length List.concat app]. rewrite concat_app, !app_length. cbn [List.concat List.length app].
  replace (S (S k) - 1) with (S k) by lia. replace (S k - 1) with k in * by lia. cbn [Nat.pow] in *. lia.
Qed.

(* ── Legal actions ── *)
Definition pegs_of '((s, d, a) : way) : Prop :=
  In (s, d) [(1, 2); (1, 3); (2, 1); (2, 3); (3, 1); (3, 2)] /\ s + d + a = 6.

Lemma found n s d : 1 <= n <= 64 -> In (s, d) [(1, 2); (1, 3); (2, 1); (2, 3); (3, 1); (3, 2)] ->
  find (fun move => spelled move =? spelled (n, (s, d))) moves = Some (n, (s, d)).
Proof.
  intros N I.
  assert (A : forallb (fun m => match find (fun move => spelled move =? spelled m) moves with
      | Some (k, (p, q)) => (k =? fst m)%nat && (p =? fst (snd m))%nat && (q =? snd (snd m))%nat
      | None => false end) moves = true) by (vm_compute; reflexivity).
  rewrite forallb_forall in A. specialize (A (n, (s, d))). cbn [fst snd] in A.
  assert (J : In (n, (s, d)) moves) by (apply in_prod; auto; apply in_seq; lia). specialize (A J).
  destruct (find _ moves) as [[k [p q]]|]; [|discriminate].
  apply andb_prop in A as [A Q]. apply andb_prop in A as [K P]. apply Nat.eqb_eq in K, P, Q. congruence.
Qed.

Lemma play_app p q pegs new : play pegs p = Some new -> play pegs (p ++ q) = play new q.
Proof.
  revert pegs. induction p as [|x p IH]; simpl; intros pegs H; [congruence|]. destruct (apply pegs x); auto. discriminate.
Qed.

(* Disks larger than n are below. *)
Definition larger (n : nat) (disks : list nat) : Prop := match disks with [] => True | top :: _ => n < top end.
Lemma larger_less n disks : larger (S n) disks -> larger n disks.
Proof. destruct disks; simpl; lia. Qed.

Lemma calls_play n : forall s d a pegs below, pegs_of (s, d, a) -> n <= 64 -> pegs s = (tower n ++ below)%list ->
  larger n below -> larger n (pegs d) -> larger n (pegs a) ->
  exists final, play pegs (List.concat (trace n (s, d, a))) = Some final /\
    final s = below /\ final d = (tower n ++ pegs d)%list /\ final a = pegs a.
Proof.
  assert (Distinct : forall s d a, pegs_of (s, d, a) ->
    s <> d /\ s <> a /\ d <> a /\ pegs_of (s, a, d) /\ pegs_of (a, d, s)).
  { unfold pegs_of. simpl. intros s d a [I E].
    repeat (destruct I as [I|I]; [injection I as <- <-; assert (a = 1 \/ a = 2 \/ a = 3) as [->|[->| ->]] by lia;
      try discriminate; intuition congruence|]). contradiction. }
  assert (One : forall k s d a pegs below, pegs_of (s, d, a) -> 1 <= k <= 64 -> pegs s = k :: below ->
    larger k (pegs d) ->
    apply pegs (action k (s, d, a)) = Some (put (put pegs s below) d (k :: pegs d))).
  { intros k s d a pegs below W N E L. unfold apply, action. rewrite found by (auto; apply W). rewrite E, Nat.eqb_refl.
    destruct (pegs d) as [|other r]; simpl in *; auto. apply Nat.ltb_lt in L. rewrite L. auto. }
  induction n as [|m IH]; intros s d a pegs below W N E Ls Ld La. { exists pegs. simpl in *. auto. }
  destruct (Distinct _ _ _ W) as (sd & sa & da & Wb & Wa).
  assert (P : forall f p q (x y : list nat), put f p x p = x /\ (p <> q -> put f p x q = f q)).
  { unfold put. intros f p q x y. split; [|intros D]. { rewrite Nat.eqb_refl. auto. }
    destruct (Nat.eqb_spec q p); congruence. }
  destruct m as [|k].
  - exists (put (put pegs s below) d (1 :: pegs d)). cbn [trace List.concat app play].
    rewrite (One _ _ _ _ _ below) by (auto; lia). repeat split; unfold put.
    + rewrite Nat.eqb_refl. destruct (Nat.eqb_spec s d); congruence.
    + rewrite Nat.eqb_refl. auto.
    + destruct (Nat.eqb_spec a d), (Nat.eqb_spec a s); congruence.
  - set (n := S (S k)) in *. assert (T : tower n = (tower (S k) ++ [n])%list) by apply (seq_S (S k) 1).
    change (trace n (s, d, a)) with ([] :: trace (S k) (s, a, d) ++ [action n (s, d, a)] :: trace (S k) (a, d, s))%list.
    rewrite T, <- app_assoc in E. cbn [app] in E.
    destruct (IH s a d pegs (n :: below)) as (one & P1 & S1 & A1 & D1); auto using larger_less; try (unfold n; simpl; lia).
    pose proof (One n s d a one below W ltac:(unfold n in *; lia) S1) as M. rewrite D1 in M. specialize (M Ld).
    set (two := put (put one s below) d (n :: pegs d)) in *.
    assert (S2 : two s = below). { unfold two, put. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec s d); congruence. }
    assert (D2 : two d = n :: pegs d). { unfold two, put. rewrite Nat.eqb_refl. auto. }
    assert (A2 : two a = (tower (S k) ++ pegs a)%list).
    { unfold two, put. destruct (Nat.eqb_spec a d), (Nat.eqb_spec a s); congruence. }
    destruct (IH a d s two (pegs a)) as (final & P3 & A3 & D3 & S3); auto using larger_less; try (unfold n in *; lia).
    { rewrite D2. unfold n. simpl. lia. } { rewrite S2. auto using larger_less. }
    exists final. cbn [List.concat app]. rewrite concat_app. cbn [List.concat app].
    rewrite (play_app _ _ _ _ P1). cbn [play]. rewrite M, P3. repeat split; auto.
    + congruence.
    + rewrite D3, D2, T, <- app_assoc. auto.
Qed.

(* ── The theorem for a table ── *)
Lemma policy_below table n : forall largest ways, policy table largest ways = true -> In first ways -> 1 <= n <= largest ->
  exists some, policy table n some = true /\ In first some.
Proof.
  induction largest as [|m IH]; [lia|]. intros ways P I N. destruct (Nat.eq_dec n (S m)) as [->|]; [eauto|].
  cbn [policy] in P. apply andb_prop in P as [_ P]. apply (IH _ P); [|lia]. apply nodup_In. left. auto.
Qed.

Theorem hanoi table largest model n : policy table largest [first] = true -> largest <= 64 ->
  (forall prompt target, lookup prompt table = Some target -> model prompt = Some target) ->
  1 <= n <= largest -> solves model n.
Proof.
  intros P L W N. destruct (policy_below table n largest [first]) as (ways & Q & I); simpl; auto.
  destruct (calls_play n 1 3 2 (put (fun _ => []) 1 (tower n)) []) as (final & play & below & top & third);
    try (simpl; auto; fail); try lia.
  { unfold put. simpl. rewrite app_nil_r. auto. }
  destruct (trace_counts n first) as [A B]; [lia|].
  exists (trace n first), final. rewrite <- (app_nil_r (trace n first)) at 1. repeat split; auto; try lia.
  - apply (call_runs table model W n ways first []); auto; [lia|constructor].
  - rewrite top. unfold put. simpl. apply app_nil_r.
Qed.
