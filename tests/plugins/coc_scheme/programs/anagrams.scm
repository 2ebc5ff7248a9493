;; Group words that are anagrams of each other.
(import (scheme base) (scheme write))

(define (insert-char c chars)
  (if (or (null? chars) (char<=? c (car chars)))
      (cons c chars)
      (cons (car chars) (insert-char c (cdr chars)))))

(define (signature word)
  (let loop ((chars (string->list word)) (sorted '()))
    (if (null? chars)
        (list->string sorted)
        (loop (cdr chars) (insert-char (car chars) sorted)))))

(define (group words)
  (let loop ((words words) (groups '()))
    (if (null? words)
        (reverse (map (lambda (g) (reverse (cdr g))) groups))
        (let* ((word (car words))
               (key (signature word))
               (found (assoc key groups)))
          (if found
              (begin
                (set-cdr! found (cons word (cdr found)))
                (loop (cdr words) groups))
              (loop (cdr words) (cons (list key word) groups)))))))

(for-each
 (lambda (g)
   (write g)
   (newline))
 (group '("listen" "stone" "tar" "silent" "rat" "notes" "art" "enlist")))

;=> ("listen" "silent" "enlist")
;=> ("stone" "notes")
;=> ("tar" "rat" "art")
