package doctor

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// secured says what was agreed on and whose certificate it is.
func (x *exam) secured(host string, st tls.ConnectionState) {
	f := finding{detail: tls.VersionName(st.Version)}
	if st.NegotiatedProtocol != "" {
		f.detail += ", " + st.NegotiatedProtocol
	}
	f.detail += "."
	if len(st.PeerCertificates) == 0 {
		x.pass(stepTLS, f.detail)
		return
	}
	leaf := st.PeerCertificates[0]
	f.detail += " " + describeCertificate(leaf)
	left := time.Until(leaf.NotAfter)
	if left > soon {
		x.pass(stepTLS, f.detail)
		return
	}
	f.cause = fmt.Sprintf("The certificate of %s expires in %s.", host, days(left))
	f.fix = "Renew the certificate, or ask whoever runs the server to."
	x.warn(stepTLS, f)
}

func describeCertificate(c *x509.Certificate) string {
	return fmt.Sprintf("Certificate for %s, issued by %s, valid until %s.", namesOf(c), issuer(c), day(c.NotAfter))
}

// namesOf lists whom a certificate is for.
func namesOf(c *x509.Certificate) string {
	names := slices.Clone(c.DNSNames)
	for _, ip := range c.IPAddresses {
		names = append(names, ip.String())
	}
	if len(names) == 0 && c.Subject.CommonName != "" {
		names = append(names, c.Subject.CommonName+" (in the common name only, which no client reads)")
	}
	if len(names) == 0 {
		return "nobody"
	}
	const most = 5
	text := strings.Join(names[:min(len(names), most)], ", ")
	if more := len(names) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func issuer(c *x509.Certificate) string {
	if selfIssued(c) {
		return "itself"
	}
	for _, name := range []string{c.Issuer.CommonName, strings.Join(c.Issuer.Organization, ", "), c.Issuer.String()} {
		if name != "" {
			return name
		}
	}
	return "an authority without a name"
}

func selfIssued(c *x509.Certificate) bool { return slices.Equal(c.RawIssuer, c.RawSubject) }

func day(t time.Time) string { return t.Local().Format(time.DateOnly) }

func days(d time.Duration) string {
	switch n := int(d / (24 * time.Hour)); n {
	case 0:
		return "less than a day"
	case 1:
		return "a day"
	default:
		return fmt.Sprintf("%d days", n)
	}
}

// explainTLS says why no encryption was agreed on.
func explainTLS(err error, host string) finding {
	var (
		verify    *tls.CertificateVerificationError
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		chain     []*x509.Certificate
	)
	f := finding{}
	if errors.As(err, &verify) {
		chain = verify.UnverifiedCertificates
		for i, c := range chain[:min(len(chain), 6)] {
			f.lines = append(f.lines, fmt.Sprintf("%d. %s", i+1, describeCertificate(c)))
		}
	}
	switch {
	case errors.As(err, &name):
		f.detail = "The certificate is for " + namesOf(name.Certificate) + ", not for " + host + "."
		f.cause = "The server is reached by another name than its certificate is made for."
		f.fix = "Use a name that the certificate is for, or have " + host + " added to it."
	case errors.As(err, &invalid):
		explainInvalid(&f, invalid, host)
	case errors.As(err, &authority):
		explainAuthority(&f, authority, chain)
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		f.detail = "What answers at this port does not speak TLS."
		f.cause = "The server speaks plain HTTP here."
		f.fix = "Write http:// instead of https://, or use the port for https."
	case alertOf(err.Error()) != "":
		explainAlert(&f, alertOf(err.Error()))
	default:
		f.detail = "The handshake ended: " + err.Error() + "."
		f.cause = "The server, or something on the way, ended the handshake without a reason."
		f.fix = "Check that the port is the one for https, and look at proxies and firewalls on the way."
	}
	return f
}

func explainInvalid(f *finding, e x509.CertificateInvalidError, host string) {
	c, now := e.Cert, time.Now()
	switch {
	case e.Reason == x509.Expired && c != nil && now.Before(c.NotBefore):
		f.detail = "The certificate of " + host + " is not valid before " + day(c.NotBefore) + "."
		f.cause = "It was made for later, or this computer's clock is behind."
		f.fix = "Check the clock of this computer (it says " + day(now) + "), then the certificate."
	case e.Reason == x509.Expired && c != nil:
		f.detail = "The certificate of " + host + " has expired on " + day(c.NotAfter) + "."
		f.cause = "It was not renewed, or this computer's clock is ahead."
		f.fix = "Renew the certificate, or ask whoever runs the server to; check the clock of this computer if the date surprises you."
	default:
		f.detail = "The certificate is not valid: " + e.Error() + "."
		f.cause = "It, or one that vouches for it, may not be used for this."
		f.fix = "Have a certificate made that is meant for a server."
	}
}

func explainAuthority(f *finding, e x509.UnknownAuthorityError, chain []*x509.Certificate) {
	leaf := e.Cert
	if len(chain) > 0 {
		leaf = chain[0]
	}
	last := leaf
	if len(chain) > 0 {
		last = chain[len(chain)-1]
	}
	const trust = "If you trust it, give its certificate as a PEM file under CA certificates of the server (--ca in a terminal)."
	switch {
	case leaf != nil && selfIssued(leaf):
		f.detail = "The certificate vouches for itself: no authority has signed it."
		f.cause = "It is self-signed, as servers for development have them."
		f.fix = trust
	case last != nil && selfIssued(last):
		f.detail = "The chain ends at " + authorityName(last) + ", which this computer does not know."
		f.cause = "A private authority has signed it, such as a company's, or a proxy that opens encrypted traffic."
		f.fix = trust
	case leaf != nil:
		f.detail = "The certificate is issued by " + issuer(leaf) + ", and the server sent no chain that leads to an authority known here."
		f.cause = "The server leaves out the certificates between its own and the authority, or a private authority has signed it."
		f.fix = "Let the server send its whole chain; for a private authority, give its certificate as a PEM file under CA certificates (--ca in a terminal)."
	default:
		f.detail, f.cause, f.fix = "The certificate is signed by an authority that is not known.", "A private authority has signed it.", trust
	}
}

// authorityName names an authority by its own certificate.
func authorityName(c *x509.Certificate) string {
	if c.Subject.CommonName != "" {
		return c.Subject.CommonName
	}
	return c.Subject.String()
}

// alertOf is what the other side said when it ended a handshake, "" if it said
// nothing.
func alertOf(text string) string {
	_, alert, found := strings.Cut(text, "remote error: tls: ")
	if !found {
		return ""
	}
	alert, _, _ = strings.Cut(alert, ": ")
	return alert
}

// explainAlert explains what the server said (RFC 8446, 6.2).
func explainAlert(f *finding, alert string) {
	f.detail = "The server refused the handshake: " + alert + "."
	switch alert {
	case "handshake failure", "protocol version not supported", "insufficient security level":
		f.cause = "The server takes no version or cipher of TLS that this client has, or wants a certificate of the client."
		f.fix = "Let the server take TLS 1.2 or 1.3 without a client certificate, which this client cannot send."
	case "bad certificate", "unknown certificate authority", "certificate required":
		f.cause = "The server wants a certificate of the client."
		f.fix = "Reach it through a proxy that has one: this client cannot send any."
	case "unrecognized name":
		f.cause = "The server does not know itself by this name."
		f.fix = "Use the name that the server is made for."
	default:
		f.cause = "The server did not like what it was offered."
		f.fix = "Its own log says more."
	}
}
