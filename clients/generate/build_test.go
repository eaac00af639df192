package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func built(t *testing.T) (*contract, *api) {
	t.Helper()
	c, err := readContract("../../api/contract/openapi.yaml")
	require.NoError(t, err)
	a, err := build(c)
	require.NoError(t, err)
	return c, a
}

func (a *api) method(t *testing.T, id string) *method {
	t.Helper()
	for _, r := range a.Resources {
		for _, m := range r.Methods {
			if m.ID == id {
				return m
			}
		}
	}
	require.Fail(t, "no method", id)
	return nil
}

func TestEachOperationForKeysHasAMethod(t *testing.T) {
	t.Parallel()
	c, a := built(t)
	count := 0
	for _, p := range c.Paths {
		for _, op := range p.Value.Operations {
			if slices.Contains(op.Value.Callers, "key") {
				count++
				require.Equal(t, strings.ToUpper(op.Name), a.method(t, op.Value.ID).Verb)
			}
		}
	}
	require.Greater(t, count, 150)
	for _, r := range a.Resources {
		count -= len(r.Methods)
	}
	require.Zero(t, count, "no others")
}

// A list with a parameter that says where to go on has an iterator.
func TestListsHaveIterators(t *testing.T) {
	t.Parallel()
	_, a := built(t)
	styles := map[pagingStyle]int{}
	for _, r := range a.Resources {
		for _, m := range r.Methods {
			if m.asks("token") || m.asks("page") || m.asks("offset") {
				require.NotNil(t, m.Paging, m.ID)
				styles[m.Paging.Style]++
			}
		}
	}
	require.Len(t, styles, 3)
	require.Equal(t, "drafts", a.method(t, "listDrafts").Paging.Items.Name)
	require.Nil(t, a.method(t, "getPlan").Paging.Items, "it has several lists")
	require.Equal(t, "totalPages", a.method(t, "getExportFeed").Paging.Pages)
}

func TestTypes(t *testing.T) {
	t.Parallel()
	_, a := built(t)
	imported := a.method(t, "importOrders")
	require.Len(t, imported.Answers, 2)
	require.True(t, imported.Body.Model.InRequest)
	require.Len(t, a.method(t, "startSandboxRun").Answers, 1, "both statuses have the same body")
	require.Nil(t, a.method(t, "cancelOrderBooking").Body, "an empty object")
	require.Nil(t, a.method(t, "getCompletionProofPdf").Answers[0].Type, "a file")
	for _, m := range a.Models {
		switch m.Name {
		case "ImportResult":
			require.NotEmpty(t, m.Fields)
			for _, f := range m.Fields {
				require.False(t, f.Required, f.Name)
				require.Equal(t, reference, f.Type.Kind)
			}
		case "Draft":
			require.NotNil(t, m.field("orderDraftId"), "of the summary")
			require.True(t, m.field("order").Required)
		case "ErrorReason":
			require.Contains(t, m.Values, "ORDER_NOT_FOUND")
		}
	}
}

func TestNamesMustDiffer(t *testing.T) {
	t.Parallel()
	c, _ := built(t)
	for _, p := range c.Paths {
		for _, op := range p.Value.Operations {
			if op.Value.ID == "getDraft" {
				op.Value.ID = "getDrafts"
			}
			if op.Value.ID == "discardDraft" {
				op.Value.ID = "getDraft"
			}
		}
	}
	_, err := build(c)
	require.ErrorContains(t, err, "both Drafts.Get")
}

func TestThird(t *testing.T) {
	t.Parallel()
	for summary, want := range map[string]string{
		"Read an order": "reads an order", "Search orders": "searches orders", "Apply rules": "applies rules",
		"Create or update a type": "creates or updates a type", "Look up zones": "looks up zones",
	} {
		require.Equal(t, want, third(summary))
	}
}
