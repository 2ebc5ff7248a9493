;; The eight queens puzzle on smaller boards: count and first solution.
(import (scheme base) (scheme write))

;; A placement is a list of columns, the newest row first.
(define (safe? column placed)
  (let loop ((rest placed) (distance 1))
    (or (null? rest)
        (and (not (= (car rest) column))
             (not (= (abs (- (car rest) column)) distance))
             (loop (cdr rest) (+ distance 1))))))

(define (queens n)
  (let place ((row 0) (placed '()) (found '()))
    (if (= row n)
        (cons (reverse placed) found)
        (let try ((column 1) (found found))
          (cond ((> column n) found)
                ((safe? column placed)
                 (try (+ column 1)
                      (place (+ row 1) (cons column placed) found)))
                (else (try (+ column 1) found)))))))

(do ((n 1 (+ n 1)))
    ((> n 5))
  (let ((solutions (queens n)))
    (display n)
    (display ": ")
    (display (length solutions))
    (display " ")
    (display (if (null? solutions) 'none (car (reverse solutions))))
    (newline)))

;=> 1: 1 (1)
;=> 2: 0 none
;=> 3: 0 none
;=> 4: 2 (2 4 1 3)
;=> 5: 10 (1 3 5 2 4)
