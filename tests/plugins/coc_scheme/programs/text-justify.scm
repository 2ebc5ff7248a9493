;; Fill paragraphs: break lines greedily, then justify both margins.
(import (scheme base) (scheme write))

(define (split text)
  (let loop ((end (string-length text)) (i (string-length text)) (words '()))
    (cond ((= i 0)
           (if (= end 0) words (cons (substring text 0 end) words)))
          ((char=? #\space (string-ref text (- i 1)))
           (loop (- i 1)
                 (- i 1)
                 (if (= i end) words (cons (substring text i end) words))))
          (else (loop end (- i 1) words)))))

;; Lines as lists of words, none longer than the width.
(define (break-lines words width)
  (let loop ((words words) (line '()) (used 0) (lines '()))
    (cond ((null? words)
           (reverse (if (null? line) lines (cons (reverse line) lines))))
          ((or (null? line)
               (<= (+ used 1 (string-length (car words))) width))
           (loop (cdr words)
                 (cons (car words) line)
                 (+ used
                    (if (null? line) 0 1)
                    (string-length (car words)))
                 lines))
          (else (loop words '() 0 (cons (reverse line) lines))))))

;; Distribute spaces over the gaps; the first gaps get one more.
(define (justify line width)
  (let* ((letters (apply + (map string-length line)))
         (gaps (- (length line) 1))
         (spaces (- width letters)))
    (let loop ((words (cdr line)) (gap 0) (text (car line)))
      (if (null? words)
          text
          (let ((n (+ (quotient spaces gaps)
                      (if (< gap (remainder spaces gaps)) 1 0))))
            (loop (cdr words)
                  (+ gap 1)
                  (string-append text
                                 (make-string n #\space)
                                 (car words))))))))

(define (plain line)
  (let loop ((words (cdr line)) (text (car line)))
    (if (null? words)
        text
        (loop (cdr words) (string-append text " " (car words))))))

(define (print-paragraph text width)
  (let loop ((lines (break-lines (split text) width)))
    (unless (null? lines)
      (display (if (null? (cdr lines))
                   (plain (car lines))
                   (justify (car lines) width)))
      (newline)
      (loop (cdr lines)))))

(define text
  "A language should be designed by removing what makes features seem needed.")

(write (split "  two   words "))
(newline)
(print-paragraph text 24)
(display "------------")
(newline)
(print-paragraph text 16)

;=> ("two" "words")
;=> A   language  should  be
;=> designed   by   removing
;=> what makes features seem
;=> needed.
;=> ------------
;=> A       language
;=> should        be
;=> designed      by
;=> removing    what
;=> makes   features
;=> seem needed.
