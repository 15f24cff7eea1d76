/** The few settings of a served repository that decide how its files are read. All others are ignored. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { exists, readText } from "./Files.ts"
import * as GitConfig from "./GitConfig.ts"
import { type GitError, gitError } from "./GitError.ts"
import type { ObjectFormat } from "./GitObject.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"

export interface RepositoryFormat {
  /** Whether the repository has no work tree of its own. */
  readonly bare: boolean
  readonly objectFormat: ObjectFormat
  /** `core.sharedRepository`: which accounts of this machine may write what we write. */
  readonly shared: string | undefined
}

/** Bytes of a configuration file at most. */
const maxConfigBytes = 1024 * 1024

/** Extensions that change nothing of what is read here. `partialClone`: absent objects are absent. */
const supportedExtensions = new Set([
  "noop",
  "noop-v1",
  "preciousobjects",
  "partialclone",
  "worktreeconfig",
  "relativeworktrees"
])

/** Extensions that git refuses in a repository of version 0. */
const version1Extensions = new Set(["noop-v1", "objectformat", "refstorage", "relativeworktrees"])

/** `Unreadable` for a repository that this forge would misread. */
export const read = ({ commonDir, path }: RepositoryLocation): RepositoryFormat | GitError => {
  const unreadable = (detail: string) => gitError({ _tag: "Unreadable", path, detail })
  const own = readSettings(join(commonDir, "config"))
  if (own === undefined) return unreadable("its config file cannot be read; `git config --list` says why")
  const last = (name: string) => own.findLast((setting) => setting.name === name)?.value
  const version = last("core.repositoryformatversion") ?? "0"
  if (version !== "0" && version !== "1") {
    return unreadable(`its format has version ${version}, and this forge reads 0 and 1`)
  }
  let objectFormat: ObjectFormat = "sha1"
  for (const { name, value } of own) {
    const extension = /^extensions\.([^.]+)$/.exec(name)?.[1]
    if (extension === undefined) continue
    if (version === "0" && version1Extensions.has(extension)) {
      return unreadable(`it has extensions.${extension}, which needs core.repositoryFormatVersion=1`)
    }
    if (extension === "objectformat") {
      if (value !== "sha1" && value !== "sha256") return unreadable(unsupported(extension, value))
      objectFormat = value
    } else if (extension === "refstorage") {
      if (value !== "files") {
        return unreadable(`${unsupported(extension, value)}; convert it with \`git refs migrate --ref-format=files\``)
      }
    } else if (!supportedExtensions.has(extension) && version === "1") {
      return unreadable(unsupported(extension, value))
    }
  }
  const usesWorktreeConfig = GitConfig.parseBoolean(last("extensions.worktreeconfig") ?? "", false)
  const ofWorkTree = usesWorktreeConfig ? (readSettings(join(commonDir, "config.worktree")) ?? []) : []
  const places = [...own, ...ofWorkTree]
  const bare = places.findLast(({ name }) => name === "core.bare")
  return {
    bare: bare !== undefined && GitConfig.parseBoolean(bare.value, false) && !places.some(isWorkTree),
    objectFormat,
    shared: parseShared(last("core.sharedrepository"))
  }
}

/** Differs after a change of the configuration file, and in another repository at the same path. */
export const version = ({ commonDir }: RepositoryLocation): string => {
  const stat = statSync(join(commonDir, "config"), { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
}

const isWorkTree = ({ name }: GitConfig.Setting) => name === "core.worktree"

const sharedRepositoryValue = /^(?:umask|group|all|world|everybody|true|false|[0-2]|0?[0-7]{3})$/i

/** As git reads it: a key without a value means the group. */
const parseShared = (value: string | null | undefined): string | undefined =>
  value === null ? "group" : sharedRepositoryValue.exec(value ?? "")?.[0]

const unsupported = (extension: string, value: string | null) =>
  `it has extensions.${extension}=${value ?? "true"}, which this forge does not support`

/** The settings of a file; none of one that is not there. */
const readSettings = (path: string): ReadonlyArray<GitConfig.Setting> | undefined => {
  const text = readText(path, maxConfigBytes)
  if (text !== undefined) return GitConfig.parse(text)
  return exists(path) ? undefined : []
}
