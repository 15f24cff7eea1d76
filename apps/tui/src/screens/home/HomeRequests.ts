/** The requests of the home screen: webhooks with failed deliveries, artifacts that expire, events and repositories. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Forge } from "@tongs/core/client/Forge"
import * as ResponseAge from "@tongs/core/client/ResponseAge"
import type { Artifact } from "@tongs/core/contract/groups/Artifacts"
import type { Event } from "@tongs/core/contract/groups/Events"
import type { Failure } from "@tongs/core/contract/Failure"
import type { HookDeliverySummary } from "@tongs/core/contract/groups/Hooks"
import type { Repository } from "@tongs/core/contract/groups/Repository"
import type { SavedSearch } from "@tongs/core/contract/groups/SavedSearches"
import type { Page } from "@tongs/core/paging/Page"
import type { LoadOptions } from "../../content/Source.ts"

/** Maximum number of repositories, of organizations, and of webhooks of each repository or organization. */
const MAX_CHECKED = 10

/** Maximum number of items of a part. */
const MAX_ITEMS = 10

/** Maximum number of saved searches: all that a user can have. */
const MAX_SEARCHES = 100

/** Number of artifacts of a repository to check: the maximum page, because the list is not sorted by expiry. */
const MAX_ARTIFACTS = 100

/** Maximum number of requests in flight for one part. */
const CONCURRENCY = 4

/** Milliseconds before the expiry from which an artifact needs attention. */
export const EXPIRY_NOTICE = 3 * 24 * 60 * 60_000

/** The owner of a webhook: a repository or an organization. */
export type HookOwner = { readonly owner: string; readonly repo: string } | { readonly org: string }

/** A failed delivery that has not succeeded since. */
export interface FailedDelivery {
  readonly of: HookOwner
  readonly hookId: number
  readonly url: string
  readonly delivery: HookDeliverySummary
}

/** An artifact that expires soon. */
export interface ExpiringArtifact {
  readonly owner: string
  readonly repo: string
  readonly artifact: Artifact
  /** Time of the expiry in epoch milliseconds. */
  readonly expiresAt: number
}

/** The items of each part. */
export interface Items {
  readonly deliveries: FailedDelivery
  readonly artifacts: ExpiringArtifact
  readonly events: Event
  readonly repositories: Repository
  readonly searches: SavedSearch
}

/** One part of the home screen. */
export interface Part<A> {
  readonly items: ReadonlyArray<A>
  readonly isLoaded: boolean
  /** Failures of the last load. The items are from the requests that succeeded. */
  readonly failures: ReadonlyArray<Failure>
  /** Age of the oldest cached response, in milliseconds. */
  readonly age: number
}

/** All parts. */
export type Parts = { readonly [Name in keyof Items]: Part<Items[Name]> }

const notLoaded = { items: [], isLoaded: false, failures: [], age: 0 }

/** The parts before the first response. */
export const initial: Parts = {
  deliveries: notLoaded,
  artifacts: notLoaded,
  events: notLoaded,
  repositories: notLoaded,
  searches: notLoaded
}

/** The items of several responses, with the failures of the failed requests. */
interface Found<A> {
  readonly items: ReadonlyArray<A>
  readonly failures: ReadonlyArray<Failure>
  readonly age: number
}

/** Collects a page. A refused or hidden part is empty, because the account has no permission for the part. */
const pageOf = <A>(request: Effect.Effect<Page<A>, Failure>): Effect.Effect<Found<A>> =>
  Effect.map(Effect.result(request), (result) => {
    if (Result.isFailure(result)) return failed(result.failure)
    return { items: result.success.items, failures: [], age: ResponseAge.age(result.success) }
  })

const failed = (failure: Failure): Found<never> => ({
  items: [],
  failures: failure._tag === "Forbidden" || failure._tag === "NotFound" ? [] : [failure],
  age: 0
})

const merge = <A>(all: ReadonlyArray<Found<A>>): Found<A> => ({
  items: all.flatMap(({ items }) => items),
  failures: all.flatMap(({ failures }) => failures),
  age: all.reduce((age, found) => Math.max(age, found.age), 0)
})

const forEach = <A, B>(
  found: Found<A>,
  f: (item: A) => Effect.Effect<Found<B>>,
  most = MAX_CHECKED
): Effect.Effect<Found<B>> =>
  Effect.map(Effect.forEach(found.items.slice(0, most), f, { concurrency: CONCURRENCY }), (all) =>
    merge<B>([{ ...found, items: [] }, ...all])
  )

const loaded = <A>({ age, failures, items }: Found<A>): Part<A> => ({ items, failures, age, isLoaded: true })

/**
 * Loads all parts at the same time. Emits each part after completion. A remote forge gets no request for saved
 * searches, because few have the extension.
 */
