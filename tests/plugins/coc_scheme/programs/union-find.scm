;; Disjoint sets in a vector, with union by size and path compression.
(import (scheme base) (scheme write))

;; A negative entry is a root and minus the size of its set.
(define (make-sets n) (make-vector n -1))

(define (find! sets i)
  (let ((parent (vector-ref sets i)))
    (if (< parent 0)
        i
        (let ((root (find! sets parent)))
          (vector-set! sets i root)
          root))))

(define (size sets i)
  (- (vector-ref sets (find! sets i))))

(define (union! sets i j)
  (let ((a (find! sets i))
        (b (find! sets j)))
    (cond ((= a b) #f)
          ((< (size sets a) (size sets b)) (union! sets j i))
          (else
           (vector-set! sets a (+ (vector-ref sets a) (vector-ref sets b)))
           (vector-set! sets b a)
           #t))))

(define (count-sets sets)
  (let loop ((i 0) (count 0))
    (cond ((= i (vector-length sets)) count)
          ((< (vector-ref sets i) 0) (loop (+ i 1) (+ count 1)))
          (else (loop (+ i 1) count)))))

(define friends (make-sets 10))

(for-each (lambda (pair)
            (write pair)
            (display (if (union! friends (car pair) (cadr pair))
                         " joined, sets: "
                         " knew each other, sets: "))
            (write (count-sets friends))
            (newline))
          '((0 1) (2 3) (1 3) (4 5) (0 2) (5 6) (9 8)))

(write (= (find! friends 0) (find! friends 3)))
(newline)
(write (= (find! friends 0) (find! friends 4)))
(newline)
(write (map (lambda (i) (size friends i)) '(0 4 7 8)))
(newline)

;=> (0 1) joined, sets: 9
;=> (2 3) joined, sets: 8
;=> (1 3) joined, sets: 7
;=> (4 5) joined, sets: 6
;=> (0 2) knew each other, sets: 6
;=> (5 6) joined, sets: 5
;=> (9 8) joined, sets: 4
;=> #t
;=> #f
;=> (4 3 1 2)
