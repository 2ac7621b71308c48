extension ContentDisposition {
    /// A name from elsewhere, made fit to be a file's name in a folder of one's own; nil when nothing is left of it.
    ///
    /// What comes before the last `/` or `\` goes; so do control characters, invisible ones and those that turn the direction of writing
    /// (`txt.exe` shown as `exe.txt`), dots at the start (hidden files, `..`), and dots and spaces at the end. Characters that some file
    /// system, or a shell, takes for something else (`: * ? " < > |`, a `-` at the start) become `_`. At most 255 bytes of UTF-8 are
    /// left, cut between two characters and before the extension. Whether a file of that name exists already is for the caller to see.
    public static func safeFilename(_ name: String) -> String? {
        var scalars = Array(name.unicodeScalars)
        if let separator = scalars.lastIndex(where: { $0 == "/" || $0 == "\\" }) { scalars.removeSubrange(...separator) }
        scalars = scalars.filter { !isUnseen($0) }.map { isSpecial($0) ? "_" : $0 }
        scalars = Array(scalars.drop { $0 == "." || $0.properties.isWhitespace })
        if scalars.first == "-" { scalars[0] = "_" }
        scalars = shortened(withoutTail(scalars))
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// The value of the field of a form's part, escaped as browsers do (WHATWG HTML, “multipart/form-data encoding algorithm”).
    package static func formData(name: String, filename: String?) -> String {
        "form-data; name=\"\(escaped(name))\"" + (filename.map { "; filename=\"\(escaped($0))\"" } ?? "")
    }

    private static func escaped(_ text: String) -> String {
        PercentEncoding.escape(text) { !"\"\r\n".utf8.contains($0) }
    }

    private static let longest = 255

    /// Cut to the length that file systems allow, with the extension kept when it is a short one.
    private static func shortened(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard bytes(name[...]) > longest else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let ending = name[dot...]
        guard dot > 0, bytes(ending) <= 32 else { return withoutTail(prefix(name, longest)) }
        return withoutTail(prefix(Array(name[..<dot]), longest - bytes(ending))) + ending
    }

    private static func prefix(_ name: [Unicode.Scalar], _ limit: Int) -> [Unicode.Scalar] {
        var left = limit
        return Array(
            name.prefix { scalar in
                left -= UTF8.width(scalar)
                return left >= 0
            })
    }

    private static func withoutTail(_ name: [Unicode.Scalar]) -> [Unicode.Scalar] {
        Array(name.reversed().drop { $0 == "." || $0.properties.isWhitespace }.reversed())
    }

    private static func bytes(_ name: ArraySlice<Unicode.Scalar>) -> Int { name.reduce(0) { $0 + UTF8.width($1) } }

    private static func isSpecial(_ scalar: Unicode.Scalar) -> Bool {
        ":*?\"<>|".unicodeScalars.contains(scalar)
    }

    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        // The two joiners are part of words in some scripts, and of emoji.
        case .format: scalar != "\u{200C}" && scalar != "\u{200D}"
        default: false
        }
    }
}
