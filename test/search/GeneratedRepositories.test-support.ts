/**
 * Many small bare repositories with different contents, made from pieces of real files, and users with different rights
 * on them. The same seed gives the same repositories.
 */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { crc32 } from "node:zlib"
import type { ObjectType } from "@tongs/service/git/values/GitObject"
import * as ObjectEncoding from "@tongs/service/git/values/ObjectEncoding"
import * as ObjectFiles from "@tongs/service/git/objects/ObjectFiles"
import * as PackEncoding from "@tongs/service/git/values/PackEncoding"

/** A generated repository. */
export interface GeneratedRepository {
  readonly owner: string
  readonly name: string
  /** Path of the bare repository. */
  readonly git: string
  readonly isPrivate: boolean
  /** Logins of the collaborators. */
  readonly collaborators: ReadonlyArray<string>
  /** Texts of the files of the branch `main` by path. */
  readonly files: ReadonlyMap<string, string>
}

/** A user with a token. */
export interface GeneratedUser {
  readonly login: string
  readonly token: string
}

/** An organization, whose members read its repositories. */
export interface GeneratedOrganization {
  readonly login: string
  readonly members: ReadonlyArray<string>
}

/** The repositories, and the accounts that own or read them. */
export interface GeneratedForge {
  readonly repositories: ReadonlyArray<GeneratedRepository>
  readonly users: ReadonlyArray<GeneratedUser>
  readonly organizations: ReadonlyArray<GeneratedOrganization>
}

export interface Options {
  /** Folder for the repositories: the folder `repositories` of a data folder, so that also a restarted forge serves them. */
  readonly folder: string
  readonly count: number
  /** Number of users, by default 20. */
  readonly users?: number
  readonly seed?: number
  /** A folder with the sources of Linux, from which the contents come besides this repository. */
  readonly linux?: string
}

/** A word in every repository, in the file `README.md`. */
export const COMMON_WORD = "commonmarker"

/** A word that only the repository with this number has, in the file `README.md`. */
export const uniqueWord = (at: number): string => `uniquemarker${at}x`

/** A word of about one in `step` repositories. */
export const sharedWord = (step: number): string => `sharedmarker${step}`

/** Steps of the words that several repositories share. */
export const sharedSteps = [3, 10, 100] as const

/** Maximum bytes of all pieces, of a source file, and number of lines of a piece. */
const MAX_POOL = 24 * 1024 * 1024
const MAX_SOURCE = 200_000
const lineCounts = { least: 10, most: 120 } as const

/** Number of files of a repository besides `README.md`. */
const fileCounts = { least: 4, most: 12 } as const

/** A generator of pseudorandom numbers from 0 to 1: https://github.com/cprosche/mulberry32 */
export const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Creates the repositories in a folder for each owner, and decides about the rights of the users. */
export const generate = ({ count, folder, linux, seed = 1, users: userCount = 20 }: Options): GeneratedForge => {
  const next = random(seed)
  const below = (most: number) => Math.floor(next() * most)
  const sources = readSources(next, linux)
  const users = Array.from({ length: userCount }, (_, at) => ({ login: `user${at}`, token: `token-of-user${at}` }))
  const logins = users.map(({ login }) => login)
  // The first user only sees public repositories and its own, the second one is in all organizations.
  const organizations = Array.from({ length: 4 }, (_, at) => ({
    login: `company${at}`,
    members: logins.filter((_, user) => user === 1 || (user > 1 && next() < 0.3))
  }))
  const owners = [...logins, ...organizations.flatMap(({ login }) => [login, login, login])]
  const repositories = Array.from({ length: count }, (_, at): GeneratedRepository => {
    const owner = owners[below(owners.length)] ?? ""
    const name = `project${at}`
    const files = new Map([["README.md", readme(at, next)]])
    const wanted = fileCounts.least + below(fileCounts.most - fileCounts.least)
    for (let file = 0; file < wanted; file++) {
      const source = sources[below(sources.length)]
      if (source !== undefined) files.set(`${source.folder}/${file}_${source.name}`, piece(source.lines, below))
    }
    const git = join(folder, owner, `${name}.git`)
    writeBare(git, files, 1_700_000_000 + at)
    const collaborators = logins.filter((login, user) => user > 1 && login !== owner && next() < 0.08)
    return { owner, name, git, isPrivate: next() < 0.7, collaborators, files }
  })
  return { repositories, users, organizations }
}

