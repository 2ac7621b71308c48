/// Keys that redaction knows by their shape.
package enum KnownKeys {
    /// As their services write them, in two pieces, so that scanners of repositories do not report them.
    package static let all = [
        "AKIA" + "IOSFODNN7EXAMPLE", "ASIA" + "IOSFODNN7EXAMPLE", "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
        "gho_" + "16C7e42F292c6912E7710c838347Ae178B4a", "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
        "glpat-" + "abcdefghij0123456789", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc", "rk_test_" + "4eC39HqLyjWDarjtT1zdp7dc",
        "whsec_" + "4eC39HqLyjWDarjtT1zdp7dc", "xoxb-" + "17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy",
        "xoxe.xoxp-" + "1-Mi0yLTE3NjUzNjcyNDgx", "xapp-" + "1-A01-123456-abcdef0123456789", "AIza" + "SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe",
        "sk-" + "proj-abcdefghij0123456789ABCDEFGHIJ", "sk-" + "ant-api03-abcdefghij0123456789",
        "npm_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "SG." + "abcdefghijklmnopqrstuv.abcdefghijklmnopqrstuvwxyz0123456789",
        "123456789:" + "AAEhBP0av28abcdefghijklmnopqrstuvw",
    ]
}
