;; Continuable exceptions: handlers that supply a value and go on.
(import (scheme base) (scheme write))

(define (with-default default thunk)
  (with-exception-handler
   (lambda (e) default)
   thunk))

(define (parse text)
  (or (string->number text)
      (raise-continuable (list 'not-a-number text))))

(define (sum texts)
  (if (null? texts)
      0
      (let ((first (parse (car texts))))
        (+ first (sum (cdr texts))))))

(define (show x) (write x) (newline))

(show (sum '("1" "2" "3")))
(show (with-default 0 (lambda () (sum '("1" "x" "3")))))
(show (with-default 100 (lambda () (sum '("y" "x" "3")))))

;; The handler may look at the object.
(show
 (with-exception-handler
  (lambda (e) (string-length (cadr e)))
  (lambda () (sum '("10" "abcde" "!!")))))

;; A handler may ask the next handler outside by raising again.
(show
 (with-exception-handler
  (lambda (e) (* 2 e))
  (lambda ()
    (with-exception-handler
     (lambda (e) (+ 1 (raise-continuable (* 10 e))))
     (lambda () (+ 1000 (raise-continuable 4)))))))

;; A guard takes what raise-continuable raises, too.
(show (guard (e ((pair? e) 'gave-up)) (sum '("1" "z"))))

;=> 6
;=> 4
;=> 203
;=> 17
;=> 1081
;=> gave-up
