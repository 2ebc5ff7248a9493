;; Hygiene: names in macros neither capture nor are captured.
(import (scheme base) (scheme write))

(define-syntax my-or
  (syntax-rules ()
    ((_) #f)
    ((_ e) e)
    ((_ e rest ...)
     (let ((t e))
       (if t t (my-or rest ...))))))

(define-syntax swap!
  (syntax-rules ()
    ((_ a b)
     (let ((tmp a))
       (set! a b)
       (set! b tmp)))))

(define-syntax my-unless
  (syntax-rules ()
    ((_ test body ...)
     (if test #f (begin body ...)))))

(define (show x) (write x) (newline))

;; The user's t is not the macro's t.
(define t 5)
(show (my-or #f t))
(show (let ((t 7)) (my-or #f #f t)))
(show (my-or))

;; A variable with the name of the macro's temporary.
(define tmp 1)
(define other 2)
(swap! tmp other)
(show (list tmp other))

;; A local `if` does not change the macro's `if`.
(show (let ((if list)) (my-unless #f 'done)))

;; Macros can be local, and shadow each other.
(show
 (let-syntax ((one (syntax-rules () ((_) 1))))
   (let ((x (one)))
     (let-syntax ((one (syntax-rules () ((_) 10))))
       (+ x (one))))))
(show
 (letrec-syntax
     ((even-length? (syntax-rules ()
                      ((_) #t)
                      ((_ x y ...) (odd-length? y ...))))
      (odd-length? (syntax-rules ()
                     ((_) #f)
                     ((_ x y ...) (even-length? y ...)))))
   (list (even-length? a b c d) (even-length? a b c))))

;=> 5
;=> 7
;=> #f
;=> (2 1)
;=> done
;=> 11
;=> (#t #f)
