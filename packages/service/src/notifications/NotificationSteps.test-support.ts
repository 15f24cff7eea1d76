/** Random steps of a story: the request, who sends it, and what follows in the model. */
import { randomChange } from "../access/RightsTeamChanges.test-support.ts"
import {
  assign,
  comment,
  createIssue,
  edit,
  removeComment,
  setState
} from "./NotificationConversationSteps.test-support.ts"
import { block, markAll, markThread, subscribe, watch } from "./NotificationInboxSteps.test-support.ts"
import * as Model from "./NotificationModel.test-support.ts"
import { loginsOf, type Maker, pathOf } from "./NotificationStep.test-support.ts"

/** Number of steps at the start that open issues. */
const FIRST_ISSUES = 4

/**
 * A change of members, teams, collaborators or visibility. Blocked accounts cannot be invited, and the forge does not
 * end a pending membership of a team: neither is part of the model.
 */
const changeRights: Maker = (world, random, serial) => {
  const change = randomChange(world, random, serial)
  const [kind, login = ""] = change?.path.split("/").slice(-2) ?? []
  const by = change?.by.login ?? ""
  const owner = change?.path.split("/")[2] ?? ""
  const isBlocked = [by, owner].some(
    (one) => Model.hasBlocked(world, one, login) || Model.hasBlocked(world, login, one)
  )
  const isPending = world.organizations.some(({ invited }) => invited.has(login))
  return change === undefined || isBlocked || (kind === "memberships" && isPending) ? undefined : { ...change, by }
}

/**
 * Takes a right away or gives it back: makes a repository private or public, or changes what all members may read.
 */
const changeAccess: Maker = (world, random) => {
  const organization = random.one(world.organizations)
  const repository = random.one(world.repositories)
  if (organization === undefined || repository === undefined) return
  if (random.chance(0.3)) {
    const by = loginsOf(world.people).find((login) => organization.members.get(login) === "admin")
    const base = organization.base === "none" ? "read" : "none"
    if (by === undefined) return
    return {
      by,
      method: "PATCH",
      path: `/orgs/${organization.login}`,
      body: { default_repository_permission: base },
      status: 200,
      apply: () => {
        organization.base = base
      }
    }
  }
  const by = loginsOf(world.people).find((login) => Model.roleOf(world, login, repository) === "admin")
  const isPrivate = !repository.isPrivate
  if (by === undefined) return
  return {
    by,
    method: "PATCH",
    path: pathOf(repository),
    body: { private: isPrivate },
    status: 200,
    apply: () => {
      repository.isPrivate = isPrivate
    }
  }
}

const makers: ReadonlyArray<readonly [weight: number, maker: Maker]> = [
  [1, createIssue],
  [11, comment],
  [5, edit],
  [1, removeComment],
  [4, assign],
  [4, setState],
  [5, watch],
  [7, subscribe],
  [3, markThread],
  [2, markAll],
  [3, block],
  [3, changeRights],
  [5, changeAccess]
]

const lots = makers.flatMap(([weight, maker]) => Array.from({ length: weight }, () => maker))

/** A random step that is possible in the situation. The first steps open issues. */
export const randomStep: Maker = (world, random, serial) => {
  for (let tries = 0; tries < 100; tries++) {
    const maker = serial <= FIRST_ISSUES ? createIssue : random.one(lots)
    const step = maker?.(world, random, serial)
    if (step !== undefined) return step
  }
  return undefined
}
