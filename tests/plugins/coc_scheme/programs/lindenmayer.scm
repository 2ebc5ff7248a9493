;; Lindenmayer systems: algae, the dragon curve, and a walk on its path.
(import (scheme base) (scheme write))

(define (rewrite rules word)
  (apply append
         (map (lambda (s)
                (let ((rule (assq s rules)))
                  (if rule (cdr rule) (list s))))
              word)))

(define (generation n rules word)
  (if (= n 0)
      word
      (generation (- n 1) rules (rewrite rules word))))

(define algae '((a a b) (b a)))
(define dragon '((x x + y f +) (y - f x - y)))

(define (numbers a b) (if (> a b) '() (cons a (numbers (+ a 1) b))))

;; A turtle on the grid: f goes forward, + and - turn; its last position.
(define (walk word)
  (let loop ((word word) (x 0) (y 0) (dx 1) (dy 0) (trail '()))
    (if (null? word)
        (reverse trail)
        (case (car word)
          ((f)
           (let ((x (+ x dx)) (y (+ y dy)))
             (loop (cdr word) x y dx dy (cons (cons x y) trail))))
          ((+) (loop (cdr word) x y dy (- dx) trail))
          ((-) (loop (cdr word) x y (- dy) dx trail))
          (else (loop (cdr word) x y dx dy trail))))))

(for-each (lambda (n)
            (for-each display (generation n algae '(a)))
            (newline))
          (numbers 0 5))
(write (map (lambda (n) (length (generation n algae '(a))))
            (numbers 0 9)))
(newline)
(for-each display (generation 2 dragon '(f x)))
(newline)
(write (walk (generation 3 dragon '(f x))))
(newline)

;=> a
;=> ab
;=> aba
;=> abaab
;=> abaababa
;=> abaababaabaab
;=> (1 2 3 5 8 13 21 34 55 89)
;=> fx+yf++-fx-yf+
;=> ((1 . 0) (1 . -1) (0 . -1) (0 . -2) (-1 . -2) (-1 . -1) (-2 . -1) (-2 . -2))
