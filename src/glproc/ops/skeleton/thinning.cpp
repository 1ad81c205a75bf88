#include "glproc/ops/skeleton/thinning.hpp"

#include "glproc/base/covering.hpp"
#include "glproc/base/parallel.hpp"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

namespace glproc {

namespace {

/// The neighbours of a pixel, as bits of a number: p(0) is the one above, and so on clockwise.
struct Around {
    unsigned bits;

    bool p(int i) const { return (bits >> (static_cast<unsigned>(i) % 8U) & 1U) != 0; }
    int count() const { return std::popcount(bits); }
    /// How often a set pixel follows one that is not, clockwise.
    int beginnings() const {
        int found = 0;
        for (int i = 0; i < 8; ++i) {
            found += !p(i) && p(i + 1) ? 1 : 0;
        }
        return found;
    }
    /// The same, but diagonal neighbours join their two neighbours.
    int arcs() const {
        int found = 0;
        for (int i = 0; i < 8; i += 2) {
            found += !p(i) && (p(i + 1) || p(i + 2)) ? 1 : 0;
        }
        return found;
    }
    /// Of four pairs of neighbours, beginning with the i-th, those with a set pixel.
    int pairs(int i) const {
        int found = 0;
        for (int pair = 0; pair < 4; ++pair, i += 2) {
            found += p(i) || p(i + 1) ? 1 : 0;
        }
        return found;
    }
};

/// Where scikit-image's skeletonize() does not do what the paper says, in each of the passes.
const std::array<std::vector<unsigned>, 2> exceptions_of_zhang{
    std::vector<unsigned>{0x05, 0x0c, 0x14, 0x18, 0x1c, 0x30, 0x41, 0x43, 0x50, 0x60, 0x61, 0x63, 0x70, 0x85,
                          0xc0, 0xd0},
    std::vector<unsigned>{0x03, 0x05, 0x06, 0x07, 0x0d, 0x14, 0x18, 0x34, 0x36, 0x41, 0x50, 0x58, 0x81, 0xc0,
                          0xc1},
};

bool goes_by_zhang(const Around& a, int pass) {
    const bool is_open = pass == 0 ? !(a.p(0) && a.p(2) && a.p(4)) && !(a.p(2) && a.p(4) && a.p(6))
                                   : !(a.p(0) && a.p(2) && a.p(6)) && !(a.p(0) && a.p(4) && a.p(6));
    const bool goes = a.beginnings() == 1 && a.count() >= 2 && a.count() <= 6 && is_open;
    const auto& exceptions = exceptions_of_zhang[static_cast<std::size_t>(pass)];
    return goes != (std::find(exceptions.begin(), exceptions.end(), a.bits) != exceptions.end());
}

/// Z. Guo, R. W. Hall, Parallel Thinning with Two-Subiteration Algorithms, 1989.
bool goes_by_guo_hall(const Around& a, int pass) {
    const int neighbours = std::min(a.pairs(7), a.pairs(0));
    const bool is_held =
        pass == 0 ? (a.p(4) || a.p(5) || !a.p(7)) && a.p(6) : (a.p(0) || a.p(1) || !a.p(3)) && a.p(2);
    return a.arcs() == 1 && neighbours >= 2 && neighbours <= 3 && !is_held;
}

/// Words of a row and of the rows beside it, with the neighbours of their pixels as words in the order of
/// Around.
class Surroundings {
  public:
    explicit Surroundings(const HostMask& mask)
        : mask_(mask), row_words_(static_cast<int>(MaskBits::row_words_of(mask.width))) {}

    std::array<std::uint32_t, 8> of(int column, int y) const {
        const auto west = [&](int row) { return at(column, row) << 1U | at(column - 1, row) >> 31U; };
        const auto east = [&](int row) { return at(column, row) >> 1U | at(column + 1, row) << 31U; };
        return {at(column, y - 1), east(y - 1), east(y), east(y + 1),
                at(column, y + 1), west(y + 1), west(y), west(y - 1)};
    }

  private:
    std::uint32_t at(int column, int y) const {
        const bool is_inside = y >= 0 && y < mask_.height && column >= 0 && column < row_words_;
        return is_inside ? mask_.words[mask_.word_of(column * 32, y)] : 0;
    }

    const HostMask& mask_;
    int row_words_;
};

std::uint32_t thinned(std::uint32_t word, const std::array<std::uint32_t, 8>& around,
                      const ThinningTable& table) {
    std::uint32_t inside = ~0U;
    for (const std::uint32_t neighbours : around) {
        inside &= neighbours;
    }
    for (std::uint32_t left = word & ~inside; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(left));
        unsigned index = 0;
        for (unsigned i = 0; i < 8; ++i) {
            index |= (around[i] >> bit & 1U) << i;
        }
        word &= ~((table[index / 32] >> (index % 32) & 1U) << bit);
    }
    return word;
}

/// Thins in passes that look at those words alone around which something has changed since the same pass saw them last. A
/// thick shape loses a rim in each of many passes, and all of it in as many steps as it has words.
class Thinning {
  public:
    Thinning(HostMask mask, const std::array<ThinningTable, 2>& tables)
        : mask_(std::move(mask)), tables_(tables),
          row_words_(static_cast<int>(MaskBits::row_words_of(mask_.width))), is_open_(mask_.words.size()) {
        for (int y = 0; y < mask_.height; ++y) {
            for (int column = 0; column < row_words_; ++column) {
                open(column, y);
            }
        }
    }

