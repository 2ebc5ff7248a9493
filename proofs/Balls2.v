Require Import Reals Lra Lia Psatz Vectors Float32 Balls. Open Scope R_scope.

Lemma abs_inv x a : Rabs x <= a -> - a <= x <= a.
Proof. unfold Rabs. destruct (Rcase_abs x); lra. Qed.
Lemma len_factor n f g a : 0 <= a -> (forall i, (i < n)%nat -> Rabs (g i) <= a) ->
  len n (fun i => g i * f i) <= a * len n f.
Proof.
  intros A G. eapply Rle_trans; [apply len_le with (y := fun i => a * size f i)|].
  - intros i I. rewrite Rabs_mult. apply Rmult_le_compat_r; auto. apply Rabs_pos.
  - rewrite len_scal, len_size, Rabs_pos_eq; lra.
Qed.
Lemma len_bound n f a : 0 <= a -> (forall i, (i < n)%nat -> Rabs (f i) <= a) -> len n f <= sqrt (INR n) * a.
Proof. intros A F. rewrite <- len_const by auto. apply len_le; auto. Qed.

Lemma normed_ball d g b x y c r lo q L kp dm G z ez dd o :
  0 < INR d -> normed d g b x y -> 0 <= gamma (4 * d + 24) -> 0 <= gamma (d + 2) ->
  len d (sub x c) <= r -> 0 < lo -> lo <= spread d c - r / sqrt (INR d) -> 0 < q -> q * q <= lo * spread d c ->
  len d c + r <= L -> 0 <= kp -> kp <= / 100 ->
  gamma (4 * d + 24) * (L * L / INR d + 1 / 100000) + tiny <= kp * (lo * lo) ->
  gamma (d + 2) * (L / sqrt (INR d)) + tiny <= dm ->
  0 <= G -> (forall i, (i < d)%nat -> Rabs (g i) <= G) ->
  len d (fun i => centred d c i / spread d c - z i) <= ez ->
  0 <= o -> (forall i, (i < d)%nat -> Rabs (z i * g i + b i - dd i) <= o) ->
  len d (sub y dd) <=
    G * (r / q + sqrt (INR d) * (52 / 100 * kp) + sqrt (INR d) * (dm / (99 / 100 * lo)) + ez) +
    (8 * u * (G * ((L + sqrt (INR d) * (L / sqrt (INR d) + dm)) / (99 / 100 * lo)) + len d b) + sqrt (INR d) * tiny) +
    sqrt (INR d) * o.
