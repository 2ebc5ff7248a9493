;; Games with digits: happy numbers, Kaprekar's routine, narcissists, roots.
(import (scheme base) (scheme write))

(define (digits n)
  (let loop ((n n) (found '()))
    (if (< n 10)
        (cons n found)
        (loop (quotient n 10) (cons (remainder n 10) found)))))

(define (number digits)
  (let loop ((digits digits) (n 0))
    (if (null? digits) n (loop (cdr digits) (+ (* 10 n) (car digits))))))

(define (filter ok? from to)
  (cond ((> from to) '())
        ((ok? from) (cons from (filter ok? (+ from 1) to)))
        (else (filter ok? (+ from 1) to))))

(define (happy? n)
  (let loop ((n n) (seen '()))
    (cond ((= n 1) #t)
          ((memv n seen) #f)
          (else (loop (apply + (map square (digits n))) (cons n seen))))))

(define (insert x sorted)
  (if (or (null? sorted) (<= x (car sorted)))
      (cons x sorted)
      (cons (car sorted) (insert x (cdr sorted)))))
(define (sort items)
  (if (null? items) '() (insert (car items) (sort (cdr items)))))

;; Largest less smallest arrangement of four digits; ends at 6174.
(define (kaprekar n)
  (let* ((all (digits n))
         (padded (append (make-list (- 4 (length all)) 0) all))
         (low (sort padded))
         (next (- (number (reverse low)) (number low))))
    (if (= n next) (list n) (cons n (kaprekar next)))))

(define (narcissist? n)
  (let* ((ds (digits n)) (k (length ds)))
    (= n (apply + (map (lambda (d) (expt d k)) ds)))))

(define (digital-root n)
  (if (< n 10) n (digital-root (apply + (digits n)))))

(define (persistence n)
  (if (< n 10) 0 (+ 1 (persistence (apply * (digits n))))))

(define (show x) (write x) (newline))
(show (filter happy? 1 32))
(show (kaprekar 2024))
(show (kaprekar 1998))
(show (map narcissist? '(153 154 370 1634 9474 9475)))
(show (map digital-root '(0 38 999 123456789)))
(show (map persistence '(7 10 39 77 679)))

;=> (1 7 10 13 19 23 28 31 32)
;=> (2024 3996 6264 4176 6174)
;=> (1998 8082 8532 6174)
;=> (#t #f #t #t #t #f)
;=> (0 2 9 9)
;=> (0 1 3 4 5)
