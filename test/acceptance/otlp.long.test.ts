/** `--otlp`: the collector's data, without secrets; a broken collector has no effect. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { user } from "@tongs/core/contract/Samples.test-support"
import { inLongTests } from "../LongTests.test-support.ts"
import { commit, temporaryFolder, git, request, serve } from "./ForgeProcess.test-support.ts"
import { sendJson, shell, httpServer } from "./TongsCommand.test-support.ts"

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly attributes: ReadonlyArray<Attribute>
  readonly status: { readonly code: number }
}

interface Point {
  readonly asDouble?: number
  readonly attributes: ReadonlyArray<Attribute>
}

interface Metric {
  readonly name: string
  readonly sum?: { readonly dataPoints: ReadonlyArray<Point> }
}

/** A collector that records all requests. */
const collector = async () => {
  const texts: Array<string> = []
  const authorizations: Array<string | undefined> = []
  const spans: Array<Span> = []
  const metrics: Array<Metric> = []
  const url = await httpServer(({ headers, url }, body, response) => {
    texts.push(body, JSON.stringify(headers))
    authorizations.push(headers["api-key"]?.toString())
    const { resourceMetrics = [], resourceSpans = [] } = JSON.parse(body)
    if (url === "/v1/traces")
      for (const { scopeSpans } of resourceSpans) for (const one of scopeSpans) spans.push(...one.spans)
    if (url === "/v1/metrics")
      for (const { scopeMetrics } of resourceMetrics) for (const one of scopeMetrics) metrics.push(...one.metrics)
    sendJson(response, 200, {})
  })
  const output = () => texts.join("\n")
  return { authorizations, metrics, output, spans, url }
}

