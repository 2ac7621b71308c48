import Foundation

/// A Redis or Valkey server on a free loopback port, for the example. It ends with this process, even after a crash. In production, the
/// fleet's server is used.
final class RedisProcess {
    let name: String
    let port: Int
    private let process: Process
    private let input = Pipe()

    /// Starts a server, or returns nil if no such program is installed.
    static func start() throws -> RedisProcess? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        for name in ["redis-server", "valkey-server"] {
            for folder in folders where FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
                return try RedisProcess(name, URL(fileURLWithPath: "\(folder)/\(name)"))
            }
        }
        return nil
    }

    private init?(_ name: String, _ program: URL) throws {
        self.name = name
        port = try freePort()
        process = Process()
        let output = Pipe()
        // The shell ends the server when its own input ends: in `stop()`, and when this process ends in any way.
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [
            "-c", #""$0" "$@" & exec >&-; read -r _; kill $!; wait"#, program.path,
            "--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
        ]
        process.currentDirectoryURL = FileManager.default.temporaryDirectory
        process.standardInput = input
        process.standardOutput = output
        try process.run()

        var log = ""
        while !log.contains("Ready to accept connections") {
            let bytes = output.fileHandleForReading.availableData
            guard !bytes.isEmpty else { return nil }  // it has ended, for example because another process took the port
            log += String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Ends the server. It has nothing to save.
    func stop() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Returns a port of 127.0.0.1 that nothing listens on.
private func freePort() throws -> Int {
    #if canImport(Darwin)
    let type = SOCK_STREAM
    #else
    let type = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, type, 0)
    defer { close(descriptor) }
    var address = sockaddr_in(), length = socklen_t(MemoryLayout<sockaddr_in>.size)
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return Int(UInt16(bigEndian: address.sin_port))
}
