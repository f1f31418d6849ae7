package schema

import (
	"mcploupe/protocol/jsonvalue"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// part is a schema at one place of the document: a typed reading of its
// keywords, the same for every dialect. Parts are built once and never change.
type part struct {
	ptr     string // JSON Pointer in the document
	loc     string // pointer in the document given to the validator
	raw     *jsonvalue.Value
	base    *resource
	dialect dialect
	doc     any // what the validator compiles: bool or map[string]any

	always     *bool  // true or false as a schema
	bad        string // why this place is not a schema, "" when it is
	unresolved string // why the reference leads nowhere, "" when it does not

	ref        string
	refTo      *part
	meta       bool  // refers to a meta-schema, which the validator has built in
	dynamicRef *part // the target of $dynamicRef or $recursiveRef without dynamic scope

	types         typeSet
	constant      *jsonvalue.Value
	enum          []*jsonvalue.Value
	enumKeys      map[string]bool
	enumNames     []string
	sets          []constSet // oneOf and anyOf that only list constants
	minimum       *limit
	maximum       *limit
	multipleOf    *limit
	minLength     int
	maxLength     int // -1 when there is none, as for all maxima
	pattern       *pattern
	format        string
	minItems      int
	maxItems      int
	unique        bool
	minContains   int
	minProperties int
	maxProperties int
	required      []string
	depRequired   []dependency

	properties  []property
	propertyIx  map[string]*part
	patterns    []patternProperty
	additional  *part
	names       *part
	prefix      []*part
	items       *part
	contains    *part
	unevalProps *part
	unevalItems *part
	allOf       []*part
	anyOf       []*part
	oneOf       []*part
	not         *part
	ifPart      *part
	thenPart    *part
	elsePart    *part
	depSchemas  []property

	title           string
	description     string
	fallback        *jsonvalue.Value // "default"
	examples        []*jsonvalue.Value
	deprecated      bool
	readOnly        bool
	writeOnly       bool
	header          *jsonvalue.Value // "x-mcp-header"
	contentEncoding string
	contentMedia    string

	compiled *jsonschema.Schema // nil when the schema is not usable

	folded bool // its value is in the constSet of the part above; not compiled
	weight int  // work of applying it once, besides that of its children
	chain  int  // longest run of parts that look at the same value; 0 before it is known
}

type property struct {
	name string
	part *part
}

type patternProperty struct {
	pattern *pattern
	part    *part
}

type dependency struct {
	name     string
	required []string
}

// limit is a bound on a number.
type limit struct {
	lit       string
	value     jsonvalue.Decimal
	exclusive bool
}

// constSet is a oneOf or anyOf whose branches are constants; keys counts how
// many branches hold each value.
type constSet struct {
	keys    map[string]int
	exactly bool // oneOf
	parts   []*part
}

// typeSet is a set of JSON types.
type typeSet uint8

const (
	tNull typeSet = 1 << iota
	tBoolean
	tInteger
	tNumber
	tString
	tArray
	tObject
)

const allTypes = tNull | tBoolean | tInteger | tNumber | tString | tArray | tObject

var typeNames = []struct {
	bit  typeSet
	name string
	says string // for a person
}{
	{tString, "string", "text"},
	{tInteger, "integer", "a whole number"},
	{tNumber, "number", "a number"},
	{tBoolean, "boolean", "true or false"},
	{tArray, "array", "a list"},
	{tObject, "object", "an object"},
	{tNull, "null", "null"},
}

func typeNamed(name string) typeSet {
	for _, t := range typeNames {
		if t.name == name {
			return t.bit
		}
	}
	return 0
}

// says lists the types for a person: "text or null".
func (t typeSet) says() string {
	if t&tNumber != 0 {
		t &^= tInteger
	}
	var list []string
	for _, n := range typeNames {
		if t&n.bit != 0 {
			list = append(list, n.says)
		}
	}
	return orList(list)
}

// typeOf is the type of a value; whole numbers are integers.
func typeOf(d *jsonvalue.Value) typeSet { return typeNamed(d.Type()) }

// admits reports whether a value of type t may be used where the set is asked for.
func (t typeSet) admits(v typeSet) bool {
	return t&v != 0 || v == tInteger && t&tNumber != 0
}

// resource is a schema document or an embedded one with its own $id.
type resource struct {
	uri     string // absolute, without fragment
	root    *part
	anchors map[string]*part
}

// onlyReference forgets the keywords that draft-07 and older ignore beside $ref.
func (n *part) onlyReference() {
	*n = part{
		ptr: n.ptr, loc: n.loc, raw: n.raw, base: n.base, dialect: n.dialect, doc: n.doc, ref: n.ref,
		maxLength: -1, maxItems: -1, minContains: -1, maxProperties: -1,
		title: n.title, description: n.description, fallback: n.fallback, examples: n.examples,
		deprecated: n.deprecated, readOnly: n.readOnly, writeOnly: n.writeOnly, header: n.header, weight: 1,
	}
}

// sameValue calls f for every part that is applied to the same value as n.
func (n *part) sameValue(f func(*part)) {
	for _, l := range [][]*part{n.allOf, n.anyOf, n.oneOf} {
		for _, c := range l {
			f(c)
		}
	}
	for _, c := range []*part{n.refTo, n.dynamicRef, n.not, n.ifPart, n.thenPart, n.elsePart} {
		if c != nil {
			f(c)
		}
	}
	for _, d := range n.depSchemas {
		f(d.part)
	}
}

// plainConstant reports whether the part says nothing but "is this constant".
func (n *part) plainConstant() bool {
	return n.constant != nil && n.always == nil && n.bad == "" && n.ref == "" && n.dynamicRef == nil &&
		n.enum == nil && n.minimum == nil && n.maximum == nil && n.multipleOf == nil && n.minLength == 0 &&
		n.maxLength < 0 && n.pattern == nil && n.format == "" && n.weight <= 1 &&
		(n.types == 0 || n.types.admits(typeOf(n.constant)))
}
