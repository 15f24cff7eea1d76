import * as ChildProcess from "node:child_process"

/** Opens a page in the user's browser. Fails silently: callers print the URL too. */
export const open = (url: URL): void => {
  const child = ChildProcess.spawn(...opener(url.href), { detached: true, stdio: "ignore" })
  child.on("error", () => {})
  child.unref()
}

/** Returns the program that opens URLs on this system. It must not be a shell, because a forge can choose the URL. */
const opener = (url: string): [program: string, args: ReadonlyArray<string>] => {
  switch (process.platform) {
    case "darwin":
      return ["open", [url]]
    case "win32":
      return ["rundll32", ["url.dll,FileProtocolHandler", url]]
    default:
      return ["xdg-open", [url]]
  }
}
