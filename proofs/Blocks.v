(* One block of the transformer in whole numbers. *)
Require Import Uint63 Bool Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear Normal Attend. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

(* A vector of biases, its distance from the list, and bounds on its sizes. *)
Record biasZ := BiasZ { bl : list Z; br : Z; bs : list Z }.
Definition bias_good (n : nat) (b : nat -> R) (B : biasZ) : Prop :=
  length (bl B) = n /\ length (bs B) = n /\ (0 <= br B)%Z /\ (forall z, In z (bs B) -> 0 <= z)%Z /\
  len n (sub b (at24 (bl B))) <= rd (br B) /\ forall i, (i < n)%nat -> Rabs (b i) <= at24 (bs B) i.

Record blockZ := BlockZ { n1 : norm; mq : mat; mk : mat; mv : mat; mo : mat; n2 : norm; mu : mat; bu : biasZ; md : mat; bd : biasZ;
  tq : list (list (list int)); tk : list (list (list int)) }.    (* columns of mq and mk, for each head *)

Definition head (h : nat) (c : list Z) : list Z := firstn 32 (skipn (32 * h) c).
Definition columns (a : list (list Z)) (h : nat) : list (list Z) :=
  map (fun j => map (fun row => nth j row 0%Z) (firstn 32 (skipn (32 * h) a))) (seq 0 64).
Definition block_good (B : block) (D : blockZ) : Prop :=
  norm_good (scale1 B) (shift1 B) (n1 D) /\ norm_good (scale2 B) (shift2 B) (n2 D) /\
  good 64 64 (query B) (mq D) /\ good 64 64 (key B) (mk D) /\ good 64 64 (value B) (mv D) /\ good 64 64 (out B) (mo D) /\
  good 256 64 (up B) (mu D) /\ good 64 256 (down B) (md D) /\ bias_good 256 (up_bias B) (bu D) /\ bias_good 64 (down_bias B) (bd D) /\
  (forall h, (h < 2)%nat -> nth h (tq D) [] = map (map of_Z) (columns (rows (mq D)) h)) /\
  (forall h, (h < 2)%nat -> nth h (tk D) [] = map (map of_Z) (columns (rows (mk D)) h)).

