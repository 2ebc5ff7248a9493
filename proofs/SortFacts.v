(* Rows of items, keys in binary, and lists of numbers: what the proof about sorting needs beside the machine. *)
Require Import Bool List Arith Lia Ascii String Machine Sort MachineFacts. Import ListNotations.
Open Scope string_scope. Open Scope bool_scope.

(* ── Rows ── *)

Definition puts y x : text := [Chars "Put "; Name "I" y; Chars " in front of "; Name "I" x; Chars "."].
Lemma play_app p : forall row q, play row (p ++ q) = match play row p with Some new => play new q | None => None end.
Proof. induction p as [|a p IH]; simpl; auto. intros row q. destruct (put row a); auto. Qed.
Lemma put_puts p y x a r : NoDup (p ++ x :: a ++ y :: r) ->
  put (p ++ x :: a ++ y :: r) (puts y x) = Some (p ++ y :: x :: a ++ r)%list.
Proof.
  intros N. set (row := (p ++ x :: a ++ y :: r)%list) in *.
  assert (E : row = ((p ++ x :: a) ++ y :: r)%list) by (unfold row; rewrite <- app_assoc; auto).
  destruct (not_in _ _ _ _ N eq_refl) as (Xp & Xa). destruct (not_in _ _ _ _ N E) as (Yp & Yr).
  rewrite in_app_iff in *. simpl in *.
  assert (D : y <> x) by intuition.
  assert (There : forall z, In z row -> existsb (String.eqb z) row = true).
  { intros z J. apply existsb_exists. exists z. split; auto. apply String.eqb_refl. }
  unfold put, puts. cbv beta iota zeta.
  rewrite !There by (rewrite E, in_app_iff; simpl; rewrite in_app_iff; simpl; auto).
  destruct (String.eqb_spec y x); [contradiction|].
  replace (next row y) with (hd_error r) by (rewrite E, next_at; auto; rewrite in_app_iff; simpl; tauto).
  replace (match hd_error r with Some c => c =? x | None => false end) with false.
  2:{ destruct r as [|c r]; auto. simpl. destruct (String.eqb_spec c x); auto. subst. exfalso. simpl in Xa. intuition. }
  cbn [negb andb]. f_equal. unfold row. rewrite flat_map_app. cbn [flat_map]. rewrite flat_map_app. cbn [flat_map].
  rewrite !String.eqb_refl. destruct (String.eqb_spec x y); [congruence|].
  assert (Other : forall l, ~ In x l -> ~ In y l ->
    flat_map (fun z => if z =? y then [] else if z =? x then [y; x] else [z]) l = l).
  { induction l as [|z l IH]; simpl; auto. intros Nx Ny.
    destruct (String.eqb_spec z y), (String.eqb_spec z x); try tauto. simpl. rewrite IH; tauto. }
  rewrite !Other by tauto. auto.
Qed.

(* ── Keys ── *)

Fixpoint less (l m : list bool) : bool :=
  match l, m with x :: r, y :: t => if xorb x y then y else less r t | _, _ => false end.

Fixpoint bits_of (w k : nat) : list bool := match w with 0 => [] | S v => Nat.testbit k v :: bits_of v k end.
Lemma bits_length w k : List.length (bits_of w k) = w.
Proof. induction w; simpl; auto. Qed.
Lemma less_bits w : forall j k, less (bits_of w j) (bits_of w k) = (j mod 2 ^ w <? k mod 2 ^ w)%nat.
Proof.
  induction w as [|v IH]; intros j k; [auto|]. cbn [bits_of less]. rewrite IH.
  assert (P : 2 ^ v <> 0) by (apply Nat.pow_nonzero; lia).
  assert (M : forall x, x mod 2 ^ S v = x mod 2 ^ v + 2 ^ v * Nat.b2n (Nat.testbit x v)).
  { intros x. rewrite Nat.testbit_spec', Nat.pow_succ_r', Nat.mul_comm, Nat.mod_mul_r by lia. auto. }
  rewrite !M. pose proof (Nat.mod_upper_bound j _ P). pose proof (Nat.mod_upper_bound k _ P).
  destruct (Nat.testbit j v), (Nat.testbit k v); cbn [xorb Nat.b2n];
    repeat match goal with |- context [Nat.ltb ?x ?y] => destruct (Nat.ltb_spec x y) end; auto; lia.
Qed.

(* ── Numbers ── *)

Lemma find_decimal n k : 1 <= k <= n -> find (fun j => decimal j =? decimal k) (seq 1 n) = Some k.
Proof.
  intros R. destruct (find _ _) as [j|] eqn:E.
  - apply find_some in E as (_ & E). apply String.eqb_eq, decimal_inj in E. congruence.
  - apply find_none with (x := k) in E; [|apply in_seq; lia]. rewrite String.eqb_refl in E. discriminate.
Qed.

Lemma seq_apart q : forall r j k, (q ++ r)%list = seq j k ->
  q = seq j (List.length q) /\ r = seq (j + List.length q) (List.length r).
Proof.
  induction q as [|x q IH]; simpl; intros r j k E. { rewrite Nat.add_0_r, E, seq_length. auto. }
  destruct k; [discriminate|]. injection E as -> E. destruct (IH r (S j) k E) as (Eq & Er).
  rewrite Nat.add_succ_r. split; [f_equal; auto|auto].
Qed.

