/** Runs `emulate` with the same data as `ServiceFixture.ts`. */
import { createEmulator } from "emulate"
import * as Schema from "effect/Schema"
import { respond } from "../ForkedWorker.ts"
import { counts, type EmulatorInfo } from "./ServiceFixture.ts"

const OWNER = "octo"

/** `emulate` always limits a token to 5,000 requests per hour, so the load uses many. */
const tokens = Array.from({ length: 500 }, (_, index) => `bench-${index}`)

const Shas = Schema.Struct({ sha: Schema.String, tree: Schema.Struct({ sha: Schema.String }) })
const decodeCommit = Schema.decodeUnknownPromise(Shas)
const decodeRef = Schema.decodeUnknownPromise(Schema.Struct({ object: Schema.Struct({ sha: Schema.String }) }))

const fill = async (url: string) => {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${url}/repos/${OWNER}/bench${path}`, {
      method,
      headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json()
  }
  const main = await decodeRef(await call("GET", "/git/ref/heads/main"))
  let head = await decodeCommit(await call("GET", `/git/commits/${main.object.sha}`))
  for (let index = 1; index < counts.commits; index++) {
    const author = {
      name: "Ada",
      email: "ada@example.com",
      date: new Date(1_700_000_000_000 + index * 60_000).toISOString()
    }
    const message = `Change ${index} of the file\n\nWith a body, as commits have one.\n`
    head = await decodeCommit(
      await call("POST", "/git/commits", { message, tree: head.tree.sha, parents: [head.sha], author })
    )
  }
  await call("PATCH", "/git/refs/heads/main", { sha: head.sha })
  for (let index = 1; index < counts.branches; index++) {
    await call("POST", "/git/refs", { ref: `refs/heads/branch-${index}`, sha: head.sha })
  }
  return head.sha
}

respond(async () => {
  const names = ["bench", ...Array.from({ length: counts.repositories - 1 }, (_, index) => `other-${index}`)]
  const emulator = await createEmulator({
    service: "github",
    port: 0,
    seed: {
      tokens: Object.fromEntries(tokens.map((token) => [token, { login: OWNER, scopes: ["repo", "user"] }])),
      github: { users: [{ login: OWNER }], repos: names.map((name) => ({ owner: OWNER, name, auto_init: true })) }
    }
  })
  return { url: emulator.url, owner: OWNER, sha: await fill(emulator.url), tokens } satisfies typeof EmulatorInfo.Type
})
