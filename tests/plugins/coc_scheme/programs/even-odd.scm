;; Mutual recursion at the top, in letrec, and with internal definitions.
(import (scheme base) (scheme write))

(define (my-even? n)
  (if (= n 0) #t (my-odd? (- n 1))))
(define (my-odd? n)
  (if (= n 0) #f (my-even? (- n 1))))

(define (show x) (write x) (newline))

(show (map my-even? '(0 1 10 57)))
(show (my-odd? 301))

(show
 (letrec ((ping (lambda (n) (if (= n 0) '(end) (cons 'ping (pong (- n 1))))))
          (pong (lambda (n) (if (= n 0) '(end) (cons 'pong (ping (- n 1)))))))
   (ping 5)))

;; Hofstadter's female and male sequences.
(define (hofstadter limit)
  (define (female n)
    (if (= n 0) 1 (- n (male (female (- n 1))))))
  (define (male n)
    (if (= n 0) 0 (- n (female (male (- n 1))))))
  (let loop ((n limit) (f '()) (m '()))
    (if (< n 0)
        (list f m)
        (loop (- n 1) (cons (female n) f) (cons (male n) m)))))
(for-each show (hofstadter 8))

;; Three states of a traffic light.
(define (light n)
  (letrec* ((green (lambda (n) (if (= n 0) 'green (amber (- n 1)))))
            (amber (lambda (n) (if (= n 0) 'amber (red (- n 1)))))
            (red (lambda (n) (if (= n 0) 'red (green (- n 1))))))
    (green n)))
(show (map light '(0 1 2 3 100)))

;=> (#t #f #t #f)
;=> #t
;=> (ping pong ping pong ping end)
;=> (1 1 2 2 3 3 4 5 5)
;=> (0 0 1 2 2 3 4 4 5)
;=> (green amber red green amber)
