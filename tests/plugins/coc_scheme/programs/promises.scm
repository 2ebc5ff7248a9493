;; Promises: delay runs once, delay-force keeps loops in constant space.
(import (scheme base) (scheme write) (scheme lazy))

(define (show x) (write x) (newline))

;; A promise remembers its value.
(define count 0)
(define p
  (delay (begin (set! count (+ count 1)) (* count 10))))
(show (force p))
(show (force p))
(show count)

;; Promises are first-class; make-promise makes one that has its value.
(show (map promise? (list p 10 (make-promise 10))))
(show (force (make-promise 5)))

;; An iterative loop of promises.
(define (count-down n)
  (if (= n 0)
      (delay 'landed)
      (delay-force (count-down (- n 1)))))
(show (force (count-down 200)))

;; A lazy stream: the first element that satisfies a test.
(define (from n) (delay (cons n (from (+ n 1)))))
(define (find-first ok? s)
  (delay-force
   (let ((pair (force s)))
     (if (ok? (car pair))
         (delay (car pair))
         (find-first ok? (cdr pair))))))
(show (force (find-first (lambda (n) (= 0 (remainder n 37))) (from 100))))

;; Forcing a promise within itself: the first value wins.
(define x 0)
(define q
  (delay (begin (set! x (+ x 1))
                (if (> x 3) x (force q)))))
(show (force q))
(set! x 100)
(show (force q))

;=> 10
;=> 10
;=> 1
;=> (#t #f #t)
;=> 5
;=> landed
;=> 111
;=> 4
;=> 4
