"""Writes a schema of GitHub's size and 60 operations, for measuring the generator.

    python3 Integration/graphql/large.py FOLDER [FIELDS]

FOLDER gets schema.graphqls with 1,600 types and the folder operations, whose selections have at most FIELDS fields (default: 6, about 50
in an operation with its fragment). The same files are written each time.
"""

import pathlib
import random
import sys

WORDS = """issue label milestone project review commit branch release package team user repository discussion comment reaction sponsor
workflow check deployment environment secret ruleset advisory gist topic license language fork star watcher event audit entry""".split()
SCALARS = ["String", "Int", "Boolean", "ID", "DateTime", "URI", "Float"]


def main(folder, count=6):
    rng = random.Random(53)
    root = pathlib.Path(folder)
    (root / "operations").mkdir(parents=True, exist_ok=True)
    def name(index):
        return WORDS[index % len(WORDS)].capitalize() + WORDS[index // len(WORDS) % len(WORDS)].capitalize()
    enums = [f"{name(i)}State" for i in range(200)]
    objects = [name(i) for i in range(500)]
    inputs = [f"{name(i)}Input" for i in range(350)]
    unions = [f"{name(i)}Item" for i in range(40)]
    interfaces = [f"{WORDS[i].capitalize()}able" for i in range(10)]
    lines = ["scalar DateTime", "scalar URI", "schema { query: Query mutation: Mutation }"]
    describe = lambda what: f'"""The {what.lower()}, as it was when the response was made. See `{what}` for the rules that apply."""'
    fields_of, members = {}, {}
    def leaf():
        return rng.choice(SCALARS * 2 + enums[:60]) + rng.choice(["!", "!", ""])
    leaves = [leaf() for _ in WORDS]
    for enum in enums:
        values = " ".join(f"{describe(enum)} {WORDS[i].upper()}_{WORDS[i + 1].upper()}" for i in range(rng.randint(3, 12)))
        lines.append(f"{describe(enum)} enum {enum} {{ {values} }}")
    lines.append('interface Node { "The ID." id: ID! }')
    for interface in interfaces:
        lines.append(f"{describe(interface)} interface {interface} {{ createdAt: DateTime! viewerCan{interface}: Boolean! }}")
    for index, type_ in enumerate(objects):
        mine = rng.sample(interfaces, rng.randint(0, 3))
        fields = {"id": "ID!"}
        for interface in mine:
            fields |= {"createdAt": "DateTime!", f"viewerCan{interface}": "Boolean!"}
        for i in rng.sample(range(len(WORDS) - 1), 14):
            # A field has one type everywhere, so that selections on the members of a union can be merged.
            fields[WORDS[i] + WORDS[i + 1].capitalize()] = leaves[i]
        for i in rng.sample(range(500), 4):
            fields[WORDS[i % len(WORDS)] + "Owner"] = objects[i] + rng.choice(["", "!"])
        for i in rng.sample(range(500), 3):
            fields[WORDS[i % len(WORDS)] + "s"] = f"{objects[i]}Connection!"
        if index % 5 == 0:
            fields["item"] = rng.choice(unions)
        fields_of[type_] = fields
        text = "\n".join(
            f"  {describe(n)} {n}{'(first: Int, after: String)' if 'Connection' in t else ''}: {t}"
            + (' @deprecated(reason: "Use another field.")' if rng.random() < 0.02 else "") for n, t in fields.items())
        lines.append(f"{describe(type_)} type {type_} implements {' & '.join(['Node', *mine])} {{\n{text}\n}}")
    for type_ in objects[:500]:
        lines.append(f"type {type_}Connection {{ nodes: [{type_}] totalCount: Int! pageInfo: PageInfo! }}")
    for union in unions:
        members[union] = rng.sample(objects, 8)
        lines.append(f"union {union} = {' | '.join(members[union])}")
    lines.append("type PageInfo { hasNextPage: Boolean! endCursor: String }")
    for index, type_ in enumerate(inputs):
        fields = [f"  {describe(WORDS[i])} {WORDS[i]}: {leaf()}" for i in rng.sample(range(len(WORDS)), 6)]
        if index > 2:
            fields.append(f"  nested: {inputs[rng.randrange(index)]}")
        lines.append(f"{describe(type_)} input {type_} {{\n" + "\n".join(fields) + "\n}")
    lines.append("type Query { node(id: ID!): Node " + " ".join(f"{t[0].lower()}{t[1:]}(id: ID!): {t}" for t in objects) + " }")
    lines.append("type Mutation { " + " ".join(f"update{t}(input: {inputs[i % 350]}!): {t}" for i, t in enumerate(objects)) + " }")
    (root / "schema.graphqls").write_text("\n".join(lines) + "\n")

    def select(type_, depth):
        fields, parts = fields_of[type_], []
        for field, kind in rng.sample(list(fields.items()), min(len(fields), count)):
            base = kind.strip("!")
            if base in members:
                if depth:
                    inner = " ".join(f"... on {m} {{ {select(m, 0)} }}" for m in members[base][:3])
                    parts.append(f"{field} {{ {inner} }}")
            elif base.endswith("Connection"):
                if depth:
                    parts.append(f"{field}(first: 10) {{ nodes {{ {select(base[:-10], depth - 1)} }} pageInfo {{ hasNextPage endCursor }} }}")
            elif base in fields_of:
                if depth:
                    parts.append(f"{field} {{ {select(base, depth - 1)} }}")
            else:
                parts.append(field)
        return " ".join(parts or ["id"])

    for i in range(60):
        type_ = objects[i * 7]
        query = f"{type_[0].lower()}{type_[1:]}"
        if i % 6 == 5:
            index = objects.index(type_)
            text = f"mutation Update{type_}($input: {inputs[index % 350]}!) {{ update{type_}(input: $input) {{ ...{type_}Parts }} }}"
        else:
            text = f"query Show{type_}($id: ID!) {{ {query}(id: $id) {{ {select(type_, 2)} ...{type_}Parts }} }}"
        text += f"\nfragment {type_}Parts on {type_} {{ {select(type_, 1)} }}"
        (root / "operations" / f"{type_}.graphql").write_text(text + "\n")


main(sys.argv[1], *map(int, sys.argv[2:]))
