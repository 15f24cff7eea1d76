/** Random changes of a situation: the request, who may send it, and what follows in the model. */
import * as Model from "./RightsModel.test-support.ts"

export interface Change {
  readonly by: Model.Person
  readonly method: string
  readonly path: string
  readonly body?: object
  /** The status of the response to an account that may do it. */
  readonly status: number
  /** Accounts that are tried instead of `by`, without effect. */
  readonly refused: ReadonlyArray<Model.Person>
  /** The repository that the change is about; those who cannot read it must not learn of it. */
  readonly about?: Model.Repository
  /** Applies the change to the model. `json` is the response. */
  readonly apply: (json: any) => void // oxlint-disable-line typescript/no-explicit-any -- the members that a change needs
}

type Maker = (situation: Model.Situation, random: Model.Random, serial: number) => Change | undefined

const given = ["read", "triage", "write", "maintain", "admin"] as const
const bases = ["none", "read", "write", "admin"] as const

const ownersOf = (situation: Model.Situation, { members }: Model.Organization) =>
  situation.people.filter(({ login }) => members.get(login) === "admin")

/** People without any power over an organization and its teams. Those who created a team maintain it. */
const powerless = (situation: Model.Situation, organization: Model.Organization) =>
  situation.people.filter(
    (person) =>
      !person.siteAdmin &&
      organization.members.get(person.login) !== "admin" &&
      !situation.teams.some((team) => team.organization === organization && team.members.has(person.login))
  )

/** A change by an owner of an organization. */
const byOwner = (
  situation: Model.Situation,
  random: Model.Random,
  organization: Model.Organization,
  change: Omit<Change, "by" | "refused">,
  refused = powerless(situation, organization)
): Change | undefined => {
  const by = random.one(ownersOf(situation, organization))
  return by === undefined ? undefined : { ...change, by, refused }
}

/** A change by an administrator of a repository. */
const byAdmin = (
  situation: Model.Situation,
  random: Model.Random,
  about: Model.Repository,
  change: Omit<Change, "by" | "refused" | "about">,
  self?: string
): Change | undefined => {
  const isAdmin = (person: Model.Person) => Model.roleOf(situation, person, about) === "admin"
  const by = random.one(situation.people.filter(isAdmin))
  const refused = situation.people.filter((person) => !isAdmin(person) && person.login !== self)
  return by === undefined ? undefined : { ...change, about, by, refused }
}

const setMembership: Maker = (situation, random) => {
  const organization = random.one(situation.organizations)
  const person = random.one(situation.people)
  if (organization === undefined || person === undefined) return
  const { login } = person
  const role = random.chance(0.25) ? "admin" : "member"
  const isRefused = role === "member" && Model.isLastOwner(organization, login)
  return byOwner(situation, random, organization, {
    method: "PUT",
    path: `/orgs/${organization.login}/memberships/${login}`,
    body: { role },
    status: isRefused ? 403 : 200,
    apply: () => {
      if (!isRefused) (organization.members.has(login) ? organization.members : organization.invited).set(login, role)
    }
  })
}

const acceptMembership: Maker = (situation, random) => {
  const organization = random.one(situation.organizations.filter(({ invited }) => invited.size > 0))
  const by = random.one(situation.people.filter(({ login }) => organization?.invited.has(login)))
  if (organization === undefined || by === undefined) return
  return {
    by,
    method: "PATCH",
    path: `/user/memberships/orgs/${organization.login}`,
    body: { state: "active" },
    status: 200,
    refused: situation.people.filter(
      ({ login }) => !organization.invited.has(login) && !organization.members.has(login)
    ),
    apply: () => Model.join(organization, by.login)
  }
}

/** A member leaves, or an owner removes a member or an invitation. */
const endMembership: Maker = (situation, random) => {
  const organization = random.one(situation.organizations)
  if (organization === undefined) return
  const person = random.one(
    situation.people.filter(({ login }) => organization.members.has(login) || organization.invited.has(login))
  )
  if (person === undefined) return
  const { login } = person
  const isMember = organization.members.has(login)
  const isRefused = Model.isLastOwner(organization, login)
  const kind = isMember && random.chance(0.4) ? "members" : "memberships"
  const change = {
    method: "DELETE",
    path: `/orgs/${organization.login}/${kind}/${login}`,
    status: isRefused ? 403 : 204,
    apply: () => {
      if (!isRefused) Model.leave(situation, organization, login)
    }
  }
  const refused = powerless(situation, organization).filter((one) => one !== person)
  if (isMember && kind === "memberships" && random.chance(0.5)) return { ...change, by: person, refused }
  return byOwner(situation, random, organization, change, refused)
}

