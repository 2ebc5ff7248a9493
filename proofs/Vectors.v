(* Sums and lengths of vectors of real numbers, which are functions of the place; only the first n places count. *)
Require Import Reals Lra Lia Psatz. Open Scope R_scope.

Fixpoint sum (n : nat) (f : nat -> R) : R := match n with O => 0 | S m => sum m f + f m end.
Definition len (n : nat) (x : nat -> R) : R := sqrt (sum n (fun i => x i * x i)).

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. induction n; simpl; intros H; auto. rewrite IHn, H by auto with arith. auto. Qed.
Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; simpl; [lra|rewrite IHn; lra]. Qed.
Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n; simpl; [lra|rewrite IHn; lra]. Qed.
Lemma sum_scal n a f : sum n (fun i => a * f i) = a * sum n f.
Proof. induction n; simpl; [lra|rewrite IHn; lra]. Qed.
Lemma sum_const n a : sum n (fun _ => a) = INR n * a.
Proof. induction n; [simpl; lra|]. rewrite S_INR. simpl sum. rewrite IHn. lra. Qed.
Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof. induction n; simpl; intros H; [lra|]. specialize (IHn (fun i I => H i ltac:(lia))). specialize (H n ltac:(lia)). lra. Qed.
Lemma sum_pos n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intros H. replace 0 with (sum n (fun _ => 0)) by (rewrite sum_const; lra). apply sum_le; auto. Qed.
Lemma sum_abs n f : Rabs (sum n f) <= sum n (fun i => Rabs (f i)).
Proof. induction n; simpl. { rewrite Rabs_R0. lra. } pose proof (Rabs_triang (sum n f) (f n)). lra. Qed.
Lemma sum_swap n m f : sum n (fun i => sum m (f i)) = sum m (fun j => sum n (fun i => f i j)).
Proof. induction n; simpl. { rewrite sum_const. lra. } rewrite IHn, sum_plus. auto. Qed.
Lemma sum_term n f i : (i < n)%nat -> (forall j, (j < n)%nat -> 0 <= f j) -> f i <= sum n f.
Proof.
  induction n; simpl; [lia|]. intros I P. pose proof (sum_pos n f (fun j J => P j ltac:(lia))).
  destruct (Nat.eq_dec i n) as [->|N]; [lra|]. specialize (IHn ltac:(lia) (fun j J => P j ltac:(lia))).
  specialize (P n ltac:(lia)). lra.
Qed.

Lemma sq_pos n x : 0 <= sum n (fun i => x i * x i).
Proof. apply sum_pos. intros. nra. Qed.
Lemma len_sq n x : len n x * len n x = sum n (fun i => x i * x i).
Proof. apply sqrt_sqrt, sq_pos. Qed.
Lemma len_pos n x : 0 <= len n x.
Proof. apply sqrt_pos. Qed.
Lemma len_below n x a : 0 <= a -> sum n (fun i => x i * x i) <= a * a -> len n x <= a.
Proof. intros A H. unfold len. rewrite <- (sqrt_square a A). apply sqrt_le_1_alt, H. Qed.
Lemma square_below a b : 0 <= b -> a * a <= b * b -> a <= b.
Proof. intros. nra. Qed.
Lemma len_le n x y : (forall i, (i < n)%nat -> Rabs (x i) <= y i) -> len n x <= len n y.
Proof.
  intros H. apply sqrt_le_1_alt, sum_le. intros i I. specialize (H i I).
  rewrite <- (Rabs_pos_eq (x i * x i)) by nra. rewrite Rabs_mult. pose proof (Rabs_pos (x i)). nra.
Qed.
Lemma len_ext n x y : (forall i, (i < n)%nat -> x i = y i) -> len n x = len n y.
Proof. intros H. unfold len. f_equal. apply sum_ext. intros i I. rewrite H; auto. Qed.
Lemma len_scal n a x : len n (fun i => a * x i) = Rabs a * len n x.
Proof.
  unfold len. rewrite (sum_ext _ _ (fun i => (a * a) * (x i * x i))) by (intros; ring).
  rewrite sum_scal, sqrt_mult by (apply sq_pos || nra). f_equal. apply sqrt_Rsqr_abs.
Qed.
Lemma term_len n x i : (i < n)%nat -> Rabs (x i) <= len n x.
Proof.
  intros I. apply square_below; [apply len_pos|]. rewrite len_sq, <- Rabs_mult, Rabs_pos_eq by nra.
  apply (sum_term n (fun i => x i * x i)); auto. intros; nra.
