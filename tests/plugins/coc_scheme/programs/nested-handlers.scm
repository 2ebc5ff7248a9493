;; Handlers within handlers: which handler runs, and with which one outside.
(import (scheme base) (scheme write))

(define (note . items)
  (for-each display items)
  (newline))

(define (attempt name thunk)
  (call/cc
   (lambda (k)
     (with-exception-handler
      (lambda (e)
        (note name " caught " e)
        (k (list name e)))
      thunk))))

(define (show x) (write x) (newline))

;; The innermost handler is called first.
(show (attempt 'outer (lambda () (attempt 'inner (lambda () (raise 'a))))))

;; Inside a handler, the handler outside is the current one.
(show
 (attempt 'outer
          (lambda ()
            (with-exception-handler
             (lambda (e)
               (note "middle passes on " e)
               (raise (list 'wrapped e)))
             (lambda () (raise 'b))))))

;; After an escape, the outer handler is in force again.
(show
 (attempt 'outer
          (lambda ()
            (attempt 'inner (lambda () (raise 1)))
            (raise 2))))

;; A handler inside a guard.
(show
 (guard (e (#t (list 'guard e)))
   (attempt 'inside (lambda () (raise 'd)))
   (raise 'e)))

;=> inner caught a
;=> (inner a)
;=> middle passes on b
;=> outer caught (wrapped b)
;=> (outer (wrapped b))
;=> inner caught 1
;=> outer caught 2
;=> (outer 2)
;=> inside caught d
;=> (guard e)
