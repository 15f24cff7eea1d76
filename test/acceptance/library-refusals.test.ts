/**
 * Requests and failures that `@tongs/client` and Octokit refuse or catch: the rows of the table in
 * `docs/guides/library.md`, run with both.
 */
import { readFileSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { join } from "node:path"
import { retry } from "@octokit/plugin-retry"
import { throttling } from "@octokit/plugin-throttling"
import { Octokit as Rest } from "@octokit/rest"
import { createForge } from "@tongs/client"
import { assert, expect, expectTypeOf, it } from "vitest"
import { httpServer, sendJson } from "./TongsCommand.test-support.ts"

const Octokit = Rest.plugin(throttling, retry)

type Forge = ReturnType<typeof createForge>

const makeOctokit = (baseUrl: string) =>
  new Octokit({
    baseUrl,
    auth: "secret",
    log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    throttle: { onRateLimit: () => true, onSecondaryRateLimit: () => true }
  })

interface Answer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface Outcome {
  /** Members of the result, or the name of the error. */
  readonly result: unknown
  /** Received requests: `first` is the host of the client, `other` another one. */
  readonly requests: ReadonlyArray<string>
}

interface Case {
  /** The row of the guide: the situation, this library, Octokit. */
  readonly row: readonly [situation: string, tongs: string, octokit: string]
  /** The answer to the `count`th request of the first host. */
  readonly answer: (count: number, other: string) => Answer
  readonly tongs: (forge: Forge) => Promise<unknown>
  readonly octokit: (octokit: InstanceType<typeof Octokit>) => Promise<unknown>
  readonly expected: { readonly tongs: Partial<Outcome>; readonly octokit: Partial<Outcome> }
}

const sha = "a".repeat(40)
const branch = { name: "main", commit: { sha, url: "http://forge.example/commit" }, protected: false }
const ref = { ref: "refs/heads/new", node_id: "x", url: "http://forge.example/ref", object: { type: "commit", sha } }
const web = { owner: "acme", repo: "web" }
const getBranch = {
  tongs: async (forge: Forge) => (await forge.branches.get({ ...web, branch: "main" })).name,
  octokit: async (octokit: InstanceType<typeof Octokit>) =>
    (await octokit.rest.repos.getBranch({ ...web, branch: "main" })).data.name
}
const createRef = {
  tongs: async (forge: Forge) => (await forge.gitRefs.create({ ...web, ref: ref.ref, sha })).ref,
  octokit: async (octokit: InstanceType<typeof Octokit>) =>
    (await octokit.rest.git.createRef({ ...web, ref: ref.ref, sha })).data.ref
}
const GET = "first GET /repos/acme/web/branches/main with token"
const POST = "first POST /repos/acme/web/git/refs with token"

const cases: ReadonlyArray<Case> = [
  {
    row: [
      "A parameter of the path is missing at run time",
      "fails, sends nothing",
      "sends `GET /repos/acme/web/branches`, and returns the list as a branch"
    ],
    answer: () => ({ body: [branch] }),
    tongs: (forge) => forge.branches.get(JSON.parse(JSON.stringify(web))),
    octokit: async (octokit) => (await octokit.rest.repos.getBranch(JSON.parse(JSON.stringify(web)))).data,
    expected: {
      tongs: { result: "ValidationFailed", requests: [] },
      octokit: { result: [branch], requests: ["first GET /repos/acme/web/branches with token"] }
    }
  },
  {
    row: [
      "A parameter of the path is `..`",
      "fails, sends nothing",
      "sends a request of another route, `GET /repos/branches/main`"
    ],
    answer: () => ({ body: branch }),
    tongs: (forge) => forge.branches.get({ ...web, repo: "..", branch: "main" }),
    octokit: (octokit) => octokit.rest.repos.getBranch({ ...web, repo: "..", branch: "main" }),
    expected: {
      tongs: { result: "ValidationFailed", requests: [] },
      octokit: { requests: ["first GET /repos/branches/main with token"] }
    }
  },
  {
    row: ["The answer is a branch without a name", "fails: `UnexpectedResponse`", "returns it"],
    answer: () => ({ body: { protected: false } }),
    ...getBranch,
    expected: { tongs: { result: "UnexpectedResponse" }, octokit: { result: undefined, requests: [GET] } }
  },
  {
    row: ["The answer is a page of HTML with status 200", "fails: `UnexpectedResponse`", "returns its text"],
    answer: () => ({ headers: { "content-type": "text/html" }, body: "<p>Sign in</p>" }),
    tongs: getBranch.tongs,
    octokit: async (octokit) => (await octokit.rest.repos.getBranch({ ...web, branch: "main" })).data,
    expected: { tongs: { result: "UnexpectedResponse" }, octokit: { result: "<p>Sign in</p>" } }
  },
  {
    row: ["A `GET` gets a 502", "repeats it", "repeats it"],
    answer: (count) => (count === 1 ? { status: 502 } : { body: branch }),
    ...getBranch,
    expected: { tongs: { result: "main", requests: [GET, GET] }, octokit: { result: "main", requests: [GET, GET] } }
  },
  {
    row: ["A `POST` gets a 502", "fails: the forge may have done it", "repeats it"],
    answer: (count) => (count === 1 ? { status: 502 } : { status: 201, body: ref }),
    ...createRef,
    expected: {
      tongs: { result: "ServiceFailed", requests: [POST] },
      octokit: { result: ref.ref, requests: [POST, POST] }
    }
  },
  {
    row: ["A secondary limit refuses a request, with `retry-after`", "waits, and repeats it", "waits, and repeats it"],
    answer: (count) =>
      count === 1
        ? {
            status: 403,
            headers: { "retry-after": "1" },
            body: { message: "You have exceeded a secondary rate limit" }
          }
        : { body: branch },
    ...getBranch,
    expected: { tongs: { result: "main", requests: [GET, GET] }, octokit: { result: "main", requests: [GET, GET] } }
  },
  {
    row: ["The next page of a list is on another host", "fails: `UntrustedLink`", "requests it, **with the token**"],
    answer: (_, other) => ({ body: [branch], headers: { link: `<${other}/next>; rel="next"` } }),
    tongs: async (forge) => {
      const names: Array<string> = []
      for await (const { name } of forge.branches.list(web, { limit: 10 })) names.push(name)
      return names
    },
    octokit: async (octokit) => (await octokit.paginate(octokit.rest.repos.listBranches, web)).length,
    expected: {
      tongs: { result: "UntrustedLink", requests: ["first GET /repos/acme/web/branches with token"] },
      octokit: { requests: ["first GET /repos/acme/web/branches with token", "other GET /next with token"] }
    }
  },
  {
    row: ["A `GET` is redirected to another host", "follows without the token", "follows without the token"],
    answer: (_, other) => ({ status: 301, headers: { location: `${other}/next` } }),
    ...getBranch,
    expected: {
      tongs: { result: "main", requests: [GET, "other GET /next without token"] },
      octokit: { result: "main", requests: [GET, "other GET /next without token"] }
    }
  },
  {
    row: [
      "A `POST` is redirected (307) to another host",
      "fails, sends the body to no other host",
      "sends the body there"
    ],
    answer: (_, other) => ({ status: 307, headers: { location: `${other}/next` } }),
    ...createRef,
    expected: {
      tongs: { result: "UnexpectedResponse", requests: [POST] },
      octokit: { requests: [POST, "other POST /next without token"] }
    }
  }
]

/** Runs a case with one client, on two hosts. */
const outcome = async ({ answer }: Case, run: (url: string) => Promise<unknown>): Promise<Outcome> => {
  const requests: Array<string> = []
  const record = (host: string, request: IncomingMessage) => {
    const token = request.headers.authorization === undefined ? "without" : "with"
    requests.push(`${host} ${request.method ?? ""} ${(request.url ?? "").split("?")[0] ?? ""} ${token} token`)
  }
  const listener = await httpServer((request, _, response) => {
    record("other", request)
    sendJson(response, 200, request.url?.startsWith("/next") === true && request.method === "GET" ? branch : ref)
  })
  const other = listener.replace("127.0.0.1", "localhost")
  const first = await httpServer((request, _, response) => {
    record("first", request)
    const { body = {}, headers, status = 200 } = answer(requests.length, other)
    const text = typeof body === "string" ? body : JSON.stringify(body)
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(text)
  })
  const result = await run(first).catch((error: unknown) => (error instanceof Error ? error.name : error))
  return { result, requests }
}

const guide = readFileSync(join(import.meta.dirname, "../../docs/guides/library.md"), "utf8")

it.each(cases)("$row.0", { timeout: 60_000 }, async (one) => {
  const [situation, tongs, octokit] = one.row
  assert.include(guide, `| ${situation} | ${tongs} | ${octokit} |`)
  expect(await outcome(one, (url) => one.tongs(createForge({ baseUrl: url, auth: "secret" })))).toMatchObject(
    one.expected.tongs
  )
  expect(await outcome(one, (url) => one.octokit(makeOctokit(url)))).toMatchObject(one.expected.octokit)
})

it("The rate limit is spent", { timeout: 60_000 }, async () => {
  assert.include(guide, "| The rate limit is spent | waits until it is renewed | sends the request |")
  const earlyRequests = async (read: (url: string) => Promise<unknown>) => {
    let reset = 0
    let early = 0
    const url = await httpServer((_request, _body, response) => {
      if (reset === 0) reset = Math.floor(Date.now() / 1000) + 3
      else if (Date.now() < reset * 1000) early += 1
      const limit = { limit: "60", remaining: "0", used: "60", resource: "core", reset: String(reset) }
      for (const [name, value] of Object.entries(limit)) response.setHeader(`x-ratelimit-${name}`, value)
      sendJson(response, 200, branch)
    })
    await read(url)
    return early
  }
  const tongs = await earlyRequests(async (url) => {
    const forge = createForge({ baseUrl: url, auth: "secret" })
    await getBranch.tongs(forge)
    await forge.branches.get({ ...web, branch: "dev" })
  })
  const octokit = await earlyRequests(async (url) => {
    const client = makeOctokit(url)
    await getBranch.octokit(client)
    await client.rest.repos.getBranch({ ...web, branch: "dev" })
  })
  assert.deepStrictEqual({ tongs, octokit }, { tongs: 0, octokit: 1 })
})

it("The compiler", () => {
  assert.include(guide, "| The data of a route that nobody described | `unknown` | `any` |")
  assert.include(guide, "| A parameter is missing in TypeScript | type error | type error |")
  const check = async (forge: Forge, octokit: InstanceType<typeof Octokit>) => {
    // @ts-expect-error -- `branch` is missing
    await forge.branches.get(web)
    // @ts-expect-error -- `branch` is missing
    await octokit.rest.repos.getBranch(web)
    expectTypeOf((await forge.request("GET /nothing")).data).toBeUnknown()
    expectTypeOf((await octokit.request("GET /nothing")).data).toBeAny()
  }
  assert.isFunction(check)
})
