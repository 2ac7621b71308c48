internal import MartletEssentials

/// The parameters of a GraphQL request (GraphQL over HTTP §5.1), encoded as JSON.
struct OperationPayload: Encodable, Sendable {
    /// The document's text. Nil if an ID or a hash identifies it.
    private(set) var query: String?
    /// The document's text as JSON.
    private let text: [UInt8]
    /// The document's ID.
    var documentId: String?
    var operationName: String?
    var variables: OperationInput
    var extensions: [String: JSONValue] = [:]

    enum CodingKeys: CodingKey { case query, documentId, operationName, variables, extensions }

    init(_ operation: AnyGraphQLOperation) {
        query = operation.document.text
        text = operation.document.json
        operationName = operation.operationName
        variables = operation.input
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(query, forKey: .query)
        try container.encodeIfPresent(documentId, forKey: .documentId)
        try container.encodeIfPresent(operationName, forKey: .operationName)
        if !variables.isEmpty { try container.encode(variables, forKey: .variables) }
        if !extensions.isEmpty { try container.encode(extensions, forKey: .extensions) }
    }

    /// Encodes the payload and collects its uploads. Throws `.http(.encodingFailed)` or `.invalidOperation`.
    func encoded(with encoder: any BodyEncoder) throws(GraphQLError) -> EncodedPayload {
        if let encoder = encoder as? JSONBodyEncoder, let plain = plain(encoder) { return plain }
        return try EncodedPayload(of: self, inputs: [variables], encoder)
    }

    /// Writes the text, the name and the properties of a value as variables, which is all that most payloads have. Returns nil if there is
    /// more to write, or an error. This takes 10,000 instructions less than containers.
    private func plain(_ encoder: JSONBodyEncoder) -> EncodedPayload? {
        guard query != nil, documentId == nil, extensions.isEmpty, variables.own.isEmpty, encoder.isPlain else { return nil }
        // In the order of the names, as the default encoder writes them. An array appends ten times as fast as `Data`.
        var json: [UInt8] = []
        json.reserveCapacity(text.count + 256)
        json.append(UInt8(ascii: "{"))
        if let operationName {
            guard operationName.utf8.allSatisfy(\.isNameContinue) else { return nil }
            json += Self.nameKey
            json.append(contentsOf: operationName.utf8)
            json.append(UInt8(ascii: "\""))
            json.append(UInt8(ascii: ","))
        }
        json += Self.queryKey
        json += text
        if let base = variables.base {
            let uploads = UploadCollector()
            // Other values than objects are refused, with a reason.
            guard let variables = try? UploadCollector.$current.withValue(uploads, operation: { try encoder.encode(base) }),
                variables.first == UInt8(ascii: "{"), uploads.uploads.isEmpty
            else { return nil }
            json += Self.variablesKey
            json += variables
        }
        json.append(UInt8(ascii: "}"))
        return EncodedPayload(Data(json))
    }

