;; Parse comma-separated values with quotes, and query the records.
(import (scheme base) (scheme write))

;; One line to a list of fields; "" within quotes is one quote.
(define (parse-line text)
  (let loop ((cs (string->list text)) (quoted? #f) (field '()) (fields '()))
    (define (finish) (cons (list->string (reverse field)) fields))
    (cond ((null? cs)
           (if quoted? (error "a quote is not closed" text))
           (reverse (finish)))
          (quoted?
           (cond ((not (char=? #\" (car cs)))
                  (loop (cdr cs) #t (cons (car cs) field) fields))
                 ((and (pair? (cdr cs)) (char=? #\" (cadr cs)))
                  (loop (cddr cs) #t (cons #\" field) fields))
                 (else (loop (cdr cs) #f field fields))))
          ((char=? #\" (car cs)) (loop (cdr cs) #t field fields))
          ((char=? #\, (car cs)) (loop (cdr cs) #f '() (finish)))
          (else (loop (cdr cs) #f (cons (car cs) field) fields)))))

(define (convert field)
  (or (string->number field) field))

;; The first line has the names of the columns.
(define (parse lines)
  (let ((names (map string->symbol (parse-line (car lines)))))
    (map (lambda (line)
           (map cons names (map convert (parse-line line))))
         (cdr lines))))

(define (get record name) (cdr (assq name record)))

(define (filter ok? items)
  (cond ((null? items) '())
        ((ok? (car items)) (cons (car items) (filter ok? (cdr items))))
        (else (filter ok? (cdr items)))))

(define (show x) (write x) (newline))

(define books
  (parse '("title,year,pages"
           "Lisp 1.5,1962,106"
           "\"Structure, Interpretation\",1985,657"
           "\"The \"\"Little\"\" one\",1974,")))

(for-each show books)
(show (map (lambda (b) (get b 'title))
           (filter (lambda (b) (> (get b 'year) 1970)) books)))
(show (parse-line "a,,\"\",b"))
(show (guard (e ((error-object? e) (error-object-message e)))
        (parse-line "one,\"two")))

;=> ((title . "Lisp 1.5") (year . 1962) (pages . 106))
;=> ((title . "Structure, Interpretation") (year . 1985) (pages . 657))
;=> ((title . "The \"Little\" one") (year . 1974) (pages . ""))
;=> ("Structure, Interpretation" "The \"Little\" one")
;=> ("a" "" "" "b")
;=> "a quote is not closed"
