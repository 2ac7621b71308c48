internal import MartletEssentials

/// One text in each content coding, made once by the reference tools, so that nothing is compressed at run time.
struct CodedSample: Sendable {
    static let text = Data(String(repeating: "All human beings are born free and equal. ", count: 20).utf8)

    /// How `Content-Encoding` calls it.
    let coding: String
    let words: String
    let bytes: Data
    let capability: TransportConformance.Capability

    /// With a byte turned around, which the reference tools refuse.
    var corrupted: Data {
        // Without a wrapper there is no checksum: only what tells how to decode can be seen to be wrong.
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

    /// A hundred million zeros in 118,010 bytes of gzip: a stretch of zeros that can stand any number of times. Its end is missing.
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
