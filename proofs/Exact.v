(* There is such a machine: exact arithmetic. So what is said of all of them is said of some. *)
Require Import Reals Lra Lia Psatz List Arith String Vectors Float32 Balls Model. Import ListNotations.
Close Scope string_scope. Open Scope R_scope.

Lemma gamma_pos n : (n <= 2000)%nat -> 0 <= gamma n.
Proof.
  intros H. apply le_INR in H. rewrite (INR_IZR_INZ 2000) in H. change (IZR (Z.of_nat 2000)) with 2000 in H. pose proof (pos_INR n).
  unfold gamma, u. apply div_pos; lra.
Qed.
Lemma tiny_pos : 0 < tiny. Proof. unfold tiny. apply Rinv_0_lt_compat, pow_lt. lra. Qed.
Lemma near_exact n y s : (n <= 2000)%nat -> 0 <= s -> near n y y s.
Proof.
  intros N S. unfold near. rewrite Rminus_eq_0, Rabs_R0. pose proof tiny_pos. pose proof (Rmult_le_pos _ _ (gamma_pos n N) S). lra.
Qed.
Lemma sizes_pos m (f g : nat -> R) : 0 <= sum m (fun j => Rabs (f j) * Rabs (g j)).
Proof. apply sum_pos. intros. apply Rmult_le_pos; apply Rabs_pos. Qed.

Definition linE (m : nat) (w : nat -> nat -> R) (b x : nat -> R) (i : nat) : R := sum m (fun j => w i j * x j) + b i.
Lemma linear_exact n m w b s x : (m <= 256)%nat -> (forall i, 0 <= s i) -> linear n m w b s x (linE m w b x).
Proof. intros M S i _. apply near_exact; [lia|]. pose proof (sizes_pos m (w i) x). specialize (S i). lra. Qed.
Lemma size_pos x i : 0 <= size x i. Proof. apply Rabs_pos. Qed.
Lemma zero_pos i : 0 <= zero i. Proof. unfold zero. lra. Qed.

Definition normE (g b x : nat -> R) (i : nat) : R :=
  let m := sum 64 x / INR 64 in
  (x i - m) / sqrt (sum 64 (fun i => (x i - m) * (x i - m)) / INR 64 + 1 / 100000) * g i + b i.
Lemma i64 : INR 64 = 64. Proof. simpl. lra. Qed.
Lemma normed_exact g b x : normed 64 g b x (normE g b x).
Proof.
  unfold normed, normE. cbv zeta. set (m := sum 64 x / INR 64). set (v := sum 64 (fun i => (x i - m) * (x i - m)) / INR 64 + 1 / 100000).
  assert (V : 0 < v).
  { unfold v. rewrite i64. pose proof (sq_pos 64 (fun i => x i - m)). cbv beta in *. assert (0 <= sum 64 (fun i => (x i - m) * (x i - m)) / 64) by (apply div_pos; lra). lra. }
  exists m, (sqrt v). assert (S : 0 < sqrt v) by (apply sqrt_lt_R0; auto). split; [|split; [auto|split]].
  - apply near_exact; [lia|]. rewrite i64. apply div_pos; [|lra]. apply sum_pos. intros. apply Rabs_pos.
  - rewrite sqrt_sqrt by lra. apply near_exact; [lia|]. rewrite i64. pose proof (sq_pos 64 x).
    assert (0 <= sum 64 (fun i => x i * x i) / 64) by (apply div_pos; lra). lra.
  - intros i _. rewrite Rminus_eq_0, Rabs_R0. pose proof tiny_pos. pose proof (Rabs_pos (b i)).
    assert (0 <= (Rabs (x i) + Rabs m) / sqrt v * Rabs (g i)).
    { apply Rmult_le_pos; [|apply Rabs_pos]. apply div_pos; auto. pose proof (Rabs_pos (x i)). pose proof (Rabs_pos m). lra. }
    assert (0 <= u) by (unfold u; lra).
    assert (0 <= 8 * u * ((Rabs (x i) + Rabs m) / sqrt v * Rabs (g i) + Rabs (b i))) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition attE (n : nat) (F : R) (q : nat -> R) (k v : nat -> nat -> R) (i : nat) : R :=
  let score t := F * sum 32 (fun i => q i * k t i) in sum n (fun t => exp (score t) / sum n (fun t => exp (score t)) * v t i).
