#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Usage: bench.py BENCH MPIRUN... Runs stencilmap-bench on four processes of pretended nodes and reads what it
writes as other programs would: csv, json, XML.

The times of such a run mean nothing; scores, forms and refusals do.
"""
import csv
import io
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

BENCH, *MPIRUN = sys.argv[1:]
QUICK = ["--repeats=3", "--seconds=0.1", "--min=64", "--max=1k", "--step=4", "--quiet"]
SVG = "{http://www.w3.org/2000/svg}"
failed = 0


def check(good, what):
    global failed
    print("%s - %s" % ("ok" if good else "not ok", what))
    failed += not good


def run(nodes, *options, quick=True):
    """With two processes on each node, or three on the first: exit code, standard output and error."""
    command = MPIRUN + ["-n", "4", "env", "STENCILMAP_MPI_NODE=rank/" + nodes[0], BENCH]
    done = subprocess.run(command + (QUICK if quick else []) + list(options), text=True, timeout=300,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, done.stdout, done.stderr


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def series(text):
    """The number of series in each panel of a picture."""
    root = ElementTree.fromstring(text)
    return [sum(g.get("class") == "series" for g in panel.iter(SVG + "g"))
            for panel in root.iter(SVG + "g") if panel.get("class") == "panel"]


def exchanges():
    """All stencils and algorithms, on nodes of different sizes; then what belongs to one of them."""
    code, out, err = run("3,1", "--stencil=all", "--map=all", "--format=csv", "--max=64")
    rows = rows_of(out)
    check(code == 0, "all stencils and algorithms on 3+1 " + err)
    check({r["stencil"] for r in rows} == {"component", "crank-nicolson", "diagonal", "hops", "hops-last", "moore",
                                           "nn"}, "all stencils that differ")
    check(not {"nodecart", "cuts"} & {r["map"] for r in rows}, "algorithms for equal nodes are left out")
    check({"blocked", "hyperplane", "kdtree", "strips", "best", "greedy", "random"} <= {r["map"] for r in rows},
          "the others are there")
    # nn on 2x2: the cell that is alone has two neighbours, whatever the mapping.
    check({(r["jsum"], r["jmax"]) for r in rows if r["stencil"] == "nn"} == {("4", "2")}, "scores on 3+1")

    code, out, err = run("2,2", "--dims=4x1", "--periodic=1,0", "--map=random:2", "--map=best,kdtree", "--format=csv")
    rows = rows_of(out)
    check(code == 0 and [r["bytes"] for r in rows] == ["64"] * 4 + ["256"] * 4 + ["1024"] * 4, "sizes " + err)
    check([r["map"] for r in rows[:4]] == ["blocked", "random:2", "best", "kdtree"], "mappings as on the line")
    check({(r["periodic"], r["nodes"], r["processes"], r["runs"], r["jsum"]) for r in rows if r["map"] == "best"} ==
          {("1,0", "2", "4", "3", "4")}, "what a row says")
    check(all(float(r["mean_ms"]) > 0 and float(r["ci_ms"]) >= 0 and
              float(r["speedup_low"]) <= float(r["speedup"]) <= float(r["speedup_high"]) for r in rows), "times")
    check(all(float(r["speedup"]) == 1 for r in rows if r["map"] == "blocked"), "blocked over itself")


def other_forms():
    code, out, err = run("2,2", "--map=kdtree", "--instantiation", "--max=64", "--format=json")
    result = json.loads(out)
    check(code == 0 and result["setup"]["node_sizes"] == "2(x2)" and result["setup"]["processes"] == 4, "setup " + err)
    names = [(r["measure"], r["map"]) for r in result["results"]]
    check(names == [("exchange", "blocked"), ("exchange", "kdtree"), ("instantiation", "blocked"),
                    ("instantiation", "kdtree"), ("creation", "MPI_Comm_split"), ("creation", "MPI_Cart_create 0"),
                    ("creation", "MPI_Cart_create 1"), ("creation", "blocked"), ("creation", "kdtree")],
          "exchange, instantiation and creation")
    check(all(isinstance(r["mean_ms"], float) and r["bytes"] in (64, None) for r in result["results"]), "JSON's numbers")

    with tempfile.TemporaryDirectory() as folder:
        plot = os.path.join(folder, "plot.svg")
        code, out, err = run("2,2", "--stencil=nn", "--stencil=moore", "--map=kdtree,strips", "--instantiation",
                             "--plot=" + plot)
        with open(plot) as file:
            check(code == 0 and series(file.read()) == [2, 3, 6, 2, 3, 6], "a picture in a file " + err)
    check(out.startswith("4 processes on 2 nodes (2(x2)), ") and out.count("\nblocked ms  ") == 2 and
          "\ninstantiation: moore on 2x2, 4 processes on 2 nodes\n" in out, "tables beside it")
    code, out, err = run("2,2", "--map=kdtree", "--max=64", "--format=svg")
    check(code == 0 and series(out) == [1], "a picture on standard output " + err)


def orders():
    code, out, err = run("2,2", "--orders=all", "--comm-size=2", "--format=csv")
    rows = rows_of(out)
    check(code == 0 and len(rows) == 3 * 2 * 3 * 2, "three collectives, one and all, three sizes, two orders " + err)
    first = {r["order"]: (r["ring_cost"], r["pair_percent"], r["hierarchy"]) for r in rows}
    check(first == {"1-0": ("1", "100.0 0.0", "node:2,core:2"), "0-1": ("2", "0.0 100.0", "node:2,core:2")},
          "the paper's numbers for an order")
    check({(r["collective"], r["communicators"]) for r in rows} ==
          {(c, n) for c in ("alltoall", "allreduce", "allgather") for n in ("one", "all")}, "all measurements")
    check(all(int(r["amount"]) == 2 * int(r["bytes"]) and float(r["mb_per_s"]) > 0 and
              float(r["mb_per_s_low"]) <= float(r["mb_per_s"]) * 1.0001 and
              float(r["mb_per_s"]) <= float(r["mb_per_s_high"]) * 1.0001 for r in rows), "bandwidths")
    code, out, err = run("2,2", "--orders=core,node", "--collectives=allgather", "--hierarchy=2,2,1", "--format=json")
    check(code == 1 and "stencilmap-bench: --orders=core,node: " in err, "names are not for a hierarchy of numbers")
    code, out, err = run("2,2", "--orders=0-1", "--collectives=alltoall", "--format=svg")
    check(code == 0 and series(out) == [2, 2], "bandwidths as a picture " + err)


def refusals():
    for nodes, options, line in [
            ("3,1", ["--orders=all"], "--orders: nodes with as many processes each are needed, these have 3,1"),
            ("2,2", ["--orders=all", "--comm-size=3"],
             "--comm-size=3: 4 processes are no whole number of such sub-communicators"),
            ("2,2", ["--orders=all", "--hierarchy=node:4,core:1"],
             "--hierarchy=node:4,core:1: there are 2 nodes of 2 processes"),
            ("2,2", ["--orders=all", "--hierarchy=3,2"],
             "--hierarchy=3,2: product 6 is neither the 4 processes nor the 2 of a node"),
            ("2,2", ["--orders=2-1-0"], "--orders=2-1-0: 3 numbers for 2 levels; node:2, core:2 are 0 to 1, each exactly once"),
            ("2,2", ["--dims=3x2"], "--dims=3x2: product 6 is not the number of processes 4"),
            ("2,2", ["--stencil=7pt", "--dims=2x2"], "--stencil=7pt: is for 3 dimensions, the grid has 2"),
            ("2,2", ["--stencil=nn", "--stencil=x"],
             "--stencil=x: neither a stencil name (see --stencil=help) nor offsets like 1,0;-1,0;0,1*4;0,-1*4"),
            ("2,2", ["--map=step"], "--map=step: srun has not mapped this step for nn on 2x2"),
            ("2,2", ["--map=random:x"], "--map=random:x: random:SEED wants a number as seed"),
            ("2,2", ["--plot=/nowhere/x.svg"], "--plot=/nowhere/x.svg: No such file or directory"),
            ("2,2", ["--max=1G"], "--max=1073741824: more than 1 GiB for 4 neighbours; at most 214748364")]:
        code, out, err = run(nodes, *options)
        check(code != 0 and not out and "stencilmap-bench: " + line + "\n" in err, line)
    code, out, err = run("2,2", "--help", quick=False)
    check(code == 0 and out.startswith("usage: "), "--help")


def main():
    exchanges()
    other_forms()
    orders()
    refusals()
    sys.exit(1 if failed else 0)


main()
