import * as Effect from "effect/Effect"
import { buildBare } from "./Adoption.ts"
import { type Step, steps } from "./DemonstrationSteps.ts"
import { Git } from "./Git.ts"
import { locate } from "./RepositoryLocation.ts"

/** The folder's name of the demonstration repository. */
export const name = "lighthouse"

/**
 * Makes the demonstration repository at `path`, bare, unless there is a repository already: a dozen commits by people
 * who do not exist, on three branches, with a merge and two tags. The ids are the same on every machine.
 */
export const create = Effect.fn("Demonstration.create")(function* (path: string) {
  if (locate(path) !== undefined) return
  yield* buildBare(path, "main", importHistory).pipe(
    // Another process was faster; what it made is the same.
    Effect.catchIf(
      ({ reason }) => reason._tag === "FolderExists" && locate(path) !== undefined,
      () => Effect.void
    )
  )
})

/** Makes its commits in a repository that has none. */
export const importHistory = Effect.fn("Demonstration.importHistory")(function* (gitDir: string) {
  const git = yield* Git
  yield* git.run(["fast-import", "--quiet", "--date-format=raw"], { gitDir, input: importStream() })
})

/** When the first commit was made: 1 January 2025, 09:00 UTC. */
const epoch = 1_735_722_000

const importStream = (): string => {
  const tips = new Map<string, number>()
  const parts = steps.map((step, index) => {
    const mark = index + 1
    const when = `${epoch + step.hours * 3600} ${step.author.timezone}`
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
