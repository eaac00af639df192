package inbound

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/twilio/twilio-go/client"

	"waybill/domain/notification"
	"waybill/store"
)

// twilioReports are Twilio's status callbacks. Those of messages sent by
// Waybill have the message's id in their URL; others are identified by
// Twilio's.
var twilioReports = reportReader{
	provider: "twilio",
	channel:  notification.SMS,
	secret: func(s WebhookSecrets, m store.MessagingSettings) string {
		return s.secretOr(m.SmsToken, s.TwilioToken)
	},
	authentic: func(h *Handlers, r *http.Request, body []byte, token string) bool {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			return false
		}
		params := make(map[string]string, len(form))
		for name := range form {
			params[name] = form.Get(name)
		}
		validator := client.NewRequestValidator(token)
		address := strings.TrimSuffix(h.publicURL, "/") + r.URL.RequestURI()
		return validator.Validate(address, params, r.Header.Get("X-Twilio-Signature"))
	},
	read: twilioReport,
}

// twilioReport reads a status callback.
func twilioReport(r *http.Request, _ int64, body []byte) ([]notification.Report, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	sid, status := form.Get("MessageSid"), form.Get("MessageStatus")
	if sid == "" || status == "" {
		return nil, errors.New("neither a MessageSid nor a MessageStatus")
	}
	says := notification.Noted
	if status == "delivered" || status == "read" {
		says = notification.ReportedDelivered
	}
	return []notification.Report{{
		ID: idOf(r), ProviderID: sid, Key: sid + " " + status, Says: says, Code: status, Answer: form.Get("ErrorCode"),
		OccurredAt: time.Now(),
	}}, nil
}

// idOf returns Waybill's id of a message from the URL of a report, or 0.
func idOf(r *http.Request) int64 {
	id, err := strconv.ParseInt(r.URL.Query().Get("id"), 10, 64)
	if err != nil || id < 0 {
		return 0
	}
	return id
}
