import * as Effect from "effect/Effect"
import { buildBare } from "../git/Adoption.ts"
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
export const importHistory = Effect.fn("Demonstration.importHistory")(function* (gitDir: string) {
  const git = yield* Git
  yield* git.run(["fast-import", "--quiet", "--date-format=raw"], { gitDir, input: importStream() })
})

/** Time of the first commit, 1 January 2025, 09:00 UTC, in seconds since 1970. */
const EPOCH = 1_735_722_000

const importStream = (): string => {
  const tips = new Map<string, number>()
  const parts = steps.map((step, index) => {
    const mark = index + 1
    const when = `${EPOCH + step.hours * 3600} ${step.author.timezone}`
    const parent = tips.get(step.branch) ?? tips.get(step.from ?? "")
    const merged = tips.get(step.merge ?? "")
    tips.set(step.branch, mark)
    return [
      `commit refs/heads/${step.branch}`,
      `mark :${mark}`,
      `author ${step.author.person} ${when}`,
      `committer ${step.author.person} ${when}`,
      dataCommand(step.message),
      ...(parent === undefined ? [] : [`from :${parent}`]),
      ...(merged === undefined ? [] : [`merge :${merged}`]),
      ...Object.entries(step.files).map(([path, content]) => `M 100644 inline ${path}\n${dataCommand(content)}`),
      ...(step.tag === undefined ? [] : tagCommands(step.tag, mark, step.author.person, when))
    ].join("\n")
  })
  return `${parts.join("\n")}\ndone\n`
}

const tagCommands = (
  tag: NonNullable<Step["tag"]>,
  mark: number,
  author: string,
  when: string
): ReadonlyArray<string> =>
  tag.message === undefined
    ? [`reset refs/tags/${tag.name}`, `from :${mark}`]
    : [`tag ${tag.name}`, `from :${mark}`, `tagger ${author} ${when}`, dataCommand(tag.message)]

const dataCommand = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}`
