package inbound

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"crypto/subtle"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"waybill/domain/notification"
	"waybill/store"
)

// webhookClock is how far the time of a signed report may differ from ours.
const webhookClock = 10 * time.Minute

// referenceOf parses the id of a message from its reference; 0 when it is
// not the organization's.
func referenceOf(org int64, reference string) int64 {
	reference, _, _ = strings.Cut(strings.Trim(reference, "<> "), "@")
	digits, ours := strings.CutPrefix(reference, fmt.Sprintf("waybill.%d.", org))
	id, err := strconv.ParseInt(digits, 10, 64)
	if !ours || err != nil || id < 0 {
		return 0
	}
	return id
}

// sendgridReports are those of SendGrid's signed event webhook.
var sendgridReports = reportReader{
	provider: "sendgrid",
	channel:  notification.Email,
	secret: func(s WebhookSecrets, m store.MessagingSettings) string {
		return s.secretOr(m.SendgridKey, s.SendgridKey)
	},
	authentic: func(h *Handlers, r *http.Request, body []byte, key string) bool {
		stamp := r.Header.Get("X-Twilio-Email-Event-Webhook-Timestamp")
		seconds, err := strconv.ParseInt(stamp, 10, 64)
		if err != nil || h.now().Sub(time.Unix(seconds, 0)).Abs() > webhookClock {
			return false
		}
		return signedBy(key, append([]byte(stamp), body...), r.Header.Get("X-Twilio-Email-Event-Webhook-Signature"))
	},
	read: func(_ *http.Request, org int64, body []byte) ([]notification.Report, error) {
		return sendgridEvents(org, body)
	},
}

// signedBy checks an ECDSA signature. The key is base64 of DER.
func signedBy(key string, text []byte, signature string) bool {
	der, badKey := base64.StdEncoding.DecodeString(key)
	given, badSignature := base64.StdEncoding.DecodeString(signature)
	if badKey != nil || badSignature != nil {
		return false
	}
	parsed, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return false
	}
	public, ok := parsed.(*ecdsa.PublicKey)
	sum := sha256.Sum256(text)
	return ok && ecdsa.VerifyASN1(public, sum[:], given)
}

func sendgridEvents(org int64, body []byte) ([]notification.Report, error) {
	var events []struct {
		Event     string `json:"event"`
		SMTPID    string `json:"smtp-id"`
		EventID   string `json:"sg_event_id"`
		Type      string `json:"type"`
		Reason    string `json:"reason"`
		Response  string `json:"response"`
		Timestamp int64  `json:"timestamp"`
	}
	if err := json.Unmarshal(body, &events); err != nil {
		return nil, err
	}
	reports := make([]notification.Report, len(events))
	for i, e := range events {
		r := notification.Report{
			ID: referenceOf(org, e.SMTPID), Key: e.EventID, Says: notification.Noted,
			Code:   strings.TrimSpace(e.Event + " " + e.Type),
			Answer: e.Reason + e.Response, OccurredAt: time.Unix(e.Timestamp, 0),
		}
		if r.Key == "" {
			r.Key = fmt.Sprintf("%s %d", e.Event, e.Timestamp)
		}
		switch e.Event {
		case "delivered":
			r.Says = notification.ReportedDelivered
		case "bounce":
			r.Says, r.Suppress = notification.ReportedBounced, e.Type != "blocked" // a block may pass
		case "spamreport":
			r.Says, r.Suppress = notification.ReportedSpam, true
		}
		reports[i] = r
	}
	return reports, nil
}

// postmarkReports are those of Postmark's webhooks.
var postmarkReports = reportReader{
	provider: "postmark",
	channel:  notification.Email,
	secret: func(s WebhookSecrets, m store.MessagingSettings) string {
		return s.secretOr(m.PostmarkLogin, s.PostmarkLogin)
	},
	authentic: func(_ *Handlers, r *http.Request, _ []byte, login string) bool {
		user, password, ok := r.BasicAuth()
		return ok && subtle.ConstantTimeCompare([]byte(user+":"+password), []byte(login)) == 1
	},
	read: func(_ *http.Request, org int64, body []byte) ([]notification.Report, error) {
		return postmarkReport(org, body)
	},
}

func postmarkReport(org int64, body []byte) ([]notification.Report, error) {
	var e struct {
		RecordType, MessageID, Type, Description, Details string
		DeliveredAt, BouncedAt                            time.Time
		Metadata                                          map[string]string
	}
	if err := json.Unmarshal(body, &e); err != nil {
		return nil, err
	}
	r := notification.Report{
		ID: referenceOf(org, e.Metadata["waybill"]), Key: strings.Join([]string{e.RecordType, e.MessageID, e.Type}, " "),
		Says: notification.Noted, Code: strings.TrimSpace(e.RecordType + " " + e.Type),
		Answer: strings.TrimSpace(e.Description + " " + e.Details), OccurredAt: e.DeliveredAt,
	}
	if !e.BouncedAt.IsZero() {
		r.OccurredAt = e.BouncedAt
	}
	if r.OccurredAt.IsZero() {
		r.OccurredAt = time.Now()
	}
	switch {
	case e.RecordType == "Delivery":
		r.Says = notification.ReportedDelivered
	case e.RecordType == "SpamComplaint":
		r.Says, r.Suppress = notification.ReportedSpam, true
	case e.RecordType == "Bounce" && permanentBounce(e.Type):
		r.Says, r.Suppress = notification.ReportedBounced, true
	}
	return []notification.Report{r}, nil
}

// permanentBounce reports whether a kind of bounce is for good.
func permanentBounce(bounce string) bool {
	switch bounce {
	case "HardBounce", "BadEmailAddress", "ManuallyDeactivated", "Blocked", "Unsubscribe":
		return true
	}
	return false
}