Lemma attends_exact n F q k v : 0 <= F -> (0 < n <= 900)%nat -> attends n 32 F q k v (attE n F q k v).
Proof.
  intros P (N0 & N). unfold attends. cbv zeta. exists (fun t => F * sum 32 (fun i => q i * k t i)). split.
  - intros t _. rewrite Rminus_eq_0, Rabs_R0. pose proof tiny_pos. pose proof (gamma_pos (32 + 16) ltac:(lia)) as G. pose proof (pos_INR n).
    assert (0 <= u) by (unfold u; lra).
    assert (S : forall t, 0 <= F * sum 32 (fun i => Rabs (q i) * Rabs (k t i))) by (intros; apply Rmult_le_pos; auto using sizes_pos).
    pose proof (Rmult_le_pos _ _ G (S t)).
    assert (0 <= 24 * u * sum n (fun t => F * sum 32 (fun i => Rabs (q i) * Rabs (k t i)))) by (apply Rmult_le_pos; [lra|apply sum_pos; auto]).
    assert (0 <= 48 * INR n * u) by (apply Rmult_le_pos; lra). lra.
  - intros i _. apply near_exact; [lia|]. apply sum_pos. intros t T. apply Rmult_le_pos; [|apply Rabs_pos].
    apply div_pos; [left; apply exp_pos|].
    apply Rlt_le_trans with (exp (F * sum 32 (fun i => q i * k t i))); [apply exp_pos|].
    apply (sum_term n (fun t => exp (F * sum 32 (fun i => q i * k t i)))); auto. intros. left. apply exp_pos.
Qed.

Lemma through_exact B start (x : nat -> nat -> R) : exists x', forall t, (t < 512)%nat -> through B start x x' t.
Proof.
  set (y := fun t => normE (scale1 B) (shift1 B) (x t)).
  set (q := fun t => linE 64 (query B) zero (y t)). set (k := fun t => linE 64 (key B) zero (y t)). set (v := fun t => linE 64 (value B) zero (y t)).
  set (mix := fun t i => let h := if (i <? 32)%nat then 0%nat else 1%nat in
    attE (seen start t) (ln (INR (S t)) / (2 * sqrt 32)) (fun i => q t (32 * h + i)%nat) (fun s i => k (first_seen start t + s)%nat (32 * h + i)%nat)
      (fun s i => v (first_seen start t + s)%nat (32 * h + i)%nat) (i - 32 * h)%nat).
  set (z := fun t => linE 64 (out B) (x t) (mix t)). set (inner := fun t => normE (scale2 B) (shift2 B) (z t)).
  set (w := fun t => linE 64 (up B) (up_bias B) (inner t)). set (g := fun t i => gelu (w t i)).
  exists (fun t => linE 256 (down B) (plus (z t) (down_bias B)) (g t)). intros t T.
  exists y, q, k, v, mix, z, inner, g. split; [|split; [|split; [|split; [|split]]]].
  - intros s _. split; [apply normed_exact|]. split; apply linear_exact; auto using zero_pos; lia.
  - apply linear_exact; auto using zero_pos; lia.
  - intros h H. cbv zeta.
    assert (L : 0 <= ln (INR (S t))) by (rewrite <- ln_1; destruct (Req_dec 1 (INR (S t))) as [<-|]; [lra|]; left; apply ln_increasing; [lra|]; pose proof (le_INR 1 (S t) ltac:(lia)); simpl (INR 1) in *; lra).
    assert (Q : 0 < 2 * sqrt 32) by (pose proof (sqrt_lt_R0 32 ltac:(lra)); lra).
    assert (N : (0 < seen start t <= 900)%nat) by (unfold seen, first_seen; destruct (t <? start)%nat; lia).
    destruct (attends_exact (seen start t) _ (fun i => q t (32 * h + i)%nat) (fun s i => k (first_seen start t + s)%nat (32 * h + i)%nat)
      (fun s i => v (first_seen start t + s)%nat (32 * h + i)%nat) (div_pos _ _ L Q) N) as (sc & A1 & A2).
    exists sc. split; [exact A1|]. intros i I. specialize (A2 i I). cbv zeta in *. unfold mix.
    assert (E : (if (32 * h + i <? 32)%nat then 0%nat else 1%nat) = h) by (destruct (Nat.ltb_spec (32 * h + i) 32); lia).
    rewrite E. replace (32 * h + i - 32 * h)%nat with i by lia. exact A2.
  - apply linear_exact; auto using size_pos; lia.
  - apply normed_exact.
  - exists (w t). split; [apply linear_exact; auto using size_pos; lia|]. split.
    + intros i _. unfold g. rewrite Rminus_eq_0, Rabs_R0. pose proof tiny_pos. assert (0 <= 12 * u * Rabs (w t i)); [|lra].
      apply Rmult_le_pos; [unfold u; lra|apply Rabs_pos].
    + apply linear_exact; [lia|]. intros i. unfold plus. pose proof (size_pos (z t) i). pose proof (size_pos (down_bias B) i). lra.
Qed.
Lemma passes_exact Bs start n : (n <= 512)%nat -> forall x, exists final, passes Bs start n x final.
Proof.
  intros N. induction Bs as [|B Bs IH]; intros x; simpl. { exists x. auto. }
  destruct (through_exact B start x) as (x' & T). destruct (IH x') as (final & P). exists final, x'. split; auto. intros. apply T. lia.
