# wire-proxy and nothing else: `cargo xtask dist --package wire-proxy`, then
#
#   docker build --tag wire-proxy .
#   docker run --rm --interactive wire-proxy --help
#
# A server that speaks over stdio is started by the proxy, so that it needs both in one image:
#
#   FROM node:22-slim
#   COPY --from=wire-proxy /wire-proxy /usr/local/bin/
#   ENTRYPOINT ["wire-proxy", "--", "npx", "-y", "@modelcontextprotocol/server-memory"]
#
# TLS to a server behind a URL needs the certificates of authorities, which an empty image does not have.
FROM debian:stable-slim AS roots
RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates

FROM scratch
COPY --from=roots /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ARG BINARY=target/dist/image/wire-proxy
COPY ${BINARY} /wire-proxy
USER 65534:65534
ENTRYPOINT ["/wire-proxy"]
