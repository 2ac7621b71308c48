import MartletEssentials

/// Units of raw deflate that expand to much more deflate than content. A unit can be repeated any number of times.
enum WastefulDeflate {
    /// 333 bytes that expand to 104 KB of blocks (RFC 1951 §3.2.4), with one byte of content in 61.
    static var unit: Data {
        CodedSample.decoded("7MuxDQAgDAOw8DXXk/7AVsmLN+fk9SZpP5B" + String(repeating: "lWZZ", count: 99) + "lWZY35gEAAP//")
    }

    /// 741 bytes whose content is ``unit``, 500 times.
    static var codedUnits: Data {
        CodedSample.decoded(
            "7NCxDURQAADQf9Gyw1U2uChtITHAFTeLRnKJOdhAKwa4BYRGcY0Wtc4AL3kTvHXskvCMo/b/+n33vhiqbJm29JPX77Lhpmx+hHAcq0yZMmUiU6ZM"
                + "ZMqUKVOmTJkykSlTpkyZMmXKRKZMmTJlypQpE5kyZcqUKVOmTGTKlIlMmTJlypQpUyYyZcqUKVOmTJnIlClTpkyZMmUiU6ZMmTJlypRpSaZMmciU"
                + "KVOmTJkyZSJTpkyZMmXKlIlMmTJlypQpUyYyZcpEpkyZMmXKlCkTmTJlypQpU6ZMZMqUKVOmTJkykSlTpkyZMmXKRKZMmciUKVOmTJkyZSJTpkyZ"
                + "MmXKlIlMmTJlypQpUyYyZcqUKVOmTJmWZMqUiUyZMmXKlClTJjJlypQpU6ZMmciUKVOmTJkyZSJTpkxkypQpU6ZMmTKRKVOmTJkyZcpEpkyZMmXK"
                + "lCkTmTJlypQpU6ZMZMqUiUyZMmXKlClTJjJlypQpU6ZMmciUKVOmTJkyZSJTpkyZMmXKlGlJpkyZyJQpU6ZMmTJlIlOmTJkyZcqUiUyZMmXKlClT"
                + "JjJlykSmTJkyZcqUKROZMmXKlClTpkxkypQpU6ZMmTKRKVOmTJkyZcpEpkyZyJQpU6ZMmTJlIlOmTJkyZcqUiUyZMmXKlClTJjJlypQpU6ZMmZZk"
                + "ypSJTJkyZcqUKVMmMmXKlClTpkyZyJQpU6ZMmTJlIlOmTGTKlClTpkyZMpEpU6ZMmTJlykSmTJkyZcqUKROZMmXKlClTpkxkypSJTJkyZcqUKVMm"
                + "MmXKlClTpkyZyJQpU6ZMmTJlIlOmTJkyZcqUaUmmTJnIlClTpkyZMmUiU6ZMmTJlypSJTJkyZcqUKVMmMmXKRKZMmTJlypQpE5kyZcqUKVOmTGTK"
                + "lClTpkyZMpEpU6ZMmTJlykSmTJnIlClTpkyZMmUiU6ZMmTJlypSJTJkyZcqUKVMmMmXKlClTpkyZlmTKlMk18wQAAP//")
    }
}
