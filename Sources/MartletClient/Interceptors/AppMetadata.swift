internal import MartletEssentials

/// The name, version and other properties of an app, which it can send in header fields. An empty string means that a property is unknown.
public struct AppMetadata: Sendable, Hashable {
    /// The app's name.
    public var name: String
    /// The marketing version, such as `2.1`.
    public var version: String
    /// The build number, such as `417`.
    public var build: String
    /// The operating system, such as `iOS`, `macOS` or `Linux`.
    public var platform: String
    /// The language and region as a language tag (RFC 5646), such as `de-DE`.
    public var locale: String

    /// Creates an app's metadata.
    ///
    /// - Parameters:
    ///   - name: The app's name.
    ///   - version: The marketing version. Default: unknown.
    ///   - build: The build number. Default: unknown.
    ///   - platform: The operating system. Default: nil, the current one.
    ///   - locale: The language and region as a language tag (RFC 5646). Default: unknown.
    public init(name: String, version: String = "", build: String = "", platform: String? = nil, locale: String = "") {
        self.name = name
        self.version = version
        self.build = build
        self.platform = platform ?? AppMetadata.thisPlatform
        self.locale = locale
    }

    /// The metadata of the running program: name, version, build, platform and language, as far as they are known.
    ///
    /// On Apple platforms the values come from the bundle and the user's preferred languages. On Linux the name is that of the executable,
    /// and the locale that of the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`). The values are read once, so that they are the same in all
    /// requests.
    public static let current: AppMetadata = {
        #if canImport(FoundationEssentials)
        let process = ProcessInfo.processInfo
        let environment = process.environment
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        return AppMetadata(name: process.processName, locale: locale.map(languageTag) ?? "")
        #else
        func entry(_ key: String) -> String? { Bundle.main.object(forInfoDictionaryKey: key) as? String }
        return AppMetadata(
            name: entry("CFBundleDisplayName") ?? entry("CFBundleName") ?? ProcessInfo.processInfo.processName,
            version: entry("CFBundleShortVersionString") ?? "", build: entry("CFBundleVersion") ?? "",
            locale: Locale.preferredLanguages.first ?? "")
        #endif
    }()

    /// The value of a `User-Agent` field (RFC 9110 §10.1.5) with the app's name, version, platform and build, such as
    /// `Birds/2.1 (Linux; build 7)`. Invalid characters in the name and the version are replaced by `-`.
    public var userAgent: String {
        let name = AppMetadata.token(name), version = AppMetadata.token(version)
        let details = [platform, build.isEmpty ? "" : "build \(build)"].map(AppMetadata.line).filter { !$0.isEmpty }
        let product = (name.isEmpty ? "App" : name) + (version.isEmpty ? "" : "/" + version)
        return details.isEmpty ? product : product + " (" + AppMetadata.escaped(details.joined(separator: "; ")) + ")"
    }

    /// Returns header fields with the known properties, such as `User-Agent`, `Accept-Language` and `X-App-Version`. The others are
    /// `X-App-Name`, `X-App-Build` and `X-App-Platform`.
    ///
    /// None of them identifies the user, so that caches share responses among versions of the app. A locale that is not a language tag is
    /// omitted. Control characters are removed from values. Characters outside ASCII are sent as UTF-8.
    ///
    /// - Parameter prefix: The prefix of the names of the app's own fields. Default: `X-App-`.
    public func fields(prefix: String = "X-App-") -> HTTPFields {
        var fields: HTTPFields = [.userAgent: userAgent]
        let language = AppMetadata.line(locale).trimmingWhitespace
        if !language.isEmpty, language.utf8.allSatisfy(AppMetadata.isPartOfLanguageTag) { fields.append(.acceptLanguage, String(language)) }
        for (suffix, value) in [("Name", name), ("Version", version), ("Build", build), ("Platform", platform)] {
            let line = AppMetadata.line(value).trimmingWhitespace
            guard !line.isEmpty else { continue }
            let name = HTTPFieldName(prefix + suffix)
            fields.append(name, String(line))
            fields.markAsHarmless(name)
        }
        return fields
    }

    private static func isPartOfLanguageTag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || Token.isAlphanumeric(byte)
    }

    /// Returns the language tag of a POSIX locale: `de-DE` for `de_DE.UTF-8@euro`. Empty for `C` and `POSIX`, which are not languages.
    static func languageTag(_ locale: String) -> String {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard name != "C", name != "POSIX", name.utf8.allSatisfy({ Token.contains($0) }) else { return "" }
        return name.split(separator: "_").joined(separator: "-")
    }

    private static var thisPlatform: String {
        #if os(macOS)
        "macOS"
        #elseif os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #else
        "Linux"
        #endif
    }

    /// Escapes the parentheses and backslashes of a comment in `User-Agent` as quoted pairs (RFC 9110 §5.6.5).
    private static func escaped(_ comment: String) -> String {
        comment.unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "(" || scalar == ")" || scalar == "\\" { text += "\\" }
            text.unicodeScalars.append(scalar)
        }
    }

    /// Returns a text as a token, with `-` for each run of invalid characters.
    private static func token(_ text: String) -> String {
        var token: [UInt8] = []
        for byte in text.utf8 {
            if Token.contains(byte) { token.append(byte) } else if token.last != UInt8(ascii: "-") { token.append(UInt8(ascii: "-")) }
        }
        let cut = token.drop { $0 == UInt8(ascii: "-") }
        return String(decoding: cut.last == UInt8(ascii: "-") ? cut.dropLast() : cut, as: UTF8.self)
    }

    /// Returns a text without the characters that are invalid in a field value.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.filter(Token.isFieldContent), as: UTF8.self)
    }
}
