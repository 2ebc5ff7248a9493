;; Pythagorean triples: by search, by Euclid's formula, and as a tree.
(import (scheme base) (scheme write) (scheme cxr))

(define (search limit)
  (let loop ((c limit) (b (- limit 1)) (found '()))
    (cond ((< c 5) found)
          ((< b 4) (loop (- c 1) (- c 2) found))
          (else
           (let-values (((a rest) (exact-integer-sqrt (- (* c c) (* b b)))))
             (loop c
                   (- b 1)
                   (if (and (= rest 0) (< 0 a b))
                       (cons (list a b c) found)
                       found)))))))

;; m > n, one of them even, without a common factor: a primitive triple.
(define (euclid m n)
  (let ((a (- (* m m) (* n n)))
        (b (* 2 m n))
        (c (+ (* m m) (* n n))))
    (list (min a b) (max a b) c)))

(define (primitive? t) (= 1 (gcd (car t) (cadr t))))

;; Three children of each primitive triple, after Berggren.
(define (children t)
  (let ((a (car t)) (b (cadr t)) (c (caddr t)))
    (map (lambda (row)
           (let* ((a (* a (car row)))
                  (b (* b (cadr row))))
             (list (+ a (* 2 b) (* 2 c))
                   (+ (* 2 a) b (* 2 c))
                   (+ (* 2 a) (* 2 b) (* 3 c)))))
         '((-1 1) (1 1) (1 -1)))))

(define (show x) (write x) (newline))
(show (search 30))
(show (map primitive? (search 20)))
(show (list (euclid 2 1) (euclid 3 2) (euclid 4 1) (euclid 4 3)))
(show (children '(3 4 5)))
(show (apply append (map children (children '(3 4 5)))))

;=> ((3 4 5) (6 8 10) (5 12 13) (9 12 15) (8 15 17) (12 16 20) (15 20 25) (7 24 25) (10 24 26) (20 21 29) (18 24 30))
;=> (#t #f #t #f #t #f)
;=> ((3 4 5) (5 12 13) (8 15 17) (7 24 25))
;=> ((15 8 17) (21 20 29) (5 12 13))
;=> ((35 12 37) (65 72 97) (33 56 65) (77 36 85) (119 120 169) (39 80 89) (45 28 53) (55 48 73) (7 24 25))
