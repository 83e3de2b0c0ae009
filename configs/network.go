package configs

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// privateNetworks are the addresses that no router of the Internet forwards.
const privateNetworks = "10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, fc00::/7, fe80::/10"

func networkKeys() []key {
	return []key{
		{
			path: "http.allow", fallback: privateNetworks, kind: list, each: badNetwork,
			doc: "addresses and networks that may call, beside 127.0.0.0/8 and ::1; others get 403", hint: "write addresses or networks, as [192.168.1.20, 10.0.0.0/8]",
		},
		{
			path: "http.metrics_allow", kind: list, each: badNetwork,
			doc: "addresses and networks that may read `/metrics`, beside 127.0.0.0/8 and ::1; by default those of `http.allow`", hint: "write addresses or networks, as [192.168.1.20]",
		},
		{
			path: "http.origins", kind: list, each: badOrigin,
			doc: "web origins whose pages may call (CORS); none by default, and `*` is refused", hint: "write origins as browsers do, [https://teller.bank.example]",
		},
		{
			path: "http.requests_per_minute", fallback: "0", kind: number, lo: 0, hi: 1_000_000,
			doc: "requests a minute from one address before it gets 429; 0 sets no limit", hint: "API keys have limits of their own: `bawab keys add --rate`",
		},
		{
			path: "tls.names", kind: list, each: badName,
			doc: "names and addresses for the appliance's own certificate, beside those of this machine", hint: "write host names or addresses, as [kiosk.bank.example, 192.168.1.5]",
		},
		{
			path: "tls.certificate", optional: true,
			doc: "PEM file of a certificate with its chain, in place of the appliance's own; needs `tls.key`", hint: "name a PEM file",
		},
		{
			path: "tls.key", optional: true,
			doc: "PEM file of the certificate's private key, mode 0600", hint: "name a PEM file that nobody but the daemon can read",
		},
	}
}

// validate names a certificate without its key, and a key without its certificate.
func (t TLS) validate() []Problem {
	switch {
	case t.Certificate != "" && t.Key == "":
		return []Problem{{Path: "tls.key", Msg: "is missing beside tls.certificate", Hint: "name the PEM file of the private key"}}
	case t.Key != "" && t.Certificate == "":
		return []Problem{{Path: "tls.certificate", Msg: "is missing beside tls.key", Hint: "name the PEM file of the certificate"}}
	}
	return nil
}

// parseList takes a YAML list, or one text with commas as a variable of the environment holds it.
func (k key) parseList(value any) (parsed any, problem string) {
	var list []string
	switch v := value.(type) {
	case []string:
		list = v
	case []any:
		for _, item := range v {
			s, ok := item.(string)
			if !ok {
				return nil, fmt.Sprintf("must be a list of texts, not %v", item)
			}
			list = append(list, s)
		}
	case string:
		list = items(v)
	default:
		return nil, "must be a list"
	}
	clean := make([]string, 0, len(list))
	for _, item := range list {
		item = strings.TrimSpace(item)
		if why := k.each(item); why != "" {
			return nil, fmt.Sprintf("must not hold %q: %s", item, why)
		}
		clean = append(clean, item)
	}
	return clean, ""
}

// items splits a text at its commas; an empty text has none.
func items(s string) []string {
	list := []string{}
	for item := range strings.SplitSeq(s, ",") {
		if item = strings.TrimSpace(item); item != "" {
			list = append(list, item)
		}
	}
	return list
}

// yamlList writes the items of a text as a list on one line. YAML reads the JSON form.
func yamlList(value string) string {
	out, err := json.Marshal(items(value))
	if err != nil {
		return err.Error() // texts always marshal
	}
	return strings.ReplaceAll(string(out), `","`, `", "`)
}

// badNetwork says why an item is neither an address nor a network.
func badNetwork(item string) string {
	if a, err := netip.ParseAddr(item); err == nil && a.Zone() == "" {
		return ""
	}
	p, err := netip.ParsePrefix(item)
	switch {
	case err != nil:
		return "it is neither an address nor a network"
	case p != p.Masked():
		return "the network is " + p.Masked().String()
	}
	return ""
}

// badName says why an item is neither a host name nor an address.
func badName(item string) string {
	if a, err := netip.ParseAddr(item); err == nil && a.Zone() == "" {
		return ""
	}
	if len(item) == 0 || len(item) > 253 {
		return "a host name has 1 to 253 characters"
	}
	for label := range strings.SplitSeq(strings.TrimPrefix(item, "*."), ".") {
		letter := func(r rune) bool {
			return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_'
		}
		if len(label) == 0 || len(label) > 63 || strings.Trim(label, "-") != label || strings.TrimFunc(label, letter) != "" {
			return "it is neither a host name nor an address"
		}
	}
	return ""
}

// badOrigin says what is wrong with a web origin. Browsers write no path, no port that is the scheme's own, and the host in lower case;
// what is written in another way would never be equal to theirs.
func badOrigin(item string) string {
	u, err := url.Parse(item)
	switch {
	case item == "*":
		return "every page on the network could use the keys of this machine's users"
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || strings.Contains(u.Host, "*"):
		return "it is no web origin"
	case u.Scheme == "https" && u.Port() == "443" || u.Scheme == "http" && u.Port() == "80" || strings.HasSuffix(u.Host, ":"):
		return "browsers write it without the port"
	case u.Scheme+"://"+strings.ToLower(u.Host) != item:
		return "browsers write " + u.Scheme + "://" + strings.ToLower(u.Host)
	}
	return ""
}
