/** Objects of labels and milestones. */
import * as Effect from "effect/Effect"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import { type LabelRow, LabelRows } from "../../issues/LabelRows.ts"
import * as IssueShapes from "../../issues/IssueShapes.ts"
import { type MilestoneRow, MilestoneRows } from "../../issues/MilestoneRows.ts"
import * as SqlFragments from "../../storage/SqlFragments.ts"
import { groupById } from "./CheckObjects.ts"
import * as Connections from "./Connections.ts"
import * as QueryError from "./QueryError.ts"
import { refusal, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operations of the contract with the access rules of labels and of milestones. */
export const readsLabels = OperationAccess.operationOf("labels", "listForRepo")
const readsMilestones = OperationAccess.operationOf("milestones", "listForRepo")

/** Maximum labels and milestones of a repository that are sorted. */
const all = { page: 1, offset: 0, perPage: 10_000 }

interface Order<Field extends string> {
  readonly field: Field
  readonly direction: "ASC" | "DESC"
}

interface LabelArguments extends Connections.PageArguments {
  readonly query?: string | null
  readonly orderBy?: Order<keyof typeof labelKeys | "ISSUE_COUNT"> | null
}

interface MilestoneArguments extends Connections.PageArguments {
  readonly query?: string | null
  readonly states?: ReadonlyArray<"OPEN" | "CLOSED"> | null
  readonly orderBy?: Order<keyof typeof milestoneKeys | "DUE_DATE"> | null
}

/** Returns the key of a label for a loader. The case of ASCII letters does not matter. */
const labelKey = (repositoryId: number, name: string) => `${repositoryId} ${SqlFragments.lower(name)}`

const labelKeys = {
  NAME: ({ name }: LabelRow) => name.toLowerCase(),
  CREATED_AT: ({ created_at }: LabelRow) => created_at
}

const milestoneKeys = {
  CREATED_AT: ({ created_at }: MilestoneRow) => created_at,
  UPDATED_AT: ({ updated_at }: MilestoneRow) => updated_at,
  NUMBER: ({ number }: MilestoneRow) => number
}

const includes = (text: string, query: string | null | undefined) =>
  text.toLowerCase().includes((query ?? "").toLowerCase())

/** Creates the functions that return labels and milestones, and the fields of a repository with them. */
export const make = Effect.gen(function* () {
  const labels = yield* LabelRows
  const milestones = yield* MilestoneRows

  const label = (query: RunningQuery, row: LabelRow, at: FoundRepository): object => ({
    __typename: "Label",
    id: nodeId("Label", row.id),
    name: row.name,
    color: row.color,
    description: row.description,
    isDefault: row.is_default === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    url: `${query.urls.html}/${at.served.fullName}/labels/${encodeURIComponent(row.name)}`,
    repository: () => query.repository(at)
  })

  const milestone = (query: RunningQuery, row: MilestoneRow, at: FoundRepository): object => {
    const shape = IssueShapes.milestone(row, at.served.fullName, query.urls)
    const { creator } = row
    const all = row.open_issues + row.closed_issues
    return {
      __typename: "Milestone",
      id: shape.node_id,
      number: row.number,
      title: row.title,
      description: row.description,
      dueOn: shape.due_on,
      state: shape.state.toUpperCase(),
      closed: shape.state === "closed",
      closedAt: shape.closed_at,
      createdAt: shape.created_at,
      updatedAt: shape.updated_at,
      creator: creator === null ? null : () => query.account(creator),
      url: shape.html_url,
      resourcePath: new URL(shape.html_url).pathname,
      progressPercentage: all === 0 ? 0 : (row.closed_issues * 100) / all
    }
  }

  /** Reads labels by `labelKey`. */
  const byNames = async (query: RunningQuery, keys: ReadonlyArray<string>) => {
    const found = await Promise.all([...groupById(keys)].map(([id, names]) => query.run(labels.byNames(id, names))))
    return new Map(found.flat().map((row) => [labelKey(row.repository_id, row.name), row]))
  }

  /** Returns the milestone. Null if the caller's token cannot read milestones. */
  const visibleMilestone = (query: RunningQuery, row: MilestoneRow, at: FoundRepository) =>
    refusal(readsMilestones, query.caller, at) === undefined ? milestone(query, row, at) : null

  const milestonesById = (query: RunningQuery, ids: ReadonlyArray<number>) => query.run(milestones.byIds(ids))

  /** Returns the fields of a repository with its labels and milestones. */
  const fields = (query: RunningQuery, at: FoundRepository) => {
    const { id } = at.served.row
    return {
      label: async ({ name }: { readonly name: string }) => {
        requireAccess(readsLabels, query, at)
        const row = await query.labelOfName(labelKey(id, name))
        return row === undefined ? null : label(query, row, at)
      },
      labels: async (given: LabelArguments) => {
        requireAccess(readsLabels, query, at)
        const { items } = await query.run(labels.list(id, all))
        const { direction, field } = given.orderBy ?? { field: "CREATED_AT", direction: "ASC" }
        const found = items.filter((row) => includes(`${row.name}\n${row.description ?? ""}`, given.query))
        const counts = field === "ISSUE_COUNT" ? await query.run(labels.issueCounts(id)) : undefined
        const key = field === "ISSUE_COUNT" ? (row: LabelRow) => counts?.get(row.id) ?? 0 : labelKeys[field]
        return Connections.ofList("labels", given, Connections.sorted<LabelRow>(found, key, direction), (row) =>
          label(query, row, at)
        )
      },
      milestone: async ({ number }: { readonly number: number }) => {
        requireAccess(readsMilestones, query, at)
        const row = await query.run(milestones.find(id, number))
        if (row === undefined) throw QueryError.unresolved(`a Milestone with the number of ${number}`)
        return milestone(query, row, at)
      },
      milestones: async (given: MilestoneArguments) => {
        requireAccess(readsMilestones, query, at)
        const { direction, field } = given.orderBy ?? { field: "NUMBER", direction: "ASC" }
        const way = direction === "DESC" ? "desc" : "asc"
        const { items } = await query.run(milestones.list(id, { state: "all", sort: "due_on", direction: way }, all))
        const states = given.states ?? ["OPEN", "CLOSED"]
        const found = items.filter(
          (row) => states.includes(row.closed_at === null ? "OPEN" : "CLOSED") && includes(row.title, given.query)
        )
        const sorted = field === "DUE_DATE" ? found : Connections.sorted(found, milestoneKeys[field], direction)
        return Connections.ofList("milestones", given, sorted, (row) => milestone(query, row, at))
      }
    }
  }

  return { byNames, fields, label, milestonesById, visibleMilestone }
})
