(* What each part of a transformer makes of balls: if its input is within r of a centre, its output is within r' of one. *)
Require Import Reals Lra Lia Psatz Vectors Float32. Open Scope R_scope.

Definition sub (x c : nat -> R) : nat -> R := fun i => x i - c i.

Lemma div_pos a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros. apply Rle_mult_inv_pos; auto. Qed.
Lemma triangle3 n x y z : len n (fun i => x i + y i + z i) <= len n x + len n y + len n z.
Proof. pose proof (triangle n (fun i => x i + y i) z). pose proof (triangle n x y). simpl in *. lra. Qed.
Lemma len_near n x c r : len n (sub x c) <= r -> len n x <= len n c + r.
Proof.
  intros H. rewrite (len_ext n x (fun i => c i + sub x c i)) by (intros; unfold sub; ring).
  eapply Rle_trans; [apply triangle|lra].
Qed.
Lemma len_size n x : len n (size x) = len n x.
Proof. unfold len, size. f_equal. apply sum_ext. intros. rewrite <- Rabs_mult. apply Rabs_pos_eq. nra. Qed.
Lemma len_const n a : 0 <= a -> len n (fun _ => a) = sqrt (INR n) * a.
Proof. intros A. unfold len. rewrite sum_const, sqrt_mult, sqrt_square; auto using pos_INR. nra. Qed.
Lemma sum_abs_len n x : sum n (fun i => Rabs (x i)) <= sqrt (INR n) * len n x.
Proof.
  pose proof (cauchy_schwarz n (fun _ => 1) (size x)) as C. rewrite len_const, len_size in C by lra.
  rewrite (sum_ext n _ (fun i => Rabs (x i))) in C by (intros; unfold size; ring).
  rewrite Rabs_pos_eq in C by (apply sum_pos; intros; apply Rabs_pos). lra.
Qed.

(* ── Linear layers. `own` is what the layer adds itself. ── *)
Lemma linear_ball N n m w b sz x y c bc szc d o sg F r rb rs :
  0 <= gamma N ->
  (forall i, (i < n)%nat -> near N (y i) (sum m (fun j => w i j * x j) + b i)
    (sum m (fun j => Rabs (w i j) * Rabs (x j)) + sz i)) ->
  (forall v, len n (times m w v) <= sg * len m v) ->
  (forall v, len n (fun i => sum m (fun j => Rabs (w i j) * Rabs (v j))) <= F * len m v) ->
  0 <= sg -> 0 <= F -> len m (sub x c) <= r -> len n (sub b bc) <= rb ->
  (exists se, (forall i, (i < n)%nat -> sz i <= szc i + se i /\ 0 <= se i) /\ len n se <= rs) ->
  (forall i, (i < n)%nat -> Rabs (sum m (fun j => w i j * c j) + bc i - d i) +
     gamma N * (sum m (fun j => Rabs (w i j) * Rabs (c j)) + szc i) + tiny <= o i) ->
  exists own, (forall i, (i < n)%nat -> y i - d i = times m w (sub x c) i + own i) /\
    len n own <= rb + gamma N * (F * r + rs) + len n o /\
    len n (sub y d) <= sg * r + (rb + gamma N * (F * r + rs) + len n o).
Proof.
  intros G L Sg Sf P Q X B (se & Se & Le) O.
  set (own := fun i => y i - d i - times m w (sub x c) i).
  assert (D : len n own <= rb + gamma N * (F * r + rs) + len n o).
  { eapply Rle_trans.
    - apply len_le with (y := fun i => Rabs (sub b bc i) +
        gamma N * (sum m (fun j => Rabs (w i j) * Rabs (sub x c j)) + se i) + o i).
      intros i I. specialize (L i I). specialize (O i I). destruct (Se i I) as (S1 & S2).
      unfold near in L. set (e := sum m (fun j => w i j * x j)) in *. set (ec := sum m (fun j => w i j * c j)) in *.
      assert (T : times m w (sub x c) i = e - ec).
      { unfold times, sub, e, ec. rewrite <- sum_minus. apply sum_ext. intros. ring. }
      assert (A : sum m (fun j => Rabs (w i j) * Rabs (x j)) <=
        sum m (fun j => Rabs (w i j) * Rabs (c j)) + sum m (fun j => Rabs (w i j) * Rabs (sub x c j))).
      { rewrite <- sum_plus. apply sum_le. intros j J. rewrite <- Rmult_plus_distr_l.
        apply Rmult_le_compat_l; [apply Rabs_pos|]. unfold sub.
        replace (x j) with (c j + (x j - c j)) at 1 by ring. apply Rabs_triang. }
      unfold own. rewrite T.
      replace (y i - d i - (e - ec)) with ((y i - (e + b i)) + (ec + bc i - d i) + sub b bc i) by (unfold sub; ring).
      pose proof (Rabs_triang (y i - (e + b i) + (ec + bc i - d i)) (sub b bc i)).
      pose proof (Rabs_triang (y i - (e + b i)) (ec + bc i - d i)).
      assert (gamma N * (sum m (fun j => Rabs (w i j) * Rabs (x j)) + sz i) <=
        gamma N * (sum m (fun j => Rabs (w i j) * Rabs (c j)) + szc i) +
        gamma N * (sum m (fun j => Rabs (w i j) * Rabs (sub x c j)) + se i)).
      { rewrite <- Rmult_plus_distr_l. apply Rmult_le_compat_l; auto. lra. }
      lra.
    - eapply Rle_trans; [apply triangle3|]. fold (size (sub b bc)). rewrite len_size, len_scal, (Rabs_pos_eq _ G).
      pose proof (triangle n (fun i => sum m (fun j => Rabs (w i j) * Rabs (sub x c j))) se) as T.
      specialize (Sf (sub x c)).
      assert (F * len m (sub x c) <= F * r) by (apply Rmult_le_compat_l; auto).
      assert (gamma N * len n (fun i => sum m (fun j => Rabs (w i j) * Rabs (sub x c j)) + se i) <= gamma N * (F * r + rs)).
      { apply Rmult_le_compat_l; auto. lra. }
      lra. }
  exists own. split; [intros; unfold own; ring|]. split; auto.
  rewrite (len_ext n (sub y d) (fun i => times m w (sub x c) i + own i)) by (intros; unfold own, sub; ring).
  eapply Rle_trans; [apply triangle|]. specialize (Sg (sub x c)).
  assert (sg * len m (sub x c) <= sg * r) by (apply Rmult_le_compat_l; auto). lra.
Qed.

(* ── LayerNorm ── *)
Section LayerNorm.
Variable d : nat.
Hypothesis Dpos : 0 < INR d.
Definition mean (x : nat -> R) : R := sum d x / INR d.
Definition centred (x : nat -> R) : nat -> R := fun i => x i - mean x.
Definition spread (x : nat -> R) : R := sqrt (sum d (fun i => centred x i * centred x i) / INR d + 1 / 100000).

Lemma spread_sq x : spread x * spread x = sum d (fun i => centred x i * centred x i) / INR d + 1 / 100000.
Proof. apply sqrt_sqrt. pose proof (sq_pos d (centred x)). apply Rplus_le_le_0_compat; [|lra]. apply div_pos; auto. Qed.
Lemma spread_pos x : 0 < spread x.
Proof.
  apply sqrt_lt_R0. pose proof (sq_pos d (centred x)).
  assert (0 <= sum d (fun i => centred x i * centred x i) / INR d) by (apply div_pos; auto). lra.
Qed.
Lemma centred_len x : len d (centred x) <= len d x.
Proof.
  apply len_below; [apply len_pos|]. rewrite len_sq.
  rewrite (sum_ext d _ (fun i => x i * x i + ((- 2 * mean x) * x i + mean x * mean x))) by (intros; unfold centred; ring).
  rewrite !sum_plus, sum_scal, sum_const. assert (E : sum d x = INR d * mean x) by (unfold mean; field; lra).
  rewrite E. nra.
Qed.
Lemma centred_sub x c i : centred x i - centred c i = centred (sub x c) i.
Proof. unfold centred, mean, sub. rewrite sum_minus. field. lra. Qed.

Lemma spread_near x c r : len d (sub x c) <= r -> spread c - r / sqrt (INR d) <= spread x.
Proof.
  intros H. set (q := sqrt (INR d)). assert (Q : 0 < q) by (apply sqrt_lt_R0; auto).
  assert (QQ : q * q = INR d) by (apply sqrt_sqrt; lra).
  pose proof (spread_pos x). pose proof (len_pos d (sub x c)).
  cut (spread c <= spread x + r / q); [lra|].
  assert (0 <= r / q) by (apply div_pos; lra).
  apply square_below; [lra|]. rewrite spread_sq.
  assert (A : len d (centred c) <= len d (centred x) + r).
  { rewrite (len_ext d (centred c) (fun i => centred x i + (-1) * centred (sub x c) i)).
    2:{ intros. rewrite <- centred_sub. ring. }
    eapply Rle_trans; [apply triangle|]. rewrite len_scal. replace (Rabs (-1)) with 1 by (rewrite Rabs_left; lra).
    pose proof (centred_len (sub x c)). lra. }
  rewrite <- len_sq. pose proof (len_pos d (centred c)). pose proof (len_pos d (centred x)).
  assert (B : len d (centred x) <= q * spread x).
  { apply square_below; [nra|]. replace (q * spread x * (q * spread x)) with ((q * q) * (spread x * spread x)) by ring.
    rewrite QQ, spread_sq, len_sq. replace (INR d * (sum d (fun i => centred x i * centred x i) / INR d + 1 / 100000))
      with (sum d (fun i => centred x i * centred x i) + INR d / 100000) by (field; lra). lra. }
  assert (E : len d (centred c) * len d (centred c) <=
    len d (centred x) * len d (centred x) + (2 * q * spread x * r + r * r)).
  { assert (0 <= r) by lra. assert (len d (centred x) * r <= q * spread x * r) by (apply Rmult_le_compat_r; lra). nra. }
  rewrite (len_sq d (centred x)) in E.
  replace ((spread x + r / q) * (spread x + r / q)) with (spread x * spread x + (2 * q * spread x * r + r * r) / (q * q))
    by (field; lra).
  rewrite QQ, spread_sq.
  replace (sum d (fun i => centred x i * centred x i) / INR d + 1 / 100000 + (2 * q * spread x * r + r * r) / INR d)
    with ((sum d (fun i => centred x i * centred x i) + (2 * q * spread x * r + r * r)) / INR d + 1 / 100000)
    by (field; lra).
  apply Rplus_le_compat_r, Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|exact E].
