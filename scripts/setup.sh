#!/bin/sh
# Installs the system packages that are missing; says so in one line, and nothing when all is there.
#
# usage: setup.sh [tmux]    tmux: also what the end-to-end tests need
#
# Ends with 2 where Swift is missing or too old, or where a package cannot be installed.
set -eu

needed_major=6
needed_minor=3

stop() {
  echo "perftop: $*" >&2
  exit 2
}

swift_is_recent() {
  command -v swift >/dev/null 2>&1 || return 1
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\)\.\([0-9]*\).*/\1 \2/p')
  major=${version%% *}
  minor=${version##* }
  [ -n "$major" ] || return 1
  [ "$major" -gt "$needed_major" ] ||
    { [ "$major" -eq "$needed_major" ] && [ "$minor" -ge "$needed_minor" ]; }
}

missing_debian_packages() {
  for package in libncurses-dev libre2-dev libutf8proc-dev zlib1g-dev libzstd-dev \
    libmicrohttpd-dev libnghttp2-dev libwslay-dev nettle-dev "$@"; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    env DEBIAN_FRONTEND=noninteractive "$@"
  else
    sudo env DEBIAN_FRONTEND=noninteractive "$@"
  fi
}

install_debian_packages() {
  missing=$(missing_debian_packages "$@")
  missing=${missing% }
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null 2>&1; then
    stop "cannot install $missing: neither root nor sudo; run: apt-get install $missing"
  fi
  echo "perftop: installing $missing" >&2
  log=$(mktemp)
  # Lists that are absent or out of date are the usual reason for a first failure.
  # shellcheck disable=SC2086 # the names are a list
  if ! as_root apt-get install -y --no-install-recommends $missing >"$log" 2>&1; then
    if ! as_root apt-get update >"$log" 2>&1 ||
      ! as_root apt-get install -y --no-install-recommends $missing >>"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      stop "cannot install $missing; the output of apt-get is above"
    fi
  fi
  rm -f "$log"
}

install_brew_packages() {
  command -v brew >/dev/null 2>&1 || stop "needs Homebrew for re2, utf8proc, zstd, libmicrohttpd, libnghttp2, wslay and nettle: https://brew.sh"
  missing=
  for package in re2 utf8proc zstd libmicrohttpd libnghttp2 wslay nettle "$@"; do
    [ -d "$(brew --prefix)/opt/$package" ] || missing="$missing $package"
  done
  missing=${missing# }
  [ -n "$missing" ] || return 0
  echo "perftop: installing $missing" >&2
  # shellcheck disable=SC2086 # the names are a list
  HOMEBREW_NO_AUTO_UPDATE=1 brew install --quiet $missing >/dev/null ||
    stop "cannot install $missing; run: brew install $missing"
}

swift_is_recent ||
  stop "needs Swift $needed_major.$needed_minor or newer: https://www.swift.org/install/"

if [ "$(uname -s)" = Darwin ]; then
  install_brew_packages "$@"
elif command -v dpkg-query >/dev/null 2>&1 && command -v apt-get >/dev/null 2>&1; then
  install_debian_packages "$@"
else
  for header in ncurses.h re2/re2.h utf8proc.h zlib.h zstd.h microhttpd.h nghttp2/nghttp2.h; do
    [ -e "/usr/include/$header" ] || [ -e "/usr/local/include/$header" ] ||
      stop "needs $header: install the development packages of ncurses, re2, utf8proc, zlib, zstd, libmicrohttpd and libnghttp2"
  done
fi
