/**
 * A model of who may read and write a repository, written from the descriptions of the endpoints and from GitHub's
 * documentation, without the code of the forge. It is slow and plain: sets of logins, and one function for the role.
 */

/** The roles, from the lowest to the highest. */
export const roles = ["none", "read", "triage", "write", "maintain", "admin"] as const
export type Role = (typeof roles)[number]

/** Permission in requests and responses for each role that can be given. */
export const permissionOf: Readonly<Record<Exclude<Role, "none">, string>> = {
  read: "pull",
  triage: "triage",
  write: "push",
  maintain: "maintain",
  admin: "admin"
}

export interface Person {
  readonly login: string
  readonly siteAdmin: boolean
}

export interface Organization {
  readonly login: string
  base: Role
  readonly members: Map<string, "admin" | "member">
  /** Invitations that the account has not accepted. */
  readonly invited: Map<string, "admin" | "member">
}

export interface Team {
  readonly id: number
  readonly slug: string
  readonly organization: Organization
  parent: Team | undefined
  secret: boolean
  /** With the accounts that are invited to the organization, whose membership has no effect yet. */
  readonly members: Set<string>
  readonly grants: Map<Repository, Role>
}

export interface Repository {
  readonly owner: string
  readonly name: string
  isPrivate: boolean
  readonly collaborators: Map<string, Role>
  /** Invitations that the account has not accepted. */
  readonly invited: Map<string, { readonly id: number; readonly role: Role }>
}

export interface Situation {
  readonly people: ReadonlyArray<Person>
  readonly organizations: ReadonlyArray<Organization>
  teams: ReadonlyArray<Team>
  readonly repositories: ReadonlyArray<Repository>
}

const highest = (all: ReadonlyArray<Role>): Role =>
  all.reduce((left, right) => (roles.indexOf(right) > roles.indexOf(left) ? right : left), "none")

export const atLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least)

export const fullName = ({ name, owner }: Repository): string => `${owner}/${name}`

/** The team and all teams above it. */
export const withAncestors = (team: Team): ReadonlyArray<Team> =>
  team.parent === undefined ? [team] : [team, ...withAncestors(team.parent)]

/** The teams below a team, at all levels. */
export const below = (situation: Situation, team: Team): ReadonlyArray<Team> =>
  situation.teams.filter((one) => one !== team && withAncestors(one).includes(team))

export const organizationOf = ({ organizations }: Situation, { owner }: Repository): Organization | undefined =>
  organizations.find(({ login }) => login === owner)

export const repositoriesOf = ({ repositories }: Situation, { login }: Organization): ReadonlyArray<Repository> =>
  repositories.filter(({ owner }) => owner === login)

/** The role that an account has by its teams. */
const roleByTeams = ({ teams }: Situation, login: string, repository: Repository): Role =>
  highest(
    teams
      .filter(({ members }) => members.has(login))
      .flatMap(withAncestors)
      .map(({ grants }) => grants.get(repository) ?? "none")
  )

/** The role that somebody gave to the account: not that of everyone in a public repository, or of a site administrator. */
export const givenRole = (situation: Situation, login: string, repository: Repository): Role => {
  if (repository.owner === login) return "admin"
  const own = repository.collaborators.get(login) ?? "none"
  const organization = organizationOf(situation, repository)
  const membership = organization?.members.get(login)
  if (organization === undefined || membership === undefined) return own
  if (membership === "admin") return "admin"
  return highest([own, organization.base, roleByTeams(situation, login, repository)])
}

/** The role of an account, or without an account of an anonymous caller. */
export const roleOf = (situation: Situation, person: Person | undefined, repository: Repository): Role => {
  if (person?.siteAdmin === true) return "admin"
  const given = person === undefined ? "none" : givenRole(situation, person.login, repository)
  return highest([given, repository.isPrivate ? "none" : "read"])
}

/** True for repositories of the account, of its organizations, and shared with it. */
export const isOwnOrShared = (situation: Situation, login: string, repository: Repository): boolean =>
  givenRole(situation, login, repository) !== "none" ||
  organizationOf(situation, repository)?.members.has(login) === true

/** True if the account sees the team: owners all, members of the organization all but the secret teams of others. */
export const seesTeam = ({ members, organization, secret }: Team, { login }: Person): boolean => {
  const membership = organization.members.get(login)
  return membership === "admin" || (membership === "member" && (!secret || members.has(login)))
}

/** True if the account is the only owner, who can neither leave nor become a member. */
export const isLastOwner = ({ members }: Organization, login: string): boolean =>
  members.get(login) === "admin" && [...members.values()].filter((role) => role === "admin").length === 1

const leaveTeams = (situation: Situation, organization: Organization, login: string): void => {
  for (const team of situation.teams) if (team.organization === organization) team.members.delete(login)
}

/** The account loses its membership or invitation, its teams, and its roles in all repositories. */
export const leave = (situation: Situation, organization: Organization, login: string): void => {
  const wasMember = organization.members.delete(login)
  organization.invited.delete(login)
  leaveTeams(situation, organization, login)
  if (wasMember) removeFromRepositories(situation, organization, login)
}

/** The account loses its roles and invitations in all repositories of the organization. */
export const removeFromRepositories = (situation: Situation, organization: Organization, login: string): void => {
  for (const repository of repositoriesOf(situation, organization)) {
    repository.collaborators.delete(login)
    repository.invited.delete(login)
  }
}

/** A member becomes an outside collaborator with the roles of its teams and its own. */
export const convert = (situation: Situation, organization: Organization, login: string): void => {
  for (const repository of repositoriesOf(situation, organization)) {
    const role = highest([repository.collaborators.get(login) ?? "none", roleByTeams(situation, login, repository)])
    if (role !== "none") repository.collaborators.set(login, role)
  }
  organization.members.delete(login)
  leaveTeams(situation, organization, login)
}

/** The account accepts its invitation. */
export const join = (organization: Organization, login: string): void => {
  organization.members.set(login, organization.invited.get(login) ?? "member")
  organization.invited.delete(login)
}

/** The teams with the ids that the forge assigned, by `login slug`. Parents come before their children. */
export const replaceIds = (teams: ReadonlyArray<Team>, ids: ReadonlyMap<string, number>): ReadonlyArray<Team> => {
  const replaced = new Map<Team, Team>()
  for (const team of teams) {
    const id = ids.get(`${team.organization.login} ${team.slug}`) ?? 0
    replaced.set(team, { ...team, id, parent: team.parent === undefined ? undefined : replaced.get(team.parent) })
  }
  return [...replaced.values()]
}

/** Numbers that are always the same for a seed. */
export const randomOf = (seed: number) => {
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0
  /** A number below `limit`. */
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 0x1_0000_0000) * limit)
  }
  const chance = (share: number): boolean => below(1000) < share * 1000
  /** One of the items; undefined if there are none. */
  const one = <A>(items: ReadonlyArray<A>): A | undefined => items[below(items.length)]
  return { below, chance, one }
}
export type Random = ReturnType<typeof randomOf>
