;; Are brackets balanced? Where is the mistake? And all balanced words.
(import (scheme base) (scheme write))

(define (closing c)
  (case c
    ((#\() #\))
    ((#\[) #\])
    ((#\{) #\})
    (else #f)))

(define (closing? c) (memv c '(#\) #\] #\})))

;; #t, or a list that says what is wrong.
(define (check text)
  (let loop ((i 0) (expected '()))
    (if (= i (string-length text))
        (if (null? expected)
            #t
            (list 'missing (list->string expected)))
        (let ((c (string-ref text i)))
          (cond ((closing c)
                 => (lambda (end) (loop (+ i 1) (cons end expected))))
                ((not (closing? c)) (loop (+ i 1) expected))
                ((and (pair? expected) (char=? c (car expected)))
                 (loop (+ i 1) (cdr expected)))
                (else (list 'unexpected c 'at i)))))))

;; All balanced words of n pairs of round brackets.
(define (balanced n)
  (let loop ((open n) (close n) (word ""))
    (if (= 0 close)
        (list word)
        (append (if (> open 0)
                    (loop (- open 1) close (string-append word "("))
                    '())
                (if (> close open)
                    (loop open (- close 1) (string-append word ")"))
                    '())))))

(for-each (lambda (text)
            (write text)
            (display " ")
            (write (check text))
            (newline))
          '("" "(a[b]{c})" "([)]" "((" "a)" "{[()()]}" "(]"))
(write (balanced 3))
(newline)
(write (map (lambda (n) (length (balanced n))) '(0 1 2 3 4)))
(newline)

;=> "" #t
;=> "(a[b]{c})" #t
;=> "([)]" (unexpected #\) at 2)
;=> "((" (missing "))")
;=> "a)" (unexpected #\) at 1)
;=> "{[()()]}" #t
;=> "(]" (unexpected #\] at 1)
;=> ("((()))" "(()())" "(())()" "()(())" "()()()")
;=> (1 1 2 5 14)
