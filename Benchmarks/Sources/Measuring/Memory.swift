import Foundation

/// What the kernel says of this process's memory, in KB.
public enum Memory {
    /// What is resident now.
    public static func resident() throws -> Int { try reading("VmRSS") }
    /// The most that was resident.
    public static func peak() throws -> Int { try reading("VmHWM") }

    /// Lets the peak begin anew at what is resident now.
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
