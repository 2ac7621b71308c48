internal import MartletHTTP

/// What remains to be done by hand after an endpoint was generated: the project's checklist for new endpoints, without the finished steps.
struct Checklist {
    let plan: EndpointPlan
    let home: RepositoryHome

    var lines: [String] {
        [path, repository].compactMap { $0 } + models + [method, query, failures, observing, cache, timeout, tests].compactMap { $0 }
    }

    private var path: String? {
        let names = plan.path.placeholders.filter { $0.type == .string }.map(\.name)
        guard let first = names.first else { return nil }
        let list = names.map { "{\($0)}" }.joined(separator: ", ")
        return "Path: \(list): String. For numbers or UUIDs, write {\(first):Int} or {\(first):UUID}."
    }

    private var repository: String? {
        let requirement = RepositorySource.requirement(plan, method: home.method)
        switch home.kind {
        case .new, .complete, .none: return nil
        case .existing:
            return home.protocolName.map { "Repository: add to the protocol \($0):\n    \(requirement)" }
        case .hasMethod:
            return "Repository: it has a method \(home.method) already, which was not changed. It should be:\n    \(requirement)"
        case .unknown:
            return
                "Repository: its file has no type with a property of the type any HTTPClientProtocol that its extensions can use. Add by hand:\n    \(requirement)"
        }
    }

    // MARK: Models

    private var models: [String] {
        [(plan.responseNotes, "Response"), (plan.bodyNotes, "Body")].flatMap { notes, part in
            Notes.Kind.allCases.compactMap { kind in
                guard let paths = notes.paths[kind], part == "Body" || kind != .fractionalDate && kind != .otherKey else { return nil }
                let text = Checklist.text(of: kind)
                return "\(part): \(Checklist.list(paths)): \(text)"
            }
        } + (plan.options.isSnakeCase ? ["Client: its decoder and encoder must be .snakeCase."] : [])
    }

    private static func text(of kind: Notes.Kind) -> String {
        switch kind {
        case .repeatedMember: "occurs twice in an object; the first one counts."
        case .optional: "Optional, because a sample has no value or null. Compare with the API's documentation."
        case .anyValue: "JSONValue, because the samples have no value or values of several kinds. Give a sample with one, or choose a type."
        case .openEnum: "OpenEnum with the values of the samples. Add the other values that the API documents."
        case .dictionary: "a dictionary, because its keys look like data."
        case .double: "Double. For amounts of money, use --decimal."
        case .wideInteger: "Int beyond 32 bits, which it has on older Apple watches. For an app that runs there, write Int64."
        case .unixSeconds: unixTime("seconds", "secondsSince1970")
        case .unixMilliseconds: unixTime("milliseconds", "millisecondsSince1970")
        case .otherKey: "the encoder .snakeCase writes another name. Use JSONValue, or the coders .json for this endpoint's API."
        case .fractionalDate: "dates with fractions of a second. The encoder .json writes whole seconds."
        }
    }

    private static func unixTime(_ unit: String, _ strategy: String) -> String {
        "a number that looks like a time in \(unit) since 1970 (Unix time). If it is one and all dates of the API are written like this, "
            + "write Date, and set dateDecodingStrategy of the client's decoder to .\(strategy). The decoder .json reads ISO 8601 only."
    }

    private static func list(_ paths: [String]) -> String {
        let names = paths.prefix(6).map { $0.isEmpty ? "the document" : SourceText.shortComment($0) }
        return names.joined(separator: ", ") + (paths.count > 6 ? " and \(paths.count - 6) more" : "")
    }

    // MARK: The call

    private var method: String? {
        guard !plan.method.isIdempotent else { return nil }
        return "Idempotency: \(plan.method) is sent at most once and not retried. If the server supports Idempotency-Key, use "
            + "IdempotencyKeyInterceptor or CallOptions."
    }

    private var query: String? {
        plan.query.parameters.isEmpty ? nil : "Query: every parameter is Optional. Make required ones non-Optional, and give defaults."
    }

    private var failures: String {
        "Errors: which statuses does the API document? Set validation if others than 200 to 299 are successes, and ErrorBody if errors are "
            + "not problem details (RFC 9457). Give each one words for people in the app's ErrorMapper."
    }

    private var observing: String {
        "Logging and analytics: failures of \(plan.title) reach the client's observers. Check that one logs them (LoggingObserver) or "
            + "counts them (AnalyticsObserver), and decide which of the documented errors are expected and not reported."
    }

    private var cache: String? {
        guard plan.method == .get else { return nil }
        return "Cache: the client's cache policy applies. Set options if the data must always be fresh."
    }

    private var timeout: String { "Timeout: the client's limit applies. Set timeout if the server needs longer." }

    private var tests: String { "Tests: run them, then add one for each documented error and for each value at a limit." }
}
