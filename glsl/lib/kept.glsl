// With KEEP 1, takes the last channel from the source. Needs lib/texel.glsl and lib/put_lane.glsl.
uvec4 with_kept(uvec4 texel, ivec2 at) {
#if KEEP == 1
    uvec4 source = texel_at(at);
    uvec4 result = uvec4(0u);
    for (int lane = 0; lane < SRC_LANES; ++lane) {
        put_lane(result, lane, lane_bits(lane % CHANNELS == CHANNELS - 1 ? source : texel, lane));
    }
    return result;
#else
    return texel;
#endif
}
