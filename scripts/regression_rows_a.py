"""Rows of scripts/regressions: safety. Each is the line of the report that it belongs to, a shell command, the exit status, and
what stdout and stderr together must match."""

ROWS = [
    ("A.4", "mkdir d; cp photo.png d/a.png; mkfifo d/b.png; cp photo.png d/c.png; timeout 20 glproc info d", 3,
            r"^d/a\.png: PNG(.|\n)*d/b\.png: a pipe, socket or device, not a file\n(.|\n)*d/c\.png: PNG"),
    ("A.4", "mkdir d; mkfifo d/b.png; timeout 20 glproc info d --max-seconds 5", 3, r"d/b\.png: a pipe, socket or device"),
    ("A.4", "mkdir d; mkfifo d/b.png; cp photo.png d/c.png; timeout 20 glproc invert d o/; ls o", 0, r"b\.png: a pipe(.|\n)*\nc\.png$"),
]
