;; A register machine with labels: gcd, powers, and a program with a stack.
(import (scheme base) (scheme write) (scheme cxr))

;; Labels are symbols between instructions.
(define (assemble text)
  (let loop ((text text) (n 0) (labels '()) (code '()))
    (cond ((null? text) (cons (list->vector (reverse code)) labels))
          ((symbol? (car text))
           (loop (cdr text) n (cons (cons (car text) n) labels) code))
          (else (loop (cdr text) (+ n 1) labels (cons (car text) code))))))

(define operations
  (list (cons '+ +) (cons '- -) (cons '* *) (cons 'rem remainder)
        (cons '= =) (cons '< <)))

;; Run with initial registers; gives the value of register `result`.
(define (run program registers)
  (let* ((assembled (assemble program))
         (code (car assembled))
         (labels (cdr assembled))
         (registers (map (lambda (r) (cons (car r) (cdr r))) registers))
         (stack '()))
    (define (value operand)
      (if (symbol? operand) (cdr (assq operand registers)) operand))
    (define (compute e)
      (apply (cdr (assq (car e) operations)) (map value (cdr e))))
    (define (target label) (cdr (assq label labels)))
    (let step ((pc 0) (steps 0))
      (if (= pc (vector-length code))
          (list (value 'result) 'in steps 'steps)
          (let* ((i (vector-ref code pc)) (next (+ pc 1)))
            (define (continue pc) (step pc (+ steps 1)))
            (case (car i)
              ((set)
               (set-cdr! (assq (cadr i) registers)
                         (let ((e (caddr i)))
                           (if (pair? e) (compute e) (value e))))
               (continue next))
              ((branch)
               (continue (if (compute (cadr i)) (target (caddr i)) next)))
              ((goto) (continue (target (cadr i))))
              ((push) (set! stack (cons (value (cadr i)) stack))
                      (continue next))
              ((pop) (set-cdr! (assq (cadr i) registers) (car stack))
                     (set! stack (cdr stack))
                     (continue next))))))))

(define gcd-program
  '(loop (branch (= b 0) done)
         (set t (rem a b)) (set a b) (set b t)
         (goto loop)
    done (set result a)))

(define factorial-program
  '((push 0)
    down (branch (= n 0) up) (push n) (set n (- n 1)) (goto down)
    up (set result 1)
    multiply (pop n) (branch (= n 0) end)
             (set result (* result n)) (goto multiply)
    end))

(write (run gcd-program '((a . 206) (b . 40) (t . 0) (result . 0))))
(newline)
(write (run factorial-program '((n . 6) (result . 0))))
(newline)

;=> (2 in 22 steps)
;=> (720 in 53 steps)
