import Measuring

@main
struct Command {
    static func main() {
        ContenderCommand.run { (name: ContenderName, origin) in name.make(origin: origin) }
    }
}
