"""Rows of scripts/regressions: safety. Each is the line of the report that it belongs to, a shell command, the exit status, and
what stdout and stderr together must match."""

ROWS = [
    ("A.4", "mkdir d; cp photo.png d/a.png; mkfifo d/b.png; cp photo.png d/c.png; timeout 20 glproc info d", 3,
            r"^d/a\.png: PNG(.|\n)*d/b\.png: a pipe, socket or device, not a file\n(.|\n)*d/c\.png: PNG"),
    ("A.4", "n=$(printf 'e\\033]0;owned\\a\\302\\233x.pgm'); cp ramp.pgm \"$n\"; for c in stats histogram 'compare ramp.pgm'; do "
            "glproc $c \"$n\" | grep -c \"$(printf '[\\033\\007]\\|\\302\\233')\"; done", 1, r"^0\n0\n0$"),
    ("A.3", "glproc convert photo.png o.tif && GLPROC_POLICY=untrusted glproc bench invert --input o.tif", 3, r"o\.tif: tif is not read from untrusted"),
    ("A.4", "mkdir d; mkfifo d/b.png; timeout 20 glproc info d --max-seconds 5", 3, r"d/b\.png: a pipe, socket or device"),
    ("A.4", "mkdir d; mkfifo d/b.png; cp photo.png d/c.png; timeout 20 glproc invert d o/; ls o", 0, r"b\.png: a pipe(.|\n)*\nc\.png$"),
]
