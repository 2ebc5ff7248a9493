;; Check digits: Luhn for cards, ISBN-10 and ISBN-13 for books.
(import (scheme base) (scheme write) (scheme char))

;; The digits of a text; dashes and spaces are skipped, a final X is 10.
(define (digits text)
  (let loop ((chars (string->list text)) (found '()))
    (cond ((null? chars) (reverse found))
          ((char-numeric? (car chars))
           (loop (cdr chars) (cons (digit-value (car chars)) found)))
          ((char=? #\X (car chars)) (loop (cdr chars) (cons 10 found)))
          (else (loop (cdr chars) found)))))

(define (weighted-sum digits weights)
  (apply + (map * digits weights)))

;; Double every second digit from the right; add the digits of products.
(define (luhn? text)
  (let loop ((digits (reverse (digits text))) (double? #f) (sum 0))
    (if (null? digits)
        (= 0 (modulo sum 10))
        (let ((d (if double? (* 2 (car digits)) (car digits))))
          (loop (cdr digits)
                (not double?)
                (+ sum (if (> d 9) (- d 9) d)))))))

(define (isbn-10? text)
  (let ((ds (digits text)))
    (and (= 10 (length ds))
         (= 0 (modulo (weighted-sum ds '(10 9 8 7 6 5 4 3 2 1)) 11)))))

(define (isbn-13? text)
  (let ((ds (digits text)))
    (and (= 13 (length ds))
         (= 0 (modulo (weighted-sum ds '(1 3 1 3 1 3 1 3 1 3 1 3 1)) 10)))))

(define (isbn? text) (or (isbn-10? text) (isbn-13? text)))

(define (test valid? text)
  (display text)
  (display (if (valid? text) " is valid" " is not valid"))
  (newline))

(test luhn? "4539 3195 0343 6467")
(test luhn? "8273 1232 7352 0569")
(test luhn? "79927398713")
(test isbn? "0-262-51087-1")
(test isbn? "0-8044-2957-X")
(test isbn? "978-0-262-51087-5")
(test isbn? "978-0-262-51087-1")

;=> 4539 3195 0343 6467 is valid
;=> 8273 1232 7352 0569 is not valid
;=> 79927398713 is valid
;=> 0-262-51087-1 is valid
;=> 0-8044-2957-X is valid
;=> 978-0-262-51087-5 is valid
;=> 978-0-262-51087-1 is not valid
