/** Objects of releases and their assets. */
import * as Effect from "effect/Effect"
import type { UserRow } from "../../accounts/UserRows.ts"
import { nodeId } from "../../api/NodeId.ts"
import * as OperationAccess from "../../api/OperationAccess.ts"
import type { PageRequest } from "../../base/Paging.ts"
import * as RefName from "../../git/values/RefName.ts"
import * as GeneratedNotes from "../../releases/GeneratedNotes.ts"
import type { AssetOfRelease } from "../../releases/ReleaseAssetRows.ts"
import { type ReleaseOrder, type ReleaseRow, ReleaseRows } from "../../releases/ReleaseRows.ts"
import * as ReleaseShapes from "../../releases/ReleaseShapes.ts"
import * as DraftAccess from "../releases/DraftAccess.ts"
import * as Connections from "./Connections.ts"
import { ref, refusal, requireAccess } from "./RepositoryObjects.ts"
import type { FoundRepository, RunningQuery } from "./RunningQuery.ts"

/** The operation of the contract with the access rules of releases. */
const readsReleases = OperationAccess.operationOf("releases", "get")

interface ReleaseArguments extends Connections.PageArguments {
  readonly orderBy?: { readonly field: "CREATED_AT" | "NAME"; readonly direction: "ASC" | "DESC" } | null
}

interface AssetArguments extends Connections.PageArguments {
  readonly name?: string | null
}

const fields = { CREATED_AT: "created_at", NAME: "name" } as const // literal types

const seesDrafts = ({ caller }: RunningQuery, { role, served }: FoundRepository) =>
  DraftAccess.seesDrafts({ caller, repository: served, role })

/** Returns the object of an account. Only people have one here. */
const person = (query: RunningQuery, row: UserRow | null) => (row?.type === "User" ? query.account(row) : null)

/** Creates the functions that return releases, and the fields of a repository with its releases. */
export const make = Effect.gen(function* () {
  const rows = yield* ReleaseRows

  const asset = (query: RunningQuery, row: AssetOfRelease, release: ReleaseRow, at: FoundRepository): object => {
    const shape = ReleaseShapes.asset(row, release, at.served, query.urls)
    return {
      __typename: "ReleaseAsset",
      id: shape.node_id,
      name: row.name,
      contentType: row.content_type,
      size: row.size,
      digest: shape.digest,
      downloadCount: row.download_count,
      downloadUrl: shape.browser_download_url,
      url: shape.url,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      uploadedBy: () => person(query, row.uploader),
      release: () => releaseOf(query, release, at)
    }
  }

  /** `latest` returns the id of the latest release. */
  const releaseOf = (
    query: RunningQuery,
    row: ReleaseRow,
    at: FoundRepository,
    latest = () => query.run(Effect.map(rows.latest(row.repository_id), (found) => found?.id))
  ): object => {
    const url = ReleaseShapes.pageUrl(row, at.served, query.urls)
    return {
      __typename: "Release",
      id: nodeId("Release", row.id),
      databaseId: row.id,
      name: row.name,
      tagName: row.tag_name,
      tag: () => ref(query, at, RefName.tag(row.tag_name)),
      tagCommit: async () => {
        const oid = await query.run(GeneratedNotes.commitOfTag(at.served.git, row.tag_name))
        return oid === undefined ? null : query.gitObject(at, oid)
      },
      url,
      resourcePath: new URL(url).pathname,
      description: row.body,
      author: () => person(query, row.author),
      repository: () => query.repository(at),
      isDraft: row.draft === 1,
      isLatest: async () => (await latest()) === row.id,
      isPrerelease: row.prerelease === 1,
      immutable: row.immutable === 1,
      createdAt: row.created_at,
      publishedAt: row.published_at,
      updatedAt: row.updated_at,
      releaseAssets: (given: AssetArguments) => {
        const named = row.assets.filter(({ name }) => (given.name ?? name) === name)
        return Connections.ofList("releaseAssets", given, named, (one) => asset(query, one, row, at))
      }
    }
  }

  /** Returns the fields of a repository with its releases. */
  const fieldsOf = (query: RunningQuery, at: FoundRepository) => {
    const { id } = at.served.row
    let latest: Promise<ReleaseRow | undefined> | undefined
    const latestRow = () => (latest ??= query.run(rows.latest(id)))
    const object = (row: ReleaseRow | undefined) =>
      row === undefined ? null : releaseOf(query, row, at, async () => (await latestRow())?.id)
    const check = () => requireAccess(readsReleases, query, at)
    return {
      latestRelease: async () => {
        check()
        return object(await latestRow())
      },
      release: async ({ tagName }: { readonly tagName: string }) => {
        check()
        return object(await query.run(rows.byTag(id, tagName, seesDrafts(query, at))))
      },
      releases: (given: ReleaseArguments) => {
        check()
        const { direction, field } = given.orderBy ?? { field: "CREATED_AT", direction: "ASC" }
        const order: ReleaseOrder = { field: fields[field], descending: direction === "DESC" }
        const read = async (page: PageRequest) => {
          const { items, total } = await query.run(rows.list(id, seesDrafts(query, at), page, order))
          return { items: items.map(object), total }
        }
        return Connections.make("releases", given, read)
      }
    }
  }

  /** Returns the release with an id. Null if it does not exist, or the caller cannot read it. */
  const byId = async (query: RunningQuery, id: number): Promise<object | null> => {
    const row = await query.run(rows.byId(id))
    const at = row === undefined ? undefined : await query.findRepository(row.repository_id)
    if (row === undefined || at === undefined || refusal(readsReleases, query.caller, at) !== undefined) return null
    return row.draft === 1 && !seesDrafts(query, at) ? null : releaseOf(query, row, at)
  }

  return { byId, fields: fieldsOf }
})
