// The tree of Blelloch's scan over `count` values in place, for any count. At stride d, node j stands for the values
// 2dj to 2dj + 2d - 1, as far as they exist. Its sum lies at the last of those values. A node whose right half does not
// exist has nothing to do, because its left half's sum is already in place. With a power of two that never happens, and
// this is the textbook's tree. Sums that lie at the same place belong to one path, so no two nodes of a level share a
// place.
//
// left, right: where the sums of both halves lie. True where both halves exist; if not, left is right.
bool tree_node(uint node, uint stride, uint count, out uint left, out uint right) {
    left = min(node * 2u * stride + stride, count) - 1u;
    right = min(left + stride, count - 1u);
    return left != right;
}

// How many nodes a level has.
uint tree_nodes(uint stride, uint count) {
    return (count - 1u) / (2u * stride) + 1u;
}
