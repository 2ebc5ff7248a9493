;; dynamic-wind with a continuation that enters its body again.
(import (scheme base) (scheme write))

(define (run)
  (let ((path '())
        (again #f)
        (rounds 0))
    (define (add x) (set! path (cons x path)))
    (dynamic-wind
     (lambda () (add 'in))
     (lambda ()
       (call/cc (lambda (k) (set! again k)))
       (set! rounds (+ rounds 1))
       (add rounds))
     (lambda () (add 'out)))
    (if (< rounds 3)
        (again 'go)
        (reverse path))))

(write (run))
(newline)

;; The example of R7RS: connect, talk, and come back once.
(define (talk)
  (let ((path '())
        (c #f))
    (let ((add (lambda (s) (set! path (cons s path)))))
      (dynamic-wind
       (lambda () (add 'connect))
       (lambda ()
         (add (call/cc (lambda (c0) (set! c c0) 'talk1))))
       (lambda () (add 'disconnect)))
      (if (< (length path) 4)
          (c 'talk2)
          (reverse path)))))

(write (talk))
(newline)

;; Jump from one extent into another: out of the first, into the second.
(define (cross)
  (let ((path '()) (k1 #f) (jumped #f))
    (define (add x) (set! path (cons x path)))
    (dynamic-wind
     (lambda () (add 'in-1))
     (lambda () (call/cc (lambda (k) (set! k1 k))) (add 'body-1))
     (lambda () (add 'out-1)))
    (unless jumped
      (set! jumped #t)
      (dynamic-wind
       (lambda () (add 'in-2))
       (lambda () (add 'body-2) (k1 'jump))
       (lambda () (add 'out-2))))
    (reverse path)))

(write (cross))
(newline)

;=> (in 1 out in 2 out in 3 out)
;=> (connect talk1 disconnect connect talk2 disconnect)
;=> (in-1 body-1 out-1 in-2 body-2 out-2 in-1 body-1 out-1)