/** Returns the rows of a fixture file with the accounts, the tokens, the repositories and the rights. */
export const fixtures = ({ organizations, repositories, users }: GeneratedForge) => ({
  users: users.map(({ login }) => ({ login })),
  organizations: organizations.map(({ login, members }) => ({ login, members: members.map((login) => ({ login })) })),
  repositories: repositories.map(({ git, isPrivate, name, owner }) => ({
    full_name: `${owner}/${name}`,
    git,
    private: isPrivate
  })),
  collaborators: repositories.flatMap(({ collaborators, name, owner }) =>
    collaborators.map((login) => ({ repository: `${owner}/${name}`, login, permission: "read" }))
  ),
  tokens: users.map(({ login, token }) => ({ token, user: login, scopes: ["repo"] }))
})

/** True if a user may read a repository. Undefined is an anonymous caller. */
export const mayRead = (
  { organizations }: Pick<GeneratedForge, "organizations">,
  { collaborators, isPrivate, owner }: GeneratedRepository,
  login: string | undefined
): boolean =>
  !isPrivate ||
  (login !== undefined &&
    (owner === login ||
      collaborators.includes(login) ||
      organizations.some((one) => one.login === owner && one.members.includes(login))))

const readme = (at: number, next: () => number): string => {
  const shared = sharedSteps.filter((step) => next() < 1 / step).map(sharedWord)
  return `# project${at}\n\n${COMMON_WORD} of all projects.\n\n${[uniqueWord(at), ...shared].join("\n")}\n`
}

/** Consecutive lines of a file. */
const piece = (lines: ReadonlyArray<string>, below: (most: number) => number): string => {
  const length = lineCounts.least + below(lineCounts.most - lineCounts.least)
  const begin = below(Math.max(1, lines.length - length))
  return `${lines.slice(begin, begin + length).join("\n")}\n`
}

interface Source {
  readonly folder: string
  readonly name: string
  readonly lines: ReadonlyArray<string>
}

/** Reads files of this repository and of Linux, up to `MAX_POOL`. */
const readSources = (next: () => number, linux: string | undefined): ReadonlyArray<Source> => {
  const own = join(import.meta.dirname, "../..")
  const tracked = execFileSync("git", ["ls-files", "-z", "packages", "apps", "docs", "scripts"], { cwd: own })
    .toString()
    .split("\0")
    .map((path) => [own, path] as const)
  const kernel = linux === undefined ? [] : filesBelow(linux, ["kernel", "fs", "net", "mm", "lib"])
  const sources: Array<Source> = []
  let bytes = 0
  for (const [root, path] of shuffle([...tracked, ...kernel], next)) {
    if (bytes > MAX_POOL) break
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    if (!/\.\w+$/.test(path) || stat?.isFile() !== true || stat.size > MAX_SOURCE || stat.size === 0) continue
    const text = readFileSync(join(root, path), "utf8")
    if (/[\0\uFFFD\r]/.test(text)) continue
    bytes += stat.size
    const parts = path.split("/")
    sources.push({
      folder: parts.slice(0, -1).slice(-3).join("/") || "src",
      name: parts.at(-1) ?? "",
      lines: text.split("\n")
    })
  }
  return sources
}

const filesBelow = (root: string, folders: ReadonlyArray<string>) =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /\.[ch]$/.test(path))
      .map((path) => [root, `${folder}/${path}`] as const)
  )

