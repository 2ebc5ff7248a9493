;; Binary trees: all traversals, levels, and a tree from two traversals.
(import (scheme base) (scheme write) (scheme cxr))

;; A tree is () or (key left right).
(define key car)
(define left cadr)
(define right caddr)
(define (leaf k) (list k '() '()))

(define (preorder t)
  (if (null? t)
      '()
      (cons (key t) (append (preorder (left t)) (preorder (right t))))))
(define (inorder t)
  (if (null? t)
      '()
      (append (inorder (left t)) (list (key t)) (inorder (right t)))))
(define (postorder t)
  (if (null? t)
      '()
      (append (postorder (left t)) (postorder (right t)) (list (key t)))))

(define (levels t)
  (let loop ((row (list t)))
    (let ((row (let drop ((row row))
                 (cond ((null? row) '())
                       ((null? (car row)) (drop (cdr row)))
                       (else (cons (car row) (drop (cdr row))))))))
      (if (null? row)
          '()
          (cons (map key row)
                (loop (apply append
                             (map (lambda (t) (list (left t) (right t)))
                                  row))))))))

(define (mirror t)
  (if (null? t) '() (list (key t) (mirror (right t)) (mirror (left t)))))

;; Split a list at an item: what is before and what is after.
(define (split-at x items)
  (if (eqv? x (car items))
      (values '() (cdr items))
      (let-values (((before after) (split-at x (cdr items))))
        (values (cons (car items) before) after))))

(define (take n items)
  (if (= n 0) '() (cons (car items) (take (- n 1) (cdr items)))))

(define (rebuild pre in)
  (if (null? pre)
      '()
      (let-values (((before after) (split-at (car pre) in)))
        (let ((n (length before)))
          (list (car pre)
                (rebuild (take n (cdr pre)) before)
                (rebuild (list-tail (cdr pre) n) after))))))

(define (draw t indent)
  (unless (null? t)
    (draw (right t) (+ indent 3))
    (display (make-string indent #\space))
    (display (key t))
    (newline)
    (draw (left t) (+ indent 3))))

(define tree
  (list 1 (list 2 (leaf 4) (leaf 5)) (list 3 '() (list 6 (leaf 7) '()))))
(define (show x) (write x) (newline))
(for-each (lambda (f) (show (f tree)))
          (list preorder inorder postorder levels))
(show (inorder (mirror tree)))
(show (equal? tree (rebuild (preorder tree) (inorder tree))))
(draw tree 0)

;=> (1 2 4 5 3 6 7)
;=> (4 2 5 1 3 7 6)
;=> (4 5 2 7 6 3 1)
;=> ((1) (2 3) (4 5 6) (7))
;=> (6 7 3 1 5 2 4)
;=> #t
;=>       6
;=>          7
;=>    3
;=> 1
;=>       5
;=>    2
;=>       4