Proof.
  intros Dp (m & s & M & S & V & Y) G1 G2 X Lo Low Q Qq HL K1 K2 HK Hd Gp Hg Hz Op Ho.
  set (w := sqrt (INR d)) in *. assert (W : 0 < w) by (apply sqrt_lt_R0; auto).
  assert (WW : w * w = INR d) by (apply sqrt_sqrt; lra).
  set (sx := spread d x). set (sc := spread d c).
  assert (Sx : lo <= sx) by (pose proof (spread_near d Dp x c r X) as P; fold w in P; unfold sx; lra).
  assert (Lx : len d x <= L) by (pose proof (len_near d x c r X); lra).
  pose proof (len_pos d x) as Lp.
  assert (T0 : 0 < tiny) by (unfold tiny; apply Rinv_0_lt_compat; apply pow_lt; lra).
  assert (U0 : 0 < u) by (unfold u; apply Rinv_0_lt_compat; apply pow_lt; lra).
  (* the deviation *)
  assert (SS : Rabs (s * s - sx * sx) <= kp * (sx * sx)).
  { unfold near in V. fold (mean d x) in V. unfold sx. rewrite spread_sq by auto.
    eapply Rle_trans; [exact V|]. fold (spread d x) in *. rewrite <- spread_sq by auto. fold sx.
    assert (gamma (4 * d + 24) * (sum d (fun i => x i * x i) / INR d + 1 / 100000) <=
            gamma (4 * d + 24) * (L * L / INR d + 1 / 100000)).
    { apply Rmult_le_compat_l; auto. apply Rplus_le_compat_r. apply Rmult_le_compat_r.
      - left; apply Rinv_0_lt_compat; auto.
      - rewrite <- len_sq. apply Rmult_le_compat; auto. }
    assert (kp * (lo * lo) <= kp * (sx * sx)) by (apply Rmult_le_compat_l; auto; apply Rmult_le_compat; lra). lra. }
  assert (Sp : 0 < sx) by lra. apply abs_inv in SS. destruct SS as (S1 & S2).
  assert (S3 : 99 / 100 * sx <= s).
  { apply square_below; [lra|]. assert (0 < sx * sx) by (apply Rmult_lt_0_compat; auto).
    assert (kp * (sx * sx) <= / 100 * (sx * sx)) by (apply Rmult_le_compat_r; lra). lra. }
  assert (S4 : Rabs (sx / s - 1) <= 52 / 100 * kp).
  { replace (sx / s - 1) with ((sx * sx - s * s) / (s * (sx + s))) by (field; lra).
    unfold Rdiv. rewrite Rabs_mult. assert (0 < s * (sx + s)) by (apply Rmult_lt_0_compat; lra).
    rewrite (Rabs_pos_eq (/ _)) by (left; apply Rinv_0_lt_compat; auto).
    apply Rmult_le_reg_r with (s * (sx + s)); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    apply Rle_trans with (kp * (sx * sx)); [apply Rabs_le; lra|].
    assert (99 / 100 * sx * (sx + 99 / 100 * sx) <= s * (sx + s)) by (apply Rmult_le_compat; lra).
    assert (52 / 100 * kp * (99 / 100 * sx * (sx + 99 / 100 * sx)) <= 52 / 100 * kp * (s * (sx + s)))
      by (apply Rmult_le_compat_l; lra).
    assert (0 <= kp * (sx * sx)) by (apply Rmult_le_pos; [auto|apply Rle_0_sqr]). lra. }
  (* the mean *)
  assert (Mn : Rabs (mean d x - m) <= dm).
  { rewrite Rabs_minus_sym. unfold near in M. fold (mean d x) in M. eapply Rle_trans; [exact M|].
    assert (sum d (fun i => Rabs (x i)) / INR d <= L / w).
    { apply Rmult_le_reg_r with (INR d); auto. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite <- WW. replace (L / w * (w * w)) with (w * L) by (field; lra).
      eapply Rle_trans; [apply sum_abs_len|]. fold w. apply Rmult_le_compat_l; lra. }
    assert (gamma (d + 2) * (sum d (fun i => Rabs (x i)) / INR d) <= gamma (d + 2) * (L / w))
      by (apply Rmult_le_compat_l; auto). lra. }
  assert (Mx : Rabs m <= L / w + dm).
  { assert (Rabs (mean d x) <= L / w).
    { unfold mean, Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ INR d)) by (left; apply Rinv_0_lt_compat; auto).
      apply Rmult_le_reg_r with (INR d); auto. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite <- WW. replace (L * / w * (w * w)) with (w * L) by (field; lra).
      eapply Rle_trans; [apply sum_abs|]. eapply Rle_trans; [apply sum_abs_len|]. fold w. apply Rmult_le_compat_l; lra. }
    replace m with (mean d x - (mean d x - m)) by ring. 
    pose proof (Rabs_triang (mean d x) (- (mean d x - m))). rewrite Rabs_Ropp in *. unfold Rminus at 1. lra. }
  assert (D0 : 0 <= dm) by (pose proof (Rabs_pos (mean d x - m)); lra).
  assert (Is : 0 < / s) by (apply Rinv_0_lt_compat; auto).
  assert (Iv : / s <= / (99 / 100 * lo)) by (apply Rinv_le_contravar; lra).
  set (V1 := fun i => (x i - m) / s - z i).
  assert (LV : len d V1 <= w * (52 / 100 * kp) + w * (dm / (99 / 100 * lo)) + (r / q + ez)).
  { rewrite (len_ext d V1 (fun i => ((sx / s - 1) * (centred d x i / sx) + (mean d x - m) / s) +
      ((centred d x i / sx - centred d c i / sc) + (centred d c i / sc - z i)))).
    2:{ intros. unfold V1, centred. field. pose proof (spread_pos d Dp c). unfold sc. split; [|split]; lra. }
    eapply Rle_trans; [apply triangle|]. apply Rplus_le_compat; (eapply Rle_trans; [apply triangle|]; apply Rplus_le_compat).
    - rewrite len_scal, Rmult_comm. apply Rmult_le_compat; auto using len_pos, Rabs_pos.
      unfold w, sx. apply centred_over_spread; auto.
    - apply len_bound.
      + apply div_pos; lra.
      + intros _ _. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ s)) by lra. apply Rmult_le_compat; auto using Rabs_pos; lra.
    - apply normalised_near; auto. fold sx sc.
      apply Rle_trans with (lo * sc); [exact Qq|]. apply Rmult_le_compat_r; [left; apply spread_pos; auto|auto].
    - exact Hz. }
  rewrite (len_ext d (sub y dd) (fun i => g i * V1 i + (y i - ((x i - m) / s * g i + b i)) + (z i * g i + b i - dd i)))
    by (intros; unfold sub, V1; ring).
  eapply Rle_trans; [apply triangle3|]. apply Rplus_le_compat; [apply Rplus_le_compat|].
  - eapply Rle_trans; [apply len_factor with (a := G); auto|]. apply Rmult_le_compat_l; auto. lra.
  - eapply Rle_trans; [apply len_le with (y := fun i => (8 * u) * ((G / s) * size x i + (G * Rabs m / s) + size b i) + tiny)|].
    + intros i I. eapply Rle_trans; [apply Y; auto|]. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra|].
      apply Rplus_le_compat_r. unfold size.
      replace (G / s * Rabs (x i) + G * Rabs m / s) with ((Rabs (x i) + Rabs m) / s * G) by (field; lra).
      apply Rmult_le_compat_l; auto. apply div_pos; auto. pose proof (Rabs_pos (x i)). pose proof (Rabs_pos m). lra.
    + eapply Rle_trans; [apply (triangle d (fun i => 8 * u * (G / s * size x i + G * Rabs m / s + size b i)) (fun _ => tiny))|].
      rewrite len_scal, (Rabs_pos_eq (8 * u)), len_const by lra. fold w. apply Rplus_le_compat_r, Rmult_le_compat_l; [lra|].
      eapply Rle_trans; [apply triangle|]. rewrite len_size. apply Rplus_le_compat_r.
      eapply Rle_trans; [apply triangle|]. rewrite len_scal, len_size, len_const.
      2:{ apply div_pos; auto. apply Rmult_le_pos; auto. apply Rabs_pos. }
      fold w. rewrite Rabs_pos_eq by (apply div_pos; auto).
      replace (G / s * len d x + w * (G * Rabs m / s)) with (G * ((len d x + w * Rabs m) * / s)) by (field; lra).
      apply Rmult_le_compat_l; auto. apply Rmult_le_compat; auto; try lra.
      * assert (0 <= w * Rabs m) by (apply Rmult_le_pos; [lra|apply Rabs_pos]). lra.
      * assert (w * Rabs m <= w * (L / w + dm)) by (apply Rmult_le_compat_l; lra). lra.
  - apply len_bound; auto.
Qed.
