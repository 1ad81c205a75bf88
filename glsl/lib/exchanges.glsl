// Sorts up to 27 keys by 155 exchanges, whatever they are, without a branch. EXCHANGES(X) calls X(a, b) for each: of the keys a and b the
// lesser comes to a. The exchanges whose b is less than a number sort as many keys by themselves. Compilers leave out what a wanted rank
// does not need: 36 minima and maxima give the median of 9 keys, 202 of 25, and 228 of 27.
//
// Source  K. E. Batcher, Sorting networks and their applications, AFIPS 1968; as D. E. Knuth writes it in The Art of Computer
//         Programming 3, 5.2.2, algorithm M.
#define EXCHANGES(X) \
    X(0, 16) X(1, 17) X(2, 18) X(3, 19) X(4, 20) X(5, 21) X(6, 22) X(7, 23) X(8, 24) X(9, 25) X(10, 26) X(0, 8) \
    X(1, 9) X(2, 10) X(3, 11) X(4, 12) X(5, 13) X(6, 14) X(7, 15) X(16, 24) X(17, 25) X(18, 26) X(8, 16) X(9, 17) \
    X(10, 18) X(11, 19) X(12, 20) X(13, 21) X(14, 22) X(15, 23) X(0, 4) X(1, 5) X(2, 6) X(3, 7) X(8, 12) X(9, 13) \
    X(10, 14) X(11, 15) X(16, 20) X(17, 21) X(18, 22) X(19, 23) X(4, 16) X(5, 17) X(6, 18) X(7, 19) X(12, 24) \
    X(13, 25) X(14, 26) X(4, 8) X(5, 9) X(6, 10) X(7, 11) X(12, 16) X(13, 17) X(14, 18) X(15, 19) X(20, 24) \
    X(21, 25) X(22, 26) X(0, 2) X(1, 3) X(4, 6) X(5, 7) X(8, 10) X(9, 11) X(12, 14) X(13, 15) X(16, 18) X(17, 19) \
    X(20, 22) X(21, 23) X(24, 26) X(2, 16) X(3, 17) X(6, 20) X(7, 21) X(10, 24) X(11, 25) X(2, 8) X(3, 9) X(6, 12) \
    X(7, 13) X(10, 16) X(11, 17) X(14, 20) X(15, 21) X(18, 24) X(19, 25) X(2, 4) X(3, 5) X(6, 8) X(7, 9) X(10, 12) \
    X(11, 13) X(14, 16) X(15, 17) X(18, 20) X(19, 21) X(22, 24) X(23, 25) X(0, 1) X(2, 3) X(4, 5) X(6, 7) X(8, 9) \
    X(10, 11) X(12, 13) X(14, 15) X(16, 17) X(18, 19) X(20, 21) X(22, 23) X(24, 25) X(1, 16) X(3, 18) X(5, 20) \
    X(7, 22) X(9, 24) X(11, 26) X(1, 8) X(3, 10) X(5, 12) X(7, 14) X(9, 16) X(11, 18) X(13, 20) X(15, 22) \
    X(17, 24) X(19, 26) X(1, 4) X(3, 6) X(5, 8) X(7, 10) X(9, 12) X(11, 14) X(13, 16) X(15, 18) X(17, 20) \
    X(19, 22) X(21, 24) X(23, 26) X(1, 2) X(3, 4) X(5, 6) X(7, 8) X(9, 10) X(11, 12) X(13, 14) X(15, 16) X(17, 18) \
    X(19, 20) X(21, 22) X(23, 24) X(25, 26)
