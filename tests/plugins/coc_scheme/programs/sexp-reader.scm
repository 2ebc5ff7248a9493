;; Read s-expressions from a string: lists, numbers, strings, quotes.
(import (scheme base) (scheme write) (scheme char))

(define (delimiter? c)
  (or (char-whitespace? c) (memv c '(#\( #\) #\" #\'))))

;; Each parser gives two values: the datum and the characters that are left.
(define (skip cs)
  (if (and (pair? cs) (char-whitespace? (car cs))) (skip (cdr cs)) cs))

(define (read-datum cs)
  (let ((cs (skip cs)))
    (if (null? cs) (error "unexpected end"))
    (case (car cs)
      ((#\() (read-list (cdr cs)))
      ((#\)) (error "unexpected bracket"))
      ((#\') (let-values (((x rest) (read-datum (cdr cs))))
               (values (list 'quote x) rest)))
      ((#\") (read-text (cdr cs) '()))
      (else (read-atom cs '())))))

(define (read-list cs)
  (let ((cs (skip cs)))
    (cond ((null? cs) (error "a list is not closed"))
          ((char=? #\) (car cs)) (values '() (cdr cs)))
          (else
           (let*-values (((x rest) (read-datum cs))
                         ((xs rest) (read-list rest)))
             (values (cons x xs) rest))))))

(define (read-text cs found)
  (cond ((null? cs) (error "a string is not closed"))
        ((char=? #\" (car cs))
         (values (list->string (reverse found)) (cdr cs)))
        (else (read-text (cdr cs) (cons (car cs) found)))))

(define (read-atom cs found)
  (if (or (null? cs) (delimiter? (car cs)))
      (let ((text (list->string (reverse found))))
        (values (cond ((string->number text))
                      ((string=? text "#t") #t)
                      ((string=? text "#f") #f)
                      (else (string->symbol text)))
                cs))
      (read-atom (cdr cs) (cons (car cs) found))))

(define (parse text)
  (guard (e ((error-object? e) (list 'error (error-object-message e))))
    (let-values (((x rest) (read-datum (string->list text))))
      x)))

(define (evaluate x)
  (cond ((number? x) x)
        ((eq? (car x) 'plus) (apply + (map evaluate (cdr x))))
        ((eq? (car x) 'times) (apply * (map evaluate (cdr x))))
        (else (error "unknown operator" (car x)))))

(define (show x) (write x) (newline))
(show (parse "(define (f x) (plus x 42))"))
(show (parse "  ( \"a (b)\"   #t -7 () ) rest"))
(show (equal? (parse "'(a 'b)") ''(a 'b)))
(show (parse "(a (b)"))
(show (parse ")"))
(show (parse "\"open"))
(show (evaluate (parse "(plus 1 (times 2 3) (times) (plus 4))")))

;=> (define (f x) (plus x 42))
;=> ("a (b)" #t -7 ())
;=> #t
;=> (error "a list is not closed")
;=> (error "unexpected bracket")
;=> (error "a string is not closed")
;=> 12
