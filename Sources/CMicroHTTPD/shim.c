#include "CMicroHTTPD.h"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

struct MHD_Daemon *cmhd_start(unsigned int flags, const struct cmhd_settings *settings,
                              const struct cmhd_callbacks *callbacks, const char *certificates, const char *key,
                              const char *priorities) {
  struct MHD_OptionItem tls[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)certificates},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)priorities},
      {MHD_OPTION_END, 0, NULL},
  };
  struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      flags, 0, callbacks->admit, callbacks->context, callbacks->handle, callbacks->context,
      MHD_OPTION_LISTEN_SOCKET, settings->listeningSocket,
      MHD_OPTION_THREAD_POOL_SIZE, settings->threads,
      MHD_OPTION_CONNECTION_LIMIT, settings->connectionLimit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connectionMemory,
      MHD_OPTION_URI_LOG_CALLBACK, callbacks->begin, callbacks->context,
      MHD_OPTION_UNESCAPE_CALLBACK, callbacks->unescape, callbacks->context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks->finish, callbacks->context,
      MHD_OPTION_NOTIFY_CONNECTION, callbacks->notify, callbacks->context,
      MHD_OPTION_ARRAY, certificates ? tls : none,
      MHD_OPTION_END);
}

const union MHD_ConnectionInfo *cmhd_connection_info(struct MHD_Connection *connection,
                                                     enum MHD_ConnectionInfoType type) {
  return MHD_get_connection_info(connection, type);
}

enum MHD_Result cmhd_ask_to_close(struct MHD_Connection *connection) {
  return MHD_set_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONNECTION, "close");
}

enum MHD_Result cmhd_set_timeout(struct MHD_Connection *connection, unsigned int seconds) {
  return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

enum MHD_Result cmhd_set_response_flags(struct MHD_Response *response, enum MHD_ResponseFlags flags) {
  return MHD_set_response_options(response, flags, MHD_RO_END);
}

struct cmhd_traffic cmhd_traffic(int socket) {
  const uint8_t closeWait = 8;
  struct tcp_info info = {0};
  socklen_t size = sizeof info;
  getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size);
  uint64_t given = info.tcpi_bytes_acked + info.tcpi_bytes_retrans;
  uint64_t underWay = info.tcpi_bytes_sent > given ? info.tcpi_bytes_sent - given : 0;
  return (struct cmhd_traffic){
      info.tcpi_bytes_received, info.tcpi_bytes_acked, info.tcpi_notsent_bytes + underWay, info.tcpi_state == closeWait};
}

int cmhd_gzip_begin(z_stream *stream, int level) {
  // 15 bits of window, and 16 asks for the gzip wrapper instead of zlib's own.
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
}
