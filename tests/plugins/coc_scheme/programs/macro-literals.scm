;; Macros with literals: cond, case and infix arithmetic written anew.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define-syntax my-cond
  (syntax-rules (else =>)
    ((_) #f)
    ((_ (else body ...)) (begin body ...))
    ((_ (test => f) more ...)
     (let ((t test)) (if t (f t) (my-cond more ...))))
    ((_ (test) more ...)
     (let ((t test)) (if t t (my-cond more ...))))
    ((_ (test body ...) more ...)
     (if test (begin body ...) (my-cond more ...)))))

(define (classify n)
  (my-cond ((< n 0) 'negative)
           ((assv n '((1 . one) (2 . two))) => cdr)
           ((memv n '(10 20 30)))
           ((even? n) 'ignored 'even)
           (else 'odd)))
(show (map classify '(-5 1 2 20 8 9)))

;; Infix expressions: literals decide which rule applies.
(define-syntax infix
  (syntax-rules (is plus times)
    ((_ (e ...)) (infix e ...))
    ((_ a plus b ...) (+ (infix a) (infix b ...)))
    ((_ a times b) (* (infix a) (infix b)))
    ((_ a times b plus c ...) (+ (* (infix a) (infix b)) (infix c ...)))
    ((_ a is b ...) (= (infix a) (infix b ...)))
    ((_ a) a)))
(show (infix 1 plus 2 plus 3))
(show (infix 4 times 5 plus 1))
(show (infix (1 plus 2) times (3 plus 4)))
(show (infix 7 is 3 plus 4))

;; A small language of actions.
(define-syntax robot
  (syntax-rules (go turn repeat times left right)
    ((_ position) position)
    ((_ position (go n) more ...)
     (robot (cons (list 'go n) position) more ...))
    ((_ position (turn left) more ...)
     (robot (cons 'left position) more ...))
    ((_ position (turn right) more ...)
     (robot (cons 'right position) more ...))
    ((_ position (repeat n times action ...) more ...)
     (robot (let loop ((k n) (p position))
              (if (= k 0) p (loop (- k 1) (robot p action ...))))
            more ...))))
(show (reverse (robot '() (go 3) (turn left) (repeat 2 times (go 1)
                                                     (turn right)))))

;; A literal does not match when the user has bound its name.
(show (let ((else #f)) (my-cond (#f 1) (else 2))))

;=> (negative one two (20 30) even odd)
;=> 6
;=> 21
;=> 21
;=> #t
;=> ((go 3) left (go 1) right (go 1) right)
;=> #f
