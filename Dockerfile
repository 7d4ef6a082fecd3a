# wire-proxy and nothing else. `cargo xtask dist --package wire-proxy` builds what is copied; then
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
# No other image is pulled: the certificates of authorities, which TLS to a server behind a URL needs, are those of the machine that builds.
FROM scratch
COPY target/dist/image/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ARG BINARY=target/dist/image/wire-proxy
COPY ${BINARY} /wire-proxy
USER 65534:65534
ENTRYPOINT ["/wire-proxy"]
