#!/usr/bin/env bash
# Does a call of glproc in parts with GNU parallel, on this machine or on others:
#
#     ./parallel.sh 8 blur photos soft/ --sigma 2
#     PARALLEL="--sshlogin node1,node2 --workdir ." ./parallel.sh 8 blur photos soft/ --sigma 2
#
# The same call again goes on where the logs end. Its exit status is the number of parts that have failed.
set -euo pipefail
parts=${1:?how many parts}
shift
logs=${LOGS:-logs}
mkdir -p "$logs"
exec parallel --quote --jobs "${JOBS:-100%}" \
    "${GLPROC:-glproc}" "$@" --jobs 1 --shard "{}/$parts" --log "$logs/part-{}.jsonl" --resume ::: $(seq "$parts")
