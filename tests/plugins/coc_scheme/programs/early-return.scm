;; Leaving loops early with call/cc, and a block macro for `return`.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

;; The product of a list; a zero ends the work at once.
(define multiplications 0)
(define (product numbers)
  (call/cc
   (lambda (return)
     (let loop ((numbers numbers))
       (cond ((null? numbers) 1)
             ((= 0 (car numbers)) (return 0))
             (else
              (let ((rest (loop (cdr numbers))))
                (set! multiplications (+ multiplications 1))
                (* (car numbers) rest))))))))
(show (product '(1 2 3 4)))
(show multiplications)
(show (product '(1 2 3 0 4)))
(show multiplications)

(define-syntax block
  (syntax-rules ()
    ((_ name body ...)
     (call/cc (lambda (name) body ...)))))

(define (find-first ok? items)
  (block return
    (for-each (lambda (x) (if (ok? x) (return x))) items)
    'none))
(show (find-first even? '(1 3 4 5)))
(show (find-first even? '(1 3 5)))

;; Leave two nested loops from the inner one.
(define (find-in-table x table)
  (block return
    (for-each (lambda (row)
                (for-each (lambda (cell)
                            (if (eqv? (cdr cell) x)
                                (return (list (car row) (car cell)))))
                          (cdr row)))
              table)
    #f))
(show (find-in-table 7 '((a (x . 1) (y . 2)) (b (x . 7) (y . 7)))))

;; Continue and break within a loop.
(show
 (let ((found '()))
   (block break
     (for-each (lambda (x)
                 (block continue
                   (if (eq? x 'skip) (continue #f))
                   (if (eq? x 'stop) (break #f))
                   (set! found (cons x found))))
               '(a skip b skip c stop d)))
   (reverse found)))

;; An escape that is called after its block is an ordinary argument.
(show (+ 1 (block k (+ 10 (k 1)))))
(show (let ((k* #f) (n 0))
        (block k (set! k* k))
        (set! n (+ n 1))
        (if (< n 3) (k* 'again))
        n))

;=> 24
;=> 4
;=> 0
;=> 4
;=> 4
;=> none
;=> (b x)
;=> (a b c)
;=> 2
;=> 3
