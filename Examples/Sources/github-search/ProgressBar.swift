import Foundation

/// A progress bar on standard error. It prints nothing if standard error is not a terminal, such as a file or a pipe.
struct ProgressBar {
    private let isVisible = isatty(FileHandle.standardError.fileDescriptor) == 1

    func show(_ count: Int, of expected: Int) {
        guard isVisible else { return }
        FileHandle.standardError.write(Data("\r\(ProgressBar.text(count, of: expected))".utf8))
    }

    /// Removes the bar, so that the next output begins on an empty line.
    func clear() {
        guard isVisible else { return }
        FileHandle.standardError.write(Data("\r\u{1B}[K".utf8))
    }

    /// Returns the bar as text.
    static func text(_ count: Int, of expected: Int, width: Int = 30) -> String {
        let filled = expected > 0 ? min(width, width * count / expected) : width
        return "[\(String(repeating: "#", count: filled))\(String(repeating: " ", count: width - filled))] \(count) of \(expected)"
    }
}
