extension ContentDisposition {
    /// Returns a safe file name made from a name of an untrusted source, or nil if nothing remains of it.
    ///
    /// Removes everything up to the last `/` or `\`; control, invisible and direction-changing characters (`txt.exe` shown as `exe.txt`);
    /// dots and spaces at the start (hidden files, `..`) and at the end. Replaces characters that are special to some file system or shell
    /// (`: * ? " < > |`, and a `-` at the start) with `_`. Shortens the name to at most 255 bytes of UTF-8, before the extension. The
    /// caller must check whether a file of that name exists.
    public static func safeFilename(_ name: String) -> String? {
        var scalars = Array(name.unicodeScalars)
        if let separator = scalars.lastIndex(where: { $0 == "/" || $0 == "\\" }) { scalars.removeSubrange(...separator) }
        scalars = scalars.filter { !isUnseen($0) }.map { isSpecial($0) ? "_" : $0 }
        scalars = Array(scalars.drop { $0 == "." || $0.properties.isWhitespace })
        if scalars.first == "-" { scalars[0] = "_" }
        scalars = shortened(withoutTail(scalars))
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// Returns the `Content-Disposition` of a form's part, escaped as browsers do (WHATWG HTML, “multipart/form-data encoding algorithm”).
    static func formData(name: String, filename: String?) -> String {
        "form-data; name=\"\(escaped(name))\"" + (filename.map { "; filename=\"\(escaped($0))\"" } ?? "")
    }

    private static func escaped(_ text: String) -> String {
        PercentEncoding.escape(text) { !"\"\r\n".utf8.contains($0) }
    }

    private static let longest = 255

    /// Shortens a name to the length that file systems allow, and keeps a short extension.
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