(* A head's vector times the columns of a matrix, and how far that may be off. *)
Definition acrossZ (most : Z) (cols : list (list int)) (c : list Z) : option (list Z * Z) :=
  if (most * l1 c <? 2 ^ 62)%Z then
    let ci := map of_Z c in Some (map (fun col => shr 26 (product col ci)) cols, 2 ^ 15 + (l1 c / 2 ^ 11 + 1))%Z
  else None.

Lemma len_head n k f : len n (fun i => f (k + i)%nat) <= len (k + n) f.
Proof.
  apply sqrt_le_1_alt. induction n; simpl.
  - rewrite Nat.add_0_r. apply sq_pos.
  - rewrite Nat.add_succ_r. simpl. lra.
Qed.
Lemma sum_split n k f : sum (k + n) f = sum k f + sum n (fun i => f (k + i)%nat).
Proof. induction n; simpl. { rewrite Nat.add_0_r. lra. } rewrite Nat.add_succ_r. simpl. lra. Qed.
Lemma len_more n k f : (n <= k)%nat -> len n f <= len k f.
Proof.
  intros H. apply sqrt_le_1_alt. replace k with (n + (k - n))%nat by lia. rewrite sum_split.
  pose proof (sq_pos (k - n) (fun i => f (n + i)%nat)). simpl in *. lra.
Qed.
Lemma part_nth (A : Type) (d : A) h a i : (i < 32)%nat -> nth i (firstn 32 (skipn (32 * h) a)) d = nth (32 * h + i) a d.
Proof.
  intros I. rewrite <- (firstn_skipn (32 * h) a) at 2.
  destruct (Nat.le_gt_cases (32 * h) (length a)) as [L|L].
  - rewrite app_nth2; rewrite firstn_length_le by auto; [|lia]. replace (32 * h + i - 32 * h)%nat with i by lia.
    set (s := skipn (32 * h) a). destruct (Nat.le_gt_cases (length s) i) as [G|G].
    + rewrite !nth_overflow; auto. rewrite firstn_length. lia.
    + rewrite <- (firstn_skipn 32 s) at 2. rewrite app_nth1; auto. rewrite firstn_length. lia.
  - rewrite firstn_skipn, (nth_overflow a) by lia. rewrite skipn_all2 by lia. rewrite firstn_nil. destruct i; auto.
Qed.
Lemma at24_head h c i : (i < 32)%nat -> at24 (head h c) i = at24 c (32 * h + i).
Proof. intros I. unfold at24, head. rewrite part_nth; auto. Qed.

Lemma across_sound w M h c r : (h < 2)%nat -> good 64 64 w M -> length c = 32%nat ->
  acrossZ (most M) (map (map of_Z) (columns (rows M) h)) c = Some r ->
  len 64 (fun j => sum 32 (fun i => w (32 * h + i)%nat j * at24 c i) - at24 (fst r) j) <= rd (snd r).
Proof.
  intros H (Fit & _ & _ & Hn & _ & Hb & Mp & _) L E. unfold acrossZ in E.
  destruct (Z.ltb_spec (most M * l1 c) (2 ^ 62)) as [Small|]; [|discriminate]. cbv zeta in E.
  set (v := map _ (map _ (columns _ _))) in *.
  assert (Er : (v, 2 ^ 15 + (l1 c / 2 ^ 11 + 1))%Z = r) by congruence. clear E. rewrite <- Er. cbn [fst snd].
  pose proof (IZR_le _ _ (l1_nonneg c)) as L1p.
  rewrite !rd_plus.
  assert (X : len 64 (fun j => sum 32 (fun i => w (32 * h + i)%nat j * at24 c i) - at24 v j) <= 8 * (/ 2 ^ 24 + / 2 ^ 26 * (IZR (l1 c) / 2 ^ 24))).
  { rewrite <- s64. apply len_bound; [lra|]. intros j J.
    set (col := map (fun row => nth j row 0%Z) (firstn 32 (skipn (32 * h) (rows M)))).
    assert (Lr : length (firstn 32 (skipn (32 * h) (rows M))) = 32%nat) by (rewrite firstn_length, skipn_length; lia).
    assert (Cn : forall i, (i < 32)%nat -> nth i col 0%Z = entry (rows M) (32 * h + i) j).
    { intros i I. unfold col, entry. rewrite (nth_map _ _ _ _ []) by lia. rewrite part_nth by auto. auto. }
    assert (Nv : nth j v 0%Z = (dotZ col c / 2 ^ 26)%Z).
    { unfold v. rewrite map_map. unfold columns. rewrite map_map. rewrite (nth_map _ _ _ _ 0%nat) by (rewrite seq_length; auto).
      rewrite seq_nth by auto. cbn [plus]. fold col. rewrite shr_is by lia. rewrite product_is; auto.
      eapply Z.le_lt_trans; [apply dot_bound with (most := most M); auto|exact Small].
      intros x I. unfold col in I. apply in_map_iff in I as (row & <- & I).
      assert (Ir : In row (rows M)).
      { rewrite <- (firstn_skipn (32 * h) (rows M)). apply in_or_app. right. rewrite <- (firstn_skipn 32 (skipn (32 * h) (rows M))). apply in_or_app. auto. }
      destruct (Nat.le_gt_cases (length row) j) as [G|G]; [rewrite nth_overflow by auto; lia|]. apply (Hb row); auto. apply nth_In; auto. }
    pose proof (sum_dot col c 32 ltac:(unfold col; rewrite map_length; lia)) as SD.
    unfold at24 at 2. rewrite Nv. pose proof (div_bounds (dotZ col c) (2 ^ 26) ltac:(lia)) as D. rewrite p26 in D.
    assert (E1 : Rabs (sum 32 (fun i => w (32 * h + i)%nat j * at24 c i) - IZR (dotZ col c) / (2 ^ 26 * 2 ^ 24)) <= / 2 ^ 26 * (IZR (l1 c) / 2 ^ 24)).
    { rewrite <- SD. replace (sum 32 (fun i => IZR (nth i col 0%Z) * IZR (nth i c 0%Z)) / (2 ^ 26 * 2 ^ 24)) with
        (sum 32 (fun i => IZR (nth i col 0%Z) / 2 ^ 26 * at24 c i)).
      2:{ unfold Rdiv at 2. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros. unfold at24. field. }
      rewrite <- sum_minus. eapply Rle_trans; [apply sum_abs|].
      apply Rle_trans with (sum 32 (fun i => / 2 ^ 26 * Rabs (at24 c i))).
      - apply sum_le. intros i I. rewrite <- Rmult_minus_distr_r, Rabs_mult. apply Rmult_le_compat_r; auto using Rabs_pos.
        rewrite Cn by auto. apply Fit; lia.
      - rewrite sum_scal. apply Rmult_le_compat_l; [lra|]. apply l1_sum. }
    apply abs_inv in E1. apply Rabs_le. lra. }
  pose proof (div_bounds (l1 c) (2 ^ 11) ltac:(lia)) as D. assert (P11 : IZR (2 ^ 11) = 2 ^ 11) by (rewrite (pow_IZR 2 11); reflexivity). rewrite P11 in D.
  assert (rd (2 ^ 15) = 8 * / 2 ^ 24) by (unfold rd; change (2 ^ 15)%Z with 32768%Z; lra).
  assert (8 * (/ 2 ^ 26 * (IZR (l1 c) / 2 ^ 24)) <= rd (l1 c / 2 ^ 11) + rd 1) by (unfold rd; lra). lra.
Qed.

Lemma across_len w M h c a r : (h < 2)%nat -> good 64 64 w M -> length c = 32%nat ->
  acrossZ (most M) (map (map of_Z) (columns (rows M) h)) c = Some (a, r) ->
  len 64 (fun j => sum 32 (fun i => w (32 * h + i)%nat j * at24 c i)) <= rd (lenZ a + r).
Proof.
  intros H G L E. pose proof (across_sound w M h c (a, r) H G L E) as S. cbn [fst snd] in S. rewrite rd_plus.
  rewrite (len_ext 64 _ (fun j => at24 a j + (sum 32 (fun i => w (32 * h + i)%nat j * at24 c i) - at24 a j))) by (intros; ring).
  eapply Rle_trans; [apply triangle|]. pose proof (up_len 64 a). lra.
Qed.

Definition zeros (n : nat) : list Z := repeat 0%Z n.
Lemma nth_zeros n i : nth i (zeros n) 0%Z = 0%Z.
Proof. unfold zeros. revert i. induction n; intros [|i]; simpl; auto. Qed.

(* Layers without a bias. *)
Definition plainZ (M : mat) (c : list Z) (r : Z) : option (list Z * Z * Z) := linZ 68 M c (zeros 64) (zeros 64) r 0 0.
Lemma plain_sound w M x y c r d r' own : good 64 64 w M -> linear 64 64 w zero zero x y -> (0 <= r)%Z ->
  len 64 (sub x (at24 c)) <= rd r -> plainZ M c r = Some (d, r', own) ->
  exists ov, (forall i, (i < 64)%nat -> y i - at24 d i = times 64 w (sub x (at24 c)) i + ov i) /\
    len 64 ov <= rd own /\ len 64 (sub y (at24 d)) <= rd r' /\ length d = 64%nat /\ (0 <= r')%Z /\ (0 <= own)%Z.
Proof.
  intros G L R X E.
  assert (Hz : forall z, In z (zeros 64) -> (0 <= z)%Z) by (intros z I; apply repeat_spec in I; lia).
  assert (Z0 : forall i, at24 (zeros 64) i = 0) by (intros; unfold at24; rewrite nth_zeros; lra).
  assert (L0 : len 64 (fun _ => 0) <= rd 0) by (rewrite len_const by lra; unfold rd; lra).
  assert (Hb : len 64 (sub zero (at24 (zeros 64))) <= rd 0).
  { rewrite (len_ext 64 _ (fun _ => 0)); auto. intros i _. unfold sub, zero. rewrite Z0. lra. }
  assert (He : exists se, (forall i, (i < 64)%nat -> zero i <= at24 (zeros 64) i + se i /\ 0 <= se i) /\ len 64 se <= rd 0).
  { exists (fun _ => 0). split; auto. intros i _. rewrite Z0. unfold zero. lra. }
  exact (lin_sound 68 64 64 w M zero zero x y c d (zeros 64) (zeros 64) r 0 0 r' own G ltac:(lia) L R (Z.le_refl 0) (Z.le_refl 0) X
    (repeat_length _ _) (repeat_length _ _) Hz Hb He E).
Qed.

(* ── Keys and values of a token, for both heads ── *)
Definition keysZ (D : blockZ) (x : list Z * Z) : option (list seenZ) :=
  match normZ (n1 D) (fst x) (snd x) with Some (y, ry) =>
  match plainZ (mk D) y ry, plainZ (mv D) y ry with Some (kc, kr, ko), Some (vc, vr, _) =>
  match acrossZ (most (mq D)) (nth 0 (tq D) []) (head 0 kc), acrossZ (most (mq D)) (nth 1 (tq D) []) (head 1 kc) with Some (a0, e0), Some (a1, e1) =>
    Some [Seen (head 0 kc) kr ko ry a0 e0 (head 0 vc) vr; Seen (head 1 kc) kr ko ry a1 e1 (head 1 vc) vr]
  | _, _ => None end | _, _ => None end | None => None end.
Definition centreN (D : blockZ) (x : list Z * Z) : list Z := match normZ (n1 D) (fst x) (snd x) with Some (y, _) => y | None => [] end.

Lemma head_len h c : (h < 2)%nat -> length c = 64%nat -> length (head h c) = 32%nat.
Proof. intros. unfold head. rewrite firstn_length, skipn_length. lia. Qed.
Lemma head_sub h f c r : (h < 2)%nat -> len 64 (sub f (at24 c)) <= rd r ->
  len 32 (sub (fun i => f (32 * h + i)%nat) (at24 (head h c))) <= rd r.
Proof.
  intros H L. eapply Rle_trans; [|exact L].
  rewrite (len_ext 32 _ (fun i => sub f (at24 c) (32 * h + i)%nat)).
  2:{ intros i I. unfold sub. rewrite at24_head; auto. }
  eapply Rle_trans; [apply len_head|]. apply len_more. lia.
Qed.

Lemma keys_sound B D x y k v c r ks : block_good B D -> (0 <= r)%Z -> len 64 (sub x (at24 c)) <= rd r ->
  normed 64 (scale1 B) (shift1 B) x y -> linear 64 64 (key B) zero zero y k -> linear 64 64 (value B) zero zero y v ->
  keysZ D (c, r) = Some ks ->
  forall h, (h < 2)%nat -> key_good (fun i => query B (32 * h + i)%nat) (fun i => key B (32 * h + i)%nat) y (at24 (centreN D (c, r)))
    (fun i => k (32 * h + i)%nat) (fun i => v (32 * h + i)%nat) (nth h ks nothing).
Proof.
  intros (N1 & _ & Gq & Gk & Gv & _ & _ & _ & _ & _ & Tq & _) R X Hy Hk Hv E h H.
  unfold keysZ in E. unfold centreN. cbn [fst snd] in *.
  destruct (normZ (n1 D) c r) as [(yc, ry)|] eqn:En; [|discriminate].
  destruct (norm_sound _ _ _ _ _ _ _ _ _ N1 Hy R X En) as (Y & Ly & Ry).
  destruct (plainZ (mk D) yc ry) as [((kc', kr'), ko')|] eqn:Ek; [|discriminate].
  destruct (plainZ (mv D) yc ry) as [((vc', vr'), vo')|] eqn:Ev; [|discriminate].
  destruct (plain_sound _ _ _ _ _ _ _ _ _ Gk Hk Ry Y Ek) as (ok & K1 & K2 & K3 & K4 & _).
  destruct (plain_sound _ _ _ _ _ _ _ _ _ Gv Hv Ry Y Ev) as (ov & V1 & V2 & V3 & V4 & _).
  destruct (acrossZ (most (mq D)) (nth 0 (tq D) []) (head 0 kc')) as [(a0, e0)|] eqn:E0; [|discriminate].
  destruct (acrossZ (most (mq D)) (nth 1 (tq D) []) (head 1 kc')) as [(a1, e1)|] eqn:E1; [|discriminate].
  assert (Es : ks = [Seen (head 0 kc') kr' ko' ry a0 e0 (head 0 vc') vr'; Seen (head 1 kc') kr' ko' ry a1 e1 (head 1 vc') vr']) by congruence.
  assert (A : forall a e, acrossZ (most (mq D)) (nth h (tq D) []) (head h kc') = Some (a, e) ->
    key_good (fun i => query B (32 * h + i)%nat) (fun i => key B (32 * h + i)%nat) y (at24 yc)
      (fun i => k (32 * h + i)%nat) (fun i => v (32 * h + i)%nat) (Seen (head h kc') kr' ko' ry a e (head h vc') vr')).
  { intros a e Ea. rewrite Tq in Ea by auto. unfold key_good. cbn [kc kr ko ts av ae vc vr]. repeat split.
    - exists (fun i => ok (32 * h + i)%nat). split.
      + intros i I. rewrite at24_head by auto. rewrite K1 by lia. unfold times. auto.
      + eapply Rle_trans; [apply len_head|]. eapply Rle_trans; [apply len_more|exact K2]. lia.
    - apply head_sub; auto.
    - exact Y.
    - apply (across_sound (query B) (mq D) h (head h kc') (a, e)); auto. apply head_len; auto.
    - apply head_sub; auto. }
  rewrite Es. destruct h as [|[|]]; [apply A; auto|apply A; auto|lia].
Qed.
