import Testing

private enum SystemCalls {
    /// Each call and the only file that may make it.
    static let homes: [(call: String, file: String)] = [
        ("pthread_create(", "Sources/MartletCore/Synchronization/BackgroundThread.swift"),
        ("sigfillset(", "Sources/MartletCore/Synchronization/FaultSignals.swift"),
        ("socket(family,", "Sources/MartletCore/Synchronization/NonBlockingDescriptor.swift"),
        ("socketpair(", "Sources/MartletCore/Synchronization/NonBlockingDescriptor.swift"),
        ("accept(descriptor,", "Sources/MartletTesting/Server/Sockets/Socket.swift"),
        ("pipe(ends", "Sources/CMartletCurl/ccurl.c"),
    ]

    static func violations(in files: [String: String]) -> [String] {
        files.sorted { $0.key < $1.key }.flatMap { path, text in
            homes.filter { text.has($0.call) && $0.file != path }.map { "\(path) has \($0.call)" }
        }
    }

    /// Returns lines that open a file without the close-on-exec flag.
    static func inheritableFiles(in files: [String: String]) -> [String] {
        files.sorted { $0.key < $1.key }.flatMap { path, text in
            text.filledLines.filter { line in
                line.has("open(") && line.has("O_") && !line.has("O_CLOEXEC")
            }.map { "\(path): \($0)" }
        }
    }
}

@Suite("System calls", .timeLimit(.minutes(5)))
struct SystemCallTests {
    @Test("Threads, sockets and pipes are each created in one file, which sets signal masks and close-on-exec")
    func homes() throws {
        #expect(SystemCalls.violations(in: try Repository.files(under: "Sources", [".swift", ".c"])) == [])
        #expect(SystemCalls.violations(in: ["Sources/A/B.swift": "pthread_create(&thread, nil, entry, nil)"]).count == 1)
    }

    @Test("Every file is opened close-on-exec")
    func files() throws {
        #expect(SystemCalls.inheritableFiles(in: try Repository.swiftFiles(under: "Sources")) == [])
        #expect(SystemCalls.inheritableFiles(in: ["A.swift": "open(path, O_RDONLY)\nopen(path, O_RDONLY | O_CLOEXEC)"]).count == 1)
    }
}