Qed.
Lemma computes_exact net V start row : (List.length row <= 512)%nat -> exists logits, computes net V start row logits.
Proof.
  intros N.
  set (x := fun t i => match t with
    | 0%nat => own net (nth 0 row (0, 0, 0)%nat) i
    | S s => sum 64 (fun j => shift net i j * own net (nth s row (0, 0, 0)%nat) j) + own net (nth t row (0, 0, 0)%nat) i end).
  destruct (passes_exact (blocks net) start (List.length row) N x) as (final & P).
  set (y := normE (scale net) (bias net) (final (List.length row - 1)%nat)).
  exists (linE 64 (tokens net) zero y), x, final, y. split; [|split; [exact P|split; [apply normed_exact|apply linear_exact; auto using zero_pos; lia]]].
  assert (Os : forall t i, 0 <= own_size net t i).
  { intros ((a, b), c) i. unfold own_size, plus. pose proof (size_pos (tokens net a) i). pose proof (size_pos (fields net b) i).
    pose proof (size_pos (places net c) i). lra. }
  intros t token E. unfold embedded. intros i _. assert (Et : nth t row (0, 0, 0)%nat = token) by (apply nth_error_nth; auto). destruct t as [|s].
  - unfold x. rewrite Et. apply near_exact; auto. lia.
  - assert (S0 : nth_error row s <> None) by (apply nth_error_Some; assert (nth_error row (S s) <> None) as H by congruence; apply nth_error_Some in H; lia).
    destruct (nth_error row s) as [b|] eqn:Eb; [|congruence]. assert (Es : nth s row (0, 0, 0)%nat = b) by (apply nth_error_nth; auto).
    unfold x. rewrite Et, Es. apply near_exact; [lia|].
    assert (0 <= sum 64 (fun j => Rabs (shift net i j) * own_size net b j)) by (apply sum_pos; intros; apply Rmult_le_pos; auto using Rabs_pos).
    specialize (Os token i). lra.
Qed.
Lemma largest_exists (f : nat -> R) V : (0 < V)%nat -> exists t, (t < V)%nat /\ forall j, (j < V)%nat -> f j <= f t.
Proof.
  induction V as [|V IH]; [lia|]. intros _. destruct V as [|V]. { exists 0%nat. split; [lia|]. intros j J. replace j with 0%nat by lia. lra. }
  destruct (IH ltac:(lia)) as (t & T & M). destruct (Rle_dec (f (S V)) (f t)) as [L|L].
  - exists t. split; [lia|]. intros j J. destruct (Nat.eq_dec j (S V)) as [->|]; auto. apply M. lia.
  - exists (S V). split; [lia|]. intros j J. destruct (Nat.eq_dec j (S V)) as [->|]; [lra|]. specialize (M j ltac:(lia)). lra.
Qed.
Section Answers.
Variables (voc : list string) (net : network) (newline : nat).
Hypothesis some : (0 < List.length voc)%nat.
Lemma generates_exact start fuel : forall ids, (List.length ids + fuel <= 512)%nat -> exists out, generates voc net fuel start ids out.
Proof.
  induction fuel as [|m IH]; intros ids L; simpl. { exists None. auto. }
  assert (Lc : forall l f p, List.length (counted voc f p l) = List.length l) by (clear; induction l; simpl; auto).
  destruct (computes_exact net (size_of voc) start (counted voc 0 0 ids)) as (logits & C). { rewrite Lc. lia. }
  destruct (largest_exists logits (size_of voc) some) as (t & T & M).
  assert (Ct : continues voc net start ids t) by (split; auto; exists logits; auto).
  destruct (Nat.eqb_spec t 2) as [E|E].
  - exists (Some []), t. split; auto. rewrite (proj2 (Nat.eqb_eq t 2) E). auto.
  - destruct (IH (ids ++ [t])) as (rest & G). { rewrite app_length. simpl. lia. }
    exists (option_map (cons t) rest), t. split; auto. rewrite (proj2 (Nat.eqb_neq t 2) E). exists rest. auto.
Qed.
Theorem some_answer prompt : exists answer, responds voc net newline prompt answer.
Proof.
  unfold responds. destruct (encode voc prompt) as [ids|]; [|exists None; auto]. cbv zeta. set (context := (1%nat :: ids ++ [newline])).
  destruct (Nat.le_gt_cases (List.length context) 512) as [L|L].
  - destruct (generates_exact (List.length context - 1) (512 - List.length context) context ltac:(lia)) as (out & G). exists (option_map (decode voc) out), out. auto.
  - replace (512 - List.length context)%nat with 0%nat by lia. exists None, None. simpl. auto.
Qed.
End Answers.
