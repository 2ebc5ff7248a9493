;; The Vigenere cipher, and frequency counts that find a Caesar key.
(import (scheme base) (scheme write) (scheme char))

(define (code c) (- (char->integer c) (char->integer #\A)))
(define (letter n) (integer->char (+ (modulo n 26) (char->integer #\A))))

;; Shift each letter by the next letter of the key, with + or -.
(define (crypt text key shift)
  (let ((size (string-length key)))
    (let loop ((chars (string->list text)) (i 0) (found '()))
      (cond ((null? chars) (list->string (reverse found)))
            ((char-alphabetic? (car chars))
             (let ((k (code (string-ref key (modulo i size)))))
               (loop (cdr chars)
                     (+ i 1)
                     (cons (letter (shift (code (char-upcase (car chars))) k))
                           found))))
            (else
             (loop (cdr chars) i (cons (car chars) found)))))))

(define (encrypt text key) (crypt text key +))
(define (decrypt text key) (crypt text key -))

(define (letter-counts text)
  (let ((counts (make-vector 26 0)))
    (string-for-each
     (lambda (c)
       (when (char-alphabetic? c)
         (let ((i (code (char-upcase c))))
           (vector-set! counts i (+ 1 (vector-ref counts i))))))
     text)
    counts))

;; The key under which the most frequent letter stands for E.
(define (guess-key text)
  (let ((counts (letter-counts text)))
    (let loop ((i 1) (best 0))
      (cond ((= i 26) (letter (- best (code #\E))))
            ((> (vector-ref counts i) (vector-ref counts best))
             (loop (+ i 1) i))
            (else (loop (+ i 1) best))))))

(define secret (encrypt "Attack at dawn" "LEMON"))
(write secret)
(newline)
(write (decrypt secret "LEMON"))
(newline)
(define hidden (encrypt "Meet me near the green tree" "H"))
(write hidden)
(newline)
(define key (guess-key hidden))
(write key)
(newline)
(write (decrypt hidden (string key)))
(newline)

;=> "LXFOPV EF RNHR"
;=> "ATTACK AT DAWN"
;=> "TLLA TL ULHY AOL NYLLU AYLL"
;=> #\H
;=> "MEET ME NEAR THE GREEN TREE"
