internal import MartletEssentials

extension JSONDecodingState {
    func date(_ place: Int) throws -> Date {
        guard !isNull(place) else { throw mismatch(Date.self, place) }
        switch options.dateDecodingStrategy {
        case .deferredToDate: return try Date(from: JSONValueDecoder(state: self, place: place))
        case .secondsSince1970: return Date(timeIntervalSince1970: try double(place))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(place) / 1_000)
        case .custom(let decode): return try decode(JSONValueDecoder(state: self, place: place))
        case .iso8601:
            let entry = entry(place)
            if entry.kind == .string {
                let seconds = ISO8601Reading.seconds(index.bytes + entry.offset, index.stringLength(entry))
                if let seconds { return Date(timeIntervalSince1970: seconds) }
            }
            // Some encoders escape the plus sign.
            var text = try string(place)
            let seconds = text.withUTF8 { bytes in bytes.baseAddress.flatMap { ISO8601Reading.seconds($0, bytes.count) } }
            guard let seconds else { throw corrupted(place, "“\(text.prefix(40))” is not an ISO 8601 date") }
            return Date(timeIntervalSince1970: seconds)
        }
    }

    func data(_ place: Int) throws -> Data {
        guard !isNull(place) else { throw mismatch(Data.self, place) }
        switch options.dataDecodingStrategy {
        case .deferredToData: return try Data(from: JSONValueDecoder(state: self, place: place))
        case .custom(let decode): return try decode(JSONValueDecoder(state: self, place: place))
        case .base64:
            guard let data = Data(base64Encoded: try string(place)) else { throw corrupted(place, "The string is not valid base 64") }
            return data
        }
    }

    func url(_ place: Int) throws -> URL {
        guard !isNull(place) else { throw mismatch(URL.self, place) }
        let text = try string(place)
        guard let url = URIText(text)?.url else { throw corrupted(place, "“\(text.prefix(40))” is not a valid URL") }
        return url
    }

    /// Decodes a decimal number with the digits of the document, as far as `Decimal` can hold them.
    func decimal(_ place: Int) throws -> Decimal {
        let entry = entry(place)
        guard entry.kind == .integer || entry.kind == .number else { throw mismatch(Decimal.self, place) }
        guard let value = Decimal(string: index.numberText(entry)) else { throw notRepresentable(Decimal.self, place) }
        return value
    }
}
