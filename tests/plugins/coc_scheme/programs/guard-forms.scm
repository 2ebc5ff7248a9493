;; All forms of guard clauses: tests, =>, else, and raising further.
(import (scheme base) (scheme write))

(define (classify thunk)
  (guard (e ((symbol? e) (list 'symbol e))
            ((assq 'code (if (list? e) e '())) => cdr)
            ((string? e) (string-append "text: " e))
            ((and (number? e) (negative? e)) 'negative)
            ((error-object? e)
             (cons (error-object-message e) (error-object-irritants e)))
            (else 'something-else))
    (thunk)))

(define (show x) (write x) (newline))

(show (classify (lambda () 'no-exception)))
(show (classify (lambda () (raise 'oops))))
(show (classify (lambda () (raise '((kind . io) (code . 42))))))
(show (classify (lambda () (raise "disk full"))))
(show (classify (lambda () (raise -1))))
(show (classify (lambda () (raise 1))))
(show (classify (lambda () (error "bad value" 7 'seven "7"))))

;; No clause fits: the exception goes to the next guard outside.
(show
 (guard (e (#t (list 'outer e)))
   (guard (e ((string? e) 'inner))
     (raise 'not-a-string))))

;; A guard's body may have several expressions and definitions inside let.
(show
 (guard (e ((vector? e) (vector-ref e 1)))
   (let ((x 10))
     (if (> x 5) (raise (vector 'big x)))
     'small)))

;; A clause without body gives the value of its test.
(show (guard (e ((memq e '(a b c)))) (raise 'b)))

;; Raise again from within a clause.
(show
 (guard (e (#t (cons 'again e)))
   (guard (e (#t (raise (list e))))
     (raise 'first))))

;=> no-exception
;=> (symbol oops)
;=> 42
;=> "text: disk full"
;=> negative
;=> something-else
;=> ("bad value" 7 seven "7")
;=> (outer not-a-string)
;=> 10
;=> (b c)
;=> (again first)
