package rpc

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

func connect(address string, config *tls.Config) {
	// ruleid: go-grpc-without-tls
	old, err := grpc.Dial(address, grpc.WithInsecure())
	// ruleid: go-grpc-without-tls
	open, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	// ok: go-grpc-without-tls
	closed, err := grpc.NewClient(address, grpc.WithTransportCredentials(credentials.NewTLS(config)))
	// ok: go-grpc-without-tls
	plain, err := grpc.NewClient(address, grpc.WithBlock())
}
