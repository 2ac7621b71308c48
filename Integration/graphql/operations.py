"""Generates Swift for random schemas and operations, and decodes responses that graphql-core makes from the schemas.

    python3 Integration/graphql/operations.py make GENERATOR FOLDER [SCHEMAS] [DOCUMENTS] [SEED]
    python3 Integration/graphql/operations.py check PROGRAM FOLDER

GENERATOR is the program `martlet-graphql`. `make` writes the Swift files to FOLDER/Generated and the responses to FOLDER/responses.jsonl.
Every second schema is written with --json-readable. FOLDER is Integration/Sources/operations, so that
`OPERATIONS=1 swift build --package-path Integration --product operations` makes PROGRAM. `check` fails if a response is not decoded, or if the
decoded value has other strings and numbers than the response. Needs graphql-core (PyPI, 3.3).
"""

import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace

from graphql import (
    FieldNode, GraphQLEnumType, GraphQLInputObjectType, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLUnionType, NameNode,
    REMOVE, Visitor, build_schema, execute, get_named_type, parse, print_ast, type_from_ast, validate, visit,
)

import generate


SKIPPED = parse("{ a @skip(if: true) }").definitions[0].selection_set.selections[0].directives[0]


class Renaming(Visitor):
    """Names each operation and fragment for its document."""

    def __init__(self, prefix):
        super().__init__()
        self.prefix, self.count = prefix, 0

    def enter_operation_definition(self, node, *_):
        self.count += 1
        return replace(node, name=NameNode(value=f"{self.prefix}Op{self.count}"))

    def enter_fragment_definition(self, node, *_):
        return replace(node, name=NameNode(value=self.prefix + node.name.value))

    def enter_fragment_spread(self, node, *_):
        return replace(node, name=NameNode(value=self.prefix + node.name.value))


class Delivery(Visitor):
    """Replaces @defer by nothing or by @skip, and removes @stream, because the responses are made at once."""

    def __init__(self, rng):
        super().__init__()
        self.rng = rng

    def enter_directive(self, node, *_):
        if node.name.value == "stream":
            return REMOVE
        if node.name.value == "defer":
            is_off = any(a.name.value == "if" and getattr(a.value, "value", None) is False for a in node.arguments or ())
            return REMOVE if is_off or self.rng.random() < 0.5 else SKIPPED


class Values:
    """Makes the values of fields. Strings and numbers are unique."""

    def __init__(self, rng):
        self.rng, self.count = rng, 1000

    def output(self, type_):
        if isinstance(type_, GraphQLNonNull):
            return self.required(type_.of_type)
        return None if self.rng.random() < 0.15 else self.required(type_)

    def required(self, type_):
        if isinstance(type_, GraphQLList):
            return [self.output(type_.of_type) for _ in range(self.rng.randint(0, 2))]
        if isinstance(type_, GraphQLEnumType):
            return self.rng.choice(list(type_.values))
        self.count += 1
        match getattr(type_, "name", ""):
            case "Int": return self.count
            case "Float": return self.count + 0.5
            case "Boolean": return self.rng.random() < 0.5
            case "String" | "ID" | "Date": return f"s{self.count}"
        return {}

    def input(self, type_):
        if isinstance(type_, GraphQLNonNull):
            type_ = type_.of_type
        elif self.rng.random() < 0.3:
            return None
        if isinstance(type_, GraphQLList):
            return []
        if isinstance(type_, GraphQLInputObjectType):
            if type_.is_one_of:
                return {"id": "1"}
            return {n: self.input(f.type) for n, f in type_.fields.items() if isinstance(f.type, GraphQLNonNull)}
        return self.required(type_)


def response(rng, schema, document, name):
    """The data that a server could return."""
    values = Values(rng)
    document = visit(document, Delivery(rng))
    operation = next(d for d in document.definitions if getattr(d, "operation", None) and d.name.value == name)
    variables = {}
    for variable in operation.variable_definitions or ():
        type_ = type_from_ast(schema, variable.type)
        if isinstance(type_, GraphQLNonNull) and not variable.default_value:
            variables[variable.variable.name.value] = values.input(type_)
    def resolve(_source, info, **_):
        return values.output(info.return_type)
    def resolve_type(_value, _info, abstract):
        return rng.choice([t.name for t in schema.get_possible_types(abstract)])
    result = execute(
        schema, document, {}, variable_values=variables, operation_name=name, field_resolver=resolve, type_resolver=resolve_type)
    return result.data if not result.errors else None


def documents(rng, schema, core, prefix, count):
    """Valid documents with named definitions."""
    found = []
    for number in range(count * 20):
        if len(found) == count:
            break
        text = generate.Document(rng, schema, 0).text
        try:
            parsed = parse(text)
        except Exception:
            continue
        if validate(core, parsed):
            continue
        parsed = visit(parsed, Renaming(f"{prefix}D{number}"))
        found.append(print_ast(parsed))
    return found


def generated_by(generator, root, output, options):
    return subprocess.run(
        [generator, "--schema", root / "schema.graphqls", "--operations", root / "operations", "--output", output, "--scalar", "Date=String",
         "--trusted-documents", root / "documents.json", *options],
        capture_output=True, text=True)


