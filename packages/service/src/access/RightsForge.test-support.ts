/** Random situations in a forge, and the comparison of the forge with the model. */
import * as Effect from "effect/Effect"
import * as Fixtures from "../main/Fixtures.ts"
import { type Answer, TestForge } from "../main/Forge.test-support.ts"
import * as Model from "./RightsModel.test-support.ts"
import { probes } from "./RightsProbes.test-support.ts"
import { MAX_TEAMS } from "./RightsTeamChanges.test-support.ts"

const names = ["ann", "ben", "cat", "dan", "eve", "fay"]
const given = ["read", "triage", "write", "maintain", "admin"] as const
const bases = ["none", "read", "write", "admin"] as const
const scopes = ["repo", "user", "admin:org", "notifications"]

/** A word that only the files and issues of one situation have. */
const markerOf = (seed: number) => `marker${seed}x`

export const tokenOf = (person: Model.Person | undefined): string | null =>
  person === undefined ? null : `token-of-${person.login}`

/** Adds two organizations with teams, six people and five repositories to the forge. */
export const prepare = Effect.fnUntraced(function* (seed: number, random: Model.Random) {
  const { get, owner, repos } = yield* TestForge
  const people = names.map((name) => ({ login: `${name}-${seed}`, siteAdmin: name === "fay" && seed % 3 === 0 }))
  const logins = people.map(({ login }) => login)
  const organizations = ["acme", "globex"].map((name): Model.Organization => {
    const login = `${name}-${seed}`
    const members = new Map(logins.filter(() => random.chance(0.5)).map((one) => [one, "member" as const]))
    return {
      login,
      // A low base permission, so that roles come from teams.
      base: random.chance(0.7) ? "none" : (random.one(bases) ?? "none"),
      members: new Map([...members, [random.one(logins) ?? "", "admin"]]),
      invited: new Map()
    }
  })
  const accounts = organizations.map(({ login }) => login)
  const owners = [...accounts, accounts[0], random.one(accounts), random.one(logins)]
  const repositories = owners.map((one = "", index): Model.Repository => ({
    owner: one,
    name: `repo-${index}`,
    isPrivate: random.chance(0.8),
    collaborators: new Map(
      logins.filter((login) => login !== one && random.chance(0.2)).map((login) => [login, random.one(given) ?? "read"])
    ),
    invited: new Map()
  }))
  const situation: Model.Situation = { people, organizations, teams: [], repositories }
  const teams: Array<Model.Team> = []
  for (let index = 0; index < MAX_TEAMS; index++) {
    const organization = random.one(organizations)
    if (organization === undefined) continue
    const parents = teams.filter(
      (one) => one.organization === organization && !one.secret && Model.withAncestors(one).length < 3
    )
    const parent = random.chance(0.9) ? random.one(parents) : undefined
    teams.push({
      // The forge assigns the ids, below.
      id: 0,
      slug: `team-${index}`,
      organization,
      parent,
      secret: parent === undefined && random.chance(0.3),
      members: new Set([...organization.members.keys()].filter(() => random.chance(0.5))),
      grants: new Map(
        Model.repositoriesOf(situation, organization)
          .filter(() => random.chance(0.5))
          .map((repository) => [repository, random.one(given) ?? "read"])
      )
    })
  }
  yield* Effect.orDie(
    Fixtures.add(
      {
        users: people.map(({ login, siteAdmin }) => ({ login, site_admin: siteAdmin })),
        organizations: organizations.map(({ base, login, members }) => ({
          login,
          base_permission: base,
          members: [...members].map(([one, role]) => ({ login: one, role: role === "admin" ? "owner" : "member" }))
        })),
        repositories: repositories.map((repository) => ({
          full_name: Model.fullName(repository),
          private: repository.isPrivate,
          auto_init: true,
          files: { "marker.txt": `${markerOf(seed)}\n` }
        })),
        collaborators: repositories.flatMap((repository) =>
          [...repository.collaborators].map(([login, permission]) => ({
            repository: Model.fullName(repository),
            login,
            permission
          }))
        ),
        teams: teams.map(({ grants, members, organization, parent, secret, slug }) => ({
          organization: organization.login,
          name: slug,
          ...(parent === undefined ? {} : { parent: parent.slug }),
          privacy: secret ? "secret" : "closed",
          members: [...members].map((login) => ({ login })),
          repositories: [...grants].map(([repository, permission]) => ({
            repository: Model.fullName(repository),
            permission
          }))
        })),
        issues: repositories.map((repository) => ({
          repository: Model.fullName(repository),
          user: owner,
          number: 1,
          title: markerOf(seed)
        })),
        tokens: people.map((person) => ({ token: tokenOf(person), user: person.login, scopes }))
      },
      repos
    )
  )
  const ids = new Map<string, number>()
  for (const login of accounts) {
    const { json } = yield* get(`/orgs/${login}/teams?per_page=100`)
    for (const { id, slug } of json) ids.set(`${login} ${slug}`, id)
  }
  situation.teams = Model.replaceIds(teams, ids)
  return situation
})

