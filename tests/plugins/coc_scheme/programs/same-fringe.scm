;; Do two trees have the same leaves in the same order? With generators.
(import (scheme base) (scheme write))

;; A generator returns the next leaf at each call, and then `done`.
(define (tree->generator tree)
  (define return #f)
  (define (resume-point)
    (walk tree)
    (return 'done))
  (define (walk t)
    (cond ((null? t) 'skip)
          ((pair? t) (walk (car t)) (walk (cdr t)))
          (else
           (call/cc
            (lambda (rest)
              (set! resume-point (lambda () (rest 'go)))
              (return t))))))
  (lambda ()
    (call/cc
     (lambda (k)
       (set! return k)
       (resume-point)))))

(define (same-fringe? a b)
  (let ((next-a (tree->generator a))
        (next-b (tree->generator b)))
    (let loop ()
      (let* ((x (next-a))
             (y (next-b)))
        (cond ((not (eqv? x y)) #f)
              ((eq? x 'done) #t)
              (else (loop)))))))

(define (test a b)
  (write (same-fringe? a b))
  (newline))

(test '(1 (2 3)) '((1 2) 3))
(test '(1 (2 (3 4) 5)) '((((1) 2) 3) (4 5)))
(test '(1 2 3) '(1 (3 2)))
(test '(a b) '(a b c))
(test '() '(() (())))

;=> #t
;=> #t
;=> #f
;=> #f
;=> #t
