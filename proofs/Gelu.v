(* GELU: it is nowhere steeper than 1.13, and its power series in whole numbers is near it. *)
Require Import Uint63 Reals Machin Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

Lemma bell_continuous x : continuity_pt bell x.
Proof. apply derivable_continuous_pt. unfold bell. reg. Qed.
Lemma limit_near f g x l : (forall y, Rabs (y - x) < 1 -> g y = f y) -> derivable_pt_lim f x l -> derivable_pt_lim g x l.
Proof.
  intros E D eps P. destruct (D eps P) as (d & H). assert (M : 0 < Rmin d 1) by (apply Rmin_pos; [apply d|lra]).
  exists (mkposreal _ M). intros h N S. simpl in S. pose proof (Rmin_l d 1). pose proof (Rmin_r d 1).
  rewrite !E. - apply H; auto; lra. - rewrite Rminus_eq_0, Rabs_R0. lra. - replace (x + h - x) with h by ring. lra.
Qed.
Lemma Phi_slope x : derivable_pt_lim Phi x (bell x).
Proof.
  set (a := Rmin 0 x - 1). set (b := Rmax 0 x + 1).
  pose proof (Rmin_l 0 x). pose proof (Rmin_r 0 x). pose proof (Rmax_l 0 x). pose proof (Rmax_r 0 x).
  assert (h : a <= b) by (unfold a, b; lra).
  assert (C0 : forall t, a <= t <= b -> continuity_pt bell t) by (intros; apply bell_continuous).
  pose proof (RiemannInt_P28 h C0 (x := x)) as D.
  apply (limit_near (fun y => primitive h (FTC_P1 h C0) y + (1 / 2 - primitive h (FTC_P1 h C0) 0))).
  - intros y Y. apply Rabs_def2 in Y. unfold Phi, primitive.
    destruct (Rle_dec a y); [|unfold a in *; lra]. destruct (Rle_dec y b); [|unfold b in *; lra].
    destruct (Rle_dec a 0); [|unfold a in *; lra]. destruct (Rle_dec 0 b); [|unfold b in *; lra].
    match goal with |- _ = RiemannInt ?p + (_ - RiemannInt ?q) => pose proof (RiemannInt_P26 q (bell_integrable 0 y) p) end. lra.
  - rewrite <- (Rplus_0_r (bell x)). apply derivable_pt_lim_plus; [|apply derivable_pt_lim_const]. apply D. unfold a, b. lra.
Qed.
Lemma Phi_0 : Phi 0 = 1 / 2.
Proof. unfold Phi. rewrite RiemannInt_P9. lra. Qed.

