(* Sequences in whole numbers: embeddings, all blocks, and how far one logit is above the others. *)
Require Import Uint63 Bool Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear Normal Attend Blocks Tokens. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

Fixpoint all {A} (l : list (option A)) : option (list A) :=
  match l with
  | [] => Some []
  | Some x :: r => match all r with Some m => Some (x :: m) | None => None end
  | None :: _ => None
  end.
Lemma all_nth {A} (d : A) l : forall m, all l = Some m -> length m = length l /\ forall i, (i < length l)%nat -> nth_error l i = Some (Some (nth i m d)).
Proof.
  induction l as [|[x|] l IH]; intros m E; simpl in E; try discriminate.
  - injection E as <-. split; auto. simpl. lia.
  - destruct (all l) as [m'|]; [|discriminate]. injection E as <-. destruct (IH m' eq_refl) as (L & H).
    split; [simpl; auto|]. intros [|i] I; simpl in *; auto. apply H. lia.
Qed.
Lemma all_map {A B} (f : A -> option B) l d e m : all (map f l) = Some m ->
  length m = length l /\ forall i, (i < length l)%nat -> f (nth i l d) = Some (nth i m e).
Proof.
  intros E. destruct (all_nth e _ _ E) as (L & H). rewrite map_length in *. split; auto. intros i I.
  specialize (H i I). rewrite nth_error_map in H. rewrite (nth_error_nth' l d I) in H. simpl in H. congruence.
Qed.

Notation ball := (list Z * Z)%type.
Definition none : ball := ([], 0%Z).
Definition seenL (start t : nat) (ks : list (list seenZ)) : list (list seenZ) :=
  if (t <? start)%nat then [nth t ks []] else firstn (S t) ks.
Definition blockRun (D : blockZ) (fs : list Z) (start : nat) (xs : list ball) : option (list ball) :=
  match all (map (keysZ D) xs) with
  | Some ks => all (map (fun t => tokenZ D (nth t fs 0%Z) (seenL start t ks) (nth t xs none)) (seq 0 (length xs)))
  | None => None
  end.
Fixpoint blocksRun (Ds : list blockZ) (fs : list Z) (start : nat) (xs : list ball) : option (list ball) :=
  match Ds with [] => Some xs | D :: rest => match blockRun D fs start xs with Some ys => blocksRun rest fs start ys | None => None end end.

Lemma block_sound B D fs start n x x' xs ys : block_good B D -> (forall t, (t < length xs)%nat -> factor_good t (nth t fs 0%Z)) ->
  (n <= length xs)%nat -> (forall t, (t < n)%nat -> inside (x t) (nth t xs none)) ->
  (forall t, (t < n)%nat -> through B start x x' t) -> blockRun D fs start xs = Some ys ->
  length ys = length xs /\ forall t, (t < n)%nat -> inside (x' t) (nth t ys none).
Proof.
  intros G F N X T E. unfold blockRun in E. destruct (all (map (keysZ D) xs)) as [ks|] eqn:Ek; [|discriminate].
  destruct (all_map (keysZ D) xs none [] ks Ek) as (Lk & Hk).
  destruct (all_map _ (seq 0 (length xs)) 0%nat none ys E) as (Ly & Hy). rewrite seq_length in Ly, Hy.
  split; auto. intros t I. specialize (Hy t ltac:(lia)). rewrite seq_nth in Hy by lia. cbn [Nat.add] in Hy.
  apply (token_sound B D start x x' t (nth t fs 0%Z) (seenL start t ks) (nth t xs none)); auto.
  - apply F. lia.
  - unfold seenL, Float32.seen, first_seen. destruct (t <? start)%nat; [cbn [length]; lia|]. rewrite firstn_length. lia.
  - intros s Hs0. exists (nth (first_seen start t + s) xs none).
    assert (Fs : (first_seen start t + s <= t)%nat) by (unfold Float32.seen, first_seen in *; destruct (t <? start)%nat; lia).
    split; [apply X; lia|]. rewrite Hk by lia. f_equal.
    unfold seenL, Float32.seen, first_seen in *. destruct (t <? start)%nat.
    + assert (s = 0)%nat by lia. subst s. rewrite Nat.add_0_r. auto.
    + cbn [plus]. rewrite <- (firstn_skipn (S t) ks) at 1. rewrite app_nth1; auto. rewrite firstn_length. lia.
Qed.
Lemma blocks_sound Bs : forall Ds fs start n x final xs ys, Forall2 block_good Bs Ds ->
  (forall t, (t < length xs)%nat -> factor_good t (nth t fs 0%Z)) ->
  (n <= length xs)%nat -> (forall t, (t < n)%nat -> inside (x t) (nth t xs none)) ->
  passes Bs start n x final -> blocksRun Ds fs start xs = Some ys ->
  length ys = length xs /\ forall t, (t < n)%nat -> inside (final t) (nth t ys none).
Proof.
  induction Bs as [|B Bs IH]; intros Ds fs start n x final xs ys G F N X P E; inversion G; subst; simpl in P, E.
  - injection E as <-. split; auto. intros t I. destruct (X t I) as (A1 & A2 & A3). split; [|split]; auto.
    rewrite (len_ext 64 _ (sub (x t) (at24 (fst (nth t xs none))))); auto. intros i J. unfold sub. rewrite P; auto.
  - destruct P as (x' & T & P). destruct (blockRun y fs start xs) as [ms|] eqn:Em; [|discriminate].
    destruct (block_sound B y fs start n x x' xs ms) as (Lm & Xm); auto.
    destruct (IH l' fs start n x' final ms ys) as (L & H); auto; try lia.
    { intros t I. apply F. lia. } split; [lia|auto].
Qed.

(* ── Embeddings ── *)
Lemma abs_quotient x : Rabs (x / 2 ^ 26) = Rabs x / 2 ^ 26.
Proof. unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)); lra. Qed.
Record netZ := NetZ { tokensZ : list (list Z); fieldsZ : list (list Z); placesZ : list (list Z); msh : mat; blocksZ : list blockZ;
  nf : norm; mlog : mat }.
Definition token3 := (nat * nat * nat)%type.
Definition threeZ (W : netZ) (t : token3) (g : Z -> Z -> Z -> Z) : list Z :=
  let '(i, f, p) := t in
  map (fun j => g (entry (tokensZ W) i j) (entry (fieldsZ W) f j) (entry (placesZ W) p j)) (seq 0 64).
Definition ownZ3 (W : netZ) (t : token3) : list Z := threeZ W t (fun a b c => (a + b + c) / 4)%Z.
Definition ownS (W : netZ) (t : token3) : list Z := threeZ W t (fun a b c => (Z.abs a + Z.abs b + Z.abs c + 3) / 4 + 1)%Z.
Definition embS (W : netZ) (before : list Z) (own : list Z) : list Z :=
  let s := total before in let bi := map of_Z before in
  map (fun p => ((product (fst p) bi + s) / 2 ^ 26 + 1 + snd p)%Z) (combine (abss (msh W)) own).
Definition embZ (W : netZ) (before : option token3) (t : token3) : option (list Z * Z * Z) :=
  match before with
  | None => linZ 74 (msh W) (zeros 64) (ownZ3 W t) (ownS W t) 0 (2 ^ 16) 0
  | Some b => if (most (msh W) * l1 (ownS W b) <? 2 ^ 62)%Z
              then linZ 74 (msh W) (ownZ3 W b) (ownZ3 W t) (embS W (ownS W b) (ownS W t)) (2 ^ 16) (2 ^ 16) 0 else None
  end.
Definition net_good (V : nat) (net : network) (W : netZ) : Prop :=
  (forall i, fits 1 64 (fun _ => tokens net i) [nth i (tokensZ W) []]) /\
  (forall i, fits 1 64 (fun _ => fields net i) [nth i (fieldsZ W) []]) /\
  (forall i, fits 1 64 (fun _ => places net i) [nth i (placesZ W) []]) /\
  good 64 64 (shift net) (msh W) /\ Forall2 block_good (blocks net) (blocksZ W) /\ norm_good (scale net) (bias net) (nf W) /\
  good V 64 (tokens net) (mlog W).

Lemma three_nth W t g j : (j < 64)%nat ->
  nth j (threeZ W t g) 0%Z = (let '(i, f, p) := t in g (entry (tokensZ W) i j) (entry (fieldsZ W) f j) (entry (placesZ W) p j)).
Proof.
  intros J. unfold threeZ. destruct t as ((i, f), p). rewrite (nth_map _ _ _ _ 0%nat) by (rewrite seq_length; auto).
  rewrite seq_nth by auto. auto.
Qed.
Lemma three_length W t g : length (threeZ W t g) = 64%nat.
Proof. unfold threeZ. destruct t as ((i, f), p). rewrite map_length, seq_length. auto. Qed.
Lemma own_near V net W t : net_good V net W -> len 64 (sub (own net t) (at24 (ownZ3 W t))) <= rd (2 ^ 16).
Proof.
  intros (Ht & Hf & Hp & _). apply Rle_trans with (sqrt (INR 64) * / 2 ^ 23).
  - apply len_bound; [lra|]. intros j J. unfold sub, at24, ownZ3. rewrite three_nth by auto. destruct t as ((i, f), p).
    unfold own, plus. specialize (Ht i 0%nat j ltac:(lia) J). specialize (Hf f 0%nat j ltac:(lia) J). specialize (Hp p 0%nat j ltac:(lia) J).
    unfold entry at 1 in Ht. unfold entry at 1 in Hf. unfold entry at 1 in Hp. cbn [nth] in Ht, Hf, Hp. fold (entry (tokensZ W) i j) in Ht.
    fold (entry (fieldsZ W) f j) in Hf. fold (entry (placesZ W) p j) in Hp.
    set (a := entry (tokensZ W) i j) in *. set (b := entry (fieldsZ W) f j) in *. set (c := entry (placesZ W) p j) in *.
    pose proof (div_bounds (a + b + c) 4 ltac:(lia)) as D. rewrite !plus_IZR in D. apply abs_inv in Ht, Hf, Hp. apply Rabs_le. lra.
  - rewrite s64. unfold rd. change (2 ^ 16)%Z with 65536%Z. lra.
Qed.
Lemma own_sizes V net W t j : net_good V net W -> (j < 64)%nat -> 0 <= own_size net t j <= at24 (ownS W t) j /\ Rabs (own net t j) <= own_size net t j.
Proof.
  intros (Ht & Hf & Hp & _) J. unfold at24, ownS. rewrite three_nth by auto. destruct t as ((i, f), p).
  unfold own, own_size, plus, size. specialize (Ht i 0%nat j ltac:(lia) J). specialize (Hf f 0%nat j ltac:(lia) J). specialize (Hp p 0%nat j ltac:(lia) J).
  unfold entry at 1 in Ht. unfold entry at 1 in Hf. unfold entry at 1 in Hp. cbn [nth] in Ht, Hf, Hp. fold (entry (tokensZ W) i j) in Ht.
  fold (entry (fieldsZ W) f j) in Hf. fold (entry (placesZ W) p j) in Hp.
  set (a := entry (tokensZ W) i j) in *. set (b := entry (fieldsZ W) f j) in *. set (c := entry (placesZ W) p j) in *.
  pose proof (Rabs_pos (tokens net i j)). pose proof (Rabs_pos (fields net f j)). pose proof (Rabs_pos (places net p j)).
  assert (S : forall x z, Rabs (x - IZR z / 2 ^ 26) <= / 2 ^ 26 -> Rabs x <= (IZR (Z.abs z) + 1) / 2 ^ 26).
  { intros x z Hx. rewrite abs_IZR. pose proof (Rabs_triang (x - IZR z / 2 ^ 26) (IZR z / 2 ^ 26)) as T.
    replace (x - IZR z / 2 ^ 26 + IZR z / 2 ^ 26) with x in T by ring. rewrite abs_quotient in T. lra. }
  apply S in Ht, Hf, Hp. pose proof (div_bounds (Z.abs a + Z.abs b + Z.abs c + 3) 4 ltac:(lia)) as D. rewrite !plus_IZR in D. rewrite !plus_IZR.
  split; [split; [lra|lra]|].
  pose proof (Rabs_triang (tokens net i j) (fields net f j + places net p j)). pose proof (Rabs_triang (fields net f j) (places net p j)). lra.
Qed.
Lemma near_weaken n y e s s' : 0 <= gamma n -> s <= s' -> near n y e s -> near n y e s'.
Proof. intros G S H. unfold near in *. pose proof (Rmult_le_compat_l _ _ _ G S). lra. Qed.
Lemma ownS_pos W t z : In z (ownS W t) -> (0 <= z)%Z.
Proof.
  unfold ownS, threeZ. destruct t as ((i, f), p). intros I. apply in_map_iff in I as (j & <- & _).
  pose proof (Z.div_pos (Z.abs (entry (tokensZ W) i j) + Z.abs (entry (fieldsZ W) f j) + Z.abs (entry (placesZ W) p j) + 3) 4 ltac:(lia) ltac:(lia)). lia.
Qed.

Lemma emb_sound V net W before t x d r ow : net_good V net W -> embedded net before t x -> embZ W before t = Some (d, r, ow) -> inside x (d, r).
Proof.
  intros G H E. pose proof G as (_ & _ & _ & Gs & _). pose proof (gamma_nonneg 74 ltac:(lia)) as (G0 & _).
  pose proof (own_near V net W t G) as Ot. pose proof (three_length W t (fun a b c => (a + b + c) / 4)%Z) as L1'.
  pose proof (three_length W t (fun a b c => (Z.abs a + Z.abs b + Z.abs c + 3) / 4 + 1)%Z) as L2'.
  assert (Nul : len 64 (fun _ => 0) <= rd 0) by (rewrite len_const by lra; unfold rd; lra).
  destruct before as [b|]; unfold embZ in E.
  - destruct (Z.ltb_spec (most (msh W) * l1 (ownS W b)) (2 ^ 62)) as [Small|]; [|discriminate].
    pose proof Gs as (Fit & _ & Ha & Hn & Hm & Hb & Mp & _).
    set (sz := fun i => sum 64 (fun j => Rabs (shift net i j) * own_size net b j) + own_size net t i).
    assert (La : length (abss (msh W)) = 64%nat) by (rewrite Ha, map_length; auto).
    assert (Ls : length (embS W (ownS W b) (ownS W t)) = 64%nat) by (unfold embS; cbv zeta; rewrite map_length, combine_length; unfold ownS at 1; lia).
    assert (Pos : forall l m, (forall z, In z m -> 0 <= z)%Z -> (0 <= dotZ (map Z.abs l) m)%Z).
    { clear. induction l as [|a l IH]; intros [|z m] P; simpl; try lia. specialize (IH m (fun w I => P w (or_intror I))). specialize (P z (or_introl eq_refl)). nia. }
    assert (Tot : (0 <= total (ownS W b))%Z).
    { pose proof (ownS_pos W b) as P. revert P. generalize (ownS W b). induction l as [|a l IH]; intros P; simpl; [lia|].
      specialize (IH (fun w I => P w (or_intror I))). specialize (P a (or_introl eq_refl)). lia. }
    assert (Abs : map Z.abs (ownS W b) = ownS W b).
    { pose proof (ownS_pos W b) as P. revert P. generalize (ownS W b). induction l as [|a l IH]; intros P; simpl; auto.
      rewrite (IH (fun w I => P w (or_intror I))). f_equal. specialize (P a (or_introl eq_refl)). lia. }
    assert (Sn : forall i, (i < 64)%nat -> nth i (embS W (ownS W b) (ownS W t)) 0%Z =
      ((dotZ (map Z.abs (nth i (rows (msh W)) [])) (ownS W b) + total (ownS W b)) / 2 ^ 26 + 1 + nth i (ownS W t) 0)%Z).
    { intros i I. unfold embS. cbv zeta. rewrite (nth_map _ _ _ _ ([], 0%Z)) by (rewrite combine_length; unfold ownS at 1; lia).
      rewrite combine_nth by (unfold ownS at 1; lia). cbn [fst snd]. rewrite Ha. change (@nil int) with (map absolute []). rewrite map_nth, map_absolute.
      rewrite product_is; auto. eapply Z.le_lt_trans; [apply dot_bound with (most := most (msh W)); auto|exact Small].
      intros z I'. apply in_map_iff in I' as (z' & <- & I'). rewrite Z.abs_eq by lia. apply (Hb (nth i (rows (msh W)) [])); auto. apply nth_In. lia. }
    assert (Sz : forall i, (i < 64)%nat -> sz i <= at24 (embS W (ownS W b) (ownS W t)) i + 0 /\ 0 <= 0).
    { intros i I. split; [|lra]. unfold sz, at24. rewrite Sn by auto. destruct (own_sizes V net W t i G I) as ((_ & S2) & _). unfold at24 in S2.
      set (A := nth i (rows (msh W)) []).
      assert (Q : sum 64 (fun j => Rabs (shift net i j) * own_size net b j) <= IZR (dotZ (map Z.abs A) (ownS W b) + total (ownS W b)) / (2 ^ 26 * 2 ^ 24)).
      { apply Rle_trans with (sum 64 (fun j => / (2 ^ 26 * 2 ^ 24) * (IZR (nth j (map Z.abs A) 0%Z) * IZR (nth j (ownS W b) 0%Z) + IZR (nth j (ownS W b) 0%Z)))).
        - apply sum_le. intros j J. destruct (own_sizes V net W b j G J) as ((P1 & P2) & _). specialize (Fit i j I J). unfold entry in Fit. fold A in Fit.
          rewrite nth_abs, abs_IZR. unfold at24 in P2. set (w := shift net i j) in *. set (aj := IZR (nth j A 0%Z)) in *. set (o := IZR (nth j (ownS W b) 0%Z)) in *.
          assert (Wb : Rabs w <= (Rabs aj + 1) / 2 ^ 26).
          { pose proof (Rabs_triang (w - aj / 2 ^ 26) (aj / 2 ^ 26)) as T. replace (w - aj / 2 ^ 26 + aj / 2 ^ 26) with w in T by ring.
            rewrite abs_quotient in T. lra. }
          replace (/ (2 ^ 26 * 2 ^ 24) * (Rabs aj * o + o)) with ((Rabs aj + 1) / 2 ^ 26 * (o / 2 ^ 24)) by field.
          apply Rmult_le_compat; auto. apply Rabs_pos.
        - rewrite sum_scal, sum_plus, (sum_dot (map Z.abs A) (ownS W b) 64).
          + rewrite (sum_list IZR (ownS W b) 64 eq_refl) by (unfold ownS; rewrite three_length; lia).
            replace (fold_right (fun x s => IZR x + s) 0 (ownS W b)) with (IZR (total (ownS W b))).
            * rewrite plus_IZR. lra.
            * generalize (ownS W b). induction l; simpl; auto. rewrite plus_IZR, IHl. auto.
          + rewrite map_length. apply Hm. apply nth_In. lia. }
      pose proof (div_bounds (dotZ (map Z.abs A) (ownS W b) + total (ownS W b)) (2 ^ 26) ltac:(lia)) as D. rewrite p26 in D. rewrite !plus_IZR. lra. }
    assert (SE : exists se, (forall i, (i < 64)%nat -> sz i <= at24 (embS W (ownS W b) (ownS W t)) i + se i /\ 0 <= se i) /\ len 64 se <= rd 0).
    { exists (fun _ => 0). split; auto. }
    assert (Pn : forall z, In z (embS W (ownS W b) (ownS W t)) -> (0 <= z)%Z).
    { intros z I. destruct (In_nth _ _ 0%Z I) as (i & I1 & <-). rewrite Ls in I1. rewrite Sn by auto.
      pose proof (Pos (nth i (rows (msh W)) []) (ownS W b) (ownS_pos W b)). 
      pose proof (Z.div_pos (dotZ (map Z.abs (nth i (rows (msh W)) [])) (ownS W b) + total (ownS W b)) (2 ^ 26) ltac:(lia) ltac:(lia)).
      assert (0 <= nth i (ownS W t) 0)%Z by (apply (ownS_pos W t), nth_In; unfold ownS; rewrite three_length; lia). lia. }
    assert (Nr : forall i, (i < 64)%nat -> near 74 (x i) (sum 64 (fun j => shift net i j * own net b j) + own net t i)
       (sum 64 (fun j => Rabs (shift net i j) * Rabs (own net b j)) + sz i)).
    { intros i I. specialize (H i I). cbv iota in H. apply (near_weaken 74 (x i) _ (sz i)); auto.
      assert (0 <= sum 64 (fun j => Rabs (shift net i j) * Rabs (own net b j))) by (apply sum_pos; intros; apply Rmult_le_pos; apply Rabs_pos). lra. }
    destruct (lin_sound 74 64 64 (shift net) (msh W) (own net t) sz (own net b) x (ownZ3 W b) d (ownZ3 W t) (embS W (ownS W b) (ownS W t)) (2 ^ 16) (2 ^ 16) 0 r ow
      Gs ltac:(lia) Nr ltac:(lia) ltac:(lia) (Z.le_refl 0) (own_near V net W b G) L1' Ls Pn Ot SE E) as (_ & _ & _ & X & L & Rp & _).
    split; [|split]; auto.
  - assert (Z0 : forall i, at24 (zeros 64) i = 0) by (intros; unfold at24; rewrite nth_zeros; lra).
    assert (Zz : forall i, sum 64 (fun j => shift net i j * zero j) = 0).
    { intros i. rewrite (sum_ext 64 _ (fun _ => 0)); [rewrite sum_const; ring|]. intros. unfold zero. ring. }
    assert (Nr : forall i, (i < 64)%nat -> near 74 (x i) (sum 64 (fun j => shift net i j * zero j) + own net t i)
       (sum 64 (fun j => Rabs (shift net i j) * Rabs (zero j)) + own_size net t i)).
    { intros i I. specialize (H i I). cbv iota in H. rewrite Zz, Rplus_0_l. apply (near_weaken 74 (x i) _ (own_size net t i)); auto.
      assert (0 <= sum 64 (fun j => Rabs (shift net i j) * Rabs (zero j))) by (apply sum_pos; intros; apply Rmult_le_pos; apply Rabs_pos). lra. }
    assert (SE : exists se, (forall i, (i < 64)%nat -> own_size net t i <= at24 (ownS W t) i + se i /\ 0 <= se i) /\ len 64 se <= rd 0).
    { exists (fun _ => 0). split; auto. intros i I. destruct (own_sizes V net W t i G I) as ((_ & S2) & _). lra. }
    assert (Xz : len 64 (sub zero (at24 (zeros 64))) <= rd 0).
    { rewrite (len_ext 64 _ (fun _ => 0)); auto. intros i _. unfold sub, zero. rewrite Z0. lra. }
    destruct (lin_sound 74 64 64 (shift net) (msh W) (own net t) (own_size net t) zero x (zeros 64) d (ownZ3 W t) (ownS W t) 0 (2 ^ 16) 0 r ow
      Gs ltac:(lia) Nr (Z.le_refl 0) ltac:(lia) (Z.le_refl 0) Xz L1' L2' (ownS_pos W t) Ot SE E) as (_ & _ & _ & X & L & Rp & _).
    split; [|split]; auto.
Qed.

(* ── Logits ── *)
Definition distZ (a b : list Z) : Z :=
  (Z.sqrt (sqZ (map (fun p => (fst p - snd p)%Z) (combine a b)) * 2 ^ 20) + 1 + 2 ^ 14)%Z.
Definition aheadZ (W : netZ) (V : nat) (x : ball) (a : nat) : bool :=
  match normZ (nf W) (fst x) (snd x) with
  | Some (y, ry) =>
      match linZ 68 (mlog W) y (zeros V) (zeros V) ry 0 0 with
      | Some (l, _, ow) =>
          forallb (fun j => (j =? a)%nat || (mul (distZ (nth a (rows (mlog W)) []) (nth j (rows (mlog W)) [])) ry + 2 * ow
            <? (nth a l 0 - nth j l 0) * 2 ^ 12)%Z) (seq 0 V)
          && forallb (fun row => (length row =? 64)%nat) (rows (mlog W))
      | None => false
      end
  | None => false
  end.
Lemma dist_sound V w M a j : good V 64 w M -> (a < V)%nat -> (j < V)%nat -> length (nth a (rows M) []) = 64%nat ->
  length (nth j (rows M) []) = 64%nat ->
  len 64 (fun k => w a k - w j k) <= rd (distZ (nth a (rows M) []) (nth j (rows M) [])).
Proof.
  intros (Fit & _) Ia Ij La Lj. unfold distZ. set (df := map _ _).
  rewrite (len_ext 64 _ (fun k => at26 df k + (w a k - w j k - at26 df k))) by (intros; ring).
  eapply Rle_trans; [apply triangle|]. rewrite rd_plus. apply Rplus_le_compat.
  - pose proof (up_len 64 df) as U. unfold lenZ in U.
    assert (E : len 64 (at26 df) = len 64 (at24 df) / 4).
    { rewrite (len_ext 64 (at26 df) (fun i => / 4 * at24 df i)) by (intros; unfold at26, at24; field). rewrite len_scal, Rabs_pos_eq by lra. lra. }
    rewrite E. pose proof (sq_sum 64 df) as S. pose proof (IZR_le _ _ (sqZ_pos df)) as Sp.
    pose proof (sqrt_bounds (sqZ df * 2 ^ 20) ltac:(pose proof (sqZ_pos df); lia)) as B. rewrite mult_IZR, p20 in B. unfold rd. rewrite plus_IZR.
    apply Rle_trans with (sqrt (IZR (sqZ df) * 2 ^ 20) / 2 ^ 36); [|lra].
    assert (len 64 (at24 df) <= 4 * (sqrt (IZR (sqZ df) * 2 ^ 20) / 2 ^ 36)); [|lra].
    apply len_below. { pose proof (sqrt_pos (IZR (sqZ df) * 2 ^ 20)). lra. }
    set (q := sqrt (IZR (sqZ df) * 2 ^ 20)). assert (QQ : q * q = IZR (sqZ df) * 2 ^ 20) by (apply sqrt_sqrt; lra).
    replace (4 * (q / 2 ^ 36) * (4 * (q / 2 ^ 36))) with (16 * (q * q) / (2 ^ 36 * 2 ^ 36)) by field. rewrite QQ. lra.
  - apply Rle_trans with (sqrt (INR 64) * (2 / 2 ^ 26)).
    + apply len_bound; [lra|]. intros k K. unfold at26, df. rewrite (nth_map _ _ _ _ (0%Z, 0%Z)) by (rewrite combine_length; lia).
      rewrite combine_nth by lia. cbn [fst snd]. rewrite minus_IZR.
      pose proof (Fit a k Ia K) as F1. pose proof (Fit j k Ij K) as F2. unfold entry in F1, F2. apply abs_inv in F1, F2. apply Rabs_le. lra.
    + rewrite s64. unfold rd. change (2 ^ 14)%Z with 16384%Z. lra.
Qed.
Lemma ahead_sound V net W x final y logits a : net_good V net W -> inside final x -> (a < V)%nat ->
  normed 64 (scale net) (bias net) final y -> linear V 64 (tokens net) zero zero y logits ->
  aheadZ W V x a = true -> forall j, (j < V)%nat -> j <> a -> logits j < logits a.
Proof.
  intros (_ & _ & _ & _ & _ & Nf & Gl) (Lx & Rx & X) Ia Hy Hl E j J Na. unfold aheadZ in E.
  destruct (normZ (nf W) (fst x) (snd x)) as [(yc, ry)|] eqn:En; [|discriminate].
  destruct (norm_sound _ _ _ _ _ _ _ _ _ Nf Hy Rx X En) as (Y & Ly & Ry).
  destruct (linZ 68 (mlog W) yc (zeros V) (zeros V) ry 0 0) as [((l, r'), ow)|] eqn:El; [|discriminate].
  apply andb_prop in E as (E & Er). rewrite forallb_forall in E, Er.
  assert (Z0 : forall i, at24 (zeros V) i = 0) by (intros; unfold at24; rewrite nth_zeros; lra).
  assert (Nul : len V (fun _ => 0) <= rd 0) by (rewrite len_const by lra; unfold rd; lra).
  assert (Hz : forall z, In z (zeros V) -> (0 <= z)%Z) by (intros z I; apply repeat_spec in I; lia).
  assert (Hb : len V (sub zero (at24 (zeros V))) <= rd 0).
  { rewrite (len_ext V _ (fun _ => 0)); auto. intros i _. unfold sub, zero. rewrite Z0. lra. }
  assert (He : exists se, (forall i, (i < V)%nat -> zero i <= at24 (zeros V) i + se i /\ 0 <= se i) /\ len V se <= rd 0).
  { exists (fun _ => 0). split; auto. intros i _. rewrite Z0. unfold zero. lra. }
  destruct (lin_sound 68 V 64 (tokens net) (mlog W) zero zero y logits yc l (zeros V) (zeros V) ry 0 0 r' ow Gl ltac:(lia) Hl Ry (Z.le_refl 0) (Z.le_refl 0) Y
    (repeat_length _ _) (repeat_length _ _) Hz Hb He El) as (ov & O1 & O2 & _).
  assert (C : (mul (distZ (nth a (rows (mlog W)) []) (nth j (rows (mlog W)) [])) ry + 2 * ow < (nth a l 0 - nth j l 0) * 2 ^ 12)%Z).
  { assert (Ij : In j (seq 0 V)) by (apply in_seq; lia). specialize (E j Ij). apply orb_prop in E as [E|E].
    - apply Nat.eqb_eq in E. contradiction. - apply Z.ltb_lt in E. auto. }
  pose proof Gl as (_ & _ & _ & Hn & _).
  assert (La : length (nth a (rows (mlog W)) []) = 64%nat) by (apply Nat.eqb_eq, Er, nth_In; lia).
  assert (Lj : length (nth j (rows (mlog W)) []) = 64%nat) by (apply Nat.eqb_eq, Er, nth_In; lia).
  pose proof (dist_sound V (tokens net) (mlog W) a j Gl Ia J La Lj) as Ds.
  pose proof (O1 a Ia) as Oa. pose proof (O1 j J) as Oj.
  pose proof (term_len V ov a Ia) as Ta. pose proof (term_len V ov j J) as Tj.
  set (e := sub y (at24 yc)) in *.
  assert (Df : times 64 (tokens net) e a - times 64 (tokens net) e j = sum 64 (fun k => (tokens net a k - tokens net j k) * e k)).
  { unfold times. rewrite <- sum_minus. apply sum_ext. intros. ring. }
  pose proof (cauchy_schwarz 64 (fun k => tokens net a k - tokens net j k) e) as CS.
  assert (len 64 (fun k => tokens net a k - tokens net j k) * len 64 e <= rd (mul (distZ (nth a (rows (mlog W)) []) (nth j (rows (mlog W)) [])) ry)).
  { apply up_mul; auto using len_pos. }
  apply IZR_lt in C. rewrite plus_IZR, !mult_IZR, minus_IZR, p12 in C. apply abs_inv in CS. apply abs_inv in Ta, Tj.
  unfold at24 in Oa, Oj. unfold rd in *. lra.
Qed.
