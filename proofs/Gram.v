(* Matrices from bits, and witnesses that they stretch no vector by more than so much. *)
Require Import Uint63 Bool Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear Normal Model. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

Definition fixed (b : int) : Z :=
  let w := to_Z b in let e := Z.land (Z.shiftr w 23) (Z.ones 8) in
  let m := (Z.land w (Z.ones 23) + (if e =? 0 then 0 else 2 ^ 23))%Z in
  Z.shiftl (if (w <? 2 ^ 31)%Z then m else (- m)%Z) (Z.max e 1 - 124).
Lemma fixed_is b : fixed b = (numerator (to_Z b) / 2 ^ 123)%Z.
Proof.
  unfold fixed, numerator. cbv zeta. rewrite Z.shiftr_div_pow2, !Z.land_ones by lia. change (2 ^ 8)%Z with 256%Z.
  set (e := (to_Z b / 2 ^ 23 mod 256)%Z). set (m := if (to_Z b <? 2 ^ 31)%Z then _ else _). destruct (Z.le_ge_cases 124 (Z.max e 1)) as [L|L].
  - rewrite Z.shiftl_mul_pow2 by lia. replace (Z.max e 1 - 1)%Z with (Z.max e 1 - 124 + 123)%Z by lia.
    rewrite Z.pow_add_r, Z.mul_assoc, Z.div_mul; lia.
  - replace (Z.max e 1 - 124)%Z with (- (124 - Z.max e 1))%Z by lia. rewrite Z.shiftl_opp_r, Z.shiftr_div_pow2 by lia.
    replace (2 ^ 123)%Z with (2 ^ (124 - Z.max e 1) * 2 ^ (Z.max e 1 - 1))%Z by (rewrite <- Z.pow_add_r by lia; f_equal; lia).
    rewrite Z.div_mul_cancel_r; lia.
Qed.
Definition fixedM (rows : list (list int)) : list (list Z) := map (map fixed) rows.
Lemma weight_fixed b : Rabs (weight (to_Z b) - IZR (fixed b) / 2 ^ 26) <= / 2 ^ 26.
Proof.
  unfold weight. rewrite fixed_is. set (n := numerator (to_Z b)).
  pose proof (div_bounds n (2 ^ 123) ltac:(lia)) as D. assert (P : IZR (2 ^ 123) = 2 ^ 123) by (rewrite (pow_IZR 2 123); reflexivity). rewrite P in D.
  replace (IZR n / 2 ^ 149) with ((IZR n / 2 ^ 123) / 2 ^ 26) by field. apply Rabs_le. lra.
Qed.
Lemma entry_fixed rows i j : entry (fixedM rows) i j = fixed (nth j (nth i rows []) 0%uint63).
Proof.
  unfold entry, fixedM. change (@nil Z) with (map fixed []). rewrite map_nth. change 0%Z with (fixed 0%uint63). apply map_nth.
Qed.
Lemma matrix_fits n m rows : fits n m (matrix rows) (fixedM rows).
Proof. intros i j _ _. rewrite entry_fixed. apply weight_fixed. Qed.

Definition column (a : list (list Z)) (j : nat) : list Z := map (fun row => nth j row 0%Z) a.
Definition frobZ (a : list (list Z)) : Z := total (map (fun row => total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z row)) a).
Definition make (bits : list (list int)) (rho : Z) : mat :=
  let a := fixedM bits in
  Mat a (map (map of_Z) a) (map (map absolute) a) (largest a) (Z.sqrt (rho * 2 ^ 20) + 1 + 2 ^ 17) (Z.sqrt (frobZ a * 2 ^ 20) + 1).
Definition gramOK (m : nat) (a l : list (list Z)) (rho : Z) : bool :=
  let vs := map (fun j => column a j ++ column l j) (seq 0 m) in
  let big := maxabs (map l1 vs) in let most := largest vs in
  let is := map (map of_Z) vs in
  (most * big <? 2 ^ 62)%Z && forallb (fun v => (l1 (map (product v) is) <=? rho)%Z) is.
Definition makeOK (n m : nat) (bits l : list (list int)) (rho : Z) : bool :=
  let a := fixedM bits in
  (length a =? n)%nat && forallb (fun row => (length row =? m)%nat) a && (Z.of_nat (n * m) <=? 16384)%Z && (0 <=? rho)%Z && 
  gramOK m a (map (map (fun x => to_Z x - 2 ^ 40)%Z) l) rho.

Lemma largest_in a row x : In row a -> In x row -> (Z.abs x <= largest a)%Z.
Proof.
  intros I J. unfold largest. induction a as [|r a IH]; [destruct I|]. simpl. destruct I as [->|I].
  - clear IH. assert (Z.abs x <= fold_right (fun x s => Z.max (Z.abs x) s) 0 row)%Z; [|lia].
    induction row as [|y row IH]; [destruct J|]. simpl. destruct J as [->|J]; [lia|]. specialize (IH J). lia.
  - specialize (IH I). lia.
