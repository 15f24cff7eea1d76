/** The route of a screen: which screen it is, and which content it shows. */

/** The tabs of a repository, in display order. */
export const tabs = ["log", "branches", "tags", "files", "readme"] as const // literal types

/** The name of a tab. */
export type Tab = (typeof tabs)[number]

/** A repository at a branch, tag or commit; without `ref`, at its default branch. */
export interface Revision {
  readonly owner: string
  readonly repo: string
  readonly ref?: string | undefined
}

/** A screen, with the data that identifies its content. */
export type Route =
  | { readonly _tag: "Repositories" }
  | (Revision & { readonly _tag: "Repository"; readonly tab: Tab })
  | (Revision & { readonly _tag: "Commit"; readonly sha: string })
  | (Revision & { readonly _tag: "Folder"; readonly path: string })
  /** `find` is the text of the line at which the screen starts. */
  | (Revision & { readonly _tag: "File"; readonly path: string; readonly find?: string | undefined })
  | (Revision & { readonly _tag: "Search"; readonly query: string })

/** Returns a key for maps. Equal routes have the same id. */
export const id = (self: Route): string => JSON.stringify(self)

/** Returns the revision that the screen shows; undefined for the list of repositories. */
export const revision = (self: Route): Revision | undefined => {
  if (self._tag === "Repositories") return undefined
  return { owner: self.owner, repo: self.repo, ref: self.ref }
}

/** Returns true if the screen shows a document. Needs no loaded content. */
export const isDocument = (self: Route): boolean =>
  self._tag === "Commit" || self._tag === "File" || (self._tag === "Repository" && self.tab === "readme")

/** Returns the title of the screen for the header. */
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

/** Returns the tab `step` positions to the right, wrapping around. */
export const adjacentTab = (tab: Tab, step: number): Tab =>
  tabs[(tabs.indexOf(tab) + step + tabs.length) % tabs.length] ?? tab

/** Abbreviates git object ids to seven digits. Returns names of branches and tags unchanged. */
export const shortRef = (ref: string): string => (/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(ref) ? ref.slice(0, 7) : ref)
