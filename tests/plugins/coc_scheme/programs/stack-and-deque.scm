;; A stack and a double-ended queue as records with checks.
(import (scheme base) (scheme write))

(define-record-type stack
  (make-stack items size)
  stack?
  (items stack-items set-stack-items!)
  (size stack-size set-stack-size!))

(define (new-stack) (make-stack '() 0))

(define (push! s x)
  (set-stack-items! s (cons x (stack-items s)))
  (set-stack-size! s (+ (stack-size s) 1)))

(define (pop! s)
  (when (= 0 (stack-size s))
    (error "pop!: empty stack"))
  (let ((x (car (stack-items s))))
    (set-stack-items! s (cdr (stack-items s)))
    (set-stack-size! s (- (stack-size s) 1))
    x))

;; A persistent deque: two lists that meet at their ends.
(define-record-type deque
  (make-deque front back)
  deque?
  (front deque-front)
  (back deque-back))

(define empty-deque (make-deque '() '()))
(define (push-front d x) (make-deque (cons x (deque-front d)) (deque-back d)))
(define (push-back d x) (make-deque (deque-front d) (cons x (deque-back d))))

;; Both give two values: the item and the deque without it.
(define (pop-front d)
  (cond ((pair? (deque-front d))
         (values (car (deque-front d))
                 (make-deque (cdr (deque-front d)) (deque-back d))))
        ((pair? (deque-back d))
         (pop-front (make-deque (reverse (deque-back d)) '())))
        (else (error "pop-front: empty deque"))))

(define (deque->list d)
  (append (deque-front d) (reverse (deque-back d))))

(define (show x) (write x) (newline))

(define s (new-stack))
(for-each (lambda (x) (push! s x)) '(1 2 3))
(show (pop! s))
(show (list (stack-size s) (stack-items s)))
(pop! s)
(pop! s)
(show (guard (e ((error-object? e) (error-object-message e))) (pop! s)))

(define d (push-back (push-back (push-front empty-deque 'b) 'c) 'd))
(show (deque->list (push-front d 'a)))
(let*-values (((x d1) (pop-front d))
              ((y d2) (pop-front d1)))
  (show (list x y (deque->list d2) (deque->list d))))
(show (list (stack? d) (deque? d)))

;=> 3
;=> (2 (2 1))
;=> "pop!: empty stack"
;=> (a b c d)
;=> (b c (d) (b c d))
;=> (#f #t)
