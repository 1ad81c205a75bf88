#version 430 core
// Copies the texels of an image. glCopyImageSubData takes 20 times as long on an H200 (driver 580.159.04, 2026-11-20).
//
// Reads   i_src   an image
// Writes  i_dst   another one; its texel u_first is the first that is written
// Shared memory   none; invocations are independent, groups come in any order.
layout(local_size_x = 32, local_size_y = 8) in;

layout(rgba32ui) readonly uniform uimage2D i_src;
layout(rgba32ui) writeonly uniform uimage2D i_dst;

uniform ivec2 u_first;

void main() {
    ivec2 at = ivec2(gl_GlobalInvocationID.xy);
    if (all(lessThan(at, imageSize(i_src)))) {
        imageStore(i_dst, at + u_first, imageLoad(i_src, at));
    }
}
