import Foundation
import Testing

@testable import MartletClient
@testable import MartletHTTP

@Suite(.timeLimit(.minutes(5))) struct FileFailureTests {
    @Test(
        "The system's error codes are classified by what a person can do about them",
        arguments: [
            (ENOSPC, FileFailure.Kind.diskFull), (EDQUOT, .diskFull), (EACCES, .permissionDenied), (EROFS, .permissionDenied),
            (ENOENT, .folderMissing), (ENOTDIR, .folderMissing), (EEXIST, .alreadyExists), (EFBIG, .tooLarge), (ENAMETOOLONG, .invalidName),
            (EISDIR, .invalidName), (EIO, .other),
        ])
    func kinds(code: Int32, kind: FileFailure.Kind) {
        let failure = FileFailure(code: code, path: "/f", "it can't be written")
        #expect(failure.kind == kind && failure.explanation.hasPrefix("it can't be written: "))
    }

    @Test("The description has the kind, the path in one line and the system's message; == compares kind and path")
    func texts() {
        let error = HTTPError.fileFailed(FileFailure(code: ENOSPC, path: "/f\n/x", "it can't be written"))
        #expect("\(error)".contains("diskFull") && "\(error)".contains("/f\\n/x") && "\(error)".contains("No space left"))
        #expect(error == .fileFailed(FileFailure(.diskFull, path: "/f\n/x")) && error != .fileFailed(FileFailure(.diskFull, path: "/g")))
        #expect(HTTPErrorMapper().map(error).developerText.contains("diskFull"))
    }
}
