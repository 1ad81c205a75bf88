// A row of a stencil: members of a class whose other members are its GLSL, by as_cpp().
#if DST_DEPTH == 8
using Result = std::uint8_t;
#elif DST_DEPTH == 16
using Result = std::uint16_t;
#else
using Result = std::uint32_t;
#endif

static void run(const StencilRow& r) {
    StencilTwinClass twin;
    twin.params = r.params;
    twin.numbers = r.numbers;
    twin.values = r.values;
    twin.u_pitch = static_cast<int>(r.pitch);
    twin.u_channels = r.channels;
    twin.u_hides = r.hides ? 1 : 0;
    auto* to = reinterpret_cast<Result*>(r.to);
    const int filtered = r.channels - (r.keeps_last ? 1 : 0);
    for (int lane = 0; lane < r.width * r.channels; lane += r.channels) {
        for (int c = 0; c < filtered; ++c) {
            to[lane + c] = static_cast<Result>(twin.code_of(twin.stencil(lane + c)));
        }
        if (r.keeps_last) {
            to[lane + filtered] = static_cast<Result>(twin.code_of(twin.product_of(r.values[lane + filtered], r.kept_scale)));
        }
    }
}
