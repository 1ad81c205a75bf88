// What reading and writing by the libjpeg interface of libjpeg-turbo have in common.
#pragma once

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstdio> // jpeglib.h needs FILE
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <jerror.h>
#include <jpeglib.h>

namespace glproc::codecs {

/// How far a picture had come when data was missing.
struct Loss {
    int scan = 0;
    unsigned rows = 0; ///< of this scan
};

/// libjpeg's error manager. libjpeg reports errors by longjmp, which may not pass over objects with
/// destructors: all calls that can fail go through attempt().
struct Errors {
    jpeg_error_mgr base{}; ///< first, so that libjpeg's pointer to it is one to all of this
    std::jmp_buf jump{};
    std::array<char, JMSG_LENGTH_MAX> message{};
    bool truncated = false;
    bool odd_scan = false;
    bool goes_on = false;    ///< where data is missing or damaged, as libjpeg does
    std::optional<Loss> loss{}; ///< where that was first so

    jpeg_error_mgr* install() {
        jpeg_std_error(&base);
        base.error_exit = on_error;
        base.emit_message = on_message;
        return &base;
    }

    /// Runs `step`, which must own nothing that has a destructor. False after an error; `message` says which.
    template <class Step>
    bool attempt(Step step) {
        if (setjmp(jump) != 0) // NOLINT(cert-err52-cpp,modernize-avoid-setjmp-longjmp)
            return false;
        step();
        return true;
    }

    /// Ends the step under way; `reason` has at most as many characters as a message of libjpeg.
    [[noreturn]] void stop(std::string_view reason) {
        message = {};
        std::copy(reason.begin(), reason.end(), message.begin());
        std::longjmp(jump, 1); // NOLINT(cert-err52-cpp,modernize-avoid-setjmp-longjmp)
    }

    [[noreturn]] static void on_error(j_common_ptr jpeg) {
        auto& self = *reinterpret_cast<Errors*>(jpeg->err);
        jpeg->err->format_message(jpeg, self.message.data());
        std::longjmp(self.jump, 1); // NOLINT(cert-err52-cpp,modernize-avoid-setjmp-longjmp)
    }

    /// libjpeg goes on with grey blocks where data is missing; we do not, unless that is asked for. What cannot change the pixels is no
    /// error: stray bytes between segments are common in cameras' files. Where the file ends before its end
    /// mark, either nothing is missing, or another message follows, or finish() finds out.
    static void on_message(j_common_ptr jpeg, int level) {
        if (level >= 0)
            return;
        auto& self = *reinterpret_cast<Errors*>(jpeg->err);
        switch (jpeg->err->msg_code) {
        case JWRN_EXTRANEOUS_DATA:
        case JWRN_JFIF_MAJOR:
        case JWRN_ADOBE_XFORM:
            return;
        case JWRN_NOT_SEQUENTIAL:
            self.odd_scan = true;
            return;
        case JWRN_JPEG_EOF:
            self.truncated = true;
            self.note_loss(jpeg);
            return;
        default:
            if (!self.goes_on)
                on_error(jpeg);
            self.note_loss(jpeg);
        }
    }

    void note_loss(j_common_ptr common) {
        if (loss || common->is_decompressor == FALSE)
            return;
        const auto* jpeg = reinterpret_cast<j_decompress_ptr>(common);
        const auto block_rows = static_cast<unsigned>(DCTSIZE * jpeg->max_v_samp_factor);
        loss = Loss{jpeg->input_scan_number, jpeg->input_iMCU_row * block_rows};
    }
};

/// Rows handed to libjpeg at a time; it takes up to two in one call.
inline constexpr int batch = 8;

inline std::array<JSAMPROW, batch> rows_from(std::span<const std::byte> rows, std::size_t row_bytes) {
    std::array<JSAMPROW, batch> pointers{};
    for (std::size_t i = 0; i < std::min<std::size_t>(batch, rows.size() / row_bytes); ++i) {
        // libjpeg takes non-const rows for input too, and only reads them.
        pointers.at(i) = const_cast<JSAMPROW>(reinterpret_cast<const JSAMPLE*>(rows.data() + i * row_bytes)); // NOLINT
    }
    return pointers;
}

} // namespace glproc::codecs
