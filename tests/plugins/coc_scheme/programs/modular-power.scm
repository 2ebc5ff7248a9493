;; Fast exponentiation, plain and modulo m; Fermat's little theorem.
(import (scheme base) (scheme write))

(define (power b n)
  (cond ((= n 0) 1)
        ((even? n) (power (* b b) (quotient n 2)))
        (else (* b (power b (- n 1))))))

(define (modular-power b n m)
  (let loop ((b (modulo b m)) (n n) (result 1))
    (cond ((= n 0) (modulo result m))
          ((odd? n)
           (loop (modulo (* b b) m)
                 (quotient n 2)
                 (modulo (* result b) m)))
          (else (loop (modulo (* b b) m) (quotient n 2) result)))))

(define (print . items)
  (for-each display items)
  (newline))

(print "2^30 = " (power 2 30))
(print "3^40 = " (power 3 40))
(print "7^77 mod 100 = " (modular-power 7 77 100))
(print "2^1000 mod 1009 = " (modular-power 2 1000 1009))

;; a^(p-1) = 1 modulo p, for a prime p and any a that p does not divide.
(for-each
 (lambda (p)
   (print p " " (map (lambda (a) (modular-power a (- p 1) p)) '(2 3 5 6))))
 '(7 13 15 101))

;=> 2^30 = 1073741824
;=> 3^40 = 12157665459056928801
;=> 7^77 mod 100 = 7
;=> 2^1000 mod 1009 = 942
;=> 7 (1 1 1 1)
;=> 13 (1 1 1 1)
;=> 15 (4 9 10 6)
;=> 101 (1 1 1 1)
