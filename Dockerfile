# To build the same again, name the image by its digest: --build-arg DEBIAN=debian:trixie-slim@sha256:…
ARG DEBIAN=debian:trixie-slim

FROM $DEBIAN AS build
# Swift's toolchain for Debian 12 also runs on Debian 13, for which there is none.
ARG SWIFT=6.3.1
RUN apt-get update \
  && apt-get install -y --no-install-recommends \
    binutils ca-certificates curl g++ git gpg gpg-agent libc6-dev libncurses-dev libxml2-dev make python3 \
  && rm -rf /var/lib/apt/lists/*
RUN machine=$(dpkg --print-architecture | sed 's/amd64//; s/arm64/-aarch64/') \
  && folder="https://download.swift.org/swift-$SWIFT-release/debian12$machine/swift-$SWIFT-RELEASE" \
  && curl -fsSL "$folder/swift-$SWIFT-RELEASE-debian12$machine.tar.gz" -o /tmp/swift.tar.gz \
  && curl -fsSL "$folder/swift-$SWIFT-RELEASE-debian12$machine.tar.gz.sig" -o /tmp/swift.tar.gz.sig \
  && curl -fsSL https://www.swift.org/keys/all-keys.asc | gpg --batch --quiet --import \
  && gpg --batch --verify /tmp/swift.tar.gz.sig /tmp/swift.tar.gz \
  && mkdir /opt/swift && tar -xzf /tmp/swift.tar.gz --directory /opt/swift --strip-components=1 && rm /tmp/swift.tar.gz*
ENV PATH=$PATH:/opt/swift/usr/bin
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
