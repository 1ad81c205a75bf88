#!/usr/bin/env bash
# Splits one call of glproc into parts with GNU parallel, on this machine or on others:
#
#     ./parallel.sh 8 blur photos soft/ --sigma 2
#     PARALLEL="--sshlogin node1,node2 --workdir ." ./parallel.sh 8 blur photos soft/ --sigma 2
#
# Run the same call again to pick up where the logs left off. The exit status is the number of parts that failed.
set -euo pipefail
parts=${1:?how many parts}
shift
logs=${LOGS:-logs}
mkdir -p "$logs"
exec parallel --quote --jobs "${JOBS:-100%}" \
    "${GLPROC:-glproc}" "$@" --jobs 1 --shard "{}/$parts" --log "$logs/part-{}.jsonl" --resume ::: $(seq "$parts")
