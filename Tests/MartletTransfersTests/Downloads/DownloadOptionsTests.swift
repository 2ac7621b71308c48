import Foundation
import Martlet
import MartletSystem
import MartletTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct DownloadOptionsTests {
    @Test("The waits of downloads and resumable uploads use the clock and the random numbers of the client")
    func inheritedServices() async throws {
        let time = ManualTime(), random = SeededRandom(seed: 3), folder = try Folder()
        let transport = MockTransport { request in
            switch request.method {
            case .post: .status(201, headers: [.location: "/files/1"])
            case .get:
                .stream {
                    let pieces = Locked([Data("a".utf8)])
                    return HTTPBody { () throws in
                        guard let piece = pieces.withLock({ $0.popLast() }) else {
                            throw HTTPError.networkError(NetworkFailure(.connectionLost))
                        }
                        return piece
                    }
                }
            default: .disconnect
            }
        }
        let client = HTTPClient(baseURL: URL(string: "https://api.example"), transport: transport, time: time, random: random)
        await #expect(throws: HTTPError.self) {
            try await client.download(.get("song"), to: folder.file("song.ogg"), options: .init(maxFailures: 2))
        }
        #expect(random.draws.count == 1 && time.sleeps.count == 1)
        let file = folder.file("up.bin")
        try Data("abc".utf8).write(to: file)
        await #expect(throws: HTTPError.self) {
            try await client.uploadResumably(file, to: .post("files"), options: .init(maxFailures: 2))
        }
        #expect(random.draws.count == 2 && time.sleeps.count == 2)
        #expect(time.sleeps.allSatisfy { $0 < .seconds(20) })
        // A client that maps errors uses the same clock and random numbers.
        await #expect(throws: APIError.self) {
            try await client.mappingErrors(HTTPErrorMapper()).download(
                .get("song"), to: folder.file("song.ogg"), options: .init(maxFailures: 2))
        }
        #expect(random.draws.count == 3)
    }
}
