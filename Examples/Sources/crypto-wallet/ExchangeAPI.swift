import Martlet

/// The exchange's public data, the same for every user.
enum MarketAPI: Endpoint {
    case coins
    case prices([Coin.ID], currency: String)

    var path: Path {
        switch self {
        case .coins: "coins"
        case .prices(_, let currency): "prices/\(currency)"
        }
    }

    var query: Query {
        if case .prices(let coins, _) = self { ["coins": coins.joined(separator: ",")] } else { [:] }
    }
}

/// The user's wallet.
enum WalletAPI: Endpoint {
    typealias ErrorBody = Refusal

    case balances
    case transfers(status: Transfer.Status?)
    case send(NewTransfer)

    var path: Path {
        switch self {
        case .balances: "wallet/balances"
        case .transfers, .send: "wallet/transfers"
        }
    }

    var method: HTTPMethod {
        if case .send = self { .post } else { .get }
    }

    var query: Query {
        if case .transfers(let status) = self { ["status": status?.rawValue] } else { [:] }  // nil is left out
    }

    var body: RequestBody? {
        if case .send(let transfer) = self { .json(transfer) } else { nil }
    }
}

/// The body with which the exchange refuses a transfer.
struct Refusal: Decodable {
    let code: String
    let missing: Amount?
}
