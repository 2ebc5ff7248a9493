;; Binary search trees: insertion, lookup, traversal, height, deletion.
(import (scheme base) (scheme write))

(define-record-type node
  (make-node key left right)
  node?
  (key node-key)
  (left node-left)
  (right node-right))

(define (insert t k)
  (cond ((not t) (make-node k #f #f))
        ((< k (node-key t))
         (make-node (node-key t) (insert (node-left t) k) (node-right t)))
        ((> k (node-key t))
         (make-node (node-key t) (node-left t) (insert (node-right t) k)))
        (else t)))

(define (contains? t k)
  (and t
       (cond ((= k (node-key t)) #t)
             ((< k (node-key t)) (contains? (node-left t) k))
             (else (contains? (node-right t) k)))))

(define (smallest t)
  (if (node-left t) (smallest (node-left t)) (node-key t)))

(define (delete t k)
  (cond ((not t) #f)
        ((< k (node-key t))
         (make-node (node-key t) (delete (node-left t) k) (node-right t)))
        ((> k (node-key t))
         (make-node (node-key t) (node-left t) (delete (node-right t) k)))
        ((not (node-left t)) (node-right t))
        ((not (node-right t)) (node-left t))
        (else
         (let ((next (smallest (node-right t))))
           (make-node next (node-left t) (delete (node-right t) next))))))

(define (inorder t)
  (if t
      (append (inorder (node-left t))
              (list (node-key t))
              (inorder (node-right t)))
      '()))

(define (height t)
  (if t (+ 1 (max (height (node-left t)) (height (node-right t)))) 0))

(define tree
  (let loop ((keys '(50 30 70 20 40 60 80 35 45)) (t #f))
    (if (null? keys) t (loop (cdr keys) (insert t (car keys))))))

(write (inorder tree)) (newline)
(write (height tree)) (newline)
(write (map (lambda (k) (contains? tree k)) '(45 46 80))) (newline)
(write (inorder (delete tree 20))) (newline)
(write (inorder (delete tree 30))) (newline)
(write (node-key (delete tree 50))) (newline)

;=> (20 30 35 40 45 50 60 70 80)
;=> 4
;=> (#t #f #t)
;=> (30 35 40 45 50 60 70 80)
;=> (20 35 40 45 50 60 70 80)
;=> 60
