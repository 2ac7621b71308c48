import Testing

@Suite("System calls", .timeLimit(.minutes(5)))
struct SystemCallTests {
    /// Each call and the only file that may make it.
    private let homes = [
        ("pthread_create(", "Sources/MartletSystem/Threads/BackgroundThread.swift"),
        ("sigfillset(", "Sources/MartletSystem/Threads/BackgroundThread.swift"),
        ("socket(family,", "Sources/MartletSystem/Descriptors/StreamSocket.swift"),
        ("socketpair(", "Sources/MartletSystem/Descriptors/StreamSocket.swift"),
        ("accept(descriptor,", "Sources/MartletMockServer/Sockets/StreamSocket+Listening.swift"),
    ]

    @Test("Threads, sockets and pipes are each created in one file, which sets signal masks and close-on-exec")
    func onePlace() throws {
        let files = try Repository.files(under: "Sources", [".swift", ".c"])
        for (call, home) in homes {
            #expect(files.filter { $0.value.contains(call) && $0.key != home }.keys.sorted() == [], "\(call)")
        }
    }

    @Test("Every call of open sets O_CLOEXEC")
    func closeOnExec() throws {
        for (path, text) in try Repository.files(under: "Sources") {
            for line in text.split(separator: "\n") where line.lowercased().contains("open(") && line.contains("O_") {
                #expect(line.contains("O_CLOEXEC"), "\(path): \(line)")
            }
        }
    }
}
