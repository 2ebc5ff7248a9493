;; A phone book as an association list: look up, add, change, remove.
(import (scheme base) (scheme write))

(define book
  '(("Ann" . 5551) ("Bob" . 5552) ("Cleo" . 5553)))

(define (lookup name book)
  (let ((entry (assoc name book)))
    (if entry (cdr entry) 'unknown)))

(define (add name number book)
  (cons (cons name number) book))

(define (remove name book)
  (cond ((null? book) '())
        ((string=? (caar book) name) (remove name (cdr book)))
        (else (cons (car book) (remove name (cdr book))))))

(define (names book) (map car book))

(write (lookup "Bob" book))
(newline)
(write (lookup "Zoe" book))
(newline)
(set! book (add "Zoe" 5999 book))
(write (lookup "Zoe" book))
(newline)
(set! book (add "Bob" 7000 (remove "Bob" book)))
(write (names book))
(newline)
(for-each (lambda (entry)
            (display (car entry))
            (display ": ")
            (display (cdr entry))
            (newline))
          (reverse book))
(write (assq 'b '((a 1) (b 2))))
(newline)
(write (assv 5 '((2 3) (5 7) (11 13))))
(newline)

;=> 5552
;=> unknown
;=> 5999
;=> ("Bob" "Zoe" "Ann" "Cleo")
;=> Cleo: 5553
;=> Ann: 5551
;=> Zoe: 5999
;=> Bob: 7000
;=> (b 2)
;=> (5 7)
