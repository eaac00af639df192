package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/operatorservice/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"waybill/workflows"
)

// registerSearchAttributes adds operators' search attributes to the namespace,
// and waits until they are usable.
func registerSearchAttributes(
	ctx context.Context, out io.Writer, c config, temporal client.Client, logger *slog.Logger,
) error {
	known, err := knownSearchAttributes(ctx, c, temporal, logger)
	if err != nil {
		return err
	}
	missing, err := missingSearchAttributes(c, known)
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		say(out, "namespace %s has all search attributes", c.TemporalNamespace)
		return nil
	}
	if err := addSearchAttributes(ctx, out, c, temporal, missing); err != nil {
		return err
	}
	return waitFor(ctx, logger, "the search attributes", func(ctx context.Context) error {
		return searchable(ctx, c, temporal)
	}, func(error) bool { return true })
}

// searchAttributes are names and their types.
type searchAttributes = map[string]enums.IndexedValueType

// knownSearchAttributes returns the namespace's search attributes, once the
// server is available.
func knownSearchAttributes(
	ctx context.Context, c config, temporal client.Client, logger *slog.Logger,
) (searchAttributes, error) {
	ask := &operatorservice.ListSearchAttributesRequest{Namespace: c.TemporalNamespace}
	var known *operatorservice.ListSearchAttributesResponse
	err := waitFor(ctx, logger, "Temporal", func(ctx context.Context) (err error) {
		if err := checkTemporal(ctx, temporal); err != nil {
			return err
		}
		known, err = temporal.OperatorService().ListSearchAttributes(ctx, ask)
		return err
	}, func(error) bool { return true })
	return known.GetCustomAttributes(), err
}

// missingSearchAttributes returns the missing ones. It rejects a known one of
// another type.
func missingSearchAttributes(c config, known searchAttributes) (searchAttributes, error) {
	missing := searchAttributes{}
	for _, key := range workflows.SearchAttributes() {
		name, want := key.GetName(), key.GetValueType()
		switch kind, is := known[name]; {
		case !is:
			missing[name] = want
		case kind != want:
			return nil, fmt.Errorf(
				"search attribute %s of namespace %s has type %s, but must have type %s: "+
					"remove it with temporal operator search-attribute remove",
				name, c.TemporalNamespace, kind, want)
		}
	}
	return missing, nil
}

// searchable returns an error until the server takes the attributes: it may need
// a few seconds after they are registered, and refuses workflows that carry them
// until then.
func searchable(ctx context.Context, c config, temporal client.Client) error {
	var terms []string
	for _, key := range workflows.SearchAttributes() {
		terms = append(terms, key.GetName()+" IS NOT NULL")
	}
	_, err := temporal.ListWorkflow(ctx, &workflowservice.ListWorkflowExecutionsRequest{
		Namespace: c.TemporalNamespace, PageSize: 1, Query: strings.Join(terms, " AND "),
	})
	return err
}

func addSearchAttributes(
	ctx context.Context, out io.Writer, c config, temporal client.Client, missing searchAttributes,
) error {
	_, err := temporal.OperatorService().AddSearchAttributes(ctx, &operatorservice.AddSearchAttributesRequest{
		Namespace: c.TemporalNamespace, SearchAttributes: missing,
	})
	if err != nil {
		return fmt.Errorf("register search attributes: %w", err)
	}
	say(out, "registered search attributes %s", strings.Join(slices.Sorted(maps.Keys(missing)), ", "))
	return nil
}
