/**
 * Random stories of forks over the REST API and with real git, and a model of what each repository has: its references,
 * and every object that they ever reached. All commits are also in one local repository, the model's. "Decision" marks
 * a rule about which GitHub's documentation says nothing.
 */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { randomOf } from "../../access/RightsModel.test-support.ts"
import { TokenRows } from "../../access/TokenRows.ts"
import { UserRows } from "../../accounts/UserRows.ts"
import { git } from "../../git/Fixture.test-support.ts"
import { MinimumPoolBytes } from "../../git/ObjectPools.ts"
import * as Fixtures from "../../main/Fixtures.ts"
import { serve } from "../../main/Serve.ts"
import { Forks } from "../../repositories/Forks.ts"
import * as TestDatabase from "../../storage/TestDatabase.test-support.ts"

type Json = any // oxlint-disable-line typescript/no-explicit-any -- answers of the API

interface Person {
  readonly login: string
  readonly token: string
}

interface Repository {
  readonly owner: Person
  name: string
  isPrivate: boolean
  parent: Repository | undefined
  /** By full name. `refs/heads/main` is the default branch. */
  readonly refs: Map<string, string>
  /** The ids of all objects that the references ever reached. */
  readonly had: Set<string>
  folder: string
}

/** Runs git without blocking, because the forge is in this process. */
const runGit = (cwd: string, args: ReadonlyArray<string>, input = "") =>
  new Promise<{ readonly code: number; readonly out: string; readonly err: string }>((resolve) => {
    const child = execFile(
      "git",
      ["-c", "user.name=Test", "-c", "user.email=test@example.org", ...args],
      {
        cwd,
        maxBuffer: 64 * 1024 * 1024,
        env: { PATH: process.env["PATH"], HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" }
      },
      (error, out, err) => resolve({ code: error === null ? 0 : Number(error.code) || 1, out, err })
    )
    child.stdin?.on("error", () => {}).end(input)
  })

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "")

/** A forge that can start again with the same data. */
export const start = async () => {
  const root = mkdtempSync(join(tmpdir(), "tongs-forks-"))
  const data = join(root, "data")
  mkdirSync(join(root, "repos"))
  const open = async (minimum: number) => {
    const runtime = ManagedRuntime.make(
      TestDatabase.forgeLayer({
        data,
        owner: "keeper",
        cwd: root,
        repos: [join(root, "repos")],
        dialect: "service",
        limits: undefined,
        allowLocalWebhooks: false
      }).pipe(Layer.provide(Layer.succeed(MinimumPoolBytes, minimum)))
    )
    const scope = Scope.makeUnsafe()
    const url = await runtime.runPromise(Scope.provide(serve({ host: "127.0.0.1", port: 0 }), scope))
    return { runtime, scope, url }
  }
  let now = await open(0)
  const close = async () => {
    await Effect.runPromise(Scope.close(now.scope, Exit.void))
    await now.runtime.dispose()
  }
  return {
    data,
    url: () => now.url,
    settled: () => now.runtime.runPromise(Effect.flatMap(Forks, ({ settled }) => settled)),
    add: (rows: object) => now.runtime.runPromise(Fixtures.add(rows, join(root, "repos"))),
    person: (login: string): Promise<Person> =>
      now.runtime.runPromise(
        Effect.gen(function* () {
          const { id } = yield* (yield* UserRows).ensure({ login })
          const token = yield* (yield* TokenRows).add({ kind: "classic", userId: id, scopes: ["repo", "delete_repo"] })
          return { login, token: Redacted.value(token) }
        })
      ),
    restart: async (minimum: number) => {
      await close()
      now = await open(minimum)
    },
    end: async () => {
      await close()
      rmSync(root, { recursive: true, force: true })
    }
  }
}
type Forge = Awaited<ReturnType<typeof start>>

