"""Differences from graphql-core that are meant."""

import re


def is_known(rule, theirs, ours, schema, text):
    """Returns why only one side reports a violation of a rule, or None."""
    if rule == "Syntax" and "Syntax" in ours and re.search(r"\{\s*\}", text):
        return "graphql-core parses empty selection sets"
    if "Syntax" in ours or "Syntax" in theirs:
        # All other rules differ then.
        return None if rule == "Syntax" else "follows from a syntax error"
    if "UniqueFragmentNamesRule" in ours:
        return "of two fragments with the same name, graphql-core uses the last"
    if rule == "VariablesInAllowedPositionRule" and rule in ours and all("must not be null" in v for v in ours[rule]):
        return "graphql-core does not check variables for the only field of a required input object"
    if rule == "StreamDirectiveOnListFieldRule" and rule in theirs and "KnownDirectivesRule" in ours:
        return "graphql-core takes @stream at a fragment for one of the field around it"
    has_alias = re.search(r":\s*__typename", text)
    if rule == "OverlappingFieldsCanBeMergedRule" and rule in ours and has_alias and all('of type "String!" ' in v for v in ours[rule]):
        # SameResponseShape of §5.3.2 compares String!, the type of §4.1. graphql-core looks only among the fields of the parent type.
        return "graphql-core does not compare the type of __typename"
    if rule == "ValuesOfCorrectTypeRule" and rule in ours and "UniqueInputFieldNamesRule" in ours:
        return "of two input fields with the same name, graphql-core checks the last"
    if rule == "DeferStreamDirectiveOnRootFieldRule" and rule in ours:
        return "graphql-core looks at the first spread of a fragment only"
    has_unknown_directive = any("has no directive" in v for v in ours.get("KnownDirectivesRule", []))
    if rule in ("ValuesOfCorrectTypeRule", "VariablesInAllowedPositionRule") and rule in theirs and has_unknown_directive:
        return "graphql-core takes the arguments of an unknown directive for those of the field"
    return None