const shuffle = <A>(items: ReadonlyArray<A>, next: () => number): ReadonlyArray<A> =>
  items
    .map((item) => ({ item, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item)

interface NewObject {
  readonly type: ObjectType
  readonly content: Buffer
  readonly oid: string
}

/** Writes a bare repository with one commit on `main`, in one pack. Starting git would take most of the time. */
const writeBare = (path: string, files: ReadonlyMap<string, string>, seconds: number): void => {
  const objects = new Map<string, NewObject>()
  const add = (type: ObjectType, content: Buffer) => {
    const oid = ObjectFiles.idOf(type, content, "sha1")
    objects.set(oid, { type, content, oid })
    return oid
  }
  const blobs = [...files].map(([file, text]) => ({ parts: file.split("/"), oid: add("blob", Buffer.from(text)) }))
  const treeOf = (entries: typeof blobs, depth: number): string => {
    const groups = Map.groupBy(entries, ({ parts }) => parts[depth] ?? "")
    return add(
      "tree",
      ObjectEncoding.encodeTree(
        [...groups].map(([name, group]) => {
          const [first] = group
          return first !== undefined && first.parts.length === depth + 1
            ? { mode: "100644", type: "blob" as const, name, oid: first.oid }
            : { mode: "040000", type: "tree" as const, name, oid: treeOf(group, depth + 1) }
        })
      )
    )
  }
  const person = { name: "Test", email: "test@example.org", seconds, timezone: "+0000" }
  const tree = treeOf(blobs, 0)
  const commit = ObjectEncoding.encodeCommit(
    { tree, parents: [], author: person, committer: person, message: "first\n" },
    "sha1"
  )
  const tip = add("commit", commit)
  for (const folder of ["objects/pack", "objects/info", "refs/heads", "refs/tags"])
    mkdirSync(join(path, folder), { recursive: true })
  writeFileSync(join(path, "HEAD"), "ref: refs/heads/main\n")
  writeFileSync(join(path, "config"), "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n")
  writeFileSync(join(path, "packed-refs"), `# pack-refs with: peeled fully-peeled sorted \n${tip} refs/heads/main\n`)
  writePack(join(path, "objects/pack"), [...objects.values()])
}

/** Bytes of the header and the checksum of a pack. */
const HEADER = 12
const CHECKSUM = 20

/** Writes a pack with its index: https://git-scm.com/docs/gitformat-pack */
const writePack = (folder: string, objects: ReadonlyArray<NewObject>): void => {
  const header = Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1")
  header.writeUInt32BE(objects.length, 8)
  let offset = HEADER
  const entries = objects.map((object) => {
    const part = PackEncoding.encode([object], "sha1").subarray(HEADER, -CHECKSUM)
    const entry = { part, oid: Buffer.from(object.oid, "hex"), offset, crc: crc32(part) }
    offset += part.length
    return entry
  })
  const pack = withChecksum([header, ...entries.map(({ part }) => part)])
  const checksum = pack.subarray(-CHECKSUM)
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.oid, b.oid))
  const fanout = Array.from({ length: 256 }, (_, byte) => sorted.filter(({ oid }) => (oid[0] ?? 0) <= byte).length)
  const index = withChecksum([
    Buffer.from("\xfftOc\0\0\0\x02", "latin1"),
    numbers(fanout),
    ...sorted.map(({ oid }) => oid),
    numbers(sorted.map(({ crc }) => crc)),
    numbers(sorted.map((one) => one.offset)),
    checksum
  ])
  const name = join(folder, `pack-${checksum.toString("hex")}`)
  writeFileSync(`${name}.pack`, pack)
  writeFileSync(`${name}.idx`, index)
}

const numbers = (values: ReadonlyArray<number>): Buffer => {
  const buffer = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) buffer.writeUInt32BE(value, at * 4)
  return buffer
}

const withChecksum = (parts: ReadonlyArray<Buffer>): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([body, createHash("sha1").update(body).digest()])
}
