(* LayerNorm of 64 numbers in whole numbers. *)
Require Import Uint63 Bool Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

(* A vector of weights that a list approximates. *)
Definition near26 (n : nat) (w : nat -> R) (a : list Z) : Prop :=
  length a = n /\ forall i, (i < n)%nat -> Rabs (w i - at26 a i) <= / 2 ^ 26.

Definition devZ (c : list Z) : list Z := let s := total c in map (fun x => 64 * x - s)%Z c.
Definition quantity (c : list Z) : Z := (sqZ (devZ c) + 2 ^ 66 / 100000)%Z.
Definition below (c : list Z) : Z := Z.sqrt (quantity c * 2 ^ 20).                (* of 2^43 times the spread *)
Definition above (c : list Z) : Z := (Z.sqrt ((quantity c + 1) * 2 ^ 20) + 1)%Z.
Definition zZ (c : list Z) : list Z := let t := below c in map (fun x => 2 ^ 37 * x / t)%Z (devZ c).
Definition outZ (z g b : list Z) : list Z :=
  map (fun p => (fst (fst p) * snd (fst p) / 2 ^ 26 + snd p / 4)%Z) (combine (combine z g) b).
Definition maxabs (l : list Z) : Z := fold_right (fun x s => Z.max (Z.abs x) s) 0%Z l.

Record norm := Norm { gains : list Z; shifts : list Z; gain : Z; shift_len : Z }.
Definition norm_good (g b : nat -> R) (M : norm) : Prop :=
  near26 64 g (gains M) /\ near26 64 b (shifts M) /\ (0 <= gain M)%Z /\ (0 <= shift_len M)%Z /\
  (forall i, (i < 64)%nat -> Rabs (g i) <= rd (gain M)) /\ len 64 b <= rd (shift_len M).

(* lower bounds of the spread, of that of anything in the ball, and of their geometric mean *)
Definition lowZ (c : list Z) (r : Z) : Z := (below c / 2 ^ 7 - (r / 8 + 1))%Z.
Definition meanZ (c : list Z) (r : Z) : Z := Z.sqrt (lowZ c r * (below c / 2 ^ 7)).
Definition kappa (L lo : Z) : Z := quo (mul (gam 280) (mul L L / 64 + 1 + 687195) + 1) (lo * lo / 2 ^ 36).
Definition dmZ (L : Z) : Z := (mul (gam 66) (L / 8 + 1) + 1)%Z.
Definition nlo (lo : Z) : Z := (99 * lo / 100)%Z.
Definition errZ (c : list Z) (r L q lo kp dm z G B : Z) : Z :=
  (mul G (quo r q + 8 * (52 * kp / 100 + 1) + 8 * quo dm (nlo lo) + (8 * quo (above c - below c) (below c) + 2 ^ 15))
   + (mul (2 ^ 15) (mul G (quo (L + 8 * (L / 8 + 1 + dm)) (nlo lo)) + B) + 8) + 8 * (z / 2 ^ 14 + 1 + 2 ^ 14))%Z.
Definition normZ (M : norm) (c : list Z) (r : Z) : option (list Z * Z) :=
  let lo := lowZ c r in let q := meanZ c r in let L := (lenZ c + r)%Z in
  if ((0 <? below c)%Z && (0 <? nlo lo)%Z && (0 <? q)%Z && (0 <? lo * lo / 2 ^ 36)%Z && (length c =? 64)%nat)%bool then
    let kp := kappa L lo in
    if (100 * kp <=? 2 ^ 36)%Z then
      let z := zZ c in Some (outZ z (gains M) (shifts M), errZ c r L q lo kp (dmZ L) (maxabs z) (gain M) (shift_len M))
    else None
  else None.

Lemma total_sum l : forall n, (length l <= n)%nat -> sum n (at24 l) = IZR (total l) / 2 ^ 24.
Proof.
  intros n L. unfold at24, Rdiv. rewrite (sum_ext n _ (fun i => / 2 ^ 24 * IZR (nth i l 0%Z))) by (intros; ring).
  rewrite sum_scal, (sum_list IZR l n eq_refl L). rewrite Rmult_comm. f_equal.
  clear L. induction l; simpl; auto. rewrite plus_IZR, IHl. auto.
