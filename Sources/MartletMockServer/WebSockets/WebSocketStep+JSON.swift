internal import MartletEssentials
internal import MartletWebSocketProtocol

extension WebSocketStep {
    /// Receives a text message that must be JSON equal to this value, whatever the order of members. See ``expect(_:)``.
    public static func expect(json value: JSONValue) -> Self {
        Self("expect(json: \(value.line))", .expect { $0.difference(from: value, isWhole: true) })
    }

    /// Receives a text message that must be JSON that contains this value, in which objects may have more members on every level. See
    /// ``expect(_:)``.
    public static func expect(jsonContaining value: JSONValue) -> Self {
        Self("expect(jsonContaining: \(value.line))", .expect { $0.difference(from: value, isWhole: false) })
    }
}

extension WebSocketMessage {
    /// Returns how a text message differs from JSON, or nil if it does not.
    fileprivate func difference(from value: JSONValue, isWhole: Bool) -> String? {
        guard case .text(let text) = self, let found = JSONValue(comparing: Data(text.utf8)) else {
            return "expected JSON \(value.line), received \(line)"
        }
        let differences = JSONDifference.between(expected: value, found: found, isWhole: isWhole, isLiteral: true)
        return differences.isEmpty ? nil : differences.map(\.description).joined(separator: "; ")
    }
}
