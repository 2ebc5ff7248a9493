;; Two coroutines that hand control to each other with call/cc.
(import (scheme base) (scheme write))

(define (make-coroutine body)
  (define resume-here #f)
  (define (transfer other value)
    (call/cc
     (lambda (k)
       (set! resume-here k)
       (other value))))
  (lambda (value)
    (if resume-here
        (resume-here value)
        (body transfer value))))

(define finish #f)

(define ping
  (make-coroutine
   (lambda (transfer n)
     (let loop ((n n))
       (display "ping ")
       (display n)
       (newline)
       (if (>= n 10)
           (finish 'done)
           (loop (transfer pong (+ n 1))))))))

(define pong
  (make-coroutine
   (lambda (transfer n)
     (let loop ((n n))
       (display "pong ")
       (display n)
       (newline)
       (loop (transfer ping (* n 2)))))))

(define (start)
  (call/cc
   (lambda (k)
     (set! finish k)
     (ping 1))))

(write (start))
(newline)

;=> ping 1
;=> pong 2
;=> ping 4
;=> pong 5
;=> ping 10
;=> done
