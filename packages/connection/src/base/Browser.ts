/** The browser of the person at this machine. */
import * as ChildProcess from "node:child_process"

/** Opens a page on this system; where nothing can, nothing happens, and the person has the URL. */
export const open = (url: URL): void => {
  const child = ChildProcess.spawn(...opener(url.href), { detached: true, stdio: "ignore" })
  child.on("error", () => {})
  child.unref()
}

/** No shell is among them: a URL may come from a forge. */
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
