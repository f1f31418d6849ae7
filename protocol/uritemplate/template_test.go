package uritemplate

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// The variables of section 3.2 of RFC 6570, with those of section 1.2 and 2.4.
var rfcValues = map[string]Value{
	"count":      ListOf("one", "two", "three"),
	"dom":        ListOf("example", "com"),
	"dub":        Of("me/too"),
	"hello":      Of("Hello World!"),
	"half":       Of("50%"),
	"var":        Of("value"),
	"who":        Of("fred"),
	"base":       Of("http://example.com/home/"),
	"path":       Of("/foo/bar"),
	"list":       ListOf("red", "green", "blue"),
	"keys":       MapOf(Pair{"semi", ";"}, Pair{"dot", "."}, Pair{"comma", ","}),
	"v":          Of("6"),
	"x":          Of("1024"),
	"y":          Of("768"),
	"empty":      Of(""),
	"empty_keys": MapOf(),
	"undef":      {},
	"semi":       Of(";"),
	"year":       ListOf("1965", "2000", "2012"),
	"id":         Of("person"),
	"token":      Of("12345"),
	"fields":     ListOf("id", "name", "picture"),
	"long":       Of("\U0001F600é!"),
}

func TestExpand(t *testing.T) { // RES-04
	for _, tt := range []struct{ template, want string }{
		// 1.2, levels 1 to 4
		{"{var}", "value"},
		{"{hello}", "Hello%20World%21"},
		{"{+var}", "value"},
		{"{+hello}", "Hello%20World!"},
		{"{+path}/here", "/foo/bar/here"},
		{"here?ref={+path}", "here?ref=/foo/bar"},
		{"X{#var}", "X#value"},
		{"X{#hello}", "X#Hello%20World!"},
		{"map?{x,y}", "map?1024,768"},
		{"{x,hello,y}", "1024,Hello%20World%21,768"},
		{"{+x,hello,y}", "1024,Hello%20World!,768"},
		{"{+path,x}/here", "/foo/bar,1024/here"},
		{"{#x,hello,y}", "#1024,Hello%20World!,768"},
		{"{#path,x}/here", "#/foo/bar,1024/here"},
		{"X{.var}", "X.value"},
		{"X{.x,y}", "X.1024.768"},
		{"{/var}", "/value"},
		{"{/var,x}/here", "/value/1024/here"},
		{"{;x,y}", ";x=1024;y=768"},
		{"{;x,y,empty}", ";x=1024;y=768;empty"},
		{"{?x,y}", "?x=1024&y=768"},
		{"{?x,y,empty}", "?x=1024&y=768&empty="},
		{"?fixed=yes{&x}", "?fixed=yes&x=1024"},
		{"{&x,y,empty}", "&x=1024&y=768&empty="},
		{"{var:3}", "val"},
		{"{var:30}", "value"},
		{"{list}", "red,green,blue"},
		{"{list*}", "red,green,blue"},
		{"{keys}", "semi,%3B,dot,.,comma,%2C"},
		{"{keys*}", "semi=%3B,dot=.,comma=%2C"},
		{"{+path:6}/here", "/foo/b/here"},
		{"{+list}", "red,green,blue"},
		{"{+list*}", "red,green,blue"},
		{"{+keys}", "semi,;,dot,.,comma,,"},
		{"{+keys*}", "semi=;,dot=.,comma=,"},
		{"{#path:6}/here", "#/foo/b/here"},
		{"{#list}", "#red,green,blue"},
		{"{#list*}", "#red,green,blue"},
		{"{#keys}", "#semi,;,dot,.,comma,,"},
		{"{#keys*}", "#semi=;,dot=.,comma=,"},
		{"X{.var:3}", "X.val"},
		{"X{.list}", "X.red,green,blue"},
		{"X{.list*}", "X.red.green.blue"},
		{"X{.keys}", "X.semi,%3B,dot,.,comma,%2C"},
		{"X{.keys*}", "X.semi=%3B.dot=..comma=%2C"},
		{"{/var:1,var}", "/v/value"},
		{"{/list}", "/red,green,blue"},
		{"{/list*}", "/red/green/blue"},
		{"{/list*,path:4}", "/red/green/blue/%2Ffoo"},
		{"{/keys}", "/semi,%3B,dot,.,comma,%2C"},
		{"{/keys*}", "/semi=%3B/dot=./comma=%2C"},
		{"{;hello:5}", ";hello=Hello"},
		{"{;list}", ";list=red,green,blue"},
		{"{;list*}", ";list=red;list=green;list=blue"},
		{"{;keys}", ";keys=semi,%3B,dot,.,comma,%2C"},
		{"{;keys*}", ";semi=%3B;dot=.;comma=%2C"},
		{"{?var:3}", "?var=val"},
		{"{?list}", "?list=red,green,blue"},
		{"{?list*}", "?list=red&list=green&list=blue"},
		{"{?keys}", "?keys=semi,%3B,dot,.,comma,%2C"},
		{"{?keys*}", "?semi=%3B&dot=.&comma=%2C"},
		{"{&var:3}", "&var=val"},
		{"{&list}", "&list=red,green,blue"},
		{"{&list*}", "&list=red&list=green&list=blue"},
		{"{&keys}", "&keys=semi,%3B,dot,.,comma,%2C"},
		{"{&keys*}", "&semi=%3B&dot=.&comma=%2C"},
		// 2.4
		{"find{?year*}", "find?year=1965&year=2000&year=2012"},
		{"www{.dom*}", "www.example.com"},
		{"{semi:2}", "%3B"},
		// 3.2.1
		{"{count}", "one,two,three"},
		{"{count*}", "one,two,three"},
		{"{/count}", "/one,two,three"},
		{"{/count*}", "/one/two/three"},
		{"{;count}", ";count=one,two,three"},
		{"{;count*}", ";count=one;count=two;count=three"},
		{"{?count}", "?count=one,two,three"},
		{"{?count*}", "?count=one&count=two&count=three"},
		{"{&count*}", "&count=one&count=two&count=three"},
		// 3.2.2
		{"{half}", "50%25"},
		{"O{empty}X", "OX"},
		{"O{undef}X", "OX"},
		{"{x,y}", "1024,768"},
		{"?{x,empty}", "?1024,"},
		{"?{x,undef}", "?1024"},
		{"?{undef,y}", "?768"},
		// 3.2.3
		{"{+half}", "50%25"},
		{"{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"},
		{"{+base}index", "http://example.com/home/index"},
		{"O{+empty}X", "OX"},
		{"O{+undef}X", "OX"},
		{"up{+path}{var}/here", "up/foo/barvalue/here"},
		// 3.2.4
		{"{#half}", "#50%25"},
		{"foo{#empty}", "foo#"},
		{"foo{#undef}", "foo"},
		// 3.2.5
		{"{.who}", ".fred"},
		{"{.who,who}", ".fred.fred"},
		{"{.half,who}", ".50%25.fred"},
		{"X{.empty}", "X."},
		{"X{.undef}", "X"},
		{"X{.empty_keys}", "X"},
		{"X{.empty_keys*}", "X"},
		// 3.2.6
		{"{/who}", "/fred"},
		{"{/who,who}", "/fred/fred"},
		{"{/half,who}", "/50%25/fred"},
		{"{/who,dub}", "/fred/me%2Ftoo"},
		{"{/var,empty}", "/value/"},
		{"{/var,undef}", "/value"},
		// 3.2.7
		{"{;who}", ";who=fred"},
		{"{;half}", ";half=50%25"},
		{"{;empty}", ";empty"},
		{"{;v,empty,who}", ";v=6;empty;who=fred"},
		{"{;v,bar,who}", ";v=6;who=fred"},
		{"{;x,y,undef}", ";x=1024;y=768"},
		// 3.2.8
		{"{?who}", "?who=fred"},
		{"{?half}", "?half=50%25"},
		{"{?x,y,undef}", "?x=1024&y=768"},
		// 3.2.9
		{"{&who}", "&who=fred"},
		{"{&half}", "&half=50%25"},
		{"?fixed=yes{&x}", "?fixed=yes&x=1024"},
		{"{&x,y,undef}", "&x=1024&y=768"},
		// more
		{"{/id*}{?fields,first_name,last.name,token}", "/person?fields=id,name,picture&token=12345"},
		{"{long:1}", "%F0%9F%98%80"},
		{"{long:2}", "%F0%9F%98%80%C3%A9"},
		{"{+long}", "%F0%9F%98%80%C3%A9!"},
		{"/caf\u00e9/%C3%A9/{var}", "/caf%C3%A9/%C3%A9/value"},
		{"", ""},
		{"file:///plain!$&'()*+,;=:@", "file:///plain!$&'()*+,;=:@"},
	} {
		tmpl, err := Parse(tt.template)
		if err != nil {
			t.Errorf("%s: %v", tt.template, err)
			continue
		}
		if got, err := tmpl.Expand(rfcValues); err != nil || got != tt.want {
			t.Errorf("%s: got %q, %v, want %q", tt.template, got, err, tt.want)
		}
		if tmpl.String() != tt.template {
			t.Errorf("the text %s came back as %s", tt.template, tmpl)
		}
	}
}

