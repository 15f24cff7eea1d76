/** Edits a text in the user's editor: VISUAL, EDITOR or vi. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as PathText from "@tongs/core/text/PathText"

/** Runs another program in the terminal. */
export type Suspend = <A>(run: () => Promise<A>) => Promise<A>

/** The end of an editor. */
export type Outcome =
  | { readonly _tag: "Edited"; readonly text: string }
  /** The text was not changed, or not saved. */
  | { readonly _tag: "Unchanged" }
  | { readonly _tag: "Failed"; readonly message: string }

/** Opens a text in the editor, in a temporary file with this name. Resolves when the editor ends. Never rejects. */
export const edit = async (
  suspend: Suspend,
  environment: NodeJS.ProcessEnv,
  name: string,
  text: string
): Promise<Outcome> => {
  let folder: string | undefined
  try {
    folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-edit-"))
    const file = Path.join(folder, fileName(name))
    Fs.writeFileSync(file, text, { mode: 0o600 })
    const editor = [environment.VISUAL, environment.EDITOR].find((value) => value !== undefined && value !== "") ?? "vi"
    const code = await suspend(() => run(editor, file))
    if (code !== 0) return { _tag: "Failed", message: failure(editor, code) }
    const edited = Fs.readFileSync(file, "utf8")
    return edited === text ? { _tag: "Unchanged" } : { _tag: "Edited", text: edited }
  } catch (error) {
    return { _tag: "Failed", message: `The text could not be edited: ${String(error)}` }
  } finally {
    if (folder !== undefined) Fs.rmSync(folder, { recursive: true, force: true })
  }
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
const run = (editor: string, file: string): Promise<number | null> =>
  new Promise((resolve) => {
    const child =
      process.platform === "win32"
        ? ChildProcess.spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
        : ChildProcess.spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" })
    child.on("error", () => resolve(null))
    child.on("close", resolve)
  })
