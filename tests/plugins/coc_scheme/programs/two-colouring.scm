;; Is a graph bipartite? Colour it with two colours, or find a conflict.
(import (scheme base) (scheme write))

(define (other colour) (if (eq? colour 'red) 'blue 'red))

(define (neighbours node graph)
  (let ((entry (assq node graph)))
    (if entry (cdr entry) '())))

;; The colouring as an association list, or raise the edge in conflict.
(define (colour-from node colour graph colouring)
  (let ((known (assq node colouring)))
    (if known
        colouring
        (let loop ((next (neighbours node graph))
                   (colouring (cons (cons node colour) colouring)))
          (if (null? next)
              colouring
              (let* ((n (car next))
                     (entry (assq n colouring)))
                (if (and entry (eq? (cdr entry) colour))
                    (raise (list 'conflict node n)))
                (loop (cdr next)
                      (colour-from n (other colour) graph colouring))))))))

(define (two-colour graph)
  (guard (e ((and (pair? e) (eq? 'conflict (car e))) e))
    (let loop ((nodes (map car graph)) (colouring '()))
      (if (null? nodes)
          (reverse colouring)
          (loop (cdr nodes)
                (colour-from (car nodes) 'red graph colouring))))))

(define (show x) (write x) (newline))

(define ring '((a b d) (b a c) (c b d) (d a c)))
(define triangle '((a b c) (b a c) (c a b)))
(define star '((hub p q r) (p hub) (q hub) (r hub)))

(show (two-colour ring))
(show (two-colour triangle))
(show (two-colour star))
(show (two-colour '((alone))))

;=> ((a . red) (b . blue) (c . red) (d . blue))
;=> (conflict c a)
;=> ((hub . red) (p . blue) (q . blue) (r . blue))
;=> ((alone . red))
