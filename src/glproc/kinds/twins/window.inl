// A row of a window: members of a class whose other members are its GLSL, by as_cpp().
#if DST_DEPTH == 8
using Result = std::uint8_t;
#elif DST_DEPTH == 16
using Result = std::uint16_t;
#else
using Result = std::uint32_t;
#endif

static void run(const WindowRow& r) {
    WindowTwinClass twin;
    twin.params = r.params;
    twin.numbers = r.numbers;
    twin.table = reinterpret_cast<const vec2*>(r.table);
    twin.pixels = reinterpret_cast<const vec4*>(r.pixels);
    twin.u_pitch = r.pitch;
    twin.u_channels = r.channels == 3 ? 4 : r.channels;
    twin.u_reach = ivec2(r.reach_x, r.reach_y);
    const auto* own = reinterpret_cast<const Result*>(r.own);
    auto* to = reinterpret_cast<Result*>(r.to);
    const int filtered = r.channels - (r.keeps_last ? 1 : 0);
    for (int x = 0; x < r.width; ++x, ++twin.pixels, to += r.channels) {
        const vec4 made = twin.window();
        for (int c = 0; c < filtered; ++c) {
            to[c] = static_cast<Result>(twin.code_of(made[c]));
        }
        if (r.keeps_last) {
            to[filtered] = own[x * r.channels + filtered];
        }
    }
}
