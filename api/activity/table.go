package activity

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"waybill/api/contract"
)

// columns are the columns of the log as CSV, by the members of its events.
var columns = []string{
	"id", "occurred_at", "kind", "actor", "actor_name", "cause", "subject_type", "subject_id", "name", "order_id",
}

// table is a part of the log as CSV.
type table struct{ moments }

// ExportActivity returns who did what as CSV.
func (h *Handlers) ExportActivity(
	ctx context.Context, request contract.ExportActivityRequestObject,
) (contract.ExportActivityResponseObject, error) {
	read, err := h.activity(ctx, contract.ListActivityParams(request.Params))
	return table{read}, err
}

// VisitExportActivityResponse responds with a line per event.
func (t table) VisitExportActivityResponse(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", "text/csv; charset=utf-8")
	w.Header().Set("Content-Disposition", `attachment; filename="activity.csv"`)
	if t.NextToken != nil {
		w.Header().Set("Next-Token", *t.NextToken)
	}
	w.WriteHeader(http.StatusOK)
	lines := csv.NewWriter(w)
	lines.UseCRLF = true
	_ = lines.Write(columns)
	for _, item := range t.Items {
		line, err := cells(item)
		if err != nil {
			return err
		}
		_ = lines.Write(line)
	}
	lines.Flush()
	return lines.Error() // of any of them
}

// cells are the columns of an event.
func cells(item json.RawMessage) ([]string, error) {
	var members map[string]any
	read := json.NewDecoder(bytes.NewReader(item))
	read.UseNumber()
	if err := read.Decode(&members); err != nil {
		return nil, fmt.Errorf("read an event of the log: %w", err)
	}
	line := make([]string, len(columns))
	for i, column := range columns {
		line[i] = cell(members[column])
	}
	return line, nil
}

// cell is a value for a spreadsheet, which must not evaluate it as a formula.
func cell(value any) string {
	switch v := value.(type) {
	case json.Number:
		return v.String()
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
			return "'" + v
		}
		return v
	}
	return ""
}
