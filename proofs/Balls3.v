Require Import Reals Lra Lia Psatz Vectors Float32 Balls Balls2. Open Scope R_scope.

Lemma len_weighted n m p f : (forall t, (t < m)%nat -> 0 <= p t) ->
  len n (fun i => sum m (fun t => p t * f t i)) <= sum m (fun t => p t * len n (f t)).
Proof.
  intros P. eapply Rle_trans; [apply (len_sum n m (fun t i => p t * f t i))|]. apply sum_le. intros t T.
  rewrite len_scal, Rabs_pos_eq; auto. lra.
Qed.

(* ── Attention: `wc` are the weights of the centre before normalisation, which may be off by factors up to E. ── *)
Lemma attends_ball n d N score (v : nat -> nat -> R) y C (wc E rv : nat -> R) (vc : nat -> nat -> R) oc zeta zlo :
  (0 < n)%nat -> 0 <= gamma N -> 0 < C ->
  (forall i, (i < d)%nat ->
    let p t := exp (score t) / sum n (fun t => exp (score t)) in
    near N (y i) (sum n (fun t => p t * v t i)) (sum n (fun t => p t * Rabs (v t i)))) ->
  (forall t, (t < n)%nat -> 0 < wc t /\ 1 <= E t /\ wc t / E t <= exp (score t) / C <= wc t * E t) ->
  (forall t, (t < n)%nat -> len d (sub (v t) (vc t)) <= rv t) ->
  len d (fun i => sum n (fun t => wc t * (vc t i - oc i))) <= zeta ->
  0 < zlo -> zlo <= sum n (fun t => wc t / E t) ->
  len d (sub y oc) <=
    (sum n (fun t => wc t * (E t * (rv t + gamma N * (len d (vc t) + rv t)) + (E t - 1) * len d (sub (vc t) oc))) + zeta)
      / zlo + sqrt (INR d) * tiny.
