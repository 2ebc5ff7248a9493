;; Money transfers with exceptions: a failed transfer is rolled back.
(import (scheme base) (scheme write))

(define accounts
  (list (cons 'ann 100) (cons 'bob 50) (cons 'cleo 0)))

(define (balance name)
  (let ((entry (assq name accounts)))
    (if entry
        (cdr entry)
        (raise (list 'no-such-account name)))))

(define (change! name amount)
  (let ((new (+ (balance name) amount)))
    (if (< new 0)
        (raise (list 'overdrawn name new)))
    (set-cdr! (assq name accounts) new)))

(define (snapshot)
  (map (lambda (entry) (cons (car entry) (cdr entry))) accounts))

;; Run the thunk; if it raises, restore the accounts and raise again.
(define (transaction thunk)
  (let ((saved (snapshot)))
    (guard (e (#t (set! accounts saved) (raise e)))
      (thunk)
      'committed)))

(define (transfer! from to amount)
  (change! to amount)
  (change! from (- amount)))

(define (try . transfers)
  (display
   (guard (e ((pair? e) (cons 'rolled-back e)))
     (transaction
      (lambda ()
        (for-each (lambda (t) (apply transfer! t)) transfers)))))
  (newline)
  (display accounts)
  (newline))

(try '(ann bob 30))
(try '(bob cleo 500))
(try '(ann cleo 70) '(cleo bob 10))
(try '(bob ann 20) '(ann dave 5))
(try '(bob ann 1) '(ann cleo 2) '(cleo bob 3))

;=> committed
;=> ((ann . 70) (bob . 80) (cleo . 0))
;=> (rolled-back overdrawn bob -420)
;=> ((ann . 70) (bob . 80) (cleo . 0))
;=> committed
;=> ((ann . 0) (bob . 90) (cleo . 60))
;=> (rolled-back no-such-account dave)
;=> ((ann . 0) (bob . 90) (cleo . 60))
;=> (rolled-back overdrawn ann -1)
;=> ((ann . 0) (bob . 90) (cleo . 60))
