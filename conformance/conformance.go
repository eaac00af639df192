// Package conformance checks whether a running Waybill keeps the contract's
// promises to integrators: the form of errors, that imports can be repeated,
// that the feed is complete. It calls the API with a key like an integrator,
// and has no access to the service.
package conformance

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// Site is the server under test, and its key.
type Site struct {
	URL, Key string
	HTTP     *http.Client
}

// Outcome is the outcome of a rule.
type Outcome string

// Outcomes of rules.
const (
	Held    Outcome = "held"
	Broken  Outcome = "broken"
	Skipped Outcome = "skipped"
)

// Result is the result of one rule, and the reason unless it held.
type Result struct {
	Rule    string  `json:"rule"`
	Promise string  `json:"promise"`
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail,omitempty"`
}

// rule is one promise and how it is tried.
type rule struct {
	name, promise string
	// writes is true if orders are imported, which requires a sandbox.
	writes bool
	try    func(context.Context, *visit) error
}

// Rules are the names and descriptions of all rules, in the sequence in which
// they run.
func rules() []rule {
	return append(rulesOfAnswers(), rulesOfOrders()...)
}

// Run tries every rule. Rules that import orders are skipped unless the organization
// of the key is a sandbox.
func Run(ctx context.Context, site Site) ([]Result, error) {
	v := &visit{Site: site, mark: "CONF-" + time.Now().UTC().Format("20060102-150405.000000")}
	if v.HTTP == nil {
		v.HTTP = &http.Client{Timeout: 2 * time.Minute}
	}
	why, err := v.sandbox(ctx)
	if err != nil {
		return nil, err
	}
	var results []Result
	for _, r := range rules() {
		result := Result{Rule: r.name, Promise: r.promise, Outcome: Held}
		if r.writes && why != "" {
			result.Outcome, result.Detail = Skipped, why
			results = append(results, result)
			continue
		}
		if err := r.try(ctx, v); err != nil {
			if ctx.Err() != nil {
				return results, ctx.Err()
			}
			result.Outcome, result.Detail = Broken, err.Error()
		}
		results = append(results, result)
	}
	return results, nil
}

// sandbox returns why nothing can be imported, or "".
func (v *visit) sandbox(ctx context.Context) (string, error) {
	a, err := v.call(ctx, http.MethodGet, "/v1/organization", nil)
	if err != nil {
		return "", err
	}
	if a.status != http.StatusOK {
		return "", errors.New("cannot read the organization of the key: " + a.String())
	}
	var organization struct{ Sandbox bool }
	if err := a.read(&organization); err != nil {
		return "", err
	}
	if !organization.Sandbox {
		return "the organization is not a sandbox", nil
	}
	return "", nil
}
