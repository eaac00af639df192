package documents

import (
	"slices"
	"strconv"
	"strings"

	"waybill/domain/proof/paper"
	"waybill/store"
)

// goods lists what was delivered, missing and refused of each line. It returns
// nothing when everything was delivered.
func (w writer) goods(all []store.ProvedGood) []paper.Part {
	if !slices.ContainsFunc(all, func(g store.ProvedGood) bool { return g.Missing > 0 || g.Refused > 0 }) {
		return nil
	}
	part := paper.Part{Heading: w.say("goods"), Texts: make([]string, len(all))}
	for i := range all {
		part.Texts[i] = w.good(&all[i])
	}
	return []paper.Part{part}
}

// good is one line of goods, such as "Chair: 3 of 4 delivered · 1 missing at pickup (Was not there)".
func (w writer) good(g *store.ProvedGood) string {
	said := []string{w.say("delivered", "delivered", w.amount(g.Delivered), "quantity", w.amount(g.Quantity))}
	if g.Missing > 0 {
		said = append(said, w.say("missing", "missing", w.amount(g.Missing))+because(g.MissingReason))
	}
	if g.Refused > 0 {
		said = append(said, w.say("refused", "refused", w.amount(g.Refused))+because(g.RefusalReason))
	}
	return g.Name + ": " + strings.Join(said, " · ")
}

// amount writes a number as the language of the paper does, with the decimals that it has.
func (w writer) amount(of float64) string {
	_, decimals, _ := strings.Cut(strconv.FormatFloat(of, 'f', -1, 64), ".")
	return w.Calendar().FmtNumber(of, uint64(len(decimals)))
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return " (" + reason + ")"
}
