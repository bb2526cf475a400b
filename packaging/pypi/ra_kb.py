"""Starts the program `ra`, which is installed beside this module's scripts: `python -m ra_kb`, or `ra-kb`."""

import os
import sys
import sysconfig


def program():
    """Returns the path of the program, for the schemes in which pip and uv install packages."""
    name = "ra.exe" if os.name == "nt" else "ra"
    here = os.path.dirname(os.path.abspath(__file__))
    places = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user"))
        if hasattr(sysconfig, "get_preferred_scheme")
        else sysconfig.get_path("scripts", os.name + "_user"),
        # `pip install --target DIR`
        os.path.join(here, "bin"),
        os.path.dirname(os.path.abspath(sys.argv[0])),
    ]
    for place in places:
        path = os.path.join(place, name)
        if os.path.isfile(path):
            return path
    sys.stderr.write("error: the program `ra` is not in {}\n".format(", ".join(places)))
    sys.stderr.write("hint: install the package ra-kb again\n")
    sys.exit(2)


def main():
    path = program()
    if os.name == "nt":
        # Windows has no exec: it would return before the program ends.
        import subprocess

        try:
            sys.exit(subprocess.call([path] + sys.argv[1:]))
        except KeyboardInterrupt:
            sys.exit(130)
    os.execv(path, [path] + sys.argv[1:])


if __name__ == "__main__":
    main()
