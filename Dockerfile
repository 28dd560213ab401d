# syntax=docker/dockerfile:1
FROM swift:6.3-bookworm AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends libcurl4-openssl-dev libgnutls28-dev libmicrohttpd-dev libre2-dev libsqlite3-dev zlib1g-dev libstdc++-12-dev \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /okcancel
COPY Package.swift ./
COPY Sources ./Sources
COPY Tests ./Tests
COPY Benchmarks ./Benchmarks
RUN swift build --configuration release --product okcancel --static-swift-stdlib

FROM debian:bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates libcurl4 libmicrohttpd12 libre2-9 libsqlite3-0 zlib1g libstdc++6 curl \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin okcancel \
  && install --directory --owner=okcancel --mode=0700 /var/lib/okcancel
COPY --from=build /okcancel/.build/release/okcancel /usr/local/bin/okcancel
COPY Templates /usr/local/share/okcancel/Templates
COPY Public /usr/local/share/okcancel/Public
COPY Examples /srv/prompts
ENV OKCANCEL_DATABASE=/var/lib/okcancel/okcancel.sqlite
VOLUME /var/lib/okcancel
# By its number, so that Kubernetes can see that it is not root.
USER 10001
WORKDIR /srv
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=3s CMD ["curl", "--fail", "--silent", "--output", "/dev/null", "http://127.0.0.1:8080/readyz"]
ENTRYPOINT ["okcancel"]
CMD ["serve", "/srv/prompts", "--host", "0.0.0.0"]
