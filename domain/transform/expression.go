package transform

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/overloads"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// language is CEL as rules speak it: the standard functions and macros, the
// order, and a few functions on texts. It is made once.
var language = sync.OnceValue(func() *cel.Env {
	p := newProvider()
	env, err := cel.NewCustomEnv(
		cel.CustomTypeAdapter(p), cel.CustomTypeProvider(p), cel.StdLib(), cel.CrossTypeNumericComparisons(true),
		cel.ParserRecursionLimit(maxDepth), cel.ParserExpressionSizeLimit(maxExpression),
		cel.ASTValidators(cel.ValidateComprehensionNestingLimit(maxNesting)),
		cel.Variable("order", orderObject.celType),
		cel.Variable("trigger", cel.StringType),
		textFunction("lowerAscii", func(s string) string { return mapASCII(s, 'A', 'Z', 'a'-'A') }),
		textFunction("upperAscii", func(s string) string { return mapASCII(s, 'a', 'z', 'A'-'a') }),
		textFunction("trim", strings.TrimSpace),
		cel.Function("withLine", cel.MemberOverload(
			"string_with_line", []*cel.Type{cel.StringType, cel.StringType}, cel.StringType,
			cel.BinaryBinding(func(text, line ref.Val) ref.Val {
				return types.String(withLine(string(text.(types.String)), string(line.(types.String))))
			}))),
	)
	if err != nil {
		panic("transform: the language does not fit together: " + err.Error())
	}
	return env
})

func textFunction(name string, apply func(string) string) cel.EnvOption {
	return cel.Function(name, cel.MemberOverload("string_"+name, []*cel.Type{cel.StringType}, cel.StringType,
		cel.UnaryBinding(func(text ref.Val) ref.Val { return types.String(apply(string(text.(types.String)))) })))
}

func mapASCII(s string, from, to rune, by rune) string {
	return strings.Map(func(r rune) rune {
		if r >= from && r <= to {
			return r + by
		}
		return r
	}, s)
}

// withLine appends a line to a text unless it already contains it, so that
// repeating the call changes nothing.
func withLine(text, line string) string {
	switch {
	case text == "":
		return line
	case strings.Contains("\n"+text+"\n", "\n"+line+"\n"):
		return text
	}
	return text + "\n" + line
}

// program compiles an expression whose result has one of the types.
func program(text string, wanted ...*cel.Type) (cel.Program, error) {
	switch {
	case strings.TrimSpace(text) == "":
		return nil, errors.New("is empty")
	case utf8.RuneCountInString(text) > maxExpression:
		return nil, fmt.Errorf("must be %d characters or fewer", maxExpression)
	}
	ast, issues := language().Compile(text)
	if issues.Err() != nil {
		return nil, firstIssue(text, issues)
	}
	if !produces(ast.OutputType(), wanted) {
		names := make([]string, len(wanted))
		for i, w := range wanted {
			names[i] = typeName(w)
		}
		return nil, fmt.Errorf("returns %s, but must return %s", typeName(ast.OutputType()), strings.Join(names, " or "))
	}
	found, err := patternsOf(ast.NativeRep())
	if err != nil {
		return nil, err
	}
	return language().Program(ast, cel.EvalOptions(cel.OptOptimize), cel.OptimizeRegex(boundedMatches...),
		cel.CostTracking(costs{found}), cel.CostLimit(maxCost), cel.InterruptCheckFrequency(interruptEvery))
}

// costs makes our text functions cost as much as reading their arguments and
// result, and patterns as much as matching them.
type costs struct{ patterns patterns }

// CallCost returns nil for the other functions of CEL, which have built-in
// costs.
func (c costs) CallCost(function, _ string, args []ref.Val, result ref.Val) *uint64 {
	switch function {
	case overloads.Matches:
		cost := c.patterns.cost(args)
		return &cost
	case "lowerAscii", "upperAscii", "trim", "withLine":
	default:
		return nil
	}
	cost := 1 + textCost(result)
	for _, arg := range args {
		cost += textCost(arg)
	}
	return &cost
}

func textCost(v ref.Val) uint64 {
	s, _ := v.(types.String)
	return uint64(len(s)) / 10
}

// firstIssue returns the first problem of an expression, with its position.
func firstIssue(text string, issues *cel.Issues) error {
	first := issues.Errors()[0]
	message, _, _ := strings.Cut(first.Message, "\n")
	if strings.Contains(text, "\n") {
		return fmt.Errorf("line %d, column %d of the expression: %s",
			first.Location.Line(), first.Location.Column()+1, message)
	}
	return fmt.Errorf("column %d of the expression: %s", first.Location.Column()+1, message)
}

func produces(got *cel.Type, wanted []*cel.Type) bool {
	for _, w := range wanted {
		if got.Kind() == types.DynKind || w.IsAssignableType(got) || sameList(got, w) {
			return true
		}
	}
	return false
}

// sameList accepts a list of unknown type as a list of texts.
func sameList(got, wanted *cel.Type) bool {
	if got.Kind() != types.ListKind || wanted.Kind() != types.ListKind {
		return false
	}
	of := got.Parameters()[0].Kind()
	return of == types.DynKind || of == types.TypeParamKind
}

func typeName(t *cel.Type) string {
	switch t.Kind() {
	case types.StringKind:
		return "a text"
	case types.BoolKind:
		return "true or false"
	case types.IntKind, types.UintKind:
		return "a whole number"
	case types.DoubleKind:
		return "a number with a fraction"
	case types.NullTypeKind:
		return "null"
	case types.ListKind:
		return "a list"
	}
	return t.String()
}
