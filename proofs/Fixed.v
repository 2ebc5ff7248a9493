(* Whole numbers that bound real ones: radii and other upper bounds are multiples of 2^-36, centres of 2^-24, weights of
   2^-26. Products of vectors are computed with the processor's integers of 63 bits. *)
Require Import Uint63 Reals Lra Lia Psatz ZArith List Vectors Float32 Balls. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

Definition rd (z : Z) : R := IZR z / 2 ^ 36.
Definition at24 (c : list Z) (i : nat) : R := IZR (nth i c 0%Z) / 2 ^ 24.
Definition at26 (c : list Z) (i : nat) : R := IZR (nth i c 0%Z) / 2 ^ 26.

Definition shr (k z : Z) : Z := Z.shiftr z k.                           (* z / 2^k, for k that is not negative *)
Lemma shr_is k z : (0 <= k)%Z -> shr k z = (z / 2 ^ k)%Z. Proof. apply Z.shiftr_div_pow2. Qed.
Definition mul (a b : Z) : Z := (shr 36 (a * b) + 1)%Z.
Definition quo (a b : Z) : Z := (a * 2 ^ 36 / b + 1)%Z.
Definition root (a : Z) : Z := (Z.sqrt (a * 2 ^ 36) + 1)%Z.

Lemma p24 : IZR (2 ^ 24) = 2 ^ 24. Proof. rewrite (pow_IZR 2 24). reflexivity. Qed.
Lemma p36 : IZR (2 ^ 36) = 2 ^ 36. Proof. rewrite (pow_IZR 2 36). reflexivity. Qed.
Lemma div_bounds a b : (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b < IZR (a / b) + 1.
Proof.
  intros B. assert (0 < IZR b) by (apply IZR_lt; auto).
  pose proof (Z.div_mod a b ltac:(lia)) as E. pose proof (Z.mod_pos_bound a b B) as M.
  apply (f_equal IZR) in E. rewrite plus_IZR, mult_IZR in E. destruct M as (M1 & M2). apply IZR_le in M1. apply IZR_lt in M2.
  split; [apply Rmult_le_reg_r with (IZR b)|apply Rmult_lt_reg_r with (IZR b)]; auto; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
Qed.
Lemma sqrt_bounds a : (0 <= a)%Z -> IZR (Z.sqrt a) <= sqrt (IZR a) < IZR (Z.sqrt a) + 1.
Proof.
  intros A. pose proof (Z.sqrt_spec a A) as (L & H). pose proof (Z.sqrt_nonneg a) as P.
  apply IZR_le in L, P. apply IZR_lt in H. rewrite mult_IZR in L, H. rewrite succ_IZR in H.
  assert (0 <= IZR a) by (apply IZR_le; auto). split.
  - rewrite <- (sqrt_square (IZR (Z.sqrt a))) by auto. apply sqrt_le_1_alt; auto.
  - rewrite <- (sqrt_square (IZR (Z.sqrt a) + 1)) by lra. apply sqrt_lt_1_alt. lra.
Qed.
Lemma rd_le a b : (a <= b)%Z -> rd a <= rd b.
Proof. intros H. unfold rd. apply IZR_le in H. lra. Qed.
Lemma rd_pos a : (0 <= a)%Z -> 0 <= rd a.
Proof. intros H. apply IZR_le in H. unfold rd. lra. Qed.
Lemma rd_plus a b : rd (a + b) = rd a + rd b.
Proof. unfold rd. rewrite plus_IZR. lra. Qed.
Lemma up_plus a b A B : a <= rd A -> b <= rd B -> a + b <= rd (A + B).
Proof. intros. rewrite rd_plus. lra. Qed.
Lemma mul_rd A B : rd A * rd B <= rd (mul A B).
Proof.
  unfold rd, mul. rewrite shr_is, plus_IZR by lia. pose proof (div_bounds (A * B) (2 ^ 36) ltac:(lia)) as D. rewrite mult_IZR in D.
  rewrite p36 in D. lra.
Qed.
Lemma up_mul a b A B : 0 <= a -> 0 <= b -> a <= rd A -> b <= rd B -> a * b <= rd (mul A B).
Proof. intros. eapply Rle_trans; [apply Rmult_le_compat; eauto|apply mul_rd]. Qed.
Lemma up_quo a b A B : 0 <= a -> (0 < B)%Z -> a <= rd A -> rd B <= b -> a / b <= rd (quo A B).
Proof.
  intros P Bp HA HB. pose proof (IZR_lt _ _ Bp) as Q. assert (0 < rd B) by (unfold rd; lra).
  apply Rle_trans with (rd A / rd B).
  { unfold Rdiv. apply Rmult_le_compat; auto; [left; apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; auto]. }
  unfold rd, quo. rewrite plus_IZR. pose proof (div_bounds (A * 2 ^ 36) B Bp) as D. rewrite mult_IZR in D.
  rewrite p36 in D.
  replace (IZR A / 2 ^ 36 / (IZR B / 2 ^ 36)) with ((IZR A * 2 ^ 36 / IZR B) / 2 ^ 36) by (field; lra). lra.
Qed.
Lemma up_root a A : (0 <= A)%Z -> a <= rd A -> sqrt a <= rd (root A).
Proof.
  intros P H. apply Rle_trans with (sqrt (rd A)); [apply sqrt_le_1_alt; auto|].
  unfold rd, root. rewrite plus_IZR. pose proof (sqrt_bounds (A * 2 ^ 36) ltac:(lia)) as B. rewrite mult_IZR in B.
  rewrite p36 in B.
  replace (IZR A / 2 ^ 36) with (IZR A * 2 ^ 36 / (2 ^ 36 * 2 ^ 36)) by (field; lra).
  assert (0 <= IZR A) by (apply IZR_le; auto). unfold Rdiv.
  rewrite sqrt_mult_alt by lra. rewrite sqrt_inv, sqrt_square by lra. lra.
Qed.

(* ── Lists ── *)
Fixpoint dotZ (a b : list Z) : Z := match a, b with x :: a, y :: b => (x * y + dotZ a b)%Z | _, _ => 0%Z end.
Fixpoint total (a : list Z) : Z := match a with [] => 0%Z | x :: a => (x + total a)%Z end.
Definition l1 (a : list Z) : Z := total (map Z.abs a).
Definition sqZ (a : list Z) : Z := total (map (fun x => x * x)%Z a).

Lemma sum_first n f : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof. induction n; simpl in *; [lra|]. rewrite IHn. lra. Qed.
Lemma sum_list f l : forall n, f 0%Z = 0 -> (length l <= n)%nat ->
  sum n (fun i => f (nth i l 0%Z)) = fold_right (fun x s => f x + s) 0 l.
Proof.
  induction l as [|x l IH]; intros n F L.
  - simpl. rewrite (sum_ext n _ (fun _ => 0)). { rewrite sum_const. lra. } intros i _. destruct i; auto.
  - destruct n; simpl in L; [lia|]. rewrite sum_first. simpl. rewrite IH by (auto; lia). auto.
Qed.
Lemma sum_list_le f l : forall n, f 0%Z = 0 -> (forall x, 0 <= f x) ->
  sum n (fun i => f (nth i l 0%Z)) <= fold_right (fun x s => f x + s) 0 l.
Proof.
  induction l as [|x l IH]; intros n F P.
  - simpl. rewrite (sum_ext n _ (fun _ => 0)). { rewrite sum_const. lra. } intros i _. destruct i; auto.
  - destruct n. { simpl. pose proof (IH 0%nat F P). simpl in *. specialize (P x). lra. }
    rewrite sum_first. simpl. specialize (IH n F P). lra.
Qed.
Lemma fold_total (g : Z -> Z) l : fold_right (fun x s => IZR (g x) + s) 0 l = IZR (total (map g l)).
Proof. induction l as [|x l IH]; simpl; auto. rewrite plus_IZR, IH. auto. Qed.
Lemma sum_dot a : forall b n, (length a <= n)%nat ->
  sum n (fun i => IZR (nth i a 0%Z) * IZR (nth i b 0%Z)) = IZR (dotZ a b).
Proof.
  induction a as [|x a IH]; intros b n L.
  - simpl. rewrite (sum_ext n _ (fun _ => 0)). { rewrite sum_const. lra. } intros i _. destruct i; simpl; lra.
  - destruct n; simpl in L; [lia|]. rewrite sum_first. destruct b as [|y b]; simpl.
    + rewrite (sum_ext n _ (fun _ => 0)). { rewrite sum_const. lra. } intros i _. lra.
    + rewrite IH by lia. rewrite plus_IZR, mult_IZR. auto.
Qed.
Lemma l1_sum n c : sum n (fun i => Rabs (at24 c i)) <= IZR (l1 c) / 2 ^ 24.
Proof.
  pose proof (sum_list_le (fun x => IZR (Z.abs x)) c n eq_refl ltac:(intros; apply IZR_le; lia)) as H.
  cbv beta in H. rewrite fold_total in H. fold (l1 c) in H.
  rewrite (sum_ext n _ (fun i => / 2 ^ 24 * IZR (Z.abs (nth i c 0%Z)))).
  - rewrite sum_scal. lra.
  - intros i _. unfold at24, Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)), <- abs_IZR by lra. lra.
