import Foundation
import PackageLayout

// package-targets [--products] [--documented] [--apple]: prints the names of the library targets of the package in the working folder that
// fulfil all conditions, each after those that it depends on. The standard input is the output of `swift package dump-package`.
var filters: Set<PackageLayout.Filter> = []
for argument in CommandLine.arguments.dropFirst() {
    guard argument.hasPrefix("--"), let filter = PackageLayout.Filter(rawValue: String(argument.dropFirst(2))) else {
        let names = PackageLayout.Filter.allCases.map { "[--\($0.rawValue)]" }.joined(separator: " ")
        FileHandle.standardError.write(Data("usage: package-targets \(names)\n".utf8))
        exit(64)
    }
    filters.insert(filter)
}
let layout = try PackageLayout(dump: FileHandle.standardInput.readDataToEndOfFile())
for name in layout.targets(filters, in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath)) { print(name) }
