;; Records: shapes with areas, mutable fields, and a functional update.
(import (scheme base) (scheme write))

(define-record-type point
  (make-point x y)
  point?
  (x point-x set-point-x!)
  (y point-y set-point-y!))

(define-record-type rectangle
  (make-rectangle corner width height)
  rectangle?
  (corner rectangle-corner)
  (width rectangle-width)
  (height rectangle-height))

(define-record-type triangle
  (make-triangle a b c)
  triangle?
  (a triangle-a)
  (b triangle-b)
  (c triangle-c))

(define (double-area shape)
  (cond ((rectangle? shape)
         (* 2 (rectangle-width shape) (rectangle-height shape)))
        ((triangle? shape)
         (let ((a (triangle-a shape))
               (b (triangle-b shape))
               (c (triangle-c shape)))
           (abs (- (* (- (point-x b) (point-x a)) (- (point-y c) (point-y a)))
                   (* (- (point-x c) (point-x a))
                      (- (point-y b) (point-y a)))))))
        (else 0)))

(define (move! p dx dy)
  (set-point-x! p (+ (point-x p) dx))
  (set-point-y! p (+ (point-y p) dy)))

(define (widen r factor)
  (make-rectangle (rectangle-corner r)
                  (* factor (rectangle-width r))
                  (rectangle-height r)))

(define origin (make-point 0 0))
(define r (make-rectangle origin 3 4))
(define t (make-triangle origin (make-point 4 0) (make-point 0 3)))

(define (show x) (write x) (newline))
(show (map double-area (list r t origin)))
(show (double-area (widen r 10)))
(show (map point? (list origin r 'origin 5)))
;; The rectangle and the triangle share a corner, so both see it move.
(move! origin 1 1)
(show (list (point-x (rectangle-corner r)) (point-y (triangle-a t))))
(show (double-area t))
(show (eq? origin (rectangle-corner (widen r 2))))
(show (eqv? (make-point 1 1) (make-point 1 1)))

;=> (24 12 0)
;=> 240
;=> (#t #f #f #f)
;=> (1 1)
;=> 5
;=> #t
;=> #f