export const load = (
  forge: Forge["Service"],
  options: LoadOptions,
  isEmbedded: boolean
): Stream.Stream<Partial<Parts>> => {
  const background = { ...options, priority: "background" } as const // literal types
  const checked = { ...background, perPage: MAX_CHECKED }
  const repositories = pageOf(
    forge.repositories.listForAuthenticatedUser(
      { sort: "pushed", direction: "desc" },
      { ...options, perPage: MAX_ITEMS }
    ).first
  )
  const organizations = pageOf(forge.organizations.listForAuthenticatedUser({}, checked).first)
  const events = Effect.flatMap(Effect.result(forge.users.getAuthenticated({}, background)), (user) =>
    Result.isFailure(user)
      ? Effect.succeed(failed(user.failure))
      : pageOf(
          forge.events.listReceivedForUser({ username: user.success.login }, { ...background, perPage: MAX_ITEMS })
            .first
        )
  )
  const ofRepository = ({ name, owner }: Repository) => ({ owner: owner.login, repo: name })

  const artifacts = (found: Found<Repository>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const all = yield* forEach(found, (repository) => {
        const at = ofRepository(repository)
        const page = pageOf(forge.artifacts.listForRepo(at, { ...background, perPage: MAX_ARTIFACTS }).first)
        return Effect.map(page, (page): Found<ExpiringArtifact> => ({ ...page, items: expiring(page.items, at, now) }))
      })
      const items = all.items.toSorted((a, b) => a.expiresAt - b.expiresAt).slice(0, MAX_ITEMS)
      return { artifacts: loaded({ ...all, items }) }
    })

  const deliveriesOf = (hook: Hook): Effect.Effect<Found<FailedDelivery>> =>
    Effect.gen(function* () {
      const failures = yield* pageOf(deliveries(forge, hook, "failure", checked))
      // Only a webhook with failures needs a second request, for successes: a success may repeat a failed delivery.
      const successes =
        failures.items.length === 0 ? failures : yield* pageOf(deliveries(forge, hook, "success", checked))
      const items = unresolved(failures.items, successes.items).map((delivery) => ({ ...hook, delivery }))
      return { ...failures, items }
    })

  const failedDeliveries = (found: Found<Repository>) =>
    Effect.gen(function* () {
      const administered = { ...found, items: found.items.filter(({ permissions }) => permissions?.admin !== false) }
      const hooks = yield* Effect.all(
        [
          forEach(administered, (repository) => {
            const of = ofRepository(repository)
            return Effect.map(pageOf(forge.repositoryHooks.list(of, checked).first), (page) => hooksOf(page, of))
          }),
          Effect.flatMap(organizations, (organizations) =>
            forEach(organizations, ({ login }) => {
              const of = { org: login }
              return Effect.map(pageOf(forge.organizationHooks.list(of, checked).first), (page) => hooksOf(page, of))
            })
          )
        ],
        { concurrency: 2 }
      )
      const all = yield* forEach(merge(hooks), deliveriesOf, MAX_CHECKED * 2)
      const newest = all.items.toSorted(
        (a, b) => Date.parse(b.delivery.delivered_at) - Date.parse(a.delivery.delivered_at)
      )
      return { deliveries: loaded({ ...all, items: newest.slice(0, MAX_ITEMS) }) }
    })

  const searches = Effect.map(
    pageOf(forge.savedSearches.list({}, { ...background, perPage: MAX_SEARCHES }).first),
    ({ failures, ...found }) => ({
      searches: loaded({ ...found, failures: failures.filter(({ _tag }) => _tag !== "Unsupported") })
    })
  )

  const all = Stream.merge(
    Stream.fromEffect(Effect.map(events, (found) => ({ events: loaded(found) }))),
    Stream.flatMap(Stream.fromEffect(repositories), (found) => {
      // The failure of the list of repositories is reported once, by the part of this list.
      const known = { ...found, failures: [] }
      return Stream.concat(
        Stream.succeed({ repositories: loaded(found) }),
        Stream.merge(Stream.fromEffect(failedDeliveries(known)), Stream.fromEffect(artifacts(known)))
      )
    })
  )
  return isEmbedded ? Stream.merge(Stream.fromEffect(searches), all) : all
}

type Hook = Omit<FailedDelivery, "delivery">

const hooksOf = (
  page: Found<{ readonly id: number; readonly config: { readonly url?: string } }>,
  of: HookOwner
): Found<Hook> => ({ ...page, items: page.items.map(({ config, id }) => ({ of, hookId: id, url: config.url ?? "" })) })

const deliveries = (
  forge: Forge["Service"],
  { hookId, of }: Hook,
  status: "failure" | "success",
  options: LoadOptions | { readonly priority: "background"; readonly perPage: number }
) =>
  "org" in of
    ? forge.organizationHooks.listDeliveries({ ...of, hook_id: hookId, status }, options).first
    : forge.repositoryHooks.listDeliveries({ ...of, hook_id: hookId, status }, options).first

/** Returns the last failed attempt of each delivery without a later successful attempt. */
export const unresolved = (
  failed: ReadonlyArray<HookDeliverySummary>,
  succeeded: ReadonlyArray<HookDeliverySummary>
): ReadonlyArray<HookDeliverySummary> => {
  const time = ({ delivered_at }: HookDeliverySummary) => Date.parse(delivered_at)
  return failed.filter(
    (one) =>
      !succeeded.some((other) => other.guid === one.guid && time(other) >= time(one)) &&
      !failed.some((other) => other.guid === one.guid && time(other) > time(one))
  )
}

const expiring = (
  all: ReadonlyArray<Artifact>,
  at: { readonly owner: string; readonly repo: string },
  now: number
): ReadonlyArray<ExpiringArtifact> =>
  all.flatMap((artifact) => {
    const expiresAt = Date.parse(artifact.expires_at ?? "")
    const isSoon = !artifact.expired && expiresAt > now && expiresAt - now < EXPIRY_NOTICE
    return isSoon ? [{ ...at, artifact, expiresAt }] : []
  })
