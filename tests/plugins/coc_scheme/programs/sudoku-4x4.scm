;; Solve a sudoku of four rows by backtracking on a vector.
(import (scheme base) (scheme write))

(define (cell grid row column)
  (vector-ref grid (+ (* 4 row) column)))

(define (box-start i) (* 2 (quotient i 2)))

(define (fits? grid row column digit)
  (let loop ((i 0))
    (or (= i 4)
        (and (not (= digit (cell grid row i)))
             (not (= digit (cell grid i column)))
             (not (= digit (cell grid
                                 (+ (box-start row) (quotient i 2))
                                 (+ (box-start column) (remainder i 2)))))
             (loop (+ i 1))))))

;; Fill the grid in place; #t if that worked, else the grid is as before.
(define (solve! grid)
  (let next ((i 0))
    (cond ((= i 16) #t)
          ((> (vector-ref grid i) 0) (next (+ i 1)))
          (else
           (let try ((digit 1))
             (cond ((> digit 4) (vector-set! grid i 0) #f)
                   ((fits? grid (quotient i 4) (remainder i 4) digit)
                    (vector-set! grid i digit)
                    (or (next (+ i 1))
                        (begin (vector-set! grid i 0)
                               (try (+ digit 1)))))
                   (else (try (+ digit 1)))))))))

(define (show grid)
  (do ((row 0 (+ row 1)))
      ((= row 4))
    (do ((column 0 (+ column 1)))
        ((= column 4))
      (display (cell grid row column))
      (if (= column 1) (display "|")))
    (newline)
    (if (= row 1) (begin (display "--+--") (newline)))))

(define grid
  (vector 1 0 0 0
          0 0 3 0
          0 0 0 4
          0 2 0 0))

(write (solve! grid))
(newline)
(show grid)
(write (solve! (vector 1 2 3 0  0 0 0 4  0 0 0 0  0 0 0 0)))
(newline)

;=> #t
;=> 13|42
;=> 24|31
;=> --+--
;=> 31|24
;=> 42|13
;=> #f
