/**
 * Searches of users with different rights, compared with a filter over all files: no foreign file, none missing, and
 * equal counts, while rights and repositories change.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { OrganizationRows } from "@tongs/service/accounts/OrganizationRows"
import { UserRows } from "@tongs/service/accounts/UserRows"
import * as Forge from "@tongs/service/main/Forge.test-support"
import { RepositoryRegistry } from "@tongs/service/repositories/RepositoryRegistry"
import { RepositoryRows } from "@tongs/service/repositories/RepositoryRows"
import { Indexer } from "@tongs/service/search/Indexer"
import { isLong } from "../LongTests.test-support.ts"
import * as Generated from "./GeneratedRepositories.test-support.ts"

const count = isLong ? 5_000 : 110
const queries = isLong ? 10_000 : 100

/** Number of queries between two changes. */
const CHANGE_EVERY = 4

/** Maximum number of files of a search. */
const LIMIT = 1_000

/** Milliseconds that a search may take on a busy machine. */
const DEADLINE = "60000"

const random = Generated.random(isLong ? 7 : 3)
const below = (most: number) => Math.floor(random() * most)
const pick = <A>(items: ReadonlyArray<A>): A => {
  const item = items[below(items.length)]
  if (item === undefined) throw new Error("nothing to pick from")
  return item
}

/** The repositories and rights as they should be. */
interface Repository {
  owner: string
  name: string
  isPrivate: boolean
  readonly collaborators: Set<string>
  readonly files: Map<string, string>
}
const repositories: Array<Repository> = []
const members = new Map<string, Set<string>>()
const callers: Array<{ readonly login: string | undefined; readonly token: string | null | undefined }> = []

const fullNameOf = ({ name, owner }: Repository) => `${owner}/${name}`

const mayRead = ({ collaborators, isPrivate, owner }: Repository, login: string | undefined): boolean =>
  !isPrivate ||
  login === "keeper" ||
  (login !== undefined && (owner === login || collaborators.has(login) || members.get(owner)?.has(login) === true))

const prepare = (repos: string) => {
  mkdirSync(repos)
  const generated = Generated.generate({ folder: join(repos, "../data/repositories"), count })
  writeFileSync(join(repos, "../fixtures.json"), JSON.stringify(Generated.fixtures(generated)))
  for (const { collaborators, files, isPrivate, name, owner } of generated.repositories)
    repositories.push({ owner, name, isPrivate, collaborators: new Set(collaborators), files: new Map(files) })
  for (const { login, members: all } of generated.organizations) members.set(login, new Set(all))
  callers.push({ login: "keeper", token: undefined }, { login: undefined, token: null }, ...generated.users)
}

interface File {
  readonly repository: Repository
  readonly path: string
  readonly text: string
}

interface Query {
  readonly q: string
  readonly matches: (file: File) => boolean
}

/** A word of a file, of any repository, also one that the caller cannot read. */
const anyWord = (): string => {
  const kind = below(10)
  if (kind < 4) return Generated.uniqueWord(below(count))
  if (kind < 5) return Generated.sharedWord(pick(Generated.sharedSteps.slice(1)))
  const words = pick([...pick(repositories).files.values()]).match(/[a-zA-Z_]{9,20}/g) ?? []
  return words.length === 0 ? "nothingtofind" : pick(words)
}

const word = (text: string): Query => ({
  q: text,
  matches: ({ path, text: content }) =>
    content.toLowerCase().includes(text.toLowerCase()) || path.toLowerCase().includes(text.toLowerCase())
})

/** A condition on the repository, of any repository or owner, also of those that the caller cannot read. */
const scope = (): Query => {
  const { name, owner } = pick(repositories)
  switch (below(5)) {
    case 0:
      return { q: `repo:${owner}/${name}`, matches: ({ repository }) => fullNameOf(repository) === `${owner}/${name}` }
    case 1:
      return { q: `user:${owner}`, matches: ({ repository }) => repository.owner === owner }
    case 2: {
      const end = String(below(10))
      return { q: `repo:/${end}$/`, matches: ({ repository }) => repository.name.endsWith(end) }
    }
    case 3:
      return { q: `-user:${owner}`, matches: ({ repository }) => repository.owner !== owner }
    default:
      return { q: "extension:md", matches: ({ path }) => path.endsWith(".md") }
  }
}

const anyQuery = (): Query => {
  const first = word(anyWord())
  switch (below(6)) {
    case 0: {
      const second = word(anyWord())
      return { q: `${first.q} OR ${second.q}`, matches: (file) => first.matches(file) || second.matches(file) }
    }
    case 1: {
      const second = word(anyWord())
      return { q: `${first.q} -${second.q}`, matches: (file) => first.matches(file) && !second.matches(file) }
    }
    case 2: {
      const pattern = new RegExp(`${first.q.slice(0, 8)}\\w+`, "i")
      return { q: `/${pattern.source}/`, matches: ({ path, text }) => pattern.test(text) || pattern.test(path) }
    }
    case 3:
      return first
    default: {
      const where = scope()
      return { q: `${first.q} ${where.q}`, matches: (file) => first.matches(file) && where.matches(file) }
    }
  }
}

