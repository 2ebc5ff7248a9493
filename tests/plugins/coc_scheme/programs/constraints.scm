;; Propagation of constraints: connectors, adders, multipliers, probes.
(import (scheme base) (scheme write))

;; A connector holds a value, who set it, and the constraints at it.
(define-record-type connector
  (make-connector value informant constraints)
  connector?
  (value value set-value!)
  (informant informant set-informant!)
  (constraints constraints set-constraints!))

(define (new-connector) (make-connector #f #f '()))
(define (known? c) (and (informant c) #t))

(define (tell! c new from)
  (cond ((not (known? c))
         (set-value! c new)
         (set-informant! c from)
         (for-each (lambda (k) (unless (eq? k from) (k 'known)))
                   (constraints c)))
        ((not (= new (value c)))
         (raise (list 'contradiction (value c) new)))))

(define (forget! c from)
  (when (eq? from (informant c))
    (set-informant! c #f)
    (for-each (lambda (k) (unless (eq? k from) (k 'forgotten)))
              (constraints c))))

(define (connect! c k)
  (set-constraints! c (cons k (constraints c))))

;; a op b = c; `back` undoes op, and may say #f when it cannot.
(define (relation a b c op back)
  (define (work)
    (cond ((and (known? a) (known? b))
           (tell! c (op (value a) (value b)) me))
          ((and (known? a) (known? c))
           (tell! b (back (value c) (value a)) me))
          ((and (known? b) (known? c))
           (tell! a (back (value c) (value b)) me))))
  (define (me message)
    (when (eq? message 'forgotten)
      (for-each (lambda (x) (forget! x me)) (list a b c)))
    (work))
  (for-each (lambda (x) (connect! x me)) (list a b c)))

(define (constant n)
  (let ((c (new-connector)))
    (tell! c n 'constant)
    c))

(define (probe name c)
  (connect! c
            (lambda (message)
              (display name)
              (display " = ")
              (display (if (known? c) (value c) "?"))
              (newline))))

;; 9 C = 5 (F - 32)
(define celsius (new-connector))
(define fahrenheit (new-connector))
(let ((u (new-connector)) (v (new-connector)))
  (relation celsius (constant 9) u * quotient)
  (relation v (constant 5) u * quotient)
  (relation v (constant 32) fahrenheit + -))

(probe "C" celsius)
(probe "F" fahrenheit)
(tell! celsius 25 'user)
(write (guard (e ((pair? e) e)) (tell! fahrenheit 212 'user)))
(newline)
(forget! celsius 'user)
(tell! fahrenheit 212 'user)

;=> C = 25
;=> F = 77
;=> (contradiction 77 212)
;=> C = ?
;=> F = ?
;=> F = 212
;=> C = 100