Qed.
Lemma dev_nth c i : (i < length c)%nat -> nth i (devZ c) 0%Z = (64 * nth i c 0 - total c)%Z.
Proof. intros I. unfold devZ. cbv zeta. rewrite (nth_map _ _ _ _ 0%Z) by auto. auto. Qed.
Lemma maxabs_in l x : In x l -> (Z.abs x <= maxabs l)%Z.
Proof. induction l; simpl; [tauto|]. intros [->|I]; [lia|]. specialize (IHl I). lia. Qed.
Lemma maxabs_pos l : (0 <= maxabs l)%Z.
Proof. induction l; simpl; lia. Qed.

Lemma centred_dev c i : length c = 64%nat -> (i < 64)%nat ->
  centred 64 (at24 c) i = IZR (nth i (devZ c) 0%Z) / (64 * 2 ^ 24).
Proof.
  intros L I. unfold centred, mean. rewrite (total_sum c 64) by lia. rewrite dev_nth by lia.
  replace (INR 64) with 64 by (simpl; lra). unfold at24. rewrite minus_IZR, mult_IZR. field. 
Qed.
Lemma p66 : IZR (2 ^ 66) = 2 ^ 66. Proof. rewrite (pow_IZR 2 66). reflexivity. Qed.
Lemma p20 : IZR (2 ^ 20) = 2 ^ 20. Proof. rewrite (pow_IZR 2 20). reflexivity. Qed.
Lemma p7 : IZR (2 ^ 7) = 2 ^ 7. Proof. rewrite (pow_IZR 2 7). reflexivity. Qed.
Lemma p37 : IZR (2 ^ 37) = 2 ^ 37. Proof. rewrite (pow_IZR 2 37). reflexivity. Qed.
Lemma i64 : INR 64 = 64. Proof. simpl. lra. Qed.
Lemma s64 : sqrt (INR 64) = 8. Proof. rewrite i64. replace 64 with (8 * 8) by lra. apply sqrt_square. lra. Qed.

Lemma spread_bounds c : length c = 64%nat ->
  IZR (below c) / 2 ^ 43 <= spread 64 (at24 c) <= IZR (above c) / 2 ^ 43 /\ (0 <= quantity c)%Z.
