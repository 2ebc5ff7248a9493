;; A calendar: leap years, days of the week, and a month as a table.
(import (scheme base) (scheme write))

(define (leap? year)
  (or (= 0 (modulo year 400))
      (and (= 0 (modulo year 4))
           (not (= 0 (modulo year 100))))))

(define (days-in year month)
  (case month
    ((2) (if (leap? year) 29 28))
    ((4 6 9 11) 30)
    (else 31)))

;; Zeller's congruence, with 0 for Monday.
(define (day-of-week year month day)
  (let* ((early? (< month 3))
         (m (if early? (+ month 12) month))
         (y (if early? (- year 1) year)))
    (modulo (+ day
               (quotient (* 13 (+ m 1)) 5)
               y
               (quotient y 4)
               (- (quotient y 100))
               (quotient y 400)
               5)
            7)))

(define names
  #("Monday" "Tuesday" "Wednesday" "Thursday" "Friday" "Saturday" "Sunday"))

(define (show-month year month)
  (display "Mo Tu We Th Fr Sa Su")
  (newline)
  (let ((first (day-of-week year month 1)))
    (display (make-string (* 3 first) #\space))
    (do ((day 1 (+ day 1)))
        ((> day (days-in year month)))
      (if (< day 10) (display " "))
      (display day)
      (if (or (= 6 (modulo (+ first day -1) 7))
              (= day (days-in year month)))
          (newline)
          (display " ")))))

(define (day-of-year year month day)
  (do ((m 1 (+ m 1))
       (sum day (+ sum (days-in year m))))
      ((= m month) sum)))

(write (map leap? '(1900 2000 2023 2024)))
(newline)
(for-each (lambda (date)
            (display date)
            (display " ")
            (display (vector-ref names (apply day-of-week date)))
            (newline))
          '((1969 7 20) (2000 1 1) (2024 2 29) (1815 12 10)))
(show-month 2024 2)
(write (list (day-of-year 2024 12 31) (day-of-year 2023 3 1)))
(newline)

;=> (#f #t #f #t)
;=> (1969 7 20) Sunday
;=> (2000 1 1) Saturday
;=> (2024 2 29) Thursday
;=> (1815 12 10) Sunday
;=> Mo Tu We Th Fr Sa Su
;=>           1  2  3  4
;=>  5  6  7  8  9 10 11
;=> 12 13 14 15 16 17 18
;=> 19 20 21 22 23 24 25
;=> 26 27 28 29
;=> (366 60)
