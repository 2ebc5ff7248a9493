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

Lemma len_weighted n m p f : (forall t, (t < m)%nat -> 0 <= p t) ->
  len n (fun i => sum m (fun t => p t * f t i)) <= sum m (fun t => p t * len n (f t)).
Proof.
  intros P. eapply Rle_trans; [apply (len_sum n m (fun t i => p t * f t i))|]. apply sum_le. intros t T.
  rewrite len_scal, Rabs_pos_eq; auto. lra.
Qed.

(* ── Attention: `wc` are the weights of the centre before normalisation, which may be off by factors up to E, that is by
   `first` of them, and a rest below R. ── *)
Lemma attends_ball n d N score (v : nat -> nat -> R) y C (wc E first rest rv : nat -> R) (vc : nat -> nat -> R) oc lam zeta zlo :
  (0 < n)%nat -> 0 <= gamma N -> 0 < C ->
  (forall i, (i < d)%nat ->
    let p t := exp (score t) / sum n (fun t => exp (score t)) in
    near N (y i) (sum n (fun t => p t * v t i)) (sum n (fun t => p t * Rabs (v t i)))) ->
  (forall t, (t < n)%nat -> 0 < wc t /\ 1 <= E t /\ wc t / E t <= exp (score t) / C <= wc t * E t) ->
  (forall t, (t < n)%nat -> Rabs (exp (score t) / C - wc t - wc t * first t) <= wc t * rest t) ->
  len d (fun i => sum n (fun t => wc t * (first t * sub (vc t) oc i))) <= lam ->
  (forall t, (t < n)%nat -> len d (sub (v t) (vc t)) <= rv t) ->
  len d (fun i => sum n (fun t => wc t * (vc t i - oc i))) <= zeta ->
  0 < zlo -> zlo <= sum n (fun t => wc t / E t) ->
  len d (sub y oc) <=
    (sum n (fun t => wc t * (E t * (rv t + gamma N * (len d (vc t) + rv t)) + rest t * len d (sub (vc t) oc))) + (lam + zeta))
      / zlo + sqrt (INR d) * tiny.
Proof.
  intros Np G Cp Y W First Lam V Ze Zp Zl.
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
    <= / Z * (sum n (fun t => wc t * rest t * len d (sub (vc t) oc)) + (lam + zeta))).
  { rewrite len_scal, Rabs_pos_eq by (left; apply Rinv_0_lt_compat; auto).
    apply Rmult_le_compat_l; [left; apply Rinv_0_lt_compat; auto|].
    eapply Rle_trans; [apply triangle|]. rewrite <- Rplus_assoc. apply Rplus_le_compat; auto.
    rewrite (len_ext d _ (fun i => sum n (fun t => (w t - wc t - wc t * first t) * sub (vc t) oc i) + sum n (fun t => wc t * (first t * sub (vc t) oc i)))).
    2:{ intros i _. rewrite <- sum_plus. apply sum_ext. intros. ring. }
    eapply Rle_trans; [apply triangle|]. apply Rplus_le_compat; auto.
    eapply Rle_trans; [apply (len_sum d n (fun t i => (w t - wc t - wc t * first t) * sub (vc t) oc i))|]. apply sum_le. intros t T.
    rewrite len_scal. apply Rmult_le_compat_r; [apply len_pos|]. exact (First t T). }
  assert (Rp : forall t, (t < n)%nat -> 0 <= rest t).
  { intros t T. destruct (W t T) as (Wp & _). specialize (First t T). pose proof (Rabs_pos (exp (score t) / C - wc t - wc t * first t)).
    apply Rmult_le_reg_l with (wc t); auto. lra. }
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
  set (S := sum n (fun t => wc t * (E t * (rv t + gamma N * (len d (vc t) + rv t)) + rest t * len d (sub (vc t) oc)))).
  assert (SE : S = sum n (fun t => wc t * E t * rv t) + (gamma N * sum n (fun t => wc t * E t * (len d (vc t) + rv t)) +
    sum n (fun t => wc t * rest t * len d (sub (vc t) oc)))).
  { unfold S. rewrite <- (sum_scal n (gamma N)), <- !sum_plus. apply sum_ext. intros. ring. }
  apply Rle_trans with (/ Z * (S + (lam + zeta)) + sqrt (INR d) * tiny); [rewrite SE; lra|].
  apply Rplus_le_compat_r. unfold Rdiv. rewrite Rmult_comm. apply Rmult_le_compat_l.
  - assert (0 <= zeta) by (eapply Rle_trans; [apply len_pos|exact Ze]). assert (0 <= lam) by (eapply Rle_trans; [apply len_pos|exact Lam]).
    assert (0 <= S); [|lra]. apply sum_pos. intros t T. destruct (W t T) as (Wp & E1 & _). specialize (Rv t T). specialize (Rp t T).
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
Lemma score_near n m wq wk q k qc kc eq ek oq ok rq rk ts ak pq pk Lq Lk :
  (forall i, (i < n)%nat -> q i - qc i = times m wq eq i + oq i) ->
  (forall i, (i < n)%nat -> k i - kc i = times m wk ek i + ok i) ->
  len n (sub q qc) <= rq -> len n (sub k kc) <= rk -> len m ek <= ts ->
  len m (fun j => sum n (fun i => wk i j * qc i)) <= ak ->
  len n oq <= pq -> len n ok <= pk -> len n qc <= Lq -> len n kc <= Lk ->
  Rabs (sum n (fun i => q i * k i) - sum n (fun i => qc i * kc i) - sum m (fun j => sum n (fun i => wq i j * kc i) * eq j)) <= pq * Lk + (ak * ts + pk * Lq) + rq * rk.
Proof.
  intros Q K Rq Rk Es Ak Pq Pk LQ LK.
  assert (X : sum n (fun i => q i * k i) - sum n (fun i => qc i * kc i) =
    sum m (fun j => sum n (fun i => wq i j * kc i) * eq j) + sum n (fun i => oq i * kc i) +
    (sum m (fun j => sum n (fun i => wk i j * qc i) * ek j) + sum n (fun i => ok i * qc i)) +
    sum n (fun i => sub q qc i * sub k kc i)).
  { rewrite <- !transposed, <- sum_minus, <- !sum_plus. apply sum_ext. intros i I. specialize (Q i I). specialize (K i I).
    unfold sub. replace (times m wq eq i) with (q i - qc i - oq i) by lra.
    replace (times m wk ek i) with (k i - kc i - ok i) by lra. ring. }
  rewrite X. clear X. match goal with |- Rabs (?a + ?b + ?c + ?d - ?a) <= _ => replace (a + b + c + d - a) with (b + c + d) by ring end.
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
Lemma activated_ball n x y c r a o L :
  activated n x y -> len n (sub x c) <= r -> 0 <= a -> len n c + r <= L ->
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
