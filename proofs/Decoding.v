(* From weights to texts: what makes whole numbers of a checkpoint's bits, and that a run of them decides each token. *)
Require Import Uint63 Bool String Reals Lra Lia Psatz ZArith List Machine Vectors Float32 Balls Fixed Linear Normal Attend Blocks Tokens Sequence Model Gram.
Import ListNotations.
Close Scope uint63_scope. Close Scope string_scope. Open Scope R_scope.

Lemma vector_near n bits : length bits = n -> forall i, (i < n)%nat -> Rabs (vector bits i - at26 (map fixed bits) i) <= / 2 ^ 26.
Proof.
  intros L i I. unfold vector, at26. rewrite (nth_map _ _ _ _ 0%uint63) by lia. apply weight_fixed.
Qed.
Definition normOf (g b : list int) : norm :=
  let gz := map fixed g in let bz := map fixed b in
  Norm gz bz ((maxabs gz + 1) * 2 ^ 10) (Z.sqrt (frobZ [bz] * 2 ^ 20) + 1).
Lemma frob1 l : frobZ [l] = total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z l).
Proof. unfold frobZ. simpl. lia. Qed.
Lemma norm_of_good g b : length g = 64%nat -> length b = 64%nat -> norm_good (vector g) (vector b) (normOf g b).
Proof.
  intros Lg Lb. unfold norm_good, normOf. cbv zeta. cbn [gains shifts gain shift_len].
  pose proof (vector_near 64 g Lg) as Ng. pose proof (vector_near 64 b Lb) as Nb.
  assert (Fp : (0 <= frobZ [map fixed b])%Z).
  { rewrite frob1. generalize (map fixed b). induction l; simpl; nia. }
  pose proof (maxabs_pos (map fixed g)). pose proof (Z.sqrt_nonneg (frobZ [map fixed b] * 2 ^ 20)).
  split; [split; [rewrite map_length; auto|auto]|]. split; [split; [rewrite map_length; auto|auto]|]. split; [lia|]. split; [lia|]. split.
  - intros i I. specialize (Ng i I). unfold at26 in Ng. assert (In (nth i (map fixed g) 0%Z) (map fixed g)) by (apply nth_In; rewrite map_length; lia).
    pose proof (maxabs_in _ _ H1) as M. apply IZR_le in M. rewrite abs_IZR in M. set (z := IZR (nth i (map fixed g) 0%Z)) in *.
    pose proof (Rabs_triang (vector g i - z / 2 ^ 26) (z / 2 ^ 26)) as T. replace (vector g i - z / 2 ^ 26 + z / 2 ^ 26) with (vector g i) in T by ring.
    rewrite abs_quotient in T. unfold rd. rewrite mult_IZR, plus_IZR. change (IZR (2 ^ 10)) with 1024. lra.
  - rewrite frob1. set (bz := map fixed b) in *. set (q := fun i => (IZR (Z.abs (nth i bz 0%Z)) + 1) / 2 ^ 26).
    apply Rle_trans with (len 64 q).
    { apply len_le. intros i I. specialize (Nb i I). unfold at26 in Nb. unfold q. rewrite abs_IZR. set (z := IZR (nth i bz 0%Z)) in *.
      pose proof (Rabs_triang (vector b i - z / 2 ^ 26) (z / 2 ^ 26)) as T. replace (vector b i - z / 2 ^ 26 + z / 2 ^ 26) with (vector b i) in T by ring.
      rewrite abs_quotient in T. lra. }
    rewrite frob1 in Fp. apply IZR_le in Fp as Fr.
    pose proof (sqrt_bounds (total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z bz) * 2 ^ 20) ltac:(lia)) as B. rewrite mult_IZR, p20 in B.
    unfold len. replace (sum 64 (fun i => q i * q i)) with (IZR (total (map (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z bz)) / 2 ^ 52).
    2:{ rewrite <- (fold_total' (fun x => (Z.abs x + 1) * (Z.abs x + 1))%Z bz).
        assert (L : length bz = 64%nat) by (unfold bz; rewrite map_length; auto). rewrite <- L.
        rewrite <- (sum_lists (fun x => IZR ((Z.abs x + 1) * (Z.abs x + 1))) bz 0%Z). rewrite over52, <- sum_scal. apply sum_ext. intros. unfold q.
        rewrite mult_IZR, plus_IZR. field. }
    set (F := IZR (total _)) in *. replace (F / 2 ^ 52) with (F * 2 ^ 20 * / (2 ^ 36 * 2 ^ 36)) by field.
    rewrite sqrt_mult_alt, sqrt_inv, sqrt_square by lra. unfold rd. rewrite plus_IZR. lra.
Qed.

Definition biasOf (b : list int) : biasZ := BiasZ (map (fun x => fixed x / 4)%Z b) (2 ^ 17) (map (fun x => (Z.abs (fixed x) + 1) / 4 + 1)%Z b).
Lemma bias_of_good n b : length b = n -> (n <= 256)%nat -> bias_good n (vector b) (biasOf b).
Proof.
  intros L N. pose proof (vector_near n b L) as Nb. unfold bias_good, biasOf. cbn [bl br bs]. rewrite !map_length.
  split; [auto|]. split; [auto|]. split; [lia|]. split; [|split].
  - intros z I. apply in_map_iff in I as (x & <- & _). pose proof (Z.div_pos (Z.abs (fixed x) + 1) 4 ltac:(lia) ltac:(lia)). lia.
  - apply Rle_trans with (sqrt (INR n) * / 2 ^ 23).
    + apply len_bound; [lra|]. intros i I. specialize (Nb i I). unfold at26 in Nb. unfold sub, at24.
      rewrite (nth_map _ _ _ _ 0%uint63) in Nb by lia. rewrite (nth_map _ _ _ _ 0%uint63) by lia.
      set (f := fixed (nth i b 0%uint63)) in *. pose proof (div_bounds f 4 ltac:(lia)) as D. apply abs_inv in Nb. apply Rabs_le. lra.
    + assert (sqrt (INR n) <= 16).
      { rewrite <- (sqrt_square 16) by lra. apply sqrt_le_1_alt. apply le_INR in N. rewrite (INR_IZR_INZ 256) in N. change (IZR (Z.of_nat 256)) with 256 in N. lra. }
      unfold rd. change (2 ^ 17)%Z with 131072%Z. lra.
  - intros i I. specialize (Nb i I). unfold at26 in Nb. unfold at24. rewrite (nth_map _ _ _ _ 0%uint63) in Nb by lia. rewrite (nth_map _ _ _ _ 0%uint63) by lia.
    set (f := fixed (nth i b 0%uint63)) in *. pose proof (div_bounds (Z.abs f + 1) 4 ltac:(lia)) as D. rewrite !plus_IZR, abs_IZR in *.
    pose proof (Rabs_triang (vector b i - IZR f / 2 ^ 26) (IZR f / 2 ^ 26)) as T. replace (vector b i - IZR f / 2 ^ 26 + IZR f / 2 ^ 26) with (vector b i) in T by ring.
    rewrite abs_quotient in T. lra.
Qed.

(* ── The factors of attention ── *)
Definition factorOK (t : nat) (f : Z) : bool :=
  if (t =? 0)%nat then (f =? 0)%Z else
  let k := (Z.of_nat t + 1)%Z in
  let a := (f * 2 ^ 8 * 11313708498984760391 / 10 ^ 18 + 1)%Z in let b := ((f + 1) * 2 ^ 8 * 11313708498984760390 / 10 ^ 18)%Z in
  (0 <=? f)%Z && (a <=? 2 ^ 80)%Z && (2 ^ 80 <=? squares 40 0 (2 ^ 80 - a) * k)%Z && (squares 40 1 (2 ^ 80 - b + (b * b / 2 ^ 80 + 1)) * k <=? 2 ^ 80)%Z.
Lemma factor_ok t f : factorOK t f = true -> factor_good t f.
Proof.
  unfold factorOK, factor_good. destruct (Nat.eqb_spec t 0) as [->|Nz].
  - intros E. apply Z.eqb_eq in E. subst f. split; [lia|]. simpl INR. rewrite ln_1. unfold Rdiv. rewrite !Rmult_0_l. lra.
  - cbv zeta. intros E. apply andb_prop in E as (E & U). apply andb_prop in E as (E & L). apply andb_prop in E as (F & A).
    apply Z.leb_le in F, A, L, U. split; auto.
    set (a := (f * 2 ^ 8 * 11313708498984760391 / 10 ^ 18 + 1)%Z) in *. set (b := ((f + 1) * 2 ^ 8 * 11313708498984760390 / 10 ^ 18)%Z) in *.
    assert (S32 : 11313708498984760390 / 10 ^ 18 <= 2 * sqrt 32 <= 11313708498984760391 / 10 ^ 18).
    { replace (2 * sqrt 32) with (sqrt 128).
      2:{ replace 128 with (2 * 2 * 32) by lra. rewrite sqrt_mult, sqrt_square by lra. auto. }
      split.
      - rewrite <- (sqrt_square (11313708498984760390 / 10 ^ 18)) by lra. apply sqrt_le_1_alt. lra.
      - rewrite <- (sqrt_square (11313708498984760391 / 10 ^ 18)) by lra. apply sqrt_le_1_alt. lra. }
    assert (K : INR (S t) = IZR (Z.of_nat t + 1)) by (rewrite INR_IZR_INZ; f_equal; lia). 
    set (k := (Z.of_nat t + 1)%Z) in *. assert (Kp : (0 < k)%Z) by lia. apply IZR_lt in Kp. apply IZR_le in F as Fr.
    assert (P9 : IZR (10 ^ 18) = 10 ^ 18) by (rewrite (pow_IZR 10 18); reflexivity). assert (P8 : IZR (2 ^ 8) = 2 ^ 8) by (rewrite (pow_IZR 2 8); reflexivity).
    pose proof (div_bounds (f * 2 ^ 8 * 11313708498984760391) (10 ^ 18) ltac:(lia)) as Da. pose proof (div_bounds ((f + 1) * 2 ^ 8 * 11313708498984760390) (10 ^ 18) ltac:(lia)) as Db.
    rewrite !mult_IZR, P9, P8 in Da, Db. rewrite plus_IZR in Db.
    assert (Ea : IZR a = IZR (f * 2 ^ 8 * 11313708498984760391 / 10 ^ 18) + 1) by (unfold a; rewrite plus_IZR; auto). fold b in Db.
    apply IZR_le in L, U. rewrite mult_IZR, p80 in L, U.
    assert (B0 : (0 <= b)%Z) by (unfold b; apply Z.div_pos; lia). apply IZR_le in B0 as Br.
    destruct (squares_low 40 (2 ^ 80 - a) (- (IZR a / 2 ^ 80)) ltac:(lia)) as (Q0 & Q1).
    { rewrite minus_IZR, p80. pose proof (exp_above_line (- (IZR a / 2 ^ 80))). lra. }
    assert (Q2 : exp (2 ^ 40 * - (IZR b / 2 ^ 80)) <= IZR (squares 40 1 (2 ^ 80 - b + (b * b / 2 ^ 80 + 1))) / 2 ^ 80).
    { apply squares_high. pose proof (div_bounds (b * b) (2 ^ 80) ltac:(lia)) as D. rewrite mult_IZR, p80 in D.
      pose proof (exp_below_square (IZR b / 2 ^ 80) ltac:(apply div_pos; lra)). rewrite !plus_IZR, minus_IZR, p80. lra. }
    set (lo := IZR (squares 40 0 (2 ^ 80 - a))) in *. set (hi := IZR (squares 40 1 (2 ^ 80 - b + (b * b / 2 ^ 80 + 1)))) in *.
    replace (2 ^ 40 * - (IZR a / 2 ^ 80)) with (- (IZR a / 2 ^ 40)) in Q1 by field. replace (2 ^ 40 * - (IZR b / 2 ^ 80)) with (- (IZR b / 2 ^ 40)) in Q2 by field.
    rewrite exp_Ropp in Q1, Q2. pose proof (exp_pos (IZR a / 2 ^ 40)) as Xa. pose proof (exp_pos (IZR b / 2 ^ 40)) as Xb.
    assert (Ca : exp (IZR a / 2 ^ 40) <= IZR k).
    { apply Rmult_le_reg_l with (/ exp (IZR a / 2 ^ 40)); [apply Rinv_0_lt_compat; auto|]. rewrite Rinv_l by lra.
      apply Rle_trans with (lo / 2 ^ 80 * IZR k); [lra|]. apply Rmult_le_compat_r; lra. }
    assert (Cb : IZR k <= exp (IZR b / 2 ^ 40)).
    { apply Rmult_le_reg_l with (/ exp (IZR b / 2 ^ 40)); [apply Rinv_0_lt_compat; auto|]. rewrite Rinv_l by lra.
      apply Rle_trans with (hi / 2 ^ 80 * IZR k); [|lra]. apply Rmult_le_compat_r; lra. }
    assert (La : IZR a / 2 ^ 40 <= ln (IZR k)).
    { rewrite <- (ln_exp (IZR a / 2 ^ 40)). destruct Ca as [Ca|Ca]; [left; apply ln_increasing; auto|rewrite Ca; lra]. }
    assert (Lb : ln (IZR k) <= IZR b / 2 ^ 40).
    { rewrite <- (ln_exp (IZR b / 2 ^ 40)). destruct Cb as [Cb|Cb]; [left; apply ln_increasing; auto|rewrite Cb; lra]. }
    rewrite K. set (s := 2 * sqrt 32) in *. set (l := ln (IZR k)) in *. assert (Sp : 0 < s) by lra. split.
    + apply Rmult_le_reg_r with s; auto. unfold Rdiv at 2. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with (IZR f / 2 ^ 32 * (11313708498984760391 / 10 ^ 18)); [apply Rmult_le_compat_l; [apply div_pos; lra|lra]|]. lra.
    + apply Rmult_le_reg_r with s; auto. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      apply Rle_trans with ((IZR f + 1) / 2 ^ 32 * (11313708498984760390 / 10 ^ 18)); [lra|]. apply Rmult_le_compat_l; [apply div_pos; lra|lra].
Qed.

(* ── The network. Witnesses: for each matrix, a bound and the rows of L. ── *)
Definition witness := (Z * list (list int))%type.
Definition blockOf (b : block_words) (r : list Z) : blockZ :=
  let q := make (third 0 (w_qkv b)) (nth 0 r 0%Z) in let k := make (third 1 (w_qkv b)) (nth 1 r 0%Z) in
  BlockZ (normOf (w_norm1 b) (w_shift1 b)) q k (make (third 2 (w_qkv b)) (nth 2 r 0%Z)) (make (w_out b) (nth 3 r 0%Z))
    (normOf (w_norm2 b) (w_shift2 b)) (make (w_up b) (nth 4 r 0%Z)) (biasOf (w_upb b)) (make (w_down b) (nth 5 r 0%Z)) (biasOf (w_downb b))
    (map (fun h => map (map of_Z) (columns (rows q) h)) [0; 1]%nat) (map (fun h => map (map of_Z) (columns (rows k) h)) [0; 1]%nat).
Definition blockOK (b : block_words) (r : list Z) (ls : list (list (list int))) : bool :=
  let ok n m w i := makeOK n m w (nth i ls []) (nth i r 0%Z) in
  (length (w_norm1 b) =? 64)%nat && (length (w_shift1 b) =? 64)%nat && (length (w_norm2 b) =? 64)%nat && (length (w_shift2 b) =? 64)%nat &&
  (length (w_upb b) =? 256)%nat && (length (w_downb b) =? 64)%nat &&
  ok 64%nat 64%nat (third 0 (w_qkv b)) 0%nat && ok 64%nat 64%nat (third 1 (w_qkv b)) 1%nat && ok 64%nat 64%nat (third 2 (w_qkv b)) 2%nat &&
  ok 64%nat 64%nat (w_out b) 3%nat && ok 256%nat 64%nat (w_up b) 4%nat && ok 64%nat 256%nat (w_down b) 5%nat.
Opaque make makeOK.
Lemma block_of_good b r ls : blockOK b r ls = true -> block_good (block_of b) (blockOf b r).
Proof.
  unfold blockOK. cbv zeta. intros H. repeat (apply andb_prop in H as (H & ?)).
  repeat match goal with E : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in E end.
  unfold block_good, blockOf, block_of. cbv zeta. cbn [scale1 shift1 query key value out scale2 shift2 up up_bias down down_bias n1 n2 mq mk mv mo mu md bu bd tq tk].
  do 2 (split; [apply norm_of_good; assumption|]).
  do 6 (split; [match goal with E : makeOK _ _ ?w _ _ = true |- good _ _ (matrix ?w) _ => exact (make_good _ _ _ _ _ E) end|]).
  split; [apply bias_of_good; [assumption|lia]|]. split; [apply bias_of_good; [assumption|lia]|].
  split; intros h Hh; destruct h as [|[|]]; try lia; cbn [nth map]; reflexivity.
Qed.
Definition netOf (w : words) (r : list (list Z)) (rs rt : Z) : netZ :=
  NetZ (fixedM (w_tokens w)) (fixedM (w_fields w)) (fixedM (w_places w)) (make (w_shifts w) rs)
    (map (fun p => blockOf (fst p) (snd p)) (combine (w_blocks w) r)) (normOf (w_norm w) (w_bias w)) (make (w_tokens w) rt).
Definition netOK (V : nat) (w : words) (r : list (list Z)) (ls : list (list (list (list int)))) (rs rt : Z) (lsh lt : list (list int)) : bool :=
  makeOK 64 64 (w_shifts w) lsh rs && makeOK V 64 (w_tokens w) lt rt && (length (w_norm w) =? 64)%nat && (length (w_bias w) =? 64)%nat &&
  (length r =? length (w_blocks w))%nat && (length ls =? length (w_blocks w))%nat &&
  forallb (fun p => blockOK (fst (fst p)) (snd (fst p)) (snd p)) (combine (combine (w_blocks w) r) ls).
Lemma net_of_good V w r ls rs rt lsh lt : netOK V w r ls rs rt lsh lt = true -> net_good V (network_of w) (netOf w r rs rt).
Proof.
  unfold netOK. intros H. repeat (apply andb_prop in H as (H & ?)).
  repeat match goal with E : (_ =? _)%nat = true |- _ => apply Nat.eqb_eq in E end.
  assert (Row : forall bits i, fits 1 64 (fun _ => matrix bits i) [nth i (fixedM bits) []]).
  { intros bits i a j Ha _. assert (a = 0)%nat by lia. subst a. unfold entry at 1. cbn [nth]. fold (entry (fixedM bits) i j). rewrite entry_fixed. apply weight_fixed. }
  unfold net_good, network_of, netOf. cbn [tokens fields places shift blocks scale bias tokensZ fieldsZ placesZ msh blocksZ nf mlog].
  split; [intros; apply Row|]. split; [intros; apply Row|]. split; [intros; apply Row|]. split; [match goal with E : makeOK _ _ ?w _ _ = true |- good _ _ (matrix ?w) _ => exact (make_good _ _ _ _ _ E) end|].
  split; [|split; [apply norm_of_good; assumption|match goal with E : makeOK _ _ ?w _ _ = true |- good _ _ (matrix ?w) _ => exact (make_good _ _ _ _ _ E) end]].
  match goal with E : forallb _ _ = true |- _ => rename E into Fb end.
  assert (G : forall bs r ls, length r = length bs -> length ls = length bs ->
    forallb (fun p => blockOK (fst (fst p)) (snd (fst p)) (snd p)) (combine (combine bs r) ls) = true ->
    Forall2 block_good (map block_of bs) (map (fun p => blockOf (fst p) (snd p)) (combine bs r))).
  { clear. induction bs as [|b bs IH]; intros [|x r] [|l ls] L1' L2' F; simpl in *; try lia; constructor.
    - apply andb_prop in F as (F & _). apply (block_of_good b x l F).
    - apply andb_prop in F as (_ & F). apply (IH r ls); auto. }
  apply (G _ r ls); assumption.
Qed.

(* ── Decoding ── *)
Definition embAt (W : netZ) (row : list token3) (t : nat) : option ball :=
  match embZ W (match t with O => None | S s => nth_error row s end) (nth t row (0, 0, 0)%nat) with Some (d, r, _) => Some (d, r) | None => None end.
Definition decides (voc : list string) (W : netZ) (fs : list Z) (context target : list nat) : bool :=
  let V := length voc in let start := (length context - 1)%nat in
  let full := context ++ target ++ [2%nat] in
  let row := counted voc 0 0 (context ++ target) in
  match all (map (embAt W row) (seq 0 (length row))) with
  | Some xs =>
      match blocksRun (blocksZ W) fs start xs with
      | Some ys => forallb (fun k => aheadZ W V (nth (start + k) ys none) (nth (start + k + 1) full 0%nat)) (seq 0 (length target + 1))
      | None => false
      end
  | None => false
  end && forallb (fun i => (i <? V)%nat && negb (i =? 2)%nat) target && (2 <? V)%nat && (1 <=? length context)%nat &&
  forallb (fun t => factorOK t (nth t fs 0%Z)) (seq 0 (length context + length target)) && (length context + length target <? 512)%nat.

Lemma counted_length voc l : forall f p, length (counted voc f p l) = length l.
Proof. induction l; simpl; auto. Qed.
Lemma counted_firstn voc l : forall n f p, counted voc f p (firstn n l) = firstn n (counted voc f p l).
Proof. induction l as [|i l IH]; intros [|n] f p; simpl; auto. f_equal. apply IH. Qed.
Lemma nth_error_firstn' {A} (l : list A) : forall n t, (t < n)%nat -> nth_error (firstn n l) t = nth_error l t.
Proof. induction l as [|x l IH]; intros [|n] [|t] H; simpl; auto; try lia. apply IH. lia. Qed.

Section Decides.
Variables (voc : list string) (net : network) (W : netZ) (fs : list Z).
Hypothesis G : net_good (length voc) net W.

Lemma next_decided context target : decides voc W fs context target = true ->
  forall k t, (k <= length target)%nat ->
  continues voc net (length context - 1) (context ++ firstn k target) t -> t = nth k (target ++ [2%nat]) 0%nat.
Proof.
  intros H k t K (Tv & logits & (x & final & y & Em & Ps & Nm & Lg) & Mx). unfold decides in H. cbv zeta in H.
  apply andb_prop in H as (H & L5). apply andb_prop in H as (H & Ff). apply andb_prop in H as (H & L1'). apply andb_prop in H as (H & V2). apply andb_prop in H as (H & Tg).
  apply Nat.leb_le in L1'. apply Nat.ltb_lt in V2. rewrite forallb_forall in Ff, Tg.
  set (start := (length context - 1)%nat) in *. set (row := counted voc 0 0 (context ++ target)) in *.
  assert (Lr : length row = (length context + length target)%nat) by (unfold row; rewrite counted_length, app_length; auto).
  assert (Lr2 : @length token3 row = (length context + length target)%nat) by exact Lr.
  destruct (all (map (embAt W row) (seq 0 (length row)))) as [xs|] eqn:Ex; [|discriminate].
  destruct (blocksRun (blocksZ W) fs start xs) as [ys|] eqn:Ey; [|discriminate]. rewrite forallb_forall in H.
  destruct (all_map _ (seq 0 (length row)) 0%nat none xs Ex) as (Lx & Hx). rewrite seq_length in Lx, Hx.
  assert (Sd : start = (length context - 1)%nat) by reflexivity.
  set (n := (length context + k)%nat). assert (Nd : n = (length context + k)%nat) by reflexivity. set (ids := context ++ firstn k target) in *.
  assert (Ids : ids = firstn n (context ++ target)).
  { unfold ids, n. rewrite firstn_app. rewrite (@firstn_all2 nat (length context + k) context) by lia. replace (length context + k - length context)%nat with k by lia. auto. }
  assert (Ln : length (counted voc 0 0 ids) = n).
  { rewrite counted_length, Ids, firstn_length, app_length. lia. }
  rewrite Ln in Ps, Nm. rewrite Ids, counted_firstn in Em. fold row in Em.
  assert (Xi : forall s, (s < n)%nat -> inside (x s) (nth s xs none)).
  { intros s S0. specialize (Hx s ltac:(lia)). rewrite seq_nth in Hx by lia. cbn [Nat.add] in Hx. unfold embAt in Hx.
    specialize (Em s (nth s row (0, 0, 0)%nat)). rewrite nth_error_firstn' in Em by auto. 
    assert (Sr : (s < length row)%nat) by lia. specialize (Em (nth_error_nth' row _ Sr)).
    match type of Hx with match ?e with _ => _ end = _ => destruct e as [((d, r), ow)|] eqn:Ez end; [|discriminate].
    assert (Eq : nth s xs none = (d, r)) by congruence. rewrite Eq.
    eapply (emb_sound (length voc) net W); [exact G| |exact Ez].
    destruct s; [exact Em|]. rewrite nth_error_firstn' in Em by lia. exact Em. }
  destruct (blocks_sound (blocks net) (blocksZ W) fs start n x final xs ys) as (Ly & Hy); auto; try lia.
  { apply G. }
  { intros s S0. apply factor_ok, Ff, in_seq. lia. }
  assert (Ik : In k (seq 0 (length target + 1))) by (apply in_seq; lia). specialize (H k Ik).
  assert (Nt : nth (start + k + 1) (context ++ target ++ [2%nat]) 0%nat = nth k (target ++ [2%nat]) 0%nat).
  { rewrite app_nth2 by lia. f_equal. lia. }
  rewrite Nt in H. set (a := nth k (target ++ [2%nat]) 0%nat) in *.
  assert (Av : (a < length voc)%nat).
  { unfold a. assert (In (nth k (target ++ [2%nat]) 0%nat) (target ++ [2%nat])) as I by (apply nth_In; rewrite app_length; simpl; lia).
    apply in_app_iff in I as [I|[I|[]]]; [specialize (Tg _ I); apply andb_prop in Tg as (Tg & _); apply Nat.ltb_lt; auto|lia]. }
  assert (Fi : inside (final (n - 1)%nat) (nth (start + k) ys none)).
  { replace (start + k)%nat with (n - 1)%nat by lia. apply Hy. lia. }
  destruct (Nat.eq_dec t a) as [->|Ne]; auto. exfalso.
  pose proof (ahead_sound (length voc) net W (nth (start + k) ys none) (final (n - 1)%nat) y logits a G Fi Av Nm Lg H t Tv Ne) as A.
  specialize (Mx a Av). lra.
Qed.

Lemma generates_target context target : decides voc W fs context target = true ->
  forall fuel k out, (k <= length target)%nat -> (length target - k < fuel)%nat ->
  generates voc net fuel (length context - 1) (context ++ firstn k target) out -> out = Some (skipn k target).
Proof.
  intros H. induction fuel as [|fuel IH]; intros k out K F Gn; [lia|]. destruct Gn as (t & C & Gn).
  pose proof (next_decided context target H k t K C) as E.
  pose proof H as H'. unfold decides in H'. cbv zeta in H'. apply andb_prop in H' as (H' & _). apply andb_prop in H' as (H' & _). apply andb_prop in H' as (H' & _).
  apply andb_prop in H' as (H' & _). apply andb_prop in H' as (_ & Tg). rewrite forallb_forall in Tg.
  destruct (Nat.eq_dec k (length target)) as [->|Nk].
  - rewrite app_nth2, Nat.sub_diag in E by lia. simpl in E. subst t. simpl in Gn. subst out. rewrite skipn_all. auto.
  - rewrite app_nth1 in E by lia. assert (In t target) as It by (subst t; apply nth_In; lia).
    specialize (Tg t It). apply andb_prop in Tg as (_ & Tg). destruct (Nat.eqb_spec t 2) as [->|]; [discriminate|].
    destruct Gn as (rest & Gn & ->).
    assert (Sk : firstn k target ++ [t] = firstn (S k) target).
    { rewrite E. clear - Nk K. revert k Nk K. induction target as [|a l IH]; intros k Nk K; simpl in *; [lia|]. destruct k; simpl; auto. f_equal. apply IH; lia. }
    rewrite <- app_assoc, Sk in Gn. apply IH in Gn; [|lia|lia]. subst rest. simpl. f_equal.
    rewrite E. clear - Nk K. revert k Nk K. induction target as [|a l IH]; intros k Nk K; simpl in *; [lia|]. destruct k; simpl; auto. apply IH; lia.
Qed.

Definition answers (newline : nat) (prompt target : string) (ids : list nat) : bool :=
  match encode voc prompt with
  | Some p => decides voc W fs (1 :: p ++ [newline])%nat ids && (decode voc ids =? target)%string
  | None => false
  end.
Lemma answer_is newline prompt target ids r : answers newline prompt target ids = true ->
  responds voc net newline prompt r -> r = Some target.
Proof.
  unfold answers, responds. destruct (encode voc prompt) as [p|]; [|discriminate]. intros H (out & Gn & ->). cbv zeta in Gn.
  apply andb_prop in H as (H & D). apply String.eqb_eq in D. set (context := (1 :: p ++ [newline])%nat) in *.
  pose proof H as H'. unfold decides in H'. cbv zeta in H'. apply andb_prop in H' as (_ & L5). apply Nat.ltb_lt in L5.
  pose proof (generates_target context ids H (512 - length context) 0 out ltac:(lia) ltac:(lia)) as X. simpl firstn in X. rewrite app_nil_r in X.
  specialize (X Gn). subst out. simpl. rewrite D. auto.
Qed.
End Decides.
