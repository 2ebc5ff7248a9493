;; Optional arguments with defaults, by a macro and by case-lambda.
(import (scheme base) (scheme write) (scheme case-lambda))

(define-syntax let-optionals
  (syntax-rules ()
    ((_ rest () body ...)
     (if (null? rest)
         (let () body ...)
         (error "too many arguments" rest)))
    ((_ rest ((name default) more ...) body ...)
     (let* ((given rest)
            (name (if (pair? given) (car given) default))
            (left (if (pair? given) (cdr given) '())))
       (let-optionals left (more ...) body ...)))))

(define (greet name . options)
  (let-optionals options ((greeting "Hello") (mark "!"))
    (string-append greeting ", " name mark)))

;; A later default may use an earlier name.
(define (range start . options)
  (let-optionals options ((end (+ start 3)) (step 1))
    (let loop ((i start))
      (if (>= i end) '() (cons i (loop (+ i step)))))))

(define area
  (case-lambda
    ((side) (area side side))
    ((width height) (* width height))))

(define (show x) (write x) (newline))

(show (greet "Ada"))
(show (greet "Bob" "Good morning"))
(show (greet "Cleo" "Bye" "..."))
(show (range 5))
(show (range 0 10))
(show (range 0 10 3))
(show (guard (e ((error-object? e) (error-object-irritants e)))
        (greet "Dan" "a" "b" "c" "d")))
(show (list (area 4) (area 2 5)))

;=> "Hello, Ada!"
;=> "Good morning, Bob!"
;=> "Bye, Cleo..."
;=> (5 6 7)
;=> (0 1 2 3 4 5 6 7 8 9)
;=> (0 3 6 9)
;=> (("c" "d"))
;=> (16 10)
