;; A small adventure with rooms and things, played by a list of commands.
(import (scheme base) (scheme write) (scheme cxr))

(define rooms
  '((hall "a draughty hall" (north . library) (east . kitchen))
    (library "a dusty library" (south . hall))
    (kitchen "a warm kitchen" (west . hall) (down . cellar))
    (cellar "a dark cellar" (up . kitchen))))

;; Where each thing is: a room, or `me`.
(define things
  (list (cons 'lamp 'library) (cons 'bread 'kitchen) (cons 'gold 'cellar)))

(define here 'hall)

(define (say . items)
  (for-each display items)
  (newline))

(define (in place)
  (let loop ((rest things) (found '()))
    (cond ((null? rest) (reverse found))
          ((eq? place (cdar rest)) (loop (cdr rest) (cons (caar rest) found)))
          (else (loop (cdr rest) found)))))

(define (have? thing) (eq? 'me (cdr (assq thing things))))
(define (dark?) (and (eq? here 'cellar) (not (have? 'lamp))))

(define (look)
  (if (dark?)
      (say "It is too dark to see.")
      (let ((room (assq here rooms)))
        (say "You are in " (cadr room) ".")
        (for-each (lambda (t) (say "There is " t " here.")) (in here)))))

(define (go direction)
  (let ((exit (assq direction (cddr (assq here rooms)))))
    (cond (exit (set! here (cdr exit)) (look))
          (else (say "You cannot go " direction ".")))))

(define (take thing)
  (let ((entry (assq thing things)))
    (cond ((or (not entry) (not (eq? here (cdr entry))))
           (say "There is no " thing " here."))
          ((dark?) (say "You grope about in vain."))
          (else (set-cdr! entry 'me)
                (say "You take the " thing ".")))))

(define (obey command)
  (say "> " command)
  (case (car command)
    ((look) (look))
    ((go) (go (cadr command)))
    ((take) (take (cadr command)))
    ((inventory) (say "You carry: " (in 'me)))
    (else (say "Pardon?"))))

(let play ((commands '((look) (go east) (take bread) (go down) (take gold)
                       (go up) (go west) (go north) (take lamp) (dance)
                       (go south) (go south) (go east) (go down)
                       (take gold) (inventory) (look))))
  (cond ((have? 'gold) (say "You have won!"))
        ((pair? commands)
         (obey (car commands))
         (play (cdr commands)))))

;=> > (look)
;=> You are in a draughty hall.
;=> > (go east)
;=> You are in a warm kitchen.
;=> There is bread here.
;=> > (take bread)
;=> You take the bread.
;=> > (go down)
;=> It is too dark to see.
;=> > (take gold)
;=> You grope about in vain.
;=> > (go up)
;=> You are in a warm kitchen.
;=> > (go west)
;=> You are in a draughty hall.
;=> > (go north)
;=> You are in a dusty library.
;=> There is lamp here.
;=> > (take lamp)
;=> You take the lamp.
;=> > (dance)
;=> Pardon?
;=> > (go south)
;=> You are in a draughty hall.
;=> > (go south)
;=> You cannot go south.
;=> > (go east)
;=> You are in a warm kitchen.
;=> > (go down)
;=> You are in a dark cellar.
;=> There is gold here.
;=> > (take gold)
;=> You take the gold.
;=> You have won!
