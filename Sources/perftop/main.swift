print("perftop")
