// Random words that depend on nothing but a counter and a key.
// Source: Philox4x32-10 of J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011.
uvec4 philox(uvec4 counter, uvec2 key) {
    for (int turn = 0; turn < 10; ++turn) {
        uvec2 high;
        uvec2 low;
        umulExtended(counter.xz, uvec2(0xd2511f53u, 0xcd9e8d57u), high, low);
        counter = uvec4(high.y ^ counter.y ^ key.x, low.y, high.x ^ counter.w ^ key.y, low.x);
        key += uvec2(0x9e3779b9u, 0xbb67ae85u);
    }
    return counter;
}
