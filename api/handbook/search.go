package handbook

import (
	"cmp"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"waybill/api/contract"
)

// entry is something that a search can find.
type entry struct {
	kind, title, context, url string
	text                      string // of which an excerpt is shown
	titleWords, words         string // in lower case, each with a space before it
	forKeys                   bool
	weight                    float64
}

// hit is a search result.
type hit struct {
	Kind, Title, Context, URL string
	IsForKeys                 bool
	Excerpt                   []excerpt

	terms int
	score float64
}

// excerpt is a part of a result. IsTerm marks parts that match the query.
type excerpt struct {
	Text   string
	IsTerm bool
}

const mostHits = 40

func (l *library) search(query string) []hit {
	terms := termsOf(query)
	if len(terms) == 0 {
		return nil
	}
	var hits []hit
	for _, e := range l.index {
		if found, score := e.match(terms, words(query)); found > 0 {
			hits = append(hits, hit{
				Kind: e.kind, Title: e.title, Context: e.context, URL: e.url, IsForKeys: e.forKeys,
				Excerpt: excerptOf(e.text, terms), terms: found, score: score,
			})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.terms, a.terms), cmp.Compare(b.score, a.score))
	})
	// Once a page has all the words, pages with some of them are noise.
	if len(hits) > 0 && hits[0].terms == len(terms) {
		hits = slices.DeleteFunc(hits, func(h hit) bool { return h.terms < len(terms) })
	}
	return hits[:min(len(hits), mostHits)]
}

// filler are words that add nothing to a query.
var filler = strings.Fields("a an and are do does for how i in is of on the to what")

// termsOf are the words to look for.
func termsOf(query string) []string {
	all := strings.Fields(words(query))
	terms := slices.DeleteFunc(slices.Clone(all), func(term string) bool { return slices.Contains(filler, term) })
	if len(terms) == 0 {
		return all
	}
	return terms
}

// match reports how many of the terms the entry has, and how well it suits.
func (e *entry) match(terms []string, query string) (found int, score float64) {
	for _, term := range terms {
		inTitle := strings.Contains(e.titleWords, " "+term)
		times := strings.Count(e.words, " "+term)
		if !inTitle && times == 0 {
			continue
		}
		found++
		score += float64(min(times, 5)) / 5
		if inTitle {
			score += 5
		}
		if strings.Contains(e.titleWords+" ", " "+term+" ") {
			score += 3
		}
	}
	if strings.TrimSpace(e.titleWords) == strings.TrimSpace(query) {
		score += 10
	}
	return found, score + e.weight
}

// words are those of a text in lower case, each with a space before it.
func words(text string) string {
	var b strings.Builder
	between := true
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' {
			between = true
			continue
		}
		if between {
			b.WriteByte(' ')
		}
		between = false
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// capital is where a word begins inside a name such as importOrders.
var capital = regexp.MustCompile(`([a-z])([A-Z])`)

// named are the words of a text, and those inside its names.
func named(text string) string {
	return words(text) + words(capital.ReplaceAllString(strings.ReplaceAll(text, "_", " "), "$1 $2"))
}

// excerptOf is the part of a text around the first term.
func excerptOf(text string, terms []string) []excerpt {
	text = strings.Join(strings.Fields(text), " ")
	at := firstOf(text, terms)
	from := max(0, at-80)
	for from > 0 && text[from-1] != ' ' {
		from--
	}
	to := min(len(text), from+220)
	for to < len(text) && !utf8.RuneStart(text[to]) {
		to++
	}
	parts := marked(text[from:to], terms)
	if from > 0 {
		parts = slices.Insert(parts, 0, excerpt{Text: "… "})
	}
	if to < len(text) {
		parts = append(parts, excerpt{Text: " …"})
	}
	return parts
}

func firstOf(text string, terms []string) int {
	if at := termPattern(terms).FindStringIndex(text); at != nil {
		return at[0]
	}
	return 0
}

func termPattern(terms []string) *regexp.Regexp {
	quoted := make([]string, len(terms))
	for i, term := range terms {
		quoted[i] = regexp.QuoteMeta(term)
	}
	return regexp.MustCompile(`(?i)` + strings.Join(quoted, "|"))
}

