import Foundation

/// The memory of this process in KB, as the kernel reports it.
public enum Memory {
    /// Returns the current resident size.
    public static func resident() throws -> Int { try reading("VmRSS") }
    /// Returns the peak of the resident size.
    public static func peak() throws -> Int { try reading("VmHWM") }

    /// Resets the peak to the current resident size.
    public static func forgetPeak() throws {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        defer { close(file) }
        guard file >= 0, write(file, "5", 1) == 1 else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func reading(_ name: String) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") } ?? ""
        return Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first ?? "") ?? 0
    }
}
