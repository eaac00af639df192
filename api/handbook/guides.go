package handbook

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"waybill/docs"
)

// shelf are the files of the guides, in the sequence in which the pages list
// them.
var shelf = []struct {
	group string
	files []string
}{
	{"Integrate", []string{chaptered}},
	{"Learn by example", []string{"first-hour.md", "tutorial.md", "examples.md", "transformations.md", "sharing.md"}},
	{"Look up", []string{"glossary.md", "reasons.md"}},
	{"How Waybill behaves", []string{
		"behavior/README.md", "behavior/imports.md", "behavior/recurring-orders.md", "behavior/tracking.md",
		"behavior/booking.md", "behavior/exports.md", "behavior/messages.md", "behavior/driving.md",
		"behavior/organizations.md", "behavior/sandbox.md",
	}},
	{"Plan and drive", []string{"planning.md", "console.md", "driver-app.md"}},
}

// chaptered is the guide that is long enough for a page per chapter.
const chaptered = "integrating.md"

// chapters are the pages of the long guide, by their headings as anchors without a number. A
// heading of the second level that is missing here is a page under its anchor; one of a lower
// level stays on the page of its chapter.
var chapters = []chapter{
	{"the-key", "keys", "API keys", "Get a key, check it, and keep staging and production apart."},
	{
		"what-must-exist-before-the-first-import", "prerequisites", "Before the first import",
		"What an order refers to, and what must exist before you name it.",
	},
	{"how-the-window-of-a-stop-is-found", "windows", "Time windows", "Which rule sets the time window of a stop."},
	{"validate", "validating", "Validating", "See the results of an import without writing anything."},
	{"import", "importing", "Importing", "Send orders, read the results, and know what took effect."},
	{"drafts", "drafts", "Drafts", "What becomes of orders that are incomplete."},
	{"when-orders-merge", "merging", "Merging", "When several numbers share an order, and how they part."},
	{"follow-the-status", "status-feed", "The status feed", "Read every change exactly once, and recover."},
	{"webhooks", "webhooks", "Webhooks", "Get changes as they happen, and verify them."},
	{"errors-and-retrying", "errors", "Errors and retrying", "What errors mean, and which requests to repeat."},
	{"clients", "clients", "Clients", "Go, TypeScript and Python, with examples."},
	{"check-the-promises-of-this-guide", "conformance", "Conformance", "Check that an installation keeps its promises."},
	{"test-a-whole-delivery", "testing", "Testing", "Have simulated drivers deliver your orders in a sandbox."},
	{"going-live", "going-live", "Going live", "What to check before the first real order."},
	{
		"messages-and-carriers", "messages-and-carriers", "Messages and carriers",
		"What recipients get, and how carriers take orders over.",
	},
}

// chapter is the title and summary of a chapter's page.
type chapter struct{ heading, name, title, summary string }

// chapterOf returns the chapter under a heading.
func chapterOf(heading string) (chapter, bool) {
	at := slices.IndexFunc(chapters, func(c chapter) bool { return c.heading == heading })
	if at < 0 {
		return chapter{}, false
	}
	return chapters[at], true
}

// piece is the source of a page: a file, or a chapter of one.
type piece struct {
	file, name, title string
	summary           string // empty where the first sentence is one
	heading           string // the anchor of a chapter's heading, number and all
	source            string // as written
	text              string // with the heading of a chapter as that of a page
}

// addGuides adds the pages of the guides.
func (l *library) addGuides() error {
	anchors := make(map[string]string)
	byGroup := make([][]piece, len(shelf))
	for i, g := range shelf {
		for _, file := range g.files {
			source, err := docs.Files.ReadFile(file)
			if err != nil {
				return fmt.Errorf("read a guide: %w", err)
			}
			pieces := piecesOf(file, string(source))
			l.aliases[file] = pieces[0].name
			byGroup[i] = append(byGroup[i], pieces...)
			for _, p := range pieces {
				p.addAnchors(anchors)
			}
		}
	}
	for i, g := range shelf {
		made := &group{Name: g.group}
		for _, p := range byGroup[i] {
			guide, err := l.newGuide(g.group, p, anchors)
			if err != nil {
				return err
			}
			made.Pages = append(made.Pages, guide)
			l.pages[p.name] = guide
		}
		l.groups = append(l.groups, made)
	}
	return nil
}

