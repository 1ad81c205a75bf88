# Bare roots of Debian, where scripts/try-distro, try-package and try-readme try things. They source this; it needs root and
# debootstrap.
# shellcheck shell=bash

# shellcheck disable=SC2034 # where they are kept: below a folder that root alone writes to
roots=/var/cache/glproc-distros

# check_own FOLDER...: what root writes into, and runs, only root may have made or be able to change. Folders above may be sticky.
check_own() {
    local folder shared
    for folder in "$@"; do
        shared=
        while [[ -e $folder || -L $folder ]]; do
            [[ -d $folder && ! -L $folder && $(stat -c %u "$folder") == 0 && (-n $shared && -k $folder ||
                -z $(find "$folder" -maxdepth 0 -perm /022)) ]] || {
                echo "$(basename "$0"): $folder must be a folder of root's that nobody else can write to; --root names another" >&2
                exit 1
            }
            [[ $folder != / ]] || break
            folder=$(dirname "$folder") shared=1
        done
    done
}

# fetch_root DISTRO ROOT: a minimal release in a folder, unless it is there; and what apt needs in it.
fetch_root() {
    local distro=$1 root=$2
    [[ $(id -u) == 0 ]] || { echo "$(basename "$0"): needs root, for debootstrap and chroot" >&2 && exit 1; }
    command -v debootstrap >/dev/null || { echo "$(basename "$0"): install debootstrap" >&2 && exit 1; }
    check_own "$roots" "$root" "$root.part"
    if [[ ! -d $root/usr ]]; then
        echo "$(basename "$0"): fetching $distro" >&2
        rm -rf "$root.part"
        debootstrap --variant=minbase "$distro" "$root.part" http://deb.debian.org/debian >"$root.log" 2>&1 || {
            tail -n 5 "$root.log" >&2
            exit 1
        }
        mkdir -p "$root"
        rmdir "$root"
        mv "$root.part" "$root"
    fi
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99late" # a mirror may be behind
    [[ ! -e /etc/resolv.conf ]] || cat /etc/resolv.conf >"$root/etc/resolv.conf"
}

# in_root ROOT COMMAND...: there, with the system's folders, and those of the list `mounts`, each "FROM:TO" or "FROM:TO:ro". The
# mounts go with the command.
mounts=()
in_root() {
    unshare --mount bash -s "${#mounts[@]}" "${mounts[@]}" "$@" 3<&0 <<'INSIDE'
set -euo pipefail
count=$1
mounts=("${@:2:count}")
shift $((1 + count))
root=$1
shift
for mount in "${mounts[@]}"; do
    IFS=: read -r from to how <<<"$mount"
    mkdir -p "$root$to"
    mount --bind "$from" "$root$to"
    [[ -z $how ]] || mount -o "remount,bind,$how" "$root$to"
done
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" <&3
INSIDE
}
