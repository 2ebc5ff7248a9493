;; Tic-tac-toe: minimax plays a game from a given position to its end.
(import (scheme base) (scheme write))

(define lines
  '((0 1 2) (3 4 5) (6 7 8) (0 3 6) (1 4 7) (2 5 8) (0 4 8) (2 4 6)))

(define (winner? board player)
  (let loop ((lines lines))
    (and (pair? lines)
         (or (let check ((cells (car lines)))
               (or (null? cells)
                   (and (eq? player (vector-ref board (car cells)))
                        (check (cdr cells)))))
             (loop (cdr lines))))))

(define (moves board)
  (let loop ((i 8) (found '()))
    (cond ((< i 0) found)
          ((eq? '- (vector-ref board i)) (loop (- i 1) (cons i found)))
          (else (loop (- i 1) found)))))

(define (other player) (if (eq? player 'x) 'o 'x))

(define (play board move player)
  (let ((new (vector-copy board)))
    (vector-set! new move player)
    new))

;; The value for the player to move: 1, 0 or -1; and the best move.
(define (best board player)
  (if (winner? board (other player))
      (values -1 #f)
      (let loop ((open (moves board)) (value #f) (choice #f))
        (if (null? open)
            (values (or value 0) choice)
            (let-values (((v m) (best (play board (car open) player)
                                      (other player))))
              (if (or (not value) (> (- v) value))
                  (loop (cdr open) (- v) (car open))
                  (loop (cdr open) value choice)))))))

(define (show board)
  (do ((i 0 (+ i 1)))
      ((= i 9))
    (display (vector-ref board i))
    (if (= 2 (remainder i 3)) (newline))))

(let game ((board (vector 'x 'o 'x '- 'o '- '- 'x '-)) (player 'o))
  (let-values (((value move) (best board player)))
    (cond (move
           (display (list player move value))
           (newline)
           (game (play board move player) (other player)))
          (else (show board)))))

;=> (o 3 0)
;=> (x 5 0)
;=> (o 8 0)
;=> (x 6 0)
;=> xox
;=> oox
;=> xxo
