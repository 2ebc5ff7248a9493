;; Generators in the style of yield, made from call/cc, and pipelines of them.
(import (scheme base) (scheme write) (scheme cxr))

(define end (list 'end))
(define (end? x) (eq? x end))

;; The body gets `yield`; the generator gives its values one by one.
(define (make-generator body)
  (define return #f)
  (define (continue ignored)
    (body (lambda (x)
            (call/cc
             (lambda (here)
               (set! continue here)
               (return x)))))
    (set! continue (lambda (ignored) (return end)))
    (return end))
  (lambda ()
    (call/cc
     (lambda (k)
       (set! return k)
       (continue #f)))))

(define (numbers-from n)
  (make-generator
   (lambda (yield)
     (let loop ((n n))
       (yield n)
       (loop (+ n 1))))))

;; A tree is () or (left key right).
(define (in-order tree)
  (make-generator
   (lambda (yield)
     (let walk ((t tree))
       (when (pair? t)
         (walk (car t))
         (yield (cadr t))
         (walk (caddr t)))))))

(define (filtered ok? g)
  (make-generator
   (lambda (yield)
     (let loop ((x (g)))
       (unless (end? x)
         (if (ok? x) (yield x))
         (loop (g)))))))

(define (take n g)
  (if (= n 0)
      '()
      (let ((x (g)))
        (if (end? x) '() (cons x (take (- n 1) g))))))

(define (show x) (write x) (newline))

(show (take 5 (numbers-from 10)))
(show (take 10 (in-order '(((() a ()) b (() c ())) d ()))))
(show (take 4 (filtered (lambda (n) (= 2 (modulo n 5))) (numbers-from 0))))

;; Two generators at once do not disturb each other.
(define odds (filtered odd? (numbers-from 1)))
(define evens (filtered even? (numbers-from 1)))
(show (let loop ((n 3))
        (if (= n 0)
            '()
            (let* ((a (odds)) (b (evens)))
              (cons (cons a b) (loop (- n 1)))))))

;=> (10 11 12 13 14)
;=> (a b c d)
;=> (2 7 12 17)
;=> ((1 . 2) (3 . 4) (5 . 6))
