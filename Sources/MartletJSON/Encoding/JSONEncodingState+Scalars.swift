extension JSONEncodingState {
    /// Writes a finite or non-conforming number at the current position.
    @inline(__always)
    func writeDouble(_ value: Double) throws {
        if value.isFinite { output.putDouble(value) } else { output.putString(try nonConforming(value) { self.openPath() }) }
    }

    @inline(__always)
    func writeFloat(_ value: Float) throws {
        if value.isFinite { output.putFloat(value) } else { output.putString(try nonConforming(value) { self.openPath() }) }
    }

    /// Returns the string for an infinite number or NaN.
    ///
    /// - Throws: `EncodingError.invalidValue` unless the strategy converts such numbers to strings.
    @inline(never)
    func nonConforming<Number: BinaryFloatingPoint>(_ value: Number, path: () -> [any CodingKey]) throws -> String {
        switch context.settings.nonConformingFloatEncodingStrategy {
        case .throw: throw invalid(value, path(), "\(Number.self) \(value) is not a JSON number.")
        case .convertToString(let positiveInfinity, let negativeInfinity, let nan):
            if value.isNaN { return nan }
            return value.sign == .minus ? negativeInfinity : positiveInfinity
        }
    }
}
