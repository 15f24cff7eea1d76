/**
 * Writes to a forge over one kept-alive connection, or reads from the forge during writes, and returns the durations.
 */
import { Agent, request } from "node:http"
import { setTimeout } from "node:timers/promises"
import * as Schema from "effect/Schema"
import { respond } from "../ForkedWorker.ts"
import { median, quantile } from "../Statistics.ts"
import { WriteLoad, type WriteSample } from "./WriteSample.ts"

const decode = Schema.decodeUnknownPromise(WriteLoad)
const decodeCommit = Schema.decodeUnknownPromise(
  Schema.Struct({ sha: Schema.String, tree: Schema.Struct({ sha: Schema.String }) })
)
const decodeIssue = Schema.decodeUnknownPromise(Schema.Struct({ number: Schema.Int }))

const agent = new Agent({ keepAlive: true })

/** The next number for a name, unique in this process. */
let count = 0

/** Connections that read beside the writes, and milliseconds between the starts of two writes. */
const READERS = 4
const WRITE_INTERVAL = 50

const sampleOf = (durations: ReadonlyArray<number>): typeof WriteSample.Type => ({
  p50: median(durations),
  p90: quantile(durations, 0.9),
  p99: quantile(durations, 0.99)
})

const repeat = async (times: number, run: () => Promise<unknown>) => {
  const durations: Array<number> = []
  for (let at = 0; at < times; at++) durations.push(await timed(run))
  return sampleOf(durations)
}

const timed = async (run: () => Promise<unknown>) => {
  const started = performance.now()
  await run()
  return performance.now() - started
}

respond(async (question) => {
  const { milliseconds, operation, owner, sha, times, tokens, url } = await decode(question)
  const { hostname, port } = new URL(url)

  const call = (method: string, path: string, body?: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${tokens[count++ % tokens.length]}`,
        "user-agent": "bench",
        ...(body === undefined ? {} : { "content-type": "application/json" })
      }
      const sent = request({ agent, hostname, port, method, headers, path }, (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (part: string) => (text += part))
        response.on("end", () => {
          const { statusCode = 0 } = response
          if (statusCode >= 200 && statusCode < 300) resolve(text === "" ? undefined : JSON.parse(text))
          else reject(new Error(`${method} ${path}: ${statusCode} ${text.slice(0, 200)}`))
        })
        response.on("error", reject)
      })
      sent.on("error", reject).end(body === undefined ? undefined : JSON.stringify(body))
    })

  const git = `/repos/${owner}/bench/git`
  const head = await decodeCommit(await call("GET", `${git}/commits/${sha}`))
  const author = { name: "Ada", email: "ada@example.com", date: "2024-01-01T00:00:00Z" }
  const createCommit = async (parent: string) =>
    decodeCommit(
      await call("POST", `${git}/commits`, {
        message: `Change ${count++}`,
        tree: head.tree.sha,
        parents: [parent],
        author
      })
    )
  const createRef = (ref: string, to: string) => call("POST", `${git}/refs`, { ref: `refs/heads/${ref}`, sha: to })

  const issues = `/repos/${owner}/bench/issues`
  const createIssue = () => {
    const number = count++
    const labels = [`label-${number % 3}`]
    return call("POST", issues, { title: `New ${number}`, body: "It is dark.", labels, assignees: [owner] })
  }

  switch (operation) {
    case "create a ref":
      return repeat(times, () => createRef(`new-${count++}`, sha))
    case "create a commit":
      return repeat(times, () => createCommit(sha))
    case "update a ref": {
      const name = `moved-${count++}`
      await createRef(name, sha)
      const chain = [sha]
      for (let at = 0; at < times; at++) chain.push((await createCommit(chain[at] ?? "")).sha)
      let at = 0
      return repeat(times, () => call("PATCH", `${git}/refs/heads/${name}`, { sha: chain[++at] }))
    }
    case "delete a ref": {
      const names = Array.from({ length: times }, () => `gone-${count++}`)
      for (const name of names) await createRef(name, sha)
      return repeat(times, () => call("DELETE", `${git}/refs/heads/${names.pop()}`))
    }
    case "create an issue":
      return repeat(times, createIssue)
    case "comment on an issue": {
      const { number } = await decodeIssue(await createIssue())
      return repeat(times, () => call("POST", `${issues}/${number}/comments`, { body: `Still dark ${count++}` }))
    }
    case "30 issues after a comment": {
      const durations: Array<number> = []
      for (let at = 0; at < times; at++) {
        await call("POST", `${issues}/2/comments`, { body: `Still dark ${count++}` })
        durations.push(await timed(() => call("GET", `${issues}?per_page=30`)))
      }
      return sampleOf(durations)
    }
    case "a read beside writes": {
      const end = performance.now() + milliseconds
      const write = async () => {
        while (performance.now() < end) {
          const taken = await timed(() => createRef(`beside-${count++}`, sha))
          await setTimeout(Math.max(0, WRITE_INTERVAL - taken))
        }
      }
      const durations: Array<number> = []
      const paths = [
        `/repos/${owner}/bench/branches?per_page=30&n=`,
        `/repos/${owner}/bench/commits?per_page=30&n=`,
        `${git}/ref/heads/main?n=`
      ]
      const read = async () => {
        while (performance.now() < end) {
          durations.push(await timed(() => call("GET", `${paths[count % paths.length]}${count}`)))
        }
      }
      await Promise.all([write(), ...Array.from({ length: READERS }, read)])
      return sampleOf(durations)
    }
  }
})