/** A repository, or an item of a repository: an event, a notification or a result of a search. */
interface Item {
  readonly full_name?: string
  readonly repository?: { readonly full_name: string }
  readonly repo?: { readonly name: string }
  readonly repository_url?: string
}

const fullNameOf = ({ full_name, repo, repository, repository_url = "" }: Item): string =>
  full_name ?? repository?.full_name ?? repo?.name ?? repository_url.split("/").slice(-2).join("/")

/** The full names of the repositories of an answer. */
const fullNames = (items: ReadonlyArray<Item>): ReadonlyArray<string> => [...new Set(items.map(fullNameOf))].toSorted()

const permissionsOf = (role: Model.Role) => ({
  admin: role === "admin",
  maintain: Model.atLeast(role, "maintain"),
  push: Model.atLeast(role, "write"),
  triage: Model.atLeast(role, "triage"),
  pull: Model.atLeast(role, "read")
})

const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`x:${token}`).toString("base64")}` })

/** Compares the forge with the model. Each client keeps its last responses, and asks with their entity tags. */
export const comparison = Effect.fnUntraced(function* (seed: number, situation: Model.Situation) {
  const { ask, get } = yield* TestForge
  const callers: ReadonlyArray<Model.Person | undefined> = [...situation.people, undefined]
  const responses = new Map<string, Answer>()
  /** Entity tags by path, of any caller. */
  const tags = new Map<string, string>()
  const missing = new Map<string, number>()
  const rolesBefore = new Map<string, Model.Role>()
  const visibleBefore = new Map<string, string>()
  let serial = 0
  let requests = 0
  let problems: Array<string> = []

  const nameOf = (caller: Model.Person | undefined) => caller?.login ?? "anonymous"
  const expect = (what: string, found: unknown, expected: unknown) => {
    const [left, right] = [JSON.stringify(found), JSON.stringify(expected)]
    if (left !== right) problems.push(`${what}: the forge has ${left}, the model ${right}`)
  }

  /** Requests as a client with a cache: a 304 is the last response to this caller. */
  const request = Effect.fnUntraced(function* (caller: Model.Person | undefined, path: string) {
    requests++
    const key = `${nameOf(caller)} ${path}`
    const known = responses.get(key)
    const tag = known?.headers["etag"] ?? tags.get(path)
    const answer = yield* get(path, {
      token: tokenOf(caller),
      headers: tag === undefined ? {} : { "if-none-match": tag }
    })
    if (answer.status === 304) {
      if (known === undefined) problems.push(`${key}: 304 for the entity tag of another caller`)
      return known ?? answer
    }
    if (answer.status === 200) {
      responses.set(key, answer)
      if (answer.headers["etag"] !== undefined) tags.set(path, answer.headers["etag"])
    }
    return answer
  })

  const repository = Effect.fnUntraced(function* (caller: Model.Person | undefined, one: Model.Repository) {
    const path = `/repos/${Model.fullName(one)}`
    const role = Model.roleOf(situation, caller, one)
    const answer = yield* request(caller, path)
    expect(`${nameOf(caller)} GET ${path}`, answer.status, role === "none" ? 404 : 200)
    if (answer.status !== 200) return
    expect(`${nameOf(caller)} GET ${path} private`, answer.json.private, one.isPrivate)
    const { admin, maintain, pull, push, triage } = answer.json.permissions ?? {}
    const expected = permissionsOf(role)
    expect(`${nameOf(caller)} GET ${path} permissions`, { admin, maintain, push, triage, pull }, expected)
  })

  const lists = Effect.fnUntraced(function* (caller: Model.Person | undefined, random: Model.Random) {
    const visible = situation.repositories.filter((one) => Model.roleOf(situation, caller, one) !== "none")
    const all = visible.map(Model.fullName).toSorted()
    const list = Effect.fnUntraced(function* (path: string, expected: ReadonlyArray<string>) {
      const { json, status } = yield* request(caller, path)
      const found = status === 200 ? fullNames(json.items ?? json) : status
      expect(`${nameOf(caller)} GET ${path}`, found, expected)
    })
    yield* list(`/search/issues?q=${markerOf(seed)}&per_page=100`, all)
    // The slowest request: always for those who see other repositories than before, otherwise sometimes.
    if (visibleBefore.get(nameOf(caller)) !== all.join() || random.chance(0.15)) {
      yield* list(`/search/code?q=${markerOf(seed)}&per_page=100`, all)
    }
    visibleBefore.set(nameOf(caller), all.join())
    for (const { login } of situation.organizations) {
      const path = `/orgs/${login}/repos?per_page=100`
      yield* list(
        path,
        visible
          .filter(({ owner }) => owner === login)
          .map(Model.fullName)
          .toSorted()
      )
    }
    if (caller === undefined) return
    const own = visible.filter((one) => Model.isOwnOrShared(situation, caller.login, one))
    yield* list("/user/repos?per_page=100", own.map(Model.fullName).toSorted())
    for (const path of [
      "/notifications?all=true&per_page=100",
      "/user/starred?per_page=100",
      "/user/subscriptions?per_page=100",
      `/users/${caller.login}/events?per_page=100`
    ]) {
      const { json, status } = yield* request(caller, path)
      expect(`${nameOf(caller)} GET ${path}`, status, 200)
      if (status !== 200) continue
      expect(
        `${nameOf(caller)} GET ${path} unreadable`,
        fullNames(json).filter((one) => !all.includes(one)),
        []
      )
    }
    for (const organization of situation.organizations) {
      if (!organization.members.has(caller.login) || caller.siteAdmin) continue
      const path = `/orgs/${organization.login}/teams?per_page=100`
      const { json, status } = yield* request(caller, path)
      const found = status === 200 ? json.map(({ slug }: { slug: string }) => slug).toSorted() : status
      const seen = situation.teams.filter((team) => team.organization === organization && Model.seesTeam(team, caller))
      expect(`${nameOf(caller)} GET ${path}`, found, seen.map(({ slug }) => slug).toSorted())
    }
  })

  /** Sends all probes about a repository. */
  const probe = Effect.fnUntraced(function* (caller: Model.Person | undefined, one: Model.Repository) {
    const role = Model.roleOf(situation, caller, one)
    const token = tokenOf(caller)
    for (const each of probes(`${seed}-${serial++}`)) {
      const send = (fullName: string) => {
        requests++
        const tag = each.tagged === true ? tags.get(each.path(fullName)) : undefined
        return ask(each.method, each.path(fullName), {
          token: each.git === true ? null : token,
          headers: {
            ...(each.git === true && token !== null ? basic(token) : {}),
            ...(tag === undefined ? {} : { "if-none-match": tag }),
            ...each.headers
          },
          ...(each.body === undefined ? {} : { body: each.body })
        })
      }
      const isAllowed = Model.atLeast(role, each.least) && (caller !== undefined || each.anonymous === true)
      if (isAllowed && each.onlyRefused === true) continue
      const key = `${each.name} ${one.owner} ${caller === undefined}`
      const statusOfMissing = missing.get(key) ?? (yield* send(`${one.owner}/missing`)).status
      missing.set(key, statusOfMissing)
      const refused = caller === undefined ? 401 : 403
      const expected = role === "none" ? statusOfMissing : isAllowed ? each.status : refused
      const answer = yield* send(Model.fullName(one))
      const isSame = answer.status === expected || (answer.status === 304 && expected === 200 && each.tagged === true)
      if (!isSame)
        expect(`${nameOf(caller)} ${each.name} of ${Model.fullName(one)} as ${role}`, answer.status, expected)
      const etag = answer.status === 200 ? answer.headers["etag"] : undefined
      if (etag !== undefined && each.tagged === true) tags.set(each.path(Model.fullName(one)), etag)
    }
    if (caller === undefined) return
    requests += 2
    const query = `{ repository(owner: "${one.owner}", name: "${one.name}") { viewerPermission } }`
    const { json } = yield* ask("POST", "/graphql", { token, body: { query } })
    const permission = json.data?.repository?.viewerPermission ?? null
    expect(
      `${nameOf(caller)} viewerPermission of ${Model.fullName(one)}`,
      permission,
      role === "none" ? null : role.toUpperCase()
    )
    const teams = yield* get(`/repos/${Model.fullName(one)}/teams?per_page=100`, { token })
    if (teams.status !== 200 || caller.siteAdmin) return
    const seen = situation.teams.filter((team) => Model.seesTeam(team, caller)).map(({ slug }) => slug)
    const others = teams.json.map(({ slug }: { slug: string }) => slug).filter((slug: string) => !seen.includes(slug))
    expect(`${nameOf(caller)} unseen teams of ${Model.fullName(one)}`, others, [])
  })

  /** Compares the roles of all people, as an administrator sees them. */
  const people = Effect.fnUntraced(function* (one: Model.Repository) {
    const path = `/repos/${Model.fullName(one)}/collaborators`
    const by = situation.people.find((person) => Model.roleOf(situation, person, one) === "admin")
    const { json, status } = yield* request(by, `${path}?per_page=100`)
    const found =
      status === 200
        ? json.map((item: { login: string; role_name: string }) => `${item.login} ${item.role_name}`).toSorted()
        : status
    const roles = situation.people.map(({ login }) => ({ login, role: Model.givenRole(situation, login, one) }))
    const expected = roles.filter(({ role }) => role !== "none").map(({ login, role }) => `${login} ${role}`)
    expect(`GET ${path}`, found, expected.toSorted())
    for (const person of situation.people) {
      const answer = yield* request(by, `${path}/${person.login}/permission`)
      expect(`GET ${path}/${person.login}/permission`, answer.json.role_name, Model.roleOf(situation, person, one))
    }
  })

  /** Compares everything; the probes only for changed roles and `more` others. Returns the differences. */
  const compare = Effect.fnUntraced(function* (random: Model.Random, more: number) {
    problems = []
    for (const caller of callers) {
      for (const one of situation.repositories) yield* repository(caller, one)
      yield* lists(caller, random)
    }
    for (const one of situation.repositories) {
      const changed = callers.filter((caller) => {
        const key = `${nameOf(caller)} ${Model.fullName(one)}`
        const role = Model.roleOf(situation, caller, one)
        const before = rolesBefore.get(key)
        rolesBefore.set(key, role)
        return before !== undefined && before !== role
      })
      for (const caller of changed) yield* probe(caller, one)
      if (changed.length > 0 || random.chance(0.2)) yield* people(one)
    }
    for (let index = 0; index < more; index++) {
      const one = random.one(situation.repositories)
      if (one !== undefined) yield* probe(random.one(callers), one)
    }
    return problems
  })

  return { compare, requests: () => requests }
})

/** Waits until the index of the code search has the files of the situation. */
export const indexed = Effect.fnUntraced(function* (seed: number, { repositories }: Model.Situation) {
  const { get } = yield* TestForge
  for (let tries = 0; tries < 200; tries++) {
    const { json } = yield* get(`/search/code?q=${markerOf(seed)}&per_page=100`)
    if (json.total_count === repositories.length) return
    yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 25)))
  }
  return yield* Effect.die(new Error("the code index lacks files after five seconds"))
})
