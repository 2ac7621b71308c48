import Foundation
import Martlet
import MartletCurl
import MartletSystem
import MartletTesting
import Testing

/// The bytes of a body between the app and the transport are the same memory: the transport's copy into or out of libcurl is the only one.
@Suite("CurlTransport: copies of payloads", .timeLimit(.minutes(5)))
struct PayloadCopiesTests {
    /// Records where the bytes of bodies are as the transport receives and returns them.
    private final class Recorder: Transport {
        private let transport: CurlTransport
        let sent = Locked<UInt?>(nil), received = Locked<UInt?>(nil)

        init(_ configuration: TransportConfiguration) { transport = CurlTransport(configuration) }

        func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse<HTTPBody> {
            let start = request.body?.buffered.map(PayloadCopiesTests.address)
            sent.withLock { $0 = start }
            let response = try await transport.send(request)
            let end = response.body.buffered.map(PayloadCopiesTests.address)
            received.withLock { $0 = end }
            return response
        }
    }

    private static func address(_ data: Data) -> UInt { data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) } }

    private static let payload = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) })

    @Test("The client returns the bytes where the transport received them, recycled or not", arguments: [0, 8 << 20])
    func response(limit: Int) async throws {
        let server = try await MockServer.start { _ in .data(Self.payload) }
        var configuration = TransportConfiguration()
        configuration.maxRecycledBodyBytes = limit
        let transport = Recorder(configuration)
        let client = HTTPClient(baseURL: server.url, transport: transport)
        let data = try await client.send(Request<Data>.get("x"))
        #expect(data == Self.payload)
        #expect(Self.address(data) == transport.received.withLock { $0 })
        let envelope = try await client.response(for: Request<Data?>.get("x"))
        #expect(envelope.body == Self.payload)
        #expect(envelope.body.map(Self.address) == transport.received.withLock { $0 })
        await server.stop()
    }

    @Test("The transport gets the bytes of a request where the app has them")
    func request() async throws {
        let server = try await MockServer.start { _ in .status(204) }
        let transport = Recorder(TransportConfiguration())
        let client = HTTPClient(baseURL: server.url, transport: transport)
        try await client.send(Request<EmptyResponse>.post("x", body: .data(Self.payload)))
        #expect(transport.sent.withLock { $0 } == Self.address(Self.payload))
        await server.stop()
    }

    @Test("Bodies that are kept, sliced and changed stay correct while later ones reuse memory")
    func kept() async throws {
        let server = try await MockServer.start { request in
            .data(Data(repeating: UInt8(request.target.split(separator: "/").last ?? "") ?? 0, count: 90_000))
        }
        let client = HTTPClient(baseURL: server.url, transport: CurlTransport())
        var slices: [Data] = []
        for turn in 0..<60 {
            var body = try await client.send(Request<Data>.get(Path(raw: "\(turn)")))
            #expect(body == Data(repeating: UInt8(turn), count: 90_000))
            if turn.isMultiple(of: 3) { slices.append(body[10_000..<30_000]) }
            if turn.isMultiple(of: 2) { body.append(contentsOf: [0xFF]) } else { body[5] = 0xFF }
            #expect(body.count(where: { $0 == 0xFF }) == 1)
        }
        for (index, slice) in slices.enumerated() { #expect(slice == Data(repeating: UInt8(index * 3), count: 20_000)) }
        await server.stop()
    }
}
