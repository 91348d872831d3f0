#!/usr/bin/env bash
# side_by_side.sh SECONDS OUTPUT: every fuzz target for so many seconds, side by side, on a machine that has only the program
# `all` (fuzz/all.rs, built by scripts/fuzz build) and a folder `seeds` with one folder a target beside this script. What the
# corpora grow by stays in ~/fuzzwork (a second run goes on from it) and is packed into OUTPUT with what breaks; prints
# executions and findings. CORES says which to use (taskset's list).
set -u
here=$(cd "$(dirname "$0")" && pwd) seconds=$1 out=$2 work=${FUZZWORK:-$HOME/fuzzwork}
targets=$(ls "$here/seeds")
mkdir -p "$out/artifacts" "$out/logs" "$work"
for target in $targets; do
  mkdir -p "$work/$target" "$out/artifacts/$target"
  dictionary=()
  case $target in mjcf | urdf) dictionary=(-dict="$here/xml.dict") ;; esac
  (
    end=$(($(date +%s) + seconds))
    # a finding ends the program: the rest of the time goes to another start
    while left=$((end - $(date +%s))) && [ $left -gt 3 ]; do
      taskset -c "${CORES:-0-$(($(nproc) - 1))}" env FUZZ_TARGET=$target "$here/all" "$work/$target" "$here/seeds/$target" "${dictionary[@]}" \
        -artifact_prefix="$out/artifacts/$target/" -max_total_time=$left -timeout=12 -rss_limit_mb=2048 -print_final_stats=1 -seed=$RANDOM \
        >>"$out/logs/$target.full" 2>&1 && break
    done
  ) &
done
wait
for target in $targets; do
  log=$out/logs/$target.full
  # executions: of each start, the statistics, or the last number that was printed
  runs=$(awk '/^INFO: Seed/{total+=last; last=0} /^#[0-9]+/{n=substr($1,2)+0; if(n>last)last=n} /stat::number_of_executed_units/{if($2>last)last=$2} END{print total+last}' "$log")
  found=$(ls "$out/artifacts/$target" | wc -l)
  echo "$target: $runs executions in $seconds s, corpus $(ls "$work/$target" | wc -l), findings $found"
  grep -aE "panicked at|ERROR: libFuzzer|SUMMARY" "$log" | sort | uniq -c | sort -rn | head -8
  grep -aE -A3 "panicked at" "$log" | head -40 >"$out/logs/$target.txt"; tail -c 3000 "$log" >>"$out/logs/$target.txt"; rm "$log"
done
# large artifacts stay behind; of the corpora only small cases are packed
for folder in "$out"/artifacts/*; do find "$folder" -size +300k -delete; done
tar -C "$work" -czf "$out/corpora.tgz" $(cd "$work" && find . -type f -size -8k | shuf -n 3000) 2>/dev/null
du -sh "$out" | cut -f1
