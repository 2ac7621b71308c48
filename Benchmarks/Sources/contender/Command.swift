import Measuring

@main
struct Command {
    static func main() async {
        await ContenderCommand.run { (name: ContenderName, origin) in name.make(origin: origin) }
    }
}
