internal import MartletEssentials

extension Date: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        let date = pointer.assumingMemoryBound(to: Date.self).pointee
        switch state.context.settings.dateEncodingStrategy {
        case .deferredToDate: try state.writeDouble(date.timeIntervalSinceReferenceDate)
        case .secondsSince1970: try state.writeDouble(date.timeIntervalSince1970)
        case .millisecondsSince1970: try state.writeDouble(date.timeIntervalSince1970 * 1000)
        case .iso8601: try writeISO8601(date, hasFraction: false, to: state)
        case .iso8601WithFractionalSeconds: try writeISO8601(date, hasFraction: true, to: state)
        case .custom(let encode): try state.writeFrame { try encode(date, $0) }
        }
    }

    private static func writeISO8601(_ date: Date, hasFraction: Bool, to state: JSONEncodingState) throws {
        guard let timestamp = ISO8601Timestamp(secondsSince2001: date.timeIntervalSinceReferenceDate, hasFraction: hasFraction) else {
            // The error has the number: `Date.description` traps for some dates far from today.
            let seconds = date.timeIntervalSinceReferenceDate
            throw state.invalid(seconds, state.openPath(), "The date is outside the years 1 to 9999 of ISO 8601.")
        }
        state.output.putTimestamp(timestamp)
    }
}

extension Data: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        let data = pointer.assumingMemoryBound(to: Data.self).pointee
        switch state.context.settings.dataEncodingStrategy {
        case .base64: data.withUnsafeBytes { state.output.putBase64($0) }
        case .deferredToData: try state.writeFrame(data.encode(to:))
        case .custom(let encode): try state.writeFrame { try encode(data, $0) }
        }
    }
}

extension URL: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        state.output.putString(pointer.assumingMemoryBound(to: URL.self).pointee.absoluteString)
    }
}

extension Decimal: DirectlyEncodable {
    static func write(at pointer: UnsafeRawPointer, to state: JSONEncodingState) throws {
        let number = pointer.assumingMemoryBound(to: Decimal.self).pointee
        if number.isNaN { throw state.invalid(number, state.openPath(), "Decimal NaN is not a JSON number.") }
        var text = number.description
        text.withUTF8 { state.output.put(UnsafeRawBufferPointer($0)) }
    }
}
