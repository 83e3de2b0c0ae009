package etcd

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/bawab/bawab/appliance"
	"github.com/bawab/bawab/store/seal"
)

// renewBefore is how long before its end a certificate is worth a warning.
const renewBefore = 14 * 24 * time.Hour

// Checks asks every member how it is, for a person: one check for each member, one for the cluster as a whole and one for
// this kiosk's certificate. It works beside a running daemon and changes nothing in the cluster.
func Checks(ctx context.Context, cfg Config) []appliance.Check {
	cfg = cfg.withDefaults()
	key, err := cfg.branchKey()
	if err != nil {
		return []appliance.Check{failed("branch key", err)}
	}
	members, err := cfg.connect()
	if err != nil {
		return []appliance.Check{failed("cluster", err)}
	}
	defer closeAll(members)
	var all sync.WaitGroup
	for _, m := range members {
		all.Go(func() { m.probe(ctx) })
	}
	all.Wait()
	checks := []appliance.Check{clusterCheck(members)}
	for _, m := range members {
		checks = append(checks, m.check())
	}
	return append(checks, sealCheck(ctx, cfg, key, members), cfg.certificateCheck(cfg.Now()))
}

func failed(name string, err error) appliance.Check {
	c := appliance.Check{Name: name, Detail: err.Error()}
	if e := (*appliance.Error)(nil); errors.As(err, &e) {
		c.Detail, c.Hint = e.Msg, e.Hint
	}
	return c
}

// clusterCheck reports whether a majority answers and has a leader.
func clusterCheck(members []*member) appliance.Check {
	answering, leader := 0, ""
	ids := map[uint64]string{}
	for _, m := range members {
		if a, _, err := m.last(); err == nil {
			answering++
			ids[a.Header.GetMemberId()] = m.endpoint
		}
	}
	for _, m := range members {
		if a, _, err := m.last(); err == nil && a.Leader != 0 {
			if leader = ids[a.Leader]; leader == "" {
				leader = "a member that does not answer here"
			}
		}
	}
	need := len(members)/2 + 1
	c := appliance.Check{
		Name: "cluster", OK: answering == len(members) && leader != "",
		Detail: fmt.Sprintf("%d of %d members answer, %d are needed", answering, len(members), need),
	}
	switch {
	case answering < need:
		c.Hint = "transactions are answered 503 until more members answer: check their machines, the network and etcd on them"
	case leader == "":
		c.Hint = "the members do not reach each other: check the network between them (peer port)"
	case answering < len(members):
		c.Hint = "nothing is lost, but the next failure may stop the branch: bring the missing member back"
	}
	if leader != "" {
		c.Detail += ", the leader is " + leader
	}
	return c
}

// check is what a member says of itself.
func (m *member) check() appliance.Check {
	c := appliance.Check{Name: "member", Detail: m.endpoint}
	a, _, err := m.last()
	if err != nil {
		c.Detail += " does not answer: " + err.Error()
		c.Hint = "is etcd running there, is the port open, and do both sides trust each other's certificates (store.etcd.ca)?"
		return c
	}
	c.Detail += fmt.Sprintf(": etcd %s, %d KiB of which %d in use", a.Version, a.DbSize>>10, a.DbSizeInUse>>10)
	if alarm := alarmOf(a); alarm != nil {
		c.Detail, c.Hint = c.Detail+"; "+alarm.Error(), hintQuota
		return c
	}
	c.OK = true
	return c
}

// sealCheck reports whether the branch key of this kiosk is that of the others, and whether all members are named.
func sealCheck(ctx context.Context, cfg Config, key seal.Sealer, members []*member) appliance.Check {
	c := appliance.Check{Name: "branch key"}
	for _, m := range members {
		if _, _, err := m.last(); err != nil {
			continue
		}
		ctx, cancel := context.WithTimeout(ctx, cfg.Timeout)
		defer cancel()
		if err := cfg.compare(ctx, key, m); err != nil {
			return failed(c.Name, err)
		}
		got, err := m.client.MemberList(ctx)
		if err == nil && len(got.Members) != len(members) {
			c.Detail = fmt.Sprintf("the cluster has %d members, and store.etcd.endpoints names %d", len(got.Members), len(members))
			c.Hint = "name all of them: the kiosk counts the majority by them"
			return c
		}
		c.OK, c.Detail = true, "is that of the other kiosks"
		return c
	}
	c.Detail, c.Hint = "could not be compared: no member answers", "bring the cluster back"
	return c
}

// compare reports whether what lies in the cluster opens with the branch key. Nothing lies there before the first start.
func (c Config) compare(ctx context.Context, key seal.Sealer, m *member) error {
	got, _, err := m.client.read(ctx, c.greeting()...)
	if err != nil {
		return fmt.Errorf("could not be compared: %w", err)
	}
	check, version := valueOf(got[0]), valueOf(got[1])
	if check == nil && version == nil {
		return nil
	}
	return c.recognise(key, check, version)
}

// certificateCheck tells how long the kiosk's certificate is still valid.
func (c Config) certificateCheck(now time.Time) appliance.Check {
	check := appliance.Check{Name: "kiosk certificate"}
	pair, err := c.pair()
	if err != nil {
		return failed(check.Name, err)
	}
	cert := pair.Leaf
	if cert == nil {
		if cert, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return failed(check.Name, err)
		}
	}
	check.OK = now.Add(renewBefore).Before(cert.NotAfter)
	check.Detail = "valid until " + cert.NotAfter.UTC().Format("2006-01-02 15:04Z")
	check.Hint = "put a new one at " + c.Certificate + " and " + c.CertificateKey + "; no restart is needed"
	return check
}