const convert: Maker = (situation, random) => {
  const organization = random.one(situation.organizations)
  const person = random.one(situation.people.filter(({ login }) => organization?.members.has(login)))
  if (organization === undefined || person === undefined) return
  const isRefused = Model.isLastOwner(organization, person.login)
  return byOwner(situation, random, organization, {
    method: "PUT",
    path: `/orgs/${organization.login}/outside_collaborators/${person.login}`,
    body: {},
    status: isRefused ? 403 : 204,
    apply: () => {
      if (!isRefused) Model.convert(situation, organization, person.login)
    }
  })
}

const removeOutside: Maker = (situation, random) => {
  const organization = random.one(situation.organizations)
  if (organization === undefined) return
  const outside = situation.people.filter(
    ({ login }) =>
      !organization.members.has(login) &&
      Model.repositoriesOf(situation, organization).some(({ collaborators }) => collaborators.has(login))
  )
  const person = random.one(outside)
  if (person === undefined) return
  return byOwner(situation, random, organization, {
    method: "DELETE",
    path: `/orgs/${organization.login}/outside_collaborators/${person.login}`,
    status: 204,
    apply: () => Model.removeFromRepositories(situation, organization, person.login)
  })
}

const setBase: Maker = (situation, random) => {
  const organization = random.one(situation.organizations)
  const base = random.one(bases)
  if (organization === undefined || base === undefined) return
  return byOwner(situation, random, organization, {
    method: "PATCH",
    path: `/orgs/${organization.login}`,
    body: { default_repository_permission: base },
    status: 200,
    apply: () => {
      organization.base = base
    }
  })
}

const setVisibility: Maker = (situation, random) => {
  const repository = random.one(situation.repositories)
  if (repository === undefined) return
  const isPrivate = random.chance(0.75) !== repository.isPrivate
  const body = random.chance(0.5) ? { private: isPrivate } : { visibility: isPrivate ? "private" : "public" }
  return byAdmin(situation, random, repository, {
    method: "PATCH",
    path: `/repos/${Model.fullName(repository)}`,
    body,
    status: 200,
    apply: () => {
      repository.isPrivate = isPrivate
    }
  })
}

const addCollaborator: Maker = (situation, random) => {
  const repository = random.one(situation.repositories)
  const role = random.one(given)
  if (repository === undefined || role === undefined) return
  const person = random.one(situation.people.filter(({ login }) => login !== repository.owner))
  if (person === undefined) return
  const { login } = person
  const isMember = Model.organizationOf(situation, repository)?.members.has(login) === true
  const isImmediate = isMember || repository.collaborators.has(login)
  return byAdmin(situation, random, repository, {
    method: "PUT",
    path: `/repos/${Model.fullName(repository)}/collaborators/${login}`,
    body: { permission: Model.permissionOf[role] },
    status: isImmediate ? 204 : 201,
    apply: (json) => {
      if (isImmediate) repository.collaborators.set(login, role)
      else repository.invited.set(login, { id: json.id, role })
    }
  })
}

const acceptInvitation: Maker = (situation, random) => {
  const pairs = situation.repositories.flatMap((repository) =>
    situation.people.flatMap((by) => {
      const invitation = repository.invited.get(by.login)
      const isMember = Model.organizationOf(situation, repository)?.members.has(by.login) === true
      // The effect on a role that the account got in another way is not described.
      const isPlain = invitation !== undefined && !isMember && !repository.collaborators.has(by.login)
      return isPlain ? [{ by, invitation, repository }] : []
    })
  )
  const pair = random.one(pairs)
  if (pair === undefined) return
  const { by, invitation, repository } = pair
  return {
    by,
    method: "PATCH",
    path: `/user/repository_invitations/${invitation.id}`,
    status: 204,
    refused: situation.people.filter((one) => one !== by),
    apply: () => {
      repository.invited.delete(by.login)
      repository.collaborators.set(by.login, invitation.role)
    }
  }
}

const removeCollaborator: Maker = (situation, random) => {
  const repository = random.one(situation.repositories.filter(({ collaborators }) => collaborators.size > 0))
  const person = random.one(situation.people.filter(({ login }) => repository?.collaborators.has(login)))
  if (repository === undefined || person === undefined) return
  const change = byAdmin(
    situation,
    random,
    repository,
    {
      method: "DELETE",
      path: `/repos/${Model.fullName(repository)}/collaborators/${person.login}`,
      status: 204,
      apply: () => {
        repository.collaborators.delete(person.login)
        repository.invited.delete(person.login)
      }
    },
    person.login
  )
  return change === undefined || random.chance(0.6) ? change : { ...change, by: person }
}

/** The changes by how often they are made. Those of teams are added by `RightsTeamChanges`. */
export const makers: ReadonlyArray<readonly [weight: number, maker: Maker]> = [
  [2, setMembership],
  [5, acceptMembership],
  [3, endMembership],
  [1, convert],
  [2, removeOutside],
  [2, setBase],
  [3, setVisibility],
  [3, addCollaborator],
  [5, acceptInvitation],
  [2, removeCollaborator]
]

export { byOwner, given, type Maker }
