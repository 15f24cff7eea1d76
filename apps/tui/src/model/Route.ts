/** Where a person can be. A place is data: the way back is a list of them. */

/** The tabs of a repository, in their order. */
export const tabs = ["log", "branches", "tags", "files", "readme"] as const // the names must stay literals
export type Tab = (typeof tabs)[number]

/** A repository, at a branch, tag or commit; at its default branch without one. */
export interface Revision {
  readonly owner: string
  readonly repo: string
  readonly ref?: string | undefined
}

export type Route =
  | { readonly _tag: "Repositories" }
  | (Revision & { readonly _tag: "Repository"; readonly tab: Tab })
  | (Revision & { readonly _tag: "Commit"; readonly sha: string })
  | (Revision & { readonly _tag: "Folder"; readonly path: string })
  /** `find` is a piece of the file to start at. */
  | (Revision & { readonly _tag: "File"; readonly path: string; readonly find?: string | undefined })
  | (Revision & { readonly _tag: "Search"; readonly query: string })

/** Two places with one id are the same place. */
export const id = (self: Route): string => JSON.stringify(self)

/** The repository that the place is in. */
export const revision = (self: Route): Revision | undefined => {
  if (self._tag === "Repositories") return undefined
  return { owner: self.owner, repo: self.repo, ref: self.ref }
}

/** Whether a text is there, and not a list, before it has been read. */
export const isDocument = (self: Route): boolean =>
  self._tag === "Commit" || self._tag === "File" || (self._tag === "Repository" && self.tab === "readme")

/** The last step of the way, as the header names it. */
export const title = (self: Route): string => {
  switch (self._tag) {
    case "Repositories":
      return "repositories"
    case "Repository":
      return self.ref === undefined ? `${self.owner}/${self.repo}` : shortRef(self.ref)
    case "Commit":
      return shortRef(self.sha)
    case "Folder":
      return `${self.path.split("/").at(-1) ?? self.path}/`
    case "File":
      return self.path.split("/").at(-1) ?? self.path
    case "Search":
      return `"${self.query}"`
  }
}

/** The tab `step` further, round in a circle. */
export const adjacentTab = (tab: Tab, step: number): Tab =>
  tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab

/** Ids are shown by their first digits; names of branches and tags as they are. */
export const shortRef = (ref: string): string => (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref) ? ref.slice(0, 7) : ref)
