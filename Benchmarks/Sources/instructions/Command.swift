import Dispatch
import Foundation

/// `instructions serve`, `instructions run WORKLOAD COUNT URL [ENGINES]`, `instructions workloads`, `instructions libcurl`: see
/// `scripts/instructions`.
@main
struct Command {
    /// Waits on a semaphore, because an asynchronous `main` exits the main thread, which valgrind does not support.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        Task.detached {
            do { try await run() } catch { fatalError("\(error)") }
            end.signal()
        }
        end.wait()
    }

    private static func run() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "serve": try await Server.run()
        case "workloads": print(Workload.allCases.map(\.rawValue).joined(separator: "\n"))
        case "libcurl": print(Libcurl.version ?? "none")
        case "run" where arguments.count == 4 || arguments.count == 5:
            guard let workload = Workload(rawValue: arguments[1]), let count = Int(arguments[2]), let url = URL(string: arguments[3]) else {
                fallthrough
            }
            try await workload.run(count: count, server: url, engines: arguments.count > 4 ? Int(arguments[4]) : nil)
        default:
            print("usage: instructions serve | run WORKLOAD COUNT URL [ENGINES] | workloads | libcurl")
            exit(2)
        }
    }
}

/// The libcurl that this process would load.
private enum Libcurl {
    /// The version, such as `7.88.1`, or nil without libcurl.
    static var version: String? {
        guard let library = dlopen("libcurl.so.4", RTLD_NOW), let symbol = dlsym(library, "curl_version") else { return nil }
        let function = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
        guard let text = function().map({ String(cString: $0) }) else { return nil }
        // The text is "libcurl/7.88.1 OpenSSL/3.0.17 …".
        return text.prefix { $0 != " " }.split(separator: "/").last.map(String.init)
    }
}
