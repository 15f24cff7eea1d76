/** Programs for some tests. A test is skipped if a program is missing. */
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import { run, say } from "./run.mjs"

/** Debian packages by program name. */
const packages = new Map([
  ["chromium", "chromium"],
  ["dbus-run-session", "dbus-daemon"],
  ["gh", "gh"],
  ["redis-server", "redis-server"],
  ["rg", "ripgrep"],
  ["fish", "fish"],
  ["gnome-keyring-daemon", "gnome-keyring"],
  ["gpg", "gnupg"],
  ["openssl", "openssl"],
  ["ssh-keygen", "openssh-client"],
  ["tmux", "tmux"],
  ["unzip", "unzip"],
  ["zsh", "zsh"]
])

/** Maximum duration of one apt command. */
const APT_SECONDS = 240

const isInstalled = (/** @type {string} */ name) =>
  (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name)))

/** Names the missing programs. With TONGS_TEST_INSTALL=1 installs the programs instead, on Debian as root. */
export const ensurePrograms = async () => {
  const missing = [...packages].filter(([name]) => !isInstalled(name)).map(([, name]) => name)
  if (missing.length === 0) return
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")
  if (process.env.TONGS_TEST_INSTALL !== "1" || !canInstall) {
    const hint = canInstall ? "Install them, or set TONGS_TEST_INSTALL=1" : "Install them"
    return say(`tests: ${missing.join(", ")} not found; tests that need them are skipped. ${hint} to run those too.`)
  }
  const options = { env: { DEBIAN_FRONTEND: "noninteractive" }, timeoutSeconds: APT_SECONDS }
  await run("updating the list of Debian packages", "apt-get", ["update", "-qq"], options)
  // One apt command per package, so that a missing package does not prevent the rest.
  for (const name of missing) {
    const args = ["install", "-y", "-qq", "--no-install-recommends", name]
    const { code, output } = await run(`installing ${name}`, "apt-get", args, options)
    const reason = output.trim().split("\n").at(-1)
    if (code !== 0) say(`tests: installing ${name} failed (${reason}); tests that need it are skipped.`)
  }
}
