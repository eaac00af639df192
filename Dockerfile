# The web apps.
FROM node:24-bookworm-slim AS web
WORKDIR /src
COPY web/package.json web/package-lock.json web/
COPY web/shared/package.json web/shared/
COPY web/console/package.json web/console/
COPY web/driver/package.json web/driver/
RUN npm ci --prefix web --no-audit --no-fund
COPY api/contract/openapi.yaml api/contract/
COPY web web
RUN cd web && npm run generate && npm run build

# Only the program, on a small system with time zones, certificates and a wget
# for health checks. `make images/pin` adds the digests of the base images.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
COPY clients/go/go.mod clients/go/
RUN go mod download && go mod verify
COPY . .
COPY --from=web /src/web/console/dist web/console/dist
COPY --from=web /src/web/driver/dist web/driver/dist
ARG REVISION=unknown
RUN CGO_ENABLED=0 go build -pgo=cmd/waybill/waybill.pgo -buildvcs=false -trimpath -ldflags "-s -w -X main.revision=${REVISION}" -o /out/waybill ./cmd/waybill

# OSRM, from the same package as on developers' machines.
FROM python:3.13-slim-bookworm AS osrm
WORKDIR /src
COPY tools/install-engine tools/
RUN install -d bin/tools/python/bin && ln -s "$(command -v pip)" bin/tools/python/bin/pip \
    && tools/install-engine osrm && test -x bin/tools/osrm/bin/osrm-routed

# Builds regions and serves their roads: the program with OSRM and tilemaker.
# docker build --target roads makes this image.
FROM debian:bookworm-slim AS roads
RUN apt-get update && apt-get upgrade -y \
    && apt-get install -y --no-install-recommends ca-certificates tilemaker tzdata wget \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --no-create-home --shell /usr/sbin/nologin --uid 10001 waybill \
    && install -d -o waybill -g waybill -m 0755 /var/lib/waybill-regions
COPY --from=osrm /src/bin/tools/osrm /opt/osrm
COPY --from=build /out/waybill /usr/local/bin/waybill
USER 10001:10001
ENV WAYBILL_OSRM=/opt/osrm WAYBILL_REGIONS_DIR=/var/lib/waybill-regions WAYBILL_ROADS_HTTP_ADDR=:5005
EXPOSE 5005
ENTRYPOINT ["waybill"]
CMD ["roads"]

FROM alpine:3.23
RUN apk upgrade --no-cache \
    && apk add --no-cache ca-certificates tzdata \
    && adduser -D -H -s /sbin/nologin -u 10001 waybill \
    && install -d -o waybill -g waybill -m 0700 /var/lib/waybill \
    && install -d -o waybill -g waybill -m 0755 /var/lib/waybill-regions
COPY --from=build /out/waybill /usr/local/bin/waybill
USER 10001:10001
ENV WAYBILL_HTTP_ADDR=:8080 WAYBILL_REGIONS_DIR=/var/lib/waybill-regions
EXPOSE 8080
ENTRYPOINT ["waybill"]
CMD ["serve"]
