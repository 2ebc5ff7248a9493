;; A simulator of digital circuits with wires, gates and an agenda.
(import (scheme base) (scheme write))

;; The agenda: (time . action) in order of time, first come first served.
(define agenda '())
(define now 0)

(define (after delay action)
  (let ((time (+ now delay)))
    (set! agenda
          (let insert ((rest agenda))
            (if (or (null? rest) (< time (caar rest)))
                (cons (cons time action) rest)
                (cons (car rest) (insert (cdr rest))))))))

(define (propagate)
  (unless (null? agenda)
    (let ((item (car agenda)))
      (set! agenda (cdr agenda))
      (set! now (car item))
      ((cdr item))
      (propagate))))

;; A wire is a vector of its signal and its actions.
(define (make-wire) (vector 0 '()))
(define (signal wire) (vector-ref wire 0))
(define (set-signal! wire new)
  (unless (= new (signal wire))
    (vector-set! wire 0 new)
    (for-each (lambda (action) (action)) (vector-ref wire 1))))
(define (on-change! wire action)
  (vector-set! wire 1 (cons action (vector-ref wire 1)))
  (action))

(define (gate delay f output . inputs)
  (define (react)
    (let ((new (apply f (map signal inputs))))
      (after delay (lambda () (set-signal! output new)))))
  (for-each (lambda (input) (on-change! input react)) inputs))

(define (inverter a out) (gate 2 (lambda (x) (- 1 x)) out a))
(define (and-gate a b out) (gate 3 * out a b))
(define (or-gate a b out) (gate 5 max out a b))

(define (half-adder a b sum carry)
  (let ((d (make-wire)) (e (make-wire)))
    (or-gate a b d)
    (and-gate a b carry)
    (inverter carry e)
    (and-gate d e sum)))

(define (full-adder a b c-in sum c-out)
  (let ((s (make-wire)) (c1 (make-wire)) (c2 (make-wire)))
    (half-adder b c-in s c1)
    (half-adder a s sum c2)
    (or-gate c1 c2 c-out)))

(define (probe name wire)
  (on-change! wire
              (lambda ()
                (display (list now name (signal wire)))
                (newline))))

(define a (make-wire))
(define b (make-wire))
(define c (make-wire))
(define sum (make-wire))
(define carry (make-wire))
(full-adder a b c sum carry)
(propagate)
(probe 'sum sum)
(probe 'carry carry)
(for-each (lambda (wire)
            (set-signal! wire 1)
            (propagate))
          (list a b c))

;=> (5 sum 0)
;=> (5 carry 0)
;=> (13 sum 1)
;=> (29 carry 1)
;=> (29 sum 0)
;=> (45 sum 1)
