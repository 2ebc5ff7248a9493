;; Measure four litres with jugs of three and five: breadth-first search.
(import (scheme base) (scheme write))

(define small 3)
(define large 5)

;; A state is a pair: litres in the small jug and in the large one.
(define (successors state)
  (let* ((a (car state))
         (b (cdr state))
         (to-large (min a (- large b)))
         (to-small (min b (- small a))))
    (list (cons small b)
          (cons a large)
          (cons 0 b)
          (cons a 0)
          (cons (- a to-large) (+ b to-large))
          (cons (+ a to-small) (- b to-small)))))

(define (search start goal?)
  (let loop ((queue (list (list start))) (seen (list start)))
    (cond ((null? queue) #f)
          ((goal? (caar queue)) (reverse (car queue)))
          (else
           (let expand ((next (successors (caar queue)))
                        (new '())
                        (seen seen))
             (cond ((null? next)
                    (loop (append (cdr queue) (reverse new)) seen))
                   ((member (car next) seen)
                    (expand (cdr next) new seen))
                   (else
                    (expand (cdr next)
                            (cons (cons (car next) (car queue)) new)
                            (cons (car next) seen)))))))))

(define (goal? state) (= 4 (cdr state)))

(for-each
 (lambda (state)
   (display "small ")
   (display (car state))
   (display ", large ")
   (display (cdr state))
   (newline))
 (search '(0 . 0) goal?))
(write (search '(0 . 0) (lambda (state) (= 6 (cdr state)))))
(newline)

;=> small 0, large 0
;=> small 0, large 5
;=> small 3, large 2
;=> small 0, large 2
;=> small 2, large 0
;=> small 2, large 5
;=> small 3, large 4
;=> #f
