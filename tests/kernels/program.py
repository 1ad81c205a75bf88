"""A kernel as a C++ program that runs one dispatch of it on the processor; see group.hpp."""
import re
import subprocess

TYPES = {"bool", "int", "uint", "float", "double"} | {f"{kind}vec{n}" for kind in ("", "i", "u", "b", "d") for n in "234"}
# Words of C++ that a kernel may use as names.
KEYWORDS = set("""alignas and asm auto bitand bitor catch char class compl concept delete export explicit friend goto long mutable
namespace new not_eq operator or private protected public register requires short signed sizeof template this throw try typedef
typename union unsigned using virtual wchar_t xor""".split())
SWIZZLE = re.compile(r"[xyzw]{2,4}|[rgba]{2,4}|[stpq]{2,4}")
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
TOKEN = re.compile(r"""(?P<line>\#[^\n]*) | (?P<space>\s+) | (?P<word>[A-Za-z_]\w*)
    | (?P<number>0[xX][0-9a-fA-F]+[uU]? | (?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?(?:lf|LF|[fF])? | \d+[uU]?)
    | (?P<sign><<=|>>=|[-+*/%&|^<>=!]=|\+\+|--|<<|>>|&&|\|\||\^\^|.)""", re.VERBOSE)
OURS = "::glproc::glsl::"  # a kernel may have a function of the same name
CLOSING = {"(": ")", "[": "]", "{": "}"}


