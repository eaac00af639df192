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

FROM alpine:3.23
RUN apk upgrade --no-cache \
    && apk add --no-cache ca-certificates tzdata \
    && adduser -D -H -s /sbin/nologin -u 10001 waybill \
    && install -d -o waybill -g waybill -m 0700 /var/lib/waybill
COPY --from=build /out/waybill /usr/local/bin/waybill
USER 10001:10001
ENV WAYBILL_HTTP_ADDR=:8080
EXPOSE 8080
ENTRYPOINT ["waybill"]
CMD ["serve"]
