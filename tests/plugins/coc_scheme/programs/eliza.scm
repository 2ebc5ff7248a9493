;; A small Eliza: patterns with gaps, answers with what was said.
(import (scheme base) (scheme write) (scheme cxr))

;; In a pattern * stands for any words; the gap is (words), or #f.
(define (match pattern words)
  (cond ((null? pattern) (if (null? words) '() #f))
        ((eq? (car pattern) '*)
         (let loop ((rest words) (gap '()))
           (let ((more (match (cdr pattern) rest)))
             (cond (more (cons (reverse gap) more))
                   ((null? rest) #f)
                   (else (loop (cdr rest) (cons (car rest) gap)))))))
        ((and (pair? words) (eq? (car pattern) (car words)))
         (match (cdr pattern) (cdr words)))
        (else #f)))

(define turns
  '((i . you) (me . you) (my . your) (am . are) (you . i) (your . my)))

(define (turn words)
  (map (lambda (w)
         (let ((entry (assq w turns)))
           (if entry (cdr entry) w)))
       words))

;; Numbers in an answer stand for gaps.
(define (fill answer gaps)
  (cond ((null? answer) '())
        ((number? (car answer))
         (append (turn (list-ref gaps (car answer)))
                 (fill (cdr answer) gaps)))
        (else (cons (car answer) (fill (cdr answer) gaps)))))

(define rules
  '(((* i need *) (why do you need 1 ?))
    ((i am *) (how long have you been 0 ?))
    ((* mother *) (tell me more about your family))
    ((* because *) (is that the real reason ?))
    ((you are *) (what makes you think that i am 0 ?))
    ((*) (please go on))))

(define (respond words)
  (let loop ((rules rules))
    (let ((gaps (match (caar rules) words)))
      (if gaps
          (fill (cadar rules) gaps)
          (loop (cdr rules))))))

(define (say words)
  (display (car words))
  (for-each (lambda (w) (display " ") (display w)) (cdr words))
  (newline))

(for-each (lambda (words)
            (display "> ")
            (say words)
            (say (respond words)))
          '((hello there)
            (i am sad about my work)
            (well i need your help with my parents)
            (my mother calls me every day)
            (you are like my doctor)
            (it is because i work)))

;=> > hello there
;=> please go on
;=> > i am sad about my work
;=> how long have you been sad about your work ?
;=> > well i need your help with my parents
;=> why do you need my help with your parents ?
;=> > my mother calls me every day
;=> tell me more about your family
;=> > you are like my doctor
;=> what makes you think that i am like your doctor ?
;=> > it is because i work
;=> is that the real reason ?
