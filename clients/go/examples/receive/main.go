// The program receive receives webhooks on PORT, or on any free port, and accepts those that
// are signed with WAYBILL_WEBHOOK_SECRET.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/waybill-tms/waybill-go/webhook"
)

const largest = 1 << 20

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "receive:", err)
		os.Exit(1)
	}
}

func run() error {
	verifier, err := webhook.New(strings.Fields(os.Getenv("WAYBILL_WEBHOOK_SECRET"))...)
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(context.Background(), "tcp", net.JoinHostPort("127.0.0.1", cmp.Or(os.Getenv("PORT"), "0")))
	if err != nil {
		return err
	}
	fmt.Printf("listening at http://%s\n", listener.Addr())
	server := &http.Server{Handler: &receiver{verifier: verifier}, ReadTimeout: 10 * time.Second}
	return server.Serve(listener)
}

// receiver prints each message once.
type receiver struct {
	verifier *webhook.Verifier
	seen     sync.Map // better: a table, because a message can come again days later
}

// ServeHTTP answers at once. Do what takes long afterwards.
func (rc *receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, largest))
	if err != nil {
		http.Error(w, "the body cannot be read", http.StatusBadRequest)
		return
	}
	message, err := rc.verifier.Verify(r.Header, body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusUnauthorized)
		return
	}
	var event struct{ Type string }
	if err := json.Unmarshal(body, &event); err != nil {
		http.Error(w, "the body is not JSON", http.StatusBadRequest)
		return
	}
	if _, again := rc.seen.LoadOrStore(message.ID, true); !again {
		fmt.Println(event.Type, message.ID)
	}
	w.WriteHeader(http.StatusNoContent)
}
