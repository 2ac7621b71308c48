import Foundation

@testable import Martlet
@testable import MartletCache

/// Checks what a cache parses: `Cache-Control` fields from servers and response heads from a store.
enum CacheChecks {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    /// Checks the lines of `Cache-Control` fields.
    static func cacheControl(_ bytes: [UInt8]) {
        var fields = HTTPFields()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            fields.append(nameBytes: "Cache-Control".utf8, valueBytes: line)
        }
        let control = CacheControl(fields)
        promise(CacheControl(control.description) == control, "written directives parse as others: \(control)")
        for seconds in [control.maxAge, control.sharedMaxAge, control.minFresh, control.staleIfError, control.maxStale] {
            if let seconds {
                promise((.zero ... .seconds(2_147_483_648)).contains(seconds), "a directive's seconds are out of range: \(seconds)")
            }
        }
        for directive in control.directives {
            promise(
                !directive.name.isEmpty && directive.name == directive.name.lowercased(), "an invalid directive name: \(directive.name)")
            promise(!directive.isMalformed || directive.argument == nil, "a malformed directive has an argument: \(directive)")
        }
        let isLimited = control.uncachedFields.allSatisfy(\.isValid) && control.privateFields.allSatisfy(\.isValid)
        promise(isLimited, "an invalid field name: \(control)")
        promise(
            control.contains("no-cache") == (control.requiresValidation || !control.uncachedFields.isEmpty), "no-cache lost: \(control)")
        // A simple split outside quotes finds no `no-store` that the parser misses.
        if !bytes.contains(UInt8(ascii: "\"")),
            bytes.split(whereSeparator: { [0x0A, UInt8(ascii: ",")].contains($0) }).contains(Array("no-store".utf8)[...])
        {
            promise(control.forbidsStoring, "no-store lost: \(control)")
        }
        decide(
            StoredResponse(
                id: "1", key: CacheKey(uri: "http://a.example/"), status: .ok, headers: fields, requestTime: now, responseTime: now))
    }

    /// Checks a stored response head.
    static func storedResponse(_ bytes: [UInt8]) {
        guard let response = StoredResponse(encoded: Data(bytes)) else { return }
        let again = StoredResponse(encoded: response.encoded)
        promise(again == response, "an encoded head decodes as another one: \(response.id)")
        if let part = response.part {
            promise(
                part.bounds.lowerBound >= 0 && part.total.map { part.bounds.upperBound < $0 } != false, "a part outside its whole: \(part)")
        }
        promise(response.headers.firstInvalidLine == nil, "a stored header field that could not be sent")
        decide(response)
    }

    private static func decide(_ response: StoredResponse) {
        guard let url = URL(string: "http://a.example/") else { return }
        for headers: HTTPFields in [[:], [.range: "bytes=2-"], [.range: "bytes=-3", .ifRange: "\"a\""], [.cacheControl: "max-stale"]] {
            let request = HTTPRequest(url: url, headers: headers)
            for settings in [CacheSettings(), CacheSettings(isShared: true)] {
                guard case .reuse(let reuse) = CacheDecision.decide(request, stored: [response], now: now, settings: settings) else {
                    continue
                }
                let (age, lifetime) = (reuse.freshness.age, reuse.freshness.lifetime)
                promise(age >= 0 && lifetime >= 0, "a negative age or lifetime: \(age) \(lifetime)")
                promise(
                    reuse.reason != nil || age < lifetime, "a stale response is reused without a reason: age \(age), lifetime \(lifetime)")
            }
        }
    }
}