Qed.
Lemma largest_pos a : (0 <= largest a)%Z.
Proof. unfold largest. induction (map _ a); simpl; lia. Qed.
Lemma l1_app a b : l1 (a ++ b) = (l1 a + l1 b)%Z.
Proof. unfold l1. rewrite map_app. induction (map Z.abs a); simpl; lia. Qed.
Lemma dotZ_app a : forall b c d, length a = length c -> dotZ (a ++ b) (c ++ d) = (dotZ a c + dotZ b d)%Z.
Proof. induction a as [|x a IH]; intros b [|y c] d L; simpl in *; try lia. rewrite IH by lia. lia. Qed.
Lemma dot_columns a j k : IZR (dotZ (column a j) (column a k)) = sum (length a) (fun i => IZR (entry a i j) * IZR (entry a i k)).
Proof.
  unfold column. rewrite <- (sum_dot _ _ (length a)) by (rewrite map_length; lia). apply sum_ext. intros i I. unfold entry.
  rewrite !(nth_map _ _ _ _ []) by auto. auto.
Qed.

Lemma fold_total' {A} (g : A -> Z) l : fold_right (fun x s => IZR (g x) + s) 0 l = IZR (total (map g l)).
Proof. induction l as [|x l IH]; simpl; auto. rewrite plus_IZR, IH. auto. Qed.
Lemma sum_lists {A} (f : A -> R) l d : sum (length l) (fun i => f (nth i l d)) = fold_right (fun x s => f x + s) 0 l.
Proof. induction l as [|x l IH]; auto. cbn [length fold_right]. rewrite sum_first. simpl nth. rewrite IH. auto. Qed.
Lemma sum_abs_mult n x y : sum n (fun i => Rabs (x i) * Rabs (y i)) <= len n x * len n y.
Proof. apply Balls.sum_abs_mult. Qed.
Lemma over52 a : a / 2 ^ 52 = / 2 ^ 52 * a.
Proof. unfold Rdiv. ring. Qed.
Lemma make_good n m bits l rho : makeOK n m bits l rho = true -> good n m (matrix bits) (make bits rho).
Proof.
  intros H. unfold makeOK in H. cbv zeta in H. set (a := fixedM bits) in *. set (lw := map _ l) in *.
  apply andb_prop in H as (H & Gk). apply andb_prop in H as (H & Rp). apply andb_prop in H as (H & Nm). apply andb_prop in H as (Hn & Hm).
  apply Nat.eqb_eq in Hn. apply Z.leb_le in Nm. apply Z.leb_le in Rp. rewrite forallb_forall in Hm.
  assert (Hr : forall row, In row a -> length row = m) by (intros row I; apply Nat.eqb_eq, Hm; auto).
  pose proof (matrix_fits n m bits) as Fit. fold a in Fit.
  unfold good, make. cbv zeta. fold a. cbn [rows ints abss most stretch frob].
  assert (Fp : (0 <= frobZ a)%Z).
  { unfold frobZ. clear. induction a as [|r a IH]; simpl; [lia|]. assert (0 <= total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1)) r))%Z by (induction r; simpl; nia). lia. }
  pose proof (Z.sqrt_nonneg (rho * 2 ^ 20)). pose proof (Z.sqrt_nonneg (frobZ a * 2 ^ 20)).
  split; [exact Fit|]. split; [auto|]. split; [auto|]. split; [exact Hn|]. split; [intros row I; rewrite Hr; auto|].
  split; [intros row x; apply largest_in|]. split; [apply largest_pos|]. split; [lia|]. split; [lia|].
  assert (Nmr : sqrt (INR n) * sqrt (INR m) <= 128).
  { rewrite <- sqrt_mult by apply pos_INR. rewrite <- mult_INR. apply IZR_le in Nm. rewrite <- (sqrt_square 128) by lra. apply sqrt_le_1_alt.
    rewrite INR_IZR_INZ. lra. }
  split; intros v.
  - set (A := fun i j => IZR (entry a i j) / 2 ^ 26).
    rewrite (len_ext n (times m (matrix bits) v) (fun i => times m A v i + times m (fun i j => matrix bits i j - A i j) v i)).
    2:{ intros i _. unfold times. rewrite <- sum_plus. apply sum_ext. intros. ring. }
    eapply Rle_trans; [apply triangle|].
    assert (P1 : len n (times m A v) <= sqrt (IZR rho) / 2 ^ 26 * len m v).
    { apply IZR_le in Rp. apply square_below. { apply Rmult_le_pos; [apply div_pos; [apply sqrt_pos|lra]|apply len_pos]. }
      replace (sqrt (IZR rho) / 2 ^ 26 * len m v * (sqrt (IZR rho) / 2 ^ 26 * len m v)) with
        ((sqrt (IZR rho) * sqrt (IZR rho)) / 2 ^ 52 * (len m v * len m v)) by field.
      rewrite sqrt_sqrt by auto.
      apply (stretched n (length lw) m A (fun i j => IZR (entry lw i j) / 2 ^ 26) v (IZR rho / 2 ^ 52)). intros j J.
      unfold gramOK in Gk. cbv zeta in Gk. set (vs := map (fun j => column a j ++ column lw j) (seq 0 m)) in *.
      apply andb_prop in Gk as (Sm & Gk). apply Z.ltb_lt in Sm. rewrite forallb_forall in Gk.
      assert (Lv : length vs = m) by (unfold vs; rewrite map_length, seq_length; auto).
      assert (Nv : forall k, (k < m)%nat -> nth k vs [] = column a k ++ column lw k).
      { intros k K. unfold vs. rewrite (nth_map _ _ _ _ 0%nat) by (rewrite seq_length; auto). rewrite seq_nth by auto. auto. }
      assert (Pr : forall x y, In x vs -> In y vs -> product (map of_Z x) (map of_Z y) = dotZ x y).
      { intros x y Ix Iy. apply product_is. eapply Z.le_lt_trans; [apply dot_bound with (most := largest vs)|].
        - intros z Iz. apply (largest_in vs x); auto. - apply largest_pos.
        - eapply Z.le_lt_trans; [|exact Sm]. apply Z.mul_le_mono_nonneg_l; [apply largest_pos|].
          pose proof (maxabs_in (map l1 vs) (l1 y) (in_map l1 vs y Iy)) as Mi. pose proof (l1_nonneg y). lia. }
      assert (Ij : In (nth j vs []) vs) by (apply nth_In; lia).
      specialize (Gk (map of_Z (nth j vs [])) (in_map (map of_Z) vs _ Ij)). apply Z.leb_le in Gk. rewrite map_map in Gk.
      assert (Ge : l1 (map (fun x => product (map of_Z (nth j vs [])) (map of_Z x)) vs) = l1 (map (fun x => dotZ (nth j vs []) x) vs)).
      { f_equal. apply map_ext_in. intros x Ix. apply Pr; auto. }
      rewrite Ge in Gk. apply IZR_le in Gk.
      apply Rle_trans with (IZR (l1 (map (fun x => dotZ (nth j vs []) x) vs)) / 2 ^ 52); [|lra].
      unfold l1. rewrite map_map. rewrite <- (fold_total' (fun x => Z.abs (dotZ (nth j vs []) x)) vs).
      rewrite <- Lv at 1. rewrite <- (sum_lists (fun x => IZR (Z.abs (dotZ (nth j vs []) x))) vs []).
      rewrite over52, <- sum_scal. apply sum_le. intros k K. rewrite Lv in K. rewrite !Nv by auto.
      rewrite dotZ_app by (unfold column; rewrite !map_length; auto). rewrite abs_IZR, plus_IZR, !dot_columns, Hn.
      right. rewrite <- (Rabs_pos_eq (/ 2 ^ 52)) by lra. rewrite <- Rabs_mult. f_equal. rewrite Rmult_plus_distr_l, <- !sum_scal.
      f_equal; apply sum_ext; intros; unfold A; field. }
    assert (P2 : len n (times m (fun i j => matrix bits i j - A i j) v) <= 128 * / 2 ^ 26 * len m v).
    { apply Rle_trans with (sqrt (INR n) * (/ 2 ^ 26 * (sqrt (INR m) * len m v))).
      - apply len_bound. { apply Rmult_le_pos; [lra|apply Rmult_le_pos; [apply sqrt_pos|apply len_pos]]. }
        intros i I. unfold times. eapply Rle_trans; [apply sum_abs|]. apply Rle_trans with (sum m (fun j => / 2 ^ 26 * Rabs (v j))).
        + apply sum_le. intros j J. rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|]. apply Fit; auto.
        + rewrite sum_scal. apply Rmult_le_compat_l; [lra|]. apply sum_abs_len.
      - replace (sqrt (INR n) * (/ 2 ^ 26 * (sqrt (INR m) * len m v))) with (sqrt (INR n) * sqrt (INR m) * (/ 2 ^ 26 * len m v)) by ring.
        replace (128 * / 2 ^ 26 * len m v) with (128 * (/ 2 ^ 26 * len m v)) by ring. apply Rmult_le_compat_r; auto.
        apply Rmult_le_pos; [lra|apply len_pos]. }
    eapply Rle_trans; [apply Rplus_le_compat; [exact P1|exact P2]|]. rewrite <- Rmult_plus_distr_r. apply Rmult_le_compat_r; [apply len_pos|].
    pose proof (sqrt_bounds (rho * 2 ^ 20) ltac:(lia)) as B. rewrite mult_IZR, p20 in B. unfold rd. rewrite !plus_IZR. change (IZR (2 ^ 17)) with 131072.
    assert (E : sqrt (IZR rho * 2 ^ 20) = sqrt (IZR rho) * 2 ^ 10).
    { apply IZR_le in Rp. rewrite sqrt_mult by lra. f_equal. replace (2 ^ 20) with (2 ^ 10 * 2 ^ 10) by ring. apply sqrt_square. lra. }
    rewrite E in B. lra.
  - apply IZR_le in Fp.
    assert (Rw : forall i, (i < n)%nat -> sum m (fun j => Rabs (matrix bits i j) * Rabs (v j)) <=
      sqrt (sum m (fun j => ((IZR (Z.abs (entry a i j)) + 1) / 2 ^ 26) * ((IZR (Z.abs (entry a i j)) + 1) / 2 ^ 26))) * len m v).
    { intros i I. eapply Rle_trans; [apply sum_abs_mult|]. apply Rmult_le_compat_r; [apply len_pos|]. apply sqrt_le_1_alt, sum_le. intros j J.
      assert (W : Rabs (matrix bits i j) <= (IZR (Z.abs (entry a i j)) + 1) / 2 ^ 26).
      { pose proof (Fit i j I J) as F. pose proof (Rabs_triang (matrix bits i j - IZR (entry a i j) / 2 ^ 26) (IZR (entry a i j) / 2 ^ 26)) as T.
        replace (matrix bits i j - IZR (entry a i j) / 2 ^ 26 + IZR (entry a i j) / 2 ^ 26) with (matrix bits i j) in T by ring.
        assert (Q : Rabs (IZR (entry a i j) / 2 ^ 26) = IZR (Z.abs (entry a i j)) / 2 ^ 26).
        { unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)), abs_IZR by lra. auto. } rewrite Q in T. lra. }
      pose proof (Rabs_pos (matrix bits i j)).
      replace (matrix bits i j * matrix bits i j) with (Rabs (matrix bits i j) * Rabs (matrix bits i j)).
      - apply Rmult_le_compat; auto. - rewrite <- Rabs_mult. apply Rabs_pos_eq. nra. }
    set (q := fun i => sqrt (sum m (fun j => ((IZR (Z.abs (entry a i j)) + 1) / 2 ^ 26) * ((IZR (Z.abs (entry a i j)) + 1) / 2 ^ 26)))) in *.
    apply Rle_trans with (len n (fun i => len m v * q i)).
    { apply len_le. intros i I. rewrite Rabs_pos_eq by (apply sum_pos; intros; apply Rmult_le_pos; apply Rabs_pos). rewrite Rmult_comm. apply Rw; auto. }
    rewrite len_scal, (Rabs_pos_eq _ (len_pos m v)), Rmult_comm. apply Rmult_le_compat_r; [apply len_pos|].
    assert (S : sum n (fun i => q i * q i) = IZR (frobZ a) / 2 ^ 52).
    { unfold frobZ. rewrite <- (fold_total' (fun row => total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z row)) a).
      rewrite <- Hn. rewrite <- (sum_lists (fun row => IZR (total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z row))) a []).
      rewrite over52, <- sum_scal. apply sum_ext. intros i I. unfold q. rewrite sqrt_sqrt.
      2:{ apply sum_pos. intros j _. pose proof (IZR_le 0 (Z.abs (entry a i j)) ltac:(lia)). apply Rmult_le_pos; apply div_pos; lra. }
      rewrite <- (fold_total' (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z (nth i a [])).
      assert (Lr : length (nth i a []) = m) by (apply Hr, nth_In; auto). rewrite <- Lr.
      rewrite <- (sum_lists (fun x => IZR ((Z.abs x + 1) * (Z.abs x + 1))) (nth i a []) 0%Z). rewrite <- sum_scal. apply sum_ext. intros j _.
      unfold entry. rewrite mult_IZR, plus_IZR. field. }
    pose proof (sqrt_bounds (frobZ a * 2 ^ 20) ltac:(apply le_IZR in Fp; lia)) as B. rewrite mult_IZR, p20 in B. unfold rd. rewrite plus_IZR.
    unfold len. rewrite S.
    replace (IZR (frobZ a) / 2 ^ 52) with (IZR (frobZ a) * 2 ^ 20 * / (2 ^ 36 * 2 ^ 36)) by field.
    rewrite sqrt_mult_alt, sqrt_inv, sqrt_square by lra. lra.
Qed.
