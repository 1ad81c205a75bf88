// The rows of a point operation: members of a class whose other members are its GLSL, by as_cpp().
#if SRC_DEPTH == 8
using Source = std::uint8_t;
#elif SRC_DEPTH == 16
using Source = std::uint16_t;
#else
using Source = std::uint32_t;
#endif
#if DST_DEPTH == 8
using Result = std::uint8_t;
#elif DST_DEPTH == 16
using Result = std::uint16_t;
#else
using Result = std::uint32_t;
#endif

#ifdef ENTRY
float entered_codes[3][256]; // of 8 bits, by channel

void enter_codes() {
    for (uint code = 0; code < 256; ++code) {
        const vec3 v = entered(vec3(value_of_bits(code)));
        entered_codes[0][code] = v.r;
        entered_codes[1][code] = v.g;
        entered_codes[2][code] = v.b;
    }
}
#endif

vec4 pixel_of(const Source* p, int channels) {
    const float alpha = channels == 2 ? value_of_bits(p[1]) : channels == 4 ? value_of_bits(p[3]) : 1.0F;
    return channels < 3 ? vec4(vec3(value_of_bits(p[0])), alpha)
                        : vec4(value_of_bits(p[0]), value_of_bits(p[1]), value_of_bits(p[2]), alpha);
}

// As point() takes it.
vec4 come_in(const Source* p, int channels) {
    vec4 v = pixel_of(p, channels);
#ifdef ENTRY
#if SRC_DEPTH == 8
    const int green = channels < 3 ? 0 : 1;
    const int blue = channels < 3 ? 0 : 2;
    v = vec4(entered_codes[0][p[0]], entered_codes[1][p[green]], entered_codes[2][p[blue]], v.a);
#else
    v = vec4(entered(vec3(v)), v.a);
#endif
#endif
    return v;
}

template <int known_channels, int known_made>
void run_row(const PointRows& r, int row) {
    const int channels = known_channels == 0 ? r.channels : known_channels;
    const int made = known_made == 0 ? r.made : known_made;
    const auto* from = reinterpret_cast<const Source*>(r.from) + std::size_t(row) * r.width * channels;
    auto* to = reinterpret_cast<Result*>(r.to) + std::size_t(row) * r.width * made;
    const SecondRow second = r.seconds == nullptr ? SecondRow{} : r.seconds[row];
    const auto* laid = reinterpret_cast<const Source*>(second.pixels);
    for (int x = 0; x < r.width; ++x, from += channels, to += made) {
        placed = ivec2(r.x + x, r.y + row);
        if (r.seconds != nullptr) {
            is_covered = x >= second.begin && x < second.end;
            laid_on = is_covered ? pixel_of(laid + std::size_t(x - second.begin) * r.second_channels, r.second_channels)
                                 : vec4(0.0F);
        }
        const vec4 v = point(come_in(from, channels));
        for (int c = 0; c < made; ++c) {
            to[c] = static_cast<Result>(bits_of(made == 2 && c == 1 ? v.a : v[c]));
        }
    }
}

static void run(const PointRows& r) {
    PointTwinClass twin;
    twin.params = r.params;
    twin.numbers = r.numbers;
#if defined(ENTRY) && SRC_DEPTH == 8
    twin.enter_codes();
#endif
    for (int row = 0; row < r.rows; ++row) {
        if (r.channels == 3 && r.made == 3) {
            twin.run_row<3, 3>(r, row);
        } else if (r.channels == 4 && r.made == 4) {
            twin.run_row<4, 4>(r, row);
        } else if (r.channels == 1 && r.made == 1) {
            twin.run_row<1, 1>(r, row);
        } else {
            twin.run_row<0, 0>(r, row);
        }
    }
}
