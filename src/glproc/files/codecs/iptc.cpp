#include "glproc/files/codecs/iptc.hpp"

#include <algorithm>

namespace glproc::codecs {
namespace {

constexpr std::byte record_start{0x1c};

/// As many bytes from the first on as are whole records: a mark, two numbers, a length, and that many bytes.
/// A length of which the first bit is set says how many bytes the real one has.
ByteView whole_records(ByteView bytes) {
    std::size_t end = 0;
    while (end + 5 <= bytes.size() && bytes[end] == record_start) {
        std::size_t head = 5;
        std::size_t size = big_number(bytes.subspan(end + 3), 2);
        if (size >= 0x8000) {
            const std::size_t digits = size - 0x8000;
            if (digits > 4 || end + head + digits > bytes.size())
                break;
            size = big_number(bytes.subspan(end + head), digits);
            head += digits;
        }
        if (size > bytes.size() - end - head)
            break;
        end += head + size;
    }
    return bytes.first(end);
}

/// "8BIM", a number, a name of an even number of bytes with its length, the length of the data, and these,
/// filled up to an even number of bytes.
ByteView in_resources(ByteView resources) {
    while (resources.size() >= 12 && begins_with(resources, "8BIM")) {
        const std::size_t number = big_number(resources.subspan(4), 2);
        const std::size_t name = (std::to_integer<std::size_t>(resources[6]) + 2) / 2 * 2;
        if (resources.size() < 6 + name + 4)
            break;
        const ByteView rest = resources.subspan(6 + name);
        const std::size_t size = big_number(rest, 4);
        if (size > rest.size() - 4)
            break;
        if (number == iptc_resource)
            return rest.subspan(4, size);
        resources = rest.subspan(std::min(4 + (size + 1) / 2 * 2, rest.size()));
    }
    return {};
}

} // namespace

std::vector<std::byte> iptc_in(ByteView bytes) {
    if (begins_with(bytes, photoshop_name))
        bytes = bytes.subspan(photoshop_name.size());
    if (begins_with(bytes, "8BIM"))
        return copy_of(whole_records(in_resources(bytes)));
    constexpr std::size_t word = 4;
    if (bytes.size() < word || bytes[0] == record_start || bytes[word - 1] != record_start)
        return copy_of(whole_records(bytes));
    std::vector<std::byte> turned = copy_of(bytes.first(bytes.size() / word * word));
    for (auto at = turned.begin(); at != turned.end(); at += word)
        std::reverse(at, at + word);
    return copy_of(whole_records(turned));
}

std::vector<std::byte> photoshop_resource_of(ByteView iptc) {
    std::vector<std::byte> out;
    put(out, "8BIM");
    put_big(out, iptc_resource, 2);
    put_big(out, 0, 2); // no name
    put_big(out, iptc.size(), 4);
    put(out, iptc);
    out.resize((out.size() + 1) / 2 * 2);
    return out;
}

} // namespace glproc::codecs
