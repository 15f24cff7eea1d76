module tongs/clients

go 1.26.0

require github.com/google/go-github/v92 v92.0.0

require github.com/google/go-querystring v1.2.0 // indirect