def make(generator, folder, schemas=10, count=10, seed=1):
    folder = pathlib.Path(folder)
    generated = folder / "Generated"
    shutil.rmtree(generated, ignore_errors=True)
    generated.mkdir(parents=True)
    lines, cases, fields, code = [], [], [0, 0], [0, 0]
    for number in range(schemas):
        rng = random.Random(seed * 1_000_003 + number)
        schema = generate.Schema(rng)
        prefix, readable = f"S{number}", number % 2
        own = lambda text: re.sub(r"\b(E|In)(\d+)\b", rf"{prefix}\1\2", text)
        core = build_schema(schema.sdl)
        texts = [own(text) for text in documents(rng, schema, core, prefix, count)]
        with tempfile.TemporaryDirectory() as temporary:
            root = pathlib.Path(temporary)
            (root / "schema.graphqls").write_text(own(schema.sdl))
            (root / "operations").mkdir()
            for index, text in enumerate(texts):
                (root / "operations" / f"{index}.graphql").write_text(text)
            # The generator's validator is stricter in the points that known.py names.
            while (result := generated_by(
                    generator, root, generated / prefix, ["--json-readable"] if readable else [])).returncode:
                refused = set(re.findall(r"(\d+\.graphql):\d+", result.stdout + result.stderr))
                if not refused:
                    sys.exit(f"{own(schema.sdl)}\n{result.stdout}{result.stderr}")
                print("refused:", (result.stdout + result.stderr).strip())
                for name in refused:
                    (root / "operations" / name).unlink()
                    texts[int(name.split(".")[0])] = "{ a }"
            sent = json.loads((root / "documents.json").read_text())
        core = build_schema(own(schema.sdl))
        # Documents are executed without incremental delivery.
        executed = build_schema("\n".join(line for line in own(schema.sdl).splitlines() if not re.match("directive @(defer|stream)", line)))
        for text in sent.values():
            document = parse(text)
            errors = validate(core, document)
            if errors:
                sys.exit(f"not valid: {text}\n{errors}")
            operation = next(d for d in document.definitions if getattr(d, "operation", None))
            name, kind = operation.name.value, operation.operation.value
            cases.append(f'        Case("{name}", {name}{kind.capitalize()}.self),')
            visitor = Counter()
            visit(document, visitor)
            for _ in range(8):
                data = response(rng, executed, document, name)
                if data is not None:
                    lines.append(json.dumps({"operation": name, "data": data}))
        for text in texts:
            visitor = Counter()
            visit(parse(text), visitor)
            fields[readable] += visitor.fields
        code[readable] += sum(code_lines(path) for path in (generated / prefix).glob("*.swift"))
    (generated / "Cases.swift").write_text("extension Case {\n    static let all: [Case] = [\n" + "\n".join(cases) + "\n    ]\n}\n")
    (folder / "responses.jsonl").write_text("\n".join(lines) + "\n")
    print(f"{schemas} schemas, {len(cases)} operations, {len(lines)} responses")
    for name, selected, written in zip(["synthesized", "--json-readable"], fields, code):
        print(f"{name}: {selected} selected fields, {written} lines, {written / max(selected, 1):.2f} for each field")


class Counter(Visitor):
    def __init__(self):
        super().__init__()
        self.fields = 0

    def enter_field(self, *_):
        self.fields += 1


def code_lines(path):
    """The lines of an operation or fragment that are neither empty nor comments. Enums and input objects of the schema do not count."""
    if "from the schema" in path.read_text().splitlines()[0]:
        return 0
    return sum(1 for line in path.read_text().splitlines() if line.strip() and not line.strip().startswith("//"))


def leaves(value, found, types):
    if isinstance(value, dict):
        for key, member in value.items():
            if key != "__typename":
                leaves(member, found, types)
    elif isinstance(value, list):
        for member in value:
            leaves(member, found, types)
    elif isinstance(value, str) or isinstance(value, (int, float)) and not isinstance(value, bool):
        found.add(str(value))
    return found


def check(program, folder):
    lines = (pathlib.Path(folder) / "responses.jsonl").read_text()
    result = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    outputs, inputs, failures = result.stdout.splitlines(), lines.splitlines(), 0
    if len(outputs) != len(inputs):
        sys.exit(f"{len(inputs)} responses, {len(outputs)} results")
    is_type = re.compile(r"(I|O|U)\d+$|Query$|Mutation$|Subscription$|__\w+$").match
    for line, output in zip(inputs, outputs):
        given, output = json.loads(line), json.loads(output)
        expected = {leaf for leaf in leaves(given["data"], set(), None) if not is_type(leaf)}
        decoded = {leaf for leaf in output["leaves"] if not is_type(leaf)}
        if output.get("error") or expected != decoded:
            failures += 1
            if failures < 6:
                print(given["operation"], output.get("error"), "missing:", sorted(expected - decoded), "more:", sorted(decoded - expected))
                print("   ", line)
    print(f"{len(inputs)} responses, {failures} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], sys.argv[3], *map(int, sys.argv[4:]))
    else:
        check(sys.argv[2], sys.argv[3])
