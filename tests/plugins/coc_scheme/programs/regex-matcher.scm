;; A regular expression matcher for . * + ? ^ $ and literal characters.
(import (scheme base) (scheme write))

(define (matches-one? p c)
  (or (char=? p #\.) (char=? p c)))

;; Do the patterns, a list of characters, match a prefix of the text?
(define (match-here ps cs)
  (cond ((null? ps) #t)
        ((and (pair? (cdr ps)) (char=? (cadr ps) #\*))
         (match-repeat (car ps) 0 (cddr ps) cs))
        ((and (pair? (cdr ps)) (char=? (cadr ps) #\+))
         (match-repeat (car ps) 1 (cddr ps) cs))
        ((and (pair? (cdr ps)) (char=? (cadr ps) #\?))
         (or (match-here (cddr ps) cs)
             (and (pair? cs)
                  (matches-one? (car ps) (car cs))
                  (match-here (cddr ps) (cdr cs)))))
        ((and (char=? (car ps) #\$) (null? (cdr ps))) (null? cs))
        ((null? cs) #f)
        (else (and (matches-one? (car ps) (car cs))
                   (match-here (cdr ps) (cdr cs))))))

(define (match-repeat p least ps cs)
  (or (and (<= least 0) (match-here ps cs))
      (and (pair? cs)
           (matches-one? p (car cs))
           (match-repeat p (- least 1) ps (cdr cs)))))

(define (match? pattern text)
  (let ((ps (string->list pattern)))
    (let loop ((cs (string->list text)))
      (cond ((and (pair? ps) (char=? (car ps) #\^))
             (match-here (cdr ps) cs))
            ((match-here ps cs) #t)
            ((null? cs) #f)
            (else (loop (cdr cs)))))))

(for-each
 (lambda (test)
   (write test)
   (display " ")
   (display (if (match? (car test) (cadr test)) "yes" "no"))
   (newline))
 '(("abc" "xxabcxx")
   ("^abc" "xxabc")
   ("a.c$" "zabc")
   ("^ab*c" "ac")
   ("^ab+c" "ac")
   ("^ab+c$" "abbbc")
   ("colou?r" "the color red")
   ("x*" "")
   ("^$" "nonempty")))

;=> ("abc" "xxabcxx") yes
;=> ("^abc" "xxabc") no
;=> ("a.c$" "zabc") yes
;=> ("^ab*c" "ac") yes
;=> ("^ab+c" "ac") no
;=> ("^ab+c$" "abbbc") yes
;=> ("colou?r" "the color red") yes
;=> ("x*" "") yes
;=> ("^$" "nonempty") no
