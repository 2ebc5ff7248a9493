;; String ports: collect output, and print tables through a port argument.
(import (scheme base) (scheme write))

(define (with-output proc)
  (let ((port (open-output-string)))
    (proc port)
    (get-output-string port)))

(define (display->string x)
  (with-output (lambda (port) (display x port))))

(define (write->string x)
  (with-output (lambda (port) (write x port))))

(define (pad text width)
  (string-append text (make-string (- width (string-length text)) #\.)))

(define (print-row port cells)
  (for-each (lambda (cell)
              (write-string (pad (display->string cell) 8) port)
              (write-char #\| port))
            cells)
  (newline port))

(define (show x) (write x) (newline))

(show (display->string '(1 "two" #\3 four)))
(show (write->string '(1 "two" #\3 four)))
(show (string-length (write->string "a\"b\\c")))
(show (with-output
       (lambda (port)
         (write-string "Hello" port)
         (write-char #\, port)
         (newline port)
         (write 'world port)
         (write-string "[cut here]" port 4 6))))

(display
 (with-output
  (lambda (port)
    (print-row port '("name" "age" "tags"))
    (print-row port '("Ann" 34 (a b)))
    (print-row port (list "Bob" 7 '())))))

;; A port keeps what it has; asking for it does not empty it.
(define port (open-output-string))
(write 1 port)
(define first (get-output-string port))
(write 2 port)
(show (list first (get-output-string port)))
(parameterize ((current-output-port port))
  (display " and three"))
(show (get-output-string port))

;=> "(1 two 3 four)"
;=> "(1 \"two\" #\\3 four)"
;=> 9
;=> "Hello,\nworld h"
;=> name....|age.....|tags....|
;=> Ann.....|34......|(a b)...|
;=> Bob.....|7.......|()......|
;=> ("1" "12")
;=> "12 and three"
