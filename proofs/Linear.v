(* A linear layer in whole numbers: its centre, and bounds on how far any float32 machine is from it. *)
Require Import Uint63 Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

Definition entry (a : list (list Z)) (i j : nat) : Z := nth j (nth i a []) 0%Z.
Definition fits (n m : nat) (w : nat -> nat -> R) (a : list (list Z)) : Prop :=
  forall i j, (i < n)%nat -> (j < m)%nat -> Rabs (w i j - IZR (entry a i j) / 2 ^ 26) <= / 2 ^ 26.

Record mat := Mat { rows : list (list Z); ints : list (list int); abss : list (list int); most : Z; stretch : Z; frob : Z }.
Definition absolute (x : Z) : int := of_Z (Z.abs x).
Definition largest (a : list (list Z)) : Z := fold_right Z.max 0%Z (map (fold_right (fun x s => Z.max (Z.abs x) s) 0%Z) a).

(* What the theorems need of a matrix. *)
Definition good (n m : nat) (w : nat -> nat -> R) (M : mat) : Prop :=
  fits n m w (rows M) /\ ints M = map (map of_Z) (rows M) /\ abss M = map (map absolute) (rows M) /\
  length (rows M) = n /\ (forall row, In row (rows M) -> (length row <= m)%nat) /\
  (forall row x, In row (rows M) -> In x row -> (Z.abs x <= most M)%Z) /\ (0 <= most M)%Z /\
  (0 <= stretch M)%Z /\ (0 <= frob M)%Z /\
  (forall v, len n (times m w v) <= rd (stretch M) * len m v) /\
  (forall v, len n (fun i => sum m (fun j => Rabs (w i j) * Rabs (v j))) <= rd (frob M) * len m v).

Definition gam (N : Z) : Z := (N * 2 ^ 36 / (2 ^ 24 - N) + 1)%Z.
Lemma gamma_is N : (N <= 1000)%nat -> gamma N = INR N / (2 ^ 24 - INR N).
Proof.
  intros H. apply le_INR in H. replace (INR 1000) with 1000 in H by (simpl; lra). pose proof (pos_INR N).
  unfold gamma, u. field. lra.
Qed.
Lemma gamma_nonneg N : (N <= 1000)%nat -> 0 <= gamma N <= 1.
Proof.
  intros H. rewrite gamma_is by auto. apply le_INR in H. replace (INR 1000) with 1000 in H by (simpl; lra).
  pose proof (pos_INR N). split.
  - apply div_pos; lra.
  - apply Rmult_le_reg_r with (2 ^ 24 - INR N); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
Lemma gam_up N : (N <= 1000)%nat -> gamma N <= rd (gam (Z.of_nat N)).
Proof.
  intros H. rewrite gamma_is by auto. unfold rd, gam. rewrite plus_IZR.
  pose proof (div_bounds (Z.of_nat N * 2 ^ 36) (2 ^ 24 - Z.of_nat N) ltac:(lia)) as D.
  rewrite mult_IZR, minus_IZR, p36, p24, <- INR_IZR_INZ in D. apply le_INR in H.
  replace (INR 1000) with 1000 in H by (simpl; lra). pose proof (pos_INR N).
  replace (INR N / (2 ^ 24 - INR N)) with ((INR N * 2 ^ 36 / (2 ^ 24 - INR N)) / 2 ^ 36) by (field; lra). lra.
Qed.
Lemma gam_pos N : (0 <= N)%Z -> (N <= 1000)%Z -> (0 <= gam N)%Z.
Proof. intros. unfold gam. assert (0 <= N * 2 ^ 36 / (2 ^ 24 - N))%Z by (apply Z.div_pos; lia). lia. Qed.

Definition centreZ (M : mat) (c b : list Z) : list Z :=
  let ci := map of_Z c in map (fun p => (shr 26 (product (fst p) ci) + snd p)%Z) (combine (ints M) b).
Definition sideZ (g s p z : Z) : Z := (4096 + 1 + 2 * (shr 14 s + 1) + (shr 24 (g * (shr 26 p + z + 1)) + 1))%Z.
Definition sidesZ (g : Z) (M : mat) (c sz : list Z) : list Z :=
  let ca := map absolute c in let s := l1 c in
  map (fun p => sideZ g s (product (fst p) ca) (snd p)) (combine (abss M) sz).
