package privacy

import (
	"fmt"
	"strings"
)

// Paper is the data map in Markdown: what is kept of contacts, where, why and for how long.
func Paper() string {
	var b strings.Builder
	b.WriteString("| what | table and columns | why | how long |\n|---|---|---|---|\n")
	for _, p := range DataMap() {
		columns := make([]string, len(p.Columns))
		for i, c := range p.Columns {
			columns[i] = c.Name
		}
		fmt.Fprintf(&b, "| %s | `%s`: %s | %s | %s |\n", p.What, p.Table, strings.Join(columns, ", "), p.Why, p.Period)
	}
	return b.String()
}
