"""Random schemas and documents, with mistakes in many of them."""

import random
import re

SCALARS = ["Int", "Float", "String", "Boolean", "ID", "Date"]
LOCATIONS = ["QUERY", "MUTATION", "SUBSCRIPTION", "FIELD", "FRAGMENT_DEFINITION", "FRAGMENT_SPREAD", "INLINE_FRAGMENT", "VARIABLE_DEFINITION"]
WRONG_VALUES = [
    "1", '"s"', "null", "true", "NONE", "[]", "[1, null]", "{}", "{a: 1, zz: 2}", "{id: 1, id: 2}", "1.5", "2147483648", "RED",
]
OTHER_TOKENS = [
    "Int", "true", "1", "null", '"s"', "$v0", "F0", "O0", "I0", "name", "a", "E0", "!", "on", "[", "{", "}", "__typename",
]
NAMES = ["a", "b", "c", "d", "name", "id", "items", "node", "size"]


def named(type_):
    """The type without list and non-null."""
    return type_.replace("[", "").replace("]", "").replace("!", "")


def nullable(type_):
    return type_[:-1] if type_.endswith("!") else type_


class Schema:
    """A valid schema. Fields and arguments are dictionaries of types; arguments have a default value too, or None."""

    def __init__(self, rng):
        self.rng = rng
        self.enums = {f"E{i}": rng.sample(["RED", "GREEN", "BLUE", "UP", "DOWN"], rng.randint(1, 4)) for i in range(rng.randint(1, 2))}
        self.inputs, self.one_of = {}, set()
        self.interfaces = {f"I{i}": {} for i in range(rng.randint(0, 3))}
        self.objects = {f"O{i}": {} for i in range(rng.randint(2, 5))}
        self.roots = {"query": "Query"}
        for kind in ("mutation", "subscription"):
            if rng.random() < 0.75:
                self.roots[kind] = kind.capitalize()
        self.objects |= {name: {} for name in self.roots.values()}
        plain = [name for name in self.objects if name.startswith("O")]
        self.unions = {f"U{i}": rng.sample(plain, rng.randint(1, len(plain))) for i in range(rng.randint(0, 2))}
        self.implements = {}
        self._fill_inputs()
        self._fill_fields(plain)
        self.objects["Query"]["scalars"] = ("String", {s.lower(): (s, None) for s in SCALARS})
        self.directives = {
            f"d{i}": (self._arguments(0.5), rng.random() < 0.3, rng.sample(LOCATIONS, rng.randint(2, len(LOCATIONS)))) for i in range(2)
        }

    def _fill_inputs(self):
        names = [f"In{i}" for i in range(self.rng.randint(1, 3))]
        for i, name in enumerate(names):
            fields = {}
            for field in self.rng.sample(NAMES, self.rng.randint(1, 4)):
                # Only inputs made before may be required, so that no value is infinite.
                base = self.rng.choice(SCALARS + list(self.enums) + names)
                type_ = self._wrapped(base)
                if base in names and base not in names[:i]:
                    type_ = type_.replace("!", "")
                fields[field] = (type_, None)
            if self.rng.random() < 0.35:
                self.one_of.add(name)
                fields = {field: (nullable(type_), None) for field, (type_, _) in fields.items()} | {"id": ("ID", None)}
            self.inputs[name] = fields
        for name in names:
            if name not in self.one_of:
                for field, (type_, _) in self.inputs[name].items():
                    if named(type_) not in self.inputs and self.rng.random() < 0.3:
                        self.inputs[name][field] = (type_, self.value(type_))

    def _wrapped(self, name):
        type_ = name + self.rng.choice(["", "", "!"])
        while self.rng.random() < 0.25:
            type_ = f"[{type_}]" + self.rng.choice(["", "!"])
        return type_

    def _arguments(self, chance):
        found = {}
        if self.rng.random() < chance:
            for name in self.rng.sample(NAMES, self.rng.randint(1, 3)):
                type_ = self._wrapped(self.rng.choice(SCALARS + list(self.enums) + list(self.inputs)))
                found[name] = (type_, self.value(type_) if self.rng.random() < 0.25 else None)
        return found

    def _fields(self):
        composite = [*self.interfaces, *self.unions, *(n for n in self.objects if n.startswith("O"))]
        names = self.rng.sample(NAMES, self.rng.randint(2, 6))
        return {name: (self._wrapped(self.rng.choice(SCALARS + list(self.enums) + composite * 2)), self._arguments(0.35)) for name in names}

    def _fill_fields(self, plain):
        above = []
        for name in self.interfaces:
            self.interfaces[name] = self._fields()
            self.implements[name] = []
            if above and self.rng.random() < 0.3:
                # An interface has the fields of those that it implements.
                parent = self.rng.choice(above)
                self.implements[name] = [parent, *self.implements[parent]]
                for other in reversed(self.implements[name]):
                    self.interfaces[name] |= self.interfaces[other]
            above.append(name)
        for name in self.objects:
            fields, mine = self._fields(), []
            if name in plain:
                for interface in self.interfaces:
                    if self.rng.random() < 0.5:
                        together = [interface, *self.implements[interface]]
                        known = {f: d for i in mine for f, d in self.interfaces[i].items()}
                        new = {f: d for i in together for f, d in self.interfaces[i].items()}
                        if all(known.get(f, d) == d for f, d in new.items()):
                            mine += [i for i in together if i not in mine]
                for interface in mine:
                    fields |= self.interfaces[interface]
            self.objects[name], self.implements[name] = fields, mine

    def fields(self, name):
        return self.objects.get(name) or self.interfaces.get(name) or {}

    def composites(self):
        return [*self.objects, *self.interfaces, *self.unions]

    def possible(self, name):
        if name in self.unions:
            return set(self.unions[name])
        if name in self.interfaces:
            return {n for n in self.objects if name in self.implements[n]}
        return {name}

    def value(self, type_, variable=None, depth=0):
        """A value of a type. `variable` may return a variable in place of a part."""
        found = variable(type_) if variable else None
        if found:
            return found
        if not type_.endswith("!") and self.rng.random() < (0.08 if depth < 3 else 0.7):
            return "null"
        base = nullable(type_)
        if base.startswith("["):
            inner = base[1:-1]
            if not inner.startswith("[") and self.rng.random() < 0.2:
                return self.value(nullable(inner) + "!", variable, depth + 1)
            return "[" + ", ".join(self.value(inner, variable, depth + 1) for _ in range(self.rng.randint(0, 2))) + "]"
        if base in self.enums:
            return self.rng.choice(self.enums[base])
        if base in self.inputs:
            fields = self.inputs[base]
            if base in self.one_of:
                name = self.rng.choice(list(fields)) if depth < 3 else "id"
                return "{" + f"{name}: {self.value(fields[name][0] + '!', variable, depth + 1)}" + "}"
            given = [
                f"{name}: {self.value(field, variable, depth + 1)}" for name, (field, default) in fields.items()
                if (field.endswith("!") and default is None) or self.rng.random() < (0.6 if depth < 3 else 0)
            ]
            return "{" + ", ".join(given) + "}"
        return self.rng.choice({
            "Int": ["0", "1", "-7", "2147483647"], "Float": ["1.5", "2", "-1e3"], "String": ['"x"', '""', '"""b"""'],
            "Boolean": ["true", "false"], "ID": ["4", '"i"'], "Date": ['"2026-11-27"', "12", "[1, {a: 2}]", "NOW"],
        }[base])

    def _text(self, arguments):
        if not arguments:
            return ""
        return "(" + ", ".join(f"{n}: {t}" + (f" = {d}" if d is not None else "") for n, (t, d) in arguments.items()) + ")"

    @property
    def sdl(self):
        lines = ["scalar Date"]
        lines.append("schema { " + " ".join(f"{kind}: {name}" for kind, name in self.roots.items()) + " }")
        lines += [f"enum {name} {{ {' '.join(values)} }}" for name, values in self.enums.items()]
        for name, fields in self.inputs.items():
            text = " ".join(f"{n}: {t}" + (f" = {d}" if d is not None else "") for n, (t, d) in fields.items())
            lines.append(f"input {name}{' @oneOf' if name in self.one_of else ''} {{ {text} }}")
        for word, types in (("interface", self.interfaces), ("type", self.objects)):
            for name, fields in types.items():
                mine = self.implements[name]
                text = " ".join(f"{n}{self._text(a)}: {t}" for n, (t, a) in fields.items())
                lines.append(f"{word} {name}{' implements ' + ' & '.join(mine) if mine else ''} {{ {text} }}")
        lines += [f"union {name} = {' | '.join(members)}" for name, members in self.unions.items()]
        for name, (arguments, repeatable, locations) in self.directives.items():
            lines.append(f"directive @{name}{self._text(arguments)}{' repeatable' if repeatable else ''} on {' | '.join(locations)}")
        lines.append("directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT")
        lines.append("directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD")
        return "\n".join(lines)


