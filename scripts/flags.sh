# Sourced by the other scripts: the flags that every build of the product shares.
# shellcheck shell=sh disable=SC2034

# One file without the runtime libraries starts in 5 ms instead of 9; macOS ships the runtime.
static_flag=--static-swift-stdlib
brew_flags=
if [ "$(uname -s)" = Darwin ]; then
  static_flag=
  prefix=$(brew --prefix)
  brew_flags="-Xcc -I$prefix/include -Xlinker -L$prefix/lib"
fi
