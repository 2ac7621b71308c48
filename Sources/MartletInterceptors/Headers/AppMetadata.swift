internal import MartletEssentials

/// Which app is asking: what does not change from request to request. An empty part is not known.
public struct AppMetadata: Sendable, Hashable {
    /// The app's name.
    public var name: String
    /// The version that people see: `2.1`.
    public var version: String
    /// The build: `417`.
    public var build: String
    /// The operating system: `iOS`, `macOS`, `Linux`.
    public var platform: String
    /// The language and region, as a language tag (RFC 5646): `de-DE`.
    public var locale: String

    /// The parts of an app's metadata; what is left out is not known, but for the platform.
    public init(name: String, version: String = "", build: String = "", platform: String? = nil, locale: String = "") {
        self.name = name
        self.version = version
        self.build = build
        self.platform = platform ?? AppMetadata.thisPlatform
        self.locale = locale
    }

    /// This program's: on Apple's platforms from its bundle and the user's languages; on Linux the name of the executable, and the locale of
    /// the environment (`LC_ALL`, `LC_MESSAGES`, `LANG`). Looked up once, so that it is the same in all requests.
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

    /// The fields that say so: `User-Agent`; `Accept-Language`, when the locale is known; and for the name, version, build and platform
    /// that are known, `X-App-Name` and so on.
    ///
    /// A locale that is no language tag is left out. Values with control characters lose them; other characters than ASCII are sent as UTF-8.
    /// - Parameter prefix: what the names of the app's own fields begin with. Default: `X-App-`.
    public func fields(prefix: String = "X-App-") -> HTTPFields {
        var fields: HTTPFields = [.userAgent: UserAgent(self).description]
        let language = UserAgent.line(locale).trimmingWhitespace
        if !language.isEmpty, language.utf8.allSatisfy(AppMetadata.isPartOfLanguageTag) { fields.append(.acceptLanguage, String(language)) }
        for (suffix, value) in [("Name", name), ("Version", version), ("Build", build), ("Platform", platform)] {
            let line = UserAgent.line(value).trimmingWhitespace
            if !line.isEmpty { fields.append(HTTPFieldName(prefix + suffix), String(line)) }
        }
        return fields
    }

    private static func isPartOfLanguageTag(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
    }

    /// The language tag of a POSIX locale: `de-DE` of `de_DE.UTF-8@euro`. Empty for `C` and `POSIX`, which are no language.
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
}
