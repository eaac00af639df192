package webhook

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

// The example that the reference libraries of Standard Webhooks are tested with.
const (
	secret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	id        = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	stamp     = "1614265330"
	body      = `{"test": 2432232314}`
	signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
)

func headers(id, stamp, signature string) http.Header {
	h := http.Header{}
	h.Set("webhook-id", id)
	h.Set("webhook-timestamp", stamp)
	h.Set("webhook-signature", signature)
	return h
}

func TestVerify(t *testing.T) {
	t.Parallel()
	signed := time.Unix(1614265330, 0)
	for name, c := range map[string]struct {
		header http.Header
		body   string
		now    time.Time
		want   error
	}{
		"as published":           {headers(id, stamp, signature), body, signed, nil},
		"one of several":         {headers(id, stamp, "v1,AAAA v1a,BBBB "+signature), body, signed, nil},
		"as late as it may":      {headers(id, stamp, signature), body, signed.Add(Tolerance), nil},
		"too late":               {headers(id, stamp, signature), body, signed.Add(Tolerance + time.Second), ErrTimestamp},
		"too early":              {headers(id, stamp, signature), body, signed.Add(-Tolerance - time.Second), ErrTimestamp},
		"another body":           {headers(id, stamp, signature), body + " ", signed, ErrSignature},
		"another message":        {headers("msg_2", stamp, signature), body, signed, ErrSignature},
		"another time":           {headers(id, "1614265331", signature), body, signed, ErrSignature},
		"another scheme":         {headers(id, stamp, "v2"+signature[2:]), body, signed, ErrSignature},
		"no signature":           {headers(id, stamp, ""), body, signed, ErrHeaders},
		"no id":                  {headers("", stamp, signature), body, signed, ErrHeaders},
		"a time that is no time": {headers(id, "today", signature), body, signed, ErrHeaders},
	} {
		v, err := New("whsec_"+"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", secret)
		if err != nil {
			t.Fatal(err)
		}
		v.now = func() time.Time { return c.now }
		message, err := v.Verify(c.header, []byte(c.body))
		if !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		if c.want == nil && message != (Message{ID: id, Sent: signed}) {
			t.Errorf("%s: %v", name, message)
		}
	}
}

func TestSecretsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"whsec_not base64"}, {secret, "?"}} {
		if _, err := New(secrets...); err == nil {
			t.Errorf("%q", secrets)
		}
	}
}
