/**
 * The verbs of the terminal UI: the jobs of people in their own words. The palette, menus, key hints and the
 * documentation read this table. Operations of the contract bring their own words (`Operation.words`).
 */
import type { CommandId } from "../actions/KeyBindings.ts"
import type { Arguments, Route } from "../content/Route.ts"
import { text } from "./Screen.ts"
import * as RevisionArguments from "./code/RevisionArguments.ts"

/** The selected item, or the item of the screen, that a verb needs. */
export type Subject = "anything" | "repository" | "file" | "commit" | "branch" | "tag"

/** The effect of a verb: runs a command, opens a screen, or starts an operation with prefilled input. */
export type Deed =
  | { readonly _tag: "Command"; readonly command: CommandId }
  | { readonly _tag: "Open"; readonly route: (known: Arguments) => Route }
  | {
      readonly _tag: "Operation"
      /** Id of the operation, for example `gitRefs.create`. */
      readonly operation: string
      /** The input besides the path of the selected item. Such an operation has one target. */
      readonly values?: (known: Arguments) => Arguments
    }

export interface Verb {
  readonly label: string
  /** Further words of people for the verb, separated by commas. */
  readonly words: string
  readonly on: Subject
  readonly deed: Deed
  /** True if the command `undo` takes the change back. */
  readonly isUndone?: boolean
  /** Short form of the label for the line of key hints. Only for verbs with a key. */
  readonly hint?: string
}

const run = (command: CommandId): Deed => ({ _tag: "Command", command })

const change = (operation: string, values?: (known: Arguments) => Arguments): Deed => ({
  _tag: "Operation",
  operation,
  ...(values === undefined ? {} : { values })
})

const files = (known: Arguments, ref: string): Route =>
  RevisionArguments.content({ owner: text(known, "owner"), repo: text(known, "repo"), ref }, "")

/** Returns the default branch in the range of a branch: `main` in `main...topic`. */
const baseOf = (known: Arguments): string | undefined => text(known, "basehead").split("...", 1)[0] || undefined