    private static let nameKey = Array(#""operationName":""#.utf8), queryKey = Array(#""query":"#.utf8)
    private static let variablesKey = Array(#","variables":"#.utf8)
}

/// One or several payloads as JSON, with their uploads.
struct EncodedPayload: Sendable {
    let json: Data
    /// The uploads, ordered by their paths.
    let uploads: [LocatedUpload]

    /// Creates a payload without uploads.
    fileprivate init(_ json: Data) {
        self.json = json
        uploads = []
    }

    init(of payload: some Encodable, inputs: [OperationInput], _ encoder: any BodyEncoder) throws(GraphQLError) {
        guard encoder.keepsKeys else {
            throw .invalidOperation(
                "the client's encoder converts keys, but GraphQL variables need their exact names: use an encoder without a key strategy")
        }
        let collector = UploadCollector()
        do {
            json = try UploadCollector.$current.withValue(collector) { try EncodedPayload.encode(payload, inputs, encoder) }
        } catch {
            throw .http(
                .encodingFailed(
                    Explanation(
                        "the variables could not be encoded: \(CodingPath.explain(error))",
                        context: ErrorContext(stage: .request, underlying: error))))
        }
        uploads = UploadForm.ordered(collector.uploads)
        if let place = uploads.first(where: { $0.steps.contains { $0.contains(".") } }) {
            let path = Redaction.line(place.steps.joined(separator: "."), limit: 100)
            throw .invalidOperation(Explanation("an upload cannot be below a key that contains a dot: “\(path)”"))
        }
    }

    private static func encode(_ payload: some Encodable, _ inputs: [OperationInput], _ encoder: any BodyEncoder) throws -> Data {
        func check() throws { for input in inputs { try input.check(with: encoder) } }
        guard encoder is JSONBodyEncoder else {
            try check()
            return try encoder.encode(payload)
        }
        do { return try encoder.encode(payload) } catch {
            // Martlet's encoder refuses variables that are not an object, but its error does not say so.
            try check()
            throw error
        }
    }
}

extension JSONBodyEncoder {
    /// Whether members are sorted and nothing else is set. Closures of strategies need complete coding paths.
    fileprivate var isPlain: Bool {
        guard outputFormatting == .sortedKeys, case .useDefaultKeys = keyEncodingStrategy else { return false }
        if case .custom = dateEncodingStrategy { return false }
        if case .custom = dataEncodingStrategy { return false }
        return true
    }
}

extension BodyEncoder {
    /// Whether keys are written unchanged.
    fileprivate var keepsKeys: Bool {
        switch self {
        case let encoder as JSONBodyEncoder: if case .useDefaultKeys = encoder.keyEncodingStrategy { true } else { false }
        case let encoder as JSONEncoder: if case .useDefaultKeys = encoder.keyEncodingStrategy { true } else { false }
        default: (try? JSONValue(encoding: KeyProbe(), with: self))?["operationName"] != nil
        }
    }
}

/// A value with a key that a key strategy would convert.
private struct KeyProbe: Encodable {
    let operationName = "", query = ""
}

/// How a request identifies its document.
enum DocumentForm: Sendable {
    /// The document's text.
    case text
    /// The hash of the text, which the server may not know (Apollo's automatic persisted queries).
    case hash(String)
    /// Text and hash, so that the server stores the text under the hash.
    case textAndHash(String)
    /// An ID registered with the server in advance (GraphQL over HTTP, persisted documents).
    case id(String)
}

extension OperationPayload {
    /// Creates the parameters of an operation whose document is identified by `form`. Members that the form adds replace those in
    /// `extensions`.
    init(_ operation: AnyGraphQLOperation, _ form: DocumentForm, extensions: [String: JSONValue]) {
        self.init(operation)
        self.extensions = extensions
        switch form {
        case .text: break
        case .id(let id): (query, documentId) = (nil, id)
        case .hash(let hash):
            query = nil
            self.extensions["persistedQuery"] = OperationPayload.persisted(hash)
        case .textAndHash(let hash): self.extensions["persistedQuery"] = OperationPayload.persisted(hash)
        }
    }

    private static func persisted(_ hash: String) -> JSONValue { ["version": 1, "sha256Hash": .string(hash)] }
}

/// The form of the GraphQL multipart request specification: `operations`, `map`, and the files in the order of the map.
///
/// <https://github.com/jaydenseric/graphql-multipart-request-spec>
enum UploadForm {
    /// Returns the body for operations with uploads. An upload used in several places is sent once.
    static func body(_ payload: EncodedPayload) -> RequestBody {
        var files: [GraphQLUpload] = []
        var places: [GraphQLUpload: [String]] = [:]
        for found in payload.uploads {
            if places[found.upload] == nil { files.append(found.upload) }
            places[found.upload, default: []].append(found.steps.joined(separator: "."))
        }
        var map = JSONObject()
        for (index, file) in files.enumerated() { map["\(index)"] = .array(JSONArray((places[file] ?? []).map { .string($0) })) }
        // Without content types, because some servers treat a part with one as a file.
        var parts: [MultipartPart] = [
            .text("operations", String(decoding: payload.json, as: UTF8.self)), .text("map", map.description),
        ]
        for (index, file) in files.enumerated() { parts.append(file.part("\(index)")) }
        return .multipart(parts)
    }

    /// Whether the uploads can be sent more than once.
    static func isReplayable(_ payload: EncodedPayload) -> Bool { payload.uploads.allSatisfy(\.upload.isReplayable) }

    /// Sorts uploads by their paths, list elements by index. Encoders visit members in any order, and equal operations must have equal
    /// bodies.
    static func ordered(_ uploads: [LocatedUpload]) -> [LocatedUpload] {
        uploads.sorted { left, right in left.steps.lexicographicallyPrecedes(right.steps, by: precedes) }
    }

    private static func precedes(_ left: String, _ right: String) -> Bool {
        if let left = Int(left), let right = Int(right), left != right { return left < right }
        return left < right
    }
}

extension GraphQLUpload {
    fileprivate var isReplayable: Bool { if case .body(let body) = content { body.isReplayable } else { true } }

    /// Returns the upload as a part of the form.
    fileprivate func part(_ name: String) -> MultipartPart {
        switch content {
        case .file(let url): .file(name, url, filename: filename, contentType: contentType)
        case .body(let body): .body(name, body, filename: filename, contentType: contentType ?? "application/octet-stream")
        }
    }
}
