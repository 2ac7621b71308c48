import Martlet

/// A failure that a user saw. It has no text of the user or of the server, which may be personal: fields that the form does not have
/// are left out.
package nonisolated struct AnalyticsEvent: Hashable, Sendable {
    /// The screen on which it was seen.
    package let screen: String
    /// The kind of failure, such as `serverError`.
    package let reason: String
    /// The form's rejected fields.
    package let fields: [Checkout.Field]
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
        case .invalidFields(let errors): (reason, fields) = ("invalidFields", errors.compactMap { Checkout.Field(rawValue: $0.field) })
        case .soldOut: (reason, fields) = ("soldOut", [])
        case .other(let error): (reason, fields) = (error.messageKey, [])
        }
    }
}
