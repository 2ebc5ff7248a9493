;; Topological sort of tasks by depth-first search; cycles are found.
(import (scheme base) (scheme write))

(define (sort-tasks graph)
  (define done '())
  (define order '())
  (define (visit task path)
    (cond ((memq task path)
           (raise (list 'cycle (reverse (cons task path)))))
          ((memq task done) 'already)
          (else
           (let ((entry (assq task graph)))
             (if entry
                 (for-each (lambda (before)
                             (visit before (cons task path)))
                           (cdr entry))))
           (set! done (cons task done))
           (set! order (cons task order)))))
  (for-each (lambda (entry) (visit (car entry) '())) graph)
  (reverse order))

;; Each task with those that must come before it.
(define dressing
  '((shoes trousers socks)
    (jacket shirt tie)
    (tie shirt)
    (trousers pants)
    (belt trousers shirt)))

(define circular
  '((egg hen) (hen egg-shell) (egg-shell egg)))

(define (try graph)
  (write (guard (e ((and (pair? e) (eq? (car e) 'cycle)) e))
           (sort-tasks graph)))
  (newline))

(try dressing)
(try circular)
(try '((a) (b)))
(try '())

;=> (pants trousers socks shoes shirt tie jacket belt)
;=> (cycle (egg hen egg-shell egg))
;=> (a b)
;=> ()
