/** Random stories in a forge, and the comparison of every inbox with the model after each step. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Rights from "../access/RightsModel.test-support.ts"
import * as Fixtures from "../main/Fixtures.ts"
import { type Answer, TestForge } from "../main/Forge.test-support.ts"
import * as Model from "./NotificationModel.test-support.ts"
import { randomStep } from "./NotificationSteps.test-support.ts"

const names = ["ann", "ben", "cat", "dan", "eve", "fay", "gus"]
const MIN_STEPS = 25
const MORE_STEPS = 36

const tokenOf = (login: string) => `token-of-${login}`

/**
 * Adds an organization with nested teams and a secret team to the forge, seven people of whom the last two are no
 * members, and two public and two private repositories, of which one belongs to a person.
 */
const prepare = Effect.fnUntraced(function* (seed: number, random: Rights.Random) {
  const { get, repos } = yield* TestForge
  const people = names.map((name) => ({ login: `${name}-${seed}`, siteAdmin: false }))
  const logins = people.map(({ login }) => login)
  const members = logins.slice(0, 5)
  const organization: Rights.Organization = {
    login: `acme-${seed}`,
    base: random.one(["none", "read"] as const) ?? "none",
    members: new Map(members.map((login, index) => [login, index === 0 ? "admin" : "member"])),
    invited: new Map()
  }
  const repositories = [organization.login, organization.login, organization.login, random.one(logins) ?? ""].map(
    (owner, index): Rights.Repository => ({
      owner,
      name: `repo-${index}`,
      isPrivate: index % 2 === 0,
      collaborators: new Map(
        logins.filter((login) => login !== owner && random.chance(0.25)).map((login) => [login, "read"])
      ),
      invited: new Map()
    })
  )
  const [parent, child, secret] = ["parent", "child", "secret"].map((slug, index): Rights.Team => ({
    // The forge assigns the ids, below.
    id: 0,
    slug,
    organization,
    parent: undefined,
    secret: slug === "secret",
    members: new Set(members.filter(() => random.chance(0.5))),
    grants: new Map(
      repositories.slice(index, 3).map((repository) => [repository, random.one(["read", "triage"] as const) ?? "read"])
    )
  }))
  if (parent === undefined || child === undefined || secret === undefined) throw new Error("no teams")
  child.parent = parent
  const teams = [parent, child, secret]
  yield* Effect.orDie(
    Fixtures.add(
      {
        users: logins.map((login) => ({ login })),
        organizations: [
          {
            login: organization.login,
            base_permission: organization.base,
            members: [...organization.members].map(([login, role]) => ({
              login,
              role: role === "admin" ? "owner" : "member"
            }))
          }
        ],
        repositories: repositories.map((one) => ({ full_name: Rights.fullName(one), private: one.isPrivate })),
        collaborators: repositories.flatMap((one) =>
          [...one.collaborators].map(([login, permission]) => ({
            repository: Rights.fullName(one),
            login,
            permission
          }))
        ),
        teams: teams.map((team) => ({
          organization: organization.login,
          name: team.slug,
          ...(team.parent === undefined ? {} : { parent: team.parent.slug }),
          privacy: team.secret ? "secret" : "closed",
          members: [...team.members].map((login) => ({ login })),
          repositories: [...team.grants].map(([repository, permission]) => ({
            repository: Rights.fullName(repository),
            permission
          }))
        })),
        tokens: logins.map((login) => ({
          token: tokenOf(login),
          user: login,
          scopes: ["repo", "user", "admin:org", "notifications"]
        }))
      },
      repos
    )
  )
  const ids = new Map<string, number>()
  const { json } = yield* get(`/orgs/${organization.login}/teams`, { token: tokenOf(logins[0] ?? "") })
  for (const { id, slug } of json) ids.set(`${organization.login} ${slug}`, id)
  const world: Model.World = {
    now: 0,
    people,
    organizations: [organization],
    repositories,
    teams: Rights.replaceIds(teams, ids),
    issues: [],
    watching: new Map(),
    blocks: new Map()
  }
  return world
})

