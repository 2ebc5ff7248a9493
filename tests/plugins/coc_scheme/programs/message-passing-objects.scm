;; Objects as closures, with inheritance by delegation and `self`.
(import (scheme base) (scheme write))

(define (send object message . arguments)
  (let ((method (object message)))
    (if method
        (apply method object arguments)
        (error "no method" message))))

(define (make-shape name)
  (lambda (message)
    (case message
      ((name) (lambda (self) name))
      ((area) (lambda (self) 0))
      ((describe)
       (lambda (self)
         (string-append (send self 'name)
                        " of area "
                        (number->string (send self 'area)))))
      ((bigger?)
       (lambda (self other)
         (> (send self 'area) (send other 'area))))
      (else #f))))

(define (make-rectangle width height)
  (let ((super (make-shape "rectangle")))
    (lambda (message)
      (case message
        ((area) (lambda (self) (* width height)))
        ((scale!)
         (lambda (self factor)
           (set! width (* factor width))
           (set! height (* factor height))
           self))
        (else (super message))))))

(define (make-square side)
  (let ((super (make-rectangle side side)))
    (lambda (message)
      (case message
        ((name) (lambda (self) "square"))
        ((describe)
         (lambda (self)
           ;; Call the method of the ancestor with this self.
           (string-append ((super 'describe) self) "!")))
        (else (super message))))))

(define r (make-rectangle 2 6))
(define s (make-square 3))

(define (show x) (write x) (newline))
(show (send (make-shape "blob") 'describe))
(show (send r 'describe))
(show (send s 'describe))
(show (send r 'bigger? s))
(show (send (send s 'scale! 2) 'describe))
(show (send r 'bigger? s))
(show (guard (e ((error-object? e)
                 (cons (error-object-message e) (error-object-irritants e))))
        (send r 'fly 'high)))

;=> "blob of area 0"
;=> "rectangle of area 12"
;=> "square of area 9!"
;=> #t
;=> "square of area 36!"
;=> #f
;=> ("no method" fly)
