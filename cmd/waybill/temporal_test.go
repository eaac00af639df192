package main

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"
	"go.temporal.io/api/workflowservice/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
)

// serveTLS imitates a Temporal server with its own certificate, and records the
// keys that it receives. It returns its address and its certificate's file.
func serveTLS(t *testing.T, keys chan<- string) (address, ca string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"temporal.example"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	ca = filepath.Join(t.TempDir(), "ca.pem")
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	require.NoError(t, os.WriteFile(ca, text, 0o600))
	server := grpc.NewServer(
		grpc.Creds(credentials.NewServerTLSFromCert(&tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key})),
		grpc.UnaryInterceptor(func(ctx context.Context, in any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
			sent, _ := metadata.FromIncomingContext(ctx)
			if shown := sent.Get("authorization"); len(shown) > 0 {
				select {
				case keys <- shown[0]:
				default:
				}
			}
			return next(ctx, in)
		}))
	healthy := health.NewServer()
	healthy.SetServingStatus("temporal.api.workflowservice.v1.WorkflowService", grpc_health_v1.HealthCheckResponse_SERVING)
	grpc_health_v1.RegisterHealthServer(server, healthy)
	workflowservice.RegisterWorkflowServiceServer(server, workflowservice.UnimplementedWorkflowServiceServer{})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String(), ca
}

func TestTemporalIsReachedByTLSWithAKey(t *testing.T) {
	t.Parallel()
	keys := make(chan string, 1)
	address, ca := serveTLS(t, keys)
	c := config{
		TemporalAddress: address, TemporalNamespace: "default", TemporalAPIKey: "a-key",
		TemporalCA: ca, TemporalServerName: "temporal.example",
	}
	registry := prometheus.NewRegistry()
	temporal, err := newTemporal(c, slog.New(slog.DiscardHandler), nil, registry)
	require.NoError(t, err)
	t.Cleanup(temporal.Close)
	require.NoError(t, checkTemporal(t.Context(), temporal))
	require.Equal(t, "Bearer a-key", <-keys)

	families, err := registry.Gather()
	require.NoError(t, err)
	var names []string
	for _, f := range families {
		names = append(names, f.GetName())
	}
	require.Contains(t, names, "temporal_request_total", "the SDK's numbers are among ours")

	c.TemporalServerName = "another.example"
	outsider, err := newTemporal(c, slog.New(slog.DiscardHandler), nil, nil)
	require.NoError(t, err)
	t.Cleanup(outsider.Close)
	require.ErrorContains(t, checkTemporal(t.Context(), outsider), "another.example")
}
