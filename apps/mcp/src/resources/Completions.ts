/** Completes the variables of resource templates. A failure gives no values, because completion is optional. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as McpSchema from "effect/ai/McpSchema"
import type { Forge } from "@tongs/core/client/Forge"
import * as PathText from "@tongs/core/text/PathText"
import type { RepositoryName } from "../call/Call.ts"
import { sanitizeText } from "../text/SafeText.ts"

/** Maximum number of values, which the protocol sets. */
const MAX_VALUES = 100

/** Maximum time of a completion in milliseconds. */
const LIMIT = 5_000

/** The variables that the client already knows. */
interface CompletionContext {
  readonly arguments?: Readonly<Record<string, string>> | undefined
}

/** Completes one variable. */
export type Complete = (value: string, known?: CompletionContext) => Effect.Effect<McpSchema.CompleteResult>

/** The completion of each variable. */
export type Completions = Readonly<Record<"owner" | "repo" | "ref" | "path" | "sha", Complete>>

type Options = { readonly deadline: number; readonly timeout: number; readonly priority: "interactive" }

/** Creates the completions. Values of the default repository come first. */
export const make = (forge: Forge["Service"], defaultRepository: RepositoryName | undefined): Completions => {
  const complete =
    (
      find: (
        value: string,
        known: Readonly<Record<string, string>>,
        options: Options
      ) => Effect.Effect<ReadonlyArray<string>, unknown>
    ): Complete =>
    (value, known) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        find(value, known?.arguments ?? {}, { deadline: now + LIMIT, timeout: LIMIT, priority: "interactive" })
      ).pipe(
        Effect.timeout(LIMIT),
        Effect.map((values) => result(values, value)),
        Effect.catch(() => Effect.succeed(McpSchema.CompleteResult.empty))
      )
  const repositories = (options: Options) =>
    Effect.map(forge.repositories.listForAuthenticatedUser({}, { ...options, perPage: 100 }).first, ({ items }) => [
      ...(defaultRepository === undefined ? [] : [`${defaultRepository.owner}/${defaultRepository.repo}`]),
      ...items.map((one) => one.full_name)
    ])
  return {
    owner: complete((_, __, options) =>
      Effect.map(repositories(options), (names) => names.map((name) => name.slice(0, name.indexOf("/"))))
    ),
    repo: complete((_, { owner = "" }, options) =>
      Effect.map(repositories(options), (names) =>
        names.filter((name) => name.startsWith(`${owner}/`)).map((name) => name.slice(owner.length + 1))
      )
    ),
    ref: complete((value, { owner = "", repo = "" }, options) =>
      Effect.map(
        Effect.all(
          ["heads", "tags"].map((kind) =>
            forge.gitRefs.listMatching({ owner, repo, ref: value === "" ? kind : `${kind}/${value}` }, options)
          ),
          { concurrency: 2 }
        ),
        (lists) => lists.flat().map(({ ref }) => ref.replace(/^refs\/(?:heads|tags)\//, ""))
      )
    ),
    path: complete((value, { owner = "", ref, repo = "" }, options) => {
      const folder = PathText.folderOf(value)
      const target = { owner, repo, path: folder, ...(ref === undefined ? {} : { ref }) }
      return Effect.map(forge.contents.get(target, options), (found) =>
        "type" in found ? [] : found.map(({ path, type }) => (type === "dir" ? `${path}/` : path))
      )
    }),
    sha: complete((_, { owner = "", repo = "" }, options) =>
      Effect.map(forge.commits.list({ owner, repo }, { ...options, perPage: 100 }).first, ({ items }) =>
        items.map(({ sha }) => sha)
      )
    )
  }
}

/** Selects values by prefix. Leaves out values with hidden characters, which a client would show unescaped. */
const result = (values: ReadonlyArray<string>, value: string): McpSchema.CompleteResult => {
  const start = value.toLowerCase()
  const found = [...new Set(values)].filter(
    (one) => one.toLowerCase().startsWith(start) && sanitizeText(one) === one && !one.includes("\n")
  )
  return McpSchema.CompleteResult.make({
    completion: { values: found.slice(0, MAX_VALUES), total: found.length, hasMore: found.length > MAX_VALUES }
  })
}
