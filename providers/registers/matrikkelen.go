package registers

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"waybill/domain/place"
)

// table reads a CSV file by the names of its columns.
type table struct {
	rows    *csv.Reader
	columns map[string]int
	row     []string
}

// newTable reads the line of names. Names are compared in small letters.
func newTable(in io.Reader, comma rune) (*table, error) {
	t := &table{rows: csv.NewReader(in), columns: map[string]int{}}
	t.rows.Comma, t.rows.LazyQuotes, t.rows.ReuseRecord, t.rows.FieldsPerRecord = comma, true, true, -1
	names, err := t.rows.Read()
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		t.columns[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(name, "\ufeff")))] = i
	}
	return t, nil
}

// next reads a row; it returns false at the end.
func (t *table) next(ctx context.Context) (bool, error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	var err error
	t.row, err = t.rows.Read()
	if errors.Is(err, io.EOF) {
		return false, nil
	}
	return err == nil, err
}

// get is the field of the first of these columns that the file has and that is not empty.
func (t *table) get(names ...string) string {
	for _, name := range names {
		if i, ok := t.columns[name]; ok && i < len(t.row) {
			if value := strings.TrimSpace(t.row[i]); value != "" {
				return strings.Clone(value)
			}
		}
	}
	return ""
}

// readMatrikkelen reads a CSV file of Kartverket's register of addresses.
func readMatrikkelen(ctx context.Context, f *File, take func(place.Record) error) error {
	in, err := f.open()
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	t, err := newTable(in, ';')
	if err != nil {
		return err
	}
	for {
		more, err := t.next(ctx)
		if err != nil || !more {
			return err
		}
		if r, ok, err := addressOfMatrikkelen(t); err != nil {
			return err
		} else if ok {
			if err := take(r); err != nil {
				return err
			}
		}
	}
}

// addressOfMatrikkelen is the address of a row; addresses without a street are left out.
func addressOfMatrikkelen(t *table) (place.Record, bool, error) {
	house, ok := place.ReadHouse(t.get("nummer"))
	if !ok || t.get("adressenavn") == "" {
		return place.Record{}, false, nil
	}
	code, err := strconv.Atoi(t.get("epsg-kode", "epsg"))
	if err != nil {
		return place.Record{}, false, errors.New("a row has no EPSG-kode")
	}
	at, err := unproject(code, t.get("øst"), t.get("nord"))
	if err != nil {
		return place.Record{}, false, fmt.Errorf("address %s: %w", t.get("lokalid", "adresseid"), err)
	}
	return place.Record{
		Country: "NO", PostalCode: t.get("postnummer"), City: titled(t.get("poststed")), Street: t.get("adressenavn"),
		House: place.House{Number: house.Number, Letter: strings.ToUpper(t.get("bokstav"))}, At: at,
	}, true, nil
}

// titled writes a town that a register has in capitals as people write it.
func titled(name string) string {
	if name != strings.ToUpper(name) {
		return name
	}
	all := strings.Fields(strings.ToLower(name))
	for i, word := range all {
		if word == "i" || word == "på" || word == "ved" {
			continue
		}
		parts := strings.Split(word, "-")
		for j, part := range parts {
			if r := []rune(part); len(r) > 0 {
				parts[j] = strings.ToUpper(string(r[:1])) + string(r[1:])
			}
		}
		all[i] = strings.Join(parts, "-")
	}
	return strings.Join(all, " ")
}
