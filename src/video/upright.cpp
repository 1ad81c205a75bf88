#include "video/upright.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace glproc::video {

Form Turn::of(Form stored) const {
    if (exchanges_axes()) {
        std::swap(stored.width, stored.height);
    }
    return stored;
}

AVRational Turn::of(AVRational pixel_aspect) const {
    return exchanges_axes() && pixel_aspect.num > 0 ? av_inv_q(pixel_aspect) : pixel_aspect;
}

Turn turn_of(const AVStream& stream) {
    std::array<std::int32_t, 9> matrix{};
    const std::span<const std::uint8_t> said = side_data_of(stream, AV_PKT_DATA_DISPLAYMATRIX);
    if (said.size() < sizeof(matrix)) {
        return {};
    }
    std::memcpy(matrix.data(), said.data(), sizeof(matrix));
    // A pixel at (x, y) is shown at (a x + c y, b x + d y), y downwards.
    double a = matrix[0];
    const double b = matrix[1];
    double c = matrix[3];
    const double d = matrix[4];
    Turn turn;
    turn.mirrored = a * d - b * c < 0;
    if (turn.mirrored) {
        a = -a;
        c = -c;
    }
    if (std::abs(b) + std::abs(c) > std::abs(a) + std::abs(d)) {
        turn.degrees = b > c ? 90 : 270;
    } else {
        turn.degrees = a + d < 0 ? 180 : 0;
    }
    return turn;
}

Placement placement_of(const Turn& turn, const Form& stored) {
    const int w = stored.width;
    const int h = stored.height;
    const bool back_along_x = turn.degrees == 180 || turn.degrees == 270;
    const bool back_along_y = turn.degrees == 90 || turn.degrees == 180;
    Move move;
    move.exchanged = turn.exchanges_axes();
    move.step = {back_along_x ? -1 : 1, back_along_y ? -1 : 1};
    if (turn.mirrored) { // the source's axis that runs with the result's columns
        move.step.at(move.exchanged ? 1 : 0) *= -1;
    }
    move.first = {move.step[0] < 0 ? w - 1 : 0, move.step[1] < 0 ? h - 1 : 0};
    const Form result = turn.of(stored);
    return {result.width, result.height, move};
}

Picture upright(const Machine& machine, Picture stored, const Turn& turn) {
    return turn.is_upright() ? std::move(stored) : machine.move(placement_of(turn, stored.form()), stored);
}

Picture first_of(const Machine& machine, const Picture& picture, int width, int height) {
    return machine.move({width, height}, picture);
}

} // namespace glproc::video
