/**
 * A git directory of our own for each served repository: our configuration, and links to the objects and references
 * that are served. Git runs only there, so no setting, attribute, graft or hook of the served repository has an effect.
 *
 * The links are those of git's `contrib/workdir/git-new-workdir`. Alternates are followed, because they are part of
 * the objects, and so is the list of commits where a shallow clone ends.
 */
import { createHash } from "node:crypto"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { exists, linkTarget, readText } from "./Files.ts"
import type { RepositoryFormat } from "./RepositoryFormat.ts"
import { type GitError, gitError } from "./GitError.ts"
import type { RepositoryLocation } from "./RepositoryLocation.ts"
import * as TemporaryFolder from "./TemporaryFolder.ts"

/** Folders and files of the served repository that git sees. Links may lead nowhere until git makes their targets. */
const linked = ["objects", "refs", "logs", "packed-refs", "shallow"] as const

/** Any valid name that no branch can have: HEAD is read from the served repository by `Refs`. */
const head = "ref: refs/heads/.invalid\n"

/** Makes the folder under `root` unless it is there, whole. Its name follows from its content, so it never becomes outdated. */
export const ensure = Effect.fn("IsolatedGitDir.ensure")(function* (
  root: string,
  { commonDir, gitDir, name }: RepositoryLocation,
  format: RepositoryFormat
): Effect.fn.Return<string, GitError> {
  const config = configuration(format)
  const digest = createHash("sha256").update([gitDir, commonDir, head, config].join("\0")).digest("hex")
  const path = join(root, `${name.replace(/[^\w.-]+/g, "-").slice(0, 60)}-${digest.slice(0, 32)}.git`)
  if (!isIntact(path, commonDir, config)) {
    yield* Effect.tryPromise({
      try: () => make(root, path, commonDir, config),
      catch: (cause) => gitError({ _tag: "NotWritable", path, detail: String(cause) })
    })
  }
  return path
})

/** Whether nobody changed it: a copy of the data folder can have folders in the place of links, and these grow stale. */
const isIntact = (path: string, commonDir: string, config: string): boolean =>
  readText(join(path, "HEAD"), head.length) === head &&
  readText(join(path, "config"), Buffer.byteLength(config)) === config &&
  linked.every((name) => {
    const target = linkTarget(join(path, name))
    return target !== undefined && resolve(target) === join(commonDir, name)
  })

const make = async (root: string, path: string, commonDir: string, config: string) => {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await TemporaryFolder.make(root)
  try {
    await writeFile(join(folder, "config"), config)
    // Windows links folders without a privilege only in this way.
    for (const name of linked) await symlink(join(commonDir, name), join(folder, name), "junction")
    await writeFile(join(folder, "HEAD"), head)
    if (exists(path) && !isIntact(path, commonDir, config)) await rm(path, { recursive: true, force: true })
    await rename(folder, path)
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    // Another process was faster, and what it made is the same.
    if (!isIntact(path, commonDir, config)) throw cause
  }
}

const configuration = ({ objectFormat, shared }: RepositoryFormat): string =>
  [
    "[core]",
    `\trepositoryformatversion = ${objectFormat === "sha1" ? 0 : 1}`,
    "\tbare = true",
    ...(shared === undefined ? [] : [`\tsharedRepository = ${shared}`]),
    ...(objectFormat === "sha1" ? [] : ["[extensions]", `\tobjectFormat = ${objectFormat}`]),
    ""
  ].join("\n")
