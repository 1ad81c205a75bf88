// Rows of codes as linear light and back, by the tables of glsl/lib/light.glsl.
#pragma once

#include "glproc/gl/pass.hpp"
#include "glproc/image/rows.hpp"

#include <cstddef>
#include <span>

namespace glproc {

/// Codes as linear light: floats. Alpha is on no curve.
class LightReader final : public RowReader {
  public:
    explicit LightReader(RowReader& source);

    const Form& form() const override { return form_; }
    const Metadata& metadata() const override { return source_.metadata(); }
    void read(std::span<std::byte> rows) override;

  private:
    RowReader& source_;
    Form form_;
    Floats light_;
};

/// And back, to codes of `form`. finish() is left to the writer behind it.
class LightWriter final : public RowWriter {
  public:
    LightWriter(const Form& form, RowWriter& to);

    void write(std::span<const std::byte> rows) override;
    void finish() override {}

  private:
    int code_of(float light) const;

    Form form_;
    RowWriter& to_;
    Floats first_;
};

/// Rows as they are.
void copy_rows(RowReader& source, RowWriter& to);

} // namespace glproc
