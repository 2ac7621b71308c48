import Foundation
import SnippetExtraction

// snippets OUTPUT DOCUMENT…: writes the code blocks of documents, given by paths from the current folder, as Swift files to a folder.
// The standard input has the names of the modules that the code in doc comments can use without an import, one on a line.
let arguments = CommandLine.arguments.dropFirst()
guard let output = arguments.first else {
    FileHandle.standardError.write(Data("usage: snippets OUTPUT DOCUMENT…\n".utf8))
    exit(64)
}
var modules: [String] = []
while let module = readLine() { modules.append(module) }
var blocks = 0
var hasFailed = false
for path in arguments.dropFirst() {
    do {
        let document = try Document(path: path, text: String(contentsOfFile: path, encoding: .utf8))
        blocks += document.groups.joined().count
        for file in document.files(importing: modules) {
            try file.text.write(toFile: "\(output)/\(file.name)", atomically: false, encoding: .utf8)
        }
    } catch let error as DocumentError {
        print("\(path):\(error.line): error: \(error.text)")
        hasFailed = true
    }
}
print("\(blocks) blocks of Swift in \(arguments.count - 1) files")
exit(hasFailed ? 1 : 0)
