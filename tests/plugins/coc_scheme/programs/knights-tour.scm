;; A knight's tour of a small board, by Warnsdorff's rule.
(import (scheme base) (scheme write))

(define n 5)
(define jumps
  '((1 . 2) (2 . 1) (2 . -1) (1 . -2) (-1 . -2) (-2 . -1) (-2 . 1) (-1 . 2)))

(define board (make-vector (* n n) 0))
(define (at row column) (vector-ref board (+ (* n row) column)))
(define (put! row column step)
  (vector-set! board (+ (* n row) column) step))

(define (free? row column)
  (and (< -1 row n) (< -1 column n) (= 0 (at row column))))

;; The free squares that a knight reaches, as pairs.
(define (moves row column)
  (let loop ((jumps jumps) (found '()))
    (if (null? jumps)
        (reverse found)
        (let ((r (+ row (caar jumps)))
              (c (+ column (cdar jumps))))
          (loop (cdr jumps)
                (if (free? r c) (cons (cons r c) found) found))))))

;; The move that leaves the fewest moves after it.
(define (best-move row column)
  (let loop ((options (moves row column)) (best #f) (fewest 9))
    (if (null? options)
        best
        (let* ((move (car options))
               (count (length (moves (car move) (cdr move)))))
          (if (< count fewest)
              (loop (cdr options) move count)
              (loop (cdr options) best fewest))))))

(define (tour row column)
  (let loop ((row row) (column column) (step 1))
    (put! row column step)
    (let ((move (best-move row column)))
      (if move
          (loop (car move) (cdr move) (+ step 1))
          step))))

(display "squares visited: ")
(display (tour 0 0))
(newline)
(do ((row 0 (+ row 1)))
    ((= row n))
  (do ((column 0 (+ column 1)))
      ((= column n))
    (if (< (at row column) 10) (display " "))
    (display (at row column))
    (if (< column (- n 1)) (display " ")))
  (newline))

;=> squares visited: 25
;=>  1 12 25 18  3
;=> 22 17  2 13 24
;=> 11  8 23  4 19
;=> 16 21  6  9 14
;=>  7 10 15 20  5
