grains, together = 1, 0
for square in range(1, 11):
    together += grains
    print(f"{square:2} {grains:5} {together:6}  {'#' * (grains // 16)}")
    grains *= 2