/** Runs the story of a seed. Throws with the steps before the first difference. */
export const run = async (forge: Forge, seed: number, steps: number): Promise<void> => {
  const random = randomOf(seed)
  const local = mkdtempSync(join(tmpdir(), "tongs-fork-model-"))
  git(local, ["init", "--quiet", "--bare", "--initial-branch=main"])
  /** For fetches that must fail. */
  const empty = join(local, "empty")
  git(local, ["init", "--quiet", "--bare", empty])
  const people = await Promise.all(["ann", "ben", "cat", "dan"].map((name) => forge.person(`${name}-${seed}`)))
  const repositories: Array<Repository> = []
  /** The ids of all objects of the story. */
  const objects = new Set<string>()
  const history: Array<string> = []
  let serial = 0

  const fail = (what: string): never => {
    throw new Error(`seed ${seed}, after\n${history.join("\n")}\n${what}`)
  }
  const expect = (what: string, found: unknown, expected: unknown) => {
    const [left, right] = [JSON.stringify(found), JSON.stringify(expected)]
    if (left !== right) fail(`${what}: the forge has ${left}, the model ${right}`)
  }
  const fullName = ({ name, owner }: Repository) => `${owner.login}/${name}`
  const ask = async (person: Person, method: string, path: string, body?: object) => {
    const response = await fetch(`${forge.url()}${path}`, {
      method,
      headers: { authorization: `Bearer ${person.token}`, "user-agent": "test", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    const json: Json = (response.headers.get("content-type") ?? "").startsWith("application/json") ? JSON.parse(text) : undefined // prettier-ignore
    return { status: response.status, text, json }
  }
  const remote = (repository: Repository) =>
    `${forge.url().replace("://", `://x:${repository.owner.token}@`)}/${fullName(repository)}.git`

  const reachedBy = new Map<string, ReadonlyArray<string>>()
  const objectsOf = (tips: Iterable<string>): ReadonlyArray<string> => [
    ...new Set(
      [...tips].flatMap((tip) => {
        const known =
          reachedBy.get(tip) ?? linesOf(git(local, ["rev-list", "--objects", tip])).map((line) => line.slice(0, 40))
        reachedBy.set(tip, known)
        return known
      })
    )
  ]
  /** Notes that a repository has what a tip reaches. */
  const gain = (repository: Repository, tip: string) => {
    for (const id of objectsOf([tip])) {
      objects.add(id)
      repository.had.add(id)
    }
  }
  /** A commit with one new file, or one changed file, on a parent. */
  const commit = (parent: string | undefined): string => {
    const name = `${seed}-${++serial}`
    const text = `content ${name} ${"x".repeat(random.below(3000))}\n`
    const message = `commit ${name}`
    const lines = [
      "commit refs/heads/written",
      "mark :1",
      "committer Test <test@example.org> 1700000000 +0000",
      `data ${message.length}`,
      message,
      ...(parent === undefined ? [] : [`from ${parent}`]),
      `M 100644 inline ${random.chance(0.5) ? "dir/one" : name}.txt`,
      `data ${text.length}`,
      text,
      "get-mark :1",
      "reset refs/heads/written",
      "from 0000000000000000000000000000000000000000",
      ""
    ]
    return git(local, ["fast-import", "--quiet"], lines.join("\n"))
  }

  const repositoriesFolder = join(forge.data, "repositories")
  const foldersOf = ({ login }: Person): ReadonlyArray<string> => {
    const folder = join(repositoriesFolder, login)
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []
  }
  const findFolder = (repository: Repository) => {
    const taken = new Set(repositories.filter((one) => one !== repository).map(({ folder }) => folder))
    const free = foldersOf(repository.owner).filter(
      (folder) => !taken.has(folder) && existsSync(join(folder, "objects"))
    )
    repository.folder =
      free.length === 1 ? (free[0] ?? "") : fail(`folders of ${fullName(repository)}: ${free.join(" ")}`)
  }

  const push = async (repository: Repository, ref: string, tip: string | undefined) => {
    const { code, err } = await runGit(local, ["push", "--quiet", remote(repository), `+${tip ?? ""}:${ref}`])
    if (code !== 0) fail(`push: ${err}`)
    if (tip === undefined) repository.refs.delete(ref)
    else {
      repository.refs.set(ref, tip)
      gain(repository, tip)
    }
  }
  const create = async () => {
    const owner = random.one(people)
    if (owner === undefined) return
    const repository: Repository = {
      owner,
      name: `root-${++serial}`,
      isPrivate: random.chance(0.4),
      parent: undefined,
      refs: new Map(),
      had: new Set(),
      folder: ""
    }
    history.push(`create ${repository.isPrivate ? "private " : ""}${fullName(repository)}`)
    const made = await ask(owner, "POST", "/user/repos", { name: repository.name, private: repository.isPrivate })
    if (made.status !== 201) fail(made.text)
    repositories.push(repository)
    findFolder(repository)
    await forge.add({
      collaborators: people
        .filter((one) => one !== owner)
        .map(({ login }) => ({ repository: fullName(repository), login, permission: "read" }))
    })
    const first = commit(undefined)
    await push(repository, "refs/heads/main", commit(first))
    if (random.chance(0.7)) await push(repository, "refs/heads/side", commit(first))
  }

  const rootOf = (repository: Repository): Repository =>
    repository.parent === undefined ? repository : rootOf(repository.parent)
  const networkOf = (repository: Repository) => repositories.filter((one) => rootOf(one) === rootOf(repository))
  const remove = (repository: Repository) => repositories.splice(repositories.indexOf(repository), 1)
  /** One of the forks becomes the root of the others. Decision: which one, the forge says. */
  const replaceRoot = async (root: Repository) => {
    const others = networkOf(root).filter((one) => one !== root)
    await replaceParent(root, others)
    const roots = others.filter((one) => one.parent === undefined)
    if (others.length > 0 && roots.length !== 1) fail(`new roots: ${roots.map(fullName).join(" ")}`)
  }
  const replaceParent = async (gone: Repository, others: ReadonlyArray<Repository>) => {
    for (const one of others) {
      if (one.parent !== gone) continue
      const { json } = await ask(one.owner, "GET", `/repos/${fullName(one)}`)
      const name = json?.parent?.full_name
      one.parent =
        name === undefined ? undefined : (others.find((other) => fullName(other) === name) ?? fail(`parent ${name}`))
    }
  }

  const fork = async (repository: Repository) => {
    const network = networkOf(repository)
    const person = random.one(people.filter((one) => !network.some(({ owner }) => owner === one)))
    if (person === undefined) return
    const isReadable = (await ask(person, "GET", `/repos/${fullName(repository)}`)).status === 200
    const isSmall = random.chance(0.3)
    const name = `fork-${++serial}`
    history.push(`${person.login} forks ${fullName(repository)}${isSmall ? ", default branch only" : ""} as ${name}`)
    const body = { name, default_branch_only: isSmall }
    const isBusy = random.chance(0.3)
    if (isBusy) history.push(`at the same time, git repack -a -d in ${fullName(repository)}`)
    const [made, repacked] = await Promise.all([
      ask(person, "POST", `/repos/${fullName(repository)}/forks`, body),
      isBusy ? runGit(repository.folder, ["repack", "-a", "-d", "-q"]) : undefined
    ])
    if (repacked !== undefined && repacked.code !== 0) fail(repacked.err)
    if (!isReadable) return expect("status of a fork", made.status, 404)
    if (made.status !== 202) fail(`fork: ${made.status} ${made.text}`)
    const found: Repository = {
      owner: person,
      name,
      isPrivate: repository.isPrivate,
      parent: repository,
      refs: new Map([...repository.refs].filter(([ref]) => !isSmall || ref === "refs/heads/main")),
      had: new Set(),
      folder: ""
    }
    repositories.push(found)
    findFolder(found)
    for (const tip of found.refs.values()) gain(found, tip)
    if (random.chance(0.7)) await forge.settled()
  }

  const mergeUpstream = async (repository: Repository) => {
    const { parent } = repository
    const shared = [...repository.refs.keys()].filter(
      (ref) => ref.startsWith("refs/heads/") && parent?.refs.has(ref) === true
    )
    const ref = random.one(shared)
    if (parent === undefined || ref === undefined) return
    const [own = "", above = ""] = [repository.refs.get(ref), parent.refs.get(ref)]
    const isIn = async (left: string, right: string) =>
      (await runGit(local, ["merge-base", "--is-ancestor", left, right])).code === 0
    const branch = ref.slice(11)
    history.push(`merge-upstream ${fullName(repository)} ${branch}`)
    const { json, status, text } = await ask(
      repository.owner,
      "POST",
      `/repos/${fullName(repository)}/merge-upstream`,
      { branch }
    )
    if (await isIn(above, own)) return expect("merge type", [status, json?.merge_type], [200, "none"])
    if (await isIn(own, above)) {
      expect("merge type", [status, json?.merge_type], [200, "fast-forward"])
      repository.refs.set(ref, above)
      return gain(repository, above)
    }
    const merged = await runGit(local, ["merge-tree", "--write-tree", own, above])
    if (merged.code !== 0) {
      if (status !== 409 && status !== 422) fail(`expected a conflict: ${status} ${text}`)
      return
    }
    expect("merge type", [status, json?.merge_type], [200, "merge"])
    const fetched = await runGit(local, ["fetch", "--quiet", remote(repository), ref])
    if (fetched.code !== 0) fail(fetched.err)
    const tip = git(local, ["rev-parse", "FETCH_HEAD"])
    expect("parents of the merge", git(local, ["rev-parse", `${tip}^1`, `${tip}^2`]), `${own}\n${above}`)
    expect("tree of the merge", git(local, ["rev-parse", `${tip}^{tree}`]), linesOf(merged.out)[0])
    repository.refs.set(ref, tip)
    return gain(repository, tip)
  }

  const visibility = async (repository: Repository) => {
    const body = { private: !repository.isPrivate }
    history.push(`${fullName(repository)} becomes ${body.private ? "private" : "public"}`)
    const { status, text } = await ask(repository.owner, "PATCH", `/repos/${fullName(repository)}`, body)
    // GitHub: you cannot change the visibility of a fork.
    if (repository.parent !== undefined) return expect("status of the visibility of a fork", status, 422)
    if (status !== 200) fail(text)
    if (body.private) await replaceRoot(repository)
    else {
      // GitHub: each private fork becomes a standalone private repository, the root of its own network.
      for (const one of networkOf(repository)) if (one.parent === repository) one.parent = undefined
    }
    repository.isPrivate = body.private
  }

  const destroy = async (repository: Repository) => {
    history.push(`delete ${fullName(repository)}`)
    const isRoot = repository.parent === undefined
    const network = networkOf(repository).filter((one) => one !== repository)
    const { status, text } = await ask(repository.owner, "DELETE", `/repos/${fullName(repository)}`)
    if (status !== 204) fail(text)
    if (isRoot && repository.isPrivate) {
      for (const one of [repository, ...network]) {
        remove(one)
        expect(`status of ${fullName(one)}`, (await ask(one.owner, "GET", `/repos/${fullName(one)}`)).status, 404)
      }
      return
    }
    if (isRoot) await replaceRoot(repository)
    else await replaceParent(repository, network)
    remove(repository)
  }

  const step = async () => {
    const repository = random.one(repositories)
    if (repository === undefined) return create()
    const name = fullName(repository)
    const branches = [...repository.refs.keys()].filter((ref) => ref.startsWith("refs/heads/"))
    const ref = random.one(branches) ?? "refs/heads/main"
    const tip = repository.refs.get(ref)
    const kind = random.below(100)
    if (kind < 22) {
      const target = random.chance(0.3) ? `refs/heads/topic-${++serial}` : ref
      history.push(`push ${name} ${target}`)
      return push(repository, target, commit(tip))
    }
    if (kind < 32) {
      history.push(`force push ${name} ${ref}`)
      const parent = random.chance(0.8) ? linesOf(git(local, ["rev-list", "-n", "3", tip ?? ""])).at(-1) : undefined
      return push(repository, ref, commit(parent))
    }
    if (kind < 38) {
      const other = random.one(branches.filter((one) => one !== "refs/heads/main"))
      if (other === undefined) return
      history.push(`delete ${name} ${other}`)
      return push(repository, other, undefined)
    }
    if (kind < 43) {
      const tag = `refs/tags/v${++serial}`
      history.push(`tag ${name} ${tag}`)
      const text = `object ${tip}\ntype commit\ntag v${serial}\ntagger Test <test@example.org> 1700000000 +0000\n\ntag\n`
      return push(repository, tag, git(local, ["mktag"], text))
    }
    if (kind < 62) return fork(repository)
    if (kind < 72) return mergeUpstream(repository)
    if (kind < 76) {
      const next = `renamed-${++serial}`
      history.push(`rename ${name} to ${next}`)
      const { status, text } = await ask(repository.owner, "PATCH", `/repos/${name}`, { name: next })
      if (status !== 200) fail(text)
      repository.name = next
      return existsSync(repository.folder) ? undefined : findFolder(repository)
    }
    if (kind < 80) return destroy(repository)
    if (kind < 85) return visibility(repository)
    if (kind < 95) {
      const args = random.chance(0.5) ? ["gc", "--quiet", "--prune=now"] : ["repack", "-a", "-d", "-q"]
      history.push(`git ${args.join(" ")} in ${name}`)
      const { code, err } = await runGit(repository.folder, args)
      return code === 0 ? undefined : fail(err)
    }
    if (kind < 97) {
      const minimum = random.chance(0.7) ? 0 : 2000
      history.push(`restart, pools from ${minimum} bytes`)
      return forge.restart(minimum)
    }
    return create()
  }

  /** Asks for an object by every way that takes an id. */
  const probe = async (repository: Repository, id: string, isHad: boolean) => {
    const at = `/repos/${fullName(repository)}`
    const type = git(local, ["cat-file", "-t", id])
    const file = type === "commit" ? (git(local, ["ls-tree", "-r", "--name-only", id]).split("\n")[0] ?? "") : ""
    const paths =
      type === "commit"
        ? [`git/commits/${id}`, `commits/${id}`, `contents/?ref=${id}`, `contents/${file}?ref=${id}`, `tarball/${id}`, `compare/main...${id}`] // prettier-ignore
        : [`git/${type}s/${id}`]
    const all = [
      ...paths.map((path) => `${at}/${path}`),
      ...(type === "commit" ? [`/tongs${at}/blame/${file}?ref=${id}`] : [])
    ]
    for (const path of all) {
      const { status, text } = await ask(repository.owner, "GET", path)
      if (!isHad && status !== 404 && status !== 422)
        fail(`${path} (a foreign ${type}): ${status} ${text.slice(0, 300)}`)
      // An unrelated commit cannot be compared.
      if (isHad && status !== 200 && !path.includes("/compare/"))
        fail(`${path} (an own ${type}): ${status} ${text.slice(0, 300)}`)
    }
    if (isHad) return
    const [owner, name] = [repository.owner.login, repository.name]
    const query = `{ repository(owner: "${owner}", name: "${name}") { object(oid: "${id}") { oid } } }`
    const { json, text } = await ask(repository.owner, "POST", "/graphql", { query })
    if (json?.data?.repository?.object?.oid === id) fail(`GraphQL gives the foreign ${type} ${id}: ${text}`)
    if (type === "blob") {
      const word = git(local, ["cat-file", "blob", id]).split(" ")[1] ?? ""
      const search = await ask(repository.owner, "GET", `/search/code?q=${word}+repo:${owner}/${name}`)
      const shas: ReadonlyArray<Json> = search.json?.items ?? []
      if (shas.some(({ sha }) => sha === id)) fail(`/search/code gives the foreign blob ${id}`)
    }
    for (const version of ["0", "2"]) {
      const { code } = await runGit(empty, [
        "-c",
        `protocol.version=${version}`,
        "fetch",
        "--quiet",
        remote(repository),
        id
      ])
      if (code === 0)
        fail(`git fetch ${id} (a foreign ${type}) from ${fullName(repository)}, version ${version}, succeeds`)
    }
  }

  const checkOne = async (repository: Repository, isComplete: boolean) => {
    const name = fullName(repository)
    const { folder, had, isPrivate, owner, parent, refs } = repository
    const { json, status, text } = await ask(owner, "GET", `/repos/${name}`)
    if (status !== 200) fail(`GET ${name}: ${status} ${text}`)
    const facts = [isPrivate, parent !== undefined, parent === undefined ? undefined : fullName(parent)]
    expect(name, [json.private, json.fork, json.parent?.full_name], facts)
    const wanted = [...refs].map(([ref, id]) => `${id} ${ref}`).toSorted()
    const advertised = await runGit(local, ["ls-remote", remote(repository)])
    const shown = linesOf(advertised.out.replaceAll("\t", " ")).filter((line) => !/ HEAD$|\^\{\}$/.test(line))
    expect(`git ls-remote ${name} ${advertised.err}`, shown.toSorted(), wanted)
    const own = await runGit(folder, ["for-each-ref", "--format=%(objectname) %(refname)"])
    expect(`git for-each-ref ${name}`, linesOf(own.out).toSorted(), wanted)
    // The commit graph can name commits that `git repack -a -d` has removed.
    const fsck = await runGit(folder, ["-c", "core.commitGraph=false", "fsck", "--full", "--strict"])
    if (fsck.code !== 0 || /missing|broken|error/.test(fsck.out + fsck.err)) {
      fail(`git fsck ${name} ${folder}: ${fsck.out}${fsck.err}`)
    }
    const reached = linesOf((await runGit(folder, ["rev-list", "--objects", "--all"])).out)
    const ids = reached.map((line) => line.slice(0, 40)).toSorted()
    expect(`objects of ${name}`, ids, [...objectsOf(refs.values())].toSorted())
    const present = await runGit(folder, ["cat-file", "--batch-check"], `${[...objects].join("\n")}\n`)
    const foreign = linesOf(present.out).filter((line) => !line.endsWith(" missing") && !had.has(line.slice(0, 40)))
    if (foreign.length > 0) {
      fail(`${name} (${folder}) has objects that its references never reached: ${foreign.join(", ")}`)
    }
    if (!isComplete) return
    const foreignIds = [...objects].filter((id) => !had.has(id))
    for (let count = 0; count < 2; count++) {
      const id = random.one(foreignIds)
      if (id !== undefined) await probe(repository, id, false)
    }
    const branches = [...refs].flatMap(([ref, id]) => (ref.startsWith("refs/heads/") ? [id] : []))
    const ownId = random.one(objectsOf(branches))
    if (ownId !== undefined) await probe(repository, ownId, true)
  }
  const check = async (isComplete: boolean) => {
    for (const repository of repositories) await checkOne(repository, isComplete)
  }

  try {
    await create()
    for (let count = 0; count < steps; count++) {
      await step()
      if (random.chance(0.1)) await check(false)
    }
    await forge.settled()
    await check(true)
  } catch (error) {
    throw error instanceof Error && error.message.startsWith("seed ")
      ? error
      : new Error(`seed ${seed}, after\n${history.join("\n")}`, { cause: error })
  } finally {
    rmSync(local, { recursive: true, force: true })
  }
}