class Document:
    """A document that follows the types of a schema, except with the given chance at each step."""

    def __init__(self, rng, schema, mistakes):
        self.rng, self.schema, self.mistakes = rng, schema, mistakes
        self.fragments, self.variables, self.labels, self.may_use = {}, {}, 0, True
        count = rng.choice([1, 1, 1, 2, 3])
        bodies = [self._body() for _ in range(count)]
        # Variables of a fragment must be defined by each operation that spreads it.
        self.may_use = count == 1
        if self._wrong():
            self.fragments[f"F{len(self.fragments)}"] = rng.choice(schema.composites())
        texts = {}
        # A fragment may add fragments, so that the dictionary grows.
        while len(texts) < len(self.fragments):
            name = list(self.fragments)[len(texts)]
            directives = self._directives("FRAGMENT_DEFINITION", 0.08)
            texts[name] = f"fragment {name} on {self.fragments[name]}{directives} {self._selections(self.fragments[name], 2, 'FRAGMENT')}"
        parts = [self._operation(i, count, *body) for i, body in enumerate(bodies)] + list(texts.values())
        rng.shuffle(parts)
        self.text = "\n".join(parts)

    def _wrong(self):
        return self.rng.random() < self.mistakes

    def _body(self):
        """The kind, variables, directives and selections of an operation."""
        kind = self.rng.choice([*self.schema.roots] * 3 + ["query", "mutation", "subscription"])
        if kind not in self.schema.roots and not self._wrong():
            kind = "query"
        self.variables = {}
        selections = self._selections(self.schema.roots.get(kind, "Query"), 4, kind)
        return kind, self.variables, self._directives(kind.upper(), 0.08), selections

    def _operation(self, index, count, kind, variables, directives, selections):
        if self._wrong():
            variables["unused"] = (self.rng.choice(SCALARS + ["In0", "O0", "Unknown"]), None)
        definitions = []
        for name, (type_, default) in variables.items():
            if self._wrong():
                type_ = self.rng.choice(["Int", "[Int]", "String!", "O0", "Missing", nullable(type_), type_ + "!"]).replace("!!", "!")
            definitions.append(f"${name}: {type_}" + (f" = {default}" if default is not None else "") + self._directives("VARIABLE_DEFINITION", 0.03))
        if definitions and self._wrong():
            definitions.append(definitions[0])
        name = "" if count == 1 and self.rng.random() < 0.4 or self._wrong() else f" Q{0 if self._wrong() else index}"
        if kind == "query" and not name and not definitions and not directives:
            return selections
        return f"{kind}{name}{'(' + ', '.join(definitions) + ')' if definitions else ''}{directives} {selections}"

    def _variable(self, type_):
        """Sometimes returns a variable for a type."""
        if self.rng.random() > 0.12 or not self.may_use and not self._wrong():
            return None
        for name, (known, _) in self.variables.items():
            if known == type_ or self._wrong():
                return f"${name}"
        if self._wrong():
            return "$undefined"
        name, default = f"v{len(self.variables)}", None
        if type_.endswith("!") and self.rng.random() < 0.3:
            type_, default = type_[:-1], self.schema.value(type_)
        elif self.rng.random() < 0.2:
            default = self.schema.value(type_)
        self.variables[name] = (type_, default)
        return f"${name}"

    def _value(self, type_, constant=False):
        if self._wrong():
            return self.rng.choice(WRONG_VALUES)
        return self.schema.value(type_, None if constant else self._variable)

    def _arguments(self, definitions, constant=False):
        given = []
        for name, (type_, default) in definitions.items():
            is_required = type_.endswith("!") and default is None
            if (is_required and not self._wrong()) or self.rng.random() < 0.5:
                given.append(f"{name}: {self._value(type_, constant)}")
                if self._wrong():
                    given.append(given[-1])
        if self._wrong():
            given.append(f"{self.rng.choice(NAMES + ['zz'])}: 1")
        self.rng.shuffle(given)
        return f"({', '.join(given)})" if given else ""

    def _directives(self, location, chance):
        if self.rng.random() > chance + self.mistakes:
            return ""
        known = [n for n, (_, _, locations) in self.schema.directives.items() if location in locations]
        if location in ("FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT"):
            known += ["include", "skip"]
            if location != "FIELD":
                known += ["defer"]
        if self._wrong():
            known = [*self.schema.directives, "include", "defer", "stream", "deprecated", "unknown"]
        if not known:
            return ""
        text, constant = "", location == "VARIABLE_DEFINITION"
        for name in self.rng.choices(known, k=self.rng.choice([1, 1, 1, 2])) if self._wrong() else [self.rng.choice(known)]:
            text += f" @{name}"
            if name in self.schema.directives:
                text += self._arguments(self.schema.directives[name][0], constant)
            elif name in ("include", "skip"):
                text += self._arguments({"if": ("Boolean!", None)}, constant)
            elif name in ("defer", "stream"):
                text += self._incremental(constant)
        return text

    def _incremental(self, constant):
        self.labels += 1
        given = []
        if self.rng.random() < 0.5:
            given.append(f'label: "l{0 if self._wrong() else self.labels}"')
        elif self._wrong() and not constant:
            given.append(self.rng.choice(["label: $v0", "label: null", "label: A"]))
        if self.rng.random() < 0.5:
            given.append(f"if: {self._value('Boolean!', constant)}")
        return f"({', '.join(given)})" if given else ""

    def _selections(self, type_, depth, kind):
        fields, found = self.schema.fields(type_), []
        is_subscription = kind == "subscription" and not self._wrong()
        for _ in range(1 if is_subscription else self.rng.randint(1, 4)):
            choice = self.rng.random()
            if choice < 0.2 and depth > 0 and not is_subscription:
                found.append(self._inline(type_, depth, kind))
            elif choice < 0.35 and not is_subscription:
                found.append(self._spread(type_))
            elif fields and (choice < 0.93 or is_subscription):
                found.append(self._field(fields, depth))
            elif not is_subscription:
                meta = "__schema { types { name } }" if type_ == "Query" else "__typename"
                found.append(self.rng.choice(["__typename", "a: __typename", "__typename", meta]))
        if self._wrong():
            found.append(self.rng.choice(["missing", "...Missing", "a", "name", "id { a }", "... on Nowhere { a }", "... on Int { a }"]))
        return "{ " + " ".join(found or ["__typename"]) + " }"

    def _field(self, fields, depth):
        name = self.rng.choice(list(fields))
        type_, arguments = fields[name]
        is_leaf = named(type_) not in self.schema.composites()
        if not is_leaf and depth <= 0:
            return "__typename"
        alias = ""
        if self.rng.random() < self.mistakes + 0.05:
            alias = self.rng.choice(["a", "b", "name"]) + ": " if self._wrong() else f"x{self.rng.randint(0, 99)}: "
        elif arguments:
            # Fields with arguments would conflict.
            alias = f"y{self.rng.randint(0, 9999)}: " if self.rng.random() < 0.9 else ""
        directives = self._directives("FIELD", 0.06)
        if nullable(type_).startswith("[") and self.rng.random() < 0.03:
            directives += " @stream" + self._incremental(False)
        text = f"{alias}{name}{self._arguments(arguments)}{directives}"
        if is_leaf != self._wrong():
            return text
        return f"{text} {self._selections(named(type_), depth - 1, 'field')}"

    def _related(self, type_):
        possible = self.schema.possible(type_)
        related = [n for n in self.schema.composites() if self.schema.possible(n) & possible] or [type_]
        return self.rng.choice(self.schema.composites() if self._wrong() else related)

    def _inline(self, type_, depth, kind):
        inner = type_ if self.rng.random() < 0.2 else self._related(type_)
        condition = "" if inner == type_ else f" on {inner}"
        return f"...{condition}{self._directives('INLINE_FRAGMENT', 0.15)} {self._selections(inner, depth - 1, kind)}"

    def _spread(self, type_):
        possible = self.schema.possible(type_)
        known = [
            n for n, f in self.fragments.items()
            if self.schema.possible(f) & possible or self._wrong()
        ]
        name = self.rng.choice(known) if known and self._wrong() else None
        if not name:
            if len(self.fragments) > 6:
                return f"...{self.rng.choice(known)}" if known and self.rng.random() < 0.03 else "__typename"
            name = f"F{len(self.fragments)}"
            self.fragments[name] = self._related(type_)
        return f"...{name}{self._directives('FRAGMENT_SPREAD', 0.12)}"


