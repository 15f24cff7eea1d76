/** The files that a tool reads: at a ref, or by default in the work tree. */
import * as Effect from "effect/Effect"
import { Forge } from "@tongs/core/client/Forge"
import * as AbbreviatedId from "@tongs/core/text/AbbreviatedId"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import type { Call, RepositoryName } from "../call/Call.ts"

/** A commit to read, and the name of the commit in the first line of an answer. */
export interface FileView {
  /** The commit of the work tree, or the ref of the call. Undefined for the default branch. */
  readonly ref: string | undefined
  readonly source: {
    readonly repo: string
    readonly ref: string | undefined
    /** For example `main 1a2b3c4 and 3 changed files`. Undefined if the files are from a commit. */
    readonly work_tree: string | undefined
  }
  /** Sentences about files on disk that are left out. */
  readonly notes: ReadonlyArray<string>
}

/** Returns the files to read for the argument `ref` of a tool. */
export const of = Effect.fnUntraced(function* (
  { owner, repo }: RepositoryName,
  ref: string | undefined,
  { deadline, searchesWorkTrees }: Pick<Call, "deadline" | "searchesWorkTrees">
) {
  const committed = (notes: ReadonlyArray<string>): FileView => ({
    ref,
    source: { repo: `${owner}/${repo}`, ref, work_tree: undefined },
    notes
  })
  if (ref !== undefined || !searchesWorkTrees) return committed([])
  const forge = yield* Forge
  return yield* forge.workTrees.get({ owner, repo }, { deadline }).pipe(
    Effect.map(({ available, branch, changed_files: changed, commit, head, notes }): FileView => {
      const parent = head === null ? undefined : AbbreviatedId.of(head)
      const name = [plainBranch(branch), parent ?? "without commits"].join(" ")
      if (!available) return { ...committed(notes), source: { ...committed([]).source, ref: name } }
      const files = changed === 0 ? "without changes" : `and ${NumberFormat.quantity(changed, "changed file")}`
      return { ...committed(notes), ref: commit, source: { ...committed([]).source, work_tree: `${name} ${files}` } }
    }),
    // The tool call explains a repository that does not exist or is empty.
    Effect.catchTag(["NotFound", "Conflict", "Unsupported"], () => Effect.succeed(committed([]))),
    Effect.catchTag("ServiceFailed", () => Effect.succeed(committed([UNREADABLE])))
  )
})

/** Returns a function like `of` that takes one snapshot of each repository, so that the files of a call fit together. */
export const once = (): typeof of => {
  const views = new Map<string, ReturnType<typeof of>>()
  return ({ owner, repo }, ref, call) =>
    Effect.suspend(() => {
      const name = `${owner}/${repo}`.toLowerCase()
      const known = views.get(name)
      if (known !== undefined) return known
      return Effect.flatMap(Effect.cached(of({ owner, repo }, ref, call)), (view) => {
        views.set(name, view)
        return view
      })
    })
}

/** Returns a branch that can be outside of a frame. Other names can be text for the agent. */
const plainBranch = (branch: string | null): string =>
  branch === null ? "detached HEAD" : /^[\w./-]{1,100}$/.test(branch) ? branch : "HEAD"

const UNREADABLE = "The work tree cannot be read: these are the committed files."
