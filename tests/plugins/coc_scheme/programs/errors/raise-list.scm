;; A check of ages raises a list that says what is wrong.
(import (scheme base) (scheme write))

(define (check person)
  (let ((name (car person))
        (age (cdr person)))
    (when (negative? age)
      (raise (list 'bad-age name age)))
    (display name)
    (display " is ")
    (display age)
    (newline)))

(for-each check '((ann . 31) (bob . 7) (cid . -2) (dan . 50)))

;=> ann is 31
;=> bob is 7
;! uncaught exception: (bad-age cid -2)
;! line 8
