;; try, catch and finally as a macro on guard and dynamic-wind.
(import (scheme base) (scheme write))

(define-syntax try
  (syntax-rules (catch finally)
    ((_ body (catch name handler ...) (finally cleanup ...))
     (dynamic-wind
      (lambda () #f)
      (lambda () (try body (catch name handler ...)))
      (lambda () cleanup ...)))
    ((_ body (catch name handler ...))
     (guard (name (#t handler ...)) body))
    ((_ body (finally cleanup ...))
     (dynamic-wind (lambda () #f) (lambda () body) (lambda () cleanup ...)))))

(define-syntax assert
  (syntax-rules ()
    ((_ condition)
     (unless condition (error "assertion failed" 'condition)))))

(define (say . items)
  (for-each display items)
  (newline))

(define (safe-divide a b)
  (assert (not (= b 0)))
  (quotient a b))

(say (try (safe-divide 10 2)
          (catch e 'failed)
          (finally (say "cleanup 1"))))

(say (try (safe-divide 10 0)
          (catch e (list 'caught (error-object-irritants e)))
          (finally (say "cleanup 2"))))

;; Nested: the inner finally runs before the outer catch.
(say (try (try (raise 'deep)
               (finally (say "inner cleanup")))
          (catch e (list 'outer e))
          (finally (say "outer cleanup"))))

;; A catch that raises again still runs its finally.
(say (try (try (raise 1)
               (catch e (raise (+ e 1)))
               (finally (say "on the way")))
          (catch e (list 'got e))))

;; A continuation that leaves the body runs finally, too.
(say (call/cc
      (lambda (return)
        (try (begin (say "working") (return 'left-early))
             (finally (say "cleaned"))))))

(define (get name record)
  (let ((entry (assq name record)))
    (and entry (cdr entry))))

(define (validate record)
  (try (let ((name (get 'name record))
             (age (get 'age record)))
         (assert name)
         (assert (> age 0))
         'valid)
       (catch e (list (error-object-message e)
                      (error-object-irritants e)))))
(say (validate '((name . "Ann") (age . 30))))
(say (validate '((name . "Bob") (age . -1))))
(say (validate '((age . 5))))

;=> cleanup 1
;=> 5
;=> cleanup 2
;=> (caught ((not (= b 0))))
;=> inner cleanup
;=> outer cleanup
;=> (outer deep)
;=> on the way
;=> (got 2)
;=> working
;=> cleaned
;=> left-early
;=> valid
;=> (assertion failed ((> age 0)))
;=> (assertion failed (name))