Lemma grows f f' a b : a <= b -> (forall t, derivable_pt_lim f t (f' t)) -> (forall t, a <= t <= b -> 0 <= f' t) -> f a <= f b.
Proof.
  intros [L| ->] D P; [|lra]. destruct (MVT_cor2 f f' a b L (fun c _ => D c)) as (c & E & I).
  specialize (P c ltac:(lra)). assert (0 <= f' c * (b - a)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma root2pi : 0 < sqrt (2 * PI).
Proof. apply sqrt_lt_R0. pose proof PI_RGT_0. lra. Qed.
Lemma bell_pos x : 0 < bell x.
Proof. unfold bell. apply Rdiv_lt_0_compat; [apply exp_pos|apply root2pi]. Qed.
Lemma bell_even x : bell (- x) = bell x.
Proof. unfold bell. do 3 f_equal. lra. Qed.
Lemma bell_slope x : derivable_pt_lim bell x (- x * bell x).
Proof.
  pose proof root2pi. unfold bell, Rdiv.
  replace (- x * (exp (- (x * x * / 2)) * / sqrt (2 * PI))) with ((exp (- (x * x * / 2)) * - x) * / sqrt (2 * PI) + exp (- (x * x * / 2)) * 0) by lra.
  apply (derivable_pt_lim_mult (fun t => exp (- (t * t * / 2))) (fun _ => / sqrt (2 * PI))); [|apply derivable_pt_lim_const].
  apply (derivable_pt_lim_comp (fun t => - (t * t * / 2)) exp); [|apply derivable_pt_lim_exp].
  replace (- x) with (- ((1 * x + x * 1) * / 2 + x * x * 0)) by field.
  apply derivable_pt_lim_opp, (derivable_pt_lim_mult (fun t => t * t) (fun _ => / 2)); [|apply derivable_pt_lim_const].
  apply derivable_pt_lim_mult; apply derivable_pt_lim_id.
Qed.
Lemma Phi_odd x : Phi (- x) = 1 - Phi x.
Proof.
  set (f := fun t => Phi t + Phi (- t)).
  assert (D : forall t, derivable_pt_lim f t 0).
  { intros t. replace 0 with (bell t + bell (- t) * - (1)) by (rewrite bell_even; lra). apply derivable_pt_lim_plus; [apply Phi_slope|].
    apply (derivable_pt_lim_comp Ropp Phi); [apply derivable_pt_lim_opp, derivable_pt_lim_id|apply Phi_slope]. }
  assert (E : f x = f 0).
  { destruct (Rle_dec 0 x) as [L|L].
    - apply Rle_antisym; [|apply (grows f (fun _ => 0)); auto; intros; lra].
      apply Ropp_le_cancel, (grows (fun t => - f t) (fun _ => - 0)); auto; try (intros; lra). intros. apply derivable_pt_lim_opp, D.
    - apply Rle_antisym; [apply (grows f (fun _ => 0)); auto; intros; lra|].
      apply Ropp_le_cancel, (grows (fun t => - f t) (fun _ => - 0)); auto; try (intros; lra). intros. apply derivable_pt_lim_opp, D. }
  unfold f in E. rewrite Ropp_0, Phi_0 in E. lra.
Qed.

(* ── Slope ── *)
Definition slope_at (x : R) : R := Phi x + x * bell x.
Lemma gelu_slope x : derivable_pt_lim gelu x (slope_at x).
Proof.
  unfold slope_at. replace (Phi x + x * bell x) with (1 * Phi x + x * bell x) by lra.
  apply (derivable_pt_lim_mult (fun t => t) Phi); [apply derivable_pt_lim_id|apply Phi_slope].
Qed.
Lemma slope_slope x : derivable_pt_lim slope_at x (bell x * (2 - x * x)).
Proof.
  replace (bell x * (2 - x * x)) with (bell x + (1 * bell x + x * (- x * bell x))) by ring.
  apply derivable_pt_lim_plus; [apply Phi_slope|]. apply (derivable_pt_lim_mult (fun t => t) bell); [apply derivable_pt_lim_id|apply bell_slope].
Qed.
Lemma slope_most x : 0 <= x -> slope_at x <= slope_at (sqrt 2).
Proof.
  intros P. pose proof (sqrt_pos 2). pose proof (sqrt_sqrt 2 ltac:(lra)) as S.
  destruct (Rle_dec x (sqrt 2)) as [L|L].
  - apply (grows _ _ _ _ L slope_slope). intros t T. pose proof (bell_pos t). apply Rmult_le_pos; nra.
  - apply Ropp_le_cancel, (grows (fun t => - slope_at t) (fun t => - (bell t * (2 - t * t)))); [lra| |].
    + intros. apply derivable_pt_lim_opp, slope_slope. + intros t T. pose proof (bell_pos t). assert (2 <= t * t) by nra. nra.
Qed.

(* ── Series ── *)
Definition J (x : R) : R := sqrt (2 * PI) * (Phi x - 1 / 2).
Lemma J_slope x : derivable_pt_lim J x (exp (- (x * x / 2))).
Proof.
  pose proof root2pi. unfold J.
  replace (exp (- (x * x / 2))) with (0 * (Phi x - 1 / 2) + sqrt (2 * PI) * (bell x - 0)) by (unfold bell; field; lra).
  apply (derivable_pt_lim_mult (fun _ => sqrt (2 * PI)) (fun t => Phi t - 1 / 2)); [apply derivable_pt_lim_const|].
  apply derivable_pt_lim_minus; [apply Phi_slope|apply derivable_pt_lim_const].
Qed.
Definition term (k : nat) (t : R) : R := t ^ k / INR (fact k).
Lemma fact_pos k : 0 < INR (fact k). Proof. apply INR_fact_lt_0. Qed.
Lemma term_slope k t : derivable_pt_lim (term (S k)) t (term k t).
Proof.
  unfold term, Rdiv. pose proof (fact_pos k). pose proof (lt_0_INR (S k) ltac:(lia)).
  replace (t ^ k * / INR (fact k)) with (INR (S k) * t ^ Nat.pred (S k) * / INR (fact (S k)) + t ^ S k * 0).
  2:{ rewrite fact_simpl, mult_INR. cbn [Nat.pred]. field. split; lra. }
  apply (derivable_pt_lim_mult (fun t => t ^ S k) (fun _ => / INR (fact (S k)))); [apply derivable_pt_lim_pow|apply derivable_pt_lim_const].
Qed.
(* What is left of exp (- t), and of the integral, without the first terms; with the sign of the first one left. *)
Fixpoint rest (k : nat) (t : R) : R := match k with O => exp (- t) | S m => term m t - rest m t end.
Lemma rest_slope k : forall t, derivable_pt_lim (rest (S k)) t (rest k t).
Proof.
  induction k as [|k IH]; intros t.
  - cbn [rest]. replace (exp (- t)) with (0 - exp (- t) * - (1)) by lra. apply derivable_pt_lim_minus.
    + unfold term. simpl. apply (limit_near (fun _ => 1)); [intros; field|]. apply derivable_pt_lim_const.
    + apply (derivable_pt_lim_comp Ropp exp); [apply derivable_pt_lim_opp, derivable_pt_lim_id|apply derivable_pt_lim_exp].
  - change (rest (S k) t) with (term k t - rest k t). apply (derivable_pt_lim_minus (term (S k)) (rest (S k))); auto using term_slope.
Qed.
Lemma term_0 k : term (S k) 0 = 0. Proof. unfold term. rewrite pow_ne_zero by lia. field. apply INR_fact_neq_0. Qed.
Lemma rest_0 k : rest (S k) 0 = 0.
Proof.
  induction k as [|k IH]. - cbn [rest]. rewrite Ropp_0, exp_0. unfold term. simpl. field.
  - change (rest (S (S k)) 0) with (term (S k) 0 - rest (S k) 0). rewrite IH, term_0. lra.
Qed.
Lemma rest_pos k : forall t, 0 <= t -> 0 <= rest k t.
Proof.
  induction k as [|k IH]; intros t T. { left. apply exp_pos. }
  rewrite <- (rest_0 k). apply (grows _ (rest k)); auto using rest_slope. intros. apply IH. lra.
Qed.
Definition cut (k : nat) (x : R) : R := x * term k (x * x / 2).      (* a term of the integral times 2 k + 1 *)
Fixpoint left_over (k : nat) (x : R) : R := match k with O => J x | S m => cut m x / (2 * INR m + 1) - left_over m x end.
Lemma odd_pos k : 0 < 2 * INR k + 1. Proof. pose proof (pos_INR k). lra. Qed.
Lemma cut_slope k x : derivable_pt_lim (fun x => cut k x / (2 * INR k + 1)) x (term k (x * x / 2)).
Proof.
  pose proof (odd_pos k). pose proof (fact_pos k). assert (P2 : 0 < 2 ^ k) by (apply pow_lt; lra).
  assert (E : forall y, cut k y = y ^ (2 * k + 1) * / (2 ^ k * INR (fact k))).
  { intros y. unfold cut, term. replace (y * y / 2) with (y ^ 2 * / 2) by (simpl; field). 
    rewrite Rpow_mult_distr, pow_add, pow_mult, pow_inv, pow_1. set (q := (y ^ 2) ^ k). field. lra. }
  apply (limit_near (fun y => y ^ (2 * k + 1) * / (2 ^ k * INR (fact k) * (2 * INR k + 1)))). { intros. rewrite E. field. lra. }
  replace (term k (x * x / 2)) with (INR (2 * k + 1) * x ^ Nat.pred (2 * k + 1) * / (2 ^ k * INR (fact k) * (2 * INR k + 1)) + x ^ (2 * k + 1) * 0).
  - apply (derivable_pt_lim_mult (fun y => y ^ (2 * k + 1)) (fun _ => / (2 ^ k * INR (fact k) * (2 * INR k + 1)))); [apply derivable_pt_lim_pow|apply derivable_pt_lim_const].
  - rewrite plus_INR, mult_INR. simpl (INR 2). simpl (INR 1). replace (Nat.pred (2 * k + 1)) with (2 * k)%nat by lia. unfold term.
    replace (x * x / 2) with (x ^ 2 * / 2) by (simpl; field). rewrite Rpow_mult_distr, pow_mult, pow_inv. set (q := (x ^ 2) ^ k). field. lra.
Qed.
Lemma left_slope k : forall x, derivable_pt_lim (left_over k) x (rest k (x * x / 2)).
Proof.
  induction k as [|k IH]; intros x. { apply J_slope. }
  apply (derivable_pt_lim_minus (fun x => cut k x / (2 * INR k + 1)) (left_over k)); auto using cut_slope.
Qed.
Lemma left_0 k : left_over k 0 = 0.
Proof.
  induction k as [|k IH]. { unfold left_over, J. rewrite Phi_0. lra. }
  cbn [left_over]. rewrite IH. unfold cut. rewrite Rmult_0_l. unfold Rdiv. lra.
Qed.
Lemma left_pos k x : 0 <= x -> 0 <= left_over k x.
Proof.
  intros P. rewrite <- (left_0 k). apply (grows _ (fun x => rest k (x * x / 2)) 0 x P (left_slope k)). intros. apply rest_pos. nra.
Qed.
Definition part (k : nat) (x : R) : R := left_over k x / cut k x.
Lemma cut_pos k x : 0 < x -> 0 < cut k x.
Proof. intros. unfold cut, term. apply Rmult_lt_0_compat; auto. apply Rdiv_lt_0_compat; [apply pow_lt; nra|apply fact_pos]. Qed.
Lemma part_pos k x : 0 < x -> 0 <= part k x.
Proof.
  intros. unfold part. pose proof (left_pos k x ltac:(lra)). pose proof (Rinv_0_lt_compat _ (cut_pos k x H)). apply Rmult_le_pos; lra.
Qed.
Lemma part_next k x : 0 < x -> part k x = / (2 * INR k + 1) - x * x / 2 / INR (S k) * part (S k) x.
Proof.
  intros P. unfold part. cbn [left_over]. pose proof (cut_pos k x P). pose proof (odd_pos k). pose proof (lt_0_INR (S k) ltac:(lia)). pose proof (fact_pos k).
  assert (E : cut (S k) x = cut k x * (x * x / 2 / INR (S k))).
  { unfold cut, term. rewrite fact_simpl, mult_INR. simpl pow. field. lra. }
  rewrite E. field. repeat split; nra.
Qed.
Lemma part_most k x : 0 < x -> part k x <= / (2 * INR k + 1).
Proof.
  intros P. rewrite part_next by auto. pose proof (part_pos (S k) x P). pose proof (lt_0_INR (S k) ltac:(lia)).
  assert (0 <= x * x / 2 / INR (S k)) by (apply Rmult_le_pos; [nra|left; apply Rinv_0_lt_compat; auto]). nra.
Qed.
Lemma gelu_is x : 0 < x -> gelu x = x / 2 + x * x * part 0 x / sqrt (2 * PI) /\ gelu (- x) = - x / 2 + x * x * part 0 x / sqrt (2 * PI).
Proof.
  intros P. pose proof root2pi. unfold gelu, part. rewrite Phi_odd. unfold left_over, J, cut, term. simpl. split; field; lra.
Qed.

Lemma pi_near : 3.14159265 <= PI <= 3.14159266.
Proof.
  pose proof (PI_2_3_7_ineq 4) as P. unfold tg_alt, PI_2_3_7_tg, Ratan_seq in P. cbn [sum_f_R0 Nat.mul Nat.add pow] in P.
  rewrite !INR_IZR_INZ in P. cbn [Z.of_nat Pos.of_succ_nat Pos.succ] in P. lra.
Qed.
Definition scaleZ : Z := 3679593073373651226.
Lemma root_near : 2.50662827 <= sqrt (2 * PI) <= 2.50662828.
Proof.
  pose proof pi_near as P.
  split; [rewrite <- (sqrt_square 2.50662827) by lra|rewrite <- (sqrt_square 2.50662828) by lra]; apply sqrt_le_1_alt; lra.
Qed.
Lemma scale_near : Rabs (/ sqrt (2 * PI) - IZR scaleZ / 2 ^ 63) <= / 2 ^ 27.
Proof.
  pose proof root_near as B. set (s := sqrt (2 * PI)) in *. set (c := IZR scaleZ / 2 ^ 63).
  assert (C : 0.39894228 <= c <= 0.398942281) by (unfold c, scaleZ; lra).
  assert (I : 0.398942279 <= / s <= 0.398942283).
  { split; apply Rmult_le_reg_r with s; try lra; rewrite Rinv_l by lra; lra. }
  apply Rabs_le. lra.
Qed.

(* ── Slope ── *)
Lemma part0_sqrt2 : part 0 (sqrt 2) <= 0.747.
Proof.
  assert (P : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (S : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  pose proof (part_pos 6 (sqrt 2) P) as Q. 
  pose proof (part_next 0 _ P) as E0. pose proof (part_next 1 _ P) as E1. pose proof (part_next 2 _ P) as E2.
  pose proof (part_next 3 _ P) as E3. pose proof (part_next 4 _ P) as E4. pose proof (part_next 5 _ P) as E5. pose proof (part_most 6 _ P) as E6.
  rewrite S in *. simpl INR in *. lra.
Qed.
Lemma slope_top : slope_at (sqrt 2) <= 113 / 100.
Proof.
  assert (P : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (S : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  pose proof root_near as B. pose proof part0_sqrt2 as T. pose proof (part_pos 0 (sqrt 2) P) as T0.
  pose proof (rest_pos 7 1 ltac:(lra)) as E. cbn [rest] in E. unfold term in E. simpl in E.
  assert (V : slope_at (sqrt 2) = 1 / 2 + sqrt 2 / sqrt (2 * PI) * (part 0 (sqrt 2) + exp (- (1)))).
  { unfold slope_at, part, bell, left_over, J, cut, term. rewrite S. simpl. replace (2 / 2) with 1 by field. field. split; lra. }
  assert (Rt : sqrt 2 <= 1.41422) by (rewrite <- (sqrt_square 1.41422) by lra; apply sqrt_le_1_alt; lra).
  assert (Q : sqrt 2 / sqrt (2 * PI) <= 0.56421).
  { apply Rmult_le_reg_r with (sqrt (2 * PI)); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (Q0 : 0 <= sqrt 2 / sqrt (2 * PI)) by (apply div_pos; lra).
  rewrite V. pose proof (exp_pos (- (1))).
  assert (sqrt 2 / sqrt (2 * PI) * (part 0 (sqrt 2) + exp (- (1))) <= 0.56421 * (0.747 + 0.36812)) by (apply Rmult_le_compat; lra). lra.
Qed.
Lemma slope_bound x : Rabs (slope_at x) <= 113 / 100.
Proof.
  assert (P : forall x, 0 <= x -> 0 <= slope_at x <= 113 / 100).
  { intros y Y. split.
    - unfold slope_at. pose proof (bell_pos y). pose proof (grows Phi bell 0 y Y Phi_slope (fun t _ => Rlt_le _ _ (bell_pos t))). rewrite Phi_0 in *.
      assert (0 <= y * bell y) by (apply Rmult_le_pos; lra). lra.
    - eapply Rle_trans; [apply slope_most; auto|apply slope_top]. }
  apply Rabs_le. destruct (Rle_dec 0 x) as [L|L]. { specialize (P x L). lra. }
  specialize (P (- x) ltac:(lra)). unfold slope_at in *. rewrite Phi_odd, bell_even in P. lra.
Qed.
Lemma gelu_steep x y : Rabs (gelu x - gelu y) <= 113 / 100 * Rabs (x - y).
Proof.
  assert (P : forall x y, x < y -> Rabs (gelu x - gelu y) <= 113 / 100 * Rabs (x - y)).
  { intros a b L. destruct (MVT_cor2 gelu slope_at a b L (fun c _ => gelu_slope c)) as (c & E & _).
    rewrite (Rabs_minus_sym (gelu a)), (Rabs_minus_sym a), E, Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|apply slope_bound]. }
  destruct (Rtotal_order x y) as [L|[->|L]]; auto.
  - rewrite !Rminus_eq_0, Rabs_R0. lra.
  - rewrite (Rabs_minus_sym (gelu x)), (Rabs_minus_sym x). auto.
Qed.

(* ── The series in whole numbers ── *)
(* GELU of multiples of 2^-24, for numbers up to 5.5, by the power series of its integral, innermost term first: with
   y = x^2 / 2, it is x / 2 + x^2 / sqrt (2 pi) (1 - y (1/3 - y/2 (1/5 - y/3 (1/7 - ...)))). *)
Definition high (a b : int) : int := fst (mulc a b).
Definition terms : list (int * int) := Eval vm_compute in map (fun k => (of_Z (Z.of_nat k + 1), of_Z (2 ^ 58 / (2 * Z.of_nat k + 1)))) (seq 0 64).
Definition nested (y : int) (ts : list (int * int)) : int :=
  fold_right (fun t s => let h := high (y / fst t) (s << 4) in if (h <=? snd t)%uint63 then snd t - h else 0)%uint63 0%uint63 ts.
Definition geluZ (z : Z) : Z :=
  let y := of_Z (z * z * 2 ^ 10) in
  (z / 2 + to_Z (high (high y (nested y terms << 4)) 3679593073373651226 / 8589934592)%uint63)%Z.
Definition widest : Z := 92274688.   (* 5.5 *)
Definition termZ (k : nat) : int * int := (of_Z (Z.of_nat k + 1), of_Z (2 ^ 58 / (2 * Z.of_nat k + 1))).
Fixpoint errorZ (k n : nat) : Z :=
  match n with O => 2 ^ 58 / (2 * Z.of_nat k + 1) + 1 | S m => 121 * errorZ (S k) m / (8 * (Z.of_nat k + 1)) + 4 end%Z.
Lemma errorZ_pos n : forall k, (0 <= errorZ k n)%Z.
Proof.
  induction n; intros k; cbn [errorZ].
  - pose proof (Z.div_pos (2 ^ 58) (2 * Z.of_nat k + 1) ltac:(lia) ltac:(lia)). lia.
  - specialize (IHn (S k)). pose proof (Z.div_pos (121 * errorZ (S k) n) (8 * (Z.of_nat k + 1)) ltac:(lia) ltac:(lia)). lia.
Qed.
Lemma high_is a b : to_Z (high a b) = (to_Z a * to_Z b / 2 ^ 63)%Z.
Proof.
  unfold high. pose proof (mulc_spec a b) as E. pose proof (to_Z_bounded (snd (mulc a b))) as B.
  change wB with (2 ^ 63)%Z in *. apply Z.div_unique with (to_Z (snd (mulc a b))); lia.
Qed.
Lemma small_Z z : (0 <= z < 2 ^ 63)%Z -> to_Z (of_Z z) = z.
Proof. intros B. rewrite of_Z_spec. apply Z.mod_small. exact B. Qed.
Lemma shift4 s : (to_Z s <= 2 ^ 58)%Z -> to_Z (s << 4)%uint63 = (16 * to_Z s)%Z.
Proof.
  intros B. rewrite lsl_spec. change (to_Z 4%uint63) with 4%Z. pose proof (to_Z_bounded s). change wB with (2 ^ 63)%Z. rewrite Z.mod_small; lia.
Qed.
Lemma p58 : IZR (2 ^ 58) = 2 ^ 58. Proof. rewrite (pow_IZR 2 58). reflexivity. Qed.
Lemma p63 : IZR (2 ^ 63) = 2 ^ 63. Proof. rewrite (pow_IZR 2 63). reflexivity. Qed.
Lemma nested_near x y : 0 < x -> x * x / 2 = IZR (to_Z y) / 2 ^ 59 -> x * x / 2 <= 121 / 8 ->
  forall n k, (k + n <= 64)%nat -> let s := to_Z (nested y (map termZ (seq k n))) in
  (0 <= s <= 2 ^ 58)%Z /\ Rabs (IZR s - 2 ^ 58 * part k x) <= IZR (errorZ k n).
Proof.
  intros P U Ub. set (u := x * x / 2) in *. assert (U0 : 0 <= u) by (unfold u; nra).
  induction n as [|n IH]; intros k K s.
  - change s with 0%Z. split; [lia|]. cbn [errorZ]. rewrite plus_IZR. pose proof (part_pos k x P). pose proof (part_most k x P) as M.
    pose proof (div_bounds (2 ^ 58) (2 * Z.of_nat k + 1) ltac:(lia)) as D. rewrite p58, plus_IZR, mult_IZR, <- INR_IZR_INZ in D.
    pose proof (odd_pos k). unfold Rdiv in D. assert (2 ^ 58 * part k x <= 2 ^ 58 * / (2 * INR k + 1)) by (apply Rmult_le_compat_l; lra). apply Rabs_le. lra.
  - destruct (IH (S k) ltac:(lia)) as (B & E). clear IH. set (t := nested y (map termZ (seq (S k) n))) in *.
    pose proof (errorZ_pos n (S k)) as Ep. apply IZR_le in Ep.
    assert (S1 : to_Z (fst (termZ k)) = (Z.of_nat k + 1)%Z) by (apply small_Z; lia).
    assert (S2 : to_Z (snd (termZ k)) = (2 ^ 58 / (2 * Z.of_nat k + 1))%Z).
    { apply small_Z. split; [apply Z.div_pos; lia|]. apply Z.div_lt_upper_bound; lia. }
    set (h := high (y / fst (termZ k))%uint63 (t << 4)%uint63).
    assert (H : to_Z h = (to_Z y / (Z.of_nat k + 1) * (16 * to_Z t) / 2 ^ 63)%Z) by (unfold h; rewrite high_is, div_spec, S1, shift4 by lia; auto).
    set (q := (to_Z y / (Z.of_nat k + 1))%Z) in *.
    pose proof (div_bounds (to_Z y) (Z.of_nat k + 1) ltac:(lia)) as D1. fold q in D1.
    pose proof (div_bounds (q * (16 * to_Z t)) (2 ^ 63) ltac:(lia)) as D2. rewrite <- H, !mult_IZR, p63 in D2.
    pose proof (div_bounds (2 ^ 58) (2 * Z.of_nat k + 1) ltac:(lia)) as D3. rewrite <- S2, p58 in D3.
    assert (K1 : IZR (Z.of_nat k + 1) = INR k + 1) by (rewrite plus_IZR, <- INR_IZR_INZ; auto).
    assert (K2 : IZR (2 * Z.of_nat k + 1) = 2 * INR k + 1) by (rewrite plus_IZR, mult_IZR, <- INR_IZR_INZ; auto).
    rewrite K1 in D1. rewrite K2 in D3. pose proof (pos_INR k) as Kp.
    destruct B as (B0 & B1). apply IZR_le in B0, B1. rewrite p58 in B1.
    set (T := IZR (to_Z t)) in *. set (c := IZR (to_Z (snd (termZ k)))) in *. set (hr := IZR (to_Z h)) in *.
    set (v := u / (INR k + 1)).
    assert (Yv : IZR (to_Z y) / (INR k + 1) = v * 2 ^ 59) by (unfold v; rewrite U; field; lra). rewrite Yv in D1.
    assert (V0 : 0 <= v) by (apply div_pos; lra).
    assert (H1 : v * T - 3 / 2 <= hr <= v * T).
    { assert (A : IZR q * (16 * T) / 2 ^ 63 = IZR q * (T / 2 ^ 59)) by field. rewrite A in D2.
      assert (IZR q * (T / 2 ^ 59) <= v * 2 ^ 59 * (T / 2 ^ 59)) by (apply Rmult_le_compat_r; lra).
      assert ((v * 2 ^ 59 - 1) * (T / 2 ^ 59) <= IZR q * (T / 2 ^ 59)) by (apply Rmult_le_compat_r; lra).
      replace (v * 2 ^ 59 * (T / 2 ^ 59)) with (v * T) in * by field.
      replace ((v * 2 ^ 59 - 1) * (T / 2 ^ 59)) with (v * T - T / 2 ^ 59) in * by field. lra. }
    assert (H2 : Rabs (v * T - 2 ^ 58 * (v * part (S k) x)) <= IZR (errorZ k (S n)) - 3).
    { replace (v * T - 2 ^ 58 * (v * part (S k) x)) with (v * (T - 2 ^ 58 * part (S k) x)) by ring.
      rewrite Rabs_mult, (Rabs_pos_eq v V0). cbn [errorZ]. rewrite plus_IZR.
      pose proof (div_bounds (121 * errorZ (S k) n) (8 * (Z.of_nat k + 1)) ltac:(lia)) as D4. rewrite !mult_IZR, K1 in D4.
      apply Rle_trans with (121 / 8 / (INR k + 1) * IZR (errorZ (S k) n)).
      - apply Rmult_le_compat; auto using Rabs_pos. unfold v. apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|auto].
      - replace (121 * IZR (errorZ (S k) n) / (8 * (INR k + 1))) with (121 / 8 / (INR k + 1) * IZR (errorZ (S k) n)) in D4 by (field; lra). lra. }
    pose proof (part_next k x P) as N. fold u in N. rewrite S_INR in N. fold v in N. pose proof (part_pos k x P) as Pk.
    assert (D3' : 2 ^ 58 / (2 * INR k + 1) = 2 ^ 58 * / (2 * INR k + 1)) by reflexivity. rewrite D3' in D3.
    apply abs_inv in H2.
    assert (Both : - IZR (errorZ k (S n)) <= c - hr - 2 ^ 58 * part k x <= IZR (errorZ k (S n))) by (rewrite N; lra).
    assert (Cb : (to_Z (snd (termZ k)) <= 2 ^ 58)%Z).
    { rewrite S2. apply Z.div_le_upper_bound; lia. }
    pose proof (to_Z_bounded h) as Hb.
    assert (Es : s = to_Z (if (h <=? snd (termZ k))%uint63 then (snd (termZ k) - h)%uint63 else 0%uint63)) by reflexivity.
    destruct (h <=? snd (termZ k))%uint63 eqn:Le.
    + apply leb_spec in Le. rewrite sub_spec, Z.mod_small in Es by (pose proof (to_Z_bounded (snd (termZ k))); lia).
      split; [lia|]. rewrite Es, minus_IZR. apply Rabs_le. unfold c, hr in Both. lra.
    + assert (Gt : (to_Z (snd (termZ k)) < to_Z h)%Z).
      { destruct (Z_lt_le_dec (to_Z (snd (termZ k))) (to_Z h)) as [|L]; auto. apply leb_spec in L. congruence. }
      apply IZR_lt in Gt. fold c hr in Gt. change (to_Z 0) with 0%Z in Es. rewrite Es. split; [lia|]. apply Rabs_le.
      assert (0 <= 2 ^ 58 * part k x) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma terms_are : terms = map termZ (seq 0 64). Proof. vm_compute. reflexivity. Qed.
Lemma first_error : (errorZ 0 64 <= 2 ^ 28)%Z. Proof. apply Z.leb_le. vm_compute. reflexivity. Qed.

Lemma series_near x z : 0 < x -> (0 <= z <= widest)%Z -> x = IZR z / 2 ^ 24 ->
  Rabs (x * x * part 0 x / sqrt (2 * PI) - IZR (to_Z (high (high (of_Z (z * z * 2 ^ 10)) (nested (of_Z (z * z * 2 ^ 10)) terms << 4))
     3679593073373651226 / 8589934592)%uint63) / 2 ^ 24) <= 9 / 2 ^ 24.
Proof.
  intros P Bz Ex. unfold widest in Bz. assert (Zy : (0 <= z * z * 2 ^ 10 < 2 ^ 63)%Z) by nia.
  set (y := of_Z (z * z * 2 ^ 10)). assert (Y : to_Z y = (z * z * 2 ^ 10)%Z) by (apply small_Z; auto).
  assert (P10 : IZR (2 ^ 10) = 2 ^ 10) by (rewrite (pow_IZR 2 10); reflexivity).
  assert (U : x * x / 2 = IZR (to_Z y) / 2 ^ 59) by (rewrite Y, !mult_IZR, P10, Ex; field).
  assert (Ub : x * x / 2 <= 121 / 8).
  { rewrite Ex. destruct Bz as (B0 & B1). apply IZR_le in B0, B1. assert (IZR z * IZR z <= 92274688 * 92274688) by (apply Rmult_le_compat; auto). lra. }
  destruct (nested_near x y P U Ub 64 0 ltac:(lia)) as (Sb & E). rewrite <- terms_are in *. set (s := nested y terms) in *.
  pose proof (IZR_le _ _ first_error) as F. assert (P28 : IZR (2 ^ 28) = 2 ^ 28) by (rewrite (pow_IZR 2 28); reflexivity). rewrite P28 in F.
  set (q := high y (s << 4)%uint63). assert (Q : to_Z q = (to_Z y * (16 * to_Z s) / 2 ^ 63)%Z) by (unfold q; rewrite high_is, shift4 by lia; auto).
  rewrite div_spec, high_is. change (to_Z 3679593073373651226) with scaleZ. change (to_Z 8589934592) with 8589934592%Z.
  pose proof (div_bounds (to_Z y * (16 * to_Z s)) (2 ^ 63) ltac:(lia)) as D1. rewrite <- Q, !mult_IZR, p63 in D1.
  set (r := (to_Z q * scaleZ / 2 ^ 63)%Z). pose proof (div_bounds (to_Z q * scaleZ) (2 ^ 63) ltac:(lia)) as D2. fold r in D2. rewrite mult_IZR, p63 in D2.
  pose proof (div_bounds r 8589934592 ltac:(lia)) as D3. set (w := (r / 8589934592)%Z) in *.
  pose proof scale_near as C. set (cz := IZR scaleZ / 2 ^ 63) in *. set (g := / sqrt (2 * PI)) in *.
  assert (Gb : 0 <= g <= 1).
  { pose proof root_near as B. unfold g. split; [left; apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_le_contravar; lra. }
  set (u := x * x / 2) in *. assert (U0 : 0 <= u) by (unfold u; nra).
  destruct Sb as (S0 & S1). apply IZR_le in S0, S1. rewrite p58 in S1. set (S := IZR (to_Z s)) in *. set (Qr := IZR (to_Z q)) in *.
  assert (D1' : Qr <= u * S < Qr + 1).
  { assert (A : forall a b : R, a * (16 * b) / 2 ^ 63 = a / 2 ^ 59 * b) by (intros; field). rewrite A, <- U in D1. exact D1. }
  assert (Q0 : 0 <= Qr). { apply IZR_le. apply to_Z_bounded. }
  assert (Qm : Qr <= 2 ^ 62). { apply Rle_trans with (u * S); [lra|]. apply Rle_trans with (121 / 8 * 2 ^ 58); [apply Rmult_le_compat; lra|lra]. }
  assert (E1 : Rabs (u * S - u * (2 ^ 58 * part 0 x)) <= 121 / 8 * 2 ^ 28).
  { rewrite <- Rmult_minus_distr_l, Rabs_mult, (Rabs_pos_eq u U0). apply Rmult_le_compat; auto using Rabs_pos. lra. }
  set (X := u * (2 ^ 58 * part 0 x)) in *. apply abs_inv in E1.
  assert (Xs : x * x * part 0 x / sqrt (2 * PI) = X * g / 2 ^ 57) by (unfold X, u, g; field; pose proof root_near; lra).
  assert (E2 : Rabs (X * g - Qr * cz) <= 2 ^ 35 + 1 + 121 / 8 * 2 ^ 28).
  { replace (X * g - Qr * cz) with ((X - Qr) * g + Qr * (g - cz)) by ring. eapply Rle_trans; [apply Rabs_triang|].
    rewrite !Rabs_mult, (Rabs_pos_eq g), (Rabs_pos_eq Qr) by lra.
    assert (Rabs (X - Qr) * g <= (1 + 121 / 8 * 2 ^ 28) * 1) by (apply Rmult_le_compat; try apply Rabs_pos; try lra; apply Rabs_le; lra).
    assert (Qr * Rabs (g - cz) <= 2 ^ 62 * / 2 ^ 27) by (apply Rmult_le_compat; auto using Rabs_pos). lra. }
  replace (Qr * IZR scaleZ / 2 ^ 63) with (Qr * cz) in D2 by (unfold cz; field).
  rewrite Xs. apply abs_inv in E2. apply Rabs_le. lra.
Qed.
Lemma gelu_close z : (Z.abs z <= widest)%Z -> Rabs (gelu (IZR z / 2 ^ 24) - IZR (geluZ z) / 2 ^ 24) <= / 2 ^ 20.
Proof.
  intros B. destruct (Z.eq_dec z 0) as [->|N].
  { change (geluZ 0) with 0%Z. unfold gelu, Rdiv. rewrite !Rmult_0_l, Rminus_0_r, Rabs_R0. lra. }
  unfold geluZ. cbv zeta. rewrite plus_IZR. pose proof (div_bounds z 2 ltac:(lia)) as D.
  set (x := IZR (Z.abs z) / 2 ^ 24). assert (P : 0 < x).
  { assert (0 < IZR (Z.abs z)) by (apply IZR_lt; lia). unfold x. lra. }
  pose proof (series_near x (Z.abs z) P ltac:(lia) eq_refl) as S. replace (Z.abs z * Z.abs z)%Z with (z * z)%Z in S by lia.
  set (w := IZR (to_Z _)) in *. destruct (gelu_is x P) as (G1 & G2). apply abs_inv in S.
  set (a := x * x * part 0 x / sqrt (2 * PI)) in *.
  assert (E : gelu (IZR z / 2 ^ 24) = IZR z / 2 ^ 24 / 2 + a).
  { unfold x in *. destruct (Z.abs_spec z) as [(_ & A)|(_ & A)]; rewrite A in *.
    - exact G1.
    - rewrite opp_IZR in G2. replace (- (- IZR z / 2 ^ 24)) with (IZR z / 2 ^ 24) in G2 by field. rewrite G2. reflexivity. }
  rewrite E. apply Rabs_le. lra.
Qed.
