;; The longest increasing subsequence: quadratic, and with piles of cards.
(import (scheme base) (scheme write))

;; Chains that end at each earlier number, longest first wins.
(define (longest-chain numbers)
  (define (best-before x chains)
    (let loop ((chains chains) (best '()))
      (cond ((null? chains) best)
            ((and (< (car (car chains)) x)
                  (> (length (car chains)) (length best)))
             (loop (cdr chains) (car chains)))
            (else (loop (cdr chains) best)))))
  (let loop ((rest numbers) (chains '()))
    (if (null? rest)
        (let pick ((chains (reverse chains)) (best '()))
          (cond ((null? chains) (reverse best))
                ((> (length (car chains)) (length best))
                 (pick (cdr chains) (car chains)))
                (else (pick (cdr chains) best))))
        (loop (cdr rest)
              (cons (cons (car rest) (best-before (car rest) chains))
                    chains)))))

;; Patience sorting: put each card on the first pile whose top is not less.
(define (deal card piles)
  (cond ((null? piles) (list (list card)))
        ((>= (car (car piles)) card)
         (cons (cons card (car piles)) (cdr piles)))
        (else (cons (car piles) (deal card (cdr piles))))))

(define (piles numbers)
  (let loop ((numbers numbers) (piles '()))
    (if (null? numbers)
        piles
        (loop (cdr numbers) (deal (car numbers) piles)))))

(define (report numbers)
  (let ((chain (longest-chain numbers))
        (piles (piles numbers)))
    (write chain)
    (newline)
    (write piles)
    (display (if (= (length chain) (length piles)) " agree" " differ"))
    (newline)))

(report '(0 8 4 12 2 10 6 14 1 9 5 13))
(report '(5 4 3 2 1))
(report '(3 1 4 1 5 9 2 6))

;=> (0 2 6 9 13)
;=> ((0) (1 2 4 8) (5 6 10 12) (9 14) (13)) agree
;=> (5)
;=> ((1 2 3 4 5)) agree
;=> (1 4 5 9)
;=> ((1 1 3) (2 4) (5) (6 9)) agree
