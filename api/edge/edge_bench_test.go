package edge_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"waybill/api"
	"waybill/api/apitest"
)

// discard is a response writer without cost.
type discard struct{ header http.Header }

func (d discard) Header() http.Header { return d.header }

func (d discard) Write(b []byte) (int, error) { return len(b), nil }

func (d discard) WriteHeader(int) {}

// BenchmarkEdge measures the overhead of the edge, with its log, over a bare
// chi handler.
func BenchmarkEdge(b *testing.B) {
	body := []byte(`{"order_id":90417}`)
	t := &testing.T{}
	s := apitest.New(t, func(c *api.Config, d *api.Dependencies) {
		c.RateLimit, c.RateBurst, d.Now = 1e9, 1e9, time.Now
		d.Logger = slog.New(slog.NewJSONHandler(io.Discard, nil))
	})
	bare := chi.NewRouter()
	bare.Get("/{any}", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
	whole := s.Server.Edge.AroundCallers(func(w http.ResponseWriter, _ *http.Request) error {
		_, err := w.Write(body)
		return err
	})
	for name, h := range map[string]http.Handler{"bare": bare, "whole": whole} {
		b.Run(name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, "/90417", http.NoBody)
			r.Header.Set("Authorization", "apikey "+s.Key)
			b.ReportAllocs()
			for b.Loop() {
				w := discard{header: make(http.Header)}
				h.ServeHTTP(w, r)
				if w.header.Get("Content-Language") != "" {
					b.Fatal("the answer is an error")
				}
			}
		})
	}
}
