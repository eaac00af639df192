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
	// Validity is how long it is worth delivering; the provider's own bound when 0.
	Validity time.Duration
}

// SMSAccount is the account that pays for text messages.
type SMSAccount struct{ ID, Token string }

// smsTimeout bounds one call of the provider.
const smsTimeout = 20 * time.Second

// SMS sends by Twilio's API, at any address that speaks it.
type SMS struct {
	base     *url.URL // Twilio's own when nil
	accounts *breakers
}

// NewSMS returns a sender of text messages; base is the API's address, Twilio's
// own when empty.
func NewSMS(base string) (*SMS, error) {
	if base == "" {
		return &SMS{accounts: newBreakers()}, nil
	}
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return nil, errors.New("must be a URL such as https://api.twilio.com")
	}
	return &SMS{base: u, accounts: newBreakers()}, nil
}

// Send hands over a text message and returns the provider's id of it.
func (s *SMS) Send(ctx context.Context, account SMSAccount, text Text) (id string, err error) {
	if account.ID == "" || account.Token == "" {
		return "", &Fault{Failure: notification.NotConfigured}
	}
	if err := s.accounts.knock(account.ID); err != nil {
		return "", err
	}
	var said answer
	api := twilio.NewApiServiceWithClient(s.client(ctx, account, &said))
	params := (&twilio.CreateMessageParams{}).SetTo(text.To).SetFrom(text.From).SetBody(text.Body)
	if text.Callback != "" {
		params.SetStatusCallback(text.Callback)
	}
	if text.Validity > 0 {
		params.SetValidityPeriod(validity(text.Validity))
	}
	message, err := api.CreateMessage(params)
	var unasked *client.TwilioRestError // of the library itself
	s.accounts.heed(ctx, account.ID, said.reached() || said.status == 0 && errors.As(err, &unasked))
	if err != nil {
		fault := smsFault(err, said)
		s.accounts.rest(account.ID, fault.RetryAfter)
		return "", fault
	}
	if message.Sid == nil {
		return "", &Fault{
			Failure: notification.Unavailable, Passing: true, Unanswered: true, Answer: "the answer names no message",
		}
	}
	return *message.Sid, nil
}

// The bounds of a validity period, in seconds. Twilio advises against fewer than five.
const (
	leastValidity = 6
	mostValidity  = 36_000
)

func validity(d time.Duration) int {
	return int(min(max(d/time.Second, leastValidity), mostValidity))
}

func (s *SMS) client(ctx context.Context, account SMSAccount, said *answer) *client.Client {
	c := &client.Client{
		Credentials: client.NewCredentials(account.ID, account.Token),
		HTTPClient:  &http.Client{Timeout: smsTimeout, Transport: redirected{ctx: ctx, to: s.base, said: said}},
	}
	c.SetAccountSid(account.ID)
	return c
}

// redirected sends the library's calls to our address, and ends them with our
// context, which the library does not accept.
type redirected struct {
	ctx  context.Context // for the duration of one call
	to   *url.URL
	said *answer
}

// answer is the response to a call, from the provider or from a gateway in front of it.
type answer struct {
	status     int // 0 for none
	retryAfter time.Duration
}

// reached reports whether the provider itself answered.
func (a answer) reached() bool {
	switch a.status {
	case 0, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return false
	}
	return true
}

// RoundTrip makes one call.
func (r redirected) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(r.ctx)
	if r.to != nil {
		request.URL.Scheme, request.URL.Host, request.Host = r.to.Scheme, r.to.Host, r.to.Host
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err == nil {
		*r.said = answer{status: response.StatusCode, retryAfter: retryAfter(response.Header, time.Now())}
	}
	return response, err
}

// retryAfter reads the pause that a server requests: seconds, or a time.
func retryAfter(header http.Header, now time.Time) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(at.Sub(now), 0)
}

// smsCodes maps Twilio's codes to causes.
var smsCodes = map[int]notification.Failure{
	21211: notification.InvalidAddress,
	21610: notification.ReceiverOptedOut,
	21614: notification.RejectedReceiver, // no mobile number
	30003: notification.RejectedReceiver, // out of reach
	30005: notification.RejectedReceiver, // unknown
	30006: notification.RejectedReceiver, // a landline
	21212: notification.RejectedSender,   // no usable sender
	21408: notification.RejectedSender,   // no permission for the country
	21606: notification.RejectedSender,   // the sender is not the account's
	21612: notification.RejectedSender,   // the sender cannot reach the number
	21659: notification.RejectedSender,   // the sender is not a Twilio number
	21617: notification.RejectedContent,  // too long
	30007: notification.RejectedContent,  // filtered
	30022: notification.RateLimited,
}

// smsFault interprets a provider's response. One without the provider's own
// body comes from a gateway: the provider has nothing then.
func smsFault(err error, said answer) *Fault {
	var refused *client.TwilioRestError
	if !errors.As(err, &refused) {
		if said.status == 0 || said.status/100 == 2 {
			var network *net.OpError
			unsaid := errors.As(err, &network) && network.Op == "dial"
			return &Fault{Failure: notification.Unavailable, Passing: true, Unanswered: !unsaid, Cause: err}
		}
		refused = &client.TwilioRestError{}
	}
	status := refused.Status
	if said.status != 0 {
		status = said.status
	}
	fault := &Fault{
		Failure: notification.Rejected, Code: strconv.Itoa(status), Answer: refused.Message, RetryAfter: said.retryAfter,
	}
	if refused.Code != 0 {
		fault.Code = fmt.Sprintf("%d %d", status, refused.Code)
	}
	switch {
	case status < 400, status >= 500, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		fault.Failure, fault.Passing = notification.Unavailable, true
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		fault.Failure = notification.CredentialsRefused
	case smsCodes[refused.Code] != "":
		fault.Failure = smsCodes[refused.Code]
	}
	return fault
}

// Check looks an account up with its credentials, and sends nothing.
func (s *SMS) Check(ctx context.Context, account SMSAccount) error {
	if account.ID == "" || account.Token == "" {
		return &Fault{Failure: notification.NotConfigured}
	}
	var said answer
	api := twilio.NewApiServiceWithClient(s.client(ctx, account, &said))
	_, err := api.FetchAccount(account.ID)
	var unasked *client.TwilioRestError // from the library itself, which rejects invalid accounts
	switch {
	case err == nil:
		return nil
	case said.status == 0 && errors.As(err, &unasked):
		return &Fault{Failure: notification.NotConfigured}
	}
	return smsFault(err, said)
}
