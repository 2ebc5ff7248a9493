;; Dijkstra's shunting yard: infix to postfix, with precedence and sides.
(import (scheme base) (scheme write) (scheme cxr))

;; Each operator: name, precedence, side to which it groups.
(define operators
  '((+ 1 left) (- 1 left) (* 2 left) (/ 2 left) (^ 3 right)))

(define (operator x) (and (symbol? x) (assq x operators)))

;; Does the operator on the stack go out before the new one comes in?
(define (before? on-stack new)
  (and (operator on-stack)
       (let ((a (cadr (operator on-stack)))
             (b (cadr (operator new))))
         (if (eq? 'left (caddr (operator new))) (>= a b) (> a b)))))

;; Sub-lists stand for brackets.
(define (postfix tokens)
  (let loop ((tokens tokens) (stack '()) (out '()))
    (cond ((null? tokens) (append (reverse out) stack))
          ((pair? (car tokens))
           (loop (cdr tokens)
                 stack
                 (append (reverse (postfix (car tokens))) out)))
          ((operator (car tokens))
           (let pop ((stack stack) (out out))
             (if (and (pair? stack) (before? (car stack) (car tokens)))
                 (pop (cdr stack) (cons (car stack) out))
                 (loop (cdr tokens) (cons (car tokens) stack) out))))
          (else (loop (cdr tokens) stack (cons (car tokens) out))))))

;; From postfix to a fully nested prefix expression.
(define (prefix tokens)
  (let loop ((tokens tokens) (stack '()))
    (cond ((null? tokens) (car stack))
          ((operator (car tokens))
           (loop (cdr tokens)
                 (cons (list (car tokens) (cadr stack) (car stack))
                       (cddr stack))))
          (else (loop (cdr tokens) (cons (car tokens) stack))))))

(for-each
 (lambda (tokens)
   (let ((out (postfix tokens)))
     (write out)
     (display "  ")
     (write (prefix out))
     (newline)))
 '((a)
   (1 + 2 * 3)
   (1 * 2 + 3)
   (a - b - c)
   (2 ^ 3 ^ 4)
   ((1 + 2) * (3 - x) ^ 2)
   (a + b * c ^ d - e / f)))

;=> (a)  a
;=> (1 2 3 * +)  (+ 1 (* 2 3))
;=> (1 2 * 3 +)  (+ (* 1 2) 3)
;=> (a b - c -)  (- (- a b) c)
;=> (2 3 4 ^ ^)  (^ 2 (^ 3 4))
;=> (1 2 + 3 x - 2 ^ *)  (* (+ 1 2) (^ (- 3 x) 2))
;=> (a b c d ^ * + e f / -)  (- (+ a (* b (^ c d))) (/ e f))
