internal import MartletEssentials

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
