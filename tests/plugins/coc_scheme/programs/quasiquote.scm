;; Quasiquotation: unquote, splicing, nesting, vectors, and code as data.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(define n 5)
(define items '(a b c))

(show `(n is ,n))
(show `(items ,items ,@items end))
(show `(1 . ,n))
(show `(,@items . tail))
(show `(,@'() ,@(list 1) ,@items))
(show `((nested (,n ,@(map (lambda (x) (* x n)) '(1 2 3))))))
(show `#(n ,n ,@items))
(show `,n)
(show (car '`x))
(show (equal? `(1 `,(+ 1 ,(+ 2 3))) '(1 `,(+ 1 5))))
(show (equal? `(x ,@'(y z)) '(x y z)))
(show (eq? (cdr `(a . ,items)) items))

;; Build code that unrolls a power, as a macro expander might.
(define (power-code n)
  (cond ((= n 0) 1)
        ((even? n)
         `(let ((y ,(power-code (quotient n 2)))) (* y y)))
        (else `(* x ,(power-code (- n 1))))))
(show `(lambda (x) ,(power-code 3)))

;; HTML as nested lists.
(define (page title . paragraphs)
  `(html (head (title ,title))
         (body ,@(map (lambda (p) `(p ,p)) paragraphs))))
(show (page "Hi" "one" "two"))

(define (association . pairs)
  `((count . ,(length pairs)) ,@pairs))
(show (association '(x . 1) '(y . 2)))

;=> (n is 5)
;=> (items (a b c) a b c end)
;=> (1 . 5)
;=> (a b c . tail)
;=> (1 a b c)
;=> ((nested (5 5 10 15)))
;=> #(n 5 a b c)
;=> 5
;=> quasiquote
;=> #t
;=> #t
;=> #t
;=> (lambda (x) (* x (let ((y (* x 1))) (* y y))))
;=> (html (head (title "Hi")) (body (p "one") (p "two")))
;=> ((count . 2) (x . 1) (y . 2))
