# The program alone, on a small system that has time zones, certificates and a
# wget for health checks.
FROM golang:1.26.8-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG REVISION=unknown
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.revision=${REVISION}" -o /out/waybill ./cmd/waybill

FROM alpine:3.22
RUN apk add --no-cache ca-certificates tzdata \
    && adduser -D -u 10001 waybill \
    && install -d -o waybill -g waybill /var/lib/waybill
COPY --from=build /out/waybill /usr/local/bin/waybill
USER waybill
ENV WAYBILL_HTTP_ADDR=:8080
EXPOSE 8080
ENTRYPOINT ["waybill"]
CMD ["serve"]