Qed.

(* The length of a centre. *)
Definition lenZ (c : list Z) : Z := (Z.sqrt (sqZ c * 2 ^ 24) + 1)%Z.
Lemma sqZ_pos c : (0 <= sqZ c)%Z.
Proof. unfold sqZ. induction c; simpl; nia. Qed.
Lemma sq_sum n c : sum n (fun i => at24 c i * at24 c i) <= IZR (sqZ c) / (2 ^ 24 * 2 ^ 24).
Proof.
  pose proof (sum_list_le (fun x => IZR (x * x)) c n eq_refl ltac:(intros; apply IZR_le; nia)) as H.
  cbv beta in H. rewrite fold_total in H. fold (sqZ c) in H.
  rewrite (sum_ext n _ (fun i => / (2 ^ 24 * 2 ^ 24) * IZR (nth i c 0%Z * nth i c 0%Z))).
  - rewrite sum_scal. lra.
  - intros i _. unfold at24. rewrite mult_IZR. lra.
Qed.
Lemma up_len n c : len n (at24 c) <= rd (lenZ c).
Proof.
  unfold lenZ, rd. pose proof (sqrt_bounds (sqZ c * 2 ^ 24) ltac:(pose proof (sqZ_pos c); lia)) as B.
  rewrite mult_IZR in B. rewrite p24 in B.
  rewrite plus_IZR. pose proof (IZR_le _ _ (sqZ_pos c)) as P.
  apply Rle_trans with (sqrt (IZR (sqZ c) * 2 ^ 24) / 2 ^ 36); [|lra].
  apply len_below. { apply div_pos; [apply sqrt_pos|lra]. }
  replace (sqrt (IZR (sqZ c) * 2 ^ 24) / 2 ^ 36 * (sqrt (IZR (sqZ c) * 2 ^ 24) / 2 ^ 36)) with
    (sqrt (IZR (sqZ c) * 2 ^ 24) * sqrt (IZR (sqZ c) * 2 ^ 24) / (2 ^ 36 * 2 ^ 36)) by (field; lra).
  rewrite sqrt_sqrt by lra. eapply Rle_trans; [apply sq_sum|]. lra.
