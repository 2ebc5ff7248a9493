;; A macro that turns a table of states into mutually recursive procedures.
(import (scheme base) (scheme write))

(define-syntax automaton
  (syntax-rules (accept)
    ((_ start (state verdict (label -> target) ...) ...)
     (letrec ((state
               (lambda (input)
                 (if (null? input)
                     (eq? 'verdict 'accept)
                     (case (car input)
                       ((label) (target (cdr input)))
                       ...
                       (else #f)))))
              ...)
       (lambda (input) (start input))))))

;; Words of c, a, d and r, as in car and cadr.
(define cxr?
  (automaton init
    (init reject (c -> more))
    (more reject (a -> loop) (d -> loop))
    (loop reject (a -> loop) (d -> loop) (r -> end))
    (end accept)))

;; Binary numbers, highest digit first, that are multiples of three.
(define multiple-of-three?
  (automaton r0
    (r0 accept (0 -> r0) (1 -> r1))
    (r1 reject (0 -> r2) (1 -> r0))
    (r2 reject (0 -> r1) (1 -> r2))))

(define (binary n)
  (let loop ((n n) (bits '()))
    (if (= n 0)
        bits
        (loop (quotient n 2) (cons (remainder n 2) bits)))))

(write (map cxr? '((c a r) (c a d a r) (c r) (c a d) (d a r))))
(newline)
(let loop ((n 1))
  (when (<= n 15)
    (if (multiple-of-three? (binary n))
        (begin (write (binary n)) (newline)))
    (loop (+ n 1))))

;=> (#t #t #f #f #f)
;=> (1 1)
;=> (1 1 0)
;=> (1 0 0 1)
;=> (1 1 0 0)
;=> (1 1 1 1)