const values = ({ attributes }: { readonly attributes: ReadonlyArray<Attribute> }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const count = (metrics: ReadonlyArray<Metric>, name: string) =>
  metrics.find((metric) => metric.name === name)?.sum?.dataPoints.map((point) => [values(point), point.asDouble])

/** Responds with secrets in all parts of the response. */
const forge = () =>
  httpServer(({ url = "/" }, _, response) => {
    response.setHeader("x-request-id", "R1").setHeader("set-cookie", "session=canary")
    const path = url.replace(/\?.*/, "")
    if (path === "/user") return sendJson(response, 200, user("octo"))
    if (path === "/moved") return void response.writeHead(302, { location: "/file?signature=canary" }).end()
    if (path === "/file") return sendJson(response, 200, { secret: "canary" })
    if (path === "/broken") return void response.destroy()
    return sendJson(response, 404, { message: "secret canary" })
  })

const secrets = { TONGS_TOKEN: "ghp_canary0123456789", OTEL_EXPORTER_OTLP_HEADERS: "api-key=for%20you" }

describe("--otlp", () => {
  it("sends one span per call below the command's, and metrics", async () => {
    const [to, url] = [await collector(), await forge()]
    const { tongs } = shell()
    const ran = await tongs(["users", "me", "--url", url, "--otlp", to.url], { env: secrets })
    expect([ran.code, ran.stderr]).toEqual([0, ""])
    const calls = to.spans.filter(({ name }) => name === "GET /user")
    expect(calls).toHaveLength(1)
    expect(values(calls[0] ?? { attributes: [] })).toMatchObject({
      "http.request.method": "GET",
      "http.route": "/user",
      "http.response.status_code": 200,
      "server.address": new URL(url).host,
      "tongs.resource": "core",
      "tongs.priority": "interactive",
      "tongs.cache": "miss",
      "tongs.request.id": "R1"
    })
    const command = to.spans.find(({ name }) => name === "tongs")
    expect(command?.parentSpanId).toBeUndefined()
    expect(new Set(to.spans.map(({ traceId }) => traceId))).toEqual(new Set([command?.traceId]))
    expect(count(to.metrics, "tongs.client.requests")).toEqual([[{ method: "GET", status: "2xx" }, 1]])
    expect(count(to.metrics, "tongs.client.received")?.[0]?.[1]).toBeGreaterThan(100)
    expect(new Set(to.authorizations)).toEqual(new Set(["for you"]))
  })

  it("sends no secret, for all outcomes of a request", async () => {
    const [to, url] = [await collector(), await forge()]
    const { tongs } = shell()
    for (const [path, code] of [
      ["/moved?key=canary", 0],
      ["/missing?key=canary", 4],
      ["/broken?key=canary", 1]
    ] as const) {
      // pairs
      const ran = await tongs(["api", path, "--url", url, "--otlp", to.url], { env: secrets })
      expect([path, ran.code, ran.stderr.includes("ghp_")]).toEqual([path, code, false])
    }
    const body = ["-f", "password=canary"]
    await tongs(["api", "POST", "/hooks", ...body, "--url", url, "--otlp", to.url], { env: secrets })
    await tongs(["users", "me", "--url", "http://canary@127.0.0.1:1/?key=canary", "--otlp", to.url], { env: secrets })
    expect(to.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["GET /moved", "GET /missing", "GET /broken", "POST /hooks"])
    )
    expect(to.spans.find(({ name }) => name === "GET /missing")?.status.code).toBe(2)
    expect(to.output().includes("canary")).toBe(false)
  })

  it("covers the embedded forge, without its owner's token and signed URLs", async () => {
    const to = await collector()
    const { home, tongs } = shell()
    const repository = join(home, "hello")
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", repository])
    const at = ["--repos", repository, "--data", join(home, "data")]
    const overview = await tongs(["--plain", ...at, "--otlp", to.url])
    expect([overview.code, overview.stderr]).toEqual([0, ""])
    const artifact = await tongs(["artifacts", "upload", repository, "--name", "report", ...at, "--json"])
    const { id } = JSON.parse(artifact.stdout.toString())
    const saved = await tongs(["artifacts", "download", String(id), "-o", "report.zip", ...at, "--otlp", to.url])
    expect(saved.stderr).toContain("verified")
    expect(to.spans.map(({ name }) => name)).toContain("GET (file)")
    expect(/signature=|bearer/i.test(to.output())).toBe(false)
  })

  inLongTests(() => {
    it("to an unreachable or silent collector only adds one line", async () => {
      const url = await forge()
      const silent = await httpServer(() => {})
      const broken = await httpServer((_, __, response) => response.writeHead(500).end("canary"))
      const { tongs } = shell()
      const run = (...flags: ReadonlyArray<string>) => tongs(["users", "me", "--json", "--url", url, ...flags])
      const without = await run()
      for (const [otlp, why] of [
        ["http://127.0.0.1:1", "connect ECONNREFUSED 127.0.0.1:1"],
        ["http://user:canary@collector.invalid:4318", expect.any(String)],
        [silent, "no response"],
        [broken, "status 500"]
      ] as const) {
        // pairs
        const ran = await run("--otlp", otlp)
        const [, host, output] = /^tongs: cannot send traces and metrics to (\S+): (.+)\.\n$/.exec(ran.stderr) ?? []
        expect([ran.code, ran.stdout, host, output]).toEqual([0, without.stdout, new URL(otlp).host, why])
        expect(ran.stderr).not.toContain("canary")
      }
      const missing = await tongs(["api", "/missing", "--url", url, "--otlp", silent])
      expect([missing.code, missing.stderr.split("\n")]).toEqual([
        4,
        [expect.stringContaining("cannot send traces"), expect.stringContaining("GET /missing"), ""]
      ])
      const tracesAlone = await httpServer(({ url }, _, response) =>
        response.writeHead(url === "/v1/traces" ? 200 : 404).end("{}")
      )
      expect(await run("--otlp", tracesAlone)).toEqual(without)
      for (const wrong of ["collector", "http://[collector"]) {
        const ran = await run("--otlp", wrong)
        expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(`"${wrong}" is not the URL`)])
      }
    })
  })

  it("sends no secrets of a forge's callers", async () => {
    const to = await collector()
    const root = temporaryFolder()
    const path = join(root, "repos", "hello")
    git(root, ["init", "--quiet", "--initial-branch=main", path])
    commit(path, { "a.txt": "one\n" }, "first")
    const serving = await serve(root, "--otlp", to.url)
    const { token, url } = serving
    const { json: me } = await request(serving, "GET", "/user?access_token=canary")
    const base = `/repos/${me.login}/hello`
    const config = { url: "https://canary:canary@127.0.0.1:9/canary?key=canary", secret: "canary" }
    await request(serving, "POST", `${base}/hooks`, { config, events: ["*"] })
    await request(serving, "POST", `${base}/git/blobs`, { content: "canary", encoding: "utf-8" })
    await request(serving, "POST", `${base}/git/refs`, { ref: "refs/heads/canary", sha: "canary" })
    await request(serving, "POST", "/user/keys", { key: "ssh-rsa canary" })
    // A client that forgets to seal a secret.
    const { json: key } = await request(serving, "GET", `${base}/actions/secrets/public-key`)
    for (const encrypted_value of ["canary", btoa("canary")]) {
      const unsealed = { key_id: key.key_id, encrypted_value }
      const refused = await request(serving, "PUT", `${base}/actions/secrets/TOKEN`, unsealed)
      expect([refused.status, JSON.stringify(refused.json)]).toEqual([
        422,
        expect.not.stringMatching(/canary|Y2FuYXJ5/)
      ])
    }
    await request(serving, "GET", "/search/code?q=canary")
    await fetch(`${url}/_artifacts/1/1/a.zip?expires=1&signature=canary`)
    for (const authorization of ["Bearer canary", "token canary", `Basic ${btoa("canary:canary")}`]) {
      await fetch(`${url}/user`, { headers: { authorization, cookie: "a=canary", "x-secret": "canary" } })
    }
    await fetch(`${url}/user`, { method: "POST", headers: { authorization: `Bearer ${token}` }, body: "{canary" })
    await serving.kill("SIGTERM")
    expect(to.spans.filter((one) => one.name === "GET" || one.name === "POST").length).toBeGreaterThanOrEqual(10)
    expect(to.output()).not.toMatch(/canary|Y2FuYXJ5/)
    expect(to.output()).not.toContain(token)
  })
})
