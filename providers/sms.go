package providers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/twilio/twilio-go/client"
	twilio "github.com/twilio/twilio-go/rest/api/v2010"

	"waybill/domain/notification"
)

// Text is one text message.
type Text struct {
	From, To, Body string
	// Callback is where the provider reports.
	Callback string
}

// SMSAccount is who pays for a text message.
type SMSAccount struct{ ID, Token string }

// smsTimeout bounds one call of the provider.
const smsTimeout = 20 * time.Second

// SMS sends by Twilio's API, at any address that speaks it.
type SMS struct {
	base *url.URL // Twilio's own when nil
}

// NewSMS makes a sender of text messages; base is the API's address, Twilio's
// own when empty.
func NewSMS(base string) (*SMS, error) {
	if base == "" {
		return &SMS{}, nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, errors.New("must be an address such as https://api.twilio.com")
	}
	return &SMS{base: u}, nil
}

// Send hands over a text message and returns the provider's id of it.
func (s *SMS) Send(ctx context.Context, account SMSAccount, text Text) (id string, err error) {
	if account.ID == "" || account.Token == "" {
		return "", &Fault{Failure: notification.NotConfigured}
	}
	api := twilio.NewApiServiceWithClient(s.client(ctx, account))
	params := (&twilio.CreateMessageParams{}).SetTo(text.To).SetFrom(text.From).SetBody(text.Body)
	if text.Callback != "" {
		params.SetStatusCallback(text.Callback)
	}
	message, err := api.CreateMessage(params)
	if err != nil {
		return "", smsFault(err)
	}
	if message.Sid == nil {
		return "", &Fault{
			Failure: notification.Unavailable, Passing: true, Unanswered: true, Answer: "the answer names no message",
		}
	}
	return *message.Sid, nil
}

func (s *SMS) client(ctx context.Context, account SMSAccount) *client.Client {
	c := &client.Client{
		Credentials: client.NewCredentials(account.ID, account.Token),
		HTTPClient:  &http.Client{Timeout: smsTimeout, Transport: redirected{ctx: ctx, to: s.base}},
	}
	c.SetAccountSid(account.ID)
	return c
}

// redirected sends the library's calls to our address, and ends them with our
// context, which the library does not take.
type redirected struct {
	ctx context.Context // lives as long as one call
	to  *url.URL
}

// RoundTrip makes one call.
func (r redirected) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(r.ctx)
	if r.to != nil {
		request.URL.Scheme, request.URL.Host, request.Host = r.to.Scheme, r.to.Host, r.to.Host
	}
	return http.DefaultTransport.RoundTrip(request)
}

// Twilio's codes that mean something of their own.
const (
	codeOptedOut      = 21610
	codeInvalidNumber = 21211
)

// smsFault judges a provider's answer.
func smsFault(err error) *Fault {
	var refused *client.TwilioRestError
	if !errors.As(err, &refused) {
		var network *net.OpError
		unsaid := errors.As(err, &network) && network.Op == "dial"
		return &Fault{Failure: notification.Unavailable, Passing: true, Unanswered: !unsaid, Cause: err}
	}
	fault := &Fault{Failure: notification.Rejected, Code: strconv.Itoa(refused.Status), Answer: refused.Message}
	if refused.Code != 0 {
		fault.Code = fmt.Sprintf("%d %d", refused.Status, refused.Code)
	}
	switch {
	case refused.Status >= 500,
		refused.Status == http.StatusTooManyRequests, refused.Status == http.StatusRequestTimeout:
		fault.Failure, fault.Passing = notification.Unavailable, true
	case refused.Status == http.StatusUnauthorized || refused.Status == http.StatusForbidden:
		fault.Failure = notification.CredentialsRefused
	case refused.Code == codeOptedOut:
		fault.Failure = notification.ReceiverOptedOut
	case refused.Code == codeInvalidNumber:
		fault.Failure = notification.InvalidAddress
	}
	return fault
}