Qed.

Lemma cauchy_schwarz n x y : Rabs (sum n (fun i => x i * y i)) <= len n x * len n y.
Proof.
  set (p := sum n (fun i => x i * y i)). pose proof (len_sq n x) as X. pose proof (len_sq n y) as Y.
  pose proof (len_pos n x). pose proof (len_pos n y). set (a := len n x) in *. set (b := len n y) in *.
  apply square_below; [nra|]. rewrite <- Rabs_mult, Rabs_pos_eq by nra.
  assert (E : 0 <= (b * b) * ((b * b) * (a * a) - p * p)).
  { replace ((b * b) * ((b * b) * (a * a) - p * p)) with
      (sum n (fun i => ((b * b) * x i - p * y i) * ((b * b) * x i - p * y i))); [apply sq_pos|].
    rewrite (sum_ext _ _ (fun i => (b*b*(b*b)) * (x i * x i) + ((- (2 * (b * b) * p)) * (x i * y i) + (p * p) * (y i * y i))))
      by (intros; ring).
    rewrite sum_plus, sum_plus, !sum_scal, <- X, <- Y. fold p. ring. }
  destruct (Req_dec b 0) as [B|B]; [|apply Rmult_le_reg_l with (b * b); [nra|lra]].
  assert (Z : p = 0); [|rewrite Z; nra]. unfold p.
  rewrite (sum_ext _ _ (fun _ => 0)); [rewrite sum_const; ring|]. intros i I.
  pose proof (sum_term n (fun i => y i * y i) i I ltac:(intros; nra)) as T. simpl in T. rewrite <- Y, B in T.
  assert (y i = 0) by nra. rewrite H1. ring.
Qed.

Lemma triangle n x y : len n (fun i => x i + y i) <= len n x + len n y.
Proof.
  pose proof (len_pos n x). pose proof (len_pos n y). apply len_below; [lra|].
  rewrite (sum_ext _ _ (fun i => x i * x i + (2 * (x i * y i) + y i * y i))) by (intros; ring).
  rewrite sum_plus, sum_plus, sum_scal, <- !len_sq. pose proof (cauchy_schwarz n x y).
  pose proof (Rle_abs (sum n (fun i => x i * y i))). nra.
Qed.
Lemma len_sum n m (f : nat -> nat -> R) : len n (fun i => sum m (fun t => f t i)) <= sum m (fun t => len n (f t)).
Proof.
  induction m; simpl.
  - right. unfold len. rewrite (sum_ext _ _ (fun _ => 0)) by (intros; ring). rewrite sum_const, Rmult_0_r. apply sqrt_0.
  - eapply Rle_trans; [apply (triangle n (fun i => sum m (fun t => f t i)) (f m))|]. lra.
Qed.

(* A matrix, stretched by at most √ρ if ρ bounds the sums of |W'W + L'L| in each row; L is chosen to make them small. *)
Definition times (m : nat) (w : nat -> nat -> R) (x : nat -> R) : nat -> R := fun i => sum m (fun j => w i j * x j).
Lemma stretched n q m w l x rho :
  (forall j, (j < m)%nat ->
     sum m (fun k => Rabs (sum n (fun i => w i j * w i k) + sum q (fun i => l i j * l i k))) <= rho) ->
  len n (times m w x) * len n (times m w x) <= rho * (len m x * len m x).
