internal import MartletEssentials

/// Content codings (RFC 9110 §8.4).
enum CodingCases {
    static let all = [
        Case("codings.gzip", "The coding gzip is requested and decoded, and truncated or corrupt data is an error (RFC 9110 §8.4.1.3)") {
            try await coding($0, .gzip)
        },
        Case(
            "codings.deflate",
            "The coding deflate with a zlib wrapper is decoded, and truncated or corrupt data is an error (RFC 9110 §8.4.1.2)"
        ) {
            try await coding($0, .deflate)
        },
        Case(
            "codings.raw-deflate",
            "The coding deflate without a wrapper is decoded too, and truncated or corrupt data is an error (RFC 1951)"
        ) {
            try await coding($0, .rawDeflate)
        },
        Case("codings.brotli", "The coding br is requested and decoded, and truncated or corrupt data is an error (RFC 7932)") {
            try await coding($0, .brotli)
        },
        Case("codings.zstd", "The coding zstd is requested and decoded, and truncated or corrupt data is an error (RFC 8878)") {
            try await coding($0, .zstd)
        },
        Case("codings.unknown", "A response in an unknown coding keeps its status and its coded body (RFC 9110 §8.4)", unknown),
        Case("codings.own", "A request with its own Accept-Encoding gets the body coded (RFC 9110 §12.5.3)", own),
        Case("codings.bomb", "A body that expands beyond the limit is an error at the limit", bomb),
        Case(
            "codings.without-content",
            "Responses to HEAD, 204 and 304 may name a coding although they have no body to decode (RFC 9110 §8.4)", withoutContent),
    ]

    static func coding(_ context: CaseContext, _ sample: CodedSample) async throws {
        for delivery in BodyDelivery.both {
            for isChunked in [false, true] {
                let subject = "\(delivery.words)\(isChunked ? ", in chunks" : "")"
                try await good(context, sample, delivery: delivery, isChunked: isChunked, subject: subject)
                guard context.options.capabilities.contains(sample.capability) else { continue }
                let cuts = [(sample.bytes.count / 2, "half"), (sample.bytes.count - 1, "all but a byte")]
                for (count, words) in cuts {
                    let outcome = try await outcome(
                        context, sample.coding, Data(sample.bytes.prefix(count)), delivery, isChunked: isChunked)
                    context.expect("\(subject), \(words) of it", outcome, fails: .invalidResponse)
                }
                let outcome = try await outcome(context, sample.coding, sample.corrupted, delivery, isChunked: isChunked)
                context.expect("\(subject), garbled", outcome, fails: .invalidResponse)
            }
        }
    }

    private static func good(
        _ context: CaseContext, _ sample: CodedSample, delivery: BodyDelivery, isChunked: Bool, subject: String
    ) async throws {
        let server = try await context.serve(reply(sample.coding, sample.bytes, isChunked: isChunked))
        let outcome = await context.exchange(try context.request(server, delivery: delivery))
        let isUndone = context.options.capabilities.contains(sample.capability)
        let asked = server.requests.first?.headers[.acceptEncoding] ?? ""
        let names = asked.split(separator: ",").map { $0.prefix { $0 != ";" }.filter { $0 != " " } }
        context.expect("\(subject), whether Accept-Encoding asks for it", names.contains(sample.coding), is: isUndone)
        let body = isUndone ? CodedSample.text : sample.bytes
        guard let answer = context.expect(subject, outcome, body: body) else { return }
        context.expect("\(subject), Content-Encoding", answer.headers.values(for: .contentEncoding), is: isUndone ? [] : [sample.coding])
        context.expect("\(subject), whether the metadata says that a coding was decoded", answer.wasContentCoded, is: isUndone)
        let length = isUndone || isChunked ? [] : ["\(sample.bytes.count)"]
        context.expect("\(subject), Content-Length", answer.headers.values(for: .contentLength), is: length)
    }

    private static func reply(_ coding: String, _ bytes: Data, isChunked: Bool) -> MockReply {
        let reply = MockReply.data(bytes, headers: ["Content-Encoding": coding])
        return isChunked ? reply.chunked(7) : reply
    }

    private static func outcome(
        _ context: CaseContext, _ coding: String, _ bytes: Data, _ delivery: BodyDelivery, isChunked: Bool
    ) async throws -> Outcome {
        let server = try await context.serve(reply(coding, bytes, isChunked: isChunked))
        return await context.exchange(try context.request(server, delivery: delivery))
    }

    static func unknown(_ context: CaseContext) async throws {
        for delivery in BodyDelivery.both {
            let outcome = try await outcome(context, "frob", Data("as it is".utf8), delivery, isChunked: false)
            let answer = context.expect(delivery.words, outcome, body: Data("as it is".utf8))
            context.expect("\(delivery.words), Content-Encoding", answer?.headers.values(for: .contentEncoding) ?? [], is: ["frob"])
        }
    }

    static func own(_ context: CaseContext) async throws {
        for delivery in BodyDelivery.both {
            let server = try await context.serve(reply("gzip", CodedSample.gzip.bytes, isChunked: false))
            let request = try context.request(server, headers: [.acceptEncoding: "gzip"], delivery: delivery)
            let outcome = await context.exchange(request)
            let answer = context.expect(delivery.words, outcome, body: CodedSample.gzip.bytes)
            context.expect("\(delivery.words), Content-Encoding", answer?.headers.values(for: .contentEncoding) ?? [], is: ["gzip"])
            context.expect("Accept-Encoding", server.requests.first?.headers.values(for: .acceptEncoding) ?? [], is: ["gzip"])
        }
    }

    static func bomb(_ context: CaseContext) async throws {
        guard context.options.capabilities.contains(.gzip) else {
            let outcome = try await outcome(context, "gzip", CodedSample.bomb, .buffered, isChunked: false)
            return _ = context.expect("the coded bytes", outcome, body: CodedSample.bomb)
        }
        let server = try await context.serve { _ in reply("gzip", CodedSample.bomb, isChunked: false) }
        var request = try context.request(server)
        request.context.limits.bodyBytes = 1_000_000
        context.expect("buffered", await context.exchange(request), fails: .tooLarge(.body, limit: 1_000_000))
        context.step("reading a stream up to the limit")
        let response = try await context.transport.send(try context.request(server, delivery: .streamed))
        let outcome = await Outcome.of { () throws(HTTPError) in try await response.body.collect(upTo: 1_000_000) }
        context.expect("streamed", outcome, fails: .tooLarge(.body, limit: 1_000_000))
    }

    static func withoutContent(_ context: CaseContext) async throws {
        for (method, status) in [(HTTPMethod.head, 200), (.get, 204), (.get, 304)] as [(HTTPMethod, HTTPStatus)] {
            for delivery in BodyDelivery.both {
                let server = try await context.serve(.status(status, headers: ["Content-Encoding": "gzip"]))
                let outcome = await context.exchange(try context.request(server, method, delivery: delivery))
                context.expect("\(delivery.words) \(method), \(status.rawValue)", outcome, status: status, body: Data())
            }
        }
    }
}
