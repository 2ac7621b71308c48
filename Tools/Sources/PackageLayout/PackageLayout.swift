import Foundation

/// The targets of a package, as `swift package dump-package` describes them.
package struct PackageLayout: Sendable {
    /// A condition on the names that ``PackageLayout/targets(_:in:)`` returns.
    package enum Filter: String, CaseIterable, Sendable {
        /// The libraries that other packages can use.
        case products
        /// The targets with a documentation catalog.
        case documented
        /// The library targets that are built for Apple's platforms: all in Swift, except those that others use on Linux only.
        case apple
    }

    private let description: Description

    /// Creates the layout from the output of `swift package dump-package`.
    package init(dump: Data) throws { description = try JSONDecoder().decode(Description.self, from: dump) }

    /// Returns the names of the library targets that fulfil all conditions, each after the targets that it depends on.
    ///
    /// - Parameter root: The folder of the package.
    package func targets(_ filters: Set<Filter>, in root: URL) -> [String] {
        let products = Set(description.products.filter { $0.type.library != nil }.map(\.name)), linux = linuxOnly
        return ordered.filter { name in
            filters.allSatisfy { filter in
                switch filter {
                case .products: products.contains(name)
                case .documented: files(of: name, in: root).contains("\(name).docc")
                case .apple: !linux.contains(name) && files(of: name, in: root).contains("\(name).swift")
                }
            }
        }
    }

    /// The library targets in the order of the manifest, each after those that it depends on.
    private var ordered: [String] {
        let libraries = description.targets.filter { $0.type == "regular" && $0.path == nil }
        var ordered: [String] = []
        func add(_ target: Description.Target) {
            guard !ordered.contains(target.name) else { return }
            for dependency in target.dependencies {
                if let library = libraries.first(where: { $0.name == dependency.name }) { add(library) }
            }
            ordered.append(target.name)
        }
        libraries.forEach(add)
        return ordered
    }

    private var linuxOnly: Set<String> {
        Set(description.targets.flatMap { $0.dependencies }.filter { $0.platforms == ["linux"] }.map(\.name))
    }

    private func files(of target: String, in root: URL) -> Set<String> {
        let folder = root.appendingPathComponent("Sources/\(target)")
        return Set((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    }
}

/// The parts of a dump that a layout needs.
private struct Description: Decodable {
    struct Product: Decodable {
        /// Has the kind of the product as its only name: `library`, `executable` or `plugin`.
        struct Kind: Decodable { let library: [String]? }
        let name: String
        let type: Kind
    }

    struct Target: Decodable {
        let name: String
        let type: String
        /// The folder, if it is not `Sources/NAME`.
        let path: String?
        let dependencies: [Dependency]
    }

    /// A dependency: its kind as the only name, with an array of the target's name and a condition.
    struct Dependency: Decodable {
        private struct Condition: Decodable { let platformNames: [String]? }

        let name: String
        let platforms: [String]

        init(from decoder: any Decoder) throws {
            let kinds = try decoder.singleValueContainer().decode([String: [Part?]].self)
            let parts = kinds.values.joined().compactMap(\.self)
            name = parts.compactMap(\.name).first ?? ""
            platforms = parts.compactMap(\.platforms).first ?? []
        }

        private struct Part: Decodable {
            var name: String?
            var platforms: [String]?

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let name = try? container.decode(String.self) {
                    self.name = name
                } else if let condition = try? container.decode(Condition.self) {
                    platforms = condition.platformNames
                }
            }
        }
    }

    let products: [Product]
    let targets: [Target]
}
