;; The longest common subsequence of two strings, with a table.
(import (scheme base) (scheme write))

(define (make-table rows columns)
  (let ((table (make-vector rows)))
    (do ((i 0 (+ i 1)))
        ((= i rows) table)
      (vector-set! table i (make-vector columns 0)))))

(define (get table i j) (vector-ref (vector-ref table i) j))
(define (put! table i j x) (vector-set! (vector-ref table i) j x))

(define (fill a b)
  (let* ((m (string-length a))
         (n (string-length b))
         (table (make-table (+ m 1) (+ n 1))))
    (do ((i 1 (+ i 1)))
        ((> i m) table)
      (do ((j 1 (+ j 1)))
          ((> j n))
        (put! table i j
              (if (char=? (string-ref a (- i 1)) (string-ref b (- j 1)))
                  (+ 1 (get table (- i 1) (- j 1)))
                  (max (get table (- i 1) j) (get table i (- j 1)))))))))

(define (lcs a b)
  (let ((table (fill a b)))
    (let walk ((i (string-length a)) (j (string-length b)) (chars '()))
      (cond ((or (= i 0) (= j 0)) (list->string chars))
            ((char=? (string-ref a (- i 1)) (string-ref b (- j 1)))
             (walk (- i 1) (- j 1) (cons (string-ref a (- i 1)) chars)))
            ((>= (get table (- i 1) j) (get table i (- j 1)))
             (walk (- i 1) j chars))
            (else (walk i (- j 1) chars))))))

(write (lcs "AGCAT" "GAC"))
(newline)
(write (lcs "programming" "gaming"))
(newline)
(write (lcs "abc" "xyz"))
(newline)
(vector-for-each (lambda (row) (write row) (newline)) (fill "AGCAT" "GAC"))

;=> "AC"
;=> "gaming"
;=> ""
;=> #(0 0 0 0)
;=> #(0 0 1 1)
;=> #(0 1 1 1)
;=> #(0 1 1 2)
;=> #(0 1 2 2)
;=> #(0 1 2 2)
