(* One head of attention in whole numbers. Weights before normalisation are multiples of 2^-80. *)
Require Import Uint63 Bool Reals Lra Lia Psatz ZArith List Vectors Float32 Balls Fixed Linear. Import ListNotations.
Close Scope uint63_scope. Open Scope R_scope.

(* Bounds on exp(-z / 2^50). *)
Fixpoint squares (n : nat) (up : Z) (x : Z) : Z := match n with O => x | S m => squares m up (Z.shiftr (x * x) 80 + up)%Z end.
Definition exp_low (z : Z) : Z := squares 30 0 (Z.max 0 (2 ^ 80 - z)).
Definition exp_high (z : Z) : Z := squares 30 1 (2 ^ 80 - z + (z * z / 2 ^ 80 + 1))%Z.

Lemma squares_S m up x : squares (S m) up x = squares m up (x * x / 2 ^ 80 + up)%Z.
Proof. cbn [squares]. rewrite Z.shiftr_div_pow2 by lia. auto. Qed.
Lemma p80 : IZR (2 ^ 80) = 2 ^ 80. Proof. rewrite (pow_IZR 2 80). reflexivity. Qed.
Lemma exp_above_line x : 1 + x <= exp x.
Proof. destruct (Req_dec x 0) as [->|N]. { rewrite exp_0. lra. } left. apply exp_ineq1; auto. Qed.
Lemma exp_below_square y : 0 <= y -> exp (- y) <= 1 - y + y * y.
Proof.
  intros P. assert (A : 1 + y + y * y / 4 <= exp y).
  { replace y with (y / 2 + y / 2) at 4 by lra. rewrite exp_plus. pose proof (exp_above_line (y / 2)).
    apply Rle_trans with ((1 + y / 2) * (1 + y / 2)); [lra|]. apply Rmult_le_compat; lra. }
  rewrite exp_Ropp. apply Rmult_le_reg_r with (exp y); [apply exp_pos|]. rewrite Rinv_l by (pose proof (exp_pos y); lra).
  assert (B : 0 < 1 - y + y * y) by nra.
  apply Rle_trans with ((1 - y + y * y) * (1 + y + y * y / 4)); [|apply Rmult_le_compat_l; lra].
  assert (0 <= y * y) by nra. assert (0 <= y * y * y) by (apply Rmult_le_pos; auto). assert (0 <= y * y * (y * y)) by nra. nra.
Qed.
Lemma squares_low n : forall x a, (0 <= x)%Z -> IZR x / 2 ^ 80 <= exp a -> (0 <= squares n 0 x)%Z /\ IZR (squares n 0 x) / 2 ^ 80 <= exp (2 ^ n * a).
Proof.
  induction n as [|n IH]; intros x a P H. { cbn [squares]. rewrite pow_O, Rmult_1_l. auto. }
  rewrite squares_S.
  replace (2 ^ S n * a) with (2 ^ n * (a + a)) by (simpl; ring). apply IH.
  - rewrite Z.add_0_r. apply Z.div_pos; nia.
  - rewrite Z.add_0_r, exp_plus. pose proof (div_bounds (x * x) (2 ^ 80) ltac:(lia)) as D. rewrite mult_IZR, p80 in D.
    apply IZR_le in P. apply Rle_trans with ((IZR x / 2 ^ 80) * (IZR x / 2 ^ 80)); [lra|].
    apply Rmult_le_compat; auto; apply div_pos; lra.
Qed.
Lemma squares_high n : forall x a, exp a <= IZR x / 2 ^ 80 -> exp (2 ^ n * a) <= IZR (squares n 1 x) / 2 ^ 80.
Proof.
  induction n as [|n IH]; intros x a H. { cbn [squares]. rewrite pow_O, Rmult_1_l. auto. }
  rewrite squares_S.
  replace (2 ^ S n * a) with (2 ^ n * (a + a)) by (simpl; ring). apply IH.
  rewrite exp_plus, plus_IZR. pose proof (div_bounds (x * x) (2 ^ 80) ltac:(lia)) as D. rewrite mult_IZR, p80 in D.
  pose proof (exp_pos a). apply Rle_trans with ((IZR x / 2 ^ 80) * (IZR x / 2 ^ 80)); [apply Rmult_le_compat; lra|lra].
Qed.
Lemma exp_low_ok z : (0 <= z)%Z -> (0 <= exp_low z)%Z /\ IZR (exp_low z) / 2 ^ 80 <= exp (- (IZR z / 2 ^ 50)).
Proof.
  intros P. unfold exp_low. replace (- (IZR z / 2 ^ 50)) with (2 ^ 30 * (- (IZR z / 2 ^ 80))) by field.
  apply squares_low; [lia|]. destruct (Z.max_spec 0 (2 ^ 80 - z)) as [(H & ->)|(H & ->)].
  - rewrite minus_IZR, p80. pose proof (exp_above_line (- (IZR z / 2 ^ 80))). lra.
  - pose proof (exp_pos (- (IZR z / 2 ^ 80))). lra.
Qed.
Lemma exp_high_ok z : (0 <= z)%Z -> exp (- (IZR z / 2 ^ 50)) <= IZR (exp_high z) / 2 ^ 80.
Proof.
  intros P. unfold exp_high. replace (- (IZR z / 2 ^ 50)) with (2 ^ 30 * (- (IZR z / 2 ^ 80))) by field.
  apply squares_high. pose proof (div_bounds (z * z) (2 ^ 80) ltac:(lia)) as D. rewrite mult_IZR, p80 in D.
  apply IZR_le in P. pose proof (exp_below_square (IZR z / 2 ^ 80) ltac:(apply div_pos; lra)).
  rewrite !plus_IZR, minus_IZR, p80. lra.
Qed.

