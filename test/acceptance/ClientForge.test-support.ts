/** A forge for third-party clients, in the github dialect. A proxy records the operations that the clients complete. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { type CatalogEntry, entries } from "@tongs/core/contract/Catalog"
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import { pathOf } from "@tongs/core/contract/Dialect"
import { write } from "../conformance/ConformanceFixture.test-support.ts"
import * as SealedSecrets from "../conformance/SealedSecrets.test-support.ts"
import { type ForgeProcess, type JsonResponse, request, serve, temporaryFolder } from "./ForgeProcess.test-support.ts"
import { startProxy } from "./ForwardingProxy.test-support.ts"
import { TIMEOUT, httpServer } from "./TongsCommand.test-support.ts"

/** The parameters whose values can contain slashes. */
const long = new Set(["path", "ref", "basehead", "branch"])

/** Operations with path patterns, first the paths with the most literal segments. */
const routes = entries
  .filter(({ operation }) => !operation.extension)
  .flatMap((entry) => {
    const { alsoAt } = entry.operation
    return [pathOf("github", entry), ...(alsoAt === undefined ? [] : [alsoAt])].map((path) => ({ entry, path }))
  })
  .map(({ entry, path }) => {
    const segments = path.split("/").filter(Boolean)
    const patterns = segments.map((segment) => (segment.startsWith(":") ? parameterPattern(segment) : segment))
    const literals = segments.filter((segment) => !segment.startsWith(":")).length
    return { entry, literals, pattern: new RegExp(`^(?:/api/(?:v3|uploads))?/${patterns.join("/")}/?$`) }
  })
  .toSorted((one, other) => other.literals - one.literals)

function parameterPattern(segment: string): string {
  return long.has(segment.slice(1)) ? ".+" : "[^/]+"
}

const operationOf = (method: string, url: string): CatalogEntry | undefined => {
  const [address = ""] = url.split("?")
  // Some clients send paths with the id of the repository.
  const path = address.replace(/^(\/api\/v3)?\/repositories\/\d+(?=\/)/, "$1/repos/owner/repo")
  return routes.find(({ entry, pattern }) => entry.endpoint.method === method && pattern.test(path))?.entry
}

/** Adds the people of `people.json` to a fixture file. Their owner `vera` has an own budget of writes in a minute. */
const addPeople = (file: string) => {
  const read = (path: string): Readonly<Record<string, ReadonlyArray<unknown>>> =>
    JSON.parse(readFileSync(path, "utf8"))
  const world = read(file)
  const people = Object.entries(read(join(import.meta.dirname, "clients", "people.json")))
  const sections = people.map(([name, rows]) => [name, [...(world[name] ?? []), ...rows]])
  writeFileSync(file, JSON.stringify({ ...world, ...Object.fromEntries(sections) }))
}

/** Creates one delivery for each hook, and waits for the deliveries and the search index. */
const prepare = async (forge: ForgeProcess) => {
  const owner = { ...forge, token: "olive" }
  const eventually = (path: string, check: (json: JsonResponse["json"]) => boolean) =>
    expect.poll(async () => check((await request(owner, "GET", path)).json), { timeout: TIMEOUT }).toBe(true)
  for (const hook of ["/repos/harbor/hello/hooks/1", "/orgs/harbor/hooks/2"]) {
    await request(owner, "POST", `${hook}/pings`)
    await eventually(`${hook}/deliveries`, ([delivery]) => delivery?.status_code === 200)
  }
  const isIndexed = ({ state }: IndexedRepository) => state !== "waiting" && state !== "indexing"
  await eventually("/tongs/index", ({ repositories }) => repositories.every(isIndexed))
}

/**
 * Starts a forge with the conformance fixture and the people of the clients, indexed. `completed` returns the names of
 * all operations that had a success so far, for example `gitRefs.get`; `failed` returns the lines of all responses with
 * 500 and above.
 */
export const serveClients = async (...flags: ReadonlyArray<string>) => {
  const root = temporaryFolder()
  mkdirSync(join(root, "repos"))
  const receiver = await httpServer((_, __, response) => response.end())
  const world = write(root, receiver)
  addPeople(world.file)
  const forge = await serve(
    root,
    "--dialect",
    "github",
    "--fixtures",
    world.file,
    "--limits",
    "spec",
    "--allow-local-webhooks",
    "--search-deadline",
    "60000",
    ...flags
  )
  await prepare(forge)
  const get = (path: string) => Effect.promise(() => request({ ...forge, token: "olive" }, "GET", path))
  const sealed = await Effect.runPromise(SealedSecrets.make(get))
  const completed = new Set<string>()
  const failed: Array<string> = []
  const url = await startProxy(() => forge.url, {
    onResponse: ({ method, path, status }) => {
      if (status >= 500) failed.push(`${method} ${path} ${status}`)
      const entry = operationOf(method, path)
      if (entry !== undefined && (status === entry.status || status < 300)) {
        completed.add(`${entry.group}.${entry.name}`)
      }
    }
  })
  return {
    root,
    world: { ...world, names: { ...world.names, ...sealed } },
    forge,
    url,
    completed: (): ReadonlyArray<string> =>
      entries.map(({ group, name }) => `${group}.${name}`).filter((name) => completed.has(name)),
    failed: (): ReadonlyArray<string> => failed
  }
}

/** The results of one client, which `docs/compatibility.md` shows. */
export interface ClientResults {
  /** Name, version and language. */
  readonly client: string
  readonly version: string
  readonly language: string
  /** Operations that the client completed in the test. */
  readonly works: ReadonlyArray<string>
  /** Operations that the client has no method for. */
  readonly absent: ReadonlyArray<string>
  /** Operations that the client has a method for, but that do not work, with the reason. */
  readonly fails: Readonly<Record<string, string>>
}

/** Folder of the results, one file per client. `compatibility.test.ts` reads all results. */
export const resultsFolder = join(import.meta.dirname, "clients", "results")

/**
 * Compares the results with the results in the file. `vitest -u` writes the file; then run `compatibility.test.ts -u`
 * too.
 */
export const expectResults = async (results: ClientResults): Promise<void> => {
  const file = join(resultsFolder, `${results.client.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}.json`)
  const message = `The results of ${results.client} changed. If this is intended, run this test and compatibility.test.ts with -u.`
  await expect(`${JSON.stringify(results, undefined, 2)}\n`, message).toMatchFileSnapshot(file)
}