    HostMask run() && {
        while (!open_[0].empty() || !open_[1].empty()) {
            pass(0);
            pass(1);
        }
        return std::move(mask_);
    }

  private:
    struct WordPlace {
        int column;
        int y;
    };

    std::size_t index_of(const WordPlace& place) const { return mask_.word_of(place.column * 32, place.y); }

    void open(int column, int y) {
        const bool is_inside = y >= 0 && y < mask_.height && column >= 0 && column < row_words_;
        if (!is_inside || mask_.words[index_of({column, y})] == 0) {
            return;
        }
        std::uint8_t& flags = is_open_[index_of({column, y})];
        for (unsigned i = 0; i < 2; ++i) {
            if ((flags >> i & 1U) == 0) {
                open_[i].push_back({column, y});
            }
        }
        flags = 3;
    }

    void pass(unsigned number) {
        places_.swap(open_[number]);
        open_[number].clear();
        made_.resize(places_.size());
        const Surroundings surroundings(mask_);
        constexpr std::size_t at_once = 4096;
        parallel_for(covering(places_.size(), at_once), [&](std::size_t part) {
            const std::size_t end = std::min(places_.size(), (part + 1) * at_once);
            for (std::size_t i = part * at_once; i < end; ++i) {
                const WordPlace& place = places_[i];
                made_[i] = thinned(mask_.words[index_of(place)], surroundings.of(place.column, place.y), tables_[number]);
            }
        });
        for (const WordPlace& place : places_) {
            is_open_[index_of(place)] &= static_cast<std::uint8_t>(~(1U << number));
        }
        for (std::size_t i = 0; i < places_.size(); ++i) {
            std::uint32_t& word = mask_.words[index_of(places_[i])];
            if (std::exchange(word, made_[i]) != made_[i]) {
                open_around(places_[i]);
            }
        }
    }

    void open_around(const WordPlace& place) {
        for (int y = place.y - 1; y <= place.y + 1; ++y) {
            for (int column = place.column - 1; column <= place.column + 1; ++column) {
                open(column, y);
            }
        }
    }

    HostMask mask_;
    const std::array<ThinningTable, 2>& tables_;
    int row_words_;
    std::vector<std::uint8_t> is_open_; ///< of each word a bit for each pass
    std::array<std::vector<WordPlace>, 2> open_;
    std::vector<WordPlace> places_;
    std::vector<std::uint32_t> made_;
};

} // namespace

std::array<ThinningTable, 2> thinning_tables(SkeletonRule rule) {
    std::array<ThinningTable, 2> tables{};
    for (unsigned bits = 0; bits < 255; ++bits) {
        for (int pass = 0; pass < 2; ++pass) {
            const bool goes =
                rule == SkeletonRule::zhang ? goes_by_zhang({bits}, pass) : goes_by_guo_hall({bits}, pass);
            tables[static_cast<std::size_t>(pass)][bits / 32] |= (goes ? 1U : 0U) << (bits % 32);
        }
    }
    return tables;
}

HostMask thin(HostMask mask, SkeletonRule rule) {
    const auto tables = thinning_tables(rule);
    return Thinning(std::move(mask), tables).run();
}

MaskBits thin(Context& gpu, MaskBits mask, SkeletonRule rule) {
    constexpr int rounds = 8;        // between two looks at whether anything changes, which wait for the device
    constexpr int most_rounds = 256; // then a shape is so thick that looking at its rim alone is faster
    std::vector<Buffer> tables;
    for (const ThinningTable& table : thinning_tables(rule)) {
        tables.push_back(gpu.make_buffer(sizeof(table), "skeleton.table"));
        tables.back().write(std::vector<std::uint32_t>(table.begin(), table.end()));
    }
    Buffer other = gpu.make_buffer(mask.words.bytes(), "skeleton.other");
    Buffer changed = gpu.make_buffer(sizeof(std::uint32_t), "skeleton.changed");
    const auto pass = [&](const Buffer& from, const Buffer& table, Buffer& to) {
        gpu.pass("skeleton.thin", "skeleton/thin.comp")
            .reads("b_from", from)
            .reads("b_table", table)
            .writes("b_to", to)
            .updates("b_changed", changed)
            .set("u_height", static_cast<std::uint32_t>(mask.height))
            .set("u_row_words", static_cast<std::uint32_t>(mask.row_words()))
            .over_1d(mask.word_count());
    };
    int done = 0;
    do {
        if (done >= most_rounds) {
            mask.words.write(thin(host_mask(mask), rule).words);
            return mask;
        }
        done += rounds;
        for (int round = 0; round < rounds; ++round) {
            if (round + 1 == rounds) {
                changed.fill(0);
            }
            pass(mask.words, tables[0], other);
            pass(other, tables[1], mask.words);
        }
    } while (changed.read<std::uint32_t>(1).front() != 0);
    return mask;
}

} // namespace glproc
