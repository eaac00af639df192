package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"waybill/domain/outward"
	"waybill/domain/webhook"
	"waybill/internal/wait"
	"waybill/operations/webhooks/delivery"
	"waybill/providers/webhooks"
)

func newWebhooksCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "webhooks", Short: "Develop webhook receivers"}
	cmd.AddCommand(newListenCommand())
	return cmd
}

// listener follows the feed of an organization from outside, and sends its
// events to a developer's machine.
type listener struct {
	url, key, forward, secret, after string

	http   *http.Client
	sender *webhooks.Client
	out    io.Writer
	every  time.Duration
	last   webhook.Place
}

func newListenCommand() *cobra.Command {
	l := &listener{http: &http.Client{Timeout: time.Minute}, sender: webhooks.New(true), every: time.Second}
	cmd := &cobra.Command{
		Use:   "listen --forward http://localhost:3000/hook",
		Short: "Print an organization's events and send them to your machine",
		Long: `Follow the order status feed of an organization from now on, print each event, and send
it to --forward as a webhook endpoint would get it: with the same webhook-id and body,
signed with a secret that is printed first. The command changes nothing in the service,
and does not retry events that are not accepted.

Set WAYBILL_API_KEY to an API key of the organization.`,
		Example: "  waybill webhooks listen --url https://waybill.example --forward http://localhost:3000/hook",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			l.out, l.key = cmd.OutOrStdout(), os.Getenv("WAYBILL_API_KEY")
			return l.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&l.url, "url", "http://localhost:8080", "URL of the service")
	flags.StringVar(&l.forward, "forward", "", "URL to send events to (default: only print them)")
	flags.StringVar(&l.secret, "secret", "", "signing secret, whsec_ and Base64 (default: a new one)")
	flags.StringVar(&l.after, "after", "", "feed token to start after (default: now)")
	return cmd
}

func (l *listener) run(ctx context.Context) error {
	if l.key == "" {
		return errors.New("WAYBILL_API_KEY is not set")
	}
	if l.forward != "" && !l.sender.Usable(l.forward) {
		return fmt.Errorf("--forward is %q, which is not a valid URL", l.forward)
	}
	if l.secret == "" {
		l.secret = webhooks.NewSecret()
	}
	token, err := l.begin(ctx)
	if err != nil {
		return err
	}
	say(l.out, "Listening. The secret is %s", l.secret)
	for ctx.Err() == nil {
		page, err := l.page(ctx, token)
		switch {
		case errors.Is(err, errNotForUs):
			return err
		case err != nil && ctx.Err() == nil:
			say(l.out, "%v; retrying", err)
			wait.For(ctx, l.every)
			continue
		}
		for _, item := range page.Items {
			if err := l.tell(ctx, item); err != nil {
				return err
			}
		}
		if token = page.NextToken; !page.HasMore {
			wait.For(ctx, l.every)
		}
	}
	return nil
}

// begin returns the token after which events are reported.
func (l *listener) begin(ctx context.Context) (string, error) {
	if l.after != "" {
		return l.after, nil
	}
	for token := ""; ; {
		page, err := l.page(ctx, token)
		if err != nil || !page.HasMore {
			return page.NextToken, err
		}
		token = page.NextToken
	}
}

// feedPage is a page of the feed with its items as received.
type feedPage struct {
	Items     []json.RawMessage `json:"items"`
	NextToken string            `json:"nextToken"`
	HasMore   bool              `json:"hasMore"`
}

var errNotForUs = errors.New("the service refused the API key")

func (l *listener) page(ctx context.Context, token string) (page feedPage, err error) {
	address := strings.TrimSuffix(
		l.url, "/",
	) + "/v2/orders/summary/orderstatusfeed?pageSize=1000&token=" + url.QueryEscape(token)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return page, fmt.Errorf("read the feed: %w", err)
	}
	request.Header.Set("Authorization", "apikey "+l.key)
	answer, err := l.http.Do(request)
	if err != nil {
		return page, fmt.Errorf("read the feed: %w", err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch answer.StatusCode {
	case http.StatusOK:
		return page, json.NewDecoder(answer.Body).Decode(&page)
	case http.StatusUnauthorized, http.StatusForbidden:
		return page, errNotForUs
	}
	return page, fmt.Errorf("read the feed: %s", answer.Status)
}

// tell prints an event, and sends it.
func (l *listener) tell(ctx context.Context, item json.RawMessage) error {
	var entry struct {
		Position                 int64
		Type, Status, ExternalID string
		OccurredAt               time.Time
	}
	if err := json.Unmarshal(item, &entry); err != nil {
		return fmt.Errorf("read an entry of the feed: %w", err)
	}
	place := webhook.Place{Position: entry.Position, Number: 1}
	if entry.Position == l.last.Position {
		place.Number = l.last.Number + 1
	}
	l.last = place
	line := fmt.Sprintf("%s  %-24s %s %s", place.ID(), entry.Type, entry.ExternalID, entry.Status)
	if l.forward == "" {
		say(l.out, "%s", line)
		return nil
	}
	body, err := outward.Marshal(delivery.Event{Type: entry.Type, Timestamp: entry.OccurredAt.UTC(), Data: item})
	if err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	answer := l.sender.Send(ctx, webhooks.Message{
		URL: l.forward, ID: place.ID(), At: time.Now(), Body: body, Secrets: []string{l.secret},
	})
	said := fmt.Sprint(answer.Status)
	if answer.Status == 0 {
		said = string(answer.Fault)
	}
	say(l.out, "%s -> %s in %d ms", line, said, answer.Duration.Milliseconds())
	return nil
}
