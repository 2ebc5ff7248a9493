;; Elementary cellular automata: rule 90 and rule 30 on rows of cells.
(import (scheme base) (scheme write))

;; The rule as a vector of eight new cells, for neighbourhoods 0 to 7.
(define (make-rule number)
  (let ((rule (make-vector 8 0)))
    (do ((i 0 (+ i 1))
         (n number (quotient n 2)))
        ((= i 8) rule)
      (vector-set! rule i (remainder n 2)))))

(define (next-row rule row)
  (let ((n (vector-length row)))
    (define (cell i)
      (if (< -1 i n) (vector-ref row i) 0))
    (let ((new (make-vector n 0)))
      (do ((i 0 (+ i 1)))
          ((= i n) new)
        (vector-set! new i
                     (vector-ref rule
                                 (+ (* 4 (cell (- i 1)))
                                    (* 2 (cell i))
                                    (cell (+ i 1)))))))))

(define (show row)
  (let ((end (let loop ((i (- (vector-length row) 1)))
               (if (or (= i 0) (= 1 (vector-ref row i))) i (loop (- i 1))))))
    (do ((i 0 (+ i 1)))
        ((> i end) (newline))
      (display (if (= 1 (vector-ref row i)) "*" " ")))))

(define (run number width generations)
  (let ((rule (make-rule number))
        (row (make-vector width 0)))
    (vector-set! row (quotient width 2) 1)
    (let loop ((row row) (n generations))
      (show row)
      (if (> n 1) (loop (next-row rule row) (- n 1))))))

(write (make-rule 90))
(newline)
(run 90 15 8)
(run 30 11 5)

;=> #(0 1 0 1 1 0 1 0)
;=>        *
;=>       * *
;=>      *   *
;=>     * * * *
;=>    *       *
;=>   * *     * *
;=>  *   *   *   *
;=> * * * * * * * *
;=>      *
;=>     ***
;=>    **  *
;=>   ** ****
;=>  **  *   *
