// Sums in double precision of whole numbers up to 2^32 by weights, and codes made from them, with the same bits on
// every driver.
//
// A double is held as its two words: NVIDIA's compiler rounds local arrays of precise doubles to floats. Only sums and
// products of two doubles are taken to be rounded alike everywhere.

// sum + weight x value, the product rounded before it is added.
uvec2 add_product(uvec2 sum, uvec2 weight, uvec2 value) {
    precise double product = packDouble2x32(weight) * packDouble2x32(value);
    precise double result = packDouble2x32(sum) + product;
    return unpackDouble2x32(result);
}

// a x b, exact where these are codes.
uvec2 long_product_of(float a, float b) {
    precise double result = double(a) * double(b);
    return unpackDouble2x32(result);
}

// The 16-bit code nearest to a sum, half to even: above 2^52 a double has no bits for fractions left.
float nearest_code(uvec2 sum) {
    precise double rounded = clamp(packDouble2x32(sum), 0.0LF, 65535.0LF) + 4503599627370496.0LF;
    return float(unpackDouble2x32(rounded).x);
}

// The 16-bit code nearest to sum / alpha, half to even; 0 where nothing is opaque. A quotient of floats is wrong by so
// little that its floor can be off only beside a whole number, which is then the answer either way.
float unweighted(uvec2 sum, uvec2 alpha) {
    double divisor = packDouble2x32(alpha);
    precise double most = 65535.0LF * divisor;
    double value = min(max(packDouble2x32(sum), 0.0LF), most);
    float whole = floor(float(value) / float(divisor));
    precise double halfway = (double(whole) + 0.5LF) * divisor;
    bool is_odd = fract(whole * 0.5) != 0.0;
    float code = value > halfway || (value == halfway && is_odd) ? whole + 1.0 : whole;
    return divisor > 0.0LF ? code : 0.0;
}
