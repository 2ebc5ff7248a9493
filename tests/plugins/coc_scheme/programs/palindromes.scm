;; Is a text a palindrome when only its letters count?
(import (scheme base) (scheme write) (scheme char))

(define (letters text)
  (let loop ((chars (string->list text)) (found '()))
    (cond ((null? chars) (reverse found))
          ((char-alphabetic? (car chars))
           (loop (cdr chars) (cons (char-downcase (car chars)) found)))
          (else (loop (cdr chars) found)))))

(define (palindrome? text)
  (let ((chars (letters text)))
    (equal? chars (reverse chars))))

(define (palindromic-number? n)
  (let ((digits (string->vector (number->string n))))
    (let loop ((i 0) (j (- (vector-length digits) 1)))
      (or (>= i j)
          (and (char=? (vector-ref digits i) (vector-ref digits j))
               (loop (+ i 1) (- j 1)))))))

(for-each (lambda (text)
            (write text)
            (display (if (palindrome? text) " is one" " is not"))
            (newline))
          '("Never odd or even" "Scheme" "Madam, I'm Adam" ""))

(let loop ((n 95) (found '()))
  (cond ((= n 140) (display (reverse found)) (newline))
        ((palindromic-number? n) (loop (+ n 1) (cons n found)))
        (else (loop (+ n 1) found))))

;=> "Never odd or even" is one
;=> "Scheme" is not
;=> "Madam, I'm Adam" is one
;=> "" is one
;=> (99 101 111 121 131)
