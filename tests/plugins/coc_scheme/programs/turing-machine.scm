;; A Turing machine with a tape as two lists; binary increment and a beaver.
(import (scheme base) (scheme write))

;; A rule: (state symbol) -> (new-symbol move new-state)
(define increment
  '(((right 0) 0 r right)
    ((right 1) 1 r right)
    ((right _) _ l carry)
    ((carry 1) 0 l carry)
    ((carry 0) 1 l halt)
    ((carry _) 1 l halt)))

(define beaver
  '(((a _) 1 r b)
    ((a 1) 1 l c)
    ((b _) 1 l a)
    ((b 1) 1 r b)
    ((c _) 1 l b)
    ((c 1) 1 r halt)))

(define (head tape) (if (null? tape) '_ (car tape)))
(define (tail tape) (if (null? tape) '() (cdr tape)))

;; Blanks at the outer end of a half tape are not kept.
(define (push x tape)
  (if (and (eq? x '_) (null? tape)) '() (cons x tape)))

(define (strip tape)
  (if (and (pair? tape) (eq? '_ (car tape))) (strip (cdr tape)) tape))

;; Values: the tape from left to right, and the number of steps.
(define (run rules state tape)
  (let loop ((state state) (left '()) (right tape) (steps 0))
    (if (eq? state 'halt)
        (values (strip (append (reverse left) right)) steps)
        (let* ((rule (assoc (list state (head right)) rules))
               (action (cdr rule))
               (new (car action))
               (next (list-ref action 2)))
          (if (eq? 'r (cadr action))
              (loop next (push new left) (tail right) (+ steps 1))
              (loop next
                    (tail left)
                    (push (head left) (push new (tail right)))
                    (+ steps 1)))))))

(define (test rules state tape)
  (let-values (((result steps) (run rules state tape)))
    (write result)
    (display " in ")
    (display steps)
    (display " steps")
    (newline)))

(test increment 'right '(1 0 1 1))
(test increment 'right '(1 1 1))
(test increment 'right '(0))
(test beaver 'a '())

;; Count by repeated increments.
(let loop ((n 0) (tape '(0)))
  (write tape)
  (newline)
  (if (< n 4)
      (let-values (((next steps) (run increment 'right tape)))
        (loop (+ n 1) next))))

;=> (1 1 0 0) in 8 steps
;=> (1 0 0 0) in 8 steps
;=> (1) in 3 steps
;=> (1 1 1 1 1 1) in 13 steps
;=> (0)
;=> (1)
;=> (1 0)
;=> (1 1)
;=> (1 0 0)
