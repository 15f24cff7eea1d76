/**
 * The programs that some tests need and a machine may lack. With TONGS_TEST_INSTALL=1 they are installed, on Debian as
 * root; otherwise the tests that need them are reported as skipped.
 */
import { accessSync, constants, existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { run, say } from "./run.mjs"

/** The programs that tests need, and their Debian packages. */
const wanted = new Map([
  ["chromium", "chromium"],
  ["dbus-run-session", "dbus-daemon"],
  ["gh", "gh"],
  ["redis-server", "redis-server"],
  ["rg", "ripgrep"],
  ["gnome-keyring-daemon", "gnome-keyring"],
  ["gpg", "gnupg"],
  ["openssl", "openssl"],
  ["ssh-keygen", "openssh-client"],
  ["tmux", "tmux"],
  ["unzip", "unzip"]
])

/** How long apt may take before the tests go on without. */
const APT_SECONDS = 240

/** @param {string} name */
const isThere = (name) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })

/** Installs missing programs if that is allowed and possible, and names the missing ones if not. */
export const ensurePrograms = async () => {
  const missing = [...wanted].filter(([name]) => !isThere(name)).map(([, debian]) => debian)
  if (missing.length === 0) return
  const list = missing.join(", ")
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")
  if (process.env.TONGS_TEST_INSTALL !== "1" || !canInstall) {
    const hint = canInstall ? "Install them, or set TONGS_TEST_INSTALL=1" : "Install them"
    say(`tests: ${list} not found; the tests that need them are skipped. ${hint} to run those too.`)
    return
  }
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, timeoutSeconds: APT_SECONDS }
  await run("fetching the list of Debian packages", "apt-get", ["update", "-qq"], options)
  // One by one: a package that this Debian lacks must not keep the others away.
  for (const debian of missing) {
    const { code, output } = await run(
      `installing ${debian}`,
      "apt-get",
      ["install", "-y", "-qq", "--no-install-recommends", debian],
      options
    )
    if (code !== 0)
      say(
        `tests: ${debian} could not be installed (${output.trim().split("\n").at(-1)}); the tests that need it are skipped.`
      )
  }
}
