# To build the same again, name an image by its digest: --build-arg DEBIAN=debian:bookworm-slim@sha256:…
ARG SWIFT=swift:6.3-bookworm
ARG DEBIAN=debian:bookworm-slim

FROM $SWIFT AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends make \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /okcancel
# The versions of an earlier build, if they were kept.
COPY Package.swift Package.resolved* Makefile ./
COPY Packaging ./Packaging
COPY debian ./debian
COPY Plugins ./Plugins
COPY Sources ./Sources
COPY Templates ./Templates
COPY Public ./Public
COPY Examples ./Examples
RUN make deb

FROM $DEBIAN
# Only for servers that share a PostgreSQL: docker build --build-arg POSTGRESQL=libpq5
ARG POSTGRESQL=
COPY --from=build /okcancel/.build/dist/okcancel_*.deb /tmp/okcancel.deb
# The user is there before the package, so that its number is known.
RUN useradd --system --uid 10001 --no-create-home --no-log-init --shell /usr/sbin/nologin okcancel \
  && apt-get update \
  && apt-get install -y --no-install-recommends /tmp/okcancel.deb curl $POSTGRESQL \
  && rm -rf /var/lib/apt/lists/* /tmp/okcancel.deb \
  && install --directory --owner=okcancel --mode=0700 /var/lib/okcancel
COPY Examples /srv/prompts
# In a checkout, only its owner may be able to read files.
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
