// These views have NOT been built or run: SwiftUI is not available where this package is tested. They show how the models are used.
// The file does not import Martlet, whose `Form` and `Path` have the names of SwiftUI's.
#if canImport(SwiftUI)
import SwiftUI

package struct ProductListView: View {
    @State private var model: ProductListModel
    private let makeCheckout: (Product) -> CheckoutModel

    package init(model: ProductListModel, makeCheckout: @escaping (Product) -> CheckoutModel) {
        _model = State(initialValue: model)
        self.makeCheckout = makeCheckout
    }

    package var body: some View {
        NavigationStack {
            List(model.products ?? []) { product in
                NavigationLink(value: product) {
                    LabeledContent(product.name, value: Decimal(product.cents) / 100, format: .currency(code: "EUR"))
                }
            }
            .navigationTitle("Products")
            .navigationDestination(for: Product.self) { CheckoutView(model: makeCheckout($0)) }
            .overlay {
                if model.products == nil, model.isLoading { ProgressView() }
            }
            .safeAreaInset(edge: .bottom) { problem }
            .task { await model.load() }  // cancelled when the view disappears
            .refreshable { await model.load() }
        }
    }

    @ViewBuilder private var problem: some View {
        if let problem = model.problem {
            HStack {
                Text(problem.message)
                if problem.canRetry {
                    Button("Try again") { Task { await model.load() } }
                }
            }
            .padding()
        }
    }
}

package struct CheckoutView: View {
    @State private var model: CheckoutModel

    package init(model: CheckoutModel) { _model = State(initialValue: model) }

    package var body: some View {
        Form {
            field("Name", text: $model.checkout.name, .name)
            field("Email", text: $model.checkout.email, .email)
            field("Street", text: $model.checkout.street, .street)
            if let message = model.message { Text(message).foregroundStyle(.red) }
            if let order = model.order { Text("Order \(order.number) is placed.") }
            Button("Order") { Task { await model.submit() } }  // continues if the user leaves
                .disabled(model.isSending || model.order != nil)
        }
    }

    @ViewBuilder private func field(_ title: LocalizedStringKey, text: Binding<String>, _ field: Checkout.Field) -> some View {
        TextField(title, text: text)
        if let message = model.fieldMessages[field] { Text(message).font(.caption).foregroundStyle(.red) }
    }
}
#endif
