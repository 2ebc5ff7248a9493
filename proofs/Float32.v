(* A transformer in float32, in whatever order its sums are computed: which numbers may come out. All of this file is
   definitions, and a proof that an integral exists. Vectors are functions of the place, of which the first few count;
   results are real numbers that are at most so far from the exact ones. The properties are those that coc's certificates
   assume. *)
Require Import Reals Lra List Arith Bool Vectors. Import ListNotations. Open Scope R_scope.

Definition u : R := / 2 ^ 24.                                            (* one rounding, relative *)
Definition gamma (n : nat) : R := INR n * u / (1 - INR n * u).           (* n of them (Higham, lemma 3.1) *)
Definition tiny : R := / 2 ^ 80.                                         (* more than underflow changes *)

(* A result that n roundings of terms of this size, altogether, may have changed. *)
Definition near (n : nat) (y exact size : R) : Prop := Rabs (y - exact) <= gamma n * size + tiny.

(* y = W x + b, for sums in any order; b has parts of this size altogether. *)
Definition linear (n m : nat) (w : nat -> nat -> R) (b size x y : nat -> R) : Prop :=
  forall i, (i < n)%nat ->
  near (m + 4) (y i) (sum m (fun j => w i j * x j) + b i) (sum m (fun j => Rabs (w i j) * Rabs (x j)) + size i).

(* LayerNorm with scale g and shift b. *)
Definition normed (d : nat) (g b x y : nat -> R) : Prop :=
  let mean := sum d x / INR d in
  exists m s, near (d + 2) m mean (sum d (fun i => Rabs (x i)) / INR d) /\ 0 < s /\
  near (4 * d + 24) (s * s) (sum d (fun i => (x i - mean) * (x i - mean)) / INR d + 1 / 100000)
    (sum d (fun i => x i * x i) / INR d + 1 / 100000) /\
  forall i, (i < d)%nat ->
  Rabs (y i - ((x i - m) / s * g i + b i)) <= 8 * u * ((Rabs (x i) + Rabs m) / s * Rabs (g i) + Rabs (b i)) + tiny.

(* One head of attention to n tokens: softmax of scores that may be off. What exp, the subtraction of the largest score
   and the joining of parts may change is counted as a change of the scores. *)
Definition attends (n d : nat) (factor : R) (q : nat -> R) (k v : nat -> nat -> R) (y : nat -> R) : Prop :=
  let size t := factor * sum d (fun i => Rabs (q i) * Rabs (k t i)) in
  exists score : nat -> R,
  (forall t, (t < n)%nat -> Rabs (score t - factor * sum d (fun i => q i * k t i)) <=
     gamma (d + 16) * size t + 24 * u * sum n size + 48 * INR n * u + tiny) /\
  forall i, (i < d)%nat ->
  let p t := exp (score t) / sum n (fun t => exp (score t)) in
  near (2 * n + 8) (y i) (sum n (fun t => p t * v t i)) (sum n (fun t => p t * Rabs (v t i))).

(* GELU: x times the normal distribution. *)
Definition bell (t : R) : R := exp (- (t * t / 2)) / sqrt (2 * PI).
Lemma bell_integrable a b : Riemann_integrable bell a b.
Proof.
  assert (C : forall t, continuity_pt bell t) by (intros t; apply derivable_continuous_pt; unfold bell; reg).
  destruct (Rle_dec a b) as [L|L]; [|apply RiemannInt_P1]; apply continuity_implies_RiemannInt; auto. lra.
Qed.
Definition Phi (x : R) : R := 1 / 2 + RiemannInt (bell_integrable 0 x).
Definition gelu (x : R) : R := x * Phi x.
Definition activated (n : nat) (x y : nat -> R) : Prop :=
  forall i, (i < n)%nat -> Rabs (y i - gelu (x i)) <= 12 * u * Rabs (x i) + tiny.

(* ── The decoder ── *)

Record block := Block {
  scale1 : nat -> R; shift1 : nat -> R; query : nat -> nat -> R; key : nat -> nat -> R; value : nat -> nat -> R;
  out : nat -> nat -> R; scale2 : nat -> R; shift2 : nat -> R; up : nat -> nat -> R; up_bias : nat -> R;
  down : nat -> nat -> R; down_bias : nat -> R }.
