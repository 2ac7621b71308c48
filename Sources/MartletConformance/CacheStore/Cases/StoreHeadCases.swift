internal import MartletEssentials

/// The heads of responses.
enum StoreHeadCases {
    static let all = [
        StoreCase("heads.whole", "The whole head is stored: status, fields byte for byte and in order, times, part and flags", whole),
        StoreCase("heads.update", "An update replaces the head of the response with the same ID and key, and keeps its body", update),
        StoreCase("heads.update-elsewhere", "An update of a response that is not stored has no effect", updateElsewhere),
    ]

    static func whole(_ context: StoreCaseContext) async throws {
        var headers: HTTPFields = ["Set-Cookie": "a=1", "ETag": "W/\"x\"", "set-cookie": "b=2", "Empty": ""]
        headers.append(nameBytes: Array("Latin".utf8)[...], valueBytes: [0xE9, 0x20, 0xFF])
        let key = CacheKey(uri: "http://birds.test/part", scope: "ada")
        let date = Date(timeIntervalSince1970: 1_600_000_000)
        let part = StoredResponse(
            id: "part", key: key, variant: CacheVariant([.init(name: "accept", value: "x")]), status: .partialContent, headers: headers,
            requestTime: date, responseTime: date + 3, part: .init(bounds: 5...9, total: 100), wasContentCoded: true, isInvalidated: true)
        let rest = StoredResponse(
            id: "rest", key: key, status: HTTPStatus(rawValue: 599), headers: [:], requestTime: date - 2e9, responseTime: date,
            part: .init(bounds: 0...0, total: nil))
        let samples = [part, rest].map { StoreSample(response: $0, body: StoreSample.bytes($0.id, 5)) }
        for sample in samples { try await context.put(sample) }
        try await context.expect("the heads", key, holds: samples)
    }

    static func update(_ context: StoreCaseContext) async throws {
        for bytes in [10, 300_000] {
            var sample = StoreSample("one", bytes: bytes)
            let neighbour = StoreSample("two", variant: CacheVariant([.init(name: "accept", value: "a")]))
            for stored in [sample, neighbour] { try await context.put(stored) }
            for (round, size) in [0, 40, 9000, 3].enumerated() {
                sample.response = changed(sample.response, ["etag": "\"\(round)\"", "x": String(repeating: "x", count: size)])
                context.step("updating \(sample)")
                try await context.store.update(sample.response)
                try await context.expect("after update \(round)", sample.key, holds: sample, neighbour)
            }
            try await context.store.removeAll()
        }
    }

    static func updateElsewhere(_ context: StoreCaseContext) async throws {
        let sample = StoreSample("one")
        let others = [StoreSample("two"), StoreSample("one", scope: "ada"), StoreSample("one", "http://birds.test/other")]
        for other in others { try await context.store.update(changed(other.response, ["x": "1"])) }
        try await context.expect("an empty store", sample.key)
        try await context.put(sample)
        for other in others { try await context.store.update(changed(other.response, ["x": "1"])) }
        try await context.expect("the response that is there", sample.key, holds: sample)
        for other in others.dropFirst() { try await context.expect("the key of an update", other.key) }
    }

    private static func changed(_ response: StoredResponse, _ headers: HTTPFields) -> StoredResponse {
        StoredResponse(
            id: response.id, key: response.key, variant: response.variant, status: response.status, headers: headers,
            requestTime: response.requestTime + 60, responseTime: response.responseTime + 60)
    }
}
