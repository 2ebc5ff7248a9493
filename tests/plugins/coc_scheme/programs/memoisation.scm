;; Memoisation as a higher-order procedure, and how many calls it saves.
(import (scheme base) (scheme write))

(define (memoise f)
  (let ((table '()))
    (lambda arguments
      (let ((known (assoc arguments table)))
        (if known
            (cdr known)
            (let ((value (apply f arguments)))
              (set! table (cons (cons arguments value) table))
              value))))))

(define calls 0)
(define (count!) (set! calls (+ calls 1)))

(define (slow-fib n)
  (count!)
  (if (< n 2) n (+ (slow-fib (- n 1)) (slow-fib (- n 2)))))

(define fast-fib
  (memoise
   (lambda (n)
     (count!)
     (if (< n 2) n (+ (fast-fib (- n 1)) (fast-fib (- n 2)))))))

(define paths
  (memoise
   (lambda (rows columns)
     (count!)
     (if (or (= rows 0) (= columns 0))
         1
         (+ (paths (- rows 1) columns) (paths rows (- columns 1)))))))

(define (measure name thunk)
  (set! calls 0)
  (let* ((value (thunk))
         (n calls))
    (display (list name value 'calls n))
    (newline)))

(measure 'slow (lambda () (slow-fib 10)))
(measure 'fast (lambda () (fast-fib 10)))
(measure 'again (lambda () (fast-fib 10)))
(measure 'more (lambda () (fast-fib 20)))
(measure 'grid (lambda () (paths 4 4)))

;=> (slow 55 calls 177)
;=> (fast 55 calls 11)
;=> (again 55 calls 0)
;=> (more 6765 calls 10)
;=> (grid 70 calls 24)
