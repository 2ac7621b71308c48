/// A test suite that checks whether a type meets the contract of `Transport`. Run it over your own transport.
///
/// Run all cases in any test library or program:
///
/// ```swift
/// try await TransportConformance.check { MyTransport() }
/// ```
///
/// Run one test for each case, with Swift Testing:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(_ aCase: TransportConformance.Case) async throws {
///     try await aCase.check { MyTransport() }
/// }
/// ```
///
/// Each case runs a script on a `MockServer` and compares the result of the transport with the contract of `Transport` and the RFCs.
/// Cases about deadlines and cancellation use an `HTTPClient` over the transport. All connections stay on this machine. The only other
/// traffic is the lookup of `does-not-exist.invalid`, a name that is reserved for not existing. Every case has a time limit, so that a
/// transport that hangs fails the case.
///
/// ### Deviations
/// If a platform cannot fulfil a case, describe the difference with a ``Deviation``. The case then fails if the difference changes or
/// disappears. Removing a ``Capability`` also changes the expectation of cases and skips none.
///
/// A deviation that ends the process can be observed only in another process: leave its case out of the cases that you run, and run it in
/// an exit test.
public enum TransportConformance {
    /// All cases, in the order of their subjects, from requests and responses to time limits and stress.
    public static let cases: [Case] =
        RequestCases.all + RestraintCases.all + ResponseCases.all + FieldCases.all + BodyCases.all + CodingCases.all + FailureCases.all
        + TruncationCases.all + DeliveryCases.all + ConnectionCases.all + DeadlineCases.all + CancellationCases.all + NeighbourCases.all
        + StressCases.all

    /// Runs cases over a transport, up to eight at a time, and throws an error that lists the failed ones.
    ///
    /// - Parameters:
    ///   - cases: the cases to run. Default: all.
    ///   - deviations: the transport's known deviations. A deviation from a case that is not in `cases` is a failure.
    ///   - options: the transport's capabilities and the time limit for one case.
    ///   - make: creates a transport. Called once for each case.
    /// - Throws: one error that lists every failed case, with expected and observed values.
    public static func check(
        _ cases: [Case] = cases, expecting deviations: [Deviation] = [], options: Options = .init(),
        _ make: @escaping @Sendable () -> any Transport
    ) async throws(Failure) {
        let unknown = deviations.filter { deviation in !cases.contains { $0.id == deviation.caseID } }
        let failed = await withTaskGroup(of: (Int, CaseFailure?).self) { group in
            var failed = unknown.map { (-1, CaseFailure(deviationAboutNothing: $0)) }
            for (index, aCase) in cases.enumerated() {
                if index >= 8, case (let index, let failure?)? = await group.next() { failed.append((index, failure)) }
                group.addTask { (index, await aCase.failure(expecting: deviations, options: options, make)) }
            }
            for await case (let index, let failure?) in group { failed.append((index, failure)) }
            return failed.sorted { $0.0 < $1.0 }.map(\.1)
        }
        guard failed.isEmpty else { throw Failure(cases: failed, count: cases.count) }
    }
}
