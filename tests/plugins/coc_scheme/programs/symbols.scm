;; Symbols: comparison, conversion, generated names, property lists.
(import (scheme base) (scheme write))

(define (show x) (write x) (newline))

(show (map symbol? '(a "a" #\a 1 () (a))))
(show (list (eq? 'abc 'abc) (eq? 'abc 'abd)))
(show (list (symbol=? 'a 'a 'a) (symbol=? 'a 'a 'b)))
(show (symbol->string 'flying-fish))
(show (string->symbol "x1"))
(show (eq? (string->symbol "same") 'same))
(show (list (boolean=? #t #t) (boolean=? #f #t)))

(define (symbol-append . symbols)
  (string->symbol (apply string-append (map symbol->string symbols))))
(show (symbol-append 'make- 'point))

(define counter 0)
(define (new-name base)
  (set! counter (+ counter 1))
  (symbol-append base (string->symbol (number->string counter))))
(define names (list 'start))
(do ((i 0 (+ i 1)))
    ((= i 3))
  (set! names (cons (new-name 'tmp) names)))
(show (reverse (map symbol->string names)))

;; Property lists: a value for a symbol and a property.
(define properties '())
(define (put! symbol property value)
  (let ((entry (assq symbol properties)))
    (if entry
        (set-cdr! entry (cons (cons property value) (cdr entry)))
        (set! properties
              (cons (list symbol (cons property value)) properties)))))
(define (get symbol property)
  (let* ((entry (assq symbol properties))
         (found (and entry (assq property (cdr entry)))))
    (and found (cdr found))))

(put! 'apple 'colour 'red)
(put! 'apple 'weight 150)
(put! 'banana 'colour 'yellow)
(put! 'apple 'colour 'green)
(show (list (get 'apple 'colour) (get 'apple 'weight)
            (get 'banana 'weight) (get 'cherry 'colour)))

;=> (#t #f #f #f #f #f)
;=> (#t #f)
;=> (#t #f)
;=> "flying-fish"
;=> x1
;=> #t
;=> (#t #f)
;=> make-point
;=> ("start" "tmp1" "tmp2" "tmp3")
;=> (green 150 #f #f)
