;; Named let in many shapes: accumulators, nested loops, several exits.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(show (let countdown ((n 5) (trail '()))
        (if (= n 0)
            (reverse (cons 'go trail))
            (countdown (- n 1) (cons n trail)))))

;; Two loops, the inner one in the outer one's tail.
(define (pairs-with-sum numbers target)
  (let outer ((a numbers) (found '()))
    (if (null? a)
        (reverse found)
        (let inner ((b (cdr a)) (found found))
          (cond ((null? b) (outer (cdr a) found))
                ((= target (+ (car a) (car b)))
                 (inner (cdr b) (cons (cons (car a) (car b)) found)))
                (else (inner (cdr b) found)))))))
(show (pairs-with-sum '(1 2 3 4 5 6 7) 8))

;; Digits of a number, with a loop that is not in tail position.
(define (digits n)
  (reverse
   (let next ((n n))
     (if (< n 10)
         (list n)
         (cons (remainder n 10) (next (quotient n 10)))))))
(show (digits 90210))

;; The loop's name is a procedure: it can be passed on.
(define (count-leaves tree)
  (let count ((t tree))
    (if (pair? t)
        (apply + (map count t))
        1)))
(show (count-leaves '(1 (2 3) ((4) 5 (6 (7))))))

;; Leave three loops at once when the triple is found.
(show (let a-loop ((a 1))
        (let b-loop ((b a))
          (let ((c (- 30 a b)))
            (cond ((<= c b) (if (< a 10) (a-loop (+ a 1)) 'none))
                  ((= (* c c) (+ (* a a) (* b b))) (list a b c))
                  (else (b-loop (+ b 1))))))))

;=> (5 4 3 2 1 go)
;=> ((1 . 7) (2 . 6) (3 . 5))
;=> (9 0 2 1 0)
;=> 7
;=> (5 12 13)
