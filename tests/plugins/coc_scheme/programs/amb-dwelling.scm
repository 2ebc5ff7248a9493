;; The nondeterministic operator amb finds who lives on which floor.
(import (scheme base) (scheme write))

(define fail-stack '())

(define (fail)
  (if (null? fail-stack)
      (error "no more choices")
      (let ((back (car fail-stack)))
        (set! fail-stack (cdr fail-stack))
        (back back))))

(define (amb choices)
  (let ((here (call/cc (lambda (k) k))))
    (if (null? choices)
        (fail)
        (let ((choice (car choices)))
          (set! choices (cdr choices))
          (set! fail-stack (cons here fail-stack))
          choice))))

(define (require condition)
  (if (not condition) (fail)))

(define (distinct? items)
  (or (null? items)
      (and (not (memv (car items) (cdr items)))
           (distinct? (cdr items)))))

(define (dwelling)
  (let* ((baker (amb '(1 2 3 4)))
         (cooper (amb '(2 3 4 5))))
    (require (not (= baker cooper)))
    (let ((fletcher (amb '(2 3 4))))
      (require (distinct? (list baker cooper fletcher)))
      (require (> (abs (- fletcher cooper)) 1))
      (let ((miller (amb '(1 2 3 4 5))))
        (require (> miller cooper))
        (let ((smith (amb '(1 2 3 4 5))))
          (require (distinct? (list baker cooper fletcher miller smith)))
          (require (> (abs (- smith fletcher)) 1))
          (list (list 'baker baker)
                (list 'cooper cooper)
                (list 'fletcher fletcher)
                (list 'miller miller)
                (list 'smith smith)))))))

(for-each (lambda (entry)
            (display (car entry))
            (display ": ")
            (display (cadr entry))
            (newline))
          (dwelling))

;=> baker: 3
;=> cooper: 2
;=> fletcher: 4
;=> miller: 5
;=> smith: 1
