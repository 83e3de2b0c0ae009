package main

// commands is the command tree.
func commands() *command {
	return &command{
		name: "bawab",
		long: `bawab reads Egyptian identity and vehicle documents and passports on this machine, with no cloud part.

Start it with ` + "`bawab serve --data ./var`" + `, or read one picture with ` + "`bawab scan passport.jpg`" + `.`,
		sub: []command{
			serveCommand(), reloadCommand(), keysCommand(), scanCommand(), modelsCommand(), doctorCommand(), storeCommand(), auditCommand(), verifyCommand(), tlsCommand(), serviceCommand(),
			configCommand(), evalCommand(), benchCommand(), versionCommand(),
		},
	}
}
