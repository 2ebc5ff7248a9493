;; Numbers to strings and back; formatting with separators and padding.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(show (number->string 42))
(show (number->string -7))
(show (map string->number '("12" "-34" "+5" "007" "1e" "abc" "" "-")))
(show (string->number "123456789012345678901234567890"))
(show (number->string (expt 2 70)))

(define (pad-left text width c)
  (let ((missing (- width (string-length text))))
    (if (> missing 0)
        (string-append (make-string missing c) text)
        text)))

(define (with-separators n)
  (let loop ((text (number->string n)) (tail ""))
    (let ((size (string-length text)))
      (if (<= size 3)
          (string-append text tail)
          (loop (substring text 0 (- size 3))
                (string-append "," (substring text (- size 3) size) tail))))))

(show (pad-left "7" 3 #\0))
(show (map with-separators '(7 999 1000 1234567 1000000000)))

(define (clock seconds)
  (define (two n) (pad-left (number->string n) 2 #\0))
  (string-append (two (quotient seconds 3600)) ":"
                 (two (quotient (remainder seconds 3600) 60)) ":"
                 (two (remainder seconds 60))))
(show (map clock '(0 59 3661 86399)))

;; Reverse the digits of a number by way of its text.
(define (reverse-digits n)
  (string->number
   (list->string (reverse (string->list (number->string n))))))
(show (map reverse-digits '(123 1000 45)))

;=> "42"
;=> "-7"
;=> (12 -34 5 7 #f #f #f #f)
;=> 123456789012345678901234567890
;=> "1180591620717411303424"
;=> "007"
;=> ("7" "999" "1,000" "1,234,567" "1,000,000,000")
;=> ("00:00:00" "00:00:59" "01:01:01" "23:59:59")
;=> (321 1 54)
