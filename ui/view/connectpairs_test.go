package view

import "testing"

func TestSecretsAreToldByTheirNames(t *testing.T) {
	for name, c := range map[string]struct {
		header bool
		typed  []string
		want   Pair
		split  bool
	}{
		"a token":              {false, []string{"API_T", "API_TOKEN"}, Pair{Name: "API_TOKEN", Secret: true}, false},
		"pasted with a value":  {false, []string{"GITHUB_TOKEN=a=b"}, Pair{Name: "GITHUB_TOKEN", Value: "a=b", Secret: true}, true},
		"no secret":            {false, []string{"HOME"}, Pair{Name: "HOME"}, false},
		"a name that goes on":  {false, []string{"KEY", "KEYBOARD"}, Pair{Name: "KEYBOARD"}, false},
		"a header":             {true, []string{"X-Api-Key"}, Pair{Name: "X-Api-Key", Secret: true}, false},
		"a header and a value": {true, []string{"Authorization: Basic a:b"}, Pair{Name: "Authorization", Value: "Basic a:b", Secret: true}, true},
		"a plain header":       {true, []string{"X-Tenant"}, Pair{Name: "X-Tenant"}, false},
	} {
		var p Pair
		take := p.SetEnvName
		if c.header {
			take = p.SetHeaderName
		}
		split := false
		for _, text := range c.typed {
			split = take(text)
		}
		if p != c.want || split != c.split {
			t.Errorf("%s: %+v, split %v", name, p, split)
		}
	}
}

func TestThePersonSaysWhatIsSecret(t *testing.T) {
	p := Pair{}
	p.SetEnvName("API_TOKEN")
	p.Mark(false)
	p.SetEnvName("API_TOKEN_2")
	if p.Secret {
		t.Error("the name wins over the person")
	}
	p.Mark(true)
	p.SetEnvName("PLAIN")
	if !p.Secret {
		t.Error("the person said that it is secret")
	}
}
