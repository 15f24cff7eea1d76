/**
 * Sends a mix of reads, writes and searches to the processes of a forge, on each connection the next request after a
 * complete response. Each request goes to the next process, as behind a balancer. Returns the durations.
 */
import { Agent, request } from "node:http"
import * as Schema from "effect/Schema"
import { respond } from "../ForkedWorker.ts"
import * as LatencySample from "../LatencySample.ts"

const Load = Schema.Struct({
  urls: Schema.Array(Schema.String),
  token: Schema.String,
  owner: Schema.String,
  /** Repositories with the same commit. */
  repositories: Schema.Array(Schema.String),
  sha: Schema.String,
  connections: Schema.Int,
  milliseconds: Schema.Finite
})
const decode = Schema.decodeUnknownPromise(Load)

const agent = new Agent({ keepAlive: true })

/** Numbers new things, unique for the forges of this worker. */
let count = 0

interface Operation {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: object
}

/** The mix: of ten requests two write and one searches. */
const operationOf = (owner: string, repository: string, sha: string, n: number): Operation => {
  const base = `/repos/${owner}/${repository}`
  const mix: ReadonlyArray<Operation> = [
    { method: "GET", path: base },
    { method: "GET", path: `${base}/git/ref/heads/main?n=${n}` },
    { method: "GET", path: `${base}/branches?per_page=30` },
    { method: "POST", path: `${base}/issues`, body: { title: `Issue ${n}`, body: "A text" } },
    { method: "GET", path: `${base}/issues?per_page=30` },
    { method: "GET", path: `${base}/commits?per_page=10&n=${n}` },
    { method: "GET", path: "/user/repos?per_page=30" },
    { method: "POST", path: `${base}/git/refs`, body: { ref: `refs/heads/new-${n}`, sha } },
    { method: "GET", path: `${base}/contents/?n=${n}` },
    { method: "GET", path: `/search/issues?q=${encodeURIComponent(`text repo:${owner}/${repository}`)}` }
  ]
  return mix[n % mix.length] ?? { method: "GET", path: base }
}

respond(async (question) => {
  const { connections, milliseconds, owner, repositories, sha, token, urls } = await decode(question)
  const send = (url: string, { body, method, path }: Operation) =>
    new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(url)
      const headers = {
        authorization: `Bearer ${token}`,
        "user-agent": "bench",
        ...(body === undefined ? {} : { "content-type": "application/json" })
      }
      const sent = request({ agent, hostname, port, method, headers, path }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (part: string) => (text += part))
        response.on("error", reject).on("end", () => {
          const { statusCode = 0 } = response
          if (statusCode >= 200 && statusCode < 300) resolve()
          else reject(new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 200)}`))
        })
      })
      sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
    })
  const durations: Array<number> = []
  const started = performance.now()
  const connection = async () => {
    while (performance.now() - started < milliseconds) {
      const n = count++
      const begun = performance.now()
      const repository = repositories[n % repositories.length] ?? ""
      await send(urls[n % urls.length] ?? "", operationOf(owner, repository, sha, n))
      durations.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, connection))
  return LatencySample.make(durations, performance.now() - started)
})
