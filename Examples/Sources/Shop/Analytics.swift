import Martlet

/// A failure that a user saw. It has no text of the user or of the server, which may be personal.
package nonisolated struct AnalyticsEvent: Hashable, Sendable {
    /// The screen on which it was seen.
    package let screen: String
    /// The kind of failure, such as `serverError`.
    package let reason: String
    /// The names of the form's rejected fields.
    package let fields: [String]
}

/// Records what users experience. An app passes the events to its analytics library.
package protocol Analytics {
    func record(_ event: AnalyticsEvent)
}

extension AnalyticsEvent {
    init(screen: String, error: ShopError) {
        self.screen = screen
        switch error {
        case .cancelled: (reason, fields) = ("cancelled", [])
        case .invalidFields(let errors): (reason, fields) = ("invalidFields", errors.map(\.field))
        case .soldOut: (reason, fields) = ("soldOut", [])
        case .other(let error): (reason, fields) = (error.messageKey, [])
        }
    }
}
