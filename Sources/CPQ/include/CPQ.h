// libpq, opened only if PostgreSQL is used, so that users of SQLite need not install it.
//
// The functions have libpq's own names and types; this only finds them.

#ifndef CPQ_H
#define CPQ_H

#include <postgresql/libpq-fe.h>
// For the thread that listens: Swift’s Glibc leaves it out.
#include <sys/eventfd.h>

#define CPQ_FUNCTIONS(F) \
  F(PQconninfoParse) F(PQconninfoFree) F(PQfreemem) \
  F(PQconnectStartParams) F(PQconnectPoll) F(PQfinish) \
  F(PQconnectionNeedsPassword) F(PQsetErrorVerbosity) \
  F(PQstatus) F(PQsocket) F(PQerrorMessage) F(PQserverVersion) \
  F(PQsetNoticeProcessor) F(PQsetnonblocking) F(PQflush) F(PQconsumeInput) F(PQisBusy) F(PQnotifies) \
  F(PQenterPipelineMode) F(PQpipelineSync) F(PQsendQueryParams) F(PQsendQueryPrepared) \
  F(PQexec) F(PQexecParams) F(PQgetResult) F(PQclear) F(PQresultStatus) F(PQresultErrorField) F(PQcmdStatus) \
  F(PQntuples) F(PQnfields) F(PQfname) F(PQftype) F(PQfformat) F(PQgetisnull) F(PQgetvalue) F(PQgetlength)

/// libpq's functions, each under its own name.
struct cpq {
#define CPQ_FIELD(name) __typeof__(name) *_Nonnull name;
  CPQ_FUNCTIONS(CPQ_FIELD)
#undef CPQ_FIELD
};

/// Opens `libpq.so.5` and finds its functions. Returns NULL if all are there, else what the linker says.
const char *_Nullable cpq_open(struct cpq *_Nonnull library);

#endif
