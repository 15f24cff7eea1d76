/**
 * A private git directory for each served repository, with separate configuration and links to the served objects and
 * references. Git runs only there, so that settings, attributes, grafts and hooks of the served repository have no effect.
 *
 * The links follow git's `contrib/workdir/git-new-workdir`. Alternates and the boundary of a shallow clone still apply.
 */
import { createHash } from "node:crypto"
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import * as Effect from "effect/Effect"
import { entries, exists, linkTarget, readText } from "./files/Files.ts"
import type { RepositoryFormat } from "./values/RepositoryFormat.ts"
import { type GitError, gitError } from "./values/GitError.ts"
import * as RefName from "./values/RefName.ts"
import type { RepositoryLocation } from "./values/RepositoryLocation.ts"
import * as StagingFolder from "./files/StagingFolder.ts"

/** Folders and files to link. Links may dangle until git creates the targets. */
const linked = ["objects", "logs", "packed-refs", "shallow"] as const

/**
 * The links of a directory: `[name, target]`. With a folder of references of pull requests, `refs` is a folder with links
 * to the folders of references, except for `refs/pull`, which is a link to this folder.
 */
const linksOf = (commonDir: string, pulls: string | undefined): ReadonlyArray<readonly [string, string]> => {
  const links = linked.map((name) => [name, join(commonDir, name)] as const) // pairs
  const refs = join(commonDir, "refs")
  if (pulls === undefined) return [...links, ["refs", refs]]
  const present = entries(refs).flatMap(({ name }) => (/^\.|\.lock$|\uFFFD|^pull$/.test(name) ? [] : [name]))
  const names = [...new Set([...present, "heads", "tags"])].toSorted()
  return [
    ...links,
    ...names.map((name) => [join("refs", name), join(refs, name)] as const), // pairs
    [join("refs", "pull"), pulls]
  ]
}

/** A placeholder that no branch can have. `Refs` reads HEAD from the served repository. */
const NO_BRANCH = ".invalid"

/**
 * Creates the directory under `root` unless an intact one exists, and gives the path. The name is a hash of the
 * content, so an existing directory is never outdated. HEAD names `branch`, or no branch. `pulls` is a folder whose
 * references replace those of `refs/pull`. Fails with `NotWritable`.
 */
export const ensure = Effect.fn("IsolatedGitDir.ensure")(function* (
  root: string,
  { commonDir, gitDir, name }: RepositoryLocation,
  format: RepositoryFormat,
  branch?: string,
  pulls?: string
): Effect.fn.Return<string, GitError> {
  const config = configuration(format)
  const head = `ref: refs/heads/${branch !== undefined && RefName.isValid(RefName.branch(branch)) ? branch : NO_BRANCH}\n`
  const links = linksOf(commonDir, pulls)
  const pullLinks = pulls === undefined ? [] : links.flat()
  const digest = createHash("sha256")
    .update([gitDir, commonDir, head, config, ...pullLinks].join("\0"))
    .digest("hex")
  const path = join(root, `${name.replace(/[^\w.-]+/g, "-").slice(0, 60)}-${digest.slice(0, 32)}.git`)
  const content = { config, HEAD: head }
  if (!isIntact(path, links, content)) {
    yield* Effect.tryPromise({
      try: () => make(root, path, links, content),
      catch: (cause) => gitError({ _tag: "NotWritable", path, detail: String(cause) })
    })
  }
  return path
})

/**
 * Removes the directory `path` and the repository's directories of other branches, also from earlier processes. Keeps
 * the directories in `used`, because linked work trees share the objects.
 */
export const removeAll = Effect.fn("IsolatedGitDir.removeAll")(function* (
  root: string,
  path: string,
  used: ReadonlySet<string>
) {
  const objects = linkTarget(join(path, "objects"))
  if (objects === undefined) return
  const own = entries(root)
    .map(({ name }) => join(root, name))
    .filter((dir) => !used.has(dir) && linkTarget(join(dir, "objects")) === objects)
  yield* Effect.promise(() => Promise.allSettled(own.map((dir) => rm(dir, { recursive: true, force: true }))))
})

/** The files of an isolated git directory, by name. */
type Content = Readonly<Record<"config" | "HEAD", string>>

type Links = ReturnType<typeof linksOf>

/** False if the directory was modified, for example by a copy of the data folder that replaced links with folders. */
const isIntact = (path: string, links: Links, content: Content): boolean =>
  Object.entries(content).every(([name, text]) => readText(join(path, name), Buffer.byteLength(text)) === text) &&
  links.every(([name, wanted]) => {
    const target = linkTarget(join(path, name))
    return target !== undefined && resolve(target) === wanted
  })

const make = async (root: string, path: string, links: Links, content: Content) => {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const folder = await StagingFolder.make(root)
  try {
    if (!links.some(([name]) => name === "refs")) await mkdir(join(folder, "refs"))
    // On Windows only junctions need no privilege.
    for (const [name, target] of links) await symlink(target, join(folder, name), "junction")
    for (const [name, text] of Object.entries(content)) await writeFile(join(folder, name), text)
    if (exists(path) && !isIntact(path, links, content)) await rm(path, { recursive: true, force: true })
    await rename(folder, path)
  } catch (cause) {
    await rm(folder, { recursive: true, force: true })
    // Another process may have created the same directory first.
    if (!isIntact(path, links, content)) throw cause
  }
}

/** The configuration of a git directory without the settings of the repository. */
export const configuration = ({ objectFormat, shared }: RepositoryFormat): string =>
  [
    "[core]",
    `\trepositoryformatversion = ${objectFormat === "sha1" ? 0 : 1}`,
    "\tbare = true",
    ...(shared === undefined ? [] : [`\tsharedRepository = ${shared}`]),
    ...(objectFormat === "sha1" ? [] : ["[extensions]", `\tobjectFormat = ${objectFormat}`]),
    ""
  ].join("\n")
