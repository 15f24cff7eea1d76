/** Random changes of teams: created, moved, made secret, deleted, with members and repositories. */
import { byOwner, given, type Maker, makers as otherMakers } from "./RightsChanges.test-support.ts"
import * as Model from "./RightsModel.test-support.ts"

/** Maximum teams of a situation, and levels of teams. */
export const MAX_TEAMS = 6
const MAX_LEVELS = 3

const pathOf = ({ organization, slug }: Model.Team) => `/orgs/${organization.login}/teams/${slug}`

const levelOf = (team: Model.Team | undefined) => (team === undefined ? 0 : Model.withAncestors(team).length)

/** Number of levels of a team and the teams below it. */
const heightOf = (situation: Model.Situation, team: Model.Team) =>
  Math.max(...[team, ...Model.below(situation, team)].map((one) => levelOf(one) - levelOf(team) + 1))

const create: Maker = (situation, random, serial) => {
  const organization = random.one(situation.organizations)
  if (organization === undefined || situation.teams.length >= MAX_TEAMS) return
  const above = situation.teams.filter(
    (team) => team.organization === organization && !team.secret && levelOf(team) < MAX_LEVELS
  )
  const parent = random.chance(0.6) ? random.one(above) : undefined
  const secret = parent === undefined && random.chance(0.4)
  const repository = random.chance(0.5) ? random.one(Model.repositoriesOf(situation, organization)) : undefined
  const slug = `new-${serial}`
  const change = byOwner(
    situation,
    random,
    organization,
    {
      method: "POST",
      path: `/orgs/${organization.login}/teams`,
      body: {
        name: slug,
        privacy: secret ? "secret" : "closed",
        ...(parent === undefined ? {} : { parent_team_id: parent.id }),
        ...(repository === undefined ? {} : { repo_names: [Model.fullName(repository)], permission: "push" })
      },
      status: 201,
      apply: () => undefined
    },
    // Members may create teams; others may not.
    situation.people.filter(({ login, siteAdmin }) => !siteAdmin && !organization.members.has(login))
  )
  return change === undefined
    ? undefined
    : {
        ...change,
        apply: (json) => {
          const team: Model.Team = {
            id: json.id,
            slug,
            organization,
            parent,
            secret,
            members: new Set([change.by.login]),
            grants: new Map(repository === undefined ? [] : [[repository, "write"]])
          }
          situation.teams = [...situation.teams, team]
        }
      }
}

/** Gives a team another parent, or none. A parent below the team is refused. */
const move: Maker = (situation, random) => {
  const team = random.one(situation.teams.filter(({ secret }) => !secret))
  if (team === undefined) return
  const parents = situation.teams.filter(
    (one) =>
      one !== team.parent &&
      one.organization === team.organization &&
      !one.secret &&
      levelOf(one) + heightOf(situation, team) <= MAX_LEVELS
  )
  const cycles = [team, ...Model.below(situation, team)]
  const isCycle = random.chance(0.15)
  const parent = random.chance(0.3) ? undefined : random.one(isCycle ? cycles : parents)
  const isRefused = parent !== undefined && cycles.includes(parent)
  return byOwner(situation, random, team.organization, {
    method: "PATCH",
    path: pathOf(team),
    body: { parent_team_id: parent?.id ?? null },
    status: isRefused ? 422 : 200,
    apply: () => {
      if (!isRefused) team.parent = parent
    }
  })
}

const setPrivacy: Maker = (situation, random) => {
  const team = random.one(situation.teams)
  if (team === undefined) return
  const secret = !team.secret
  const isRefused = secret && (team.parent !== undefined || Model.below(situation, team).length > 0)
  return byOwner(situation, random, team.organization, {
    method: "PATCH",
    path: pathOf(team),
    body: { privacy: secret ? "secret" : "closed" },
    status: isRefused ? 422 : 200,
    apply: () => {
      if (!isRefused) team.secret = secret
    }
  })
}

