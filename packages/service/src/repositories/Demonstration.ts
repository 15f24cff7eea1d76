import * as Effect from "effect/Effect"
import { buildBare } from "../git/Adoption.ts"
import { changes } from "./DemonstrationChanges.ts"
import { type Step, steps } from "./DemonstrationSteps.ts"
import { Git } from "../git/process/Git.ts"
import { locate } from "../git/values/RepositoryLocation.ts"

/** Folder name of the demonstration repository. */
export const NAME = "lighthouse"

/**
 * Creates the bare demonstration repository at `path` unless a repository exists: a dozen commits by fictional authors on
 * three branches, with a merge and two tags. The ids are the same on every machine.
 */
export const create = Effect.fn("Demonstration.create")(function* (path: string) {
  if (locate(path) !== undefined) return
  yield* buildBare(path, "main", importHistory).pipe(
    // Another process created the same repository first.
    Effect.catchIf(
      ({ reason }) => reason._tag === "FolderExists" && locate(path) !== undefined,
      () => Effect.void
    )
  )
})

/** Imports the demonstration history into an empty repository. */
export const importHistory = (gitDir: string) => importSteps(gitDir, steps)

/** Imports the branches of the demonstration's pull requests into a repository with its history. */
export const importChanges = (gitDir: string) => importSteps(gitDir, changes)

const importSteps = Effect.fn("Demonstration.importSteps")(function* (gitDir: string, steps: ReadonlyArray<Step>) {
  const git = yield* Git
  yield* git.run(["fast-import", "--quiet", "--date-format=raw"], { gitDir, input: importStream(steps) })
})

/** Time of the first commit, 1 January 2025, 09:00 UTC, in seconds since 1970. */
const EPOCH = 1_735_722_000

const importStream = (steps: ReadonlyArray<Step>): Uint8Array => {
  const tips = new Map<string, string>()
  const parts = steps.flatMap((step, index): ReadonlyArray<string | Uint8Array> => {
    const mark = index + 1
    const when = `${EPOCH + step.hours * 3600} ${step.author.timezone}`
    const parent = tips.get(step.branch) ?? tips.get(step.from ?? "") ?? step.from
    const merged = tips.get(step.merge ?? "")
    tips.set(step.branch, `:${mark}`)
    return [
      `commit refs/heads/${step.branch}\n`,
      `mark :${mark}\n`,
      `author ${step.author.person} ${when}\n`,
      `committer ${step.author.person} ${when}\n`,
      ...dataCommand(step.message),
      ...(parent === undefined ? [] : [`from ${parent}\n`]),
      ...(merged === undefined ? [] : [`merge ${merged}\n`]),
      ...Object.entries(step.files).flatMap(([path, content]) =>
        content === undefined
          ? [`D ${path}\n`]
          : [
              `M ${step.executable?.includes(path) === true ? 100755 : 100644} inline ${path}\n`,
              ...dataCommand(content)
            ]
      ),
      ...(step.tag === undefined ? [] : tagCommands(step.tag, mark, step.author.person, when))
    ]
  })
  return Buffer.concat([...parts, "done\n"].map((part) => Buffer.from(part)))
}

const tagCommands = (
  tag: NonNullable<Step["tag"]>,
  mark: number,
  author: string,
  when: string
): ReadonlyArray<string | Uint8Array> =>
  tag.message === undefined
    ? [`reset refs/tags/${tag.name}\n`, `from :${mark}\n`]
    : [`tag ${tag.name}\n`, `from :${mark}\n`, `tagger ${author} ${when}\n`, ...dataCommand(tag.message)]

const dataCommand = (content: string | Uint8Array): ReadonlyArray<string | Uint8Array> => [
  `data ${Buffer.byteLength(content)}\n`,
  content,
  "\n"
]