/** The files that a search must find, by a test of every file that the caller may read. */
const expected = (login: string | undefined, { matches }: Query): ReadonlyArray<string> =>
  repositories
    .filter((one) => mayRead(one, login))
    .flatMap((repository) =>
      [...repository.files].flatMap(([path, text]) =>
        matches({ repository, path, text }) ? [`${fullNameOf(repository)} ${path}`] : []
      )
    )

const search = Effect.fnUntraced(function* (q: string, token: string | null | undefined) {
  const { get } = yield* Forge.TestForge
  const parameters = new URLSearchParams({ q, limit: String(LIMIT), facets: "all", context: "0", deadline: DEADLINE })
  const { status, text } = yield* get(`/tongs/search?${parameters}`, token === undefined ? {} : { token })
  assert.strictEqual(status, 200, text)
  const events = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  const files = events.flatMap((event): ReadonlyArray<string> =>
    event._tag === "File" ? [`${event.owner}/${event.repo} ${event.path}`] : []
  )
  return { files, done: events.at(-1), text }
})

/** Names of private repositories that a text for a caller must not contain, apart from those in the query. */
const foreignNames = (text: string, login: string | undefined, q: string): ReadonlyArray<string> =>
  [...text.matchAll(/\b[\w-]+\/(?:project|moved)[\w-]+/g)]
    .map(([name]) => name)
    .filter((name) => !q.includes(name) && repositories.some((one) => fullNameOf(one) === name && !mayRead(one, login)))

/** True for a note about the query, and not about files that were not searched. */
const isHarmless = (note: string): boolean => note.startsWith("No repository matches")

