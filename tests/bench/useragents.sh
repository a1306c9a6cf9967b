#!/bin/sh
# Make data/useragents.tsv anew from the npm package user-agents (BSD-2-Clause):
#   npm pack user-agents && tar xzf user-agents-*.tgz
#   tests/bench/useragents.sh package/dist/user-agents.json >data/useragents.tsv
exec python3 -c '
import json, sys
weight = {}
for row in json.load(open(sys.argv[1])):
    weight[row["userAgent"]] = weight.get(row["userAgent"], 0) + row["weight"]
for ua, w in sorted(weight.items(), key=lambda kv: (-kv[1], kv[0])):
    print("%d\t%s" % (round(w * 1e7), ua))
' "${1:?usage: useragents.sh user-agents.json}"
