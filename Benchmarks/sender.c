/* Sends OTLP requests over HTTP from several connections, as fast as they are answered or at a rate.
 *
 * usage: sender HOST PORT REQUESTS [--connections N] [--from ROUND] [--rounds N] [--seconds S]
 *               [--rate SPANS] [--every S]
 *
 * REQUESTS are length-prefixed protobuf requests of spans. Each round sends all of them, later ones with other ids and
 * session ids and later times; ends after the rounds or the seconds. 429 and 503 are tried again as they
 * ask, so is what broke off. Writes a JSON object at the end, and one every S seconds before. Latencies are
 * those of single tries; with a rate they begin when the request was due.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum place_kind { ID, TIME, SESSION };
struct place { uint32_t offset, kind; };
struct request { const uint8_t *bytes; size_t size, spans, first, places; };

/* Buckets of latencies: 64 to each doubling of microseconds. */
enum { STEPS = 64, BUCKETS = 40 * STEPS };

static struct {
  struct sockaddr_in address;
  const char *host;
  struct request *requests;
  size_t count, spans;
  struct place *places;
  size_t placed;
  uint64_t earliest, latest, first, rounds;
  double seconds, rate;
} plan;

static struct {
  atomic_ullong next, acknowledged, spans, bytes, again, refused, broken, worst, buckets[BUCKETS];
  atomic_int status, running;
} seen;

static double begun;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void rest(double seconds) {
  if (seconds <= 0) return;
  struct timespec time = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (time_t)seconds) * 1e9)};
  nanosleep(&time, NULL);
}

static void stop(const char *what) {
  fprintf(stderr, "sender: %s\n", what);
  exit(2);
}

