import FoundationEssentials
import Martlet
import MartletInspector

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The command line: `swift run tour [--inspect | --break STEP]`.
@main struct Command {
    static func main() async {
        let arguments = CommandLine.arguments.dropFirst()
        let printer = Printer.standard
        var tour = Tour(printer: printer)
        if arguments == ["--inspect"] {
            tour.readThePage = { inspector in
                printer.line("\nOpen \(inspector.url.absoluteString) in a browser. Stop with Control-C.")
                while (try? await Task.sleep(for: .seconds(3_600))) != nil {}
            }
        } else if !arguments.isEmpty {
            guard arguments.count == 2, arguments.first == "--break", let name = arguments.last,
                Step.all.contains(where: { $0.name == name })
            else {
                printer.line("usage: tour [--inspect | --break STEP]\nsteps: \(Step.all.map(\.name).joined(separator: ", "))")
                exit(2)
            }
            tour.broken = name
        }
        do {
            exit(try await tour.run().isEmpty ? 0 : 1)
        } catch {
            printer.bad("the tour could not start its servers: \(error)")
            exit(1)
        }
    }
}
