#include "glproc/kinds/point_luma.hpp"

namespace glproc {

std::vector<float> luma_params(LumaWeights weights, const Form& form) {
    const LumaRule rule = luma_rule(weights);
    const auto whole = [](std::uint32_t weight) { return static_cast<float>(weight); };
    return {whole(rule.red),      whole(rule.green),   whole(rule.blue),
            whole(rule.sum),      rule.part(rule.red), rule.part(rule.green),
            rule.part(rule.blue), code_unit(form),     1 / whole(rule.sum)};
}

double float_luma(const Colour4& v, LumaWeights weights) {
    const LumaRule rule = luma_rule(weights);
    const double sum = rule.red * v[0] + rule.green * v[1] + rule.blue * v[2];
    return v[0] == v[1] && v[1] == v[2] ? v[0] : sum / rule.sum;
}

} // namespace glproc