Lemma exp_rest d D : Rabs d <= D -> exp d - d <= exp D - D.
Proof.
  intros H. assert (M : forall s, 0 <= s -> s <= D -> exp s - s <= exp D - D).
  { intros s P L. replace D with (s + (D - s)) at 1 by ring. rewrite exp_plus. pose proof (exp_above_line s). pose proof (exp_above_line (D - s)).
    assert (exp s * (1 + (D - s)) <= exp s * exp (D - s)) by (apply Rmult_le_compat_l; lra).
    assert (1 * (D - s) <= exp s * (D - s)) by (apply Rmult_le_compat_r; lra). lra. }
  apply abs_inv in H. destruct (Rle_dec 0 d) as [P|P]; [apply M; lra|].
  assert (E : exp d - d <= exp (- d) - - d); [|pose proof (M (- d) ltac:(lra) ltac:(lra)); lra].
  destruct (MVT_cor2 (fun s => exp s - exp (- s) - 2 * s) (fun s => exp s + exp (- s) - 2) 0 (- d) ltac:(lra)) as (c & V & _).
  - intros c _. replace (exp c + exp (- c) - 2) with (exp c - exp (- c) * - (1) - 2 * 1) by ring.
    apply derivable_pt_lim_minus; [apply derivable_pt_lim_minus; [apply derivable_pt_lim_exp|]|apply derivable_pt_lim_scal, derivable_pt_lim_id].
    apply (derivable_pt_lim_comp Ropp exp); [apply derivable_pt_lim_opp, derivable_pt_lim_id|apply derivable_pt_lim_exp].
  - rewrite Ropp_involutive, Ropp_0 in V. pose proof (exp_above_line c). pose proof (exp_above_line (- c)).
    assert (0 <= (exp c + exp (- c) - 2) * (- d - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

Opaque exp_low exp_high squares.

(* Sums over lists. *)
Lemma sum_rd (A : Type) (g : A -> Z) d l : sum (length l) (fun t => rd (g (nth t l d))) = rd (total (map g l)).
Proof.
  induction l as [|x l IH]. { simpl. unfold rd. lra. }
  cbn [length map total]. rewrite sum_first, rd_plus, <- IH. auto.
Qed.
Lemma sum_up (A : Type) (g : A -> Z) d l f : (forall t, (t < length l)%nat -> f t <= rd (g (nth t l d))) ->
  sum (length l) f <= rd (total (map g l)).
Proof. rewrite <- (sum_rd _ _ d). apply sum_le. Qed.
Lemma sum_low (A : Type) (g : A -> Z) d l f : (forall t, (t < length l)%nat -> rd (g (nth t l d)) <= f t) ->
  rd (total (map g l)) <= sum (length l) f.
Proof. rewrite <- (sum_rd _ _ d). apply sum_le. Qed.
Lemma sum_is (A : Type) (g : A -> Z) d l : sum (length l) (fun t => IZR (g (nth t l d))) = IZR (total (map g l)).
Proof. induction l as [|x l IH]; auto. cbn [length map total]. rewrite sum_first, plus_IZR, <- IH. auto. Qed.

(* A token that is attended to: its key and value, how far they may be off (all of it, and what their layers add), how
   far their input may be off, and the key times the queries' matrix, and how far that is off. *)
Record seenZ := Seen { kc : list Z; kr : Z; ko : Z; ts : Z; av : list Z; ae : Z; vc : list Z; vr : Z }.
Definition nothing := Seen [] 0 0 0 [] 0 [] 0.
Record askZ := Ask { qc : list Z; qr : Z; qo : Z; ty : Z; ak : Z }.
Definition minus (a b : list Z) : list Z := map (fun p => (fst p - snd p)%Z) (combine a b).

(* What the query's error changes of the scores counts as far as it is not the same for all keys: that is `first`, a sum
   of outer products of values and keys. Other changes of a score, `rest`, count one by one. *)
Section Head.
Variables (f : Z) (Q : askZ).                        (* f: of 2^32 times the factor, rounded down *)
Definition fu : Z := (16 * (f + 1))%Z.
Definition dotk (K : seenZ) : Z := dotZ (qc Q) (kc K).
Definition scoreZ (K : seenZ) : Z := (f * dotk K / 2 ^ 48)%Z.
Definition sizeZ (K : seenZ) : Z := mul fu (mul (lenZ (qc Q) + qr Q) (lenZ (kc K) + kr K)).
Definition dqZ (am : list Z) (K : seenZ) : Z := mul fu (mul (lenZ (minus (av K) am)) (ty Q)).
Definition restZ (n all : Z) (K : seenZ) : Z :=
  (mul fu (mul (ae K) (ty Q) + (mul (qo Q) (lenZ (kc K)) + (mul (ak Q) (ts K) + mul (ko K) (lenZ (qc Q))) + mul (qr Q) (kr K)))
   + (Z.abs (dotk K) / 2 ^ 44 + 1 + 16) + (mul (gam 48) (sizeZ K) + mul 98304 all + n * 196608 + 1))%Z.
Definition offZ (n all : Z) (am : list Z) (K : seenZ) : Z := (dqZ am K + restZ n all K)%Z.
Definition lowW (top : Z) (K : seenZ) : Z := exp_low ((top - scoreZ K) * 2 ^ 18).
Definition factorZ (top n all : Z) (am : list Z) (K : seenZ) : Z :=
  (exp_high ((top - scoreZ K) * 2 ^ 18) * 2 ^ 116 / (lowW top K * exp_low (offZ n all am K * 2 ^ 14)) + 1)%Z.
Definition diffZ (oc : list Z) (K : seenZ) : Z := lenZ (minus (vc K) oc).
Definition columnZ (part : seenZ -> list Z) (top : Z) (keys : list seenZ) (i : nat) : Z :=
  total (map (fun K => lowW top K * nth i (part K) 0)%Z keys).
Definition partZ (top n all gn : Z) (oc am : list Z) (K : seenZ) : Z :=
  let e := factorZ top n all am K in
  mul (lowW top K / 2 ^ 44 + 1) (mul e (vr K + mul gn (lenZ (vc K) + vr K)) + mul (e - 2 ^ 36 - dqZ am K) (diffZ oc K)).
Definition centreA (part : seenZ -> list Z) (d : nat) (top w : Z) (keys : list seenZ) : list Z :=
  map (fun i => columnZ part top keys i / w)%Z (seq 0 d).
Definition leastZ (top n all : Z) (am : list Z) (keys : list seenZ) : Z :=
  total (map (fun K => lowW top K / (2 ^ 8 * factorZ top n all am K))%Z keys).
Definition pairsZ (top : Z) (oc am : list Z) (keys : list seenZ) : Z :=
  total (map (fun K => lowW top K * total (map (fun L =>
    lowW top L * (dotZ (minus (vc K) oc) (minus (vc L) oc) * dotZ (minus (av K) am) (minus (av L) am))) keys))%Z keys).
Definition firstZ (pairs : Z) : Z := mul fu (mul ((Z.sqrt pairs + 1) / 2 ^ 92 + 1) (ty Q)).
Definition sumZ (top n all w : Z) (oc am : list Z) (keys : list seenZ) : Z :=
  (total (map (partZ top n all (gam (2 * n + 8)) oc am) keys) + (firstZ (pairsZ top oc am keys) + 6 * (w / 2 ^ 68 + 1)))%Z.
Definition fineK (top n all : Z) (am : list Z) (K : seenZ) : bool :=
  ((0 <? lowW top K * exp_low (offZ n all am K * 2 ^ 14))%Z && (length (vc K) =? 32)%nat && (length (av K) =? 64)%nat && (0 <=? offZ n all am K)%Z)%bool.
Definition topZ (keys : list seenZ) : Z := fold_right (fun K s => Z.max (scoreZ K) s) (scoreZ (hd nothing keys)) keys.
Definition attendZ (keys : list seenZ) : option (list Z * Z) :=
  let n := Z.of_nat (length keys) in
  let top := topZ keys in
  let all := total (map sizeZ keys) in
  let w := total (map (lowW top) keys) in
  let oc := centreA vc 32 top w keys in
  let am := centreA av 64 top w keys in
  let zlo := leastZ top n all am keys in
  if ((0 <? zlo)%Z && (length keys <=? 400)%nat && (0 <=? pairsZ top oc am keys)%Z && forallb (fineK top n all am) keys)%bool
  then Some (oc, quo (sumZ top n all w oc am keys) zlo + 6)%Z else None.

(* The same, with each number computed once, and products by the processor's integers. *)
Record scored := Scored { s_of : seenZ; s_dot : Z; s_len : Z; s_score : Z; s_size : Z }.
Record weighed := Weighed { g_of : scored; g_low : Z; g_high : Z }.
Record bounded := Bounded { b_of : weighed; b_dq : Z; b_off : Z; b_least : Z; b_factor : Z; b_v : list int; b_a : list int }.
Definition scoredZ (lq : Z) (K : seenZ) : scored :=
  let d := dotk K in let lk := lenZ (kc K) in Scored K d lk (f * d / 2 ^ 48)%Z (mul fu (mul (lq + qr Q) (lk + kr K))).
Definition weighedZ (top : Z) (S : scored) : weighed := let z := ((top - s_score S) * 2 ^ 18)%Z in Weighed S (exp_low z) (exp_high z).
Definition boundedZ (lq n all : Z) (oc am : list Z) (W : weighed) : bounded :=
  let S := g_of W in let K := s_of S in let a := minus (av K) am in let dq := mul fu (mul (lenZ a) (ty Q)) in
  let o := (dq + (mul fu (mul (ae K) (ty Q) + (mul (qo Q) (s_len S) + (mul (ak Q) (ts K) + mul (ko K) lq) + mul (qr Q) (kr K)))
    + (Z.abs (s_dot S) / 2 ^ 44 + 1 + 16) + (mul (gam 48) (s_size S) + mul 98304 all + n * 196608 + 1)))%Z in
  let m := exp_low (o * 2 ^ 14) in
  Bounded W dq o m (g_high W * 2 ^ 116 / (g_low W * m) + 1)%Z (map of_Z (minus (vc K) oc)) (map of_Z a).
Definition centreQ (part : seenZ -> list Z) (d : nat) (w : Z) (ws : list weighed) : list Z :=
  map (fun i => total (map (fun W => g_low W * nth i (part (s_of (g_of W))) 0) ws) / w)%Z (seq 0 d).
Definition narrow (rows : list (list Z)) : bool :=
  let m := fold_right (fun r s => Z.max (fold_right (fun x s => Z.max (Z.abs x) s) 0 r) s)%Z 0%Z rows in
  forallb (fun r => (m * l1 r <? 2 ^ 62)%Z) rows.
Definition attendQ (keys : list seenZ) : option (list Z * Z) :=
  let n := Z.of_nat (length keys) in
  let lq := lenZ (qc Q) in
  let ss := map (scoredZ lq) keys in
  let top := fold_right (fun S s => Z.max (s_score S) s) (s_score (hd (scoredZ lq nothing) ss)) ss in
  let all := total (map s_size ss) in
  let ws := map (weighedZ top) ss in
  let w := total (map g_low ws) in
  let oc := centreQ vc 32 w ws in
  let am := centreQ av 64 w ws in
  let bs := map (boundedZ lq n all oc am) ws in
  let zlo := total (map (fun B => g_low (b_of B) / (2 ^ 8 * b_factor B))%Z bs) in
  let gn := gam (2 * n + 8) in
  let pairs := total (map (fun B => g_low (b_of B) * total (map (fun C => g_low (b_of C) * (product (b_v B) (b_v C) * product (b_a B) (b_a C))) bs))%Z bs) in
  if (narrow (map (fun K => minus (vc K) oc) keys) && narrow (map (fun K => minus (av K) am) keys) && 
      ((0 <? zlo)%Z && (length keys <=? 400)%nat && (0 <=? pairs)%Z &&
       forallb (fun B => let K := s_of (g_of (b_of B)) in (0 <? g_low (b_of B) * b_least B)%Z && (length (vc K) =? 32)%nat && (length (av K) =? 64)%nat && (0 <=? b_off B)%Z) bs))%bool
  then Some (oc, quo (total (map (fun B => let K := s_of (g_of (b_of B)) in let e := b_factor B in
      mul (g_low (b_of B) / 2 ^ 44 + 1) (mul e (vr K + mul gn (lenZ (vc K) + vr K)) + mul (e - 2 ^ 36 - b_dq B) (diffZ oc K))) bs) +
      (firstZ pairs + 6 * (w / 2 ^ 68 + 1))) zlo + 6)%Z
  else None.
Lemma narrow_products rows a b : narrow rows = true -> In a rows -> In b rows -> product (map of_Z a) (map of_Z b) = dotZ a b.
Proof.
  unfold narrow. cbv zeta. set (m := fold_right _ 0%Z rows). rewrite forallb_forall. intros H A B.
  specialize (H b B). apply Z.ltb_lt in H. apply product_is. eapply Z.le_lt_trans; [apply dot_bound with (most := m)|exact H].
  - intros x X. apply Z.le_trans with (fold_right (fun x s => Z.max (Z.abs x) s) 0%Z a).
    + clear - X. induction a as [|y a IH]; [destruct X|]. cbn [fold_right]. destruct X as [->|X]; [lia|]. specialize (IH X). lia.
    + unfold m. clear - A. induction rows as [|r rows IH]; [destruct A|]. cbn [fold_right]. destruct A as [->|A]; [lia|]. specialize (IH A). lia.
  - unfold m. clear. induction rows as [|r rows IH]; cbn [fold_right]; lia.
Qed.
Lemma attend_quick keys r : attendQ keys = Some r -> attendZ keys = Some r.
Proof.
  unfold attendQ. cbv zeta. set (lq := lenZ (qc Q)).
  assert (T : fold_right (fun S s => Z.max (s_score S) s) (s_score (hd (scoredZ lq nothing) (map (scoredZ lq) keys))) (map (scoredZ lq) keys) = topZ keys).
  { unfold topZ. replace (s_score (hd (scoredZ lq nothing) (map (scoredZ lq) keys))) with (scoreZ (hd nothing keys)) by (destruct keys; reflexivity).
    generalize (scoreZ (hd nothing keys)). intros b. induction keys as [|K l IH]; auto. cbn [map fold_right]. rewrite IH. auto. }
  rewrite T. set (top := topZ keys). rewrite !map_map.
  change (map (fun x => s_size (scoredZ lq x)) keys) with (map sizeZ keys). set (all := total (map sizeZ keys)). set (n := Z.of_nat _).
  change (map (fun x => g_low (weighedZ top (scoredZ lq x))) keys) with (map (lowW top) keys). set (w := total (map (lowW top) keys)).
  assert (Ce : forall part d, centreQ part d w (map (fun x => weighedZ top (scoredZ lq x)) keys) = centreA part d top w keys).
  { intros. unfold centreQ, centreA, columnZ. apply map_ext. intros i. rewrite map_map. reflexivity. }
  rewrite !Ce. set (oc := centreA vc 32 top w keys). set (am := centreA av 64 top w keys).
  set (g := fun x => boundedZ lq n all oc am (weighedZ top (scoredZ lq x))).
  assert (Fa : forall (h : bounded -> bool), forallb h (map g keys) = forallb (fun x => h (g x)) keys).
  { intros h. generalize g. clear. intros g. induction keys as [|K l IH]; auto. cbn [map forallb]. rewrite IH. auto. }
  rewrite Fa. 
  destruct (narrow (map (fun K => minus (vc K) oc) keys)) eqn:N1; [|discriminate]. destruct (narrow (map (fun K => minus (av K) am) keys)) eqn:N2; [|discriminate].
  cbn [andb].
  assert (Pr : total (map (fun x => g_low (b_of (g x)) * total (map (fun C => g_low (b_of C) * (product (b_v (g x)) (b_v C) * product (b_a (g x)) (b_a C))) (map g keys)))%Z keys) = pairsZ top oc am keys).
  { unfold pairsZ. f_equal. apply map_ext_in. intros K IK. rewrite map_map. change (g_low (b_of (g K))) with (lowW top K). f_equal. f_equal.
    apply map_ext_in. intros L IL. change (g_low (b_of (g L))) with (lowW top L). f_equal.
    change (b_v (g K)) with (map of_Z (minus (vc K) oc)). change (b_v (g L)) with (map of_Z (minus (vc L) oc)).
    change (b_a (g K)) with (map of_Z (minus (av K) am)). change (b_a (g L)) with (map of_Z (minus (av L) am)).
    rewrite (narrow_products _ _ _ N1 (in_map (fun K => minus (vc K) oc) _ _ IK) (in_map (fun K => minus (vc K) oc) _ _ IL)).
    rewrite (narrow_products _ _ _ N2 (in_map (fun K => minus (av K) am) _ _ IK) (in_map (fun K => minus (av K) am) _ _ IL)). reflexivity. }
  intros <-. unfold attendZ, sumZ. cbv zeta. fold top n all. fold w. fold oc am. rewrite <- Pr. reflexivity.
Qed.
End Head.

Definition key_good (wq wk : nat -> nat -> R) (y yc : nat -> R) (k v : nat -> R) (K : seenZ) : Prop :=
  (exists ok, (forall i, (i < 32)%nat -> k i - at24 (kc K) i = times 64 wk (sub y yc) i + ok i) /\ len 32 ok <= rd (ko K)) /\
  len 32 (sub k (at24 (kc K))) <= rd (kr K) /\ len 64 (sub y yc) <= rd (ts K) /\
  len 64 (fun j => sum 32 (fun i => wq i j * at24 (kc K) i) - at24 (av K) j) <= rd (ae K) /\
  len 32 (sub v (at24 (vc K))) <= rd (vr K).

Lemma top_max f Q keys base t : (t < length keys)%nat ->
  (scoreZ f Q (nth t keys nothing) <= fold_right (fun K s => Z.max (scoreZ f Q K) s) base keys)%Z.
Proof.
  revert t. induction keys as [|K keys IH]; simpl; intros t T; [lia|]. destruct t; [lia|]. specialize (IH t ltac:(lia)). lia.
Qed.

Lemma attend_sound f F Q wq wk q yq yqc (k v y yc : nat -> nat -> R) out keys oc r :
  0 <= F -> IZR f / 2 ^ 32 <= F <= (IZR f + 1) / 2 ^ 32 -> (0 <= f)%Z ->
  attends (length keys) 32 F q k v out ->
  (exists oq, (forall i, (i < 32)%nat -> q i - at24 (qc Q) i = times 64 wq (sub yq yqc) i + oq i) /\ len 32 oq <= rd (qo Q)) ->
  len 32 (sub q (at24 (qc Q))) <= rd (qr Q) -> len 64 (sub yq yqc) <= rd (ty Q) ->
  len 64 (fun j => sum 32 (fun i => wk i j * at24 (qc Q) i)) <= rd (ak Q) ->
  (length (qc Q) <= 32)%nat -> (0 < length keys)%nat ->
  (forall t, (t < length keys)%nat -> key_good wq wk (y t) (yc t) (k t) (v t) (nth t keys nothing)) ->
  attendZ f Q keys = Some (oc, r) -> len 32 (sub out (at24 oc)) <= rd r /\ length oc = 32%nat.
Proof.
  intros F0 (Fl & Fh) f0 (score & S & Out) (oq & Hq & Loq) Rq Ey Ak Lql Np HK E.
  unfold attendZ in E. cbv zeta in E. set (n := length keys) in *. set (N := Z.of_nat n) in *.
  set (top := topZ f Q keys) in *. set (all := total (map (sizeZ f Q) keys)) in *.
  set (w := total (map (lowW f Q top) keys)) in *.
  set (oc' := centreA f Q vc 32 top w keys) in *. set (am := centreA f Q av 64 top w keys) in *. set (zlo := leastZ f Q top N all am keys) in *.
  set (pairs := pairsZ f Q top oc' am keys) in *. set (num := sumZ f Q top N all w oc' am keys) in *.
  destruct (0 <? zlo)%Z eqn:E1; [|discriminate]. destruct (n <=? 400)%nat eqn:E2; [|discriminate].
  destruct (0 <=? pairs)%Z eqn:E4; [|discriminate]. destruct (forallb (fineK f Q top N all am) keys) eqn:E3; [|discriminate]. cbn [andb] in E.
  assert (Eo : oc' = oc) by congruence. assert (Er : (quo num zlo + 6)%Z = r) by congruence. clear E.
  apply Z.ltb_lt in E1. apply Nat.leb_le in E2. apply Z.leb_le in E4. rewrite forallb_forall in E3.
  assert (W : forall t, (t < n)%nat -> let K := nth t keys nothing in
    (0 < lowW f Q top K * exp_low (offZ f Q N all am K * 2 ^ 14))%Z /\ length (vc K) = 32%nat /\ length (av K) = 64%nat /\ (0 <= offZ f Q N all am K)%Z).
  { intros t T K. specialize (E3 K (nth_In _ _ T)). unfold fineK in E3. apply andb_prop in E3 as (E3 & C). apply andb_prop in E3 as (E3 & D).
    apply andb_prop in E3 as (A & B). apply Z.ltb_lt in A. apply Nat.eqb_eq in B, D. apply Z.leb_le in C. auto. }
  clear E3.
  assert (FU : F <= rd (fu f)) by (unfold fu, rd; rewrite mult_IZR, plus_IZR; lra).
  pose proof tiny_small as (T0 & T1).
  assert (Sz : forall t, (t < n)%nat -> F * sum 32 (fun i => Rabs (q i) * Rabs (k t i)) <= rd (sizeZ f Q (nth t keys nothing))).
  { intros t T. destruct (HK t T) as (_ & Rk & _). set (K := nth t keys nothing) in *. unfold sizeZ.
    pose proof (sum_abs_mult 32 q (k t)) as C. pose proof (len_near 32 q (at24 (qc Q)) _ Rq). pose proof (len_near 32 (k t) (at24 (kc K)) _ Rk).
    pose proof (up_len 32 (qc Q)). pose proof (up_len 32 (kc K)).
    apply up_mul; auto. { apply sum_pos. intros. apply Rmult_le_pos; apply Rabs_pos. }
    eapply Rle_trans; [exact C|]. apply up_mul; auto using len_pos; rewrite rd_plus; lra. }
  assert (All : sum n (fun t => F * sum 32 (fun i => Rabs (q i) * Rabs (k t i))) <= rd all).
  { unfold all, n. apply sum_up with (d := nothing). exact Sz. }
  (* the scores *)
  assert (Lam0 : length am = 64%nat) by (unfold am, centreA; rewrite map_length, seq_length; auto).
  set (e := sub yq yqc) in *.
  set (const := F * sum 64 (fun j => at24 am j * e j)).
  set (first := fun t => F * sum 64 (fun j => at24 (minus (av (nth t keys nothing)) am) j * e j)).
  assert (Minus : forall a b m i, length a = m -> length b = m -> (i < m)%nat -> at24 (minus a b) i = at24 a i - at24 b i).
  { intros a b m i La Lb I. unfold at24, minus. rewrite (nth_map _ _ _ _ (0%Z, 0%Z)) by (rewrite combine_length; lia).
    rewrite combine_nth by lia. cbn [fst snd]. rewrite minus_IZR. field. }
  assert (First : forall t, (t < n)%nat -> Rabs (first t) <= rd (dqZ f Q am (nth t keys nothing))).
  { intros t T. unfold first, dqZ. rewrite Rabs_mult, (Rabs_pos_eq F F0). apply up_mul; auto using Rabs_pos.
    eapply Rle_trans; [apply cauchy_schwarz|]. apply up_mul; auto using len_pos. apply up_len. }
  assert (Off : forall t, (t < n)%nat -> let K := nth t keys nothing in
    Rabs (score t - IZR (scoreZ f Q K) / 2 ^ 32 - const - first t) <= rd (restZ f Q N all K)).
  { intros t T K. destruct (W t T) as (_ & _ & Lav & _). fold K in Lav. destruct (HK t T) as ((ok & Hk & Lok) & Rk & Es & Ae & _). fold K in Hk, Lok, Rk, Es, Ae.
    specialize (S t T). cbv beta zeta in S. specialize (Sz t T). fold K in Sz.
    assert (D : sum 32 (fun i => at24 (qc Q) i * at24 (kc K) i) = IZR (dotk Q K) / 2 ^ 48).
    { unfold dotk. rewrite <- (sum_dot (qc Q) (kc K) 32 Lql). rewrite (sum_ext 32 _ (fun i => / 2 ^ 48 * (IZR (nth i (qc Q) 0%Z) * IZR (nth i (kc K) 0%Z)))).
      - rewrite sum_scal. lra. - intros. unfold at24. field. }
    pose proof (score_near 32 64 wq wk q (k t) (at24 (qc Q)) (at24 (kc K)) e (sub (y t) (yc t)) oq ok (rd (qr Q)) (rd (kr K))
      (rd (ts K)) (rd (ak Q)) (rd (qo Q)) (rd (ko K)) (rd (lenZ (qc Q))) (rd (lenZ (kc K)))
      Hq Hk Rq Rk Es Ak Loq Lok (up_len 32 (qc Q)) (up_len 32 (kc K))) as SN.
    rewrite D in SN. set (qk := sum 32 (fun i => q i * k t i)) in *.
    set (bnd := rd (qo Q) * rd (lenZ (kc K)) + (rd (ak Q) * rd (ts K) + rd (ko K) * rd (lenZ (qc Q))) + rd (qr Q) * rd (kr K)) in *.
    set (lin := sum 64 (fun j => sum 32 (fun i => wq i j * at24 (kc K) i) * e j)) in *.
    assert (B1 : Rabs (F * qk - F * (IZR (dotk Q K) / 2 ^ 48) - const - first t) <= rd (mul (fu f) (mul (ae K) (ty Q) + (mul (qo Q) (lenZ (kc K)) +
      (mul (ak Q) (ts K) + mul (ko K) (lenZ (qc Q))) + mul (qr Q) (kr K))))).
    { replace (F * qk - F * (IZR (dotk Q K) / 2 ^ 48) - const - first t) with (F * ((qk - IZR (dotk Q K) / 2 ^ 48 - lin) +
        sum 64 (fun j => (sum 32 (fun i => wq i j * at24 (kc K) i) - at24 (av K) j) * e j))).
      2:{ assert (X : F * lin - const - first t = F * sum 64 (fun j => (sum 32 (fun i => wq i j * at24 (kc K) i) - at24 (av K) j) * e j)).
          { unfold lin, const, first. fold K. rewrite <- !Rmult_minus_distr_l, <- !sum_minus. f_equal. apply sum_ext. intros j I.
            rewrite (Minus _ _ 64%nat) by auto. ring. }
          rewrite Rmult_plus_distr_l, <- X. ring. }
      rewrite Rabs_mult, (Rabs_pos_eq F F0). apply up_mul; auto using Rabs_pos. rewrite Rplus_comm.
      eapply Rle_trans; [apply Rabs_triang|]. rewrite rd_plus. apply Rplus_le_compat.
      - eapply Rle_trans; [apply cauchy_schwarz|]. eapply Rle_trans; [|apply mul_rd]. apply Rmult_le_compat; auto using len_pos.
      - eapply Rle_trans; [exact SN|]. unfold bnd. repeat apply up_plus; apply mul_rd. }
    assert (B2 : Rabs (F * (IZR (dotk Q K) / 2 ^ 48) - IZR (scoreZ f Q K) / 2 ^ 32) <= rd (Z.abs (dotk Q K) / 2 ^ 44 + 1 + 16)).
    { unfold scoreZ. pose proof (div_bounds (f * dotk Q K) (2 ^ 48) ltac:(lia)) as D1.
      assert (P48 : IZR (2 ^ 48) = 2 ^ 48) by (rewrite (pow_IZR 2 48); reflexivity). rewrite P48, mult_IZR in D1.
      pose proof (div_bounds (Z.abs (dotk Q K)) (2 ^ 44) ltac:(lia)) as D2.
      assert (P44 : IZR (2 ^ 44) = 2 ^ 44) by (rewrite (pow_IZR 2 44); reflexivity). rewrite P44, abs_IZR in D2.
      set (d := IZR (dotk Q K)) in *.
      replace (F * (d / 2 ^ 48) - IZR (f * dotk Q K / 2 ^ 48) / 2 ^ 32) with
        ((F - IZR f / 2 ^ 32) * (d / 2 ^ 48) + (IZR f * d / 2 ^ 48 - IZR (f * dotk Q K / 2 ^ 48)) / 2 ^ 32) by field.
      eapply Rle_trans; [apply Rabs_triang|].
      assert (Rabs ((F - IZR f / 2 ^ 32) * (d / 2 ^ 48)) <= / 2 ^ 32 * (Rabs d / 2 ^ 48)).
      { rewrite Rabs_mult. apply Rmult_le_compat; auto using Rabs_pos. { apply Rabs_le. lra. }
        unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by lra. lra. }
      assert (Rabs ((IZR f * d / 2 ^ 48 - IZR (f * dotk Q K / 2 ^ 48)) / 2 ^ 32) <= / 2 ^ 32) by (apply Rabs_le; lra).
      unfold rd. rewrite !plus_IZR. lra. }
    assert (B3 : gamma (32 + 16) * (F * sum 32 (fun i => Rabs (q i) * Rabs (k t i))) + 24 * u * sum n (fun t => F * sum 32 (fun i => Rabs (q i) * Rabs (k t i))) +
      48 * INR n * u + tiny <= rd (mul (gam 48) (sizeZ f Q K) + mul 98304 all + N * 196608 + 1)).
    { pose proof (gamma_nonneg 48 ltac:(lia)) as (G0 & _). pose proof (gam_up 48 ltac:(lia)) as G1. change (Z.of_nat 48) with 48%Z in G1.
      assert (P : forall t, 0 <= F * sum 32 (fun i => Rabs (q i) * Rabs (k t i))).
      { intros. apply Rmult_le_pos; auto. apply sum_pos. intros. apply Rmult_le_pos; apply Rabs_pos. }
      apply up_plus; [apply up_plus; [apply up_plus|]|].
      - apply up_mul; auto.
      - apply up_mul; auto; [unfold u; lra|apply sum_pos; auto|unfold u, rd; lra].
      - unfold N. rewrite INR_IZR_INZ. unfold u, rd. rewrite mult_IZR. lra.
      - unfold rd. lra. }
    unfold restZ. rewrite !rd_plus in *.
    replace (score t - IZR (scoreZ f Q K) / 2 ^ 32 - const - first t) with ((score t - F * qk) + (F * qk - F * (IZR (dotk Q K) / 2 ^ 48) - const - first t) +
      (F * (IZR (dotk Q K) / 2 ^ 48) - IZR (scoreZ f Q K) / 2 ^ 32)) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (score t - F * qk) (F * qk - F * (IZR (dotk Q K) / 2 ^ 48) - const - first t)).
    fold qk in S. lra. }
  (* the weights *)
  set (C := exp (IZR top / 2 ^ 32 + const)).
  set (wc := fun t => IZR (lowW f Q top (nth t keys nothing)) / 2 ^ 80).
  set (EE := fun t => rd (factorZ f Q top N all am (nth t keys nothing))).
  set (RR := fun t => rd (factorZ f Q top N all am (nth t keys nothing) - 2 ^ 36 - dqZ f Q am (nth t keys nothing))).
  assert (Wt : forall t, (t < n)%nat -> 0 < wc t /\ 1 <= EE t /\ wc t / EE t <= exp (score t) / C <= wc t * EE t /\
    Rabs (exp (score t) / C - wc t - wc t * first t) <= wc t * RR t).
  { intros t T. specialize (Off t T). specialize (First t T). destruct (W t T) as (Wp & _ & _ & Op). set (K := nth t keys nothing) in *. cbv zeta in Off.
    assert (Tm : (scoreZ f Q K <= top)%Z) by (apply top_max; auto).
    unfold wc, EE, RR. fold K. fold K in First. unfold factorZ. set (z := ((top - scoreZ f Q K) * 2 ^ 18)%Z) in *.
    set (o := offZ f Q N all am K) in *.
    assert (Z0 : (0 <= z)%Z) by (unfold z; lia).
    assert (Lz : lowW f Q top K = exp_low z) by (unfold lowW; fold z; reflexivity).
    destruct (exp_low_ok z Z0) as (L0 & Ll). rewrite <- Lz in L0, Ll. pose proof (exp_high_ok z Z0) as Lu.
    destruct (exp_low_ok (o * 2 ^ 14) ltac:(lia)) as (M0 & Ml). 
    set (l := lowW f Q top K) in *. set (m := exp_low (o * 2 ^ 14)) in *. set (h := exp_high z) in *.
    assert (Lp : (0 < l)%Z) by nia. assert (Mp : (0 < m)%Z) by nia.
    assert (Ze : IZR z / 2 ^ 50 = IZR top / 2 ^ 32 - IZR (scoreZ f Q K) / 2 ^ 32).
    { unfold z. rewrite mult_IZR, minus_IZR. assert (P18 : IZR (2 ^ 18) = 2 ^ 18) by (rewrite (pow_IZR 2 18); reflexivity). rewrite P18. field. }
    assert (Oe : IZR (o * 2 ^ 14) / 2 ^ 50 = rd o) by (rewrite mult_IZR, p14; unfold rd; field).
    rewrite Ze in Ll, Lu. rewrite Oe in Ml.
    set (sc := IZR (scoreZ f Q K) / 2 ^ 32) in *. set (tp := IZR top / 2 ^ 32) in *.
    assert (Ex : exp (score t) / C = exp (- (tp - sc)) * exp (score t - sc - const)).
    { unfold C. fold tp. unfold Rdiv. rewrite <- exp_Ropp, <- !exp_plus. f_equal. ring. }
    set (dl := score t - sc - const) in *.
    assert (Dl : Rabs dl <= rd o).
    { replace dl with ((dl - first t) + first t) by ring. eapply Rle_trans; [apply Rabs_triang|]. unfold o, offZ. rewrite rd_plus. lra. }
    pose proof (exp_rest dl (rd o) Dl) as Re. pose proof Dl as Da. apply abs_inv in Dl.
    assert (X1 : exp dl <= / (IZR m / 2 ^ 80)).
    { apply Rle_trans with (/ exp (- rd o)).
      - rewrite <- exp_Ropp. destruct (Req_dec dl (- - rd o)) as [->|]; [lra|]. left. apply exp_increasing. lra.
      - apply Rinv_le_contravar; auto. apply IZR_lt in Mp. lra. }
    assert (X2 : IZR m / 2 ^ 80 <= exp dl).
    { eapply Rle_trans; [exact Ml|]. destruct (Req_dec dl (- rd o)) as [->|]; [lra|]. left. apply exp_increasing. lra. }
    rewrite Ex. set (x := exp (- (tp - sc))) in *. set (yv := exp dl) in *.
    assert (Mb : IZR m / 2 ^ 80 <= 1).
    { eapply Rle_trans; [exact Ml|]. rewrite <- exp_0. pose proof (rd_pos _ Op). destruct (Req_dec (- rd o) 0) as [->|]; [lra|]. left. apply exp_increasing. lra. }
    apply IZR_lt in Lp, Mp. set (a := IZR l / 2 ^ 80) in *. set (b := IZR m / 2 ^ 80) in *. set (c := IZR h / 2 ^ 80) in *.
    assert (Ap : 0 < a) by (unfold a; lra). assert (Bp : 0 < b) by (unfold b; lra).
    assert (Ee : c / (a * b) <= rd (h * 2 ^ 116 / (l * m) + 1)).
    { pose proof (div_bounds (h * 2 ^ 116) (l * m) Wp) as D. rewrite !mult_IZR in D.
      assert (P116 : IZR (2 ^ 116) = 2 ^ 116) by (rewrite (pow_IZR 2 116); reflexivity). rewrite P116 in D.
      unfold rd. rewrite plus_IZR. replace (c / (a * b)) with ((IZR h * 2 ^ 116 / (IZR l * IZR m)) / 2 ^ 36) by (unfold a, b, c; field; lra). lra. }
    set (e0 := rd (h * 2 ^ 116 / (l * m) + 1)) in *.
    assert (AB : 0 < a * b) by (apply Rmult_lt_0_compat; auto).
    assert (Cab : a <= c) by lra.
    assert (Eab : c <= e0 * (a * b)).
    { apply Rmult_le_reg_r with (/ (a * b)); [apply Rinv_0_lt_compat; auto|]. rewrite Rmult_assoc, Rinv_r by lra. lra. }
    assert (E1' : 1 <= e0).
    { apply Rle_trans with (c / (a * b)); auto. apply Rmult_le_reg_r with (a * b); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (a * b <= a * 1) by (apply Rmult_le_compat_l; lra). lra. }
    split; auto. split; auto.
    assert (Last : Rabs (x * yv - a - a * first t) <= a * rd (h * 2 ^ 116 / (l * m) + 1 - 2 ^ 36 - dqZ f Q am K)).
    { assert (Er' : rd (h * 2 ^ 116 / (l * m) + 1 - 2 ^ 36 - dqZ f Q am K) = e0 - 1 - rd (dqZ f Q am K)).
      { unfold e0, rd. rewrite !minus_IZR, p36. field. }
      rewrite Er'. replace (x * yv - a - a * first t) with (a * ((x / a) * yv - 1 - first t)) by (field; lra).
      rewrite Rabs_mult, (Rabs_pos_eq a) by lra. apply Rmult_le_compat_l; [lra|].
      set (kp := x / a). assert (Kp : 1 <= kp).
      { apply Rmult_le_reg_r with a; auto. unfold kp, Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      assert (Y0 : 0 < yv) by apply exp_pos.
      assert (Xo : exp (rd o) * b <= 1).
      { apply Rle_trans with (exp (rd o) * exp (- rd o)); [apply Rmult_le_compat_l; [left; apply exp_pos|lra]|]. rewrite <- exp_plus, Rplus_opp_r, exp_0. lra. }
      assert (Ke : kp * exp (rd o) <= e0).
      { apply Rmult_le_reg_r with (a * b); auto. replace (kp * exp (rd o) * (a * b)) with (x * (exp (rd o) * b)) by (unfold kp; field; lra).
        apply Rle_trans with (x * 1); [apply Rmult_le_compat_l; [left; apply exp_pos|lra]|]. lra. }
      assert (Yd : yv <= exp (rd o)) by (unfold yv; apply abs_inv in Da; destruct (Req_dec dl (rd o)) as [->|]; [lra|]; left; apply exp_increasing; lra).
      assert ((kp - 1) * yv <= (kp - 1) * exp (rd o)) by (apply Rmult_le_compat_l; lra).
      assert (0 <= (kp - 1) * yv) by (apply Rmult_le_pos; lra).
      pose proof (exp_above_line dl) as Ed. fold yv in Ed, Re.
      assert (Oo : rd o = rd (dqZ f Q am K) + rd (restZ f Q N all K)) by (unfold o, offZ; apply rd_plus).
      apply abs_inv in Off. apply Rabs_le. lra. }
    split; [|exact Last]. split.
    - apply Rle_trans with (a * b); [|apply Rmult_le_compat; lra].
      apply Rmult_le_reg_r with e0; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
    - apply Rle_trans with (c * / b); [apply Rmult_le_compat; [left; apply exp_pos|left; apply exp_pos|lra|exact X1]|].
      apply Rmult_le_reg_r with b; auto. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  (* the values *)
  assert (Lp : forall t, (t < n)%nat -> (0 < lowW f Q top (nth t keys nothing))%Z).
  { intros t T. destruct (Wt t T) as (P & _). unfold wc in P. apply lt_IZR. lra. }
  assert (Wp : (0 < w)%Z).
  { apply lt_IZR. unfold w. rewrite <- (sum_is _ (lowW f Q top) nothing keys). fold n.
    apply Rlt_le_trans with (IZR (lowW f Q top (nth 0 keys nothing))); [apply IZR_lt, Lp; auto|].
    apply (sum_term n (fun t => IZR (lowW f Q top (nth t keys nothing)))); auto. intros t T. apply IZR_le. specialize (Lp t T). lia. }
  assert (Loc : length oc' = 32%nat) by (unfold oc', centreA; rewrite map_length, seq_length; auto).
  assert (Noc : forall i, (i < 32)%nat -> nth i oc' 0%Z = (columnZ f Q vc top keys i / w)%Z).
  { intros i I. unfold oc', centreA. rewrite (nth_map _ _ _ _ 0%nat) by (rewrite seq_length; auto). rewrite seq_nth by auto. auto. }
  assert (Ze : len 32 (fun i => sum n (fun t => wc t * (at24 (vc (nth t keys nothing)) i - at24 oc' i))) <= rd (6 * (w / 2 ^ 68 + 1))).
  { pose proof (div_bounds w (2 ^ 68) ltac:(lia)) as D. assert (P68 : IZR (2 ^ 68) = 2 ^ 68) by (rewrite (pow_IZR 2 68); reflexivity). rewrite P68 in D.
    apply IZR_lt in Wp as Wr.
    eapply Rle_trans; [apply len_bound with (a := IZR w / 2 ^ 104)|].
    - apply div_pos; lra.
    - intros i I. unfold wc, at24. rewrite Noc by auto. set (o := (columnZ f Q vc top keys i / w)%Z).
      rewrite (sum_ext n _ (fun t => / 2 ^ 104 * (IZR (lowW f Q top (nth t keys nothing) * nth i (vc (nth t keys nothing)) 0%Z) -
        IZR o * IZR (lowW f Q top (nth t keys nothing))))) by (intros; rewrite mult_IZR; field).
      rewrite sum_scal, sum_minus, sum_scal. unfold n.
      rewrite (sum_is _ (fun K => lowW f Q top K * nth i (vc K) 0)%Z nothing keys), (sum_is _ (lowW f Q top) nothing keys).
      fold (columnZ f Q vc top keys i). fold w. pose proof (div_bounds (columnZ f Q vc top keys i) w Wp) as B. fold o in B.
      assert (B1 : IZR o * IZR w <= IZR (columnZ f Q vc top keys i) <= IZR o * IZR w + IZR w).
      { destruct B as (B1 & B2). split; apply Rmult_le_reg_r with (/ IZR w); try (apply Rinv_0_lt_compat; auto).
        - rewrite Rmult_assoc, Rinv_r by lra. lra.
        - rewrite Rmult_plus_distr_r, Rmult_assoc, Rinv_r by lra. lra. }
      apply Rabs_le. lra.
    - assert (S32 : sqrt (INR 32) <= 6).
      { replace (INR 32) with 32 by (simpl; lra). rewrite <- (sqrt_square 6) by lra. apply sqrt_le_1_alt. lra. }
      pose proof (sqrt_pos (INR 32)).
      assert (sqrt (INR 32) * (IZR w / 2 ^ 104) <= 6 * (IZR w / 2 ^ 104)) by (apply Rmult_le_compat_r; [apply div_pos; lra|auto]).
      unfold rd. rewrite mult_IZR, plus_IZR. lra. }
  assert (Lm : len 32 (fun i => sum n (fun t => wc t * (first t * sub (at24 (vc (nth t keys nothing))) (at24 oc') i))) <= rd (firstZ f Q pairs)).
  { set (x := fun t => at24 (minus (vc (nth t keys nothing)) oc')). set (z := fun t => at24 (minus (av (nth t keys nothing)) am)).
    rewrite (len_ext 32 _ (fun i => F * sum n (fun t => wc t * (sum 64 (fun j => z t j * e j) * x t i)))).
    2:{ intros i I. rewrite <- sum_scal. apply sum_ext. intros t T. destruct (W t T) as (_ & Lv & _). unfold first, x, sub.
        rewrite (Minus _ _ 32%nat) by auto. fold (z t). ring. }
    rewrite len_scal, (Rabs_pos_eq F F0). unfold firstZ. apply up_mul; auto using len_pos.
    eapply Rle_trans; [apply len_pairs|].
    assert (G : sum n (fun t => wc t * sum n (fun s => wc s * (sum 32 (fun i => x t i * x s i) * sum 64 (fun j => z t j * z s j)))) = IZR pairs / (2 ^ 128 * 2 ^ 128)).
    { assert (Dp : forall m a b, (length a <= m)%nat -> sum m (fun i => at24 a i * at24 b i) = IZR (dotZ a b) / 2 ^ 48).
      { intros m a b La. rewrite <- (sum_dot a b m La). rewrite (sum_ext m _ (fun i => / 2 ^ 48 * (IZR (nth i a 0%Z) * IZR (nth i b 0%Z)))).
        - rewrite sum_scal. lra. - intros. unfold at24. field. }
      assert (Lx : forall a b m, length a = m -> length b = m -> (length (minus a b) <= m)%nat) by (intros; unfold minus; rewrite map_length, combine_length; lia).
      unfold pairs, pairsZ. rewrite <- (sum_is _ _ nothing keys). fold n. unfold Rdiv. rewrite Rmult_comm, <- sum_scal. apply sum_ext. intros t T.
      destruct (W t T) as (_ & Lv & La & _).
      rewrite mult_IZR, <- (sum_is _ _ nothing keys). fold n. unfold wc at 1. set (lt := IZR (lowW f Q top (nth t keys nothing))).
      replace (/ (2 ^ 128 * 2 ^ 128) * (lt * sum n (fun s => IZR (lowW f Q top (nth s keys nothing) *
        (dotZ (minus (vc (nth t keys nothing)) oc') (minus (vc (nth s keys nothing)) oc') *
         dotZ (minus (av (nth t keys nothing)) am) (minus (av (nth s keys nothing)) am))))))
        with (lt / 2 ^ 80 * (/ 2 ^ 176 * sum n (fun s => IZR (lowW f Q top (nth s keys nothing) *
        (dotZ (minus (vc (nth t keys nothing)) oc') (minus (vc (nth s keys nothing)) oc') *
         dotZ (minus (av (nth t keys nothing)) am) (minus (av (nth s keys nothing)) am)))))) by field.
      f_equal. rewrite <- sum_scal. apply sum_ext. intros s S'. unfold x, z, wc. rewrite !Dp by (apply Lx; auto). rewrite !mult_IZR. field. }
    rewrite G. apply IZR_le in E4 as P4. apply up_mul; auto using len_pos, sqrt_pos.
    pose proof (sqrt_bounds pairs E4) as Sq. unfold Rdiv. rewrite sqrt_mult_alt, sqrt_inv, sqrt_square by lra.
    pose proof (div_bounds (Z.sqrt pairs + 1) (2 ^ 92) ltac:(lia)) as D. assert (P92 : IZR (2 ^ 92) = 2 ^ 92) by (rewrite (pow_IZR 2 92); reflexivity).
    rewrite P92, plus_IZR in D. unfold rd. rewrite plus_IZR. lra. }
  assert (Zl : rd zlo <= sum n (fun t => wc t / EE t)).
  { unfold zlo, leastZ, n. apply sum_low with (d := nothing). intros t T. destruct (Wt t T) as (P1 & P2 & _). unfold wc, EE in *.
    set (K := nth t keys nothing) in *. set (e2 := factorZ f Q top N all am K) in *. set (l := lowW f Q top K) in *.
    assert (Ep : (0 < e2)%Z) by (apply lt_IZR; unfold rd in P2; lra).
    pose proof (div_bounds l (2 ^ 8 * e2) ltac:(lia)) as D. rewrite mult_IZR in D.
    assert (P8 : IZR (2 ^ 8) = 2 ^ 8) by (rewrite (pow_IZR 2 8); reflexivity). rewrite P8 in D. apply IZR_lt in Ep. unfold rd.
    replace (IZR l / 2 ^ 80 / (IZR e2 / 2 ^ 36)) with (IZR l / (2 ^ 8 * IZR e2) / 2 ^ 36) by (field; lra).
    apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat, pow_lt; lra|lra]. }
  assert (Zp : 0 < rd zlo) by (apply IZR_lt in E1; unfold rd; lra).
  pose proof (gamma_nonneg (2 * n + 8) ltac:(lia)) as (G0 & _). pose proof (gam_up (2 * n + 8) ltac:(lia)) as G1.
  replace (Z.of_nat (2 * n + 8)) with (2 * N + 8)%Z in G1 by (unfold N; lia).
  pose proof (attends_ball n 32 (2 * n + 8) score v out C wc EE first RR (fun t => rd (vr (nth t keys nothing)))
    (fun t => at24 (vc (nth t keys nothing))) (at24 oc') (rd (firstZ f Q pairs)) (rd (6 * (w / 2 ^ 68 + 1))) (rd zlo) Np G0 (exp_pos _) Out
    (fun t T => let (a, r) := Wt t T in let (b, r) := r in let (c, _) := r in conj a (conj b c))
    (fun t T => proj2 (proj2 (proj2 (Wt t T)))) Lm (fun t T => proj2 (proj2 (proj2 (proj2 (HK t T))))) Ze Zp Zl) as AB.
  rewrite <- Eo, <- Er. split; [|exact Loc]. eapply Rle_trans; [exact AB|]. rewrite rd_plus. 
  assert (S32 : sqrt (INR 32) * tiny <= rd 6).
  { assert (sqrt (INR 32) <= 6).
    { replace (INR 32) with 32 by (simpl; lra). rewrite <- (sqrt_square 6) by lra. apply sqrt_le_1_alt. lra. }
    apply Rle_trans with (6 * / 2 ^ 36); [apply Rmult_le_compat; try lra; apply sqrt_pos|unfold rd; lra]. }
  apply Rplus_le_compat; auto.
  assert (Rrp : forall t, (t < n)%nat -> 0 <= RR t).
  { intros t T. destruct (Wt t T) as (P1 & _ & _ & P3). pose proof (Rabs_pos (exp (score t) / C - wc t - wc t * first t)).
    apply Rmult_le_reg_l with (wc t); auto. lra. }
  assert (Num : forall t, (t < n)%nat -> wc t * (EE t * (rd (vr (nth t keys nothing)) + gamma (2 * n + 8) * (len 32 (at24 (vc (nth t keys nothing))) + rd (vr (nth t keys nothing)))) +
     RR t * len 32 (sub (at24 (vc (nth t keys nothing))) (at24 oc'))) <= rd (partZ f Q top N all (gam (2 * N + 8)) oc' am (nth t keys nothing))).
  { intros t T. destruct (Wt t T) as (P1 & P2 & _ & P3). pose proof (Rrp t T) as P4. pose proof (proj2 (proj2 (proj2 (proj2 (HK t T))))) as Rv.
    destruct (W t T) as (_ & Lv & _). unfold wc, EE, RR in *. set (K := nth t keys nothing) in *. unfold partZ. cbv zeta.
    set (e1 := factorZ f Q top N all am K) in *. pose proof (len_pos 32 (sub (v t) (at24 (vc K)))). pose proof (up_len 32 (vc K)) as UL.
    pose proof (len_pos 32 (at24 (vc K))). pose proof (len_pos 32 (sub (at24 (vc K)) (at24 oc'))).
    assert (Df : len 32 (sub (at24 (vc K)) (at24 oc')) <= rd (diffZ oc' K)).
    { unfold diffZ. eapply Rle_trans; [|apply (up_len 32)]. right. apply len_ext. intros i I. unfold sub. rewrite (Minus _ _ 32%nat) by auto. auto. }
    assert (X0 : 0 <= gamma (2 * n + 8) * (len 32 (at24 (vc K)) + rd (vr K))) by (apply Rmult_le_pos; lra).
    assert (Y0 : 0 <= rd e1 * (rd (vr K) + gamma (2 * n + 8) * (len 32 (at24 (vc K)) + rd (vr K)))) by (apply Rmult_le_pos; lra).
    assert (Y1 : 0 <= rd (e1 - 2 ^ 36 - dqZ f Q am K) * len 32 (sub (at24 (vc K)) (at24 oc'))) by (apply Rmult_le_pos; lra).
    apply up_mul; [lra|lra| |].
    - pose proof (div_bounds (lowW f Q top K) (2 ^ 44) ltac:(lia)) as D2.
      assert (P44 : IZR (2 ^ 44) = 2 ^ 44) by (rewrite (pow_IZR 2 44); reflexivity). rewrite P44 in D2. unfold rd. rewrite plus_IZR. lra.
    - apply up_plus.
      + apply up_mul; try lra. apply up_plus; [lra|]. apply up_mul; auto; [lra|]. rewrite rd_plus. lra.
      + apply up_mul; auto; lra. }
  apply up_quo; auto; [| |lra].
  - apply Rplus_le_le_0_compat; [|apply Rplus_le_le_0_compat; [eapply Rle_trans; [apply len_pos|exact Lm]|eapply Rle_trans; [apply len_pos|exact Ze]]].
    apply sum_pos. intros t T. destruct (Wt t T) as (P1 & P2 & _). pose proof (Rrp t T) as P4.
    pose proof (proj2 (proj2 (proj2 (proj2 (HK t T))))) as Rv. pose proof (len_pos 32 (sub (v t) (at24 (vc (nth t keys nothing))))).
    pose proof (len_pos 32 (at24 (vc (nth t keys nothing)))).
    apply Rmult_le_pos; [lra|]. apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; [|apply len_pos].
    assert (0 <= gamma (2 * n + 8) * (len 32 (at24 (vc (nth t keys nothing))) + rd (vr (nth t keys nothing)))) by (apply Rmult_le_pos; lra). lra.
  - unfold num, sumZ. fold pairs. apply up_plus; [|rewrite rd_plus; lra]. unfold n. apply sum_up with (d := nothing). exact Num.
Qed.
