;; Rational numbers as an abstract type, in lowest terms, from integers.
(import (scheme base) (scheme write))

(define-record-type ratio
  (raw-ratio numerator denominator)
  ratio?
  (numerator num)
  (denominator den))

(define (make n d)
  (if (= d 0)
      (error "zero denominator" n)
      (let ((g (* (gcd n d) (if (< d 0) -1 1))))
        (raw-ratio (quotient n g) (quotient d g)))))

(define (r+ a b)
  (make (+ (* (num a) (den b)) (* (num b) (den a)))
        (* (den a) (den b))))
(define (r- a b) (r+ a (make (- (num b)) (den b))))
(define (r* a b) (make (* (num a) (num b)) (* (den a) (den b))))
(define (r/ a b) (r* a (make (den b) (num b))))
(define (r< a b) (< (* (num a) (den b)) (* (num b) (den a))))

(define (show r)
  (display (num r))
  (unless (= 1 (den r))
    (display "/")
    (display (den r)))
  (newline))

(define half (make 1 2))
(define third (make 1 3))
(show (r+ half third))
(show (r- third half))
(show (r* half third))
(show (r/ half third))
(show (make 6 -4))
(show (make 8 4))
(write (list (r< third half) (r< half third) (ratio? half) (ratio? 5)))
(newline)

;; Harmonic numbers.
(define (harmonic n)
  (do ((k 1 (+ k 1))
       (sum (make 0 1) (r+ sum (make 1 k))))
      ((> k n) sum)))
(show (harmonic 4))
(show (harmonic 20))

;; Egyptian fractions: the largest unit fraction first.
(define (egyptian r)
  (if (= 0 (num r))
      '()
      (let ((d (- (floor-quotient (- (den r)) (num r)))))
        (cons d (egyptian (r- r (make 1 d)))))))
(write (map egyptian (list (make 4 5) (make 3 7) (make 5 121))))
(newline)
(write (guard (e ((error-object? e) (error-object-message e)))
         (r/ half (make 0 5))))
(newline)

;=> 5/6
;=> -1/6
;=> 1/6
;=> 3/2
;=> -3/2
;=> 2
;=> (#t #f #t #f)
;=> 25/12
;=> 55835135/15519504
;=> ((2 4 20) (3 11 231) (25 757 763309 873960180913 1527612795642093418846225))
;=> "zero denominator"
