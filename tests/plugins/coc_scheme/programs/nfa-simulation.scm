;; Nondeterministic automata: simulate with sets of states; subset construction.
(import (scheme base) (scheme write) (scheme cxr))

;; Transitions (from label to); the label e is the empty word.
(define ends-with-01
  '((start q0)
    (accept q2)
    (q0 0 q0) (q0 1 q0) (q0 0 q1) (q1 1 q2)))
(define a*-or-b*
  '((start s)
    (accept p q)
    (s e p) (s e q) (p a p) (q b q)))

(define (start nfa) (cadr (assq 'start nfa)))
(define (accepting nfa) (cdr (assq 'accept nfa)))
(define (transitions nfa) (cddr nfa))

(define (symbol<? a b)
  (string<? (symbol->string a) (symbol->string b)))
(define (insert x set)
  (cond ((null? set) (list x))
        ((eq? x (car set)) set)
        ((symbol<? x (car set)) (cons x set))
        (else (cons (car set) (insert x (cdr set))))))

(define (reachable nfa states label)
  (let loop ((ts (transitions nfa)) (found '()))
    (cond ((null? ts) found)
          ((and (memq (car (car ts)) states) (eqv? label (cadr (car ts))))
           (loop (cdr ts) (insert (caddr (car ts)) found)))
          (else (loop (cdr ts) found)))))

(define (closure nfa states)
  (let loop ((states states) (new (reachable nfa states 'e)))
    (cond ((null? new) states)
          ((memq (car new) states) (loop states (cdr new)))
          (else
           (let ((more (insert (car new) states)))
             (loop more (reachable nfa more 'e)))))))

(define (step nfa states label)
  (closure nfa (reachable nfa states label)))

(define (accepts? nfa word)
  (let loop ((states (closure nfa (list (start nfa)))) (word word))
    (cond ((pair? word) (loop (step nfa states (car word)) (cdr word)))
          ((null? states) #f)
          ((memq (car states) (accepting nfa)) #t)
          (else (loop (cdr states) word)))))

;; All sets of states that can be reached, with their transitions.
(define (subsets nfa alphabet)
  (let loop ((todo (list (closure nfa (list (start nfa))))) (done '()))
    (cond ((null? todo) (reverse done))
          ((assoc (car todo) done) (loop (cdr todo) done))
          (else
           (let ((next (map (lambda (c) (step nfa (car todo) c)) alphabet)))
             (loop (append (cdr todo) next)
                   (cons (cons (car todo) next) done)))))))

(define (show x) (write x) (newline))
(show (map (lambda (w) (accepts? ends-with-01 w))
           '(() (0 1) (1 0) (1 1 0 0 1))))
(show (map (lambda (w) (accepts? a*-or-b* w))
           '(() (a a) (b b b) (a b))))
(for-each show (subsets ends-with-01 '(0 1)))
(for-each show (subsets a*-or-b* '(a b)))

;=> (#f #t #f #t)
;=> (#t #t #t #f)
;=> ((q0) (q0 q1) (q0))
;=> ((q0 q1) (q0 q1) (q0 q2))
;=> ((q0 q2) (q0 q1) (q0))
;=> ((p q s) (p) (q))
;=> ((p) (p) ())
;=> ((q) () (q))
;=> (() () ())