Qed.
(* The length of a vector of upper bounds. *)
Definition lenR (o : list Z) : Z := (Z.sqrt (sqZ o) + 1)%Z.
Lemma up_lenR n o f : (forall i, (i < n)%nat -> 0 <= f i <= rd (nth i o 0%Z)) -> len n f <= rd (lenR o).
Proof.
  intros F. unfold lenR, rd. rewrite plus_IZR. pose proof (sqrt_bounds (sqZ o) (sqZ_pos o)) as B.
  apply Rle_trans with (sqrt (IZR (sqZ o)) / 2 ^ 36); [|lra].
  apply len_below. { apply div_pos; [apply sqrt_pos|lra]. }
  replace (sqrt (IZR (sqZ o)) / 2 ^ 36 * (sqrt (IZR (sqZ o)) / 2 ^ 36)) with
    (sqrt (IZR (sqZ o)) * sqrt (IZR (sqZ o)) / (2 ^ 36 * 2 ^ 36)) by (field; lra).
  rewrite sqrt_sqrt by (apply IZR_le, sqZ_pos).
  pose proof (sum_list_le (fun x => IZR (x * x)) o n eq_refl ltac:(intros; apply IZR_le; nia)) as H.
  cbv beta in H. rewrite fold_total in H. fold (sqZ o) in H.
  apply Rle_trans with (sum n (fun i => / (2 ^ 36 * 2 ^ 36) * IZR (nth i o 0%Z * nth i o 0%Z))).
  - apply sum_le. intros i I. destruct (F i I) as (F1 & F2). unfold rd in F2. rewrite mult_IZR.
    assert (f i * f i <= (IZR (nth i o 0%Z) / 2 ^ 36) * (IZR (nth i o 0%Z) / 2 ^ 36)) by (apply Rmult_le_compat; auto). lra.
  - rewrite sum_scal. lra.
