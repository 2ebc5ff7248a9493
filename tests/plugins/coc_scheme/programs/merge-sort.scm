;; Merge sort of lists, stable, with a comparison as argument.
(import (scheme base) (scheme write))

(define (merge a b less?)
  (cond ((null? a) b)
        ((null? b) a)
        ((less? (car b) (car a)) (cons (car b) (merge a (cdr b) less?)))
        (else (cons (car a) (merge (cdr a) b less?)))))

(define (split items)
  (if (or (null? items) (null? (cdr items)))
      (values items '())
      (let-values (((a b) (split (cddr items))))
        (values (cons (car items) a)
                (cons (cadr items) b)))))

(define (merge-sort items less?)
  (if (or (null? items) (null? (cdr items)))
      items
      (let-values (((a b) (split items)))
        (merge (merge-sort a less?) (merge-sort b less?) less?))))

(define (by-length a b)
  (< (string-length a) (string-length b)))

(display (merge-sort '(38 27 43 3 9 82 10 3) <))
(newline)
(display (merge-sort '(38 27 43 3 9 82 10 3) >))
(newline)
(write (merge-sort '("kiwi" "fig" "banana" "plum" "date" "apple") by-length))
(newline)
(display (merge-sort '() <))
(newline)

;=> (3 3 9 10 27 38 43 82)
;=> (82 43 38 27 10 9 3 3)
;=> ("fig" "kiwi" "date" "plum" "apple" "banana")
;=> ()
