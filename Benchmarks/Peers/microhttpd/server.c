// The limit: libmicrohttpd used bare, as a careful C author would for only these few routes.
//
// POST /validate/email parses its body with jansson (strict UTF-8, duplicate keys refused), judges the address by hand
// (the HTML standard's e-mail address, then `.+@.+\..+`) and prints its verdict. GET serves documents from memory,
// each with one response made at the start. There is no router, no negotiation, no limit on a body but its buffer:
// whatever a server does beyond this is its own cost.
//
// server PORT DIRECTORY: each file of DIRECTORY is a document, its path's slashes as commas: `,prompts,email`. It
// begins with its headers, one a line, then an empty line. The headers of `,verdict` go with every verdict.

#include <ctype.h>
#include <dirent.h>
#include <jansson.h>
#include <microhttpd.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The memory of a connection is OKCancel's: libmicrohttpd clears it for each request, so more of it would cost more.
enum { BODY_LIMIT = 64 * 1024, CONNECTION_MEMORY = 24832, MAX_HEADERS = 16, MAX_DOCUMENTS = 16 };

struct header { char *name, *value; };
struct document {
  char *path;
  struct header headers[MAX_HEADERS];
  int header_count;
  struct MHD_Response *response;
};
struct request { size_t size; char *body; };

static struct document documents[MAX_DOCUMENTS];
static int document_count;
static struct document *verdict_head;

static bool is_local(unsigned char byte) {
  return isalnum(byte) || (byte && strchr(".!#$%&'*+/=?^_`{|}~-", byte));
}

// 4.10.5.1.5 of the HTML standard.
static bool is_email(const char *text) {
  const char *at = strchr(text, '@');
  if (!at || at == text) return false;
  for (const char *p = text; p < at; p++) if (!is_local((unsigned char)*p)) return false;
  const char *label = at + 1;
  for (;;) {
    const char *end = label;
    while (isalnum((unsigned char)*end) || *end == '-') end++;
    size_t length = (size_t)(end - label);
    if (length < 1 || length > 63 || label[0] == '-' || end[-1] == '-') return false;
    if (!*end) return true;
    if (*end != '.') return false;
    label = end + 1;
  }
}

// `.+@.+\..+` of an address: a dot after the `@`, with something on both sides of it.
static bool has_dotted_domain(const char *text) {
  const char *at = strchr(text, '@');
  for (const char *dot = at + 2; dot[-1] && dot[0]; dot++) if (*dot == '.' && dot[1]) return true;
  return false;
}

static int write_verdict(char *out, size_t room, const char *rule, const char *message) {
  if (!rule) return snprintf(out, room, "{\"isValid\":true,\"fields\":{\"email\":{\"isValid\":true}}}");
  return snprintf(out, room,
                  "{\"isValid\":false,\"message\":\"%s\",\"fields\":{\"email\":"
                  "{\"isValid\":false,\"rule\":\"%s\",\"message\":\"%s\"}}}", message, rule, message);
}

static enum MHD_Result answer(struct MHD_Connection *connection, unsigned status, const char *bytes, int count) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer((size_t)count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
  if (!response) return MHD_NO;
  for (int i = 0; i < verdict_head->header_count; i++)
    MHD_add_response_header(response, verdict_head->headers[i].name, verdict_head->headers[i].value);
  enum MHD_Result result = MHD_queue_response(connection, status, response);
  MHD_destroy_response(response);
  return result;
}

static enum MHD_Result validate(struct MHD_Connection *connection, struct request *request) {
  char out[512];
  json_t *json = json_loadb(request->body ? request->body : "", request->size, JSON_REJECT_DUPLICATES, NULL);
  const char *email = json_is_object(json) ? json_string_value(json_object_get(json, "email")) : NULL;
  int count;
  if (!json || !email) {
    json_decref(json);
    count = snprintf(out, sizeof out, "{\"detail\":\"Send {\\\"email\\\": \\\"text\\\"}.\"}");
    return answer(connection, 400, out, count);
  }
  if (!*email) {
    count = write_verdict(out, sizeof out, "nonEmpty", "Enter your email address");
  } else if (!is_email(email)) {
    count = write_verdict(out, sizeof out, "email", "Enter an email address, like name@example.com");
  } else if (!has_dotted_domain(email)) {
    count = write_verdict(out, sizeof out, "pattern", "That does not look like an email address");
  } else {
    count = write_verdict(out, sizeof out, NULL, NULL);
  }
  json_decref(json);
  return answer(connection, 200, out, count);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
  (void)context, (void)version;
  struct request *request = *state;
  if (!request) {
    request = *state = calloc(1, sizeof *request);
    return request ? MHD_YES : MHD_NO;
  }
  if (*size) {
    if (request->size + *size > BODY_LIMIT) return MHD_NO;
    char *body = realloc(request->body, request->size + *size);
    if (!body) return MHD_NO;
    memcpy(body + request->size, data, *size);
    request->body = body;
    request->size += *size;
    *size = 0;
    return MHD_YES;
  }
  if (!strcmp(method, "POST") && !strcmp(url, "/validate/email")) return validate(connection, request);
  for (int i = 0; i < document_count; i++)
    if (!strcmp(method, "GET") && !strcmp(url, documents[i].path))
      return MHD_queue_response(connection, MHD_HTTP_OK, documents[i].response);
  return answer(connection, 404, "{}", 2);
}

static void completed(void *context, struct MHD_Connection *connection, void **state,
                      enum MHD_RequestTerminationCode code) {
  (void)context, (void)connection, (void)code;
  struct request *request = *state;
  if (!request) return;
  free(request->body);
  free(request);
  *state = NULL;
}

static void load(const char *directory, const char *name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  FILE *file = fopen(path, "rb");
  if (!file || document_count == MAX_DOCUMENTS) exit(66);
  struct document *document = &documents[document_count++];
  document->path = strdup(name);
  for (char *p = document->path; *p; p++) if (*p == ',') *p = '/';
  char line[4096];
  while (fgets(line, sizeof line, file) && line[0] != '\n' && document->header_count < MAX_HEADERS) {
    line[strcspn(line, "\n")] = 0;
    char *value = strstr(line, ": ");
    if (!value) exit(65);
    *value = 0;
    document->headers[document->header_count++] = (struct header){strdup(line), strdup(value + 2)};
  }
  char *bytes = malloc(1 << 20);
  size_t count = fread(bytes, 1, 1 << 20, file);
  fclose(file);
  document->response = MHD_create_response_from_buffer(count, bytes, MHD_RESPMEM_PERSISTENT);
  for (int i = 0; i < document->header_count; i++)
    MHD_add_response_header(document->response, document->headers[i].name, document->headers[i].value);
  if (!strcmp(document->path, "/verdict")) verdict_head = document;
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  DIR *directory = opendir(arguments[2]);
  if (!directory) return 66;
  for (struct dirent *entry; (entry = readdir(directory));) if (entry->d_name[0] == ',') load(arguments[2], entry->d_name);
  closedir(directory);
  if (!verdict_head) return 66;
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD, (uint16_t)atoi(arguments[1]), NULL, NULL, handle, NULL,
      MHD_OPTION_CONNECTION_LIMIT, 4096u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY, MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_END);
  if (!daemon) return 69;
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  int received;
  sigwait(&signals, &received);
  MHD_stop_daemon(daemon);
  return 0;
}
