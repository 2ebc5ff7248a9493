;; A trie of words: insertion, lookup, completion of prefixes.
(import (scheme base) (scheme write))

;; A node is (end? . children), children an association list by character.
(define (make-node) (cons #f '()))
(define (child node c)
  (let ((entry (assv c (cdr node))))
    (and entry (cdr entry))))

(define (insert! root word)
  (let loop ((node root) (chars (string->list word)))
    (if (null? chars)
        (set-car! node #t)
        (let ((next (child node (car chars))))
          (if next
              (loop next (cdr chars))
              (let ((new (make-node)))
                (set-cdr! node (cons (cons (car chars) new) (cdr node)))
                (loop new (cdr chars))))))))

(define (find root text)
  (let loop ((node root) (chars (string->list text)))
    (cond ((not node) #f)
          ((null? chars) node)
          (else (loop (child node (car chars)) (cdr chars))))))

(define (contains? root word)
  (let ((node (find root word)))
    (and node (car node))))

;; All words below a node, in alphabetical order.
(define (words node prefix)
  (define (insert entry sorted)
    (if (or (null? sorted) (char<? (car entry) (caar sorted)))
        (cons entry sorted)
        (cons (car sorted) (insert entry (cdr sorted)))))
  (let loop ((entries (cdr node)) (sorted '()))
    (if (pair? entries)
        (loop (cdr entries) (insert (car entries) sorted))
        (apply append
               (if (car node) (list prefix) '())
               (map (lambda (entry)
                      (words (cdr entry)
                             (string-append prefix (string (car entry)))))
                    sorted)))))

(define (complete root prefix)
  (let ((node (find root prefix)))
    (if node (words node prefix) '())))

(define root (make-node))
(for-each (lambda (word) (insert! root word))
          '("car" "cart" "care" "cat" "dog" "do" "done"))

(define (show x) (write x) (newline))
(show (map (lambda (w) (contains? root w)) '("car" "ca" "do" "dot")))
(show (complete root "car"))
(show (complete root "d"))
(show (complete root "x"))
(show (length (complete root "")))

;=> (#t #f #t #f)
;=> ("car" "care" "cart")
;=> ("do" "dog" "done")
;=> ()
;=> 7