const remove: Maker = (situation, random) => {
  const team = random.one(situation.teams)
  if (team === undefined) return
  return byOwner(situation, random, team.organization, {
    method: "DELETE",
    path: pathOf(team),
    status: 204,
    apply: () => {
      const gone = [team, ...Model.below(situation, team)]
      situation.teams = situation.teams.filter((one) => !gone.includes(one))
    }
  })
}

/** Adds an account to a team. An account outside of the organization is invited. */
const addMember: Maker = (situation, random) => {
  const team = random.one(situation.teams)
  const person = random.one(situation.people)
  if (team === undefined || person === undefined) return
  const { members, organization } = team
  const { login } = person
  return byOwner(situation, random, organization, {
    method: "PUT",
    path: `${pathOf(team)}/memberships/${login}`,
    body: {},
    status: 200,
    apply: (json) => {
      const isMember = organization.members.has(login)
      if (json.state !== (isMember ? "active" : "pending")) throw new Error(`membership of ${login} is ${json.state}`)
      members.add(login)
      if (!isMember && !organization.invited.has(login)) organization.invited.set(login, "member")
    }
  })
}

const removeMember: Maker = (situation, random) => {
  const team = random.one(situation.teams.filter(({ members }) => members.size > 0))
  const person = random.one(situation.people.filter(({ login }) => team?.members.has(login)))
  if (team === undefined || person === undefined) return
  const change = byOwner(situation, random, team.organization, {
    method: "DELETE",
    path: `${pathOf(team)}/memberships/${person.login}`,
    status: 204,
    apply: () => void team.members.delete(person.login)
  })
  const isActive = team.organization.members.has(person.login)
  return change === undefined || !isActive || random.chance(0.6) ? change : { ...change, by: person }
}

const share: Maker = (situation, random) => {
  const team = random.one(situation.teams)
  const repository = random.one(team === undefined ? [] : Model.repositoriesOf(situation, team.organization))
  const role = random.one(given)
  if (team === undefined || repository === undefined || role === undefined) return
  return byOwner(
    situation,
    random,
    team.organization,
    {
      method: "PUT",
      path: `${pathOf(team)}/repos/${Model.fullName(repository)}`,
      body: { permission: Model.permissionOf[role] },
      status: 204,
      apply: () => void team.grants.set(repository, role)
    },
    notAdmins(situation, repository)
  )
}

const unshare: Maker = (situation, random) => {
  const team = random.one(situation.teams.filter(({ grants }) => grants.size > 0))
  const repository = random.one([...(team?.grants.keys() ?? [])])
  if (team === undefined || repository === undefined) return
  return byOwner(
    situation,
    random,
    team.organization,
    {
      method: "DELETE",
      path: `${pathOf(team)}/repos/${Model.fullName(repository)}`,
      status: 204,
      apply: () => void team.grants.delete(repository)
    },
    notAdmins(situation, repository)
  )
}

/** People outside of all teams who do not administer the repository. */
const notAdmins = (situation: Model.Situation, repository: Model.Repository) =>
  situation.people.filter(
    (person) =>
      Model.roleOf(situation, person, repository) !== "admin" &&
      !situation.teams.some(({ members }) => members.has(person.login))
  )

const makers: typeof otherMakers = [
  ...otherMakers,
  [2, create],
  [3, move],
  [1, setPrivacy],
  [1, remove],
  [3, addMember],
  [2, removeMember],
  [3, share],
  [1, unshare]
]

const lots = makers.flatMap(([weight, maker]) => Array.from({ length: weight }, () => maker))

/** A random change that is possible in the situation. */
export const randomChange: Maker = (situation, random, serial) => {
  for (let tries = 0; tries < 100; tries++) {
    const change = random.one(lots)?.(situation, random, serial)
    if (change !== undefined) return change
  }
  return undefined
}
