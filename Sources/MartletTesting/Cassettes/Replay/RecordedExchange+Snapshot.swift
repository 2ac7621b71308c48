internal import MartletEssentials

extension RecordedExchange: CustomStringConvertible {
    /// A text such as `entry 3: GET https://api.example.com/users`, with secrets masked.
    package var description: String { "entry \(number): \(snapshot.line)" }

    var snapshot: RequestSnapshot {
        RequestSnapshot(method: method, url: url, headers: headers, body: requestBody.bytes ?? Data())
    }
}
