internal import MartletConformance
package import MartletEssentials

/// One text, coded by the reference tools.
package enum CodedSamples {
    package static let text = Data(String(repeating: "All human beings are born free and equal. ", count: 20).utf8)

    /// The value of `Content-Encoding`, and the bytes.
    package static let all: [(name: String, bytes: Data)] = [
        ("gzip", gzip), ("x-gzip", gzip), ("GZip", gzip),
        ("deflate", data("eNpzzMlRyCjNTcxTSErNzEsvVkgsSlVIyi/KU0grSk1VSMxLUUgtLE3M0VNwHFU5qnJUJQ6VANQuJag=")),
        ("deflate", data("c8zJUcgozU3MU0hKzcxLL1ZILEpVSMovylNIK0pNVUjMS1FILSxNzNFTcBxVOapyVCUOlQA=")),
        ("br", data("oTgagKwIld5BYWxyYAMO2AsstwXhQpTMnDzLoSLKtwgCetKPDQ==")),
        ("zstd", zstd),
        (
            "gzip, gzip",
            data(
                "H4sIAAAAAAACA5Pv5mAAASbm4jMnA09onPU9E+zhdfaMt36Yh45XqMcp/VPBHtpevqEeZ7wDPXR1fM9cDC6QCbVcVRSiyjeVYfH6Y089mBkYABY3i25HAAAA")
        ),
    ]

    package static let gzip = data("H4sIAAAAAAACA3PMyVHIKM1NzFNISs3MSy9WSCxKVUjKL8pTSCtKTVVIzEtRSC0sTczRU3AcVTmqclQlDpUAo6/G5UgDAAA=")
    package static let zstd = data(
        "KLUv/WRIAp0BAKQCQWxsIGh1bWFuIGJlaW5ncyBhcmUgYm9ybiBmcmVlIGFuZCBlcXVhbC4gAQDa2CpVBlKI2TM=")

    /// Eighty million zeros, gzipped twice.
    package static let bomb = data(
        "H4sIAAAAAAACA+3coU6CURjH4YPfF5AN0GAywGVY2KBYLM5pdkaD1wCbc2OjeCcU6LgZvAO1eQFgMJhU9PvuwvM+Tzr5jf+d/XqzZqrsFOuHRu"
            + "PvMbn/mb83WwkAAADI3OT1tqjGgNTfPh+fXgAAAAC5u+p2ynoU+Lo8HDkHAAAAZO9ucLRX/xD4GN+UzgEAAADZO/h8G9ZbwNN2uX/uHgAAAJC9"
            + "F8EAAAAACEUwAAAAAGIRDAAAAIBYBAMAAAAgGMEAAAAAiEUwAAAAAGIRDAAAAIBYBAMAAAAgGMEAAAAAiEUwAAAAAGIRDAAAAIBYBAMAAAAgGM"
            + "EAAAAAiOW629mttoDye7xpFwkAAAD+qdXobHEyTYvH8hfSx5sy0y8BAA==")
    package static let bombSize = 80_000_000

    /// Units of raw deflate, each the content of the next, that can be repeated any number of times: the two of `WastefulDeflate`, and 925
    /// bytes that expand to the second one, 200 times.
    package static let wasteful = [
        WastefulDeflate.unit,
        WastefulDeflate.codedUnits,
        data(
            "7NK/K4RxHMDxZ8BmushgYZDLIFfIZriu1A3q8h+4QZ1CGQxYbhEGXOqZ1Q1MrugGSVm4QWditV9RRFmO7jmDumKkXtOnvr/6vutVqx53JqeDoLp+"
                + "W7qcGSsPzveNXHSNb6aWNibuJ4c6yu351OJ298lNMLwSO1uu7T5tHbzW31ffznsOc+Hpy97dY+mhmFvLL/QepcNEtj9TTM9WCvHPESZ2opGtJKNR"
                + "iMeiER3aaC5mBr4Ww6vmzcY7jd25qZbL3+62fr7FH354J9rd/8XXJP6HxOvR57YgqNdrkEMOOeSQQw65RMgJkAg5ARIhJ0Ai5ARIhJwAyCGHHHLI"
                + "IYcccomQEyARcgIkQk6ARMgJkAg5AZBDDjnkkEuEnACJkBMgEXICJEJOgETICZAIOQGQQw455JBLhJwAiZATIBFyAiRCToBEyAmQCDnkkEMOOeSQ"
                + "S4ScAImQEyARcgIkQk6ARMgJgBxyyCGHHHLIIZcIOQESISdAIuQESIScAImQEwA55JBDDjnkkEMuEXICJEJOgETICZAIOQESIScAcsghhxxyyCEn"
                + "QCLkBEiEnACJkBMgEXICJEJOAOSQQw455BIhJ0Ai5ARIhJwAiZATIBFyAiRCTgDkkEMOOeQSISdAIuQESIScAImQEyARcgIghxxyyCGHHHLIJUJO"
                + "gETICZAIOQESISdAIuQEQA455JBDDjnkkEuEnACJkBMgEXICJEJOgETICYAccsghhxxyyCGXCDkBEiEnQCLkBEiEnACJkBMAOeSQQw65RMgJkAg5"
                + "ARIhJ0Ai5ARIhJwAiZATADnkkEMOuUTICZAIOQESISdAIuQESIScAImQQw455JBDDrlEyAmQCDkBEiEnQCLkBEiEnADIIYcccsghhxxyiZATIBFy"
                + "AiRCToBEyAmQCDkBkEMOOeSQQw455BIhJ0Ai5ARIhJwAiZATIBFyAiCHHHLIIYcccgIkQk6ARMgJkAg5ARIhJ0Ai5ARADjnkkEMuEXICJEJOgETI"
                + "CZAIOQESISdAIuQEQA455JBDLhFyAiRCToBEyAmQCDkBEiEnAHLIIYcccsghh1wi5ARIhJwAiZATIBFyAiRCTgDkkEMOOeSQQw65RMgJkAg5ARIh"
                + "J0Ai5ARIhJwAyCGHHHLIIYcccomQEyARcgIkQk6ARMgJkAg5AZBDDjnkkEuEnACJkBMgEXICJEJOgETICZAIOQGQQw455JBLhJwAiX8J+QcAAAD/"
                + "/w=="),
    ]

    /// The start of a zstd frame that needs a window of 128 MiB.
    package static let wideZstd = data("KLUv/aQAWmICTAAACAABAPz/ORACAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQAAIAEAACABAAAgAQ")

    /// A gzip member with stored blocks (RFC 1951 §3.2.4). `checksum` replaces its correct checksum.
    package static func storedGzip(_ content: Data, fileName: String? = nil, checksum: UInt32? = nil) -> Data {
        var data = Data([0x1F, 0x8B, 8, fileName == nil ? 0 : 8, 0, 0, 0, 0, 0, 255])
        if let fileName { data += Data(fileName.utf8) + [0] }
        func append(_ number: some FixedWidthInteger) { withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) } }
        var rest = content[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            data.append(rest.isEmpty ? 1 : 0)
            append(UInt16(block.count))
            append(~UInt16(block.count))
            data.append(block)
        } while !rest.isEmpty
        append(checksum ?? crc32(content))
        append(UInt32(truncatingIfNeeded: content.count))
        return data
    }

    /// Returns the bytes repeated. With `joined()`, each byte would cost a call in a debug build.
    package static func repeated(_ bytes: Data, _ count: Int) -> Data {
        var all = Data(capacity: bytes.count * count)
        for _ in 0..<count { all.append(bytes) }
        return all
    }

    private static func crc32(_ data: Data) -> UInt32 {
        var sum = UInt32.max
        for byte in data { sum = crcTable[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
        return ~sum
    }

    private static let crcTable: [UInt32] = (0..<256).map { index in
        var sum = UInt32(index)
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        return sum
    }

    static func data(_ text: String) -> Data { Data(base64Encoded: text) ?? Data() }
}
