// Interpolates between the corners of a cube of a table, by the tetrahedron that a place lies in.
//
// Source   J. Kasson, W. Plouffe, S. Nin, A tetrahedral interpolation technique for color space conversion, 1993.
// Needs    vec3 entry_at(int at), the table

// `share` is the place in the cube whose corner nearest to black is the entry `at`. It goes from there to the opposite
// corner, along the axis of the largest share first.
vec3 in_tetrahedron(vec3 share, int at, int size) {
    ivec3 stride = ivec3(1, size, size * size);
    int most = share.r >= share.g ? (share.r >= share.b ? 0 : 2) : (share.g >= share.b ? 1 : 2);
    int least = share.b <= share.g ? (share.b <= share.r ? 2 : 0) : (share.g <= share.r ? 1 : 0);
    ivec3 axis = ivec3(most, 3 - most - least, least);
    vec3 last = entry_at(at);
    precise vec3 result = last;
    for (int i = 0; i < 3; ++i) {
        at += stride[axis[i]];
        vec3 next = entry_at(at);
        precise vec3 rise = next - last;
        precise vec3 part = share[axis[i]] * rise;
        result = result + part;
        last = next;
    }
    return result;
}
