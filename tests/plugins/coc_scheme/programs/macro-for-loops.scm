;; For loops over ranges, lists and vectors, and list comprehensions.
(import (scheme base) (scheme write))

(define-syntax for
  (syntax-rules (in from to step)
    ((_ x in items body ...)
     (for-each (lambda (x) body ...) items))
    ((_ x from a to b step s body ...)
     (let ((end b) (by s))
       (do ((x a (+ x by)))
           ((> x end))
         body ...)))
    ((_ x from a to b body ...)
     (for x from a to b step 1 body ...))))

(define-syntax collect
  (syntax-rules (for in if)
    ((_ e)
     (list e))
    ((_ e for x in items clause ...)
     (apply append
            (map (lambda (x) (collect e clause ...)) items)))
    ((_ e if test clause ...)
     (if test (collect e clause ...) '()))))

(for x in '(red green blue)
  (display x)
  (newline))

(for i from 1 to 3
  (for j from i to 3
    (display (* i j))
    (display (if (= j 3) "" " ")))
  (newline))

(for i from 0 to 20 step 5
  (display i)
  (display ";"))
(newline)

(write (collect (* x x) for x in '(1 2 3 4)))
(newline)
(write (collect (cons x y)
                for x in '(1 2 3)
                for y in '(a b)
                if (odd? x)))
(newline)
(write (collect (list a b c)
                for a in '(3 4 5 6 8)
                for b in '(3 4 5 6 8)
                if (< a b)
                for c in '(5 10)
                if (= (* c c) (+ (* a a) (* b b)))))
(newline)

;=> red
;=> green
;=> blue
;=> 1 2 3
;=> 4 6
;=> 9
;=> 0;5;10;15;20;
;=> (1 4 9 16)
;=> ((1 . a) (1 . b) (3 . a) (3 . b))
;=> ((3 4 5) (6 8 10))
