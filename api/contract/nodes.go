package contract

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"

	"go.yaml.in/yaml/v3"
)

// node is a part of the document, which may be missing. It keeps the order of the document,
// and knows where its references lead only with a reader.
type node struct{ *yaml.Node }

// at returns a member, and a node that is missing where there is none.
func (n node) at(name string) node {
	for key, value := range n.members() {
		if key == name {
			return value
		}
	}
	return node{}
}

// members are those of an object.
func (n node) members() iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		if n.Node == nil || n.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !yield(n.Content[i].Value, node{n.Content[i+1]}) {
				return
			}
		}
	}
}

// items are those of a list.
func (n node) items() []node {
	if n.Node == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	items := make([]node, len(n.Content))
	for i, item := range n.Content {
		items[i] = node{item}
	}
	return items
}

// texts are the items of a list, or the one text that stands in its place.
func (n node) texts() (texts []string) {
	if n.Node != nil && n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	for _, item := range n.items() {
		texts = append(texts, item.Value)
	}
	return texts
}

// text is the text or number of a member, empty where there is none.
func (n node) text(name string) string {
	if member := n.at(name); member.Node != nil && member.Kind == yaml.ScalarNode {
		return member.Value
	}
	return ""
}

// is reports whether a member is true.
func (n node) is(name string) bool { return n.text(name) == "true" }

// isMissing reports whether the document has no such part.
func (n node) isMissing() bool { return n.Node == nil }

// value is what a part of the document says; nil where there is none.
func (n node) value() (value any) {
	if n.isMissing() || n.Decode(&value) != nil {
		return nil
	}
	return value
}

// json writes a part of the document as indented JSON, with members in their order.
func (n node) json() string {
	var compact, indented bytes.Buffer
	n.writeJSON(&compact)
	if json.Indent(&indented, compact.Bytes(), "", "  ") != nil {
		return compact.String()
	}
	return indented.String()
}

func (n node) writeJSON(b *bytes.Buffer) {
	switch {
	case n.Kind == yaml.MappingNode:
		b.WriteByte('{')
		comma := ""
		for key, value := range n.members() {
			b.WriteString(comma + quoted(key) + ":")
			value.writeJSON(b)
			comma = ","
		}
		b.WriteByte('}')
	case n.Kind == yaml.SequenceNode:
		b.WriteByte('[')
		for i, item := range n.items() {
			b.WriteString(strings.Repeat(",", min(i, 1)))
			item.writeJSON(b)
		}
		b.WriteByte(']')
	case n.Kind == yaml.AliasNode:
		node{n.Alias}.writeJSON(b)
	case n.ShortTag() == "!!null":
		b.WriteString("null")
	case n.ShortTag() == "!!bool", n.ShortTag() == "!!int", n.ShortTag() == "!!float":
		b.WriteString(n.Value)
	default:
		b.WriteString(quoted(n.Value))
	}
}

// quoted is a text in JSON; what HTML would read differently stays as it is.
func quoted(text string) string {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text can always be encoded
	return strings.TrimSpace(b.String())
}
