;; Count the words of a text and list them by frequency.
(import (scheme base) (scheme write) (scheme char))

(define (split-words text)
  (let loop ((chars (string->list text)) (word '()) (words '()))
    (define (finish)
      (if (null? word)
          words
          (cons (list->string (reverse word)) words)))
    (cond ((null? chars) (reverse (finish)))
          ((char-alphabetic? (car chars))
           (loop (cdr chars) (cons (char-downcase (car chars)) word) words))
          (else (loop (cdr chars) '() (finish))))))

(define (count words)
  (let loop ((words words) (table '()))
    (if (null? words)
        table
        (let ((entry (assoc (car words) table)))
          (cond (entry
                 (set-cdr! entry (+ (cdr entry) 1))
                 (loop (cdr words) table))
                (else
                 (loop (cdr words)
                       (cons (cons (car words) 1) table))))))))

(define (before? a b)
  (or (> (cdr a) (cdr b))
      (and (= (cdr a) (cdr b)) (string<? (car a) (car b)))))

(define (insert entry sorted)
  (cond ((null? sorted) (list entry))
        ((before? entry (car sorted)) (cons entry sorted))
        (else (cons (car sorted) (insert entry (cdr sorted))))))

(define (sort entries)
  (if (null? entries)
      '()
      (insert (car entries) (sort (cdr entries)))))

(define text "The cat saw the dog. The dog saw the cat, and ran!")

(for-each (lambda (entry)
            (display (cdr entry))
            (display " ")
            (display (car entry))
            (newline))
          (sort (count (split-words text))))

;=> 4 the
;=> 2 cat
;=> 2 dog
;=> 2 saw
;=> 1 and
;=> 1 ran
