# wire-proxy and nothing else:
#
#   docker build --tag wire-proxy .
#   docker run --rm --interactive wire-proxy --help
#
# A server that speaks over stdio is started by the proxy, so that it needs both in one image:
#
#   FROM node:22-slim
#   COPY --from=wire-proxy /wire-proxy /usr/local/bin/
#   ENTRYPOINT ["wire-proxy", "--", "npx", "-y", "@modelcontextprotocol/server-memory"]
FROM rust:1-alpine AS build
RUN apk add --no-cache ca-certificates musl-dev
WORKDIR /wire
COPY . .
RUN cargo build --profile dist --locked --package wire-proxy

FROM scratch
# The certificates of authorities, which TLS to a server behind a URL needs.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/
COPY --from=build /wire/target/dist/wire-proxy /wire-proxy
USER 65534:65534
ENTRYPOINT ["/wire-proxy"]