// marked cuts a text at the terms in it.
func marked(text string, terms []string) (parts []excerpt) {
	last := 0
	for _, at := range termPattern(terms).FindAllStringIndex(text, -1) {
		parts = append(parts, excerpt{Text: text[last:at[0]]}, excerpt{Text: text[at[0]:at[1]], IsTerm: true})
		last = at[1]
	}
	return append(parts, excerpt{Text: text[last:]})
}

// addToIndex indexes each part of each guide, each reason and each operation.
func (l *library) addToIndex() {
	for _, g := range l.groups {
		for _, p := range g.Pages {
			l.addSections("Guide", p, 2)
		}
	}
	l.addSections("Reference", l.pages[referenceName], 1)
	l.addSections("Changelog", l.pages[changelogName], -4)
	l.addReasons()
	for _, tag := range l.reference.Tags {
		for _, op := range tag.Operations {
			l.index = append(l.index, operationEntry(tag, op))
		}
	}
}

func (l *library) addSections(kind string, p *page, weight float64) {
	for _, s := range p.sections {
		e := entry{
			kind: kind, title: s.Title, context: p.title, url: p.URL() + "#" + s.ID, text: s.Text, forKeys: true,
			titleWords: named(s.Title), words: named(s.Title + " " + s.Text), weight: weight,
		}
		if s.Level == 1 {
			e.url, e.context, e.weight = p.URL(), "", weight+1
		}
		l.index = append(l.index, e)
	}
}

// reasonLine is a row of the table of reasons.
var reasonLine = regexp.MustCompile("(?m)^\\| `([A-Z_]+)` \\| (.*) \\|$")

func (l *library) addReasons() {
	reasons := l.pages["reasons"]
	if reasons == nil {
		return
	}
	for _, row := range reasonLine.FindAllStringSubmatch(string(reasons.forReaders()), -1) {
		l.index = append(l.index, entry{
			kind: "Reason", title: row[1], url: reasons.URL() + "#" + row[1], text: row[2], forKeys: true,
			titleWords: named(row[1]), words: named(row[1] + " " + row[2]), weight: -1,
		})
	}
}

func operationEntry(tag *contract.Tag, op *contract.Described) entry {
	e := entry{
		kind: "Operation", title: op.Summary, context: strings.TrimSpace(op.Method + " " + op.Path),
		url: "/docs/" + referenceName + "/" + tag.Slug + "/" + op.ID, text: unmarked(op.Description), forKeys: op.IsForKeys(),
		titleWords: named(op.Summary + " " + op.ID), words: named(namesOf(tag, op)), weight: 3,
	}
	if !e.forKeys {
		e.weight = -2 // few readers look for operations that only users may call
	}
	return e
}

// namesOf are all names by which readers may search for an operation.
func namesOf(tag *contract.Tag, op *contract.Described) string {
	var b strings.Builder
	b.WriteString(strings.Join([]string{tag.Name, op.Summary, op.ID, op.Method, op.Path, op.Description}, " "))
	for _, p := range op.Parameters {
		b.WriteString(" " + p.Name)
	}
	seen := make(map[*contract.Schema]bool)
	if op.Body != nil {
		for _, c := range op.Body.Contents {
			writeNames(&b, c.Schema, seen)
		}
	}
	for _, a := range op.Answers {
		for _, c := range a.Contents {
			if !a.IsError() {
				writeNames(&b, c.Schema, seen)
			}
		}
	}
	return b.String()
}

func writeNames(b *strings.Builder, s *contract.Schema, seen map[*contract.Schema]bool) {
	if s == nil || seen[s] {
		return
	}
	seen[s] = true
	for _, p := range s.Properties {
		b.WriteString(" " + p.Name)
		writeNames(b, p.Schema, seen)
	}
	for _, variant := range s.Variants {
		writeNames(b, variant, seen)
	}
	writeNames(b, s.Items, seen)
	writeNames(b, s.Values, seen)
}

// search responds with the page of results.
func (h *Handlers) search(w http.ResponseWriter, r *http.Request) error {
	l, err := openLibrary()
	if err != nil {
		return err
	}
	query := strings.TrimSpace(r.URL.Query().Get("q"))
	if utf8.RuneCountInString(query) > 200 {
		query = string([]rune(query)[:200])
	}
	return l.write(w, r, http.StatusOK, &page{
		name: "search", title: "Search", template: "search.html", view: l.search(query), query: query,
	})
}
