;; Score games of bowling, given as lists of pins or as text.
(import (scheme base) (scheme write) (scheme char))

(define (strike? rolls) (= 10 (car rolls)))
(define (spare? rolls) (= 10 (+ (car rolls) (cadr rolls))))

(define (sum-of n rolls)
  (if (= n 0) 0 (+ (car rolls) (sum-of (- n 1) (cdr rolls)))))

;; The running score after each of the ten frames.
(define (frames rolls)
  (let loop ((rolls rolls) (frame 1) (score 0))
    (if (> frame 10)
        '()
        (let* ((strike (strike? rolls))
               (bonus? (or strike (spare? rolls)))
               (score (+ score (sum-of (if bonus? 3 2) rolls))))
          (cons score
                (loop (if strike (cdr rolls) (cddr rolls))
                      (+ frame 1)
                      score))))))

(define (score rolls) (list-ref (frames rolls) 9))

;; X is a strike, / a spare, - a miss.
(define (parse text)
  (let loop ((chars (string->list text)) (last 0) (rolls '()))
    (if (null? chars)
        (reverse rolls)
        (let* ((c (car chars))
               (pins (case c
                       ((#\X) 10)
                       ((#\/) (- 10 last))
                       ((#\-) 0)
                       (else (digit-value c)))))
          (loop (cdr chars) pins (cons pins rolls))))))

(for-each (lambda (text)
            (display text)
            (display " ")
            (display (score (parse text)))
            (newline))
          '("XXXXXXXXXXXX" "9-9-9-9-9-9-9-9-9-9-"
            "5/5/5/5/5/5/5/5/5/5/5" "X7/729/XXX236/7/3"))
(write (frames (parse "X7/9-X-88/-6XXX81")))
(newline)

;=> XXXXXXXXXXXX 300
;=> 9-9-9-9-9-9-9-9-9-9- 90
;=> 5/5/5/5/5/5/5/5/5/5/5 150
;=> X7/729/XXX236/7/3 168
;=> (20 39 48 66 74 84 90 120 148 167)
