import Foundation
import Martlet

/// An exact amount. Exchanges send amounts as text, because a binary floating-point number changes them.
struct Amount: Codable, Hashable, CustomStringConvertible {
    var value: Decimal

    init(_ value: Decimal) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer(), text = try container.decode(String.self)
        // `Decimal(string:)` ignores the rest of a text that only begins with a number, such as “1,500”.
        guard text.allSatisfy("-.0123456789".contains), let value = Decimal(string: text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” is not an amount")
        }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    var description: String { "\(value)" }
}

struct Coin: Decodable, Hashable, Identifiable {
    let id: String
    let name: String
}

struct Price: Decodable, Hashable {
    let coin: Coin.ID
    let amount: Amount
}

struct Balance: Decodable, Hashable {
    let coin: Coin.ID
    let amount: Amount
}

struct Transfer: Decodable, Identifiable {
    enum Status: String {
        case pending, confirmed
    }

    let id: Int
    let coin: Coin.ID
    let amount: Amount
    let status: OpenEnum<Status>  // the exchange may add a status later
}

struct NewTransfer: Encodable {
    let coin: Coin.ID
    let amount: Amount
    let recipient: String
}

/// The value of a balance in the user's currency.
struct Holding: Hashable {
    let balance: Balance
    let value: Decimal?  // nil for a coin without a price
}
