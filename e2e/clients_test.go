package e2e_test

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// examples are an integrator's programs, in three languages: one imports and
// follows the feed, one receives webhooks, one has an order delivered. A nil
// one can't run on this machine.
func examples(t *testing.T, name string) map[string][]string {
	t.Helper()
	all := map[string][]string{"Go": nil, "TypeScript": nil, "Python": nil}
	program := filepath.Join(t.TempDir(), name)
	built, err := exec.CommandContext(t.Context(), "go", "-C", "../clients/go", "build", "-o", program, "./examples/"+name).CombinedOutput()
	require.NoError(t, err, string(built))
	all["Go"] = []string{program}
	if node, err := exec.LookPath("node"); err == nil {
		script, err := filepath.Abs("../clients/typescript/dist/examples/" + name + ".js")
		require.NoError(t, err)
		if exists(script) {
			all["TypeScript"] = []string{node, script}
		}
	}
	if python, err := filepath.Abs("../bin/tools/python/bin/python"); err == nil && exists(python) {
		script, err := filepath.Abs("../clients/python/examples/" + name + ".py")
		require.NoError(t, err)
		all["Python"] = []string{python, script}
	}
	return all
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// example prepares one of the examples, with more environment.
func example(t *testing.T, words []string, environment ...string) *exec.Cmd {
	t.Helper()
	if words == nil {
		t.Skip("this language is not on this machine, or its client is not built: run make lint/clients")
	}
	python, err := filepath.Abs("../clients/python")
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), words[0], words[1:]...)
	command.Env = append(append(os.Environ(), "PYTHONPATH="+python), environment...)
	command.Stderr = os.Stderr
	command.Dir = t.TempDir()
	return command
}

func TestExamplesImportAndFollow(t *testing.T) {
	t.Parallel()
	for language, words := range examples(t, "follow") {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			o := shared.organization(t)
			sent, err := json.Marshal(orders(newOrder("EX-1"), newOrder("EX-2", object{"pickup": nil})))
			require.NoError(t, err)
			run := func() string {
				command := example(t, words, "WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key,
					"WAYBILL_TOKEN_FILE="+filepath.Join(o.dir, o.slug+".token"))
				command.Args = append(command.Args, "--once")
				command.Stdin = bytes.NewReader(sent)
				printed, err := command.Output()
				require.NoError(t, err, string(printed))
				return string(printed)
			}
			first := run()
			require.Contains(t, first, "orderCreated\ndraftCreated\n")
			told := first
			eventually(t, "the feed tells of the order", func() bool {
				if strings.Contains(told, "EX-1 registered") {
					return true
				}
				told = run()
				return strings.Contains(told, "EX-1 registered")
			})
			require.NotContains(t, run(), "EX-1 registered", "it goes on where it stopped")
		})
	}
}

// TestExamplesSeeAnOrderDelivered has each language import an order into a
// sandbox, simulate its day, receive its delivery by webhook, and fetch the
// proof.
func TestExamplesSeeAnOrderDelivered(t *testing.T) {
	t.Parallel()
	for language, words := range examples(t, "sandbox") {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			o := shared.organization(t)
			printed, err := example(t, words, "WAYBILL_URL=http://"+o.address, "WAYBILL_API_KEY="+o.key).Output()
			require.NoError(t, err, string(printed))
			require.Regexp(t, `^imported (TRY-\S+)\ntold that TRY-\S+ is delivered\nsigned for by Kari Nordmann\n$`, string(printed))
			require.JSONEq(t, `{"items": []}`, string(o.get(t, "/v2/webhook-endpoints").body), "it leaves nothing behind")
		})
	}
}

// signed is a request as Waybill sends it, by the scheme of Standard Webhooks.
func signed(t *testing.T, url, secret, id string, at time.Time, body string) *http.Request {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	require.NoError(t, err)
	mac := hmac.New(sha256.New, key)
	_, _ = fmt.Fprintf(mac, "%s.%d.%s", id, at.Unix(), body)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("webhook-id", id)
	r.Header.Set("webhook-timestamp", fmt.Sprint(at.Unix()))
	r.Header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return r
}

func TestExamplesAcceptOnlySignedWebhooks(t *testing.T) {
	t.Parallel()
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	const other = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	for language, words := range examples(t, "receive") {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			command := example(t, words, "WAYBILL_WEBHOOK_SECRET="+other+" "+secret, "PORT=0")
			out, err := command.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, command.Start())
			t.Cleanup(func() { _ = command.Process.Kill(); _ = command.Wait() })
			lines := bufio.NewScanner(out)
			require.True(t, lines.Scan())
			url, found := strings.CutPrefix(lines.Text(), "listening at ")
			require.True(t, found, lines.Text())
			send := func(r *http.Request) int {
				answer, err := httpClient.Do(r)
				require.NoError(t, err)
				_ = answer.Body.Close()
				return answer.StatusCode
			}
			const body = `{"type":"order.status_changed","timestamp":"2026-03-02T07:30:00Z","data":{"externalId":"SO-1"}}`
			now := time.Now()
			require.Equal(t, http.StatusNoContent, send(signed(t, url, secret, "msg_1", now, body)))
			require.Equal(t, http.StatusNoContent, send(signed(t, url, secret, "msg_1", now, body)), "it may come twice")
			forged := signed(t, url, "whsec_BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB", "msg_2", now, body)
			require.Equal(t, http.StatusUnauthorized, send(forged))
			require.Equal(t, http.StatusUnauthorized, send(signed(t, url, secret, "msg_3", now.Add(-time.Hour), body)))
			require.Equal(t, http.StatusNoContent, send(signed(t, url, other, "msg_4", now, body)))
			for _, want := range []string{"order.status_changed msg_1", "order.status_changed msg_4"} {
				require.True(t, lines.Scan())
				require.Equal(t, want, lines.Text())
			}
		})
	}
}
