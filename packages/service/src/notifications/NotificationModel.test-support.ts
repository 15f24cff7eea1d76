/**
 * A model of notifications, written from GitHub's documentation without the code of the forge. "Decision" marks a rule
 * about which the documentation says nothing or two things; the model then follows the forge.
 */
import * as Rights from "../access/RightsModel.test-support.ts"

export type Reason = "assign" | "author" | "comment" | "manual" | "mention" | "state_change" | "team_mention"

interface Subscription {
  reason: Reason
  ignored: boolean
}

/** The conversation of an issue in the inbox of an account. */
export interface Thread {
  /** Given by the forge; undefined until the account has listed it. */
  id: string | undefined
  reason: Reason | "subscribed"
  unread: boolean
  /** True if the thread is out of the inbox until its next update. */
  done: boolean
  /** Milliseconds since 1970. */
  updatedAt: number
}

/** Markdown with the accounts and teams that it mentions outside of code. */
export interface Text {
  readonly markdown: string
  readonly users: ReadonlyArray<string>
  readonly teams: ReadonlyArray<string>
}

export interface Comment {
  readonly id: number
  readonly author: string
  text: Text
}

export interface Issue {
  readonly repository: Rights.Repository
  readonly number: number
  readonly title: string
  readonly author: string
  text: Text
  isOpen: boolean
  closedBy: string | undefined
  readonly comments: Array<Comment>
  readonly subscriptions: Map<string, Subscription>
  /** By the login of the account. */
  readonly threads: Map<string, Thread>
}

export interface World extends Rights.Situation {
  /** Milliseconds since 1970. */
  now: number
  readonly issues: Array<Issue>
  /** By login. Accounts without an entry are notified of conversations in which they take part. */
  readonly watching: Map<Rights.Repository, Map<string, "watching" | "ignoring">>
  /** The blocked accounts, by the account that blocks them. */
  readonly blocks: Map<string, Set<string>>
}

export const personOf = ({ people }: World, login: string): Rights.Person => {
  const found = people.find((one) => one.login === login)
  if (found === undefined) throw new Error(`no account ${login}`)
  return found
}

export const roleOf = (world: World, login: string, repository: Rights.Repository): Rights.Role =>
  Rights.roleOf(world, personOf(world, login), repository)

export const canRead = (world: World, login: string, repository: Rights.Repository): boolean =>
  roleOf(world, login, repository) !== "none"

export const hasBlocked = ({ blocks }: World, by: string, login: string): boolean => blocks.get(by)?.has(login) === true

/**
 * True if an account may not write in a conversation, because the owner of the repository or the author has blocked it.
 * Decision: accounts with write access may.
 */
export const isShutOut = (world: World, login: string, repository: Rights.Repository, author?: string): boolean =>
  !Rights.atLeast(roleOf(world, login, repository), "write") &&
  (hasBlocked(world, repository.owner, login) || (author !== undefined && hasBlocked(world, author, login)))

/** Decision: for comments and changes of state, the more involved reason stays; for the rest, the latest counts. */
const involvement: Readonly<Record<Reason, number>> = {
  manual: 0,
  state_change: 0,
  comment: 1,
  assign: 2,
  author: 2,
  mention: 2,
  team_mention: 2
}

/** After a mention the reason remains `mention`. Decision: except for an assignment, which is a later reason. */
const replaces = (later: Reason, present: Reason): boolean =>
  involvement[later] >= involvement[present] && !(later === "team_mention" && present === "mention")

/** An ignored thread is ignored until the account comments or is mentioned. Decision: an assignment is no end. */
const endsIgnoring: ReadonlyArray<Reason> = ["comment", "mention", "team_mention"]

const participate = ({ subscriptions }: Issue, login: string, reason: Reason): void => {
  const present = subscriptions.get(login)
  if (present === undefined) {
    subscriptions.set(login, { reason, ignored: false })
    return
  }
  if (replaces(reason, present.reason)) present.reason = reason
  if (endsIgnoring.includes(reason)) present.ignored = false
}

type Addressed = ReadonlyArray<readonly [reason: Reason, logins: ReadonlyArray<string>]>

/** Members of a team and of the teams below it. Invitations that are not accepted have no effect. */
const membersOf = (world: World, team: Rights.Team): ReadonlyArray<string> =>
  [team, ...Rights.below(world, team)]
    .flatMap(({ members }) => [...members])
    .filter((login) => team.organization.members.has(login))

/**
 * The accounts that a text mentions. Decision: outside collaborators count as members do; a team is mentioned only in
 * repositories of its organization; one's own mention of oneself or one's team counts.
 */
const mentions = (world: World, actor: string, { repository }: Issue, text: Text, before?: Text): Addressed => {
  const users = text.users.filter((login) => before?.users.includes(login) !== true)
  const slugs = text.teams.filter((slug) => before?.teams.includes(slug) !== true)
  const teams = world.teams.filter(
    (team) =>
      slugs.includes(team.slug) &&
      team.organization.login === repository.owner &&
      Rights.seesTeam(team, personOf(world, actor))
  )
  return [
    ["mention", users],
    ["team_mention", teams.flatMap((team) => membersOf(world, team))]
  ]
}

