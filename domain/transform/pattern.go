package transform

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// The bounds of patterns. How long a text is looked at is the product of the two,
// and nothing interrupts it.
const (
	maxPattern = 1_000   // steps that a pattern is compiled to
	maxMatched = maxText // bytes of a text that is looked at
)

// patterns are the patterns of an expression, with how many steps each has.
type patterns map[string]int

// patternsOf finds the patterns that an expression looks for.
func patternsOf(a *ast.AST) (patterns, error) {
	found := patterns{}
	for _, call := range ast.MatchDescendants(ast.NavigateAST(a), ast.FunctionMatcher(overloads.Matches)) {
		text, known := patternIn(call.AsCall())
		if !known {
			return nil, errors.New("matches: the pattern must be written out, as in 'N-[0-9]+', and not be put together")
		}
		steps, err := stepsOf(text)
		if err != nil {
			return nil, err
		}
		found[text] = steps
	}
	return found, nil
}

// patternIn returns the pattern of text.matches(pattern) or matches(text, pattern).
func patternIn(call ast.CallExpr) (text string, known bool) {
	args := call.Args()
	last := args[len(args)-1]
	if last.Kind() != ast.LiteralKind {
		return "", false
	}
	literal, known := last.AsLiteral().(types.String)
	return string(literal), known
}

func stepsOf(pattern string) (int, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return 0, fmt.Errorf("matches: %w", err)
	}
	compiled, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return 0, fmt.Errorf("matches: %w", err)
	}
	if len(compiled.Inst) > maxPattern {
		return 0, errors.New("matches: the pattern is too large; repetitions multiply, as in (x{100}){100}")
	}
	return len(compiled.Inst), nil
}

// cost returns the cost of matching a pattern against a text: each of its steps
// may be tried at each character.
func (p patterns) cost(args []ref.Val) uint64 {
	text, _ := args[0].(types.String)
	pattern, _ := args[len(args)-1].(types.String)
	return 1 + uint64(len(text)+1)*uint64(p[string(pattern)])/10
}

// boundedMatches replaces text.matches(pattern) and matches(text, pattern). It
// names the overloads, because CEL's own replacement, which names none, comes
// later.
var boundedMatches = []*interpreter.RegexOptimization{
	{Function: overloads.Matches, OverloadID: overloads.Matches, RegexIndex: 1, Factory: boundedMatch},
	{Function: overloads.Matches, OverloadID: overloads.MatchesString, RegexIndex: 1, Factory: boundedMatch},
}

// boundedMatch looks for a pattern, which is compiled once, in texts of bounded
// length.
func boundedMatch(call interpreter.InterpretableCall, pattern string) (interpreter.InterpretableCall, error) {
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	look := func(args ...ref.Val) ref.Val {
		text, ok := args[0].(types.String)
		switch {
		case !ok:
			return types.NoSuchOverloadErr()
		case len(text) > maxMatched:
			return types.NewErr("matches: the text must be %d bytes or fewer", maxMatched)
		}
		return types.Bool(compiled.MatchString(string(text)))
	}
	return interpreter.NewCall(call.ID(), call.Function(), call.OverloadID(), call.Args(), look), nil
}
