;; The stable marriage algorithm of Gale and Shapley, with a check.
(import (scheme base) (scheme write) (scheme cxr))

(define suitors
  '((abe ann bea cat dot) (bob bea ann dot cat)
    (cal ann dot bea cat) (dan bea cat ann dot)))
(define reviewers
  '((ann bob cal dan abe) (bea abe cal bob dan)
    (cat abe bob cal dan) (dot dan abe bob cal)))

(define (choices name lists) (cdr (assq name lists)))

;; Does `who` like a more than b?
(define (prefers? who a b lists)
  (and (memq b (memq a (choices who lists))) (not (eq? a b))))

(define (without-pair woman pairs)
  (cond ((null? pairs) '())
        ((eq? woman (cdar pairs)) (cdr pairs))
        (else (cons (car pairs) (without-pair woman (cdr pairs))))))

(define (partner woman pairs)
  (cond ((null? pairs) #f)
        ((eq? woman (cdar pairs)) (caar pairs))
        (else (partner woman (cdr pairs)))))

;; The free men still have lists of women whom they have not asked.
(define (marry free pairs)
  (if (null? free)
      pairs
      (let* ((man (caar free))
             (woman (cadar free))
             (left (cons man (cddar free)))
             (rival (partner woman pairs)))
        (cond ((not rival)
               (marry (cdr free) (cons (cons man woman) pairs)))
              ((prefers? woman man rival reviewers)
               (let ((asked (memq woman (choices rival suitors))))
                 (marry (append (cdr free)
                                (list (cons rival (cdr asked))))
                        (cons (cons man woman)
                              (without-pair woman pairs)))))
              (else (marry (append (cdr free) (list left)) pairs))))))

;; Pairs who would both rather have each other.
(define (unstable pairs)
  (let loop ((a pairs) (b pairs) (found '()))
    (cond ((null? a) found)
          ((null? b) (loop (cdr a) pairs found))
          ((and (prefers? (caar a) (cdar b) (cdar a) suitors)
                (prefers? (cdar b) (caar a) (caar b) reviewers))
           (loop a (cdr b) (cons (cons (caar a) (cdar b)) found)))
          (else (loop a (cdr b) found)))))

(define result (marry suitors '()))
(for-each (lambda (man)
            (display man)
            (display " and ")
            (display (cdr (assq man result)))
            (newline))
          (map car suitors))
(write (unstable result))
(newline)
(write (unstable '((abe . ann) (bob . bea) (cal . cat) (dan . dot))))
(newline)

;=> abe and bea
;=> bob and ann
;=> cal and dot
;=> dan and cat
;=> ()
;=> ((dan . ann) (cal . bea) (cal . ann))
