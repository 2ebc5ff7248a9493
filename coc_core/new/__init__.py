"""What `coc new` writes: a package with a small working plugin of one kind.

`kinds` are the kinds of plugins, `names` says which names will do, `package` fills in the templates and writes them.
"""
