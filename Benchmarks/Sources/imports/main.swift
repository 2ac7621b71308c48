// For `scripts/check-linkage`: a program that only imports Martlet.
import Martlet

print("runs")
