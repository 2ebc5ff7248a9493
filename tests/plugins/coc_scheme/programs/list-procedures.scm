;; The list procedures of the base library, and sharing of structure.
(import (scheme base) (scheme write) (scheme cxr))

(define (show x) (write x) (newline))

(define l (list 'a 'b 'c 'd))
(show (list (car l) (cadr l) (caddr l) (cadddr l)))
(show (list (length l) (list-ref l 2) (list-tail l 2)))
(show (append l '(e) '() '(f . g)))
(show (append '(1) 2))
(show (append))
(show (reverse '(1 (2 3) 4)))
(show (make-list 3 'x))
(show (list (caar '((1) 2)) (cdar '((1 . 5) 2)) (cddr '(1 2 3)) (cdddr l)))
(show (cons 1 (cons 2 3)))
(show (map list? '(() (1) (1 . 2) 5)))

;; list-copy copies the spine; append shares its last argument.
(define copy (list-copy l))
(set-car! copy 'A)
(show (list l copy))
(define tail (list 'y 'z))
(define joined (append '(x) tail))
(set-car! tail 'Y)
(show joined)
(list-set! l 3 'D)
(show l)

;; map and for-each over several lists, which may differ in length.
(show (map + '(1 2 3) '(10 20 30)))
(show (map (lambda (x y z) (list x y z)) '(1 2) '(a b c) '("p" "q")))
(for-each (lambda (name value)
            (display name)
            (display "=")
            (display value)
            (newline))
          '(x y) '(1 2))

;; Circular structure, walked for a few steps.
(define ring (list 'tick 'tock))
(set-cdr! (cdr ring) ring)
(show (let loop ((n 5) (r ring))
        (if (= n 0) '() (cons (car r) (loop (- n 1) (cdr r))))))
(show (list-ref ring 101))

;=> (a b c d)
;=> (4 c (c d))
;=> (a b c d e f . g)
;=> (1 . 2)
;=> ()
;=> (4 (2 3) 1)
;=> (x x x)
;=> (1 5 (3) (d))
;=> (1 2 . 3)
;=> (#t #t #f #f)
;=> ((a b c d) (A b c d))
;=> (x Y z)
;=> (a b c D)
;=> (11 22 33)
;=> ((1 a "p") (2 b "q"))
;=> x=1
;=> y=2
;=> (tick tock tick tock tick)
;=> tock
