;; FizzBuzz three times: with cond, with a table, and without division.
(import (scheme base) (scheme write))

(define (fizzbuzz n)
  (cond ((= 0 (modulo n 15)) "FizzBuzz")
        ((= 0 (modulo n 5)) "Buzz")
        ((= 0 (modulo n 3)) "Fizz")
        (else n)))

(define rules '((3 . "Fizz") (5 . "Buzz") (7 . "Bang")))

(define (by-rules rules n)
  (let loop ((rules rules) (text ""))
    (cond ((null? rules)
           (if (string=? text "") (number->string n) text))
          ((= 0 (modulo n (caar rules)))
           (loop (cdr rules) (string-append text (cdar rules))))
          (else (loop (cdr rules) text)))))

;; Circular lists of words, walked in step with the numbers.
(define (circular . items)
  (let loop ((rest items))
    (if (null? (cdr rest))
        (set-cdr! rest items)
        (loop (cdr rest))))
  items)

(define (without-division limit)
  (let loop ((n 1)
             (fizz (circular #f #f "Fizz"))
             (buzz (circular #f #f #f #f "Buzz"))
             (found '()))
    (if (> n limit)
        (reverse found)
        (loop (+ n 1)
              (cdr fizz)
              (cdr buzz)
              (cons (cond ((and (car fizz) (car buzz)) "FizzBuzz")
                          ((or (car fizz) (car buzz)))
                          (else n))
                    found)))))

(do ((n 1 (+ n 1)))
    ((> n 15))
  (display (fizzbuzz n))
  (newline))
(display (map (lambda (n) (by-rules rules n)) '(2 15 21 35 104 105)))
(newline)
(display (without-division 15))
(newline)

;=> 1
;=> 2
;=> Fizz
;=> 4
;=> Buzz
;=> Fizz
;=> 7
;=> 8
;=> Fizz
;=> Buzz
;=> 11
;=> Fizz
;=> 13
;=> 14
;=> FizzBuzz
;=> (2 FizzBuzz FizzBang BuzzBang 104 FizzBuzzBang)
;=> (1 2 Fizz 4 Buzz Fizz 7 8 Fizz Buzz 11 Fizz 13 14 FizzBuzz)
