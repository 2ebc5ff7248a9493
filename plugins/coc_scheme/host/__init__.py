"""What Python does with a program's text: records for the machine, and the answer that runs are compared with."""
