package service

import (
	"context"
	"fmt"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"waybill/api/contract"
	"waybill/api/edge"
	"waybill/domain/fault"
)

// How much is logged of a fault of an app.
const (
	maxFaultText  = 300
	maxFaultStack = 4000
)

// clientErrors counts faults of the apps. A browser can send any release, so a
// label says only whether it is the one that this process serves.
type clientErrors struct {
	releases map[string]string // of the apps that this process serves
	count    *prometheus.CounterVec
}

func newClientErrors(registry *prometheus.Registry, releases map[string]string) (*clientErrors, error) {
	c := &clientErrors{releases: releases, count: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "waybill_client_errors_total",
		Help: "Faults of the apps in browsers.",
	}, []string{"app", "release"})}
	for _, app := range []contract.ClientErrorApp{contract.ClientErrorAppConsole, contract.ClientErrorAppDriver} {
		for _, release := range []string{"current", "earlier"} {
			c.count.WithLabelValues(string(app), release)
		}
	}
	if err := registry.Register(c.count); err != nil {
		return nil, fmt.Errorf("register client error metric: %w", err)
	}
	return c, nil
}

// ReportClientError logs and counts a fault of an app.
func (h *Handlers) ReportClientError(
	ctx context.Context, request contract.ReportClientErrorRequestObject,
) (contract.ReportClientErrorResponseObject, error) {
	said := request.Body
	if !said.App.Valid() {
		return nil, fault.Field("app", fault.Say("request.not_one_of", "allowed", "console, driver"))
	}
	release := "earlier"
	if said.Release == h.clientErrors.releases[string(said.App)] {
		release = "current"
	}
	h.clientErrors.count.WithLabelValues(string(said.App), release).Inc()
	stack := ""
	if said.Stack != nil {
		stack = *said.Stack
	}
	h.logger.WarnContext(ctx, "error in web app",
		"app", said.App, "release", cut(said.Release, maxFaultText), "route", cut(said.Route, maxFaultText),
		"message", cut(said.Message, maxFaultText), "stack", cut(stack, maxFaultStack),
		"org_id", edge.PrincipalOf(ctx).OrgID)
	return contract.ReportClientError204Response{}, nil
}

// cut shortens a text to a number of bytes, without half a character at its end.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
