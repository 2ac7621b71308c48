import Foundation

@testable import Martlet
@testable import MartletTesting

/// A fuzz target: the name that `scripts/fuzz` passes, and a check that stops the process when a promise is broken.
enum FuzzTarget: String, CaseIterable {
    case events, multipart, lines
    case link, contentDisposition, contentRange, digests, httpDate, mediaType, retryAfter, cookies
    case redirect, path, address
    case har, redaction
    case graphQLDocument, graphQLIncremental
    case cacheControl, storedResponse, resp
    case jsonDecoding, jsonValues, jsonElements
    case response
    case webSocketFrames, webSocketMessages, webSocketHandshake

    func check(_ bytes: [UInt8]) {
        switch self {
        case .events: StreamChecks.events(bytes)
        case .multipart: StreamChecks.multipart(bytes)
        case .lines: StreamChecks.lines(bytes)
        case .link: FieldChecks.link(bytes)
        case .contentDisposition: FieldChecks.contentDisposition(bytes)
        case .contentRange: FieldChecks.contentRange(bytes)
        case .digests: FieldChecks.digests(bytes)
        case .httpDate: FieldChecks.httpDate(bytes)
        case .mediaType: FieldChecks.mediaType(bytes)
        case .retryAfter: FieldChecks.retryAfter(bytes)
        case .cookies: FieldChecks.cookies(bytes)
        case .redirect: AddressChecks.redirect(bytes)
        case .path: AddressChecks.path(bytes)
        case .address: AddressChecks.address(bytes)
        case .har: TextChecks.har(bytes)
        case .redaction: TextChecks.redaction(bytes)
        case .graphQLDocument: GraphQLChecks.graphQLDocument(bytes)
        case .graphQLIncremental: GraphQLIncrementalChecks.merging(bytes)
        case .resp: RedisChecks.resp(bytes)
        case .cacheControl: CacheChecks.cacheControl(bytes)
        case .storedResponse: CacheChecks.storedResponse(bytes)
        case .jsonDecoding: JSONChecks.decoding(bytes)
        case .jsonValues: JSONChecks.values(bytes)
        case .jsonElements: JSONChecks.elements(bytes)
        case .response: ResponseChecks.response(bytes)
        case .webSocketFrames: WebSocketChecks.frames(bytes)
        case .webSocketMessages: WebSocketChecks.messages(bytes)
        case .webSocketHandshake: WebSocketChecks.handshake(bytes)
        }
    }

    /// The target that this process fuzzes, named by the environment variable `MARTLET_FUZZ`.
    static let chosen: FuzzTarget = {
        let name = ProcessInfo.processInfo.environment["MARTLET_FUZZ"] ?? ""
        guard let target = FuzzTarget(rawValue: name) else {
            let names = allCases.map(\.rawValue).joined(separator: " ")
            FileHandle.standardError.write(Data("MARTLET_FUZZ must be one of: \(names)\n".utf8))
            exit(64)
        }
        return target
    }()
}

/// Checks one input. libFuzzer calls it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzTarget.chosen.check(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// Stops the process if `holds` is false, so that libFuzzer keeps the input.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError("broken promise: \(what())") }
}
