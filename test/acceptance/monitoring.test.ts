/** Health checks and metrics of a process. */
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { expect, it } from "vitest"
import { parse } from "@tongs/service/http/OpenMetrics.test-support"
import { serve, serveCommits, temporaryFolder, git, request } from "./ForgeProcess.test-support.ts"

const tokenOf = (root: string) => readFileSync(join(root, "data", "metrics-token"), "utf8").trim()

const get = (url: string, path: string, token?: string) =>
  fetch(`${url}${path}`, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } })

/** Sends requests of all kinds, and returns the metrics afterwards. */
const measured = async () => {
  const { base, root, serving } = await serveCommits(5)
  for (let count = 0; count < 3; count++) await request(serving, "GET", base)
  await request(serving, "POST", `${base}/issues`, { title: "One" })
  await request(serving, "GET", "/repos/secret-owner/secret-name")
  await request(serving, "GET", "/secret-path")
  await request(serving, "POST", "/graphql", { query: "{ viewer { login } }" })
  const clone = join(root, "clone")
  git(root, ["clone", "--quiet", serving.url.replace("//", `//x:${serving.token}@`) + `${base.slice(6)}.git`, clone])
  const response = await get(serving.url, "/metrics", tokenOf(root))
  expect(response.status).toBe(200)
  return { response, root, serving, text: await response.text(), type: response.headers.get("content-type") }
}

it("answers /metrics with OpenMetrics, without names of repositories and people", async () => {
  const { root, serving, text, type } = await measured()
  expect(type).toBe("application/openmetrics-text; version=1.0.0; charset=utf-8")
  const families = parse(text)
  const requests = Object.fromEntries(families.get("tongs_http_requests")?.samples ?? [])
  const of = (operation: string, status: string) =>
    requests[`tongs_http_requests_total{operation="${operation}",status="${status}"}`]
  expect(of("repos/get", "2xx")).toBe(3)
  expect(of("repos/get", "4xx")).toBe(1)
  expect(of("issues/create", "2xx")).toBe(1)
  expect(of("other", "4xx")).toBe(1)
  expect(of("graphql", "2xx")).toBe(1)
  expect(of("git-upload-pack", "2xx")).toBeGreaterThanOrEqual(2)
  expect(text).not.toMatch(/secret|long|x-access|clone/)
  expect([...families.keys()].filter((name) => name.startsWith("tongs_cluster"))).toEqual([])
  expect(families.get("tongs_code_index_repositories")?.samples.size).toBe(5)
  expect(families.get("process_cpu_seconds")?.samples.get("process_cpu_seconds_total")).toBeGreaterThan(0)
  for (const token of [undefined, "", "wrong", serving.token]) {
    const refused = await get(serving.url, "/metrics", token)
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="metrics"'])
  }
  expect(statSync(join(root, "data", "metrics-token")).mode & 0o777).toBe(0o600)
  // The token grants nothing else.
  expect((await get(serving.url, "/user", tokenOf(root))).status).toBe(401)
})

/** The client library of Prometheus for Python (`pip install prometheus-client`). */
const hasPrometheusClient = spawnSync("python3", ["-c", "import prometheus_client.openmetrics.parser"]).status === 0

it.skipIf(!hasPrometheusClient)("prints metrics that Prometheus's own parser reads", async () => {
  const { text } = await measured()
  const program = `
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
for family in text_string_to_metric_families(sys.stdin.read()):
    print(family.name)
`
  const { status, stderr, stdout } = spawnSync("python3", ["-c", program], { input: text, encoding: "utf8" })
  expect([status, stderr]).toEqual([0, ""])
  expect(stdout.trim().split("\n")).toEqual([...parse(text).keys()])
})

it("answers health checks of anyone, and refuses writes to them", async () => {
  const { serving } = await serveCommits(1)
  for (const path of ["/livez", "/readyz", "/readyz?verbose"]) {
    const response = await get(serving.url, path)
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect(await response.json()).toMatchObject({ status: "ok" })
    expect(await (await fetch(`${serving.url}${path}`, { method: "HEAD" })).text()).toBe("")
  }
  expect((await fetch(`${serving.url}/readyz`, { method: "POST" })).status).toBe(405)
  for (const path of ["/livez/", "/readyzz", "/api/v3/livez"])
    expect((await get(serving.url, path)).status).not.toBe(200)
})

it("is not ready without its data folder, and ready again with it", async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const serving = await serve(root)
  const readiness = async () => {
    await pause(1_100)
    const response = await get(serving.url, "/readyz")
    return [response.status, await response.json()]
  }
  renameSync(join(root, "data"), join(root, "moved"))
  expect(await readiness()).toEqual([503, { status: "unavailable", failing: ["data"] }])
  expect((await get(serving.url, "/livez")).status).toBe(200)
  renameSync(join(root, "moved"), join(root, "data"))
  expect(await readiness()).toEqual([200, { status: "ok", failing: [] }])
})