Definition ownZ (g : Z) (M : mat) (c sz : list Z) (r rb rs : Z) : Z :=
  (rb + mul g (mul (frob M) r + rs) + lenR (sidesZ g M c sz))%Z.
Definition linZ (N : Z) (M : mat) (c b sz : list Z) (r rb rs : Z) : option (list Z * Z * Z) :=
  if (most M * l1 c <? 2 ^ 62)%Z then
    let own := ownZ (gam N) M c sz r rb rs in Some (centreZ M c b, mul (stretch M) r + own, own)%Z
  else None.

Lemma l1_nonneg c : (0 <= l1 c)%Z.
Proof. unfold l1. induction c; simpl; lia. Qed.
Lemma map_absolute l : map absolute l = map of_Z (map Z.abs l).
Proof. rewrite map_map. auto. Qed.
Lemma l1_abs c : l1 (map Z.abs c) = l1 c.
Proof. unfold l1. rewrite map_map. f_equal. apply map_ext. intros. lia. Qed.
Lemma nth_abs i l : nth i (map Z.abs l) 0%Z = Z.abs (nth i l 0%Z).
Proof. change 0%Z with (Z.abs 0) at 1. apply map_nth. Qed.
Lemma mul_pos a b : (0 <= a -> 0 <= b -> 0 <= mul a b)%Z.
Proof. intros. unfold mul. rewrite shr_is by lia. assert (0 <= a * b / 2 ^ 36)%Z by (apply Z.div_pos; lia). lia. Qed.
Lemma lenR_pos o : (0 <= lenR o)%Z.
Proof. unfold lenR. pose proof (Z.sqrt_nonneg (sqZ o)). lia. Qed.
Lemma p26 : IZR (2 ^ 26) = 2 ^ 26. Proof. rewrite (pow_IZR 2 26). reflexivity. Qed.
Lemma p14 : IZR (2 ^ 14) = 2 ^ 14. Proof. rewrite (pow_IZR 2 14). reflexivity. Qed.
Lemma p12 : IZR (2 ^ 12) = 2 ^ 12. Proof. rewrite (pow_IZR 2 12). reflexivity. Qed.
Lemma tiny_small : 0 < tiny <= / 2 ^ 36.
Proof.
  unfold tiny. split. { apply Rinv_0_lt_compat, pow_lt. lra. } apply Rinv_le_contravar; [apply pow_lt; lra|].
  apply Rle_pow; [lra|lia].
Qed.

Lemma lin_sound N n m w M b sz x y c d bl szl r rb rs r' own :
  good n m w M -> (N <= 1000)%nat ->
  (forall i, (i < n)%nat -> near N (y i) (sum m (fun j => w i j * x j) + b i)
    (sum m (fun j => Rabs (w i j) * Rabs (x j)) + sz i)) ->
  (0 <= r)%Z -> (0 <= rb)%Z -> (0 <= rs)%Z ->
  len m (sub x (at24 c)) <= rd r -> length bl = n -> length szl = n -> (forall z, In z szl -> 0 <= z)%Z ->
  len n (sub b (at24 bl)) <= rd rb ->
  (exists se, (forall i, (i < n)%nat -> sz i <= at24 szl i + se i /\ 0 <= se i) /\ len n se <= rd rs) ->
  linZ (Z.of_nat N) M c bl szl r rb rs = Some (d, r', own) ->
  exists ov, (forall i, (i < n)%nat -> y i - at24 d i = times m w (sub x (at24 c)) i + ov i) /\
    len n ov <= rd own /\ len n (sub y (at24 d)) <= rd r' /\ length d = n /\ (0 <= r')%Z /\ (0 <= own)%Z.
