;; Cooperative threads: a run queue of continuations, with channels.
(import (scheme base) (scheme write))

(define ready '())
(define (enqueue! thunk) (set! ready (append ready (list thunk))))

(define leave #f)
(define (dispatch)
  (if (null? ready)
      (leave 'all-done)
      (let ((next (car ready)))
        (set! ready (cdr ready))
        (next))))

(define (spawn thunk)
  (enqueue! (lambda () (thunk) (dispatch))))

(define (yield)
  (call/cc
   (lambda (k)
     (enqueue! (lambda () (k #f)))
     (dispatch))))

(define (run)
  (call/cc
   (lambda (k)
     (set! leave k)
     (dispatch))))

;; A channel: messages that wait, and receivers that wait.
(define (make-channel) (list '() '()))
(define (send! channel x)
  (if (null? (cadr channel))
      (set-car! channel (append (car channel) (list x)))
      (let ((receiver (car (cadr channel))))
        (set-car! (cdr channel) (cdr (cadr channel)))
        (enqueue! (lambda () (receiver x))))))
(define (receive! channel)
  (if (null? (car channel))
      (call/cc
       (lambda (k)
         (set-car! (cdr channel) (append (cadr channel) (list k)))
         (dispatch)))
      (let ((x (caar channel)))
        (set-car! channel (cdr (car channel)))
        x)))

(define (say . items)
  (for-each display items)
  (newline))

(define (counter name from to)
  (lambda ()
    (do ((i from (+ i 1)))
        ((> i to))
      (say name " " i)
      (yield))))

(spawn (counter "a" 1 3))
(spawn (counter "b" 10 11))
(say (run))

(define channel (make-channel))
(spawn (lambda ()
         (let loop ((sum 0))
           (let ((x (receive! channel)))
             (if (eq? x 'stop)
                 (say "sum " sum)
                 (begin (say "got " x) (loop (+ sum x))))))))
(spawn (lambda ()
         (for-each (lambda (x) (send! channel x) (yield)) '(5 6 7))
         (send! channel 'stop)))
(say (run))

;=> a 1
;=> b 10
;=> a 2
;=> b 11
;=> a 3
;=> all-done
;=> got 5
;=> got 6
;=> got 7
;=> sum 18
;=> all-done
