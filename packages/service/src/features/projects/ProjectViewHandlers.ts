import * as Effect from "effect/Effect"
import { ProjectViews } from "@tongs/core/contract/groups/ProjectViews"
import type { Authenticated } from "../../access/Caller.ts"
import { nodeId } from "../../api/NodeId.ts"
import { group } from "../../api/Handlers.ts"
import * as ApiError from "../../api/ApiError.ts"
import { parseTimestamp } from "../../base/Time.ts"
import type { Urls } from "../../api/Urls.ts"
import { ProjectRows } from "./ProjectRows.ts"
import { type UserRow, UserRows } from "../../accounts/UserRows.ts"
import * as Shapes from "../../api/Shapes.ts"

interface Input {
  readonly name: string
  readonly layout: "table" | "board" | "roadmap"
  readonly filter?: string
  readonly visible_fields?: ReadonlyArray<number>
  readonly sort_by?: ReadonlyArray<ReadonlyArray<number | string>>
  readonly group_by?: ReadonlyArray<number>
  readonly vertical_group_by?: ReadonlyArray<number>
}

const invalidField = (field: string, message: string) =>
  ApiError.invalid("Validation Failed", [{ resource: "ProjectView", field, code: "invalid", message }])

const isSort = (pair: ReadonlyArray<number | string>) =>
  pair.length === 2 && typeof pair[0] === "number" && (pair[1] === "asc" || pair[1] === "desc")

export const make = Effect.gen(function* () {
  const projects = yield* ProjectRows
  const users = yield* UserRows

  const create = Effect.fnUntraced(function* (
    owner: UserRow,
    number: number,
    input: Input,
    { caller, urls }: { readonly caller: Authenticated; readonly urls: Urls }
  ) {
    const project = yield* projects.find(owner.id, number)
    if (project === undefined) return yield* ApiError.notFound()
    if (input.name.trim() === "") return yield* invalidField("name", "name cannot be blank")
    const {
      group_by = [],
      sort_by = [],
      vertical_group_by = [],
      visible_fields = project.fields.map(({ id }) => id)
    } = input
    if (!sort_by.every(isSort))
      return yield* invalidField("sort_by", 'sort_by must contain pairs of a field id and "asc" or "desc"')
    const known = new Set(project.fields.map(({ id }) => id))
    const sorted = sort_by.flatMap(([id]) => (typeof id === "number" ? [id] : []))
    const stranger = [...visible_fields, ...group_by, ...vertical_group_by, ...sorted].find((id) => !known.has(id))
    if (stranger !== undefined)
      return yield* invalidField("visible_fields", `no field with id ${stranger} in this project`)

    const view = {
      name: input.name,
      layout: input.layout,
      filter: input.filter ?? null,
      visible_fields,
      sort_by,
      group_by,
      vertical_group_by
    }
    const added = yield* projects.addView(project.id, caller.user.id, view)
    const kind = owner.type === "Organization" ? "orgs" : "users"
    return {
      id: added.id,
      number: added.number,
      ...view,
      node_id: nodeId("ProjectView", added.id),
      project_url: `${urls.api}/${kind}/${owner.login}/projectsV2/${number}`,
      html_url: `${urls.html}/${kind}/${owner.login}/projects/${number}/views/${added.number}`,
      creator: Shapes.userSummary(caller.user, urls),
      created_at: parseTimestamp(added.createdAt),
      updated_at: parseTimestamp(added.createdAt)
    }
  })

  /** Finds the account by id or login. */
  const owner = (text: string) => (/^\d+$/.test(text) ? users.byId(Number(text)) : users.byLogin(text))

  return group(ProjectViews)({
    *createForOrg({ project_number, ...input }, context) {
      return yield* create(context.organization, project_number, input, context)
    },
    *createForUser({ project_number, user_id, ...input }, context) {
      const row = yield* owner(user_id)
      if (row === undefined || row.type === "Organization") return yield* ApiError.notFound()
      const { caller } = context
      if (caller.user.id !== row.id && caller.user.site_admin === 0) {
        return yield* ApiError.notFound()
      }
      return yield* create(row, project_number, input, context)
    }
  })
})
