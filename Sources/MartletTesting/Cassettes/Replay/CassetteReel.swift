internal import MartletEssentials

/// The entries of a recording, and which of them have been replayed.
struct CassetteReel: Sendable {
    private let exchanges: [RecordedExchange]
    /// The URL parts of each exchange.
    private let parts: [URLParts]
    private let rule: MatchingRule
    private var uses: [Int]
    /// The index of the next exchange for a rule in order.
    private var turn = 0
    /// All exchanges before this index have been used.
    private var firstUnused = 0

    init(exchanges: [RecordedExchange], rule: MatchingRule) {
        self.exchanges = exchanges
        parts = exchanges.map { URLParts($0.snapshot) }
        self.rule = rule
        uses = Array(repeating: 0, count: exchanges.count)
    }

    var count: Int { exchanges.count }

    /// The entries that were never replayed.
    var unused: [String] { exchanges.indices.filter { uses[$0] == 0 }.map { "\(exchanges[$0])" } }

    /// Returns the exchange that matches a request and marks it as used.
    mutating func next(for request: RequestSnapshot) -> Result<RecordedExchange, HTTPError> {
        let request = Found(request: request, parts: URLParts(request))
        let place = rule.isInOrder ? inTurn(request) : anywhere(request)
        guard let place else { return .failure(.invalidRequest(Explanation(report(for: request)))) }
        uses[place] += 1
        while firstUnused < uses.count, uses[firstUnused] > 0 { firstUnused += 1 }
        turn = place + 1
        if rule.repeats, turn == exchanges.count { turn = 0 }
        return .success(exchanges[place])
    }

    private struct Found {
        let request: RequestSnapshot
        let parts: URLParts
    }

    private func inTurn(_ request: Found) -> Int? {
        turn < exchanges.count && fits(turn, request) ? turn : nil
    }

    private func anywhere(_ request: Found) -> Int? {
        let unused = exchanges.indices.dropFirst(firstUnused).first { uses[$0] == 0 && fits($0, request) }
        return unused ?? (rule.repeats ? exchanges.indices.last { uses[$0] > 0 && fits($0, request) } : nil)
    }

    private func fits(_ place: Int, _ request: Found) -> Bool { comparison(place, request).fits }

    private func differences(_ place: Int, _ request: Found) -> [RequestDifference] {
        comparison(place, request).differences
    }

    private func comparison(_ place: Int, _ found: Found) -> RequestComparison {
        RequestComparison(
            recorded: exchanges[place], found: found.request, rule: rule, expectedParts: parts[place], foundParts: found.parts)
    }

    // MARK: Reports

    private func report(for request: Found) -> String {
        let used = uses.count { $0 > 0 }
        let state = "\(used) of \(count) recorded requests used, \(count - used) unused"
        let places = rule.isInOrder ? turnReport(request) : nearest(request)
        return "no recorded request matches \(request.request.line)\n\(places)\n\(state)"
    }

    private func turnReport(_ request: Found) -> String {
        guard turn < exchanges.count else {
            return exchanges.isEmpty ? "the recording is empty" : "the recording is at its end: \(exchanges[turn - 1]) was the last"
        }
        let next = "next in the recording:\n" + StubReport.text([("\(exchanges[turn])", differences(turn, request))])
        let later = exchanges.indices.dropFirst(turn + 1).first { fits($0, request) }
        let earlier = exchanges.indices.prefix(turn).last { fits($0, request) }
        guard let other = later ?? earlier else { return next }
        return next + "\n\(exchanges[other]) would match, but " + (later == nil ? "has been used" : "its turn has not come")
    }

    private func nearest(_ request: Found) -> String {
        let all = exchanges.indices.map { place -> (name: String, differences: [RequestDifference]) in
            let differences = differences(place, request)
            let use = RequestDifference(part: "use", expected: "once", found: "a further request; see MatchingRule.repeating()")
            return ("\(exchanges[place])", differences.isEmpty ? [use] : differences)
        }
        return "nearest in the recording:\n" + StubReport.text(all)
    }
}

extension RequestSnapshot {
    /// The method and URL in one line with secrets masked, including those in a URL within the query.
    var line: String {
        let address = CassetteRedaction.standard.url(url).replacing(CassetteRedaction.maskInURL, with: Redaction.mask)
        return "\(Redaction.line(method.rawValue, limit: 40)) \(Redaction.address(address))"
    }
}

extension RecordedExchange: CustomStringConvertible {
    /// A text such as `entry 3: GET https://api.example.com/users`, with secrets masked.
    package var description: String { "entry \(number): \(snapshot.line)" }

    var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url, headers: headers, body: requestBody.bytes ?? Data())
    }
}