Qed.

Lemma normalised_near x c r q : len d (sub x c) <= r -> 0 < q -> q * q <= spread x * spread c ->
  len d (fun i => centred x i / spread x - centred c i / spread c) <= r / q.
Proof.
  intros H Q QQ. pose proof (spread_pos x) as X. pose proof (spread_pos c) as C. pose proof (len_pos d (sub x c)).
  assert (0 <= r / q) by (apply div_pos; lra).
  apply len_below; auto.
  set (a := centred x). set (b := centred c). set (s := spread x) in *. set (t := spread c) in *.
  assert (A : sum d (fun i => a i * a i) = INR d * (s * s) - INR d / 100000).
  { unfold s. rewrite spread_sq. fold a. field. lra. }
  assert (B : sum d (fun i => b i * b i) = INR d * (t * t) - INR d / 100000).
  { unfold t. rewrite spread_sq. fold b. field. lra. }
  assert (AB : sum d (fun i => (a i - b i) * (a i - b i)) <= r * r).
  { rewrite (sum_ext d _ (fun i => centred (sub x c) i * centred (sub x c) i)).
    2:{ intros. unfold a, b. rewrite centred_sub. auto. }
    rewrite <- len_sq. pose proof (centred_len (sub x c)). pose proof (len_pos d (centred (sub x c))). nra. }
  rewrite (sum_ext d _ (fun i => (a i * a i) + ((- 2) * (a i * b i) + b i * b i))) in AB by (intros; ring).
  rewrite !sum_plus, sum_scal, A, B in AB. set (p := sum d (fun i => a i * b i)) in *.
  rewrite (sum_ext d _ (fun i => / (s * s) * (a i * a i) + ((- 2 / (s * t)) * (a i * b i) + / (t * t) * (b i * b i))))
    by (intros; field; lra).
  rewrite !sum_plus, !sum_scal, A, B. fold p.
  apply Rle_trans with (r * r / (s * t)).
  - apply Rmult_le_reg_r with (s * s * (t * t)). { repeat apply Rmult_lt_0_compat; auto. }
    replace (r * r / (s * t) * (s * s * (t * t))) with (r * r * (s * t)) by (field; lra).
    replace ((/ (s * s) * (INR d * (s * s) - INR d / 100000) + (-2 / (s * t) * p + / (t * t) * (INR d * (t * t) - INR d / 100000))) * (s * s * (t * t)))
      with (2 * INR d * (s * t) * (s * t) - INR d / 100000 * (s * s + t * t) - 2 * p * (s * t)) by (field; lra).
    assert (0 < s * t) by (apply Rmult_lt_0_compat; auto). pose proof (Rle_0_sqr (s - t)) as S0. unfold Rsqr in S0.
    assert (INR d / 100000 * (s * s + t * t) >= INR d / 100000 * (2 * (s * t))) by (apply Rle_ge, Rmult_le_compat_l; lra).
    assert (M : (2 * INR d * (s * t) - 2 * (INR d / 100000) - 2 * p) * (s * t) <= r * r * (s * t)).
    { apply Rmult_le_compat_r; [lra|]. assert (INR d * (2 * (s * t)) <= INR d * (s * s + t * t)) by (apply Rmult_le_compat_l; lra). lra. }
    lra.
  - replace (r / q * (r / q)) with (r * r / (q * q)) by (field; lra).
    apply Rmult_le_compat_l; [apply Rle_0_sqr|]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; auto|lra].
Qed.

Lemma centred_over_spread x : len d (fun i => centred x i / spread x) <= sqrt (INR d).
Proof.
  pose proof (spread_pos x). apply len_below; [apply sqrt_pos|]. rewrite sqrt_sqrt by lra.
  rewrite (sum_ext d _ (fun i => / (spread x * spread x) * (centred x i * centred x i))) by (intros; field; lra).
  rewrite sum_scal. apply Rmult_le_reg_l with (spread x * spread x); [nra|]. rewrite <- Rmult_assoc, Rinv_r by nra.
  rewrite spread_sq, Rmult_1_l. replace ((sum d (fun i => centred x i * centred x i) / INR d + 1 / 100000) * INR d)
    with (sum d (fun i => centred x i * centred x i) + INR d / 100000) by (field; lra). lra.
Qed.
End LayerNorm.
