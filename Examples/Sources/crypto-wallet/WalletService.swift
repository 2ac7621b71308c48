import Foundation
import Martlet

/// The user's balances and transfers.
struct WalletService: Sendable {
    let api: APIClient<WalletError>
    let market: any MarketService

    /// Returns the balances with their values in a currency.
    func holdings(in currency: String) async throws(WalletError) -> [Holding] {
        let balances = try await api.send(WalletAPI.balances, as: [Balance].self)
        let prices = try await market.prices(of: balances.map(\.coin), in: currency)
        let amounts = Dictionary(prices.map { ($0.coin, $0.amount.value) }, uniquingKeysWith: { $1 })
        return balances.map { balance in
            Holding(balance: balance, value: amounts[balance.coin].map { $0 * balance.amount.value })
        }
    }

    func transfers(status: Transfer.Status? = nil) async throws(WalletError) -> [Transfer] {
        try await api.send(WalletAPI.transfers(status: status), as: [Transfer].self)
    }

    /// Sends coins. The call is retried after a lost connection, and its idempotency key keeps the exchange from sending them twice.
    func send(_ transfer: NewTransfer) async throws(WalletError) -> Transfer {
        try await api.send(WalletAPI.send(transfer), as: Transfer.self)
    }
}
