/** A forge in a temporary folder of this process, and requests to the forge in the form of a socket. */
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Tracer from "effect/Tracer"
import * as Redacted from "effect/Redacted"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Dialect } from "@tongs/core/contract/Dialect"
import { EmbeddedForge } from "./EmbeddedForge.ts"
import { firstCommit, folder, git } from "../git/Fixture.test-support.ts"
import { App } from "../http/App.ts"
import type { RateLimitNumbers } from "../access/RateLimitPolicy.ts"
import { Owner } from "./Owner.ts"
import { RepositoryRows } from "../repositories/RepositoryRows.ts"
import { type NewToken, TokenRows } from "../access/TokenRows.ts"
import { type NewUser, UserRows } from "../accounts/UserRows.ts"
import * as TestDatabase from "../storage/TestDatabase.test-support.ts"

export interface Ask {
  /** The owner's token by default; `null` sends none. */
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Origin of the request, `http://forge.localhost` by default. */
  readonly origin?: string
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  /** The parsed text, if JSON. */
  readonly json: any // oxlint-disable-line typescript/no-explicit-any -- assertions look into it
}

export class TestForge extends Context.Service<
  TestForge,
  {
    /** Folder of the repositories that the forge adopts at start. */
    readonly repos: string
    readonly owner: string
    /** `/repos/<owner>` */
    readonly base: string
    readonly ask: (method: string, path: string, options?: Ask) => Effect.Effect<Answer>
    readonly get: (path: string, options?: Ask) => Effect.Effect<Answer>
    readonly user: (user: NewUser) => Effect.Effect<number>
    readonly token: (token: NewToken) => Effect.Effect<string>
  }
>()("@tongs/service/main/TestForge") {}

const encode = (body: unknown) => (body === undefined ? null : typeof body === "string" ? body : JSON.stringify(body))

/**
 * `prepare` creates repositories as subfolders of `repos`. The forge adopts these repositories and makes them public.
 */
export const layer = (
  prepare: (repos: string) => void,
  options: {
    readonly dialect?: Dialect
    readonly limits?: RateLimitNumbers
    readonly allowLocalWebhooks?: boolean
    readonly signCommits?: boolean
    /** Path of a fixture file, relative to `repos`. */
    readonly fixtures?: string
  } = {}
) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const root = yield* folder
      const repos = join(root, "repos")
      prepare(repos)
      const forge = TestDatabase.forgeLayer({
        data: join(root, "data"),
        // A fixed name, because the user running the tests could have the name of a test account.
        owner: "keeper",
        cwd: repos,
        repos: [repos],
        dialect: options.dialect ?? "service",
        limits: options.limits,
        allowLocalWebhooks: options.allowLocalWebhooks,
        signCommits: options.signCommits,
        fixtures: options.fixtures
      })
      return Layer.provideMerge(Layer.effect(TestForge, make(repos)), forge)
    })
  )

const make = Effect.fnUntraced(function* (repos: string) {
  const app = yield* App
  const { token, user } = yield* Owner
  const tokens = yield* TokenRows
  const users = yield* UserRows
  // Adopted repositories are private by default; most tests need public repositories.
  const rows = yield* RepositoryRows
  for (const { row } of (yield* EmbeddedForge).adopted) yield* Effect.orDie(rows.update(row.id, { private: false }))

  const ask = Effect.fnUntraced(function* (method: string, path: string, options: Ask = {}) {
    const credential = options.token === undefined ? Redacted.value(token) : options.token
    const body = encode(options.body)
    const request = new Request(`${options.origin ?? "http://forge.localhost"}/`, {
      method,
      headers: {
        "user-agent": "test",
        ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
        ...(body === null ? {} : { "content-type": "application/json" }),
        ...options.headers
      },
      ...(body === null ? {} : { body })
    })
    // Sets the target directly, because a URL object would resolve `..`.
    const response = yield* app.handle(HttpServerRequest.fromWeb(request).modify({ url: path }))
    const text = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
    const isJson = (response.headers["content-type"] ?? "").startsWith("application/json")
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined }
  })

  return TestForge.of({
    repos,
    owner: user.login,
    base: `/repos/${user.login}`,
    ask,
    get: (path, options) => ask("GET", path, options),
    user: (user) => Effect.map(users.ensure(user), ({ id }) => id),
    token: (token) => Effect.map(tokens.add(token), Redacted.value)
  })
})

/** Creates repository `name` with branch `main` and one commit of `files`. Gives the folder. */
export const repository = (
  repos: string,
  name: string,
  files: Readonly<Record<string, string>> = { "a.txt": "one\n" }
) => {
  const path = join(repos, name)
  git(process.cwd(), ["init", "--quiet", "--initial-branch=main", path])
  firstCommit(path, files)
  git(path, ["reset", "--quiet", "--hard"])
  return path
}

/** Runs an effect and returns the number of database statements that it executed. */
export const statements = Effect.fnUntraced(function* <R>(effect: Effect.Effect<unknown, never, R>) {
  let count = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.kind === "client") count++
      return new Tracer.NativeSpan(options)
    }
  })
  yield* Effect.withTracer(effect, tracer)
  return count
})
