;; Find the shortest way through a maze and draw it.
(import (scheme base) (scheme write))

(define maze
  (vector (string-copy "#########")
          (string-copy "#S..#...#")
          (string-copy "##.##.#.#")
          (string-copy "#.....#G#")
          (string-copy "#########")))

(define (look position)
  (string-ref (vector-ref maze (car position)) (cdr position)))

(define (mark! position c)
  (string-set! (vector-ref maze (car position)) (cdr position) c))

(define (neighbours position)
  (let ((row (car position)) (column (cdr position)))
    (list (cons (- row 1) column) (cons row (+ column 1))
          (cons (+ row 1) column) (cons row (- column 1)))))

;; The path from start to the goal; each path is kept newest cell first.
(define (solve start)
  (let loop ((paths (list (list start))) (seen (list start)))
    (if (null? paths)
        #f
        (let ((path (car paths)))
          (if (char=? (look (car path)) #\G)
              (reverse path)
              (let extend ((next (neighbours (car path)))
                           (new '())
                           (seen seen))
                (cond ((null? next)
                       (loop (append (cdr paths) (reverse new)) seen))
                      ((or (char=? (look (car next)) #\#)
                           (member (car next) seen))
                       (extend (cdr next) new seen))
                      (else
                       (extend (cdr next)
                               (cons (cons (car next) path) new)
                               (cons (car next) seen))))))))))

(define path (solve '(1 . 1)))
(for-each (lambda (position)
            (if (char=? (look position) #\.)
                (mark! position #\o)))
          path)
(vector-for-each (lambda (row) (display row) (newline)) maze)
(display (- (length path) 1))
(display " steps")
(newline)

;=> #########
;=> #So.#ooo#
;=> ##o##o#o#
;=> #.oooo#G#
;=> #########
;=> 12 steps
