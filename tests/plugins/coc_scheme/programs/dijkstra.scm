;; Dijkstra's shortest paths in a small road map.
(import (scheme base) (scheme write))

(define roads
  '((a (b . 7) (c . 9) (f . 14))
    (b (a . 7) (c . 10) (d . 15))
    (c (a . 9) (b . 10) (d . 11) (f . 2))
    (d (b . 15) (c . 11) (e . 6))
    (e (d . 6) (f . 9))
    (f (a . 14) (c . 2) (e . 9))
    (g)))

;; The frontier is a list of (distance town . path), nearest first.
(define (insert entry frontier)
  (if (or (null? frontier) (< (car entry) (caar frontier)))
      (cons entry frontier)
      (cons (car frontier) (insert entry (cdr frontier)))))

(define (shortest start)
  (let loop ((frontier (list (list 0 start))) (done '()))
    (if (null? frontier)
        (reverse done)
        (let* ((entry (car frontier))
               (distance (car entry))
               (town (cadr entry)))
          (if (assq town done)
              (loop (cdr frontier) done)
              (let relax ((edges (cdr (assq town roads)))
                          (frontier (cdr frontier)))
                (if (null? edges)
                    (loop frontier
                          (cons (list town distance (reverse (cdr entry)))
                                done))
                    (relax (cdr edges)
                           (insert (cons (+ distance (cdar edges))
                                         (cons (caar edges) (cdr entry)))
                                   frontier)))))))))

(for-each (lambda (result)
            (write result)
            (newline))
          (shortest 'a))
(display (if (assq 'g (shortest 'a)) "g is near" "g is out of reach"))
(newline)

;=> (a 0 (a))
;=> (b 7 (a b))
;=> (c 9 (a c))
;=> (f 11 (a c f))
;=> (d 20 (a c d))
;=> (e 20 (a c f e))
;=> g is out of reach
