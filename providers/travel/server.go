package travel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"waybill/domain/region"
)

const (
	// timeout bounds one question. A table of this size takes a healthy server
	// some tens of milliseconds.
	timeout = 10 * time.Second
	// side is the number of places on either side of a request: the default
	// limits are 2,500 pairs for Valhalla, and 100 places for OSRM.
	side = 50
	// maxAnswer limits the size of an answer in bytes; a table of 500 by 500 places
	// has about 3.5 MB.
	maxAnswer = 8 << 20
)

// Codes of refusals: a place is too far from any road, it is outside of all regions of waybill
// roads, or no road leads from one of the places to another.
const (
	noSegment      = "NoSegment"
	outsideRegions = "OutsideRegions"
	noTable        = "NoTable"
	noWay          = "NoRoute"
	// noEdges is how Valhalla says NoSegment.
	noEdges = 171
)

// server is a server with an HTTP API.
type server struct {
	base   *url.URL
	client *http.Client
}

func newServer(base *url.URL) server {
	return server{base: base, client: &http.Client{
		Timeout: timeout,
		// Redirects lead away from the configured server.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// ask sends a request and reads the response, or returns a *Fault. It returns
// an error of the context unchanged.
func (s server) ask(question *http.Request, answer any) error {
	_, err := s.askVersion(question, answer)
	return err
}

// askVersion does the same, and returns the version of the road data as the server's header has it.
// A refusal has one, too.
func (s server) askVersion(question *http.Request, answer any) (version string, err error) {
	ctx := question.Context()
	question.Header.Set("Accept", "application/json")
	// The server is near: packing a table takes it longer than sending it.
	question.Header.Set("Accept-Encoding", "identity")
	response, err := s.client.Do(question)
	if err != nil {
		return "", s.broken(ctx, err, "unavailable")
	}
	defer func() { _ = response.Body.Close() }()
	version = clipped(response.Header.Get(region.VersionHeader))
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return "", s.broken(ctx, err, "the answer was cut off")
	case len(body) > maxAnswer:
		return "", faulty(nil, "the answer has more than %d bytes", maxAnswer)
	case response.StatusCode != http.StatusOK:
		return version, refusal(response.StatusCode, body)
	}
	if err := json.Unmarshal(body, answer); err != nil {
		return "", faulty(err, "cannot read the answer")
	}
	return version, nil
}

// broken is a fault of the connection. Its cause does not show, because it may
// hold the address with its coordinates.
func (s server) broken(ctx context.Context, err error, text string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
		if failed.Timeout() {
			text = fmt.Sprintf("no answer within %s", s.client.Timeout)
		}
	}
	return faulty(err, "%s", text)
}

// refusal classifies a status other than 200. Both servers respond with 400 to
// valid requests without a result, such as places too far from any road.
//
// A server with data for several profiles returns 404 for others, or a code such as
// InvalidProfile.
func refusal(status int, body []byte) *Fault {
	var answer struct {
		Code string `json:"code"`
		// Number is Valhalla's code.
		Number int `json:"error_code"`
	}
	if json.Unmarshal(body, &answer) != nil {
		answer.Code = ""
	}
	if answer.Number == noEdges {
		answer.Code = noSegment
	}
	f := faulty(nil, "the server returned %d", status)
	f.Code = clipped(answer.Code)
	f.Unknown = status == http.StatusNotFound || strings.Contains(answer.Code, "Profile")
	f.Asked = status == http.StatusBadRequest && !f.Unknown
	f.Outside = f.Asked && answer.Code == outsideRegions
	f.Apart = f.Asked && (answer.Code == noTable || answer.Code == noWay)
	return f
}