Proof.
  intros Np G Cp Y W V Ze Zp Zl.
  assert (T0 : 0 < tiny) by (unfold tiny; apply Rinv_0_lt_compat; apply pow_lt; lra).
  set (w := fun t => exp (score t) / C). set (Z := sum n w).
  assert (Zge : zlo <= Z) by (eapply Rle_trans; [exact Zl|]; apply sum_le; intros t T; apply W; auto).
  assert (Zpos : 0 < Z) by lra.
  assert (Se : sum n (fun t => exp (score t)) = C * Z).
  { unfold Z. rewrite <- sum_scal. apply sum_ext. intros. unfold w. field. lra. }
  set (p := fun t => w t / Z).
  assert (Pp : forall t, (t < n)%nat -> 0 <= p t).
  { intros t T. apply div_pos; auto. unfold w. apply div_pos; auto. left; apply exp_pos. }
  assert (Y' : forall i, (i < d)%nat ->
    Rabs (y i - sum n (fun t => p t * v t i)) <= gamma N * sum n (fun t => p t * Rabs (v t i)) + tiny).
  { intros i I. specialize (Y i I). cbv zeta in Y. unfold near in Y. rewrite Se in Y.
    assert (F : forall f : nat -> R, sum n (fun t => exp (score t) / (C * Z) * f t) = sum n (fun t => p t * f t)).
    { intros f. apply sum_ext. intros. unfold p, w. field. lra. }
    rewrite (F (fun t => v t i)), (F (fun t => Rabs (v t i))) in Y. exact Y. }
  clear Y.
  rewrite (len_ext d (sub y oc) (fun i => (y i - sum n (fun t => p t * v t i)) + sum n (fun t => p t * sub (v t) (vc t) i) +
    / Z * (sum n (fun t => (w t - wc t) * sub (vc t) oc i) + sum n (fun t => wc t * (vc t i - oc i))))).
  2:{ intros i I. unfold sub. rewrite <- sum_plus, <- sum_scal.
      rewrite (sum_ext n (fun t => p t * (v t i - vc t i)) (fun t => p t * v t i - p t * vc t i)) by (intros; ring).
      rewrite sum_minus.
      rewrite (sum_ext n (fun t => / Z * ((w t - wc t) * (vc t i - oc i) + wc t * (vc t i - oc i)))
        (fun t => p t * vc t i - oc i * / Z * w t)) by (intros; unfold p; field; lra).
      rewrite sum_minus, sum_scal. fold Z. field. lra. }
  eapply Rle_trans; [apply triangle3|].
  assert (A1 : len d (fun i => y i - sum n (fun t => p t * v t i)) <=
    gamma N * sum n (fun t => p t * (len d (vc t) + rv t)) + sqrt (INR d) * tiny).
  { eapply Rle_trans; [apply len_le with (1 := Y')|].
    eapply Rle_trans; [apply (triangle d (fun i => gamma N * sum n (fun t => p t * Rabs (v t i))) (fun _ => tiny))|].
    rewrite len_scal, (Rabs_pos_eq _ G), len_const by lra. apply Rplus_le_compat_r, Rmult_le_compat_l; auto.
    eapply Rle_trans; [apply (len_weighted d n p (fun t => size (v t))); auto|].
    apply sum_le. intros t T. apply Rmult_le_compat_l; auto. rewrite len_size. apply len_near; auto. }
  assert (A2 : len d (fun i => sum n (fun t => p t * sub (v t) (vc t) i)) <= sum n (fun t => p t * rv t)).
  { eapply Rle_trans; [apply len_weighted; auto|]. apply sum_le. intros t T. apply Rmult_le_compat_l; auto. }
  assert (A3 : len d (fun i => / Z * (sum n (fun t => (w t - wc t) * sub (vc t) oc i) + sum n (fun t => wc t * (vc t i - oc i))))
    <= / Z * (sum n (fun t => wc t * (E t - 1) * len d (sub (vc t) oc)) + zeta)).
  { rewrite len_scal, Rabs_pos_eq by (left; apply Rinv_0_lt_compat; auto).
    apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; auto|].
    eapply Rle_trans; [apply triangle|]. apply Rplus_le_compat; auto.
    eapply Rle_trans; [apply (len_sum d n (fun t i => (w t - wc t) * sub (vc t) oc i))|]. apply sum_le. intros t T.
    rewrite len_scal. apply Rmult_le_compat_r; [apply len_pos|]. destruct (W t T) as (Wp & E1 & Wl & Wu). fold (w t) in Wl, Wu.
    assert (wc t - wc t / E t <= wc t * (E t - 1)).
    { replace (wc t - wc t / E t) with (wc t * ((E t - 1) / E t)) by (field; lra). apply Rmult_le_compat_l; [lra|].
      apply Rmult_le_reg_r with (E t); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert ((E t - 1) * 1 <= (E t - 1) * E t) by (apply Rmult_le_compat_l; lra). lra. }
    apply Rabs_le. lra. }
  assert (B : forall f, (forall t, (t < n)%nat -> 0 <= f t) ->
    sum n (fun t => p t * f t) <= / Z * sum n (fun t => wc t * E t * f t)).
  { intros f F. rewrite <- sum_scal. apply sum_le. intros t T. destruct (W t T) as (_ & _ & _ & Wu). fold (w t) in Wu.
    unfold p, Rdiv. rewrite (Rmult_comm (w t)), Rmult_assoc. apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; auto|].
    apply Rmult_le_compat_r; auto. }
  assert (Rv : forall t, (t < n)%nat -> 0 <= rv t) by (intros t T; eapply Rle_trans; [apply len_pos|apply V; auto]).
  pose proof (B rv Rv) as B1.
  assert (B2 : sum n (fun t => p t * (len d (vc t) + rv t)) <= / Z * sum n (fun t => wc t * E t * (len d (vc t) + rv t))).
  { apply B. intros t T. pose proof (len_pos d (vc t)). specialize (Rv t T). lra. }
  assert (B3 : gamma N * sum n (fun t => p t * (len d (vc t) + rv t)) <=
    gamma N * (/ Z * sum n (fun t => wc t * E t * (len d (vc t) + rv t)))) by (apply Rmult_le_compat_l; auto).
  set (S := sum n (fun t => wc t * (E t * (rv t + gamma N * (len d (vc t) + rv t)) + (E t - 1) * len d (sub (vc t) oc)))).
  assert (SE : S = sum n (fun t => wc t * E t * rv t) + (gamma N * sum n (fun t => wc t * E t * (len d (vc t) + rv t)) +
    sum n (fun t => wc t * (E t - 1) * len d (sub (vc t) oc)))).
  { unfold S. rewrite <- (sum_scal n (gamma N)), <- !sum_plus. apply sum_ext. intros. ring. }
  apply Rle_trans with (/ Z * (S + zeta) + sqrt (INR d) * tiny); [rewrite SE; lra|].
  apply Rplus_le_compat_r. unfold Rdiv. rewrite Rmult_comm. apply Rmult_le_compat_l.
  - assert (0 <= zeta) by (eapply Rle_trans; [apply len_pos|exact Ze]).
    assert (0 <= S); [|lra]. apply sum_pos. intros t T. destruct (W t T) as (Wp & E1 & _). specialize (Rv t T).
    pose proof (len_pos d (vc t)). pose proof (len_pos d (sub (vc t) oc)).
    apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra.
    assert (0 <= gamma N * (len d (vc t) + rv t)) by (apply Rmult_le_pos; lra). lra.
  - apply Rinv_le_contravar; auto.
Qed.

(* ── Scores: how far f q·k may be from that of the centres, where q and k are linear in balls. ── *)
Lemma transposed n m w k e : sum n (fun i => k i * times m w e i) = sum m (fun j => sum n (fun i => w i j * k i) * e j).
Proof.
  unfold times. rewrite (sum_ext n _ (fun i => sum m (fun j => w i j * k i * e j))).
  - rewrite sum_swap. apply sum_ext. intros j J. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. ring.
  - intros i I. rewrite <- sum_scal. apply sum_ext. intros. ring.
