;; Truth tables, tautologies, and equivalence of formulas.
(import (scheme base) (scheme write) (scheme cxr))

(define (evaluate f env)
  (cond ((boolean? f) f)
        ((symbol? f) (cdr (assq f env)))
        (else
         (let ((args (map (lambda (g) (evaluate g env)) (cdr f))))
           (case (car f)
             ((not) (not (car args)))
             ((and) (and (car args) (cadr args)))
             ((or) (or (car args) (cadr args)))
             ((xor) (not (eq? (car args) (cadr args))))
             ((implies) (or (not (car args)) (cadr args)))
             ((iff) (eq? (car args) (cadr args))))))))

;; The variables of a formula, in the order of their appearance.
(define (variables f)
  (reverse
   (let collect ((f f) (found '()))
     (cond ((boolean? f) found)
           ((symbol? f) (if (memq f found) found (cons f found)))
           (else
            (let loop ((parts (cdr f)) (found found))
              (if (null? parts)
                  found
                  (loop (cdr parts) (collect (car parts) found)))))))))

(define (environments names)
  (if (null? names)
      '(())
      (let ((rest (environments (cdr names))))
        (append (map (lambda (e) (cons (cons (car names) #t) e)) rest)
                (map (lambda (e) (cons (cons (car names) #f) e)) rest)))))

(define (show-bit b) (display (if b "1 " "0 ")))

(define (table f)
  (let ((names (variables f)))
    (for-each (lambda (n) (display n) (display " ")) names)
    (write f)
    (newline)
    (for-each (lambda (env)
                (for-each (lambda (b) (show-bit (cdr b))) env)
                (display (if (evaluate f env) 1 0))
                (newline))
              (environments names))))

(define (tautology? f)
  (let loop ((envs (environments (variables f))))
    (or (null? envs)
        (and (evaluate f (car envs)) (loop (cdr envs))))))

(table '(implies p q))
(table '(xor a (and b a)))
(write (map tautology?
            '((or p (not p))
              (implies p q)
              (iff (not (and p q)) (or (not p) (not q)))
              (implies (and (implies p q) (implies q r)) (implies p r)))))
(newline)

;=> p q (implies p q)
;=> 1 1 1
;=> 1 0 0
;=> 0 1 1
;=> 0 0 1
;=> a b (xor a (and b a))
;=> 1 1 0
;=> 1 0 1
;=> 0 1 0
;=> 0 0 0
;=> (#t #f #t #t)
