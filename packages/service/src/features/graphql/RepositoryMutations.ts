/** Mutations of repositories. Each runs an operation of the REST API, in its transaction. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as MutationNodes from "./MutationNodes.ts"
import { type Input, isGiven, pathOf } from "./MutationNodes.ts"
import type { RepositoryMutationName } from "./MutationSchema.ts"
import * as QueryError from "./QueryError.ts"
import type { RunningQuery } from "./RunningQuery.ts"

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.Int }))

/** Members of the REST API by members of an input. */
const settings = {
  name: "name",
  description: "description",
  homepageUrl: "homepage",
  hasIssuesEnabled: "has_issues",
  hasWikiEnabled: "has_wiki",
  hasProjectsEnabled: "has_projects",
  hasDiscussionsEnabled: "has_discussions",
  template: "is_template"
}

const settingsOf = (input: Input) =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([name, member]) => (isGiven(input[name]) ? [[member, input[name]]] : []))
  )

const isPrivate = ({ visibility }: Input) => {
  if (visibility === "INTERNAL") throw QueryError.unprocessable("This forge has no internal repositories.")
  return visibility === "PRIVATE"
}

/** Creates the function that returns the fields of `Mutation`. */
export const make = Effect.gen(function* () {
  const nodes = yield* MutationNodes.make

  return (query: RunningQuery) => {
    const { accountOf, repositoryOf, teamIdOf } = nodes(query)
    const call = (method: string, path: string, body?: object) => query.run(query.call(method, path, body))

    /** Returns a repository after its change. */
    const found = (id: number) => ({
      repository: async () => {
        const at = await query.findRepository(id)
        return at === undefined ? null : query.repository(at)
      }
    })

    const change = async (id: unknown, body: object) => {
      const at = await repositoryOf(id)
      await call("PATCH", pathOf(at), body)
      return found(at.served.row.id)
    }

    const mutations: Readonly<Record<RepositoryMutationName, (input: Input) => Promise<object>>> = {
      createRepository: async (input) => {
        const owner = isGiven(input["ownerId"]) ? await accountOf(input["ownerId"]) : query.caller.user
        if (owner.type !== "Organization" && owner.id !== query.caller.user.id) {
          throw new QueryError.QueryError("FORBIDDEN", `You cannot create a repository for ${owner.login}.`)
        }
        const team = isGiven(input["teamId"]) ? { team_id: teamIdOf(input["teamId"]) } : {}
        const body = { ...settingsOf(input), ...team, private: isPrivate(input) }
        const path = owner.type === "Organization" ? `/orgs/${encodeURIComponent(owner.login)}/repos` : "/user/repos"
        return found(decodeId(await call("POST", path, body)).id)
      },
      cloneTemplateRepository: async (input) => {
        const template = await repositoryOf(input["repositoryId"])
        const owner = await accountOf(input["ownerId"])
        const { description, includeAllBranches, name } = input
        const body = {
          owner: owner.login,
          name,
          private: isPrivate(input),
          ...(isGiven(description) ? { description } : {}),
          ...(isGiven(includeAllBranches) ? { include_all_branches: includeAllBranches } : {})
        }
        return found(decodeId(await call("POST", `${pathOf(template)}/generate`, body)).id)
      },
      updateRepository: (input) => change(input["repositoryId"], settingsOf(input)),
      archiveRepository: (input) => change(input["repositoryId"], { archived: true }),
      unarchiveRepository: (input) => change(input["repositoryId"], { archived: false })
    }
    return mutations
  }
})
