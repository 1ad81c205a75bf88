// Both roads of a stack, by the processor and by the GPU: rows of several images become rows of one, with the
// same bits.
#pragma once

#include "glproc/gl/context.hpp"
#include "glproc/ops/stack.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace glproc {

/// As many rows of each image. The images must outlive it.
using StackedImages = std::vector<const Image*>;

/// The form of a stack of images of this form.
Form stack_form(const Stack& op, const Form& form);

/// The bytes of the result's rows.
std::vector<std::byte> stack_on_cpu(const Stack& op, const StackedImages& images);

/// Whether the GPU has the same bits: not where means, deviations or values between two floats need quotients
/// or roots in double precision. Nor with alpha, since what counts then differs from place to place.
bool has_kernel(const Stack& op, const Form& form, std::size_t images);

/// Images side by side in one texture.
struct StackPile {
    GpuImage texture;
    Form form; ///< of an image
    int images;
    int columns; ///< images beside each other
};

StackPile pile_of(Context& gpu, const StackedImages& images);
/// Of images on the GPU, whose texels are copied there.
StackPile pile_of(Context& gpu, const std::vector<const GpuImage*>& images);
/// The most rows of images that fit into one texture.
std::int64_t most_pile_rows(const Context& gpu, const Form& form, std::size_t images);

/// Proves the programs of the GPU's road for images of this form; see op/proof.hpp.
void prove_stack(Context& gpu, Stack op, Form form);

GpuImage stack_on_gpu(Context& gpu, const Stack& op, const StackPile& pile);

} // namespace glproc
