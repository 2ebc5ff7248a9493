;; A calculator for reverse Polish notation, with clear errors.
(import (scheme base) (scheme write))

(define (split text)
  (let loop ((chars (string->list text)) (word '()) (words '()))
    (define (words-with-word)
      (if (null? word) words (cons (list->string (reverse word)) words)))
    (cond ((null? chars) (reverse (words-with-word)))
          ((char=? #\space (car chars))
           (loop (cdr chars) '() (words-with-word)))
          (else (loop (cdr chars) (cons (car chars) word) words)))))

(define (safe-quotient a b)
  (if (= b 0)
      (error "division by zero" a)
      (quotient a b)))

(define operators
  (list (cons "+" +) (cons "-" -) (cons "*" *) (cons "/" safe-quotient)
        (cons "max" max) (cons "^" expt)))

(define (apply-operator f stack)
  (if (or (null? stack) (null? (cdr stack)))
      (error "too few operands" (length stack)))
  (cons (f (cadr stack) (car stack)) (cddr stack)))

(define (calculate text)
  (let loop ((words (split text)) (stack '()))
    (cond ((null? words)
           (if (= 1 (length stack))
               (car stack)
               (error "not one result" (reverse stack))))
          ((string->number (car words))
           => (lambda (n) (loop (cdr words) (cons n stack))))
          ((assoc (car words) operators)
           => (lambda (entry)
                (loop (cdr words) (apply-operator (cdr entry) stack))))
          ((string=? "dup" (car words))
           (loop (cdr words) (cons (car stack) stack)))
          (else (error "unknown word" (car words))))))

(define (test text)
  (display text)
  (display " -> ")
  (write (guard (e ((error-object? e)
                    (list (error-object-message e)
                          (error-object-irritants e))))
           (calculate text)))
  (newline))

(for-each test
          '("3 4 +" "5 1 2 + 4 * + 3 -" "2 10 ^ dup *" "7 -2 max"
            "1 0 /" "1 +" "1 2" "2 two *"))

;=> 3 4 + -> 7
;=> 5 1 2 + 4 * + 3 - -> 14
;=> 2 10 ^ dup * -> 1048576
;=> 7 -2 max -> 7
;=> 1 0 / -> ("division by zero" (1))
;=> 1 + -> ("too few operands" (1))
;=> 1 2 -> ("not one result" ((1 2)))
;=> 2 two * -> ("unknown word" ("two"))
