;; Numbers in English words, and how many letters the first ones have.
(import (scheme base) (scheme write))

(define small
  #("zero" "one" "two" "three" "four" "five" "six" "seven" "eight" "nine"
    "ten" "eleven" "twelve" "thirteen" "fourteen" "fifteen" "sixteen"
    "seventeen" "eighteen" "nineteen"))
(define tens
  #("" "" "twenty" "thirty" "forty" "fifty" "sixty" "seventy" "eighty"
    "ninety"))
(define scales
  '((1000000000 . " billion") (1000000 . " million") (1000 . " thousand")
    (100 . " hundred")))

(define (words n)
  (cond ((< n 0) (string-append "minus " (words (- n))))
        ((< n 20) (vector-ref small n))
        ((< n 100)
         (let ((ten (vector-ref tens (quotient n 10)))
               (one (remainder n 10)))
           (if (= one 0)
               ten
               (string-append ten "-" (vector-ref small one)))))
        (else
         (let loop ((scales scales))
           (if (< n (caar scales))
               (loop (cdr scales))
               (let-values (((count rest) (floor/ n (caar scales))))
                 (string-append
                  (words count)
                  (cdar scales)
                  (cond ((= rest 0) "")
                        ((< rest 100) " and ")
                        (else " "))
                  (if (= rest 0) "" (words rest)))))))))

(define (letters text)
  (let loop ((chars (string->list text)) (n 0))
    (cond ((null? chars) n)
          ((memv (car chars) '(#\space #\-)) (loop (cdr chars) n))
          (else (loop (cdr chars) (+ n 1))))))

;; Each number leads to the count of its letters; all end at four.
(define (chain n)
  (let ((next (letters (words n))))
    (if (= n next) (list n) (cons n (chain next)))))

(for-each (lambda (n)
            (display (words n))
            (newline))
          '(0 7 13 20 42 100 115 999 1000 2024 -30 1000001 123456789))
(write (map chain '(1 11 77 373)))
(newline)
(write (do ((n 1 (+ n 1))
            (sum 0 (+ sum (letters (words n)))))
           ((> n 20) sum)))
(newline)

;=> zero
;=> seven
;=> thirteen
;=> twenty
;=> forty-two
;=> one hundred
;=> one hundred and fifteen
;=> nine hundred and ninety-nine
;=> one thousand
;=> two thousand and twenty-four
;=> minus thirty
;=> one million and one
;=> one hundred and twenty-three million four hundred and fifty-six thousand seven hundred and eighty-nine
;=> ((1 3 5 4) (11 6 3 5 4) (77 12 6 3 5 4) (373 27 11 6 3 5 4))
;=> 112
