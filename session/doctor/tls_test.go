package doctor

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
)

// authority signs certificates.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, name string, by *authority) *authority {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(1000 * time.Hour), IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign}
	a := &authority{}
	a.cert, a.key = sign(t, template, by)
	return a
}

// sign makes a certificate, signed by itself if by is nil.
func sign(t *testing.T, template *x509.Certificate, by *authority) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	parent, signer := template, key
	if by != nil {
		parent, signer = by.cert, by.key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	return cert, key
}

// leaf is the template of a certificate for 127.0.0.1.
func leaf(from, until time.Duration) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "server"}, NotBefore: time.Now().Add(from),
		NotAfter: time.Now().Add(until), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"mcp.example.com"}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
}

// file writes certificates that a client may trust.
func file(t *testing.T, certs ...*x509.Certificate) string {
	t.Helper()
	var b []byte
	for _, c := range certs {
		b = append(b, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})...)
	}
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// secured is a server behind TLS that passes everything on to a plain one.
func secured(t *testing.T, config *tls.Config) string {
	t.Helper()
	plain := sessiontest.NewHTTP(t)
	plain.ServeMCP()
	target, err := url.Parse(plain.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.RequestURI, r.URL.Scheme, r.URL.Host = "", "http", target.Host
		resp, err := http.DefaultTransport.RoundTrip(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		defer func() { _ = resp.Body.Close() }()
		for name, values := range resp.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body) // the client says what is missing
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.TLS = config
	s.StartTLS()
	t.Cleanup(s.Close)
	return s.URL + "/mcp"
}

func serve(certs []*x509.Certificate, key *ecdsa.PrivateKey) *tls.Config {
	c := tls.Certificate{PrivateKey: key}
	for _, cert := range certs {
		c.Certificate = append(c.Certificate, cert.Raw)
	}
	return &tls.Config{Certificates: []tls.Certificate{c}}
}

// Every fault of a certificate or a handshake is told apart.
func TestCertificates(t *testing.T) {
	root := newAuthority(t, "Test Root", nil)
	middle := newAuthority(t, "Test Middle", root)
	const year = 365 * 24 * time.Hour
	good, goodKey := sign(t, leaf(-time.Hour, year), root)
	ending, endingKey := sign(t, leaf(-time.Hour, 50*time.Hour), root)
	expired, expiredKey := sign(t, leaf(-year, -48*time.Hour), root)
	future, futureKey := sign(t, leaf(48*time.Hour, year), root)
	other := leaf(-time.Hour, year)
	other.IPAddresses = nil
	elsewhere, elsewhereKey := sign(t, other, root)
	itself, itselfKey := sign(t, leaf(-time.Hour, year), nil)
	below, belowKey := sign(t, leaf(-time.Hour, year), middle)
	purpose := leaf(-time.Hour, year)
	purpose.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	misused, misusedKey := sign(t, purpose, root)
	client := serve([]*x509.Certificate{good}, goodKey)
	client.ClientAuth, client.MaxVersion = tls.RequireAnyClientCert, tls.VersionTLS12
	old := serve([]*x509.Certificate{good}, goodKey)
	old.MaxVersion, old.MinVersion = tls.VersionTLS11, tls.VersionTLS10
	trusted := file(t, root.cert)
	for name, c := range map[string]struct {
		config *tls.Config
		ca     string
		status Status
		says   []string
	}{
		"well":                  {serve([]*x509.Certificate{good}, goodKey), trusted, Passed, []string{"TLS 1.3", "mcp.example.com, 127.0.0.1", "Test Root", "valid until"}},
		"soon out of date":      {serve([]*x509.Certificate{ending}, endingKey), trusted, Warned, []string{"expires in 2 days"}},
		"expired":               {serve([]*x509.Certificate{expired}, expiredKey), trusted, Failed, []string{"has expired on", "Renew"}},
		"not valid yet":         {serve([]*x509.Certificate{future}, futureKey), trusted, Failed, []string{"not valid before", "clock"}},
		"another name":          {serve([]*x509.Certificate{elsewhere}, elsewhereKey), trusted, Failed, []string{"is for mcp.example.com, not for 127.0.0.1"}},
		"self-signed":           {serve([]*x509.Certificate{itself}, itselfKey), "", Failed, []string{"self-signed", "CA certificates"}},
		"self-signed, trusted":  {serve([]*x509.Certificate{itself}, itselfKey), file(t, itself), Passed, []string{"issued by itself"}},
		"private authority":     {serve([]*x509.Certificate{good, root.cert}, goodKey), "", Failed, []string{"Test Root", "private authority", "2. Certificate for"}},
		"chain is not whole":    {serve([]*x509.Certificate{below}, belowKey), trusted, Failed, []string{"issued by Test Middle", "whole chain"}},
		"chain is whole":        {serve([]*x509.Certificate{below, middle.cert}, belowKey), trusted, Passed, []string{"Test Middle"}},
		"for another purpose":   {serve([]*x509.Certificate{misused}, misusedKey), trusted, Failed, []string{"not valid", "meant for a server"}},
		"an old version of TLS": {old, trusted, Failed, []string{"TLS 1.2 or 1.3"}},
		"wants a certificate":   {client, trusted, Failed, []string{"certificate of the client"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := examine(t, session.Target{URL: secured(t, c.config), CAFile: c.ca}, Options{})
			check(t, r, is(stepTCP, Passed), is(stepTLS, c.status, c.says...))
			want := NotReached
			if c.status != Failed {
				want = Passed
			}
			check(t, r, is(stepList, want), is(stepRevision, want))
		})
	}
}

// From TLS 1.3 on the server says after the handshake that it wants a certificate.
func TestClientCertificateWantedLate(t *testing.T) {
	root := newAuthority(t, "Test Root", nil)
	good, key := sign(t, leaf(-time.Hour, 365*24*time.Hour), root)
	config := serve([]*x509.Certificate{good}, key)
	config.ClientAuth = tls.RequireAnyClientCert
	check(t, examine(t, session.Target{URL: secured(t, config), CAFile: file(t, root.cert)}, Options{}),
		is(stepTLS, Passed), is(stepAnswer, Failed, "certificate required", "certificate of the client"), is(stepRevision, NotReached))
}

func TestTLSWhereThereIsNone(t *testing.T) {
	s := sessiontest.NewHTTP(t)
	s.ServeMCP()
	check(t, examine(t, session.Target{URL: strings.Replace(s.URL, "http:", "https:", 1)}, Options{}),
		is(stepTCP, Passed), is(stepTLS, Failed, "plain HTTP", "http:// instead"), is(stepAnswer, NotReached))
}

func TestPlainHTTPWhereThereIsTLS(t *testing.T) {
	root := newAuthority(t, "Test Root", nil)
	good, key := sign(t, leaf(-time.Hour, time.Hour), root)
	address := secured(t, serve([]*x509.Certificate{good}, key))
	check(t, examine(t, session.Target{URL: strings.Replace(address, "https:", "http:", 1)}, Options{}),
		is(stepAnswer, Failed, "https://"), is(stepRevision, NotReached))
}

func TestCertificateAuthoritiesThatCannotBeRead(t *testing.T) {
	s := sessiontest.NewHTTPS(t)
	s.ServeMCP()
	check(t, examine(t, session.Target{URL: s.URL, CAFile: filepath.Join(t.TempDir(), "none.pem")}, Options{}), is(stepAnswer, Failed, "none.pem"))
}
