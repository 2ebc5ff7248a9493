;; Huffman trees: build a code from weights, encode and decode a message.
(import (scheme base) (scheme write) (scheme cxr))

;; A leaf is (leaf symbol weight); a tree is (left right symbols weight).
(define (leaf? t) (eq? (car t) 'leaf))
(define (symbols t) (if (leaf? t) (list (cadr t)) (caddr t)))
(define (weight t) (if (leaf? t) (caddr t) (cadddr t)))

(define (merge left right)
  (list left
        right
        (append (symbols left) (symbols right))
        (+ (weight left) (weight right))))

(define (insert t trees)
  (cond ((null? trees) (list t))
        ((< (weight t) (weight (car trees))) (cons t trees))
        (else (cons (car trees) (insert t (cdr trees))))))

(define (build pairs)
  (let loop ((pairs pairs) (trees '()))
    (if (pair? pairs)
        (loop (cdr pairs)
              (insert (list 'leaf (caar pairs) (cdar pairs)) trees))
        (let join ((trees trees))
          (if (null? (cdr trees))
              (car trees)
              (join (insert (merge (car trees) (cadr trees))
                            (cddr trees))))))))

(define (encode-symbol s t)
  (cond ((leaf? t) '())
        ((memq s (symbols (car t))) (cons 0 (encode-symbol s (car t))))
        (else (cons 1 (encode-symbol s (cadr t))))))

(define (encode message t)
  (if (null? message)
      '()
      (append (encode-symbol (car message) t) (encode (cdr message) t))))

(define (decode bits tree)
  (let loop ((bits bits) (t tree))
    (cond ((leaf? t) (cons (cadr t) (if (null? bits) '() (loop bits tree))))
          ((= (car bits) 0) (loop (cdr bits) (car t)))
          (else (loop (cdr bits) (cadr t))))))

(define tree (build '((a . 8) (b . 3) (c . 1) (d . 1) (e . 2))))
(define message '(b a d a c e a))
(define bits (encode message tree))

(for-each (lambda (s)
            (display s)
            (display " ")
            (display (encode-symbol s tree))
            (newline))
          (symbols tree))
(display bits)
(newline)
(display (length bits))
(newline)
(display (decode bits tree))
(newline)

;=> b (0 0)
;=> e (0 1 0)
;=> c (0 1 1 0)
;=> d (0 1 1 1)
;=> a (1)
;=> (0 0 1 0 1 1 1 1 0 1 1 0 0 1 0 1)
;=> 16
;=> (b a d a c e a)
