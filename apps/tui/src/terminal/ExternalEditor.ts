/** The user's editor: VISUAL, EDITOR or vi. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as PathText from "@tongs/core/text/PathText"
import * as WorkTreeFile from "./WorkTreeFile.ts"

/** Runs another program in the terminal. */
export type Suspend = <A>(run: () => Promise<A>) => Promise<A>

/** The end of an editor. */
export type Outcome =
  | { readonly _tag: "Edited"; readonly text: string }
  /** The text was not changed, or not saved. */
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Failed"; readonly message: string }

/** A text that an editor changes, in a file that stays until `remove`, so that no failure loses the text. */
export interface Draft {
  /** The path of the file; empty before the first edit. */
  readonly path: () => string
  /** Opens the text in the editor. Resolves when the editor ends. Never rejects. */
  readonly edit: (text: string) => Promise<Outcome>
  /** Returns true if the file exists with another text. */
  readonly differsFrom: (text: string) => boolean
  readonly remove: () => void
}

/** Opens texts and files in the editor. All promises resolve when the editor ends, and never reject. */
export interface Editor {
  /** Opens a copy of a text at a line, from 1. */
  readonly edit: (name: string, text: string, line?: number) => Promise<Outcome>
  /** Creates a draft in a temporary file with this name. */
  readonly draft: (name: string) => Draft
  /** Opens a file of a work tree at a line, from 1. Resolves to the reason if the file cannot be opened. */
  readonly openFile: (folder: string, path: string, line?: number) => Promise<string | undefined>
}

/** Returns the user's editor. */
export const make = (suspend: Suspend, environment: NodeJS.ProcessEnv): Editor => {
  const editor = [environment.VISUAL, environment.EDITOR].find((value) => value !== undefined && value !== "") ?? "vi"
  const open = async (file: string, line: number | undefined, waits: boolean): Promise<string | undefined> => {
    const code = await suspend(() => run(editor, argumentsOf(editor, file, line, waits)))
    return code === 0 ? undefined : failure(editor, code)
  }

  const draft = (name: string, line?: number): Draft => {
    let folder: string | undefined
    let path = ""
    return {
      path: () => path,
      edit: async (text) => {
        try {
          folder ??= Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-edit-"))
          path = Path.join(folder, fileName(name))
          Fs.writeFileSync(path, text, { mode: 0o600 })
          const problem = await open(path, line, true)
          if (problem !== undefined) return { _tag: "Failed", message: problem }
          const edited = utf8.decode(Fs.readFileSync(path))
          return edited === text ? { _tag: "Unchanged" } : { _tag: "Edited", text: edited }
        } catch (error) {
          const isEncoding = error instanceof TypeError && Fs.existsSync(path)
          const message = isEncoding ? "The editor saved a text that is not UTF-8" : String(error)
          return { _tag: "Failed", message: `The text could not be edited: ${message}` }
        }
      },
      differsFrom: (text) => Fs.existsSync(path) && Fs.readFileSync(path, "utf8") !== text,
      remove: () => {
        if (folder !== undefined) Fs.rmSync(folder, { recursive: true, force: true })
        folder = undefined
      }
    }
  }

  return {
    draft,
    edit: async (name, text, line) => {
      const copy = draft(name, line)
      const outcome = await copy.edit(text)
      copy.remove()
      return outcome
    },
    openFile: async (folder, path, line) => {
      const found = WorkTreeFile.resolve(folder, path)
      return found._tag === "Refused" ? found.message : open(found.file, line, false)
    }
  }
}

/** Keeps a byte order mark, and fails for other encodings. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** How an editor gets the line. */
type Position = "plus" | "suffix" | "goto"

const positions: Readonly<Record<string, Position>> = {
  ...Object.fromEntries("vi vim nvim nano emacs emacsclient kak micro".split(" ").map((name) => [name, "plus"])),
  helix: "suffix",
  hx: "suffix",
  code: "goto",
  codium: "goto"
}

/** Returns the arguments that open a file at a line. An unknown editor gets the file only. */
export const argumentsOf = (
  editor: string,
  file: string,
  line: number | undefined,
  waits: boolean
): ReadonlyArray<string> => {
  const [command = ""] = editor.trim().split(/\s+/, 1)
  const position = positions[Path.basename(command).replace(/\.(exe|cmd)$/i, "")]
  // Without this option, the command of a graphical editor ends before the user has saved.
  const wait = position === "goto" && waits ? ["--wait"] : []
  if (line === undefined || position === undefined) return [...wait, file]
  if (position === "plus") return [`+${line}`, file]
  return position === "suffix" ? [`${file}:${line}`] : [...wait, "--goto", `${file}:${line}`]
}

/** The exit code of a shell that does not find a program. */
const NOT_FOUND = 127

const failure = (editor: string, code: number | null): string =>
  code === NOT_FOUND
    ? `The editor ${editor} was not found. Set EDITOR to the command of yours`
    : `The editor ${editor} ended with ${code === null ? "a signal" : `exit code ${code}`}. The text is unchanged`

/** Returns the last part of a name with the extension. Replaces characters that are special in file names. */
const fileName = (name: string): string => {
  const base = PathText.nameOf(name)
    .replace(/[^\p{L}\p{N}._-]/gu, "_")
    .replace(/^[.-]+/, "_")
  return base === "" ? "text.md" : base.slice(-MAX_NAME)
}

const MAX_NAME = 80

/** Runs the editor; the setting may contain arguments. Resolves to the exit code. */
const run = (editor: string, args: ReadonlyArray<string>): Promise<number | null> =>
  new Promise((resolve) => {
    const child =
      process.platform === "win32"
        ? ChildProcess.spawn([editor, ...args.map((text) => `"${text}"`)].join(" "), { shell: true, stdio: "inherit" })
        : ChildProcess.spawn("sh", ["-c", `${editor} "$@"`, "sh", ...args], { stdio: "inherit" })
    child.on("error", () => resolve(null))
    child.on("close", resolve)
  })