Proof.
  intros L. assert (Q0 : (0 <= quantity c)%Z).
  { unfold quantity. pose proof (sqZ_pos (devZ c)). pose proof (Z.div_pos (2 ^ 66) 100000 ltac:(lia) ltac:(lia)). lia. }
  assert (Ln : length (devZ c) = 64%nat) by (unfold devZ; cbv zeta; rewrite map_length; auto).
  assert (E : sum 64 (fun i => centred 64 (at24 c) i * centred 64 (at24 c) i) = IZR (sqZ (devZ c)) / 2 ^ 60).
  { rewrite (sum_ext 64 _ (fun i => / 2 ^ 60 * IZR (nth i (devZ c) 0%Z * nth i (devZ c) 0%Z))).
    - rewrite sum_scal. rewrite (sum_list (fun x => IZR (x * x)) (devZ c) 64 eq_refl ltac:(lia)).
      rewrite (fold_total (fun x => x * x)%Z). unfold sqZ. lra.
    - intros i I. rewrite centred_dev, mult_IZR by auto. field. }
  pose proof (div_bounds (2 ^ 66) 100000 ltac:(lia)) as D. rewrite p66 in D.
  set (Qr := IZR (sqZ (devZ c)) + 2 ^ 66 / 100000).
  assert (QL : IZR (quantity c) <= Qr <= IZR (quantity c) + 1).
  { unfold quantity, Qr. rewrite plus_IZR. lra. }
  assert (S : spread 64 (at24 c) = sqrt (Qr * 2 ^ 20) / 2 ^ 43).
  { unfold spread. rewrite E, i64. unfold Qr.
    replace (IZR (sqZ (devZ c)) / 2 ^ 60 / 64 + 1 / 100000) with
      ((IZR (sqZ (devZ c)) + 2 ^ 66 / 100000) * 2 ^ 20 * / (2 ^ 43 * 2 ^ 43)) by (field).
    pose proof (IZR_le _ _ (sqZ_pos (devZ c))).
    rewrite sqrt_mult_alt by lra. rewrite sqrt_inv, sqrt_square by (apply pow_le; lra). auto. }
  split; auto. rewrite S. pose proof (IZR_le _ _ Q0).
  unfold below, above. rewrite plus_IZR.
  pose proof (sqrt_bounds (quantity c * 2 ^ 20) ltac:(lia)) as B1. rewrite mult_IZR, p20 in B1.
  pose proof (sqrt_bounds ((quantity c + 1) * 2 ^ 20) ltac:(lia)) as B2. rewrite mult_IZR, plus_IZR, p20 in B2.
  assert (sqrt (IZR (quantity c) * 2 ^ 20) <= sqrt (Qr * 2 ^ 20)) by (apply sqrt_le_1_alt; lra).
  assert (sqrt (Qr * 2 ^ 20) <= sqrt ((IZR (quantity c) + 1) * 2 ^ 20)) by (apply sqrt_le_1_alt; lra).
  split; apply Rmult_le_compat_r; try lra; left; apply Rinv_0_lt_compat, pow_lt; lra.
Qed.

