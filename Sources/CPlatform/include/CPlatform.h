#ifndef PERFTOP_CPLATFORM_H
#define PERFTOP_CPLATFORM_H
// Constants and calls that the platform modules do not export to Swift.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif
#include "CPlatformFiles.h"
#include "CPlatformSignals.h"
#endif