/** The members of a thread that the comparison needs. */
interface Item {
  readonly id: string
  readonly reason: string
  readonly unread: boolean
  readonly updated_at: string
  readonly repository: { readonly full_name: string }
  readonly subject: { readonly title: string }
}

const lineOf = (fullName: string, title: string, reason: string, isUnread: boolean, updatedAt: string) =>
  `${fullName} ${title}: ${reason}${isUnread ? ", unread" : ""}, ${updatedAt}`

const lineOfItem = ({ reason, repository, subject, unread, updated_at }: Item) =>
  lineOf(repository.full_name, subject.title, reason, unread, updated_at)

const lineOfThread = ([{ repository, title }, { reason, unread, updatedAt }]: readonly [Model.Issue, Model.Thread]) =>
  lineOf(Rights.fullName(repository), title, reason, unread, new Date(updatedAt).toISOString().replace(".000Z", "Z"))

/** Compares the forge with the model as clients with a cache. */
const comparison = Effect.fnUntraced(function* (world: Model.World) {
  const { get } = yield* TestForge
  const responses = new Map<string, Answer>()
  let problems: Array<string> = []

  const expect = (what: string, found: unknown, expected: unknown) => {
    const [left, right] = [JSON.stringify(found, null, 1), JSON.stringify(expected, null, 1)]
    if (left !== right) problems.push(`${what}\nthe forge has ${left}\nthe model has ${right}`)
  }

  /**
   * Sends the entity tag or the date of the last response, which a 304 stands for. The date of a single thread is that
   * of its update, which its reading does not change.
   */
  const request = Effect.fnUntraced(function* (login: string, path: string, random: Rights.Random) {
    const known = responses.get(`${login} ${path}`)
    const { etag, "last-modified": date } = known?.headers ?? {}
    const isByTag = random.chance(0.5) || path.includes("/threads/")
    const headers = {
      ...(isByTag && etag !== undefined ? { "if-none-match": etag } : {}),
      ...(!isByTag && date !== undefined ? { "if-modified-since": date } : {})
    }
    const answer = yield* get(path, { token: tokenOf(login), headers })
    if (answer.status === 304) return known ?? answer
    if (answer.status === 200) responses.set(`${login} ${path}`, answer)
    return answer
  })

  const list = Effect.fnUntraced(function* (
    login: string,
    path: string,
    random: Rights.Random,
    isWanted: (issue: Model.Issue, thread: Model.Thread) => boolean
  ) {
    const answer = yield* request(login, path, random)
    const items: ReadonlyArray<Item> = answer.status === 200 ? answer.json : []
    const wanted = Model.inbox(world, login).filter((one) => isWanted(...one))
    for (const item of items) {
      const thread = wanted.find(([{ title }]) => title === item.subject.title)?.[1]
      if (thread !== undefined) thread.id = item.id
    }
    expect(
      `${login} GET ${path}`,
      answer.status === 200 ? items.map(lineOfItem).toSorted() : answer.status,
      wanted.map(lineOfThread).toSorted()
    )
    const times = items.map((one) => one.updated_at)
    expect(`${login} GET ${path} order`, times, times.toSorted().toReversed())
  })

  /** Reads the threads of a repository, and whether the account watches it. */
  const repository = Effect.fnUntraced(function* (login: string, one: Rights.Repository, random: Rights.Random) {
    const path = `/repos/${Rights.fullName(one)}`
    const threads = `${path}/notifications?all=true&per_page=100`
    const isReader = Model.canRead(world, login, one)
    if (isReader) yield* list(login, threads, random, (issue) => issue.repository === one)
    else expect(`${login} GET ${threads}`, (yield* request(login, threads, random)).status, 404)
    const { json, status } = yield* request(login, `${path}/subscription`, random)
    const watching = isReader ? world.watching.get(one)?.get(login) : undefined
    const found =
      status === 200 ? (json.ignored === true ? "ignoring" : json.subscribed === true && "watching") : status
    expect(`${login} GET ${path}/subscription`, found, watching ?? 404)
  })

  /** Reads a thread and its subscription, by an id that the account has listed once. */
  const thread = Effect.fnUntraced(function* (login: string, issue: Model.Issue, random: Rights.Random) {
    const found = issue.threads.get(login)
    if (found?.id === undefined) return
    const path = `/notifications/threads/${found.id}`
    const isVisible = Model.inbox(world, login).some(([one]) => one === issue)
    const answer = yield* request(login, path, random)
    const state = { status: answer.status, reason: answer.json?.reason, unread: answer.json?.unread }
    expect(
      `${login} GET ${path}, ${issue.title}`,
      state,
      isVisible ? { status: 200, reason: found.reason, unread: found.unread } : { status: 404 }
    )
    const subscription = issue.subscriptions.get(login)
    const read = yield* request(login, `${path}/subscription`, random)
    const { ignored, reason, subscribed } = read.json ?? {}
    expect(
      `${login} GET ${path}/subscription, ${issue.title}`,
      { status: read.status, ignored, subscribed, reason },
      isVisible
        ? {
            status: 200,
            ignored: subscription?.ignored === true,
            subscribed: subscription?.ignored === false,
            reason: subscription?.reason ?? null
          }
        : { status: 404 }
    )
  })

  /** Compares every inbox, and a sample of the other reads, or all. Returns the differences. */
  const compare = Effect.fnUntraced(function* (random: Rights.Random, isComplete: boolean) {
    problems = []
    const isChosen = (share: number) => isComplete || random.chance(share)
    for (const { login } of world.people) {
      yield* list(login, "/notifications?all=true&per_page=100", random, () => true)
      if (isChosen(0.15)) yield* list(login, "/notifications?per_page=100", random, (_, { unread }) => unread)
      if (isChosen(0.15)) {
        const path = "/notifications?all=true&participating=true&per_page=100"
        yield* list(login, path, random, (_, one) => Model.isParticipating(one))
      }
      for (const one of world.repositories) if (isChosen(0.07)) yield* repository(login, one, random)
      // Hidden threads more often: the forge must not show them by any path.
      for (const issue of world.issues) {
        const isHidden = issue.threads.has(login) && !Model.canRead(world, login, issue.repository)
        if (isChosen(isHidden ? 0.3 : 0.04)) yield* thread(login, issue, random)
      }
    }
    return problems
  })

  return { compare }
})

