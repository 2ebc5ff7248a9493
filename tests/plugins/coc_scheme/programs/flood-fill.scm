;; Flood fill on a picture of characters, and the sizes of islands.
(import (scheme base) (scheme write))

(define (picture . rows)
  (list->vector (map string-copy rows)))

(define (height p) (vector-length p))
(define (width p) (string-length (vector-ref p 0)))
(define (look p row column) (string-ref (vector-ref p row) column))
(define (paint! p row column c)
  (string-set! (vector-ref p row) column c))

;; Replace the connected area of one character; how many cells changed.
(define (fill! p row column new)
  (let ((old (look p row column)))
    (let flood ((row row) (column column))
      (if (and (< -1 row (height p))
               (< -1 column (width p))
               (char=? old (look p row column))
               (not (char=? old new)))
          (begin
            (paint! p row column new)
            (let* ((down (flood (+ row 1) column))
                   (up (flood (- row 1) column))
                   (right (flood row (+ column 1)))
                   (left (flood row (- column 1))))
              (+ 1 down up right left)))
          0))))

(define (show p)
  (vector-for-each (lambda (row) (display row) (newline)) p))

;; Sizes of all islands; each island is marked with a letter of its own.
(define (islands! p)
  (let loop ((i 0) (letter (char->integer #\a)) (sizes '()))
    (if (= i (* (height p) (width p)))
        (reverse sizes)
        (let ((row (quotient i (width p)))
              (column (remainder i (width p))))
          (if (char=? #\# (look p row column))
              (let ((size (fill! p row column (integer->char letter))))
                (loop (+ i 1) (+ letter 1) (cons size sizes)))
              (loop (+ i 1) letter sizes))))))

(define map1
  (picture "##..#"
           "#..##"
           "..#.."
           "#.##."))

(write (islands! map1))
(newline)
(show map1)
(write (fill! map1 0 2 #\~))
(newline)
(show map1)
(write (fill! map1 0 2 #\~))
(newline)

;=> (3 3 3 1)
;=> aa..b
;=> a..bb
;=> ..c..
;=> d.cc.
;=> 7
;=> aa~~b
;=> a~~bb
;=> ~~c..
;=> d~cc.
;=> 0
