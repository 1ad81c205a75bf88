// Channels in another order, repeated, left out or constant, or from a second image.
// Kind: point
// Params: 0 to 3 the sources of red, green, blue and alpha of the result. 0 to 3 are the channels of the image, 4 is none, 5 all.
//         6 is the second image.
float channel_from(vec4 v, float from) {
    return from == 0.0   ? v.r
           : from == 1.0 ? v.g
           : from == 2.0 ? v.b
           : from == 3.0 ? v.a
           : from == 4.0 ? 0.0
           : from == 5.0 ? 1.0
                         : second().r;
}

vec4 point(vec4 v) {
    return vec4(channel_from(v, param(0)), channel_from(v, param(1)), channel_from(v, param(2)), channel_from(v, param(3)));
}