/** Runs the story of a seed. Returns the first differences, with the steps before; undefined if there are none. */
export const run = Effect.fnUntraced(function* (seed: number) {
  const { ask, get } = yield* TestForge
  const random = Rights.randomOf(seed)
  const world = yield* prepare(seed, random)
  const { compare } = yield* comparison(world)
  const history: Array<string> = []
  const report = (problems: ReadonlyArray<string>) =>
    problems.length === 0 ? undefined : `seed ${seed}, after\n${history.join("\n")}\n${problems.join("\n")}`
  const steps = MIN_STEPS + random.below(MORE_STEPS)
  for (let serial = 1; serial <= steps; serial++) {
    yield* TestClock.adjust(`${random.chance(0.2) ? 0 : 1 + random.below(3)} seconds`)
    world.now = Math.floor((yield* Clock.currentTimeMillis) / 1000) * 1000
    const step = randomStep(world, random, serial)
    if (step === undefined) break
    const { apply, before, body, by, method, path, status } = step
    const token = tokenOf(by)
    const previous = before === undefined ? undefined : yield* get(before, { token })
    const answer = yield* ask(method, path, { token, ...(body === undefined ? {} : { body }) })
    history.push(`${serial}. ${by} ${method} ${path} ${JSON.stringify(body) ?? ""}: ${answer.status}`)
    if (answer.status !== status) return report([`expected ${status}: ${answer.text}`])
    apply(answer.json, previous?.json)
    const found = report(yield* compare(random, serial === steps))
    if (found !== undefined) return found
  }
  return undefined
})
