package handbook

import (
	"bytes"
	"fmt"
	"html/template"
	"path"
	"regexp"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// markdown renders guides. It aligns cells by an attribute, because the policy
// of pages permits no styles on elements. It drops HTML.
var markdown = goldmark.New(goldmark.WithExtensions(
	extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
	extension.Strikethrough, extension.TaskList,
))

// section is a part of a text: a heading and the text up to the next.
type section struct {
	Level           int
	ID, Title, Text string
}

// document is a text that was read.
type document struct {
	html     template.HTML
	sections []section
}

// resolver returns the target of a link in a text, or "" if the page can't lead
// there.
type resolver func(target string) string

// read draws a text.
func read(source []byte, resolve resolver) (document, error) {
	root := markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext()))
	resolveLinks(root, resolve)
	sections := sectionsOf(root, source)
	var b bytes.Buffer
	if err := markdown.Renderer().Render(&b, source, root); err != nil {
		return document{}, fmt.Errorf("draw a text: %w", err)
	}
	return document{template.HTML(scrolling.Replace(b.String())), sections}, nil //nolint:gosec // goldmark escapes
}

// scrolling lets wide tables and code scroll on narrow screens, also by
// keyboard.
var scrolling = strings.NewReplacer(
	"<table>", `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>`, "</table>", "</table></div>",
	"<pre>", `<pre tabindex="0">`,
	`<input disabled="" type="checkbox">`, `<input disabled="" type="checkbox" aria-label="To do">`,
)

// inline renders a text of one or more paragraphs, such as a description in the
// contract.
func inline(source string) template.HTML {
	if source == "" {
		return ""
	}
	drawn, err := read([]byte(source), contractLink)
	if err != nil {
		return template.HTML(template.HTMLEscapeString(source)) //nolint:gosec // it is escaped
	}
	// A single paragraph goes into a cell or line without <p>.
	body := strings.TrimSpace(string(drawn.html))
	inner, one := strings.CutPrefix(body, "<p>")
	if one && strings.Count(body, "<p>") == 1 && strings.HasSuffix(body, "</p>") {
		return template.HTML(strings.TrimSuffix(inner, "</p>")) //nolint:gosec // as goldmark made it
	}
	return template.HTML(body) //nolint:gosec // as goldmark made it
}

// contractLink resolves links of the contract, which has no neighboring files.
func contractLink(target string) string {
	if strings.Contains(target, "://") || strings.HasPrefix(target, "/") {
		return target
	}
	return ""
}

// resolveLinks resolves each link and picture. A link that leads nowhere is
// replaced with its text.
func resolveLinks(root ast.Node, resolve resolver) {
	var dead []ast.Node
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(resolve(string(n.Destination)))
			if len(n.Destination) == 0 {
				dead = append(dead, n)
			}
		case *ast.Image:
			n.Destination = []byte(resolve(string(n.Destination)))
			n.SetAttributeString("loading", "lazy")
		}
		return ast.WalkContinue, nil
	})
	for _, n := range dead {
		for child := n.FirstChild(); child != nil; {
			next := child.NextSibling()
			n.Parent().InsertBefore(n.Parent(), n, child)
			child = next
		}
		n.Parent().RemoveChild(n.Parent(), n)
	}
}

// sectionsOf names each heading as GitHub does, and returns the parts that they head.
func sectionsOf(root ast.Node, source []byte) []section {
	var sections []section
	used := make(map[string]int)
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		heading, isHeading := n.(*ast.Heading)
		if !isHeading {
			if len(sections) > 0 {
				sections[len(sections)-1].Text += plainText(n, source) + " "
			}
			continue
		}
		title := strings.TrimSpace(plainText(heading, source))
		id := anchor(title)
		if used[id]++; used[id] > 1 {
			id = fmt.Sprintf("%s-%d", id, used[id]-1)
		}
		heading.SetAttributeString("id", []byte(id))
		sections = append(sections, section{Level: heading.Level, ID: id, Title: title})
	}
	return sections
}

// anchor is GitHub's anchor of a heading.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// plainText is a part of a text without its marks.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(source))
				if n.SoftLineBreak() || n.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.AutoLink:
			if entering {
				b.Write(n.Label(source))
			}
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			if entering {
				b.Write(n.Lines().Value(source))
			}
		case *extast.TableCell, *ast.ListItem, *ast.Paragraph:
			if !entering {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// unmarked is a text as it reads without its marks.
func unmarked(source string) string {
	return plainText(markdown.Parser().Parse(text.NewReader([]byte(source))), []byte(source))
}

// firstSentence is the first sentence of a text without its marks.
func firstSentence(source string) string {
	drawn := markdown.Parser().Parse(text.NewReader([]byte(source)))
	for n := drawn.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindParagraph {
			continue
		}
		whole := strings.TrimSpace(plainText(n, []byte(source)))
		if end := sentenceEnd.FindStringIndex(whole); end != nil {
			return whole[:end[0]+1]
		}
		return strings.TrimSuffix(whole, ":")
	}
	return ""
}

var sentenceEnd = regexp.MustCompile(`[.!?](\s|$)`)

// follow returns a resolver for the links of a guide's file, which may lead to
// other guides, to pictures, to the contract, and to files that are only in the
// repository.
func (l *library) follow(file string, anchors map[string]string) resolver {
	return func(target string) string {
		if strings.Contains(target, "://") {
			return target
		}
		name, fragment, _ := strings.Cut(target, "#")
		if name == "" {
			name = path.Base(file)
		}
		name = path.Join(path.Dir(file), name)
		if fragment != "" {
			fragment = "#" + fragment
		}
		switch {
		case name == "../api/contract/openapi.yaml" || name == "api.md":
			return "/docs/" + referenceName
		case name == "../CHANGELOG.md":
			return "/docs/" + changelogName
		case strings.HasPrefix(name, "pictures/") && path.Ext(name) == ".txt":
			return ""
		case strings.HasPrefix(name, "pictures/"):
			return "/docs/" + name
		}
		return anchors[name+fragment]
	}
}
