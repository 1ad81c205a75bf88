"""Rows of scripts/regressions: batches, messages and names. Each is the line of the report that it belongs to, a shell
command, the exit status, and what stdout and stderr together must match."""

ROWS = [
    # C.1: batches
    ("C.1", "mkdir d; cp photo.png d; printf '8BPS\\0\\1\\0\\0\\0\\0\\0\\0\\0\\1\\0\\0\\0\\1\\0\\0\\0\\1\\0\\10\\0\\1\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0A' > d/a.psd; "
            "glproc invert d o/; ls o", 0, r"a\.psd: unknown output format(.|\n)*1 done, 0 skipped, 1 failed(.|\n)*photo\.png$"),
    ("C.1", "mkdir d; cp photo.png d; glproc convert photo.png d/b.jpg && glproc convert d o/ --quality 70 && ls o", 0, r"^b\.jpg\nphoto\.png"),
    ("C.1", "glproc convert ramp.pgm o.ppm && codes o.ppm 6", 0, r"^ 192 192 192 255 255 255"),
    ("C.1", "glproc convert ramp.pgm o.ppm --fit-format && codes o.ppm 6", 0, r"^ 192 192 192 255 255 255"),
    ("C.1", "mkdir d; cp red.png photo.png d; glproc convert d o/ --to jpg", 2, r"o/red\.jpg: JPEG cannot hold an alpha channel\n  hint: --background white"),
    ("C.1", "mkdir d; cp red.png photo.png d; glproc convert d o/ --to jpg --fit-format && ls o", 0, r"^photo\.jpg\nred\.jpg"),
    ("C.1", "glproc convert red.png photo.png o/ --name '{n:04}.{ext}' --dry-run; ls o", 2, r"^red\.png -> o/0001\.png\nphoto\.png -> o/0002\.png\n"),
    ("C.1", "glproc resize phtos small/ 50%", 3, r"^glproc: error: phtos: no such file or folder$"),
    ("C.1", "glproc levels photo.png o.png --auto 1", 2, r"--auto takes its value after an equals sign\n  hint: --auto=1"),
    ("C.1", "glproc crop photo.png o.png 2x2+1+1 && glproc info o.png", 0, r"PNG, 2x2"),
    ("C.1", "glproc threshold photo.png o.png 0.5", 0, r"^$"),
    ("C.1", "glproc unsharp photo.png o.png 0x1", 2, r"unexpected argument '0x1'\n  hint: glproc unsharp photo\.png o\.png --sigma 1"),
    ("C.1", "glproc convert photo.png o.png --jobs 0", 2, r"--jobs 0 is out of range"),
    # C.2: words of other tools
    ("C.2", "glproc convert photo.png -resize 50% o.png", 2, r"unknown flag '-resize'\n  hint: glproc resize photo\.png o\.png 50%"),
    ("C.2", "glproc convert photo.png -blur 0x2 o.png", 2, r"unknown flag '-blur'\n  hint: glproc blur photo\.png o\.png --sigma 2"),
    ("C.2", "glproc photo.png -resize 50% o.png", 2, r"unknown flag '-resize'\n  hint: glproc resize photo\.png o\.png 50%"),
    ("C.2", "glproc -resize 50% photo.png o.png", 2, r"unknown flag '-resize'\n  hint: glproc resize photo\.png o\.png 50%"),
    ("C.2", "glproc convert photo.png o.png --qual 80", 2, r"did you mean '--quality'"),
    ("C.2", "glproc convert photo.png o.png --metric psnr", 2, r"hint: glproc compare photo\.png o\.png"),
    ("C.2", "glproc convert photo.png o.png --resize 50%", 2, r"resize is a command"),
    ("C.2", "glproc scale photo.png o.png 50% && glproc info o.png", 0, r"PNG, 2x2"),
    ("C.2", "glproc brightness photo.png o.png 20", 2, r"did you mean 'adjust'.*\n  hint: 20 is not used in this example: glproc adjust photo\.png o\.png --brightness"),
    ("C.2", "for g in centre se bottom-right; do glproc crop photo.png o.png 2x2 --gravity $g || exit; done", 0, r"^$"),
    ("C.2", "glproc resize photo.png o.png 2x --filter area", 0, r"^$"),
    ("C.2", "glproc blur photo.png o.png --sigma 1 --border edge", 0, r"^$"),
    ("C.2", "glproc convert photo.png o.tif --depth float && glproc info o.tif", 0, r"32-bit float"),
    ("C.2", "glproc morphology photo.png o.png --do closing --shape circle --radius 1", 0, r"^$"),
    # C.3: names
    ("C.3", "glproc threshold photo.png o.png --rule otsu && glproc threshold photo.png p.png --method otsu && cmp o.png p.png", 0, r"^$"),
    ("C.3", "glproc histogram photo.png --channels rgb --bins 1 --format csv", 0, r"bin,lo,hi,r,g,b"),
    ("C.3", "glproc levels photo.png o.png --channels r,g --black 0.1", 0, r"^$"),
    ("C.3", "glproc flip photo.png o.png horizontal", 0, r"^$"),
    ("C.3", "glproc dilate photo.png o.png --radius 1 && glproc erode photo.png o.png --radius 1", 0, r"^$"),
    ("C.3", "glproc histogram photo.png --plot p.png --plot-style columns -q > /dev/null", 0, r"^$"),
    ("C.3", "echo invert > look.txt; glproc pipe photo.png o.png --recipe look.txt then resize 50% && glproc info o.png", 0, r"PNG, 2x2"),
    ("C.3", "glproc rotate ramp.pgm o.pgm 90 && glproc info o.pgm", 0, r"1x8"),
    ("C.3", "glproc resize photo.png o.png '800x600>' && cmp photo.png o.png || glproc compare photo.png o.png --max-diff 0", 0, r"psnr equal"),
    ("C.3", "glproc resize ramp.pgm o.pgm --max 4 && glproc info o.pgm", 0, r"4x1"),
    ("C.3", "glproc resize ramp.pgm o.pgm 1x1 --fill --gravity west && codes o.pgm 1", 0, r"^ +0"),
    ("C.3", "glproc crop ramp.pgm o.pgm --aspect 1:1 && glproc info o.pgm", 0, r"1x1"),
    # C.4: info and compare
    ("C.4", "glproc info photo.png", 0, r"file +\d+ bytes"),
    ("C.4", "glproc convert photo.png o.jpg --quality 80 && glproc info o.jpg", 0, r"compression +sequential\n  quality +about 80, sampling"),
    ("C.4", "mkdir d; cp photo.png red.png d; glproc info d", 0, r"^d/photo\.png: PNG(.|\n)*d/red\.png: PNG"),
    ("C.4", "mkdir a b; cp photo.png red.png a; cp photo.png red.png b; glproc compare a b --format csv", 0, r"^file,mse,psnr,ssim,max_diff,x,y,pixels\na/photo"),
    ("C.4", "glproc invert photo.png o.png; glproc compare photo.png o.png --min-psnr 30", 1, r"differing pixels 16 \(100%\)(.|\n)*less than --min-psnr 30"),
    ("C.4", "glproc convert photo.png o.png --alpha add && glproc compare photo.png o.png", 0, r"psnr equal"),
    ("C.4", "glproc invert photo.png o.png; glproc compare photo.png o.png --map m.png --map-style red --map-gain 4", 0, r"mse"),
    ("C.4", "printf 'P4 8 1\\n@' > one.pbm; glproc info one.pbm", 0, r"stored as +1-bit grey"),
    ("C.4", "awk 'BEGIN { print \"P3 100 100 65535\"; for (i = 0; i < 30000; ++i) print 32000 + int(16 * rand()) }' > many.ppm; "
            "glproc threshold many.ppm a.png --rule otsu -v 2>&1 | sed -n 's/^many.ppm: threshold //p' > found; "
            "glproc threshold many.ppm b.png --at $(cat found) && glproc compare a.png b.png", 0, r"differing pixels 0 "),
    # C.5
    ("C.5", "glproc blur film.mp4 o.mp4 --sigma 1", 2, r"o\.mp4: a video, not an image\n  hint: for videos: glproc video"),
    ("C.5", "printf '\\0\\0\\0\\030ftypmp42\\0\\0\\0\\0mp42isom' > film.mp4; glproc info film.mp4", 3, r"film\.mp4: not a video, or a broken one: moov atom not found"),
    ("C.5", "glproc convert photo.png o.exr && glproc convert photo.png o.hdr && glproc info o.hdr", 0, r"32-bit float"),
    ("C.5", "glproc histogram photo.png", 0, r"\n128 +\d+ "),
    ("C.5", "glproc crop photo.png o.png --rect '0, 0, 2, 2' && glproc info o.png", 0, r"2x2"),
    ("C.5", "printf 'photo.png\\r\\n' > list; glproc invert --files-from list o/ && ls o", 0, r"^photo\.png"),
]
