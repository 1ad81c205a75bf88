#!/bin/sh
# The example of cells finds as many as were drawn: cells.sh EXAMPLE PROGRAM
set -eu
example=$1
program=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$example/make_cells.py" "$folder/cells" 2 > "$folder/drawn"
GLPROC=$program "$example/count.sh" "$folder/cells" "$folder/results"
while read -r name whole _; do
  found=$(grep -c "^./${name%.pgm:}.png," "$folder/results/cells.csv")
  echo "$name $found cells found of $whole"
  [ "$found" = "$whole" ]
  [ -s "$folder/results/${name%.pgm:}.png" ]
done < "$folder/drawn"
[ "$(wc -l < "$folder/drawn")" = 2 ]