Proof.
  intros (Fit & Hi & Ha & Hn & Hm & Hb & Mp & Sp & Fp & Sg & Sf) HN Y R0 Rb0 Rs0 X Lb Lsz Szp B SE E.
  unfold linZ in E. destruct (Z.ltb_spec (most M * l1 c) (2 ^ 62)) as [Small|]; [|discriminate].
  cbv zeta in E. set (g := gam (Z.of_nat N)) in *.
  assert (Ed : centreZ M c bl = d) by congruence. assert (Eo : ownZ g M c szl r rb rs = own) by congruence.
  assert (Er : (mul (stretch M) r + ownZ g M c szl r rb rs)%Z = r') by congruence. clear E.
  pose proof (gamma_nonneg N HN) as (G0 & G1). pose proof (gam_up N HN) as Gu. fold g in Gu.
  assert (Gp : (0 <= g)%Z) by (apply gam_pos; lia).
  set (dl := centreZ M c bl) in *. set (ol := sidesZ g M c szl) in *.
  assert (Li : length (ints M) = n) by (rewrite Hi, map_length; auto).
  assert (La : length (abss M) = n) by (rewrite Ha, map_length; auto).
  assert (Ld : length dl = n) by (unfold dl, centreZ; cbv zeta; rewrite map_length, combine_length; lia).
  assert (Inr : forall i, (i < n)%nat -> In (nth i (rows M) []) (rows M)) by (intros; apply nth_In; lia).
  assert (Dn : forall i, (i < n)%nat -> nth i dl 0%Z = (dotZ (nth i (rows M) []) c / 2 ^ 26 + nth i bl 0)%Z).
  { intros i I. unfold dl, centreZ. cbv zeta. rewrite (nth_map _ _ _ _ ([], 0%Z)) by (rewrite combine_length; lia).
    rewrite combine_nth by lia. simpl fst. simpl snd. rewrite shr_is, Hi by lia. change (@nil int) with (map of_Z []). rewrite map_nth.
    rewrite product_is; auto. pose proof (dot_bound (nth i (rows M) []) (most M) c (fun x => Hb _ x (Inr i I)) Mp). lia. }
  assert (On : forall i, (i < n)%nat -> nth i ol 0%Z =
    sideZ g (l1 c) (dotZ (map Z.abs (nth i (rows M) [])) (map Z.abs c)) (nth i szl 0)%Z).
  { intros i I. unfold ol, sidesZ. cbv zeta. rewrite (nth_map _ _ _ _ ([], 0%Z)) by (rewrite combine_length; lia).
    rewrite combine_nth by lia. simpl fst. simpl snd. rewrite Ha. change (@nil int) with (map absolute []).
    rewrite map_nth, !map_absolute, product_is; auto.
    eapply Z.le_lt_trans; [apply dot_bound with (most := most M); auto|].
    - intros z I'. apply in_map_iff in I' as (z' & <- & I'). rewrite Z.abs_eq by lia. apply (Hb _ z' (Inr i I) I').
    - rewrite l1_abs. exact Small. }
  pose proof (l1_sum m c) as L1. pose proof (IZR_le _ _ (l1_nonneg c)) as L1p.
  destruct (linear_ball N n m w b sz x y (at24 c) (at24 bl) (at24 szl) (at24 dl) (fun i => rd (nth i ol 0%Z))
    (rd (stretch M)) (rd (frob M)) (rd r) (rd rb) (rd rs)) as (ov & O1 & O2 & O3); auto using rd_pos.
  { intros i I. rewrite On by auto. unfold sideZ. rewrite !shr_is by lia. change 4096%Z with (2 ^ 12)%Z. set (A := nth i (rows M) []).
    set (P := dotZ A c). set (Pa := dotZ (map Z.abs A) (map Z.abs c)).
    assert (LA : (length A <= m)%nat) by (apply Hm, Inr; auto).
    assert (SP : sum m (fun j => IZR (nth j A 0%Z) / 2 ^ 26 * at24 c j) = IZR P / (2 ^ 26 * 2 ^ 24)).
    { unfold P. rewrite <- (sum_dot A c m LA). rewrite (sum_ext m _ (fun j => / (2 ^ 26 * 2 ^ 24) * (IZR (nth j A 0%Z) * IZR (nth j c 0%Z)))).
      - rewrite sum_scal. lra. - intros. unfold at24. lra. }
    assert (SPa : sum m (fun j => Rabs (IZR (nth j A 0%Z) / 2 ^ 26) * Rabs (at24 c j)) = IZR Pa / (2 ^ 26 * 2 ^ 24)).
    { unfold Pa. rewrite <- (sum_dot (map Z.abs A) (map Z.abs c) m) by (rewrite map_length; auto).
      rewrite (sum_ext m _ (fun j => / (2 ^ 26 * 2 ^ 24) * (IZR (nth j (map Z.abs A) 0%Z) * IZR (nth j (map Z.abs c) 0%Z)))).
      - rewrite sum_scal. lra.
      - intros j _. rewrite !nth_abs, !abs_IZR. unfold at24, Rdiv. rewrite !Rabs_mult, !(Rabs_pos_eq (/ _)) by lra. lra. }
    assert (Wn : forall j, (j < m)%nat -> Rabs (w i j - IZR (nth j A 0%Z) / 2 ^ 26) <= / 2 ^ 26).
    { intros j J. apply (Fit i j I J). }
    assert (E1 : Rabs (sum m (fun j => w i j * at24 c j) - IZR P / (2 ^ 26 * 2 ^ 24)) <= / 2 ^ 26 * (IZR (l1 c) / 2 ^ 24)).
    { rewrite <- SP, <- sum_minus. eapply Rle_trans; [apply sum_abs|].
      apply Rle_trans with (sum m (fun j => / 2 ^ 26 * Rabs (at24 c j))).
      - apply sum_le. intros j J. rewrite <- Rmult_minus_distr_r, Rabs_mult. apply Rmult_le_compat_r; auto using Rabs_pos.
      - rewrite sum_scal. apply Rmult_le_compat_l; lra. }
    assert (E2 : sum m (fun j => Rabs (w i j) * Rabs (at24 c j)) <= IZR Pa / (2 ^ 26 * 2 ^ 24) + / 2 ^ 26 * (IZR (l1 c) / 2 ^ 24)).
    { rewrite <- SPa. apply Rle_trans with (sum m (fun j => Rabs (IZR (nth j A 0%Z) / 2 ^ 26) * Rabs (at24 c j) + / 2 ^ 26 * Rabs (at24 c j))).
      - apply sum_le. intros j J. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [apply Rabs_pos|].
        specialize (Wn j J). pose proof (Rabs_triang (w i j - IZR (nth j A 0%Z) / 2 ^ 26) (IZR (nth j A 0%Z) / 2 ^ 26)) as T.
        replace (w i j - IZR (nth j A 0%Z) / 2 ^ 26 + IZR (nth j A 0%Z) / 2 ^ 26) with (w i j) in T by ring. lra.
      - rewrite sum_plus, sum_scal. apply Rplus_le_compat_l, Rmult_le_compat_l; lra. }
    unfold at24 at 2 3. rewrite Dn by auto. fold A P. rewrite plus_IZR.
    pose proof (div_bounds P (2 ^ 26) ltac:(lia)) as D1. rewrite p26 in D1.
    pose proof (div_bounds Pa (2 ^ 26) ltac:(lia)) as D2. rewrite p26 in D2.
    pose proof (div_bounds (l1 c) (2 ^ 14) ltac:(lia)) as D3. rewrite p14 in D3.
    set (X1 := (Pa / 2 ^ 26 + nth i szl 0 + 1)%Z).
    pose proof (div_bounds (g * X1) (2 ^ 24) ltac:(lia)) as D4. rewrite p24, mult_IZR in D4.
    assert (EX : IZR X1 = IZR (Pa / 2 ^ 26) + IZR (nth i szl 0%Z) + 1) by (unfold X1; rewrite !plus_IZR; auto).
    unfold rd. rewrite !plus_IZR, mult_IZR, !plus_IZR, p12.
    pose proof tiny_small as (T0 & T1).
    apply abs_inv in E1.
    assert (Ab : Rabs (sum m (fun j => w i j * at24 c j) + IZR (nth i bl 0%Z) / 2 ^ 24 -
      (IZR (P / 2 ^ 26) + IZR (nth i bl 0%Z)) / 2 ^ 24) <= / 2 ^ 26 * (IZR (l1 c) / 2 ^ 24) + / 2 ^ 24).
    { apply Rabs_le. lra. }
    set (sz' := at24 szl i). assert (Esz : IZR (nth i szl 0%Z) = sz' * 2 ^ 24) by (unfold sz', at24; field; lra).
    set (Sw := sum m (fun j => Rabs (w i j) * Rabs (at24 c j))) in *.
    assert (Sp0 : (0 <= nth i szl 0)%Z) by (apply Szp, nth_In; lia).
    assert (Pp0 : (0 <= Pa)%Z).
    { unfold Pa. clear. generalize c. induction A as [|a A IH]; intros [|z l]; simpl; try lia. specialize (IH l). lia. }
    assert (Xp : 0 <= IZR X1) by (apply IZR_le; unfold X1; pose proof (Z.div_pos Pa (2 ^ 26) ltac:(lia) ltac:(lia)); lia).
    set (l' := / 2 ^ 26 * (IZR (l1 c) / 2 ^ 24)) in *.
    assert (0 <= l') by (unfold l'; lra).
    assert (Pp : Sw + sz' <= IZR X1 / 2 ^ 24 + l') by lra.
    assert (Gx : gamma N * (Sw + sz') <= rd g * (IZR X1 / 2 ^ 24) + l').
    { assert (gamma N * (Sw + sz') <= gamma N * (IZR X1 / 2 ^ 24) + gamma N * l')
        by (rewrite <- Rmult_plus_distr_l; apply Rmult_le_compat_l; auto).
      assert (gamma N * (IZR X1 / 2 ^ 24) <= rd g * (IZR X1 / 2 ^ 24)) by (apply Rmult_le_compat_r; lra).
      assert (gamma N * l' <= 1 * l') by (apply Rmult_le_compat_r; auto). lra. }
    unfold rd in Gx. unfold l' in *. lra. }
  assert (O0 : len n (fun i => rd (nth i ol 0%Z)) <= rd (lenR ol)).
  { apply up_lenR. intros i I. split; [|lra]. apply rd_pos. rewrite On by auto. unfold sideZ. rewrite !shr_is by lia.
    assert (Sp0 : (0 <= nth i szl 0)%Z) by (apply Szp, nth_In; lia).
    assert (Pp0 : (0 <= dotZ (map Z.abs (nth i (rows M) [])) (map Z.abs c))%Z).
    { clear. generalize c. generalize (nth i (rows M) []). induction l as [|a A IH]; intros [|z l']; simpl; try lia. specialize (IH l'). lia. }
    pose proof (Z.div_pos _ (2 ^ 26) Pp0 ltac:(lia)). pose proof (Z.div_pos _ (2 ^ 14) (l1_nonneg c) ltac:(lia)).
    assert (0 <= g * (dotZ (map Z.abs (nth i (rows M) [])) (map Z.abs c) / 2 ^ 26 + nth i szl 0 + 1) / 2 ^ 24)%Z
      by (apply Z.div_pos; nia). lia. }
  assert (Own : rd rb + gamma N * (rd (frob M) * rd r + rd rs) + len n (fun i => rd (nth i ol 0%Z)) <=
    rd own).
  { rewrite <- Eo. unfold ownZ. fold ol. apply up_plus; auto. apply up_plus; [lra|]. apply up_mul; auto.
    - pose proof (rd_pos _ Fp). pose proof (rd_pos _ R0). pose proof (rd_pos _ Rs0).
      assert (0 <= rd (frob M) * rd r) by (apply Rmult_le_pos; auto). lra.
    - apply up_plus; [apply mul_rd|lra]. }
  assert (Op : (0 <= own)%Z).
  { rewrite <- Eo. unfold ownZ. fold ol. pose proof (mul_pos _ _ Fp R0). pose proof (lenR_pos ol).
    pose proof (mul_pos g (mul (frob M) r + rs) Gp ltac:(lia)). lia. }
  exists ov. rewrite <- Ed. split; [exact O1|]. split; [lra|]. split; [|split; [exact Ld|split; [|exact Op]]].
  - eapply Rle_trans; [exact O3|]. rewrite <- Er, rd_plus, Eo. pose proof (mul_rd (stretch M) r). lra.
  - rewrite <- Er, Eo. pose proof (mul_pos _ _ Sp R0). lia.
Qed.
