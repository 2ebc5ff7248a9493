(* What a block makes of each token of a sequence, in whole numbers. *)
Require Import Uint63 Bool Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear Normal Attend Blocks Gelu. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

Definition activeZ (c : list Z) (r : Z) : option (list Z * Z) :=
  if (maxabs c <=? widest)%Z then
    Some (map geluZ c, mul 77653790393 r + mul 49152 (lenZ c + r) + 16 * (1 + 2 ^ 16))%Z
  else None.
Lemma active_sound x y c r d r' : activated 256 x y -> (0 <= r)%Z -> length c = 256%nat -> len 256 (sub x (at24 c)) <= rd r ->
  activeZ c r = Some (d, r') -> len 256 (sub y (at24 d)) <= rd r' /\ length d = 256%nat /\ (0 <= r')%Z.
Proof.
  intros A R L X E. unfold activeZ in E. destruct (Z.leb_spec (maxabs c) widest) as [M|]; [|discriminate].
  assert (Ed : map geluZ c = d) by congruence.
  assert (Er : (mul 77653790393 r + mul 49152 (lenZ c + r) + 16 * (1 + 2 ^ 16))%Z = r') by congruence. clear E.
  pose proof tiny_small as (T0 & T1). pose proof (rd_pos _ R) as Rr. pose proof (up_len 256 c) as UL. pose proof (len_pos 256 (at24 c)).
  assert (Lz : (0 <= lenZ c)%Z) by (unfold lenZ; pose proof (Z.sqrt_nonneg (sqZ c * 2 ^ 24)); lia).
  assert (HL : len 256 (at24 c) + rd r <= rd (lenZ c + r)) by (rewrite rd_plus; lra).
  pose proof (activated_ball 256 x y (at24 c) (rd r) (113 / 100) (/ 2 ^ 20) (rd (lenZ c + r)) A X ltac:(lra) HL
    (fun i _ => gelu_steep (x i) (at24 c i)) (at24 d)) as AB.
  assert (Cl : forall i, (i < 256)%nat -> Rabs (gelu (at24 c i) - at24 d i) <= / 2 ^ 20).
  { intros i I. rewrite <- Ed. unfold at24 at 2. rewrite (nth_map _ _ _ _ 0%Z) by lia. unfold at24. apply gelu_close.
    eapply Z.le_trans; [apply maxabs_in, nth_In; lia|exact M]. }
  specialize (AB Cl ltac:(lra)). split; [|split].
  - eapply Rle_trans; [exact AB|]. rewrite <- Er. apply up_plus; [apply up_plus|].
    + apply up_mul; [lra|lra|unfold rd; lra|lra].
    + apply up_mul; [unfold u; lra|lra|unfold u, rd; lra|lra].
    + replace (sqrt (INR 256)) with 16.
      2:{ rewrite INR_IZR_INZ. change (IZR (Z.of_nat 256)) with 256. replace 256 with (16 * 16) by lra. rewrite sqrt_square; lra. }
      unfold rd. rewrite mult_IZR. change (1 + 2 ^ 16)%Z with 65537%Z. lra.
  - rewrite <- Ed, map_length. auto.
  - rewrite <- Er. pose proof (mul_pos 77653790393 r ltac:(lia) R). pose proof (mul_pos 49152 (lenZ c + r) ltac:(lia) ltac:(lia)). lia.
Qed.

Definition both (a b : list Z) : list Z := map (fun p => (fst p + snd p)%Z) (combine a b).
Lemma at24_both a b i : length a = length b -> (i < length a)%nat -> at24 (both a b) i = at24 a i + at24 b i.
Proof.
  intros L I. unfold at24, both. rewrite (nth_map _ _ _ _ (0%Z, 0%Z)) by (rewrite combine_length; lia).
  rewrite combine_nth by auto. cbn [fst snd]. rewrite plus_IZR. field.
Qed.
Lemma both_length a b : length a = length b -> length (both a b) = length a.
Proof. intros L. unfold both. rewrite map_length, combine_length. lia. Qed.
Lemma at24_abs c i : at24 (map Z.abs c) i = Rabs (at24 c i).
Proof. unfold at24. rewrite nth_abs, abs_IZR. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)); lra. Qed.

Definition mixR (a b : Z) : Z := (Z.sqrt (a * a + b * b) + 1)%Z.
Lemma mix_sound y a b ra rb : length a = 32%nat -> length b = 32%nat ->
  len 32 (sub (fun i => y (32 * 0 + i)%nat) (at24 a)) <= rd ra -> len 32 (sub (fun i => y (32 * 1 + i)%nat) (at24 b)) <= rd rb ->
  len 64 (sub y (at24 (a ++ b))) <= rd (mixR ra rb).
Proof.
  intros La Lb A B.
  pose proof (len_pos 32 (sub (fun i => y (32 * 0 + i)%nat) (at24 a))). pose proof (len_pos 32 (sub (fun i => y (32 * 1 + i)%nat) (at24 b))).
  unfold mixR, rd in *. rewrite plus_IZR. pose proof (sqrt_bounds (ra * ra + rb * rb) ltac:(nia)) as S. rewrite plus_IZR, !mult_IZR in S.
  apply Rle_trans with (sqrt (IZR ra * IZR ra + IZR rb * IZR rb) / 2 ^ 36); [|lra].
  apply len_below. { apply div_pos; [apply sqrt_pos|lra]. }
  set (q := sqrt (IZR ra * IZR ra + IZR rb * IZR rb)) in *.
  replace (q / 2 ^ 36 * (q / 2 ^ 36)) with (q * q / (2 ^ 36 * 2 ^ 36)) by (field).
  unfold q. rewrite sqrt_sqrt by nra.
  change 64%nat with (32 + 32)%nat. rewrite sum_split.
  assert (E1 : sum 32 (fun i => sub y (at24 (a ++ b)) i * sub y (at24 (a ++ b)) i) = 
    len 32 (sub (fun i => y (32 * 0 + i)%nat) (at24 a)) * len 32 (sub (fun i => y (32 * 0 + i)%nat) (at24 a))).
  { rewrite len_sq. apply sum_ext. intros i I. unfold sub, at24. rewrite app_nth1 by lia. auto. }
  assert (E2 : sum 32 (fun i => sub y (at24 (a ++ b)) (32 + i)%nat * sub y (at24 (a ++ b)) (32 + i)%nat) = 
    len 32 (sub (fun i => y (32 * 1 + i)%nat) (at24 b)) * len 32 (sub (fun i => y (32 * 1 + i)%nat) (at24 b))).
  { rewrite len_sq. apply sum_ext. intros i I. unfold sub, at24. rewrite app_nth2 by lia. rewrite La. 
    replace (32 + i - 32)%nat with i by lia. auto. }
  rewrite E1, E2.
  assert (len 32 (sub (fun i => y (32 * 0 + i)%nat) (at24 a)) * len 32 (sub (fun i => y (32 * 0 + i)%nat) (at24 a)) <= (IZR ra / 2 ^ 36) * (IZR ra / 2 ^ 36))
    by (apply Rmult_le_compat; auto).
  assert (len 32 (sub (fun i => y (32 * 1 + i)%nat) (at24 b)) * len 32 (sub (fun i => y (32 * 1 + i)%nat) (at24 b)) <= (IZR rb / 2 ^ 36) * (IZR rb / 2 ^ 36))
    by (apply Rmult_le_compat; auto). lra.
Qed.

Definition tokenZ (D : blockZ) (f : Z) (seen : list (list seenZ)) (x : list Z * Z) : option (list Z * Z) :=
  let (c, r) := x in
  match normZ (n1 D) c r with Some (y, ry) =>
  match plainZ (mq D) y ry with Some (q, qr', qo') =>
  match acrossZ (most (mk D)) (nth 0 (tk D) []) (head 0 q), acrossZ (most (mk D)) (nth 1 (tk D) []) (head 1 q) with Some (a0, e0), Some (a1, e1) =>
  match attendQ f (Ask (head 0 q) qr' qo' ry (lenZ a0 + e0)%Z) (map (fun ks => nth 0 ks nothing) seen),
        attendQ f (Ask (head 1 q) qr' qo' ry (lenZ a1 + e1)%Z) (map (fun ks => nth 1 ks nothing) seen) with Some (o0, r0), Some (o1, r1) =>
  match linZ 68 (mo D) (o0 ++ o1) c (map Z.abs c) (mixR r0 r1) r r with Some (z, zr, _) =>
  match normZ (n2 D) z zr with Some (i, ir) =>
  match linZ 68 (mu D) i (bl (bu D)) (bs (bu D)) ir (br (bu D)) 0 with Some (w, wr, _) =>
  match activeZ w wr with Some (g, gr) =>
  match linZ 260 (md D) g (both z (bl (bd D))) (both (map Z.abs z) (bs (bd D))) gr (zr + br (bd D)) zr with Some (x', r', _) =>
    Some (x', r')
  | None => None end | None => None end | None => None end | None => None end | None => None end
  | _, _ => None end | _, _ => None end | None => None end | None => None end.

Definition inside (x : nat -> R) (c : list Z * Z) : Prop :=
  length (fst c) = 64%nat /\ (0 <= snd c)%Z /\ len 64 (sub x (at24 (fst c))) <= rd (snd c).
Definition factor_good (t : nat) (f : Z) : Prop :=
  (0 <= f)%Z /\ IZR f / 2 ^ 32 <= ln (INR (S t)) / (2 * sqrt 32) <= (IZR f + 1) / 2 ^ 32.

Lemma sizes_of n x c r : len n (sub x (at24 c)) <= rd r ->
  exists se, (forall i, (i < n)%nat -> size x i <= at24 (map Z.abs c) i + se i /\ 0 <= se i) /\ len n se <= rd r.
Proof.
  intros X. exists (size (sub x (at24 c))). split.
  - intros i _. rewrite at24_abs. unfold size, sub. split; [|apply Rabs_pos].
    replace (x i) with (at24 c i + (x i - at24 c i)) at 1 by ring. apply Rabs_triang.
  - rewrite len_size. exact X.
Qed.
Lemma abs_all_pos c : forall z, In z (map Z.abs c) -> (0 <= z)%Z.
Proof. intros z I. apply in_map_iff in I as (w & <- & _). lia. Qed.
Lemma mixR_pos a b : (0 <= mixR a b)%Z.
Proof. unfold mixR. pose proof (Z.sqrt_nonneg (a * a + b * b)). lia. Qed.

Lemma token_sound B D start x x' t f seen c :
  block_good B D -> factor_good t f -> through B start x x' t -> inside (x t) c ->
  length seen = Float32.seen start t ->
  (forall s, (s < Float32.seen start t)%nat ->
     exists cs, inside (x (first_seen start t + s)%nat) cs /\ keysZ D cs = Some (nth s seen [])) ->
  forall d, tokenZ D f seen c = Some d -> inside (x' t) d.
Proof.
  intros G (F0 & F) (y & q & k & v & mixed & z & inner & g & KV & Q & At & Out & N2' & w & Up & Act & Down) (Lc & Rc & X) Ls Hs d E.
  pose proof G as (N1 & N2 & Gq & Gk & Gv & Go & Gu & Gd & Bu & Bd & Tq & Tk).
  destruct c as (c, r). cbn [fst snd] in *. unfold tokenZ in E.
  destruct (normZ (n1 D) c r) as [(yc, ry)|] eqn:En; [|discriminate].
  destruct (KV t (le_n t)) as (Hy & _ & _).
  destruct (norm_sound _ _ _ _ _ _ _ _ _ N1 Hy Rc X En) as (Y & Ly & Ry).
  destruct (plainZ (mq D) yc ry) as [((qv, qr'), qo')|] eqn:Eq; [|discriminate].
  destruct (plain_sound _ _ _ _ _ _ _ _ _ Gq Q Ry Y Eq) as (oq & Q1 & Q2 & Q3 & Q4 & _).
  destruct (acrossZ (most (mk D)) (nth 0 (tk D) []) (head 0 qv)) as [(a0, e0)|] eqn:E0; [|discriminate].
  destruct (acrossZ (most (mk D)) (nth 1 (tk D) []) (head 1 qv)) as [(a1, e1)|] eqn:E1; [|discriminate].
  destruct (attendQ f (Ask (head 0 qv) qr' qo' ry (lenZ a0 + e0)%Z) (map (fun ks => nth 0 ks nothing) seen)) as [(o0, r0)|] eqn:A0; [|discriminate].
  destruct (attendQ f (Ask (head 1 qv) qr' qo' ry (lenZ a1 + e1)%Z) (map (fun ks => nth 1 ks nothing) seen)) as [(o1, r1)|] eqn:A1; [|discriminate].
  apply attend_quick in A0, A1.
  assert (Hd : forall h a e o r', (h < 2)%nat -> acrossZ (most (mk D)) (nth h (tk D) []) (head h qv) = Some (a, e) ->
    attendZ f (Ask (head h qv) qr' qo' ry (lenZ a + e)%Z) (map (fun ks => nth h ks nothing) seen) = Some (o, r') ->
    len 32 (sub (fun i => mixed t (32 * h + i)%nat) (at24 o)) <= rd r' /\ length o = 32%nat).
  { intros h a e o r' H Ea Eo. rewrite Tk in Ea by auto.
    specialize (At h H). cbv zeta in At.
    set (keys := map (fun ks => nth h ks nothing) seen) in *.
    assert (Lk : length keys = Float32.seen start t) by (unfold keys; rewrite map_length; auto).
    rewrite <- Lk in At.
    assert (Hk : forall s, (s < length keys)%nat -> exists ycs, key_good (fun i => query B (32 * h + i)%nat) (fun i => key B (32 * h + i)%nat)
      (y (first_seen start t + s)%nat) ycs (fun i => k (first_seen start t + s)%nat (32 * h + i)%nat)
      (fun i => v (first_seen start t + s)%nat (32 * h + i)%nat) (nth s keys nothing)).
    { intros s S. destruct (Hs s ltac:(lia)) as ((cs, rs) & (Lcs & Rcs & Xs) & Ks). cbn [fst snd] in *.
      assert (Fs : (first_seen start t + s <= t)%nat) by (rewrite Lk in S; unfold Float32.seen, first_seen in *; destruct (t <? start)%nat; lia).
      destruct (KV _ Fs) as (Hy' & Hk' & Hv').
      exists (at24 (centreN D (cs, rs))). 
      replace (nth s keys nothing) with (nth h (nth s seen []) nothing).
      2:{ unfold keys. symmetry. rewrite (nth_map _ _ _ _ []); auto. unfold keys in S. rewrite map_length in S. auto. }
      apply (keys_sound B D (x (first_seen start t + s)%nat) (y (first_seen start t + s)%nat) (k (first_seen start t + s)%nat) (v (first_seen start t + s)%nat) cs rs); auto. }
    assert (exists ycf : nat -> nat -> R, forall s, (s < length keys)%nat -> key_good (fun i => query B (32 * h + i)%nat) (fun i => key B (32 * h + i)%nat)
      (y (first_seen start t + s)%nat) (ycf s) (fun i => k (first_seen start t + s)%nat (32 * h + i)%nat)
      (fun i => v (first_seen start t + s)%nat (32 * h + i)%nat) (nth s keys nothing)) as (ycf & Hy2).
    { clear - Hk. revert Hk. generalize (length keys). intros n0. induction n0 as [|n IH]; intros Hk. { exists (fun _ _ => 0). intros; lia. }
      destruct (IH (fun s S => Hk s ltac:(lia))) as (g0 & Hg). destruct (Hk n ltac:(lia)) as (last & Hl).
      exists (fun s => if (s =? n)%nat then last else g0 s). intros s S. destruct (Nat.eqb_spec s n) as [->|Ne]; auto. apply Hg. lia. }
    apply (attend_sound f (ln (INR (S t)) / (2 * sqrt 32)) (Ask (head h qv) qr' qo' ry (lenZ a + e)%Z) (fun i => query B (32 * h + i)%nat)
      (fun i => key B (32 * h + i)%nat) (fun i => q t (32 * h + i)%nat) (y t) (at24 yc)
      (fun s i => k (first_seen start t + s)%nat (32 * h + i)%nat) (fun s i => v (first_seen start t + s)%nat (32 * h + i)%nat)
      (fun s => y (first_seen start t + s)%nat) ycf (fun i => mixed t (32 * h + i)%nat) keys); auto; cbn [qc qr qo ty ak].
    - assert (0 <= IZR f / 2 ^ 32) by (apply div_pos; [apply IZR_le; auto|lra]). lra.
    - exists (fun i => oq (32 * h + i)%nat). split.
      + intros i I. rewrite at24_head by auto. rewrite Q1 by lia. auto.
      + eapply Rle_trans; [apply len_head|]. eapply Rle_trans; [apply len_more|exact Q2]. lia.
    - apply head_sub; auto.
    - apply (across_len (key B) (mk D) h (head h qv) a e); auto. apply head_len; auto.
    - rewrite head_len; auto.
    - rewrite Lk. unfold Float32.seen, first_seen. destruct (t <? start)%nat; lia. }
  destruct (Hd 0%nat a0 e0 o0 r0 ltac:(lia) E0 A0) as (M0 & L0). destruct (Hd 1%nat a1 e1 o1 r1 ltac:(lia) E1 A1) as (M1 & L1).
  pose proof (mix_sound (mixed t) o0 o1 r0 r1 L0 L1 M0 M1) as Mx. clear Hd.
  destruct (linZ 68 (mo D) (o0 ++ o1) c (map Z.abs c) (mixR r0 r1) r r) as [((zc, zr), zo)|] eqn:Eo; [|discriminate].
  assert (Lac : length (map Z.abs c) = 64%nat) by (rewrite map_length; auto).
  destruct (lin_sound 68 64 64 (Float32.out B) (mo D) (x t) (size (x t)) (mixed t) (z t) (o0 ++ o1) zc c (map Z.abs c) (mixR r0 r1) r r zr zo
    Go ltac:(lia) Out (mixR_pos _ _) Rc Rc Mx Lc Lac (abs_all_pos c) X (sizes_of 64 (x t) c r X) Eo) as (_ & _ & _ & Zs & Lz & Zp & _).
  destruct (normZ (n2 D) zc zr) as [(ic, ir)|] eqn:Ei; [|discriminate].
  destruct (norm_sound _ _ _ _ _ _ _ _ _ N2 N2' Zp Zs Ei) as (Is & Li & Ip).
  destruct (linZ 68 (mu D) ic (bl (bu D)) (bs (bu D)) ir (br (bu D)) 0) as [((wc, wr), wo)|] eqn:Eu; [|discriminate].
  destruct Bu as (Bu1 & Bu2 & Bu3 & Bu4 & Bu5 & Bu6).
  assert (SEu : exists se, (forall i, (i < 256)%nat -> size (up_bias B) i <= at24 (bs (bu D)) i + se i /\ 0 <= se i) /\ len 256 se <= rd 0).
  { exists (fun _ => 0). split. { intros i I. specialize (Bu6 i I). unfold size. lra. } rewrite len_const by lra. unfold rd. lra. }
  destruct (lin_sound 68 256 64 (up B) (mu D) (up_bias B) (size (up_bias B)) (inner t) w ic wc (bl (bu D)) (bs (bu D)) ir (br (bu D)) 0 wr wo
    Gu ltac:(lia) Up Ip Bu3 (Z.le_refl 0) Is Bu1 Bu2 Bu4 Bu5 SEu Eu) as (_ & _ & _ & Ws & Lw & Wp & _).
  destruct (activeZ wc wr) as [(gc, gr)|] eqn:Eg; [|discriminate].
  destruct (active_sound w (g t) wc wr gc gr Act Wp Lw Ws Eg) as (Gs & Lg & Gp).
  destruct (linZ 260 (md D) gc (both zc (bl (bd D))) (both (map Z.abs zc) (bs (bd D))) gr (zr + br (bd D)) zr) as [((xc, xr), xo)|] eqn:Ex; [|discriminate].
  destruct Bd as (Bd1 & Bd2 & Bd3 & Bd4 & Bd5 & Bd6).
  assert (Lb1 : length (both zc (bl (bd D))) = 64%nat) by (rewrite both_length; lia).
  assert (Lb2 : length (both (map Z.abs zc) (bs (bd D))) = 64%nat) by (rewrite both_length; rewrite map_length; lia).
  assert (Pb : forall s, In s (both (map Z.abs zc) (bs (bd D))) -> (0 <= s)%Z).
  { intros s I. unfold both in I. apply in_map_iff in I as ((a, b) & <- & I). cbn [fst snd]. pose proof (in_combine_l _ _ _ _ I) as I1.
    pose proof (in_combine_r _ _ _ _ I) as I2. apply abs_all_pos in I1. apply Bd4 in I2. lia. }
  assert (Sb : len 64 (sub (plus (z t) (down_bias B)) (at24 (both zc (bl (bd D))))) <= rd (zr + br (bd D))).
  { rewrite rd_plus. rewrite (len_ext 64 _ (fun i => sub (z t) (at24 zc) i + sub (down_bias B) (at24 (bl (bd D))) i)).
    - eapply Rle_trans; [apply triangle|]. lra.
    - intros i I. unfold sub, plus. rewrite at24_both by lia. ring. }
  assert (SEd : exists se, (forall i, (i < 64)%nat -> plus (size (z t)) (size (down_bias B)) i <= at24 (both (map Z.abs zc) (bs (bd D))) i + se i /\ 0 <= se i) /\ len 64 se <= rd zr).
  { destruct (sizes_of 64 (z t) zc zr Zs) as (se & S1 & S2). exists se. split; auto. intros i I. destruct (S1 i I) as (S3 & S4). split; auto.
    rewrite at24_both by (rewrite ?map_length; lia). specialize (Bd6 i I). unfold plus, size in *. lra. }
  destruct (lin_sound 260 64 256 (down B) (md D) (plus (z t) (down_bias B)) (plus (size (z t)) (size (down_bias B))) (g t) (x' t) gc xc
    (both zc (bl (bd D))) (both (map Z.abs zc) (bs (bd D))) gr (zr + br (bd D)) zr xr xo
    Gd ltac:(lia) Down Gp ltac:(lia) Zp Gs Lb1 Lb2 Pb Sb SEd Ex) as (_ & _ & _ & Xs & Lx & Xp & _).
  assert (d = (xc, xr)) by congruence. subst d. split; [|split]; auto.
Qed.