Lemma norm_sound g b M x y c r d r' :
  norm_good g b M -> normed 64 g b x y -> (0 <= r)%Z -> len 64 (sub x (at24 c)) <= rd r ->
  normZ M c r = Some (d, r') -> len 64 (sub y (at24 d)) <= rd r' /\ length d = 64%nat /\ (0 <= r')%Z.
Proof.
  intros ((Lg & Hg) & (Lb & Hb) & Gp & Bp & HG & HB) Y R0 X E. unfold normZ in E. cbv zeta in E.
  destruct (0 <? below c)%Z eqn:E1; [|discriminate]. destruct (0 <? nlo (lowZ c r))%Z eqn:E2; [|discriminate].
  destruct (0 <? meanZ c r)%Z eqn:E3; [|discriminate].
  destruct (0 <? lowZ c r * lowZ c r / 2 ^ 36)%Z eqn:E4; [|discriminate].
  destruct (length c =? 64)%nat eqn:E5; [|discriminate]. cbn [andb] in E.
  set (lo := lowZ c r) in *. set (q := meanZ c r) in *. set (L := (lenZ c + r)%Z) in *. set (kp := kappa L lo) in *.
  destruct (100 * kp <=? 2 ^ 36)%Z eqn:E6; [|discriminate]. injection E as Ed Er.
  apply Z.ltb_lt in E1, E2, E3, E4. apply Nat.eqb_eq in E5. apply Z.leb_le in E6.
  set (dm := dmZ L) in *. set (z := zZ c) in *.
  assert (Lo0 : (0 < lo)%Z) by (unfold nlo in E2; destruct (Z_lt_le_dec 0 lo); auto; exfalso; assert (99 * lo / 100 <= 0)%Z by (apply Z.div_le_upper_bound; lia); lia).
  assert (L0 : (0 <= L)%Z) by (unfold L, lenZ; pose proof (Z.sqrt_nonneg (sqZ c * 2 ^ 24)); lia).
  destruct (spread_bounds c E5) as ((Sl & Su) & Q0). set (s := spread 64 (at24 c)) in *.
  assert (Sb : rd (below c / 2 ^ 7) <= s).
  { pose proof (div_bounds (below c) (2 ^ 7) ltac:(lia)) as D. rewrite p7 in D. unfold rd.
    replace (IZR (below c) / 2 ^ 43) with ((IZR (below c) / 2 ^ 7) / 2 ^ 36) in Sl by field. lra. }
  assert (Low : rd lo <= s - rd r / 8).
  { unfold lo, lowZ. pose proof (div_bounds r 8 ltac:(lia)) as D. unfold rd in *. rewrite minus_IZR, plus_IZR. lra. }
  assert (Rlo : 0 < rd lo) by (apply IZR_lt in Lo0; unfold rd; lra).
  assert (Rq : 0 < rd q) by (apply IZR_lt in E3; unfold rd; lra).
  assert (Qq : rd q * rd q <= rd lo * s).
  { apply Rle_trans with (rd lo * rd (below c / 2 ^ 7)); [|apply Rmult_le_compat_l; lra].
    unfold q, meanZ. fold lo. assert (0 <= below c / 2 ^ 7)%Z by (apply Z.div_pos; lia).
    pose proof (Z.sqrt_spec (lo * (below c / 2 ^ 7)) ltac:(nia)) as (S1 & _). apply IZR_le in S1. rewrite !mult_IZR in S1.
    unfold rd. lra. }
  assert (HL : len 64 (at24 c) + rd r <= rd L) by (unfold L; rewrite rd_plus; pose proof (up_len 64 c); lra).
  pose proof (rd_pos _ R0) as Rr. pose proof (rd_pos _ L0) as RL. pose proof tiny_small as (T0 & T1).
  pose proof (gamma_nonneg 280 ltac:(lia)) as (G1 & G1'). pose proof (gamma_nonneg 66 ltac:(lia)) as (G2 & G2').
  pose proof (gam_up 280 ltac:(lia)) as U1. pose proof (gam_up 66 ltac:(lia)) as U2.
  change (Z.of_nat 280) with 280%Z in U1. change (Z.of_nat 66) with 66%Z in U2.
  assert (TY : tiny <= rd 1) by (unfold rd; lra).
  assert (Kp : gamma 280 * (rd L * rd L / 64 + 1 / 100000) + tiny <= rd kp * (rd lo * rd lo)).
  { assert (A : gamma 280 * (rd L * rd L / 64 + 1 / 100000) + tiny <= rd (mul (gam 280) (mul L L / 64 + 1 + 687195) + 1)).
    { apply up_plus; auto. assert (0 <= rd L * rd L) by (apply Rmult_le_pos; auto). apply up_mul; auto; try lra.
      rewrite !rd_plus. assert (1 / 100000 <= rd 687195) by (unfold rd; lra).
      pose proof (mul_rd L L) as ML. pose proof (div_bounds (mul L L) 64 ltac:(lia)) as D.
      assert (rd (mul L L) / 64 <= rd (mul L L / 64) + rd 1) by (unfold rd; lra). lra. }
    assert (P : 0 <= gamma 280 * (rd L * rd L / 64 + 1 / 100000) + tiny).
    { apply Rplus_le_le_0_compat; [|lra]. apply Rmult_le_pos; auto. assert (0 <= rd L * rd L) by (apply Rmult_le_pos; auto). lra. }
    assert (B : rd (lo * lo / 2 ^ 36) <= rd lo * rd lo).
    { pose proof (div_bounds (lo * lo) (2 ^ 36) ltac:(lia)) as D. rewrite p36, mult_IZR in D. unfold rd. lra. }
    assert (0 < rd lo * rd lo) by (apply Rmult_lt_0_compat; auto).
    pose proof (up_quo _ (rd lo * rd lo) _ _ P E4 A B) as C. fold kp in C. unfold kappa in *.
    apply Rmult_le_reg_r with (/ (rd lo * rd lo)); [apply Rinv_0_lt_compat; auto|].
    rewrite Rmult_assoc, Rinv_r, Rmult_1_r by lra. exact C. }
  assert (K0 : (0 <= kp)%Z).
  { unfold kp, kappa, quo. assert (0 <= mul (gam 280) (mul L L / 64 + 1 + 687195) + 1)%Z.
    { pose proof (gam_pos 280 ltac:(lia) ltac:(lia)). pose proof (mul_pos L L L0 L0). pose proof (Z.div_pos (mul L L) 64 ltac:(lia) ltac:(lia)).
      pose proof (mul_pos (gam 280) (mul L L / 64 + 1 + 687195) ltac:(lia) ltac:(lia)). lia. }
    pose proof (Z.div_pos ((mul (gam 280) (mul L L / 64 + 1 + 687195) + 1) * 2 ^ 36) (lo * lo / 2 ^ 36) ltac:(lia) ltac:(lia)). lia. }
  assert (K1 : rd kp <= / 100) by (apply IZR_le in E6; rewrite mult_IZR, p36 in E6; unfold rd; lra).
  assert (L8 : rd L / 8 <= rd (L / 8 + 1)) by (pose proof (div_bounds L 8 ltac:(lia)); unfold rd; rewrite plus_IZR; lra).
  assert (Dm : gamma 66 * (rd L / 8) + tiny <= rd dm).
  { unfold dm, dmZ. apply up_plus; auto. apply up_mul; auto. lra. }
  assert (Dm0 : (0 <= dm)%Z).
  { unfold dm, dmZ. pose proof (gam_pos 66 ltac:(lia) ltac:(lia)). pose proof (Z.div_pos L 8 L0 ltac:(lia)).
    pose proof (mul_pos (gam 66) (L / 8 + 1) ltac:(lia) ltac:(lia)). lia. }
  assert (Lz : length z = 64%nat) by (unfold z, zZ, devZ; cbv zeta; rewrite !map_length; auto).
  (* the quotient *)
  assert (AB : (below c <= above c)%Z).
  { unfold below, above. pose proof (Z.sqrt_le_mono (quantity c * 2 ^ 20) ((quantity c + 1) * 2 ^ 20) ltac:(lia)). lia. }
  assert (Bc : 0 < IZR (below c)) by (apply IZR_lt; auto).
  assert (Sp : 0 < s) by (unfold s; apply spread_pos; rewrite i64; lra).
  assert (Ez : len 64 (fun i => centred 64 (at24 c) i / s - at24 z i) <= rd (8 * quo (above c - below c) (below c) + 2 ^ 15)).
  { set (rho := IZR (above c - below c) / IZR (below c)).
    assert (Rho : 0 <= rho) by (unfold rho; apply div_pos; auto; apply IZR_le; lia).
    eapply Rle_trans; [apply len_le with (y := fun i => rho * size (fun i => centred 64 (at24 c) i / s) i + / 2 ^ 24)|].
    - intros i I. unfold size. rewrite (centred_dev c i E5 I). set (D := nth i (devZ c) 0%Z).
      assert (Nz : nth i z 0%Z = (2 ^ 37 * D / below c)%Z).
      { unfold z, zZ. cbv zeta. rewrite (nth_map _ _ _ _ 0%Z); auto. unfold devZ. cbv zeta. rewrite map_length. lia. }
      unfold at24. rewrite Nz. pose proof (div_bounds (2 ^ 37 * D) (below c) E1) as B. rewrite mult_IZR, p37 in B.
      set (t := IZR (below c) / 2 ^ 43). assert (Tp : 0 < t) by (unfold t; lra).
      set (e := IZR D / (64 * 2 ^ 24)).
      assert (V : 2 ^ 37 * IZR D / IZR (below c) / 2 ^ 24 = e / t) by (unfold e, t; field; lra).
      assert (Rt : (s - t) / t <= rho).
      { unfold rho. rewrite minus_IZR. replace ((IZR (above c) - IZR (below c)) / IZR (below c)) with ((IZR (above c) / 2 ^ 43 - t) / t) by (unfold t; field; lra).
        apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; auto|]. lra. }
      assert (Vd : Rabs (e / s - e / t) <= rho * Rabs (e / s)).
      { replace (e / s - e / t) with (- ((s - t) / t) * (e / s)) by (field; lra). rewrite Rabs_mult, Rabs_Ropp.
        apply Rmult_le_compat_r; [apply Rabs_pos|]. rewrite Rabs_pos_eq; auto. apply div_pos; auto. unfold t. lra. }
      replace (e / s - IZR (2 ^ 37 * D / below c) / 2 ^ 24) with ((e / s - e / t) + (e / t - IZR (2 ^ 37 * D / below c) / 2 ^ 24)) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat; auto. rewrite <- V. apply Rabs_le. lra.
    - eapply Rle_trans; [apply (triangle 64 (fun i => rho * size (fun i => centred 64 (at24 c) i / s) i) (fun _ => / 2 ^ 24))|].
      rewrite len_scal, len_size, (Rabs_pos_eq _ Rho), len_const, s64 by lra.
      assert (C : len 64 (fun i => centred 64 (at24 c) i / s) <= 8) by (rewrite <- s64; apply centred_over_spread; rewrite i64; lra).
      assert (Rq' : rho <= rd (quo (above c - below c) (below c))).
      { unfold rho. replace (IZR (above c - below c) / IZR (below c)) with (rd (above c - below c) / rd (below c)) by (unfold rd; field; lra).
        apply up_quo; auto; try lra. apply rd_pos. lia. }
      assert (rho * len 64 (fun i => centred 64 (at24 c) i / s) <= rho * 8) by (apply Rmult_le_compat_l; auto).
      rewrite rd_plus. assert (E8 : rd (8 * quo (above c - below c) (below c)) = 8 * rd (quo (above c - below c) (below c))) by (unfold rd; rewrite mult_IZR; lra).
      rewrite E8. assert (rd (2 ^ 15) = 8 * / 2 ^ 24 ) by (unfold rd; change (2 ^ 15)%Z with 32768%Z; lra). lra. }
  assert (Dd : forall i, (i < 64)%nat -> Rabs (at24 z i * g i + b i - at24 (outZ z (gains M) (shifts M)) i) <=
    rd (maxabs z / 2 ^ 14 + 1 + 2 ^ 14)).
  { intros i I. unfold outZ. unfold at24 at 2. rewrite (nth_map _ _ _ _ (0%Z, 0%Z, 0%Z)) by (rewrite !combine_length; lia).
    rewrite !combine_nth by (rewrite ?combine_length; lia). cbn [fst snd]. set (zi := nth i z 0%Z).
    specialize (Hg i I). specialize (Hb i I). unfold at26 in Hg, Hb. set (gi := nth i (gains M) 0%Z) in *. set (bi := nth i (shifts M) 0%Z) in *.
    unfold at24. fold zi. rewrite plus_IZR.
    pose proof (div_bounds (zi * gi) (2 ^ 26) ltac:(lia)) as D1. rewrite p26, mult_IZR in D1.
    pose proof (div_bounds bi 4 ltac:(lia)) as D2.
    pose proof (maxabs_in z zi ltac:(apply nth_In; lia)) as Mz. apply IZR_le in Mz. rewrite abs_IZR in Mz.
    pose proof (div_bounds (maxabs z) (2 ^ 14) ltac:(lia)) as D3. rewrite p14 in D3.
    assert (F1 : Rabs (IZR zi / 2 ^ 24 * (g i - IZR gi / 2 ^ 26)) <= IZR (maxabs z) / 2 ^ 24 * / 2 ^ 26).
    { rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by lra.
      apply Rmult_le_compat_r; lra. }
    apply abs_inv in F1, Hb. unfold rd. rewrite !plus_IZR, p14. apply Rabs_le. lra. }
  pose proof (normed_ball 64 g b x y (at24 c) (rd r) (rd lo) (rd q) (rd L) (rd kp) (rd dm) (rd (gain M)) (at24 z)
    (rd (8 * quo (above c - below c) (below c) + 2 ^ 15)) (at24 (outZ z (gains M) (shifts M))) (rd (maxabs z / 2 ^ 14 + 1 + 2 ^ 14))) as NB.
  rewrite s64, i64 in NB. change (4 * 64 + 24)%nat with 280%nat in NB. change (64 + 2)%nat with 66%nat in NB. fold s in NB.
  assert (O0 : 0 <= rd (maxabs z / 2 ^ 14 + 1 + 2 ^ 14)).
  { apply rd_pos. pose proof (Z.div_pos (maxabs z) (2 ^ 14) (maxabs_pos z) ltac:(lia)). lia. }
  specialize (NB ltac:(lra) Y G1 G2 X Rlo Low Rq Qq HL (rd_pos _ K0) K1 Kp Dm (rd_pos _ Gp) HG Ez O0 Dd).
  assert (Ln : (0 < nlo lo)%Z) by exact E2.
  assert (Nl : rd (nlo lo) <= 99 / 100 * rd lo).
  { unfold nlo. pose proof (div_bounds (99 * lo) 100 ltac:(lia)) as D. rewrite mult_IZR in D. unfold rd. lra. }
  pose proof (rd_pos _ Dm0) as RD. pose proof (rd_pos _ Gp) as RG. pose proof (rd_pos _ Bp) as RB.
  assert (X8 : forall a, rd (8 * a) = 8 * rd a) by (intros; unfold rd; rewrite mult_IZR; lra).
  assert (P1 : 0 <= rd L + 8 * (rd L / 8 + rd dm)) by lra.
  assert (Fin : rd r' >= rd (gain M) * (rd r / rd q + 8 * (52 / 100 * rd kp) + 8 * (rd dm / (99 / 100 * rd lo)) +
      rd (8 * quo (above c - below c) (below c) + 2 ^ 15)) +
    (8 * u * (rd (gain M) * ((rd L + 8 * (rd L / 8 + rd dm)) / (99 / 100 * rd lo)) + len 64 b) + 8 * tiny) +
    8 * rd (maxabs z / 2 ^ 14 + 1 + 2 ^ 14)).
  { rewrite <- Er. unfold errZ. apply Rle_ge. apply up_plus; [apply up_plus|rewrite X8; lra].
    - apply up_mul; auto; [|lra|].
      + pose proof (div_pos _ _ Rr Rq). assert (0 <= rd dm / (99 / 100 * rd lo)) by (apply div_pos; lra).
        pose proof (rd_pos _ K0). assert (0 <= rd (8 * quo (above c - below c) (below c) + 2 ^ 15)) by (eapply Rle_trans; [apply len_pos|exact Ez]). lra.
      + apply up_plus; [|lra]. apply up_plus; [apply up_plus|].
        * apply up_quo; auto; lra.
        * rewrite X8. pose proof (div_bounds (52 * kp) 100 ltac:(lia)) as D. rewrite mult_IZR in D. rewrite rd_plus. unfold rd. lra.
        * rewrite X8. apply Rmult_le_compat_l; [lra|]. apply up_quo; auto. lra.
    - apply up_plus; [|unfold rd; lra].
      assert (Q1 : 0 <= (rd L + 8 * (rd L / 8 + rd dm)) / (99 / 100 * rd lo)) by (apply div_pos; lra).
      apply up_mul.
      + unfold u. lra.
      + pose proof (len_pos 64 b). assert (0 <= rd (gain M) * ((rd L + 8 * (rd L / 8 + rd dm)) / (99 / 100 * rd lo))) by (apply Rmult_le_pos; auto). lra.
      + unfold u, rd. change (2 ^ 15)%Z with 32768%Z. lra.
      + apply up_plus; auto. apply up_mul; auto; [lra|]. apply up_quo; auto.
        apply up_plus; [lra|]. rewrite X8. apply Rmult_le_compat_l; [lra|]. apply up_plus; [exact L8|lra]. }
  rewrite <- Ed. split; [lra|]. split.
  - unfold outZ. rewrite map_length, !combine_length. lia.
  - apply le_IZR. assert (0 <= rd r') by (pose proof (len_pos 64 (sub y (at24 (outZ z (gains M) (shifts M))))); lra). unfold rd in *. lra.
Qed.
