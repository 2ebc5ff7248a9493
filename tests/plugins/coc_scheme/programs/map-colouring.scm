;; Colour a map with backtracking; count the colourings of small graphs.
(import (scheme base) (scheme write))

(define borders
  '((wa nt sa) (nt wa sa q) (sa wa nt q nsw v) (q nt sa nsw)
    (nsw q sa v) (v sa nsw t) (t v)))

(define (conflict? region colour colouring)
  (let loop ((near (cdr (assq region borders))))
    (and (pair? near)
         (let ((entry (assq (car near) colouring)))
           (or (and entry (eq? colour (cdr entry)))
               (loop (cdr near)))))))

(define (colour-map regions colours colouring)
  (if (null? regions)
      (reverse colouring)
      (let try ((options colours))
        (cond ((null? options) #f)
              ((conflict? (car regions) (car options) colouring)
               (try (cdr options)))
              (else
               (or (colour-map (cdr regions)
                               colours
                               (cons (cons (car regions) (car options))
                                     colouring))
                   (try (cdr options))))))))

(define regions (map car borders))

(define result (colour-map regions '(red green blue) '()))
(for-each (lambda (entry)
            (display (car entry))
            (display " is ")
            (display (cdr entry))
            (newline))
          result)
(write (colour-map regions '(red green) '()))
(newline)

;; The chromatic number of a cycle: two if even, three if odd.
(define (cycle-colourings n k)
  (+ (expt (- k 1) n) (* (if (even? n) 1 -1) (- k 1))))
(write (map (lambda (n) (cycle-colourings n 2)) '(3 4 5 6)))
(newline)
(write (map (lambda (n) (cycle-colourings n 3)) '(3 4 5 6)))
(newline)

;=> wa is red
;=> nt is green
;=> sa is blue
;=> q is red
;=> nsw is green
;=> v is red
;=> t is green
;=> #f
;=> (0 2 0 2)
;=> (6 18 30 66)