def preprocessed(text, files, extensions=False):
    """The text without macros and comments, with the names of files in the lines that begin with #. With `extensions`, the
    lines that ask for these are kept as words."""
    lines = []
    for line in text.split("\n"):
        if re.match(r"\s*#\s*(version|extension|pragma)", line):
            line = line.replace("#", "@") if extensions else ""
        line = re.sub(r"^\s*#line (\d+) (\d+)", lambda m: f'#line {m[1]} "{files[int(m[2])]}"', line)
        lines.append(line)
    lines.insert(0, f'#line 1 "{files[0]}"')
    done = subprocess.run(["cpp", "-undef", "-nostdinc", "-w", "-DGL_core_profile=1", "-D__VERSION__=430", "-"],
                          input="\n".join(lines), capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(done.stderr)
    return done.stdout


def is_code(token):
    return not token.isspace() and not token.startswith("#")


class Program:
    """What as_program() works on: tokens, which are changed in place of being copied."""

    def __init__(self, text):
        self.tokens = [m[0] for m in TOKEN.finditer(text)]
        self.types = set(TYPES)
        self.members = set()  # of structs, where they look like swizzles
        self.size = [1, 1, 1]

    def next(self, i):
        """The next token that is code."""
        i += 1
        while i < len(self.tokens) and not is_code(self.tokens[i]):
            i += 1
        return i

    def last(self, i):
        i -= 1
        while i >= 0 and not is_code(self.tokens[i]):
            i -= 1
        return i

    def at(self, i):
        return self.tokens[i] if 0 <= i < len(self.tokens) else ""

    def closing(self, i):
        """The bracket that closes the one at i."""
        opening, depth = self.tokens[i], 0
        while True:
            depth += (self.tokens[i] == opening) - (self.tokens[i] == CLOSING[opening])
            if depth == 0:
                return i
            i += 1

    def text(self, begin, end):
        return "".join(self.tokens[begin:end])

    def put(self, begin, end, text):
        """Replaces tokens, and keeps the lines of what follows."""
        lines = "".join(t for t in self.tokens[begin:end] if "\n" in t or t.startswith("#"))
        self.tokens[begin:end] = [text] + ([lines] if lines else [])

    def dimensions(self, i):
        """The lengths in brackets from i on, and where they end."""
        found = []
        while self.at(i) == "[":
            end = self.closing(i)
            found.append(self.text(i + 1, end).strip())
            i = self.next(end)
        return found, i

    def arrayed(self, kind, lengths):
        for length in reversed(lengths):
            kind = f"{OURS}Array<{kind}, ({length})>"
        return kind

    # --- what stands outside of functions ---

    def collect_structs(self):
        for i, token in enumerate(self.tokens):
            if token == "struct":
                name = self.next(i)
                self.types.add(self.tokens[name])
                body = self.next(name)
                for j in range(body, self.closing(body)):
                    if self.at(self.next(j)) in (";", ",", "[") and SWIZZLE.fullmatch(self.tokens[j]):
                        self.members.add(self.tokens[j])

    def end_of_statement(self, i):
        while self.tokens[i] != ";":
            i = self.closing(i) + 1 if self.tokens[i] in CLOSING else i + 1
        return i

    def block(self, begin, end):
        """A storage block: its members by reference, at the places of std430."""
        words = [t for t in self.tokens[begin:end] if is_code(t)]
        name = words[words.index("buffer") + 1]
        shared = "true" if "coherent" in words else "false"
        body = self.text(begin, end)
        body = body[body.index("{") + 1:body.rindex("}")]
        body = re.sub(r"#[^\n]*", "", body)
        place, result = "0", ""
        for kind, member, unsized in re.findall(r"(\w+)\s+(\w+)\s*(\[\s*\])?\s*;", body):
            at = f"{OURS}place_of<{kind}>({place})"
            if unsized:
                result += f'inline static {OURS}Buffer<{kind}> {member} = {OURS}buffer<{kind}>("{name}", {at}, {shared});'
            else:
                result += f'inline static {kind}& {member} = {OURS}member<{kind}>("{name}", {at}, {shared});'
            place = f"({at} + sizeof({kind}))"
        self.put(begin, end + 1, result)

    def global_statement(self, begin):
        """Turns the declaration that begins there into one of C++; returns where the next begins."""
        end = self.end_of_statement(begin)
        words = [t for t in self.tokens[begin:end] if is_code(t)]
        if words[0] == "layout" and words[2].startswith("local_size"):
            inside = self.text(self.next(begin) + 1, self.closing(self.next(begin)))
            for axis, value in re.findall(r"local_size_([xyz])\s*=([^,]+)", inside):
                self.size["xyz".index(axis)] = value.strip()
            self.put(begin, end + 1, " ")
        elif "buffer" in words and "{" in words:
            self.block(begin, end)
        elif "uniform" in words:
            self.uniform(begin, end)
        elif words[0] == "shared":
            name, kind, _ = self.declared(self.next(begin))
            self.put(begin, end + 1, f"inline static {kind} {name}; inline static const bool {name}_is_shared = {OURS}shared({name});")
        elif words[0] == "const":
            name, kind, rest = self.declared(self.next(begin))
            how = "constexpr" if kind in ("int", "uint", "bool") else "inline static const"
            if how == "constexpr":
                how = "static constexpr"
            self.put(begin, rest, f"{how} {kind} {name} ")
        elif words[0] == "precision":
            self.put(begin, end + 1, " ")
        elif words[0] in self.types | {"void"} and len(words) > 2 and words[2] == "(" and words[-1] == ")":
            self.put(begin, end + 1, " ")  # of a function: members see each other without
        else:
            return end + 1
        return begin + 1

    def declared(self, i):
        """Of a declaration whose type stands at i: its name, its type, and where what follows the name stands."""
        kind = self.tokens[i]
        before, i = self.dimensions(self.next(i))
        name = self.tokens[i]
        after, i = self.dimensions(self.next(i))
        if after == [""] or before == [""]:
            return name, "auto", i
        return name, self.arrayed(kind, after + before), i

    def uniform(self, begin, end):
        i = begin
        while self.tokens[i] != "uniform":
            i += 1
        i = self.next(i)
        if self.tokens[i] in ("uimage2D", "usampler2D"):
            name = self.tokens[self.next(i)]
            self.put(begin, end + 1, f'inline static const {self.tokens[i]} {name}{{{OURS}image("{name}")}};')
        else:
            name, kind, _ = self.declared(i)
            self.put(begin, end + 1, f'inline static const {kind} {name} = {OURS}uniform<{kind}>("{name}");')

    def globals(self):
        i = self.next(-1)
        while i < len(self.tokens):
            if self.tokens[i] == ";":
                i = self.next(i)
                continue
            j = i  # a function's body has no semicolon before it, which those of structs and blocks have behind
            while self.at(j) not in (";", "{", ""):
                j = self.closing(j) + 1 if self.tokens[j] in CLOSING else j + 1
            first = self.tokens[i]
            if self.at(j) == "{" and first != "struct" and "buffer" not in self.tokens[i:j] and "=" not in self.tokens[i:j]:
                i = self.next(self.closing(j))
            elif first == "struct":
                i = self.struct(i, j)
            else:
                i = self.next(self.global_statement(i) - 1)

    def struct(self, begin, body):
        """With a constructor, as GLSL has it."""
        end = self.closing(body)
        name = self.tokens[self.next(begin)]
        members, i = [], self.next(body)
        while i < end:
            member, kind, after = self.declared(i)
            members.append((kind, member))
            while self.at(after) == ",":
                after = self.next(after)
                members.append((kind, self.tokens[after]))
                after = self.next(after)
            i = self.next(self.end_of_statement(i))
        given = ", ".join(f"const {kind}& {member}_" for kind, member in members)
        kept = ", ".join(f"{member}({member}_)" for _, member in members)
        self.tokens.insert(body + 1, f" {name}() = default; {name}({given}) : {kept} {{}} ")
        return self.next(self.end_of_statement(begin))

    # --- what stands anywhere ---

    def numbers_and_names(self):
        for i, token in enumerate(self.tokens):
            if re.match(r"(\d+\.|\.\d|\d+[eE])", token):
                self.tokens[i] = token[:-2] if token[-2:].lower() == "lf" else token if token[-1] in "fF" else token + "F"
            elif token in KEYWORDS:
                self.tokens[i] = token + "_"
            elif token in ("precise", "in", "restrict", "highp", "mediump"):
                self.tokens[i] = " "
            elif token == "^^":
                self.tokens[i] = "!="

    def begin_of_operand(self, i):
        """Where what stands before the dot at i begins: a name, with indices and members."""
        i = self.last(i)
        while self.tokens[i] == "]":
            depth = 0
            while depth != 0 or self.tokens[i] == "]":
                depth += (self.tokens[i] == "]") - (self.tokens[i] == "[")
                i -= 1
            i = i if is_code(self.tokens[i]) else self.last(i)
        dot = self.last(i)
        return self.begin_of_operand(dot) if self.at(dot) == "." else i

    def swizzles(self):
        """Calls of functions, as headers with swizzles take most of a compiler's time."""
        i = 0
        while i < len(self.tokens):
            token = self.tokens[i]
            dot = self.last(i)
            if SWIZZLE.fullmatch(token) and self.at(dot) == "." and token not in self.members:
                if self.at(self.next(i)) in ASSIGNS:
                    places = ", ".join(str("xrsygtzbpwaq".index(part) // 3) for part in token)
                    begin = self.begin_of_operand(dot)
                    self.tokens[dot:i + 1] = [")"]
                    self.tokens.insert(begin, f"{OURS}parts<{places}>(")
                    i = dot + 1
                else:
                    self.tokens[i] = token + "()"
            i += 1

    def arrays(self):
        """Arrays that are values, of parameters and of variables, and made in place."""
        i = 0
        while i < len(self.tokens):
            if self.tokens[i] not in self.types or self.at(self.last(i)) in (".", "struct", "<"):
                i += 1
                continue
            qualifier = self.last(i)
            is_out = self.at(qualifier) in ("out", "inout")
            before, after = self.dimensions(self.next(i))
            if before and self.at(after) == "(":
                kind = self.tokens[i]
                self.put(i, after, f"{OURS}array_of<{kind}>")
            elif before and self.at(self.next(after)) == "(":  # what a function returns
                self.put(i, after, self.arrayed(self.tokens[i], before) + " ")
            elif re.match(r"[A-Za-z_]", self.at(after)):
                lengths, rest = self.dimensions(self.next(after))
                if lengths or before:
                    name, kind, _ = self.declared(i)
                    if self.at(rest) == "," and not self.in_brackets(i):
                        raise ValueError(f"several arrays in one declaration: {self.text(i, rest + 20)}")
                    self.put(i, rest, f"{kind}{'&' if is_out else ''} {name}")
                elif is_out:
                    self.tokens[i] += "&"
            if is_out:
                self.tokens[qualifier] = " "
            i += 1

    def in_brackets(self, i):
        depth = 0
        while i >= 0 and self.tokens[i] not in ("{", "}", ";"):
            depth += (self.tokens[i] == "(") - (self.tokens[i] == ")")
            i -= 1
        return depth > 0


def as_program(text, files):
    """The C++ of a kernel."""
    program = Program(preprocessed(text, files))
    program.numbers_and_names()
    program.collect_structs()
    program.swizzles()
    program.globals()
    program.arrays()
    body = "".join(program.tokens)
    size = ", ".join(f"uint({n})" for n in program.size)
    return f"""#include "group.hpp"
namespace glproc::glsl {{
struct Invocation : Place {{
{body}
#line 1 "kernel"
static constexpr std::array<uint, 3> group_size{{{size}}};
inline static const uvec3 gl_WorkGroupSize{{{size}}};
}};
}}
int main() {{ return glproc::glsl::run<glproc::glsl::Invocation>(); }}
"""
