#!/bin/sh
# Counts and measures the cells of all pictures in a folder: count.sh FOLDER RESULTS
#
# RESULTS gets cells.csv, a row for each cell, and a picture with outlines for each picture. GLPROC names the program, by its
# whole path.
set -eu
pictures=$1
results=$2
glproc=${GLPROC:-glproc}
masks=$(mktemp -d)
trap 'rm -rf "$masks"' EXIT

# Otsu's threshold parts cells from the ground, holes are filled, and touching cells are split where they are narrow.
"$glproc" pipe "$pictures" "$masks" --to png --quiet \
  blur --sigma 1 then threshold --rule otsu then morphology --do fill then watershed --split --prominence 2

# Specks and cells that the edge cuts are left out. One table for all pictures.
mkdir -p "$results"
(cd "$masks" && "$glproc" components . --min-area 200 --clear-border --measure area,centroid,axes,perimeter --format csv --quiet) \
  > "$results/cells.csv"

# Their outlines on the pictures.
for picture in "$pictures"/*; do
  name=$(basename "${picture%.*}").png
  "$glproc" components "$masks/$name" "$results/$name" --min-area 200 --clear-border --overlay "$picture" --outline red --quiet
done