/* Where a request says what has to differ between rounds. */
static bool varint(const uint8_t **at, const uint8_t *end, uint64_t *value) {
  *value = 0;
  for (int shift = 0; *at < end && shift < 64; shift += 7) {
    uint8_t byte = *(*at)++;
    *value |= (uint64_t)(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

struct field { uint64_t number; const uint8_t *bytes; size_t size; int type; };

static bool next_field(const uint8_t **at, const uint8_t *end, struct field *field) {
  uint64_t tag, size;
  if (*at >= end) return false;
  if (!varint(at, end, &tag)) stop("a request is no protobuf");
  field->number = tag >> 3;
  field->type = tag & 7;
  size = field->type == 1 ? 8 : 4;
  if ((field->type == 0 || field->type == 2) && !varint(at, end, &size)) stop("a request is no protobuf");
  field->bytes = *at;
  field->size = field->type == 0 ? 0 : size;
  if (field->size > (uint64_t)(end - *at)) stop("a request is cut");
  *at += field->size;
  return true;
}

static void note(struct request *request, const uint8_t *at, enum place_kind kind) {
  static size_t room;
  if (plan.placed == room) {
    room = room ? room * 2 : 1 << 16;
    plan.places = realloc(plan.places, room * sizeof *plan.places);
    if (!plan.places) stop("no memory");
  }
  plan.places[plan.placed++] = (struct place){(uint32_t)(at - request->bytes), kind};
  request->places++;
}

/* `session.id` and the like, whose value is a UUID. */
static void note_attribute(struct request *request, struct field pair) {
  static const char ending[] = "session.id";
  const uint8_t *at = pair.bytes, *end = at + pair.size;
  struct field part, text;
  bool is_session = false;
  while (next_field(&at, end, &part)) {
    size_t length = sizeof ending - 1;
    if (part.number == 1 && part.size >= length) {
      is_session = memcmp(part.bytes + part.size - length, ending, length) == 0;
    }
    if (part.number != 2 || !is_session) continue;
    const uint8_t *inner = part.bytes;
    while (next_field(&inner, part.bytes + part.size, &text)) {
      if (text.number == 1 && text.size == 36) note(request, text.bytes, SESSION);
    }
  }
}

static void note_span(struct request *request, struct field span) {
  const uint8_t *at = span.bytes, *end = at + span.size;
  struct field field;
  while (next_field(&at, end, &field)) {
    if (field.number <= 2 && field.size >= 8) note(request, field.bytes, ID);
    if ((field.number == 7 || field.number == 8) && field.type == 1) {
      uint64_t time;
      memcpy(&time, field.bytes, 8);
      if (time < plan.earliest) plan.earliest = time;
      if (time > plan.latest) plan.latest = time;
      note(request, field.bytes, TIME);
    }
    if (field.number == 9) note_attribute(request, field);
  }
  request->spans++;
  plan.spans++;
}

/* ResourceSpans, the resource's attributes, ScopeSpans, spans. */
static void note_all(struct request *request) {
  const uint8_t *a = request->bytes, *a_end = a + request->size;
  struct field group, part, item;
  while (next_field(&a, a_end, &group)) {
    const uint8_t *b = group.bytes, *b_end = b + group.size;
    while (next_field(&b, b_end, &part)) {
      const uint8_t *c = part.bytes, *c_end = c + part.size;
      while (next_field(&c, c_end, &item)) {
        if (part.number == 1 && item.number == 1) note_attribute(request, item);
        if (part.number == 2 && item.number == 2) note_span(request, item);
      }
    }
  }
}

static void load(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) stop("the requests cannot be opened");
  plan.earliest = UINT64_MAX;
  uint8_t head[4];
  while (fread(head, 1, 4, file) == 4) {
    size_t size = (size_t)head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
    uint8_t *bytes = malloc(size ? size : 1);
    plan.requests = realloc(plan.requests, (plan.count + 1) * sizeof *plan.requests);
    if (!bytes || !plan.requests) stop("no memory");
    if (fread(bytes, 1, size, file) != size) stop("the last request is cut");
    struct request *request = &plan.requests[plan.count++];
    *request = (struct request){.bytes = bytes, .size = size, .first = plan.placed};
    note_all(request);
  }
  fclose(file);
  if (!plan.spans) stop("there are no spans to send");
}

static uint64_t mixed(uint64_t number) {
  number += 0x9E3779B97F4A7C15;
  number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9;
  number = (number ^ number >> 27) * 0x94D049BB133111EB;
  return number ^ number >> 31;
}

static void change(uint8_t *bytes, const struct request *request, uint64_t round) {
  const uint64_t key = mixed(round), shift = round * (plan.latest - plan.earliest + 1000000000);
  for (size_t index = 0; index < request->places; index++) {
    struct place place = plan.places[request->first + index];
    uint8_t *at = bytes + place.offset;
    uint64_t value;
    if (place.kind == SESSION) {
      for (int digit = 0; digit < 36; digit++) {
        if (at[digit] == '-') continue;
        int old = at[digit] <= '9' ? at[digit] - '0' : (at[digit] | 0x20) - 'a' + 10;
        at[digit] = "0123456789ABCDEF"[(old ^ (int)(key >> 4 * (digit & 15))) & 15];
      }
      continue;
    }
    memcpy(&value, at, 8);
    value = place.kind == ID ? value ^ key : value + shift;
    memcpy(at, &value, 8);
  }
}

/* One connection after the other, one request after the other. */
static int dial(void) {
  int socket_ = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct timeval patience = {.tv_sec = 60};
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (connect(socket_, (struct sockaddr *)&plan.address, sizeof plan.address) == 0) return socket_;
  close(socket_);
  return -1;
}

static bool send_all(int socket_, const char *head, size_t head_size, const uint8_t *body, size_t size) {
  struct iovec parts[2] = {{(void *)head, head_size}, {(void *)body, size}};
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
  while (parts[0].iov_len + parts[1].iov_len > 0) {
    ssize_t sent = sendmsg(socket_, &message, 0);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    for (int index = 0; index < 2; index++) {
      size_t part = (size_t)sent < parts[index].iov_len ? (size_t)sent : parts[index].iov_len;
      parts[index].iov_base = (char *)parts[index].iov_base + part;
      parts[index].iov_len -= part;
      sent -= part;
    }
  }
  return true;
}

static const char *header(const char *head, const char *name) {
  for (const char *line = strstr(head, "\r\n"); line; line = strstr(line + 2, "\r\n")) {
    if (strncasecmp(line + 2, name, strlen(name)) == 0) return line + 2 + strlen(name);
  }
  return NULL;
}

/* The status of the answer, 0 where the connection broke; `wait` is what Retry-After asks for. */
static int answer(int socket_, double *wait, bool *closes) {
  char head[8192];
  size_t size = 0;
  char *end = NULL;
  while (!end) {
    ssize_t count = recv(socket_, head + size, sizeof head - 1 - size, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return 0;
    size += count;
    head[size] = 0;
    end = strstr(head, "\r\n\r\n");
    if (!end && size == sizeof head - 1) return 0;
  }
  const char *length = header(head, "content-length:"), *retry = header(head, "retry-after:");
  const char *connection = header(head, "connection:");
  *wait = retry ? atof(retry) : 1;
  *closes = connection && strncasecmp(connection + strspn(connection, " "), "close", 5) == 0;
  size_t body = length ? strtoul(length, NULL, 10) : 0, have = size - (end + 4 - head);
  while (have < body) {
    ssize_t count = recv(socket_, head, sizeof head, 0);
    if (count <= 0) return 0;
    have += count;
  }
  return strncmp(head, "HTTP/1.", 7) == 0 ? atoi(head + 9) : 0;
}

static void time_it(double seconds) {
  uint64_t microseconds = seconds < 0 ? 0 : (uint64_t)(seconds * 1e6);
  uint64_t worst = atomic_load(&seen.worst);
  while (microseconds > worst && !atomic_compare_exchange_weak(&seen.worst, &worst, microseconds)) {}
  int power = 0;
  while (microseconds >> power >= 2 * STEPS) power++;
  uint64_t bucket = power * STEPS + (microseconds >> power);
  atomic_fetch_add(&seen.buckets[bucket < BUCKETS ? bucket : BUCKETS - 1], 1);
}

static void *sends(void *unused) {
  (void)unused;
  int socket_ = -1;
  uint8_t *body = NULL;
  size_t room = 0;
  for (;;) {
    uint64_t number = atomic_fetch_add(&seen.next, 1), round = plan.first + number / plan.count;
    const struct request *request = &plan.requests[number % plan.count];
    double due = begun + (plan.rate > 0 ? number * (double)plan.spans / plan.count / plan.rate : 0);
    bool is_over = plan.seconds > 0 && (plan.rate > 0 ? due : now()) - begun >= plan.seconds;
    if (is_over || (plan.rounds && round - plan.first >= plan.rounds)) break;
    if (request->size > room) {
      body = realloc(body, room = request->size);
      if (!body) stop("no memory");
    }
    memcpy(body, request->bytes, request->size);
    if (round) change(body, request, round);
    char head[512];
    int head_size = snprintf(head, sizeof head,
        "POST /v1/traces HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-protobuf\r\n"
        "Content-Length: %zu\r\n\r\n", plan.host, request->size);
    if (plan.rate > 0) rest(due - now());
    for (int lost = 0; lost < 20;) {
      double start = now(), wait = 0.2;
      if (plan.rate > 0 && due < start) start = due;
      bool closes = true;
      if (socket_ < 0) socket_ = dial();
      int status = 0;
      if (socket_ >= 0 && send_all(socket_, head, head_size, body, request->size)) {
        status = answer(socket_, &wait, &closes);
      }
      if (closes && socket_ >= 0) {
        close(socket_);
        socket_ = -1;
      }
      time_it(now() - start);
      if (status == 200) {
        atomic_fetch_add(&seen.acknowledged, 1);
        atomic_fetch_add(&seen.spans, request->spans);
        atomic_fetch_add(&seen.bytes, request->size);
        break;
      }
      if (status != 429 && status != 503 && status != 0) {
        atomic_store(&seen.status, status);
        atomic_fetch_add(&seen.refused, 1);
        break;
      }
      atomic_fetch_add(status ? &seen.again : &seen.broken, 1);
      if (!status) lost++;
      rest(wait);
      due = now();
    }
  }
  free(body);
  if (socket_ >= 0) close(socket_);
  atomic_fetch_sub(&seen.running, 1);
  return NULL;
}

static double quantile(double share) {
  uint64_t total = 0, sum = 0;
  for (int index = 0; index < BUCKETS; index++) total += atomic_load(&seen.buckets[index]);
  for (int index = 0; index < BUCKETS; index++) {
    sum += atomic_load(&seen.buckets[index]);
    if (total && sum >= share * total) {
      int power = index < 2 * STEPS ? 0 : index / STEPS - 1;
      return (double)((uint64_t)(index - power * STEPS + 1) << power) / 1e6;
    }
  }
  return 0;
}

static void tell(bool is_done) {
  printf("{\"seconds\": %.3f, \"requests\": %llu, \"spans\": %llu, \"bytes\": %llu, \"again\": %llu, "
      "\"refused\": %llu, \"status\": %d, \"broken\": %llu, \"median\": %.6f, \"p99\": %.6f, \"worst\": %.6f, \"done\": %s}\n",
      now() - begun, atomic_load(&seen.acknowledged), atomic_load(&seen.spans), atomic_load(&seen.bytes),
      atomic_load(&seen.again), atomic_load(&seen.refused), atomic_load(&seen.status), atomic_load(&seen.broken),
      quantile(0.5), quantile(0.99), atomic_load(&seen.worst) / 1e6, is_done ? "true" : "false");
  fflush(stdout);
}

int main(int count, char **words) {
  double every = 0;
  int connections = 4;
  if (count < 4) stop("needs an address, a port and a file of requests");
  for (int index = 4; index + 1 < count; index += 2) {
    double value = atof(words[index + 1]);
    if (!strcmp(words[index], "--connections")) connections = (int)value;
    else if (!strcmp(words[index], "--from")) plan.first = (uint64_t)value;
    else if (!strcmp(words[index], "--rounds")) plan.rounds = (uint64_t)value;
    else if (!strcmp(words[index], "--seconds")) plan.seconds = value;
    else if (!strcmp(words[index], "--rate")) plan.rate = value;
    else if (!strcmp(words[index], "--every")) every = value;
    else stop("no such option");
  }
  if (!plan.rounds && plan.seconds <= 0) plan.rounds = 1;
  plan.host = words[1];
  plan.address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(words[2]))};
  if (inet_pton(AF_INET, words[1], &plan.address.sin_addr) != 1) stop("the host has to be an IPv4 address");
  signal(SIGPIPE, SIG_IGN);
  load(words[3]);
  begun = now();
  atomic_store(&seen.running, connections);
  for (int index = 0; index < connections; index++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, sends, NULL)) stop("no thread");
    pthread_detach(thread);
  }
  double told = begun;
  while (atomic_load(&seen.running) > 0) {
    rest(0.005);
    if (every > 0 && now() - told >= every) {
      told = now();
      tell(false);
    }
  }
  tell(true);
  return 0;
}
