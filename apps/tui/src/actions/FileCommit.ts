/**
 * The window that commits an edited file: what changed, the message and the branch. Keys and pasted text return a new
 * window.
 */
import * as Terminal from "@tongs/core/text/Terminal"
import type * as ExternalEditor from "../terminal/ExternalEditor.ts"
import * as Diff from "../text/Diff.ts"
import * as DiffPatch from "../text/DiffPatch.ts"
import * as LineDiff from "../text/LineDiff.ts"
import * as TextInput from "../text/TextInput.ts"

/** A file as it was read. */
export interface FileVersion {
  readonly owner: string
  readonly repo: string
  readonly path: string
  /** Id of the blob; undefined for a file that does not exist. */
  readonly sha: string | undefined
  readonly text: string
}

/** Where the commit goes. */
export interface Target {
  /** The branch, tag or commit of the screen; undefined for the work tree or the default branch. */
  readonly ref: string | undefined
  /** The branch that the screen shows; undefined if the screen shows a tag or a commit. */
  readonly branch: string | undefined
  /** The commit at which a new branch starts. */
  readonly commit: string
  /** The branch that the window proposes. */
  readonly proposed: string
  /** Sentences about the branch and the work tree. */
  readonly notes: ReadonlyArray<string>
  /** What the commit gives access to. The user then confirms by typing the path. */
  readonly consequence: string | undefined
}

/** A line of input. */
export interface Field {
  readonly name: "message" | "branch" | "confirm"
  readonly input: TextInput.TextInput
  readonly note: string
}

/** A change of the file by others since it was read. */
export interface Conflict {
  readonly theirs: FileVersion
  readonly branch: string
}

export interface FileCommit {
  /** The version on which the edit is based. */
  readonly base: FileVersion
  readonly target: Target
  readonly text: string
  /** The file with the edited text, which stays until the commit. */
  readonly draft: ExternalEditor.Draft
  /** What the edit changes; in a conflict, what others have changed. */
  readonly diff: Diff.Diff
  /** Index of the first visible line of the diff. */
  readonly top: number
  readonly fields: ReadonlyArray<Field>
  /** Index of the field with the cursor. */
  readonly focus: number
  readonly conflict: Conflict | undefined
  readonly problem: string | undefined
  readonly isSending: boolean
}

/** The effect of a key. */
export type Step =
  | { readonly _tag: "Edit"; readonly window: FileCommit }
  | { readonly _tag: "Cancel" }
  | { readonly _tag: "Commit"; readonly message: string; readonly branch: string }
  /** Opens the editor again: on the same text, or in a conflict on the merged text. */
  | { readonly _tag: "EditAgain" }

const diffOf = (before: string, after: string) => Diff.make(DiffPatch.parse(LineDiff.patch(before, after)))

/** Creates the window with the proposed message and branch. */
export const make = (base: FileVersion, target: Target, text: string, draft: ExternalEditor.Draft): FileCommit => {
  const branch = target.branch === undefined ? "" : " Another name than one of a branch creates the branch."
  return {
    base,
    target,
    text,
    draft,
    diff: diffOf(base.text, text),
    top: 0,
    fields: [
      {
        name: "message",
        input: TextInput.make(`Update ${base.path}`, { multiline: true }),
        note: "Ctrl-N starts another line."
      },
      { name: "branch", input: TextInput.make(target.proposed), note: branch },
      ...(target.consequence === undefined
        ? []
        : [{ name: "confirm", input: TextInput.make(), note: `Type ${base.path} to confirm.` } satisfies Field])
    ],
    focus: 0,
    conflict: undefined,
    problem: undefined,
    isSending: false
  }
}

/** Replaces the text after another edit, and the version on which the edit is based. */
export const withText = (self: FileCommit, base: FileVersion, text: string): FileCommit => ({
  ...self,
  base,
  text,
  diff: diffOf(base.text, text),
  top: 0,
  conflict: undefined,
  problem: undefined,
  isSending: false
})

/** Shows what others have changed since the file was read. */
export const withConflict = (self: FileCommit, conflict: Conflict): FileCommit => {
  const { path } = self.base
  const isDeleted = conflict.theirs.sha === undefined
  return {
    ...self,
    conflict,
    diff: diffOf(self.base.text, conflict.theirs.text),
    top: 0,
    problem: `Nothing was committed: someone else ${isDeleted ? "deleted" : "changed"} ${path} on ${conflict.branch} after you opened it. Below is their change. Enter opens your text with their change in the editor.`,
    isSending: false
  }
}

