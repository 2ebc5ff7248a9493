;; Sets of small integers as bits in a bytevector.
(import (scheme base) (scheme write))

(define (make-set size)
  (make-bytevector (quotient (+ size 7) 8) 0))

(define (mask i) (expt 2 (modulo i 8)))

(define (contains? set i)
  (odd? (quotient (bytevector-u8-ref set (quotient i 8)) (mask i))))

(define (add! set i)
  (unless (contains? set i)
    (let ((at (quotient i 8)))
      (bytevector-u8-set! set at
                          (+ (bytevector-u8-ref set at) (mask i))))))

(define (remove! set i)
  (when (contains? set i)
    (let ((at (quotient i 8)))
      (bytevector-u8-set! set at
                          (- (bytevector-u8-ref set at) (mask i))))))

(define (members set)
  (let loop ((i (- (* 8 (bytevector-length set)) 1)) (found '()))
    (cond ((< i 0) found)
          ((contains? set i) (loop (- i 1) (cons i found)))
          (else (loop (- i 1) found)))))

(define (list->set size items)
  (let ((set (make-set size)))
    (for-each (lambda (i) (add! set i)) items)
    set))

(define (bits b)
  (if (= b 0) 0 (+ (remainder b 2) (bits (quotient b 2)))))

(define (count set)
  (do ((i 0 (+ i 1))
       (n 0 (+ n (bits (bytevector-u8-ref set i)))))
      ((= i (bytevector-length set)) n)))

(define (union a b)
  (let ((c (bytevector-copy a)))
    (for-each (lambda (i) (add! c i)) (members b))
    c))

(define (show x) (write x) (newline))

(define a (list->set 24 '(1 3 8 9 20)))
(define b (list->set 24 '(3 4 20 23)))
(show (members a))
(show (map (lambda (i) (contains? a i)) '(0 1 8 10 20)))
(show (members (union a b)))
(show (list (count a) (count b) (count (union a b))))
(remove! a 8)
(remove! a 7)
(show (members a))
(show (let loop ((i 0))
        (if (= i (bytevector-length a))
            '()
            (cons (bytevector-u8-ref a i) (loop (+ i 1))))))

;=> (1 3 8 9 20)
;=> (#f #t #t #f #t)
;=> (1 3 4 8 9 20 23)
;=> (5 4 7)
;=> (1 3 9 20)
;=> (10 2 16)
