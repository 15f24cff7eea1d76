import * as ChildProcess from "node:child_process"

/** Time after which a browser that still runs counts as opened, in milliseconds. */
const OPENED = 2_000

/** Opens a page in the user's browser. Fails silently: callers print the URL too. */
export const open = (url: URL): void => void tryOpen(url)

/**
 * Opens a page in the user's browser: `$BROWSER`, or the default browser of the system. Resolves to false if no browser
 * starts.
 */
export const tryOpen = (url: URL, env: NodeJS.ProcessEnv = process.env): Promise<boolean> => {
  const child = ChildProcess.spawn(...openerOf(url.href, env), { detached: true, stdio: "ignore" })
  child.unref()
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(true), OPENED)
    const end = (isOpened: boolean) => {
      clearTimeout(timer)
      resolve(isOpened)
    }
    child.on("error", () => end(false))
    child.on("exit", (code) => end(code === 0))
  })
}

type Opener = [program: string, args: ReadonlyArray<string>]

/** Returns the program that opens URLs, which must not be a shell, because a forge can choose the URL. */
const openerOf = (url: string, env: NodeJS.ProcessEnv): Opener => {
  const [program, ...args] = (env.BROWSER ?? "").split(/\s+/).filter((word) => word !== "")
  if (program !== undefined) {
    return [program, args.includes("%s") ? args.map((word) => (word === "%s" ? url : word)) : [...args, url]]
  }
  switch (process.platform) {
    case "darwin":
      return ["open", [url]]
    case "win32":
      return ["rundll32", ["url.dll,FileProtocolHandler", url]]
    default:
      return ["xdg-open", [url]]
  }
}