Qed.
Lemma score_near n m wq wk q k qc kc eq ek oq ok rq rk ty ts aq ak pq pk Lq Lk :
  (forall i, (i < n)%nat -> q i - qc i = times m wq eq i + oq i) ->
  (forall i, (i < n)%nat -> k i - kc i = times m wk ek i + ok i) ->
  len n (sub q qc) <= rq -> len n (sub k kc) <= rk -> len m eq <= ty -> len m ek <= ts ->
  len m (fun j => sum n (fun i => wq i j * kc i)) <= aq -> len m (fun j => sum n (fun i => wk i j * qc i)) <= ak ->
  len n oq <= pq -> len n ok <= pk -> len n qc <= Lq -> len n kc <= Lk ->
  Rabs (sum n (fun i => q i * k i) - sum n (fun i => qc i * kc i)) <= aq * ty + pq * Lk + (ak * ts + pk * Lq) + rq * rk.
Proof.
  intros Q K Rq Rk Ey Es Aq Ak Pq Pk LQ LK.
  assert (X : sum n (fun i => q i * k i) - sum n (fun i => qc i * kc i) =
    (sum m (fun j => sum n (fun i => wq i j * kc i) * eq j) + sum n (fun i => oq i * kc i)) +
    (sum m (fun j => sum n (fun i => wk i j * qc i) * ek j) + sum n (fun i => ok i * qc i)) +
    sum n (fun i => sub q qc i * sub k kc i)).
  { rewrite <- !transposed, <- sum_minus, <- !sum_plus. apply sum_ext. intros i I. specialize (Q i I). specialize (K i I).
    unfold sub. replace (times m wq eq i) with (q i - qc i - oq i) by lra.
    replace (times m wk ek i) with (k i - kc i - ok i) by lra. ring. }
  rewrite X. clear X.
  assert (CS : forall p a b A B, len p a <= A -> len p b <= B -> Rabs (sum p (fun i => a i * b i)) <= A * B).
  { intros p a b A B HA HB. eapply Rle_trans; [apply cauchy_schwarz|]. apply Rmult_le_compat; auto using len_pos. }
  repeat (eapply Rle_trans; [apply Rabs_triang|]; apply Rplus_le_compat); apply CS; auto.
Qed.

Lemma sum_abs_mult n x y : sum n (fun i => Rabs (x i) * Rabs (y i)) <= len n x * len n y.
Proof.
  pose proof (cauchy_schwarz n (size x) (size y)) as C. rewrite !len_size in C. eapply Rle_trans; [|exact C].
  rewrite Rabs_pos_eq. { right. auto. } apply sum_pos. intros. apply Rmult_le_pos; apply Rabs_pos.
Qed.

(* ── GELU, given its steepest slope near the centre ── *)
Lemma activated_ball gelu n x y c r a o L :
  activated gelu n x y -> len n (sub x c) <= r -> 0 <= a -> len n c + r <= L ->
  (forall i, (i < n)%nat -> Rabs (gelu (x i) - gelu (c i)) <= a * Rabs (x i - c i)) ->
  forall d, (forall i, (i < n)%nat -> Rabs (gelu (c i) - d i) <= o) -> 0 <= o ->
  len n (sub y d) <= a * r + 12 * u * L + sqrt (INR n) * (tiny + o).
Proof.
  intros Y X A Hl S d D O.
  assert (T0 : 0 < tiny) by (unfold tiny; apply Rinv_0_lt_compat; apply pow_lt; lra).
  assert (U0 : 0 < u) by (unfold u; apply Rinv_0_lt_compat; apply pow_lt; lra).
  eapply Rle_trans; [apply len_le with (y := fun i => a * size (sub x c) i + 12 * u * size x i + (tiny + o))|].
  - intros i I. specialize (Y i I). specialize (S i I). specialize (D i I). unfold sub, size.
    replace (y i - d i) with ((y i - gelu (x i)) + (gelu (x i) - gelu (c i)) + (gelu (c i) - d i)) by ring.
    pose proof (Rabs_triang (y i - gelu (x i) + (gelu (x i) - gelu (c i))) (gelu (c i) - d i)).
    pose proof (Rabs_triang (y i - gelu (x i)) (gelu (x i) - gelu (c i))). lra.
  - eapply Rle_trans; [apply triangle3|]. rewrite !len_scal, !len_size, len_const, !Rabs_pos_eq by lra.
    pose proof (len_near n x c r X).
    assert (a * len n (sub x c) <= a * r) by (apply Rmult_le_compat_l; auto).
    assert (12 * u * len n x <= 12 * u * L) by (apply Rmult_le_compat_l; lra). lra.
Qed.
