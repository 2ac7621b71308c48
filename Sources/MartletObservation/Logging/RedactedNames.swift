package import MartletHTTP
internal import MartletSystem

/// Names of endpoints, templates of paths and outlines of requests with their secrets masked.
///
/// They are kept, because a program has few of them, and masking one takes longer than the rest of an entry.
package enum RedactedNames {
    /// What the outline of a request depends on.
    private struct Named: Hashable {
        let method: HTTPMethod
        let origin: Origin?
        let name: String
    }

    private static let lines = Locked(BoundedMap<String, String>(limit: 500))
    private static let outlines = Locked(BoundedMap<Named, String>(limit: 500))

    /// Returns a name in one line with secrets masked.
    package static func line(_ name: String) -> String {
        if let line = lines.withLock({ $0.use(name) { $0 } }) { return line }
        let line = Redaction.line(name)
        // A name of the app may contain values.
        if name.utf8.count <= 200 { _ = lines.withLock { $0.insert(line, for: name) } }
        return line
    }

    /// Returns the method, the origin and the name of a request in one line with secrets masked.
    package static func outline(of request: HTTPRequest) -> String {
        let named = Named(method: request.method, origin: request.origin, name: request.context.endpointName)
        if let outline = outlines.withLock({ $0.use(named) { $0 } }) { return outline }
        let isKnown = HTTPConventions.isKnown(named.method)
        let method = isKnown ? named.method.rawValue : Redaction.line(named.method.rawValue, limit: 40)
        // The default name of a request is its method and the template of its path.
        let name = line(named.name.droppingPrefix(named.method.rawValue + " "))
        let parts = [method, named.origin?.description ?? "an invalid URL", name == method ? "" : name]
        let outline = Redaction.visible(parts.filter { !$0.isEmpty }.joined(separator: " "))
        if named.name.utf8.count <= 200 { _ = outlines.withLock { $0.insert(outline, for: named) } }
        return outline
    }
}

extension String {
    fileprivate func droppingPrefix(_ prefix: String) -> String { hasPrefix(prefix) ? String(dropFirst(prefix.count)) : self }
}
