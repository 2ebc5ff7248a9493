;; A virtual machine with a stack, jumps and calls runs three programs.
(import (scheme base) (scheme write))

(define (run program)
  (let ((code (list->vector program)))
    (let step ((pc 0) (stack '()) (returns '()))
      (let* ((instruction (vector-ref code pc))
             (argument (and (pair? (cdr instruction)) (cadr instruction)))
             (next (+ pc 1)))
        (define (binary f)
          (step next
                (cons (f (cadr stack) (car stack)) (cddr stack))
                returns))
        (case (car instruction)
          ((push) (step next (cons argument stack) returns))
          ((pop) (step next (cdr stack) returns))
          ((dup) (step next (cons (car stack) stack) returns))
          ((over) (step next (cons (cadr stack) stack) returns))
          ((swap)
           (step next
                 (cons (cadr stack) (cons (car stack) (cddr stack)))
                 returns))
          ((add) (binary +))
          ((sub) (binary -))
          ((mul) (binary *))
          ((jump) (step argument stack returns))
          ((jump-if-zero)
           (step (if (= 0 (car stack)) argument next)
                 (cdr stack)
                 returns))
          ((call) (step argument stack (cons next returns)))
          ((return) (step (car returns) stack (cdr returns)))
          ((print) (display (car stack)) (newline)
                   (step next (cdr stack) returns))
          ((halt) 'halted)
          (else (error "bad instruction" instruction)))))))

(define nine
  '((push 3) (call 4) (print) (halt)
    (dup) (mul) (return)))

;; The product of 1 to 10: accumulator below the counter.
(define factorial
  '((push 1) (push 10)
    (dup) (jump-if-zero 11)
    (swap) (over) (mul) (swap)
    (push 1) (sub) (jump 2)
    (pop) (print) (halt)))

;; A countdown from 3.
(define countdown
  '((push 3)
    (dup) (print)
    (push 1) (sub)
    (dup) (jump-if-zero 8)
    (jump 1)
    (halt)))

(write (run nine))
(newline)
(write (run factorial))
(newline)
(write (run countdown))
(newline)

;=> 9
;=> halted
;=> 3628800
;=> halted
;=> 3
;=> 2
;=> 1
;=> halted