/** The verbs, the most useful first. */
export const all: ReadonlyArray<Verb> = [
  {
    label: "edit this file",
    words: "modify file, change file, write, commit a change",
    on: "file",
    isUndone: true,
    deed: run("modify"),
    hint: "edit"
  },
  {
    label: "blame",
    words: "annotate, who changed this line, last commit of each line, praise",
    on: "file",
    deed: run("blame"),
    hint: "blame"
  },
  {
    label: "version before this line changed",
    words: "blame the parent, walk back in time, older version",
    on: "file",
    deed: run("blameBack")
  },
  {
    label: "newer version again",
    words: "blame forward, walk forward in time",
    on: "file",
    deed: run("blameForward")
  },
  {
    label: "history of this function",
    words: "log -L, commits of this function, commits of these lines",
    on: "file",
    deed: run("functionHistory")
  },
  {
    label: "history of this file or folder",
    words: "file log, commits of this file, who changed this file, log --follow",
    on: "repository",
    deed: run("fileHistory")
  },
  {
    label: "go to the definition",
    words: "jump to definition, declaration, where is this defined",
    on: "file",
    deed: run("definition"),
    hint: "definition"
  },
  {
    label: "uses of this name",
    words: "references, find usages, callers, who calls this",
    on: "file",
    deed: run("references")
  },
  {
    label: "details of this name",
    words: "hover, documentation of this name, signature, type",
    on: "file",
    deed: run("card")
  },
  {
    label: "delete this file",
    words: "remove file, rm",
    on: "file",
    deed: change("contents.delete", (known) => ({ sha: known.file_sha, message: `Delete ${text(known, "path")}` }))
  },
  {
    label: "new branch here",
    words: "create branch, start branch, branch from this commit, checkout -b",
    on: "commit",
    isUndone: true,
    deed: change("gitRefs.create", ({ sha }) => ({ ref: "refs/heads/", sha }))
  },
  {
    label: "new tag here",
    words: "create tag, tag this commit",
    on: "commit",
    isUndone: true,
    deed: change("gitRefs.create", ({ sha }) => ({ ref: "refs/tags/", sha }))
  },
  {
    label: "files at this commit",
    words: "browse files, tree",
    on: "commit",
    deed: { _tag: "Open", route: (known) => files(known, text(known, "sha")) }
  },
  {
    label: "rename this branch",
    words: "move branch",
    on: "branch",
    isUndone: true,
    deed: change("branches.rename", ({ branch }) => ({ branch, new_name: branch }))
  },
  {
    label: "merge this branch",
    words: "merge into the default branch, integrate",
    on: "branch",
    deed: change("branches.merge", (known) => ({ head: known.branch, base: baseOf(known) }))
  },
  {
    label: "delete this branch",
    words: "remove branch",
    on: "branch",
    isUndone: true,
    deed: change("gitRefs.delete")
  },
  {
    label: "delete this tag",
    words: "remove tag",
    on: "tag",
    isUndone: true,
    deed: change("gitRefs.delete")
  },
  {
    label: "compare",
    words: "diff, difference, changes between two branches, tags or commits, ahead, behind",
    on: "repository",
    deed: run("compare"),
    hint: "compare"
  },
  {
    label: "go to a branch, tag or commit",
    words: "switch branch, checkout, other version, revision, file at a tag, go to commit",
    on: "repository",
    deed: run("revision")
  },
  {
    label: "changes since the last look",
    words: "what is new, what changed, since yesterday, news, recent commits, inbox",
    on: "anything",
    deed: run("changes")
  },
  {
    label: "search code here",
    words: "grep, find text, find code, look for",
    on: "repository",
    deed: run("search")
  },
  {
    label: "search all repositories",
    words: "grep everywhere, find everywhere, search everywhere",
    on: "anything",
    deed: run("searchAll")
  },
  {
    label: "save or forget this search",
    words: "bookmark, remember search",
    on: "anything",
    deed: run("saveSearch")
  },
  { label: "undo the last change", words: "revert, take back, restore", on: "anything", deed: run("undo") },
  { label: "open in $EDITOR", words: "vim, editor, edit a copy", on: "anything", deed: run("edit") },
  { label: "open in the browser", words: "web page, url, link, browse", on: "anything", deed: run("browse") },
  { label: "copy", words: "yank, clipboard, copy link, copy id, copy path", on: "anything", deed: run("copy") },
  { label: "wrap long lines", words: "word wrap, soft wrap, whole lines", on: "anything", deed: run("wrap") },
  { label: "rate limits", words: "quota, budget, limit", on: "anything", deed: run("limits") },
  { label: "refresh", words: "reload, update the screen, fetch", on: "anything", deed: run("refresh") },
  { label: "help", words: "keys, shortcuts, manual", on: "anything", deed: run("help") },
  { label: "quit", words: "exit, close, leave", on: "anything", deed: run("quit") }
]

/** The arguments by which a subject is known. */
const needs: Readonly<Record<Subject, ReadonlyArray<string>>> = {
  anything: [],
  repository: ["owner", "repo"],
  file: ["owner", "repo", "path"],
  commit: ["owner", "repo", "sha"],
  branch: ["owner", "repo", "branch"],
  tag: ["owner", "repo", "tag"]
}

/** A subject that is known: the arguments of the screen and of the selected item. */
export interface Known {
  readonly values: Arguments
  /** True if the path is that of a folder. */
  readonly isFolder: boolean
}

/** Returns whether the item that a verb needs is selected, or is the item of the screen. */
export const applies = ({ on }: Verb, { isFolder, values }: Known): boolean =>
  needs[on].every((name) => text(values, name) !== "") &&
  !(on === "file" && isFolder) &&
  // The log of a branch has the name of the branch as `sha`.
  (on !== "commit" || /^[0-9a-f]{40,64}$/.test(text(values, "sha")))
