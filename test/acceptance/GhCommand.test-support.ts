/** GitHub's CLI on a forge. The CLI requires HTTPS, so a proxy terminates TLS. */
import { execFile, execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { request as forward } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { onTestFinished } from "vitest"
import { hasPrograms } from "../InstalledPrograms.test-support.ts"
import type { ForgeProcess } from "./ForgeProcess.test-support.ts"

/** True if `gh` and `openssl` are installed. */
export const hasGh = hasPrograms("gh", "openssl")

/** A host that gh takes for GitHub Enterprise Server, which only an HTTP proxy can reach. */
export const ENTERPRISE_HOST = "forge.example"

/** Creates a self-signed certificate for `localhost` and the Enterprise host. */
const certificate = (root: string) => {
  const [key, cert] = [join(root, "key.pem"), join(root, "cert.pem")]
  execFileSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "ec",
      "-pkeyopt",
      "ec_paramgen_curve:prime256v1",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=localhost"
    ].concat(["-addext", `subjectAltName=DNS:localhost,DNS:${ENTERPRISE_HOST}`, "-keyout", key, "-out", cert]),
    { stdio: "ignore" }
  )
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) }
}

/** Forwards all requests to `url`. Returns the proxy's host. */
const proxy = async (url: string, { cert, key }: { readonly cert: Buffer; readonly key: Buffer }) => {
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, "x-forwarded-proto": "https" }
    const passed = forward(url + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on("error", () => outgoing.destroy())
    incoming.pipe(passed)
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return `localhost:${port}`
}

/** Returns a function that runs `gh` with a token and returns stdout, and the environment of `gh`. */
export const ghFor = async (root: string, { token, url }: ForgeProcess) => {
  const trusted = certificate(root)
  const host = await proxy(url, trusted)
  const env = {
    PATH: process.env["PATH"],
    HOME: root,
    GH_HOST: host,
    GH_ENTERPRISE_TOKEN: token,
    SSL_CERT_FILE: trusted.file,
    GIT_SSL_CAINFO: trusted.file
  }
  const run = async (...args: ReadonlyArray<string>) =>
    (await promisify(execFile)("gh", args, { env, cwd: root })).stdout.trimEnd()
  return { env, host, run }
}
