;; Write nested data as JSON: vectors are arrays, lists of pairs are objects.
(import (scheme base) (scheme write))

(define (write-json-string text)
  (write-char #\")
  (string-for-each
   (lambda (c)
     (case c
       ((#\") (write-string "\\\""))
       ((#\\) (write-string "\\\\"))
       ((#\newline) (write-string "\\n"))
       (else (write-char c))))
   text)
  (write-char #\"))

(define (separated write-one items)
  (let loop ((items items) (first? #t))
    (unless (null? items)
      (unless first? (write-string ", "))
      (write-one (car items))
      (loop (cdr items) #f))))

(define (write-member member)
  (write-json-string (symbol->string (car member)))
  (write-string ": ")
  (write-json (cdr member)))

(define (write-json x)
  (cond ((eq? x 'null) (write-string "null"))
        ((eq? x #t) (write-string "true"))
        ((eq? x #f) (write-string "false"))
        ((number? x) (write x))
        ((string? x) (write-json-string x))
        ((vector? x)
         (write-string "[")
         (separated write-json (vector->list x))
         (write-string "]"))
        ((list? x)
         (write-string "{")
         (separated write-member x)
         (write-string "}"))
        (else (error "not JSON" x))))

(define (show x) (write-json x) (newline))

(show 42)
(show "say \"hi\"\nback\\slash")
(show #(1 -2 #t #f null))
(show '())
(show `((name . "Ada")
        (born . 1815)
        (languages . #("English" "French"))
        (address . ((city . "London") (zip . null)))))
(write (guard (e ((error-object? e) (error-object-irritants e)))
         (write-json 'oops)))
(newline)

;=> 42
;=> "say \"hi\"\nback\\slash"
;=> [1, -2, true, false, null]
;=> {}
;=> {"name": "Ada", "born": 1815, "languages": ["English", "French"], "address": {"city": "London", "zip": null}}
;=> (oops)
