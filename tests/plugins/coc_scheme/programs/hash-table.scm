;; A hash table with chains of buckets that grows when it is crowded.
(import (scheme base) (scheme write))

(define-record-type table
  (make-table buckets count)
  table?
  (buckets table-buckets set-table-buckets!)
  (count table-count set-table-count!))

(define (new-table) (make-table (make-vector 4 '()) 0))

(define (hash key size)
  (let loop ((i 0) (h 7))
    (if (= i (string-length key))
        (modulo h size)
        (loop (+ i 1)
              (modulo (+ (* 31 h) (char->integer (string-ref key i)))
                      65537)))))

(define (slot t key) (hash key (vector-length (table-buckets t))))

(define (table-ref t key default)
  (let ((entry (assoc key (vector-ref (table-buckets t) (slot t key)))))
    (if entry (cdr entry) default)))

(define (table-set! t key value)
  (let* ((i (slot t key))
         (bucket (vector-ref (table-buckets t) i))
         (entry (assoc key bucket)))
    (cond (entry (set-cdr! entry value))
          (else
           (vector-set! (table-buckets t) i (cons (cons key value) bucket))
           (set-table-count! t (+ 1 (table-count t)))
           (if (> (table-count t) (vector-length (table-buckets t)))
               (grow! t))))))

(define (grow! t)
  (let ((old (table-buckets t)))
    (set-table-buckets! t (make-vector (* 2 (vector-length old)) '()))
    (set-table-count! t 0)
    (vector-for-each
     (lambda (bucket)
       (for-each (lambda (entry) (table-set! t (car entry) (cdr entry)))
                 bucket))
     old)))

(define (update! t key f default)
  (table-set! t key (f (table-ref t key default))))

(define t (new-table))
(for-each (lambda (word) (update! t word (lambda (n) (+ n 1)) 0))
          '("to" "be" "or" "not" "to" "be" "that" "is" "the" "question"))
(define (show x) (write x) (newline))
(show (table-count t))
(show (vector-length (table-buckets t)))
(show (map (lambda (w) (table-ref t w 0)) '("to" "be" "question" "answer")))
(show (apply + (map length (vector->list (table-buckets t)))))

;=> 8
;=> 8
;=> (2 2 1 0)
;=> 8
