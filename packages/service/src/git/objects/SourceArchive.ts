/**
 * Archives of the files of a commit. Git writes archives in the isolated git directory, so filters and `tar.*.command`
 * of the repository's configuration have no effect. `export-ignore` and `export-subst` of the attributes apply.
 */
import { devNull } from "node:os"
import type * as Stream from "effect/Stream"
import type { Git } from "../process/Git.ts"
import type { GitError } from "../values/GitError.ts"

/** Formats of archives, each also a file name suffix. */
export const formats = ["tar.gz", "zip"] as const
export type Format = (typeof formats)[number]

/** A commit as an archive. */
export interface SourceArchive {
  readonly commit: string
  readonly format: Format
  /** Name of the folder that contains all files of the archive. */
  readonly folder: string
}

const settings = [
  // Otherwise git reads the attributes of the user's home folder.
  `core.attributesFile=${devNull}`,
  // Larger files are streamed instead of read into memory.
  "core.bigFileThreshold=16m"
]

const environment = {
  // With `export-subst`, `%G?` would run `gpg` on the signature of the commit, which git writes to a temporary file.
  TMPDIR: devNull,
  // `export-subst` can make a text much longer.
  GIT_ALLOC_LIMIT: "512m"
}

/** Streams the bytes of an archive. */
export const stream = (
  git: Git["Service"],
  gitDir: string,
  { commit, folder, format }: SourceArchive
): Stream.Stream<Uint8Array, GitError> =>
  git.stream(["archive", `--format=${format}`, `--prefix=${folder}/`, commit], { gitDir, settings, environment })