Record network := Network {
  tokens : nat -> nat -> R; fields : nat -> nat -> R; places : nat -> nat -> R; shift : nat -> nat -> R;
  blocks : list block; scale : nat -> R; bias : nat -> R }.

Definition zero : nat -> R := fun _ => 0.
Definition plus (x y : nat -> R) : nat -> R := fun i => x i + y i.
Definition size (x : nat -> R) : nat -> R := fun i => Rabs (x i).

(* Which tokens a token attends to, the first one and how many: in the prompt itself only, in the target all so far. *)
Definition first_seen (start t : nat) : nat := if (t <? start)%nat then t else 0%nat.
Definition seen (start t : nat) : nat := (S t - first_seen start t)%nat.

(* One block: hidden states x of all tokens up to t give x' of token t. *)
Definition through (b : block) (start : nat) (x x' : nat -> nat -> R) (t : nat) : Prop :=
  exists y q k v mixed z inner g : nat -> nat -> R,
  (forall s, (s <= t)%nat ->
     normed 64 (scale1 b) (shift1 b) (x s) (y s) /\ linear 64 64 (key b) zero zero (y s) (k s) /\
     linear 64 64 (value b) zero zero (y s) (v s)) /\
  linear 64 64 (query b) zero zero (y t) (q t) /\
  (forall h, (h < 2)%nat ->
     let from s i := s (32 * h + i)%nat in
     attends (seen start t) 32 (ln (INR (S t)) / (2 * sqrt 32)) (from (q t))
       (fun s => from (k (first_seen start t + s)%nat)) (fun s => from (v (first_seen start t + s)%nat))
       (from (mixed t))) /\
  linear 64 64 (out b) (x t) (size (x t)) (mixed t) (z t) /\
  normed 64 (scale2 b) (shift2 b) (z t) (inner t) /\
  exists w, linear 256 64 (up b) (up_bias b) (size (up_bias b)) (inner t) w /\ activated 256 w (g t) /\
  linear 64 256 (down b) (plus (z t) (down_bias b)) (plus (size (z t)) (size (down_bias b))) (g t) (x' t).

(* Hidden states after some blocks. *)
Fixpoint passes (all : list block) (start n : nat) (x final : nat -> nat -> R) : Prop :=
  match all with
  | [] => forall t, (t < n)%nat -> forall i, (i < 64)%nat -> final t i = x t i
  | b :: rest => exists x', (forall t, (t < n)%nat -> through b start x x' t) /\ passes rest start n x' final
  end.

(* The input of a token: its own vectors, and those of the token before it, shifted. A token is given by three rows. *)
Definition own (net : network) (token : nat * nat * nat) : nat -> R :=
  let '(id, field, place) := token in plus (tokens net id) (plus (fields net field) (places net place)).
Definition own_size (net : network) (token : nat * nat * nat) : nat -> R :=
  let '(id, field, place) := token in plus (size (tokens net id)) (plus (size (fields net field)) (size (places net place))).
Definition embedded (net : network) (before : option (nat * nat * nat)) (token : nat * nat * nat) (x : nat -> R) : Prop :=
  forall i, (i < 64)%nat ->
  match before with
  | None => near 74 (x i) (own net token i) (own_size net token i)
  | Some b => near 74 (x i) (sum 64 (fun j => shift net i j * own net b j) + own net token i)
                (sum 64 (fun j => Rabs (shift net i j) * own_size net b j) + own_size net token i)
  end.

(* The logits after these tokens, of which those from `start` on are the target and the separator before it. *)
Definition computes (net : network) (vocabulary start : nat) (row : list (nat * nat * nat)) (logits : nat -> R) : Prop :=
  exists (x final : nat -> nat -> R) (y : nat -> R),
  (forall t token, nth_error row t = Some token ->
     embedded net (match t with 0%nat => None | S s => nth_error row s end) token (x t)) /\
  passes (blocks net) start (length row) x final /\
  normed 64 (scale net) (bias net) (final (length row - 1)%nat) y /\
  linear vocabulary 64 (tokens net) zero zero y logits.
