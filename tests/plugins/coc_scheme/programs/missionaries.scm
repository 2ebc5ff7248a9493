;; Three missionaries and three cannibals cross a river in a boat for two.
(import (scheme base) (scheme write) (scheme cxr))

;; A state: missionaries and cannibals on the left bank, side of the boat.
(define loads '((1 0) (2 0) (0 1) (0 2) (1 1)))

(define (safe? m c)
  (and (<= 0 m 3)
       (<= 0 c 3)
       (or (= m 0) (>= m c))
       (or (= m 3) (>= (- 3 m) (- 3 c)))))

(define (cross state load)
  (let* ((left? (eq? (caddr state) 'left))
         (move (if left? - +))
         (m (move (car state) (car load)))
         (c (move (cadr state) (cadr load))))
    (and (safe? m c)
         (list m c (if left? 'right 'left)))))

(define (search paths seen)
  (cond ((null? paths) #f)
        ((equal? (caar paths) '(0 0 right)) (reverse (car paths)))
        (else
         (let loop ((loads loads) (new '()) (seen seen))
           (if (null? loads)
               (search (append (cdr paths) new) seen)
               (let ((next (cross (caar paths) (car loads))))
                 (if (and next (not (member next seen)))
                     (loop (cdr loads)
                           (cons (cons next (car paths)) new)
                           (cons next seen))
                     (loop (cdr loads) new seen))))))))

(define start '(3 3 left))
(define path (search (list (list start)) (list start)))

(for-each
 (lambda (state)
   (let ((m (car state)) (c (cadr state)))
     (display (make-string m #\M))
     (display (make-string c #\C))
     (display (if (eq? (caddr state) 'left) " (boat) ~ " " ~ (boat) "))
     (display (make-string (- 3 m) #\M))
     (display (make-string (- 3 c) #\C))
     (display ".")
     (newline)))
 path)
(display (- (length path) 1))
(display " crossings")
(newline)

;=> MMMCCC (boat) ~ .
;=> MMCC ~ (boat) MC.
;=> MMMCC (boat) ~ C.
;=> MMM ~ (boat) CCC.
;=> MMMC (boat) ~ CC.
;=> MC ~ (boat) MMCC.
;=> MMCC (boat) ~ MC.
;=> CC ~ (boat) MMMC.
;=> CCC (boat) ~ MMM.
;=> C ~ (boat) MMMCC.
;=> CC (boat) ~ MMMC.
;=>  ~ (boat) MMMCCC.
;=> 11 crossings
