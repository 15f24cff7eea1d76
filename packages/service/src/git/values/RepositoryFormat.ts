/** The configuration of a served repository that determines how to read the files. Other settings are ignored. */
import { statSync } from "node:fs"
import { join } from "node:path"
import { exists, readText } from "../files/Files.ts"
import * as GitConfig from "./GitConfig.ts"
import { type GitError, gitError } from "./GitError.ts"
import type { ObjectFormat } from "./GitObject.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"

/** How to read the files of a repository. */
export interface RepositoryFormat {
  /** True if the repository has no main work tree. */
  readonly bare: boolean
  readonly objectFormat: ObjectFormat
  /** `core.sharedRepository`: permissions of the files that git creates. */
  readonly shared: string | undefined
}

/** Maximum bytes of a configuration file. */
const MAX_CONFIG_BYTES = 1024 * 1024

/** Extensions that do not affect reading. With `partialClone`, missing objects are not fetched. */
const supportedExtensions = new Set([
  "noop",
  "noop-v1",
  "preciousobjects",
  "partialclone",
  "worktreeconfig",
  "relativeworktrees"
])

/** Extensions that git rejects in a repository of version 0. */
const version1Extensions = new Set(["noop-v1", "objectformat", "refstorage", "relativeworktrees"])

/** Reads the format. Gives an `Unreadable` error for a format that this forge does not support. */
export const read = ({ commonDir, path }: RepositoryLocation): RepositoryFormat | GitError => {
  const unreadable = (detail: string) => gitError({ _tag: "Unreadable", path, detail })
  const own = readSettings(join(commonDir, "config"))
  if (own === undefined) return unreadable("cannot read its config file; run `git config --list` to see why")
  const last = (name: string) => own.findLast((setting) => setting.name === name)?.value
  const version = last("core.repositoryformatversion") ?? "0"
  if (version !== "0" && version !== "1") {
    return unreadable(`its core.repositoryFormatVersion is ${version}; supported versions are 0 and 1`)
  }
  let objectFormat: ObjectFormat = "sha1"
  for (const { name, value } of own) {
    const extension = /^extensions\.([^.]+)$/.exec(name)?.[1]
    if (extension === undefined) continue
    if (version === "0" && version1Extensions.has(extension)) {
      return unreadable(`extensions.${extension} requires core.repositoryFormatVersion=1`)
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
  const workTreeSettings = usesWorktreeConfig ? (readSettings(join(commonDir, "config.worktree")) ?? []) : []
  const settings = [...own, ...workTreeSettings]
  const bare = settings.findLast(({ name }) => name === "core.bare")
  return {
    bare: bare !== undefined && GitConfig.parseBoolean(bare.value, false) && !settings.some(isWorkTree),
    objectFormat,
    shared: parseShared(last("core.sharedrepository"))
  }
}

/** A value that changes with the configuration file, and with the repository at this path. */
export const version = ({ commonDir }: RepositoryLocation): string => {
  const stat = statSync(join(commonDir, "config"), { bigint: true, throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
}

const isWorkTree = ({ name }: GitConfig.Setting) => name === "core.worktree"

const sharedRepositoryValue = /^(?:umask|group|all|world|everybody|true|false|[0-2]|0?[0-7]{3})$/i

/** Parses the value as git does: a key without a value means `group`. */
const parseShared = (value: string | null | undefined): string | undefined =>
  value === null ? "group" : sharedRepositoryValue.exec(value ?? "")?.[0]

const unsupported = (extension: string, value: string | null) =>
  `extensions.${extension}=${value ?? "true"} is not supported`

/** The settings of a file; empty for a missing file, `undefined` for an unreadable one. */
const readSettings = (path: string): ReadonlyArray<GitConfig.Setting> | undefined => {
  const text = readText(path, MAX_CONFIG_BYTES)
  if (text !== undefined) return GitConfig.parse(text)
  return exists(path) ? undefined : []
}
