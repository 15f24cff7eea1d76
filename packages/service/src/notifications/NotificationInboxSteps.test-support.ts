/** Random steps of watchers and readers: subscriptions, marks and blocks. */
import type * as Rights from "../access/RightsModel.test-support.ts"
import * as Model from "./NotificationModel.test-support.ts"
import { loginsOf, type Maker, pathOf, someone } from "./NotificationStep.test-support.ts"

export const watch: Maker = (world, random) => {
  const repository = random.one(world.repositories)
  const by = repository === undefined ? undefined : someone(world, random, repository)
  if (repository === undefined || by === undefined) return
  const how = random.one(["watching", "watching", "ignoring", "none"] as const) ?? "none"
  const isReader = Model.canRead(world, by, repository)
  const isRefused = how === "watching" && Model.hasBlocked(world, repository.owner, by)
  return {
    by,
    method: how === "none" ? "DELETE" : "PUT",
    path: `${pathOf(repository)}/subscription`,
    ...(how === "none" ? {} : { body: { subscribed: how === "watching", ignored: how === "ignoring" } }),
    status: !isReader ? 404 : isRefused ? 403 : how === "none" ? 204 : 200,
    apply: () => {
      if (isReader && !isRefused) Model.watch(world, by, repository, how)
    }
  }
}

/** A thread that its account has listed. */
const listedThread = (world: Model.World, random: Rights.Random) => {
  const by = random.one(world.people)?.login ?? ""
  const found = random.one(Model.inbox(world, by).filter(([, { id }]) => id !== undefined))
  return found === undefined ? undefined : { by, issue: found[0], thread: found[1] }
}

export const subscribe: Maker = (world, random) => {
  const found = listedThread(world, random)
  if (found === undefined) return
  const { by, issue, thread } = found
  const how = random.one(["subscribe", "ignore", "ignore", "ignore", "end"] as const)
  return {
    by,
    method: how === "end" ? "DELETE" : "PUT",
    path: `/notifications/threads/${thread.id}/subscription`,
    ...(how === "end" ? {} : { body: { ignored: how === "ignore" } }),
    status: how === "end" ? 204 : 200,
    apply: () => {
      if (how === "end") issue.subscriptions.delete(by)
      else Model.subscribe(issue, by, how === "ignore")
    }
  }
}

export const markThread: Maker = (world, random) => {
  const found = listedThread(world, random)
  if (found === undefined) return
  const { by, thread } = found
  const isDone = random.chance(0.5)
  return {
    by,
    method: isDone ? "DELETE" : "PATCH",
    path: `/notifications/threads/${thread.id}`,
    status: isDone ? 204 : 205,
    apply: () => {
      thread.unread = false
      thread.done = isDone
    }
  }
}

/** Marks all threads as read, or those of a repository; often only those updated until the time of one thread. */
export const markAll: Maker = (world, random) => {
  const by = random.one(world.people)?.login ?? ""
  const repository = random.chance(0.5) ? random.one(world.repositories) : undefined
  const isReader = repository === undefined || Model.canRead(world, by, repository)
  const times = Model.inbox(world, by).map(([, { updatedAt }]) => updatedAt)
  if (times.length === 0) return
  const until = random.chance(0.7) ? random.one(times) : undefined
  return {
    by,
    method: "PUT",
    path: `${repository === undefined ? "" : pathOf(repository)}/notifications`,
    body: until === undefined ? {} : { last_read_at: new Date(until).toISOString() },
    status: isReader ? 205 : 404,
    apply: () => {
      if (isReader) Model.markRead(world, by, until ?? world.now, repository)
    }
  }
}

/**
 * Blocks an account, often a watcher of an own repository, or ends a block. A block cancels invitations to organizations
 * that one account made to the other: who made an invitation is no part of the model.
 */
export const block: Maker = (world, random) => {
  const logins = loginsOf(world.people)
  const watchers = [...world.watching].flatMap(([{ owner }, watching]) =>
    logins.includes(owner) ? [...watching.keys()].map((login) => ({ by: owner, login })) : []
  )
  const watcher = random.chance(0.5) ? random.one(watchers) : undefined
  const by = watcher?.by ?? random.one(logins) ?? ""
  const isEnd = random.chance(0.4)
  const login = isEnd
    ? random.one([...(world.blocks.get(by) ?? [])])
    : (watcher?.login ?? random.one(logins.filter((one) => one !== by)))
  if (login === undefined || login === by) return
  if (world.organizations.some(({ invited }) => invited.has(login) || invited.has(by))) return
  return {
    by,
    method: isEnd ? "DELETE" : "PUT",
    path: `/user/blocks/${login}`,
    status: 204,
    apply: () => {
      if (isEnd) world.blocks.get(by)?.delete(login)
      else Model.block(world, by, login)
    }
  }
}