Proof.
  intros H. rewrite len_sq, len_sq.
  set (g := fun j k => sum n (fun i => w i j * w i k) + sum q (fun i => l i j * l i k)).
  assert (sq : forall p (v : nat -> nat -> R), sum p (fun i => times m v x i * times m v x i) =
    sum m (fun j => sum m (fun k => x j * x k * sum p (fun i => v i j * v i k)))).
  { intros p v. unfold times.
    rewrite (sum_ext p _ (fun i => sum m (fun j => sum m (fun k => x j * x k * (v i j * v i k))))).
    - rewrite sum_swap. apply sum_ext. intros j J. rewrite sum_swap. apply sum_ext. intros k K. rewrite sum_scal. auto.
    - intros i I. rewrite <- sum_scal. apply sum_ext. intros j J.
      rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros k K. ring. }
  apply Rle_trans with (sum m (fun j => sum m (fun k => x j * x k * g j k))).
  - rewrite sq. pose proof (sq_pos q (times m l x)) as P. rewrite sq in P.
    rewrite (sum_ext m (fun j => sum m (fun k => x j * x k * g j k)) (fun j =>
      sum m (fun k => x j * x k * sum n (fun i => w i j * w i k)) +
      sum m (fun k => x j * x k * sum q (fun i => l i j * l i k)))).
    + rewrite sum_plus. lra.
    + intros j J. rewrite <- sum_plus. apply sum_ext. intros k K. unfold g. ring.
  - apply Rle_trans with (sum m (fun j => sum m (fun k => Rabs (g j k) * (x j * x j) / 2 + Rabs (g j k) * (x k * x k) / 2))).
    + apply sum_le. intros j J. apply sum_le. intros k K.
      pose proof (Rle_abs (x j * x k * g j k)) as A. rewrite Rabs_mult in A.
      assert (B : Rabs (x j * x k) <= (x j * x j + x k * x k) / 2).
      { pose proof (Rle_0_sqr (x j + x k)). pose proof (Rle_0_sqr (x j - x k)). unfold Rsqr in *. apply Rabs_le; lra. }
      pose proof (Rmult_le_compat_r _ _ _ (Rabs_pos (g j k)) B). lra.
    + rewrite (sum_ext m _ (fun j => sum m (fun k => Rabs (g j k) * (x j * x j) / 2) +
        sum m (fun k => Rabs (g j k) * (x k * x k) / 2))) by (intros; apply sum_plus).
      rewrite sum_plus, (sum_swap m m (fun j k => Rabs (g j k) * (x k * x k) / 2)), <- sum_plus, <- sum_scal.
      apply sum_le. intros j J. rewrite <- sum_plus.
      rewrite (sum_ext m _ (fun k => (x j * x j) * Rabs (g j k))).
      * rewrite sum_scal. specialize (H j J). fold (g j) in H.
        assert (sum m (fun k => Rabs (g j k)) <= rho) by exact H. nra.
      * intros k K. replace (g k j) with (g j k); [lra|]. unfold g. f_equal; apply sum_ext; intros; ring.
Qed.

(* A sum of outer products, applied to a vector: its length by the products of all pairs. *)
Lemma len_pairs n d m (c : nat -> R) (x v : nat -> nat -> R) e :
  len d (fun i => sum n (fun t => c t * (sum m (fun j => v t j * e j) * x t i))) <=
  sqrt (sum n (fun t => c t * sum n (fun s => c s * (sum d (fun i => x t i * x s i) * sum m (fun j => v t j * v s j))))) * len m e.
Proof.
  set (b := fun i j => sum n (fun t => c t * (v t j * x t i))).
  assert (B : forall i, sum n (fun t => c t * (sum m (fun j => v t j * e j) * x t i)) = sum m (fun j => b i j * e j)).
  { intros i. transitivity (sum n (fun t => sum m (fun j => c t * (v t j * x t i) * e j))).
    - apply sum_ext. intros t _. rewrite (Rmult_comm (sum m _)), <- Rmult_assoc, <- sum_scal. apply sum_ext. intros. ring.
    - rewrite sum_swap. apply sum_ext. intros j _. unfold b. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
  rewrite (len_ext d _ (fun i => sum m (fun j => b i j * e j))) by (intros; apply B).
  eapply Rle_trans; [apply len_le with (y := fun i => len m e * len m (b i))|].
  { intros i _. rewrite (Rmult_comm (len m e)). apply cauchy_schwarz. }
  rewrite len_scal, (Rabs_pos_eq _ (len_pos m e)), Rmult_comm. apply Rmult_le_compat_r; [apply len_pos|]. right. unfold len at 1. f_equal.
  rewrite (sum_ext d _ (fun i => sum m (fun j => b i j * b i j))) by (intros; apply len_sq).
  rewrite (sum_ext d _ (fun i => sum n (fun t => sum n (fun s => sum m (fun j => c t * c s * (x t i * x s i) * (v t j * v s j)))))).
  2:{ intros i _. unfold b. rewrite (sum_ext m _ (fun j => sum n (fun t => sum n (fun s => c t * c s * (x t i * x s i) * (v t j * v s j))))).
      - rewrite sum_swap. apply sum_ext. intros. apply sum_swap.
      - intros j _. rewrite <- sum_scal. apply sum_ext. intros t _. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring. }
  rewrite sum_swap. apply sum_ext. intros t _. rewrite sum_swap, <- sum_scal. apply sum_ext. intros s _.
  rewrite (sum_ext d _ (fun i => (c t * c s * sum m (fun j => v t j * v s j)) * (x t i * x s i))).
  - rewrite sum_scal. ring.
  - intros i _. rewrite sum_scal. ring.
Qed.
