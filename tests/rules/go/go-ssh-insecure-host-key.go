package remote

import (
	"net"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

func lax(user string) *ssh.ClientConfig {
	// ruleid: go-ssh-insecure-host-key
	return &ssh.ClientConfig{User: user, HostKeyCallback: ssh.InsecureIgnoreHostKey()}
}

func silent(user string) *ssh.ClientConfig {
	// ruleid: go-ssh-insecure-host-key
	return &ssh.ClientConfig{
		User: user,
		HostKeyCallback: func(hostname string, remote net.Addr, key ssh.PublicKey) error { return nil },
	}
}

func strict(user string, key ssh.PublicKey) *ssh.ClientConfig {
	check, err := knownhosts.New("known_hosts")
	// ok: go-ssh-insecure-host-key
	config := &ssh.ClientConfig{User: user, HostKeyCallback: check}
	// ok: go-ssh-insecure-host-key
	config.HostKeyCallback = ssh.FixedHostKey(key)
	return config
}

func asked(user string, insecure bool, agent net.Conn) *ssh.ClientConfig {
	config := &ssh.ClientConfig{User: user}
	if insecure {
		// ok: go-ssh-insecure-host-key
		config.HostKeyCallback = ssh.InsecureIgnoreHostKey()
	}
	if agent != nil {
		// ruleid: go-ssh-insecure-host-key
		config.HostKeyCallback = ssh.InsecureIgnoreHostKey()
	}
	return config
}
