"""Compares the validation of documents with that of graphql-core, rule by rule.

    python3 Integration/graphql/compare.py PROGRAM [SCHEMAS] [DOCUMENTS] [SEED]

PROGRAM is `validator` of the Integration package. Each of the random schemas gets random documents, and each document a mutation. Needs the
package `graphql-core` (PyPI, 3.3). Exits with 1 if a verdict differs.
"""

import collections
import json
import subprocess
import sys

from graphql import GraphQLSyntaxError, build_schema, parse, validate
from graphql.validation import specified_rules

import generate
from known import is_known

LIMIT = 100


class Tagged:
    """A validation context that notes which rule reports an error."""

    def __init__(self, context, name, found):
        self.__dict__.update(_context=context, _name=name, _found=found)

    def __getattr__(self, name):
        return getattr(self._context, name)

    def report_error(self, error):
        self._found.setdefault(self._name, []).append(error)


def name_of(rule):
    return rule.__name__ if rule.__name__.endswith("Rule") else rule.__name__ + "Rule"


# Only a recommendation, which servers may follow.
RULES = [rule for rule in specified_rules if rule.__name__ != "MaxIntrospectionDepthRule"]


# The rules whose violations are at the same places, and the index of the place among those of an error.
PLACES = {
    name + "Rule": index for name, index in {
        "FieldsOnCorrectType": 0, "FragmentsOnCompositeTypes": 0, "KnownArgumentNames": 0, "KnownDirectives": 0, "KnownOperationTypes": 0,
        "LoneAnonymousOperation": 0, "NoUnusedFragments": 0, "NoUnusedVariables": 0, "PossibleFragmentSpreads": 0,
        "ProvidedRequiredArguments": 0, "ScalarLeafs": 0, "StreamDirectiveOnListField": 0, "UniqueDirectivesPerLocation": 1,
        "VariablesAreInputTypes": 0, "VariablesInAllowedPosition": 1,
    }.items()
}


def has_other_places(rule, errors, violations):
    if rule not in PLACES:
        return False
    # See known.py.
    errors = [error for error in errors if "must be non-nullable" not in error.message]
    violations = [violation for violation in violations if "must not be null" not in violation]
    theirs = {(place.line, place.column) for place in (error.locations[PLACES[rule]] for error in errors)}
    return theirs != {tuple(map(int, violation.split(":")[:2])) for violation in violations}


def expected(schema, text):
    """The errors by rule."""
    try:
        document = parse(text)
    except GraphQLSyntaxError as error:
        return {"Syntax": [error]}
    found = {}
    rules = [lambda context, rule=rule: rule(Tagged(context, name_of(rule), found)) for rule in RULES]
    try:
        stopped = validate(schema, document, rules, max_errors=None)
    except AttributeError:
        # graphql-core 3.3.2 fails for `@stream` at the `__typename` of a union.
        return None
    if stopped:
        found["Limits"] = stopped
    return found


def main(program, schemas=100, documents=50, seed=1):
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    seen, different, known, invalid, total = collections.Counter(), [], collections.Counter(), 0, 0
    for sdl, texts in generate.cases(seed, schemas, documents):
        schema = build_schema(sdl)
        process.stdin.write(json.dumps({"sdl": sdl, "documents": texts}) + "\n")
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        if answer.get("error"):
            print(f"the schema is refused: {answer['error']}\n{sdl}")
            return 1
        for text, violations in zip(texts, answer["violations"]):
            theirs = expected(schema, text)
            ours = collections.defaultdict(list)
            for violation in violations:
                ours[violation["rule"]].append(violation["text"])
            if theirs is None:
                known["documents for which graphql-core fails"] += 1
                continue
            total += 1
            invalid += bool(theirs)
            if len(violations) >= LIMIT:
                continue
            seen.update(set(theirs) & set(ours))
            elsewhere = {rule for rule in set(theirs) & set(ours) if has_other_places(rule, theirs[rule], ours[rule])}
            for rule in set(theirs) ^ set(ours) | elsewhere:
                reason = is_known(rule, theirs, ours, schema, text)
                if reason:
                    known[reason] += 1
                else:
                    different.append((rule, sdl, text, theirs, dict(ours)))
    process.stdin.close()
    process.wait()
    for rule, sdl, text, theirs, ours in different[:20]:
        print(f"--- {rule}\n{sdl}\n\n{text}\n")
        for error in theirs.get(rule, []):
            print(f"theirs: {[(l.line, l.column) for l in error.locations or []]} {error.message}")
        for violation in ours.get(rule, []):
            print(f"ours: {violation}")
        print("both:", sorted(set(theirs) & set(ours)))
    for rule in ["Syntax", *map(name_of, RULES)]:
        print(f"{seen[rule]:7} {rule}")
    for reason, count in known.items():
        print(f"{count:7} {reason}")
    differences = collections.Counter(rule for rule, *_ in different)
    print(f"{total} documents with {schemas} schemas, {total - invalid} of them valid: {len(different)} differences {dict(differences)}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
