/** The git data of a clone: fetching, and choosing the default branch. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Credential, Token } from "@tongs/core/client/Credential"
import * as NumberFormat from "@tongs/core/text/NumberFormat"
import { Git } from "@tongs/service/git/process/Git"
import * as RefName from "@tongs/service/git/values/RefName"
import type { CloneTarget } from "./CloneTarget.ts"
import * as GitFetch from "./GitFetch.ts"

/** The disk has no space for a repository. */
export class DiskFull extends Schema.TaggedError<DiskFull>()("DiskFull", { size: Schema.Finite, free: Schema.Finite }) {
  override get message() {
    return `${NumberFormat.bytes(this.size)} do not fit: ${GitFetch.diskFull(this.free)}`
  }
}

/** The embedded forge has a repository with the same name that is not a clone of the remote repository. */
export class NameInUse extends Schema.TaggedError<NameInUse>()("NameInUse", { name: Schema.String }) {
  override get message() {
    return `${this.name} is already in the data folder, and is not a clone from this forge`
  }
}

/** The services of `fill`. */
export const services = Effect.context<Git>()

/** Retries after failures that may be temporary, with growing pauses. */
const again = Schedule.max([Schedule.exponential("2 seconds", 3), Schedule.recurs(3)])

/** Fetches a repository, and sets the default branch. */
export const fill = Effect.fn("CloneContent.fill")(function* (
  gitDir: string,
  target: CloneTarget,
  credential: Token | Credential | undefined,
  onBytes: (received: number) => void
) {
  const { size, url } = target
  const free = yield* Effect.promise(() => GitFetch.freeSpace(gitDir))
  if (free - size < GitFetch.MIN_FREE) return yield* new DiskFull({ size, free })
  const attempt = Effect.gen(function* () {
    const token = credential === undefined || Redacted.isRedacted(credential) ? credential : yield* credential.current
    yield* GitFetch.fetch(gitDir, { url, token }, onBytes)
  })
  yield* attempt.pipe(
    Effect.retry({ schedule: again, while: (error) => error._tag === "FetchFailed" && error.isTransient })
  )
  yield* setHead(gitDir, target.defaultBranch)
})

/** Points HEAD to the default branch. If the forge does not name an existing one, to `main`, `master` or the first. */
const setHead = Effect.fnUntraced(function* (gitDir: string, branch: string | undefined) {
  const git = yield* Git
  const patterns = [...(branch === undefined ? [] : [branch]), "main", "master"].map(RefName.branch)
  const valid = patterns.filter(RefName.isValid)
  const { stdout } = yield* git.run(["for-each-ref", "--format=%(refname)", ...valid], { gitDir })
  const existing = new Set(stdout.toString().split("\n"))
  const found = valid.find((name) => existing.has(name))
  const first = Effect.map(
    git.run(["for-each-ref", "--count=1", "--format=%(refname)", "refs/heads"], { gitDir }),
    ({ stdout }) => stdout.toString().trim()
  )
  const head = found ?? (yield* first)
  const wanted = head === "" ? valid[0] : head
  if (wanted !== undefined) yield* git.run(["symbolic-ref", "HEAD", wanted], { gitDir })
})