const byCount = (files: ReadonlyArray<string>) =>
  Object.entries(Object.groupBy(files, (file) => file.split(" ")[0] ?? ""))
    .map(([value, all]) => ({ value, count: all?.length ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, 50)

const check = Effect.fnUntraced(function* (query: Query, { login, token }: (typeof callers)[number]) {
  const { done, files, text } = yield* search(query.q, token)
  const wanted = expected(login, query)
  const label = `${query.q} of ${login}`
  assert.deepStrictEqual(foreignNames(text, login, query.q), [], label)
  if (wanted.length > LIMIT) {
    const all = new Set(wanted)
    assert.deepStrictEqual(
      files.filter((file) => !all.has(file)),
      [],
      label
    )
    assert.strictEqual(files.length, LIMIT, label)
    return
  }
  assert.deepStrictEqual([done.incomplete, done.notes], [[], done.notes.filter(isHarmless)], label)
  assert.deepStrictEqual(files.toSorted(), wanted.toSorted(), label)
  assert.deepStrictEqual([done.files, done.facets.repo], [wanted.length, byCount(wanted)], label)
})

/** Removes a member of an organization, who also loses the collaborations on its repositories. */
const removeMember = (organization: string, login: string) => {
  members.get(organization)?.delete(login)
  for (const one of repositories) if (one.owner === organization) one.collaborators.delete(login)
}

/** Changes a right, a repository or a file, by the API if one request does so. */
const change = Effect.fnUntraced(function* (step: number) {
  const { ask } = yield* Forge.TestForge
  const rows = yield* RepositoryRows
  const users = yield* UserRows
  const organizations = yield* OrganizationRows
  const repository = pick(repositories)
  const path = `/repos/${fullNameOf(repository)}`
  const row = yield* rows.find(repository.owner, repository.name)
  const user = pick(callers.slice(2))
  const login = user.login ?? ""
  const account = yield* users.byLogin(login)
  const organization = yield* organizations.byLogin(pick([...members.keys()]))
  if (row === undefined || account === undefined || organization === undefined) return assert.fail(path)
  const request = Effect.fnUntraced(function* (method: string, at: string, body?: unknown) {
    const { status, text } = yield* ask(method, at, body === undefined ? {} : { body })
    assert.isBelow(status, 300, `${method} ${at}: ${text}`)
  })
  switch (step % 9) {
    case 0:
      if (repository.owner === login) return
      yield* organizations.setCollaboration(row.id, account.id, "read")
      repository.collaborators.add(login)
      return
    case 1: {
      const [shared] = repositories.filter(({ collaborators }) => collaborators.size > 0)
      const [collaborator] = shared?.collaborators ?? []
      if (shared === undefined || collaborator === undefined) return
      yield* request("DELETE", `/repos/${fullNameOf(shared)}/collaborators/${collaborator}`)
      shared.collaborators.delete(collaborator)
      return
    }
    case 2:
    case 3:
      yield* request("PATCH", path, { private: !repository.isPrivate })
      repository.isPrivate = !repository.isPrivate
      return
    case 4: {
      const name = `moved${step}`
      yield* request("PATCH", path, { name })
      repository.name = name
      return
    }
    case 5:
      if (repository.collaborators.has(login)) return
      yield* rows.transfer(row.id, account.id, `moved${step}`).pipe(Effect.orDie)
      repository.owner = login
      repository.name = `moved${step}`
      return
    case 6: {
      const text = `pushed marker ${Generated.uniqueWord(below(count))}\n`
      const content = Buffer.from(text).toString("base64")
      yield* request("PUT", `${path}/contents/pushed${step}.md`, { message: "pushed", content })
      repository.files.set(`pushed${step}.md`, text)
      return
    }
    case 7: {
      const all = members.get(organization.login)
      if (all?.has(login) === true) {
        yield* request("DELETE", `/orgs/${organization.login}/members/${login}`)
        removeMember(organization.login, login)
      } else {
        yield* organizations.setRole(organization.id, account.id, "member")
        all?.add(login)
      }
      return
    }
    default:
      yield* request("DELETE", path)
      repositories.splice(repositories.indexOf(repository), 1)
  }
})

layer(Forge.layer(prepare, { fixtures: "../fixtures.json" }))("rights of searches", (it) => {
  it.effect("waits for the index", () =>
    Effect.gen(function* () {
      const registry = yield* RepositoryRegistry
      const indexer = yield* Indexer
      const all = yield* registry.open(yield* registry.list)
      assert.strictEqual(all.length, count)
      while (!(yield* indexer.statuses(all, 0)).every(({ phase }) => phase === "ready")) {
        yield* TestClock.adjust("300 millis")
        yield* TestClock.withLive(Effect.sleep(100))
      }
    })
  )

  it.effect("finds all files that the caller may read and no other, while rights change", () =>
    Effect.gen(function* () {
      for (let at = 0; at < queries; at++) {
        if (at % CHANGE_EVERY === 0) yield* change(at / CHANGE_EVERY)
        // Several callers at once share the caches.
        const some = Array.from({ length: 2 }, () => pick(callers))
        const query = anyQuery()
        yield* Effect.forEach(some, (caller) => check(query, caller), { concurrency: 2 })
      }
    })
  )

  it.effect("finds no file of a private repository of an organization after the removal of a member", () =>
    Effect.gen(function* () {
      const { ask } = yield* Forge.TestForge
      const organizations = yield* OrganizationRows
      const [caller] = callers.slice(2)
      const login = caller?.login ?? ""
      const account = yield* (yield* UserRows).byLogin(login)
      const repository = repositories.find(({ isPrivate, owner }) => isPrivate && members.has(owner))
      if (caller === undefined || account === undefined || repository === undefined) return assert.fail("no repository")
      const { name, owner } = repository
      const organization = yield* organizations.byLogin(owner)
      const row = yield* (yield* RepositoryRows).find(owner, name)
      if (organization === undefined || row === undefined) return assert.fail(owner)
      // A member can be a collaborator, too, and loses both roles.
      yield* organizations.setRole(organization.id, account.id, "member")
      members.get(owner)?.add(login)
      yield* organizations.setCollaboration(row.id, account.id, "read")
      repository.collaborators.add(login)
      const query = word(Generated.COMMON_WORD)
      yield* check(query, caller)
      const { status } = yield* ask("DELETE", `/orgs/${owner}/members/${login}`)
      assert.strictEqual(status, 204)
      removeMember(owner, login)
      assert.isFalse(mayRead(repository, login))
      yield* check(query, caller)
    })
  )

  it.effect("answers about a private repository as about a missing one", () =>
    Effect.gen(function* () {
      const { get } = yield* Forge.TestForge
      const [outsider] = callers.slice(2)
      const hidden = repositories.find((one) => !mayRead(one, outsider?.login))
      if (outsider === undefined || hidden === undefined) return assert.fail("no private repository")
      const answers = Effect.fnUntraced(function* (owner: string, name: string) {
        const token = outsider.token ?? null
        const contract = yield* get(`/search/code?q=${Generated.COMMON_WORD}+repo:${owner}/${name}`, { token })
        const rich = yield* search(`${Generated.COMMON_WORD} repo:${owner}/${name}`, token)
        const places = yield* get(`/repos/${owner}/${name}/tongs/definitions?name=main`, { token })
        const { took, ...done } = rich.done
        assert.isNumber(took)
        return [contract.status, contract.json, rich.files, done, places.status]
      })
      assert.deepStrictEqual(yield* answers(hidden.owner, hidden.name), yield* answers(hidden.owner, "missing"))
      // The counts of the contract's search are those of the caller.
      const unique = Generated.uniqueWord(Number(/\d+$/.exec(hidden.name)?.[0] ?? 0))
      const { json } = yield* get(`/search/code?q=${unique}`, { token: outsider.token ?? null })
      const readable = expected(outsider.login, word(unique))
      assert.deepStrictEqual([json.total_count, json.incomplete_results], [readable.length, false])
    })
  )
})
