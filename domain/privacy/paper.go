package privacy

import (
	"fmt"
	"strings"
)

// Paper returns the data map in Markdown: which data about contacts is stored,
// where, why and how long.
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
