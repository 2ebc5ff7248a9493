;; Regular expressions matched by Brzozowski's derivatives.
(import (scheme base) (scheme write) (scheme cxr))

;; none, empty, a character, (seq a b), (alt a b), (star a), (not a)
(define (seq a b)
  (cond ((or (eq? a 'none) (eq? b 'none)) 'none)
        ((eq? a 'empty) b)
        ((eq? b 'empty) a)
        (else (list 'seq a b))))
(define (alt a b)
  (cond ((eq? a 'none) b)
        ((eq? b 'none) a)
        ((equal? a b) a)
        (else (list 'alt a b))))

;; Does the expression match the empty string?
(define (nullable? r)
  (cond ((eq? r 'empty) #t)
        ((or (eq? r 'none) (char? r)) #f)
        (else
         (case (car r)
           ((seq) (and (nullable? (cadr r)) (nullable? (caddr r))))
           ((alt) (or (nullable? (cadr r)) (nullable? (caddr r))))
           ((star) #t)
           ((not) (not (nullable? (cadr r))))))))

(define (derivative r c)
  (cond ((symbol? r) 'none)
        ((char? r) (if (char=? r c) 'empty 'none))
        (else
         (case (car r)
           ((seq)
            (let ((first (seq (derivative (cadr r) c) (caddr r))))
              (if (nullable? (cadr r))
                  (alt first (derivative (caddr r) c))
                  first)))
           ((alt) (alt (derivative (cadr r) c) (derivative (caddr r) c)))
           ((star) (seq (derivative (cadr r) c) r))
           ((not) (list 'not (derivative (cadr r) c)))))))

(define (matches? r text)
  (let loop ((r r) (chars (string->list text)))
    (if (null? chars)
        (nullable? r)
        (loop (derivative r (car chars)) (cdr chars)))))

(define (word text)
  (let loop ((chars (string->list text)))
    (if (null? chars) 'empty (seq (car chars) (loop (cdr chars))))))

(define ab* `(star ,(word "ab")))
(define number
  (seq (alt #\1 #\2) `(star ,(alt #\0 (alt #\1 #\2)))))
(define no-aa
  `(not ,(seq `(star (alt #\a #\b)) (seq (word "aa") '(star (alt #\a #\b))))))

(define (test r . texts)
  (write (map (lambda (text) (matches? r text)) texts))
  (newline))

(write (derivative ab* #\a))
(newline)
(test ab* "" "ab" "aba" "ababab")
(test number "1" "012" "2010" "23")
(test '(not (star (alt #\a #\b))) "ab" "abc" "")
(test `(alt ,(word "cat") ,(word "car")) "cat" "car" "ca" "cats")

;=> (seq #\b (star (seq #\a #\b)))
;=> (#t #t #f #t)
;=> (#t #f #t #f)
;=> (#f #t #f)
;=> (#t #t #f #f)
