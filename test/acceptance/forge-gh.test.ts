/** GitHub's own command against the forge. It speaks HTTPS only, so a proxy takes the TLS off, as one would in front. */
import { execFile, execFileSync, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { request as forward } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect, it, onTestFinished } from "vitest"
import { folder, git, manyCommits, request, serve } from "./Serve.test-support.ts"

const has = (program: string, flag: string) => spawnSync(program, [flag]).status === 0
const ready = has("gh", "--version") && has("openssl", "version")

/** A certificate of its own for `localhost`. */
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
    ].concat(["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cert]),
    { stdio: "ignore" }
  )
  return { file: cert, key: readFileSync(key), cert: readFileSync(cert) }
}

/** Passes everything on to `url`; gives the host by which it is reached. */
const proxy = async (url: string, { cert, key }: { readonly cert: Buffer; readonly key: Buffer }) => {
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const headers = { ...incoming.headers, "x-forwarded-proto": "https" }
    const passed = forward(url + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo // oxlint-disable-line typescript/no-unsafe-type-assertion -- it listens on TCP
  return `localhost:${port}`
}

it.skipIf(!ready)(
  "gh and openssl: `gh api --paginate` reads a reference, a commit, a blob and the whole log",
  async () => {
    const root = folder()
    const path = join(root, "repos", "long.git")
    git(root, ["init", "--quiet", "--bare", "--initial-branch=main", path])
    manyCommits(path, "main", 320)
    const oid = git(path, ["hash-object", "-w", "--stdin"], "héllo\n")
    const head = git(path, ["rev-parse", "main"])

    const serving = await serve(root, "--dialect", "github")
    const trusted = certificate(root)
    const host = await proxy(serving.url, trusted)
    const env = {
      PATH: process.env["PATH"],
      HOME: root,
      GH_HOST: host,
      GH_ENTERPRISE_TOKEN: serving.token,
      SSL_CERT_FILE: trusted.file
    }
    const gh = async (...args: ReadonlyArray<string>) =>
      (await promisify(execFile)("gh", ["api", ...args], { env })).stdout.trimEnd()
    const { json: user } = await request(serving, "GET", "/user")
    const base = `repos/${user.login}/long`

    expect(await gh("user", "--jq", ".login")).toBe(user.login)
    expect(await gh(`${base}/git/ref/heads/main`, "--jq", ".object.sha")).toBe(head)
    expect(await gh(`${base}/git/commits/${head}`, "--jq", ".message")).toBe("319")
    expect(await gh(`${base}/git/blobs/${oid}`, "--jq", ".content|@base64d")).toBe("héllo")
    const log = await gh("--paginate", `${base}/commits?per_page=100`, "--jq", ".[].sha")
    expect(log).toBe(git(path, ["rev-list", "main"]))

    expect(await gh(`${base}/git/refs`, "-f", "ref=refs/heads/by-gh", "-f", `sha=${head}`, "--jq", ".ref")).toBe(
      "refs/heads/by-gh"
    )
    expect(git(path, ["rev-parse", "by-gh"])).toBe(head)
    await gh("-X", "DELETE", `${base}/git/refs/heads/by-gh`)
    expect(git(path, ["for-each-ref", "refs/heads/by-gh"])).toBe("")
    expect(git(path, ["fsck", "--strict", "--no-dangling"])).toBe("")
  }
)
