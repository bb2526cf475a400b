"""placeholder"""
def save(r): pass
def render(): pass
