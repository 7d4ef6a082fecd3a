class Money:
    pass


def total(items):
    def add(a, b):
        return a + b

    return add(0, len(items))
