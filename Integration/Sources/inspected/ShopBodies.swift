import Foundation

/// Bodies that are made in code: an image, a drawing with a script, bytes, and a JSON of more than a megabyte.
enum ShopBodies {
    static let svg = """
        <svg xmlns='http://www.w3.org/2000/svg' width='120' height='60' onload='\(ShopServer.script)'><script>\(ShopServer.script)</script>\
        <circle cx='30' cy='30' r='28' fill='teal'/></svg>
        """

    static let export: String = {
        let items = (0..<9_000).map { #"{"id":\#($0),"name":"Item \#($0)","text":"\#(String(repeating: "x", count: 20))","tags":["a","b"],"deep":{"at":\#($0)}}"# }
        return #"{"items":[\#(items.joined(separator: ","))],"long":"\#(String(repeating: "y", count: 50_000))"}"#
    }()

    static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }) }

    /// Returns an image with a color gradient, in stored (not compressed) blocks.
    static func png(width: Int, height: Int) -> Data {
        var rows: [UInt8] = []
        for y in 0..<height {
            rows.append(0)
            for x in 0..<width { rows += [UInt8(40 + x * 150 / width), UInt8(90 + y * 120 / height), 200] }
        }
        var image = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        image += chunk("IHDR", number(UInt32(width)) + number(UInt32(height)) + [8, 2, 0, 0, 0])
        image += chunk("IDAT", stored(rows)) + chunk("IEND", [])
        return image
    }

    /// A zlib stream (RFC 1950) of stored blocks.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + 65_535), count = UInt16(end - start)
            stream += [end == bytes.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)]
            stream += bytes[start..<end]
            start = end
        }
        var low: UInt32 = 1, high: UInt32 = 0
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + number(high << 16 | low)
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> Data {
        let named = Array(type.utf8) + content
        var sum: UInt32 = .max
        for byte in named {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return Data(number(UInt32(content.count)) + named + number(~sum))
    }

    private static func number(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
}