TOKEN = re.compile(r'"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|\.\.\.|[A-Za-z_][A-Za-z_0-9]*|-?[0-9][0-9.eE+-]*|[!$&()=:@\[\]{|}]|\S')


def mutate(rng, text):
    """Changes one to three tokens."""
    tokens = TOKEN.findall(text)
    for _ in range(rng.choice([1, 1, 2, 3])):
        index = rng.randrange(len(tokens))
        what = rng.random()
        if what < 0.12:
            del tokens[index]
        elif what < 0.2:
            tokens.insert(index, tokens[index])
        elif what < 0.75:
            # A token of the same kind, so that the document is likely to be parsed.
            alike = [t for t in tokens if t[0].isalpha() == tokens[index][0].isalpha() and (t[0].isalpha() or t == tokens[index])]
            tokens[index] = rng.choice(alike or tokens)
        elif what < 0.85:
            end = min(len(tokens), index + rng.randint(1, 6))
            start = rng.randrange(len(tokens))
            tokens[start:start] = tokens[index:end]
        else:
            tokens[index] = rng.choice(OTHER_TOKENS)
        if not tokens:
            return text
    return " ".join(tokens)


def cases(seed, schemas, documents):
    """Yields SDL and documents of each schema."""
    for number in range(schemas):
        rng = random.Random(seed * 1_000_003 + number)
        schema, texts = Schema(rng), []
        for _ in range(documents):
            text = Document(rng, schema, rng.choice([0, 0, 0.003, 0.01, 0.03, 0.08])).text
            texts += [text, mutate(rng, text)]
        yield schema.sdl, texts
