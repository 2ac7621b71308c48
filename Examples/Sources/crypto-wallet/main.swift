// The services of a crypto wallet: APIs as enums, a cache for prices, exact amounts, and errors that a view can show.
import CommandLineSupport
import Foundation
import Martlet
import MartletMockServer
import MartletTesting

let program = Program(
    "crypto-wallet", "Shows a wallet and sends coins. The API key is read from EXCHANGE_KEY in the environment.")
let arguments = program.arguments()

/// Prints the wallet, which three screens load at the same time, and returns the holdings that each screen shows.
func showWallet(_ services: Services) async throws(WalletError) -> [[Holding]] {
    let names = Dictionary(try await services.market.coins().map { ($0.id, $0.name) }, uniquingKeysWith: { $1 })
    async let list = result(services.wallet)
    async let chart = result(services.wallet)
    async let widget = result(services.wallet)
    let screens = try await [list, chart, widget].map { (screen) throws(WalletError) in try screen.get() }
    for holding in screens[0] {
        print("\(holding.balance.amount) \(names[holding.balance.coin] ?? "?"): \(holding.value.map { "\($0) EUR" } ?? "no price")")
    }
    return screens
}

/// Returns the holdings as a `Result`, because `async let` does not keep the type of an error.
func result(_ wallet: WalletService) async -> Result<[Holding], WalletError> {
    do throws(WalletError) { return .success(try await wallet.holdings(in: "eur")) } catch { return .failure(error) }
}

/// Sends coins and returns what the user reads.
func send(_ amount: Decimal, _ coin: Coin.ID, with wallet: WalletService) async -> String? {
    do throws(WalletError) {
        let transfer = try await wallet.send(NewTransfer(coin: coin, amount: Amount(amount), recipient: "0xADA"))
        return "Transfer \(transfer.id) is \(transfer.status)."
    } catch {
        return error.errorDescription  // nil after a cancellation
    }
}

if let url = arguments.baseURL {
    guard let key = ProcessInfo.processInfo.environment["EXCHANGE_KEY"] else { program.fail("EXCHANGE_KEY is not set", code: 64) }
    let services = Services(baseURL: url, apiKey: key)
    do {
        _ = try await showWallet(services)
    } catch {
        program.fail(error.errorDescription ?? "cancelled")
    }
} else {
    let server = try await startServer(), time = ManualTime()
    let services = Services(baseURL: server.url, apiKey: scriptedKey, time: time)

    let first = try await showWallet(services)
    precondition(first.allSatisfy { $0.map(\.value) == [Decimal(string: "6000.05"), 7500] })
    precondition(server.requests(matching: .get("/prices/eur")).count == 1, "three screens share one request for prices")

    time.advance(by: .seconds(11))
    print("eleven seconds later")
    let second = try await showWallet(services)
    precondition(second.allSatisfy { $0.map(\.value) == [6100, 7200] })
    precondition(server.requests(matching: .get("/coins")).count == 1, "coins are kept for an hour")

    let pending = try await services.wallet.transfers(status: .pending)
    for transfer in pending { print("transfer \(transfer.id): \(transfer.status)\(transfer.status.known == nil ? ", which is new" : "")") }
    precondition(pending.map(\.status.known) == [.pending, nil])

    let sent = await send(0.5, "eth", with: services.wallet), refused = await send(1, "btc", with: services.wallet)
    print(sent ?? "", refused ?? "", separator: "\n")
    let keys = server.requests(matching: .post("/wallet/transfers")).map { $0.headers["Idempotency-Key"] }
    precondition(sent == "Transfer 9 is pending." && refused == "You need 0.9 more for this transfer.")
    precondition(keys.count == 3 && keys[0] != nil && keys[0] == keys[1] && keys[1] != keys[2], "a retry has the key of its call")
    precondition(server.unexpectedRequests.isEmpty)
}
