FROM swift:6.3-bookworm AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends libcurl4-openssl-dev libgnutls28-dev libmicrohttpd-dev libre2-dev libpq-dev libsqlite3-dev zlib1g-dev libstdc++-12-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /okcancel
COPY Package.swift ./
COPY Sources ./Sources
COPY Templates ./Templates
COPY Public ./Public
RUN swift build --configuration release --product okcancel --static-swift-stdlib \
  && strip .build/release/okcancel

FROM debian:bookworm-slim
# Only for servers that share a PostgreSQL: docker build --build-arg POSTGRESQL=libpq5
ARG POSTGRESQL=
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libcurl4 libmicrohttpd12 libre2-9 libsqlite3-0 zlib1g libstdc++6 tzdata curl $POSTGRESQL \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 10001 --no-create-home --no-log-init --shell /usr/sbin/nologin okcancel \
  && install --directory --owner=okcancel --mode=0700 /var/lib/okcancel
COPY --from=build /okcancel/.build/release/okcancel /usr/local/bin/okcancel
COPY Examples /srv/prompts
# A checkout may be its owner's alone to read.
RUN chmod -R a+rX /srv/prompts
# As variables, so that they also hold for a command that is given to the container.
ENV OKCANCEL_HOST=0.0.0.0 OKCANCEL_DATABASE=/var/lib/okcancel/okcancel.sqlite
VOLUME /var/lib/okcancel
# By its number, so that Kubernetes can see that it is not root.
USER 10001
WORKDIR /srv
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s CMD curl --fail --silent --insecure --output /dev/null \
  "http${OKCANCEL_TLS_CERT:+s}://127.0.0.1:${OKCANCEL_PORT:-8080}/readyz"
ENTRYPOINT ["okcancel"]
CMD ["serve", "/srv/prompts"]
