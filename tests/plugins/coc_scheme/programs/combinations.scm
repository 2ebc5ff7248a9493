;; Choose k of n items; binomial coefficients agree with the counts.
(import (scheme base) (scheme write))

(define (combinations k items)
  (cond ((= k 0) '(()))
        ((null? items) '())
        (else
         (append (map (lambda (rest) (cons (car items) rest))
                      (combinations (- k 1) (cdr items)))
                 (combinations k (cdr items))))))

(define (choose n k)
  (let loop ((i 1) (result 1))
    (if (> i k)
        result
        (loop (+ i 1) (quotient (* result (- (+ n 1) i)) i)))))

(define team '(ann bob cid dee eve))

(do ((k 0 (+ k 1)))
    ((> k 5))
  (let ((all (combinations k team)))
    (display k)
    (display " of 5: ")
    (display (length all))
    (display (if (= (length all) (choose 5 k)) " ok" " wrong"))
    (newline)))

(for-each (lambda (pair) (display pair) (newline))
          (combinations 2 '(red green blue)))
(display (choose 52 5))
(newline)

;=> 0 of 5: 1 ok
;=> 1 of 5: 5 ok
;=> 2 of 5: 10 ok
;=> 3 of 5: 10 ok
;=> 4 of 5: 5 ok
;=> 5 of 5: 1 ok
;=> (red green)
;=> (red blue)
;=> (green blue)
;=> 2598960
