"""Datasets: folders of prompt-target pairs with a card that says how they were made and what is in them.

`card` is what the card says, `rows` the files, `build` writes a folder, `audit` reads one and believes nothing in it,
`replay` asks the reference model for every target again.
"""
