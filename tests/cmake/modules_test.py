"""The program that was built has each module whose libraries this machine has.

    modules_test.py GLPROC BUILD
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def wanted(cache, name, libraries):
    """Whether the build was not told to do without, and pkg-config knows all of its libraries."""
    told = re.search(rf"^GLPROC_{name.upper()}:\w+=(.*)$", cache, re.M)
    return told[1] != "OFF" and subprocess.run(["pkg-config", "--exists", *libraries], check=False).returncode == 0


def main(program, build):
    cache = (pathlib.Path(build) / "CMakeCache.txt").read_text(encoding="utf-8")
    lines = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    modules = re.findall(r'^glproc_module\((\w+) TITLE (?:"[^"]*"|\w+) LIBRARIES ([^)]*)\)', lines, re.M)
    expected = {name: wanted(cache, name, libraries.split()) for name, libraries in modules}
    info = json.loads(subprocess.run([program, "info", "--json", "-q"], check=True, capture_output=True).stdout)
    built = {module["name"]: module["state"] == "ready" for module in info["modules"]}
    faults = [f"{name}: {'built' if built.get(name) else 'not built'}, but its libraries are {'' if there else 'not '}there"
              for name, there in expected.items() if built.get(name) != there]
    faults += [f"{name}: not in CMakeLists.txt" for name in built.keys() - expected.keys()]
    tiff = next(one for one in info["formats"] if one["name"] == "TIFF")
    if tiff["read"] != wanted(cache, "tiff", ["libtiff-4 >= 4.5"]):
        faults.append(f"TIFF: read is {tiff['read']}")
    print("\n".join(faults) or f"modules: {', '.join(name for name, there in built.items() if there)}")
    return len(faults) > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
