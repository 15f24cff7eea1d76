/** Random steps of conversations: issues, comments, assignments and changes of state. */
import * as Rights from "../access/RightsModel.test-support.ts"
import * as Model from "./NotificationModel.test-support.ts"
import { loginsOf, type Maker, pathOf, someone } from "./NotificationStep.test-support.ts"

const issuePath = ({ number, repository }: Model.Issue) => `${pathOf(repository)}/issues/${number}`

const triagersOf = (world: Model.World, repository: Rights.Repository) =>
  loginsOf(world.people).filter((login) => Rights.atLeast(Model.roleOf(world, login, repository), "triage"))

/** Accounts for which a mention has another effect than for most: they ignore the issue, or the author is blocked. */
const specialOf = (world: Model.World, by: string, issue: Model.Issue) => {
  const logins = loginsOf(world.people)
  const ignoring = logins.filter((login) => issue.subscriptions.get(login)?.ignored === true)
  return ignoring.length > 0
    ? ignoring
    : logins.filter((login) => Model.hasBlocked(world, login, by) || !Model.canRead(world, login, issue.repository))
}

const places = {
  code: ["`mention`", "```\nmention\n```", "    mention"],
  prose: ["mention", "Hi mention, please look", "**mention**", "> mention"]
}

/** Mentions of some accounts and teams, some of them in code, where they do not count. */
const text = (
  world: Model.World,
  random: Rights.Random,
  serial: number,
  special: ReadonlyArray<string> = []
): Model.Text => {
  const users: Array<string> = []
  const teams: Array<string> = []
  const lines = [`Text ${serial}`]
  for (let count = random.below(4); count > 0; count--) {
    const team = random.chance(0.35) ? random.one(world.teams) : undefined
    const login = (random.chance(0.5) ? random.one(special) : undefined) ?? random.one(loginsOf(world.people)) ?? ""
    const mention = team === undefined ? `@${login}` : `@${team.organization.login}/${team.slug}`
    const isCode = random.chance(0.4)
    const place = random.one(isCode ? places.code : places.prose)
    lines.push(place?.replace("mention", () => mention) ?? "")
    if (!isCode && team === undefined) users.push(login)
    if (!isCode && team !== undefined) teams.push(team.slug)
  }
  return { markdown: lines.join("\n\n"), users, teams }
}

/** The status of writing in a conversation. */
const statusOf = (
  world: Model.World,
  login: string,
  repository: Rights.Repository,
  success: number,
  author?: string
): number => {
  if (!Model.canRead(world, login, repository)) return 404
  return Model.isShutOut(world, login, repository, author) ? 403 : success
}

export const createIssue: Maker = (world, random, serial) => {
  const repository = random.one(world.repositories)
  const by = repository === undefined ? undefined : someone(world, random, repository)
  if (repository === undefined || by === undefined) return
  const status = statusOf(world, by, repository, 201)
  const content = text(world, random, serial)
  const title = `issue ${serial}`
  // Accounts with write access can always be assigned.
  const writers = loginsOf(world.people).filter((login) =>
    Rights.atLeast(Model.roleOf(world, login, repository), "write")
  )
  const assignee = random.chance(0.3) ? random.one(writers) : undefined
  const assignees = assignee === undefined ? [] : [assignee]
  return {
    by,
    method: "POST",
    path: `${pathOf(repository)}/issues`,
    body: { title, body: content.markdown, assignees },
    status,
    apply: (json) => {
      if (status !== 201) return
      // The response says who was assigned: the rights to it are not part of the model.
      const issue = { repository, number: json.number, title, author: by, text: content }
      Model.open(world, issue, loginsOf(json.assignees))
    }
  }
}

export const comment: Maker = (world, random, serial) => {
  const issue = random.one(world.issues)
  const by = issue === undefined ? undefined : someone(world, random, issue.repository)
  if (issue === undefined || by === undefined) return
  const status = statusOf(world, by, issue.repository, 201, issue.author)
  const content = text(world, random, serial, specialOf(world, by, issue))
  return {
    by,
    method: "POST",
    path: `${issuePath(issue)}/comments`,
    body: { body: content.markdown },
    status,
    apply: (json) => {
      if (status === 201) Model.comment(world, issue, { id: json.id, author: by, text: content })
    }
  }
}

/** A comment of an account that can read the repository. */
const ownComment = (world: Model.World, random: Rights.Random) => {
  const issue = random.one(world.issues.filter(({ comments }) => comments.length > 0))
  const found = random.one(issue?.comments ?? [])
  return issue === undefined || found === undefined || !Model.canRead(world, found.author, issue.repository)
    ? undefined
    : { issue, comment: found }
}

export const edit: Maker = (world, random, serial) => {
  if (random.chance(0.3)) {
    const issue = random.one(world.issues)
    if (issue === undefined || !Model.canRead(world, issue.author, issue.repository)) return
    const content = text(world, random, serial, specialOf(world, issue.author, issue))
    return {
      by: issue.author,
      method: "PATCH",
      path: issuePath(issue),
      body: { body: content.markdown },
      status: 200,
      apply: () => Model.edit(world, issue, issue, content)
    }
  }
  const found = ownComment(world, random)
  if (found === undefined) return
  const { comment, issue } = found
  const content = text(world, random, serial, specialOf(world, comment.author, issue))
  return {
    by: comment.author,
    method: "PATCH",
    path: `${pathOf(issue.repository)}/issues/comments/${comment.id}`,
    body: { body: content.markdown },
    status: 200,
    apply: () => Model.edit(world, issue, comment, content)
  }
}

export const removeComment: Maker = (world, random) => {
  const found = ownComment(world, random)
  return found === undefined
    ? undefined
    : {
        by: found.comment.author,
        method: "DELETE",
        path: `${pathOf(found.issue.repository)}/issues/comments/${found.comment.id}`,
        status: 204,
        apply: () => Model.removeComment(found.issue, found.comment)
      }
}

export const assign: Maker = (world, random) => {
  const issue = random.one(world.issues)
  const by = issue === undefined ? undefined : random.one(triagersOf(world, issue.repository))
  const assignee = random.one(world.people)?.login
  if (issue === undefined || by === undefined) return
  const isEnd = random.chance(0.2)
  return {
    by,
    method: isEnd ? "DELETE" : "POST",
    path: `${issuePath(issue)}/assignees`,
    body: { assignees: [assignee] },
    status: isEnd ? 200 : 201,
    before: issuePath(issue),
    apply: (json, before) => {
      const present = loginsOf(before.assignees)
      if (!isEnd) {
        const added = loginsOf(json.assignees).filter((login) => !present.includes(login))
        Model.assign(world, issue, by, added)
      }
    }
  }
}

/** Closes an issue, or opens it again, as its author or an account with the triage role. */
export const setState: Maker = (world, random) => {
  const issue = random.one(world.issues)
  if (issue === undefined) return
  const { author, repository } = issue
  const triagers = triagersOf(world, repository)
  const isOwn = Model.canRead(world, author, repository) && (issue.isOpen || issue.closedBy === author)
  const by = random.one(isOwn ? [...triagers, author] : triagers)
  if (by === undefined) return
  const isOpen = !issue.isOpen
  return {
    by,
    method: "PATCH",
    path: issuePath(issue),
    body: { state: isOpen ? "open" : "closed" },
    status: 200,
    apply: () => Model.setOpen(world, issue, by, isOpen)
  }
}
