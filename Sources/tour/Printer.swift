import FoundationEssentials
import Martlet

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Prints the tour line by line, with colours on a terminal.
struct Printer: Sendable {
    enum Style: String, Sendable {
        case title = "\u{1B}[1m"
        case asked = "\u{1B}[36m"
        case good = "\u{1B}[32m"
        case bad = "\u{1B}[31m"
        case plain = ""
    }

    /// Whether the output is a terminal, which shows colours and a moving progress bar.
    let isTerminal: Bool
    private let write: @Sendable (String) -> Void

    init(isTerminal: Bool, write: @escaping @Sendable (String) -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Returns a printer to standard output.
    static var standard: Printer {
        let isTerminal = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
        return Printer(isTerminal: isTerminal) { text in
            Array(text.utf8).withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    let written = Glue.write(UnsafeRawBufferPointer(rebasing: rest))
                    guard written > 0 else { return }
                    rest = rest.dropFirst(written)
                }
            }
        }
    }

    func title(_ text: String) { line(text, .title) }
    func asked(_ text: String) { line("  → \(text)", .asked) }
    func got(_ text: String) { line("  ← \(text)", .plain) }
    func good(_ text: String) { line("  ✓ \(text)", .good) }
    func bad(_ text: String) { line("  ✗ \(text)", .bad) }

    func line(_ text: String, _ style: Style = .plain) {
        write(isTerminal && style != .plain ? "\(style.rawValue)\(text)\u{1B}[0m\n" : text + "\n")
    }

    /// Prints a progress bar. On a terminal it is redrawn in place; otherwise only the full bar is printed.
    func progress(_ done: Int64, of total: Int64) {
        let isFull = done >= total
        guard isTerminal || isFull else { return }
        let width = 30
        let filled = total > 0 ? Int(min(done, total) * Int64(width) / total) : 0
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
        let text = "  [\(bar)] \(done / 1024) of \(total / 1024) KiB"
        write(isTerminal ? "\r\(text)\(isFull ? "\n" : "")" : text + "\n")
    }
}

private enum Glue {
    static func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(STDOUT_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }
}
