package import MartletEssentials

/// One text in each content coding, compressed in advance by the reference tools.
struct CodedSample: Sendable {
    static let text = Data(String(repeating: "All human beings are born free and equal. ", count: 20).utf8)

    /// The name of the coding in `Content-Encoding`.
    let coding: String
    let words: String
    let bytes: Data
    let capability: TransportConformance.Capability

    /// The bytes with one byte inverted, which the reference tools reject.
    var corrupted: Data {
        // Without a wrapper there is no checksum, so that only an invalid block header is detected.
        let place = isChecked ? 20 : 0
        return Data(bytes.enumerated().map { $0.offset == place ? $0.element ^ 0xFF : $0.element })
    }

    private var isChecked: Bool { bytes != CodedSample.rawDeflate.bytes }

    static let gzip = CodedSample(
        coding: "gzip", words: "gzip",
        base64: "H4sIAAAAAAACA3PMyVHIKM1NzFNISs3MSy9WSCxKVUjKL8pTSCtKTVVIzEtRSC0sTczRU3AcVTmqclQlDpUAo6/G5UgDAAA=", .gzip)
    static let deflate = CodedSample(
        coding: "deflate", words: "deflate with the zlib wrapper",
        base64: "eNpzzMlRyCjNTcxTSErNzEsvVkgsSlVIyi/KU0grSk1VSMxLUUgtLE3M0VNwHFU5qnJUJQ6VANQuJag=", .deflate)
    static let rawDeflate = CodedSample(
        coding: "deflate", words: "deflate without the zlib wrapper",
        base64: "c8zJUcgozU3MU0hKzcxLL1ZILEpVSMovylNIK0pNVUjMS1FILSxNzNFTcBxVOapyVCUOlQA=", .deflate)
    static let brotli = CodedSample(coding: "br", words: "br", base64: "oTgagKwIld5BYWxyYAMO2AsstwXhQpTMnDzLoSLKtwgCetKPDQ==", .brotli)
    static let zstd = CodedSample(
        coding: "zstd", words: "zstd",
        base64: "KLUv/WRIAn0BAKJCCQ+w6yAZE921bZ5J83WTlQgE16bM8dJehF9J0Ktk5ceCL2qGdyEBANrYKlUGUojZMw==", .zstd)

    /// A hundred million zeros in 118,010 bytes of gzip without its end. A block of zeros is repeated.
    static var bomb: Data {
        var bytes = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
        for _ in 0..<1000 { bytes.append(hundredThousandZeros) }
        return bytes
    }

    private static let hundredThousandZeros =
        decoded("7MExAQAAAMKg9U9tDQ+g" + String(repeating: "A", count: 128) + "gFcDAAD//w==")

    private init(coding: String, words: String, base64: String, _ capability: TransportConformance.Capability) {
        self.coding = coding
        self.words = words
        bytes = CodedSample.decoded(base64)
        self.capability = capability
    }

    static func decoded(_ base64: String) -> Data { Data(base64Encoded: base64) ?? Data() }
}

/// Units of raw deflate that expand to much more deflate than content. A unit can be repeated any number of times.
package enum WastefulDeflate {
    /// 333 bytes that expand to 104 KB of blocks (RFC 1951 §3.2.4), with one byte of content in 61.
    package static var unit: Data {
        CodedSample.decoded("7MuxDQAgDAOw8DXXk/7AVsmLN+fk9SZpP5B" + String(repeating: "lWZZ", count: 99) + "lWZY35gEAAP//")
    }

    /// 741 bytes whose content is ``unit``, 500 times.
    package static var codedUnits: Data {
        CodedSample.decoded(
            "7NCxDURQAADQf9Gyw1U2uChtITHAFTeLRnKJOdhAKwa4BYRGcY0Wtc4AL3kTvHXskvCMo/b/+n33vhiqbJm29JPX77Lhpmx+hHAcq0yZMmUiU6ZM"
                + "ZMqUKVOmTJkykSlTpkyZMmXKRKZMmTJlypQpE5kyZcqUKVOmTGTKlIlMmTJlypQpUyYyZcqUKVOmTJnIlClTpkyZMmUiU6ZMmTJlypRpSaZMmciU"
                + "KVOmTJkyZSJTpkyZMmXKlIlMmTJlypQpUyYyZcpEpkyZMmXKlCkTmTJlypQpU6ZMZMqUKVOmTJkykSlTpkyZMmXKRKZMmciUKVOmTJkyZSJTpkyZ"
                + "MmXKlIlMmTJlypQpUyYyZcqUKVOmTJmWZMqUiUyZMmXKlClTJjJlypQpU6ZMmciUKVOmTJkyZSJTpkxkypQpU6ZMmTKRKVOmTJkyZcpEpkyZMmXK"
                + "lCkTmTJlypQpU6ZMZMqUiUyZMmXKlClTJjJlypQpU6ZMmciUKVOmTJkyZSJTpkyZMmXKlGlJpkyZyJQpU6ZMmTJlIlOmTJkyZcqUiUyZMmXKlClT"
                + "JjJlykSmTJkyZcqUKROZMmXKlClTpkxkypQpU6ZMmTKRKVOmTJkyZcpEpkyZyJQpU6ZMmTJlIlOmTJkyZcqUiUyZMmXKlClTJjJlypQpU6ZMmZZk"
                + "ypSJTJkyZcqUKVMmMmXKlClTpkyZyJQpU6ZMmTJlIlOmTGTKlClTpkyZMpEpU6ZMmTJlykSmTJkyZcqUKROZMmXKlClTpkxkypSJTJkyZcqUKVMm"
                + "MmXKlClTpkyZyJQpU6ZMmTJlIlOmTJkyZcqUaUmmTJnIlClTpkyZMmUiU6ZMmTJlypSJTJkyZcqUKVMmMmXKRKZMmTJlypQpE5kyZcqUKVOmTGTK"
                + "lClTpkyZMpEpU6ZMmTJlykSmTJnIlClTpkyZMmUiU6ZMmTJlypSJTJkyZcqUKVMmMmXKlClTpkyZlmTKlMk18wQAAP//")
    }
}
