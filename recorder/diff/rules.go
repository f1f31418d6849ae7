package diff

import (
	"fmt"
	"slices"
	"strings"
)

// sense is the direction in which values flow through a schema.
type sense uint8

const (
	input  sense = iota // callers supply the value: what is refused breaks them
	output              // readers take the value: what they do not expect breaks them
)

// Rule is one way in which a schema can change.
type Rule struct {
	Key string
	// Input and Output are the verdicts in an input and in an output schema.
	Input, Output Verdict
	// Mirror is the key of the rule that the same difference falls under when it is read the other way round.
	Mirror string
	// inputText and outputText say it; %s is the place, %v what it is about.
	inputText, outputText string
}

// The effects that most rules come down to: values that were admitted are not
// any more, values are admitted that were not, or both.
const (
	narrowed = iota
	widened
	shifted
	described // nothing changes for programs
)

var effects = [...]struct{ in, out Verdict }{
	narrowed:  {Breaking, Compatible},
	widened:   {Compatible, Breaking},
	shifted:   {Breaking, Breaking},
	described: {Note, Note},
}

func of(effect int, key, mirror, inputText, outputText string) Rule {
	e := effects[effect]
	return Rule{Key: key, Input: e.in, Output: e.out, Mirror: mirror, inputText: inputText, outputText: outputText}
}

// schemaRules are all ways in which a schema can change. What a rule says of
// the place is filled in by sentence.
var schemaRules = []Rule{
	{"property.added.required", Breaking, Compatible, "property.removed", "%s is new and required.", "%s is new and always there."},
	{"property.added", Compatible, Compatible, "property.removed", "%s is new and optional.", "%s is new and optional."},
	{"property.removed", Breaking, Breaking, "property.added", "%s is gone.", "%s is gone."},
	{"property.undescribed", Compatible, Breaking, "property.added", "%s is taken as any other member, without a schema of its own.", "%s has no schema of its own any more."},
	of(narrowed, "required.added", "required.removed", "%s is required now.", "%s is always there now."),
	of(widened, "required.removed", "required.added", "%s is optional now.", "%s may be missing now."),
	of(narrowed, "type.narrowed", "type.widened", "%s takes only %v.", "%s is only %v."),
	of(widened, "type.widened", "type.narrowed", "%s takes %v as well.", "%s can be %v as well."),
	of(shifted, "type.changed", "type.changed", "%s takes %v.", "%s is %v."),
	of(narrowed, "enum.removed", "enum.added", "%s does not take %v any more.", "%s is never %v any more."),
	of(widened, "enum.added", "enum.removed", "%s takes %v as well.", "%s can be %v as well."),
	of(narrowed, "enum.introduced", "enum.dropped", "%s takes only %v.", "%s is only %v."),
	of(widened, "enum.dropped", "enum.introduced", "%s is not held to %v any more.", "%s is not held to %v any more."),
	of(narrowed, "bound.tightened", "bound.loosened", "%s is held to %v.", "%s keeps to %v."),
	of(widened, "bound.loosened", "bound.tightened", "%s is free of a bound: %v.", "%s may leave its bound: %v."),
	of(described, "bound.integers.added", "bound.integers.removed", "%s is held to the integers that every program can tell apart: %v.", "%s keeps to the integers that every program can tell apart: %v."),
	of(described, "bound.integers.removed", "bound.integers.added", "%s is not held any more to the integers that every program can tell apart.", "%s may leave the integers that every program can tell apart."),
	of(shifted, "bound.changed", "bound.changed", "%s is held to another bound: %v.", "%s keeps to another bound: %v."),
	of(narrowed, "pattern.added", "pattern.removed", "%s must match %v.", "%s matches %v."),
	of(widened, "pattern.removed", "pattern.added", "%s need not match %v any more.", "%s need not match %v any more."),
	of(shifted, "pattern.changed", "pattern.changed", "%s must match %v.", "%s matches %v."),
	of(narrowed, "format.added", "format.removed", "%s must have the format %v.", "%s has the format %v."),
	of(widened, "format.removed", "format.added", "%s need not have the format %v any more.", "%s need not have the format %v any more."),
	of(shifted, "format.changed", "format.changed", "%s must have the format %v.", "%s has the format %v."),
	of(narrowed, "additional.forbidden", "additional.allowed", "%s takes no other members any more.", "%s has no other members any more."),
	of(widened, "additional.allowed", "additional.forbidden", "%s takes other members.", "%s can have other members."),
	of(narrowed, "schema.added", "schema.removed", "%s is held to %v.", "%s keeps to %v."),
	of(widened, "schema.removed", "schema.added", "%s is not held to %v any more.", "%s is not held to %v any more."),
	of(narrowed, "schema.closed", "schema.opened", "%s takes nothing any more.", "%s is never there any more."),
	of(widened, "schema.opened", "schema.closed", "%s takes a value.", "%s can have a value."),
	of(shifted, "schema.changed", "schema.changed", "%s is held to another condition: %v.", "%s keeps to another condition: %v."),
	of(widened, "variant.added", "variant.removed", "%s has one more form: %v.", "%s has one more form: %v."),
	of(narrowed, "variant.removed", "variant.added", "%s has lost a form: %v.", "%s has lost a form: %v."),
	of(shifted, "variant.changed", "variant.changed", "%s has another form: %v.", "%s has another form: %v."),
	of(narrowed, "dependency.added", "dependency.removed", "%s needs %v.", "%s comes with %v."),
	of(widened, "dependency.removed", "dependency.added", "%s does not need %v any more.", "%s may come without %v."),
	of(described, "default.changed", "default.changed", "%s has another default: %v.", "%s has another default: %v."),
	of(described, "text.changed", "text.changed", "%s has another %v.", "%s has another %v."),
	of(described, "deprecated.added", "deprecated.removed", "%s is deprecated.", "%s is deprecated."),
	of(described, "deprecated.removed", "deprecated.added", "%s is not deprecated any more.", "%s is not deprecated any more."),
	of(described, "keyword.changed", "keyword.changed", "%s has another %v.", "%s has another %v."),
	of(shifted, "reference.broken", "reference.mended", "%s refers to %v, which leads nowhere.", "%s refers to %v, which leads nowhere."),
	of(shifted, "reference.mended", "reference.broken", "%s refers to something again: %v.", "%s refers to something again: %v."),
}

var ruleByKey = func() map[string]Rule {
	m := make(map[string]Rule, len(schemaRules))
	for _, r := range schemaRules {
		m[r.Key] = r
	}
	return m
}()

// Rules lists the rules for schemas, for those who explain a report.
func Rules() []Rule { return slices.Clone(schemaRules) }

func (r Rule) verdict(s sense) Verdict {
	if s == output {
		return r.Output
	}
	return r.Input
}

func (r Rule) sentence(s sense, place, about string) string {
	text := r.inputText
	if s == output {
		text = r.outputText
	}
	if strings.Contains(text, "%v") {
		return fmt.Sprintf(strings.Replace(text, "%v", "%s", 1), place, about)
	}
	return fmt.Sprintf(text, place)
}
