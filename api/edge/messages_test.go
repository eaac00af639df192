package edge_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/stretchr/testify/require"
)

// spoken are the messages of one language: their forms by identifier.
type spoken map[string]map[string]string

func readMessages(t *testing.T) map[string]spoken {
	t.Helper()
	all := make(map[string]spoken)
	for _, language := range []string{"en", "nb", "da"} {
		messages := make(spoken)
		_, err := toml.DecodeFile("messages/active."+language+".toml", &messages)
		require.NoError(t, err)
		all[language] = messages
	}
	return all
}

var argument = regexp.MustCompile(`{{\s*\.(\w+)\s*}}`)

// arguments returns the placeholders of all forms of a message.
func arguments(forms map[string]string) []string {
	found := make(map[string]bool)
	for _, form := range forms {
		for _, match := range argument.FindAllStringSubmatch(form, -1) {
			found[match[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func TestMessages(t *testing.T) {
	t.Parallel()
	all := readMessages(t)
	english := all["en"]

	t.Run("ExistInEachLanguage", func(t *testing.T) {
		t.Parallel()
		for language, messages := range all {
			require.Equal(t, slices.Sorted(maps.Keys(english)), slices.Sorted(maps.Keys(messages)), language)
		}
	})

	t.Run("HaveTheSameArgumentsInEachLanguage", func(t *testing.T) {
		t.Parallel()
		for id := range english {
			for language, messages := range all {
				require.Equal(t, arguments(english[id]), arguments(messages[id]), "%s in %s", id, language)
				require.NotEmpty(t, messages[id]["other"], "%s in %s", id, language)
			}
		}
	})

	t.Run("ExistForAllThatTheProgramSays", func(t *testing.T) {
		t.Parallel()
		texts := saidInSource(t)
		require.Greater(t, len(texts), 50)
		for _, text := range texts {
			ids := text.find(english)
			if len(ids) == 0 {
				t.Errorf("%s says %q, which is not in messages/active.en.toml", text.at, text.pattern)
			}
			for _, id := range ids {
				for _, needed := range arguments(english[id]) {
					if text.args != nil && !slices.Contains(text.args, needed) {
						t.Errorf("%s says %q without its %q", text.at, id, needed)
					}
				}
			}
		}
	})
}

// text is a text in the source code.
type text struct {
	at      string
	pattern string   // the identifier; * stands for a part known only at run time
	args    []string // nil if unknown
}

// find returns the messages that a text may be, in their order.
func (s text) find(messages spoken) []string {
	var found []string
	for _, id := range slices.Sorted(maps.Keys(messages)) {
		if ok, err := path.Match(s.pattern, id); ok && err == nil {
			found = append(found, id)
		}
	}
	return found
}

// saidInSource finds calls of fault.Say and fault.Missing, of the helpers
// around them, and constants that name a message.
func saidInSource(t *testing.T) []text {
	t.Helper()
	var found []text
	eachFile(t, func(files *token.FileSet, file *ast.File) {
		found = append(found, saidIn(files, file)...)
	})
	return found
}

// eachFile visits the program's files, but those of tests and generated ones.
func eachFile(t *testing.T, visit func(*token.FileSet, *ast.File)) {
	t.Helper()
	files := token.NewFileSet()
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != "../.." && strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules" {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, ".gen.go") {
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(files, file)
		return nil
	})
	require.NoError(t, err)
}

func saidIn(files *token.FileSet, file *ast.File) []text {
	var found []text
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			for _, said := range saidBy(file.Name.Name, n) {
				said.at = files.Position(n.Pos()).String()
				found = append(found, said)
			}
		case *ast.ValueSpec:
			for i, name := range n.Names {
				at := files.Position(n.Pos()).String()
				switch {
				case i >= len(n.Values):
				case strings.HasPrefix(name.Name, "msg"):
					found = append(found, text{at: at, pattern: patternOf(n.Values[i])})
				case name.Name == "uniques":
					found = append(found, saidOfUniques(at, n.Values[i])...)
				}
			}
		}
		return true
	})
	return found
}

// saidOfUniques reads the resources whose names may be taken.
func saidOfUniques(at string, e ast.Expr) []text {
	var found []text
	if resources, ok := e.(*ast.CompositeLit); ok {
		for _, element := range resources.Elts {
			if pair, ok := element.(*ast.KeyValueExpr); ok {
				found = append(found, text{at: at, pattern: patternOf(pair.Value) + ".exists", args: []string{"name"}})
			}
		}
	}
	return found
}

// saidBy reads a call. An argument that begins with a part known only at run
// time is passed on from a caller, and found there.
func saidBy(pkg string, call *ast.CallExpr) []text {
	if pkg == "fault" || len(call.Args) == 0 {
		return nil
	}
	pattern := patternOf(call.Args[0])
	if strings.HasPrefix(pattern, "*") {
		return nil
	}
	switch calleeOf(call) {
	case "fault.Say":
		return []text{{pattern: pattern, args: argsOf(call)}}
	case "fault.Missing", "absent":
		return []text{{pattern: pattern + ".not_found", args: []string{"name"}}}
	case "notFound":
		return []text{
			{pattern: pattern + ".not_found", args: []string{"name"}}, {pattern: pattern + ".missing", args: []string{}},
		}
	case "fault.Illegal":
		return []text{{pattern: pattern, args: []string{"name"}}}
	}
	return nil
}

func calleeOf(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// patternOf returns a string constant, with * for variable parts.
func patternOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if s, err := strconv.Unquote(e.Value); err == nil {
			return s
		}
	case *ast.BinaryExpr:
		return patternOf(e.X) + patternOf(e.Y)
	}
	return "*"
}

// argsOf returns the names of a text's values, nil when they are not all written
// there.
func argsOf(call *ast.CallExpr) []string {
	if call.Ellipsis.IsValid() {
		return nil
	}
	names := []string{}
	for i := 1; i < len(call.Args); i += 2 {
		name := patternOf(call.Args[i])
		if name == "*" {
			return nil
		}
		names = append(names, name)
	}
	return names
}