/**
 * Subscribes and notifies. Nobody is reached by an account that he has blocked, or in a repository that he cannot read:
 * also not subscribed. Decision: an assignment and an edit notify only those whom they address.
 */
const announce = (world: World, issue: Issue, actor: string, addressed: Addressed, isForAll: boolean): void => {
  const watching = world.watching.get(issue.repository)
  const isReached = (login: string) => canRead(world, login, issue.repository) && !hasBlocked(world, login, actor)
  for (const [reason, logins] of addressed)
    for (const login of logins.filter(isReached)) participate(issue, login, reason)
  const directly = new Set(addressed.flatMap(([, logins]) => logins))
  for (const { login } of world.people) {
    if (login === actor || !isReached(login) || watching?.get(login) === "ignoring") continue
    const subscription = issue.subscriptions.get(login)
    if (subscription?.ignored === true) continue
    const isSubscribed = subscription !== undefined || watching?.get(login) === "watching"
    if (!(isForAll ? isSubscribed : directly.has(login))) continue
    issue.threads.set(login, {
      id: issue.threads.get(login)?.id,
      reason: subscription?.reason ?? "subscribed",
      unread: true,
      done: false,
      updatedAt: world.now
    })
  }
}

export const open = (
  world: World,
  issue: Pick<Issue, "repository" | "number" | "title" | "author" | "text">,
  assignees: ReadonlyArray<string>
): void => {
  const added: Issue = {
    ...issue,
    isOpen: true,
    closedBy: undefined,
    comments: [],
    subscriptions: new Map(),
    threads: new Map()
  }
  world.issues.push(added)
  const { author, text } = issue
  const addressed: Addressed = [["author", [author]], ["assign", assignees], ...mentions(world, author, added, text)]
  announce(world, added, author, addressed, true)
}

export const comment = (world: World, issue: Issue, comment: Comment): void => {
  issue.comments.push(comment)
  const { author, text } = comment
  announce(world, issue, author, [["comment", [author]], ...mentions(world, author, issue, text)], true)
}

/** People are also notified if an edit mentions them. */
export const edit = (world: World, issue: Issue, edited: Issue | Comment, text: Text): void => {
  const addressed = mentions(world, edited.author, issue, text, edited.text)
  edited.text = text
  announce(world, issue, edited.author, addressed, false)
}

/** Decision: a deleted comment changes neither threads nor subscriptions. */
export const removeComment = (issue: Issue, comment: Comment): void => {
  issue.comments.splice(issue.comments.indexOf(comment), 1)
}

export const setOpen = (world: World, issue: Issue, actor: string, isOpen: boolean): void => {
  issue.isOpen = isOpen
  issue.closedBy = isOpen ? undefined : actor
  announce(world, issue, actor, [["state_change", [actor]]], true)
}

/** Decision: the end of an assignment neither notifies nor unsubscribes. */
export const assign = (world: World, issue: Issue, actor: string, logins: ReadonlyArray<string>): void =>
  announce(world, issue, actor, [["assign", logins]], false)

/** Watches or ignores a repository, or neither. */
export const watch = (
  world: World,
  login: string,
  repository: Rights.Repository,
  how: "watching" | "ignoring" | "none"
): void => {
  const watching = world.watching.get(repository) ?? new Map()
  world.watching.set(repository, watching)
  if (how === "none") watching.delete(login)
  else watching.set(login, how)
}

/** Subscribes to a thread or ignores it. Decision: the reason of a subscription stays, also while it is ignored. */
export const subscribe = ({ subscriptions }: Issue, login: string, ignored: boolean): void => {
  subscriptions.set(login, { reason: subscriptions.get(login)?.reason ?? "manual", ignored })
}

/**
 * Blocks an account, which stops watching the repositories of the account that blocks it. Neither collaborates in
 * repositories of the other any longer.
 */
export const block = (world: World, by: string, login: string): void => {
  world.blocks.set(by, (world.blocks.get(by) ?? new Set()).add(login))
  for (const [repository, watching] of world.watching)
    if (repository.owner === by && watching.get(login) === "watching") watching.delete(login)
  for (const { collaborators, invited, owner } of world.repositories) {
    const former = owner === by ? login : owner === login ? by : undefined
    if (former === undefined) continue
    collaborators.delete(former)
    invited.delete(former)
  }
}

/** Marks the threads updated until a time as read. Decision: also those that the account cannot read at present. */
export const markRead = (world: World, login: string, until: number, repository?: Rights.Repository): void => {
  for (const issue of world.issues) {
    const thread = issue.threads.get(login)
    if (thread === undefined || (repository !== undefined && issue.repository !== repository)) continue
    if (thread.updatedAt <= until) thread.unread = false
  }
}

/** The threads of an account's inbox. Decision: a thread that is done does not exist until its next update. */
export const inbox = (world: World, login: string): ReadonlyArray<readonly [Issue, Thread]> =>
  world.issues.flatMap((issue) => {
    const thread = issue.threads.get(login)
    return thread === undefined || thread.done || !canRead(world, login, issue.repository) ? [] : [[issue, thread]]
  })

/** Decision: manual subscribers take part in the conversation. */
export const isParticipating = ({ reason }: Thread): boolean => reason !== "subscribed"