// addAnchors records the pages of possible link targets.
func (p piece) addAnchors(anchors map[string]string) {
	at := "/docs/" + p.name
	if p.heading == "" {
		anchors[p.file] = at
	} else {
		anchors[p.file+"#"+p.heading] = at
	}
	drawn, err := read([]byte(p.text), func(string) string { return "" })
	if err != nil {
		return
	}
	for _, s := range drawn.sections {
		anchors[p.file+"#"+s.ID] = at + "#" + s.ID
	}
}

func (l *library) newGuide(group string, p piece, anchors map[string]string) (*page, error) {
	drawn, err := read([]byte(p.text), l.follow(p.file, anchors))
	if err != nil {
		return nil, err
	}
	drawn.html = withReasons(drawn.html)
	source := p.source
	if p.name == l.aliases[chaptered] {
		whole, err := docs.Files.ReadFile(chaptered)
		if err != nil {
			return nil, fmt.Errorf("read a guide: %w", err)
		}
		source = string(whole)
	}
	return &page{
		name: p.name, title: p.title, summary: cmp.Or(p.summary, firstSentence(p.text)), group: group,
		template: "guide.html", view: drawn.html, sections: drawn.sections,
		forReaders: func() []byte { return []byte(source) },
	}, nil
}

// piecesOf are the pages of a file.
func piecesOf(file, source string) []piece {
	if file == chaptered {
		return chaptersOf(file, source)
	}
	name := strings.TrimSuffix(strings.TrimSuffix(file, ".md"), "/README")
	title, _, _ := strings.Cut(strings.TrimPrefix(source, "# "), "\n")
	title, _, _ = strings.Cut(title, ":") // a tutorial has its type before its summary
	return []piece{{file: file, name: name, title: title, source: source, text: source}}
}

// headingLine is a heading with its level and its number, which only the whole
// guide needs.
var headingLine = regexp.MustCompile(`^(#{2,3}) (?:\d+\. )?(.*)$`)

// chaptersOf cuts a guide into the pages of its chapters.
func chaptersOf(file, source string) []piece {
	title, _, _ := strings.Cut(strings.TrimPrefix(source, "# "), "\n")
	pieces := []piece{{file: file, name: strings.TrimSuffix(file, ".md"), title: title}}
	fenced, depth := false, 0
	for line := range strings.Lines(source) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		}
		if heading := headingLine.FindStringSubmatch(strings.TrimSpace(line)); heading != nil && !fenced {
			key := anchor(heading[2])
			chapter, listed := chapterOf(key)
			if listed || heading[1] == "##" {
				depth = len(heading[1])
				pieces = append(pieces, piece{
					file: file, name: cmp.Or(chapter.name, key), title: cmp.Or(chapter.title, heading[2]), summary: chapter.summary,
					heading: anchor(strings.TrimLeft(strings.TrimSpace(line), "# ")), source: line, text: "# " + heading[2] + "\n",
				})
				continue
			}
		}
		last := &pieces[len(pieces)-1]
		last.source += line
		if !fenced && depth > 0 && strings.HasPrefix(line, "##") {
			line = line[depth-1:] // headings below that of the page
		}
		last.text += line
	}
	return pieces
}

// reasonRow is the first cell of a row about a reason.
var reasonRow = regexp.MustCompile(`<tr>\n<td><code>([A-Z][A-Z_]+)</code></td>`)

// withReasons gives each reason of a table its own address on its page.
func withReasons[T ~string](html T) T {
	return T(reasonRow.ReplaceAllString(string(html), `<tr id="$1">`+"\n"+`<td><code>$1</code></td>`))
}
