;; Prim's algorithm: grow a spanning tree from one node.
(import (scheme base) (scheme write) (scheme cxr))

(define edges
  '((oslo bergen 460) (oslo stavanger 550) (oslo trondheim 490)
    (bergen stavanger 210) (bergen trondheim 630) (trondheim bodo 710)
    (bodo tromso 550)))

;; An edge seen from inside the tree as (inside outside length), or #f.
(define (leaving edge tree)
  (let ((a (memq (car edge) tree))
        (b (memq (cadr edge) tree)))
    (cond ((and a (not b)) edge)
          ((and b (not a)) (list (cadr edge) (car edge) (caddr edge)))
          (else #f))))

(define (cheapest tree)
  (let loop ((rest edges) (best #f))
    (if (null? rest)
        best
        (let ((e (leaving (car rest) tree)))
          (loop (cdr rest)
                (if (and e (or (not best) (< (caddr e) (caddr best))))
                    e
                    best))))))

(define (grow start)
  (let loop ((tree (list start)) (chosen '()) (total 0))
    (let ((e (cheapest tree)))
      (if e
          (loop (cons (cadr e) tree) (cons e chosen) (+ total (caddr e)))
          (values (reverse chosen) total)))))

(define (report start)
  (let-values (((chosen total) (grow start)))
    (for-each (lambda (e)
                (display (car e))
                (display " - ")
                (display (cadr e))
                (newline))
              chosen)
    (display total)
    (display " km")
    (newline)))

(report 'oslo)
(report 'tromso)

;=> oslo - bergen
;=> bergen - stavanger
;=> oslo - trondheim
;=> trondheim - bodo
;=> bodo - tromso
;=> 2420 km
;=> tromso - bodo
;=> bodo - trondheim
;=> trondheim - oslo
;=> oslo - bergen
;=> bergen - stavanger
;=> 2420 km
