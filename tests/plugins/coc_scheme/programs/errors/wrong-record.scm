;; An accessor of one record type is used on another.
(import (scheme base) (scheme write))

(define-record-type cat
  (make-cat name lives)
  cat?
  (name cat-name)
  (lives cat-lives set-cat-lives!))

(define-record-type dog
  (make-dog name)
  dog?
  (name dog-name))

(define (hurt! animal)
  (set-cat-lives! animal (- (cat-lives animal) 1))
  (display (cat-name animal))
  (display " has ")
  (display (cat-lives animal))
  (display " lives")
  (newline))

(hurt! (make-cat "Tom" 9))
(hurt! (make-dog "Rex"))

;=> Tom has 8 lives
;! cat-lives: not a cat
;! line 16
