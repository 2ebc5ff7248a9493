;; Retry and restarts: handlers that repair, repeat, skip or give up.
(import (scheme base) (scheme write))

(define (say . items)
  (for-each display items)
  (newline))

;; A service that fails until its third call.
(define attempts 0)
(define (flaky)
  (set! attempts (+ attempts 1))
  (if (< attempts 3)
      (raise (list 'try-later attempts))
      (list 'answer-after attempts)))

(define (retry times thunk)
  (let loop ((left times))
    (let ((result
           (call/cc
            (lambda (k)
              (with-exception-handler
               (lambda (e)
                 (say "failed: " e)
                 (k (list 'failed e)))
               thunk)))))
      (if (and (eq? 'failed (car result)) (> left 1))
          (loop (- left 1))
          result))))

(say (retry 5 flaky))
(set! attempts 0)
(say (retry 2 flaky))

;; Restarts: the place that fails offers ways on, the handler chooses.
(define (parse-line line)
  (or (string->number line)
      (call/cc
       (lambda (k)
         (let ((choice (raise-continuable
                        (list 'bad-line line
                              (lambda (v) (k v))))))
           (if (eq? choice 'skip) #f (k choice)))))))

(define (parse-all lines)
  (if (null? lines)
      '()
      (let* ((n (parse-line (car lines)))
             (rest (parse-all (cdr lines))))
        (if n (cons n rest) rest))))

(define (parse-with policy lines)
  (call/cc
   (lambda (abort)
     (with-exception-handler
      (lambda (e) (policy e abort))
      (lambda () (parse-all lines))))))

(define lines '("1" "two" "3" "four!" "5"))
(say (parse-with (lambda (e abort) 'skip) lines))
(say (parse-with (lambda (e abort) ((list-ref e 2) 0)) lines))
(say (parse-with (lambda (e abort) (string-length (cadr e))) lines))
(say (parse-with (lambda (e abort) (abort (list 'aborted-at (cadr e)))) lines))

;=> failed: (try-later 1)
;=> failed: (try-later 2)
;=> (answer-after 3)
;=> failed: (try-later 1)
;=> failed: (try-later 2)
;=> (failed (try-later 2))
;=> (1 3 5)
;=> (1 0 3 0 5)
;=> (1 3 3 5 5)
;=> (aborted-at two)
