/// What every transport owes its users, as cases that can be run over one.
///
/// ### Use
/// All at once, from any test library or program:
///
/// ```swift
/// try await TransportConformance.check { MyTransport() }
/// ```
///
/// One test for each case, with Swift Testing:
///
/// ```swift
/// @Test(arguments: TransportConformance.cases)
/// func conforms(_ aCase: TransportConformance.Case) async throws {
///     try await aCase.check { MyTransport() }
/// }
/// ```
///
/// ### What it does
/// Each case plays a script on a ``MockServer`` and compares what a caller of the transport sees with what the contract of
/// `Transport` and the RFCs say; where the contract is that of the whole (deadlines, cancellation), an `HTTPClient` stands in
/// between. Traffic stays on the machine, but for the question to its resolver after `does-not-exist.invalid`, a name that is
/// reserved for not being there. Every case has a time limit, so that a transport that hangs fails the case.
///
/// ### Deviations
/// What a platform can't do is no reason to look away: a ``Deviation`` says what is seen instead, and it is a failure when that is
/// no longer so. Leaving a ``Capability`` out likewise changes what a case expects, and skips nothing.
///
/// A deviation that ends the process can only be seen from outside: leave its case out of the list that you check, and run it in an
/// exit test.
public enum TransportConformance {
    /// All cases, ordered by subject: requests, responses, fields, bodies, codings, failures, delivery, time, neighbours.
    public static let cases: [Case] =
        RequestCases.all + RestraintCases.all + ResponseCases.all + FieldCases.all + BodyCases.all + CodingCases.all + FailureCases.all
        + TruncationCases.all + DeliveryCases.all + ConnectionCases.all + DeadlineCases.all + CancellationCases.all + NeighbourCases.all
        + StressCases.all

    /// Runs cases over a transport and throws one error that lists every case that failed, with what was expected and what was seen.
    ///
    /// - Parameters:
    ///   - cases: which cases. Default: all. Up to eight run at a time.
    ///   - deviations: what the transport is known to do otherwise. One that is about none of `cases` is a failure.
    ///   - options: what the transport can do, and how long a case may take.
    ///   - make: makes a transport; called once for each case.
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
