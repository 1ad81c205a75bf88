// Quotients of whole numbers, exactly: a guess in floats, and one correction by its remainder.

// min(bins - 1, floor(number x bins / full)), exactly, for number <= full < 2^30, bins <= 2^16 and scale =
// bins / full x (1 - 2^-21), which scale_below() of the host gives.
//
// The guess: converting `number`, rounding `scale` and multiplying each err by at most 2^-23 of the value, whatever the
// rounding mode. All three together err by less than the 2^-21 that `scale` is too small by. So the product, at most
// 2^16, never exceeds number x bins / full. It misses it by less than 2^16 x 2^-20 < 1: the guess is the quotient or
// one less. The correction: number x bins - guess x full therefore lies in [0, 2 full), below 2^31. Its low 32 bits are
// all of it, however large the two products are.
uint whole_bin(uint number, uint full, float scale, uint bins) {
    uint guess = uint(float(number) * scale);
    guess += uint(number * bins - guess * full >= full);
    return min(guess, bins - 1u);
}

// round(a x b / full), exactly, ties to even, for 0 < full < 2^30. The quotient is below 2^16 + 1, and `guess` misses
// it by less than 1/4. Only the low 32 bits of a x b are needed.
//
// The nearest whole number to the guess misses the quotient by less than 3/4. Twice its remainder is therefore within
// 3/2 full of 0, inside [-2^31, 2^31), and says whether the number beside it is nearer.
uint rounded_quotient(uint a, uint b, uint full, float guess) {
    uint nearest = uint(guess + 0.5);
    int twice = int(a * b - nearest * full) * 2;
    int half_way = int(full) - int(nearest & 1u); // a tie leaves an odd number
    return nearest + uint(twice > half_way) - uint(twice < -half_way);
}
