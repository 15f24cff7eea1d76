/** Edits a text in the user's editor: VISUAL, EDITOR or vi. */
import * as ChildProcess from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/** Runs another program in the terminal. */
export type Suspend = <A>(run: () => Promise<A>) => Promise<A>

/**
 * Opens a text in the editor, in a temporary file with this name. Resolves to the text when the editor ends; undefined if
 * the editor failed or the text was not saved.
 */
export const edit = async (
  suspend: Suspend,
  environment: NodeJS.ProcessEnv,
  name: string,
  text: string
): Promise<string | undefined> => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "tongs-edit-"))
  try {
    const file = Path.join(folder, fileName(name))
    Fs.writeFileSync(file, text, { mode: 0o600 })
    const code = await suspend(() => run(environment.VISUAL ?? environment.EDITOR ?? "vi", file))
    if (code !== 0) return undefined
    const edited = Fs.readFileSync(file, "utf8")
    return edited === text ? undefined : edited
  } catch {
    return undefined
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the last part of a name without characters that are special in file names, with its extension. */
const fileName = (name: string): string => {
  const base = (name.split("/").at(-1) ?? "").replace(/[^\p{L}\p{N}._-]/gu, "_").replace(/^[.-]+/, "_")
  return base === "" ? "text.md" : base.slice(-MAX_NAME)
}

const MAX_NAME = 80

/** Runs the editor, whose setting may contain arguments. Resolves to its exit code. */
const run = (editor: string, file: string): Promise<number | null> =>
  new Promise((resolve) => {
    const child =
      process.platform === "win32"
        ? ChildProcess.spawn(`${editor} "${file}"`, { shell: true, stdio: "inherit" })
        : ChildProcess.spawn("sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" })
    child.on("error", () => resolve(null))
    child.on("close", resolve)
  })
