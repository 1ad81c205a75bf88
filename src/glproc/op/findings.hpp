// What operations found out by looking at a picture, "threshold 104/255", for callers that want to tell
// people.
#pragma once

#include <string>
#include <vector>

namespace glproc {

/// Whether operations on this thread are to say what they find. Parameters that would stay on the GPU are
/// then read back, which takes time.
void want_findings(bool wanted);
bool findings_wanted();

/// Of this thread; forgotten where nobody wants it.
void add_finding(std::string what);

/// All since the last call, on this thread.
std::vector<std::string> take_findings();

/// What is found on this thread while it lives is of another picture than the one people ask about, and
/// forgotten. Operations take the same way as without it.
class FindingsAside {
  public:
    FindingsAside() : kept_(take_findings()) {}
    FindingsAside(const FindingsAside&) = delete;
    FindingsAside& operator=(const FindingsAside&) = delete;
    ~FindingsAside();

  private:
    std::vector<std::string> kept_;
};

} // namespace glproc
