;; Error objects: message, irritants, predicates, and own condition types.
(import (scheme base) (scheme write))

(define-record-type bank-error
  (make-bank-error account missing)
  bank-error?
  (account bank-error-account)
  (missing bank-error-missing))

(define (withdraw account balance amount)
  (cond ((not (integer? amount))
         (error "withdraw: not an amount" account amount))
        ((> amount balance)
         (raise (make-bank-error account (- amount balance))))
        (else (- balance amount))))

(define (try account balance amount)
  (guard (e ((bank-error? e)
             (list 'missing (bank-error-missing e)
                   'on (bank-error-account e)))
            ((error-object? e)
             (list (error-object-message e) (error-object-irritants e))))
    (list 'left (withdraw account balance amount))))

(define (show x) (write x) (newline))

(show (try 'savings 100 30))
(show (try 'savings 100 130))
(show (try 'current 5 "ten"))

;; What is raised can be any object; only some are error objects.
(define (error? thunk)
  (guard (e (#t (error-object? e)))
    (thunk)))
(show (error? (lambda () (error "with a message only"))))
(show (error? (lambda () (raise 'symbol))))
(show (error? (lambda () (raise (make-bank-error 'x 1)))))
(show (guard (e ((error-object? e) (error-object-message e)))
        (error "no irritants")))

;=> (left 70)
;=> (missing 30 on savings)
;=> ("withdraw: not an amount" (current "ten"))
;=> #t
;=> #f
;=> #f
;=> "no irritants"
