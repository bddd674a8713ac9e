"""The question that every peer is asked of a capture: TTI per screen, how many and the 90th percentile.

As a program: questions.py orjson FILE | duckdb FILE prints the answer of that peer. Percentiles lie
linearly between the closest ranks, as perftop's do.
"""

import json
import subprocess
import sys

JQ = """
def p90: sort | ((length - 1) * 0.9) as $r | ($r | floor) as $i | .[$i] + ($r - $i) * ((.[$i + 1] // .[$i]) - .[$i]);
reduce (inputs | .resourceSpans[]?.scopeSpans[].spans[] | select(.name | startswith("screen-tti."))
  | [.name[11:], (.attributes[] | select(.key == "screen.tti.ms") | .value.intValue | tonumber)]) as [$screen, $tti]
  ({}; .[$screen] += [$tti])
| map_values([length, p90])
"""

DUCKDB = """
WITH spans AS (
  SELECT unnest(s.spans) AS span FROM (
    SELECT unnest(r.scopeSpans) AS s FROM (
      SELECT unnest(resourceSpans) AS r FROM read_json(?, format = 'newline_delimited', columns = {
        resourceSpans: 'STRUCT(scopeSpans STRUCT(spans STRUCT(name VARCHAR,
          attributes STRUCT(key VARCHAR, value STRUCT(intValue VARCHAR))[])[])[])[]'}))))
SELECT span.name[12:] AS screen, count(*), quantile_cont(tti, 0.9) FROM (
  SELECT span, CAST(list_filter(span.attributes, lambda a: a.key = 'screen.tti.ms')[1].value.intValue AS INT) AS tti
  FROM spans WHERE starts_with(span.name, 'screen-tti.'))
GROUP BY screen
"""


def percentile(values, share):
    values = sorted(values)
    rank = (len(values) - 1) * share
    low = int(rank)
    high = min(low + 1, len(values) - 1)
    return values[low] + (rank - low) * (values[high] - values[low])


def with_orjson(path):
    import orjson

    times = {}
    with open(path, "rb") as lines:
        for line in lines:
            for resource in orjson.loads(line).get("resourceSpans", ()):
                for scope in resource["scopeSpans"]:
                    for span in scope["spans"]:
                        if span["name"].startswith("screen-tti."):
                            for pair in span["attributes"]:
                                if pair["key"] == "screen.tti.ms":
                                    times.setdefault(span["name"][11:], []).append(int(pair["value"]["intValue"]))
    return {screen: [len(values), percentile(values, 0.9)] for screen, values in times.items()}


def with_duckdb(path):
    import duckdb

    rows = duckdb.connect().execute(DUCKDB, [path]).fetchall()
    return {screen: [count, p90] for screen, count, p90 in rows}


def commands(perftop, python, path, available):
    """The command of every peer that is there, in the order of the table."""
    every = {
        "wc": ["wc", "-l", path],
        "perftop": [perftop, "report", "--format", "json", path],
        "lnav": ["lnav", "-n", "-q", path],
        "orjson": [python, __file__, "orjson", path],
        "duckdb": [python, __file__, "duckdb", path],
        "jq": ["jq", "-n", JQ, path],
    }
    return {name: command for name, command in every.items() if name in available}


def answers(commands):
    """What each program that can answer says, in one form."""
    found = {}
    for name in ("perftop", "orjson", "duckdb", "jq"):
        if name not in commands:
            continue
        answer = json.loads(subprocess.run(commands[name], stdout=subprocess.PIPE, check=True).stdout)
        if name == "perftop":
            answer = {row["name"]: [row["tti"]["count"], row["tti"]["p90"]] for row in answer["screens"]}
        found[name] = {screen: (count, round(float(p90), 3)) for screen, (count, p90) in sorted(answer.items())}
    return found


if __name__ == "__main__":
    ask = {"orjson": with_orjson, "duckdb": with_duckdb}[sys.argv[1]]
    print(json.dumps(ask(sys.argv[2])))
