/** Several files in one answer of `read_file`: other paths and ranges, or one path in several repositories. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import type * as Failure from "@tongs/core/contract/Failure"
import { type Answer, type Item, maxTokens } from "../answer/Answer.ts"
import { type Call, repositoryOf } from "../call/Call.ts"
import type { ToolError } from "../call/ToolError.ts"
import * as FileView from "../files/FileView.ts"
import { estimateTokens } from "../text/TokenEstimate.ts"

/** Maximum number of paths and ranges of a call. */
export const MAX_PATHS = 10

/** Maximum number of repositories of a call. */
export const MAX_REPOSITORIES = 50

/** One file of a call. */
export interface One {
  readonly path: string
  readonly lines?: string
  readonly repo?: string
  readonly ref?: string
}

/** The files of a call: paths with or without a range, in each of the repositories. */
export interface Several {
  readonly paths: ReadonlyArray<string>
  /** `*` stands for all repositories that the user can reach. */
  readonly repos: ReadonlyArray<string> | undefined
  readonly repo: string | undefined
  readonly ref: string | undefined
}

/** Files to read at the same time. */
const CONCURRENCY = 4

/** Tokens of the first line, the frame and the continuations. */
const OVERHEAD = 600

/** Reads the files. Each gets an equal part of the answer, and a call that continues it. */
export const read = Effect.fnUntraced(function* <R>(
  { paths, ref, repo, repos }: Several,
  call: Call,
  readOne: (one: One, viewOf: typeof FileView.of) => Effect.Effect<Answer, Failure.Failure | ToolError, R>
) {
  const names = repos === undefined ? undefined : yield* namesOf(repos, call)
  const files = (names?.shown ?? [repo]).flatMap((repo) =>
    paths.map((path): One => ({
      ...rangeOf(path),
      ...(repo === undefined ? {} : { repo }),
      ...(ref === undefined ? {} : { ref })
    }))
  )
  const viewOf = FileView.once()
  const answers = yield* Effect.forEach(
    files,
    (file) =>
      Effect.match(
        Effect.flatMap(resolve(file, call), (one) => readOne(one, viewOf)),
        {
          onFailure: (failure) => ({ file, failure }),
          onSuccess: (answer) => ({ file, answer })
        }
      ),
    { concurrency: CONCURRENCY }
  )
  const [first] = answers
  if (first !== undefined && "failure" in first && answers.every((one) => "failure" in one))
    return yield* Effect.fail(first.failure)
  const share = Math.floor((maxTokens - OVERHEAD) / Math.max(1, files.length))
  const parts = answers.map((one) => {
    const name = [names === undefined ? "" : (one.file.repo ?? ""), one.file.path].filter((part) => part !== "")
    return "failure" in one ? missing(name.join(" "), one.failure) : partOf(name.join(" "), one.file, one.answer, share)
  })
  const { owner, repo: single } = names === undefined ? yield* repositoryOf(repo, call) : {}
  const read = answers.find((one) => "answer" in one)
  return {
    source: {
      repo: owner === undefined || single === undefined ? undefined : `${owner}/${single}`,
      ref,
      work_tree: names === undefined ? read?.answer.source.work_tree : undefined
    },
    items: parts.flatMap(({ items }) => items),
    notes: [
      ...parts.flatMap(({ notes }) => notes),
      ...(names !== undefined && names.others > 0
        ? [`${names.others} more repositories: pass their names, which list_repositories lists.`]
        : [])
    ],
    isContent: true,
    isLarge: true
  } satisfies Answer
})

/** Splits `src/a.ts:10-40` into the path and the lines. */
const rangeOf = (path: string): Pick<One, "path" | "lines"> => {
  const [, file, lines] = /^(.+):(\d+(?:-\d*)?|-\d+)$/.exec(path) ?? []
  return file === undefined || lines === undefined ? { path } : { path: file, lines }
}

/** Returns the names of repositories, of which `*` is all. */
const namesOf = Effect.fnUntraced(function* (repos: ReadonlyArray<string>, { deadline }: Call) {
  if (!repos.includes("*")) return { shown: repos.slice(0, MAX_REPOSITORIES), others: 0 }
  const forge = yield* Forge
  const page = yield* forge.repositories.listForAuthenticatedUser(
    { sort: "full_name" },
    { perPage: MAX_REPOSITORIES, deadline }
  ).first
  const shown = page.items.map((one) => one.full_name)
  return { shown, others: Math.max(page.cursor === undefined ? 0 : 1, (page.totalCount ?? 0) - shown.length) }
})

/** Finds the file that `README` stands for. */
const resolve = Effect.fnUntraced(function* (file: One, call: Call) {
  if (file.path.toLowerCase() !== "readme") return file
  const forge = yield* Forge
  const repository = yield* repositoryOf(file.repo, call)
  const ref = file.ref === undefined ? {} : { ref: file.ref }
  const { path } = yield* forge.contents.getReadme({ ...repository, ...ref }, { deadline: call.deadline })
  return { ...file, path }
})

interface Part {
  readonly items: ReadonlyArray<Item>
  readonly notes: ReadonlyArray<string>
}

const missing = (heading: string, failure: Failure.Failure | ToolError): Part => {
  const text = failure._tag === "NotFound" ? "Not found." : failure.message
  return { items: [{ heading, data: { file: heading, error: text }, text }], notes: [] }
}

/** Returns the beginning of a file that fits into its part of the answer. */
const partOf = (name: string, file: One, answer: Answer, share: number): Part => {
  const heading = `${name}${answer.noun === undefined ? "" : ` (${answer.total ?? answer.items.length} ${answer.noun})`}`
  let tokens = 0
  let shown = 0
  for (const { text } of answer.items) {
    tokens += estimateTokens(text, share) + 1
    if (tokens > share && shown > 0) break
    shown++
  }
  const next = shown < answer.items.length ? answer.next?.(shown) : undefined
  return {
    items: answer.items.slice(0, shown).map(({ data, text }) => ({ data: { file: name, value: data }, text, heading })),
    notes: [
      ...(answer.notes ?? []).map((note) => `${name}: ${note}`),
      ...(next !== undefined && "arguments" in next
        ? [
            `More of ${name}: read_file ${JSON.stringify({ ...next.arguments, ...(file.repo === undefined ? {} : { repo: file.repo }) })}`
          ]
        : [])
    ]
  }
}
