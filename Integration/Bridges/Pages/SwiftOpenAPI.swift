import Foundation
import OpenAPIRuntime

// What the generator writes, as far as the program of the page "SwiftOpenAPI" uses it. scripts/bridges compiles both together.

struct Client {
    struct Input {
        struct Path {
            let id: String
        }

        let path: Path
    }

    enum Output {
        case ok(String)
        case undocumented(statusCode: Int, UndocumentedPayload)
    }

    init(serverURL: URL, transport: any ClientTransport) {}

    func getBird(_ input: Input) async throws -> Output { .ok(input.path.id) }
}
