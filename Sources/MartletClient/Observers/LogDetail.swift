package import MartletEssentials

/// The amount of detail that logs, spans and recordings contain about each request and error. One rule applies to all of them.
///
/// Secrets are hidden in every detail.
public enum LogDetail: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Method, origin, name of the endpoint, template of the path, status, time, the kind of a failure, and the path of a value that could
    /// not be decoded. Paths and queries, which may contain personal data, words of a server and explanations of errors are left out.
    ///
    /// The name of a request is the template of its path, `users/{}`, without the interpolated values. A path made with `Path(raw:)` is its
    /// own template: name such a request yourself. A key of a dictionary is a part of the path of a value.
    case outline
    /// Also the URL, the explanation of a failure with the start of the body, and the steps of the call if there were several attempts or
    /// something else explains the outcome: a wait for a credential, why a failed request was not sent again, a response from a cache.
    case basic
    /// Also the header fields, with credentials hidden.
    case headers
    /// Also the start of the bodies, with known secrets hidden.
    case bodies

    /// Returns whether the left value contains less detail.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// Returns the detail that a build logs: in a release build at most `maxInRelease`.
    package func permitted(upTo maxInRelease: LogDetail, isDebugBuild: Bool) -> LogDetail { isDebugBuild ? self : min(self, maxInRelease) }

    // MARK: Texts

    // An app's own words about an error or a decision may quote its server, so their secrets are masked like those of a server's words.

    /// Returns the text about an error. An outline is its kind, with the path of a value that could not be decoded.
    package func text(of error: HTTPError) -> String { self == .outline ? error.outline : Redaction.text(error.description) }

    /// Returns why a status was rejected, or an empty text if that is not shown. The start of the body is left out where the body is shown.
    package func explanation(ofStatus error: HTTPError) -> String {
        self == .outline ? "" : error.explanationOfStatus(hasBody: self < .bodies)
    }

    /// Returns why an attempt failed, or an empty text if its outcome says all that may be shown.
    package func explanation(of outcome: CallTrace.Outcome) -> String {
        if self > .outline, case .failed(let words) = outcome { Redaction.text(words) } else { "" }
    }

    /// Returns the text about the outcome of an attempt.
    package func text(of outcome: CallTrace.Outcome) -> String {
        guard case .failed(let words) = outcome else { return "\(outcome)" }
        return self == .outline ? "failed" : Redaction.text(words)
    }

    /// Returns why no credential was obtained, or nil if that is not shown.
    package func reason(of renewal: CallTrace.Renewal) -> String? {
        self == .outline ? nil : renewal.failure.map { Redaction.text($0) }
    }

    /// Returns the text of a note, or nil if the note is not shown. Notes name groups of requests, which the app chooses. An outline has
    /// only the note that a response has GraphQL errors beside data, without the words of the server.
    package func text(ofNote note: String) -> String? {
        guard self == .outline else { return Redaction.text(note) }
        return note.hasPrefix(CallTrace.errorsBesideData) ? CallTrace.errorsBesideData : nil
    }

    /// Returns the text of a step.
    package func text(of step: CallTrace.Step) -> String { Redaction.text(step.description) }

    /// Returns a URL as text, or nil if it is not shown.
    ///
    /// - Parameter url: Returns the URL. An outline does not need it, and parsing it takes longer than the rest of a span.
    package func text(of url: @autoclosure () -> URL) -> String? { self == .outline ? nil : Redaction.url(url()) }
}