Qed.
Lemma nth_map (A B : Type) (f : A -> B) l d e i : (i < length l)%nat -> nth i (map f l) e = f (nth i l d).
Proof. revert i. induction l; simpl; intros i I; [lia|]. destruct i; auto. apply IHl. lia. Qed.

(* ── Products with the processor's integers ── *)
Fixpoint dot63 (acc : int) (a b : list int) : int :=
  match a, b with x :: a, y :: b => dot63 (acc + x * y)%uint63 a b | _, _ => acc end.
Definition signed (z : Z) : Z := if (z <? 2 ^ 62)%Z then z else (z - 2 ^ 63)%Z.
Definition product (a b : list int) : Z := signed (to_Z (dot63 0 a b)).

Lemma dot63_mod a : forall b acc, to_Z (dot63 acc (map of_Z a) (map of_Z b)) = ((to_Z acc + dotZ a b) mod wB)%Z.
Proof.
  assert (W : (0 < wB)%Z) by reflexivity.
  induction a as [|x a IH]; intros b acc.
  { simpl. rewrite Z.add_0_r, Z.mod_small; auto. apply to_Z_bounded. }
  destruct b as [|y b]; simpl. { rewrite Z.add_0_r, Z.mod_small; auto. apply to_Z_bounded. }
  rewrite IH, add_spec, mul_spec, !of_Z_spec.
  rewrite <- (Zmult_mod x y), Zplus_mod_idemp_l. rewrite <- Z.add_assoc, (Z.add_comm ((x * y) mod wB)).
  rewrite Z.add_assoc, Zplus_mod_idemp_r. f_equal. lia.
Qed.
Lemma product_is a b : (Z.abs (dotZ a b) < 2 ^ 62)%Z -> product (map of_Z a) (map of_Z b) = dotZ a b.
Proof.
  intros H. unfold product. rewrite dot63_mod. change (to_Z 0%uint63) with 0%Z. rewrite Z.add_0_l.
  change wB with (2 ^ 63)%Z. unfold signed.
  destruct (Z_lt_le_dec (dotZ a b) 0) as [N|N].
  - replace (dotZ a b mod 2 ^ 63)%Z with (dotZ a b + 2 ^ 63)%Z.
    + destruct (Z.ltb_spec (dotZ a b + 2 ^ 63) (2 ^ 62)); lia.
    + symmetry. rewrite <- (Z_mod_plus_full _ 1). apply Z.mod_small. lia.
  - rewrite Z.mod_small by lia. destruct (Z.ltb_spec (dotZ a b) (2 ^ 62)); lia.
Qed.
Lemma dot_bound a most : forall b, (forall x, In x a -> Z.abs x <= most)%Z -> (0 <= most)%Z ->
  (Z.abs (dotZ a b) <= most * l1 b)%Z.
Proof.
  induction a as [|x a IH]; intros b H P; simpl.
  - unfold l1. assert (0 <= total (map Z.abs b))%Z by (induction b; simpl; lia). nia.
  - destruct b as [|y b]; simpl. { unfold l1. simpl. nia. }
    specialize (IH b (fun z I => H z (or_intror I)) P). specialize (H x (or_introl eq_refl)). unfold l1 in *. simpl. nia.
Qed.
