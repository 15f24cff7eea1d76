import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Git } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { invalidPath, type Objects, splitPath } from "./Objects.ts"
import { invalidOid, isOid } from "./Oid.ts"

export interface GrepOptions {
  /** A commit id. */
  readonly commit: string
  /** Fixed texts without line feeds; a file must have all of them, in any case of the letters A to Z. */
  readonly terms: ReadonlyArray<string>
  /** Only under these files and folders. */
  readonly paths?: ReadonlyArray<string>
  /** Files at most. */
  readonly limit: number
  readonly deadline: Duration.Input
}

export interface GrepFile {
  readonly path: string
  readonly oid: string
  /** In bytes. */
  readonly size: number
}

export interface GrepResult {
  readonly files: ReadonlyArray<GrepFile>
  /** The deadline came first: there may be more files. */
  readonly incomplete: boolean
}

/** Larger files are not searched (spec/3 §4.12). */
export const maxFileBytes = 384 * 1024

/** The text files of a commit that contain all terms, in tree order. Ends git when interrupted. */
export type Grep = (options: GrepOptions) => Effect.Effect<GrepResult, GitError>

export const make = (
  git: Git["Service"],
  gitDir: string,
  { entryAt, info }: Pick<Objects, "entryAt" | "info">
): Grep => {
  const describe = Effect.fnUntraced(function* (commit: string, path: string) {
    const entry = yield* entryAt(commit, path)
    const object = entry?.kind === "file" ? yield* info(entry.oid) : undefined
    return object === undefined || object.size > maxFileBytes ? undefined : { path, oid: object.oid, size: object.size }
  })

  return Effect.fn("GitRepository.grep")(function* ({ commit, deadline, limit, paths = [], terms }: GrepOptions) {
    if (!isOid(commit)) return yield* invalidOid(commit)
    const wrong = paths.find((path) => splitPath(path) === undefined)
    if (wrong !== undefined) return yield* invalidPath(wrong)
    if (limit < 1 || terms.length === 0 || terms.some((term) => term === "" || /[\0\n]/.test(term))) {
      return { files: [], incomplete: false }
    }
    const names = new NameList(commit, limit + spareNames)
    const search = git.run(
      [
        "grep",
        "-lzIFi",
        "--all-match",
        "--full-name",
        "--no-textconv",
        "--no-recurse-submodules",
        ...terms.flatMap((term) => ["-e", term]),
        commit,
        "--",
        ...paths
      ],
      { gitDir, treePaths: true, answers: [1], onOutput: (chunk) => names.add(chunk) }
    )
    // The names stay when the time is over: what was found until then is the answer.
    const ended = yield* Effect.timeoutOption(search, deadline)
    const found = yield* Effect.forEach(names.all, (path) => describe(commit, path), { concurrency: 32 })
    return {
      files: found.filter((file) => file !== undefined).slice(0, limit),
      incomplete: Option.isNone(ended)
    }
  })
}

/** Names beyond the limit that are taken from git, in place of files that turn out too large. */
const spareNames = 64

/** Reads `<commit>:<path>` and NUL, as they come, up to a number of them. */
class NameList {
  readonly all: Array<string> = []
  readonly #skip: number
  readonly #limit: number
  #rest: Buffer = Buffer.alloc(0)

  constructor(commit: string, limit: number) {
    this.#skip = commit.length + 1
    this.#limit = limit
  }

  /** Whether it takes more. */
  add(chunk: Buffer): boolean {
    const bytes = Buffer.concat([this.#rest, chunk])
    let at = 0
    for (let end = bytes.indexOf(0); end !== -1 && this.all.length < this.#limit; end = bytes.indexOf(0, at)) {
      this.all.push(bytes.toString("utf8", at + this.#skip, end))
      at = end + 1
    }
    this.#rest = bytes.subarray(at)
    return this.all.length < this.#limit
  }
}
