internal import MartletGraphQL

/// A validation rule for documents (GraphQL, September 2025, §5).
///
/// The raw values are the names that graphql-js gives the rules. Its rules for `@defer` and `@stream` are included, which the specification
/// does not have yet.
@nonexhaustive public enum GraphQLRule: String, Sendable, Hashable, CaseIterable {
    /// The document can be parsed, and has only operations and fragments (§2, §5.1.1).
    case syntax = "Syntax"
    /// The document is small enough to be validated. Only those in which very many fields or fragments must be compared are not.
    case limits = "Limits"

    /// The schema has the type of the operation (§5.2.1.1).
    case knownOperationTypes = "KnownOperationTypesRule"
    /// Operations have different names (§5.2.2.1).
    case uniqueOperationNames = "UniqueOperationNamesRule"
    /// An operation without a name is the only one (§5.2.3.1).
    case loneAnonymousOperation = "LoneAnonymousOperationRule"
    /// A subscription has one root field, without `@skip` and `@include` (§5.2.4.1).
    case singleFieldSubscriptions = "SingleFieldSubscriptionsRule"

    /// The type has the selected field (§5.3.1).
    case fieldsOnCorrectType = "FieldsOnCorrectTypeRule"
    /// Fields with the same name in the response are the same field (§5.3.2).
    case overlappingFieldsCanBeMerged = "OverlappingFieldsCanBeMergedRule"
    /// A field has a selection exactly if its type has fields (§5.3.3).
    case scalarLeafs = "ScalarLeafsRule"

    /// The field or directive has the argument (§5.4.1).
    case knownArgumentNames = "KnownArgumentNamesRule"
    /// Arguments have different names (§5.4.2).
    case uniqueArgumentNames = "UniqueArgumentNamesRule"
    /// Required arguments are given (§5.4.3).
    case providedRequiredArguments = "ProvidedRequiredArgumentsRule"

    /// Fragments have different names (§5.5.1.1).
    case uniqueFragmentNames = "UniqueFragmentNamesRule"
    /// The schema has the types of fragments and variables (§5.5.1.2, §5.8.2).
    case knownTypeNames = "KnownTypeNamesRule"
    /// The type of a fragment is an object, interface or union (§5.5.1.3).
    case fragmentsOnCompositeTypes = "FragmentsOnCompositeTypesRule"
    /// Fragments are used (§5.5.1.4).
    case noUnusedFragments = "NoUnusedFragmentsRule"
    /// Spread fragments are defined (§5.5.2.1).
    case knownFragmentNames = "KnownFragmentNamesRule"
    /// Fragments do not spread themselves (§5.5.2.2).
    case noFragmentCycles = "NoFragmentCyclesRule"
    /// A fragment can apply to a value where it is spread (§5.5.2.3).
    case possibleFragmentSpreads = "PossibleFragmentSpreadsRule"

    /// A value has the expected type (§5.6.1), and the fields of its input object exist (§5.6.2) and include the required ones (§5.6.4).
    case valuesOfCorrectType = "ValuesOfCorrectTypeRule"
    /// The fields of an input object have different names (§5.6.3).
    case uniqueInputFieldNames = "UniqueInputFieldNamesRule"

    /// The schema has the directive, and allows it at its location (§5.7.1, §5.7.2).
    case knownDirectives = "KnownDirectivesRule"
    /// A directive that is not repeatable occurs once at each location (§5.7.3).
    case uniqueDirectivesPerLocation = "UniqueDirectivesPerLocationRule"
    /// The labels of `@defer` and `@stream` are different strings.
    case deferStreamDirectiveLabel = "DeferStreamDirectiveLabelRule"
    /// `@defer` and `@stream` are not at the root of a mutation or subscription.
    case deferStreamDirectiveOnRootField = "DeferStreamDirectiveOnRootFieldRule"
    /// In a subscription, `@defer` and `@stream` can be disabled by a condition.
    case deferStreamDirectiveOnValidOperations = "DeferStreamDirectiveOnValidOperationsRule"
    /// `@stream` is at a list.
    case streamDirectiveOnListField = "StreamDirectiveOnListFieldRule"

    /// Variables have different names (§5.8.1).
    case uniqueVariableNames = "UniqueVariableNamesRule"
    /// The type of a variable is an input type (§5.8.2).
    case variablesAreInputTypes = "VariablesAreInputTypesRule"
    /// Used variables are defined (§5.8.3).
    case noUndefinedVariables = "NoUndefinedVariablesRule"
    /// Variables are used (§5.8.4).
    case noUnusedVariables = "NoUnusedVariablesRule"
    /// A variable is used where its type is allowed (§5.8.5).
    case variablesInAllowedPosition = "VariablesInAllowedPositionRule"

    init(_ rule: DocumentRules.Rule) {
        self =
            switch rule {
            case .uniqueOperationNames: .uniqueOperationNames
            case .loneAnonymousOperation: .loneAnonymousOperation
            case .uniqueFragmentNames: .uniqueFragmentNames
            case .knownFragmentNames: .knownFragmentNames
            case .noFragmentCycles: .noFragmentCycles
            case .uniqueVariableNames: .uniqueVariableNames
            case .noUndefinedVariables: .noUndefinedVariables
            }
    }
}