/** Handles a key by name. */
export const press = (self: FileCommit, key: string): Step => {
  const field = self.fields[self.focus]
  switch (key) {
    case "escape":
      return { _tag: "Cancel" }
    case "ctrl-o":
      return { _tag: "EditAgain" }
    case "ctrl-s":
    case "ctrl-enter":
      return submit(self)
    case "tab":
      return edit(moveFocus(self, 1))
    case "shift-tab":
      return edit(moveFocus(self, -1))
    case "enter":
      return self.conflict !== undefined || self.focus === self.fields.length - 1
        ? submit(self)
        : edit(moveFocus(self, 1))
    case "down":
      return edit(scroll(self, 1))
    case "up":
      return edit(scroll(self, -1))
    case "pagedown":
      return edit(scroll(self, PAGE))
    case "pageup":
      return edit(scroll(self, -PAGE))
    case "ctrl-n":
      return edit(field === undefined ? self : withInput(self, TextInput.insert(field.input, "\n")))
    default:
      return edit(field === undefined ? self : withInput(self, TextInput.press(field.input, key)))
  }
}

/** Number of lines of a page of the diff: fewer than a small window shows. */
const PAGE = 8

const edit = (window: FileCommit): Step => ({ _tag: "Edit", window })

const scroll = (self: FileCommit, step: number): FileCommit => ({
  ...self,
  top: Math.max(0, Math.min(self.top + step, self.diff.length - 1))
})

const moveFocus = (self: FileCommit, step: 1 | -1): FileCommit => ({
  ...self,
  focus: (self.focus + step + self.fields.length) % self.fields.length
})

const withInput = (self: FileCommit, input: TextInput.TextInput): FileCommit => ({
  ...self,
  problem: self.conflict === undefined ? undefined : self.problem,
  fields: self.fields.map((field, index) => (index === self.focus ? { ...field, input } : field))
})

/** Inserts pasted text into the field with the cursor. */
export const paste = (self: FileCommit, text: string): FileCommit => {
  const field = self.fields[self.focus]
  return field === undefined ? self : withInput(self, TextInput.insert(field.input, text))
}

const valueOf = ({ fields }: FileCommit, name: Field["name"]): string =>
  fields.find((field) => field.name === name)?.input.text.trim() ?? ""

const submit = (self: FileCommit): Step => {
  if (self.conflict !== undefined) return { _tag: "EditAgain" }
  const message = valueOf(self, "message")
  const branch = valueOf(self, "branch")
  const wrong = (name: Field["name"], problem: string) =>
    edit({ ...self, problem, focus: self.fields.findIndex((field) => field.name === name) })
  if (message === "") return wrong("message", "The message is required.")
  if (branch === "") return wrong("branch", "The branch is required.")
  if (/^(?:<{7} your edit|>{7} )/m.test(self.text) && !/^<{7} your edit/m.test(self.base.text))
    return edit({ ...self, problem: "The text still has conflict markers. Ctrl-O opens the editor." })
  if (self.target.consequence !== undefined && valueOf(self, "confirm") !== self.base.path)
    return wrong("confirm", `Type ${self.base.path} to confirm.`)
  return { _tag: "Commit", message, branch }
}

/** Returns the text for the editor: the edited text, or in a conflict this text with the changes of others. */
export const textToEdit = ({ base, conflict, text }: FileCommit): string =>
  conflict === undefined ? text : LineDiff.merge(base.text, text, conflict.theirs.text, conflict.branch).text

/** Returns the sentences above the diff, the problem first. */
export const notes = ({ problem, target }: FileCommit): ReadonlyArray<string> => [
  ...(problem === undefined ? [] : [`! ${problem}`]),
  ...target.notes,
  ...(target.consequence === undefined ? [] : [target.consequence])
]

/** Returns the changed lines as sentences, for screen readers. */
export const spokenChanges = ({ diff }: FileCommit): ReadonlyArray<string> =>
  Array.from({ length: Math.min(diff.length, MAX_SPOKEN) }, (_, index) => diff.detailsAt(index)).flatMap(
    ({ kind, newNumber, oldNumber, text }) =>
      kind === "added" || kind === "removed"
        ? [`${kind} line ${newNumber ?? oldNumber ?? ""}: ${Terminal.escape(text)}`]
        : []
  )

/** Maximum number of lines of a diff that are read at once. */
const MAX_SPOKEN = 100
