#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random srun lines, and what the tasks of a step exchange.

  random_lines.py make COUNT SEED        lines "DIMS|ALGORITHM|sbatch options|srun options"
  random_lines.py count DIMS PLAIN MAPPED  messages of one exchange (four or six neighbours, each
      way) between nodes and between sockets, without and with the mapping. PLAIN and MAPPED hold
      lines "rank node local-id cpus gpus" of nodes of 2 sockets x 4 cores x 2 threads.
"""
import itertools
import random
import sys

CPUS, CORES = 16, 8


def factorizations(number, dims):
    if dims == 1:
        yield (number,)
        return
    for first in range(1, number + 1):
        if number % first == 0:
            for rest in factorizations(number // first, dims - 1):
                yield (first,) + rest


def make_line(rng):
    nodes = rng.randint(2, 4)
    per_task = rng.choice([None, None, 1, 2, 3])
    one_thread = rng.choice(["", "", "--hint=nomultithread", "--threads-per-core=1"])
    # A task gets whole cores, and Slurm waits for ever where they are not enough.
    cores = (per_task or 1) if one_thread else ((per_task or 1) + 1) // 2
    room = CORES // cores if per_task or one_thread else CPUS
    most = max(1, min(room, 10))
    options = []
    if rng.random() < 0.5:
        per_node = rng.randint(2, most) if most > 1 else 1
        tasks = nodes * per_node
        if rng.random() < 0.5:
            options.append(f"--ntasks-per-node={per_node}")
    else:
        tasks = rng.randint(nodes, nodes * most)
    options += [f"-N{nodes}", f"-n{tasks}"]
    if per_task:
        options.append(f"-c{per_task}")
    options.append(one_thread)
    options.append(rng.choice(
        ["", "", "", "-m block", "-m cyclic", "-m block:block", "-m block:cyclic", "-m cyclic:block",
         "-m cyclic:cyclic", "-m block:fcyclic", "-m plane=4", "-m plane=3"]))
    options.append(rng.choice(["", "", "--exact", "--cpu-bind=cores", "--cpu-bind=none", "--label"]))
    if tasks <= 4 * nodes and rng.random() < 0.3:
        options.append(rng.choice(["--gpus-per-node=4 --gpu-bind=closest", "--gpus-per-node=4",
                                   "--gpus-per-task=1"]))
    dims = rng.choice(list(factorizations(tasks, rng.choice([2, 2, 3]))))
    algorithm = rng.choice(["best", "best", "hyperplane", "kdtree", "strips", "greedy", "greedy-distributed",
                            "hyperplane-thesis"])
    words = " ".join(word for word in options if word)
    return "|".join(["x".join(map(str, dims)), algorithm, f"-N{nodes} --exclusive", words])


def read(path):
    places = {}
    for line in open(path):
        words = line.split()
        if words and words[0].endswith(":"):  # of --label
            words = words[1:]
        if len(words) != 5 or not words[0].isdigit():
            continue
        sockets = {int(cpu) // 4 % 2 for cpu in words[3].split(",")}
        places[int(words[0])] = (words[1], min(sockets) if len(sockets) == 1 else None)
    return places


def messages(dims, places):
    between_nodes = between_sockets = 0
    cells = list(itertools.product(*map(range, dims)))
    rank = {cell: i for i, cell in enumerate(cells)}
    for cell in cells:
        for axis in range(len(dims)):
            for step in (-1, 1):
                other = cell[:axis] + (cell[axis] + step,) + cell[axis + 1:]
                if other in rank:
                    a, b = places[rank[cell]], places[rank[other]]
                    between_nodes += a[0] != b[0]
                    between_sockets += a != b
    known = all(socket is not None for _, socket in places.values())
    return between_nodes, between_sockets if known else None


def main():
    if sys.argv[1] == "make":
        rng = random.Random(int(sys.argv[3]))
        for _ in range(int(sys.argv[2])):
            print(make_line(rng))
        return
    dims = tuple(map(int, sys.argv[2].split("x")))
    plain, mapped = read(sys.argv[3]), read(sys.argv[4])
    tasks = 1
    for size in dims:
        tasks *= size
    if sorted(plain) != list(range(tasks)) or sorted(mapped) != list(range(tasks)):
        print(f"lost {len(plain)} {len(mapped)} of {tasks}")
        return
    a, b = messages(dims, plain), messages(dims, mapped)
    worse = b[0] > a[0] or (a[1] is not None and b[1] is not None and b[1] > a[1])
    print("worse" if worse else "good", f"nodes {a[0]} -> {b[0]}, sockets {a[1]} -> {b[1]}")


main()
