/** Repositories as rows of a list: filtered and sorted. */
import type { IndexedRepository } from "@tongs/core/contract/groups/CodeIndex"
import type * as ExplorerApi from "../../ExplorerApi.ts"

/** A repository with its state in the index. */
export interface RepositoryRow {
  readonly repository: ExplorerApi.Repository
  readonly indexed: IndexedRepository | undefined
  /** The language with the most bytes, or the language that the forge reports. */
  readonly language: string | null
  /** Time of the last commit or push, in ISO 8601. */
  readonly changed: string | null
  /** In bytes. */
  readonly size: number
}

/** The orders of the list. */
export const orders = [
  { order: "pushed", title: "Recently pushed" },
  { order: "name", title: "Name" },
  { order: "size", title: "Size" }
] as const // the names must stay literals

/** One of `orders`. */
export type Order = (typeof orders)[number]["order"]

/** Returns the rows of repositories, in the given order. */
export const rows = (
  repositories: ReadonlyArray<ExplorerApi.Repository>,
  index: ReadonlyArray<IndexedRepository>
): ReadonlyArray<RepositoryRow> => {
  const indexed = new Map(index.map((one) => [`${one.owner}/${one.repo}`, one]))
  return repositories.map((repository) => {
    const own = indexed.get(nameOf(repository))
    return {
      repository,
      indexed: own,
      language: own?.languages[0]?.name ?? repository.language,
      changed: own?.committed_at ?? repository.pushedAt,
      size: own === undefined || own.size === 0 ? repository.size : own.size
    }
  })
}

/** Returns the rows with every word of `filter` in the name, description or language, sorted. */
export const select = (
  all: ReadonlyArray<RepositoryRow>,
  filter: string,
  order: Order
): ReadonlyArray<RepositoryRow> => {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return all
    .filter(({ language, repository }) => {
      const text = `${nameOf(repository)} ${repository.description ?? ""} ${language ?? ""}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .sort(comparisons[order])
}

/** The name `owner/repo`. */
export const nameOf = ({ owner, repo }: ExplorerApi.RepositoryName): string => `${owner}/${repo}`

const byName = (a: RepositoryRow, b: RepositoryRow): number =>
  nameOf(a.repository).localeCompare(nameOf(b.repository), "en")

const comparisons: Readonly<Record<Order, (a: RepositoryRow, b: RepositoryRow) => number>> = {
  pushed: (a, b) => (b.changed ?? "").localeCompare(a.changed ?? "") || byName(a, b),
  name: byName,
  size: (a, b) => b.size - a.size || byName(a, b)
}
