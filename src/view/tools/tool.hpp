// What the pointer does in the picture, apart from moving it, and what all tools of the window do.
#pragma once

#include "view/keys.hpp"
#include "view/viewport.hpp"

#include <string>

namespace glproc::view {

enum class ToolKind {
    part,    ///< drags a part of the picture, the value of a field
    turn,    ///< turns the picture about its middle
    corners, ///< drags four corners
    second,  ///< drags the second picture that the step lays on the picture, and its corners
    black,   ///< takes the level that is to become black from a pixel
    white,
    grey,   ///< chooses gamma so that a pixel becomes a middle grey
    region, ///< measures a region of the result
    line,   ///< shows the values along a line of the result
};

/// The tool that a person has in hand.
struct Held {
    ToolKind kind = ToolKind::region;
    int step = 0; ///< the id of the step that it is for; 0 of those that only measure
    std::string field = {};
    bool operator==(const Held&) const = default;
};

/// A parameter that a file is to be chosen for.
struct WantedFile {
    int step = 0; ///< its id
    std::string field;
};

/// The pointer, in pixels of the result.
struct Pointer {
    Point2 at;
    bool is_pressed = false; ///< its button went down in the picture
    bool is_clicked = false; ///< and up again at the same place
};

struct Scene;
struct Workspace;

/// The window passes events on to its tools, one after another.
class Tool {
  public:
    explicit Tool(Workspace& all) : all_(all) {}
    Tool(const Tool&) = delete;
    Tool& operator=(const Tool&) = delete;
    virtual ~Tool() = default;

    /// How the picture is drawn that comes next.
    virtual void colour(Scene& /*scene*/) const {}
    /// Over the picture.
    virtual void draw() {}
    /// The pointer is over the picture, or was when its button went down. Whether the tool has a use for it.
    virtual bool drag(const Pointer& /*pointer*/) { return false; }
    /// Whether the key is the tool's.
    virtual bool key(const Key& /*pressed*/) { return false; }

  protected:
    Workspace& all_;
};

} // namespace glproc::view
