/** Programs that use the published libraries, in projects outside of this workspace. */

/** Uses the types of `@tongs/client`: entry points, groups, resources, failures, and GitHub's routes. */
export const TYPED_CLIENT = `import { type Commit, createForge, type Failure, NotFound, type Repository } from "@tongs/client"
import { environment } from "@tongs/client/node"
import { redis } from "@tongs/client/redis"
import { sqlite } from "@tongs/client/sqlite"
import { parse } from "@tongs/client/webhooks"

export const entryPoints = [environment, redis, sqlite, parse]
export const forge = createForge({ baseUrl: "https://forge.test", auth: "token" })
const at = { owner: "octo", repo: "hello" }
export const read = async () => {
  const repository: Repository = await forge.repositories.get(at)
  const name: string = repository.full_name
  const commit: Commit = await forge.commits.get({ ...at, ref: "main" })
  for await (const { sha } of forge.commits.list({ ...at, since: new Date() }, { limit: 3 })) sha.toUpperCase()
  const { data } = await forge.request("GET /repos/{owner}/{repo}/issues", { ...at, state: "open" })
  const titles: ReadonlyArray<string> = data.map(({ title }) => title)
  return { name, sha: commit.sha, titles }
}
export const adviceOf = (error: unknown) => (error instanceof NotFound ? error.acceptedScopes : [])
export const untilOf = (failure: Failure) => (failure._tag === "RateLimited" ? failure.until : undefined)
// @ts-expect-error -- the name of a repository is a string
export const wrong: (repository: Repository) => number = ({ full_name }) => full_name
// @ts-expect-error -- the reference is missing
export const incomplete = () => forge.gitRefs.get(at)
`

/** Uses the types of `@tongs/core` with Effect. */
export const TYPED_CORE = `import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import { Forge, Scheduler } from "@tongs/core"

const live = Layer.provide(Forge.layer({ baseUrl: "https://forge.test" }), [FetchHttpClient.layer, Scheduler.layerMemory])
export const sha: Effect.Effect<string, Error> = Forge.use((forge) =>
  forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/main" })
).pipe(Effect.map(({ object }) => object.sha), Effect.provide(live))
// @ts-expect-error -- the reference is missing
export const incomplete = Forge.use((forge) => forge.gitRefs.get({ owner: "octo", repo: "hello" }))
`

/** Reads from a forge that is a function, and prints a response and a failure. */
const USE = `const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
const fetch = async (input) => {
  const { pathname } = new URL(input instanceof Request ? input.url : String(input))
  return pathname.endsWith("/languages") ? json({ Go: 1 }) : json({ message: "Not Found" }, 404)
}
const main = async () => {
  const forge = createForge({ baseUrl: "https://forge.test", fetch })
  const { data } = await forge.request("GET /repos/{owner}/{repo}/languages", { owner: "octo", repo: "hello" })
  const failure = await forge.gitRefs.get({ owner: "octo", repo: "hello", ref: "heads/none" }).catch((error) => error)
  await forge.close()
  return JSON.stringify([data, failure instanceof NotFound])
}
`

/** The same program as a module of each kind. */
export const runningClient = {
  "program.js": `import { createForge, NotFound } from "@tongs/client"\n${USE}console.log(await main())\n`,
  "program.cjs": `const { createForge, NotFound } = require("@tongs/client")\n${USE}void main().then(console.log)\n`,
  "page.js": `import { createForge, NotFound } from "@tongs/client"\n${USE}document.title = await main()\n`,
  "index.html": `<!doctype html><script type="module" src="/page.js"></script>\n`
}

export const RESULT = `[{"Go":1},true]`
