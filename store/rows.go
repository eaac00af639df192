package store

import "encoding/json"

// each converts rows.
func each[Row, T any](rows []Row, turn func(Row) T) []T {
	turned := make([]T, len(rows))
	for i, row := range rows {
		turned[i] = turn(row)
	}
	return turned
}

// list reads a list of a document that may be null.
func list[T any](document json.RawMessage) ([]T, error) {
	var values []T
	if len(document) == 0 {
		return nil, nil
	}
	err := json.Unmarshal(document, &values)
	return values, err
}