func TestExpandMore(t *testing.T) {
	for _, tt := range []struct {
		template string
		values   map[string]Value
		want     string
	}{
		{"foobar://events/{topic}", map[string]Value{"topic": Of("foo/bar")}, "foobar://events/foo%2Fbar"},       // case 114
		{"foobar://events{?topic}", map[string]Value{"topic": Of("foo/bar")}, "foobar://events?topic=foo%2Fbar"}, // case 114
		{"foobar://events{?topic}", nil, "foobar://events"},                                                      // case 114
		{"{a,b}", map[string]Value{"a": Of("1"), "b": Of("2")}, "1,2"},                                           // case 115
		{"{;id}", map[string]Value{"id": Of("7")}, ";id=7"},                                                      // case 115
		{"{id:3}", map[string]Value{"id": Of("abcdef")}, "abc"},                                                  // case 115
		{"{+v}", map[string]Value{"v": Of("[::1]")}, "[::1]"},                                                    // case 115
		{"{+v}", map[string]Value{"v": Of("a%2Fb")}, "a%2Fb"},                                                    // case 115
		{"{v}", map[string]Value{"v": Of("a%2Fb")}, "a%252Fb"},
		{"{+v}", map[string]Value{"v": Of("100%")}, "100%25"},
		{"{+v}", map[string]Value{"v": Of("%zz")}, "%25zz"},
		{"{v}", map[string]Value{"v": Of("!'()*")}, "%21%27%28%29%2A"}, // case 115
		{"{v}", map[string]Value{"v": Of("日本")}, "%E6%97%A5%E6%9C%AC"},
		{"{v}", map[string]Value{"v": Of("\xff")}, "%FF"},
		{"{v:1}", map[string]Value{"v": Of("\xff\xfe")}, "%FF"},
		{"{?m*}", map[string]Value{"m": MapOf(Pair{"a", ""}, Pair{"b&", "c="})}, "?a=&b%26=c%3D"},
		{"{;m*}", map[string]Value{"m": MapOf(Pair{"a", ""})}, ";a"},
		{"{m*}", map[string]Value{"m": MapOf(Pair{"a", ""})}, "a="},
		{"{;l*}", map[string]Value{"l": ListOf("", "x")}, ";l;l=x"},
		{"{?l*}", map[string]Value{"l": ListOf("", "x")}, "?l=&l=x"},
		{"{?l}", map[string]Value{"l": ListOf("")}, "?l="},
		{"{?a%20b}", map[string]Value{"a%20b": Of("1")}, "?a%20b=1"},
		{"{a.b}", map[string]Value{"a.b": Of("1")}, "1"},
	} {
		tmpl, err := Parse(tt.template)
		if err != nil {
			t.Errorf("%s: %v", tt.template, err)
			continue
		}
		if got, err := tmpl.Expand(tt.values); err != nil || got != tt.want {
			t.Errorf("%s of %v: got %q, %v, want %q", tt.template, tt.values, got, err, tt.want)
		}
	}
	for _, template := range []string{"{keys:1}", "{+keys:1}", "{list:2}"} {
		tmpl, err := Parse(template)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := tmpl.Expand(rfcValues); !errors.Is(err, ErrPrefix) || got != "" {
			t.Errorf("%s: got %q, %v", template, got, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct {
		template string
		offset   int
	}{
		{"{}", 0},       // case 115
		{"{id:abc}", 3}, // case 115
		{"a{/id*", 1},
		{"/id*}", 4},
		{"{/?id}", 2},
		{"{var:prefix}", 4},
		{"{var:}", 4},
		{"{var:0}", 4},
		{"{var:01}", 4},
		{"{var:10000}", 4},
		{"{var:+1}", 4},
		{"{hello:2*}", 6},
		{"{hello*:2}", 7},
		{"{hello**}", 7},
		{"{??hello}", 2},
		{"{!hello}", 1},
		{"{=path}", 1},
		{"{,a}", 1},
		{"{@a}", 1},
		{"{|var*}", 1},
		{"{$var}", 1},
		{"{with space}", 5},
		{"{ leading_space}", 1},
		{"{trailing_space }", 15},
		{"{*keys?}", 1},
		{"{?empty=default,var}", 7},
		{"{var}{-prefix|/-/|var}", 6},
		{"?q={searchTerms}&c={example:color?}", 27},
		{"x{?empty|foo=none}", 8},
		{"/h{#hello+}", 9},
		{"/{default-graph-uri}", 9},
		{"{a,}", 3},
		{"{a,,b}", 3},
		{"{?}", 2},
		{"{+}", 2},
		{"{.a.}", 3},
		{"{a..b}", 3},
		{"{..a}", 2},
		{"{a{b}}", 2},
		{"{a}}", 3},
		{"{caf\u00e9}", 4},
		{"{a%2}", 2},
		{"a%", 1},
		{"a%zz", 1},
		{"a b", 1},
		{"a\n", 1},
		{"a\x7f", 1},
		{"a<b>", 1},
		{"C:\\{x}", 2},
		{"a\xff", 1},
	} {
		tmpl, err := Parse(tt.template)
		var e *Error
		if !errors.As(err, &e) || tmpl != nil {
			t.Errorf("%q was taken", tt.template)
			continue
		}
		if e.Offset != tt.offset || e.Reason == "" || !strings.Contains(e.Error(), e.Reason) {
			t.Errorf("%q: %v, want byte %d", tt.template, e, tt.offset)
		}
	}
}

func TestVariables(t *testing.T) {
	tmpl, err := Parse("x://{a,b}/{c}{/d*}{?a:3,e}{+f}{&c}")
	if err != nil {
		t.Fatal(err)
	}
	want := []Variable{
		{Name: "a", Expression: 0},
		{Name: "b", Expression: 0},
		{Name: "c", Expression: 1, Required: true},
		{Name: "d", Expression: 2, Operator: '/', Explode: true},
		{Name: "e", Expression: 3, Operator: '?'},
		{Name: "f", Expression: 4, Operator: '+', Required: true},
	}
	if got := tmpl.Variables(); !slices.Equal(got, want) {
		t.Errorf("got %+v", got)
	}
	// Case 115: required belongs to the expression.
	texts := func(values map[string]Value) string {
		var out []string
		for _, e := range tmpl.Missing(values) {
			out = append(out, e.Text)
			if !strings.HasPrefix(tmpl.String()[e.Offset:], e.Text) {
				t.Errorf("%s is not at %d", e.Text, e.Offset)
			}
		}
		return strings.Join(out, " ")
	}
	if got := texts(nil); got != "{a,b} {c} {+f}" {
		t.Errorf("without values %q are missing", got)
	}
	if got := texts(map[string]Value{"b": Of(""), "c": ListOf(), "f": MapOf(Pair{"x", "y"})}); got != "{c}" {
		t.Errorf("%q are missing", got)
	}
	tmpl, _ = Parse("{?a}{a}")
	if got := tmpl.Variables(); len(got) != 1 || !got[0].Required {
		t.Errorf("a variable that is required in its second place: %+v", got)
	}
	tmpl.Expressions()[0].Variables[0].Name = "changed"
	if tmpl.Expressions()[0].Variables[0].Name != "a" {
		t.Error("a template can be changed from outside")
	}
}

func FuzzURITemplate(f *testing.F) {
	for _, s := range []string{"x://{a,b}/{+c:3}{/d*}{?a,e}{#f}{&g}{;h}{.i}", "{}", "{id:abc}", "{%41.b*}", "caf\u00e9%20{x}", "}{"} {
		f.Add(s, "v/\u00e9%2f[]", "")
	}
	f.Fuzz(func(t *testing.T, s, a, b string) {
		tmpl, err := Parse(s)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset >= len(s) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		values := map[string]Value{}
		for i, v := range tmpl.Variables() {
			switch i % 4 {
			case 0:
				values[v.Name] = Of(a)
			case 1:
				values[v.Name] = ListOf(a, b)
			case 2:
				values[v.Name] = MapOf(Pair{a, b}, Pair{b, a})
			}
		}
		uri, err := tmpl.Expand(values)
		if err != nil {
			if !errors.Is(err, ErrPrefix) {
				t.Fatal(err)
			}
			return
		}
		for i := range len(uri) {
			if c := uri[i]; !(isAlnum(c) || isReserved(c) || strings.IndexByte("-._~", c) >= 0 || isTriplet(uri[i:])) {
				t.Fatalf("%q with %q and %q became %q, which is no URI", s, a, b, uri)
			}
		}
		if again, err := Parse(uri); err != nil || len(again.Expressions()) != 0 {
			t.Fatalf("%q is a template again: %v", uri, err)
		}
	})
}

func BenchmarkExpand(b *testing.B) {
	tmpl, err := Parse("{+base}{/id*}{?fields,x,y,empty}{&list*}")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tmpl.Expand(rfcValues); err != nil {
			b.Fatal(err)
		}
	}
}
