;; Bank accounts as closures with passwords and a history.
(import (scheme base) (scheme write))

(define (make-account owner balance password)
  (define history '())
  (define wrong-tries 0)
  (define (record! kind amount)
    (set! history (cons (list kind amount balance) history)))
  (define (deposit amount)
    (set! balance (+ balance amount))
    (record! 'deposit amount)
    balance)
  (define (withdraw amount)
    (cond ((> amount balance) 'insufficient-funds)
          (else
           (set! balance (- balance amount))
           (record! 'withdraw amount)
           balance)))
  (define (dispatch message)
    (case message
      ((deposit) deposit)
      ((withdraw) withdraw)
      ((balance) (lambda () balance))
      ((owner) (lambda () owner))
      ((history) (lambda () (reverse history)))
      (else (lambda arguments 'unknown-request))))
  (lambda (given message . arguments)
    (cond ((>= wrong-tries 3) 'locked)
          ((eq? given password)
           (set! wrong-tries 0)
           (apply (dispatch message) arguments))
          (else
           (set! wrong-tries (+ wrong-tries 1))
           'wrong-password))))

(define ann (make-account "Ann" 100 'secret))
(define bob (make-account "Bob" 10 'hidden))

(define (show x) (write x) (newline))

(show (ann 'secret 'deposit 50))
(show (ann 'secret 'withdraw 200))
(show (ann 'secret 'withdraw 30))
(show (bob 'hidden 'balance))
(show (ann 'secret 'history))
(show (ann 'secret 'close))
(show (bob 'guess 'balance))
(show (bob 'hint 'balance))
(show (bob 'luck 'balance))
(show (bob 'hidden 'balance))
(show (ann 'secret 'owner))

;=> 150
;=> insufficient-funds
;=> 120
;=> 10
;=> ((deposit 50 150) (withdraw 30 120))
;=> unknown-request
;=> wrong-password
;=> wrong-password
;=> wrong-password
;=> locked
;=> "Ann"
