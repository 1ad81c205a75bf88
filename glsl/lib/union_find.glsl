// Sets of numbers that are joined by many invocations at once, without waiting for each other. Each number has a parent
// in its set, no larger than itself; the smallest of a set, its root, is its own parent.
//
// Needs PARENT(number): where its parent lies, in shared memory or in a coherent block.
//
// Any value that is ever stored as a parent is of the same set and smaller than its child. So a store that comes late
// does no harm, and every turn of the loops goes to a smaller number.
//
// Source   D. P. Playne, K. Hawick, A New Algorithm for Parallel Connected-Component Labelling on GPUs, IEEE TPDS 29, 2018
//          R. E. Tarjan, J. van Leeuwen, Worst-case Analysis of Set Union Algorithms, J. ACM 31, 1984: path halving

uint root_of(uint number) {
    uint parent = PARENT(number);
    while (parent != number) {
        uint next = PARENT(parent);
        if (next == parent) {
            number = parent;
        } else {
            PARENT(number) = next; // halves the path for whoever comes after
            number = next;
            parent = PARENT(next);
        }
    }
    return number;
}

void unite(uint a, uint b) {
    a = root_of(a);
    b = root_of(b);
    while (a != b) {
        uint high = max(a, b);
        uint low = min(a, b);
        uint before = atomicMin(PARENT(high), low);
        // If `high` is no root any more, its former parent must be joined with `low` as well.
        a = before == high ? low : root_of(before);
        b = before == high ? low : root_of(low);
    }
}
