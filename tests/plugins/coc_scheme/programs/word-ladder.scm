;; A word ladder: change one letter at a time, by breadth-first search.
(import (scheme base) (scheme write))

(define dictionary
  '("cold" "cord" "card" "ward" "warm" "word" "worm" "wood" "good" "gold"
    "bold" "bald" "lord" "lard" "fold" "ford"))

(define (one-apart? a b)
  (let loop ((i 0) (different 0))
    (cond ((> different 1) #f)
          ((= i (string-length a)) (= different 1))
          ((char=? (string-ref a i) (string-ref b i))
           (loop (+ i 1) different))
          (else (loop (+ i 1) (+ different 1))))))

;; Split the words into neighbours of a word and the others.
(define (split word words)
  (let loop ((words words) (near '()) (far '()))
    (cond ((null? words) (values (reverse near) (reverse far)))
          ((one-apart? word (car words))
           (loop (cdr words) (cons (car words) near) far))
          (else (loop (cdr words) near (cons (car words) far))))))

(define (ladder from to words)
  (let search ((paths (list (list from))) (unused words))
    (cond ((null? paths) #f)
          ((string=? (caar paths) to) (reverse (car paths)))
          (else
           (let-values (((near far) (split (caar paths) unused)))
             (search (append (cdr paths)
                             (map (lambda (w) (cons w (car paths))) near))
                     far))))))

(define (show path)
  (cond (path
         (display (car path))
         (for-each (lambda (w) (display " -> ") (display w)) (cdr path)))
        (else (display "no ladder")))
  (newline))

(show (ladder "cold" "warm" (cdr dictionary)))
(show (ladder "gold" "worm" dictionary))
(show (ladder "cold" "milk" dictionary))

;=> cold -> cord -> card -> ward -> warm
;=> gold -> cold -> cord -> word -> worm
;=> no ladder
