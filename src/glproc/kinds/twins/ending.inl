// Sums of a row into its codes: members of a class whose other members are its GLSL, by as_cpp().
#if DST_DEPTH == 8
using Result = std::uint8_t;
#elif DST_DEPTH == 16
using Result = std::uint16_t;
#else
using Result = std::uint32_t;
#endif

static vec4 lanes(const float* values, std::size_t count) {
    vec4 v(0.0F);
    for (std::size_t i = 0; i < count; ++i) {
        v[i] = values[i];
    }
    return v;
}

static void run(const EndingRow& r) {
    EndingTwinClass twin;
    twin.params = r.params;
    twin.u_channels = r.channels;
    auto* to = reinterpret_cast<Result*>(r.to);
    for (std::size_t i = 0; i < r.count; i += 4) {
        const std::size_t count = r.count - i < 4 ? r.count - i : 4;
        const vec4 ended = twin.ended(lanes(r.sums + i, count), r.second == nullptr ? vec4(0.0F) : lanes(r.second + i, count));
        for (std::size_t lane = 0; lane < count; ++lane) {
            to[i + lane] = static_cast<Result>(twin.code_of(ended[lane]));
        }
    }
}
