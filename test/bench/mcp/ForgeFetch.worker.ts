/** Sends the requests of `@modelcontextprotocol/server-github`, whose address is fixed, to the forge at `FORGE_URL`. */
const forge = process.env["FORGE_URL"] ?? ""
const send = globalThis.fetch

globalThis.fetch = (input, init) =>
  send(typeof input === "string" ? input.replace("https://api.github.com", forge) : input, init)
